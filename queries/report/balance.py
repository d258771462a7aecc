"""Who is better off: payoffs, values of games, and ratings. All from games, by replication."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from queries import stats
from queries.report.asked import Asked, Cell, number
from queries.report.model import (
    Balance,
    Best,
    Number,
    Outcome,
    Pairing,
    Rating,
    Ratings,
    Weight,
)

SEED = 1
"""Of the bootstrap: equal archives give equal reports."""


def base_cells(cells: Sequence[Cell]) -> list[Cell]:
    """The first cell of each pairing: where factors are swept, the base point; blue policies come in their order."""
    first: dict[tuple[str, str], Cell] = {}
    for cell in cells:
        first.setdefault((cell.blue, cell.red), cell)
    return list(first.values())


def pairings(asked: Asked, cells: Sequence[Cell]) -> list[Pairing]:
    """What became of each of these cells, in their order."""
    rows = {row["cell"]: row for row in asked.rows("win_rates", scenario=cells[0].scenario)}
    return [_pairing(cell, rows.get(cell.number)) for cell in cells]


def _pairing(cell: Cell, row: dict[str, Any] | None) -> Pairing:
    count = row or dict.fromkeys(("games", "failed", "blue_wins", "red_wins", "draws"), 0)
    share = stats.wilson(count["blue_wins"] + count["draws"] / 2, count["games"])
    return Pairing(
        cell=cell.number, red=cell.red, blue=cell.blue, games=count["games"], failed=count["failed"],
        blue_wins=count["blue_wins"], red_wins=count["red_wins"], draws=count["draws"],
        payoff=number(share.value, share.low, share.high, count["games"]),
    )  # fmt: skip


def balance(asked: Asked, cells: Sequence[Cell], found: Sequence[Pairing]) -> Balance | None:
    """The balance of a scenario from the pairings of its base cells; None before a game has ended."""
    played = [cell for cell, pairing in zip(cells, found, strict=True) if pairing.games]
    if not played:
        return None
    remarks = []
    if len(played) < len(cells):
        remarks.append(f"{len(cells) - len(played)} of {len(cells)} pairings have no game yet and are left out.")
    value, blue, red = _value(asked, played, remarks)
    best = _best_of_each(asked, played) if _director(asked, cells) else ()
    shown = _featured(played, best, blue, red)
    return Balance(
        source=asked.source("win_rates", shown.number, scenario=cells[0].scenario), featured=shown.number,
        uniform=_uniform(asked, played, asked.games.score)[0], value=value, blue_mixture=blue, red_mixture=red,
        best=best, pairings=tuple(found), remark=" ".join(remarks),
    )  # fmt: skip


def _director(asked: Asked, cells: Sequence[Cell]) -> str | None:
    """What is to be said where red does not choose its policy (`sim.game.Rulebook.director`); None where it does."""
    (row,) = asked.sql("select director($rulebook) as said", rulebook=cells[0].rulebook)
    return row["said"]


def _uniform(asked: Asked, cells: Sequence[Cell], *measures: stats.Floats) -> list[Number]:
    """Of each measure the mean over the cells of their means, with the interval over replications."""
    tables = [values[:, [cell.number for cell in cells]] for values in measures]
    dice = asked.dice(cells) * len(tables)
    samples = np.split(stats.resampled_means(np.hstack(tables), seed=SEED, dice=dice), len(tables), axis=1)
    n = np.isfinite(tables[0]).sum(axis=0)
    found = []
    for table, sampled in zip(tables, samples, strict=True):
        low, high = stats.spread(sampled.mean(axis=1)) if n.min() > 1 else (np.nan, np.nan)
        found.append(_sure((np.nansum(table, axis=0) / n).mean(), low, high, n.sum(), n.max()))
    return found


def _sure(value: Any, low: Any, high: Any, n: Any, replications: Any) -> Number:
    """A share with its bootstrap interval. Games that all ended alike leave a bootstrap without any spread: they have
    Wilson's interval, with no more trials than replications, for cells share their dice.
    """
    if high - low < stats.EXACT:
        _, low, high, _ = stats.wilson(np.clip(value, 0, 1) * replications, replications)
    return number(value, low, high, n)


def _value(asked: Asked, cells: Sequence[Cell], remarks: list[str]) -> tuple[Number | None, Any, Any]:
    """Value of the game and the mixtures, where both sides choose and every pairing has been played."""
    if director := _director(asked, cells):
        remarks.append(director)
        return None, (), ()
    blue, red = (list(dict.fromkeys(names)) for names in zip(*((c.blue, c.red) for c in cells), strict=True))
    by_pairing = {(cell.blue, cell.red): cell for cell in cells}
    if len(cells) < 2:
        return None, (), ()
    if len(by_pairing) < len(blue) * len(red):
        remarks.append("Not every policy met every other, so the game has no matrix and no value.")
        return None, (), ()
    ordered = [by_pairing[one, other] for one in blue for other in red]
    scores = asked.games.score[:, [cell.number for cell in ordered]]
    value, found = stats.value_of_game(scores, (len(blue), len(red)), seed=SEED, times=1_000, dice=asked.dice(ordered))
    shown = _sure(*value, np.isfinite(scores).sum(axis=0).max())
    return shown, _weights(blue, found.rows), _weights(red, found.columns)


def _weights(names: Sequence[str], mixture: stats.Floats) -> tuple[Weight, ...]:
    played = [Weight(policy=name, weight=float(weight)) for name, weight in zip(names, mixture, strict=True) if weight]
    return tuple(sorted(played, key=lambda it: -it.weight))


def _best_of_each(asked: Asked, cells: Sequence[Cell]) -> tuple[Best, ...]:
    return tuple(
        _best(asked, [cell for cell in cells if cell.red == red]) for red in dict.fromkeys(cell.red for cell in cells)
    )


def _best(asked: Asked, cells: Sequence[Cell]) -> Best:
    scores = asked.games.score[:, [cell.number for cell in cells]]
    found = stats.best(scores, seed=SEED, times=1_000, dice=asked.dice(cells))
    own = scores[:, found.index]
    share = stats.wilson(np.nansum(own), np.isfinite(own).sum())
    payoff = number(share.value, share.low, share.high, share.n)
    return Best(red=cells[0].red, blue=cells[found.index].blue, payoff=payoff, how_sure=found.how_sure)


def _featured(cells: Sequence[Cell], best: Sequence[Best], blue: Sequence[Weight], red: Sequence[Weight]) -> Cell:
    """The pairing that a scenario's figures show: the policies that count most in both mixtures; where red's are
    difficulties, the best of blue against the one that comes nearest to even.
    """
    wanted = cells[0].blue, cells[0].red
    if best:
        closest = min(best, key=lambda it: abs((it.payoff.value or 0.0) - 0.5))
        wanted = closest.blue, closest.red
    elif blue and red:
        wanted = blue[0].policy, red[0].policy
    return next(cell for cell in cells if (cell.blue, cell.red) == wanted)


def outcomes(asked: Asked, cells: Sequence[Cell]) -> tuple[Outcome, ...]:
    """How games end, over all pairings alike, in the order of the question `outcomes`."""
    games = asked.games
    order = list(dict.fromkeys(row["outcome"] for row in asked.rows("outcomes", scenario=cells[0].scenario)))
    with_it = [games.outcome == (games.outcomes.index(name) if name in games.outcomes else -2) for name in order]
    shares = _uniform(asked, cells, *(np.where(games.outcome >= 0, it, np.nan) for it in with_it)) if order else ()
    columns = [cell.number for cell in cells]
    return tuple(
        Outcome(outcome=name, share=share, count=int(it[:, columns].sum()))
        for name, share, it in zip(order, shares, with_it, strict=True)
    )


def ratings(asked: Asked, cells: Sequence[Cell]) -> Ratings | None:
    """Elo of a rulebook's policies over the base cells of its scenarios; None unless some play on both sides."""
    rulebook = cells[0].rulebook
    reds, blues = {cell.red for cell in cells}, {cell.blue for cell in cells}
    if _director(asked, cells) or len(reds | blues) < 2 or not reds & blues:
        return None
    names, boards = sorted(reds | blues), list(dict.fromkeys(cell.scenario for cell in cells))
    scores = asked.games.score[:, [cell.number for cell in cells]]
    if np.nanmin(scores) == np.nanmax(scores):
        return None  # nobody won what others did not
    blue, red = ([names.index(name) for name in side] for side in zip(*((c.blue, c.red) for c in cells), strict=True))
    board = [boards.index(cell.scenario) for cell in cells]
    found = stats.elo(scores, blue, red, board, seed=SEED, times=1_000, dice=asked.dice(cells))
    of_policies = [[scores[:, np.equal(blue, k)], 1 - scores[:, np.equal(red, k)]] for k in range(len(names))]
    of_boards = [[scores[:, np.equal(board, k)]] for k in range(len(boards))]
    return Ratings(
        rulebook=rulebook,
        source=asked.source("win_rates"),
        policies=tuple(sorted(_rated(names, found.policies, of_policies), key=lambda it: -(it.points.value or 0.0))),
        advantages=tuple(_rated(boards, found.advantages, of_boards)),
    )


def _rated(names: Sequence[str], points: stats.Estimate, scores: Sequence[Sequence[stats.Floats]]) -> list[Rating]:
    """Points by name. Who won all his games, or lost them all, has no bound on that side, and so no interval."""
    found = []
    for name, value, low, high, n, own in zip(names, *points, scores, strict=True):
        mean = np.nanmean(np.concatenate([it.ravel() for it in own]))
        bounded = 0 < mean < 1
        found.append(Rating(name=name, points=number(value, low if bounded else None, high if bounded else None, n)))
    return found


def level_name(level: Any) -> str:
    """A factor's level as an experiment file has it."""
    if isinstance(level, bool):
        return str(level).lower()
    return f"{level:.10g}" if isinstance(level, int | float) else str(level)
