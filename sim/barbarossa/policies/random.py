"""random: anything that the rules allow, each as likely as another.

Idea: what every policy should beat, and a way to reach positions that no sensible play reaches.
"""

import numpy as np

from sim.barbarossa.policy import give_up_the_fewer
from sim.barbarossa.rules.attack import may_attack_together
from sim.barbarossa.rules.movement import may_move
from sim.barbarossa.rules.reinforcements import may_place
from sim.barbarossa.rules.soviet import may_retreat
from sim.barbarossa.state import MOST_UNITS, NOWHERE, ON_MAP
from sim.compiled import decision_njit, inner_njit, room
from sim.dice import roll
from sim.game import BLUE, DoctrineField, Policy

DOCTRINE = (
    DoctrineField("most_moves", 6, "moves a turn at the most", "move", 0, 99, whole=True),
    DoctrineField("most_attacks", 6, "attacks a turn at the most", "attack", 0, 99, whole=True),
)
MOST_MOVES, MOST_ATTACKS = range(len(DOCTRINE))
MOVES, ATTACKS, ROLLS = range(3)  # places of the memory
TRIES = 20  # how often something is drawn before there is held to be nothing


@inner_njit
def draw(game, memory, sides):
    """A die of the policy's own, 1 to ``sides``; each roll of a turn is another."""
    memory[ROLLS] += 1
    return roll(game.dice, 0, game.state.turn, 0, memory[ROLLS], sides)


@decision_njit
def deploy(game, doctrine, memory, subject, order):
    """deploy: any region that is Axis on the map."""
    while True:
        region = draw(game, memory, game.state.n_places) - 1
        if game.board.axis_at_start[region] == 1:
            return region


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: any unit to any region next to it that is open, as often as the doctrine says."""
    while memory[MOVES] < doctrine[MOST_MOVES]:
        memory[MOVES] += 1
        for _ in range(TRIES):
            unit = draw(game, memory, game.state.n_units) - 1
            if game.state.units[unit].status != ON_MAP:
                continue
            neighbours = game.board.neighbours[game.state.units[unit].region]
            region = neighbours[draw(game, memory, len(neighbours)) - 1]
            if region != NOWHERE and may_move(game, unit, region):
                order[0] = region
                return unit
    return NOWHERE


@decision_njit
def attack(game, doctrine, memory, subject, order):
    """attack: any unit alone, and whoever else drawn may join it."""
    attackers = room(MOST_UNITS, np.int64)
    while memory[ATTACKS] < doctrine[MOST_ATTACKS]:
        memory[ATTACKS] += 1
        target = draw(game, memory, game.state.n_places) - 1
        count = 0
        for _ in range(TRIES):
            attackers[count] = draw(game, memory, game.state.n_units) - 1
            if may_attack_together(game, attackers, count + 1, target):
                count += 1
        if count > 0:
            for i in range(count):
                order[i] = attackers[i]
            return target
    return NOWHERE


@decision_njit
def lose(game, doctrine, memory, subject, order):
    """lose: any of those who may be."""
    count = 0
    while count < len(order) and order[count] != NOWHERE:
        count += 1
    return order[draw(game, memory, count) - 1]


@decision_njit
def answer(game, doctrine, memory, subject, order):
    """answer: either."""
    return draw(game, memory, 2) - 1


@decision_njit
def retreat(game, doctrine, memory, subject, order):
    """retreat: any region that is open."""
    while True:
        region = draw(game, memory, game.state.n_places) - 1
        if may_retreat(game, subject, region):
            return region


@decision_njit
def place(game, doctrine, memory, subject, order):
    """place: any region that is open."""
    while True:
        region = draw(game, memory, game.state.n_places) - 1
        if may_place(game, subject, region):
            return region


POLICY = Policy(
    "random",
    BLUE,
    "anything that the rules allow",
    (deploy, move, attack, lose, answer, retreat, place, give_up_the_fewer),
    DOCTRINE,
    cost=1.5,
)
