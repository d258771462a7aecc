"""Square grids: cells, directions, distances, costs; lines of sight against a slow twin."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from sim.first_contact.ground import Ground
from sim.first_contact.state import BARN, FOREST, HAYSTACK, HOUSE, NOWHERE
from sim.geometry.sight import sees
from sim.geometry.square import (
    COLUMN_STEPS,
    DIRECTIONS,
    FAR,
    OFF_MAP,
    ROW_STEPS,
    WIDTH,
    costs_to,
    direction_of,
    direction_towards,
    on_grid,
    squared_distance,
    step,
    steps_between,
)
from tests import naive_sight

places = some.tuples(some.integers(0, WIDTH - 1), some.integers(0, WIDTH - 1))


def cell(place: tuple[int, int]) -> int:
    return int(place[0] * WIDTH + place[1])


def test_eight_directions_clockwise_from_north():
    angles = [math.degrees(math.atan2(right, -down)) % 360 for down, right in zip(ROW_STEPS, COLUMN_STEPS, strict=True)]
    assert angles == [0, 45, 90, 135, 180, 225, 270, 315]
    assert len(DIRECTIONS) == 8


@given(places, some.integers(0, 7), some.integers(1, WIDTH), some.integers(1, WIDTH))
def test_a_step_leads_to_a_neighbour_or_off_the_map(place, direction, rows, columns):
    row, column = place[0] % rows, place[1] % columns
    there = (row + ROW_STEPS[direction], column + COLUMN_STEPS[direction])
    inside = 0 <= there[0] < rows and 0 <= there[1] < columns
    found = step(cell((row, column)), direction, rows, columns)
    assert found == (cell(there) if inside else OFF_MAP)
    if inside:
        assert direction_of(cell((row, column)), found) == direction
        assert direction_of(found, cell((row, column))) == (direction + 4) % 8


@given(places, places)
def test_distances(a, b):
    down, right = abs(a[0] - b[0]), abs(a[1] - b[1])
    assert steps_between(cell(a), cell(b)) == max(down, right)
    assert squared_distance(cell(a), cell(b)) == down**2 + right**2
    if max(down, right) != 1:
        assert direction_of(cell(a), cell(b)) == -1


@given(places, places)
def test_the_direction_towards_is_the_one_with_the_smallest_angle(a, b):
    if a == b:
        return
    down, right = b[0] - a[0], b[1] - a[1]
    bearing = math.degrees(math.atan2(right, -down)) % 360
    off = [abs((45 * direction - bearing + 180) % 360 - 180) for direction in range(8)]
    assert off[direction_towards(cell(a), cell(b))] == pytest.approx(min(off), abs=1e-9)


def test_values_on_the_grid():
    grid = on_grid(np.array([[1, 2, 3], [4, 5, 6]]), -7)
    assert grid.shape == (WIDTH * WIDTH,)
    assert [grid[cell(place)] for place in ((0, 0), (0, 2), (1, 0), (1, 2), (0, 3), (2, 0))] == [1, 3, 4, 6, -7, -7]


@pytest.mark.parametrize("seed", range(5))
def test_costs_are_those_of_the_cheapest_way(seed):
    """Against the slowest way to find them: improve every cell by its neighbours until nothing changes."""
    generator = np.random.default_rng(seed)
    rows, columns = 9, 12
    cost = generator.choice([3, 4, 7, -1], (rows, columns), p=[0.3, 0.3, 0.2, 0.2])
    cost[4, 4] = 3
    targets = [(4, 4)]
    best = np.full((rows, columns), int(FAR))
    best[4, 4] = 0
    changed = True
    while changed:
        changed = False
        for row, column in itertools.product(range(rows), range(columns)):
            for down, right in zip(ROW_STEPS, COLUMN_STEPS, strict=True):
                other = (row + down, column + right)
                if not (0 <= other[0] < rows and 0 <= other[1] < columns) or cost[other] < 0:
                    continue
                if best[other] + cost[other] < best[row, column]:
                    best[row, column] = best[other] + cost[other]
                    changed = True
    found = costs_to(np.array([cell(t) for t in targets]), on_grid(cost, -1), rows, columns)
    assert (found == on_grid(best, int(FAR))).all()


@pytest.fixture(scope="module")
def ground() -> Ground:
    generator = np.random.default_rng(11)
    shape = (40, 40)
    terrain = generator.choice(
        [0, 2, int(FOREST), int(HOUSE), int(BARN), int(HAYSTACK)], shape, p=[0.5, 0.3, 0.05, 0.05, 0.05, 0.05]
    )
    height = generator.integers(300, 335, shape)
    building = np.full(shape, int(NOWHERE))
    building[terrain == BARN] = 0
    building[terrain == HOUSE] = np.arange(1, (terrain == HOUSE).sum() + 1)
    empty = np.full(shape, int(NOWHERE))
    return Ground(terrain, terrain, height, empty, building, empty)


def test_sight_is_that_of_the_slow_twin_and_symmetric(ground):
    """Pairs at random and all directions of lines, over ground with hills, woods and buildings."""
    obstacles = np.array([naive_sight.OBSTACLES.get(code, 0) for code in range(8)])
    top = on_grid(ground.height + obstacles[ground.terrain], 0)
    building = on_grid(ground.building, -1)
    generator = np.random.default_rng(5)
    pairs = [((20, 20), (row, column)) for row, column in itertools.product(range(40), range(40))]
    pairs += [(tuple(a), tuple(b)) for a, b in generator.integers(0, 40, (3000, 2, 2)).tolist()]
    clear = 0
    for a, b in pairs:
        if a == b:
            continue
        eyes = [int(ground.height[place]) + naive_sight.EYE for place in (a, b)]
        own = [int(ground.building[place]) for place in (a, b)]
        found = sees(top, building, cell(a), cell(b), *eyes, *own)
        assert found == sees(top, building, cell(b), cell(a), *eyes[::-1], *own[::-1])
        assert found == naive_sight.sees(ground, a, b), (a, b)
        clear += found
    assert 300 < clear < len(pairs) - 300


def test_sight_over_the_whole_width_of_the_grid():
    """The largest numbers that come about: from corner to corner, and a hill that just does not block."""
    top = on_grid(np.full((WIDTH, WIDTH), 300), 0)
    building = np.full(len(top), -1)
    last = int(WIDTH) - 1
    corners = cell((0, 0)), cell((last, last))
    assert sees(top, building, *corners, 320, 320, -1, -1)
    top[cell((200, 200))] = 320
    assert sees(top, building, *corners, 320, 320, -1, -1)
    top[cell((200, 200))] = 321
    assert not sees(top, building, *corners, 320, 320, -1, -1)
