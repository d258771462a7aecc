"""A policy of one's own: as steady, but it never attacks in winter.

    duosuan play barbarossa --blue fair_weather.py:POLICY --red medium

Copy this file anywhere, change it, and name it in an experiment in the same way. It may import modules beside it.
"""

from numba import njit

from sim.barbarossa.policies import steady
from sim.barbarossa.state import NOWHERE
from sim.game import BLUE, DoctrineField, Policy

DOCTRINE = (
    *steady.DOCTRINE,
    DoctrineField("winter", 0, "whether it attacks in winter all the same", low=0, high=1, whole=True),
)
WINTER = len(DOCTRINE) - 1


@njit(cache=True)
def attack(game, doctrine, memory, subject, order):
    """attack: none in winter, every third turn of the calendar (BB-1.1); else as steady."""
    if game.state.turn % 3 == 0 and doctrine[WINTER] == 0.0:
        return NOWHERE
    return steady.attack(game, doctrine, memory, subject, order)


deploy, move, _, *others = steady.POLICY.decisions
POLICY = Policy(
    "fair_weather", BLUE, "as steady, but never attacks in winter", (deploy, move, attack, *others), DOCTRINE
)
