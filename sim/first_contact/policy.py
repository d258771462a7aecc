"""What a policy of First Contact is asked, and what policies share.

A policy is five compiled functions, one for each decision, and a doctrine: the numbers that they weigh with. Each
function has the same form::

    decision(game, doctrine, memory, subject, order) -> int

- ``game``: the position as the policy's side sees it (`sim.first_contact.rules.game.Game`), to be read and not
  written. The units of the side are as they are now. Enemies are as they stood at the start of the phase; the
  ``status`` of one that no unit of the side saw then is `UNSEEN` and its location `NOWHERE` (see `rules.view`). Its
  dice are the policy's own;
- ``doctrine``: float64 (fields,), the policy's numbers in the order of its fields;
- ``memory``: int64 (`sim.game.MEMORY`,), the policy's own, 0 at the start of every turn;
- ``subject``: what is asked about;
- ``order``: int64 (`sim.first_contact.state.ORDER`,), for lists that go either way, each ended by `NOWHERE`.

| decision | asked | answers |
|---|---|---|
| barrage | which cell the mortars aim at; ``subject`` is the side | a cell that an own unit sees, or `NOWHERE` |
| move | where unit ``subject`` goes with ``allowance`` parts of a pip | number of steps, ``order`` their cells |
| face | where vehicle ``subject`` turns, which did not move or was blocked | a direction, 0 (north) to 7 |
| fire | at which of the enemies in ``order`` unit ``subject`` fires | one of them, or `NOWHERE` |
| suppress | whether unit ``subject`` suppresses its ``target``, a squad | 1 suppresses, 0 fires |

A side's units are asked in the order of their numbers. The engine makes the steps of a move one by one: what the
allowance does not cover is not made, and a cell that is taken (by an enemy unseen so far, perhaps) or closed stops
the unit. A step to a cell that is no neighbour, and any other answer that is none of the above, ends the game with a
fault. A unit is asked to fire only if it can, and has a target in range and sight; to suppress only if it may.
"""

from numba import njit

from sim.first_contact.appraisal import (
    best_aim,
    count_shot,
    count_suppression,
    is_suppressed,
    men_hit,
    nearest_gun,
    nearest_seen,
    worth_of_shot,
)
from sim.first_contact.doctrine import PACE
from sim.first_contact.rules.fire import ammunition_cost
from sim.first_contact.state import FIRE, NOWHERE, SUPPRESS
from sim.game import Decision
from sim.geometry.square import direction_towards


@njit(cache=True)
def barrage_where_most(game, doctrine, memory, subject, order):
    """barrage: where it promises most, if that is enough."""
    return best_aim(game, doctrine, subject, NOWHERE)


@njit(cache=True)
def face_the_guns(game, doctrine, memory, subject, order):
    """face: the nearest vehicle that can fire, else the nearest enemy, else as before."""
    row = game.state.units[subject]
    enemy = nearest_gun(game, subject)
    if enemy == NOWHERE:
        enemy = nearest_seen(game, subject)
    if enemy == NOWHERE:
        return row.facing
    return direction_towards(row.location, game.state.units[enemy].location)


@njit(cache=True)
def fire_where_it_counts(game, doctrine, memory, subject, order):
    """fire: at the target where the shot is worth most; not at all if no shot is worth its ammunition."""
    best, most = NOWHERE, 0.0
    i = 0
    while order[i] != NOWHERE:
        worth = worth_of_shot(game, doctrine, memory, subject, order[i])
        if worth > most:
            best, most = order[i], worth
        i += 1
    if best != NOWHERE:
        count_shot(game, memory, best)
    return best


@njit(cache=True)
def suppress_with_what_is_left_over(game, doctrine, memory, subject, order):
    """suppress: a squad that nobody suppresses yet, by a unit that keeps enough for the turns to come."""
    row = game.state.units[subject]
    target = row.target
    to_come = game.rules.n_turns - game.state.turn
    left = row.ammunition - ammunition_cost(game, subject, SUPPRESS)
    if left < doctrine[PACE] * to_come or is_suppressed(game, memory, target):
        return 0
    if men_hit(game, subject, target, SUPPRESS) <= men_hit(game, subject, target, FIRE):
        return 0
    count_suppression(game, memory, target)
    return 1


def moving_by(move: Decision, barrage: Decision = barrage_where_most) -> tuple[Decision, ...]:
    """The five decisions of a policy that moves in a way of its own and does all else by the common doctrine."""
    return barrage, move, face_the_guns, fire_where_it_counts, suppress_with_what_is_left_over
