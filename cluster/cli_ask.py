"""`duosuan query`, `sql`, `export` and `report`: answers from an archive, and all of it as one file."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import duckdb

    from queries.archive import Archive

ArchivePath = Annotated[
    str, typer.Argument(help="An archive, or the folder of one experiment in it.", metavar="ARCHIVE")
]
Format = Annotated[
    str, typer.Option("--format", help="table, csv, json or parquet; by default as --out ends, else table.")
]
Json = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
Out = Annotated[Path | None, typer.Option(help="A file for the answer.")]
Only = Annotated[
    list[str] | None, typer.Option("--experiment", help="Only experiments of this name or id; repeatable.")
]
SkipDamaged = Annotated[bool, typer.Option(help="Check every file and leave out shards that are damaged.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    panel = "Ask"
    app.command("query", rich_help_panel=panel)(query)
    app.command("sql", rich_help_panel=panel)(sql)
    app.command("export", rich_help_panel=panel)(export)
    app.command("report", rich_help_panel=panel)(report)


def query(
    name: Annotated[str, typer.Argument(help="The question: see `duosuan list questions`.", metavar="QUESTION")],
    archive: ArchivePath,
    param: Annotated[list[str] | None, typer.Option(help="A parameter, as name=value; repeatable.")] = None,
    form: Format = "",
    as_json: Json = False,
    out: Out = None,
    experiment: Only = None,
    skip_damaged: SkipDamaged = False,
) -> None:
    """Answer one of the questions that come with Duosuan.

    \b
    duosuan query win_rates archives/demo
    duosuan query region_holders archives/demo --param turn=13 --out holders.csv
    duosuan show win_rates        what the question means
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from queries import questions

    form = _format(form, as_json, out)
    parameters = dict(_pair(text) for text in param or [])
    questions.find(name).values(parameters)  # before the archive is opened: what is wrong here is said first
    with _open(archive, experiment, skip_damaged) as opened, opened.errors():
        _answer(opened, opened.question(name, **parameters), form, out)


def sql(
    archive: ArchivePath,
    text: Annotated[
        str | None,
        typer.Argument(help="A query that only reads; - takes it from stdin. None: ask in a shell.", metavar="[QUERY]"),
    ] = None,
    form: Format = "",
    as_json: Json = False,
    out: Out = None,
    experiment: Only = None,
    skip_damaged: SkipDamaged = False,
) -> None:
    """Answer a query of your own, in DuckDB's SQL.

    \b
    duosuan sql archives/demo "select scenario, outcome, count(*) from games group by all"
    duosuan sql archives/demo "from experiments"
    duosuan sql archives/demo "describe events"
    duosuan sql archives/demo - --out answer.parquet < question.sql
    duosuan sql archives/demo                      a shell: history, completion, .help
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    form = _format(form, as_json, out)
    if text is None:
        _must_be_a_terminal(out)
    with _open(archive, experiment, skip_damaged) as opened, opened.errors():
        if text is None:
            from queries.shell import shell

            _print_notes(opened.notes)
            shell(opened, lambda relation: _print_notes(_write(opened, relation, form, None)))
            return
        _answer(opened, opened.sql(sys.stdin.read() if text == "-" else text), form, out)


def export(
    archive: ArchivePath,
    file: Annotated[Path, typer.Argument(help="The file to write, such as games.duckdb.", metavar="FILE")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    experiment: Only = None,
    skip_damaged: SkipDamaged = False,
) -> None:
    """Write an archive into one DuckDB file: tables, macros, and the questions as table macros.

    \b
    duosuan export archives/demo demo.duckdb
    duckdb demo.duckdb "from win_rates(wanted_scenario := 'barbarossa/blue')"
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from queries.export import export as export_

    with _open(archive, experiment, skip_damaged) as opened, opened.errors():
        export_(opened, file, force=force)
        _print_notes(opened.notes)
    print(f"written into {file}: {file.stat().st_size / 1e6:,.1f} MB", file=sys.stderr)


def _must_be_a_terminal(out: Path | None) -> None:
    from sim.rules_file import BadInput

    if out is not None:
        raise BadInput("a file takes one answer: give a query", key="--out")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput("a shell wants a terminal: use - to take the query from stdin", key="QUERY")


def report(
    archive: ArchivePath,
    out: Annotated[
        Path | None, typer.Option(help="A file for it; a page is written to report.html by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="All its numbers as JSON, to stdout.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="In short, as Markdown, to stdout.")] = False,
    experiment: Only = None,
    skip_damaged: SkipDamaged = False,
) -> None:
    """Write a report on an archive: balance, casualties, armour, territory, factors, failures. One page, no network.

    \b
    duosuan report archives/demo                   into report.html
    duosuan report archives/demo --markdown        for a pull request
    duosuan report archives/demo --json --out report.json
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from sim.rules_file import BadInput

    if as_json and as_markdown:
        raise BadInput("--json and --markdown contradict each other")
    from cluster.rounds import enough_in
    from queries.report import page
    from queries.report.gather import gather

    found, boards = gather(archive, experiment or (), skip_damaged, enough=enough_in)
    if as_json:
        text = found.model_dump_json(indent=1) + "\n"
    else:
        text = page.markdown(found) if as_markdown else page.html(found, boards)
    if out is None and (as_json or as_markdown):
        sys.stdout.write(text)
    else:
        _write_text(out or Path("report.html"), text)
    _print_notes(found.notes)


def _write_text(out: Path, text: str) -> None:
    from queries.formats import replace_file
    from sim.rules_file import BadInput

    try:
        replace_file(out, lambda path: path.write_text(text, encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", file=out) from None
    print(f"written to {out}", file=sys.stderr)


def _open(archive: str, experiment: list[str] | None, skip_damaged: bool) -> "Archive":
    import queries

    return queries.open(archive, experiments=experiment or (), skip_damaged=skip_damaged)


def _answer(archive: "Archive", relation: "duckdb.DuckDBPyRelation", form: str, out: Path | None) -> None:
    notes = _write(archive, relation, form, out)
    _print_notes([*archive.notes, *notes])


def _write(archive: "Archive", relation: "duckdb.DuckDBPyRelation", form: str, out: Path | None) -> list[str]:
    from queries import formats

    try:
        return archive.stoppable(lambda: formats.write(relation, form, out))
    except BrokenPipeError:
        raise
    except OSError as error:
        from sim.rules_file import BadInput

        raise BadInput(f"cannot be written: {error.strerror}", file=out) from None


def _print_notes(notes: Sequence[str]) -> None:
    for line in notes:
        print(f"note: {line}", file=sys.stderr)


def _format(given: str, as_json: bool, out: Path | None) -> str:
    """The format that was asked for, by name or by the ending of a file's name."""
    from queries.formats import FORMATS

    ending = out.suffix.removeprefix(".") if out else ""
    form = given or ("json" if as_json else ending if ending in FORMATS else "table")
    if form in FORMATS and not (form == "parquet" and out is None) and not (as_json and form != "json"):
        return form
    from sim.rules_file import BadInput, one_of

    if form not in FORMATS:
        raise BadInput(f"there is no format {form!r}: use {one_of(FORMATS, form)}", key="--format")
    if form == "parquet":
        raise BadInput("parquet is no text for a terminal: name a file with --out", key="--format")
    raise BadInput(f"--json and --format {form} contradict each other")


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if equals:
        return name, value
    from sim.rules_file import BadInput

    raise BadInput(f"{text!r} is no parameter: use name=value", key="--param")
