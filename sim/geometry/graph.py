"""Places joined by lines: point-to-point maps."""

from collections import deque
from collections.abc import Iterable

import numpy as np

NOWHERE = -1
"""Fills the rest of a row of neighbours."""


def neighbour_table(n_places: int, links: Iterable[tuple[int, int]]) -> np.ndarray:
    """Neighbours of each place, ascending: int64 of shape (places, most neighbours + 1), filled up with `NOWHERE`.

    Every row ends with at least one `NOWHERE`, so that a loop over it needs no count.
    """
    found: list[set[int]] = [set() for _ in range(n_places)]
    for a, b in links:
        found[a].add(b)
        found[b].add(a)
    table = np.full((n_places, max(map(len, found), default=0) + 1), NOWHERE, np.int64)
    for place, others in enumerate(found):
        table[place, : len(others)] = sorted(others)
    return table


def distances(neighbours: np.ndarray) -> np.ndarray:
    """Least number of lines between any two places: int64 of shape (places, places), `NOWHERE` if unconnected."""
    n_places = len(neighbours)
    result = np.full((n_places, n_places), NOWHERE, np.int64)
    for start in range(n_places):
        result[start, start] = 0
        queue = deque([start])
        while queue:
            place = queue.popleft()
            for other in neighbours[place]:
                if other != NOWHERE and result[start, other] == NOWHERE:
                    result[start, other] = result[start, place] + 1
                    queue.append(int(other))
    return result
