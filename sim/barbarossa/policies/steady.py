"""steady: never vacates a front region, and keeps reserves.

Idea: the broad front. Units spread to where they are wanted and no further than the line allows; an attack goes in only
from regions that somebody else still holds.
"""

import numpy as np

from sim.barbarossa.appraisal import FORBIDDEN, best_attack, next_move, plan_moves, wanted
from sim.barbarossa.doctrine import DEFENCE, LEAST_CHANCE, LOSS, OFFENCE, common_doctrine
from sim.barbarossa.policy import moving_by
from sim.barbarossa.state import MOST_PLACES
from sim.compiled import decision_njit, room
from sim.game import BLUE, Policy

DOCTRINE = common_doctrine()


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: to where units are wanted, out of regions that stay held."""
    if memory[0] == 0:
        worth = room(MOST_PLACES, np.float64)
        want = room(MOST_PLACES, np.float64)
        leaving = room(MOST_PLACES, np.float64)
        worth[:] = 1.0
        leaving[:] = FORBIDDEN
        wanted(game, worth, doctrine[OFFENCE], doctrine[DEFENCE], want)
        plan_moves(game, want, leaving, memory)
    return next_move(game, memory, order)


@decision_njit
def attack(game, doctrine, memory, subject, order):
    """attack: whatever promises most and leaves no front region empty."""
    worth = room(MOST_PLACES, np.float64)
    worth[:] = 1.0
    return best_attack(game, worth, doctrine[LEAST_CHANCE], doctrine[LOSS], FORBIDDEN, order)


POLICY = Policy(
    "steady",
    BLUE,
    "never vacates a front region, and keeps reserves",
    moving_by(move, attack),
    DOCTRINE,
    cost=3.0,
)
