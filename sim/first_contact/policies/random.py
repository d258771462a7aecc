"""random: whatever the rules allow, by dice.

Idea: what the rules give when nobody thinks.
"""

from sim.compiled import decision_njit, inner_njit
from sim.dice import roll
from sim.fields import numbered
from sim.first_contact.appraisal import nearest_seen
from sim.first_contact.rules.barrage import may_call
from sim.first_contact.rules.game import neighbour
from sim.first_contact.state import NOWHERE
from sim.game import DoctrineField, Policy
from sim.geometry.square import OFF_MAP

# What the policy's own dice are rolled for; the roller is the side or unit asked.
_CALL, _MOVE, _DIRECTION, _FACE, _FIRE, _TARGET, _SUPPRESS = numbered(7)

DOCTRINE = (
    DoctrineField("barrages", 20, "chance of a barrage in a turn", "%", 0, 100),
    DoctrineField("moves", 70, "chance that a unit moves", "%", 0, 100),
    DoctrineField("fires", 80, "chance that a unit with a target fires", "%", 0, 100),
    DoctrineField("suppresses", 25, "chance that a unit that fires at a squad suppresses", "%", 0, 100),
)
BARRAGES, MOVES, FIRES, SUPPRESSES = range(len(DOCTRINE))

HUNDRED = 100


@inner_njit
def _happens(game, chance, purpose, subject):
    """Whether something with a chance, in per cent, happens."""
    return roll(game.dice, purpose, game.state.turn, subject, 0, HUNDRED) <= chance


@decision_njit
def barrage(game, doctrine, memory, subject, order):
    """barrage: at times, on the enemy nearest to the first unit that sees one."""
    if not _happens(game, doctrine[BARRAGES], _CALL, subject):
        return NOWHERE
    for unit in range(game.state.n_units):
        if game.state.units[unit].side != subject:
            continue
        enemy = nearest_seen(game, unit)
        if enemy != NOWHERE and may_call(game, subject, game.state.units[enemy].location):
            return game.state.units[enemy].location
    return NOWHERE


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: straight on in a random direction as far as the roll and the map allow, or not at all."""
    if not _happens(game, doctrine[MOVES], _MOVE, subject):
        return 0
    direction = roll(game.dice, _DIRECTION, game.state.turn, subject, 0, 8) - 1
    cell = neighbour(game, game.state.units[subject].location, direction)
    steps = 0
    while cell != OFF_MAP and steps < len(order):
        order[steps] = cell
        steps += 1
        cell = neighbour(game, cell, direction)
    return steps


@decision_njit
def face(game, doctrine, memory, subject, order):
    """face: anywhere."""
    return roll(game.dice, _FACE, game.state.turn, subject, 0, 8) - 1


@decision_njit
def fire(game, doctrine, memory, subject, order):
    """fire: at any of the targets, or not."""
    if not _happens(game, doctrine[FIRES], _FIRE, subject):
        return NOWHERE
    count = 0
    while order[count] != NOWHERE:
        count += 1
    return order[roll(game.dice, _TARGET, game.state.turn, subject, 0, count) - 1]


@decision_njit
def suppress(game, doctrine, memory, subject, order):
    """suppress: at times."""
    return 1 if _happens(game, doctrine[SUPPRESSES], _SUPPRESS, subject) else 0


POLICY = Policy(
    "random",
    None,
    "does anything that the rules allow, by dice",
    (barrage, move, face, fire, suppress),
    DOCTRINE,
)
