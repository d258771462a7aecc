"""Duosuan's games: rules, policies and the dice, nothing else.

`RULEBOOKS` is the only list of games. To add one, copy the folder of its nearest neighbour and add a line here; what it
must have stands in `sim/README.md`.
"""

import functools
import importlib

from sim import compiled as _compiled
from sim.contract import flaw_of as _flaw_of
from sim.game import Rulebook
from sim.rules_file import BadInput

_compiled.prepare()

# Name of each rulebook and the module that has its `RULEBOOK`; loaded when it is first asked for.
RULEBOOKS = {
    "barbarossa": "sim.barbarossa.rulebook",
    "first_contact": "sim.first_contact.rulebook",
    "tank_hex": "sim.tank_hex.rulebook",
    "brandubh": "sim.brandubh.rulebook",
}


@functools.cache
def rulebook(name: str) -> Rulebook:
    """The rulebook of that name. Raises `KeyError` for a name that is not in `RULEBOOKS`, `BadInput` for one that lacks
    something.
    """
    book = importlib.import_module(RULEBOOKS[name]).RULEBOOK
    if flaw := _flaw_of(name, book):
        raise BadInput(flaw, file=f"rulebook {name}")
    return book
