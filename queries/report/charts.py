"""Charts of a report as SVG: small, so that a phone shows them as they are, and in colours that suit light and dark."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import vl_convert

from queries.report.model import Course, Effect, Scenario

WIDTH, HEIGHT = 300, 170
COLOURS = {"blue": "#4382c4", "red": "#d0553f"}
MOST_BARS = 14
INK, FAINT = "currentColor", "#8888884d"

CONFIG = alt.Config(
    background="transparent",
    padding={"left": 18, "right": 8, "top": 6, "bottom": 4},  # the reader's font may be wider than the one measured
    font="system-ui, sans-serif",
    view=alt.ViewConfig(stroke=None),
    axis=alt.AxisConfig(
        labelColor=INK, titleColor=INK, domainColor="#888888", tickColor="#888888", gridColor=FAINT,
        labelFontSize=11, titleFontSize=11, titleFontWeight="normal",
    ),
)  # fmt: skip


def course(courses: Sequence[Course], names: dict[int, str]) -> str:
    """A measure of both sides by turn: the mean with its interval, and where nine games of ten lie."""
    rows = [
        {
            "side": it.side, "turn": point.turn, "when": names.get(point.turn, str(point.turn)),
            "mean": point.mean.value, "low": point.mean.low, "high": point.mean.high,
            "p05": point.p05, "p95": point.p95,
        }
        for it in courses
        for point in it.points
    ]  # fmt: skip
    turns = sorted({(row["turn"], row["when"]) for row in rows})
    axis = alt.Axis(labelAngle=0, labelOverlap="greedy", labelSeparation=5, grid=False)
    order = [when for _, when in turns]
    x = alt.X("when:N", sort=order, title="after turn", scale=alt.Scale(type="point", padding=0.2), axis=axis)
    colour = alt.Color("side:N", scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())), legend=None)
    base = alt.Chart(alt.Data(values=rows)).encode(x=x, color=colour)
    bands = base.mark_area(opacity=0.18).encode(y=alt.Y("p05:Q", title=None), y2="p95:Q")
    errors = base.mark_rule(strokeWidth=2).encode(y="low:Q", y2="high:Q")
    means = base.mark_line(point=alt.OverlayMarkDef(size=22)).encode(y="mean:Q")
    return _svg(bands + errors + means, f"{courses[0].measure} by turn")


def balances(scenarios: Sequence[Scenario]) -> str:
    """Payoffs of scenarios: over all pairings alike (dot), and the value of the game (diamond)."""
    titles = [it.title for it in scenarios]
    rows = [
        {
            "scenario": it.title if titles.count(it.title) == 1 else it.name,
            "kind": kind,
            "value": found.value,
            "low": found.low,
            "high": found.high,
        }
        for it in scenarios
        if it.balance
        for kind, found in (("uniform", it.balance.uniform), ("value", it.balance.value))
        if found
    ]
    named = list(dict.fromkeys(row["scenario"] for row in rows))
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("scenario:N", sort=named, title=None, axis=alt.Axis(labelLimit=150, grid=True)),
        yOffset=alt.YOffset("kind:N", sort=["uniform", "value"]),
    )
    x = alt.X(
        "value:Q", scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format="%", tickCount=5, title="red wins  ←  payoff to blue  →  blue wins"),
    )  # fmt: skip
    rules = base.mark_rule(color=INK, strokeWidth=2).encode(
        x=alt.X("low:Q", scale=alt.Scale(domain=[0, 1])), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=70, opacity=1, color=INK).encode(
        x=x, shape=alt.Shape("kind:N", scale=alt.Scale(domain=["uniform", "value"], range=["circle", "diamond"]),
                             legend=None),
    )  # fmt: skip
    return _svg((rules + dots + _even(0.5)).properties(height=max(60, 46 * len(named))), "payoffs by scenario", None)


def effects(found: Sequence[Effect]) -> str:
    """What other levels of factors change: differences of the payoff with their intervals."""
    rows = [
        {"what": f"{it.factor.rpartition('.')[2]} = {it.level}"}
        | {key: 100 * end for key in ("value", "low", "high") if (end := getattr(it.payoff, key)) is not None}
        for it in found
    ]
    y = alt.Y("what:N", sort=[row["what"] for row in rows], title=None, axis=alt.Axis(labelLimit=210, grid=True))
    base = alt.Chart(alt.Data(values=rows)).encode(y=y)
    rules = base.mark_rule(color=INK, strokeWidth=2).encode(
        x=alt.X("low:Q", title="payoff to blue, points of a hundred", scale=alt.Scale(padding=10)), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=60, opacity=1, color=INK).encode(x="value:Q")
    return _svg((rules + dots + _even(0)).properties(height=max(50, 24 * len(rows))), "effects of factors", None)


def tornado(found: Sequence[Effect]) -> str:
    """Factors by how far their levels move the payoff, from the least to the greatest; the base is at 0."""
    by_factor: dict[str, list[tuple[float, str]]] = {}
    for it in found:
        ends = by_factor.setdefault(it.factor, [(0.0, it.base)])
        ends.append((100 * (it.payoff.value or 0.0), it.level))
    rows = []
    for name, ends in by_factor.items():
        (low, worst), (high, best) = min(ends), max(ends)
        rows.append({"factor": name.rpartition(".")[2], "low": low, "high": high, "from": worst, "to": best})
    rows.sort(key=lambda row: row["low"] - row["high"])
    rows = rows[:MOST_BARS]
    order = [row["factor"] for row in rows]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("factor:N", sort=order, title=None, axis=alt.Axis(labelLimit=150))
    )
    ticks = alt.Axis(tickCount=5, labelOverlap="greedy")
    x = alt.X("low:Q", title="payoff to blue, points of a hundred", scale=alt.Scale(padding=40), axis=ticks)
    below = base.transform_filter("datum.low < 0").mark_bar(height=12, color=COLOURS["red"])
    above = base.transform_filter("datum.high > 0").mark_bar(height=12, color=COLOURS["blue"])
    bars = below.encode(x=x, x2=alt.datum(0)) + above.encode(x=alt.X("high:Q"), x2=alt.datum(0))
    left = base.mark_text(align="right", dx=-4, color=INK, fontSize=10).encode(x="low:Q", text="from:N")
    right = base.mark_text(align="left", dx=4, color=INK, fontSize=10).encode(x="high:Q", text="to:N")
    drawn = (bars + left + right + _even(0)).properties(height=max(50, 22 * len(rows)))
    return _svg(drawn, "factors by how far they move the payoff", None)


def trend(points: Sequence[Mapping[str, Any]]) -> str:
    """A payoff from night to night, with its interval; each point has ``night``, ``value``, ``low`` and ``high``."""
    axis = alt.Axis(labelAngle=-40, labelOverlap="greedy", grid=False)
    scale = alt.Scale(type="point", padding=0.3)
    x = alt.X("night:N", sort=[point["night"] for point in points], title=None, axis=axis, scale=scale)
    base = alt.Chart(alt.Data(values=list(points))).encode(x=x)
    y = alt.Y("value:Q", title=None, scale=alt.Scale(zero=False))
    band = base.mark_rule(strokeWidth=2, color=COLOURS["blue"]).encode(y=alt.Y("low:Q", title=None), y2="high:Q")
    line = base.mark_line(color=COLOURS["blue"], point=alt.OverlayMarkDef(size=22, color=COLOURS["blue"])).encode(y=y)
    return _svg(band + line, "payoff by night")


def _even(at: float) -> Any:
    line = alt.Chart(alt.Data(values=[{"at": at}])).mark_rule(color="#888888", strokeDash=[4, 3])
    return line.encode(x="at:Q")


def _svg(chart: Any, title: str, height: int | None = HEIGHT) -> str:
    """The chart as SVG that is as wide as there is room, at most as it was drawn."""
    sized = chart.properties(width=WIDTH, **({"height": height} if height else {})).configure(**CONFIG.to_dict())
    drawn = vl_convert.vegalite_to_svg(sized.to_dict())
    size = re.match(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"', drawn)
    if size is None:
        raise ValueError("the chart has no size")
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {size[1]} {size[2]}" '
    style = f'class="chart" style="max-width:{size[1]}px"><title>{title}</title>'
    return opening + style + drawn[drawn.index(">") + 1 :]
