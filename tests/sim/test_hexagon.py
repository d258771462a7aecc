"""Maps of hexagons: neighbours, distances, lines, labels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.geometry.hexagon import DIRECTIONS, Labels, column_of, distance, line, neighbour_table, q_of
from sim.geometry.hexagon_sight import sight_words
from tests.naive_hexagon_sight import distances, seen_from

ROWS, COLUMNS = 10, 12
CELLS = st.tuples(st.integers(0, ROWS - 1), st.integers(0, COLUMNS - 1))


def steps(a, b):
    return int(distance(q_of(*a), a[0], q_of(*b), b[0]))


def test_neighbours_of_an_even_and_an_odd_row():
    table = neighbour_table(4, 5)
    by_name = {name: divmod(int(table[2 * 5 + 2, k]), 5) for k, name in enumerate(DIRECTIONS)}
    assert by_name == {"E": (2, 3), "NE": (1, 2), "NW": (1, 1), "W": (2, 1), "SW": (3, 1), "SE": (3, 2)}
    by_name = {name: divmod(int(table[1 * 5 + 2, k]), 5) for k, name in enumerate(DIRECTIONS)}
    assert by_name == {"E": (1, 3), "NE": (0, 3), "NW": (0, 2), "W": (1, 1), "SW": (2, 2), "SE": (2, 3)}


def test_off_the_map_there_is_no_neighbour():
    table = neighbour_table(4, 5)
    assert table[0].tolist() == [1, -1, -1, -1, -1, 5]
    # West and east of each row; twice above and twice below; one at the ends of any two rows, from either side.
    assert (table == -1).sum() == 2 * 4 + 2 * (2 * 5) + 2 * 3


def test_neighbours_are_mutual_and_opposite():
    table = neighbour_table(ROWS, COLUMNS)
    for number, direction in zip(*np.nonzero(table >= 0), strict=True):
        assert table[table[number, direction], (direction + 3) % 6] == number


@given(CELLS, CELLS)
def test_distance_is_that_of_the_neighbours(a, b):
    """Against a slow count of rows and half columns; one step is one neighbour."""
    row, column = (axis.ravel() for axis in np.indices((ROWS, COLUMNS)))
    slow = distances(a[0] * COLUMNS + a[1], row, 2 * column + (row & 1))
    assert steps(a, b) == steps(b, a) == slow[b[0] * COLUMNS + b[1]]
    assert (steps(a, b) == 1) == (b[0] * COLUMNS + b[1] in neighbour_table(ROWS, COLUMNS)[a[0] * COLUMNS + a[1]])


@given(st.integers(-50, 50), st.integers(-50, 50))
def test_cube_coordinates_lead_back(row, column):
    assert column_of(q_of(row, column), row) == column


@given(CELLS, CELLS)
def test_a_line_goes_step_by_step_and_is_the_same_both_ways(a, b):
    there = line(*a, *b)
    n = steps(a, b)
    back = {(n - point, row, column) for point, row, column in line(*b, *a)}
    assert back == set(there)
    assert sorted({point for point, _, _ in there}) == list(range(1, n))
    for point, row, column in there:
        assert steps(a, (row, column)) == point
        assert steps((row, column), b) == n - point


@pytest.mark.parametrize(
    ("a", "b", "between"),
    [
        ((0, 0), (0, 3), [(1, 0, 1), (2, 0, 2)]),
        ((0, 4), (2, 4), [(1, 1, 3), (1, 1, 4)]),  # straight down: on the edge between two
        ((0, 0), (1, 1), [(1, 0, 1), (1, 1, 0)]),
        ((0, 0), (3, 0), [(1, 1, 0), (2, 2, 0)]),  # a third of a hexagon off the middle each time
        ((4, 4), (4, 4), []),
        ((4, 4), (4, 5), []),
    ],
)
def test_lines(a, b, between):
    assert line(*a, *b) == between


@given(st.integers(0, 2**32 - 1))
def test_sight_is_what_the_slow_twin_sees(seed):
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, 9)), int(rng.integers(1, 12)))
    heights = rng.integers(0, 4, shape)
    screens = heights + rng.integers(0, 2, shape)
    seen = np.unpackbits(sight_words(heights, screens, 1).view(np.uint8), axis=1, bitorder="little")
    seen = seen[:, : heights.size].astype(bool)
    assert (seen == seen.T).all()
    for source in range(heights.size):
        assert (seen[source] == seen_from(source, heights, screens)).all()


def test_labels_of_other_squares():
    labels = Labels(6, 9, "0998", 4)
    assert labels.label(0, 0) == "0998AA"
    assert labels.label(5, 7) == "0899BD"
    assert labels.number("0899BD") == 5 * 9 + 7
    for label in ("0998EA", "0998AE", "0800AA", "1098AA"):
        with pytest.raises(KeyError):
            labels.number(label)
