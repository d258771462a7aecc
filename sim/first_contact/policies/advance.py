"""advance: to the objectives by the fastest way.

Idea: ground decides, so go there at once and fire on the way at whatever is worth it.
"""

from sim.compiled import decision_njit
from sim.first_contact.doctrine import common_doctrine
from sim.first_contact.policy import moving_by
from sim.first_contact.state import NOWHERE
from sim.first_contact.ways import post_of, way_to
from sim.game import Policy

DOCTRINE = common_doctrine()


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: the cheapest way to the objective that the unit is wanted in."""
    goal = post_of(game, doctrine, memory, subject)
    if goal == NOWHERE:
        return 0
    return way_to(game, subject, goal, order, NOWHERE, 0.0)


POLICY = Policy(
    "advance",
    None,
    "goes to the objectives by the fastest way",
    moving_by(move),
    DOCTRINE,
    idea="ground decides: go there at once and fire on the way",
)
