"""The policy `brawler`: seeks close combat."""

from sim.compiled import decision_njit, inner_njit
from sim.game import DoctrineField, Policy
from sim.tank_hex.appraisal import best_move, nearest_enemy, worth_by_doctrine
from sim.tank_hex.doctrine import OWN, common_doctrine
from sim.tank_hex.policy import moving_by

DOCTRINE = (
    *common_doctrine(fires_at=0.5, danger=0.2, reaction=0.7, exchange=2, hold=3, way=0.02, target=0.2),
    DoctrineField("combat", 1, "worth of entering a close combat, times the chance to win it", "vehicle", 0, 100),
    DoctrineField("near", 0.1, "cost of each hex to the nearest enemy", "vehicle/hex", 0, 100),
)
COMBAT, NEAR = range(OWN, len(DOCTRINE))


@inner_njit
def worth(game, doctrine, memory, unit, hexagon, goal, view):
    """What a hex is worth: by the common doctrine, more in close combat or near to it."""
    value = worth_by_doctrine(game, doctrine, unit, hexagon, goal, view)
    value = value - doctrine[NEAR] * nearest_enemy(game, game.state.units[unit].side, hexagon)
    if view.combat:
        value = value + doctrine[COMBAT] * view.wins
    return value


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: to the nearest enemies, and into their hexes."""
    return best_move(game, doctrine, memory, subject, worth, order)


POLICY = Policy(
    "brawler",
    None,
    "seeks close combat",
    moving_by(move),
    DOCTRINE,
    cost=1.5,
    idea="in close combat numbers count squared, and whoever is in one can't be shot at",
)
