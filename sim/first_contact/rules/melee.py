"""Chapter 10: melee of squads."""

import numpy as np

from sim.compiled import inner_njit
from sim.first_contact.rules.game import end_of, enemy_of, first_of, neighbour, note, stand
from sim.first_contact.rules.movement import may_enter, step_cost
from sim.first_contact.rules.shots import suffer
from sim.first_contact.state import (
    EFFECT,
    FIRE,
    HAND_TO_HAND,
    MELEE,
    NOWHERE,
    ON_MAP,
    ROUT,
    ROUTED,
    SQUAD,
    STOOD,
    WIPED_OUT,
)
from sim.geometry.square import FAR, OFF_MAP, squared_distance, steps_between


@inner_njit
def opponent(game, unit):
    """FC-10.1: the enemy squad next to a squad that has the lowest number, or `NOWHERE`."""
    row = game.state.units[unit]
    found = NOWHERE
    for direction in range(8):
        cell = neighbour(game, row.location, direction)
        other = NOWHERE if cell == OFF_MAP else game.work.occupant[cell]
        if other == NOWHERE or game.state.units[other].side == row.side or game.state.units[other].kind != SQUAD:
            continue
        if found == NOWHERE or other < found:
            found = other
    return found


@inner_njit
def routs(game, unit, die):
    """FC-10.1, FC-9.2: whether a squad runs: ``die`` is a d100, 0 to 99."""
    return die < game.rules.rout[game.state.units[unit].morale]


@inner_njit
def nearest_enemy(game, unit, cell):
    """FC-10.1: steps from a cell to the nearest enemy of a unit, and the square of the distance to the nearest one."""
    side = enemy_of(game.state.units[unit].side)
    steps = squared = FAR
    for other in range(first_of(game, side), end_of(game, side)):
        enemy = game.state.units[other]
        if enemy.status == ON_MAP:
            steps = min(steps, steps_between(cell, enemy.location))
            squared = min(squared, squared_distance(cell, enemy.location))
    return steps, squared


@inner_njit
def retreat_step(game, unit):
    """FC-10.1: the next step of a squad that runs, or `NOWHERE`: it must raise the steps to the nearest enemy.

    Of several the one furthest from enemies (Euclid), then the cheapest, then the first clockwise from north.
    Trenches do not hold it (FC-4.4).
    """
    row = game.state.units[unit]
    near, _ = nearest_enemy(game, unit, row.location)
    best = NOWHERE
    best_squared, best_cost = np.int64(-1), np.int64(0)
    for direction in range(8):
        cell = neighbour(game, row.location, direction)
        if cell == OFF_MAP or not may_enter(game, unit, cell):
            continue
        cost = step_cost(game, unit, cell)
        if cost > row.allowance:
            continue
        steps, squared = nearest_enemy(game, unit, cell)
        if steps <= near:
            continue
        if squared > best_squared or (squared == best_squared and cost < best_cost):
            best, best_squared, best_cost = cell, squared, cost
    return best


@inner_njit
def rout(game, unit):
    """FC-10.1: a squad runs as far as it can; one that cannot make a step is wiped out. Returns steps made."""
    row = game.state.units[unit]
    made = 0
    cell = retreat_step(game, unit)
    while cell != NOWHERE:
        row.allowance -= step_cost(game, unit, cell)
        row.moved = 1
        stand(game, unit, cell)
        made += 1
        cell = retreat_step(game, unit)
    lost = row.men if made == 0 else 0
    row.dead += lost
    row.men -= lost
    number = game.work.event[unit]
    if number >= 0:
        event = game.log.events[number]
        event.result = ROUTED if made > 0 else WIPED_OUT
        event.losses = lost
        event.dead = lost
    return made


@inner_njit
def note_roll(game, unit, die):
    """Writes the roll against rout of a squad, which stands as far as is known; returns the number of the event."""
    row = game.state.units[unit]
    number = note(game, ROUT, row.side, unit, NOWHERE, row.location)
    if number >= 0:
        game.log.events[number].dice = die
        game.log.events[number].result = STOOD
        game.log.events[number].losses = 0
    return number


@inner_njit
def strike_blow(game, unit, target, die):
    """FC-10.1: a squad that stands inflicts a result of normal fire, without ammunition, with terrain and morale."""
    work = game.work
    work.fought[unit] = target
    number = note(game, MELEE, game.state.units[unit].side, unit, target, game.state.units[target].location)
    work.event[unit] = number
    if number >= 0:
        game.log.events[number].weapon = HAND_TO_HAND
        game.log.events[number].result = EFFECT
    suffer(game, unit, target, FIRE, die)
