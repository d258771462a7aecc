"""A policy that fails costs its own games; one that ends its process is found and named."""

import json
import shlex
import textwrap
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cluster import cli
from tests.archive.conftest import only_experiment

# What each answers a Soviet attack on its stack with: `hold` with one decision exchanged.
POLICY = """
from numba import njit

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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "limit", "why"),
    [(ENDLESS, 2, "it took longer than 2 s"), (CRASHING, 60, "its process ended with signal 11")],
    ids=["endless", "crashing"],
)
def test_a_game_that_ends_its_process_is_named(elsewhere, failing, tmp_path, answer, limit, why) -> None:
    ended = elsewhere.run(failing(answer), tmp_path / "archive", f"workers=2, game_limit={limit}")
    assert ended.code == 1
    folder = only_experiment(tmp_path / "archive")
    # The other policy's games stand, where they share no shard with it.
    assert {game["blue_policy"] for game in rows(folder, "games")} == {"costly"}
    report = json.loads(next(folder.glob("failures/*.json")).read_text())
    assert not report["published"]
    (game,) = report["games"]
    assert report["error"] == f"cell 1, replication {game['replication']}: {why}"
    assert game["cell"] == 1
    assert report["error"] in ended.text
    assert f"shards given up; {len(rows(folder, 'games'))} of 200 games are there" in ended.text
