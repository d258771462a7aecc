"""1 Frame, and who holds a region (BB-1.3, BB-1.6, BB-2.2)."""

from typing import NamedTuple

import numpy as np

from sim.barbarossa.board import AT_ONCE, PHASE_END
from sim.barbarossa.state import AXIS, NOWHERE, SOVIET, TOO_MANY_EVENTS, VACATED
from sim.compiled import inner_njit
from sim.dice import Dice


class Game(NamedTuple):
    """A game under way. What a policy is handed is the same thing with dice of its own and no log.

    ``board``, ``rules``, ``state`` and ``blank_event`` are records (see `board.BOARD`, `board.RULES`, `state.STATE`);
    events are written into ``log`` (most events,), or nowhere if there is no room for any; ``logged`` (1,) of them
    have been.
    """

    board: np.record
    rules: np.record
    state: np.record
    blank_event: np.record
    log: np.ndarray
    logged: np.ndarray
    dice: Dice


@inner_njit
def fault(game, kind, value):
    """Ends the game: a policy returned a value that cannot be."""
    state = game.state
    if state.fault == 0:
        state.fault = kind
        state.fault_turn = state.turn
        state.fault_value = value


@inner_njit
def note(game, kind, side, unit, place, origin):
    """Writes an event and returns its number, or -1 if nothing is recorded."""
    if len(game.log) == 0:
        return -1
    number = game.logged[0]
    if number == len(game.log):
        fault(game, TOO_MANY_EVENTS, number)
        return -1
    game.logged[0] = number + 1
    game.log[number] = game.blank_event
    event = game.log[number]
    event.turn = game.state.turn
    event.kind = kind
    event.side = side
    event.actor = unit
    event.place = place
    event.origin = origin
    return number


@inner_njit
def units_in(game, region):
    """Number of units in a region."""
    count = 0
    for i in range(game.state.n_units):
        if game.state.units[i].region == region:
            count += 1
    return count


@inner_njit
def nation_in(game, nation, region):
    """Number of a nation's units in a region."""
    count = 0
    for i in range(game.state.n_units):
        unit = game.state.units[i]
        if unit.region == region and unit.nation == nation:
            count += 1
    return count


@inner_njit
def is_axis(game, region):
    """BB-1.3: a region with an Axis unit or a garrison is Axis, every other is Soviet."""
    return game.state.places[region].holder == AXIS


@inner_njit
def is_front(game, region):
    """BB-1.6: an Axis region that a line joins to a Soviet one; a shared sea makes no front."""
    return is_axis(game, region) and borders_soviet(game, region)


@inner_njit
def borders_soviet(game, region):
    """Whether a line joins a region to a Soviet one (BB-1.6)."""
    neighbours = game.board.neighbours[region]
    i = 0
    while neighbours[i] != NOWHERE:
        if game.state.places[neighbours[i]].holder == SOVIET:
            return True
        i += 1
    return False


@inner_njit
def front_regions(game, front):
    """BB-1.6: all front regions, ascending, into ``front``; their number."""
    count = 0
    for region in range(game.state.n_places):
        if is_front(game, region):
            front[count] = region
            count += 1
    return count


@inner_njit
def are_neighbours(game, region, other):
    """Whether a line joins two regions (BB-1.4)."""
    return game.board.lines_between[region, other] == 1


@inner_njit
def enter(game, unit, region):
    """BB-2.2: a unit enters a region by move, reinforcement, capture or retreat; a garrison goes."""
    game.state.units[unit].region = region
    place = game.state.places[region]
    place.holder = AXIS
    place.garrison = 0


@inner_njit
def is_vacated(game, region):
    """BB-2.2: whether an Axis region holds neither a unit nor a garrison: only within a move, an attack or a phase."""
    place = game.state.places[region]
    return place.holder == AXIS and place.garrison == 0 and units_in(game, region) == 0


@inner_njit
def leave(game, regions, count):
    """BB-2.2: looks at regions that units have left at one moment, under the option ``vacated``."""
    if game.rules.vacated == AT_ONCE:
        fall(game, regions, count)
    elif game.rules.vacated != PHASE_END:
        garrison_the_vacated(game, regions, count)


@inner_njit
def fall(game, regions, count):
    """BB-2.2, BB-4.3: of regions emptied at one moment those next to a Soviet one fall, and so on; the rest is held."""
    falling = True
    while falling:
        falling = False
        for i in range(count):
            if is_vacated(game, regions[i]) and borders_soviet(game, regions[i]):
                become_soviet(game, regions[i], VACATED)
                falling = True
    garrison_the_vacated(game, regions, count)


@inner_njit
def garrison_the_vacated(game, regions, count):
    """BB-2.2: those of some regions that are Axis, but hold nothing, get a garrison."""
    for i in range(count):
        if is_vacated(game, regions[i]):
            game.state.places[regions[i]].garrison = 1


@inner_njit
def become_soviet(game, region, kind):
    """A region falls to the Soviet side; ``kind`` is the event to write, or -1 for none."""
    place = game.state.places[region]
    place.holder = SOVIET
    place.garrison = 0
    game.state.sides[SOVIET].captured += 1
    if kind >= 0:
        note(game, kind, SOVIET, NOWHERE, region, NOWHERE)
