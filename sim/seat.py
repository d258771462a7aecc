"""The desk of a side's policy: what every game's `Seat` has in front of it."""

import numpy as np
from numba import njit

from sim.compiled import array_njit, inner_njit
from sim.dice import Dice
from sim.game import MEMORY

EMPTY = np.int64(-1)
"""What an order is filled with: every game's ``NOWHERE``."""


def desk_layout(order: int, log: np.dtype, *more: tuple) -> np.dtype:
    """Dtype of a desk: what belongs to one side's policy in a game, as one record.

    ``order`` is how many numbers an order has, ``log`` the game's; ``more`` is what else a side is shown in this game.
    """
    members = [
        ("memory", "i8", (MEMORY,)),  # the policy's own
        ("order", "i8", (order,)),  # lists that go either way
        ("dice", "u8", (3,)),  # the policy's own in this turn
        ("log", log, (1,)),  # what a policy is handed for a log: there is no room in it
        *more,
    ]
    return np.dtype((np.record, np.dtype(members, align=True)))


@array_njit
def ready(desk):
    """The order on a desk, emptied."""
    order = desk.order[:]
    order[:] = EMPTY
    return order


@inner_njit
def clear_desk(desk, dice):
    """Empties memory and order, so that any recorded turn is a place from which a game can go on; puts dice there."""
    desk.log[0].room = desk.log[0].count = 0
    desk.memory[:] = 0
    ready(desk)
    desk.dice[0], desk.dice[1], desk.dice[2] = dice.seed, dice.replication, dice.world


@njit(inline="always")
def dice_on(desk):
    """The policy's own dice of this turn."""
    return Dice(desk.dice[0], desk.dice[1], desk.dice[2])
