"""Rules files and maps that cannot be played are refused."""

import pytest

from sim.barbarossa.board import load
from sim.rules_file import BadInput, with_value
from tests.barbarossa_positions import map_document, position, rules_document, scenario_document


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("attack.d3", 0, "attack.d3.value: 0 is wrong: input should be greater than or equal to 1"),
        ("attack.table", [["L", "L", "XL", "X"]] * 3, "attack.table.value: .* list should have at least 4 items"),
        ("attack.table.0", ["L", "L", "XL"], r"attack.table.value.0: .* list should have at least 4 items"),
        ("attack.table.0.0", "XX", r'attack.table.value.0.0: "XX" is wrong'),
        ("attack.modifier_german", {"1941": 3}, "attack.modifier_german says nothing of 1942, 1943, 1944, 1945"),
        ("calendar.turns", ["A41", "S41"], "calendar.turns: turns must be in order"),
        ("soviet_attacks.medium", [1, 2], "soviet_attacks.medium has 2 turns, the calendar 13"),
        ("soviet_attacks.medium.0", -1, "soviet_attacks.medium.value.0: -1 is wrong: input should be greater"),
        ("soviet_attacks.random.0", "D4", r'soviet_attacks.random.value.0: "D4" is wrong'),
        ("soviet_targets.die", ["five"] * 5, "soviet_targets.die.value: .* list should have at least 6 items"),
        ("soviet_targets.die", ["five"] * 6, 'soviet_targets.die: more than two faces are "five"'),
        ("soviet_targets.die.0", ["Berlin"], "soviet_targets.die.value.0: .* list should have at least 2 items"),
        ("soviet_targets.die.0.1", "Berlim", r"soviet_targets.die: 'Berlim' is no region .*did you mean Berlin"),
        ("soviet_results.d3", 1, "soviet_results.d3.value: 1 is wrong: input should be greater than or equal to 2"),
        ("soviet_results.table", ["loss"], "soviet_results.table.value: .* list should have at least 3 items"),
        ("victory.levels.draw", 7, "victory.levels: the levels must rise from 0: soviet_major, soviet_minor, draw"),
        ("victory.levels.soviet_major", 1, "victory.levels: the levels must rise from 0"),
        ("reinforcements.returns_after", 0, "reinforcements.returns_after.value: 0 is wrong"),
        ("reinforcements.unlimited_turn", "W41", "reinforcements.unlimited_turn: 'W41' is no turn of the calendar"),
        ("nations.leaves_in.italian", "W46", "nations.leaves_in: 'W46' is no turn of the calendar"),
        ("nations.leaves_with.rumanian", "Bukarest", "nations.leaves_with: 'Bukarest' .*did you mean Bucharest"),
        ("nations.homes.german", ["Berlim"], "nations.homes: 'Berlim' .*did you mean Berlin"),
        ("options.vacated", "never", "options.vacated: 'never' is not allowed: use"),
    ],
)
def test_wrong_rules(path, value, message):
    rules = with_value(rules_document(), path, value, "rules")
    with pytest.raises(BadInput, match=rf"^rules of barbarossa: {message}"):
        load(scenario_document("barbarossa"), map_document(), rules)


def test_choices_are_known_by_their_place():
    rules = rules_document()
    rules["options"]["vacated"]["choices"].reverse()
    with pytest.raises(
        BadInput, match=r"the choices of vacated are \['at_once', 'phase_end', 'garrison'\], in this order"
    ):
        load(scenario_document("barbarossa"), map_document(), rules)


def crowded() -> dict:
    chart = map_document()
    chart["lines"]["Berlin"] = [name for name in chart["regions"] if name != "Berlin"][:12]
    chart["lines"]["Prague"].remove("Silesia")
    return chart


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("supply_sources", ["Gorki"], "supply_sources names 'Gorki', which is no region: use .*did you mean Gorky"),
        ("lines.Berlin", ["Prague", "Prague"], "lines.Berlin: the line to 'Prague' is there twice"),
        (
            "lines.Prague",
            ["Berlin", "Silesia", "Slovakia", "Budapest"],
            "lines.Prague: the line to 'Berlin' is there twice",
        ),
        ("lines.Grozny", ["Astrakhan"], "lines: no lines lead from 'Berlin' to 'Baku'"),
        ("seas.Caspian Sea", ["Baku", "Astrachan"], "seas.Caspian Sea names 'Astrachan'"),
        ("lines.Berlin", crowded()["lines"]["Berlin"], "more than 11 neighbours|is there twice"),
        ("regions.Berlin.lon_lat", [1.0], "regions.Berlin.lon_lat"),
    ],
)
def test_wrong_maps(path, value, message):
    with pytest.raises(BadInput, match=rf"^map eastern_front: .*({message})"):
        load(scenario_document("barbarossa"), with_value(map_document(), path, value, "map"), rules_document())


def test_too_much_for_the_capacity():
    document = scenario_document("barbarossa")
    document["deployments"] = {}
    document["units"] = [{"name": f"{i + 30}th Army", "nation": "german", "region": "Berlin"} for i in range(22)]
    with pytest.raises(BadInput, match="units: there are 25, and room for 24"):
        load(document, map_document(), rules_document())


def test_rumanians_and_hungarians_cannot_start_together():
    with pytest.raises(BadInput, match=r"units.R1: Rumanians share 'Belgrade' with Hungarians \(BB-4.4\)"):
        position("S42", {"Belgrade": "R1 H1"})


def test_rules_of_another_version_of_the_calendar():
    """A calendar that ends earlier needs rules that do: tables are as long as it is."""
    rules = rules_document()
    rules["calendar"]["turns"]["value"] = rules["calendar"]["turns"]["value"][:12]
    with pytest.raises(BadInput, match="has 13 turns, the calendar 12"):
        load(scenario_document("barbarossa"), map_document(), rules)
