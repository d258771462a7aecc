"""hold: takes up positions and stays in them.

Idea: defence from prepared positions, and the measure for all that moves. Squads in a trench and whoever is in an
objective stay there and fire; the others take objectives of the enemy that hardly anybody is seen in. Who is still
behind in objectives when time runs short counter-attacks.
"""

from sim.compiled import decision_njit, inner_njit
from sim.first_contact.appraisal import ENEMIES, THERE, objective_at
from sim.first_contact.doctrine import GARRISON, OWN, common_doctrine
from sim.first_contact.policy import moving_by
from sim.first_contact.rules.game import mover, terrain_at
from sim.first_contact.state import NOWHERE, SQUAD, TRENCH
from sim.first_contact.ways import N_OBJECTIVES, holds_most, is_held, post_of, tally, way_to
from sim.game import DoctrineField, Policy
from sim.geometry.square import FAR

DOCTRINE = (
    *common_doctrine(contest=0),
    DoctrineField("weak", 2, "enemies seen in an objective up to which it is taken", "unit", 0, 400, whole=True),
    DoctrineField(
        "until", 2, "last turn in which a side keeps still that is behind in objectives", "turn", 0, 99, whole=True
    ),
)
WEAK, UNTIL = range(OWN, len(DOCTRINE))


@inner_njit
def undefended(game, doctrine, memory, unit):
    """The nearest objective of the enemy where few of his are seen and no garrison of ours is yet, or `NOWHERE`."""
    row = game.state.units[unit]
    found, least = NOWHERE, FAR
    for objective in range(N_OBJECTIVES):
        if is_held(game, objective, row.side) or memory[ENEMIES + objective] > doctrine[WEAK]:
            continue
        cost = game.board.costs[mover(game, unit), objective, row.location]
        if memory[THERE + objective] < doctrine[GARRISON] and cost < least:
            found, least = objective, cost
    return found


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: not at all in a trench or an objective, else to an objective without defence; late, if behind, to any."""
    row = game.state.units[subject]
    if game.state.turn > doctrine[UNTIL] and not holds_most(game, row.side):
        goal = post_of(game, doctrine, memory, subject)
        return 0 if goal == NOWHERE else way_to(game, subject, goal, order, NOWHERE, 0.0)
    tally(game, memory, row.side)
    if row.kind == SQUAD and terrain_at(game, row.location) == TRENCH:
        return 0
    if objective_at(game, row.location) != NOWHERE:
        return 0
    goal = undefended(game, doctrine, memory, subject)
    if goal == NOWHERE:
        return 0
    memory[THERE + goal] += 1
    return way_to(game, subject, goal, order, NOWHERE, 0.0)


POLICY = Policy(
    "hold",
    None,
    "stays in positions and trenches, fires, and takes what nobody defends",
    moving_by(move),
    DOCTRINE,
    idea="defence from prepared positions, and the measure for all that moves",
)
