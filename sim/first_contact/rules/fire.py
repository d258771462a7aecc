"""Chapter 5: fire and what it does."""

import numpy as np

from sim.compiled import inner_njit
from sim.first_contact.board import MEN, NO_FIRE_ROLL
from sim.first_contact.rules.sight import can_see, cells_to
from sim.first_contact.rules.terrain import barn_allows, fire_modifier
from sim.first_contact.state import (
    ANTI_TANK,
    FIRE,
    FRONT,
    GUN,
    MACHINE_GUN,
    NOWHERE,
    ON_MAP,
    SIDE,
    SMALL_ARMS,
    SQUAD,
    SUPPRESS,
)
from sim.geometry.square import WIDTH, squared_distance


@inner_njit
def can_fire(game, unit):
    """FC-5.1, FC-5.4, FC-7.3: on the map, with ammunition, neither disarmed nor stunned."""
    row = game.state.units[unit]
    return (
        row.status == ON_MAP
        and row.cannot_fire == 0
        and row.stunned == 0
        and row.ammunition >= ammunition_cost(game, unit, FIRE)
    )


@inner_njit
def ammunition_cost(game, unit, mode):
    """FC-5.1, FC-9.2: what a mode of fire costs; in high morale suppression costs more."""
    row = game.state.units[unit]
    cost = game.rules.ammunition[mode]
    if mode == SUPPRESS and row.kind == SQUAD:
        cost += max(0, game.rules.suppression[row.morale])
    return cost


@inner_njit
def may_suppress(game, unit, target):
    """FC-5.1, FC-9.2: at squads alone, with the ammunition for it, and not when broken."""
    row = game.state.units[unit]
    return (
        game.state.units[target].kind == SQUAD
        and (row.kind != SQUAD or game.rules.suppression[row.morale] >= 0)
        and row.ammunition >= ammunition_cost(game, unit, SUPPRESS)
    )


@inner_njit
def weapon_against(game, unit, target):
    """FC-5.8: the weapon that a unit uses on a target, or `NOWHERE` for a squad that has none against a vehicle."""
    return weapon_on(game, unit, game.state.units[target].kind == SQUAD)


@inner_njit
def weapon_on(game, unit, squads):
    """FC-5.8: the weapon that a unit uses on squads or on vehicles; `NOWHERE` if it has none."""
    row = game.state.units[unit]
    if row.kind != SQUAD:
        return GUN
    if not squads:
        return ANTI_TANK if row.anti_tank == 1 else NOWHERE
    return MACHINE_GUN if row.machine_gun == 1 else SMALL_ARMS


@inner_njit
def reach(game, unit, weapon):
    """FC-5.8: range of a unit's weapon in cells."""
    return game.rules.vehicle_range[game.state.units[unit].kind] if weapon == GUN else game.rules.weapon_range[weapon]


@inner_njit
def squared_reach(game, unit, squads):
    """FC-5.8: square of a unit's range against squads or vehicles, in cells; 0 if it has no weapon against them."""
    weapon = weapon_on(game, unit, squads)
    furthest = np.int64(0) if weapon == NOWHERE else reach(game, unit, weapon)
    return furthest * furthest


@inner_njit
def may_target(game, unit, target):
    """FC-5.8, FC-5.9, FC-6.5: whether a unit that can fire may fire at an enemy: weapon, range, barn, line of sight."""
    enemy = game.state.units[target]
    return (
        enemy.status == ON_MAP
        and squared_distance(game.state.units[unit].location, enemy.location)
        <= squared_reach(game, unit, enemy.kind == SQUAD)
        and can_see(game, unit, target)
        and barn_allows(game, unit, enemy.location)
    )


@inner_njit
def targets(game, unit, found):
    """FC-5.1: enemies that a unit may fire at (`may_target`) of those listed, into ``found``; their number."""
    work, cell = game.work, game.state.units[unit].location
    row, column = cell // WIDTH, cell % WIDTH
    to_squads, to_vehicles = squared_reach(game, unit, True), squared_reach(game, unit, False)
    count = 0
    for i in range(work.n_marks):
        mark = work.marks[i]
        # `may_target`, with everything that is the same for many pairs worked out before.
        if (
            cells_to(mark, row, column) <= (to_squads if mark.is_squad == 1 else to_vehicles)
            and can_see(game, unit, mark.unit)
            and barn_allows(game, unit, game.state.units[mark.unit].location)
        ):
            found[count] = mark.unit
            count += 1
    return count


@inner_njit
def casualties(game, mode, die, pips, f, p, men):
    """FC-5.2, FC-5.7: casualties of a squad as numerator and denominator: a number of men, before any rounding.

    ``die`` is the casualty die and ``pips`` what morale adds to it, ``f`` and ``p`` are per cent; ``men``, those
    present, count only where the result is a share of them.
    """
    factor = max(0, 1 + die + pips)
    numerator = game.rules.casualties[mode] * factor * (100 + f)
    if game.rules.casualties_are != MEN:
        numerator *= men
    return numerator, 100 * (100 + p)


@inner_njit
def rounded(numerator, denominator):
    """FC-5.2: casualties as dead and wounded: from one half on the last man is dead, below that wounded."""
    dead = numerator // denominator
    rest = numerator - dead * denominator
    if rest == 0:
        return dead, 0
    if 2 * rest >= denominator:
        return dead + 1, 0
    return dead, 1


@inner_njit
def penetration(game, thickness, die, f, p):
    """FC-5.3, FC-5.7: A = thickness x (1 + p) / ((100 + die) x (1 + f)) as numerator and denominator.

    ``thickness`` is in tenths of a millimetre. A of at most 1 penetrates, above 1 the shot ricochets.
    """
    return thickness * (100 + p), 10 * (game.rules.armour_base + die) * (100 + f)


@inner_njit
def damage(game, unit, facing):
    """FC-5.4: a penetration; returns crew lost. The front destroys; so do side and rear, or either twice.

    A vehicle without men left is destroyed; it leaves the map when the results of the phase apply.
    """
    row = game.state.units[unit]
    lost = row.men
    if facing != FRONT and row.cannot_fire == 0 and row.cannot_move == 0:
        if facing == SIDE:
            row.cannot_fire = 1
            lost = min(lost, game.rules.side_crew)
        else:
            row.cannot_move = 1
            lost = min(lost, game.rules.rear_crew)
    row.men -= lost
    row.dead += lost
    return lost


@inner_njit
def least_pips(game, distance, furthest):
    """FC-5.10: 2 up to a third of the range, 4 up to two thirds, 6 beyond; ``distance`` is squared, in cells.

    1 without that roll.
    """
    if game.rules.fire_roll == NO_FIRE_ROLL:
        return np.int64(1)
    third = 0
    if 9 * distance > 4 * furthest * furthest:
        third = 2
    elif 9 * distance > furthest * furthest:
        third = 1
    return game.rules.takes_effect[third]


@inner_njit
def takes_effect(game, distance, furthest, die):
    """FC-5.10: whether a shot takes effect."""
    return die >= least_pips(game, distance, furthest)


@inner_njit
def leads(game, unit, other):
    """FC-5.2: whether a unit's shot goes before another's in deciding what the squad that both hit suffers.

    Suppression before plain fire, then the higher f; then the one whose morale adds more to the die, then the lower
    number.
    """
    a, b = game.state.units[unit], game.state.units[other]
    if a.fired != b.fired:
        return a.fired == SUPPRESS
    a_f, b_f = fire_modifier(game, unit, a.fired), fire_modifier(game, other, b.fired)
    if a_f != b_f:
        return a_f > b_f
    a_pips, b_pips = die_modifier(game, unit), die_modifier(game, other)
    return a_pips > b_pips if a_pips != b_pips else unit < other


@inner_njit
def die_modifier(game, unit):
    """FC-9.2: what the morale of a squad adds to the casualty die of its shots."""
    row = game.state.units[unit]
    return game.rules.pips[row.morale] if row.kind == SQUAD else 0


@inner_njit
def range_in_metres(game, distance):
    """A squared distance in cells as metres, rounded down; for the record alone."""
    return np.int64(np.sqrt(distance * game.rules.cell_metres * game.rules.cell_metres))
