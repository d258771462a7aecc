"""elastic: trades space for units.

Idea: the mobile defence that the German army was forbidden from 1942 on. Stacks retreat rather than bleed, until the
last turns, and regions count the less the longer they make the line.
"""

import numpy as np

from sim.barbarossa.appraisal import best_attack, next_move, plan_moves, soviet_neighbours, wanted
from sim.barbarossa.doctrine import DEFENCE, LEAST_CHANCE, LOSS, OFFENCE, OWN, common_doctrine
from sim.barbarossa.policy import moving_by
from sim.barbarossa.rules.game import is_axis
from sim.barbarossa.state import MOST_PLACES, NOWHERE
from sim.compiled import decision_njit, inner_njit, room
from sim.game import BLUE, DoctrineField, Policy

DOCTRINE = (
    *common_doctrine(stand=9, last_stand=2, loss=1.0, defence=1.6),
    DoctrineField("shorter", 0.3, "what a front region less counts", "region", 0, 100),
    DoctrineField("stripped", 1.0, "cost of a front region left empty by an attack", "region", 0, 100),
)
SHORTER, STRIPPED = range(OWN, len(DOCTRINE))


@inner_njit
def lengthening(game, region):
    """By how many front regions the line grows if a region changes hands."""
    taken = not is_axis(game, region)
    # Taken, it joins the front if it borders another Soviet region, and those leave it that bordered only this one.
    change = (1 if soviet_neighbours(game, region) > 0 else 0) if taken else -1
    last_link = 1 if taken else 0
    neighbours = game.board.neighbours[region]
    i = 0
    while neighbours[i] != NOWHERE:
        if is_axis(game, neighbours[i]) and soviet_neighbours(game, neighbours[i]) == last_link:
            change += -1 if taken else 1
        i += 1
    return change


@inner_njit
def line(game, shorter, worth):
    """What regions are worth, a field, into ``worth``: less for those that lengthen the line."""
    worth[:] = 1.0
    for region in range(game.state.n_places):
        if not is_axis(game, region):
            worth[region] -= shorter * lengthening(game, region)


@inner_njit
def cost_of_leaving(game, shorter, cost):
    """What leaving front regions costs, a field, into ``cost``: less for those whose loss shortens the line."""
    cost[:] = 1.0
    for region in range(game.state.n_places):
        if is_axis(game, region):
            cost[region] += shorter * lengthening(game, region)


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: to where a short line wants units."""
    if memory[0] == 0:
        worth = room(MOST_PLACES, np.float64)
        want = room(MOST_PLACES, np.float64)
        leaving = room(MOST_PLACES, np.float64)
        line(game, doctrine[SHORTER], worth)
        cost_of_leaving(game, doctrine[SHORTER], leaving)
        wanted(game, worth, doctrine[OFFENCE], doctrine[DEFENCE], want)
        plan_moves(game, want, leaving, memory)
    return next_move(game, memory, order)


@decision_njit
def attack(game, doctrine, memory, subject, order):
    """attack: whatever promises most, rather what shortens the line."""
    worth = room(MOST_PLACES, np.float64)
    line(game, doctrine[SHORTER], worth)
    return best_attack(game, worth, doctrine[LEAST_CHANCE], doctrine[LOSS], doctrine[STRIPPED], order)


POLICY = Policy(
    "elastic",
    BLUE,
    "trades space for units",
    moving_by(move, attack),
    DOCTRINE,
    cost=4.0,
)
