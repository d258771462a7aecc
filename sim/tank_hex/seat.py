"""A side's policy at work: what it is handed, and its decisions."""

from typing import NamedTuple

import numpy as np
from numba import njit, types

from sim.compiled import inner_njit
from sim.dice import Dice, policy_dice
from sim.fields import record_dtype
from sim.game import MEMORY
from sim.tank_hex.rules import Game
from sim.tank_hex.state import EVENTS, HIDDEN, MOST_TANKS, NOWHERE, RED

ORDER = MOST_TANKS + 4
"""Numbers in ``order``: a side's tanks, the end of the list, and the places below."""
FIREPOWER_FOR = np.int64(ORDER - 2)
"""Place in ``order`` of the shooter that gains by the card firepower, `NOWHERE` for none (TH-7.1)."""
SECOND_TARGET = np.int64(ORDER - 1)
"""Place in ``order`` of the second target of the last shooter by rapid loading, `NOWHERE` for none (TH-7.1)."""

DESK = np.dtype(
    [
        ("memory", "i8", (MEMORY,)),  # the policy's own
        ("order", "i8", (ORDER,)),  # lists that go either way
        ("named", "i8", (MOST_TANKS + 1,)),  # shooters of its last declaration that stood
        ("hidden", HIDDEN, (1,)),  # cards and aims as it sees them
        ("log", record_dtype(EVENTS), (1,)),  # stands in for the log: a view of no events is made of it
        ("logged", "i8", (1,)),
    ],
    align=True,
)
"""What belongs to one side's policy in a game, as one record."""


class Seat(NamedTuple):
    """One side's policy: what it sees, its desk, its doctrine and its decisions (`sim.tank_hex.policy.DECISIONS`)."""

    game: Game
    desk: np.record
    doctrine: np.ndarray
    repair: types.FunctionType
    fire: types.FunctionType
    move: types.FunctionType
    step: types.FunctionType
    react: types.FunctionType
    cover: types.FunctionType
    shoot: types.FunctionType
    fight: types.FunctionType
    aim: types.FunctionType
    brace: types.FunctionType


@inner_njit
def dice_of_side(game, side):
    """Dice that a side's policy may roll this turn."""
    return policy_dice(game.dice, game.state.turn, side ^ game.mirror)


@njit(inline="always")  # a record cannot be returned from compiled code
def seen_by(game, desk, dice):
    """What a policy is handed: the game without the enemy's cards and aims, with dice of its own and no log."""
    return Game(
        game.board,
        game.rules,
        game.state,
        desk.hidden[0],
        game.blank_event,
        desk.log[:0],
        desk.logged[:],
        Dice(dice.seed, dice.replication, dice.world),
        game.mirror,
    )


@inner_njit
def ready(desk):
    """An empty order: every place is `NOWHERE`."""
    order = desk.order[:]
    for i in range(ORDER):
        order[i] = NOWHERE
    return order


@inner_njit
def show(game, desk, side):
    """TH-7.2: puts on a side's desk what it knows of cards and batteries; the enemy's row is empty."""
    desk.hidden[0] = game.hidden
    seen = desk.hidden[0]
    enemy = 1 - side
    seen.card[enemy] = NOWHERE
    seen.drawn[enemy] = NOWHERE
    seen.deck[enemy] = NOWHERE
    seen.cards_drawn[enemy] = NOWHERE
    for slot in range(seen.battery.shape[1]):
        seen.battery[enemy, slot] = NOWHERE
        seen.aim[enemy, slot] = NOWHERE
        seen.due[enemy, slot] = 0


@inner_njit
def clear_desk(game, desk, side):
    """Empties memory and order, so that any recorded turn is a place from which a game can go on."""
    desk.memory[:] = 0
    ready(desk)
    show(game, desk, side)


__all__ = [
    "DESK",
    "FIREPOWER_FOR",
    "ORDER",
    "RED",
    "SECOND_TARGET",
    "Seat",
    "clear_desk",
    "dice_of_side",
    "ready",
    "seen_by",
    "show",
]
