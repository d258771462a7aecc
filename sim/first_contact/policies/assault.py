"""assault: suppression first, then close combat.

Idea: a squad in a trench can hardly be shot out of it, but it can be run out. So vehicles keep out of reach of
anti-tank weapons and suppress with all that they have, and squads go in until they stand beside the enemy (FC-10.1).
"""

from sim.compiled import decision_njit
from sim.first_contact.choices import (
    LENGTH,
    barrage_where_most,
    common_doctrine,
    face_the_guns,
    fire_where_it_counts,
    nearest_squad,
    suppress_with_what_is_left_over,
)
from sim.first_contact.state import NOWHERE, SQUAD
from sim.first_contact.ways import charge, post_of, way_to
from sim.game import DoctrineField, Policy

DOCTRINE = (
    *common_doctrine(pace=0.2, armour=4),
    DoctrineField("charge", 20, "cells from which a squad goes straight at an enemy squad", "cell", 0, 200),
    DoctrineField("keep", 31, "cells that a vehicle keeps from enemy squads", "cell", 0, 200),
)
CHARGE, KEEP = LENGTH, LENGTH + 1


@decision_njit
def move(view, doctrine, memory, subject, order):
    """move: squads beside the enemy's, else towards an objective; vehicles not too near to squads."""
    goal = post_of(view, doctrine, memory, subject)
    if view.state.units[subject].kind == SQUAD:
        steps = charge(view, subject, doctrine[CHARGE], order)
        if steps != NOWHERE:
            return steps
    if goal == NOWHERE:
        return 0
    if view.state.units[subject].kind == SQUAD:
        return way_to(view, subject, goal, order, NOWHERE, 0.0)
    enemy = nearest_squad(view, subject)
    threat = NOWHERE if enemy == NOWHERE else view.state.units[enemy].location
    return way_to(view, subject, goal, order, threat, doctrine[KEEP])


POLICY = Policy(
    "assault",
    None,
    "suppresses, then goes in for close combat",
    (barrage_where_most, move, face_the_guns, fire_where_it_counts, suppress_with_what_is_left_over),
    DOCTRINE,
    idea="a squad in a trench can hardly be shot out of it, but it can be run out",
)
