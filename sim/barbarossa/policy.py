"""What an Axis policy is asked, and the answers that policies share; the policies: `sim.barbarossa.policies`.

A policy is eight compiled functions, one for each decision, and a doctrine: the numbers that they weigh with. Each
function has the same form::

    decision(game, doctrine, memory, subject, order) -> int

- ``game``: the position (`sim.barbarossa.rules.Game`), to be read and not written; its dice are the policy's own;
- ``doctrine``: float64 (fields,), the policy's numbers in the order of its fields;
- ``memory``: int64 (`sim.game.MEMORY`,), the policy's own, 0 at the start of every turn;
- ``subject``: what is asked about; ``order``: int64, for lists that go either way, each ended by `NOWHERE`.

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

What a rule forbids ends the game with a fault; `sim.barbarossa.rules` has a ``may_...`` for each decision.
"""

import numba
import numpy as np
from numba import types

import sim.barbarossa.appraisal as appraisal
from sim.barbarossa.board import empty_setup
from sim.barbarossa.rules import Game, nation_in
from sim.barbarossa.state import HUNGARIAN, MOST_PLACES, NOWHERE, RUMANIAN
from sim.compiled import decision_njit, room
from sim.dice import dice_of
from sim.game import DoctrineField

DECISIONS = ("deploy", "move", "attack", "lose", "answer", "retreat", "place", "give_up")

_SETUP = empty_setup()
_EXAMPLE = Game(
    _SETUP.board[0],
    _SETUP.rules[0],
    _SETUP.state[0],
    _SETUP.blank_event[0],
    _SETUP.log[0],
    dice_of(0, 0),
)
GAME = numba.typeof(_EXAMPLE)
DECISION = types.int64(GAME, types.float64[::1], types.int64[::1], types.int64, types.int64[::1])
"""Signature that every decision is compiled for."""


# The doctrine that most policies share: their own fields come behind these.
COMMON = (
    DoctrineField("stand", 4, "units from which a stack loses one rather than its ground", "unit", 1, 99, whole=True),
    DoctrineField("last_stand", 4, "turns before the end in which every stack does so", "turn", 0, 99, whole=True),
    DoctrineField("least_chance", 0.6, "chance of taking a region below which it is not attacked", "", 0, 1),
    DoctrineField("loss", 0.5, "what the risk of losing a unit counts", "region", 0, 100),
    DoctrineField("offence", 0.5, "what regions to be taken count where units are moved", "", 0, 100),
    DoctrineField("defence", 1.5, "what threatened regions count where units are moved", "", 0, 100),
)
STAND, LAST_STAND, LEAST_CHANCE, LOSS, OFFENCE, DEFENCE = range(len(COMMON))


def common_doctrine(**defaults: float) -> tuple[DoctrineField, ...]:
    """`COMMON` with other defaults."""
    return tuple(field._replace(default=defaults.get(field.name, field.default)) for field in COMMON)


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


def moving_and_attacking_by(move, attack):
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
