"""random: whatever the rules allow, by dice.

Idea: what the rules give when nobody thinks.
"""

from sim.compiled import decision_njit, inner_njit
from sim.dice import roll
from sim.fields import numbered
from sim.first_contact.policy import nearest_seen
from sim.first_contact.rules.barrage import may_call
from sim.first_contact.rules.game import neighbour
from sim.first_contact.state import NOWHERE
from sim.game import DoctrineField, Policy
from sim.geometry.square import OFF_MAP

# What the policy's own dice are rolled for; the roller is the side or unit asked.
_CALL, _MOVE, _DIRECTION, _FACE, _FIRE, _TARGET, _SUPPRESS = numbered(7)

# Places of the doctrine's numbers.
_CALLS, _MOVES, _FIRES, _SUPPRESSES = numbered(4)

HUNDRED = 100


@inner_njit
def _chance(view, doctrine, field, purpose, subject):
    """Whether something with the chance of a doctrine's field, in per cent, happens."""
    return roll(view.dice, purpose, view.state.turn, subject, 0, HUNDRED) <= doctrine[field]


@decision_njit
def random_barrage(view, doctrine, memory, subject, order):
    """barrage: at times, on the enemy nearest to the first unit that sees one."""
    if not _chance(view, doctrine, _CALLS, _CALL, subject):
        return NOWHERE
    for unit in range(view.state.n_units):
        if view.state.units[unit].side != subject:
            continue
        enemy = nearest_seen(view, unit)
        if enemy != NOWHERE and may_call(view, subject, view.state.units[enemy].location):
            return view.state.units[enemy].location
    return NOWHERE


@decision_njit
def random_move(view, doctrine, memory, subject, order):
    """move: straight on in a random direction as far as the roll and the map allow, or not at all."""
    if not _chance(view, doctrine, _MOVES, _MOVE, subject):
        return 0
    direction = roll(view.dice, _DIRECTION, view.state.turn, subject, 0, 8) - 1
    cell = neighbour(view, view.state.units[subject].location, direction)
    steps = 0
    while cell != OFF_MAP and steps < len(order):
        order[steps] = cell
        steps += 1
        cell = neighbour(view, cell, direction)
    return steps


@decision_njit
def random_facing(view, doctrine, memory, subject, order):
    """face: anywhere."""
    return roll(view.dice, _FACE, view.state.turn, subject, 0, 8) - 1


@decision_njit
def random_fire(view, doctrine, memory, subject, order):
    """fire: at any of the targets, or not."""
    if not _chance(view, doctrine, _FIRES, _FIRE, subject):
        return NOWHERE
    count = 0
    while order[count] != NOWHERE:
        count += 1
    return order[roll(view.dice, _TARGET, view.state.turn, subject, 0, count) - 1]


@decision_njit
def random_suppression(view, doctrine, memory, subject, order):
    """suppress: at times."""
    return 1 if _chance(view, doctrine, _SUPPRESSES, _SUPPRESS, subject) else 0


POLICY = Policy(
    "random",
    None,
    "does anything that the rules allow, by dice",
    (random_barrage, random_move, random_facing, random_fire, random_suppression),
    (
        DoctrineField("barrages", 20, "chance of a barrage in a turn", "%", 0, 100),
        DoctrineField("moves", 70, "chance that a unit moves", "%", 0, 100),
        DoctrineField("fires", 80, "chance that a unit with a target fires", "%", 0, 100),
        DoctrineField("suppresses", 25, "chance that a unit that fires at a squad suppresses", "%", 0, 100),
    ),
)
