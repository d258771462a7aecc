"""Ways of tanks with nobody in the way, worked out once for a map."""

import numpy as np


def free_ways(neighbour: np.ndarray, cost: np.ndarray, movement: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Red's ways from every hex by fewest MP: int64 (hexes, ``most``), and how many there are, int64 (hexes,).

    The ways and their order are those of `ways.search` with no enemy on the map; `ways` says what a way is. There are
    none where a tank could have more than ``most``. ``neighbour`` and ``cost`` (hexes, 6) are the board's.
    """
    hexes = len(cost)
    ways, count = np.zeros((hexes, most), np.int64), np.zeros(hexes, np.int64)
    if 3 * movement * (movement + 1) + 1 > most:
        return ways, count
    reached = np.zeros((hexes, hexes), bool)
    everywhere = np.arange(hexes)
    # By MP what is still to be gone on from, in the order in which it was found: starts, hexes and ways.
    waiting: list[list[tuple[np.ndarray, ...]]] = [[] for _ in range(movement + 1)]
    waiting[0] = [(everywhere, everywhere, everywhere)]
    for points in range(movement + 1):
        if not waiting[points]:
            continue
        start, hexagon, way = (np.concatenate(parts) for parts in zip(*waiting[points]))
        new = np.flatnonzero(~reached[start, hexagon])
        _, first = np.unique(start[new] * hexes + hexagon[new], return_index=True)
        new = new[np.sort(first)]
        new = new[np.argsort(start[new], kind="stable")]
        start, hexagon, way = start[new], hexagon[new], way[new]
        reached[start, hexagon] = True
        row = count[start] + np.arange(len(start)) - np.searchsorted(start, start)
        ways[start, row] = way
        count += np.bincount(start, minlength=hexes)
        for step in range(1, movement - points + 1):
            found, direction = np.nonzero(cost[hexagon] == step)
            to = neighbour[hexagon[found], direction]
            waiting[points + step].append((start[found], to, to | direction << 16 | row[found] << 20))
    return ways, count
