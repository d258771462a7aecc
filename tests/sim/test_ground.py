"""From lines in a file to cells: curves, slopes, and what is refused."""

import copy
import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from cluster import library
from sim.first_contact.ground import PARTS, MapFile, cells_along, inside, rasterise, rounded
from sim.first_contact.state import FOREST, HILL, HOUSE, PLAIN, ROAD
from sim.rules_file import BadInput, check, read_toml

PROKHOROVKA = library.configs() / "maps/first_contact/prokhorovka.toml"

# One hill of 50 m with a spur, a wood with a clearing, a road, and the rest out of the way.
SMALL = {
    "name": "small",
    "rulebook": "first_contact",
    "title": "A small map",
    "plain": 30,
    "woods": {"wood": [[100, 0], [100, 40], [140, 40], [140, 0]]},
    "clearings": {"clearing": [[115, 15], [115, 25], [125, 25], [125, 15]]},
    "contours": {
        "foot": {"height": 30, "outline": [[0, 0], [0, 80], [80, 80], [80, 0]]},
        "upper": {"height": 40, "outline": [[20, 20], [20, 60], [60, 60], [60, 20]]},
    },
    "peaks": {"top": {"at": [40, 40], "height": 50}},
    "roads": {"road": [[150, 0], [150, 199]]},
    "trenches": {
        "west_trench": [[160, 0], [160, 9]],
        "middle_trench": [[170, 0], [170, 9]],
        "top_trench": [[180, 0], [180, 9]],
    },
    "buildings": {"barn": {"kind": "barn", "corners": [[190, 0], [191, 2]]}},
    "haystacks": [[190, 10]],
}


def small(path: str = "", value: object = None) -> dict:
    """The small map, with the value at a dotted path replaced."""
    document = copy.deepcopy(SMALL)
    node = document
    *parts, last = path.split(".")
    for part in parts:
        node = node[part]
    if path:
        node[last] = value
    return document


def drawn(path: str = "", value: object = None):
    return rasterise(check(MapFile, small(path, value), "map small"))


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ([[3, 3], [3, 6]], [(3, 3), (3, 4), (3, 5), (3, 6)]),
        ([[3, 3], [1, 1]], [(3, 3), (2, 2), (1, 1)]),
        ([[0, 0], [1, 2]], [(0, 0), (1, 1), (1, 2)]),  # one half is rounded upwards
        ([[0, 0], [1, 3]], [(0, 0), (0, 1), (1, 2), (1, 3)]),
        ([[0, 0], [0, 2], [2, 2], [2, 2]], [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)]),
        ([[0, 0], [0, 2], [0, 0]], [(0, 0), (0, 1), (0, 2)]),
    ],
)
def test_a_line_is_a_chain_of_cells_each_once(line, cells):
    assert cells_along(line) == cells


def test_a_rounded_outline_touches_the_middles_of_its_sides():
    curve = rounded([[0, 0], [0, 8], [8, 8], [8, 0]])
    assert len(curve) == 4 * 8
    assert curve.min() == 0
    assert curve.max() == 8 * PARTS
    # The side from [0, 0] to [0, 8] keeps what lies around its middle: a quarter, then an eighth, of every corner goes.
    top = sorted(column for row, column in curve.tolist() if row == 0)
    assert top[0] == 8 * PARTS * 7 // 16
    assert top[-1] == 8 * PARTS * 9 // 16


def _inside_by_hand(curve: np.ndarray, row: int, column: int) -> bool:
    """Whether the line from a cell's middle to the west crosses the curve an odd number of times."""
    crossed = 0
    points = curve.tolist()
    for (r, c), (to_r, to_c) in zip(points, points[1:] + points[:1], strict=True):
        if min(r, to_r) <= row * PARTS < max(r, to_r):
            crossed += c + (to_c - c) * (row * PARTS - r) / (to_r - r) < column * PARTS
    return crossed % 2 == 1


@given(some.lists(some.tuples(some.integers(-5, 24), some.integers(-5, 24)), min_size=3, max_size=7))
def test_inside_is_what_an_odd_number_of_sides_shut_in(corners):
    curve = rounded(corners)
    area = inside(curve)
    for row in range(0, 25, 3):
        for column in range(0, 25, 3):
            assert area[row, column] == _inside_by_hand(curve, row, column)


def test_an_outline_may_run_beyond_the_edge():
    area = inside(
        rounded([[-30, -30], [-30, 100], [-30, 230], [100, 230], [230, 230], [230, 100], [230, -30], [100, -30]])
    )
    assert area.all()


def test_the_ground_climbs_evenly_from_a_contour_to_what_rises_within_it():
    height = drawn().height
    # From the foot in row 0 to the contour of 40 m in row 20, and on to the peak of 50 m in row 40.
    assert height[:41:4, 40].tolist() == [300, 320, 340, 360, 380, 400, 420, 440, 460, 480, 500]
    assert height[100, 100] == 300


def test_of_several_rises_the_one_that_gives_most_counts():
    lower = {"at": [10, 40], "height": 36}
    peaks = {**SMALL["peaks"], "shoulder": lower}
    height = drawn("peaks", peaks).height
    assert height[10, 40] == 360
    assert height[10, 60] >= drawn().height[10, 60]


def test_ground_without_a_rise_is_flat():
    document = small("contours", {"foot": SMALL["contours"]["foot"]})
    document["peaks"] = {}
    ground = rasterise(check(MapFile, document, "map small"))
    assert (ground.height == 300).all()
    assert ground.below[40, 40] == HILL


def test_terrain_and_what_lies_below_it():
    ground = drawn()
    assert ground.terrain[110, 10] == ground.below[110, 10] == FOREST
    assert ground.terrain[120, 20] == PLAIN  # the clearing
    assert ground.terrain[40, 40] == HILL
    assert (ground.terrain[150] == ROAD).all()
    assert (ground.below[150] == PLAIN).all()
    assert ground.trench[160, :11].tolist() == [0] * 10 + [-1]
    assert ground.building[189:193, 1].tolist() == [-1, 0, 0, -1]


def test_roads_may_meet():
    roads = {"road": [[150, 0], [150, 199]], "lane": [[140, 60], [150, 60]]}
    assert drawn("roads", roads).terrain[145, 60] == ROAD


def test_a_road_through_a_wood_keeps_the_wood_below_it():
    ground = drawn("roads.road", [[110, 0], [110, 199]])
    assert ground.terrain[110, 10] == ROAD
    assert ground.below[110, 10] == FOREST


def test_a_house_is_no_barn():
    house = {"kind": "house", "corners": [[190, 0], [190, 0]]}
    assert drawn("buildings", {"house": house}).terrain[190, 0] == HOUSE


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("wods", {}, "map small: wods: unknown key; allowed: name, rulebook"),
        ("contours.foot.hight", 30, "map small: contours.foot.hight: unknown key; allowed: height or outline (did"),
        ("trenches.top_trench", [[180, 0]], "map small: trenches.top_trench: [[180, 0]] is wrong: list should have at"),
        ("trenches", {"west_trench": [[160, 0], [160, 9]]}, "map small: trenches.middle_trench: is missing"),
        ("peaks.top.at", [40, 40.5], "map small: peaks.top.at.1: 40.5 is wrong: input should be a valid integer"),
        ("buildings.barn.kind", "shed", "map small: buildings.barn.kind: \"shed\" is wrong: input should be 'barn' or"),
        ("haystacks", [[200, 10]], "map small: haystacks: [200, 10] is too far out: both numbers are 0 to 199"),
        (
            "woods.wood",
            [[-50, 0], [0, 0], [0, 9]],
            "map small: woods.wood: [-50, 0] is too far out: both numbers are -40 to 239",
        ),
        ("contours.upper.height", 20, "map small: contours.upper: 20 m is lower than the plain, 30 m"),
        (
            "buildings.barn.corners",
            [[191, 0], [190, 2]],
            "map small: buildings.barn: the north-western corner comes first, then the south-eastern one",
        ),
        (
            "contours.upper.outline",
            [[60, 60], [60, 100], [70, 100], [70, 60]],
            "map small: contours.upper: crosses contours.foot around cell [60, 78]",
        ),
        ("contours.upper.height", 30, "map small: contours.foot: crosses contours.upper around cell"),
        (
            "peaks.top.height",
            38,
            "map small: peaks.top: 38 m does not fit the contours around it: by them the ground there reaches 40.0 m",
        ),
        ("peaks.top.at", [120, 120], "by them the ground there reaches 30.0 m"),
        (
            "trenches.top_trench",
            [[149, 5], [151, 5]],
            "map small: trenches.top_trench: lies on roads in cell [150, 5]",
        ),
        ("haystacks", [[190, 10], [190, 10]], "map small: haystacks: lies on haystacks in cell [190, 10]"),
        (
            "trenches.top_trench",
            [[172, 0], [172, 9]],
            "map small: trenches.top_trench: meets another objective around cell [172, 0]",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(path, value, message):
    with pytest.raises(BadInput) as refusal:
        drawn(path, value)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_prokhorovka_is_the_same_map_on_every_machine():
    """A change of the map is a new version of the rulebook: the digest is to be replaced on purpose only."""
    ground = rasterise(check(MapFile, read_toml(PROKHOROVKA), PROKHOROVKA))
    assert all(layer.dtype == np.int64 and layer.shape == (200, 200) for layer in ground)
    digest = hashlib.sha256(b"".join(layer.astype("<i8").tobytes() for layer in ground)).hexdigest()
    assert digest[:16] == "e8833f0c9b31ab0a"


def test_slopes_are_gentle_enough_to_be_ground():
    """Between two neighbouring cells, 10 m apart, the map of Prokhorovka rises by 6 m at most."""
    height = rasterise(check(MapFile, read_toml(PROKHOROVKA), PROKHOROVKA)).height
    assert max(int(np.abs(np.diff(height, axis=axis)).max()) for axis in (0, 1)) <= 60
