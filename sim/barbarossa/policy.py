"""What an Axis policy is asked, and the policies that come with the game.

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
from numba import njit, types

from sim.barbarossa.board import empty_setup
from sim.barbarossa.rules import Game, may_place, may_retreat
from sim.barbarossa.state import GERMAN, HUNGARIAN, NOWHERE
from sim.dice import dice_of
from sim.game import BLUE, DoctrineField, Policy

DECISIONS = ("deploy", "move", "attack", "lose", "answer", "retreat", "place", "give_up")

_SETUP = empty_setup()
_EXAMPLE = Game(
    _SETUP.board[0],
    _SETUP.rules[0],
    _SETUP.state[0],
    _SETUP.blank_event[0],
    _SETUP.blank_event,
    np.zeros(1, np.int64),
    dice_of(0, 0),
)
GAME = numba.typeof(_EXAMPLE)
DECISION = types.int64(GAME, types.float64[::1], types.int64[::1], types.int64, types.int64[::1])
"""Signature that every decision is compiled for."""


# What most policies share


@njit(cache=True)
def stay(game, doctrine, memory, subject, order):
    """deploy: where the set-up has it."""
    return game.state.units[subject].region


@njit(cache=True)
def no_more(game, doctrine, memory, subject, order):
    """move, attack: nothing."""
    return NOWHERE


@njit(cache=True)
def lose_the_least(game, doctrine, memory, subject, order):
    """lose: a unit that can come back rather than an Italian, an ally rather than a German."""
    best = order[0]
    best_worth = 99
    i = 0
    while i < len(order) and order[i] != NOWHERE:
        nation = game.state.units[order[i]].nation
        worth = 2 if nation == GERMAN else (3 if game.rules.never_returns[nation] == 1 else 1)
        if worth < best_worth:
            best, best_worth = order[i], worth
        i += 1
    return best


@njit(cache=True)
def retreat_always(game, doctrine, memory, subject, order):
    """answer: the stack retreats."""
    return 1


@njit(cache=True)
def first_refuge(game, doctrine, memory, subject, order):
    """retreat: the first region that is open."""
    for region in range(game.state.n_places):
        if may_retreat(game, subject, region):
            return region
    return NOWHERE


@njit(cache=True)
def first_place(game, doctrine, memory, subject, order):
    """place: the first region that is open."""
    for region in range(game.state.n_places):
        if may_place(game, subject, region):
            return region
    return NOWHERE


@njit(cache=True)
def hungarians_first(game, doctrine, memory, subject, order):
    """give_up: the Hungarians."""
    return HUNGARIAN


# hold: never moves or attacks


@njit(cache=True)
def hold_answer(game, doctrine, memory, subject, order):
    """answer: as the doctrine says."""
    return 1 if doctrine[0] > 0.5 else 0


HOLD = Policy(
    "hold",
    BLUE,
    "never moves or attacks",
    (stay, no_more, no_more, lose_the_least, hold_answer, first_refuge, first_place, hungarians_first),
    (DoctrineField("retreats", 1, "whether stacks retreat on a 2 rather than lose a unit", low=0, high=1),),
    idea="the zero against which every other policy is measured",
)
