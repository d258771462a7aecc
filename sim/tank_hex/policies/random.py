"""The policy `random`: whatever the rules allow, by dice."""

from numba import njit

from sim.compiled import inner_njit
from sim.dice import roll
from sim.fields import numbered
from sim.game import DoctrineField, Policy
from sim.tank_hex.chart import OPPOSITE
from sim.tank_hex.rules.cards import may_load_rapidly, may_play_firepower, may_repair
from sim.tank_hex.rules.fire import shot_level
from sim.tank_hex.rules.game import end_of, first_of, tanks_in, tie_key
from sim.tank_hex.rules.ground import sees
from sim.tank_hex.rules.markers import may_be_fired_at
from sim.tank_hex.rules.movement import may_step
from sim.tank_hex.rules.sequence import may_fire, may_move
from sim.tank_hex.state import BLUE, COVERING, DIRECT, FIREPOWER_FOR, NOWHERE, OPPORTUNITY, SECOND_TARGET

DOCTRINE = (
    DoctrineField("fires", 0.8, "chance that it declares fire when asked", low=0, high=1),
    DoctrineField("moves", 0.8, "chance that it moves a tank when asked", low=0, high=1),
    DoctrineField("goes_on", 0.8, "chance that a moving tank takes another step", low=0, high=1),
    DoctrineField("shoots", 0.3, "chance that it fires in the movement phase when asked", low=0, high=1),
)
FIRES, MOVES, GOES_ON, SHOOTS = range(len(DOCTRINE))

DICE_OF_POLICY = numbered(1)[0]  # purpose of its dice; they are the policy's own, so that any number will do
ROLLED_SO_FAR = 0  # place in memory: how many dice have been rolled this turn
PERCENT = 100
SIX = 6


@inner_njit
def die(game, memory, side, sides):
    """A fresh die with some faces, 0 and up."""
    memory[ROLLED_SO_FAR] += 1
    return roll(game.dice, DICE_OF_POLICY, game.state.turn, 0, memory[ROLLED_SO_FAR], sides) - 1


@inner_njit
def happens(game, memory, side, chance):
    """Whether something that has a chance comes to pass."""
    return die(game, memory, side, PERCENT) < chance * PERCENT


@inner_njit
def any_target(game, memory, kind, shooter):
    """An enemy in sight and range that may be fired at, each as likely; `NOWHERE` if there is none."""
    tank = game.state.units[shooter]
    side = tank.side
    found, count = NOWHERE, 0
    for target in range(first_of(game, 1 - side), end_of(game, 1 - side)):
        if not may_be_fired_at(game, target) or not sees(game, tank.hex, game.state.units[target].hex):
            continue
        if shot_level(game, kind, shooter, target, 0) > 0:
            count += 1
            if die(game, memory, side, count) == 0:
                found = target
    return found


@inner_njit
def any_shooter(game, memory, kind, side, target):
    """A tank that may fire at a target in sight and range, each as likely; `NOWHERE` if there is none."""
    place = game.state.units[target].hex
    found, count = NOWHERE, 0
    for shooter in range(first_of(game, side), end_of(game, side)):
        if not may_fire(game, kind, shooter) or not sees(game, game.state.units[shooter].hex, place):
            continue
        if shot_level(game, kind, shooter, target, 0) > 0:
            count += 1
            if die(game, memory, side, count) == 0:
                found = shooter
    return found


@njit(cache=True)
def repair(game, doctrine, memory, subject, order):
    """repair: any tank that can be."""
    found, count = NOWHERE, 0
    for unit in range(first_of(game, subject), end_of(game, subject)):
        if may_repair(game, subject, unit):
            count += 1
            if die(game, memory, subject, count) == 0:
                found = unit
    return found


@njit(cache=True)
def fire(game, doctrine, memory, subject, order):
    """fire: any tank at any enemy, or a pass; whatever card there is goes with it."""
    if not happens(game, memory, subject, doctrine[FIRES]):
        return NOWHERE
    found, count = NOWHERE, 0
    for shooter in range(first_of(game, subject), end_of(game, subject)):
        if not may_fire(game, DIRECT, shooter):
            continue
        target = any_target(game, memory, DIRECT, shooter)
        if target != NOWHERE:
            count += 1
            if die(game, memory, subject, count) == 0:
                order[0], found = shooter, target
    if found == NOWHERE:
        return NOWHERE
    if may_play_firepower(game, subject):
        order[FIREPOWER_FOR] = order[0]
    if may_load_rapidly(game, subject):
        order[SECOND_TARGET] = found
    return found


@njit(cache=True)
def move(game, doctrine, memory, subject, order):
    """move: any tank that may, now and then on the march."""
    found, count = NOWHERE, 0
    for unit in range(first_of(game, subject), end_of(game, subject)):
        if may_move(game, unit):
            count += 1
            if die(game, memory, subject, count) == 0:
                found = unit
    if found == NOWHERE or not happens(game, memory, subject, doctrine[MOVES]):
        return NOWHERE
    for direction in range(SIX):
        if game.board.road[game.state.units[found].hex, direction] == 1:
            order[0] = die(game, memory, subject, 2)
            break
    return found


@njit(cache=True)
def step(game, doctrine, memory, subject, order):
    """step: any legal one, or a stop; never one that would crowd a hex at the end of the move."""
    tank = game.state.units[subject]
    found, count = NOWHERE, 0
    for turn in range(SIX):
        # Half a turn of the map changes no die's meaning: blue counts directions from the west.
        direction = (turn + OPPOSITE) % SIX if tank.side == BLUE else turn
        if not may_step(game, subject, direction):
            continue
        if tanks_in(game, tank.side, game.board.neighbour[tank.hex, direction]) < game.rules.stacking:
            count += 1
            if die(game, memory, tank.side, count) == 0:
                found = direction
    return found if happens(game, memory, tank.side, doctrine[GOES_ON]) else NOWHERE


@njit(cache=True)
def react(game, doctrine, memory, subject, order):
    """react: any tank, at times."""
    side = 1 - game.state.units[subject].side
    if not happens(game, memory, side, doctrine[SHOOTS]):
        return NOWHERE
    order[0] = any_shooter(game, memory, OPPORTUNITY, side, subject)
    return subject if order[0] != NOWHERE else NOWHERE


@njit(cache=True)
def cover(game, doctrine, memory, subject, order):
    """cover: any tank at the first of those that fired, at times."""
    side = game.state.units[subject].side
    target = order[0]
    if not may_be_fired_at(game, target) or not happens(game, memory, side, doctrine[SHOOTS]):
        return NOWHERE
    order[:] = NOWHERE
    order[0] = any_shooter(game, memory, COVERING, side, target)
    return target if order[0] != NOWHERE else NOWHERE


@njit(cache=True)
def shoot(game, doctrine, memory, subject, order):
    """shoot: any enemy, at times."""
    if not happens(game, memory, game.state.units[subject].side, doctrine[SHOOTS]):
        return NOWHERE
    return any_target(game, memory, DIRECT, subject)


@njit(cache=True)
def fight(game, doctrine, memory, subject, order):
    """fight: any enemy in the hex."""
    tank = game.state.units[subject]
    found, count = NOWHERE, 0
    for target in range(first_of(game, 1 - tank.side), end_of(game, 1 - tank.side)):
        if game.state.units[target].hex == tank.hex:
            count += 1
            if die(game, memory, tank.side, count) == 0:
                found = target
    return found


@njit(cache=True)
def aim(game, doctrine, memory, subject, order):
    """aim: any hex of the map, as the side sees it."""
    return tie_key(game, subject, die(game, memory, subject, game.board.hexes))


@njit(cache=True)
def brace(game, doctrine, memory, subject, order):
    """brace: heads or tails."""
    return die(game, memory, game.state.units[subject].side, 2)


POLICY = Policy(
    "random",
    None,
    "does whatever the rules allow, by dice",
    (repair, fire, move, step, react, cover, shoot, fight, aim, brace),
    DOCTRINE,
    idea="the zero against which every other policy is measured",
)
