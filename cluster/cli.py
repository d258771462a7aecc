"""The command line `duosuan`: options in, one call, and an answer or one line that says what is wrong.

Answers go to stdout, progress and errors to stderr. Exit codes: 0 done, 1 a run that failed or an answer that could
not be written, 2 bad input, 3 a balance alarm, 70 a bug of ours, 130 stopped by Ctrl-C, 141 nobody reads the answer any
more.

This module and those of the commands import nothing heavy: `--help` answers at once. What a command needs, it imports.
"""

import errno
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from cluster import RunFailed, cli_ask, cli_game, cli_jobs, cli_run, cli_show
from cluster.streams import CannotWrite, in_one_line, is_text, prepare_streams, write_nothing_more

FAILED, BAD_INPUT, BUG, STOPPED, NOBODY_READS = 1, 2, 70, 130, 141

app = typer.Typer(
    name="duosuan",
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,  # `run` says what went wrong, in one line
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def duosuan(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Print the traceback of a bug; may stand anywhere.")] = False,
) -> None:
    """Play wargames by the thousand and answer questions about them.

    \b
    [bold]duosuan run demo[/bold]                        play an experiment
    [bold]duosuan query win_rates ARCHIVE[/bold]         ask a question
    [bold]duosuan sql ARCHIVE "from games limit 5"[/bold]  ask in SQL
    [bold]duosuan play blue --blue hold --red easy[/bold]  watch one game
    [bold]duosuan COMMAND --help[/bold]                  more on a command
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    if version:
        print(f"duosuan {installed_version()}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


for part in (cli_run, cli_jobs, cli_ask, cli_show, cli_game):
    part.register(app)


def main() -> None:
    """The command `duosuan`."""
    prepare_streams()
    if sys.stdout is None:
        sys.exit(_say("the answer cannot be written: stdout is closed", FAILED))
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Does what the arguments ask for and returns the exit code; never raises."""
    debug = "--debug" in arguments
    try:
        for word in arguments:
            if not is_text(word):
                return _say(f"the argument {word!r} is no text in UTF-8", BAD_INPUT)
        code = app([word for word in arguments if word != "--debug"], prog_name="duosuan", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # Typer makes an exit of a broken pipe that it meets itself
        write_nothing_more()
        return NOBODY_READS
    except CannotWrite as error:
        write_nothing_more()
        return _say(f"the answer cannot be written: {error}", FAILED)
    except (KeyboardInterrupt, typer.Abort):
        return STOPPED
    except typer.TyperException as error:
        return _say(_usage(error), BAD_INPUT)
    except RunFailed as error:
        return _say(str(error), FAILED)
    except Exception as error:
        if _is_bad_input(error):
            return _say(str(error), BAD_INPUT)
        if _lacks_memory(error):
            return _say("there is not enough memory: free some, or raise its limit (ulimit -v)", FAILED)
        return _own_bug(error, arguments, debug)
    return code if isinstance(code, int) else 0


def installed_version() -> str:
    """Version of the installed package, or a word that says that none is installed."""
    from importlib import metadata

    try:
        return metadata.version("duosuan")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def _say(message: str, code: int) -> int:
    print(f"error: {in_one_line(message)}", file=sys.stderr)
    return code


def _usage(error: typer.TyperException) -> str:
    """A complaint of Typer about the arguments, as one line."""
    text = " ".join(error.format_message().split()).removesuffix(".")
    context: typer.Context | None = getattr(error, "ctx", None)
    hint = f" (see {context.command_path} --help)" if context else ""
    return f"{text[:1].lower()}{text[1:]}{hint}"


def _is_bad_input(error: Exception) -> bool:
    """Whether it is a `sim.rules_file.BadInput`; who raised one has imported it, so it need not be imported here."""
    rules_file = sys.modules.get("sim.rules_file")
    return rules_file is not None and isinstance(error, rules_file.BadInput)


def _lacks_memory(error: BaseException | None) -> bool:
    """Whether the cause of an error is that no memory could be had, be it for a library that is loaded."""
    while error is not None:
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            return True
        if isinstance(error, ImportError | OSError) and "failed to map segment" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _own_bug(error: Exception, arguments: Sequence[str], debug: bool) -> int:
    import platform
    import tempfile
    import traceback

    trace = "".join(traceback.format_exception(error))
    if debug:
        print(trace, end="", file=sys.stderr)
        return BUG
    what = " ".join(f"{type(error).__name__}: {error}".split())
    about = f"duosuan {installed_version()}, Python {platform.python_version()}, {platform.platform()}"
    try:
        with tempfile.NamedTemporaryFile("w", prefix="duosuan-", suffix=".txt", delete=False) as file:
            file.write(f"{about}\narguments: {list(arguments)}\n\n{trace}")
        where = f"the traceback is in {file.name}"
    except OSError as full:
        where = f"no traceback could be written: {full.strerror}"
    return _say(f"a bug in duosuan: {what}; {where} (--debug prints it)", BUG)
