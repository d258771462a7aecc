"""The policy `sniper`: keeps its distance and shoots from heights and woods."""

from sim.compiled import decision_njit, inner_njit
from sim.game import DoctrineField, Policy
from sim.tank_hex.appraisal import best_move, nearest_enemy, worth_by_doctrine
from sim.tank_hex.doctrine import OWN, common_doctrine
from sim.tank_hex.policy import moving_by

DOCTRINE = (
    *common_doctrine(fires_at=0.1, target=1.5, danger=1.0, way=0.02, late=0.4, shelter=0.3, height=0.1, exposed=0.1),
    DoctrineField("distance", 18, "how far the nearest enemy should be", "hex", 0, 60),
    DoctrineField("near", 0.1, "cost of each hex that it is nearer", "vehicle/hex", 0, 100),
)
DISTANCE, NEAR = range(OWN, len(DOCTRINE))


@inner_njit
def worth(game, doctrine, memory, unit, hexagon, goal, view):
    """What a hex is worth: by the common doctrine, less if an enemy is nearer than it should be."""
    value = worth_by_doctrine(game, doctrine, unit, hexagon, goal, view)
    nearest = nearest_enemy(game, game.state.units[unit].side, hexagon)
    if nearest < doctrine[DISTANCE]:
        value = value - doctrine[NEAR] * (doctrine[DISTANCE] - nearest)
    return value


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: to where it hits and is hard to hit."""
    return best_move(game, doctrine, memory, subject, worth, order)


POLICY = Policy(
    "sniper",
    None,
    "keeps its distance and shoots from heights and woods",
    moving_by(move),
    DOCTRINE,
    cost=2.5,
    idea="at a distance ground decides: a higher target costs levels, woods and houses spare whoever is in them",
)
