"""What the factors of a scenario change: alone, two together, and as shares of the variance. All by replication."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from queries import effects as estimates
from queries import stats
from queries.report.asked import Asked, Cell, number, plain
from queries.report.balance import level_name
from queries.report.model import Effect, Effects, Index, Interaction

T = TypeVar("T", Effect, Interaction)

PAIRED = (
    "Each replication is compared with itself, the same dice at both levels. p is corrected for all that was tested."
)

OPTIONS = "options."
"""How paths of factors begin that are readings of the rules."""

MOST_SHOWN = 12
"""Interactions that a report has: the strongest."""
MOST_PAIRS = 2_000
"""Pairs of levels whose interaction is looked for; a design with more is too large to look at each."""


def effects(asked: Asked, cells: Sequence[Cell], shown: Cell) -> Effects | None:
    """What the factors of a scenario change; None where none was varied. Games of the cell ``shown`` are named."""
    found = list(_compared(asked, cells))
    compared = {effect.factor for effect in found}
    together = list(_together(asked, cells, compared))
    varied = _points(asked, cells, compared)
    if varied:
        found += _regressed(varied)
        together += _crossed(varied)
    if not found:
        return None
    corrected = stats.holm([np.nan if it.p is None else it.p for it in (*found, *together)])
    together = _strongest(together, corrected[len(found) :])
    found = _strongest(found, corrected[: len(found)])
    readings = tuple(it for it in found if it.factor.startswith(OPTIONS))
    indices, explained = _indices(asked, cells)
    return Effects(
        source=asked.source("win_rates", shown.number, scenario=cells[0].scenario),
        readings=readings, others=tuple(it for it in found if it not in readings),
        interactions=tuple(together[:MOST_SHOWN]), interactions_tested=len(together),
        indices=indices, explained=explained, remark=PAIRED,
    )  # fmt: skip


def _strongest(found: Sequence[T], corrected: stats.Floats) -> list[T]:
    """The same with corrected p-values, the strongest first."""
    replaced = [it.model_copy(update={"p": plain(p)}) for it, p in zip(found, corrected, strict=True)]
    return sorted(replaced, key=lambda it: -abs(it.payoff.value or 0.0))


# Levels that were tried with all else equal


def _compared(asked: Asked, cells: Sequence[Cell]) -> Iterator[Effect]:
    """Effects of factors all of whose levels were tried with all else equal, against the level of the first cell.

    Where only some were, a design that varies all at once happened to come upon them.
    """
    contexts = {(name, level): _contexts(cells, {name: level}) for name, level in _other_levels(cells)}
    partly = {name for (name, _), pairs in contexts.items() if not pairs}
    for (name, level), pairs in contexts.items():
        if name in partly:
            continue
        score, margin = _paired(asked.games.score, pairs), _paired(asked.games.margin, pairs)
        yield Effect(
            factor=name, base=level_name(cells[0].factors[name]), level=level_name(level), how="paired",
            contexts=len(pairs), payoff=number(*score[:4]), margin=number(*margin[:4]), p=plain(score.p),
            reduction=plain(score.reduction), standard=None,
        )  # fmt: skip


def _together(asked: Asked, cells: Sequence[Cell], compared: set[str]) -> Iterator[Interaction]:
    """Interactions of each two factors whose levels were tried together, alone and not at all, all else equal."""
    levels = [(name, level) for name, level in _other_levels(cells) if name in compared]
    if len(levels) ** 2 / 2 > MOST_PAIRS:
        return
    for (one, first), (other, second) in itertools.combinations(levels, 2):
        groups = _contexts(cells, {one: first, other: second}) if one != other else []
        if not groups:
            continue
        found = estimates.interaction(*(asked.games.score[:, list(column)] for column in zip(*groups, strict=True)))
        yield Interaction(
            factors=(one, other), levels=(level_name(first), level_name(second)), how="paired", contexts=len(groups),
            payoff=number(*found[:4]), p=plain(found.p),
        )  # fmt: skip


def _other_levels(cells: Sequence[Cell]) -> Iterator[tuple[str, Any]]:
    """Each factor with each of its levels but that of the first cell."""
    for name, base in cells[0].factors.items():
        for level in dict.fromkeys(cell.factors[name] for cell in cells):
            if level != base and level is not None and base is not None:
                yield name, level


def _contexts(cells: Sequence[Cell], changed: dict[str, Any]) -> list[tuple[int, ...]]:
    """Cells that differ in these factors only: all at their base, then the first changed, the second, and both."""

    def rest(cell: Cell) -> tuple:
        return cell.red, cell.blue, *(value for key, value in cell.factors.items() if key not in changed)

    at: list[dict[tuple, int]] = []
    for which in itertools.product((False, True), repeat=len(changed)):
        wanted = {
            name: changed[name] if new else cells[0].factors[name]
            for name, new in zip(changed, reversed(which), strict=True)
        }
        at.append({rest(it): it.number for it in cells if all(it.factors[key] == wanted[key] for key in wanted)})
    return [tuple(cells_of[key] for cells_of in at) for key in at[-1] if all(key in cells_of for cells_of in at)]


def _paired(values: stats.Floats, pairs: Sequence[tuple[int, ...]]) -> stats.Paired:
    """The paired difference of two levels, over all contexts alike."""
    first, second = zip(*pairs, strict=True)
    return stats.paired(values[:, first].mean(axis=1), values[:, second].mean(axis=1))


# Factors that were varied all at once


class _Points(NamedTuple):
    """Design points that every pairing was played at: levels, and the outcomes (replications, points) over pairings."""

    names: list[str]
    levels: list[tuple]
    score: stats.Floats
    margin: stats.Floats


class _Column(NamedTuple):
    """A column of a regression: a numeric factor, or of another one whether it has a certain level."""

    factor: str
    base: str
    level: str
    values: list[float]


def _points(asked: Asked, cells: Sequence[Cell], left_out: set[str]) -> _Points | None:
    """The points of a scenario, by the factors that vary and are not left out; None if none does."""
    by_pairing: dict[tuple[str, str], dict[tuple, int]] = {}
    for cell in cells:
        by_pairing.setdefault((cell.red, cell.blue), {})[tuple(cell.factors.values())] = cell.number
    first, *others = by_pairing.values()
    points = [point for point in first if all(point in other for other in others)]
    places = [
        (place, name)
        for place, name in enumerate(cells[0].factors)
        if name not in left_out and len({point[place] for point in points}) > 1
    ]
    if not places:
        return None
    numbers = np.array([[cells_of[point] for point in points] for cells_of in by_pairing.values()])
    return _Points(
        [name for _, name in places],
        [tuple(point[place] for place, _ in places) for point in points],
        asked.games.score[:, numbers].mean(axis=1),
        asked.games.margin[:, numbers].mean(axis=1),
    )


def _columns(points: _Points) -> list[_Column]:
    found = []
    for name, levels in zip(points.names, zip(*points.levels, strict=True), strict=True):
        first, *others = dict.fromkeys(levels)
        if all(isinstance(level, int | float) and not isinstance(level, bool) for level in levels):
            found.append(_Column(name, f"{min(levels):g}", f"{max(levels):g}", [float(level) for level in levels]))
        else:
            found += [
                _Column(name, level_name(first), level_name(other), [float(level == other) for level in levels])
                for other in others
            ]
    return found


def _regressed(points: _Points) -> Iterator[Effect]:
    """Effects of factors that were varied all at once, by regression within replications."""
    columns = _columns(points)
    design = np.array([column.values for column in columns]).T
    if len(design) < len(columns) + 2:
        return
    try:
        score, standard = estimates.slopes(design, points.score)
        margin, _ = estimates.slopes(design, points.margin)
    except ValueError:  # the factors moved as one: nothing can be said of each
        return
    reach = np.ptp(design, axis=0)
    for k, column in enumerate(columns):
        yield Effect(
            factor=column.factor, base=column.base, level=column.level, how="regression", contexts=len(design),
            payoff=_over(score, k, reach[k]), margin=_over(margin, k, reach[k]), p=plain(score.p[k]), reduction=None,
            standard=plain(standard[k]),
        )  # fmt: skip


def _crossed(points: _Points) -> Iterator[Interaction]:
    """Interactions of factors that were varied all at once, where there are points enough to tell them."""
    columns = _columns(points)
    design = np.array([column.values for column in columns]).T
    crossed, pairs = estimates.crossed(design, [column.factor for column in columns])
    if not pairs or len(crossed) < crossed.shape[1] + 2:
        return
    try:
        score, _ = estimates.slopes(crossed, points.score)
    except ValueError:  # some products moved as one
        return
    reach = np.ptp(design, axis=0)
    for k, (i, j) in enumerate(pairs, len(columns)):
        one, other = columns[i], columns[j]
        yield Interaction(
            factors=(one.factor, other.factor), levels=(one.level, other.level), how="regression",
            contexts=len(design), payoff=_over(score, k, reach[i] * reach[j]), p=plain(score.p[k]),
        )  # fmt: skip


def _over(found: stats.Paired, k: int, reach: float) -> Any:
    return number(found.value[k] * reach, found.low[k] * reach, found.high[k] * reach, found.n[k])


def _indices(asked: Asked, cells: Sequence[Cell]) -> tuple[tuple[Index, ...], float | None]:
    """Shares of the variance of the payoff that factors make, the greatest first, and how far they can be believed."""
    points = _points(asked, cells, set())
    if points is None or len(points.names) < 2 or _one_at_a_time(points.levels):
        return (), None
    found = estimates.indices(list(zip(*points.levels, strict=True)), points.score)
    if found is None or not np.isfinite(found.total.value).all():
        return (), None
    each = [
        Index(
            factor=name,
            **{
                key: number(it.value[k], it.low[k], it.high[k], it.n[k])
                for key, it in (("first", found.first), ("total", found.total))
            },
        )
        for k, name in enumerate(points.names)
    ]
    return tuple(sorted(each, key=lambda it: -(it.total.value or 0.0))), plain(found.explained)


def _one_at_a_time(levels: Sequence[tuple]) -> bool:
    """Whether no point differs from the first in more than one factor: then nothing is known of two together."""
    return all(sum(a != b for a, b in zip(point, levels[0], strict=True)) < 2 for point in levels)
