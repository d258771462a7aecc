"""combined: infantry takes the trenches under overwatch of the armour, after a barrage on the strongest one.

Idea: each arm does what the other cannot. Vehicles stop where they see the enemy in the objective and fire; squads go
on and in; the mortars fall on the trench with most men when the squads are near enough to follow.
"""

from sim.compiled import decision_njit, inner_njit
from sim.first_contact.appraisal import ENEMIES, best_aim, cells_between, nearest_squad, objective_at
from sim.first_contact.doctrine import OWN, common_doctrine
from sim.first_contact.policy import moving_by
from sim.first_contact.rules.game import end_of, enemy_of, first_of
from sim.first_contact.rules.sight import sees_from
from sim.first_contact.state import NOWHERE, ON_FOOT, ON_MAP, SQUAD
from sim.first_contact.ways import N_OBJECTIVES, charge, is_held, post_of, way_to
from sim.game import DoctrineField, Policy

DOCTRINE = (
    *common_doctrine(contest=0, pace=0.2, armour=4),
    DoctrineField("charge", 20, "cells from which a squad goes straight at an enemy squad", "cell", 0, 200),
    DoctrineField("overwatch", 33, "cells from the enemy at which a vehicle stops that sees him", "cell", 0, 200),
    DoctrineField(
        "follow", 70, "pips from the strongest objective at which a squad calls for the barrage", "pip", 0, 400
    ),
)
CHARGE, OVERWATCH, FOLLOW = range(OWN, len(DOCTRINE))


@inner_njit
def strongest(game, side):
    """The objective not held in which most men of the enemy's squads are seen, or `NOWHERE`."""
    enemy = enemy_of(side)
    found, most = NOWHERE, 0
    for objective in range(N_OBJECTIVES):
        men = 0
        for unit in range(first_of(game, enemy), end_of(game, enemy)):
            row = game.state.units[unit]
            if row.status == ON_MAP and row.kind == SQUAD and objective_at(game, row.location) == objective:
                men += row.men
        if men > most and not is_held(game, objective, side):
            found, most = objective, men
    return found


@decision_njit
def barrage(game, doctrine, memory, subject, order):
    """barrage: on the strongest objective, once a squad is near enough to follow."""
    objective = strongest(game, subject)
    if objective == NOWHERE:
        return NOWHERE
    near = doctrine[FOLLOW] * game.rules.pip
    for unit in range(first_of(game, subject), end_of(game, subject)):
        row = game.state.units[unit]
        if row.status == ON_MAP and row.kind == SQUAD and game.board.costs[ON_FOOT, objective, row.location] <= near:
            return best_aim(game, doctrine, subject, objective)
    return NOWHERE


@inner_njit
def is_in_overwatch(game, doctrine, memory, unit, goal):
    """Whether a vehicle sees the nearest enemy squad from near enough, while enemies are seen in the objective."""
    if memory[ENEMIES + goal] == 0:
        return False
    enemy = nearest_squad(game, unit)
    if enemy == NOWHERE or cells_between(game, unit, enemy) > doctrine[OVERWATCH] * doctrine[OVERWATCH]:
        return False
    return sees_from(game, unit, game.state.units[unit].location, game.state.units[enemy].location, enemy)


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: squads into the objectives and at the enemy there, vehicles until they can fire at him."""
    goal = post_of(game, doctrine, memory, subject)
    if goal == NOWHERE:
        return 0
    if game.state.units[subject].kind != SQUAD:
        if is_in_overwatch(game, doctrine, memory, subject, goal):
            return 0
        return way_to(game, subject, goal, order, NOWHERE, 0.0)
    if not is_held(game, goal, game.state.units[subject].side):
        steps = charge(game, subject, doctrine[CHARGE], order)
        if steps != NOWHERE:
            return steps
    return way_to(game, subject, goal, order, NOWHERE, 0.0)


POLICY = Policy(
    "combined",
    None,
    "infantry takes trenches under overwatch of armour, after a barrage",
    moving_by(move, barrage),
    DOCTRINE,
    idea="each arm does what the other cannot",
)
