"""A game under way, and what every chapter needs: units, cells (FC-1) and events."""

from typing import NamedTuple

import numpy as np

from sim.compiled import inner_njit
from sim.dice import Dice
from sim.first_contact.state import GERMAN, GONE, NOWHERE, ON_FOOT, ON_MAP, ON_TRACKS, SOVIET, SQUAD, TOO_MANY_EVENTS
from sim.geometry.square import OFF_MAP, WIDTH, step
from sim.log import begin_event


class Game(NamedTuple):
    """A game under way. What a policy is handed is the same thing as its side sees it, with dice of its own and no log.

    All but ``dice`` are records (see `board.BOARD`, `board.RULES`, `state.STATE`, `state.WORK`, `state.LOG`) and none
    is an array: compiled code would count references to it at every call. The events of a turn are written into
    ``log``, or nowhere if it has no room.
    """

    board: np.record
    rules: np.record
    state: np.record
    work: np.record
    log: np.record
    dice: Dice


@inner_njit
def note(game, kind, side, actor, target, cell):
    """Writes an event and returns its number, or -1 if nothing is recorded."""
    number = begin_event(game, kind, side, actor, TOO_MANY_EVENTS)
    if number >= 0:
        event = game.log.events[number]
        event.target = target
        event.location = cell
        event.terrain = terrain_at(game, cell)
    return number


@inner_njit
def first_of(game, side):
    """Number of a side's first unit: Soviet units come first."""
    return 0 if side == SOVIET else game.state.n_soviet


@inner_njit
def end_of(game, side):
    """Number after that of a side's last unit."""
    return game.state.n_soviet if side == SOVIET else game.state.n_units


@inner_njit
def enemy_of(side):
    """The other side."""
    return GERMAN if side == SOVIET else SOVIET


@inner_njit
def mover(game, unit):
    """`ON_FOOT` for a squad, `ON_TRACKS` for a vehicle (FC-2.5): how terrain treats a unit."""
    return ON_FOOT if game.state.units[unit].kind == SQUAD else ON_TRACKS


@inner_njit
def is_able(game, unit):
    """FC-11.3: on the map, with men, and able to fire or to move; being stunned passes."""
    row = game.state.units[unit]
    return row.status == ON_MAP and row.men > 0 and (row.cannot_fire == 0 or row.cannot_move == 0)


@inner_njit
def terrain_at(game, cell):
    """FC-6.8: what counts in a cell; a trench, house or barn in place of what it lies in."""
    return game.board.terrain[cell]


@inner_njit
def is_on_map(game, cell):
    """FC-1.1: whether a number is that of a cell of the map."""
    return 0 <= cell // WIDTH < game.board.rows and 0 <= cell % WIDTH < game.board.columns


@inner_njit
def neighbour(game, cell, direction):
    """FC-1.4: one of the 8 cells around a cell, or `OFF_MAP`."""
    return step(cell, direction, game.board.rows, game.board.columns)


@inner_njit
def stand(game, unit, cell):
    """FC-1.1: a unit takes a cell, which must be free; the one that it had is free again."""
    row = game.state.units[unit]
    if row.location != NOWHERE and game.work.occupant[row.location] == unit:
        game.work.occupant[row.location] = NOWHERE
    row.location = cell
    game.work.occupant[cell] = unit
    game.work.clock += 1
    game.work.moved_at[unit] = game.work.clock


@inner_njit
def remove_the_fallen(game):
    """FC-4.3, FC-9.1: units without men are gone and free their cells; squads of theirs next to them are shaken."""
    state, work = game.state, game.work
    for unit in range(state.n_units):
        row = state.units[unit]
        work.fallen[unit] = 0
        if row.status == ON_MAP and row.men == 0:
            row.status = GONE
            work.occupant[row.location] = NOWHERE
            work.fallen[unit] = 1
    for unit in range(state.n_units):
        if work.fallen[unit] == 0:
            continue
        for direction in range(8):
            cell = neighbour(game, state.units[unit].location, direction)
            other = NOWHERE if cell == OFF_MAP else work.occupant[cell]
            if other != NOWHERE and state.units[other].side == state.units[unit].side:
                work.shaken[other] += 1
