"""What a policy of Tank Hex is asked, and what several policies share.

A policy is ten compiled functions, one for each decision, and a doctrine: the numbers that they weigh with. It plays
either side. Each function has the same form::

    decision(game, doctrine, memory, subject, order) -> int

- ``game``: the position (`sim.tank_hex.rules.game.Game`), to be read and not written; its dice are the policy's own,
  and the enemy's row of ``game.hidden`` (cards and aims, TH-7.2) is empty;
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
has the consequences that they state (TH-6.7) and is counted. The rules have a ``may_...`` for each.
"""

from sim.compiled import decision_njit, inner_njit
from sim.game import Decision
from sim.tank_hex.appraisal import THROWS, best_target, kill_odds, name_best
from sim.tank_hex.doctrine import DISARMED, FIRES_AT, MOST_SHOOTERS, REACTS_AT, SNAPS_AT, SURE
from sim.tank_hex.rules.cards import may_load_rapidly, may_play_firepower, may_repair
from sim.tank_hex.rules.game import end_of, first_of
from sim.tank_hex.rules.ground import distance
from sim.tank_hex.rules.markers import may_be_fired_at
from sim.tank_hex.rules.movement import may_step
from sim.tank_hex.rules.sequence import may_fire
from sim.tank_hex.state import (
    COVERING,
    DESTROYED,
    DIRECT,
    FIRE_KILL,
    FIREPOWER_FOR,
    MOST_TANKS,
    NOWHERE,
    ON_THE_MOVE,
    OPPORTUNITY,
    SECOND_TARGET,
    SHORT_HALT,
)
from sim.tank_hex.ways import PATH, STEPS_LEFT

# What several policies do


@decision_njit
def fire_by_doctrine(game, doctrine, memory, subject, order):
    """fire: at the target that is worth most by the chance to destroy it, by as many shooters as it takes."""
    sure, most = doctrine[SURE], doctrine[MOST_SHOOTERS]
    best, best_worth = NOWHERE, 0.0
    for target in range(first_of(game, 1 - subject), end_of(game, 1 - subject)):
        if may_be_fired_at(game, target):
            chance = name_best(game, DIRECT, subject, target, sure, most, order)
            worth = chance * doctrine[DISARMED] if game.state.units[target].fire_kill == 1 else chance
            if chance >= doctrine[FIRES_AT] and worth > best_worth:
                best, best_worth = target, worth
    order[:] = NOWHERE
    if best != NOWHERE:
        name_best(game, DIRECT, subject, best, sure, most, order)
        add_cards(game, DIRECT, subject, best, order)
    return best


@inner_njit
def gains_by_firepower(game, kind, shooter, target):
    """Whether the side of a shooter has the card firepower and it makes the shot better (TH-4.6)."""
    if not may_play_firepower(game, game.state.units[shooter].side):
        return False
    better = kill_odds(game, kind, shooter, target, game.rules.firepower)
    return better > kill_odds(game, kind, shooter, target, 0)


@inner_njit
def add_cards(game, kind, side, target, order):
    """Adds to a declaration firepower for the first shooter that gains by it, and rapid loading to the side's last."""
    ready = 0
    for unit in range(first_of(game, side), end_of(game, side)):
        if may_fire(game, kind, unit):
            ready += 1
    last, named = NOWHERE, 0
    for i in range(MOST_TANKS):
        unit = order[i]
        if unit == NOWHERE:
            break
        last, named = unit, named + 1
        if order[FIREPOWER_FOR] == NOWHERE and gains_by_firepower(game, kind, unit, target):
            order[FIREPOWER_FOR] = unit
    if kind == DIRECT and named > 0 and named == ready and may_load_rapidly(game, side):
        second = best_target(game, kind, last, target)
        order[SECOND_TARGET] = second if second != NOWHERE else target


@decision_njit
def react_by_doctrine(game, doctrine, memory, subject, order):
    """react: as in the fire phase, at the tank that moves."""
    side = 1 - game.state.units[subject].side
    chance = name_best(game, OPPORTUNITY, side, subject, doctrine[SURE], doctrine[MOST_SHOOTERS], order)
    if chance < doctrine[REACTS_AT] or chance == 0.0:
        return NOWHERE
    add_cards(game, OPPORTUNITY, side, subject, order)
    return subject


@decision_njit
def shoot_by_doctrine(game, doctrine, memory, subject, order):
    """shoot: the enemy that is most likely to be destroyed, before the last step of the path only by a good chance."""
    kind = ON_THE_MOVE if game.state.units[subject].stabilised == 1 else SHORT_HALT
    target = best_target(game, kind, subject, NOWHERE)
    if target == NOWHERE:
        return NOWHERE
    odds = kill_odds(game, kind, subject, target, 0)
    if memory[STEPS_LEFT] > 0 and odds < doctrine[SNAPS_AT] * THROWS:
        return NOWHERE
    if gains_by_firepower(game, kind, subject, target):
        order[FIREPOWER_FOR] = subject
    return target


@decision_njit
def repair_first(game, doctrine, memory, subject, order):
    """repair: a tank that can't fire before one that can't move."""
    found = NOWHERE
    for unit in range(first_of(game, subject), end_of(game, subject)):
        if may_repair(game, subject, unit):
            if game.state.units[unit].fire_kill == 1:
                return unit
            if found == NOWHERE:
                found = unit
    return found


@decision_njit
def follow_path(game, doctrine, memory, subject, order):
    """step: the next of the steps that `plan_path` keeps, as long as they are legal."""
    if memory[STEPS_LEFT] == 0:
        return NOWHERE
    memory[STEPS_LEFT] -= 1
    direction = memory[PATH + memory[STEPS_LEFT]]
    return direction if may_step(game, subject, direction) else NOWHERE


@decision_njit
def cover_best(game, doctrine, memory, subject, order):
    """cover: the best shooter at the first of those that fired, if it has any chance."""
    side = game.state.units[subject].side
    target = order[0]
    order[:] = NOWHERE
    if not may_be_fired_at(game, target):
        return NOWHERE
    return target if name_best(game, COVERING, side, target, 0.0001, 1, order) > 0.0 else NOWHERE


@decision_njit
def fight_able(game, doctrine, memory, subject, order):
    """fight: an enemy that can fire, of those a damaged one, which is easier to destroy."""
    tank = game.state.units[subject]
    best, best_worth = NOWHERE, -1
    for target in range(first_of(game, 1 - tank.side), end_of(game, 1 - tank.side)):
        enemy = game.state.units[target]
        if enemy.hex != tank.hex:
            continue
        worth = 2 * (1 - enemy.fire_kill) + enemy.mobility_kill
        if worth > best_worth:
            best, best_worth = target, worth
    return best


@decision_njit
def aim_at_most(game, doctrine, memory, subject, order):
    """aim: the hex of an enemy tank with most enemies, less own tanks, within two hexes; the first of several."""
    best, best_worth = 0, -MOST_TANKS
    for unit in range(first_of(game, 1 - subject), end_of(game, 1 - subject)):
        hexagon = game.state.units[unit].hex
        if hexagon == NOWHERE:
            continue
        worth = 0
        for other in range(game.state.n_units):
            place = game.state.units[other].hex
            if place != NOWHERE and distance(game, hexagon, place) <= 2:
                worth += 1 if game.state.units[other].side != subject else -1
        if worth > best_worth:
            best, best_worth = hexagon, worth
    return best


@decision_njit
def brace_against_loss(game, doctrine, memory, subject, order):
    """brace: if the result would destroy the tank and one step less would not."""
    tank = game.state.units[subject]
    result = order[0]
    if tank.fire_kill + tank.mobility_kill == 0:
        return 1 if result == DESTROYED else 0
    return 1 if result == FIRE_KILL else 0


def moving_by(move: Decision) -> tuple[Decision, ...]:
    """The ten decisions of a policy that moves in a way of its own and does all else by the common doctrine."""
    return (
        repair_first,
        fire_by_doctrine,
        move,
        follow_path,
        react_by_doctrine,
        cover_best,
        shoot_by_doctrine,
        fight_able,
        aim_at_most,
        brace_against_loss,
    )
