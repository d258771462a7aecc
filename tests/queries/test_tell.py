"""Games in sentences, from rows as archives have them."""

import pytest

from queries import tell
from queries.tell import Story, listed
from queries.tell.barbarossa import turn_title

SIDES = {"red": "Soviet Union", "blue": "Axis"}
TURNS = ("S41", "A41", "W42", "S42")
GAME = {"end_reason": "scored", "outcome": "soviet_minor", "turns": 1, "blue_territory": 2}
COLUMNS = ("actor", "place", "origin", "units", "modifier", "dice", "result", "losses", "captured")


def told(events=(), units=(), game=GAME, held=("Warsaw", "Konigsberg"), holds=("Warsaw", "Konigsberg")):
    """The only turn (S41) of a game with these events, as its chapter; and the outcome."""
    story = Story(
        SIDES,
        TURNS,
        game,
        turns=[
            {"turn": turn, "side": side, "on_map": 2, "waiting": 1, "gone": 0}
            for turn in (0, 1)
            for side in ("red", "blue")
        ],
        units=units,
        territory=[
            {"turn": turn, "place": place, "holder": "blue" if place in holders else "red"}
            for turn, holders in ((0, held), (1, holds))
            for place in sorted({*held, *holds})
        ],
        events=[{**dict.fromkeys(COLUMNS), "turn": 1, "seq": seq, **event} for seq, event in enumerate(events)],
    )
    (_, chapter), outcome = tell.tell("barbarossa", story)
    return chapter, outcome


def sections(events, **others):
    return {section.title: list(section.lines) for section in told(events, **others)[0].sections}


@pytest.mark.parametrize(("names", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_lists_of_names(names, text):
    assert listed(names) == text


@pytest.mark.parametrize(
    ("turn", "title"), [(1, "Summer 1941 (S41)"), (2, "Autumn 1941 (A41)"), (3, "Winter 1942 (W42)")]
)
def test_turns_have_the_names_of_their_season(turn, title):
    assert turn_title(TURNS, turn) == title


def test_units_that_move_together_share_a_sentence():
    move = {"kind": "move", "origin": "Warsaw", "place": "Minsk"}
    events = [
        {**move, "actor": "4th Army"},
        {**move, "actor": "9th Army"},
        {"kind": "vacated", "place": "Warsaw"},
        {**move, "actor": "2nd Army", "origin": "Berlin", "place": "Silesia"},
    ]
    assert sections(events) == {
        "Movement": [
            "4th Army and 9th Army move from Warsaw to Minsk.",
            "  Warsaw, left empty at the front, turns Soviet.",
            "2nd Army moves from Berlin to Silesia.",
        ]
    }


def test_an_attack_names_its_units_die_and_result():
    assault = {"kind": "assault", "place": "Minsk"}
    attack = {
        "kind": "attack",
        "place": "Minsk",
        "units": 3,
        "modifier": 3,
        "dice": 2,
        "result": "taken",
        "captured": True,
    }
    events = [
        {**assault, "actor": "4th Army", "origin": "Warsaw"},
        {**assault, "actor": "9th Army", "origin": "Warsaw"},
        {**assault, "actor": "16th Army", "origin": "Konigsberg"},
        attack,
        {"kind": "isolated", "place": "Kurland"},
        {"kind": "isolated", "place": "Velikje Luki"},
        {**assault, "actor": "2nd Army", "origin": "Kiev", "place": "Kursk"},
        {**attack, "place": "Kursk", "units": 1, "modifier": 0, "dice": 1, "result": "repulsed", "captured": False},
        {"kind": "lost", "actor": "2nd Army", "place": "Kiev"},
    ]
    units = [{"turn": 1, "unit": "2nd Army", "status": "waiting", "due": 4, "region": None}]
    assert sections(events, units=units) == {
        "Attacks": [
            "16th Army from Konigsberg and 4th Army and 9th Army from Warsaw attack Minsk: die 2 +3 = 5, taken.",
            "  Kurland and Velikje Luki, cut off, turn Axis.",
            "2nd Army from Kiev attacks Kursk: die 1, repulsed.",
            "  2nd Army is lost in Kiev, due back in S42.",
        ]
    }


@pytest.mark.parametrize(
    ("result", "captured", "text"),
    [
        ("taken", True, "taken"),
        ("taken_at_a_loss", True, "taken at a loss"),
        ("taken_at_a_loss", False, "nobody is left to enter"),
        ("repulsed", False, "repulsed"),
    ],
)
def test_bb_3_2_every_result_of_an_attack_has_words(result, captured, text):
    attack = {"kind": "attack", "place": "Minsk", "modifier": 1, "dice": 1, "result": result, "captured": captured}
    events = [{"kind": "assault", "actor": "4th Army", "origin": "Warsaw", "place": "Minsk"}, attack]
    assert sections(events)["Attacks"] == [f"4th Army from Warsaw attacks Minsk: die 1 +1 = 2, {text}."]


@pytest.mark.parametrize(
    ("attack", "text"),
    [
        ({"units": 2, "dice": 1, "result": "nothing"}, "On Warsaw (2 units): die 1, beaten off."),
        ({"units": 1, "dice": 2, "result": "retreat_or_loss"}, "On Warsaw (1 unit): die 2, retreat or lose a unit."),
        ({"units": 3, "dice": 3, "result": "loss"}, "On Warsaw (3 units): die 3, a unit is lost."),
        (
            {"units": 0, "result": "garrison_removed", "captured": True},
            "On Warsaw (a garrison): the garrison is removed; Warsaw turns Soviet.",
        ),
    ],
)
def test_bb_5_4_every_result_of_a_soviet_attack_has_words(attack, text):
    assert sections([{"kind": "soviet_attack", "place": "Warsaw", **attack}]) == {"Soviet attacks": [text]}


def test_losses_and_returns():
    lost = {"kind": "lost", "place": "Warsaw"}
    events = [
        {"kind": "soviet_attack", "place": "Warsaw", "units": 3, "dice": 2, "result": "retreat_or_loss"},
        {**lost, "actor": "2nd Army"},
        {**lost, "actor": "8th Italian Army"},
        {**lost, "actor": "4th Army"},
        {"kind": "retreat", "actor": "9th Army", "origin": "Warsaw", "place": "Silesia"},
        {"kind": "left_the_game", "actor": "3rd Rumanian Army"},
        {"kind": "reinforcement", "actor": "2nd Army", "place": "Berlin"},
        {"kind": "reinforcement", "actor": "18th Army", "place": "Berlin"},
    ]
    off = {"turn": 1, "region": None, "due": None}
    units = [
        {**off, "unit": "2nd Army", "status": "waiting", "due": 4},
        {**off, "unit": "8th Italian Army", "status": "gone"},
        {**off, "unit": "4th Army", "status": "waiting", "due": 9},
    ]
    found = sections(events, units=units)
    assert found["Soviet attacks"][1:] == [
        "  2nd Army is lost in Warsaw, due back in S42.",
        "  8th Italian Army is lost in Warsaw, for good.",
        "  4th Army is lost in Warsaw, too late to come back.",
        "  9th Army retreats from Warsaw to Silesia.",
        "  3rd Rumanian Army leaves the game.",
    ]
    assert found["Reinforcements"] == ["2nd Army comes back to Berlin.", "18th Army comes to Berlin."]


def test_a_turn_ends_with_what_was_won_and_lost():
    chapter, _ = told(held=("Warsaw", "Konigsberg"), holds=("Warsaw", "Minsk", "Kiev"))
    assert chapter.title == "Summer 1941 (S41)"
    assert chapter.standing == (
        "3 Axis regions: won Kiev and Minsk; lost Konigsberg.",
        "2 units on the map, 1 waiting, 0 gone.",
    )


def test_the_set_up_names_stacks_garrisons_and_units_to_come():
    rows = [
        {"unit": "4th Army", "status": "on_map", "region": "Warsaw", "due": None},
        {"unit": "9th Army", "status": "on_map", "region": "Warsaw", "due": None},
        {"unit": "8th Army", "status": "waiting", "region": None, "due": 4},
    ]
    story = Story(
        SIDES, TURNS, GAME,
        turns=[{"turn": 0, "side": "blue"}],
        units=[{**row, "turn": 0} for row in rows],
        territory=[{"turn": 0, "place": place, "holder": "blue"} for place in ("Berlin", "Warsaw")],
        events=[],
    )  # fmt: skip
    ((chapter,), _) = tell.tell("barbarossa", story)
    assert chapter.title == "Set-up"
    assert chapter.standing == (
        "Warsaw: 4th Army and 9th Army.",
        "Garrisons: Berlin.",
        "To come: 8th Army (S42).",
        "2 Axis regions.",
    )


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ({"outcome": "draw", "blue_territory": 4}, "Draw: 4 Axis regions at the end of Summer 1941 (S41)."),
        (
            {"outcome": "axis_minor", "blue_territory": 5},
            "Axis minor victory: 5 Axis regions at the end of Summer 1941 (S41).",
        ),
        (
            {"outcome": "soviet_major", "blue_territory": 1},
            "Soviet major victory: 1 Axis region at the end of Summer 1941 (S41).",
        ),
        (
            {"outcome": "axis_major", "end_reason": "all_sources_taken", "blue_territory": 32},
            "Axis major victory: the last Soviet supply source was taken in Summer 1941 (S41); 32 Axis regions.",
        ),
        (
            {"end_reason": "failed", "fault": "bad_move", "fault_turn": 2, "fault_value": 99},
            "Failed in Autumn 1941 (A41): bad move by the policy of Axis (value 99).",
        ),
    ],
)
def test_bb_6_1_every_outcome_has_words(game, text):
    assert told(game={**GAME, **game})[1] == text


def test_a_decided_game_is_told_up_to_the_turn_that_decided_it():
    story = Story(
        SIDES, TURNS, {**GAME, "end_reason": "all_sources_taken", "outcome": "axis_major", "turns": 1},
        turns=[{"turn": turn, "side": "blue", "on_map": 1, "waiting": 0, "gone": 0} for turn in range(4)],
        units=[], territory=[], events=[],
    )  # fmt: skip
    chapters, _ = tell.tell("barbarossa", story)
    assert [chapter.turn for chapter in chapters] == [0, 1]


def test_a_rulebook_without_a_teller_is_told_plainly():
    columns = ("actor", "target", "range_m", "dice", "result")
    story = Story(
        {"red": "Soviets", "blue": "Germans"},
        ("1", "2"),
        {"winner": "blue", "outcome": "minor_victory", "end_reason": "turn_limit", "turns": 1},
        turns=[
            {"cell": 0, "replication": 0, "turn": turn, "side": side, "men_able": 90 - turn, "points": None}
            for turn in (0, 1)
            for side in ("red", "blue")
        ],
        units=[],
        territory=[],
        events=[
            {**dict.fromkeys(columns), "turn": 1, "seq": 0, "kind": "shot", "side": "blue", **event}
            for event in (
                {"actor": "Tiger 1", "target": "T-34 2", "range_m": 700, "dice": 5, "result": "kill"},
                {"kind": "held_fire"},
                {"kind": "shot", "side": "red", "actor": "T-34 1", "place": "Hill 252"},
            )
        ],
    )
    (set_up, turn), outcome = tell.tell("no_such_rulebook", story)
    assert (set_up.title, set_up.standing) == ("Set-up", ("Soviets: men able 90", "Germans: men able 90"))
    assert turn.title == "Turn 1"
    assert turn.sections == (
        tell.Section("Germans", ("shot: Tiger 1 on T-34 2; range m 700, dice 5, result kill", "held fire")),
        tell.Section("Soviets", ("shot: T-34 1 at Hill 252",)),
    )
    assert outcome == "Minor victory, won by Germans: turn limit."
