"""What a policy of Brandubh is asked, and the policies that come with it.

``move(game, doctrine, memory, subject, order)`` returns the piece that side ``subject`` moves and writes the square
into ``order[0]``. What the rules forbid (`rules.may_move`) ends the game with a fault.
"""

import numpy as np
from numba import njit

import sim.brandubh.state as st
from sim.brandubh import rules
from sim.brandubh.state import ATTACKERS, DEFENDERS, KING, NOWHERE, SQUARES
from sim.compiled import decision_njit, inner_njit
from sim.dice import roll
from sim.frame import Game
from sim.game import DoctrineField, Policy

DECISIONS = ("move",)
DOCTRINE = (
    DoctrineField("attacker", 1, "worth of an attacker", "defender", 0, 100),
    DoctrineField("way", 3, "worth of a corner that the king can reach in one move", "defender", 0, 100),
    DoctrineField("room", 0.1, "worth of any square that the king can reach in one move", "defender", 0, 100),
)
ATTACKER, WAY, ROOM = range(len(DOCTRINE))
WON = 1000.0


@decision_njit
def any_move(game, doctrine, memory, subject, order):
    """move: any that the rules allow, each as likely as another."""
    chosen, found = NOWHERE, 0
    for unit in range(game.state.n_units):
        for square in range(SQUARES):
            if rules.may_move(game, subject, unit, square):
                found += 1
                if roll(game.dice, 0, game.state.turn, 0, found, found) == 1:
                    chosen, order[0] = unit, square
    return chosen


@inner_njit
def worth(game, doctrine):
    """What a position is worth to the defenders."""
    sides = game.state.sides
    value = sides[DEFENDERS].territory - doctrine[ATTACKER] * sides[ATTACKERS].territory
    value += WON * (int(sides[DEFENDERS].won > 0) - int(sides[ATTACKERS].won > 0))
    for square in range(SQUARES):
        if rules.may_move(game, DEFENDERS, KING, square):
            value += doctrine[WAY] if game.board.corner[square] == 1 else doctrine[ROOM]
    return value


@njit(cache=True)
def best_move(game, doctrine, memory, subject, order):
    """move: the one after which the position is worth most, one of several by a die."""
    chosen, found, best = NOWHERE, 0, -np.inf
    scratch = np.empty(1, st.STATE)
    trial = Game(game.board, game.rules, scratch[0], game.log, game.dice)
    for unit in range(game.state.n_units):
        for square in range(SQUARES):
            if rules.may_move(game, subject, unit, square):
                scratch[0] = game.state
                rules.move(trial, unit, square)
                value = worth(trial, doctrine) * (1 if subject == DEFENDERS else -1)
                found = found + 1 if value == best else 1 if value > best else found
                if value >= best and roll(game.dice, 0, game.state.turn, 0, found, found) == 1:
                    chosen, best, order[0] = unit, value, square
    return chosen


POLICIES = (
    Policy("random", None, "any move that the rules allow", (any_move,)),
    Policy("greedy", None, "the move after which it stands best", (best_move,), DOCTRINE),
)
