"""When games are enough: sequential tests, intervals of a given width, and where the next games decide most.

Pure functions, each with its paper. What is known of a cell is how often each score came: ``counts`` of ``scores``.
Such counts are exact, so that equal games lead to equal decisions, in whatever order they were read.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import root_scalar
from scipy.special import ndtr, stdtrit

from queries.stats import ELO, LEVEL, Floats, Integers, Z, wilson

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Scores of a pair of games, sides changed: the mean of both. Five outcomes, from both lost to both won."""

NORMALISED_ELO = 2 * ELO
"""Points of normalised Elo to a unit of (expected score - 1/2) / standard deviation of a game."""

UNSEEN = 1e-3
"""Games that a score counts which has not come yet: without it nothing but what was seen would be thought possible."""


# Tests


class Bounds(NamedTuple):
    """Between these a test goes on; at ``lower`` it accepts the first hypothesis, at ``upper`` the second."""

    lower: float
    upper: float


def wald_bounds(alpha: float, beta: float) -> Bounds:
    """Bounds of the log-likelihood ratio (A. Wald, "Sequential tests of statistical hypotheses", Ann. Math. Stat. 16,
    1945): ``alpha`` is how often the first hypothesis is rejected though it holds, ``beta`` how often the second.

    They hold for whatever number of games is looked at, since they hold for the first time that a bound is crossed.
    """
    return Bounds(float(np.log(beta / (1 - alpha))), float(np.log((1 - beta) / alpha)))


def mean_llr(counts: ArrayLike, scores: ArrayLike, mean0: float, mean1: float) -> float:
    """Log-likelihood ratio of two expected scores, each with the distribution that suits the counts best (M. Van den
    Bergh, "A practical introduction to the GSPRT", 2019, after empirical likelihood: A. Owen, Biometrika 75, 1988).

    For scores 0 and 1 it is Wald's ratio. ``counts`` and ``scores`` have the same length.
    """
    found, values = _seen(counts), np.asarray(scores, float)
    share = found / found.sum()
    ratio = np.log(_suiting(share, values - mean1)) - np.log(_suiting(share, values - mean0))
    return float(found @ ratio)


def elo_llr(counts: ArrayLike, elo0: float, elo1: float) -> float:
    """Log-likelihood ratio of two strengths in normalised Elo, from the five outcomes of pairs of games.

    Normalised Elo measures the expected score in standard deviations of a game, so that a difference takes equally
    many games to find whatever the share of draws (M. Van den Bergh, "Normalized Elo", 2020). For strengths of 200
    points at most.
    """
    found, values = _seen(counts), np.asarray(PAIR_SCORES)
    share = found / found.sum()
    # The mean of two games has a standard deviation smaller by the root of 2 than one game.
    against, for_ = (with_strength(share, values, elo / NORMALISED_ELO * np.sqrt(2)) for elo in (elo0, elo1))
    return float(found @ (np.log(for_) - np.log(against)))


class Strength(NamedTuple):
    """Elo points of the first of two, and the half-width of their 95 % interval."""

    elo: float
    half_width: float


def pair_strength(counts: ArrayLike) -> Strength:
    """Elo difference of two players (A. Elo's scale) from the five outcomes of their pairs of games, with the interval
    that the spread of the pairs gives: games of a pair share dice and board, and are not two independent ones.
    """
    found, values = _seen(counts), np.asarray(PAIR_SCORES)
    mean, deviation = _moments(found / found.sum(), values)
    half = Z * deviation / np.sqrt(found.sum())
    low, middle, high = (_elo(float(np.clip(it, 1e-9, 1 - 1e-9))) for it in (mean - half, mean, mean + half))
    return Strength(middle, (high - low) / 2)


def _elo(score: float) -> float:
    return float(ELO * np.log(score / (1 - score)))


def _seen(counts: ArrayLike) -> Floats:
    return np.maximum(np.asarray(counts, float), UNSEEN)


def _moments(share: Floats, values: Floats) -> tuple[float, float]:
    mean = float(share @ values)
    return mean, float(np.sqrt(share @ (values - mean) ** 2))


def _suiting(share: Floats, influence: Floats) -> Floats:
    """The distribution in which ``influence`` has the mean 0 and that makes the observed shares most likely.

    Lagrange's condition gives share / (1 + x influence), where x is the only root within the poles on both sides.
    """
    low, high = ((1e-12 - 1) / end for end in (influence.max(), influence.min()))
    found = root_scalar(
        lambda x: float(share @ (influence / (1 + x * influence))), bracket=(low, high), xtol=1e-14, rtol=1e-14
    )
    return share / (1 + found.root * influence)


def with_strength(share: Floats, values: Floats, strength: float) -> Floats:
    """The distribution in which (mean - 1/2) / deviation is ``strength`` that makes the observed shares most likely.

    The constraint is not linear in the distribution: it is replaced by its tangent, and solved again from there.
    """
    likely = np.full(len(share), 1 / len(share))
    for _ in range(20):
        before = likely
        mean, deviation = _moments(likely, values)
        bend = strength * deviation / 2 * (1 + ((values - mean) / deviation) ** 2)
        likely = _suiting(share, values - 0.5 - bend)
        if np.abs(likely - before).max() < 1e-9:
            break
    return likely


# Intervals of a given width


def half_width(counts: ArrayLike, scores: ArrayLike, *, of_share: bool) -> float:
    """Half the width of a cell's 95 % interval: Wilson's for a share (a score of 1/2 is half a win), else Student's.

    Infinite for fewer than two games. Stopping once it is small enough keeps the level as the width goes to 0 (Y. S.
    Chow and H. Robbins, "On the asymptotic theory of fixed-width sequential confidence intervals for the mean", Ann.
    Math. Stat. 36, 1965).
    """
    found, values = np.asarray(counts, float), np.asarray(scores, float)
    n = found.sum()
    if n < 2:
        return np.inf
    if of_share:
        interval = wilson(found @ values, n)
        return float(interval.high - interval.low) / 2
    _, deviation = _moments(found / n, values)
    return float(stdtrit(n - 1, (1 + LEVEL) / 2) * deviation / np.sqrt(n - 1))


# The best of several


class Alternatives(NamedTuple):
    """What is known of alternatives: mean and standard deviation of each, and the ``group`` within which it competes.

    The best of a group is that with the greatest mean.
    """

    mean: Floats
    deviation: Floats
    group: Integers


def share_alternatives(hits: ArrayLike, games: ArrayLike, group: ArrayLike) -> Alternatives:
    """Alternatives whose measure is a share. Nobody is sure of a share of 0 or 1: each has a hit and a miss more (A.
    Agresti and B. A. Coull, Am. Stat. 52, 1998), as far as the deviation is concerned.
    """
    k, n = np.asarray(hits, float), np.asarray(games, float)
    likely = (k + 1) / (n + 2)
    return Alternatives(k / np.maximum(n, 1), np.sqrt(likely * (1 - likely)), np.asarray(group, np.int64))


def best_of(known: Alternatives) -> Integers:
    """For each alternative the best of its group; of equals the first."""
    winner = {}
    for place in np.argsort(-known.mean, kind="stable").tolist():
        winner.setdefault(int(known.group[place]), place)
    return np.array([winner[int(group)] for group in known.group], np.int64)


def weights(known: Alternatives, within: float) -> Floats:
    """In which proportion alternatives deserve games: the optimal computing budget allocation (C.-H. Chen, J. Lin, E.
    Yücesan and S. E. Chick, "Simulation budget allocation for further enhancing the efficiency of ordinal
    optimization", Discrete Event Dyn. Syst. 10, 2000).

    Those close to their best, or widely spread, get more, so that each is mistaken for the best equally rarely, in all
    groups alike. Worse by less than ``within`` does not matter. One without a rival gets none.
    """
    best = best_of(known)
    rival = best != np.arange(len(best))
    gap = np.where(rival, known.mean[best] - known.mean + within, 1.0)
    found = np.where(rival, (known.deviation / gap) ** 2, 0.0)
    squares = np.bincount(best[rival], ((found / known.deviation) ** 2)[rival], len(best))
    return np.where(rival, found, known.deviation * np.sqrt(squares))


def surety(known: Alternatives, games: ArrayLike, within: float) -> Floats:
    """For each alternative the probability that the best of its group is at most ``within`` worse than any other in
    it, by Bonferroni's inequality. Equal dice make it greater than is said here.
    """
    best = best_of(known)
    variance = known.deviation**2 / np.maximum(np.asarray(games, float), 1e-9)
    error = np.sqrt(variance + variance[best])
    wrong = np.where(best == np.arange(len(best)), 0.0, ndtr(-(known.mean[best] - known.mean + within) / error))
    return np.maximum(1 - np.bincount(best, wrong, len(best))[best], 0.0)


def filled(games: ArrayLike, wanted: ArrayLike, total: int, at_most: ArrayLike) -> Integers:
    """Games so that there are ``total`` in all, in proportion to ``wanted``: none has fewer than now, none too many.

    Less than ``total`` where all that are wanted have as many as they may.
    """
    now, share, most = np.asarray(games, np.int64), np.asarray(wanted, float), np.asarray(at_most, np.int64)

    def at(level: float) -> Integers:
        return np.maximum(now, np.minimum(np.floor(level * share), most).astype(np.int64))

    if not share.any():
        return now
    low, high = 0.0, float((most[share > 0] / share[share > 0]).max()) + 1
    if at(high).sum() <= total:
        return at(high)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle).sum() <= total else (low, middle)
    return at(low)


def equal_games(known: Alternatives, sure: Floats, within: float, most: int) -> int:
    """Games for each alternative with which equal shares would be as sure as ``sure``; ``most`` if even these do not
    suffice.
    """
    return _least(lambda n: bool((surety(known, np.full(len(sure), n), within) >= sure).all()), most)


def _least(enough: Callable[[int], bool], most: int) -> int:
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low
