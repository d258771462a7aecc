"""Chapter 2: what a scenario's forces consist of, where they start and where they come on; `load`."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

import sim.first_contact.state as st
from sim.first_contact.board import (
    CLOSED,
    MOST_ENTRY_CELLS,
    Setup,
    empty_setup,
    fill_board,
    fill_rules,
    place_names,
    put_entry_zone,
)
from sim.first_contact.documents import (
    CompanyRules,
    CompanyZones,
    Deployment,
    Rectangle,
    RulesFile,
    ScenarioFile,
    TrenchLine,
)
from sim.first_contact.ground import MapFile, rasterise, trench_cells
from sim.game import SIDES, Names
from sim.geometry.sight import sees
from sim.geometry.square import DIRECTIONS, WIDTH, squared_distance
from sim.rules_file import BadInput, check

TITLES = dict(zip(st.VEHICLES, ("T-34-76", "T-34-85", "SU-152", "Panther", "Tiger"), strict=True))


class Unit(NamedTuple):
    """A unit of the order of battle: its company, and its number among the company's squads or vehicles of the kind."""

    name: str
    side: int
    kind: str
    company: str
    number: int
    arrives: int


def load(scenario: dict[str, Any], board: dict[str, Any], rules: dict[str, Any]) -> tuple[Setup, Names]:
    """Setup and names from a scenario, a map and a rules file. Raises `BadInput` for whatever is wrong."""
    where = f"scenario {scenario.get('name', '?')}"
    plan = check(ScenarioFile, scenario, where)
    chart = check(MapFile, board, f"map {board.get('name', '?')}")
    book = check(RulesFile, rules, "rules of first_contact")
    units = order_of_battle(plan, book, where)
    setup = empty_setup(len(units), sum(unit.side == st.SOVIET for unit in units))
    fill_rules(setup.rules[0], book)
    fill_board(setup.board[0], setup.rules[0], rasterise(chart), book)
    places = place_names(setup.board[0], setup.rules[0])
    setup.state.n_places = len(places)
    setup.state.turn = 1
    for row, unit in enumerate(units):
        _fill_unit(setup.state[0].units[row], setup.rules[0], unit, plan, book)
    _deploy(setup, units, plan, chart, where)
    _place_entries(setup, plan, where)
    _refuse_a_duel_at_the_start(setup, units, where)
    setup.state[0].sides["barrages"][:] = setup.rules[0].barrages
    turns = tuple(str(turn) for turn in range(1, book.setting.turns.value + 1))
    return setup, Names(tuple(unit.name for unit in units), places, turns)


def order_of_battle(plan: ScenarioFile, book: RulesFile, where: str) -> list[Unit]:
    """FC-2.1 to FC-2.4: all units of both sides; FC-2.5: each a single squad or vehicle. Soviet units come first."""
    units: list[Unit] = []
    for side, name in enumerate(SIDES):
        consists_of: CompanyRules = getattr(book.forces, name)
        kinds = sorted(consists_of.vehicles.value.items(), key=lambda item: st.KINDS.index(item[0]))
        for company in (company for company in plan.companies if company.side == name):
            arrives = book.forces.reserves_after.value + 1 if company.reserve else 0
            units += [
                Unit(f"{company.name} squad {n}", side, "squad", company.name, n, arrives)
                for n in range(1, consists_of.squads.value + 1)
            ]
            units += [
                Unit(f"{company.name} {TITLES[kind]} {n}", side, kind, company.name, n, arrives)
                for kind, count in kinds
                for n in range(1, count + 1)
            ]
            _are_not_too_many(units, side, where)
        units += [
            Unit(part.name, side, part.kind, part.name, 1, book.forces.support_after.value + 1)
            for part in plan.support
            if part.side == name
        ]
        _are_not_too_many(units, side, where)
    _allotment_fits(plan, book, where)
    return units


def _are_not_too_many(units: list[Unit], side: int, where: str) -> None:
    count = sum(unit.side == side for unit in units)
    if count > st.MOST_OF_A_SIDE:
        message = f"{SIDES[side]} has {count} units, and there is room for {st.MOST_OF_A_SIDE}"
        raise BadInput(message, file=where)


def _allotment_fits(plan: ScenarioFile, book: RulesFile, where: str) -> None:
    """FC-2.6: no company has more of a weapon than it was issued."""
    for name in SIDES:
        issued: CompanyRules = getattr(book.forces, name)
        squads = issued.squads.value
        for weapon in ("anti_tank", "machine_gun"):
            given = getattr(getattr(plan.weapons, name), weapon)
            most = min(getattr(issued.weapons.value, weapon), squads)
            if len(given) > most or len(set(given)) != len(given) or any(number > squads for number in given):
                raise BadInput(
                    f"{given} is wrong: at most {most} different squads of 1 to {squads} have one",
                    file=where,
                    key=f"weapons.{name}.{weapon}",
                )


def _fill_unit(row: np.record, rules: np.record, unit: Unit, plan: ScenarioFile, book: RulesFile) -> None:
    name = SIDES[unit.side]
    company: CompanyRules = getattr(book.forces, name)
    kind = st.KINDS.index(unit.kind)
    row.side, row.kind = unit.side, kind
    row.arrives = unit.arrives
    row.status = st.WAITING if unit.arrives else st.ON_MAP
    if kind == st.SQUAD:
        weapons = getattr(plan.weapons, name)
        row.men = company.men.value
        row.issue = company.ammunition.value.squad
        row.anti_tank = int(unit.number in weapons.anti_tank)
        row.machine_gun = int(unit.number in weapons.machine_gun)
        row.morale = rules.morale_start
    else:
        row.men = rules.crew[kind]
        row.issue = company.ammunition.value.vehicle
    row.ammunition = row.issue


def _deploy(setup: Setup, units: list[Unit], plan: ScenarioFile, chart: MapFile, where: str) -> None:
    """FC-2.8: every unit takes its cell; then the places get their first holders (FC-11.1, FC-11.2)."""
    board, state = setup.board[0], setup.state[0]
    taken: dict[int, str] = {}
    zone_cells: list[set[int]] = [set(), set()]
    for side, name in enumerate(SIDES):
        chosen = getattr(plan.deployment, name)
        deployment: Deployment = getattr(plan.deployments, name)[chosen]
        for zones in deployment.zones:
            key = f"deployments.{name}.{chosen}: {zones.company}"
            for is_squad, cells in _cells_by_arm(zones, chart, board, where, key):
                mine = [
                    i for i, u in enumerate(units) if u.company == zones.company and (u.kind == "squad") == is_squad
                ]
                _take_cells(setup, units, mine, cells, taken, (where, key))
                zone_cells[side].update(cells)
        for row, unit in enumerate(units):
            if unit.side == side and unit.kind != "squad":
                state.units[row].facing = DIRECTIONS.index(deployment.facing)
    for place in range(state.n_places):
        state.places[place].holder = _first_holder(board, place, zone_cells)


def _cells_by_arm(zones: CompanyZones, chart: MapFile, board: np.record, where: str, key: str):
    for is_squad, parts in ((True, zones.squads), (False, zones.vehicles)):
        yield is_squad, [cell for part in parts for cell in zone_cells_of(part, chart, board, where, key)]


def zone_cells_of(zone: TrenchLine | Rectangle, chart: MapFile, board: np.record, where: str, key: str) -> list[int]:
    """Cells of a zone in order. Raises `BadInput` for a rectangle that is not on the map."""
    if isinstance(zone, TrenchLine):
        line = [int(row * WIDTH + column) for row, column in trench_cells(chart, zone.trench)]
        return line[zone.skip :: zone.every]
    return rectangle_cells(zone, board, where, key)


def rectangle_cells(zone: Rectangle, board: np.record, where: str, key: str) -> list[int]:
    """Cells of a rectangle in order. Raises `BadInput` if it is not all on the map."""
    if zone.rows[1] >= board.rows or zone.columns[1] >= board.columns:
        raise BadInput(
            f"rows {zone.rows}, columns {zone.columns} are not all on the map of {board.rows} x {board.columns} cells",
            file=where,
            key=key,
        )
    return [
        int(row * WIDTH + column)
        for row in range(zone.rows[0], zone.rows[1] + 1)
        for column in range(zone.columns[0], zone.columns[1] + 1)
    ][:: zone.every]


def _take_cells(setup: Setup, units, mine: list[int], cells: list[int], taken: dict[int, str], place) -> None:
    board, rules, state = setup.board[0], setup.rules[0], setup.state[0]
    where, key = place
    if len(cells) < len(mine):
        raise BadInput(f"has {len(cells)} cells for {len(mine)} units", file=where, key=key)
    for row, cell in zip(mine, cells):
        at = f"row {cell // WIDTH}, column {cell % WIDTH}"
        mover = st.ON_FOOT if units[row].kind == "squad" else st.ON_TRACKS
        terrain = board.terrain[cell]
        if cell in taken:
            raise BadInput(f"{units[row].name} and {taken[cell]} both start in {at}", file=where, key=key)
        if rules.step_cost[mover, terrain] == CLOSED:
            raise BadInput(f"{units[row].name} cannot start in a {st.TERRAINS[terrain]} ({at})", file=where, key=key)
        taken[cell] = units[row].name
        state.units[row].location = cell


def _first_holder(board: np.record, place: int, zone_cells: list[set[int]]) -> int:
    """FC-11.1, FC-11.2: whose deployment zones reach into a place, else west of the middle column German."""
    of_place = board.sector if place < board.first_objective else board.objective
    cells = np.flatnonzero(of_place == place)
    there = [bool(zone.intersection(cells.tolist())) for zone in zone_cells]
    if there[st.SOVIET] != there[st.GERMAN]:
        return int(st.GERMAN if there[st.GERMAN] else st.SOVIET)
    # Twice the middle of its columns against all columns of the map.
    west = len(cells) > 0 and int((cells % WIDTH).min() + (cells % WIDTH).max()) + 1 < board.columns
    return int(st.GERMAN if west else st.SOVIET)


def _place_entries(setup: Setup, plan: ScenarioFile, where: str) -> None:
    """FC-2.7: cells of the entry zones, those nearest the farm first, then by number."""
    board = setup.board[0]
    farm = np.flatnonzero(board.objective == board.first_objective + st.FARM)
    for side, name in enumerate(SIDES):
        zone = getattr(plan.entry, name)
        cells = np.array(rectangle_cells(zone, board, where, f"entry.{name}"))
        if len(cells) > MOST_ENTRY_CELLS:
            raise BadInput(f"there is room for {MOST_ENTRY_CELLS} cells", file=where, key=f"entry.{name}")
        down = np.abs(cells[:, None] // WIDTH - farm // WIDTH)
        right = np.abs(cells[:, None] % WIDTH - farm % WIDTH)
        nearest = np.maximum(down, right).min(axis=1, initial=WIDTH)
        put_entry_zone(board, side, cells[np.lexsort((cells, nearest))], DIRECTIONS.index(zone.facing))


def _refuse_a_duel_at_the_start(setup: Setup, units: list[Unit], where: str) -> None:
    """FC-2.8: no vehicle starts in sight and range of an enemy vehicle."""
    pair = _first_duel(setup.board[0], setup.rules[0], setup.state[0])
    if pair >= 0:
        soviet, german = units[pair // st.MOST_UNITS].name, units[pair % st.MOST_UNITS].name
        raise BadInput(
            f"{soviet} and {german} start in sight and range of each other: choose other deployments or zones",
            file=where,
            key="deployment",
        )


@njit(cache=True)
def _first_duel(board, rules, state):
    """The first Soviet and German vehicles of which one can see and reach the other, as one number, or -1."""
    for i in range(state.n_soviet):
        one = state.units[i]
        if one.status != st.ON_MAP or one.kind == st.SQUAD:
            continue
        for j in range(state.n_soviet, state.n_units):
            other = state.units[j]
            if other.status != st.ON_MAP or other.kind == st.SQUAD:
                continue
            reach = max(rules.vehicle_range[one.kind], rules.vehicle_range[other.kind])
            if squared_distance(one.location, other.location) > reach * reach:
                continue
            one_eye = board.height[one.location] + rules.eye
            other_eye = board.height[other.location] + rules.eye
            if sees(
                board.top,
                board.building,
                one.location,
                other.location,
                one_eye,
                other_eye,
                st.NOWHERE,
                st.NOWHERE,
            ):
                return i * st.MOST_UNITS + j
    return -1
