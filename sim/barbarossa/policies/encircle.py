"""encircle: plays for regions that are cut off (BB-3.3).

Idea: the battles of encirclement of 1941. A region counts for itself and for all that its fall would cut off; fronts
are left empty only for that.
"""

import numpy as np

from sim.barbarossa.appraisal import (
    best_attack,
    borders_axis,
    cut_off_by,
    next_move,
    plan_moves,
    soviet_neighbours,
    wanted,
)
from sim.barbarossa.doctrine import DEFENCE, LEAST_CHANCE, LOSS, OFFENCE, OWN, common_doctrine
from sim.barbarossa.policy import moving_by
from sim.barbarossa.state import MOST_PLACES, SOVIET
from sim.compiled import decision_njit, inner_njit, room
from sim.game import BLUE, DoctrineField, Policy

DOCTRINE = (
    *common_doctrine(least_chance=0.33, loss=1.2, defence=1.6),
    DoctrineField("cut_off", 0.8, "what a region counts that another's fall cuts off", "region", 0, 100),
    DoctrineField("stripped", 1.0, "cost of a front region left empty by an attack", "region", 0, 100),
    DoctrineField("leaving", 1.6, "cost of a front region left empty by a move", "region", 0, 100),
)
CUT_OFF, STRIPPED, LEAVING = range(OWN, len(DOCTRINE))


@inner_njit
def cuts(game, cut_off, worth):
    """What regions are worth, a field, into ``worth``: themselves and what their fall cuts off."""
    worth[:] = 1.0
    for region in range(game.state.n_places):
        soviet = game.state.places[region].holder == SOVIET
        if soviet and borders_axis(game, region) and soviet_neighbours(game, region) > 0:
            worth[region] += cut_off * cut_off_by(game, region)


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: to where regions can be cut off."""
    if memory[0] == 0:
        worth = room(MOST_PLACES, np.float64)
        want = room(MOST_PLACES, np.float64)
        leaving = room(MOST_PLACES, np.float64)
        cuts(game, doctrine[CUT_OFF], worth)
        leaving[:] = doctrine[LEAVING]
        wanted(game, worth, doctrine[OFFENCE], doctrine[DEFENCE], want)
        plan_moves(game, want, leaving, memory)
    return next_move(game, memory, order)


@decision_njit
def attack(game, doctrine, memory, subject, order):
    """attack: whatever promises most, what it cuts off included."""
    worth = room(MOST_PLACES, np.float64)
    cuts(game, doctrine[CUT_OFF], worth)
    return best_attack(game, worth, doctrine[LEAST_CHANCE], doctrine[LOSS], doctrine[STRIPPED], order)


POLICY = Policy(
    "encircle",
    BLUE,
    "plays for regions that are cut off",
    moving_by(move, attack),
    DOCTRINE,
    cost=5.0,
)
