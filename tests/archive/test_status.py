"""How far an experiment is, and what one would take."""

import json
from pathlib import Path

import pytest

from cluster.status import show_plan, show_status
from sim.rules_file import BadInput
from tests.archive.conftest import only_experiment


def status(path: Path, capsys: pytest.CaptureFixture[str]) -> dict:
    show_status(path, as_json=True)
    (found,) = json.loads(capsys.readouterr().out)
    return found


def test_a_complete_experiment(reference, capsys) -> None:
    found = status(reference, capsys)
    assert found["complete"]
    assert (found["games_played"], found["games"], found["shards_done"], found["shards"]) == (400, 400, 5, 5)
    assert (found["games_failed"], found["failures"], found["resume"]) == (0, [], None)
    assert status(only_experiment(reference), capsys) == found
    show_status(reference, as_json=False)
    assert "400 of 400 games in 5 of 5 shards, 4 cells, 0 games failed" in capsys.readouterr().out


def test_an_incomplete_one_says_how_to_go_on(damaged, capsys) -> None:
    next(iter(sorted(damaged.glob("games/*/*/*.parquet")))).unlink()
    found = status(damaged, capsys)
    assert not found["complete"]
    assert (found["games_played"], found["shards_done"]) == (320, 4)
    assert found["resume"] == f"duosuan resume {damaged}"


def test_failures_are_told_with_the_command_that_plays_them_again(damaged, capsys) -> None:
    report = {
        "shard": 1,
        "published": False,
        "error": "cell 2, replication 3: …",
        "games": [{"replay": "duosuan play x"}],
    }
    (damaged / "failures").mkdir()
    (damaged / "failures/shard-000001.json").write_text(json.dumps(report))
    show_status(damaged, as_json=False)
    told = capsys.readouterr().out
    assert "shard 1: cell 2, replication 3: …" in told
    assert "again: duosuan play x" in told


def test_games_that_failed_are_counted_from_the_reports_of_published_shards(damaged, capsys) -> None:
    (damaged / "failures").mkdir()
    for shard in (1, 2):
        report = {"shard": shard, "published": True, "failed": 3, "games": []}
        (damaged / f"failures/shard-{shard:06d}.json").write_text(json.dumps(report))
    # Its report is there before its games: this one was stopped in between.
    next(damaged.glob("games/*/*/shards-000002-*.parquet")).unlink()
    assert status(damaged, capsys)["games_failed"] == 3


def test_what_is_not_there_is_named(damaged) -> None:
    with pytest.raises(BadInput, match="is no experiment and holds none"):
        show_status(damaged / "games", as_json=True)


def test_a_plan_agrees_with_what_is_played(small, reference, capsys) -> None:
    show_plan(str(small()), 1, as_json=True)
    planned = json.loads(capsys.readouterr().out)
    folder = only_experiment(reference)
    assert planned["folder"] == folder.name
    assert (planned["games"], planned["shards"], len(planned["cells"])) == (400, 5, 4)
    size = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
    # Of the right order: files as small as these are mostly metadata.
    assert 0.2 < planned["bytes"] / size < 5
    show_plan(str(small()), 1, as_json=False)
    assert "400: 100 replications of each cell" in capsys.readouterr().out
