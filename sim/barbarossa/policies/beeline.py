"""beeline: heads for the supply sources.

Idea: without sources everything falls (BB-3.3). Regions count the more the nearer they lie to a source that is still
Soviet; chances and losses hardly matter.
"""

import numpy as np

from sim.barbarossa.appraisal import best_attack, lines_to_source, next_move, plan_moves, wanted
from sim.barbarossa.doctrine import DEFENCE, LEAST_CHANCE, LOSS, OFFENCE, OWN, common_doctrine
from sim.barbarossa.policy import moving_by
from sim.barbarossa.state import MOST_PLACES
from sim.compiled import decision_njit, inner_njit, room
from sim.game import BLUE, DoctrineField, Policy

DOCTRINE = (
    *common_doctrine(stand=1, last_stand=1, least_chance=0.0, loss=0.3, offence=1.0, defence=0.3),
    DoctrineField("far", 1.0, "how fast regions count less with every line to the nearest source", "", 0, 100),
    DoctrineField("ground", 0.1, "what a region counts wherever it lies", "region", 0, 100),
    DoctrineField("stripped", 0.1, "cost of a front region left empty by an attack", "region", 0, 100),
    DoctrineField("leaving", 0.2, "cost of a front region left empty by a move", "region", 0, 100),
)
FAR, GROUND, STRIPPED, LEAVING = range(OWN, len(DOCTRINE))


@inner_njit
def near(game, far, ground, worth):
    """What regions are worth, a field, into ``worth``: 1 for a source, less with every line to the nearest."""
    for region in range(game.state.n_places):
        worth[region] = ground + 1 / (1 + far * lines_to_source(game, region))


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: towards the sources."""
    if memory[0] == 0:
        worth = room(MOST_PLACES, np.float64)
        want = room(MOST_PLACES, np.float64)
        leaving = room(MOST_PLACES, np.float64)
        near(game, doctrine[FAR], doctrine[GROUND], worth)
        leaving[:] = doctrine[LEAVING]
        wanted(game, worth, doctrine[OFFENCE], doctrine[DEFENCE], want)
        plan_moves(game, want, leaving, memory)
    return next_move(game, memory, order)


@decision_njit
def attack(game, doctrine, memory, subject, order):
    """attack: whatever lies nearest to a source."""
    worth = room(MOST_PLACES, np.float64)
    near(game, doctrine[FAR], doctrine[GROUND], worth)
    return best_attack(game, worth, doctrine[LEAST_CHANCE], doctrine[LOSS], doctrine[STRIPPED], order)


POLICY = Policy(
    "beeline",
    BLUE,
    "heads for the supply sources",
    moving_by(move, attack),
    DOCTRINE,
    cost=3.0,
)
