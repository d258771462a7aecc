"""4 The end of a game, and 5 what a policy may not do."""

import pytest

from tests.brandubh_positions import Mover, Position, played

OPEN = """
x . . . . . x
. . . . . . .
. . . . . . .
. . . # . . .
. . . . . . .
. d . . . . a
x . . k . . x
"""


@pytest.mark.parametrize("corner", ["a1", "g1"])
def test_br_4_1_the_king_wins_on_a_corner(corner):
    here = Position(OPEN)
    here.state.turn = 7
    here.after(f"d1 {corner}")
    assert here.won == ["blue"]
    assert here.result() == ("blue", "king_escaped", 60 + 1 - 7)


def test_br_4_1_nowhere_else():
    here = Position(OPEN)
    here.after("d1 b1", "b1 a1")
    assert here.won == ["blue"]
    here = Position(OPEN)
    here.after("d1 d4")
    assert here.won == []


def test_br_4_2_the_attackers_win_by_capturing_the_king():
    here = Position(OPEN.replace(". . . # . . .", ". . . # a . .").replace("x . . k . . x", "x . a k . . x"))
    here.state.turn = 60
    here.after("e4 e1")
    assert here.won == ["red"]
    assert here.result() == ("red", "king_captured", -1)


SHUT_IN = """
x d a . . . x
d k a . . . .
a a . . . . .
. . . # . . .
. . . . . . .
. . . . . . a
x . . . . . x
"""


def test_br_4_3_a_side_that_cannot_move_has_lost():
    here = Position(SHUT_IN)
    assert not here.can_move(1)
    assert here.can_move(0)
    red = Mover(here, "g2 g3")
    played(here, red, Mover(here))
    assert red.asked == [0]
    assert here.won == ["red"]
    assert here.result() == ("red", "no_move", -60)


def test_br_4_4_a_game_without_a_winner_is_a_draw():
    here = Position(OPEN)
    here.state.turn = 61
    assert here.result() == ("draw", "turn_limit", 0)


@pytest.mark.parametrize("move", ["g2 g1", "g2 f1", "b2 b3", "d1 d2"])
def test_br_5_1_a_forbidden_move_is_a_fault(move):
    here = Position(OPEN)
    before = here.drawn()
    blue = Mover(here, "d1 d2")
    played(here, Mover(here, move), blue)
    assert (here.state.fault, here.state.fault_turn, here.state.fault_value) == (1, 1, here.piece(move.split()[0]))
    assert here.drawn() == before
    assert blue.asked == []
