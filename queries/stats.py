"""Statistics of games: pure functions over arrays, each with the paper or definition that it follows.

**The resampling unit is the replication.** Cells that share dice are resampled together: one draw of replications for
all of them, so that what the dice did to all cells alike stays alike. Whatever is asked of many cells therefore takes
an array ``(replications, cells)`` and keeps it whole. ``nan`` stands for a game that is not there.

All random numbers come from a seed: equal arguments give equal answers. Intervals are 95 % intervals.
"""

import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog
from scipy.special import stdtr, stdtrit

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LEVEL = 0.95
Z = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""

TIMES = 2_000
"""Resamples of a bootstrap."""

CHUNK = 4_000_000
"""Dice that a bootstrap holds at once, which bounds its memory."""

EXACT = 1e-12
"""Below this, two payoffs are the same."""


class Estimate(NamedTuple):
    """Values with the ends of their 95 % intervals and the number that each rests on; ``nan`` where there is none."""

    value: Floats
    low: Floats
    high: Floats
    n: Integers


# Shares


def wilson(k: ArrayLike, n: ArrayLike) -> Estimate:
    """Wilson's score interval for k of n (E. B. Wilson, "Probable inference, the law of succession, and statistical
    inference", J. Am. Stat. Assoc. 22, 1927), the same as ``wilson_low`` and ``wilson_high`` in SQL.

    Holds only within a cell: the games of different cells share their dice. ``nan`` where n is 0. Any equal shapes.
    """
    hits, trials = np.broadcast_arrays(np.asarray(k, float), np.asarray(n, float))
    with np.errstate(invalid="ignore", divide="ignore"):
        value = hits / trials
        middle = (hits + Z**2 / 2) / (trials + Z**2)
        half = Z / (trials + Z**2) * np.sqrt(hits * (trials - hits) / trials + Z**2 / 4)
    low, high = np.where(hits == 0, 0.0, middle - half), np.where(hits == trials, 1.0, middle + half)
    nothing = trials == 0
    return Estimate(value, np.where(nothing, np.nan, low), np.where(nothing, np.nan, high), trials.astype(np.int64))


# Bootstrap over replications


def resampled_sums(
    values: ArrayLike, *, seed: int, times: int = TIMES, dice: Sequence[int] | Integers | None = None
) -> Floats:
    """Sums of each column over resampled replications: the bootstrap (B. Efron, "Bootstrap methods: another look at
    the jackknife", Ann. Stat. 7, 1979) with the replication as its unit.

    ``values`` is ``(replications, columns)``, a game that is not there counts nothing; the answer is ``(times,
    columns)``. ``dice`` says which dice each column was rolled with: columns with equal numbers share their draws, by
    default all do.
    """
    table = np.nan_to_num(np.asarray(values, float))
    games, columns = table.shape
    owner = np.zeros(columns, np.int64) if dice is None else np.asarray(dice, np.int64)
    sums = np.zeros((times, columns))
    if games == 0:
        return sums
    step = max(1, CHUNK // games)
    for which in np.unique(owner):
        generator, own = np.random.default_rng((seed, int(which))), owner == which
        for start in range(0, times, step):
            rows = min(step, times - start)
            drawn = generator.integers(0, games, (rows, games)) + np.arange(rows)[:, None] * games
            counts = np.bincount(drawn.ravel(), minlength=rows * games).reshape(rows, games)
            sums[start : start + rows, own] = counts @ table[:, own]
    return sums


def resampled_means(
    values: ArrayLike, *, seed: int, times: int = TIMES, dice: Sequence[int] | Integers | None = None
) -> Floats:
    """Means of each column over resampled replications, ``(times, columns)``; see `resampled_sums`."""
    table = np.asarray(values, float)
    both = np.hstack([table, np.where(np.isnan(table), 0.0, 1.0)])
    sums, counts = np.hsplit(resampled_sums(both, seed=seed, times=times, dice=_twice(dice)), 2)
    return ratio(sums, counts)


def spread(samples: ArrayLike) -> tuple[Floats, Floats]:
    """Ends of the percentile interval of a bootstrap's samples ``(times, ...)`` (B. Efron and R. Tibshirani, "An
    introduction to the bootstrap", 1993, ch. 13). Samples that are ``nan``, having drawn no game, are left out; where
    more than half of them are, there is no interval.
    """
    given = np.asarray(samples, float)
    found = np.where(np.isfinite(given), given, np.nan).reshape(len(given), -1)
    usable = np.isfinite(found).mean(axis=0) > 0.5
    ends = np.full((2, found.shape[1]), np.nan)
    if usable.any():
        ends[:, usable] = np.nanpercentile(found[:, usable], [50 * (1 - LEVEL), 50 * (1 + LEVEL)], axis=0)
    low, high = ends.reshape(2, *given.shape[1:])
    return np.asarray(low), np.asarray(high)


def ratio_of_sums(
    numerator: ArrayLike,
    denominator: ArrayLike,
    *,
    seed: int,
    times: int = TIMES,
    dice: Sequence[int] | Integers | None = None,
) -> Estimate:
    """Ratios such as enemy losses / own losses from the totals of cells, with a bootstrap interval over replications
    (W. G. Cochran, "Sampling techniques", 1977, ch. 6: a ratio of sums, not a mean of ratios).

    Both are ``(replications, cells)``. ``nan`` where the total of the denominator is 0 or fewer than two games are
    there; ``n`` counts the games with both numbers.
    """
    top, bottom = np.asarray(numerator, float), np.asarray(denominator, float)
    there = np.isfinite(top) & np.isfinite(bottom)
    both = np.hstack([np.where(there, top, 0.0), np.where(there, bottom, 0.0)])
    tops, bottoms = np.hsplit(resampled_sums(both, seed=seed, times=times, dice=_twice(dice)), 2)
    above, below = np.split(both.sum(axis=0), 2)
    low, high = spread(ratio(tops, bottoms))
    n = there.sum(axis=0)
    few = n < 2
    return Estimate(ratio(above, below), np.where(few, np.nan, low), np.where(few, np.nan, high), n)


def _twice(dice: Sequence[int] | Integers | None) -> Integers | None:
    """The dice of two tables side by side."""
    return None if dice is None else np.tile(np.asarray(dice, np.int64), 2)


def ratio(above: Floats, below: Floats) -> Floats:
    """Quotients; ``nan`` where the denominator is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below == 0, np.nan, above / below)


# Comparisons under common random numbers


class Paired(NamedTuple):
    """Mean differences with intervals; ``p`` is the two-sided p-value of no difference, ``reduction`` the share of the
    variance that common random numbers took away: 1 - var(b - a) / (var(a) + var(b)).
    """

    value: Floats
    low: Floats
    high: Floats
    n: Integers
    p: Floats
    reduction: Floats


def paired(a: ArrayLike, b: ArrayLike) -> Paired:
    """Mean of b - a, replication by replication (Student, "The probable error of a mean", Biometrika 6, 1908), and what
    equal dice gained (A. M. Law, "Simulation modeling and analysis", ch. 11.2: common random numbers).

    Both are ``(replications, ...)``; only replications that both have count. ``nan`` for fewer than two.
    """
    first, second = np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float))
    there = np.isfinite(first) & np.isfinite(second)
    n = there.sum(axis=0)
    value, variance = _moments(second - first, there, n)
    apart = _moments(first, there, n)[1] + _moments(second, there, n)[1]
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(variance / n)
        half = stdtrit(n - 1.0, (1 + LEVEL) / 2) * error
        # Equal in every game: no chance that the difference is one of dice.
        t = np.where(error > 0, np.abs(value) / error, np.where(value == 0, 0.0, np.inf))
        p = np.where(n > 1, 2 * stdtr(n - 1.0, -t), np.nan)
        reduction = np.where(apart > 0, 1 - variance / apart, np.nan)
    return Paired(value, value - half, value + half, n, p, reduction)


def unpaired(a: ArrayLike, b: ArrayLike) -> Paired:
    """Difference of the means of b and a, two lists of games that share no dice (B. L. Welch, "The generalization of
    'Student's' problem when several different population variances are involved", Biometrika 34, 1947).

    One dimension each; ``n`` is the length of the shorter. ``nan`` where one has fewer than two.
    """
    from scipy.stats import ttest_ind  # half a second that the other measures need not wait

    first, second = np.asarray(a, float), np.asarray(b, float)
    n, none = np.asarray(min(len(first), len(second))), np.asarray(np.nan)
    if n < 2:
        return Paired(none, none, none, n, none, none)
    value = np.asarray(second.mean() - first.mean())
    if np.ptp(first) == np.ptp(second) == 0:
        # Equal in every game: no chance that the difference is one of dice.
        return Paired(value, value, value, n, np.asarray(1.0 if value == 0 else 0.0), none)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # one of the two may be the same in every game
        found = ttest_ind(second, first, equal_var=False)
    low, high = found.confidence_interval(LEVEL)
    return Paired(value, np.asarray(low), np.asarray(high), n, np.asarray(found[1]), none)


def _moments(values: Floats, there: NDArray[np.bool_], n: Integers) -> tuple[Floats, Floats]:
    """Mean and sample variance of those values that are there."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(n > 0, np.where(there, values, 0.0).sum(axis=0) / n, np.nan)
        squares = np.where(there, (values - mean) ** 2, 0.0).sum(axis=0)
        return mean, np.where(n > 1, squares / (n - 1), np.nan)


def holm(p: ArrayLike) -> Floats:
    """P-values corrected for having tested them all (S. Holm, "A simple sequentially rejective multiple test
    procedure", Scand. J. Stat. 6, 1979): reject where the answer is below the level. One dimension; ``nan`` stays and
    is not counted.
    """
    given = np.asarray(p, float)
    corrected = np.full(given.shape, np.nan)
    tested = np.flatnonzero(np.isfinite(given))
    order = tested[np.argsort(given[tested], kind="stable")]
    steps = given[order] * np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


# Games between policies


class Solution(NamedTuple):
    """The value of a game to the row player and an optimal mixture of both players; other mixtures may do as well."""

    value: float
    rows: Floats
    columns: Floats


def solve(payoff: ArrayLike) -> Solution:
    """Value and optimal mixtures of a two-player zero-sum game (J. von Neumann, "Zur Theorie der Gesellschaftsspiele",
    Math. Ann. 100, 1928), as a linear programme and its dual (G. B. Dantzig, 1951).

    ``payoff[i, j]`` is what the row player gets. Raises `ValueError` for an empty matrix or one with gaps.
    """
    matrix = np.asarray(payoff, float)
    if matrix.size == 0 or not np.isfinite(matrix).all():
        raise ValueError("the matrix of payoffs is empty or has gaps")
    rows, columns = matrix.shape
    found = linprog(
        np.append(np.zeros(rows), -1.0),  # the greatest v such that the mixture gets at least v from every column
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0.0, None)] * rows + [(None, None)],
        method="highs",
    )
    if not found.success:
        raise ValueError(f"the linear programme has no answer: {found.message}")
    return Solution(float(found.x[-1]), _mixture(found.x[:-1]), _mixture(-found.ineqlin.marginals))


def _mixture(weights: Floats) -> Floats:
    positive = np.where(weights > 1e-9, weights, 0.0)
    return positive / positive.sum()


def values_of(payoffs: Floats) -> Floats:
    """Values of many games ``(times, rows, columns)``, as of a bootstrap's samples; ``nan`` for a matrix with gaps.

    Where the best that rows can be sure of is the worst that columns can hold them to, that is the value; only the
    others take a linear programme.
    """
    gaps = ~np.isfinite(payoffs).all(axis=(1, 2))
    sure, held = payoffs.min(axis=2).max(axis=1), payoffs.max(axis=1).min(axis=1)
    values = np.where(gaps, np.nan, sure)
    for k in np.flatnonzero(~gaps & (held - sure > EXACT)):
        values[k] = solve(payoffs[k]).value
    return values


def value_of_game(
    scores: ArrayLike,
    shape: tuple[int, int],
    *,
    seed: int,
    times: int = TIMES,
    dice: Sequence[int] | Integers | None = None,
) -> tuple[Estimate, Solution]:
    """Value of the game between policies, with a bootstrap interval over replications, and both optimal mixtures.

    ``scores`` is ``(replications, cells)``: 1 where the row player won, 0 where he lost, 1/2 for a draw; cells are the
    matrix of ``shape`` row by row. Since each player picks what looks best in the games played, the value of few games
    flatters both; the interval does not correct that. Raises `ValueError` where a pairing has no game.
    """
    table = np.asarray(scores, float)
    n = np.isfinite(table).sum(axis=0)
    solution = solve(ratio(np.nan_to_num(table).sum(axis=0), n.astype(float)).reshape(shape))
    samples = resampled_means(table, seed=seed, times=times, dice=dice).reshape(times, *shape)
    low, high = spread(values_of(samples) if n.min() > 1 else np.full(times, np.nan))
    return Estimate(np.asarray(solution.value), low, high, np.asarray(n.sum())), solution


class Best(NamedTuple):
    """The option with the greatest mean: its place, and the share of the bootstrap's samples in which it was best."""

    index: int
    how_sure: float


def best(scores: ArrayLike, *, seed: int, times: int = TIMES, dice: Sequence[int] | Integers | None = None) -> Best:
    """Which column of ``scores (replications, columns)`` has the greatest mean, and how surely, by resampling
    replications (the probability of correct selection of D. Goldsman and B. L. Nelson, "Comparing systems via
    simulation", 1998, estimated from the bootstrap). Of equals the first. Raises `ValueError` without any game.
    """
    table = np.asarray(scores, float)
    means = _moments(table, np.isfinite(table), np.isfinite(table).sum(axis=0))[0]
    if not np.isfinite(means).any():
        raise ValueError("there is no game to choose by")
    index = int(np.nanargmax(means))
    samples = np.nan_to_num(resampled_means(table, seed=seed, times=times, dice=dice), nan=-np.inf)
    return Best(index, float(np.mean(samples.argmax(axis=1) == index)))


ELO = 400 / np.log(10)
"""Points of Elo to a unit of the logistic scale: 400 points are odds of ten to one."""


class Ratings(NamedTuple):
    """Elo points of each policy, on average 0, and the advantage of the blue side on each board, with intervals."""

    policies: Estimate
    advantages: Estimate


def elo(
    scores: ArrayLike,
    blue: Sequence[int],
    red: Sequence[int],
    board: Sequence[int],
    *,
    seed: int,
    times: int = TIMES,
    dice: Sequence[int] | Integers | None = None,
) -> Ratings:
    """Ratings of policies from their games: the model of E. Zermelo (1929) and of R. A. Bradley and M. E. Terry
    ("Rank analysis of incomplete block designs", Biometrika 39, 1952) on A. Elo's scale, a draw being half a win, and
    with an advantage of the blue side on each board (R. R. Davidson and R. J. Beaver, Biometrics 33, 1977), by maximum
    likelihood; intervals by resampling replications.

    ``scores`` is ``(replications, cells)``: 1 where blue won, 0 where red did, 1/2 for a draw; ``blue``, ``red`` and
    ``board`` number the policies and the board of each cell. So that a policy that always wins has a rating, each
    policy and each advantage is given one drawn game against a rating of 0.
    """
    table = np.asarray(scores, float)
    there = np.isfinite(table)
    cells, players, boards = np.arange(table.shape[1]), max([*blue, *red]) + 1, max(board) + 1
    design = np.zeros((len(cells), players + boards))
    np.add.at(design, (cells, np.asarray(blue)), 1.0)
    np.subtract.at(design, (cells, np.asarray(red)), 1.0)
    np.add.at(design, (cells, players + np.asarray(board)), 1.0)
    both = np.hstack([np.nan_to_num(table), there])
    sums = np.vstack([both.sum(axis=0), resampled_sums(both, seed=seed, times=times, dice=_twice(dice))])
    points = _logistic_fit(design, *np.hsplit(sums, 2)) * ELO
    points[:, :players] -= points[:, :players].mean(axis=1, keepdims=True)
    low, high = spread(points[1:])
    n = (np.abs(design).T @ there.sum(axis=0)).astype(np.int64)
    parts = [Estimate(points[0, s], low[s], high[s], n[s]) for s in (slice(players), slice(players, None))]
    return Ratings(parts[0], parts[1])


def _logistic_fit(design: Floats, wins: Floats, games: Floats) -> Floats:
    """Newton's method for many logistic regressions at once: ``wins`` and ``games`` are ``(times, cells)``.

    Each coefficient has one drawn game of its own besides.
    """
    terms = design.shape[1]
    strength = np.zeros((len(wins), terms))
    for _ in range(100):
        expected = 1 / (1 + np.exp(-strength @ design.T))
        alone = 1 / (1 + np.exp(-strength))
        gradient = (wins - games * expected) @ design + (0.5 - alone)
        weight = games * expected * (1 - expected)
        curvature = np.einsum("tc,ci,cj->tij", weight, design, design, optimize=True)
        curvature[:, range(terms), range(terms)] += alone * (1 - alone)
        step = np.clip(np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0], -2, 2)
        strength += step
        if np.abs(step).max() < 1e-9:
            break
    return strength
