"""Who stands where at the start, read from a scenario's file."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sim.rules_file import BadInput
from sim.tank_hex.chart import Chart

Document = Mapping[str, Any]


class Tank(NamedTuple):
    """A tank of the set-up; ``mark`` is what fits on its counter."""

    name: str
    mark: str
    side: str


class Goal(NamedTuple):
    """An objective and who holds it first."""

    name: str
    hex: int
    holder: str


class SetUp(NamedTuple):
    """A scenario's set-up: title, both sides' names, the tanks in each hex, objectives, turns."""

    title: str
    sides: Mapping[str, str]
    tanks: Mapping[int, list[Tank]]
    goals: tuple[Goal, ...]
    turns: int


def set_up_of(chart: Chart, scenario: Document | None) -> SetUp:
    """The set-up of a scenario, or an empty map where there is none. Raises `BadInput` for a hex off the map."""
    if scenario is None:
        return SetUp(chart.name.replace("_", " ").capitalize(), {}, {}, (), 0)
    tanks: dict[int, list[Tank]] = {}
    for unit in scenario["units"]:
        words = unit["name"].split()
        mark = words[-1] if len(words[-1]) <= 2 else words[-1][:2]
        tanks.setdefault(_number(chart, unit["hex"]), []).append(Tank(unit["name"], mark, unit["side"]))
    goals = (Goal(it["name"], _number(chart, it["hex"]), it["holder"]) for it in scenario.get("objectives", ()))
    return SetUp(scenario["title"], scenario["sides"], tanks, tuple(goals), scenario["turn_limit"])


def _number(chart: Chart, label: str) -> int:
    try:
        return chart.labels.number(label)
    except KeyError:
        raise BadInput(f"{label!r} is no hex of map {chart.name}", key="hex") from None
