"""Chapter 6: the map of Prokhorovka, with what other chapters ask of it."""

import itertools
import math

import numpy as np
import pytest

from cluster import library
from sim.first_contact.ground import Cell, MapFile, farm_cells, rasterise, trench_cells
from sim.first_contact.state import (
    BARN,
    FARM,
    FOREST,
    HAYSTACK,
    HILL,
    HOUSE,
    MIDDLE_OBJECTIVE,
    NOWHERE,
    PLAIN,
    ROAD,
    TOP_OBJECTIVE,
    TRENCH,
    TRENCHES,
)
from sim.rules_file import check, read_toml
from tests.naive_sight import sees

PATH = library.configs() / "maps/first_contact/prokhorovka.toml"
CHART = check(MapFile, read_toml(PATH), PATH)
GROUND = rasterise(CHART)

NORTH = WEST = slice(0, 67)
MIDDLE = slice(67, 134)
SOUTH = EAST = slice(134, 200)
NORTHERN_HALF, SOUTHERN_HALF = slice(67, 100), slice(100, 134)  # of the middle third
SOUTH_WEST_NORTH, SOUTH_WEST_SOUTH = slice(134, 167), slice(167, 200)

LONGEST_GUN = 100  # cells (FC-5.8)


def share(
    kind: int, rows: slice = slice(None), columns: slice = slice(None), layer: np.ndarray = GROUND.below
) -> float:
    """Cells of a kind in a part of the map, in percent."""
    part = layer[rows, columns]
    return 100 * np.count_nonzero(part == kind) / part.size


def rectangle(north: int, west: int, south: int, east: int) -> list[Cell]:
    return [(row, column) for row in range(north, south + 1) for column in range(west, east + 1)]


@pytest.mark.parametrize(("kind", "wanted"), [(FOREST, 25), (PLAIN, 45), (HILL, 30)])
def test_fc_6_0_shares_of_forest_plain_and_hills(kind, wanted):
    """Within one point, whether roads and cover count as what they lie on or not at all."""
    assert abs(share(kind) - wanted) <= 1
    assert abs(share(kind, layer=GROUND.terrain) - wanted) <= 1


def test_fc_6_0_highest_point_is_77_metres():
    assert GROUND.height.max() == 770
    assert np.argwhere(GROUND.height == 770).tolist() == [CHART.peaks["height_77"].at]


def test_fc_6_0_the_plain_lies_at_30_metres_and_the_hills_rise_from_it():
    assert (GROUND.height[GROUND.below == PLAIN] == 300).all()
    assert (GROUND.height[GROUND.below == HILL] >= 300).all()


@pytest.mark.parametrize(
    ("kind", "rows", "columns"),
    [
        (FOREST, NORTH, WEST),
        (FOREST, MIDDLE, WEST),
        (FOREST, SOUTH_WEST_NORTH, WEST),
        (PLAIN, SOUTH_WEST_SOUTH, WEST),
        (PLAIN, NORTH, MIDDLE),
        (PLAIN, NORTH, EAST),
        (PLAIN, MIDDLE, MIDDLE),
        (PLAIN, NORTHERN_HALF, EAST),
        (HILL, SOUTHERN_HALF, EAST),
        (HILL, SOUTH, EAST),
    ],
)
def test_fc_6_0_what_prevails_where(kind, rows, columns):
    assert share(kind, rows, columns) > 55


def test_fc_6_0_the_south_is_plain_in_the_west_and_along_a_vale_where_the_hills_reach_into_it():
    """The shares leave more hills than the rulebook's parts of the map hold, so the south is shared."""
    assert 30 < share(PLAIN, SOUTH, MIDDLE) < 50
    assert share(PLAIN, SOUTH, slice(67, 84)) > 60
    assert share(PLAIN, slice(169, 174), slice(84, 124)) > 90


def test_fc_6_0_the_road_comes_from_due_east_and_turns_north_in_the_middle():
    (road,) = CHART.roads.values()
    assert road[0] == [98, 199]
    assert road[-1][0] == 0
    cells = np.argwhere(GROUND.terrain == ROAD)
    east = cells[cells[:, 1] > 104]
    north = cells[cells[:, 0] < 95]
    assert (abs(east[:, 0] - 100) <= 2).all()
    assert (abs(north[:, 1] - 96) <= 4).all()
    # One cell wide: each row north of the bend and each column east of it has one cell of road.
    assert sorted(north[:, 0]) == list(range(95))
    assert sorted(east[:, 1]) == list(range(105, 200))


def test_fc_6_0_the_farm_lies_east_of_the_bend():
    cells = farm_cells(CHART)
    assert len(cells) == 2 * 3 + 4 + 10 == len(set(cells))
    for row, column in cells:
        assert 84 <= row <= 98
        assert 102 <= column <= 116
        assert column > max(c for r, c in np.argwhere(GROUND.terrain == ROAD) if r == row)
    counts = [np.count_nonzero(GROUND.terrain == kind) for kind in (BARN, HOUSE, HAYSTACK)]
    assert counts == [6, 4, 10]
    barn = np.argwhere(GROUND.terrain == BARN)
    assert sorted(np.ptp(barn, axis=0) + 1) == [2, 3]
    assert len(set(GROUND.building[GROUND.terrain == BARN].tolist())) == 1
    assert len(set(GROUND.building[GROUND.terrain == HOUSE].tolist())) == 4


def test_fc_6_8_the_german_trench_follows_the_border_of_forest_and_plain():
    for row, column in trench_cells(CHART, "west_trench"):
        west, east = GROUND.below[row, column - 2 : column], GROUND.below[row, column + 1 : column + 3]
        assert (west == FOREST).any(), (row, column)
        assert (east == PLAIN).all(), (row, column)


def test_fc_6_8_the_soviet_trenches_are_on_the_middle_and_on_the_top_of_the_hills():
    heights = {name: [GROUND.height[cell] for cell in trench_cells(CHART, name)] for name in TRENCHES}
    assert 450 <= min(heights["middle_trench"]) <= max(heights["middle_trench"]) <= 550
    assert min(heights["top_trench"]) >= 700
    for name in ("middle_trench", "top_trench"):
        assert all(GROUND.below[cell] == HILL for cell in trench_cells(CHART, name))


def test_fc_6_8_trenches_hold_the_squads_that_start_in_them_and_are_connected():
    cells = {name: trench_cells(CHART, name) for name in TRENCHES}
    assert len(cells["west_trench"]) >= 20
    assert min(len(cells["middle_trench"]), len(cells["top_trench"])) >= 20
    for number, name in enumerate(TRENCHES):
        for (row, column), (to_row, to_column) in itertools.pairwise(cells[name]):
            assert max(abs(to_row - row), abs(to_column - column)) == 1
        assert (GROUND.trench == number).sum() == len(cells[name]) == len(set(cells[name]))
    assert (GROUND.trench != NOWHERE).sum() == (GROUND.terrain == TRENCH).sum()


def test_fc_11_2_objectives_are_cells_and_the_ring_around_them():
    for number, cells in (
        (FARM, farm_cells(CHART)),
        (MIDDLE_OBJECTIVE, trench_cells(CHART, "middle_trench")),
        (TOP_OBJECTIVE, trench_cells(CHART, "top_trench")),
    ):
        ring = {(row + i, column + j) for row, column in cells for i in (-1, 0, 1) for j in (-1, 0, 1)}
        assert set(map(tuple, np.argwhere(GROUND.objective == number).tolist())) == ring


# Grounds on which both sides can assemble their vehicles unseen, as (north, west, south, east).
GLADE = [(94, 52, 101, 53), (107, 51, 114, 52)]
NORTHERN_ROAD = [(38, 88, 45, 89), (38, 98, 45, 99)]
REVERSE_SLOPE = [(125, 144, 129, 145), (134, 147, 138, 148), (141, 149, 145, 150), (148, 147, 152, 148)]
FARM_HOLLOW = [(116, 122, 117, 126), (118, 129, 119, 133)]


@pytest.mark.parametrize("german", [GLADE, NORTHERN_ROAD], ids=["glade", "northern_road"])
@pytest.mark.parametrize("soviet", [REVERSE_SLOPE, FARM_HOLLOW], ids=["reverse_slope", "farm_hollow"])
def test_fc_2_8_vehicles_can_assemble_out_of_sight_and_range(german, soviet):
    """The corners and the middle of every ground; hidden here means hidden by what lies between."""
    for ours, theirs in itertools.product(german, soviet):
        for start, end in itertools.product(_sample(*ours), _sample(*theirs)):
            assert math.dist(start, end) > LONGEST_GUN or not sees(GROUND, start, end), (start, end)


def _sample(north: int, west: int, south: int, east: int) -> list[Cell]:
    cells = rectangle(north, west, south, east)
    return [cells[0], cells[-1], cells[len(cells) // 2], (north, east), (south, west)]


def test_fc_2_8_nothing_west_of_the_bend_sees_the_reverse_slope():
    for north, west, _, _ in REVERSE_SLOPE:
        for start in itertools.product(range(65, 200, 10), range(60, 100, 5)):
            for end in ((north, west), (north + 2, west + 1)):
                assert math.dist(start, end) > LONGEST_GUN or not sees(GROUND, start, end), (start, end)


def test_fc_5_9_the_trenches_see_the_ground_that_they_hold():
    top, middle, west = (trench_cells(CHART, name) for name in ("top_trench", "middle_trench", "west_trench"))
    assert any(sees(GROUND, a, b) for a in top for b in middle)
    seen = [cell for cell in west if any(sees(GROUND, cell, other) for other in middle)]
    assert len(seen) > len(west) / 2


def test_fc_5_9_the_farm_ridge_hides_the_farm_road_from_the_top():
    """Dead ground: whoever goes along the road below the ridge is not seen from the top trench."""
    top = trench_cells(CHART, "top_trench")
    assert not any(sees(GROUND, cell, (101, 115)) for cell in top)
