"""A policy of Tank Hex that does anything, legal or not, at random: it brings about what sensible policies never see.

Only what is no tank, hex or direction at all is left out: that would end its game.
"""

from numba import njit

from sim.compiled import inner_njit
from sim.dice import roll
from sim.game import Policy
from sim.tank_hex.rules.game import end_of, first_of, tie_key
from sim.tank_hex.state import BLUE, FIREPOWER_FOR, NOWHERE, SECOND_TARGET

PURPOSE = 100
DIRECTIONS = 6
OPPOSITE = 3


@inner_njit
def chance(game, memory, sides):
    """A die of the policy's own: 1 to ``sides``."""
    memory[0] += 1
    return roll(game.dice, PURPOSE, game.state.turn, 0, memory[0], sides)


@inner_njit
def any_tank(game, memory, side):
    """Any tank of a side on the map."""
    found, count = NOWHERE, 0
    for unit in range(first_of(game, side), end_of(game, side)):
        if game.state.units[unit].hex != NOWHERE:
            count += 1
            if chance(game, memory, count) == 1:
                found = unit
    return found


@inner_njit
def declaration(game, memory, side, order, most):
    """Any shooters, one of them perhaps with firepower, at any target, and perhaps a second one."""
    order[:] = NOWHERE
    for i in range(chance(game, memory, most)):
        order[i] = any_tank(game, memory, side)
    if chance(game, memory, 3) == 1:
        order[FIREPOWER_FOR] = order[0]
    if chance(game, memory, 3) == 1:
        order[SECOND_TARGET] = any_tank(game, memory, 1 - side)
    return any_tank(game, memory, 1 - side)


@njit(cache=True)
def repair(game, doctrine, memory, subject, order):
    return any_tank(game, memory, subject)


@njit(cache=True)
def fire(game, doctrine, memory, subject, order):
    return NOWHERE if chance(game, memory, 5) == 1 else declaration(game, memory, subject, order, 3)


@njit(cache=True)
def move(game, doctrine, memory, subject, order):
    order[0] = 1 if chance(game, memory, 4) == 1 else 0
    return NOWHERE if chance(game, memory, 8) == 1 else any_tank(game, memory, subject)


@njit(cache=True)
def step(game, doctrine, memory, subject, order):
    """Often towards the enemy, so that tanks meet; now and then anywhere, legal or not."""
    side = game.state.units[subject].side
    if chance(game, memory, 12) == 1:
        return NOWHERE
    direction = chance(game, memory, DIRECTIONS) - 1
    if chance(game, memory, 3) > 1:
        direction = (chance(game, memory, 3) + 4) % DIRECTIONS  # south-east, east or north-east
    return (direction + OPPOSITE) % DIRECTIONS if side == BLUE else direction


@njit(cache=True)
def react(game, doctrine, memory, subject, order):
    if chance(game, memory, 3) > 1:
        return NOWHERE
    declaration(game, memory, 1 - game.state.units[subject].side, order, 3)
    return subject


@njit(cache=True)
def cover(game, doctrine, memory, subject, order):
    target = order[0]
    declaration(game, memory, game.state.units[subject].side, order, 2)
    return target


@njit(cache=True)
def shoot(game, doctrine, memory, subject, order):
    return NOWHERE if chance(game, memory, 3) > 1 else any_tank(game, memory, 1 - game.state.units[subject].side)


@njit(cache=True)
def fight(game, doctrine, memory, subject, order):
    tank = game.state.units[subject]
    found, count = NOWHERE, 0
    for unit in range(first_of(game, 1 - tank.side), end_of(game, 1 - tank.side)):
        if game.state.units[unit].hex == tank.hex:
            count += 1
            if chance(game, memory, count) == 1:
                found = unit
    return found


@njit(cache=True)
def aim(game, doctrine, memory, subject, order):
    if chance(game, memory, 2) == 1:
        return game.state.units[any_tank(game, memory, 1 - subject)].hex
    return tie_key(game, subject, chance(game, memory, game.board.hexes) - 1)


@njit(cache=True)
def brace(game, doctrine, memory, subject, order):
    return chance(game, memory, 2) - 1


WILD = Policy("wild", None, "anything at random", (repair, fire, move, step, react, cover, shoot, fight, aim, brace))
