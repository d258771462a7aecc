"""The policy `rush`: drives to the objectives by the shortest way and takes them."""

from sim.compiled import decision_njit, inner_njit
from sim.game import DoctrineField, Policy
from sim.tank_hex.appraisal import best_move, worth_by_doctrine
from sim.tank_hex.doctrine import OWN, common_doctrine
from sim.tank_hex.policy import moving_by
from sim.tank_hex.state import NOWHERE

DOCTRINE = (
    *common_doctrine(fires_at=0.4, danger=0.2, reaction=0.2, hold=6, way=0.3, target=0.3, gain=0.05),
    DoctrineField("stay", 1, "worth of standing on the objective that it goes for, held or not", "vehicle", 0, 100),
)
(STAY,) = range(OWN, len(DOCTRINE))


@inner_njit
def worth(game, doctrine, memory, unit, hexagon, goal, view):
    """What a hex is worth: by the common doctrine, in which the way counts most; and whoever is there stays there."""
    value = worth_by_doctrine(game, doctrine, unit, hexagon, goal, view)
    if goal.objective != NOWHERE and hexagon == game.board.objective[goal.objective]:
        value = value + doctrine[STAY] * view.wins
    return value


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: towards the objectives, on the march where a road leads there sooner."""
    return best_move(game, doctrine, memory, subject, worth, order)


POLICY = Policy(
    "rush",
    None,
    "drives to the objectives by the shortest way and takes them",
    moving_by(move),
    DOCTRINE,
    cost=1.5,
    idea="whoever holds the ground first makes the other come; losses on the way are the price",
)
