"""Maps of hexagons in rows: numbers, labels, neighbours, distances, and the hexagons along a line.

Points stand up, odd rows are shifted right by half a hexagon. A hexagon's number is row times columns plus column, its
cube coordinates are (q, row, -q - row). Directions are numbered from 0: east, then anticlockwise.
"""

import numpy as np
from numba import njit

from sim.geometry.graph import NOWHERE

DIRECTIONS = ("E", "NE", "NW", "W", "SW", "SE")
Q_STEP = (1, 1, 0, -1, -1, 0)
ROW_STEP = (0, -1, -1, 0, 1, 1)


@njit
def q_of(row, column):
    """The cube coordinate q of a hexagon."""
    return column - (row - (row & 1)) // 2


@njit
def column_of(q, row):
    """The column of a hexagon given by its cube coordinates."""
    return q + (row - (row & 1)) // 2


@njit
def distance(q, row, other_q, other_row):
    """Steps between two hexagons, which may lie off the map."""
    dq = other_q - q
    dr = other_row - row
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def neighbour_table(rows: int, columns: int) -> np.ndarray:
    """The six neighbours of each hexagon by direction: int64 (rows * columns, 6), `NOWHERE` off the map."""
    row, column = (axis.ravel() for axis in np.indices((rows, columns)))
    table = np.full((rows * columns, len(DIRECTIONS)), NOWHERE, np.int64)
    for direction, (q_step, row_step) in enumerate(zip(Q_STEP, ROW_STEP)):
        to_row = row + row_step
        to_column = _columns(_qs(row, column) + q_step, to_row)
        on_map = (to_row >= 0) & (to_row < rows) & (to_column >= 0) & (to_column < columns)
        table[on_map, direction] = (to_row * columns + to_column)[on_map]
    return table


def _qs(row: np.ndarray, column: np.ndarray) -> np.ndarray:
    return column - (row - (row & 1)) // 2


def _columns(q: np.ndarray, row: np.ndarray) -> np.ndarray:
    return q + (row - (row & 1)) // 2


def line(row: int, column: int, to_row: int, to_column: int) -> list[tuple[int, int, int]]:
    """The hexagons in which the evenly spaced points of the line between two centres lie: (point, row, column).

    Between hexagons at distance n there are n - 1 points, numbered from 1. A point on an edge lies in both hexagons.
    One of the three cube coordinates is whole at every point, so that no point is a corner. All in integers.
    """
    row, column, to_row, to_column = map(int, (row, column, to_row, to_column))
    q = column - (row - (row & 1)) // 2
    dq, dr = to_column - (to_row - (to_row & 1)) // 2 - q, to_row - row
    n = max(abs(dq), abs(dr), abs(dq + dr))
    found = []
    for i in range(1, n):
        if abs(dr) == n:
            cells = [(near, row + dr * i // n) for near in _nearest(q, dq * i, n)]
        elif abs(dq) == n:
            cells = [(q + dq * i // n, near) for near in _nearest(row, dr * i, n)]
        else:
            across = q + row + (dq + dr) * i // n
            cells = [(across - near, near) for near in _nearest(row, dr * i, n)]
        found.extend((i, r, c + (r - (r & 1)) // 2) for c, r in cells)
    return found


def _nearest(start: int, numerator: int, n: int) -> tuple[int, ...]:
    """The whole number nearest to start + numerator / n, or both if it lies midway."""
    up, rest = divmod(2 * numerator + n, 2 * n)
    return (start + up,) if rest else (start + up - 1, start + up)


class Labels:
    """Labels of 4 digits (grid square: northing, easting) and 2 letters, from the top and from the left.

    ``square`` is the one at the top left, for example ``4563``; ``size`` is the rows and columns of a square.
    """

    def __init__(self, rows: int, columns: int, square: str, size: int) -> None:
        self.rows, self.columns, self.size = rows, columns, size
        self.north, self.east = int(square[:2]), int(square[2:])

    def label(self, row: int, column: int) -> str:
        """The label of a hexagon."""
        size = self.size
        square = f"{self.north - row // size:02d}{self.east + column // size:02d}"
        return f"{square}{chr(ord('A') + row % size)}{chr(ord('A') + column % size)}"

    def number(self, label: str) -> int:
        """The number of the hexagon of that label. Raises `KeyError` for one that is not on the map."""
        if len(label) == 6 and label[:4].isdecimal() and label[4:].isascii() and label[4:].isupper():
            in_row, in_column = (ord(letter) - ord("A") for letter in label[4:])
            row = (self.north - int(label[:2])) * self.size + in_row
            column = (int(label[2:4]) - self.east) * self.size + in_column
            if max(in_row, in_column) < self.size and 0 <= row < self.rows and 0 <= column < self.columns:
                return row * self.columns + column
        raise KeyError(label)
