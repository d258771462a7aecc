"""Sight between hexagons of different heights, worked out once for a map."""

from typing import NamedTuple

import numpy as np

WORD = 64
"""Bits in a word of a table of sight."""

WALL = 200
"""Height of the edge of the map: above all that it is compared with, and 64 times as much still fits into 16 bits."""


class _Pairs(NamedTuple):
    """Pairs of hexagons, each (pairs,): their numbers, the number of the line's form, where it starts, its length.

    ``low`` is the height of the lower end, ``rise`` what the line rises by, ``rising`` whether it starts there.
    """

    near: np.ndarray
    far: np.ndarray
    form: np.ndarray
    start: np.ndarray
    n: np.ndarray
    low: np.ndarray
    rise: np.ndarray
    rising: np.ndarray

    def only(self, chosen: np.ndarray) -> "_Pairs":
        """Those that are chosen, bool (pairs,)."""
        return self if chosen.all() else _Pairs(*(values[chosen] for values in self))


class _Forms(NamedTuple):
    """Forms of lines, each (forms,): lines between hexagons that lie the same way from each other pass over the same.

    That hangs on whether they start in an odd row. ``dq`` and ``dr`` are how cube coordinates change from end to end.
    """

    odd: np.ndarray
    dq: np.ndarray
    dr: np.ndarray
    n: np.ndarray


def sight_words(heights: np.ndarray, screens: np.ndarray, high_end: int) -> np.ndarray:
    """Which hexagons see each other, as bits: int64 (hexagons, words); bit b of word w is hexagon 64 w + b.

    ``heights`` (rows, columns) are those of the ends, ``screens`` (rows, columns) those of what lies between. Between
    hexagons at distance n with a difference of height d, what point i from the lower end lies in blocks if it is
    higher than that end by v > 0 with v n > (d + ``high_end``) i. So does the edge of the map. See `hexagon.line`.
    """
    hexagons = heights.size
    # 16 bits are enough, and fast: heights are small, and so is their product with a distance.
    forms = _forms(*heights.shape)
    pairs = _pairs(forms, heights.astype(np.int16), high_end)
    # A border of one hexagon all round that nothing sees over: no line leaves the map by more.
    walled = np.pad(screens.astype(np.int16), 1, constant_values=WALL)
    seen = np.eye(hexagons, dtype=bool)
    step = 1
    while len(pairs.near):
        through = 2 * step > pairs.n
        seen[pairs.near[through], pairs.far[through]] = True
        pairs = pairs.only(~through)
        # What blocks a line is mostly near one of its ends: looked at from there on, few are left for the middle.
        for point in (np.full_like(forms.n, step), forms.n - np.int16(step)):
            pairs = pairs.only(_clear(pairs, forms, point, walled))
        step += 1
    seen |= seen.T
    words = -(-hexagons // WORD)
    padded = np.zeros((hexagons, words * WORD), bool)
    padded[:, :hexagons] = seen
    return np.packbits(padded, axis=1, bitorder="little").view("<i8").astype(np.int64)


def _forms(rows: int, columns: int) -> _Forms:
    """All forms of lines from a hexagon to one of a higher number."""
    odd, dr, right = (it.ravel() for it in np.indices((2, rows, 2 * columns - 1)))
    dq = right - (columns - 1) - (odd + dr) // 2
    n = np.maximum(np.maximum(abs(dq), abs(dr)), abs(dq + dr))
    return _Forms(odd, dq, dr, n.astype(np.int16))


def _pairs(forms: _Forms, heights: np.ndarray, high_end: int) -> _Pairs:
    """All pairs of hexagons of a map."""
    rows, columns = heights.shape
    row, column = (axis.ravel() for axis in np.indices((rows, columns)))
    near, far = np.triu_indices(heights.size, 1)
    form = (
        ((row[near] & 1) * rows + row[far] - row[near]) * (2 * columns - 1) + column[far] - column[near] + columns - 1
    )
    start = ((row + 1) * (columns + 2) + column + 1)[near]
    first, second = heights.ravel()[near], heights.ravel()[far]
    low, rise = np.minimum(first, second), abs(first - second) + np.int16(high_end)
    return _Pairs(near, far, form, start, forms.n[form], low, rise, first <= second)


def _clear(pairs: _Pairs, forms: _Forms, point: np.ndarray, walled: np.ndarray) -> np.ndarray:
    """Of which pairs nothing blocks the line at a point, numbered from its start for each form: bool (pairs,)."""
    one, other = (there.take(pairs.form) + pairs.start for there in _passed(forms, point, walled.shape[1]))
    highest = np.maximum(walled.take(one), walled.take(other))
    at = point.take(pairs.form)
    from_low = np.where(pairs.rising, at, pairs.n - at)
    return (highest - pairs.low) * pairs.n <= pairs.rise * from_low


def _passed(forms: _Forms, point: np.ndarray, width: int) -> list[np.ndarray]:
    """The two hexagons between which a point of each form lies, from where the line starts; mostly twice the same."""
    n = np.maximum(forms.n, 1).astype(np.int64)
    q, q_midway = _nearest(forms.dq * point, n)
    row, row_midway = _nearest(forms.dr * point, n)
    # One of the three cube coordinates is whole. Where it is the third, the first follows from it.
    third = abs(forms.dq + forms.dr) == n
    across = (forms.dq + forms.dr) * point // n
    other_row = row - row_midway
    other_q = np.where(third, across - other_row, q - q_midway)
    q = np.where(third, across - row, q)
    return [r * width + c + (forms.odd + r) // 2 for c, r in ((q, row), (other_q, other_row))]


def _nearest(numerator: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The whole numbers nearest to numerator / n, and whether it lies midway between them and the next lower ones."""
    up, rest = np.divmod(2 * numerator + n, 2 * n)
    return up, rest == 0
