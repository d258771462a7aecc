"""standoff: fires from where the enemy's guns do not reach.

Idea: a longer gun is worth nothing up close. Who outranges the nearest enemy gun keeps outside its range, who is
outranged does not go nearer to it; towards the end all go to the objectives.
"""

import numpy as np

from sim.compiled import decision_njit, inner_njit
from sim.first_contact.choices import (
    LENGTH,
    barrage_where_most,
    cells_between,
    common_doctrine,
    face_the_guns,
    fire_where_it_counts,
    nearest_gun,
    nearest_squad,
    objective_at,
    suppress_with_what_is_left_over,
)
from sim.first_contact.rules.fire import reach, weapon_against
from sim.first_contact.state import NOWHERE, SQUAD
from sim.first_contact.ways import post_of, straight_to, way_to
from sim.game import DoctrineField, Policy

DOCTRINE = (
    *common_doctrine(contest=0, least_chance=0.16, reserve=4),
    DoctrineField("margin", 1, "cells that a unit keeps beyond the range of the enemy's weapon", "cell", 0, 200),
    DoctrineField("closes", 8, "turn from which it goes to the objectives all the same", "turn", 0, 99, whole=True),
)
MARGIN, CLOSES = LENGTH, LENGTH + 1


@inner_njit
def reach_of(view, unit, target):
    """FC-5.8: range of a unit's weapon against another one, 0 if it has none."""
    weapon = weapon_against(view, unit, target)
    return 0 if weapon == NOWHERE else reach(view, unit, weapon)


@inner_njit
def cells_to_keep(view, doctrine, unit, enemy):
    """How far a unit keeps from an enemy: outside his range if its own is longer, as far as it is if it is shorter.

    0 with the same range.
    """
    theirs, ours = reach_of(view, enemy, unit), reach_of(view, unit, enemy)
    if ours > theirs:
        return theirs + doctrine[MARGIN]
    return 0.0 if ours == theirs else np.sqrt(1.0 * cells_between(view, unit, enemy))


@decision_njit
def move(view, doctrine, memory, subject, order):
    """move: to the objectives, but not nearer to the nearest enemy than his range allows; away from him if it is."""
    row = view.state.units[subject]
    goal = post_of(view, doctrine, memory, subject)
    enemy = nearest_squad(view, subject) if row.kind == SQUAD else nearest_gun(view, subject)
    threat, keep = NOWHERE, 0.0
    if enemy != NOWHERE and view.state.turn < doctrine[CLOSES]:
        threat = view.state.units[enemy].location
        keep = cells_to_keep(view, doctrine, subject, enemy)
        if cells_between(view, subject, enemy) < keep * keep and objective_at(view, row.location) == NOWHERE:
            return straight_to(view, subject, threat, order, 0, True)
    if goal == NOWHERE:
        return 0
    return way_to(view, subject, goal, order, threat, keep)


POLICY = Policy(
    "standoff",
    None,
    "fires from where the enemy's guns do not reach",
    (barrage_where_most, move, face_the_guns, fire_where_it_counts, suppress_with_what_is_left_over),
    DOCTRINE,
    idea="a longer gun is worth nothing up close",
)
