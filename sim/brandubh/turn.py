"""The turn sequence of Brandubh; its only dice are those of the policies.

A turn (BR-1.3): the first side moves a piece and captures, then the other one. A game that is over stands still.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from sim.brandubh import rules
from sim.brandubh.state import ATTACKERS, BAD_MOVE, DESK, FAILED
from sim.compiled import inner_njit
from sim.frame import ask, play_batch
from sim.game import Decision
from sim.log import fault
from sim.seat import ready


class Seat(NamedTuple):
    """A side's policy: its desk, its doctrine and its one decision (`sim.brandubh.policy`)."""

    desk: np.record
    doctrine: np.ndarray
    move: Decision


@inner_njit
def play_turn(game, red, blue):
    """BR-1.3, BR-4.3, BR-5.1: each side moves once; who cannot has lost, a move that is forbidden is a fault."""
    for i in range(2):
        side = game.rules.first_side ^ i
        if not rules.goes_on(game):
            return
        if not rules.can_move(game, side):
            game.state.sides[1 - side].won = game.state.turn
            return
        seat = red if side == ATTACKERS else blue
        order = ready(seat.desk)
        unit = ask(game, seat, seat.move, side)
        if rules.may_move(game, side, unit, order[0]):
            rules.move(game, unit, order[0])
        else:
            fault(game, BAD_MOVE, unit)


@njit(cache=True, nogil=True)
def play_games(setup, seed, replications, worlds, mirror, red, blue, record, red_decisions, blue_decisions):
    """Plays a batch of games: one for each entry of ``replications`` and ``worlds`` (n,). There is no mirror."""
    desks = np.empty(2, DESK)
    seats = Seat(desks[0], red, *red_decisions), Seat(desks[1], blue, *blue_decisions)
    play_batch(setup, seed, replications, worlds, *seats, record, FAILED, play_turn, rules.write_result)
