"""Who stands where at the start, read from a scenario's file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sim.first_contact
from sim.first_contact.ground import Cell, MapFile, trench_cells
from sim.rules_file import read_toml

Document = Mapping[str, Any]


class Group(NamedTuple):
    """Squads or vehicles of a company at the start, in the cells that they take (FC-2.8)."""

    side: str
    company: str
    arm: str
    cells: list[Cell]


class Area(NamedTuple):
    """A rectangle with a label: where reserves come on, or a company's vehicles start by another deployment."""

    side: str
    label: str
    rows: Sequence[int]
    columns: Sequence[int]


class SetUp(NamedTuple):
    """A scenario's set-up: its title, both sides' names, units, where reserves come on, what else could be chosen.

    ``alternatives`` are the vehicles' zones of the deployments that are not chosen, ``not_chosen`` their names.
    """

    title: str
    sides: Mapping[str, str]
    groups: Sequence[Group]
    entries: Sequence[Area]
    alternatives: Sequence[Area]
    not_chosen: Mapping[str, Sequence[str]]


def set_up_of(chart: MapFile, scenario: Document | None) -> SetUp:
    """The set-up of a scenario, or an empty map where there is none."""
    if scenario is None:
        return SetUp("", {}, (), (), (), {})
    chosen = scenario["deployment"]
    not_chosen = {
        side: [name for name in deployments if name != chosen[side]]
        for side, deployments in scenario["deployments"].items()
    }
    return SetUp(
        scenario["title"],
        scenario["sides"],
        _groups(chart, scenario),
        _entries(scenario),
        _alternatives(scenario, not_chosen),
        not_chosen,
    )


def _groups(chart: MapFile, scenario: Document) -> list[Group]:
    """The chosen deployments: as many cells of each company's zones as it has units (FC-2.1, FC-2.3)."""
    forces = read_toml(Path(sim.first_contact.__file__).with_name("rules.toml"))["forces"]
    groups = []
    for side, chosen in scenario["deployment"].items():
        company = forces[side]
        counts = {"squads": company["squads"]["value"], "vehicles": sum(company["vehicles"]["value"].values())}
        for zones in scenario["deployments"][side][chosen]["zones"]:
            for arm, count in counts.items():
                cells = [cell for zone in zones[arm] for cell in _zone_cells(chart, zone)]
                groups.append(Group(side, zones["company"], arm, cells[:count]))
    return groups


def _zone_cells(chart: MapFile, zone: Document) -> list[Cell]:
    if "trench" in zone:
        cells = trench_cells(chart, zone["trench"])[zone.get("skip", 0) :]
    else:
        (north, south), (west, east) = zone["rows"], zone["columns"]
        cells = [(row, column) for row in range(north, south + 1) for column in range(west, east + 1)]
    return cells[:: zone.get("every", 1)]


def _entries(scenario: Document) -> list[Area]:
    """Where reserves come on (FC-2.7)."""
    areas = []
    for side, zone in scenario["entry"].items():
        coming = [it["name"] for it in scenario["companies"] if it["side"] == side and it.get("reserve")]
        coming += [it["name"] for it in scenario.get("support", ()) if it["side"] == side]
        areas.append(Area(side, f"reserve: {', '.join(coming)}", zone["rows"], zone["columns"]))
    return areas


def _alternatives(scenario: Document, not_chosen: Mapping[str, Sequence[str]]) -> list[Area]:
    areas = []
    for side, names in not_chosen.items():
        deployments = scenario["deployments"][side]
        chosen = deployments[scenario["deployment"][side]]["zones"]
        for zones in (zones for name in names for zones in deployments[name]["zones"]):
            if zones["vehicles"] not in [other["vehicles"] for other in chosen]:
                areas += [Area(side, zones["company"], zone["rows"], zone["columns"]) for zone in zones["vehicles"]]
    return areas
