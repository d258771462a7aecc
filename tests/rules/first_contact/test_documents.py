"""Rules files and scenarios that cannot be played are refused."""

import pytest

from sim.first_contact.documents import CHOICES
from sim.first_contact.forces import load
from sim.rules_file import BadInput, with_value
from tests.first_contact_positions import map_document, rules_document, scenario_document


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("fire.casualties.fire", -1, "fire.casualties.value.fire: -1 is wrong"),
        ("fire.takes_effect", [2, 4], "fire.takes_effect.value: .* at least 3 items"),
        ("fire.vehicle_range", {"tiger": 100}, "fire.vehicle_range says nothing of panther, su152, t34_76, t34_85"),
        ("vehicles.crew.tiger", 0, "vehicles.crew.value.tiger: 0 is wrong"),
        ("vehicles.line_of_sight.tiger.front", 103.65, "vehicles.line_of_sight.tiger.value: front = 103.65 is no"),
        ("vehicles.line_of_sight.tiger.front", "thick", 'vehicles.line_of_sight.tiger.value.front: "thick" is wrong'),
        ("terrain.plain.squads.protection", -100, "terrain.plain.value.squads.protection: -100 is wrong"),
        ("terrain.road.vehicles.speed", -100, "terrain.road.value.vehicles.speed: -100 is wrong"),
        ("morale.start", "brave", 'morale.start.value: "brave" is wrong'),
        ("morale.low.rout", 101, "morale.low.value.rout: 101 is wrong"),
        ("barrage.scatter_dice", 4, "barrage.scatter_dice: 4 dice divided by 2 do not number cells 1 to 9"),
        ("barrage.scatter_divisor", 4, "barrage.scatter_dice: 3 dice divided by 4 do not number cells 1 to 9"),
        ("control.sector", 5, "control.sector: there is room for 400 x 400 cells in 26 rows and 400 sectors"),
        ("control.outcomes", ["soviet_decisive"], "control.outcomes.value: .* at least 4 items"),
        ("options.casualties", "many", 'options.casualties: "many" is not allowed|options.casualties: .many. is not'),
        ("options.movement_dice", 3, "options.movement_dice: 3 is not allowed: use 1 or 2"),
    ],
)
def test_wrong_rules(path, value, message):
    rules = with_value(rules_document(), path, value, "rules")
    with pytest.raises(BadInput, match=rf"^rules of first_contact: ({message})"):
        load(scenario_document(), map_document(), rules)


def test_speeds_without_a_common_measure():
    rules = rules_document()
    for name, speed in (("forest", -17), ("hill", -11), ("road", 1), ("plain", 7)):
        rules = with_value(rules, f"terrain.{name}.squads.speed", speed, "rules")
    with pytest.raises(BadInput, match="terrain: the speeds have no common measure"):
        load(scenario_document(), map_document(), rules)


def test_an_unknown_key_is_named():
    rules = rules_document()
    rules["fire"]["casualty"] = rules["fire"].pop("casualties")
    with pytest.raises(BadInput, match=r"fire.casualty: unknown key; allowed: .*did you mean casualties\?"):
        load(scenario_document(), map_document(), rules)


def test_choices_are_known_by_their_place():
    rules = rules_document()
    assert {name: option["choices"] for name, option in rules["options"].items()} == CHOICES
    rules["options"]["first_mover"]["choices"].reverse()
    with pytest.raises(BadInput, match=r"the choices of first_mover are .'german', 'soviet', 'die'., in this order"):
        load(scenario_document(), map_document(), rules)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("deployment.red", "hill_defense", r"deployment.red: 'hill_defense' is unknown: use .*did you mean hill_def"),
        ("deployment.blue", "nowhere", r"deployment.blue: 'nowhere' is unknown: use west_trench or northern_road"),
        ("companies.1.name", "S1", "companies: the name 'S1' is there twice"),
        ("companies.4.reserve", False, r"deployments.red.hill_defence: a zone is wanted for S5"),
        (
            "companies.0",
            {"name": "S1", "side": "red", "reserve": True},
            r"deployments.red.hill_defence: 'S1' is no company that starts on the map",
        ),
        ("entry.red.rows", [150, 112], r"entry.red: rows = \[150, 112\]: the first comes before the last"),
        ("entry.red.columns", [158, 200], r"entry.red: .* are not all on the map of 200 x 200 cells"),
        ("entry.red.columns", [0, 199], r"entry.red: there is room for 2000 cells"),
        ("support.0.kind", "su85", r'support.0.kind: "su85" is wrong'),
        ("sides.red", 5, "sides.red: 5 is wrong"),
    ],
)
def test_wrong_scenarios(path, value, message):
    scenario = with_value(scenario_document(), path, value, "scenario")
    with pytest.raises(BadInput, match=rf"^scenario prokhorovka: {message}"):
        load(scenario, map_document(), rules_document())


def test_too_many_units():
    scenario = scenario_document()
    scenario["support"] = [{"name": f"tank {n}", "side": "red", "kind": "t34_76"} for n in range(301)]
    with pytest.raises(BadInput, match="red has 401 units, and there is room for 400"):
        load(scenario, map_document(), rules_document())
