"""Games of Tank Hex in sentences, from rows as archives have them."""

import pytest

import sim
from cluster import library
from queries import tell
from queries.schema import fields_of
from queries.tell import Story

BOARD = library.documents(library.find_scenario("village_assault")).board
COLUMNS = [field.name for field in fields_of(sim.rulebook("tank_hex"), "events")]
GAME = {
    "end_reason": "turn_limit", "outcome": "red_clear", "winner": "red", "turns": 1, "red_points": 7, "blue_points": 2,
}  # fmt: skip
TANK = {"side": "red", "hex": 0, "fire_kill": False, "mobility_kill": False, "destroyed": False}
SHOT = {
    "phase": "fire", "kind": "direct", "side": "red", "actor": "Red 1", "target": "Blue 1", "weapon": "85mm",
    "declaration": 1, "fate": "rolled", "distance": 18, "level": 9, "terrain": "open", "die_1": 2, "die_2": 3,
    "dice": 5, "armour_die": 4, "table_result": "destroyed", "result": "destroyed", "losses": 1, "braced": False,
}  # fmt: skip
ROLL = "18 hexes, level 9, 2 + 3 = 5"
MOVE = {
    "phase": "movement", "kind": "move", "side": "red", "actor": "Red 2", "actor_hex": 0, "target_hex": 46, "hexes": 2,
    "spent": 3, "marched": False,
}  # fmt: skip


def told(events=(), game=GAME, units=(TANK,), turns=(0, 1)):
    """The last chapter of a game with these events in turn 1, and the outcome."""
    story = Story(
        {"red": "Attacker", "blue": "Defender"},
        ("1", "2"),
        {"fault": None, **game},
        turns=[
            {"turn": turn, "side": side, "tanks": 1, "points": points}
            for turn in turns
            for side, points in (("red", 1), ("blue", 3))
        ],
        units=[{"turn": turn, "unit": f"Red {n}", **row} for turn in turns for n, row in enumerate(units, 1)],
        territory=[{"turn": turn, "place": "Church", "holder": "blue", "hex": 45} for turn in turns],
        events=[{**dict.fromkeys(COLUMNS), "turn": 1, "seq": seq, **event} for seq, event in enumerate(events)],
        board=BOARD,
    )
    chapters, outcome = tell.tell("tank_hex", story)
    return chapters[-1], outcome


def lines(*events):
    return [line for section in told(events)[0].sections for line in section.lines]


def test_the_books_example_is_told():
    assert lines(SHOT) == [f"Red 1 fires at Blue 1: {ROLL}, destroyed."]


@pytest.mark.parametrize(
    ("shot", "words"),
    [
        (
            {"terrain": "built_up", "armour_die": None, "result": "suppressed"},
            "destroyed, saved by built-up ground, suppressed",
        ),
        ({"armour_die": 1, "result": "suppressed"}, "destroyed, armour die 1, suppressed"),
        ({"result": "mobility_kill", "braced": True}, "destroyed, armour die 4, reactive armour, cannot move any more"),
        ({"table_result": "fire_kill", "result": "fire_kill", "losses": 1}, "fire-kill, damaged before: destroyed"),
        ({"table_result": "none", "result": "none", "armour_die": None}, "no effect"),
    ],
)  # fmt: skip
def test_corrections_of_a_result_are_told(shot, words):
    assert lines({**SHOT, "losses": 0, **shot}) == [f"Red 1 fires at Blue 1: {ROLL}, {words}."]


def test_concentrated_fire_is_told_shot_by_shot():
    idle = {**SHOT, "fate": "not_rolled"}
    assert lines({**SHOT, "card": "firepower"}, {**idle, "actor": "Red 3"}) == [
        "Red 1 and Red 3 fire at Blue 1:",
        "  Red 1: 18 hexes, level 9 with firepower, 2 + 3 = 5, destroyed.",
        "  Red 3: not rolled for.",
    ]
    unseen = {**SHOT, "fate": "no_sight"}
    assert lines(unseen, {**unseen, "actor": "Red 3"}) == ["Red 1 and Red 3 fire at Blue 1: no sight."]


def test_a_move_with_all_that_happens_in_it():
    reaction = {
        **SHOT,
        "phase": "movement",
        "kind": "opportunity",
        "side": "blue",
        "actor": "Blue 2",
        "target": "Red 2",
    }
    assert lines(
        MOVE,
        {**reaction, "fate": "out_of_range"},
        {**reaction, "kind": "covering", "actor": "Red 3", "target": "Blue 2", "declaration": 2, "distance": 1},
        {"phase": "movement", "kind": "illegal_step", "side": "red", "actor": "Red 2"},
        {"phase": "movement", "kind": "objective", "side": "red", "place": "Church"},
        {**MOVE, "actor": "Red 3", "marched": True, "hexes": 1},
        {**MOVE, "actor": "Red 1", "hexes": 0},
        {"phase": "movement", "kind": "crowded_out", "side": "red", "actor": "Red 1", "target_hex": 46},
    ) == [
        "Red 2 moves from 4562AA to 4562BC (2 hexes, 3 MP).",
        "  Opportunity fire: Blue 2 fires at Red 2: out of range.",
        "  Covering fire: Red 3 fires at Blue 2: 1 hex, level 9, 2 + 3 = 5, destroyed.",
        "  Red 2 may not make its next step.",
        "  Attacker takes Church.",
        "Red 3 marches from 4562AA to 4562BC (1 hex, 3 MP).",
        "Red 1 stays in 4562AA.",
        "  Red 1 is destroyed in 4562BC, which is full.",
    ]


def test_a_battery_is_told_gun_by_gun_with_what_its_shells_do():
    gun = {"phase": "events", "kind": "gun", "side": "blue", "weapon": "155mm", "actor_hex": 0, "target_hex": 0}
    shell = {**SHOT, "phase": "events", "kind": "barrage", "side": "blue", "weapon": "155mm", "actor": None, "gun": 1}
    hit = {**shell, "level": 6, "target": "Red 1", "table_result": "suppressed", "result": "suppressed", "losses": 0}
    assert lines(
        {"phase": "events", "kind": "card_drawn", "side": "red", "card": "battery_122", "target_hex": 44},
        {**gun, "gun": 1, "fate": "landed"},
        {**hit, "armour_die": None},
        {**gun, "gun": 2, "fate": "did_not_arrive", "target_hex": None},
        {**gun, "gun": 3, "fate": "off_the_map", "target_hex": None, "distance": 4, "direction": 2},
        {**gun, "gun": 4, "fate": "landed", "target_hex": 1, "distance": 1, "direction": 1},
    ) == [
        "Attacker draws the 122 mm battery and aims at 4562BA.",
        "Defender's 155 mm battery fires on 4562AA.",
        "  Gun 1 lands in 4562AA; Red 1: level 6, 2 + 3 = 5, suppressed.",
        "  Gun 2 does not arrive.",
        "  Gun 3 drifts 4 to the NE, off the map.",
        "  Gun 4 drifts 1 to the E, to 4562AB.",
    ]


def test_cards_and_close_combat():
    chapter, _ = told(
        [
            {"phase": "preparation", "kind": "card_played", "side": "red", "actor": "Red 1", "card": "repair"},
            {"phase": "fire", "kind": "card_played", "side": "red", "actor": "Blue 1", "card": "rapid_loading"},
            {"phase": "movement", "kind": "card_played", "side": "red", "actor": "Red 2", "card": "rush"},
            {**SHOT, "phase": "close_combat", "kind": "close_combat", "target_hex": 46, "distance": 1},
            {"phase": "events", "kind": "cards_exchanged", "side": "blue", "card": "firepower"},
        ]
    )
    assert [(section.title, *section.lines) for section in chapter.sections] == [
        ("Preparation", "Red 1 is repaired."),
        ("Direct fire", "Attacker plays rapid loading at Blue 1."),
        ("Movement", "  Attacker plays rush for Red 2."),
        ("Close combat", "In 4562BC:", "  Red 1 fires at Blue 1: 1 hex, level 9, 2 + 3 = 5, destroyed."),
        ("Random events", "Defender exchanges a card for firepower."),
    ]


def test_who_is_left_takes_what_there_is():
    chapter, _ = told([SHOT, {"phase": "close_combat", "kind": "objective", "side": "red", "place": "Church"}])
    assert [section.title for section in chapter.sections] == ["Direct fire", "End"]


def test_how_things_stand():
    chapter, _ = told(units=({**TANK, "fire_kill": True}, {**TANK, "fire_kill": True, "destroyed": True}))
    assert chapter.standing == (
        "Attacker: 1 tank, Red 1 cannot fire, holds nothing; 1 point.",
        "Defender: 1 tank, holds Church; 3 points.",
    )
    assert told(turns=(0,))[0].standing == (
        "Attacker: Red 1 in 4562AA.", "Defender: nothing.", "Church (4562BB) is held by Defender."
    )  # fmt: skip


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ({}, "Clear victory of Attacker: 7 points of Attacker, 2 of Defender, after turn 1."),
        ({"winner": "draw"}, "Draw: 7 points of Attacker, 2 of Defender, after turn 1."),
        (
            {"end_reason": "side_destroyed"},
            "Clear victory of Attacker: 7 points of Attacker, 2 of Defender, a side is destroyed in turn 1.",
        ),
        (
            {"end_reason": "failed", "fault": "bad_target", "fault_turn": 1, "fault_value": 99},
            "Failed in turn 1: bad target (value 99).",
        ),
    ],
)
def test_outcomes(game, words):
    assert told(game={**GAME, **game})[1] == words
