"""A policy that fails costs its own games; one that ends its process is found and named."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import psutil
import pyarrow.parquet as pq
import pytest

from cluster import cli
from sim import policy_trial
from tests.archive.conftest import only_experiment

# What each answers a Soviet attack on its stack with: `hold` with one decision exchanged.
POLICY = """
import os
import re

import numpy as np
from numba import njit, objmode

import sim
from sim.game import BLUE, Policy

HOLD = sim.rulebook("barbarossa").policy("hold", BLUE)


@njit(cache=True)
def answer(game, doctrine, memory, subject, order):
    {answer}


decisions = list(HOLD.decisions)
decisions[4] = answer
bad = Policy("bad", BLUE, "answers badly", tuple(decisions), cost=100.0)
"""
NONSENSE = "return 7 if game.state.turn == 9 else 1"
ENDLESS = """
    turns = 0
    while game.state.turn == 9 and turns >= 0:
        turns = (turns + 1) % 1000
    return 1
"""
CRASHING = "return order[1 << 44] if game.state.turn == 9 else 1"
RAISING = """
    if game.state.turn == 9:
        raise ValueError("no")
    return 1
"""
DIVIDING = "return 7 // (game.state.turn - game.state.turn) if game.state.turn == 9 else 1"
ALLOCATING = """
    if game.state.turn == 9:
        return int(np.ones(1 << 44)[5])
    return 1
"""
UNCOMPILED = """
    with objmode():
        import os
    return 1
"""
# In Python, while a compiled game is played.
IN_PYTHON = """
    if game.state.turn == 9:
        with objmode():
            {does}
    return 1
"""
EXITING = IN_PYTHON.format(does="os._exit(3)")
EXITING_AS_IF_DONE = IN_PYTHON.format(does="os._exit(0)")
HOLDING_THE_INTERPRETER = IN_PYTHON.format(does="re.match('(a+)+$', 'a' * 100 + 'b')")

EXPERIMENT = """
name = "failing"
seed = 7
replications = 100
record = "units"

[policies.costly]
policy = "hold"
cost = 100

[[play]]
scenarios = ["barbarossa/uranus"]
blue = ["costly", "bad.py:bad"]
red = ["easy"]
"""


@pytest.fixture
def failing(tmp_path: Path):
    def write(answer: str) -> Path:
        (tmp_path / "bad.py").write_text(POLICY.format(answer=textwrap.dedent(answer).strip().replace("\n", "\n    ")))
        (tmp_path / "failing.toml").write_text(EXPERIMENT)
        return tmp_path / "failing.toml"

    return write


def rows(folder: Path, table: str) -> list[dict]:
    return [
        row for path in sorted(folder.glob(f"{table}/*/*/*.parquet")) for row in pq.ParquetFile(path).read().to_pylist()
    ]


def test_nonsense_costs_the_game_alone(elsewhere, failing, tmp_path) -> None:
    ended = elsewhere.run(failing(NONSENSE), tmp_path / "archive")
    assert ended.code == 0, ended.text
    folder = only_experiment(tmp_path / "archive")
    games = rows(folder, "games")
    failed = [game for game in games if game["end_reason"] == "failed"]
    assert 0 < len(failed) < 100
    assert {game["blue_policy"] for game in failed} == {"bad.py:bad"}
    assert {(game["fault"], game["fault_turn"], game["fault_value"]) for game in failed} == {("bad_answer", 9, 7)}
    assert {(game["winner"], game["margin"], game["turns"]) for game in failed} == {(None, None, None)}
    keys = {(game["cell"], game["replication"]) for game in games}
    lost = {(game["cell"], game["replication"]) for game in failed}
    assert len(keys) == 200
    assert {(row["cell"], row["replication"]) for row in rows(folder, "units")} == keys - lost
    assert f"{len(failed)} games failed and have no result" in ended.text
    reports = [json.loads(path.read_text()) for path in sorted(folder.glob("failures/*.json"))]
    assert sum(report["failed"] for report in reports) == len(failed)
    told = reports[0]["games"][0]
    assert told["error"] == {"fault": "bad_answer", "fault_turn": 9, "fault_value": 7}
    assert (told["cell"], told["replication"]) == min(lost)
    assert f"--replication {told['replication']}" in told["replay"]
    assert all(report["published"] for report in reports)


def test_the_report_tells_how_to_play_the_game_again(elsewhere, failing, tmp_path, monkeypatch, capsys) -> None:
    file = failing(NONSENSE)
    file.write_text(
        file.read_text().replace('policy = "hold"', 'policy = "bad.py:bad"').replace('"bad.py:bad"]', '"hold"]')
        + '[play.factors]\n"options.five" = ["two_attacks"]\n"doctrine.red.japanese_attack" = [1]\n'
    )
    ended = elsewhere.run(file, tmp_path / "archive")
    assert ended.code == 0, ended.text
    folder = only_experiment(tmp_path / "archive")
    report = json.loads(next(folder.glob("failures/*.json")).read_text())
    told = report["games"][0]
    monkeypatch.chdir(tmp_path)
    program, *words = shlex.split(told["replay"])
    assert program == "duosuan"
    assert cli.run([*words, "--json"]) == 1
    again = json.loads(capsys.readouterr().out)
    assert again["settings"] == {"options.five": "two_attacks", "doctrine.red.japanese_attack": 1}
    assert {key: again["game"][key] for key in told["error"]} == told["error"]


def test_shards_with_failed_games_are_played_again_when_asked(elsewhere, failing, tmp_path) -> None:
    assert elsewhere.run(failing(NONSENSE), tmp_path / "archive").code == 0
    folder = only_experiment(tmp_path / "archive")
    reported = len(list(folder.glob("failures/*.json")))
    before = (folder / "manifest.json").read_text()
    ended = elsewhere.call(f"resume(Path({str(folder)!r}), Path(), Options(inline=True), failed_too=True)")
    assert ended.code == 0, ended.text
    assert f"{reported} of " in ended.text
    assert (folder / "manifest.json").read_text() == before


def only_report(folder: Path) -> dict:
    return json.loads(next(folder.glob("failures/*.json")).read_text())


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (RAISING, "ValueError: no (bad.py, line 17)"),
        (DIVIDING, "ZeroDivisionError: integer division by zero"),
        (ALLOCATING, "MemoryError: Allocation failed (probably too large)."),
    ],
    ids=["raising", "dividing", "allocating"],
)
def test_a_game_whose_policy_raises_an_error_is_named(elsewhere, failing, tmp_path, answer, why) -> None:
    ended = elsewhere.run(failing(answer), tmp_path / "archive")
    assert ended.code == 1
    folder = only_experiment(tmp_path / "archive")
    assert {game["blue_policy"] for game in rows(folder, "games")} == {"costly"}
    report = only_report(folder)
    (game,) = report["games"]
    assert report["error"] == f"cell 1, replication {game['replication']}: {why}"
    assert "Traceback (most recent call last):" in report["traceback"]
    assert f"shard {report['shard']}: {report['error']}; again: {game['replay']}" in ended.text.splitlines()
    assert "Traceback" not in ended.text


def test_a_policy_that_cannot_be_compiled_is_refused(elsewhere, failing, tmp_path) -> None:
    ended = elsewhere.run(failing(UNCOMPILED), tmp_path / "archive")
    assert ended.code == 2
    line = ended.text.splitlines()[-1]  # a slow machine says before that it is compiling
    assert line.startswith(
        "bad.py: decision answer: cannot be compiled: UnsupportedBytecodeError: Use of unsupported opcode"
    )
    assert not (tmp_path / "archive").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "limit", "why"),
    [
        (ENDLESS, 2, "it took longer than 2 s"),
        (HOLDING_THE_INTERPRETER, 2, "it took longer than 2 s"),
        (CRASHING, 60, "its process ended with signal 11"),
        (EXITING, 60, "its process ended with exit code 3"),
        (EXITING_AS_IF_DONE, 60, "its process ended with exit code 0"),
    ],
    ids=["endless", "holding the interpreter", "crashing", "exiting", "exiting as if done"],
)
def test_a_game_that_ends_its_process_is_named(elsewhere, failing, tmp_path, answer, limit, why) -> None:
    ended = elsewhere.run(failing(answer), tmp_path / "archive", f"workers=2, game_limit={limit}")
    assert ended.code == 1
    folder = only_experiment(tmp_path / "archive")
    # The other policy's games stand, where they share no shard with it.
    assert {game["blue_policy"] for game in rows(folder, "games")} == {"costly"}
    report = only_report(folder)
    assert not report["published"]
    (game,) = report["games"]
    assert report["error"] == f"cell 1, replication {game['replication']}: {why}"
    assert game["cell"] == 1
    assert report["error"] in ended.text
    assert f"shards given up; {len(rows(folder, 'games'))} of 200 games are there" in ended.text


@pytest.mark.slow
def test_a_game_that_ends_its_process_is_named_with_the_compiler_off(elsewhere, failing, tmp_path) -> None:
    file = failing("return os._exit(3) if game.state.turn == 9 else 1")
    file.write_text(file.read_text().replace("replications = 100", "replications = 5"))
    # Numba has to know before it is imported: a process of its own, with workers that inherit its environment.
    command = [sys.executable, "-m", "cluster", "run", str(file), "--archive", str(tmp_path / "archive")]
    off = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ended = subprocess.run([*command, "--workers", "1"], env=off, capture_output=True, text=True, timeout=600)
    assert ended.returncode == 1, ended.stderr
    report = only_report(only_experiment(tmp_path / "archive"))
    assert report["error"].endswith(": its process ended with exit code 3")


@pytest.mark.slow
def test_a_policy_that_ends_every_worker_that_imports_it_is_given_up(elsewhere, failing, tmp_path) -> None:
    file = failing("return 1")
    policy = file.with_name("bad.py")
    end = 'if re.search("default_worker|cluster.probe", " ".join(sys.orig_argv)):\n    os._exit(4)'
    policy.write_text(f"import os, re, sys\n{end}\n{policy.read_text()}")
    ended = elsewhere.run(file, tmp_path / "archive", "workers=2")
    assert ended.code == 1
    folder = only_experiment(tmp_path / "archive")
    assert {game["blue_policy"] for game in rows(folder, "games")} == {"costly"}
    assert only_report(folder)["error"] == "a process that was to play cell 1 ended with exit code 4 before a game"


@pytest.mark.slow
def test_a_game_that_takes_the_memory_of_its_machine_is_given_up(elsewhere, failing, tmp_path) -> None:
    memory = psutil.virtual_memory()
    many = memory.total // 8 // 10  # numbers of eight bytes, in all a tenth of the memory
    file = failing(f"""
        if game.state.turn == 9:
            taken = np.ones({many})
            with objmode():
                time.sleep(60)
            return int(taken[5])
        return 1
    """)
    file.with_name("bad.py").write_text("import time\n" + file.with_name("bad.py").read_text())
    # Ray ends a worker of a machine that has less than this share left.
    threshold = f"{memory.percent / 100 + 0.05:.2f}"
    ended = elsewhere.run(file, tmp_path / "archive", "workers=1", RAY_memory_usage_threshold=threshold)
    assert ended.code == 1
    folder = only_experiment(tmp_path / "archive")
    assert {game["blue_policy"] for game in rows(folder, "games")} == {"costly"}
    assert only_report(folder)["error"] == "its worker was lost 3 times: OutOfMemoryError"


# Fine when the games are played, and the end of whatever imports it afterwards.
LATER = """
import os

if os.environ.get("LATER"):
    os._exit(0)
"""
READERS = ["replay {}", "fork {} --turn 5 --games 1", "turning-points {} --games 1", "verify {}", "resume {}"]


@pytest.fixture(scope="module")
def with_own_policy(elsewhere, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    (folder / "bad.py").write_text(LATER + POLICY.format(answer="return 1"))
    (folder / "failing.toml").write_text(EXPERIMENT.replace("= 100", "= 1").replace('"costly", ', ""))
    ended = elsewhere.run(folder / "failing.toml", folder / "archive")
    assert ended.code == 0, ended.text
    return only_experiment(folder / "archive")


def missing_games(folder: Path, target: Path) -> Path:
    """A copy of an experiment without its games: `resume` has something to play."""
    shutil.copytree(folder, target)
    manifest = json.loads((target / "manifest.json").read_text()) | {"complete": False}
    (target / "manifest.json").write_text(json.dumps(manifest))
    for table in target.glob("games"):
        shutil.rmtree(table)
    return target


@pytest.mark.parametrize("command", READERS)
def test_a_policy_of_an_archive_is_tried_before_it_is_run(with_own_policy, tmp_path, monkeypatch, capsys, command):
    folder = with_own_policy
    if command.startswith("resume"):
        folder = missing_games(folder, tmp_path / folder.name)
    monkeypatch.setenv("LATER", "1")
    monkeypatch.setattr(policy_trial, "_passed", set())
    code = 1 if command.startswith("verify") else 2  # `verify` goes on with the other experiments of an archive
    assert cli.run([*command.format(folder).split(), *["--inline"] * command.startswith("resume")]) == code
    assert "bad.py: ends the process that imports it, with exit code 0\n" in capsys.readouterr().err


@pytest.mark.parametrize("command", READERS)
def test_nothing_of_a_policy_that_was_edited_in_an_archive_is_run(with_own_policy, tmp_path, capsys, command):
    folder = missing_games(with_own_policy, tmp_path / with_own_policy.name)
    (file,) = (path for path in (folder / "inputs").iterdir() if '"sources":{"' in path.read_text())
    document = json.loads(file.read_text())
    document["sources"]["bad.py"] += f"\nopen({str(tmp_path / 'run')!r}, 'w').close()\n"
    file.write_text(json.dumps(document))
    assert cli.run([*command.format(folder).split(), *["--inline"] * command.startswith("resume")]) == 1
    told = capsys.readouterr()
    assert f"{file.name}: does not have the hash in its name: the file is damaged" in told.out + told.err
    assert not (tmp_path / "run").exists()
