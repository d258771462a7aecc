"""Drift between two nights, on archives worked out by hand."""

from pathlib import Path

import pytest

import queries
from queries.drift import compare, played
from tests.small_archives import SmallExperiment

CELLS = [{"scenario": "barbarossa/blue", "blue_policy": name, "red_policy": "easy"} for name in ("hold", "blitz")]


def night(archive: Path, name: str, cells, wins, territory, seed=7) -> None:
    """A night: of each cell, which replications blue won, and its regions at the end."""
    made = SmallExperiment(
        archive, name, id8="00000001" if name == "before" else "00000002", cells=cells, replications=len(wins[0])
    )
    games = [
        {
            "cell": cell,
            "replication": replication,
            "winner": "blue" if won else "red",
            "blue_territory": territory[cell],
        }
        for cell, row in enumerate(wins)
        for replication, won in enumerate(row)
    ]
    made.shard(games=games)
    if seed != 7:
        manifest = made.folder / "manifest.json"
        manifest.write_text(manifest.read_text().replace('"seed": 7', f'"seed": {seed}'))


def drift(archive: Path, **options):
    with (
        queries.open(str(archive), experiments=["before"]) as before,
        queries.open(str(archive), experiments=["after"]) as after,
    ):
        return compare(played(before), played(after), **options)


def test_equal_nights_have_no_drift(tmp_path: Path):
    wins = [[1, 0] * 20, [0] * 40]
    night(tmp_path, "before", CELLS, wins, [5, 6])
    night(tmp_path, "after", CELLS, wins, [5, 6])
    found = drift(tmp_path)
    assert found.same_dice
    assert found.alarms == []
    # Payoff and regions of two cells; nothing else is recorded.
    assert {(row.measure, row.difference, row.p) for row in found.differences} == {
        ("payoff", 0.0, 1.0),
        ("blue_territory", 0.0, 1.0),
    }
    assert len(found.differences) == 4


def test_a_change_beyond_the_tolerance_is_an_alarm(tmp_path: Path):
    night(tmp_path, "before", CELLS, [[1, 0] * 50, [0] * 100], [5, 6])
    night(tmp_path, "after", CELLS, [[1, 1, 1, 0] * 25, [0] * 100], [5, 6])
    found = drift(tmp_path)
    (alarm,) = found.alarms
    # Half of the games before, three quarters after; every fourth game went from lost to won, none the other way.
    assert (alarm.measure, alarm.before, alarm.after, alarm.difference, alarm.n) == ("payoff", 0.5, 0.75, 0.25, 100)
    assert alarm.cell == {"rulebook": "barbarossa", **CELLS[0]}
    assert alarm.low < 0.25 < alarm.high
    assert alarm == found.differences[0]
    assert drift(tmp_path, tolerances={"payoff": 0.3}).alarms == []


def test_a_tolerance_of_counts_is_a_share_of_what_was(tmp_path: Path):
    wins = [[0] * 10, [0] * 10]
    night(tmp_path, "before", CELLS, wins, [20, 20])
    night(tmp_path, "after", CELLS, wins, [21, 23])
    # One region of 20 is 5 %, three are 15 %; 10 % may be.
    assert [(row.cell["blue_policy"], row.difference, row.tolerance) for row in drift(tmp_path).alarms] == [
        ("blitz", 3.0, 2.0)
    ]


def test_what_may_be_luck_is_no_alarm(tmp_path: Path):
    night(tmp_path, "before", CELLS, [[1, 0, 1, 0], [0] * 4], [5, 6])
    night(tmp_path, "after", CELLS, [[1, 1, 1, 0], [0] * 4], [5, 6])
    found = drift(tmp_path)
    assert found.alarms == []
    assert next(row.difference for row in found.differences if row.measure == "payoff") == 0.25


def test_other_dice_are_not_paired(tmp_path: Path):
    night(tmp_path, "before", CELLS, [[1, 0] * 10, [0] * 20], [5, 6])
    night(tmp_path, "after", CELLS, [[0, 1] * 15, [0] * 30], [5, 6], seed=8)
    found = drift(tmp_path)
    assert not found.same_dice
    (row,) = [row for row in found.differences if row.measure == "payoff" and row.cell["blue_policy"] == "hold"]
    assert (row.difference, row.n) == (0.0, 20)
    assert row.low < -0.2  # each replication apart would be far more certain


def test_cells_are_matched_by_what_they_are(tmp_path: Path):
    night(tmp_path, "before", CELLS, [[1, 0], [0, 0]], [5, 6])
    others = [CELLS[1], {**CELLS[0], "blue_policy": "elastic"}]
    night(tmp_path, "after", others, [[0, 0], [1, 1]], [6, 5])
    found = drift(tmp_path)
    assert {row.cell["blue_policy"] for row in found.differences} == {"blitz"}
    assert [cell["blue_policy"] for cell in found.only_before] == ["hold"]
    assert [cell["blue_policy"] for cell in found.only_after] == ["elastic"]


def test_failed_games_and_missing_replications_have_no_part(tmp_path: Path):
    night(tmp_path, "before", CELLS, [[1, 0, 1], [0, 0, 0]], [5, 6])
    night(tmp_path, "after", CELLS, [[1, 0], [0, 0]], [5, 6])
    found = drift(tmp_path)
    assert {row.n for row in found.differences} == {2}


@pytest.mark.parametrize("measure", ["payoff", "blue_territory"])
def test_means_are_those_of_the_games_compared(tmp_path: Path, measure: str):
    night(tmp_path, "before", CELLS, [[1, 1, 0, 0], [0] * 4], [5, 6])
    night(tmp_path, "after", CELLS, [[1, 1], [0] * 2], [5, 6])
    row = next(r for r in drift(tmp_path).differences if r.measure == measure and r.cell["blue_policy"] == "hold")
    assert row.before == row.after
