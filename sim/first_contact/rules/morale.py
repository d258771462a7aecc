"""Chapter 9: morale of squads."""

from sim.compiled import inner_njit
from sim.first_contact.state import BROKEN, GONE, HIGH, HOLD_FIRE, NOWHERE, ON_MAP, SQUAD


@inner_njit
def is_supporting(game, unit):
    """FC-9.1: fires at a target at which another friendly unit with a lower number fires, too."""
    target = game.state.units[unit].target
    for other in range(unit):
        if game.state.units[other].target == target:
            return True
    return False


@inner_njit
def count_attack(game, unit):
    """FC-9.1: counts this turn's shot of a squad; returns how many levels its morale rises.

    A supporting shot counts for the support counter alone, any other for the attack counter alone; a turn without a
    shot resets both. A counter that has brought a level starts anew.
    """
    row = game.state.units[unit]
    if row.fired == HOLD_FIRE:
        row.attacks = 0
        row.supports = 0
    elif is_supporting(game, unit):
        row.supports += 1
    else:
        row.attacks += 1
    levels = 0
    if row.attacks >= game.rules.morale_attacks:
        row.attacks = 0
        levels += 1
    if row.supports >= game.rules.morale_supports:
        row.supports = 0
        levels += 1
    return levels


@inner_njit
def has_wiped_out(game, unit):
    """FC-9.1: whether a unit that this one hit this turn, by fire or in melee, has been wiped out or destroyed."""
    for target in (game.work.hit[unit], game.work.fought[unit]):
        if target != NOWHERE and game.state.units[target].status == GONE:
            return True
    return False


@inner_njit
def update_morale(game):
    """FC-9.1: up for consecutive attacks, to the highest for a unit wiped out, down for friends lost next to it."""
    for unit in range(game.state.n_units):
        row = game.state.units[unit]
        if row.status != ON_MAP or row.kind != SQUAD:
            continue
        morale = min(HIGH, row.morale + count_attack(game, unit))
        if has_wiped_out(game, unit):
            morale = HIGH
        row.morale = max(BROKEN, morale - game.work.shaken[unit])
