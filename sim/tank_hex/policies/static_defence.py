"""The policy `static_defence`: takes up positions from which it sees and is hardly seen, and fires at what comes."""

from sim.compiled import decision_njit, inner_njit
from sim.game import DoctrineField, Policy
from sim.tank_hex.appraisal import best_move, worth_by_doctrine
from sim.tank_hex.doctrine import OWN, common_doctrine
from sim.tank_hex.policy import moving_by
from sim.tank_hex.rules.ground import distance, sees

DOCTRINE = (
    *common_doctrine(gain=0.3, target=0.1, danger=0.1, way=0.03, late=0.6, shelter=0.6, exposed=0.3, height=0),
    DoctrineField("watch", 1, "worth of an objective within 20 hexes in sight of a position", "vehicle"),
)
(WATCH,) = range(OWN, len(DOCTRINE))
WATCHED = 20


@inner_njit
def worth(game, doctrine, memory, unit, hexagon, goal, view):
    """What a hex is worth: by the common doctrine, and for the objectives that are watched from there."""
    value = worth_by_doctrine(game, doctrine, unit, hexagon, goal, view)
    for number in range(game.state.n_places):
        place = game.board.objective[number]
        if distance(game, hexagon, place) <= WATCHED and sees(game, hexagon, place):
            value = value + doctrine[WATCH]
    return value


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: to a better position, if it is much better."""
    return best_move(game, doctrine, memory, subject, worth, order)


POLICY = Policy(
    "static_defence",
    None,
    "takes up positions from which it sees and is hardly seen, and fires at what comes",
    moving_by(move),
    DOCTRINE,
    cost=1.5,
    idea="reverse slopes and keyhole positions: whoever moves is seen first",
)
