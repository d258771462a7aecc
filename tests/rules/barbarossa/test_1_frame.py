"""Chapter 1: calendar, turn, map, set-up, front."""

import pytest

import sim.barbarossa.state as st
from sim.barbarossa.board import load
from sim.barbarossa.rules.end import axis_regions
from sim.rules_file import BadInput
from tests.barbarossa_positions import (
    HOME,
    Position,
    Table,
    map_document,
    position,
    rules_document,
    scenario_document,
    start_of,
)

CALENDAR = ["S41", "A41", "W42", "S42", "A42", "W43", "S43", "A43", "W44", "S44", "A44", "W45", "S45"]


def test_bb_1_1_thirteen_turns_from_summer_1941_to_summer_1945():
    start = start_of("barbarossa")
    assert list(start.names.turns) == CALENDAR
    assert start.game.rules.n_turns == 13
    assert start.state.turn == 1


@pytest.mark.parametrize(
    ("turn", "year"), [("S41", 1941), ("A41", 1941), ("W42", 1942), ("A42", 1942), ("W45", 1945), ("S45", 1945)]
)
def test_bb_1_1_winter_is_the_first_turn_of_a_year(turn, year):
    start = start_of("barbarossa")
    assert start.game.rules.year[CALENDAR.index(turn)] == year


def test_bb_1_2_move_attack_reinforcements_soviet_attacks(monkeypatch):
    """One turn in which the order shows: the unit moves, then attacks from there; the Soviets meet who has come."""
    table = position("S43", {"Warsaw": "G1", "Konigsberg": "G2"}, "Berlin Silesia Prague", to_come="G3@S43")
    table = Table(
        monkeypatch,
        table,
        dice={"attack": [6], "target": [1, 6, 6], "tie": [1, 1], "result": [1]},
        moves=["G1 Konigsberg"],
        attacks=["Kurland: G1"],
        places={"G3": "Berlin"},
    ).whole_turn("medium")
    kinds = [st.EVENT_KINDS[event.kind] for event in table.position.events()]
    assert [kind for kind in kinds if kind not in {"vacated", "assault"}] == [
        "move",
        "attack",
        "reinforcement",
        "soviet_attack",  # medium, S43: 3 attacks
        "soviet_attack",
        "soviet_attack",
    ]


def test_bb_1_3_a_region_with_a_unit_or_a_garrison_is_axis():
    table = position("S41", {"Warsaw": "G1"}, "Berlin")
    assert table.axis() == {"Warsaw", "Berlin"}
    assert (table.holds("Warsaw"), table.holds("Berlin"), table.holds("Minsk")) == ("G1", "garrison", "soviet")


def test_bb_1_3_no_stacking_limit():
    table = position("S41", {"Konigsberg": "G1", "Warsaw": "G2 G3 G4 G5 G6 G7 G8 G9"}, "Silesia")
    table.move("G1", "Warsaw")
    assert table.units_in("Warsaw") == 9


def test_bb_1_4_map_has_32_regions_and_62_lines():
    board = start_of("barbarossa").game.board
    assert len(start_of("barbarossa").names.places) == 32
    assert (board.neighbours[:32] != st.NOWHERE).sum() == 2 * 62
    assert board.axis_at_start.sum() == 9


def test_bb_1_4_slovenia_is_slovakia():
    """The source's "Slovenia" is a name for Slovakia."""
    document = scenario_document("barbarossa")
    document["units"][5]["region"] = "Slovenia"
    named_so = Position(*load(document, map_document(), rules_document()))
    assert named_so.where("6th Army") == "Slovakia"
    assert len(named_so.names.places) == 32


@pytest.mark.parametrize(
    ("region", "neighbours"),
    [
        ("Berlin", "Prague, Silesia"),
        ("Bucharest", "Slovakia, Budapest, Belgrade, Odessa"),
        ("Minsk", "Konigsberg, Warsaw, Kurland, Velikje Luki, Smolensk, Kiev"),
        ("Baku", "Grozny"),
        ("Siberia", "Astrakhan, Gorky, Arkangel"),
    ],
)
def test_bb_1_4_lines(region, neighbours):
    table = start_of("barbarossa")
    assert {name for name in table.names.places if table.are_neighbours(region, name)} == set(neighbours.split(", "))


def test_bb_1_5_set_up_of_the_campaign():
    start = start_of("barbarossa")
    assert {region: start.holds(region) for region in sorted(start.axis())} == {
        "Konigsberg": "16th Army 18th Army",
        "Warsaw": "2nd Army 4th Army 9th Army",
        "Slovakia": "6th Army 11th Army 17th Army",
        "Bucharest": "3rd Rumanian Army 4th Rumanian Army",
        **dict.fromkeys(("Silesia", "Budapest", "Belgrade", "Prague", "Berlin"), "garrison"),
    }
    assert start.axis() == set(HOME)
    waiting = {name: start.due(name) for name in start.names.units if start.where(name) == "waiting"}
    assert waiting == {"8th Italian Army": "W42", "2nd Hungarian Army": "W42", "8th Army": "S42"}


@pytest.mark.parametrize(
    ("unit", "nation"),
    [("9th Army", "german"), ("3rd Rumanian Army", "rumanian"), ("8th Italian Army", "italian"),
     ("2nd Hungarian Army", "hungarian"), ("8th Army", "german")],
)  # fmt: skip
def test_bb_1_5_names_and_nations(unit, nation):
    start = start_of("barbarossa")
    assert st.NATIONS[start.state.units[start.unit(unit)].nation] == nation


def test_bb_1_6_front_is_axis_next_to_soviet():
    assert start_of("barbarossa").fronts() == {"Konigsberg", "Warsaw", "Slovakia", "Bucharest"}


@pytest.mark.parametrize(
    ("garrisons", "fronts"),
    [
        ("Berlin Silesia Prague Konigsberg Warsaw Slovakia Budapest", "Konigsberg Warsaw Slovakia Budapest"),
        ("Baku Grozny", "Grozny"),  # garrisoned regions count; all of Baku's neighbours are Axis
        # Silesia's land neighbours are Axis. That Leningrad and Kurland, on its sea, are Soviet makes no front.
        ("Silesia Berlin Prague Konigsberg Warsaw", "Prague Konigsberg Warsaw"),
    ],
)
def test_bb_1_6_garrisons_count_and_seas_do_not(garrisons, fronts):
    assert position("S41", {"Bucharest": "R1"}, garrisons).fronts() == {*fronts.split(), "Bucharest"}


def _with(path: str, value) -> dict:
    document = scenario_document("barbarossa")
    node = document
    *parts, last = path.split(".")
    for part in parts:
        node = node[int(part)] if part.isdecimal() else node[part]
    node[last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("units.0.region", "Konigsburg", r"units\.16th Army: 'Konigsburg' is no region.*\(did you mean Konigsberg\?\)"),
        ("units.8.region", "Warsaw", r"units\.3rd Rumanian Army: 'Warsaw' is closed to Rumanians \(BB-4\.4\)"),
        ("units.7.name", "6th Army", r"the name '6th Army' is there twice"),
        ("first_turn", "W41", r"first_turn: 'W41' is no turn of the calendar"),
        ("garrisons", ["Berlino"], r"garrisons: 'Berlino' is no region.*did you mean Berlin"),
        ("deployments.northern", ["Minsk"] * 8, r"'Minsk' is not an Axis region of the map"),
        ("deployments.northern", ["Berlin"] * 7, r"deployments.northern has 7 regions for 8 German units"),
        ("deployment", "norther", r"deployment: 'norther' is unknown: .*did you mean northern"),
        ("colour", "red", r"unknown key"),
    ],
)
def test_bb_1_5_a_wrong_scenario_is_refused(path, value, message):
    with pytest.raises(BadInput, match=message):
        load(_with(path, value), map_document(), rules_document())


def test_bb_1_6_no_front_without_soviet_regions():
    table = start_of("barbarossa")
    for name in table.names.places:
        table.take(name, st.AXIS)
    assert table.fronts() == set()
    assert axis_regions(table.game) == 32
