"""steady: never vacates a front region, and keeps reserves.

Idea: the broad front. Units spread to where they are wanted and no further than the line allows; an attack goes in only
from regions that somebody else still holds.
"""

from numba import njit

from sim.barbarossa.appraisal import FORBIDDEN, alike, best_attack, evenly, next_move, plan_moves, wanted
from sim.barbarossa.policy import DEFENCE, LEAST_CHANCE, LOSS, OFFENCE, common_doctrine, moving_and_attacking_by
from sim.game import BLUE, Policy

DOCTRINE = common_doctrine()


@njit(cache=True)
def move(game, doctrine, memory, subject, order):
    """move: to where units are wanted, out of regions that stay held."""
    if memory[0] == 0:
        want = wanted(game, alike(game), doctrine[OFFENCE], doctrine[DEFENCE])
        plan_moves(game, want, evenly(game, FORBIDDEN), memory)
    return next_move(game, memory, order)


@njit(cache=True)
def attack(game, doctrine, memory, subject, order):
    """attack: whatever promises most and leaves no front region empty."""
    return best_attack(game, alike(game), doctrine[LEAST_CHANCE], doctrine[LOSS], FORBIDDEN, order)


POLICY = Policy(
    "steady",
    BLUE,
    "never vacates a front region, and keeps reserves",
    moving_and_attacking_by(move, attack),
    DOCTRINE,
    cost=3.0,
)
