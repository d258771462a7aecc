"""Chapter 7, second part: batteries, their shells and impact markers (TH-7.2 to TH-7.4)."""

from sim.compiled import inner_njit
from sim.tank_hex.rules.fire import result_by_table, saved_by_armour, saved_by_terrain
from sim.tank_hex.rules.ground import distance, is_close
from sim.tank_hex.state import DESTROYED, NOWHERE, PENDING, SUPPRESSED

RINGS = 3


@inner_njit
def call(game, side, battery, aim):
    """TH-7.2: a battery is called on a hex; its shells land two turns after the draw."""
    hidden = game.hidden
    for slot in range(PENDING):
        if hidden.battery[side, slot] == NOWHERE:
            hidden.battery[side, slot] = battery
            hidden.aim[side, slot] = aim
            hidden.due[side, slot] = game.state.turn + game.rules.delay
            return


@inner_njit
def arrival(game, side):
    """TH-7.2: the slot of a battery whose shells land this turn, or `NOWHERE`."""
    for slot in range(PENDING):
        if game.hidden.battery[side, slot] != NOWHERE and game.hidden.due[side, slot] == game.state.turn:
            return slot
    return NOWHERE


@inner_njit
def clear_call(game, side, slot):
    """TH-7.2: a battery has fired."""
    game.hidden.battery[side, slot] = NOWHERE
    game.hidden.aim[side, slot] = NOWHERE
    game.hidden.due[side, slot] = 0


@inner_njit
def ring_of(game, impact, hexagon):
    """TH-7.3: the ring of an impact that a hex lies in, 0 for the impact hex, or `NOWHERE` where it is spared.

    An impact in woods or built-up ground works in its own hex only; woods and built-up hexes in the rings are spared.
    """
    ring = distance(game, impact, hexagon)
    if ring == 0:
        return ring
    if ring >= RINGS or is_close(game, impact) or is_close(game, hexagon):
        return NOWHERE
    return ring


@inner_njit
def ring_level(game, battery, ring):
    """TH-7.3: the level of a shell in a ring."""
    return game.rules.ring_level[battery, ring]


@inner_njit
def result_of_shell(game, battery, level, terrain, die_1, die_2, armour_die):
    """TH-7.3: the result of a shell; terrain and armour corrections touch K only."""
    result = result_by_table(game, battery, level, die_1 + die_2)
    if result == DESTROYED and (
        saved_by_terrain(game, terrain, die_1, die_2) or saved_by_armour(game, battery, armour_die)
    ):
        return SUPPRESSED
    return result


@inner_njit
def lift_impacts(game):
    """TH-5.4, TH-7.4: the impact markers of the turn before come off."""
    game.state.impact_battery[:] = NOWHERE
    game.state.impacts[:] = NOWHERE


@inner_njit
def ring_entered(game, impact, hexagon):
    """TH-7.4: the ring in which an impact marker works on a tank that enters a hex, or `NOWHERE`.

    Only the impact hex itself, and the rings under the option ``rings_linger``.
    """
    if impact == NOWHERE:
        return NOWHERE
    if game.rules.rings_linger == 1:
        return ring_of(game, impact, hexagon)
    return 0 if impact == hexagon else NOWHERE
