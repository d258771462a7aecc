"""The command line as a user types it: help, refusals, exit codes."""

import functools
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from cluster import RunFailed, cli

ROOT = Path(__file__).parents[2]
QUESTIONS = sorted(path.stem for path in (ROOT / "queries").glob("*.sql"))
BLUE = ["play", "blue", "--blue", "hold", "--red", "easy"]
LONG = "select count(*) from range(100_000_000_000) as a where a.range % 7 = 3"
COMMANDS = [
    "run",
    "plan",
    "resume",
    "status",
    "verify",
    "compact",
    "prune",
    "submit",
    "jobs",
    "logs",
    "stop",
    "query",
    "sql",
    "export",
    "report",
    "list",
    "show",
    "play",
    "replay",
    "fork",
    "turning-points",
]


def in_a_process(*words, **options):
    """The same as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "cluster", *words], cwd=ROOT, capture_output=True, text=True, timeout=120, **options
    )


# Help


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
def test_help_names_every_command_and_where_to_start(duosuan, words):
    text = duosuan(*words).out
    for command in COMMANDS:
        assert re.search(rf"│ {command} ", text)
    assert "duosuan run demo" in text


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command(duosuan, command):
    text = " ".join(duosuan(command, "--help").out.split())
    assert f"Usage: duosuan {command}" in text
    if command != "list":
        assert f" duosuan {command} " in text.replace(f"Usage: duosuan {command}", "", 1)


def test_version(duosuan):
    assert re.fullmatch(r"duosuan \S.*\n", duosuan("--version").out)


def test_help_brings_nothing_heavy():
    code = """
import sys
from cluster import cli
cli.run(["--help"])
heavy = {"numpy", "numba", "pyarrow", "duckdb", "ray", "pydantic", "sim"}
print(heavy & set(sys.modules), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stderr == "set()\n"


# Refusals


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["lst"], "no such command 'lst'. Did you mean 'list'? (see duosuan --help)"),
        (["list", "scenario"], "no such command 'scenario'. Did you mean 'scenarios'? (see duosuan list --help)"),
        (["list"], "missing command (see duosuan list --help)"),
        (["sql"], "missing argument 'ARCHIVE' (see duosuan sql --help)"),
        (["query", "win_rates", "x", "--parm", "a=b"], "no such option: --parm (Possible options: --param)"),
        (["play", "blue", "--blue", "hold"], "missing option '--red'"),
        ([*BLUE, "--seed", "x"], "invalid value for '--seed'"),
        (
            ["play", "blue", "--blue", "hold", "--red", "easy", "--replication", "-1"],
            "invalid value for '--replication'",
        ),
    ],
)
def test_what_cannot_be_understood_is_refused_in_one_line(duosuan, words, says):
    assert duosuan(*words, code=2).err.startswith(f"error: {says}")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["query", "win_rate", "{archive}"], r"there is no question 'win_rate': use .* \(did you mean win_rates\?\)"),
        (["query", "win_rates", "{archive}", "--param", "turn"], "--param: 'turn' is no parameter: use name=value"),
        (["query", "win_rates", "{archive}", "--param", "turn=3"], "question win_rates has no parameter 'turn': use"),
        (["query", "casualties", "{archive}", "--param", "turn=S41"], "turn: 'S41' is wrong"),
        (["query", "win_rates", "{archive}/nowhere"], ".*/nowhere: there is no such archive"),
        (["sql", "{archive}", "selec 1"], "the query: Parser Error: syntax error"),
        (["sql", "{archive}", "copy games to 'x'"], "the query: copy is not allowed"),
        (
            ["sql", "{archive}", "select 1", "--format", "jsn"],
            "--format: there is no format 'jsn': .*did you mean json",
        ),
        (["sql", "{archive}", "select 1", "--format", "parquet"], "--format: parquet is no text for a terminal"),
        (["sql", "{archive}", "select 1", "--json", "--format", "csv"], "--json and --format csv contradict"),
        (["sql", "{archive}", "select 1", "--out", "{archive}/no/x.csv"], ".*x.csv: cannot be written: No such file"),
        (["sql", "{archive}", "select 1", "--experiment", "dmo"], ".*has no experiment 'dmo': .*did you mean demo"),
        (["export", "{archive}", "{archive}/no/x.duckdb"], ".*x.duckdb: cannot be written: No such file"),
        (["export", "{archive}", "{archive}"], ".*: is there already: use --force"),
        (["list", "experiments", "{archive}/nowhere"], "there is no such archive"),
        (["show", "medum"], "there is no scenario, policy, question or map 'medum' .did you mean medium"),
        (["show", "map", "medium"], "there is no map 'medium' .did you mean medium"),
        (["show", "mop", "two_bridges"], "there is no kind 'mop': scenario, policy, question or map .did you mean map"),
        (["show", "map", "two", "bridges"], "'map two bridges' is too much: show one thing"),
        (["show", "hold", "--svg", "{archive}/x.svg"], "--svg: hold is nothing that can be drawn"),
        (["show", "blue", "--svg", "{archive}/no/x.svg"], ".*x.svg: cannot be written: No such file"),
        (["show", "nowhere.toml"], "nowhere.toml: there is no such file"),
        (["play", "bleu", "--blue", "hold", "--red", "easy"], "there is no scenario 'bleu': use .*did you mean blue"),
        (["play", "blue", "--blue", "hodl", "--red", "easy"], "no policy 'hodl' for blue: use .*did you mean hold"),
        ([*BLUE, "--set", "five"], "--set: 'five' is no setting"),
        ([*BLUE, "--set", "options.fiv=reroll"], ".*'fiv' leads nowhere"),
        ([*BLUE, "--set", "options.five=rerol"], '.*"?rerol"?.* is not allowed'),
        ([*BLUE, "--set", "doctrine.green.x=1"], ".*leads nowhere: use doctrine"),
        ([*BLUE, "--set", "doctrine.blue.retreat=1"], ".*no such doctrine field"),
        ([*BLUE, "--set", "doctrine.blue.retreats=2"], ".*from 0 to 1"),
        (
            [*BLUE, "--set", "doctrine.blue.retreats=0.5"],
            ".*0.5 is wrong: policy hold takes a whole number from 0 to 1",
        ),
        ([*BLUE, "--set", "doctrine.blue.retreats=[1]"], r".*\[1\] is wrong: policy hold takes a whole number"),
    ],
)
def test_what_is_wrong_is_refused_in_one_line(duosuan, archive, words, says):
    typed = duosuan(*(word.format(archive=archive) for word in words), code=2)
    assert re.search(says, typed.err.removeprefix("error: ")), typed.err


EXPERIMENT = """
name = "leaves"
seed = 1
replications = 1
[[play]]
scenarios = ["barbarossa/blue"]
blue = ["mine.py:POLICY"]
red = ["easy"]
"""


@pytest.mark.parametrize(
    "words",
    [
        ["show", "mine.py:POLICY"],
        ["play", "blue", "--blue", "mine.py:POLICY", "--red", "easy"],
        ["plan", "leaves.toml"],
        ["run", "leaves.toml", "--archive", "archive", "--inline"],
    ],
)
def test_a_policy_file_that_exits_is_refused_in_one_line(duosuan, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("import sys\nsys.exit()\n")
    Path("leaves.toml").write_text(EXPERIMENT)
    says = "mine.py: cannot be imported: SystemExit (mine.py, line 2)\n"
    assert duosuan(*words, code=2).err.endswith(says)
    assert not Path("archive").exists()


DIVIDES = """
from numba import njit
from sim.barbarossa.policies.hold import POLICY as HOLD

@njit(cache=True)
def move(game, doctrine, memory, subject, order):
    return {answer}

POLICY = HOLD._replace(name="mine", decisions=(HOLD.decisions[0], move, *HOLD.decisions[2:]))
"""


@pytest.mark.parametrize(
    ("answer", "code", "says"),
    [
        ("1 // (game.state.turn // 100)", 1, "error: mine.py ends the game: ZeroDivisionError: "),
        ("len(subject)", 2, "error: mine.py: decision move: cannot be compiled: TypingError: "),
    ],
)
def test_a_policy_that_cannot_play_a_single_game_is_named(duosuan, tmp_path, monkeypatch, answer, code, says):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(DIVIDES.format(answer=answer))
    error = duosuan("play", "blue", "--blue", "mine.py:POLICY", "--red", "easy", code=code).err
    assert error.startswith(says)
    assert error.count("\n") == 1


# Exit codes


def test_bug_of_ours_is_70_with_the_traceback_in_a_file(duosuan, monkeypatch, archive, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("queries.formats.write", lambda *_: {}["no\nsuch key"])
    error = duosuan("sql", archive, "select 1", code=70).err
    found = re.fullmatch(
        r"error: a bug in duosuan: KeyError: .*; the traceback is in (\S+) \(--debug prints it\)\n", error
    )
    assert found
    text = Path(found[1]).read_text()
    assert "arguments: ['sql'," in text
    assert text.endswith("KeyError: 'no\\nsuch key'\n")


@pytest.mark.parametrize("place", [0, 1, 3])
def test_debug_prints_the_traceback_wherever_it_stands(capsys, monkeypatch, archive, place):
    monkeypatch.setattr("queries.formats.write", lambda *_: 1 // 0)
    words = ["sql", str(archive), "select 1"]
    assert cli.run([*words[:place], "--debug", *words[place:]]) == 70
    error = capsys.readouterr().err
    assert error.startswith("Traceback")
    assert error.endswith("ZeroDivisionError: integer division or modulo by zero\n")


def test_failed_run_is_1(duosuan, monkeypatch, archive):
    def fails(*_):
        raise RunFailed("the disk is full")

    monkeypatch.setattr("queries.formats.write", fails)
    assert duosuan("sql", archive, "select 1", code=1).err == "error: the disk is full\n"


def test_stopped_by_ctrl_c_is_130_and_says_nothing(capsys, monkeypatch, archive):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("queries.formats.write", stopped)
    assert cli.run(["sql", str(archive), "select 1"]) == 130
    assert capsys.readouterr() == ("", "")


def interruptible(command):
    """A process that hears Ctrl-C also where these tests run in the background of a shell, which turns it off."""
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.parametrize("seconds", [0.3, 1.2])
def test_ctrl_c_at_the_start(archive, seconds):
    with interruptible([sys.executable, "-m", "cluster", "sql", str(archive), LONG]) as process:
        try:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(seconds)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode in (130, -signal.SIGINT)
    assert (out, err) == ("", "")


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.slow  # it waits until the query is surely under way
def test_ctrl_c_in_a_long_query(archive):
    command = [sys.executable, "-m", "cluster", "sql", str(archive), LONG]
    with interruptible(command) as process:
        try:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(8)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (130, "", "")


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_nobody_reads_the_answer(archive, form):
    script = textwrap.dedent(f"""
        set -o pipefail
        {sys.executable} -m cluster sql {archive} "from range(200000)" --format {form} | head -n 1 > /dev/null
        echo ${{PIPESTATUS[0]}}
    """)
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert done.stdout in ("141\n", "0\n" if form == "table" else "")  # a table of 1,000 rows fits into the pipe


def test_module_is_the_command():
    done = in_a_process("list", "questions", "--json")
    assert [row["question"] for row in json.loads(done.stdout)] == QUESTIONS
    refused = in_a_process("lst")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "error: no such command 'lst'. Did you mean 'list'? (see duosuan --help)\n"
