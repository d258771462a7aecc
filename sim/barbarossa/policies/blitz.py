"""blitz: attacks wherever the chance is good enough, and drives deep.

Idea: armoured warfare as preached in the thirties. Regions count the more the further they lie from home, fronts may be
left thin behind, and whatever promises ground is attacked.
"""

from numba import njit

from sim.barbarossa.appraisal import alike, best_attack, evenly, next_move, plan_moves, wanted
from sim.barbarossa.policy import DEFENCE, LEAST_CHANCE, LOSS, OFFENCE, common_doctrine, moving_and_attacking_by
from sim.game import BLUE, DoctrineField, Policy

DOCTRINE = (
    *common_doctrine(defence=1.0),
    DoctrineField("depth", 0.2, "what a region counts more for every line from home", "region", 0, 100),
    DoctrineField("stripped", 0.5, "cost of a front region left empty by an attack", "region", 0, 100),
    DoctrineField("leaving", 0.5, "cost of a front region left empty by a move", "region", 0, 100),
)
DEPTH, STRIPPED, LEAVING = range(6, 9)


@njit
def deep(game, depth):
    """What regions are worth, a field: more for every line between them and the nearest home region."""
    worth = alike(game)
    for region in range(game.state.n_places):
        nearest = game.state.n_places
        for home in range(game.state.n_places):
            if game.board.axis_at_start[home] == 1:
                nearest = min(nearest, game.board.lines_between[region, home])
        worth[region] += depth * nearest
    return worth


@njit(cache=True)
def move(game, doctrine, memory, subject, order):
    """move: to where deep regions can be taken."""
    if memory[0] == 0:
        want = wanted(game, deep(game, doctrine[DEPTH]), doctrine[OFFENCE], doctrine[DEFENCE])
        plan_moves(game, want, evenly(game, doctrine[LEAVING]), memory)
    return next_move(game, memory, order)


@njit(cache=True)
def attack(game, doctrine, memory, subject, order):
    """attack: whatever promises most, the deeper the better."""
    worth = deep(game, doctrine[DEPTH])
    return best_attack(game, worth, doctrine[LEAST_CHANCE], doctrine[LOSS], doctrine[STRIPPED], order)


POLICY = Policy(
    "blitz",
    BLUE,
    "attacks wherever the chance is good enough, and drives deep",
    moving_and_attacking_by(move, attack),
    DOCTRINE,
    cost=3.0,
)
