"""Chapter 7: optional rules, scenarios, the Soviet side's policies."""

from types import SimpleNamespace

import numpy as np
import pytest

import sim.barbarossa.state as st
import sim.barbarossa.turn as turn
from cluster import library
from sim.barbarossa.board import load
from sim.barbarossa.rulebook import RULEBOOK
from sim.barbarossa.seat import DECISIONS
from sim.game import BLUE, RED
from sim.rules_file import BadInput
from tests.barbarossa_positions import (
    HOME,
    Position,
    Table,
    listed,
    map_document,
    position,
    rules_document,
    scenario_document,
    start_of,
)
from tests.rules.barbarossa.test_6_end import played

GERMANS = ("16th Army", "18th Army", "2nd Army", "4th Army", "9th Army", "6th Army", "11th Army", "17th Army")


def deployed(monkeypatch, deployment: str = "policy", regions: str = "", flexible: bool = True) -> Table:
    document = {**scenario_document("barbarossa"), "deployment": deployment}
    table = Position(*load(document, map_document(), rules_document(flexible_deployment=flexible)))
    table = Table(monkeypatch, table, deploy=dict(zip(GERMANS, regions.split(), strict=bool(regions))))
    turn.deployment(table.position.game, table.position.setup.start[0], table.seat)
    return table


@pytest.mark.parametrize(
    ("pattern", "germans"),
    [
        ("historical", {"Konigsberg": 2, "Warsaw": 3, "Slovakia": 3}),
        ("northern", {"Konigsberg": 4, "Warsaw": 2, "Slovakia": 2}),
        ("central", {"Konigsberg": 1, "Warsaw": 5, "Slovakia": 2}),
        ("southern", {"Konigsberg": 1, "Warsaw": 2, "Slovakia": 4, "Bucharest": 1}),
    ],
)
def test_bb_7_1_flexible_deployment_by_a_pattern(monkeypatch, pattern, germans):
    table = deployed(monkeypatch, pattern)
    found = {region: table.position.nation_in("german", region) for region in HOME}
    assert {region: count for region, count in found.items() if count} == germans
    assert table.script.asked == []
    assert table.position.units_in("Bucharest") == 2 + germans.get("Bucharest", 0)


def test_bb_7_1_flexible_deployment_by_the_policy(monkeypatch):
    """All in Berlin and Bucharest: Konigsberg, Warsaw and Slovakia, front and empty, have a garrison."""
    table = deployed(monkeypatch, regions="Berlin " * 7 + "Bucharest")
    assert table.fault() == "none"
    assert [question[1] for question in table.script.asked] == list(GERMANS)
    assert table.position.units_in("Berlin") == 7
    assert table.position.units_in("Bucharest") == 3
    garrisoned = {region for region in HOME if table.position.holds(region) == "garrison"}
    assert garrisoned == set(HOME) - {"Berlin", "Bucharest"}


def test_bb_7_1_flexible_deployment_is_off_by_default(monkeypatch):
    table = deployed(monkeypatch, flexible=False)
    assert table.script.asked == []
    assert table.position.holds("Warsaw") == "2nd Army 4th Army 9th Army"
    assert rules_document()["options"]["flexible_deployment"]["value"] is False


def test_bb_7_1_flexible_deployment_within_the_nine_regions(monkeypatch):
    table = deployed(monkeypatch, regions="Berlin Minsk " + "Berlin " * 6)
    assert table.fault() == "bad_deployment"
    assert table.position.state.fault_value == table.position.region("Minsk")


def test_bb_7_1_eager_allies_start_in_slovakia(monkeypatch):
    table = start_of("barbarossa", eager_allies=True)
    allies = ("8th Italian Army", "2nd Hungarian Army")
    assert [table.where(unit) for unit in allies] == ["Slovakia", "Slovakia"]
    assert table.units_in("Slovakia") == 5
    table.state.turn = table.turn_number("W42")
    assert table.next_to_come() is None
    table.state.turn = table.turn_number("S42")
    assert table.next_to_come() == "8th Army"


def test_bb_7_1_allies_are_not_eager_by_default():
    assert start_of("barbarossa").where("8th Italian Army") == "waiting"


@pytest.mark.parametrize("scenario", ["blue", "uranus"])
@pytest.mark.parametrize("option", ["flexible_deployment", "eager_allies"])
def test_bb_7_1_flexible_deployment_and_eager_allies_are_for_the_campaign_only(scenario, option):
    with pytest.raises(BadInput, match=option):
        load(scenario_document(scenario), map_document(), rules_document(**{option: True}))


def test_bb_7_1_a_pattern_is_only_for_flexible_deployment():
    with pytest.raises(BadInput, match="deployment: is only for the option flexible_deployment"):
        load({**scenario_document("barbarossa"), "deployment": "central"}, map_document(), rules_document())


@pytest.mark.parametrize(
    ("option", "turns", "asked"),
    [
        # Without the order every 2 is a choice.
        ({}, "W43 W43 S43 W44", "yes yes yes yes"),
        # With it one stack a calendar year may retreat; else the 2 costs a unit, and nobody is asked.
        ({"fuhrer_order": True}, "W43 W43 S43 W44", "yes no no yes"),
        ({"fuhrer_order": True}, "W43 A43 W44 W44", "yes no yes no"),
    ],
)
def test_bb_7_1_fuhrer_order(monkeypatch, option, turns, asked):
    table = position("W43", {"Kharkov": "G1 G2 G3 G4 G5 G6 G7 G8 G9"}, "Kiev Berlin Bucharest Budapest", **option)
    answers = []
    for name in turns.split():
        table.state.turn = table.turn_number(name)
        here = table.holds("Kharkov").split()
        script = Table(monkeypatch, table, dice={"result": [3]}, answers="retreat", losses=here[0],
                       retreats=dict.fromkeys(here, "Kiev")).soviet_attack("Kharkov").script  # fmt: skip
        answers.append("yes" if ("answer", "Kharkov") in script.asked else "no")
        if table.holds("Kharkov") == "soviet":
            assert table.units_in("Kiev") == len(here)  # the whole stack, on one retreat
        for unit in here:
            if table.where(unit) == "Kiev":
                table.enter(unit, "Kharkov")
        table.state.places[table.region("Kiev")].garrison = 1
    assert " ".join(answers) == asked


def test_bb_7_1_a_year_without_a_retreat_keeps_the_order_unused(monkeypatch):
    """To lose a unit is no retreat."""
    table = position("W43", {"Kharkov": "G1 G2 G3"}, "Kiev Bucharest Budapest", fuhrer_order=True)
    dice = {"result": [3, 3]}
    table = Table(monkeypatch, table, dice=dice, answers="lose retreat", losses="G1",
                  retreats={"G2": "Kiev", "G3": "Kiev"})  # fmt: skip
    table.soviet_attack("Kharkov").soviet_attack("Kharkov")
    assert table.position.holds("Kiev") == "G2 G3"


@pytest.mark.parametrize(("d6", "d2", "d3"), [(1, 1, 1), (2, 1, 1), (3, 1, 2), (4, 2, 2), (5, 2, 3), (6, 2, 3)])
def test_bb_7_1_a_d2_is_a_third_of_a_d6_rounded_up(d6, d2, d3):
    """A41, random: D2. S42: D3."""
    table = start_of("barbarossa")
    for name, number in (("A41", d2), ("S42", d3)):
        table.state.turn = table.turn_number(name)
        assert table.number_of_attacks(4, np.zeros(3), d6) == number


def test_bb_7_1_variants_change_the_die_of_random_too():
    """W42: D6, with the Japanese attack D6 - 1. S41: D2 - 1, with the early counterattack D2."""
    table = start_of("barbarossa")
    table.state.turn = table.turn_number("W42")
    assert [table.number_of_attacks(4, np.array([1.0, 0, 0]), die) for die in range(1, 7)] == [0, 1, 2, 3, 4, 5]
    table.state.turn = table.turn_number("S41")
    assert [table.number_of_attacks(4, np.array([0, 0, 1.0]), die) for die in range(1, 7)] == [1, 1, 1, 2, 2, 2]


# 7.2

BLUE_START = {
    "Luki": "german", "Kurland": "german", "Smolensk": "german", "Kursk": "german",
    "Kharkov": "german german italian hungarian", "Izyum": "rumanian", "Odessa": "rumanian", "Sevastapol": "german",
}  # fmt: skip
URANUS_START = {
    "Luki": "german", "Smolensk": "german", "Kursk": "german", "Kharkov": "german hungarian", "Don": "italian",
    "Rostov": "rumanian", "Stalingrad": "german", "Grozny": "german", "Baku": "german rumanian",
}  # fmt: skip


@pytest.mark.parametrize(
    ("scenario", "turn_name", "units", "garrisons", "to_come"),
    [
        ("blue", "S42", BLUE_START, "Minsk Kiev", "S42 W43"),
        ("uranus", "W43", URANUS_START, "Minsk Kiev Kurland Izyum Odessa Sevastapol", "A43 W44"),
    ],
)
def test_bb_7_2_scenarios(scenario, turn_name, units, garrisons, to_come):
    table = start_of(scenario)
    assert table.names.turns[table.state.turn - 1] == turn_name
    nation = {name: st.NATIONS[table.state.units[table.unit(name)].nation] for name in table.names.units}
    held = {region: table.holds(region) for region in table.axis()}
    for region, nations in units.items():
        names = [unit for unit in table.names.units if table.where(unit) == listed(region)[0]]
        assert sorted(nation[unit] for unit in names) == sorted(nations.split())
    garrisoned = {region for region, what in held.items() if what == "garrison"}
    assert garrisoned == {*HOME, *garrisons.split()}
    assert table.axis() == {*garrisoned, *(listed(region)[0] for region in units)}
    waiting = [unit for unit in table.names.units if table.where(unit) == "waiting"]
    assert [table.due(unit) for unit in waiting] == to_come.split()
    assert {nation[unit] for unit in waiting} == {"german"}
    table.isolate()  # nothing is cut off
    assert set(held) == table.axis()


def test_bb_7_2_bagration_is_another_name_for_blue():
    assert library.find_scenario("bagration").name == "blue"


@pytest.mark.parametrize(("scenario", "asked"), [("uranus", False), ("blue", True), ("barbarossa", True)])
def test_bb_7_2_uranus_starts_with_the_soviet_phase(scenario, asked):
    """In W43 of Uranus the Axis neither moves nor attacks, and nothing comes; from S43 on it is its turn."""
    table = start_of(scenario)
    first = int(table.state.turn)
    turns = []

    def watched(game, doctrine, memory, subject, order):
        turns.append(int(game.state.turn))
        return st.NOWHERE

    hold = RULEBOOK.policy("hold", BLUE)
    watch = dict(zip(DECISIONS, hold.decisions, strict=True)) | {"move": watched}
    played(table, SimpleNamespace(**watch), "easy")
    assert turns == list(range(first if asked else first + 1, 14))


def test_bb_7_2_the_campaign():
    assert start_of("barbarossa").names.turns[0] == "S41"
    assert scenario_document("barbarossa")["first_phase"] == "movement"


# 7.3


def test_bb_7_3_the_soviet_policies_are_the_difficulties():
    """Variants are their doctrine, off unless set."""
    policies = [policy for policy in RULEBOOK.policies if policy.side == RED]
    assert [policy.name for policy in policies] == ["difficult", "medium", "easy", "no_purge", "random"]
    for number, policy in enumerate(policies):
        assert list(policy.numbers()) == [number, 0, 0, 0]
        assert list(policy.numbers({"no_lend_lease": 1})) == [number, 0, 1, 0]


@pytest.mark.parametrize(("variant", "number"), [("", 5), ("no_lend_lease", 4), ("japanese_attack", 5)])
def test_bb_7_3_a_variant_counts_in_play(monkeypatch, variant, number):
    """W45, medium: 5 attacks."""
    table = position("W45", {"Warsaw": "G1"})
    dice = {"target": [1] * 9, "result": [1] * 9}
    table = Table(monkeypatch, table, dice=dice).soviet_attacks("medium", variant)
    assert len(table.position.events("soviet_attack")) == number
