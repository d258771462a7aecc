"""`Asked`: one experiment of an archive, asked for the figures of a report, each with the command that repeats it."""

import math
import shlex
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from queries.archive import Archive
from queries.catalog import Experiment
from queries.report.model import Number, Source, Told
from queries.stats import Floats, Integers

ABOUT_CELLS = {"experiment", "cell", "content", "rulebook", "scenario", "red_policy", "blue_policy", "seed"}
"""Columns of ``cells`` that are no factors."""

GAMES = """
    select
        cell, replication, outcome, margin::double as margin,
        case winner when 'blue' then 1.0 when 'draw' then 0.5 else 0.0 end as score
    from games
"""

MEASURES = {
    "margin": "margin",
    "losses": "coalesce(axis_units_lost, red_men_lost + blue_men_lost, red_armour_lost + blue_armour_lost)",
    "armour lost": "red_armour_lost + blue_armour_lost",
    "blue territory": "blue_territory",
}
"""By what games are worth telling, as SQL over ``games``."""

WORTH_TELLING = f"""
    select replication, {", ".join(f'({sql})::double as "{name}"' for name, sql in MEASURES.items())}
    from games where cell = $cell order by replication
"""


class Cell(NamedTuple):
    """A cell of the experiment: ``factors`` are its levels by path, ``seed`` says which dice it shares."""

    number: int
    rulebook: str
    scenario: str
    red: str
    blue: str
    factors: dict[str, Any]
    seed: int


class Games(NamedTuple):
    """All games of the experiment, each array (replications, cells); ``nan`` or -1 where there is no game.

    ``score`` is 1 where blue won, 0 where red did, 1/2 for a draw; ``outcome`` an index of ``outcomes``.
    """

    score: Floats
    margin: Floats
    outcome: Integers
    outcomes: tuple[str, ...]


class Asked:
    """An experiment to be asked. ``folder`` is what the reader of the report calls its folder."""

    def __init__(self, archive: Archive, experiment: Experiment, folder: str) -> None:
        self.archive = archive
        self.experiment = experiment
        self.folder = folder
        self._by_cell: dict[int, list[dict[str, Any]]] = {}

    def rows(self, question: str, **parameters: Any) -> list[dict[str, Any]]:
        """The rows that answer a question."""
        with self.archive.errors():
            return _rows(self.archive.question(question, **parameters))

    def sql(self, text: str, **parameters: Any) -> list[dict[str, Any]]:
        """The rows that answer a query."""
        with self.archive.errors():
            return _rows(self.archive.sql(text, parameters or None))

    def source(self, question: str, cell: int | None = None, measure: str = "margin", **parameters: Any) -> Source:
        """The source of a figure: its question, and games of a cell worth telling by a measure."""
        pairs = [word for name, value in parameters.items() for word in ("--param", f"{name}={value}")]
        command = _command("query", question, self.folder, *pairs)
        return Source(question=question, command=command, games=() if cell is None else self._told(cell, measure))

    def _told(self, cell: int, measure: str) -> tuple[Told, ...]:
        """The typical game is nearest to the median, the extreme one farthest from it; of equals the first."""
        games = [(row[measure], row["replication"]) for row in self._measured(cell) if row[measure] is not None]
        if not games:
            return ()
        median = float(np.median([value for value, _ in games]))
        typical = min(games, key=lambda game: abs(game[0] - median))
        extreme = max(games, key=lambda game: abs(game[0] - median))
        return tuple(
            Told(
                why=why, measure=measure, value=value, cell=cell, replication=number, command=self.replay(cell, number)
            )
            for why, (value, number) in {"typical": typical, "extreme": extreme}.items()
            if why == "typical" or extreme != typical
        )

    def _measured(self, cell: int) -> list[dict[str, Any]]:
        if cell not in self._by_cell:
            self._by_cell[cell] = self.sql(WORTH_TELLING, cell=cell)
        return self._by_cell[cell]

    def replay(self, cell: int, replication: int) -> str:
        """The command that plays a game again."""
        return _command("replay", self.folder, "--cell", str(cell), "--replication", str(replication))

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, by number, which is also their column in `games`."""
        return tuple(
            Cell(
                row["cell"], row["rulebook"], row["scenario"], row["red_policy"], row["blue_policy"],
                {name: level for name, level in row.items() if name not in ABOUT_CELLS}, row["seed"],
            )
            for row in self.sql("from cells order by cell")
        )  # fmt: skip

    @cached_property
    def games(self) -> Games:
        """All games, by replication and cell."""
        with self.archive.errors():
            found = self.archive.sql(GAMES).fetchnumpy()
        cell, replication = (np.asarray(found[key], np.int64) for key in ("cell", "replication"))
        shape = (int(replication.max(initial=-1)) + 1, max((it.number for it in self.cells), default=-1) + 1)
        at = replication, cell
        score, margin, outcome = np.full(shape, np.nan), np.full(shape, np.nan), np.full(shape, -1)
        score[at] = np.ma.filled(found["score"], np.nan)
        margin[at] = np.ma.filled(found["margin"], np.nan)
        names, outcome[at] = np.unique(np.ma.filled(found["outcome"], "").astype(str), return_inverse=True)
        return Games(score, margin, outcome, tuple(map(str, names)))

    def n_games(self, cell: Cell) -> int:
        """Games of a cell that came to an end."""
        return int(np.isfinite(self.games.score[:, cell.number]).sum())

    def has_games(self, cell: Cell) -> bool:
        """Whether a game of the cell came to an end."""
        return self.n_games(cell) > 0

    def dice(self, cells: Sequence[Cell]) -> list[int]:
        """Which dice each cell was rolled with: cells with equal numbers share theirs."""
        number = {seed: place for place, seed in enumerate(dict.fromkeys(cell.seed for cell in self.cells))}
        return [number[cell.seed] for cell in cells]

    @cached_property
    def _inputs(self) -> dict[int, dict[str, str]]:
        plan = self.archive.stored(self.experiment, "plan") or {"cells": []}
        return {cell["number"]: cell["inputs"] for cell in plan["cells"] if "inputs" in cell}

    def document(self, cell: int, kind: str) -> dict[str, Any]:
        """The scenario, map or rules of a cell, as they were played; empty if the archive does not have it."""
        name = self._inputs.get(cell, {}).get(kind)
        return (self.archive.stored(self.experiment, name) if name else None) or {}


def _command(*words: str) -> str:
    return shlex.join(["duosuan", *words])


def _rows(relation: Any) -> list[dict[str, Any]]:
    columns = relation.columns
    return [dict(zip(columns, row, strict=True)) for row in relation.fetchall()]


def number(value: Any, low: Any, high: Any, n: Any) -> Number:
    """A number of the model; what is not finite is None."""
    return Number(value=plain(value), low=plain(low), high=plain(high), n=int(n))


def plain(value: Any) -> float | None:
    """A number as plain Python has it; None for null and what is not finite."""
    return None if value is None or not math.isfinite(float(value)) else float(value)
