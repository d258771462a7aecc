"""The policy `overwatch`: goes forward in bounds, one half of its tanks moves while the other covers."""

from sim.compiled import decision_njit, inner_njit
from sim.game import DoctrineField, Policy
from sim.tank_hex.appraisal import best_move, worth_by_doctrine
from sim.tank_hex.doctrine import OWN, common_doctrine
from sim.tank_hex.policy import moving_by
from sim.tank_hex.rules.game import end_of, first_of, tanks
from sim.tank_hex.rules.ground import sees
from sim.tank_hex.rules.sequence import may_fire
from sim.tank_hex.state import COVERING, NOWHERE

DOCTRINE = (
    *common_doctrine(fires_at=0.3, danger=0.4, reaction=1.2, hold=4, way=0.08, late=0.25, target=0.4),
    DoctrineField("share", 0.5, "share of its tanks that may move in a turn", "", 0, 1),
    DoctrineField("bound", 6, "how far a tank goes beyond the foremost of those that stand", "MP", 0, 100),
    DoctrineField("beyond", 0.3, "cost of each MP further", "vehicle/MP", 0, 100),
    DoctrineField(
        "cover", 0.1, "worth of each standing tank that sees the hex and can give covering fire", "vehicle", 0, 100
    ),
)
SHARE, BOUND, BEYOND, COVER = range(OWN, len(DOCTRINE))
FAR = 10**6  # MP: from nowhere


@inner_njit
def worth(game, doctrine, memory, unit, hexagon, goal, view):
    """What a hex is worth: by the common doctrine, more under cover of those that stand, less far beyond them."""
    value = worth_by_doctrine(game, doctrine, unit, hexagon, goal, view)
    units = game.state.units
    for other in range(first_of(game, units[unit].side), end_of(game, units[unit].side)):
        if other != unit and may_fire(game, COVERING, other) and sees(game, units[other].hex, hexagon):
            value = value + doctrine[COVER]
    if goal.objective != NOWHERE:
        lead = memory[goal.objective] - game.board.travel[goal.objective, hexagon] - doctrine[BOUND]
        if lead > 0.0:
            value = value - doctrine[BEYOND] * lead
    return value


@inner_njit
def keep_foremost(game, memory, side):
    """Keeps in memory, by the number of each objective, the MP to it of the nearest tank that has not moved."""
    for number in range(game.state.n_places):
        memory[number] = FAR
        for unit in range(first_of(game, side), end_of(game, side)):
            tank = game.state.units[unit]
            if tank.hex != NOWHERE and tank.moved == 0:
                memory[number] = min(memory[number], game.board.travel[number, tank.hex])


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: as long as not more than a share of the tanks has moved."""
    moved = 0
    for unit in range(first_of(game, subject), end_of(game, subject)):
        if game.state.units[unit].hex != NOWHERE and game.state.units[unit].moved == 1:
            moved += 1
    if moved + 1 > doctrine[SHARE] * tanks(game, subject):
        return NOWHERE
    keep_foremost(game, memory, subject)
    return best_move(game, doctrine, memory, subject, worth, order)


POLICY = Policy(
    "overwatch",
    None,
    "goes forward in bounds: one half moves while the other covers",
    moving_by(move),
    DOCTRINE,
    cost=2.5,
    idea="fire and movement: whoever shoots at those who move is shot at by those who do not",
)
