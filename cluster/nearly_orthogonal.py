"""Nearly orthogonal Latin hypercubes: few points, every factor at as many levels, hardly any correlation.

Cioppa and Lucas, "Efficient nearly orthogonal and space-filling Latin hypercubes", Technometrics 49 (2007), say what
they are for; these are found by our own search and kept in ``nearly_orthogonal.toml`` with their correlations.
``python -m cluster.nearly_orthogonal`` searches them anew and prints that file.
"""

import functools
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_suffix(".toml")
SIZES = ((7, 17), (11, 33), (16, 65))
"""Factors and points of the designs that are kept."""
MOST_CORRELATION = 0.05
"""Largest correlation of any two columns, without sign."""
TRIES = 40


@functools.cache
def designs() -> dict[int, np.ndarray]:
    """The designs that are kept, by their number of points: levels from 0, int64 (points, factors)."""
    document = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {design["points"]: np.array(design["columns"]).T for design in document["design"]}


def largest_correlation(levels: np.ndarray) -> float:
    """The largest correlation of any two columns (points, factors), without sign; 0 for a single column."""
    if levels.shape[1] < 2:
        return 0.0
    return float(np.abs(np.triu(np.corrcoef(levels, rowvar=False), 1)).max())


def search(factors: int, points: int, rng: np.random.Generator) -> np.ndarray:
    """A Latin hypercube (points, factors) whose columns are as little correlated as steepest descent makes them.

    One column after another, and then each once more, exchanges two of its levels as long as that lowers the sum of
    the squared correlations with the others.
    """
    centred = np.arange(points) - (points - 1) / 2
    columns = np.array([rng.permutation(centred) for _ in range(factors)])
    for j in [*range(factors), *range(factors)]:
        columns[j] = _descend(columns[j], np.delete(columns, j, axis=0))
    return (columns + (points - 1) / 2).round().astype(np.int64).T


def _descend(column: np.ndarray, others: np.ndarray) -> np.ndarray:
    column = column.copy()
    a, b = np.triu_indices(len(column), 1)
    steps = others[:, b] - others[:, a]  # what an exchange of a and b adds to the products, a unit of difference each
    products = others @ column
    while True:
        after = products[:, None] + steps * (column[a] - column[b])
        cost = (after**2).sum(axis=0)
        best = int(cost.argmin())
        if cost[best] >= (products**2).sum():
            return column
        column[[a[best], b[best]]] = column[[b[best], a[best]]]
        products = after[:, best]


def _closest(levels: np.ndarray) -> float:
    """The distance of the two points that are nearest to each other: the larger, the better they fill the space."""
    distance = np.linalg.norm(levels[:, None] - levels[None], axis=2)
    return float(distance[np.triu_indices(len(levels), 1)].min())


def _document() -> Iterator[str]:
    yield "# Nearly orthogonal Latin hypercubes, found and printed by `python -m cluster.nearly_orthogonal`."
    yield "# A column for each factor: its level, from 0, at each point."
    for factors, points in SIZES:
        rng = np.random.default_rng([factors, points])
        found = [search(factors, points, rng) for _ in range(TRIES)]
        good = [levels for levels in found if largest_correlation(levels) <= MOST_CORRELATION]
        best = max(good, key=_closest)
        yield f"\n[[design]]\npoints = {points}\nlargest_correlation = {largest_correlation(best):.4f}\ncolumns = ["
        yield from (f"    [{', '.join(map(str, column))}]," for column in best.T.tolist())
        yield "]"


if __name__ == "__main__":
    print("\n".join(_document()))
