"""Sight on a map of hexagons, slow and obvious: the hexagons that a point lies in are those whose centres are nearest.

Centres are at x = sqrt(3) / 2 X, y = 3 / 2 R with X = 2 column + (row is odd) and R = row, so that squares of
distances are in the proportion of X**2 + 3 R**2: whole numbers, once all is multiplied by the distance n.
"""

import numpy as np

OFF_THE_MAP = 10**6


def seen_from(source: int, heights: np.ndarray, screens: np.ndarray) -> np.ndarray:
    """Which hexagons see one, bool (hexagons,); ``heights`` and ``screens`` (rows, columns) as for `sight_words`."""
    rows, columns = heights.shape
    row, column = (axis.ravel() for axis in np.indices((rows, columns)))
    across = 2 * column + (row & 1)
    steps = distances(source, row, across)
    low = np.minimum(heights.ravel(), heights.ravel()[source])
    difference = abs(heights.ravel() - heights.ravel()[source])
    seen = np.ones(rows * columns, bool)
    for point in range(1, int(steps.max())):
        between = point < steps
        n = steps
        at_row = row[source] * (n - point) + row * point
        at_across = across[source] * (n - point) + across * point
        from_low = np.where(heights.ravel() >= heights.ravel()[source], point, n - point)
        nearest = np.full(rows * columns, OFF_THE_MAP)
        candidates = []
        for to_row in (0, 1):
            for to_column in (-1, 0, 1):
                r = at_row // np.maximum(n, 1) + to_row
                c = (at_across // np.maximum(n, 1) - (r & 1)) // 2 + to_column
                squared = (n * (2 * c + (r & 1)) - at_across) ** 2 + 3 * (n * r - at_row) ** 2
                nearest = np.minimum(nearest, squared)
                candidates.append((r, c, squared))
        for r, c, squared in candidates:
            on_map = (r >= 0) & (r < rows) & (c >= 0) & (c < columns)
            height = np.where(on_map, screens[np.clip(r, 0, rows - 1), np.clip(c, 0, columns - 1)], OFF_THE_MAP)
            above = height - low
            blocks = (squared == nearest) & (above > 0) & (above * n > (difference + 1) * from_low)
            seen &= ~(between & blocks)
    return seen


def distances(source: int, row: np.ndarray, across: np.ndarray) -> np.ndarray:
    """Steps from one hexagon to all: rows, and what is left of the way across, two of X a step, one in a row step."""
    rows = abs(row - row[source])
    return rows + np.maximum(abs(across - across[source]) - rows, 0) // 2
