"""Which games to add next: a round as a pure function of the complete earlier ones and of `cluster.until.Until`.

Decisions rest on how often each score came in each cell, counted over the games of complete rounds alone. So whoever
counts them, now or after a crash, adds the same games.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

import queries
from cluster.archive import Stored, open_experiment
from cluster.plan import Cell, canonical
from cluster.store import store_of
from cluster.until import SHARES, Until
from queries import drift, sequential

MEASURES = {
    "win_rate": "case winner when 'blue' then 1.0 else 0.0 end",
    "margin": "margin",
    **{name: measure.sql for name, measure in drift.MEASURES.items()},
}
"""What is measured of a game, in SQL over ``games``, by the names of `cluster.until.Measure`."""

SCORES = {"win_rate": (0.0, 1.0), "payoff": (0.0, 0.5, 1.0)}
"""The scores of a share that may come."""

LEAST_GROWTH, MOST_GROWTH = 1.1, 1.5
"""By how much a cell grows in a round: not too little, for a round has its own cost, nor too much, for it may be the
last that the cell needs.
"""

Scores = Mapping[float, int]
"""How often each score came."""


class Verdict(NamedTuple):
    """What is known of a cell, or of cells that are judged together.

    ``enough`` says whether they need no more games, ``wanted`` how many replications would suffice if nothing else came
    than before, ``says`` and ``value`` what was found, if anything. ``strength`` is that of the first of a pair in Elo.
    """

    cells: tuple[int, ...]
    enough: bool
    wanted: float
    says: str
    value: float
    strength: sequential.Strength | None = None


class Standing(NamedTuple):
    """How far an experiment is: ``equal`` are the games that equal numbers for all cells would have taken, each as many
    as any has; of the best policy as many as were as sure, judged by what was found.
    """

    verdicts: list[Verdict]
    games: int
    equal: int

    @property
    def enough(self) -> int:
        """Cells, or cells judged together, that need no more games."""
        return sum(verdict.enough for verdict in self.verdicts)


def following(stored: Stored) -> tuple[int, ...] | None:
    """Replications of each cell after the next round; None if there is none.

    All games of the earlier rounds must be there.
    """
    until = stored.until
    if until is None:
        return None
    return decide(until, stored.plan.cells, stored.replications, scores_of(stored, until))


def standing(stored: Stored, until: Until) -> Standing:
    """How far an experiment is, by the games of its rounds that are there."""
    cells, ends = stored.plan.cells, stored.replications
    found = scores_of(stored, until)
    verdicts = judged(until, cells, ends, found)
    compared = {cell for verdict in verdicts if not until.best or len(verdict.cells) > 1 for cell in verdict.cells}
    each = _equal_best(until, cells, ends, found) if until.best else max((ends[cell] for cell in compared), default=0)
    rest = sum(n for cell, n in enumerate(ends) if cell not in compared)
    return Standing(verdicts, sum(ends), each * len(compared) + rest)


def told(until: Until, found: Standing) -> str:
    """How far an experiment is, in a line."""
    asked = until.goal if until.half_width is None else f"half_width {until.half_width:g}"
    things = {"half_width": "cells", "test": "cells", "pairs": "pairs", "best": "situations"}[until.goal]
    sides = "".join(
        f", {count:,} {says}" for says in ("more", "less") if (count := sum(v.says == says for v in found.verdicts))
    )
    return (
        f"until {asked} of {until.measure}: {found.enough:,} of {len(found.verdicts):,} {things} have games enough"
        f"{sides}; {found.games:,} games, where equal numbers for all cells would take {found.equal:,}"
    )


def enough_in(folder: str) -> str:
    """How far the experiment in a folder is, in a line; nothing of one to which no rounds are added."""
    stored = open_experiment(store_of(folder))
    return told(stored.until, standing(stored, stored.until)) if stored.until else ""


def scores_of(stored: Stored, until: Until) -> Sequence[Scores]:
    """How often each score came in each cell; of pairs that of each pair, in the order of `pairs_of`."""
    parameters: dict[str, Any] = {"ends": list(stored.replications)}
    sql, places = SINGLE, len(stored.plan.cells)
    if until.pairs:
        pairs = pairs_of(stored.plan.cells)
        parameters |= {"first": [one for one, _ in pairs], "second": [other for _, other in pairs]}
        sql, places = PAIRED, len(pairs)
    with queries.open(str(stored.store)) as archive, archive.errors():
        rows = archive.sql(sql.format(measure=MEASURES[until.measure]), parameters).fetchall()
    counts: list[dict[float, int]] = [{} for _ in range(places)]
    for place, score, count in rows:
        counts[place][score] = count
    return counts


# Another run may have begun the next round already: its games do not count.
COMPLETE = """
    ends as (select unnest($ends::bigint[]) as n, unnest(range(len($ends::bigint[]))) as cell),
    scored as (
        select cell, replication, ({measure})::double as score from games join ends using (cell) where replication < n
    )
"""

SINGLE = f"""
    with {COMPLETE}
    select cell, score, count(*) from scored where score is not null group by all order by all
"""

PAIRED = f"""
    with {COMPLETE},
    pairs as (
        select unnest(range(len($first::bigint[]))) as pair, unnest($first::bigint[]) as one,
               unnest($second::bigint[]) as other
    )
    select pair, (a.score + 1 - b.score) / 2 as score, count(*)
    from pairs join scored as a on a.cell = one join scored as b on b.cell = other and b.replication = a.replication
    group by all order by all
"""


def pairs_of(cells: Sequence[Cell]) -> list[tuple[int, int]]:
    """Cells in which two policies meet with sides changed, all else and the dice being equal."""
    place = {(*_situation(cell), cell.seed, cell.blue_policy, cell.red_policy): cell.number for cell in cells}
    found = []
    for cell in cells:
        other = place.get((*_situation(cell), cell.seed, cell.red_policy, cell.blue_policy))
        if other is not None and other > cell.number:
            found.append((cell.number, other))
    return found


def _situation(cell: Cell) -> tuple[str, str]:
    return cell.scenario, canonical(cell.factors)


def decide(until: Until, cells: Sequence[Cell], ends: Sequence[int], found: Sequence[Scores]) -> tuple[int, ...] | None:
    """Replications of each cell after the next round, given those of now and the scores; None if there is none."""
    if until.best:
        wanted = _allocated(until, cells, ends, found)
    else:
        wanted = np.array(ends, np.int64)
        for verdict in judged(until, cells, ends, found):
            if not verdict.enough:
                for cell in verdict.cells:
                    wanted[cell] = max(wanted[cell], grown(ends[cell], verdict.wanted))
    now = np.array(ends, np.int64)
    wanted = np.maximum(now, np.minimum(wanted, until.at_most))
    wanted = now + _within_budget(wanted - now, until.budget, int(now.sum()))
    return tuple(wanted.tolist()) if (wanted > now).any() else None


def grown(n: int, wanted: float) -> int:
    """Replications of a cell after a round, if it has n now and wants so many."""
    least, most = n + 1, max(n + 1, math.floor(n * MOST_GROWTH))
    return min(most, max(least, math.ceil(min(max(wanted, n * LEAST_GROWTH), most))))


def _within_budget(more: np.ndarray, budget: int | None, games: int) -> np.ndarray:
    """The games that are added to each cell; alike fewer of each if they would go beyond the budget."""
    total = int(more.sum())
    if budget is None or not total or games + total <= budget:
        return more
    return more * max(budget - games, 0) // total


def judged(until: Until, cells: Sequence[Cell], ends: Sequence[int], found: Sequence[Scores]) -> list[Verdict]:
    """What is known of every cell, or of cells that are judged together."""
    if until.best:
        return list(_judged_best(until, cells, ends, found))
    if until.pairs:
        test, groups, scores = until.pairs, pairs_of(cells), sequential.PAIR_SCORES
    elif until.test:
        test, groups, scores = until.test, [(cell.number,) for cell in cells], SCORES[until.measure]
    else:
        return [_judged_width(until, cell.number, ends, scores) for cell, scores in zip(cells, found, strict=True)]
    tests = max(1, len(groups)) if test.over_all else 1
    bounds = sequential.wald_bounds(test.alpha / tests, test.beta / tests)
    verdicts = []
    for group, counts in zip(groups, found, strict=True):
        n = ends[group[0]]
        ratio = _ratio(until, _in_order(counts, scores)) if counts else 0.0
        bound = bounds.upper if ratio > 0 else bounds.lower
        says = "undecided" if bounds.lower < ratio < bounds.upper else "more" if ratio > 0 else "less"
        # Without any game that counts there is nothing to learn from more.
        enough = says != "undecided" or not counts
        strength = sequential.pair_strength(_in_order(counts, scores)) if until.pairs and counts else None
        verdicts.append(Verdict(group, enough, n * bound / ratio if ratio else math.inf, says, ratio, strength))
    return verdicts


def _ratio(until: Until, counts: np.ndarray) -> float:
    if until.pairs:
        return sequential.elo_llr(counts, until.pairs.elo0, until.pairs.elo1)
    assert until.test
    return sequential.mean_llr(counts, SCORES[until.measure], until.test.p0, until.test.p1)


def _in_order(counts: Scores, scores: Sequence[float]) -> np.ndarray:
    return np.array([counts.get(score, 0) for score in scores])


def _judged_width(until: Until, cell: int, ends: Sequence[int], counts: Scores) -> Verdict:
    assert until.half_width
    scores = sorted(counts)
    width = sequential.half_width(_in_order(counts, scores), scores, of_share=until.measure in SHARES)
    enough = width <= until.half_width or not counts
    wanted = ends[cell] * (width / until.half_width) ** 2
    return Verdict((cell,), enough, wanted, "enough" if enough else "undecided", width)


# The best of each situation


class _Rivals(NamedTuple):
    """Cells whose policies compete, and what is known of each cell."""

    groups: list[list[int]]
    known: sequential.Alternatives
    games: np.ndarray


def _rivals(until: Until, cells: Sequence[Cell], ends: Sequence[int], found: Sequence[Scores]) -> _Rivals:
    assert until.best
    side = until.best.side
    groups: dict[tuple[str, ...], list[int]] = {}
    for cell in cells:
        enemy = cell.red_policy if side == "blue" else cell.blue_policy
        groups.setdefault((*_situation(cell), enemy), []).append(cell.number)
    number = np.zeros(len(cells), np.int64)
    for place, group in enumerate(groups.values()):
        number[group] = place
    counted = np.array([sum(counts.values()) for counts in found], np.int64)
    hits = np.array([sum(score * count for score, count in sorted(counts.items())) for counts in found])
    hits = hits if side == "blue" else counted - hits
    return _Rivals(list(groups.values()), sequential.share_alternatives(hits, counted, number), counted)


def _judged_best(
    until: Until, cells: Sequence[Cell], ends: Sequence[int], found: Sequence[Scores]
) -> Iterator[Verdict]:
    assert until.best
    rivals = _rivals(until, cells, ends, found)
    sure = sequential.surety(rivals.known, rivals.games, until.best.within)
    best = sequential.best_of(rivals.known)
    for group in rivals.groups:
        chosen = cells[best[group[0]]]
        name = chosen.blue_policy if until.best.side == "blue" else chosen.red_policy
        surety = float(sure[group[0]])
        yield Verdict(tuple(group), surety >= until.best.sure, math.inf, name, surety)


def _allocated(until: Until, cells: Sequence[Cell], ends: Sequence[int], found: Sequence[Scores]) -> np.ndarray:
    """Games where they decide most, among the cells whose best policy is not sure enough."""
    assert until.best
    rivals = _rivals(until, cells, ends, found)
    now = np.array(ends, np.int64)
    weights = sequential.weights(rivals.known, until.best.within)
    unsure = np.zeros(len(cells), bool)
    for verdict in _judged_best(until, cells, ends, found):
        unsure[list(verdict.cells)] = not verdict.enough
    weights = np.where(unsure, weights, 0.0)
    more = max(int(unsure.sum()), math.floor(int(now[unsure].sum()) * (MOST_GROWTH - 1)))
    return sequential.filled(now, weights, int(now.sum()) + more, np.full(len(now), until.at_most))


def _equal_best(until: Until, cells: Sequence[Cell], ends: Sequence[int], found: Sequence[Scores]) -> int:
    """Games of each cell that would have made each best as sure, if all had equally many."""
    assert until.best
    rivals = _rivals(until, cells, ends, found)
    sure = np.minimum(sequential.surety(rivals.known, rivals.games, until.best.within), until.best.sure)
    most = max(until.at_most if until.budget is None else until.budget, max(ends, default=0))
    return sequential.equal_games(rivals.known, sure, until.best.within, most)
