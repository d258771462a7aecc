"""The pages of nights: what drifted on each, and how the balance went from night to night.

A night's folder has ``report.html``, ``report.md`` and ``report.json`` (see `queries.report`), ``drift.html`` and
``drift.md``, and ``night.json``, from which ``index.html`` above is made: it keeps telling of nights whose games have
been pruned.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup

from queries.drift import Drift
from queries.report import charts, gather, page

HERE = Path(__file__).parent
MOST_ROWS = 200
"""Differences that a page shows; ``night.json`` has them all."""


def write_night(
    folder: Path,
    archive: str,
    experiment: str,
    label: str,
    drifts: Mapping[str, Drift],
    enough: Callable[[str], str],
) -> Path:
    """Writes the pages of a night into its folder, and returns it. ``enough``: see `gather.gather`."""
    report, boards = gather.gather(archive, [experiment.removeprefix("experiment=")], enough=enough)
    (found,) = report.experiments
    night = {
        "label": label,
        "name": found.name,
        "created": found.created,
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
    shown = {"night": night, "drifts": drifts, "most": MOST_ROWS}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("report.html", page.html(report, boards)),
        ("report.md", page.markdown(report)),
        ("report.json", report.model_dump_json(indent=2)),
        ("drift.html", _rendered("drift.html.j2", **shown)),
        ("drift.md", _rendered("drift.md.j2", **shown)),
        ("night.json", json.dumps(night, indent=2, ensure_ascii=False)),
    ):
        _write(folder / name, text)
    return folder


def write_index(reports: Path) -> Path:
    """Writes the page of all nights that have a folder there, the newest first, and returns it."""
    nights = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(reports.glob("*/night.json"))]
    nights.sort(key=lambda night: (night["created"], night["label"]))
    titles: dict[str, str] = {it["name"]: it["title"] for night in nights for it in night["scenarios"]}
    trends = [
        (title, Markup(charts.trend(points)))
        for name, title in titles.items()
        if len(points := _points(nights, name)) > 1
    ]
    index = reports / "index.html"
    _write(index, _rendered("index.html.j2", nights=nights[::-1], trends=trends))
    return index


def _points(nights: list[dict[str, Any]], scenario: str) -> list[dict[str, Any]]:
    return [
        {"night": night["label"], **it["uniform"]}
        for night in nights
        for it in night["scenarios"]
        if it["name"] == scenario and it["uniform"]["value"] is not None
    ]


def _rendered(template: str, **values: Any) -> str:
    environment = page.environment(HERE, autoescape=template.endswith(".html.j2"))
    return environment.get_template(template).render(style=page.style(), **values)


def _write(path: Path, text: str) -> None:
    """A page is there as a whole, or the one before is."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
