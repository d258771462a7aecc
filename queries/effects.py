"""What factors do: slopes, interactions and shares of the variance, all taken within replications.

Pure functions, each with its paper. A ``design`` has a row for each point and a column for each factor, ``outcomes``
are ``(replications, points)``. Points share their dice, so that what is taken within a replication is free of what its
dice did to all points alike; intervals are those over replications.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from queries.stats import Estimate, Floats, Paired, Z, paired, ratio

MOST_DEGREE = 10
"""Degree of polynomials that are tried at most."""

MOST_OF_GRID = 1024
"""Points of a grid that is told exactly."""

POINTS_A_TERM = 2
"""So many points there must be for each term of an expansion."""


def slopes(design: ArrayLike, outcomes: ArrayLike) -> tuple[Paired, Floats]:
    """What numeric factors do when many are varied at once: a linear regression within each replication, so that common
    dice cancel; then the mean slope with Student's interval, and the standardised regression coefficients (A. Saltelli
    et al., "Global sensitivity analysis: the primer", 2008, ch. 1.2.5), by whose size factors are ranked.

    ``design`` is ``(points, factors)``, ``outcomes`` ``(replications, points)``; replications with a missing game are
    left out. Raises `ValueError` if the design cannot tell the factors apart.
    """
    x, y = np.asarray(design, float), np.asarray(outcomes, float)
    y = y[np.isfinite(y).all(axis=1)]
    centred = x - x.mean(axis=0)
    if np.linalg.matrix_rank(centred) < x.shape[1]:
        raise ValueError("the design cannot tell its factors apart")
    by_replication = y @ np.linalg.pinv(centred).T
    slope = paired(np.zeros_like(by_replication), by_replication)
    total = y.std() if len(y) else np.nan
    standard = ratio(slope.value * x.std(axis=0), np.full(x.shape[1], total))
    return slope, standard


def interaction(base: ArrayLike, first: ArrayLike, second: ArrayLike, both: ArrayLike) -> Paired:
    """What two factors do together beyond what each does alone: the difference of differences, replication by
    replication (F. Yates, "The design and analysis of factorial experiments", 1937).

    Each is ``(replications, contexts)``: outcomes with both factors at their base, with the first at another level,
    with the second, with both; the mean over contexts counts, ``nan`` where one lacks a game.
    """
    at_base, one, other, two = (np.asarray(values, float).mean(axis=1) for values in (base, first, second, both))
    return paired(one - at_base, two - other)


def crossed(design: ArrayLike, factors: Sequence[str]) -> tuple[Floats, list[tuple[int, int]]]:
    """A design with a column more for the product of each two columns, both taken from their middle; and which two.

    ``factors`` names the factor of each column: several columns are levels of one, and are not multiplied.
    """
    x = np.asarray(design, float)
    centred = x - (x.min(axis=0) + x.max(axis=0)) / 2
    pairs = [(i, j) for i, j in itertools.combinations(range(x.shape[1]), 2) if factors[i] != factors[j]]
    return np.hstack([x, *(centred[:, [i]] * centred[:, [j]] for i, j in pairs)]), pairs


# Shares of the variance


class Indices(NamedTuple):
    """Sobol's indices of each factor: the share of the variance between points that it makes by itself (``first``), and
    that it has any part in (``total``). ``explained`` is the share of the variance that the expansion behind them tells
    of points that it has not seen; where that is little, they are worth little.
    """

    first: Estimate
    total: Estimate
    explained: float


def indices(columns: Sequence[Sequence[object]], outcomes: ArrayLike) -> Indices | None:
    """Sobol's indices (I. M. Sobol', "Sensitivity estimates for nonlinear mathematical models", 1993; T. Homma and A.
    Saltelli, "Importance measures in global sensitivity analysis of nonlinear models", 1996) from whatever design fills
    the space of its factors, by an expansion in orthogonal polynomials (B. Sudret, "Global sensitivity analysis using
    polynomial chaos expansions", Reliab. Eng. Syst. Saf. 93, 2008).

    ``columns`` are the levels of each factor, point by point: numbers, or anything else, of which each level then
    counts by itself. The degree is the one that tells most of points left out; a grid has no other points than its own
    and is told exactly. What dice do to single games adds nothing: a square is the product of the coefficients of two
    different replications. Intervals are by the jackknife over replications (J. W. Tukey, 1958) and do not know how far
    the expansion is off. None if there are too few points, or fewer than two replications with all games.
    """
    y = np.asarray(outcomes, float)
    y = y[np.isfinite(y).all(axis=1)]
    if len(y) < 2:
        return None
    explained, expansion = _grid(columns) or _likeliest(columns, y.mean(axis=0))
    if expansion is None:
        return None
    first, total = expansion.shares(y)
    return Indices(first, total, explained)


def _grid(columns: Sequence[Sequence[object]]) -> "tuple[float, _Expansion] | None":
    """All products of whatever degree, if every combination of levels is there once."""
    levels = [len(set(column)) for column in columns]
    points = len(columns[0])
    if points > MOST_OF_GRID or points != np.prod(levels) or len(set(zip(*columns, strict=True))) < points:
        return None
    expansion = _Expansion.of(columns, sum(levels), points)
    return (1.0, expansion) if expansion else None


def _likeliest(columns: Sequence[Sequence[object]], y: Floats) -> "tuple[float, _Expansion | None]":
    """The expansion that tells most of points left out, and how much."""
    found: tuple[float, _Expansion | None] = (-np.inf, None)
    terms = 0
    for degree in range(1, MOST_DEGREE + 1):
        expansion = _Expansion.of(columns, degree, (len(y) - 1) // POINTS_A_TERM)
        if expansion is None or len(expansion.terms) == terms:
            break
        terms = len(expansion.terms)
        found = max(found, (expansion.explains(y), expansion), key=lambda it: it[0])
    return found


class _Expansion(NamedTuple):
    """Polynomials at the points ``(points, terms)``, without the constant, and which factors are in each term."""

    values: Floats
    terms: np.ndarray

    @classmethod
    def of(cls, columns: Sequence[Sequence[object]], degree: int, most: int) -> "_Expansion | None":
        """All products of at most that degree; None if they are more than ``most`` or move as one."""
        single = [_polynomials(column, degree) for column in columns]
        values, terms = [], []
        for powers in _powers([degrees for _, degrees in single], degree):
            if len(values) >= most:
                return None
            chosen = [functions[:, power - 1] for (functions, _), power in zip(single, powers, strict=True) if power]
            values.append(np.prod(chosen, axis=0))
            terms.append([power > 0 for power in powers])
        found = np.column_stack([np.ones(len(columns[0])), *values])
        return cls(found[:, 1:], np.array(terms)) if np.linalg.matrix_rank(found) == found.shape[1] else None

    def explains(self, y: Floats) -> float:
        """The share of the variance between points that is told of each by the others (D. M. Allen's PRESS, 1974)."""
        q, _ = np.linalg.qr(np.column_stack([np.ones(len(y)), self.values]))
        left_out = (y - q @ (q.T @ y)) / np.maximum(1 - (q**2).sum(axis=1), 1e-9)
        variance = ((y - y.mean()) ** 2).sum()
        return float(1 - (left_out**2).sum() / variance) if variance > 0 else 0.0

    def shares(self, y: Floats) -> tuple[Estimate, Estimate]:
        """First and total indices of outcomes ``(replications, points)``."""
        n = len(y)
        q, r = np.linalg.qr(np.column_stack([np.ones(y.shape[1]), self.values]))
        found = np.linalg.solve(r, q.T @ y.T).T[:, 1:]
        sums, squares = found.sum(axis=0), (found**2).sum(axis=0)
        alone = self.terms & (self.terms.sum(axis=1) == 1)[:, None]
        all_of_it = _products(sums, squares, n)
        without = _products(sums - found, squares - found**2, n - 1) if n > 2 else None
        estimates = []
        for chosen in (alone, self.terms):
            value = ratio(all_of_it @ chosen, np.full(chosen.shape[1], all_of_it.sum()))
            half = np.full(len(value), np.nan)
            if without is not None:
                each = ratio(without @ chosen, np.repeat(without.sum(axis=1)[:, None], chosen.shape[1], axis=1))
                half = Z * np.sqrt((n - 1) / n * ((each - each.mean(axis=0)) ** 2).sum(axis=0))
            estimates.append(Estimate(value, value - half, value + half, np.full(len(value), n)))
        return estimates[0], estimates[1]


def _products(sums: Floats, squares: Floats, n: int) -> Floats:
    """Means of the products of different replications, from sums and sums of squares over n replications."""
    return (sums**2 - squares) / (n * (n - 1))


def _polynomials(column: Sequence[object], degree: int) -> tuple[Floats, list[int]]:
    """Functions of a factor, orthonormal over the points, and the degree of each: of numbers polynomials up to a
    degree, of other levels as many functions as there are levels less one, all of degree 1.
    """
    levels = list(dict.fromkeys(column))
    if all(isinstance(level, int | float) and not isinstance(level, bool) for level in levels):
        x = np.array(column, float)
        scaled = 2 * (x - x.min()) / max(x.max() - x.min(), 1e-300) - 1
        degrees = list(range(1, min(degree, len(levels) - 1) + 1))
        raw = np.polynomial.legendre.legvander(scaled, len(degrees))
    else:
        degrees = [1] * (len(levels) - 1)
        raw = np.array([[1.0, *(level == other for other in levels[1:])] for level in column])
    q, _ = np.linalg.qr(raw)
    return q[:, 1:] * np.sqrt(len(column)), degrees


def _powers(degrees: Sequence[Sequence[int]], most: int) -> Iterator[tuple[int, ...]]:
    """Which function of each factor (from 1, or none: 0) is in each product of at most a degree, but the constant."""

    def below(factor: int, left: int) -> Iterator[tuple[int, ...]]:
        if factor == len(degrees):
            yield ()
            return
        for number, degree in enumerate([0, *degrees[factor]]):
            if degree <= left:
                yield from ((number, *rest) for rest in below(factor + 1, left - degree))

    return (powers for powers in below(0, most) if any(powers))
