"""blitz: attacks wherever the chance is good enough, and drives deep.

Idea: armoured warfare as preached in the thirties. Regions count the more the further they lie from home, fronts may be
left thin behind, and whatever promises ground is attacked.
"""

import numpy as np

from sim.barbarossa.appraisal import best_attack, next_move, plan_moves, wanted
from sim.barbarossa.doctrine import DEFENCE, LEAST_CHANCE, LOSS, OFFENCE, OWN, common_doctrine
from sim.barbarossa.policy import moving_by
from sim.barbarossa.state import MOST_PLACES
from sim.compiled import decision_njit, inner_njit, room
from sim.game import BLUE, DoctrineField, Policy

DOCTRINE = (
    *common_doctrine(defence=1.0),
    DoctrineField("depth", 0.2, "what a region counts more for every line from home", "region", 0, 100),
    DoctrineField("stripped", 0.5, "cost of a front region left empty by an attack", "region", 0, 100),
    DoctrineField("leaving", 0.5, "cost of a front region left empty by a move", "region", 0, 100),
)
DEPTH, STRIPPED, LEAVING = range(OWN, len(DOCTRINE))


@inner_njit
def deep(game, depth, worth):
    """What regions are worth, a field, into ``worth``: more for every line between them and the nearest home region."""
    for region in range(game.state.n_places):
        nearest = game.state.n_places
        for home in range(game.state.n_places):
            if game.board.axis_at_start[home] == 1:
                nearest = min(nearest, game.board.lines_between[region, home])
        worth[region] = 1.0 + depth * nearest


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: to where deep regions can be taken."""
    if memory[0] == 0:
        worth = room(MOST_PLACES, np.float64)
        want = room(MOST_PLACES, np.float64)
        leaving = room(MOST_PLACES, np.float64)
        deep(game, doctrine[DEPTH], worth)
        leaving[:] = doctrine[LEAVING]
        wanted(game, worth, doctrine[OFFENCE], doctrine[DEFENCE], want)
        plan_moves(game, want, leaving, memory)
    return next_move(game, memory, order)


@decision_njit
def attack(game, doctrine, memory, subject, order):
    """attack: whatever promises most, the deeper the better."""
    worth = room(MOST_PLACES, np.float64)
    deep(game, doctrine[DEPTH], worth)
    return best_attack(game, worth, doctrine[LEAST_CHANCE], doctrine[LOSS], doctrine[STRIPPED], order)


POLICY = Policy(
    "blitz",
    BLUE,
    "attacks wherever the chance is good enough, and drives deep",
    moving_by(move, attack),
    DOCTRINE,
    cost=3.0,
)
