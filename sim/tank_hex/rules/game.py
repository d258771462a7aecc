"""A game under way, and what every chapter of the rules needs of it."""

from typing import NamedTuple

import numpy as np

from sim.compiled import inner_njit
from sim.dice import Dice
from sim.log import begin_event
from sim.tank_hex.state import BLUE, NOWHERE, RED, TOO_MANY_EVENTS


class Game(NamedTuple):
    """A game under way. What a policy is handed is the same thing with dice of its own and no log.

    All but ``dice`` and ``mirror`` are records (see `board.BOARD`, `board.RULES`, `state.STATE`, `state.HIDDEN`,
    `state.LOG`) and none is an array: compiled code would count references to it at every call. The events of a turn
    are written into ``log``, or nowhere if it has no room. ``mirror`` is 1 in a game that is played with its sides
    exchanged.
    """

    board: np.record
    rules: np.record
    state: np.record
    hidden: np.record
    log: np.record
    dice: Dice
    mirror: int


@inner_njit
def note(game, kind, side, actor, target):
    """Writes an event and returns its number, or -1 if nothing is recorded."""
    number = begin_event(game, kind, side, actor, TOO_MANY_EVENTS)
    if number >= 0:
        event = game.log.events[number]
        event.phase = game.state.phase
        event.target = target
    return number


@inner_njit
def first_of(game, side):
    """Number of a side's first tank."""
    return 0 if side == RED else game.state.first_blue


@inner_njit
def end_of(game, side):
    """Number after that of a side's last tank."""
    return game.state.first_blue if side == RED else game.state.n_units


@inner_njit
def leading(game):
    """The side that goes first where the book says red: blue in a mirrored game."""
    return RED ^ game.mirror


@inner_njit
def roller(game, unit):
    """The roller of a tank's dice: its side and its number within the side."""
    side = game.state.units[unit].side
    return ((side ^ game.mirror) << 8) | (unit - first_of(game, side))


@inner_njit
def tie_key(game, side, hexagon):
    """Order of hexes as a side sees them: blue's map is turned by half a turn, so that no side is favoured by ties."""
    return hexagon if side == RED else game.board.hexes - 1 - hexagon


@inner_njit
def count_illegal(game, side):
    """TH-6.7: an order that breaks a rule is counted; what comes of it is the business of the rule."""
    game.state.sides[side].illegal += 1


@inner_njit
def goes_on(game):
    """Whether there is anything left to decide."""
    return game.state.fault == 0 and tanks(game, RED) > 0 and tanks(game, BLUE) > 0


@inner_njit
def tanks(game, side):
    """Tanks of a side on the map."""
    count = 0
    for i in range(first_of(game, side), end_of(game, side)):
        if game.state.units[i].hex != NOWHERE:
            count += 1
    return count


@inner_njit
def tanks_in(game, side, hexagon):
    """Tanks of a side in a hex."""
    count = 0
    for i in range(first_of(game, side), end_of(game, side)):
        if game.state.units[i].hex == hexagon:
            count += 1
    return count
