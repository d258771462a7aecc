"""The map of Tank Hex drawn: heights, woods, villages, water, roads, rivers, objectives, and a scenario's tanks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sim.tank_hex
from queries.draw.tank_hex import sheet, terminal
from queries.draw.tank_hex.set_up import set_up_of
from sim.rules_file import check, read_toml
from sim.tank_hex.chart import Chart, read_chart
from sim.tank_hex.documents import MapFile, RulesFile

Document = Mapping[str, Any]


def text(board: Document, scenario: Document | None, width: int) -> str:
    """The map in characters, at most ``width`` to a line, with the markup of rich."""
    chart = chart_of(board)
    return terminal.drawn(chart, set_up_of(chart, scenario), width)


def svg(board: Document, scenario: Document | None) -> str:
    """The map as an SVG document, with the tanks and objectives of a scenario."""
    chart = chart_of(board)
    return sheet.drawn(chart, set_up_of(chart, scenario))


def chart_of(board: Document) -> Chart:
    """The map that a file draws. Raises `BadInput` for whatever is wrong with it."""
    rules = read_toml(Path(sim.tank_hex.__file__).with_name("rules.toml"))
    document = check(MapFile, dict(board), f"map {board.get('name', '?')}")
    return read_chart(document, check(RulesFile, rules, "rules of tank_hex"))
