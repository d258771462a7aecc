"""Games of First Contact in sentences, from rows as archives have them."""

import pytest

import sim
from queries import tell
from queries.schema import fields_of
from queries.tell import Story
from queries.tell.first_contact import together

COLUMNS = [field.name for field in fields_of(sim.rulebook("first_contact"), "events")]
SQUAD = {"side": "red", "kind": "squad", "status": "on_map", "location": 4004, "morale": "normal", "moved": False}
START = {
    "S1 squad 1": SQUAD,
    "S1 squad 2": SQUAD,
    "S1 T-34-76 1": {**SQUAD, "kind": "t34_76", "morale": None},
    "S2 squad 1": {**SQUAD, "status": "waiting"},
    "G1 squad 1": {**SQUAD, "side": "blue"},
    "G1 Tiger 1": {**SQUAD, "side": "blue", "kind": "tiger", "morale": None},
}
GAME = {
    "end_reason": "last_turn", "outcome": "german_marginal", "turns": 1, "blue_objectives": 2, "red_men_lost": 30,
    "red_armour_lost": 1, "blue_men_lost": 1, "blue_armour_lost": 0,
}  # fmt: skip
SIDE = {
    "men_able": 20, "dead": 2, "wounded": 1, "armour_able": 1, "armour_lost": 0, "disarmed": 0, "immobile": 0,
    "ammunition": 16, "territory": 1,
}  # fmt: skip
SHOT = {
    "kind": "shot", "side": "blue", "actor": "G1 squad 1", "target": "S1 squad 1", "weapon": "machine_gun",
    "mode": "fire", "range_m": 300, "fire_dice": 5, "dice": 4, "value": 1.2, "result": "effect", "losses": 2, "dead": 1,
    "wounded": 1,
}  # fmt: skip
MISS = {**SHOT, "dice": None, "value": None, "result": "no_effect", "losses": 0, "dead": None, "wounded": None}


def told(events=(), after=(), game=GAME, holders=("red", "red"), side=SIDE):
    """The only turn of a game with these events, at whose end these units are otherwise; and the outcome."""
    changed = dict(after)
    story = Story(
        {"red": "Soviet Union", "blue": "Germany"},
        ("1",),
        {"fault": None, **game},
        turns=[{"turn": turn, "side": name, **side} for turn in (0, 1) for name in ("red", "blue")],
        units=[
            {"turn": turn, "unit": unit, **row, **(changed.get(unit, {}) if turn else {})}
            for turn in (0, 1)
            for unit, row in START.items()
        ],
        territory=[
            {"turn": turn, "place": place, "holder": holder if turn else "red"}
            for turn in (0, 1)
            for place, holder in zip(("D5", "top_trench"), holders, strict=True)
        ],
        events=[{**dict.fromkeys(COLUMNS), "turn": 1, "seq": seq, **event} for seq, event in enumerate(events)],
    )
    (start, chapter), outcome = tell.tell("first_contact", story)
    return start, chapter, outcome


def lines(*events, **more):
    return [line for section in told(events, **more)[1].sections for line in section.lines]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["G1 squad 1"], "G1 squad 1"),
        (["G1 squad 1", "G1 squad 3", "SU-152"], "G1 squads 1 and 3, SU-152"),
        (["S1 T-34-76 1", "S1 T-34-76 2"], "S1 T-34-76 1 and 2"),
    ],
)
def test_names_of_a_kind_are_told_at_once(names, words):
    assert together(names) == words


def test_the_set_up_counts_companies():
    assert told()[0].standing == (
        "Soviet Union, on the map: S1 with 2 squads and 1 vehicle.",
        "Soviet Union, to come: S2 with 1 squad.",
        "Germany, on the map: G1 with 1 squad and 1 vehicle.",
        "Soviet Union: 20 men (2 dead, 1 wounded), 1 vehicle (0 lost), 16 of ammunition; 1 sector, top trench.",
        "Germany: 20 men (2 dead, 1 wounded), 1 vehicle (0 lost), 16 of ammunition; 1 sector.",
    )


def test_arrivals_and_moves():
    # From row 10, column 4 to row 12, column 5: two cells.
    moved = {"moved": True, "location": 12 * 400 + 5}
    assert lines(
        {"kind": "arrival", "side": "red", "actor": "S2 squad 1"},
        after={"S2 squad 1": {"status": "on_map"}, "S1 squad 1": moved, "S1 squad 2": {**moved, "location": 4 * 400}},
    ) == [
        "Soviet Union: S2 squad 1 comes on.",
        "Soviet Union, by so many cells in the mean: S1 2 squads 4.",
    ]


def test_a_barrage_and_what_its_shells_do():
    shell = {"kind": "shell", "side": "blue", "dead": 0, "wounded": 0}
    assert lines(
        {"kind": "barrage", "side": "blue", "location": 4004, "dice": 3, "shells": 18},
        {**shell, "target": "S1 squad 1", "shells": 2, "result": "wiped_out", "dead": 9, "wounded": 1},
        {**shell, "target": "S1 T-34-76 1", "shells": 1, "result": "stunned", "value": -12.0},
        {**shell, "target": None, "shells": 4, "result": "no_effect"},
    ) == [
        "Germany calls 18 shells on row 10, column 4 (die 3).",
        "  S1 squad 1: 2 shells, 9 dead, 1 wounded; wiped out.",
        "  S1 T-34-76 1: 1 shell, C = -12.0, stunned.",
    ]


def test_fire_is_told_by_its_effects():
    at_armour = {**SHOT, "side": "red", "actor": "S1 T-34-76 1", "target": "G1 Tiger 1", "weapon": "gun"}
    assert lines(
        {**at_armour, "facing": "side", "dice": 5, "value": 0.762, "result": "penetrated", "losses": 2},
        {**SHOT, "mode": "suppress"},
        {**SHOT, "actor": "G1 Tiger 1", "weapon": "gun", "dice": None, "value": None, "losses": 0},
        MISS,
        after={"S1 squad 1": {"status": "gone"}},
    ) == [
        "Soviet Union fires 1 shot; 0 without effect.",
        "  G1 Tiger 1: S1 T-34-76 1 strikes the side at 300 m, die 5: A = 0.76, penetrated, 2 of the crew lost.",
        "Germany fires 3 shots, 1 for suppression; 1 without effect.",
        "  S1 squad 1: G1 squad 1 suppresses with machine gun, die 4: 1 dead, 1 wounded (1 other took effect);"
        " wiped out.",
    ]


def test_a_squad_that_falls_in_melee_was_not_wiped_out_by_fire():
    assert lines(
        SHOT,
        {
            "kind": "rout",
            "side": "red",
            "actor": "S1 squad 1",
            "dice": 5,
            "result": "wiped_out",
            "losses": 9,
            "dead": 9,
        },
        {"kind": "rout", "side": "blue", "actor": "G1 squad 1", "dice": 61, "result": "stood"},
        {"kind": "melee", "side": "blue", "actor": "G1 squad 1", "target": "S1 squad 2", "dice": 2, "wounded": 1},
        after={"S1 squad 1": {"status": "gone"}},
    )[1:] == [
        "  S1 squad 1: G1 squad 1 fires machine gun, die 4: 1 dead, 1 wounded.",
        "S1 squad 1 rolls 05 and cannot run and is wiped out.",
        "G1 squad 1 rolls 61 and stands.",
        "G1 squad 1 strikes S1 squad 2, die 2: 1 wounded.",
    ]


def test_morale_and_control():
    assert lines(
        after={"S1 squad 1": {"morale": "low"}, "S1 squad 2": {"morale": "low"}, "G1 squad 1": {"morale": "high"}},
        holders=("blue", "blue"),
    ) == [
        "Soviet Union, now low: S1 squads 1 and 2.",
        "Germany, now high: G1 squad 1.",
        "Germany takes D5 and top trench.",
    ]


def test_vehicles_that_cannot_fire_or_move_are_counted():
    standing = told(side={**SIDE, "disarmed": 1, "immobile": 2})[1].standing
    assert "1 vehicle, 1 of them cannot fire, 2 of them cannot move (0 lost)" in standing[0]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ({}, "German marginal victory: 2 objectives in German hands at the end of turn 1; "),
        ({"end_reason": "no_able_units", "outcome": "soviet_decisive"}, "Soviet decisive victory: a side has no able "),
    ],
)  # fmt: skip
def test_outcomes(game, words):
    outcome = told(game={**GAME, **game})[2]
    assert outcome.startswith(words)
    assert outcome.endswith("Germany lost 1 man and 0 vehicles, Soviet Union lost 30 men and 1 vehicle.")


def test_a_failed_game():
    failed = {"end_reason": "failed", "fault": "bad_move", "fault_turn": 1, "fault_value": -3}
    assert told(game={**GAME, **failed})[2] == "Failed in turn 1: bad move (value -3)."
