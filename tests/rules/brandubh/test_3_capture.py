"""3 Captures: a position before a move and after it, side by side."""

import pytest

from tests.brandubh_positions import Position


def case(name, move, drawing, options=()):
    """Boards beside each other: before, after."""
    lines = [line.split("|") for line in drawing.strip().splitlines()]
    before, after = ("\n".join(line[i].strip() for line in lines) for i in range(2))
    return pytest.param(before, move, after, dict(options), id=name)


CUSTODIAL = [
    case("between two attackers", "a6 c6", """
        x . . . . . x | x . . . . . x
        a . . d a . . | . . a . a . .
        . . . . . . . | . . . . . . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . k . . . | . . . k . . .
        x . . . . . x | x . . . . . x
    """),
    case("by defenders", "g5 c5", """
        x . . . . . x | x . . . . . x
        . . d . . . . | . . d . . . .
        d a . . . . d | d . d . . . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . k . . . | . . . k . . .
        x . . . . . x | x . . . . . x
    """),
    case("who moves between two enemies is safe", "a6 d6", """
        x . . . . . x | x . . . . . x
        d . . . a . . | . . . d a . .
        . . . . . . . | . . . . . . .
        . . . # . . . | . . . # . . .
        . . a . . . . | . . a . . . .
        . . . k . . . | . . . k . . .
        x . . . . . x | x . . . . . x
    """),
    case("two at once", "d1 d5", """
        x . . d . . x | x . . d . . x
        . . . a . . . | . . . . . . .
        . d a . a d . | . d . d . d .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        k . . . . . . | k . . . . . .
        x . . d . . x | x . . . . . x
    """),
    case("not across a corner of the way", "a6 c6", """
        x . . . . . x | x . . . . . x
        a . . d . . . | . . a d . . .
        . . . a . . . | . . . a . . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . k . . . | . . . k . . .
        x . . . . . x | x . . . . . x
    """),
]  # fmt: skip
CORNER = """
        x d . . . a x | x . a . . . x
        . . . . . . . | . . . . . . .
        . . . . . . . | . . . . . . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . k . . . | . . . k . . .
        x . . . . . x | x . . . . . x
"""
THRONE = """
        x . . . . . x | x . . . . . x
        a . . . . . . | . . . a . . .
        . . . d . . . | . . . . . . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . k . . . | . . . k . . .
        x . . . . . x | x . . . . . x
"""
BY_THE_KING = """
        x . . . . . x | x . . . . . x
        . d a . . k . | . d . k . . .
        . . . . . . . | . . . . . . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . . . . . | . . . . . . .
        x . . . . . x | x . . . . . x
"""


def kept(drawing, square, piece):
    """The same with a piece that is not captured, in the board after the move."""
    lines = drawing.strip("\n").splitlines()
    row, column = 7 - int(square[1]), "abcdefg".index(square[0])
    before, after = lines[row].split("|")
    signs = after.split()
    signs[column] = piece
    lines[row] = f"{before}| {' '.join(signs)}"
    return "\n".join(lines)


HOSTILE = [
    case("against a corner", "f7 c7", CORNER),
    case("against the empty throne", "a6 d6", THRONE),
    case("not against the throne by the option", "a6 d6", kept(THRONE, "d5", "d"), {"throne_hostile": False}),
    case("but against a corner", "f7 c7", CORNER, {"throne_hostile": False}),
    case("the king captures", "f6 d6", BY_THE_KING),
    case("but not by the option", "f6 d6", kept(BY_THE_KING, "c6", "a"), {"king_armed": False}),
    case("not with the king on the other side", "b6 d6", """
        x . . . . . x | x . . . . . x
        . d . . a k . | . . . d a k .
        . . . . . . . | . . . . . . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . . . . . | . . . . . . .
        x . . . . . x | x . . . . . x
    """, {"king_armed": False}),
    case("no defender against the king on his throne", "a6 d6", """
        x . . . . . x | x . . . . . x
        a . . . . . . | . . . a . . .
        . . . d . . . | . . . d . . .
        . . . k . . . | . . . k . . .
        . . . . . . . | . . . . . . .
        . . . . . . . | . . . . . . .
        x . . . . . x | x . . . . . x
    """),
    case("not against the edge", "f7 c7", """
        x . . . . a x | x . a . . . x
        . . d . . . . | . . d . . . .
        . . . . . . . | . . . . . . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . k . . . | . . . k . . .
        x . . . . . x | x . . . . . x
    """),
]  # fmt: skip
KING = [
    case("by four on the throne", "d7 d5", """
        x . . a . . x | x . . . . . x
        . . . . . . . | . . . . . . .
        . . . . . . . | . . . a . . .
        . . a k a . . | . . a # a . .
        . . . a . . . | . . . a . . .
        . . . . . . . | . . . . . . .
        x . . . . . x | x . . . . . x
    """),
    case("not by three there", "d7 d5", """
        x . . a . . x | x . . . . . x
        . . . . . . . | . . . . . . .
        . . . . . . . | . . . a . . .
        . . a k a . . | . . a k a . .
        . . . d . . . | . . . d . . .
        . . . . . . . | . . . . . . .
        x . . . . . x | x . . . . . x
    """),
    case("by three next to it", "d7 d6", """
        x . . a . . x | x . . . . . x
        . . . . . . . | . . . a . . .
        . . a k a . . | . . a . a . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . . . . . | . . . . . . .
        x . . . . . x | x . . . . . x
    """),
    case("not by two there", "d7 d6", """
        x . . a . . x | x . . . . . x
        . . . . . . . | . . . a . . .
        . . . k a . . | . . . k a . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . . . . . | . . . . . . .
        x . . . . . x | x . . . . . x
    """),
    case("nor by two on either side", "a5 c5", """
        x . . . . . x | x . . . . . x
        . . . . . . . | . . . . . . .
        a . . k a . . | . . a k a . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . . . . . | . . . . . . .
        x . . . . . x | x . . . . . x
    """),
    case("by two elsewhere", "a6 c6", """
        x . . . . . x | x . . . . . x
        a . . k a . . | . . a . a . .
        . . . . . . . | . . . . . . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . . . . . | . . . . . . .
        x . . . . . x | x . . . . . x
    """),
    case("against a corner", "f7 c7", """
        x k . . . a x | x . a . . . x
        . . . . . . . | . . . . . . .
        . . . . . . . | . . . . . . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . . . . . | . . . . . . .
        x . . . . . x | x . . . . . x
    """),
    case("not by two beside each other", "a6 c6", """
        x . . . . . x | x . . . . . x
        a . . k . . . | . . a k . . .
        . . . a . . . | . . . a . . .
        . . . # . . . | . . . # . . .
        . . . . . . . | . . . . . . .
        . . . . . . . | . . . . . . .
        x . . . . . x | x . . . . . x
    """),
]  # fmt: skip


@pytest.mark.parametrize(("before", "move", "after", "options"), CUSTODIAL)
def test_br_3_1_a_piece_between_two_enemies_is_captured(before, move, after, options):
    assert Position(before, **options).after(move) == after


@pytest.mark.parametrize(("before", "move", "after", "options"), HOSTILE)
def test_br_3_2_what_is_hostile(before, move, after, options):
    assert Position(before, **options).after(move) == after


@pytest.mark.parametrize(("before", "move", "after", "options"), KING)
def test_br_3_3_how_the_king_is_captured(before, move, after, options):
    assert Position(before, **options).after(move) == after


def test_br_3_1_a_capture_is_told_and_counted():
    here = Position(CUSTODIAL[0].values[0])
    here.after("a6 c6")
    told = [(here.names.units[event.actor], here.names.places[event.place]) for event in here.log.events[:2]]
    assert told == [("Attacker 1", "c6"), ("Defender 1", "d6")]
    assert here.log.count == 2
    assert [(int(side.territory), int(side.losses)) for side in here.state.sides] == [(2, 0), (1, 1)]
