"""1 The board, the pieces and the turn."""

import pytest

from sim.brandubh import board, state
from sim.rules_file import BadInput
from tests.brandubh_positions import Mover, Position, map_document, played, rules_document, scenario_document

CROSS = """
x . . a . . x
. . . a . . .
. . . d . . .
a a d k d a a
. . . d . . .
. . . a . . .
x . . a . . x
"""


def test_br_1_1_the_board_has_a_throne_and_four_corners():
    here = Position(CROSS)
    corners = {name for name, corner in zip(here.names.places, here.game.board.corner, strict=True) if corner}
    assert corners == {"a1", "a7", "g1", "g7"}
    assert here.square("a7") == 0
    assert here.square("g1") == 48
    assert here.game.board.king_needs[here.square("d4")] == rules_document()["king"]["on_throne"]["value"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"squares": "x . x"}, "draw 7 rows of 7 signs, each one of .#x"),
        ({"squares": CROSS}, "draw 7 rows of 7 signs"),
    ],
)
def test_br_1_1_a_map_that_is_none_is_refused(change, message):
    with pytest.raises(BadInput, match=message):
        board.load(scenario_document(), map_document() | change, rules_document())


@pytest.mark.parametrize("path", ["turn.first_side", "king.elsewhere", "options.king_armed"])
def test_a_rules_file_without_an_entry_is_refused(path):
    rules = rules_document()
    part, name = path.split(".")
    del rules[part][name]
    with pytest.raises(BadInput, match=f"rules of brandubh: {part}"):
        board.load(scenario_document(), map_document(), rules)


def test_br_1_2_the_scenario_sets_up_the_cross():
    here = Position(scenario_document()["set_up"])
    assert here.drawn() == CROSS.strip()
    assert here.names.units[:3] == ("King", "Defender 1", "Defender 2")
    assert here.names.units[-1] == "Attacker 8"
    assert [int(side.territory) for side in here.state.sides] == [8, 5]


@pytest.mark.parametrize("kings", ["d . d", "k k d"])
def test_br_1_2_there_is_one_king(kings):
    drawn = CROSS.replace("x", ".").replace("d k d", kings)
    with pytest.raises(BadInput, match="set_up: has one king"):
        board.load(scenario_document() | {"set_up": drawn}, map_document(), rules_document())


def test_br_1_3_the_attackers_move_first():
    here = Position(CROSS)
    # Blue's move is open only after red's.
    played(here, Mover(here, "d6 c6"), Mover(here, "d5 d6"))
    assert [state.EVENT_KINDS[event.kind] for event in here.log.events[: here.log.count]] == ["move", "move"]
    assert [int(event.side) for event in here.log.events[:2]] == [0, 1]


def test_br_1_3_nobody_moves_when_the_game_is_over():
    here = Position("k . . . . . .\n" + ". . . . . . .\n" * 5 + ". . . . . a .")
    here.state.sides[1].won = 1
    red = Mover(here)
    played(here, red, red)
    assert red.asked == []
