"""Drift: what is different between two nights, and whether it is more than luck and more than may be.

Cells are matched by scenario, pairing and design point. Where both nights rolled the same dice, a difference is taken
game by game; else between the two means. All that was tested is corrected together (Holm). A difference is an
**alarm** if it is significant and larger than the tolerance.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from queries.archive import Archive
from queries.stats import Paired, holm, paired, unpaired

SIGNIFICANT = 0.05
"""P-value, after Holm's correction, below which a difference is not luck."""


class Measure(NamedTuple):
    """A headline measure of a game: what it is in SQL, and whether its tolerance is a share of what it was before."""

    sql: str
    relative: bool
    tolerance: float


MEASURES = {
    "payoff": Measure("case winner when 'blue' then 1.0 when 'draw' then 0.5 else 0.0 end", False, 0.05),
    "blue_territory": Measure("blue_territory", True, 0.1),
    "red_men_lost": Measure("red_men_lost", True, 0.1),
    "blue_men_lost": Measure("blue_men_lost", True, 0.1),
    "red_armour_lost": Measure("red_armour_lost", True, 0.1),
    "blue_armour_lost": Measure("blue_armour_lost", True, 0.1),
}
"""Headline measures by name. ``payoff`` is 1 where blue wins, a half for a draw."""

NAMES = ("rulebook", "scenario", "red_policy", "blue_policy")


class Difference(NamedTuple):
    """A measure of a cell on two nights; ``p`` is corrected for all that was tested, ``n`` the fewer games."""

    cell: dict[str, Any]
    measure: str
    before: float
    after: float
    difference: float
    low: float
    high: float
    n: int
    p: float
    tolerance: float
    alarm: bool


class Drift(NamedTuple):
    """Two nights compared: who they are, whether they rolled the same dice, and every difference, alarms first.

    ``only_before`` and ``only_after`` are cells that the other night has not played.
    """

    before: dict[str, Any]
    after: dict[str, Any]
    same_dice: bool
    differences: list[Difference]
    only_before: list[dict[str, Any]]
    only_after: list[dict[str, Any]]

    @property
    def alarms(self) -> list[Difference]:
        """The differences that are more than luck and more than may be."""
        return [found for found in self.differences if found.alarm]

    def as_document(self) -> dict[str, Any]:
        """All of it as plain data for JSON, with the number of alarms."""
        return {
            "before": self.before["experiment"],
            "after": self.after["experiment"],
            "same_dice": self.same_dice,
            "alarms": len(self.alarms),
            "differences": [
                {name: None if value != value else value for name, value in found._asdict().items()}
                for found in self.differences
            ],
            "only_before": self.only_before,
            "only_after": self.only_after,
        }


class Played(NamedTuple):
    """What is compared of a night: of each cell, by what it is, the measures (replications, measures)."""

    about: dict[str, Any]
    cells: dict[str, np.ndarray]


def compare(
    before: Played, after: Played, tolerances: Mapping[str, float] | None = None, significant: float = SIGNIFICANT
) -> Drift:
    """The drift from one night to another; ``tolerances`` replace those of `MEASURES`.

    Replications that only one night has, and games that failed, have no part in it.
    """
    allowed = {name: measure.tolerance for name, measure in MEASURES.items()} | dict(tolerances or {})
    same_dice = before.about["seed"] == after.about["seed"]
    compared = [
        (cell, measure, *_compared(before.cells[cell][:, i], after.cells[cell][:, i], same_dice))
        for cell in after.cells
        if cell in before.cells
        for i, measure in enumerate(MEASURES)
    ]
    compared = [row for row in compared if np.isfinite(row[2])]
    corrected = holm([float(row[4].p) for row in compared])
    differences = []
    for (cell, measure, was, now, found), p in zip(compared, corrected.tolist(), strict=True):
        tolerance = allowed[measure] * (abs(was) if MEASURES[measure].relative else 1.0)
        value = float(found.value)
        alarm = bool(p < significant and abs(value) > tolerance)
        differences.append(
            Difference(json.loads(cell), measure, was, now, value, float(found.low), float(found.high), int(found.n),
                       p, tolerance, alarm)
        )  # fmt: skip
    differences.sort(key=lambda row: (not row.alarm, row.p, -abs(row.difference)))
    return Drift(
        before.about,
        after.about,
        same_dice,
        differences,
        [json.loads(cell) for cell in before.cells if cell not in after.cells],
        [json.loads(cell) for cell in after.cells if cell not in before.cells],
    )


def _compared(before: np.ndarray, after: np.ndarray, same_dice: bool) -> tuple[float, float, Paired]:
    """Both means, and their difference with its interval; ``nan`` where a rulebook has no such measure."""
    if same_dice:
        n = min(len(before), len(after))
        before, after = before[:n], after[:n]
        there = np.isfinite(before) & np.isfinite(after)
        before, after = before[there], after[there]
    else:
        before, after = before[np.isfinite(before)], after[np.isfinite(after)]
    if not len(before) or not len(after):
        return np.nan, np.nan, unpaired(before, after)
    return float(before.mean()), float(after.mean()), (paired if same_dice else unpaired)(before, after)


def played(archive: Archive) -> Played:
    """What is compared of the one experiment that an archive holds."""
    (experiment,) = archive.sql("from experiments").to_arrow_table().to_pylist()
    cells = archive.sql("from cells order by cell").to_arrow_table()
    factors = [name for name in cells.column_names if name not in (*NAMES, "experiment", "cell", "content", "seed")]
    whats = {}
    for row in cells.to_pylist():
        point = {name: row[name] for name in factors if row[name] is not None}
        whats[row["cell"]] = json.dumps({name: row[name] for name in NAMES} | point)
    columns = ", ".join(f"({measure.sql})::double as {name}" for name, measure in MEASURES.items())
    games = archive.sql(f"select cell, replication, {columns} from games order by cell, replication").to_arrow_table()
    return Played(experiment, {what: _matrix(games, cell) for cell, what in whats.items()})


def _matrix(games: pa.Table, cell: int) -> np.ndarray:
    """The measures of a cell's games by replication; ``nan`` for a game that is not there."""
    number = games["cell"].to_numpy()
    first, last = np.searchsorted(number, [cell, cell + 1])
    rows = games.slice(first, last - first)
    replication = rows["replication"].to_numpy()
    matrix = np.full((replication.max() + 1 if len(replication) else 0, len(MEASURES)), np.nan)
    for i, measure in enumerate(MEASURES):
        matrix[replication, i] = rows[measure].to_numpy()
    return matrix
