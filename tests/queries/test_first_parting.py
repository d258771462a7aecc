"""The question `first_parting`, against rows worked out by hand."""

import pytest

COLUMNS = "cell compared_with games parted parted_share first median p95"


def turns(cell: int, losses: dict[int, list[int]]) -> list[dict]:
    """Rows of ``turns``: Axis losses by replication and turn, from turn 4."""
    return [
        {"cell": cell, "replication": r, "turn": turn, "side": side, "losses": lost if side == "blue" else 0}
        for r, course in losses.items()
        for turn, lost in enumerate(course, 4)
        for side in ("red", "blue")
    ]


def games(cell: int, replications) -> list[dict]:
    return [{"cell": cell, "replication": r} for r in replications]


def test_the_first_turn_at_which_anything_differs(small, ask):
    experiment = small(cells=2, replications=4, record="turns")
    experiment.shard(
        games=games(0, range(4)) + games(1, range(4)),
        turns=turns(0, {0: [0, 1, 1], 1: [0, 1, 2], 2: [0, 0, 0], 3: [0, 1, 1]})
        # The second goes back to what it was, the third never parts.
        + turns(1, {0: [0, 2, 2], 1: [0, 0, 2], 2: [0, 0, 0], 3: [0, 1, 2]}),
    )
    assert ask("first_parting", COLUMNS) == [(1, 0, 4, 3, 0.75, 5, 5, 6)]
    assert ask("first_parting", "cell compared_with parted", cell=1) == [(0, 1, 3)]


def test_units_and_places_count_and_so_does_what_is_missing(small, ask):
    experiment = small(cells=3, replications=2, record="units")
    unit = {"unit": "11"}
    here = {"place": "Kiev", "holder": "blue"}
    courses = turns(0, {0: [0, 0], 1: [0, 0]}) + turns(1, {0: [0, 0], 1: [0, 0]}) + turns(2, {0: [0], 1: [0, 0]})
    experiment.shard(
        games=[game for cell in range(3) for game in games(cell, range(2))],
        turns=courses,
        units=[
            {**unit, "cell": cell, "replication": r, "turn": 4, "region": "Minsk" if cell == r == 1 else "Kiev"}
            for cell in range(3)
            for r in range(2)
        ],
        territory=[
            {**here, "cell": cell, "replication": r, "turn": 5, "holder": "red" if (cell, r) == (2, 1) else "blue"}
            for cell in range(3)
            for r in range(2)
        ],
    )
    assert ask("first_parting", "cell parted first p95") == [(1, 1, 4, 4), (2, 2, 5, 5)]


def test_only_games_that_both_have_and_have_recorded(small, ask):
    experiment = small(cells=2, replications=4, record="games", sample={"level": "turns", "every": 2})
    experiment.shard(
        games=games(0, range(4)) + games(1, range(2)),
        turns=turns(0, {0: [0, 1], 2: [0, 1]}) + turns(1, {0: [0, 1]}),
    )
    assert ask("first_parting", COLUMNS) == [(1, 0, 1, 0, 0.0, None, None, None)]


@pytest.mark.parametrize("other", [{"scenario": "barbarossa/uranus"}, {"seed": 5}])
def test_cells_of_other_scenarios_or_dice_are_not_compared(small, ask, other):
    experiment = small(cells=[{}, other], replications=1, record="turns")
    experiment.shard(games=games(0, [0]) + games(1, [0]), turns=turns(0, {0: [0]}) + turns(1, {0: [1]}))
    assert ask("first_parting", COLUMNS) == []
