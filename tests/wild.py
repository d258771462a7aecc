"""A policy that does anything legal, at random: it brings about what sensible policies never see."""

import numpy as np
from numba import njit

from sim.barbarossa.rules.attack import may_attack, may_attack_together
from sim.barbarossa.rules.movement import may_move
from sim.barbarossa.rules.reinforcements import may_place
from sim.barbarossa.rules.soviet import may_retreat
from sim.barbarossa.state import HUNGARIAN, NOWHERE, RUMANIAN
from sim.dice import roll
from sim.game import BLUE, DoctrineField, Policy

PURPOSE = np.int64(100)
ROLLER = np.int64(0)
STEADINESS = np.int64(12)  # one in so many times it stops moving or attacking


@njit
def chance(game, memory, sides):
    """A die of the policy's own: 1 to ``sides``."""
    memory[0] += 1
    return roll(game.dice, PURPOSE, game.state.turn, ROLLER, memory[0], sides)


@njit(cache=True)
def deploy(game, doctrine, memory, subject, order):
    found, count = NOWHERE, 0
    for region in range(game.state.n_places):
        if game.board.axis_at_start[region] == 1:
            count += 1
            if chance(game, memory, count) == 1:
                found = region
    return found


@njit(cache=True)
def move(game, doctrine, memory, subject, order):
    if chance(game, memory, STEADINESS) == 1:
        return NOWHERE
    found, count = NOWHERE, 0
    for unit in range(game.state.n_units):
        for region in range(game.state.n_places):
            if may_move(game, unit, region):
                count += 1
                if chance(game, memory, count) == 1:
                    found = unit
                    order[0] = region
    return found


@njit(cache=True)
def attack(game, doctrine, memory, subject, order):
    if chance(game, memory, STEADINESS) == 1:
        return NOWHERE
    target, count = NOWHERE, 0
    for region in range(game.state.n_places):
        for unit in range(game.state.n_units):
            if may_attack(game, unit, region):
                count += 1
                if chance(game, memory, count) == 1:
                    target = region
    attackers = 0
    if target != NOWHERE:
        for unit in range(game.state.n_units):
            order[attackers] = unit
            if may_attack_together(game, order, attackers + 1, target):
                attackers += 1
            else:
                order[attackers] = NOWHERE
    return target if attackers > 0 else NOWHERE


@njit(cache=True)
def lose(game, doctrine, memory, subject, order):
    count = 0
    while order[count] != NOWHERE:
        count += 1
    return order[chance(game, memory, count) - 1]


@njit(cache=True)
def answer(game, doctrine, memory, subject, order):
    return chance(game, memory, 2) - 1


@njit(cache=True)
def retreat(game, doctrine, memory, subject, order):
    found, count = NOWHERE, 0
    for region in range(game.state.n_places):
        if may_retreat(game, subject, region):
            count += 1
            if chance(game, memory, count) == 1:
                found = region
    return found


@njit(cache=True)
def place(game, doctrine, memory, subject, order):
    found, count = NOWHERE, 0
    for region in range(game.state.n_places):
        if may_place(game, subject, region):
            count += 1
            if chance(game, memory, count) == 1:
                found = region
    return found


@njit(cache=True)
def give_up(game, doctrine, memory, subject, order):
    return RUMANIAN if chance(game, memory, 2) == 1 else HUNGARIAN


WILD = Policy("wild", BLUE, "anything legal", (deploy, move, attack, lose, answer, retreat, place, give_up))


@njit(cache=True)
def nonsense(game, doctrine, memory, subject, order):
    """Any decision: answers the first number of its doctrine and fills the list with the second."""
    order[:] = np.int64(doctrine[1])
    return np.int64(doctrine[0])


NONSENSE = (DoctrineField("value", 0, "what it answers"), DoctrineField("order", 0, "what it fills the list with"))
