"""The summary at the end of a run."""

import io

import pytest

from queries import summary
from queries.summary import print_summary
from sim.rules_file import BadInput


@pytest.fixture
def printed(small, tmp_path):
    def of(folder):
        out = io.StringIO()
        print_summary(folder, out)
        return [" ".join(line.split()) for line in out.getvalue().splitlines()]

    return of


def test_summary_of_a_complete_experiment(small, printed):
    experiment = small(cells=[{}, {"red_policy": "medium"}], replications=2, label="2026-01-02")
    win = {"winner": "blue", "outcome": "axis_major"}
    experiment.shard(
        games=[
            {"replication": 0, **win, "blue_territory": 9},
            {"replication": 1, "blue_territory": 2},
            {"cell": 1, "replication": 0, "blue_territory": 1},
            {"cell": 1, "replication": 1, "winner": "draw", "outcome": "draw", "blue_territory": 4},
        ]
    )
    lines = printed(experiment.folder)
    assert lines[0] == "demo-00000001 (2026-01-02): 4 of 4 games, complete; 0 failed"
    assert lines[1] == "scenario blue red games blue wins 95 % draws blue places"
    # Wilson's interval of 1 of 2 is 0.5 +- 0.4055, of 0 of 2 from 0 to 0.6576.
    assert lines[3] == "barbarossa/blue hold easy 2 50.0 % 9.5 % – 90.5 % 0.0 % 5.5"
    assert lines[4] == "barbarossa/blue hold medium 2 0.0 % 0.0 % – 65.8 % 50.0 % 2.5"
    assert lines[5] == f"more: duosuan list questions; duosuan query QUESTION {experiment.folder}"


def test_summary_names_what_failed_and_where_first(small, printed):
    experiment = small(cells=2, replications=2)
    failed = {"winner": None, "outcome": None, "margin": None, "end_reason": "failed"}
    experiment.shard(
        games=[
            {"cell": 0, "replication": 1, **failed, "fault": "bad_move"},
            {"cell": 1, "replication": 0, **failed, "fault": "bad_move"},
            {"cell": 1, "replication": 1, **failed, "fault": "bad_loss"},
        ]
    )
    lines = printed(experiment.folder)
    assert lines[0] == "demo-00000001: 3 of 4 games, not complete; 3 failed"
    assert lines[3] == "barbarossa/blue hold easy 0 – – – –"
    assert lines[5:7] == [
        "failed: bad_move in 2 games, first in cell 0, replication 1",
        "failed: bad_loss in 1 games, first in cell 1, replication 1",
    ]


def test_summary_shows_factors_and_fits_a_screen(small, printed):
    cells = [{"options.five": f"level {number}"} for number in range(summary.MOST_CELLS + 5)]
    experiment = small(cells=cells, replications=1)
    experiment.shard(games=[{"cell": number} for number in range(len(cells))])
    lines = printed(experiment.folder)
    assert "options.five" in lines[1]
    assert "level 7" in lines[10]
    assert lines[-2] == "and 5 more cells: ask win_rates"
    assert len(lines) < 40


def test_summary_of_an_experiment_without_games(small, printed):
    experiment = small()
    assert printed(experiment.folder)[0] == "demo-00000001: 0 of 2 games, not complete; 0 failed"


def test_summary_of_something_else_is_refused(tmp_path):
    with pytest.raises(BadInput, match="there is no such archive"):
        print_summary(tmp_path / "nowhere")
