"""3 Axis attack."""

import numpy as np

from sim.barbarossa.board import N_NATIONS
from sim.barbarossa.rules.game import are_neighbours, enter, leave, note, take, units_in
from sim.barbarossa.rules.reinforcements import departures, may_enter
from sim.barbarossa.state import (
    AXIS,
    HUNGARIAN,
    ISOLATED,
    MOST_PLACES,
    MOST_UNITS,
    NOWHERE,
    ON_MAP,
    RUMANIAN,
    SOVIET,
)
from sim.compiled import inner_njit, room


@inner_njit
def may_attack(game, unit, target):
    """BB-3.1, BB-3.4: a unit that has not attacked, next to a Soviet region that has not been attacked this turn."""
    attacker = game.state.units[unit]
    if attacker.status != ON_MAP or attacker.attacked_in == game.state.turn:
        return False
    if attacker.stood_alone == 1 and game.rules.lone_unit_may_attack == 0:
        return False
    place = game.state.places[target]
    return (
        place.holder == SOVIET
        and place.attacked_in != game.state.turn
        and are_neighbours(game, attacker.region, target)
        and may_enter(game, unit, target)
    )


@inner_njit
def may_attack_together(game, attackers, count, target):
    """BB-3.1, BB-3.4: whether these units may make one attack: one a line, no Rumanians beside Hungarians."""
    if count < 1:
        return False
    nations = room(N_NATIONS, np.int64)
    nations[:] = 0
    for i in range(count):
        unit = attackers[i]
        if unit < 0 or unit >= game.state.n_units or not may_attack(game, unit, target):
            return False
        nations[game.state.units[unit].nation] += 1
        for j in range(i):
            if game.state.units[attackers[j]].region == game.state.units[unit].region:
                return False
    return nations[RUMANIAN] == 0 or nations[HUNGARIAN] == 0


@inner_njit
def attack_modifier(game, with_german):
    """BB-3.2: what is added to the die, by year and by whether a German unit takes part."""
    turn = game.state.turn
    return game.rules.modifier_german[turn - 1] if with_german else game.rules.modifier_other[turn - 1]


@inner_njit
def attack_result(game, count, roll):
    """BB-3.2: the result of ``count`` attackers with a modified roll."""
    table = game.rules.attack_table
    return table[min(count, table.shape[0]) - 1, max(1, min(roll, table.shape[1])) - 1]


@inner_njit
def capture(game, target, attackers, count):
    """BB-3.2, BB-3.3: the attackers that remain enter the target; returns how many regions it cuts off."""
    game.state.sides[AXIS].captured += 1
    origins = room(MOST_UNITS, np.int64)
    for i in range(count):
        origins[i] = game.state.units[attackers[i]].region
        enter(game, attackers[i], target)
    leave(game, origins, count)
    cut_off = isolate(game)
    departures(game)
    return cut_off


@inner_njit
def isolate(game):
    """BB-3.3: Soviet regions that no path of Soviet regions, by line or sea, joins to a source turn Axis.

    Returns how many. With all sources Axis everything falls and the game is decided.
    """
    board, places = game.board, game.state.places
    n_places = game.state.n_places
    supplied = room(MOST_PLACES, np.int64)
    supplied[:] = 0
    queue = room(MOST_PLACES, np.int64)
    length = 0
    for region in range(n_places):
        if board.is_source[region] == 1 and places[region].holder == SOVIET:
            supplied[region] = 1
            queue[length] = region
            length += 1
    if length == 0:
        game.state.sides[AXIS].decided = game.state.turn
    done = 0
    while done < length:
        region = queue[done]
        done += 1
        for links in (board.neighbours[region], board.overseas[region]):
            i = 0
            while links[i] != NOWHERE:
                other = links[i]
                if supplied[other] == 0 and places[other].holder == SOVIET:
                    supplied[other] = 1
                    queue[length] = other
                    length += 1
                i += 1
    count = 0
    for region in range(n_places):
        if places[region].holder == SOVIET and supplied[region] == 0:
            take(game, region, AXIS)
            places[region].garrison = 1
            game.state.sides[AXIS].captured += 1
            note(game, ISOLATED, AXIS, NOWHERE, region, NOWHERE)
            count += 1
    return count


@inner_njit
def mark_lone_units(game):
    """BB-3.4: with ``lone_unit_may_attack`` off, units are counted when the attack phase begins."""
    if game.rules.lone_unit_may_attack == 1:
        return
    for i in range(game.state.n_units):
        unit = game.state.units[i]
        unit.stood_alone = 1 if unit.status == ON_MAP and units_in(game, unit.region) == 1 else 0
