"""A report as a page of HTML, all in one file, or as Markdown: the templates beside this module, and how they write."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from queries.report import charts, maps
from queries.report.maps import Documents
from queries.report.model import Courses, Effects, Number, Report, Scenario

HERE = Path(__file__).parent
DASH = "–"

Boards = dict[tuple[str, str], Documents]


def html(report: Report, boards: Boards) -> str:
    """The page: no script, nothing from a network. ``boards`` are what `gather` found to draw maps from."""
    pictures = {
        "course": lambda found, names: [_course(it, names) for it in _by_measure(found)],
        "balances": lambda scenarios: Markup(charts.balances(scenarios)),
        "effects": lambda found: Markup(charts.effects(found)),
        "tornado": lambda found: Markup(charts.tornado([*found.readings, *found.others])),
        "map": lambda key, scenario, turn: _map(boards.get((key, scenario.name)), scenario, turn),
    }
    template = environment(HERE, autoescape=True).get_template("page.html.j2")
    return template.render(report=report, style=style(), **pictures)


def markdown(report: Report) -> str:
    """The report in short, as Markdown for a pull request: tables without charts."""
    return environment(HERE, autoescape=False).get_template("page.md.j2").render(report=report)


def style() -> Markup:
    """The style sheet that all pages have."""
    return Markup((HERE / "page.css").read_text(encoding="utf-8"))


def environment(folder: Path, autoescape: bool) -> jinja2.Environment:
    """The templates of a folder, with the filters that write numbers."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=autoescape, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )  # fmt: skip
    made.filters |= FILTERS
    made.globals |= {
        "tint": maps.tint,
        "is_small": maps.is_small,
        "matrix": matrix,
        "strongest": strongest,
        "holding": holding,
    }
    return made


# Numbers as people read them


def count(value: float | None) -> str:
    """A count, or a dash."""
    return DASH if value is None else f"{value:,.0f}"


def share(found: Number) -> str:
    """A share as a percentage, or a dash."""
    return DASH if found.value is None else f"{_percent(found.value)} %"


def interval(found: Number, form: str = "share") -> str:
    """The ends of an interval of a share, of points of a hundred (``points``) or of a plain number (``decimal``)."""
    if found.low is None or found.high is None:
        return DASH
    if form == "share":
        return f"{_percent(found.low)} to {_percent(found.high)} %"
    ends = [_signed(100 * end) if form == "points" else decimal(end) for end in (found.low, found.high)]
    return " to ".join(ends)


def points(found: Number) -> str:
    """A difference of shares in points of a hundred, with its sign."""
    return DASH if found.value is None else _signed(100 * found.value)


def _percent(value: float) -> str:
    return f"{abs(value) if abs(value) < 0.0005 else value:.1%}".removesuffix("%")


def _signed(value: float) -> str:
    return "0.0" if abs(value) < 0.05 else f"{value:+.1f}".replace("-", "−")


def decimal(value: float | None) -> str:
    """A number with as many digits as matter, or a dash."""
    if value is None:
        return DASH
    text = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
    return text.replace("-", "−")


def quantile(value: float | None) -> str:
    """A quantile, which is a count or lies midway between two, or a dash."""
    return DASH if value is None else f"{value:,g}".replace("-", "−")


def p_value(value: float | None) -> str:
    """A p-value, or a dash."""
    return DASH if value is None else "< 0.001" if value < 0.001 else f"{value:.3f}"


def words(name: str | None) -> str:
    """A name of the data in words."""
    return DASH if name is None else name.replace("_", " ")


def metres(band: str | None) -> str:
    """A band of ranges such as ``0401-0800`` as people write it, or a dash."""
    return DASH if band is None else " to ".join(str(int(end)) for end in band.split("-"))


def markdown_cell(text: object) -> str:
    """Text that stays text in a table of Markdown."""
    escaped = str(text).replace("\\", "\\\\")
    for sign in "|`*_[]<>#":
        escaped = escaped.replace(sign, f"\\{sign}" if sign not in "<>" else {"<": "&lt;", ">": "&gt;"}[sign])
    return " ".join(escaped.split())


def markdown_code(text: str) -> str:
    """A command as code in Markdown."""
    line = " ".join(text.split())
    fence = "`" * (1 + max((len(run) for run in _runs_of_ticks(line)), default=0))
    return f"{fence} {line} {fence}" if "`" in line else f"`{line}`"


def _runs_of_ticks(text: str) -> Iterable[str]:
    return "".join(sign if sign == "`" else " " for sign in text).split()


FILTERS = {
    "share": share,
    "interval": interval,
    "points": points,
    "decimal": decimal,
    "quantile": quantile,
    "count": count,
    "p_value": p_value,
    "words": words,
    "range": metres,
    "cell": markdown_cell,
    "code": markdown_code,
}
"""What the templates write numbers and names with."""

# Figures


def matrix(scenario: Scenario) -> dict[str, Any]:
    """The pairings of a scenario by blue policy and red policy."""
    found = scenario.balance.pairings if scenario.balance else ()
    return {
        "blue": list(dict.fromkeys(it.blue for it in found)),
        "red": list(dict.fromkeys(it.red for it in found)),
        "cells": {(it.blue, it.red): it for it in found},
    }


def strongest(found: Effects | None, most: int = 14) -> list[Any]:
    """The effects that a chart shows: those of readings first, the strongest of each."""
    return [*found.readings, *found.others][:most] if found else []


def holding(scenario: Scenario) -> dict[tuple[str, int], Number]:
    """How probably blue holds each place after each turn that is shown."""
    return {(it.place, it.turn): it.blue for it in scenario.holders.holdings} if scenario.holders else {}


def _by_measure(found: Courses) -> list[list[Any]]:
    return [
        [it for it in found.courses if it.measure == name] for name in dict.fromkeys(c.measure for c in found.courses)
    ]


def _course(of_measure: list[Any], names: dict[int, str]) -> dict[str, Any]:
    numbers = [point.mean.n for it in of_measure for point in it.points]
    n = f"n {min(numbers):,}" if min(numbers) == max(numbers) else f"n {min(numbers):,} to {max(numbers):,}"
    drawn = Markup(charts.course(of_measure, names))
    return {"measure": of_measure[0].measure, "of": of_measure[0].of, "n": n, "svg": drawn}


def _map(documents: Documents | None, scenario: Scenario, turn: int) -> Markup | None:
    if documents is None or scenario.holders is None:
        return None
    drawn = maps.draw(scenario.rulebook, documents, [it for it in scenario.holders.holdings if it.turn == turn])
    return None if drawn is None else Markup(drawn)
