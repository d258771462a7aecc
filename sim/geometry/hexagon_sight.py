"""Sight between hexagons of different heights, worked out once for a map."""

import numpy as np

from sim.geometry.hexagon import line

WORD = 64
"""Bits in a word of a table of sight."""

WALL = 200
"""Height of the edge of the map: above all that it is compared with, and 64 times as much still fits into 16 bits."""


def sight_words(heights: np.ndarray, screens: np.ndarray, high_end: int) -> np.ndarray:
    """Which hexagons see each other, as bits: int64 (hexagons, words); bit b of word w is hexagon 64 w + b.

    ``heights`` (rows, columns) are those of the ends, ``screens`` (rows, columns) those of what lies between. Between
    hexagons at distance n with a difference of height d, what point i from the lower end lies in blocks if it is
    higher than that end by v > 0 with v n > (d + ``high_end``) i. So does the edge of the map. See `hexagon.line`.
    """
    rows, columns = heights.shape
    # 16 bits are enough, and fast: heights are small, and so is their product with a distance.
    heights, screens = heights.astype(np.int16), screens.astype(np.int16)
    seen = np.eye(rows * columns, dtype=bool)
    for parity in range(min(rows, 2)):
        for row_step in range(rows - parity):
            for column_step in range(-columns + 1 if row_step else 1, columns):
                _mark(seen, heights, screens, high_end, parity, row_step, column_step)
    words = -(-rows * columns // WORD)
    padded = np.zeros((rows * columns, words * WORD), bool)
    padded[:, : rows * columns] = seen
    return np.packbits(padded, axis=1, bitorder="little").view("<i8").astype(np.int64)


def _mark(
    seen: np.ndarray,
    heights: np.ndarray,
    screens: np.ndarray,
    high_end: int,
    parity: int,
    row_step: int,
    column_step: int,
) -> None:
    """Marks all pairs of hexagons that lie the same way from each other: the line between them has one form."""
    rows, columns = heights.shape
    row, column = np.meshgrid(
        np.arange(parity, rows - row_step, 2),
        np.arange(max(0, -column_step), min(columns, columns - column_step)),
        indexing="ij",
    )
    near = (row * columns + column).ravel()
    far = near + row_step * columns + column_step
    low = np.minimum(heights.ravel()[near], heights.ravel()[far])
    difference = np.abs(heights.ravel()[near] - heights.ravel()[far]) + np.int16(high_end)
    between = line(parity, 0, parity + row_step, column_step)
    if between:
        points = np.array(between)
        # A border of one hexagon all round that nothing sees over: no line leaves the map by more.
        walled = np.pad(screens, 1, constant_values=WALL)
        start = (row.ravel() + 1) * (columns + 2) + column.ravel() + 1
        passed = walled.ravel()[start + ((points[:, 1:2] - parity) * (columns + 2) + points[:, 2:3])]
        n = np.int16(points[-1, 0] + 1)
        from_low = np.where(heights.ravel()[near] <= heights.ravel()[far], points[:, :1], n - points[:, :1]).astype(
            np.int16
        )
        clear = ((passed - low) * n <= difference * from_low).all(axis=0)
        near, far = near[clear], far[clear]
    seen[near, far] = True
    seen[far, near] = True
