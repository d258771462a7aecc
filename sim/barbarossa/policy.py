"""What an Axis policy is asked, and the answers that policies share; the policies: `sim.barbarossa.policies`.

A policy is eight compiled functions, one for each decision, and a doctrine: the numbers that they weigh with. Each
function has the same form::

    decision(game, doctrine, memory, subject, order) -> int

- ``game``: the position (`sim.barbarossa.rules.game.Game`), to be read and not written; its dice are the policy's own;
- ``doctrine``: float64 (fields,), the policy's numbers in the order of its fields;
- ``memory``: int64 (`sim.game.MEMORY`,), the policy's own, 0 at the start of every turn;
- ``subject``: what is asked about;
- ``order``: int64 (`sim.barbarossa.state.ORDER`,), for lists that go either way, each ended by `NOWHERE`.

| decision | asked | answers |
|---|---|---|
| deploy | where unit ``subject`` starts (flexible deployment) | a region |
| move | the next single move | the unit, ``order[0]`` its destination; or `NOWHERE`: no more |
| attack | the next attack | the target, ``order`` its attackers; or `NOWHERE`: no more |
| lose | which of the units in ``order`` is lost in or before region ``subject`` | one of them |
| answer | what the stack in region ``subject`` does on a 2 | 1 retreats, 0 loses a unit |
| retreat | where unit ``subject`` retreats to | a region |
| place | where reinforcement ``subject`` comes | a region |
| give_up | which nation gives way in region ``subject`` | `RUMANIAN` or `HUNGARIAN` |

What a rule forbids ends the game with a fault; the rules have a ``may_...`` for each decision.
"""

import numpy as np

import sim.barbarossa.appraisal as appraisal
from sim.barbarossa.doctrine import LAST_STAND, STAND
from sim.barbarossa.rules.game import nation_in
from sim.barbarossa.state import HUNGARIAN, MOST_PLACES, NOWHERE, RUMANIAN
from sim.compiled import decision_njit, room
from sim.game import Decision


@decision_njit
def stay(game, doctrine, memory, subject, order):
    """deploy: where the set-up has it."""
    return game.state.units[subject].region


@decision_njit
def no_more(game, doctrine, memory, subject, order):
    """move, attack: nothing."""
    return NOWHERE


@decision_njit
def lose_the_least(game, doctrine, memory, subject, order):
    """lose: the unit whose loss costs least (`appraisal.loss_of`)."""
    best = order[0]
    least = appraisal.loss_of(game, best, subject)
    i = 1
    while i < len(order) and order[i] != NOWHERE:
        loss = appraisal.loss_of(game, order[i], subject)
        if loss < least:
            best, least = order[i], loss
        i += 1
    return best


@decision_njit
def answer_by_doctrine(game, doctrine, memory, subject, order):
    """answer: as `COMMON` says (`appraisal.stands`)."""
    return 0 if appraisal.stands(game, subject, doctrine[STAND], doctrine[LAST_STAND]) else 1


@decision_njit
def retreat_where_wanted(game, doctrine, memory, subject, order):
    """retreat: where the unit is wanted most, as `COMMON` has it by default."""
    want = room(MOST_PLACES, np.float64)
    appraisal.wanted_by_default(game, want)
    return appraisal.best_refuge(game, want, subject)


@decision_njit
def place_where_wanted(game, doctrine, memory, subject, order):
    """place: where the unit is wanted most, as `COMMON` has it by default."""
    want = room(MOST_PLACES, np.float64)
    appraisal.wanted_by_default(game, want)
    return appraisal.best_place(game, want, subject)


@decision_njit
def give_up_the_fewer(game, doctrine, memory, subject, order):
    """give_up: the nation with fewer units there, the Hungarians if they are as many."""
    return RUMANIAN if nation_in(game, RUMANIAN, subject) < nation_in(game, HUNGARIAN, subject) else HUNGARIAN


def moving_by(move: Decision, attack: Decision) -> tuple[Decision, ...]:
    """The eight decisions of a policy that moves and attacks in ways of its own and does all else as wanted."""
    return (
        stay,
        move,
        attack,
        lose_the_least,
        answer_by_doctrine,
        retreat_where_wanted,
        place_where_wanted,
        give_up_the_fewer,
    )
