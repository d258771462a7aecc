"""The policy `balanced`: weighs fire, ground, danger and objectives against each other."""

from sim.compiled import decision_njit, inner_njit
from sim.game import Policy
from sim.tank_hex.appraisal import best_move, worth_by_doctrine
from sim.tank_hex.doctrine import common_doctrine
from sim.tank_hex.policy import moving_by

DOCTRINE = common_doctrine()


@inner_njit
def worth(game, doctrine, memory, unit, hexagon, goal, view):
    """What a hex is worth: what the common doctrine says, and nothing else."""
    return worth_by_doctrine(game, doctrine, unit, hexagon, goal, view)


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: to the hex where all in all most can be won."""
    return best_move(game, doctrine, memory, subject, worth, order)


POLICY = Policy(
    "balanced",
    None,
    "weighs fire, ground, danger and objectives against each other",
    moving_by(move),
    DOCTRINE,
    cost=2.0,
    idea="none of the others' ideas is right everywhere; what they weigh is one sum",
)
