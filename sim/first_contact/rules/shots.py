"""FC-3.1: shots and blows, from the dice to their results, which apply together at the end of a phase."""

from sim.compiled import inner_njit
from sim.first_contact.rules.fire import (
    casualties,
    damage,
    die_modifier,
    leads,
    penetration,
    range_in_metres,
    reach,
    rounded,
    takes_effect,
    weapon_against,
)
from sim.first_contact.rules.game import note
from sim.first_contact.rules.terrain import facing_towards, fire_modifier, protection
from sim.first_contact.state import DESTROYED, EFFECT, NO_EFFECT, NOWHERE, PENETRATED, RICOCHET, SHOT, SQUAD
from sim.geometry.square import squared_distance


@inner_njit
def begin_phase(game):
    """Clears what a phase of shots or blows leaves behind."""
    work = game.work
    for unit in range(game.state.n_units):
        work.lead[unit] = NOWHERE
        work.event[unit] = NOWHERE
        work.inflicts[unit] = 0


@inner_njit
def shoot(game, unit, fire_die, armour_die):
    """FC-5.3, FC-5.10: a declared shot: does it take effect, and what does it do to a vehicle?

    A squad that it hits suffers later, by `suffer`; ``lead`` keeps whose shot decides.
    """
    state, work = game.state, game.work
    row = state.units[unit]
    target = row.target
    enemy = state.units[target]
    weapon = weapon_against(game, unit, target)
    distance = squared_distance(row.location, enemy.location)
    number = note(game, SHOT, row.side, unit, target, enemy.location)
    work.event[unit] = number
    if number >= 0:
        event = game.log.events[number]
        event.weapon = weapon
        event.mode = row.fired
        event.range_m = range_in_metres(game, distance)
        event.fire_dice = fire_die
        if enemy.kind != SQUAD:
            event.facing = facing_towards(game, target, row.location)
        event.result = NO_EFFECT
        event.losses = 0
    if not takes_effect(game, distance, reach(game, unit, weapon), fire_die):
        return
    if enemy.kind != SQUAD:
        strike_armour(game, unit, armour_die, number)
        return
    work.hit[unit] = target
    if work.lead[target] == NOWHERE or leads(game, unit, work.lead[target]):
        work.lead[target] = unit
    if number >= 0:
        game.log.events[number].result = EFFECT


@inner_njit
def strike_armour(game, unit, die, number):
    """FC-5.3 to FC-5.7: an effective shot at a vehicle, on the facing that it shows the shooter."""
    row = game.state.units[unit]
    target = row.target
    enemy = game.state.units[target]
    facing = facing_towards(game, target, row.location)
    thickness = game.rules.armour[enemy.kind, facing]
    f, p = fire_modifier(game, unit, row.fired), protection(game, target)
    numerator, denominator = penetration(game, thickness, die, f, p)
    lost = 0
    result = RICOCHET
    if numerator <= denominator:
        game.work.hit[unit] = target
        result = PENETRATED
        if enemy.men > 0:
            lost = damage(game, target, facing)
            if enemy.men == 0:
                result = DESTROYED
    if number >= 0:
        event = game.log.events[number]
        event.dice = die
        event.value = numerator / denominator
        event.result = result
        event.losses = lost
        event.dead = lost


@inner_njit
def suffer(game, unit, target, mode, die):
    """FC-5.2: what a squad suffers from a unit's shot or blow; its wounded are counted later, by `settle`."""
    f, p = fire_modifier(game, unit, mode), protection(game, target)
    men = game.state.units[target].men
    numerator, denominator = casualties(game, mode, die, die_modifier(game, unit), f, p, men)
    dead, wounded = rounded(numerator, denominator)
    dead = min(dead, men - game.work.dead[target])
    game.work.dead[target] += dead
    game.work.inflicts[unit] = wounded
    number = game.work.event[unit]
    if number >= 0:
        event = game.log.events[number]
        event.dice = die
        event.value = numerator / denominator
        event.losses = dead
        event.dead = dead


@inner_njit
def settle(game, victims):
    """FC-5.2: once all the dead are counted, the wounded: results are capped at the men present, the dead first.

    ``victims`` (units,): the squad that each unit struck. Then the results apply.
    """
    state, work = game.state, game.work
    for unit in range(state.n_units):
        if work.inflicts[unit] == 0:
            continue
        target = victims[unit]
        wounded = min(work.inflicts[unit], state.units[target].men - work.dead[target] - work.wounded[target])
        work.wounded[target] += wounded
        number = work.event[unit]
        if number >= 0:
            event = game.log.events[number]
            event.losses += wounded
            event.wounded = wounded
    for unit in range(state.n_units):
        row = state.units[unit]
        row.men -= work.dead[unit] + work.wounded[unit]
        row.dead += work.dead[unit]
        row.wounded += work.wounded[unit]
        work.dead[unit] = 0
        work.wounded[unit] = 0
