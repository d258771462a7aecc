"""assault: suppression first, then close combat.

Idea: a squad in a trench can hardly be shot out of it, but it can be run out. So vehicles keep out of reach of
anti-tank weapons and suppress with all that they have, and squads go in until they stand beside the enemy (FC-10.1).
"""

from sim.compiled import decision_njit
from sim.first_contact.appraisal import nearest_squad
from sim.first_contact.doctrine import OWN, common_doctrine
from sim.first_contact.policy import moving_by
from sim.first_contact.state import NOWHERE, SQUAD
from sim.first_contact.ways import charge, post_of, way_to
from sim.game import DoctrineField, Policy

DOCTRINE = (
    *common_doctrine(pace=0.2, armour=4),
    DoctrineField("charge", 20, "cells from which a squad goes straight at an enemy squad", "cell", 0, 200),
    DoctrineField("keep", 31, "cells that a vehicle keeps from enemy squads", "cell", 0, 200),
)
CHARGE, KEEP = range(OWN, len(DOCTRINE))


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: squads beside the enemy's, else towards an objective; vehicles not too near to squads."""
    goal = post_of(game, doctrine, memory, subject)
    if game.state.units[subject].kind == SQUAD:
        steps = charge(game, subject, doctrine[CHARGE], order)
        if steps != NOWHERE:
            return steps
    if goal == NOWHERE:
        return 0
    if game.state.units[subject].kind == SQUAD:
        return way_to(game, subject, goal, order, NOWHERE, 0.0)
    enemy = nearest_squad(game, subject)
    threat = NOWHERE if enemy == NOWHERE else game.state.units[enemy].location
    return way_to(game, subject, goal, order, threat, doctrine[KEEP])


POLICY = Policy(
    "assault",
    None,
    "suppresses, then goes in for close combat",
    moving_by(move),
    DOCTRINE,
    idea="a squad in a trench can hardly be shot out of it, but it can be run out",
)
