"""Chapter 4: movement and facing."""

from sim.compiled import inner_njit
from sim.first_contact.rules.game import is_on_map, mover, stand, terrain_at
from sim.first_contact.state import BAD_FACING, BAD_MOVE, BARN, NOWHERE, ON_MAP, ON_TRACKS, SQUAD, TRENCH
from sim.geometry.square import direction_of
from sim.log import fault


@inner_njit
def can_move(game, unit):
    """FC-4.5, FC-6.5, FC-7.3: on the map, neither immobile nor stunned nor held by the barn."""
    row = game.state.units[unit]
    return row.status == ON_MAP and row.cannot_move == 0 and row.stunned == 0 and not is_held_by_barn(game, unit)


@inner_njit
def is_held_by_barn(game, unit):
    """FC-6.5: a vehicle that has entered the barn stays there one full turn."""
    entered = game.state.units[unit].entered
    return entered != 0 and game.state.turn <= entered + game.rules.barn_stays


@inner_njit
def allowance(game, pips):
    """FC-4.1: a pip is a cell of plain; counted in parts of a pip, so that every step costs a whole number."""
    return pips * game.rules.pip


@inner_njit
def step_cost(game, unit, cell):
    """FC-4.2: parts of a pip that a step into a cell costs, the same in all directions; negative if closed (FC-4.3)."""
    return game.rules.step_cost[mover(game, unit), terrain_at(game, cell)]


@inner_njit
def may_enter(game, unit, cell):
    """FC-1.1, FC-4.3: whether a cell is free and open to a unit."""
    return game.work.occupant[cell] == NOWHERE and step_cost(game, unit, cell) >= 0


@inner_njit
def may_leave(game, unit, cell, steps):
    """FC-4.4: whether a unit that has made so many steps may go to a neighbouring cell from where it is.

    A squad in a trench goes along it, or leaves it with its first step.
    """
    row = game.state.units[unit]
    if row.kind != SQUAD or terrain_at(game, row.location) != TRENCH:
        return True
    return steps == 0 or game.board.trench[cell] == game.board.trench[row.location]


@inner_njit
def may_step(game, unit, cell, steps):
    """FC-4.2 to FC-4.4: whether a unit may make its next step, to a neighbouring cell, after so many steps."""
    return (
        may_enter(game, unit, cell)
        and may_leave(game, unit, cell, steps)
        and step_cost(game, unit, cell) <= game.state.units[unit].allowance
    )


@inner_njit
def make_step(game, unit, cell):
    """FC-4.2 to FC-4.5: one step; returns whether it ends the move."""
    row = game.state.units[unit]
    origin = row.location
    row.allowance -= step_cost(game, unit, cell)
    row.moved = 1
    if row.kind != SQUAD:
        row.facing = direction_of(origin, cell)
    stand(game, unit, cell)
    if row.kind == SQUAD:
        return terrain_at(game, origin) == TRENCH and game.board.trench[cell] != game.board.trench[origin]
    return enters_barn(game, unit, origin)


@inner_njit
def enters_barn(game, unit, origin):
    """FC-6.5: notes when a vehicle came into the barn; returns whether it just did."""
    row = game.state.units[unit]
    if terrain_at(game, row.location) != BARN:
        row.entered = 0
        return False
    if terrain_at(game, origin) == BARN:
        return False
    row.entered = game.state.turn
    return True


@inner_njit
def walk(game, unit, cells, count):
    """FC-4.2, FC-4.3: a unit makes steps as long as it may; returns whether something blocked it.

    What the allowance does not cover ends the move without a block. A cell that is no neighbour is a fault.
    """
    row = game.state.units[unit]
    for steps in range(count):
        cell = cells[steps]
        if not is_on_map(game, cell) or direction_of(row.location, cell) < 0:
            fault(game, BAD_MOVE, cell)
            return False
        if not may_enter(game, unit, cell) or not may_leave(game, unit, cell, steps):
            return True
        if step_cost(game, unit, cell) > row.allowance:
            return False
        if make_step(game, unit, cell):
            return False
    return False


@inner_njit
def may_turn(game, unit, blocked):
    """FC-4.5: a vehicle that does not move, or is blocked, may turn; a stunned or immobile one cannot."""
    row = game.state.units[unit]
    return (
        row.status == ON_MAP
        and mover(game, unit) == ON_TRACKS
        and row.cannot_move == 0
        and row.stunned == 0
        and (row.moved == 0 or blocked)
    )


@inner_njit
def turn_to(game, unit, direction):
    """FC-4.5: a vehicle faces one of the 8 directions."""
    if direction < 0 or direction > 7:
        fault(game, BAD_FACING, direction)
        return
    game.state.units[unit].facing = direction
