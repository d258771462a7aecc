"""The summary at the end of a run: how complete, who won how often, what failed; on one screen."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

import queries
from queries.archive import Archive
from queries.formats import print_table

MOST_CELLS = 30

PLACES = "select cell, avg(blue_territory) from games group by all"
FAULTS = """
    select fault, count(*) as n, arg_min(cell, (cell, replication)), arg_min(replication, (cell, replication))
    from failed_games group by all order by n desc, fault
"""
KNOWN = {"experiment", "cell", "scenario", "red_policy", "blue_policy"}


def print_summary(folder: Path | str, file: TextIO | None = None) -> None:
    """Prints the summary of an experiment, given its folder, to stdout or a file.

    Raises `BadInput` if there is no such experiment or a file of it is damaged.
    """
    out = file or sys.stdout
    with queries.open(str(folder)) as archive, archive.errors():
        for experiment, label, done, planned, failed in archive.sql(
            "select experiment, label, games, games_planned, failed from experiments"
        ).fetchall():
            state = "complete" if done == planned else "not complete"
            name = f"{experiment} ({label})" if label else experiment
            print(f"{name}: {done:,} of {planned:,} games, {state}; {failed:,} failed", file=out)
        _print_cells(archive, out)
        for fault, n, cell, replication in archive.sql(FAULTS).fetchall():
            print(f"failed: {fault} in {n:,} games, first in cell {cell}, replication {replication}", file=out)
    print(f"more: duosuan list questions; duosuan query QUESTION {folder}", file=out)


def _print_cells(archive: Archive, out: TextIO) -> None:
    relation = archive.question("win_rates")
    cells = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
    if not cells:
        return
    places: dict[int, float | None] = dict(archive.sql(PLACES).fetchall())
    factors = [name for name in list(cells[0])[: list(cells[0]).index("games")] if name not in KNOWN]
    columns = ["scenario", "blue", "red", *factors, "games", "blue wins", "95 %", "draws", "blue places"]
    rows = [_row(cell, factors, places.get(cell["cell"])) for cell in cells[:MOST_CELLS]]
    print_table(columns, rows, out)
    if len(cells) > MOST_CELLS:
        print(f"and {len(cells) - MOST_CELLS:,} more cells: ask win_rates", file=out)


def _row(cell: dict[str, Any], factors: Sequence[str], places: float | None) -> list[Any]:
    interval = None if cell["games"] == 0 else f"{_percent(cell['blue_low'])} – {_percent(cell['blue_high'])}"
    return [
        cell["scenario"],
        cell["blue_policy"],
        cell["red_policy"],
        *(cell[name] for name in factors),
        cell["games"],
        _percent(cell["blue_win_rate"]),
        interval,
        _percent(cell["draw_rate"]),
        None if places is None else round(places, 1),
    ]


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.1f} %"
