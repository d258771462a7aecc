"""The command line as a user types it: answers, refusals, exit codes."""

import functools
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pyarrow.parquet as pq
import pytest

from cluster import RunFailed, cli
from tests.small_archives import SmallExperiment

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


STUCK = """
from numba import njit
from sim.barbarossa.policies.hold import POLICY as HOLD

@njit(cache=True)
def nowhere(game, doctrine, memory, subject, order):
    order[0] = 99
    return 0

decisions = (HOLD.decisions[0], nowhere, *HOLD.decisions[2:])
STUCK = HOLD._replace(name="stuck", decisions=decisions)
"""


class Typed:
    """What came of a line that was typed: exit code, stdout, stderr."""

    def __init__(self, code, out, err):
        self.code = code
        self.out = out
        self.err = err


@pytest.fixture
def duosuan(capsys):
    """Types a command line; in this process, so that only the first game of a run has to be loaded."""

    def typed(*words, code=0):
        found = Typed(cli.run([str(word) for word in words]), *capsys.readouterr())
        assert found.code == code, found.err
        if code:
            assert found.out == ""
            assert re.fullmatch(r"error: [^\n]+\n", found.err)
        return found

    return typed


@pytest.fixture
def archive(tmp_path):
    experiment = SmallExperiment(tmp_path / "archive", "demo", cells=2, replications=2)
    win = {"winner": "blue", "outcome": "axis_minor", "margin": 1}
    experiment.shard(games=[{"replication": 0}, {"replication": 1, **win}, {"cell": 1, "replication": 0}])
    return experiment.folder.parent


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
    ],
)
def test_what_is_wrong_is_refused_in_one_line(duosuan, archive, words, says):
    typed = duosuan(*(word.format(archive=archive) for word in words), code=2)
    assert re.search(says, typed.err.removeprefix("error: ")), typed.err


# List and show


def test_list_scenarios(duosuan):
    assert "bagration" in duosuan("list", "scenarios").out
    rows = json.loads(duosuan("list", "scenarios", "--json").out)
    assert {"scenario": "barbarossa/blue", "also called": "bagration", "title": "Case Blue"} in rows


def test_list_policies(duosuan):
    assert "never moves or attacks" in duosuan("list", "policies").out
    rows = json.loads(duosuan("list", "policies", "--json").out)
    assert {(row["side"], row["policy"]) for row in rows} >= {("blue", "hold"), ("red", "easy"), ("red", "difficult")}


def test_list_questions(duosuan):
    rows = json.loads(duosuan("list", "questions", "--json").out)
    assert [row["question"] for row in rows] == QUESTIONS


def test_list_experiments(duosuan, archive):
    typed = duosuan("list", "experiments", archive)
    assert "demo-00000001" in typed.out
    assert typed.err == "note: demo-00000001: 3 of 4 games are there so far\n"
    (row,) = json.loads(duosuan("list", "experiments", archive, "--json").out)
    assert (row["games"], row["games_planned"], row["complete"]) == (3, 4, False)


@pytest.mark.parametrize(
    "name", ["blue", "bagration", "barbarossa/blue", ROOT / "configs/scenarios/barbarossa/blue.toml"]
)
def test_show_scenario(duosuan, name):
    text = duosuan("show", name).out
    assert "barbarossa/blue (scenario): Case Blue, also called bagration" in text
    assert "Kharkov: 6th Army (german), 17th Army (german)" in text


def test_show_policy(duosuan):
    text = duosuan("show", "hold").out
    assert "retreats = 1 (0 to 1): whether stacks retreat" in text
    (found,) = json.loads(duosuan("show", "barbarossa/hold", "--json").out)
    assert found["doctrine"][0]["name"] == "retreats"


def test_show_policy_of_either_side_once(duosuan):
    (found,) = json.loads(duosuan("show", "first_contact/hold", "--json").out)
    assert found["plays"] == "first_contact, either side"


def test_show_policy_of_a_file(duosuan, tmp_path):
    (tmp_path / "mine.py").write_text(STUCK)
    text = duosuan("show", f"{tmp_path / 'mine.py'}:STUCK").out
    assert "mine.py:STUCK (policy of blue): never moves or attacks" in text
    assert "retreats = 1 (0 to 1)" in text


@pytest.mark.parametrize("name", QUESTIONS)
def test_show_question(duosuan, name):
    text = duosuan("show", name).out
    assert f"{name} (question): " in text
    (found,) = json.loads(duosuan("show", name, "--json").out)
    assert found["kind"] == "question"
    assert found["columns"]


def test_show_map(duosuan):
    text = duosuan("show", "eastern_front").out
    assert "9 of 32 regions Axis; the map is reconstructed" in text
    assert "Kiev: Warsaw, Slovakia, Minsk, Kursk, Kharkov, Odessa" in text


def test_show_by_kind(duosuan):
    for kind, name in (
        ("scenario", "barbarossa"),
        ("map", "eastern_front"),
        ("policy", "hold"),
        ("question", "morale"),
    ):
        found = json.loads(duosuan("show", kind, name, "--json").out)
        assert {it["kind"] for it in found} == {kind}
        assert found == json.loads(duosuan("show", name, "--json").out)


def test_show_draws_a_map(duosuan, tmp_path):
    typed = duosuan("show", "uranus", "--svg", tmp_path / "map.svg")
    assert typed.err == f"drawn into {tmp_path / 'map.svg'}\n"
    assert ElementTree.parse(tmp_path / "map.svg").getroot().tag.endswith("svg")


# Play


GAME = ["play", "uranus", "--blue", "hold", "--red", "medium", "--seed", "3", "--replication", "1"]


def test_play_tells_a_game(duosuan):
    lines = duosuan(*GAME).out.splitlines()
    assert lines[0] == "Operation Uranus  Axis: hold, Soviet Union: medium  seed 3, replication 1"
    assert lines[2:4] == ["Set-up", "  Velikje Luki: 16th Army."]
    titles = [line for line in lines if re.fullmatch(r"(Winter|Summer|Autumn) 194\d \([WSA]4\d\)", line)]
    assert titles[0] == "Winter 1943 (W43)"
    assert titles[-1] == "Summer 1945 (S45)"
    assert len(titles) == 8
    assert re.search(r"    On \w+( \w+)? \(\d units?\): die [123], ", "\n".join(lines))
    assert re.fullmatch(r".*: \d+ Axis regions? at the end of Summer 1945 \(S45\)\.", lines[-1])


def test_play_as_json_is_the_same_game(duosuan):
    text = duosuan(*GAME).out
    data = json.loads(duosuan(*GAME, "--json").out)
    assert data["policies"] == {"blue": "hold", "red": "medium"}
    assert (data["seed"], data["replication"]) == (3, 1)
    assert text.splitlines()[-1] == data["outcome"]
    regions = [row["territory"] for row in data["turns"] if row["side"] == "blue"]
    assert regions[-1] == data["game"]["blue_territory"]
    for chapter in data["story"][1:]:
        assert chapter["title"] in text
    lost = [event for event in data["events"] if event["kind"] == "lost"]
    assert len(lost) == data["game"]["axis_units_lost"]


def test_play_again_is_the_same_and_another_replication_is_not(duosuan):
    assert duosuan(*GAME).out == duosuan(*GAME).out
    assert duosuan(*GAME[:-1], "2").out.splitlines()[1:] != duosuan(*GAME).out.splitlines()[1:]


def test_play_with_other_settings(duosuan):
    stays = ["--set", "doctrine.blue.retreats=0", "--set", "options.vacated=garrison"]
    data = json.loads(duosuan(*GAME, *stays, "--json").out)
    assert data["settings"] == {"doctrine.blue.retreats": 0, "options.vacated": "garrison"}
    assert not [event for event in data["events"] if event["kind"] == "retreat"]
    assert [event for event in json.loads(duosuan(*GAME, "--json").out)["events"] if event["kind"] == "retreat"]


def test_play_of_a_policy_that_fails_is_told_and_is_1(capsys, tmp_path):
    (tmp_path / "mine.py").write_text(STUCK)
    game = ["play", "barbarossa", "--blue", f"{tmp_path / 'mine.py'}:STUCK", "--red", "easy"]
    assert cli.run(game) == 1
    out = capsys.readouterr().out
    assert "Axis: mine.py:STUCK" in out
    assert out.endswith("Failed in Summer 1941 (S41): bad move by the policy of Axis (value 0).\n")
    assert cli.run([*game, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["game"]["fault"] == "bad_move"


# Ask


def test_query_as_a_table(duosuan, archive):
    typed = duosuan("query", "win_rates", archive)
    header, _, first, second = (line.split() for line in typed.out.splitlines())
    assert dict(zip(header, first, strict=True))["blue_win_rate"] == "0.5"
    assert dict(zip(header, second, strict=True))["games"] == "1"
    assert typed.err == "note: demo-00000001: 3 of 4 games are there so far\n"


def test_query_with_parameters_and_formats(duosuan, archive):
    (row,) = json.loads(duosuan("query", "outcomes", archive, "--param", "red_policy=easy", "--json").out)[3:]
    assert (row["cell"], row["outcome"], row["n"]) == (1, "axis_minor", 0)
    assert json.loads(duosuan("query", "outcomes", archive, "--param", "red_policy=none", "--format", "json").out) == []


def test_sql_from_the_command_line_and_from_stdin(duosuan, archive, monkeypatch, tmp_path):
    text = "select cell, count(*) as n from games group by all order by cell"
    assert duosuan("sql", archive, text, "--format", "csv").out == "cell,n\n0,2\n1,1\n"
    (tmp_path / "q.sql").write_text(text)
    with (tmp_path / "q.sql").open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert duosuan("sql", archive, "-", "--format", "csv").out == "cell,n\n0,2\n1,1\n"


def test_export(duosuan, archive, tmp_path):
    typed = duosuan("export", archive, tmp_path / "all.duckdb")
    assert typed.out == ""
    assert re.fullmatch(
        r"note: demo-00000001: 3 of 4 games are there so far\nwritten into .*all.duckdb: [\d.]+ MB\n", typed.err
    )
    with duckdb.connect(str(tmp_path / "all.duckdb"), read_only=True) as file:
        assert file.sql("select sum(games) from win_rates()").fetchall() == [(3,)]


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_answer_goes_into_a_file_in_the_form_of_its_name(duosuan, archive, tmp_path, ending):
    out = tmp_path / f"answer.{ending}"
    assert duosuan("sql", archive, "select replication from games where cell = 1", "--out", out).out == ""
    if ending == "parquet":
        assert pq.read_table(out).to_pylist() == [{"replication": 0}]
    else:
        assert out.read_text() == {"csv": "replication\n0\n", "json": '[\n{"replication": 0}\n]\n'}[ending]


def test_damaged_file_is_named_and_can_be_skipped(duosuan, archive):
    path = next(archive.rglob("turns/**/*.parquet"))
    path.write_bytes(b"PAR1")
    assert duosuan("query", "win_rates", archive, code=2).err.startswith(f"error: {path}: is damaged")
    assert f"note: left out: {path.parents[3]}" in duosuan("query", "win_rates", archive, "--skip-damaged").err


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


# Report


def test_report_is_a_page(duosuan, archive, tmp_path):
    said = duosuan("report", archive, "--out", tmp_path / "page.html")
    assert said.out == ""
    assert said.err.startswith(f"written to {tmp_path / 'page.html'}\nnote: ")
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")


def test_report_as_json_and_markdown(duosuan, archive):
    report = json.loads(duosuan("report", archive, "--json").out)
    assert report["experiments"][0]["scenarios"][0]["games"] == 3
    assert "## demo" in duosuan("report", archive, "--markdown").out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--json", "--markdown"], "contradict each other"),
        (["--out", "/nowhere/report.html"], "cannot be written"),
        (["--experiment", "dmo"], "did you mean demo?"),
    ],
)
def test_report_refusals(duosuan, archive, options, message):
    assert message in duosuan("report", archive, *options, code=2).err
