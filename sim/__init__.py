"""Duosuan's games: rules, policies and the dice, nothing else.

`RULEBOOKS` is the only list of games. To add one, copy the folder of its nearest neighbour and add a line here.
"""

import importlib

from sim import compiled as _compiled
from sim.game import Rulebook

_compiled.prepare()

# Name of each rulebook and the module that has its `RULEBOOK`; loaded when it is first asked for.
RULEBOOKS = {
    "barbarossa": "sim.barbarossa.rulebook",
    "first_contact": "sim.first_contact.rulebook",
    "tank_hex": "sim.tank_hex.rulebook",
    "brandubh": "sim.brandubh.rulebook",
}


def rulebook(name: str) -> Rulebook:
    """The rulebook of that name. Raises `KeyError` for a name that is not in `RULEBOOKS`."""
    return importlib.import_module(RULEBOOKS[name]).RULEBOOK
