"""Chapter 2: tanks, their markers, and how many may be in a hex."""

from sim.compiled import inner_njit
from sim.tank_hex.rules.game import note, tanks_in
from sim.tank_hex.state import CROWDED_OUT, FIRE_KILL, MOBILITY_KILL, NO_RESULT, NOWHERE, SUPPRESSED


@inner_njit
def is_tank(game, value):
    """Whether a value that a policy returned is the number of a tank on the map."""
    return 0 <= value < game.state.n_units and game.state.units[value].hex != NOWHERE


@inner_njit
def may_be_fired_at(game, unit):
    """TH-2.2: a tank is fired at once a turn at most, and not in close combat (TH-6.8)."""
    tank = game.state.units[unit]
    return tank.hex != NOWHERE and tank.fired_at == 0 and tank.in_combat == 0


@inner_njit
def is_able_to_fire(game, unit):
    """TH-2.2, TH-4.8: whether a tank has not fired, can fire, and is not in close combat (TH-6.8)."""
    tank = game.state.units[unit]
    return tank.hex != NOWHERE and tank.fired == 0 and tank.fire_kill == 0 and tank.in_combat == 0


@inner_njit
def crowd(game, unit):
    """TH-2.3: a tank that ends its move in a hex with as many own tanks as may be there is destroyed."""
    tank = game.state.units[unit]
    if tank.hex == NOWHERE or tanks_in(game, tank.side, tank.hex) <= game.rules.stacking:
        return
    event = note(game, CROWDED_OUT, tank.side, unit, NOWHERE)
    if event >= 0:
        game.log.events[event].target_hex = tank.hex
        game.log.events[event].losses = 1
    destroy(game, unit)


@inner_njit
def suffer(game, unit, result):
    """TH-4.8: the effect of a result on a tank; True if it is destroyed by it.

    S does not add up. A second F or M on a tank that has either destroys it.
    """
    tank = game.state.units[unit]
    if result == NO_RESULT:
        return False
    if result == SUPPRESSED:
        tank.suppressed = 1
        tank.was_suppressed = 1
        return False
    if result <= MOBILITY_KILL and tank.fire_kill == 0 and tank.mobility_kill == 0:
        if result == FIRE_KILL:
            tank.fire_kill = 1
        else:
            tank.mobility_kill = 1
        return False
    destroy(game, unit)
    return True


@inner_njit
def destroy(game, unit):
    """TH-4.8: a destroyed tank leaves the map."""
    tank = game.state.units[unit]
    tank.hex = NOWHERE
    tank.destroyed = 1
    tank.in_combat = 0


@inner_njit
def clear_markers(game):
    """TH-5.1, TH-2.2: the markers of the turn before come off."""
    for i in range(game.state.n_units):
        tank = game.state.units[i]
        tank.fired = 0
        tank.fired_at = 0
        tank.moved = 0
        tank.marched = 0
        tank.allowance = 0
        tank.spent = 0
        tank.hexes = 0
        tank.shots = 0
        tank.shells = 0
        tank.was_suppressed = tank.suppressed
