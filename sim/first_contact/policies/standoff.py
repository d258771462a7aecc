"""standoff: fires from where the enemy's guns do not reach.

Idea: a longer gun is worth nothing up close. Who outranges the nearest enemy gun keeps outside its range, who is
outranged does not go nearer to it; towards the end all go to the objectives.
"""

import numpy as np

from sim.compiled import decision_njit, inner_njit
from sim.first_contact.appraisal import cells_between, nearest_gun, nearest_squad, objective_at
from sim.first_contact.doctrine import OWN, common_doctrine
from sim.first_contact.policy import moving_by
from sim.first_contact.rules.fire import reach, weapon_against
from sim.first_contact.state import NOWHERE, SQUAD
from sim.first_contact.ways import post_of, straight_to, way_to
from sim.game import DoctrineField, Policy

DOCTRINE = (
    *common_doctrine(contest=0, least_chance=0.16, reserve=4),
    DoctrineField("margin", 1, "cells that a unit keeps beyond the range of the enemy's weapon", "cell", 0, 200),
    DoctrineField("closes", 8, "turn from which it goes to the objectives all the same", "turn", 0, 99, whole=True),
)
MARGIN, CLOSES = range(OWN, len(DOCTRINE))


@inner_njit
def reach_of(game, unit, target):
    """FC-5.8: range of a unit's weapon against another one, 0 if it has none."""
    weapon = weapon_against(game, unit, target)
    return 0 if weapon == NOWHERE else reach(game, unit, weapon)


@inner_njit
def cells_to_keep(game, doctrine, unit, enemy):
    """How far a unit keeps from an enemy: outside his range if its own is longer, as far as it is if it is shorter.

    0 with the same range.
    """
    theirs, ours = reach_of(game, enemy, unit), reach_of(game, unit, enemy)
    if ours > theirs:
        return theirs + doctrine[MARGIN]
    return 0.0 if ours == theirs else np.sqrt(1.0 * cells_between(game, unit, enemy))


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: to the objectives, but not nearer to the nearest enemy than his range allows; away from him if it is."""
    row = game.state.units[subject]
    goal = post_of(game, doctrine, memory, subject)
    enemy = nearest_squad(game, subject) if row.kind == SQUAD else nearest_gun(game, subject)
    threat, keep = NOWHERE, 0.0
    if enemy != NOWHERE and game.state.turn < doctrine[CLOSES]:
        threat = game.state.units[enemy].location
        keep = cells_to_keep(game, doctrine, subject, enemy)
        if cells_between(game, subject, enemy) < keep * keep and objective_at(game, row.location) == NOWHERE:
            return straight_to(game, subject, threat, order, 0, True)
    if goal == NOWHERE:
        return 0
    return way_to(game, subject, goal, order, threat, keep)


POLICY = Policy(
    "standoff",
    None,
    "fires from where the enemy's guns do not reach",
    moving_by(move),
    DOCTRINE,
    idea="a longer gun is worth nothing up close",
)
