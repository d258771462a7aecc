"""Small maps of who holds what: places in the colour of the side that holds them more often, deeper the surer it is.

A rulebook's module here, of its name and with a function ``draw``, draws its map; of others the places are drawn as a
grid (`plain`).
"""

import importlib
import importlib.util
from collections.abc import Iterable
from types import ModuleType

from queries.report.maps.elements import WIDTH, Documents, said, tint
from queries.report.model import Holding

__all__ = ["Documents", "draw", "is_small", "said", "tint"]


def draw(rulebook: str, documents: Documents, holdings: Iterable[Holding]) -> str | None:
    """The map of a rulebook after one turn; None where the archive does not say how to draw it."""
    return _drawing(rulebook).draw(documents, {it.place: it for it in holdings})


def is_small(rulebook: str) -> bool:
    """Whether more than two maps of a rulebook fit beside each other."""
    return _drawing(rulebook).WIDTH <= WIDTH


def _drawing(rulebook: str) -> ModuleType:
    own = f"queries.report.maps.{rulebook}"
    return importlib.import_module(own if importlib.util.find_spec(own) else "queries.report.maps.plain")
