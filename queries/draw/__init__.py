"""Maps drawn, in the terminal and as SVG: by a rulebook's module here, of its name and with ``text`` and ``svg``.

Both take the map and the scenario as they are read from their files; without a scenario the map is drawn as printed.
A rulebook without a module has its places drawn as a grid (`plain`).
"""

import importlib
import importlib.util
from collections.abc import Mapping
from typing import Any

from queries.draw import plain

Document = Mapping[str, Any]


def draws_itself(rulebook: str) -> bool:
    """Whether a rulebook has a drawing of its own."""
    return importlib.util.find_spec(f"queries.draw.{rulebook}") is not None


def text(rulebook: str, board: Document, scenario: Document | None = None, width: int = 100) -> str:
    """A map in characters, at most ``width`` to a line, with the markup of rich."""
    if not draws_itself(rulebook):
        return plain.text(rulebook, board, scenario, width)
    return importlib.import_module(f"queries.draw.{rulebook}").text(board, scenario, width)


def svg(rulebook: str, board: Document, scenario: Document | None = None) -> str:
    """A map as an SVG document."""
    if not draws_itself(rulebook):
        return plain.svg(rulebook, board, scenario)
    return importlib.import_module(f"queries.draw.{rulebook}").svg(board, scenario)
