"""How games go: casualties, territory and armour, from the questions, of the pairing that a scenario's figures show."""

from collections.abc import Sequence
from typing import Any

from queries.report.asked import Asked, Cell, number
from queries.report.model import (
    Armour,
    Course,
    Courses,
    Exchange,
    Exchanges,
    Holders,
    Holding,
    Objective,
    Objectives,
    Point,
    Shots,
)

LOSSES = ("dead", "wounded", "armour_lost", "crew_lost", "units_lost")
"""Kinds of loss in the order in which they are shown."""

BAND = 400
"""Width of a band of ranges, in metres."""

MOST_SHOTS = 24
"""Kinds of shots that are shown; the others are counted."""

MAPS = 4
"""Turns at which holders are shown, evenly spread."""


def _chosen(cell: Cell) -> dict[str, str]:
    return {"scenario": cell.scenario, "red_policy": cell.red, "blue_policy": cell.blue}


def _rows(asked: Asked, question: str, cell: Cell, **parameters: Any) -> list[dict[str, Any]]:
    """Rows of a question about one cell; the question knows scenario and pairing, other design points are left out."""
    found = asked.rows(question, **_chosen(cell), **parameters)
    return [row for row in found if row["cell"] == cell.number]


def casualties(asked: Asked, cell: Cell) -> Courses | None:
    """Losses of each side by turn; None where turns are not recorded."""
    rows = [row for row in _rows(asked, "casualties", cell) if row["kind"] == "all"]
    measures = [loss for loss in LOSSES if any(row["loss"] == loss for row in rows)]
    courses = [
        _course(loss, side, None, [row for row in rows if (row["loss"], row["side"]) == (loss, side)])
        for loss in measures
        for side in ("blue", "red")
    ]
    source = asked.source("casualties", cell.number, "losses", **_chosen(cell))
    return _courses(source, courses)


def territory(asked: Asked, cell: Cell) -> Courses | None:
    """Places held by each side by turn; None where turns are not recorded."""
    rows = _rows(asked, "territory_by_turn", cell)
    courses = [
        _course(kind, side, rows_of[0]["places"], rows_of)
        for kind in dict.fromkeys(row["places_are"] for row in rows)
        for side in ("blue", "red")
        if (rows_of := [row for row in rows if (row["places_are"], row["side"]) == (kind, side)])
    ]
    source = asked.source("territory_by_turn", cell.number, "blue territory", **_chosen(cell))
    return _courses(source, courses)


def _courses(source: Any, courses: Sequence[Course]) -> Courses | None:
    filled = tuple(course for course in courses if course.points)
    return Courses(source=source, courses=filled) if filled else None


def _course(measure: str, side: str, of: int | None, rows: Sequence[dict[str, Any]]) -> Course:
    points = tuple(
        Point(
            turn=row["turn"], mean=number(row["mean"], row["low"], row["high"], row["games"]),
            p05=row["p05"], median=row["median"], p95=row["p95"],
        )
        for row in rows
    )  # fmt: skip
    return Course(measure=measure, side=side, of=of, points=points)


def holders(asked: Asked, cell: Cell) -> Holders | None:
    """Who holds each place, from the first turn to the last; None where turns are not recorded."""
    rows = _rows(asked, "region_holders", cell)
    if not rows:
        return None
    turns = sorted({row["turn"] for row in rows})
    shown = sorted({turns[round(k * (len(turns) - 1) / max(1, MAPS - 1))] for k in range(MAPS)})
    return Holders(
        source=asked.source("region_holders", cell.number, "blue territory", **_chosen(cell)),
        turns=tuple(shown),
        places=tuple(sorted({row["place"] for row in rows}, key=_in_order)),
        holdings=tuple(
            Holding(
                place=row["place"],
                turn=row["turn"],
                blue=_share(row, "blue", row["games"]),
                nobody=1 - (row["blue"] + row["red"]) / row["games"],
            )
            for row in rows
            if row["turn"] in shown
        ),
    )


def _in_order(place: str) -> tuple:
    """By name, but sectors by letter and number: A2 before A10."""
    letter, number = place[:1], place[1:]
    return (0, letter, int(number)) if number.isdecimal() else (1, place, 0)


def _share(row: dict[str, Any], name: str, n: int) -> Any:
    return number(row[f"{name}_share"], row[f"{name}_low"], row[f"{name}_high"], n)


def objectives(asked: Asked, cell: Cell) -> Objectives | None:
    """What became of the objectives; None where there are none or turns are not recorded."""
    found = tuple(
        Objective(
            objective=row["objective"], first_holder=row["first_holder"], at_end=_share(row, "blue", row["games"]),
            taken=_share(row, "taken", row["games"]), median_first=row["median_first"], median_last=row["median_last"],
        )
        for row in _rows(asked, "objective_control", cell)
    )  # fmt: skip
    source = asked.source("objective_control", cell.number, "blue territory", **_chosen(cell))
    return Objectives(source=source, objectives=found) if found else None


def armour(asked: Asked, cell: Cell, others: Sequence[Cell]) -> Armour | None:
    """How often shots at armour kill, in the featured pairing or, if none is fired there, where most are.

    None where events are not recorded or there is no armour.
    """
    rows = _rows(asked, "armour_kill_rates", cell, band=BAND)
    if not rows:
        everywhere = asked.rows("armour_kill_rates", scenario=cell.scenario, band=BAND)
        by_cell = {it.number: [row for row in everywhere if row["cell"] == it.number] for it in others}
        most = max(others, key=lambda it: sum(row["shots"] for row in by_cell[it.number]))
        cell, rows = most, by_cell[most.number]
    if not rows:
        return None
    rows.sort(key=lambda row: -row["shots"])
    return Armour(
        source=asked.source("armour_kill_rates", cell.number, "armour lost", **_chosen(cell), band=BAND),
        cell=cell.number,
        pairing=f"{cell.blue} against {cell.red}",
        rows=tuple(_shots(row) for row in rows[:MOST_SHOTS]),
        left_out=len(rows[MOST_SHOTS:]),
        left_out_shots=sum(row["shots"] for row in rows[MOST_SHOTS:]),
    )


def _shots(row: dict[str, Any]) -> Shots:
    names = ("side", "kind", "weapon", "shooter", "target", "facing", "range", "shots", "damaging", "kills")
    rate = number(row["kill_rate"], row["low"], row["high"], row["shots"])
    return Shots(**{name: row[name] for name in names}, rate=rate)


def exchanges(asked: Asked, cells: Sequence[Cell]) -> Exchanges | None:
    """Loss exchange ratios of these cells; None where a rulebook counts neither men nor armour."""
    by_number = {cell.number: cell for cell in cells}
    found = tuple(
        Exchange(
            cell=row["cell"], pairing=f"{row['blue_policy']} against {row['red_policy']}", side=row["side"],
            loss=row["loss"], enemy_lost=row["enemy_lost"], own_lost=row["own_lost"],
            ratio=number(row["ratio"], row["low"], row["high"], row["games"]),
        )
        for row in asked.rows("loss_exchange_ratio", scenario=cells[0].scenario)
        if row["cell"] in by_number
    )  # fmt: skip
    source = asked.source("loss_exchange_ratio", cells[0].number, "losses", scenario=cells[0].scenario)
    return Exchanges(source=source, rows=found) if found else None
