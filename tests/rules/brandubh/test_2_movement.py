"""2 Movement."""

import pytest

from tests.brandubh_positions import Position

RAYS = """
x . . . . . x
. . . . . . .
. . . . . . .
. a . k . a .
. . . . . . .
. d . . . . .
x . . . . a x
"""


@pytest.mark.parametrize(
    ("piece", "squares"),
    [
        ("d4", "c4 d1 d2 d3 d5 d6 d7 e4"),
        ("b2", "a2 b1 b3 c2 d2 e2 f2 g2"),
        ("b4", "a4 b3 b5 b6 b7 c4"),
        ("f1", "b1 c1 d1 e1 f2 f3"),  # not onto the corners a1 and g1
    ],
)
def test_br_2_1_pieces_move_straight_until_something_is_in_their_way(piece, squares):
    assert Position(RAYS).moves(piece) == squares


def test_br_2_1_nobody_moves_the_other_sides_pieces_or_stands_still():
    here = Position(RAYS)
    attacker, king = here.piece("f1"), here.piece("d4")
    assert here.may_move(0, attacker, "f2")
    assert not here.may_move(1, attacker, "f2")
    assert not here.may_move(0, king, "d5")
    assert not here.may_move(0, attacker, "f1")
    for wrong in (-1, 5, 10**9):
        assert not here.may_move(0, wrong, "f2")
        assert not here.may_move(0, attacker, -1 if wrong < 0 else 49)


THRONE = """
x . . . . . x
. . . . . . .
. . . k . . .
. a . # . . .
. . . . . . .
. . . . d . .
x . . . . . x
"""


@pytest.mark.parametrize(
    ("options", "attacker", "king"),
    [
        ({}, "a4 b1 b2 b3 b5 b6 b7 c4 e4 f4 g4", "a5 b5 c5 d1 d2 d3 d4 d6 d7 e5 f5 g5"),
        ({"throne_passage": False}, "a4 b1 b2 b3 b5 b6 b7 c4", "a5 b5 c5 d4 d6 d7 e5 f5 g5"),
        ({"king_returns": False}, "a4 b1 b2 b3 b5 b6 b7 c4 e4 f4 g4", "a5 b5 c5 d1 d2 d3 d6 d7 e5 f5 g5"),
    ],
    ids=str,
)
def test_br_2_2_who_may_pass_and_stand_on_the_throne(options, attacker, king):
    here = Position(THRONE, **options)
    assert here.moves("b4") == attacker
    assert here.moves("d5") == king


def test_br_2_2_the_king_alone_goes_to_a_corner():
    here = Position(
        "x . . k . . x\n. . . . . . .\n. . . . . . .\na . . # . . d\n" + ". . . . . . .\n" * 2 + "x . . . . . x"
    )
    assert here.may("d7 a7")
    assert here.may("d7 g7")
    assert not here.may("a4 a7")
    assert not here.may("g4 g7")
    assert here.may("a4 a6")
