"""A game under way, 1 Frame, and who holds a region (BB-1.3, BB-1.6, BB-2.2)."""

from typing import NamedTuple

import numpy as np

from sim.barbarossa.board import AT_ONCE, PHASE_END
from sim.barbarossa.state import AXIS, GONE, NOWHERE, SOVIET, TOO_MANY_EVENTS, VACATED
from sim.compiled import inlined_njit, inner_njit
from sim.dice import Dice
from sim.log import begin_event


class Game(NamedTuple):
    """A game under way. What a policy is handed is the same thing with dice of its own and no log.

    All but ``dice`` are records (see `board.BOARD`, `board.RULES`, `state.STATE`, `state.LOG`) and none is an array:
    compiled code would hand over seven numbers for it at every call. The events of a turn are written into ``log``, or
    nowhere if it has no room.
    """

    board: np.record
    rules: np.record
    state: np.record
    log: np.record
    dice: Dice


@inner_njit
def note(game, kind, side, unit, place, origin):
    """Writes an event and returns its number, or -1 if nothing is recorded."""
    number = begin_event(game, kind, side, unit, TOO_MANY_EVENTS)
    if number >= 0:
        event = game.log.events[number]
        event.place = place
        event.origin = origin
    return number


@inner_njit
def units_in(game, region):
    """Number of units in a region."""
    return game.state.places[region].units


@inner_njit
def nation_in(game, nation, region):
    """Number of a nation's units in a region."""
    return game.state.stacks[region, nation]


@inner_njit
def is_axis(game, region):
    """BB-1.3: a region with an Axis unit or a garrison is Axis, every other is Soviet."""
    return game.state.places[region].holder == AXIS


@inner_njit
def is_front(game, region):
    """BB-1.6: an Axis region that a line joins to a Soviet one; a shared sea makes no front."""
    return game.state.places[region].front == 1


@inner_njit
def borders_soviet(game, region):
    """Whether a line joins a region to a Soviet one (BB-1.6)."""
    return game.state.soviet_lines[region] > 0


@inner_njit
def are_neighbours(game, region, other):
    """Whether a line joins two regions (BB-1.4)."""
    return game.board.lines_between[region, other] == 1


@inlined_njit
def go(game, unit, region):
    """A unit is in a region from now on, or `NOWHERE`; the units of the regions are counted and listed."""
    origin = game.state.units[unit].region
    if origin != NOWHERE:
        _list_without(game.state, unit, origin)
    game.state.units[unit].region = region
    if region != NOWHERE:
        _list_with(game.state, unit, region)


@inlined_njit
def _list_without(state, unit, region):
    state.places[region].units -= 1
    state.stacks[region, state.units[unit].nation] -= 1
    if state.first_in[region] == unit:
        state.first_in[region] = state.next_in[unit]
        return
    before = state.first_in[region]
    while state.next_in[before] != unit:
        before = state.next_in[before]
    state.next_in[before] = state.next_in[unit]


@inlined_njit
def _list_with(state, unit, region):
    state.places[region].units += 1
    state.stacks[region, state.units[unit].nation] += 1
    after = state.first_in[region]
    if after == NOWHERE or after > unit:
        state.first_in[region] = unit
        state.next_in[unit] = after
        return
    before = after
    while state.next_in[before] != NOWHERE and state.next_in[before] < unit:
        before = state.next_in[before]
    state.next_in[unit] = state.next_in[before]
    state.next_in[before] = unit


@inlined_njit
def become(game, unit, status):
    """A unit is on the map from now on, waits or is gone; units are counted."""
    state = game.state
    row = state.units[unit]
    state.by_status[row.status] -= 1
    state.by_status[status] += 1
    if row.status != GONE and status == GONE:
        state.in_play[row.nation] -= 1
    row.status = status


@inner_njit
def take(game, region, side):
    """A side holds a region from now on; regions and fronts are counted (BB-1.6)."""
    state = game.state
    if state.places[region].holder == side:
        return
    state.places[region].holder = side
    state.sides[side].territory += 1
    state.sides[1 - side].territory -= 1
    _look_at_the_front(state, region)
    change = 1 if side == SOVIET else -1
    neighbours = game.board.neighbours[region]
    i = 0
    while neighbours[i] != NOWHERE:
        state.soviet_lines[neighbours[i]] += change
        _look_at_the_front(state, neighbours[i])
        i += 1


@inner_njit
def _look_at_the_front(state, region):
    place = state.places[region]
    front = 1 if place.holder == AXIS and state.soviet_lines[region] > 0 else 0
    if front == place.front:
        return
    place.front = front
    if front == 1:
        i = state.n_fronts
        state.n_fronts += 1
        while i > 0 and state.fronts[i - 1] > region:
            state.fronts[i] = state.fronts[i - 1]
            i -= 1
        state.fronts[i] = region
        return
    state.n_fronts -= 1
    i = state.n_fronts
    later = state.fronts[i]
    while later != region:
        i -= 1
        state.fronts[i], later = later, state.fronts[i]


@inner_njit
def count_anew(board, state):
    """Counts all that `go`, `become` and `take` keep in step, for a state not made by them: a set-up or a record."""
    state.stacks[:] = 0
    state.by_status[:] = 0
    state.in_play[:] = 0
    state.n_fronts = 0
    for region in range(state.n_places):
        state.places[region].units = 0
        state.places[region].front = 0
        state.first_in[region] = NOWHERE
        state.soviet_lines[region] = 0
        neighbours = board.neighbours[region]
        i = 0
        while neighbours[i] != NOWHERE:
            if state.places[neighbours[i]].holder == SOVIET:
                state.soviet_lines[region] += 1
            i += 1
        _look_at_the_front(state, region)
    for i in range(state.n_units):
        unit = state.units[i]
        if unit.region != NOWHERE:
            _list_with(state, i, unit.region)
        state.by_status[unit.status] += 1
        if unit.status != GONE:
            state.in_play[unit.nation] += 1
    state.sides[SOVIET].territory = state.sides[AXIS].territory = 0
    for region in range(state.n_places):
        state.sides[state.places[region].holder].territory += 1


@inner_njit
def enter(game, unit, region):
    """BB-2.2: a unit enters a region by move, reinforcement, capture or retreat; a garrison goes."""
    go(game, unit, region)
    take(game, region, AXIS)
    game.state.places[region].garrison = 0


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
    take(game, region, SOVIET)
    game.state.places[region].garrison = 0
    game.state.sides[SOVIET].captured += 1
    if kind >= 0:
        note(game, kind, SOVIET, NOWHERE, region, NOWHERE)
