"""The map of First Contact drawn: woods, hills and contours, road, farm, trenches, and a scenario's deployments."""

from collections.abc import Mapping
from typing import Any

from queries.draw.first_contact import sheet, terminal
from queries.draw.first_contact.set_up import set_up_of
from sim.first_contact.ground import MapFile, rasterise
from sim.rules_file import check

Document = Mapping[str, Any]


def text(board: Document, scenario: Document | None, width: int) -> str:
    """The map in characters, at most ``width`` to a line, with the markup of rich."""
    chart = _chart(board)
    return terminal.drawn(chart, rasterise(chart), set_up_of(chart, scenario), width)


def svg(board: Document, scenario: Document | None) -> str:
    """The map as an SVG document, with the deployments and entry zones of a scenario."""
    chart = _chart(board)
    return sheet.drawn(chart, rasterise(chart), set_up_of(chart, scenario))


def _chart(board: Document) -> MapFile:
    return check(MapFile, dict(board), f"map {board.get('name', '?')}")
