"""How policies of Tank Hex weigh a position: odds of shots, hexes within reach, and what they are worth to a tank.

A policy says what a hex is worth (see `best_move`); where a tank can get to, what it would see there and what may
happen on the way is worked out here, from the board's fields and for the hexes within reach alone.

Chances are those that a tank is destroyed, from ``rules.kill_odds``. Blue looks at everything from the other end of the
map, so that ties favour neither side.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from sim.compiled import array_njit, inner_njit
from sim.tank_hex.doctrine import (
    DANGER,
    EXCHANGE,
    EXPOSED,
    GAIN,
    HEIGHT,
    HOLD,
    LATE,
    REACTION,
    SHELTER,
    TARGET,
    WAY,
)
from sim.tank_hex.rules.fire import level_between
from sim.tank_hex.rules.game import end_of, first_of, tanks_in
from sim.tank_hex.rules.ground import distance, is_close, sees
from sim.tank_hex.rules.markers import may_be_fired_at
from sim.tank_hex.rules.movement import allowance
from sim.tank_hex.rules.sequence import may_fire, may_move
from sim.tank_hex.rules.victory import points
from sim.tank_hex.state import (
    DIRECT,
    MOST_TANKS,
    NOWHERE,
    OPPORTUNITY,
)
from sim.tank_hex.ways import (
    COVERED,
    FOES,
    OWN,
    SEEN,
    before,
    hex_of,
    is_march,
    is_marked,
    marks_of,
    most_ways,
    plan_path,
    reach,
)

THROWS = 216
"""Equally likely throws of two dice and an armour die: what ``rules.kill_odds`` counts."""

NEXT_TANK = np.int64(30)
"""Place in memory of the tank, by its place in its side, with which `best_move` goes on."""
DECLINED = np.int64(29)
"""Place in memory of whether all tanks have declined to move this turn."""
ASKED_AGAIN = 2
"""Tanks that `best_move` asks again after that."""


class Goal(NamedTuple):
    """What a tank goes for."""

    objective: int | np.int64
    """Number of the objective, or `NOWHERE`."""
    cost: float
    """Cost of each MP on the way to it."""


class View(NamedTuple):
    """What a tank would face in a hex."""

    reaction: float
    """Chance to be destroyed on the way there by enemies that may give opportunity fire."""
    danger: float
    """Chance to be destroyed there by all the enemies that see it and can fire next turn."""
    prospect: float
    """Chance to destroy the best target from there."""
    combat: bool
    """Whether enemies are in the hex: close combat."""
    wins: float
    """Chance to win it, 1 where there is none."""
    exchange: float
    """Tanks that it would win less those that it would lose in it."""


# Shots


@inner_njit
def kill_odds_between(game, kind, a, b, suppressed, damaged, bonus):
    """Throws of `THROWS` with which a shot from hex a to hex b destroys a tank that is damaged (1) or not (0)."""
    if not sees(game, a, b):
        return 0
    return kill_odds_in_sight(game, kind, a, b, suppressed, damaged, bonus)


@njit(inline="always")  # what is asked most
def kill_odds_in_sight(game, kind, a, b, suppressed, damaged, bonus):
    """As `kill_odds_between`, for hexes that see each other."""
    level = level_between(game, kind, a, b, suppressed, bonus)
    return game.rules.kill_odds[damaged, level, game.board.terrain[b]]


@inner_njit
def kill_odds(game, kind, shooter, target, bonus):
    """Throws of `THROWS` with which a shot destroys its target, by F or M, too, if it has either."""
    tank, enemy = game.state.units[shooter], game.state.units[target]
    damaged = enemy.fire_kill + enemy.mobility_kill
    return kill_odds_between(game, kind, tank.hex, enemy.hex, tank.suppressed, damaged, bonus)


@inner_njit
def best_target(game, kind, shooter, but):
    """The enemy that a tank is most likely to destroy, ``but`` one, the lowest number of several; or `NOWHERE`."""
    enemy = 1 - game.state.units[shooter].side
    best, best_odds = NOWHERE, 0
    for target in range(first_of(game, enemy), end_of(game, enemy)):
        if target != but and may_be_fired_at(game, target):
            odds = kill_odds(game, kind, shooter, target, 0)
            if odds > best_odds:
                best, best_odds = target, odds
    return best


@inner_njit
def name_best(game, kind, side, target, sure, most, order):
    """Names the best shooters at a target, best first, until it is destroyed with a chance of ``sure``.

    At most ``most`` of them. Returns the chance that it is destroyed; nobody is named who has none.
    """
    survives = 1.0
    count = 0
    while count < min(most, MOST_TANKS) and 1.0 - survives < sure:
        best, best_odds = NOWHERE, 0
        for shooter in range(first_of(game, side), end_of(game, side)):
            if not may_fire(game, kind, shooter):
                continue
            named = False
            for i in range(count):
                named = named or order[i] == shooter
            odds = 0 if named else kill_odds(game, kind, shooter, target, 0)
            if odds > best_odds:
                best, best_odds = shooter, odds
        if best == NOWHERE:
            break
        order[count] = best
        count += 1
        survives = survives * (THROWS - best_odds) / THROWS
    return 1.0 - survives


# What a hex is worth


@inner_njit
def nearest_enemy(game, side, hexagon):
    """Hexes from a hex to the nearest enemy of a side; without any more than there are on the map."""
    nearest = game.board.hexes
    for enemy in range(first_of(game, 1 - side), end_of(game, 1 - side)):
        place = game.state.units[enemy].hex
        if place != NOWHERE:
            nearest = min(nearest, distance(game, hexagon, place))
    return nearest


@inner_njit
def reaction_in(game, unit, hexagon):
    """Chance that a tank is destroyed by opportunity fire in a hex."""
    tank = game.state.units[unit]
    damaged = tank.fire_kill + tank.mobility_kill
    safe = 1.0
    for enemy in range(first_of(game, 1 - tank.side), end_of(game, 1 - tank.side)):
        if may_fire(game, OPPORTUNITY, enemy):
            shooter = game.state.units[enemy]
            odds = kill_odds_between(game, OPPORTUNITY, shooter.hex, hexagon, shooter.suppressed, damaged, 0)
            safe = safe * (THROWS - odds) / THROWS
    return 1.0 - safe


@inner_njit
def reaction_on_the_way(game, unit, ways, row, marks, risk):
    """Chance that a tank is destroyed by opportunity fire where it is likeliest on the way to a row of a table of ways.

    ``risk`` (rows,) keeps that of single hexes, -1 where it is not known yet. There is no fire where enemies are.
    """
    if game.state.units[unit].fired_at == 1:
        return 0.0
    most = 0.0
    while row > 0:
        if risk[row] < 0.0:
            hexagon = hex_of(ways[row])
            fire = is_marked(marks, COVERED, hexagon) and not is_marked(marks, FOES, hexagon)
            risk[row] = reaction_in(game, unit, hexagon) if fire else 0.0
        most = max(most, risk[row])
        row = before(ways[row])
    return most


@inner_njit
def prospects(game, unit, hexagon):
    """Chance that a tank in a hex is destroyed if all enemies fire next turn, and that it destroys its best target."""
    tank = game.state.units[unit]
    damaged = tank.fire_kill + tank.mobility_kill
    safe = 1.0
    best = 0
    for other in range(first_of(game, 1 - tank.side), end_of(game, 1 - tank.side)):
        enemy = game.state.units[other]
        if enemy.hex == NOWHERE or enemy.in_combat == 1 or not sees(game, hexagon, enemy.hex):
            continue
        if enemy.fire_kill == 0:
            safe = safe * (THROWS - kill_odds_in_sight(game, DIRECT, enemy.hex, hexagon, 0, damaged, 0)) / THROWS
        if tank.fire_kill == 0:
            wounds = enemy.fire_kill + enemy.mobility_kill
            best = max(best, kill_odds_in_sight(game, DIRECT, hexagon, enemy.hex, 0, wounds, 0))
    return 1.0 - safe, best / THROWS


@inner_njit
def most_prospect(game, unit, within):
    """What no chance of a tank to destroy its best target exceeds in any hex within some hexes."""
    tank = game.state.units[unit]
    most = 0
    if tank.fire_kill == 1:
        return 0.0
    for other in range(first_of(game, 1 - tank.side), end_of(game, 1 - tank.side)):
        enemy = game.state.units[other]
        if enemy.hex != NOWHERE and enemy.in_combat == 0:
            nearest = max(0, distance(game, tank.hex, enemy.hex) - within)
            if nearest <= game.rules.most_distance:
                most = max(most, game.rules.most_odds[nearest, enemy.fire_kill | enemy.mobility_kill])
    return most / THROWS


@inner_njit
def combat_odds(game, unit, hexagon):
    """Chance that a tank which joins a close combat in a hex is on the winning side, and the tanks won less those lost.

    By the square of the numbers that can fire (Lanchester): who fires first is a toss of a coin, round by round.
    """
    units = game.state.units
    side = units[unit].side
    own, able, foes, foes_able = 1, 1 - units[unit].fire_kill, 0, 0
    for other in range(game.state.n_units):
        if units[other].hex != hexagon or other == unit:
            continue
        if units[other].side == side:
            own += 1
            able += 1 - units[other].fire_kill
        else:
            foes += 1
            foes_able += 1 - units[other].fire_kill
    wins = 0.5
    if able + foes_able > 0:
        wins = able * able / (able * able + foes_able * foes_able)
    return wins, wins * foes - (1.0 - wins) * own


@inner_njit
def is_full(game, unit, hexagon):
    """TH-2.3: whether a hex has room for no tank more of a tank's side than are there without it."""
    tank = game.state.units[unit]
    others = tanks_in(game, tank.side, hexagon) - (1 if tank.hex == hexagon else 0)
    return others >= game.rules.stacking


@inner_njit
def goal_of(game, doctrine, unit):
    """What a tank goes for: the nearest objective that its side does not hold, else the nearest."""
    tank = game.state.units[unit]
    best, best_way, best_held = NOWHERE, 0, True
    for number in range(game.state.n_places):
        way = game.board.travel[number, tank.hex]
        held = game.state.places[number].holder == tank.side
        if best == NOWHERE or (best_held and not held) or (best_held == held and way < best_way):
            best, best_way, best_held = number, way, held
    cost = doctrine[WAY]
    if points(game, tank.side) <= points(game, 1 - tank.side):
        cost = cost + doctrine[LATE] * game.state.turn / game.rules.n_turns
    return Goal(best, cost)


@njit(inline="always")  # so that what calls it has no calls to which references are counted
def worth_by_doctrine(game, doctrine, unit, hexagon, goal, view):
    """What a hex is worth by the common doctrine, see `best_move`."""
    board = game.board
    value = doctrine[TARGET] * view.prospect - doctrine[DANGER] * view.danger - doctrine[REACTION] * view.reaction
    value = value + doctrine[EXCHANGE] * view.exchange - doctrine[EXPOSED] * board.exposure[hexagon] / 100.0
    value = value + doctrine[HEIGHT] * board.grade[hexagon]
    if is_close(game, hexagon):
        value = value + doctrine[SHELTER]
    if goal.objective != NOWHERE:
        value = value - goal.cost * board.travel[goal.objective, hexagon]
        held = game.state.places[goal.objective].holder == game.state.units[unit].side
        if hexagon == board.objective[goal.objective] and not held:
            value = value + doctrine[HOLD] * view.wins
    return value


@array_njit
def best_way(game, doctrine, memory, unit, movement, marks, ways, risk, worth):
    """The row of a tank's table of ways where its move ends best, 0 if that gains too little. See `best_move`.

    The table is gone through from its end, so that of equals the nearest is taken.
    """
    count = reach(game, unit, movement, marks, ways)
    risk[:count] = -1.0
    goal = goal_of(game, doctrine, unit)
    hope = most_prospect(game, unit, game.rules.march * movement)
    best, least = 0, 0.0
    for i in range(count):
        row = count - i if i > 0 else 0
        hexagon = hex_of(ways[row])
        if is_marked(marks, OWN, hexagon) and is_full(game, unit, hexagon):
            continue
        reaction, danger, prospect, combat, wins, exchange = 0.0, 0.0, 0.0, is_marked(marks, FOES, hexagon), 1.0, 0.0
        if combat:
            wins, exchange = combat_odds(game, unit, hexagon)
        # What takes longer to work out is left for later, and left out where even the best would be too little.
        hopes, fears = not combat and is_marked(marks, SEEN, hexagon), row > 0
        if hopes:
            prospect = hope
        while True:
            view = View(reaction, danger, prospect, combat, wins, exchange)
            value = worth(game, doctrine, memory, unit, hexagon, goal, view)
            if row > 0 and (value < least or (value == least and best == 0)):
                break
            if hopes:
                danger, prospect = prospects(game, unit, hexagon)
                hopes = False
                continue
            if fears:
                reaction = reaction_on_the_way(game, unit, ways, row, marks, risk)
                fears = False
                if reaction > 0.0:
                    continue
            best, least = row, value if row > 0 else value + doctrine[GAIN]
            break
    return best


@array_njit
def best_move(game, doctrine, memory, side, worth, order):
    """The next tank of a side that gains by another hex within reach, or `NOWHERE`.

    Its path is kept in memory, ``order[0]`` says whether it marches. Tanks take turns; when all have declined, a few
    are asked again each time: what the enemy does may change their minds. A hex is worth to a tank what
    ``worth(game, doctrine, memory, unit, hexagon, goal, view)`` says, a compiled function: ``goal`` is the `Goal`
    that it has, ``view`` the `View` there. More danger or reaction must not make a hex worth more, nor less prospect.
    """
    first = first_of(game, side)
    tanks = end_of(game, side) - first
    marks = marks_of(game, side)
    movement = allowance(game, first)  # the same for all of them
    most = most_ways(game, movement)
    ways, risk = np.empty(most, np.int64), np.empty(most)
    for _ in range(min(tanks, ASKED_AGAIN) if memory[DECLINED] == 1 else tanks):
        unit = first + memory[NEXT_TANK]
        memory[NEXT_TANK] = (memory[NEXT_TANK] + 1) % tanks
        if not may_move(game, unit):
            continue
        row = best_way(game, doctrine, memory, unit, movement, marks, ways, risk, worth)
        if row > 0:
            plan_path(ways, row, memory)
            order[0] = is_march(ways[row])
            return unit
    memory[DECLINED] = 1
    return NOWHERE
