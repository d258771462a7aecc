"""The questions that Tank Hex answers, against rows whose answer is worked out by hand."""

from pathlib import Path

import pytest

import sim
from sim.rules_file import read_toml
from tests.queries.test_questions import wilson

TANKS = [{"turn": 0, "unit": f"{side.capitalize()} {n}", "side": side} for side in ("red", "blue") for n in (1, 2, 3)]
SHOT = {
    "turn": 1, "phase": "fire", "kind": "direct", "side": "red", "actor": "Red 1", "target": "Blue 1", "weapon": "85mm",
    "fate": "rolled", "declaration": 1, "distance": 18, "range_m": 900, "height": 0, "level": 9, "terrain": "open",
    "dice": 5, "table_result": "destroyed", "result": "destroyed", "losses": 1, "suppressed": False, "braced": False,
}  # fmt: skip
MISS = {**SHOT, "dice": 8, "table_result": "none", "result": "none", "losses": 0}
NOT_ROLLED = {**SHOT, "fate": "not_rolled", "dice": None, "table_result": None, "result": None, "losses": None}
SHELL = {
    **MISS, "turn": 3, "phase": "events", "kind": "barrage", "actor": None, "weapon": "155mm", "gun": 1, "distance": 0,
    "range_m": 0, "height": None, "level": 6, "dice": 7, "suppressed": None, "declaration": None,
}  # fmt: skip
CROWDED_OUT = {"turn": 2, "phase": "movement", "kind": "crowded_out", "side": "red", "actor": "Red 3", "losses": 1}


@pytest.fixture
def fought(small):
    """Makes an archive of Tank Hex with these events in one game; ``replications`` games in all."""

    def make(*events, replications=1, **more):
        small(rulebook="tank_hex", replications=replications).shard(
            games=[{"replication": r} for r in range(replications)], units=TANKS, events=list(events), **more
        )

    return make


# fire_outcomes


def test_fire_outcomes_stand_beside_the_tables_probabilities(fought, ask):
    # Level 9 destroys on 2 to 6, 9, 10 and 11: 1 + 2 + 3 + 4 + 5 + 4 + 3 + 2 = 24 of 36; S on 7 (6), M on 12 (1).
    fought(SHOT, SHOT, MISS, {**SHOT, "dice": 7, "table_result": "suppressed", "result": "suppressed"}, NOT_ROLLED)
    assert ask("fire_outcomes", "result_table level result rolls n share expected wrong final") == [
        ("direct", 9, "none", 4, 1, 0.25, pytest.approx(5 / 36), 0, 1),
        ("direct", 9, "suppressed", 4, 1, 0.25, pytest.approx(6 / 36), 0, 1),
        ("direct", 9, "mobility_kill", 4, 0, 0.0, pytest.approx(1 / 36), 0, 0),
        ("direct", 9, "destroyed", 4, 2, 0.5, pytest.approx(24 / 36), 0, 2),
    ]
    assert ask("fire_outcomes", "low high")[3] == wilson(2, 4)


def test_fire_outcomes_find_a_roll_that_the_table_does_not_give(fought, ask):
    fought(SHOT, {**SHOT, "dice": 8})  # 8 at level 9 does nothing
    assert ask("fire_outcomes", "result n wrong")[-1] == ("destroyed", 2, 1)


def test_fire_outcomes_know_results_after_terrain_and_armour(fought, ask):
    fought({**SHOT, "terrain": "woods", "result": "suppressed", "losses": 0})
    assert ask("fire_outcomes", "result n final") == [
        ("none", 0, 0), ("suppressed", 0, 1), ("mobility_kill", 0, 0), ("destroyed", 1, 0)
    ]  # fmt: skip


@pytest.mark.parametrize(("table", "weapon"), [("fire", "85mm"), ("batteries", "155mm")])
def test_th_4_5_fire_outcomes_have_the_tables_of_the_rules(fought, ask, table, weapon):
    printed = read_toml(Path(sim.__path__[0]) / "tank_hex/rules.toml")[table]["results"]["value"]
    words = {"K": "destroyed", "F": "fire_kill", "M": "mobility_kill", "S": "suppressed", "-": "none"}
    fought(
        *(
            {**SHOT, "weapon": weapon, "level": level, "dice": dice, "table_result": words[letter], "result": "none"}
            for dice, row in enumerate(printed, 2)
            for level, letter in enumerate(row, 1)
        )
    )
    rows = ask("fire_outcomes", "level expected wrong")
    assert not any(wrong for *_, wrong in rows)
    assert [sum(p for level, p, _ in rows if level == n) for n in range(1, 11)] == pytest.approx([1] * 10)


# overkill


def test_overkill_counts_shots_at_what_is_destroyed_already(fought, ask):
    # Declaration 1: of three shooters the first kills, the others are not rolled for. Declaration 2 lacks sight.
    fought(
        SHOT,
        {**NOT_ROLLED, "actor": "Red 2"},
        {**NOT_ROLLED, "actor": "Red 3"},
        {**NOT_ROLLED, "fate": "no_sight", "declaration": 2, "side": "blue", "actor": "Blue 2", "target": "Red 1"},
        {**MISS, "turn": 2},
        {**MISS, "turn": 2, "actor": "Red 2"},
        {**SHOT, "turn": 2, "actor": "Red 3"},
        {**MISS, "kind": "close_combat"},
    )
    columns = "side kind shooters declarations shots rolled wasted wasted_share impossible kills kills_a_declaration"
    assert ask("overkill", columns) == [
        ("blue", "direct", 1, 1, 1, 0, 0, 0.0, 1, 0, 0.0),
        ("red", "direct", 3, 2, 6, 4, 2, pytest.approx(1 / 3), 0, 2, 1.0),
    ]
    assert ask("overkill", "wasted_low wasted_high")[1] == wilson(2, 6)


# card_effects


def test_card_effects_of_every_card(fought, ask):
    def drawn(card):
        return {"turn": 1, "kind": "card_drawn", "side": "red", "card": card}

    def played(card, actor):
        return {"turn": 2, "kind": "card_played", "side": "red", "card": card, "actor": actor}

    cards = ("battery_155", "firepower", "rapid_loading", "reactive_armour", "repair", "rush")
    fought(
        *map(drawn, cards),
        played("rush", "Red 1"), played("rush", "Red 2"), played("repair", "Red 3"),
        played("firepower", "Red 1"), {**SHOT, "turn": 2, "card": "firepower"},
        # Rapid loading: the second shot of the same tank in its declaration kills.
        played("rapid_loading", None),
        {**MISS, "turn": 3, "declaration": 2}, {**SHOT, "turn": 3, "declaration": 2, "target": "Blue 2"},
        # Blue destroys a red tank, reactive armour makes it a mobility-kill: one is saved.
        played("reactive_armour", "Red 2"),
        {**SHOT, "side": "blue", "actor": "Blue 3", "target": "Red 2", "turn": 4,
         "result": "mobility_kill", "losses": 0, "braced": True},
        # Two guns of one barrage: one shell destroys an enemy, another an own tank.
        {"turn": 3, "kind": "gun", "side": "red", "weapon": "155mm", "gun": 1, "fate": "landed"},
        {"turn": 3, "kind": "gun", "side": "red", "weapon": "155mm", "gun": 2, "fate": "did_not_arrive"},
        {**SHELL, "target": "Blue 3", "result": "destroyed", "losses": 1},
        {**SHELL, "target": "Red 3", "result": "destroyed", "losses": 1},
        SHELL,
    )  # fmt: skip
    columns = "side card games drawn used used_a_draw shots damaging kills own_kills averted kills_a_draw"
    assert ask("card_effects", columns) == [
        ("red", "battery_155", 1, 1, 1, 1.0, 3, 2, 1, 1, 0, 1.0),
        ("red", "firepower", 1, 1, 1, 1.0, 1, 1, 1, 0, 0, 1.0),
        ("red", "rapid_loading", 1, 1, 1, 1.0, 1, 1, 1, 0, 0, 1.0),
        ("red", "reactive_armour", 1, 1, 1, 1.0, 1, 1, 0, 0, 1, 0.0),
        ("red", "repair", 1, 1, 1, 1.0, 0, 0, 0, 0, 0, 0.0),
        ("red", "rush", 1, 1, 2, 2.0, 0, 0, 0, 0, 0, 0.0),
    ]


# armour_kill_rates


def test_armour_kill_rates_by_kind_range_and_what_is_asked(fought, ask):
    near = {**MISS, "distance": 4, "range_m": 200, "height": 1, "terrain": "woods", "suppressed": True}
    fought(
        SHOT, {**MISS, "actor": "Red 2"}, {**MISS, "turn": 2}, NOT_ROLLED,
        near, {**near, "kind": "close_combat", "range_m": 50, "height": 0, "result": "fire_kill"},
        SHELL, {**SHELL, "result": "destroyed", "losses": 1}, CROWDED_OUT,
    )  # fmt: skip
    columns = "side kind weapon shooter target range shots damaging kills kill_rate shooter_turns kills_a_turn"
    third = pytest.approx(1 / 3)
    assert ask("armour_kill_rates", columns) == [
        ("blue", "barrage", "155mm", None, "tank", None, 2, 1, 1, 0.5, 0, None),
        ("blue", "close_combat", "85mm", "tank", "tank", "0001-0200", 1, 1, 0, 0.0, 1, 0.0),
        ("blue", "direct", "85mm", "tank", "tank", "0001-0200", 1, 0, 0, 0.0, 1, 0.0),
        ("blue", "direct", "85mm", "tank", "tank", "0801-1000", 3, 1, 1, third, 3, third),
        ("red", "crowded_out", None, None, "tank", None, 1, 0, 1, 1.0, 0, None),
    ]
    assert ask("armour_kill_rates", "low high kills_per_100")[3] == (*wilson(1, 3), pytest.approx(100 / 3))
    assert ask("armour_kill_rates", "kind shooter shooter_turns", by="")[0] == ("barrage", "all", 0)
    columns = "kind range height terrain suppressed shots"
    assert ask("armour_kill_rates", columns, by="height,terrain,suppressed")[1:4] == [
        ("close_combat", "all", "level", "woods", "true", 1),
        ("direct", "all", "higher", "woods", "true", 1),
        ("direct", "all", "level", "open", "false", 3),
    ]
    assert ask("armour_kill_rates", "range shots", by="range", band=1000)[2] == ("0001-1000", 4)


def test_armour_kill_rates_refuse_what_cannot_be_told_apart(fought, ask):
    fought(SHOT)
    with pytest.raises(Exception, match="by: weapon,heigth is wrong: use some of weapon,shooter,"):
        ask("armour_kill_rates", by="weapon,heigth")


# casualties


def test_casualties_by_cause_and_terrain(fought, ask):
    turns = [
        {"replication": r, "turn": turn, "side": "blue", "armour_lost": lost}
        for r, story in ((0, (0, 1, 2)), (1, (0, 0, 0)))
        for turn, lost in enumerate(story)
    ]
    fought(
        SHOT, {**SHELL, "turn": 2, "target": "Blue 2", "terrain": "woods", "result": "destroyed", "losses": 1},
        replications=2, turns=turns,
    )  # fmt: skip
    columns = "side kind cause terrain loss turn games mean median p95"
    assert ask("casualties", columns, by="cause,terrain", turn=2) == [
        ("blue", "all", "all", "all", "armour_lost", 2, 2, 1.0, 0, 2),
        ("blue", "all", "barrage", "woods", "armour_lost", 2, 2, 0.5, 0, 1),
        ("blue", "all", "direct", "open", "armour_lost", 2, 2, 0.5, 0, 1),
    ]
    assert ask("casualties", "side kind loss mean", turn=1) == [
        ("blue", "all", "armour_lost", 0.5),
        ("blue", "tank", "armour_lost", 0.5),
        ("red", "tank", "armour_lost", 0.0),
    ]


# objective_control and territory_by_turn


def test_objective_control_tells_first_and_last_changes_of_hands(small, ask):
    # Blue has it at the start. Game 0: red from turn 1, blue again from turn 3. Game 1: nothing changes.
    story = {0: ("blue", "red", "red", "blue"), 1: ("blue",) * 4}
    small(rulebook="tank_hex", record="turns").shard(
        games=[{"replication": r} for r in story],
        territory=[
            {"replication": r, "turn": turn, "place": "Church", "holder": holder}
            for r, holders in story.items()
            for turn, holder in enumerate(holders)
        ],
    )
    columns = "objective first_holder games blue_at_end taken mean_changes median_first median_last blue_turns"
    # Blue holds it after one turn of three in game 0, after all in game 1: (1/3 + 1) / 2 = 2/3.
    assert ask("objective_control", columns) == [("Church", "blue", 2, 2, 1, 1.0, 1.0, 3.0, pytest.approx(2 / 3))]
    assert ask("objective_control", "blue_low blue_high taken_low taken_high") == [(*wilson(2, 2), *wilson(1, 2))]


def test_objectives_are_the_territory_of_tank_hex(small, ask):
    small(rulebook="tank_hex", record="turns").shard(
        games=[{"replication": 0}],
        turns=[{"turn": 1, "side": "blue", "territory": 2}],
        territory=[{"turn": 1, "place": place, "holder": "blue"} for place in ("Church", "Farm")],
    )
    assert ask("territory_by_turn", "places_are turn side places mean share") == [("objective", 1, "blue", 2, 2.0, 1.0)]
