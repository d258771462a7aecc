"""A side's policy at work: what it is handed, and its decisions."""

from typing import NamedTuple

import numpy as np
from numba import njit, types

from sim.compiled import array_njit, inner_njit
from sim.dice import Dice, policy_dice
from sim.tank_hex.rules import Game
from sim.tank_hex.state import NOWHERE, ORDER


class Seat(NamedTuple):
    """One side's policy: what it sees, its desk, its doctrine and its decisions (`sim.tank_hex.policy.DECISIONS`)."""

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


@njit(inline="always")  # a record cannot be returned from compiled code
def seen_by(game, seat):
    """What a policy is handed: the game without the enemy's cards and aims, with dice of its own and no log."""
    desk = seat.desk
    return Game(
        game.board,
        game.rules,
        game.state,
        desk.hidden[0],
        game.blank_event,
        desk.log[:0],
        desk.logged[:],
        Dice(desk.dice[0], desk.dice[1], desk.dice[2]),
        game.mirror,
    )


@array_njit
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
    dice = policy_dice(game.dice, game.state.turn, side ^ game.mirror)
    desk.dice[0], desk.dice[1], desk.dice[2] = dice.seed, dice.replication, dice.world
    show(game, desk, side)
