"""Square grids. A cell is one number, row * `WIDTH` + column, whatever the size of the map.

So a cell keeps its number on a larger map, and compiled code finds row and column without a true division. Row 0 is
north, column 0 is west. A cell has 8 neighbours; directions are numbered clockwise from north, 0 to 7.
"""

import heapq

import numpy as np
from numba import njit

WIDTH = np.int64(400)
"""Rows and columns that a map can have at most."""

DIRECTIONS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")

# Rows and columns that a step in each direction goes.
ROW_STEPS = (-1, -1, 0, 1, 1, 1, 0, -1)
COLUMN_STEPS = (0, 1, 1, 1, 0, -1, -1, -1)

OFF_MAP = np.int64(-1)
FAR = np.int64(2**40)
"""Cost from where no way leads."""


def on_grid(values: np.ndarray, beyond: int | np.int64) -> np.ndarray:
    """Values of a map of shape (rows, columns) by cell: (`WIDTH`**2,), with ``beyond`` where there is no map."""
    grid = np.full((WIDTH, WIDTH), beyond, np.int64)
    grid[: values.shape[0], : values.shape[1]] = values
    return grid.ravel()


@njit
def step(cell, direction, rows, columns):
    """The neighbour of a cell in a direction, or `OFF_MAP`."""
    row = cell // WIDTH + ROW_STEPS[direction]
    column = cell % WIDTH + COLUMN_STEPS[direction]
    if row < 0 or row >= rows or column < 0 or column >= columns:
        return OFF_MAP
    return row * WIDTH + column


@njit
def direction_of(start, end):
    """Direction of the step from a cell to a neighbour of it; -1 if they are no neighbours."""
    down = end // WIDTH - start // WIDTH
    right = end % WIDTH - start % WIDTH
    for direction in range(8):
        if ROW_STEPS[direction] == down and COLUMN_STEPS[direction] == right:
            return direction
    return -1


@njit
def direction_towards(start, end):
    """The direction that points best from a cell to another one; of two equal ones the first clockwise from north."""
    down = end // WIDTH - start // WIDTH
    right = end % WIDTH - start % WIDTH
    best = np.int64(0)
    best_ahead, best_length = np.int64(0), np.int64(1)
    for direction in range(8):
        ahead = ROW_STEPS[direction] * down + COLUMN_STEPS[direction] * right
        length = 1 + direction % 2  # squared: a diagonal step is longer
        # The cosine ahead / sqrt(length) is positive for the best one: compare squares.
        if ahead > 0 and ahead * ahead * best_length > best_ahead * best_ahead * length:
            best, best_ahead, best_length = np.int64(direction), ahead, np.int64(length)
    return best


@njit
def steps_between(a, b):
    """Least number of steps between two cells (Chebyshev distance)."""
    return max(abs(a // WIDTH - b // WIDTH), abs(a % WIDTH - b % WIDTH))


@njit
def squared_distance(a, b):
    """Square of the distance between the centres of two cells (Euclid), in cells."""
    down = a // WIDTH - b // WIDTH
    right = a % WIDTH - b % WIDTH
    return down * down + right * right


@njit(cache=True)
def costs_to(targets, cost, rows, columns):
    """Least cost of the way from each cell to the nearest target: int64 (`WIDTH`**2,), `FAR` where none leads.

    ``targets`` are cells; ``cost`` (`WIDTH`**2,) is that of a step into a cell, negative for one that cannot be
    entered.
    """
    found = np.full(len(cost), FAR)
    queue = [(np.int64(0), np.int64(0)) for _ in range(0)]
    for target in targets:
        found[target] = 0
        heapq.heappush(queue, (np.int64(0), np.int64(target)))
    while len(queue) > 0:
        so_far, cell = heapq.heappop(queue)
        if so_far > found[cell] or cost[cell] < 0:
            continue
        for direction in range(8):
            other = step(cell, direction, rows, columns)
            if other != OFF_MAP and so_far + cost[cell] < found[other]:
                found[other] = so_far + cost[cell]
                heapq.heappush(queue, (found[other], np.int64(other)))
    return found
