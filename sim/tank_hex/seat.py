"""A side's policy at work: what it is handed, and its decisions."""

from typing import NamedTuple

import numpy as np
from numba import njit

from sim.compiled import inlined_njit
from sim.game import Decision
from sim.seat import dice_on
from sim.tank_hex.rules.game import Game


class Seat(NamedTuple):
    """A policy: its desk, its doctrine and its decisions; `policy` says what each of them is asked."""

    desk: np.record
    doctrine: np.ndarray
    repair: Decision
    fire: Decision
    move: Decision
    step: Decision
    react: Decision
    cover: Decision
    shoot: Decision
    fight: Decision
    aim: Decision
    brace: Decision


DECISIONS = Seat._fields[2:]


@njit(inline="always")  # a record cannot be returned from compiled code
def seen_by(game, seat):
    """What a policy is handed: the game without the enemy's cards and aims, with dice of its own and no log."""
    desk = seat.desk
    return Game(game.board, game.rules, game.state, desk.hidden[0], desk.log[0], dice_on(desk), game.mirror)


@inlined_njit
def ask(game, seat, decide, subject):
    """What a policy decides about a subject, with the order that lies on its desk."""
    desk = seat.desk
    return decide(seen_by(game, seat), seat.doctrine, desk.memory[:], subject, desk.order[:])
