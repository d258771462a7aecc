"""The experiments that come with us."""

from pathlib import Path

import pytest

import sim
from cluster import experiment, library
from cluster.planner import make_plan
from sim.rules_file import read_toml

NAMES = sorted(path.stem for path in (library.configs() / "experiments").glob("*.toml"))


@pytest.mark.parametrize("name", NAMES)
def test_they_can_be_planned_and_have_the_name_of_their_file(name: str) -> None:
    planned = make_plan(experiment.read(name))
    assert planned.plan.name == name
    assert planned.estimate.bytes < 20e9


def test_the_demo_is_small_and_plays_every_scenario() -> None:
    planned = make_plan(experiment.read("demo"))
    assert planned.estimate.seconds < 30
    assert {cell.scenario for cell in planned.plan.cells} >= {
        ref.full_name for ref in library.scenarios() if ref.rulebook == "barbarossa"
    }


@pytest.mark.parametrize(
    ("name", "rulebook"), [("barbarossa_readings", "barbarossa"), ("kursk_readings", "first_contact")]
)
def test_the_readings_vary_every_option_from_the_one_in_force(name: str, rulebook: str) -> None:
    plays = experiment.read(name).experiment.play
    rules = read_toml(Path(sim.__path__[0]) / rulebook / "rules.toml")
    varied = set()
    for play in plays:
        for path, factor in play.factors.items():
            levels = factor.levels or []
            option = rules["options"][path.removeprefix("options.")]
            assert levels[0] == option["value"]
            assert sorted(map(str, levels)) == sorted(map(str, option["choices"]))
            varied.add(path)
    assert varied == {f"options.{name}" for name in rules["options"]}


def test_the_sweep_of_armour_begins_with_what_is_in_force() -> None:
    rules = read_toml(Path(sim.__path__[0]) / "first_contact/rules.toml")
    for play in experiment.read("kursk_armour").experiment.play:
        for path, factor in play.factors.items():
            value = rules
            for key in path.removeprefix("rules.").split("."):
                value = value[key]
                value = value.get("value", value) if isinstance(value, dict) else value
            assert (factor.levels or [])[0] == value


def test_the_night_plays_every_policy_against_every_difficulty() -> None:
    cells = make_plan(experiment.read("barbarossa_nightly")).plan.cells
    policies = sim.rulebook("barbarossa").policies
    sides = [{policy.name for policy in policies if policy.side in (side, None)} for side in (0, 1)]
    assert {cell.red_policy for cell in cells} >= sides[0]
    assert {cell.blue_policy for cell in cells} >= sides[1]
