"""What a policy of Tank Hex is asked, and what several policies share.

A policy is ten compiled functions, one for each decision, and a doctrine: the numbers that they weigh with. It plays
either side. Each function has the same form::

    decision(game, doctrine, memory, subject, order) -> int

- ``game``: the position (`sim.tank_hex.rules.Game`), to be read and not written; its dice are the policy's own, and
  the enemy's row of ``game.hidden`` (cards and aims, TH-7.2) is empty;
- ``doctrine``: float64 (fields,), the policy's numbers in the order of its fields;
- ``memory``: int64 (`sim.game.MEMORY`,), the policy's own, 0 at the start of every turn;
- ``subject``: what is asked about: a tank, or the side that decides;
- ``order``: int64 (`sim.tank_hex.state.ORDER`,), for lists that go either way, filled with `NOWHERE` before every call.

| decision | asked | answers |
|---|---|---|
| repair | which tank of side ``subject`` the card repairs | a tank, or `NOWHERE` |
| fire | what side ``subject`` declares in the fire phase | the target, ``order`` its shooters; or `NOWHERE`: pass |
| move | which tank side ``subject`` moves next | a tank, ``order[0]`` 1 to march; or `NOWHERE`: pass |
| step | where moving tank ``subject`` goes next | a direction, 0 (east) to 5 (south-east); or `NOWHERE`: it stops |
| react | opportunity fire at moving tank ``subject`` | ``subject``, ``order`` the shooters; or `NOWHERE` |
| cover | covering fire for tank ``subject`` at one of the tanks that fired, handed in ``order`` | as fire |
| shoot | fire on the move, or in a short halt, of moving tank ``subject`` | the target, or `NOWHERE` |
| fight | the target of tank ``subject`` in close combat | an enemy tank in its hex |
| aim | the aim hex of the battery of side ``subject``; ``order[0]`` is the card | a hex |
| brace | whether reactive armour lowers the result ``order[0]`` of tank ``subject`` | 1 or 0 |

A declaration (fire, react, cover, shoot) may name cards: ``order[FIREPOWER_FOR]`` is the shooter that gains by
firepower; in the fire phase ``order[SECOND_TARGET]`` is what the last shooter fires at next by rapid loading.

A value that is no tank, hex or direction at all ends the game with a fault. An order that the rules forbid does not: it
has the consequences that they state (TH-6.7) and is counted. ``sim.tank_hex.rules`` has a ``may_...`` for each.
"""

import numba
import numpy as np
from numba import njit, types

import sim.tank_hex.rules as rules
from sim.compiled import inner_njit
from sim.dice import dice_of
from sim.tank_hex.board import empty_setup
from sim.tank_hex.chart import OPPOSITE
from sim.tank_hex.rules import Game
from sim.tank_hex.state import (
    COVERING,
    DESTROYED,
    FIRE_KILL,
    FIREPOWER_FOR,
    GUN_85,
    HIDDEN,
    MOBILITY_KILL,
    MOST_TANKS,
    NOWHERE,
    ON_THE_MOVE,
    SHORT_HALT,
)

DECISIONS = ("repair", "fire", "move", "step", "react", "cover", "shoot", "fight", "aim", "brace")

_SETUP = empty_setup()
_EXAMPLE = Game(
    _SETUP.board[0],
    _SETUP.rules[0],
    _SETUP.state[0],
    np.zeros(1, HIDDEN).view(np.recarray)[0],
    _SETUP.blank_event[0],
    _SETUP.blank_event,
    np.zeros(1, np.int64),
    dice_of(0, 0),
    0,
)
GAME = numba.typeof(_EXAMPLE)
DECISION = types.int64(GAME, types.float64[::1], types.int64[::1], types.int64, types.int64[::1])
"""Signature that every decision is compiled for."""

THROWS = 216
"""Equally likely throws of two dice and an armour die: what ``rules.odds`` counts."""

DIRECTIONS = np.int64(6)

PATH = np.int64(32)
"""Place in memory of the steps that `plan_path` has planned: direction by direction, from the end of the list."""
STEPS_LEFT = np.int64(31)
"""Place in memory of how many of them are left."""


# What policies may want to know


@inner_njit
def kill_odds_between(game, kind, a, b, suppressed, damaged, bonus):
    """Throws of `THROWS` with which a shot from hex a to hex b destroys a tank that is damaged (1) or not (0)."""
    if not rules.sees(game, a, b):
        return 0
    level = rules.level_between(game, kind, a, b, suppressed, bonus)
    if level == 0:
        return 0
    odds = game.rules.odds[GUN_85, level, game.board.terrain[b]]
    return odds[DESTROYED] + damaged * (odds[FIRE_KILL] + odds[MOBILITY_KILL])


@inner_njit
def kill_odds(game, kind, shooter, target, bonus):
    """Throws of `THROWS` with which a shot destroys its target, by F or M, too, if it has either."""
    tank, enemy = game.state.units[shooter], game.state.units[target]
    damaged = enemy.fire_kill + enemy.mobility_kill
    return kill_odds_between(game, kind, tank.hex, enemy.hex, tank.suppressed, damaged, bonus)


@inner_njit
def best_target(game, kind, shooter):
    """The enemy that a tank is most likely to destroy, the lowest number of several; `NOWHERE` if there is none."""
    enemy = 1 - game.state.units[shooter].side
    best, best_odds = NOWHERE, 0
    for target in range(rules.first_of(game, enemy), rules.end_of(game, enemy)):
        if rules.may_be_fired_at(game, target):
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
        for shooter in range(rules.first_of(game, side), rules.end_of(game, side)):
            if not rules.may_fire(game, kind, shooter):
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


@inner_njit
def paths(game, unit, movement):
    """Fewest MP with which a tank gets to each hex, and the direction of the last step there: int64 (hexes,) each.

    `NOWHERE` for a hex that is out of reach. Hexes with enemies are not entered, those with own tanks passed through.
    """
    board = game.board
    spent = np.full(board.hexes, NOWHERE)
    last = np.full(board.hexes, NOWHERE)
    spent[game.state.units[unit].hex] = 0
    side = game.state.units[unit].side
    enemy = 1 - side
    closed = np.zeros(board.hexes, np.int64)
    for other in range(rules.first_of(game, enemy), rules.end_of(game, enemy)):
        if game.state.units[other].hex != NOWHERE:
            closed[game.state.units[other].hex] = 1
    ring = np.empty((movement + 1, board.hexes), np.int64)
    length = np.zeros(movement + 1, np.int64)
    ring[0, 0] = game.state.units[unit].hex
    length[0] = 1
    for points in range(movement):
        for i in range(length[points]):
            hexagon = ring[points, i]
            if spent[hexagon] != points:
                continue
            for turn in range(DIRECTIONS):
                # Blue counts directions from the west, so that ties between paths favour neither side.
                direction = (turn + side * OPPOSITE) % DIRECTIONS
                cost = board.cost[hexagon, direction]
                total = points + cost
                if cost == 0 or total > movement:
                    continue
                other = board.neighbour[hexagon, direction]
                if closed[other] == 0 and (spent[other] == NOWHERE or spent[other] > total):
                    spent[other] = total
                    last[other] = direction
                    ring[total, length[total]] = other
                    length[total] += 1
    return spent, last


@inner_njit
def plan_path(game, unit, last, goal, memory):
    """Keeps in memory the steps to a goal that `paths` has found, for `follow_path`."""
    count = 0
    hexagon = goal
    while hexagon != game.state.units[unit].hex and PATH + count < len(memory):
        direction = last[hexagon]
        memory[PATH + count] = direction
        count += 1
        hexagon = game.board.neighbour[hexagon, (direction + OPPOSITE) % DIRECTIONS]
    memory[STEPS_LEFT] = count


# What several policies do


@njit(cache=True)
def repair_first(game, doctrine, memory, subject, order):
    """repair: a tank that can't fire before one that can't move."""
    found = NOWHERE
    for unit in range(rules.first_of(game, subject), rules.end_of(game, subject)):
        if rules.may_repair(game, subject, unit):
            if game.state.units[unit].fire_kill == 1:
                return unit
            if found == NOWHERE:
                found = unit
    return found


@njit(cache=True)
def pass_on(game, doctrine, memory, subject, order):
    """fire, move, step, react, cover, shoot: nothing."""
    return NOWHERE


@njit(cache=True)
def follow_path(game, doctrine, memory, subject, order):
    """step: the next of the steps that `plan_path` keeps, as long as they are legal."""
    if memory[STEPS_LEFT] == 0:
        return NOWHERE
    memory[STEPS_LEFT] -= 1
    direction = memory[PATH + memory[STEPS_LEFT]]
    return direction if rules.may_step(game, subject, direction) else NOWHERE


@njit(cache=True)
def shoot_best(game, doctrine, memory, subject, order):
    """shoot: the enemy that is most likely to be destroyed, with firepower if there is the card."""
    kind = ON_THE_MOVE if game.state.units[subject].stabilised == 1 else SHORT_HALT
    target = best_target(game, kind, subject)
    if target != NOWHERE and rules.may_play_firepower(game, game.state.units[subject].side):
        order[FIREPOWER_FOR] = subject
    return target


@njit(cache=True)
def cover_best(game, doctrine, memory, subject, order):
    """cover: the best shooter at the first of those that fired, if it has any chance."""
    side = game.state.units[subject].side
    target = order[0]
    order[:] = NOWHERE
    if not rules.may_be_fired_at(game, target):
        return NOWHERE
    return target if name_best(game, COVERING, side, target, 0.0001, 1, order) > 0.0 else NOWHERE


@njit(cache=True)
def fight_able(game, doctrine, memory, subject, order):
    """fight: an enemy that can fire, of those a damaged one, which is easier to destroy."""
    tank = game.state.units[subject]
    best, best_worth = NOWHERE, -1
    for target in range(rules.first_of(game, 1 - tank.side), rules.end_of(game, 1 - tank.side)):
        enemy = game.state.units[target]
        if enemy.hex != tank.hex:
            continue
        worth = 2 * (1 - enemy.fire_kill) + enemy.mobility_kill
        if worth > best_worth:
            best, best_worth = target, worth
    return best


@njit(cache=True)
def aim_at_most(game, doctrine, memory, subject, order):
    """aim: the hex of an enemy tank with most enemies, less own tanks, within two hexes; the first of several."""
    best, best_worth = 0, -MOST_TANKS
    for unit in range(rules.first_of(game, 1 - subject), rules.end_of(game, 1 - subject)):
        hexagon = game.state.units[unit].hex
        if hexagon == NOWHERE:
            continue
        worth = 0
        for other in range(game.state.n_units):
            place = game.state.units[other].hex
            if place != NOWHERE and rules.distance(game, hexagon, place) <= 2:
                worth += 1 if game.state.units[other].side != subject else -1
        if worth > best_worth:
            best, best_worth = hexagon, worth
    return best


@njit(cache=True)
def brace_against_loss(game, doctrine, memory, subject, order):
    """brace: if the result would destroy the tank and one step less would not."""
    tank = game.state.units[subject]
    result = order[0]
    if tank.fire_kill + tank.mobility_kill == 0:
        return 1 if result == DESTROYED else 0
    return 1 if result == FIRE_KILL else 0
