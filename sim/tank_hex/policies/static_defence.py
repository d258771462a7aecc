"""The policy `static_defence`: takes up positions from which it sees and is hardly seen, and fires at what comes."""

from numba import njit

import sim.tank_hex.rules as rules
from sim.compiled import inner_njit
from sim.game import DoctrineField, Policy
from sim.tank_hex.policy import (
    aim_at_most,
    brace_against_loss,
    cover_best,
    fight_able,
    follow_path,
    name_best,
    paths,
    plan_path,
    repair_first,
    shoot_best,
)
from sim.tank_hex.state import DIRECT, FIREPOWER_FOR, NOWHERE, OPPORTUNITY, SECOND_TARGET

FIELDS = (
    DoctrineField("fires_at", 0.15, "least chance to destroy a target with which it declares fire", low=0, high=1),
    DoctrineField("reacts_at", 0.25, "least chance with which it gives opportunity fire", low=0, high=1),
    DoctrineField("sure", 0.75, "chance to destroy a target at which it names no more shooters", low=0, high=1),
    DoctrineField("most_shooters", 3, "most shooters in a declaration", "vehicle", low=1, high=16),
    DoctrineField("watch", 3, "worth of an objective within 20 hexes in sight of a position"),
    DoctrineField("shelter", 2, "worth of woods or built-up ground"),
    DoctrineField("exposed", 1, "cost of each 100 hexes within 20 that see a position"),
    DoctrineField("far", 0.1, "cost of each MP to the nearest objective", "1/MP"),
    DoctrineField("gain", 1, "least gain for which a tank leaves its position"),
)
FIRES_AT, REACTS_AT, SURE, MOST_SHOOTERS, WATCH, SHELTER, EXPOSED, FAR, GAIN = range(len(FIELDS))
WATCHED = 20


@inner_njit
def worth(game, doctrine, hexagon):
    """What a hex is worth as a position."""
    value = -doctrine[EXPOSED] * game.board.exposure[hexagon] / 100.0
    if rules.is_close(game, hexagon):
        value += doctrine[SHELTER]
    nearest = -1
    for number in range(game.state.n_places):
        objective = game.board.objective[number]
        if rules.distance(game, hexagon, objective) <= WATCHED and rules.sees(game, hexagon, objective):
            value += doctrine[WATCH]
        way = game.board.travel[number, hexagon]
        if nearest < 0 or way < nearest:
            nearest = way
    return value - doctrine[FAR] * max(nearest, 0)


@njit(cache=True)
def fire(game, doctrine, memory, subject, order):
    """fire: the target that is most likely to be destroyed by as many shooters as it takes."""
    best, best_chance = NOWHERE, doctrine[FIRES_AT]
    for target in range(rules.first_of(game, 1 - subject), rules.end_of(game, 1 - subject)):
        if rules.may_be_fired_at(game, target):
            chance = name_best(game, DIRECT, subject, target, doctrine[SURE], doctrine[MOST_SHOOTERS], order)
            if chance > best_chance:
                best, best_chance = target, chance
    order[:] = NOWHERE
    if best == NOWHERE:
        return NOWHERE
    name_best(game, DIRECT, subject, best, doctrine[SURE], doctrine[MOST_SHOOTERS], order)
    if rules.may_play_firepower(game, subject):
        order[FIREPOWER_FOR] = order[0]
    if rules.may_load_rapidly(game, subject):
        order[SECOND_TARGET] = best
    return best


@njit(cache=True)
def move(game, doctrine, memory, subject, order):
    """move: the first tank that gains enough by another position within reach."""
    for unit in range(rules.first_of(game, subject), rules.end_of(game, subject)):
        if not rules.may_move(game, unit):
            continue
        here = game.state.units[unit].hex
        spent, last = paths(game, unit, rules.allowance(game, unit))
        goal, best = here, worth(game, doctrine, here) + doctrine[GAIN]
        for number in range(game.board.hexes):
            # Both sides look through the map from their own edge, so that ties favour neither.
            hexagon = rules.tie_key(game, subject, number)
            if spent[hexagon] > 0 and rules.tanks_in(game, subject, hexagon) == 0:
                value = worth(game, doctrine, hexagon)
                if value > best:
                    goal, best = hexagon, value
        if goal != here:
            plan_path(game, unit, last, goal, memory)
            order[0] = 0
            return unit
    return NOWHERE


@njit(cache=True)
def react(game, doctrine, memory, subject, order):
    """react: as in the fire phase, at the tank that moves."""
    side = 1 - game.state.units[subject].side
    chance = name_best(game, OPPORTUNITY, side, subject, doctrine[SURE], doctrine[MOST_SHOOTERS], order)
    if chance < doctrine[REACTS_AT] or chance == 0.0:
        return NOWHERE
    if rules.may_play_firepower(game, side):
        order[FIREPOWER_FOR] = order[0]
    return subject


STATIC_DEFENCE = Policy(
    "static_defence",
    None,
    "takes up positions from which it sees and is hardly seen, and fires at what comes",
    (
        repair_first,
        fire,
        move,
        follow_path,
        react,
        cover_best,
        shoot_best,
        fight_able,
        aim_at_most,
        brace_against_loss,
    ),
    FIELDS,
    idea="reverse slopes and keyhole positions: whoever moves is seen first",
)
