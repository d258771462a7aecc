"""hold: never moves or attacks.

Idea: the zero against which every other policy is measured. Reinforcements still come where they are wanted, and a
stack that is struck retreats or loses a unit as the doctrine says.
"""

from sim.barbarossa.policy import (
    give_up_the_fewer,
    lose_the_least,
    no_more,
    place_where_wanted,
    retreat_where_wanted,
    stay,
)
from sim.compiled import decision_njit
from sim.game import BLUE, DoctrineField, Policy

DOCTRINE = (
    DoctrineField("retreats", 1, "whether stacks retreat on a 2 rather than lose a unit", low=0, high=1, whole=True),
)
RETREATS = 0


@decision_njit
def answer(game, doctrine, memory, subject, order):
    """answer: as the doctrine says."""
    return 1 if doctrine[RETREATS] > 0.5 else 0


POLICY = Policy(
    "hold",
    BLUE,
    "never moves or attacks",
    (stay, no_more, no_more, lose_the_least, answer, retreat_where_wanted, place_where_wanted, give_up_the_fewer),
    DOCTRINE,
)
