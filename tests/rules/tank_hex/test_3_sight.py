"""Chapter 3: sight."""

import numpy as np
import pytest

import sim.tank_hex.board as board
from tests.naive_hexagon_sight import seen_from
from tests.tank_hex_positions import map_document, position, rules_document, scenario_of

UNITS = {"R1": (0, 0), "B1": (0, 11)}
MAPS = ("twin_villages", "two_farms", "two_bridges")


def sees(a, b, rows=2, columns=12, **ground):
    table = position({"R1": (0, 0), "B1": (1, columns - 1)}, rows, columns, **ground)
    found = table.sees(a, b)
    assert found == table.sees(b, a)
    return found


# The image of (0, c) on a field of 2 rows of 12 is (1, 11 - c): nothing on row 0 but what is said.


@pytest.mark.parametrize(
    ("ground", "clear"),
    [
        ({}, True),
        ({"grades": {(0, 3): 1}}, False),  # something higher between
        ({"woods": [(0, 3)]}, False),  # one grade higher on the line
        ({"built_up": [(0, 3)]}, False),
        ({"water": [(0, 3)]}, True),
        ({"woods": [(0, 0), (0, 6)]}, True),  # the ends are never raised
        ({"grades": {(0, c): 1 for c in range(12)}}, True),
        ({"grades": {(0, c): 1 for c in range(12) if c != 3}}, True),  # a dip
    ],
)
def test_th_3_1_same_grade(ground, clear):
    assert sees((0, 0), (0, 6), **ground) == clear


@pytest.mark.parametrize(
    ("high_up_to", "clear"),
    [
        (0, True),  # the change is next to the high unit
        (2, True),
        (3, True),  # 3 hexes from the high unit, 3 from the low one: at most
        (4, False),
        (5, False),
    ],
)
def test_th_3_1_two_adjacent_grades(high_up_to, clear):
    """The high unit is at column 0, the low one at 6; the change of grade is the last high hex.

    Seen from below it lies at 6 - k hexes and is 1 higher: blocked if 1 * 6 > (1 + 1) * (6 - k), so from k = 4 on.
    """
    assert sees((0, 0), (0, 6), grades={(0, c): 1 for c in range(high_up_to + 1)}) == clear


@pytest.mark.parametrize(
    ("grade_at", "clear"),
    [
        # From (0, 0) at grade 0 up to (0, 8) at grade 2: the line rises 3 grades in 8 hexes: 3/8 of a grade a hex.
        ({2: 1}, False),  # 1 grade at 2 hexes: the line is at 6/8
        ({3: 1}, True),  # the line is at 9/8
        ({5: 2}, False),  # the line is at 15/8
        ({6: 2}, True),  # 18/8
        ({7: 3}, False),  # 21/8
        ({3: 1, 6: 2}, True),
        ({3: 1, 5: 2}, False),
    ],
)
def test_th_3_1_several_changes_of_grade(grade_at, clear):
    """The chart from the low unit; the high unit's grade counts one more; all points have to lie below the line."""
    grades = {(0, c): g for c, g in grade_at.items()} | {(0, 8): 2}
    assert sees((0, 0), (0, 8), grades=grades) == clear


def test_th_3_1_equality_is_clear():
    """1 grade at 2 hexes of 4, the high unit 1 up: 1 * 4 is not more than (1 + 1) * 2."""
    assert sees((0, 0), (0, 4), grades={(0, 2): 1, (0, 4): 1})
    assert not sees((0, 0), (0, 4), grades={(0, 1): 1, (0, 4): 1})


def test_th_3_1_woods_on_a_slope_count_one_grade_higher():
    """Bare, grade 1 at 3 of 8 hexes is below the line to grade 2; with woods it is grade 2 there, and above."""
    grades = {(0, 3): 1, (0, 8): 2}
    assert sees((0, 0), (0, 8), grades=grades)
    assert not sees((0, 0), (0, 8), grades=grades, woods=[(0, 3)])
    assert not sees((0, 0), (0, 8), grades=grades, built_up=[(0, 3)])
    assert sees((0, 0), (0, 8), grades={(0, 8): 2}, woods=[(0, 3)])  # 1 at 3 of 8 hexes
    assert sees((0, 0), (0, 8), grades={(0, 8): 2}, built_up=[(0, 3)])


def test_th_3_1_adjacent_hexes_always_see_each_other():
    assert sees((0, 4), (0, 5), grades={(0, 5): 9}, woods=[(0, 4), (0, 5)])


@pytest.mark.parametrize(("wooded", "clear"), [([], True), ([(1, 4)], False), ([(1, 3)], False), ([(1, 5)], True)])
def test_th_3_1_a_point_on_an_edge_lies_in_both_hexes(wooded, clear):
    """From (0, 4) two rows straight down to (2, 4): the middle is on the edge between (1, 3) and (1, 4)."""
    assert sees((0, 4), (2, 4), rows=6, woods=wooded) == clear


def test_th_3_1_the_edge_of_the_map_blocks():
    """Straight down the left border the middle lies half outside: (1, -1) is off the map."""
    assert not sees((0, 0), (2, 0), rows=6)
    assert sees((0, 1), (2, 1), rows=6)
    assert not sees((1, 11), (3, 11), rows=6)


def test_th_3_1_units_never_block():
    table = position({"R1": (0, 0), "R2": (0, 3), "B1": (0, 6)}, 2, 12)
    assert table.sees((0, 0), (0, 6))


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("part", [pytest.param(1, marks=pytest.mark.slow), 60])
def test_th_3_1_shipped_maps_as_the_slow_twin_sees_them(name, part):
    """All pairs of hexes, or one in 60 of the hexes against all others; symmetry over all pairs in both."""
    document = map_document(name)
    setup = board.load(scenario_of({"R1": (0, 0), "B1": (0, 1)}, 44, 30), document, rules_document())[0].board[0]
    hexes, shape = int(setup.hexes), (int(setup.rows), int(setup.columns))
    words = setup.sight[:hexes].view(np.uint8)
    seen = np.unpackbits(words, axis=1, bitorder="little").astype(bool)
    assert not seen[:, hexes:].any()
    seen = seen[:, :hexes]
    assert (seen == seen.T).all()
    heights = setup.grade[:hexes].reshape(shape)
    screens = heights + np.isin(setup.terrain[:hexes].reshape(shape), (board.st.WOODS, board.st.BUILT_UP))
    for source in range(0, hexes, part):
        assert (seen[source] == seen_from(source, heights, screens)).all(), divmod(source, shape[1])
