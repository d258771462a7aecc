"""encircle: plays for regions that are cut off (BB-3.3).

Idea: the battles of encirclement of 1941. A region counts for itself and for all that its fall would cut off; fronts
are left empty only for that.
"""

from numba import njit

from sim.barbarossa.appraisal import (
    alike,
    best_attack,
    borders_axis,
    cut_off_by,
    evenly,
    next_move,
    plan_moves,
    soviet_neighbours,
    wanted,
)
from sim.barbarossa.policy import DEFENCE, LEAST_CHANCE, LOSS, OFFENCE, common_doctrine, moving_and_attacking_by
from sim.barbarossa.state import SOVIET
from sim.game import BLUE, DoctrineField, Policy

DOCTRINE = (
    *common_doctrine(least_chance=0.33, loss=1.2, defence=1.6),
    DoctrineField("cut_off", 0.8, "what a region counts that another's fall cuts off", "region", 0, 100),
    DoctrineField("stripped", 1.0, "cost of a front region left empty by an attack", "region", 0, 100),
    DoctrineField("leaving", 1.6, "cost of a front region left empty by a move", "region", 0, 100),
)
CUT_OFF, STRIPPED, LEAVING = range(6, 9)


@njit
def cuts(game, cut_off):
    """What regions are worth, a field: themselves and what their fall cuts off."""
    worth = alike(game)
    for region in range(game.state.n_places):
        soviet = game.state.places[region].holder == SOVIET
        if soviet and borders_axis(game, region) and soviet_neighbours(game, region) > 0:
            worth[region] += cut_off * cut_off_by(game, region)
    return worth


@njit(cache=True)
def move(game, doctrine, memory, subject, order):
    """move: to where regions can be cut off."""
    if memory[0] == 0:
        want = wanted(game, cuts(game, doctrine[CUT_OFF]), doctrine[OFFENCE], doctrine[DEFENCE])
        plan_moves(game, want, evenly(game, doctrine[LEAVING]), memory)
    return next_move(game, memory, order)


@njit(cache=True)
def attack(game, doctrine, memory, subject, order):
    """attack: whatever promises most, what it cuts off included."""
    worth = cuts(game, doctrine[CUT_OFF])
    return best_attack(game, worth, doctrine[LEAST_CHANCE], doctrine[LOSS], doctrine[STRIPPED], order)


POLICY = Policy(
    "encircle",
    BLUE,
    "plays for regions that are cut off",
    moving_and_attacking_by(move, attack),
    DOCTRINE,
    cost=5.0,
)
