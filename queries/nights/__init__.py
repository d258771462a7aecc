"""The pages of nights: what became of each, what drifted, and how the balance went from night to night.

A night's folder has ``night.html``, what became of it, and ``night.json``, its record; and as soon as it is complete
``report.html``, ``report.md`` and ``report.json`` (see `queries.report`), ``drift.html`` and ``drift.md``. The index
above is made of the records: it keeps telling of nights whose games have been pruned.
"""

import contextlib
import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from queries.drift import Drift
from queries.nights.record import NAME, Record, read_records
from queries.report import charts, gather, page

HERE = Path(__file__).parent
MOST_ROWS = 200
"""Differences that a page shows; ``night.json`` has them all."""


def complete_night(
    record: Record, archive: str, experiment: str, drifts: Mapping[str, Drift], enough: Callable[[str], str]
) -> tuple[Record, dict[str, str]]:
    """The record of a night with what its games say, and the text of each page. ``enough``: see `gather.gather`."""
    report, boards = gather.gather(archive, [experiment.removeprefix("experiment=")], enough=enough)
    report = report.model_copy(update={"notes": (*record.notes, *report.notes)})
    (found,) = report.experiments
    document = record.model_dump() | {
        "name": found.name,
        "created": found.created,
        "experiment": experiment,
        "games": found.games,
        "planned": found.planned,
        "failed": found.failed,
        "complete": found.complete,
        "seed": found.seed,
        "code": found.code,
        "rulebooks": found.rulebooks,
        "scenarios": [
            {"name": it.name, "title": it.title, "uniform": it.balance.uniform.model_dump()}
            for it in found.scenarios
            if it.balance
        ],
        "drifts": {title: drift.as_document() for title, drift in drifts.items()},
    }
    record = Record.model_validate(document)
    shown = {"night": record, "drifts": drifts, "most": MOST_ROWS}
    return record, {
        "report.html": page.html(report, boards),
        "report.md": page.markdown(report),
        "report.json": report.model_dump_json(indent=2),
        "drift.html": _rendered("drift.html.j2", **shown),
        "drift.md": _rendered("drift.md.j2", **shown),
    }


def write_night(reports: Path, record: Record, pages: Mapping[str, str] | None = None) -> None:
    """Writes the pages of a night and, last, its record. Raises `OSError`."""
    folder = reports / record.label
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (pages or {}).items():
        _write(folder / name, text)
    has_report = (folder / "report.html").exists()
    _write(folder / "night.html", _rendered("night.html.j2", night=record, has_report=has_report))
    _write(folder / NAME, record.model_dump_json(indent=2))


def write_index(reports: Path) -> list[str]:
    """Writes the page of all nights that have a folder there, the newest first. Raises `OSError`.

    Returns a line for each night that was left out because its record is damaged.
    """
    nights, damaged = read_records(reports)
    titles = {it.name: it.title for night in nights for it in night.scenarios}
    trends = [
        (title, Markup(charts.trend(points)))
        for name, title in titles.items()
        if len(points := _points(nights, name)) > 1
    ]
    reported = {night.label for night in nights if (reports / night.label / "report.html").exists()}
    text = _rendered("index.html.j2", nights=nights[::-1], trends=trends, damaged=damaged, reported=reported)
    _write(reports / "index.html", text)
    return damaged


def _points(nights: Sequence[Record], scenario: str) -> list[dict[str, Any]]:
    return [
        {"night": night.label, **it.uniform.model_dump()}
        for night in nights
        for it in night.scenarios
        if it.name == scenario and it.uniform.value is not None and math.isfinite(it.uniform.value)
    ]


def _rendered(template: str, **values: Any) -> str:
    environment = page.environment(HERE, autoescape=template.endswith(".html.j2"))
    return environment.get_template(template).render(style=page.style(), **values)


def _write(path: Path, text: str) -> None:
    """A page is there as a whole, or the one before is: also after the machine has stopped, and if two write it."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        # On a full disk every byte counts.
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
