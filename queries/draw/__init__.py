"""Maps drawn, in the terminal and as SVG. Each rulebook has a module of its own name here with ``text`` and ``svg``.

Both take the map and the scenario as they are read from their files; without a scenario the map is drawn as printed.
"""

import importlib
from collections.abc import Mapping
from typing import Any

Document = Mapping[str, Any]


def text(rulebook: str, board: Document, scenario: Document | None = None, width: int = 100) -> str:
    """A map in characters, at most ``width`` to a line, with the markup of rich."""
    return importlib.import_module(f"queries.draw.{rulebook}").text(board, scenario, width)


def svg(rulebook: str, board: Document, scenario: Document | None = None) -> str:
    """A map as an SVG document."""
    return importlib.import_module(f"queries.draw.{rulebook}").svg(board, scenario)
