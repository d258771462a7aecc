"""Chapter 2: forces, reserves and where everything starts."""

import itertools

import numpy as np
import pytest

import sim.first_contact.state as st
from sim.first_contact.board import put_entry_zone
from sim.first_contact.forces import load
from sim.rules_file import BadInput, with_value
from tests.first_contact_positions import (
    Position,
    cell_of,
    map_document,
    place_of,
    position,
    rules_document,
    scenario_document,
    start,
)


def of(table: Position, *starts: str) -> list[np.record]:
    """Units whose names begin so."""
    return [table.row(name) for name in table.names.units if name.startswith(starts)]


def kinds(rows) -> dict[str, int]:
    counts = {name: sum(st.KINDS[row.kind] == name for row in rows) for name in st.KINDS}
    return {name: count for name, count in counts.items() if count}


@pytest.mark.parametrize("company", ["S1", "S2", "S3", "S4", "S5"])
def test_fc_2_1_a_soviet_company(company):
    rows = of(start(), f"{company} ")
    assert kinds(rows) == {"squad": 10, "t34_76": 8, "t34_85": 2}
    squads = [row for row in rows if row.kind == st.SQUAD]
    assert [(row.men, row.ammunition, row.issue) for row in squads] == [(10, 6, 6)] * 10
    assert {(int(row.ammunition), int(row.issue)) for row in rows if row.kind != st.SQUAD} == {(10, 10)}


def test_fc_2_1_weapons_of_a_soviet_company():
    weapons = rules_document()["forces"]["red"]["weapons"]["value"]
    assert weapons == {"anti_tank": 4, "submachine_gun": 20, "rifle": 60, "machine_gun": 4}


def test_fc_2_2_the_soviets():
    """Five companies of 100 men, 8 + 2 tanks: 500, 40, 10; and an SU-152."""
    rows = [row for row in start().state.units if row.men > 0 and row.side == st.SOVIET]
    assert kinds(rows) == {"squad": 50, "t34_76": 40, "t34_85": 10, "su152": 1}
    assert sum(row.men for row in rows if row.kind == st.SQUAD) == 500
    assert start().row("SU-152").arrives == 12


@pytest.mark.parametrize("company", ["G1", "G2", "G3"])
def test_fc_2_3_a_german_company(company):
    rows = of(start(), f"{company} ")
    assert kinds(rows) == {"squad": 10, "panther": 9, "tiger": 6}
    squads = [row for row in rows if row.kind == st.SQUAD]
    assert [(row.men, row.ammunition, row.issue) for row in squads] == [(14, 8, 8)] * 10
    assert {(int(row.ammunition), int(row.issue)) for row in rows if row.kind != st.SQUAD} == {(12, 12)}


def test_fc_2_3_weapons_of_a_german_company():
    weapons = rules_document()["forces"]["blue"]["weapons"]["value"]
    assert weapons == {"anti_tank": 10, "submachine_gun": 30, "rifle": 80, "machine_gun": 10}


def test_fc_2_4_the_germans():
    """Three companies of 140 men, 9 + 6 tanks: 420, 27, 18."""
    rows = [row for row in start().state.units if row.men > 0 and row.side == st.GERMAN]
    assert kinds(rows) == {"squad": 30, "panther": 27, "tiger": 18}
    assert sum(row.men for row in rows if row.kind == st.SQUAD) == 420


def test_fc_2_5_units_are_single_squads_and_vehicles():
    """80 squads, 51 and 45 vehicles; the Soviet units come first."""
    table = start()
    assert len(table.names.units) == len(set(table.names.units)) == 80 + 51 + 45
    assert table.state.n_soviet == 50 + 51
    assert list(table.state.units["side"][:176]) == [0] * 101 + [1] * 75


def test_fc_2_6_who_has_the_weapons():
    """Every German squad has both; of a Soviet company squads 1 to 4 have both, the others neither."""
    table = start()
    for name in table.names.units:
        row = table.row(name)
        if row.kind == st.SQUAD:
            armed = name.startswith("G") or int(name.split()[-1]) <= 4
            assert (row.anti_tank, row.machine_gun) == (armed, armed), name


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("weapons.red.anti_tank", [1, 2, 3, 4, 5], r"weapons.red.anti_tank: .* at most 4 different squads of 1 to 10"),
        ("weapons.red.machine_gun", [1, 1], r"weapons.red.machine_gun: .* at most 4 different squads"),
        ("weapons.blue.anti_tank", [11], r"weapons.blue.anti_tank: .* at most 10 different squads of 1 to 10"),
    ],
)
def test_fc_2_6_no_more_weapons_than_were_issued(path, value, message):
    with pytest.raises(BadInput, match=message):
        load(with_value(scenario_document(), path, value, "scenario"), map_document(), rules_document())


def test_fc_2_6_the_allotment_is_scenario_data():
    plan = with_value(scenario_document(), "weapons.red.anti_tank", [9, 10], "scenario")
    table = Position(*load(plan, map_document(), rules_document()))
    assert [n for n in range(1, 11) if table.row(f"S1 squad {n}").anti_tank] == [9, 10]


def test_fc_2_7_reserves_come_after_turn_8_and_the_su152_after_turn_11():
    """At the start of turns 9 and 12, the Soviet ones on cells of their entry zone nearest the farm."""
    table = start()
    waiting = {name for name in table.names.units if table.at(name) == "waiting"}
    assert waiting == {name for name in table.names.units if name.startswith(("S5 ", "G3 ", "SU"))}
    for turn in range(1, 13):
        table.state.turn = turn
        for side in (0, 1):
            table.arrive(side)
        waiting = {name for name in table.names.units if table.at(name) == "waiting"}
        assert len(waiting) == (46 if turn < 9 else 1 if turn < 12 else 0)
    rows = scenario_document()["entry"]["red"]["rows"]
    zone = {
        place_of(cell)
        for cell in (row.location for row in of(table, "S5 ", "SU"))
        if rows[0] <= place_of(cell)[0] <= rows[1]
    }
    assert len(zone) == 21
    assert st.EVENT_KINDS[table.events()[0].kind] == "arrival"
    assert len(table.events("arrival")) == 46


def with_entry(table: Position, cells: list[tuple[int, int]], side: int = 0, facing: int = 3) -> Position:
    put_entry_zone(table.game.board, side, [cell_of(*cell) for cell in cells], facing)
    return table


def test_fc_2_7_as_many_as_fit_the_rest_next_turn():
    """Three cells, of which one is taken: two of three squads come, in the order of their numbers."""
    table = position("......", {"s1": None, "s2": None, "s3": None, "g1": (0, 1)})
    with_entry(table, [(0, 0), (0, 1), (0, 2)])
    for name in ("s1", "s2", "s3"):
        table.row(name).arrives = 9
    table.state.turn = 8
    table.arrive(0)
    assert table.at("s1") == "waiting"
    table.state.turn = 9
    table.arrive(0)
    assert [table.at(name) for name in ("s1", "s2", "s3")] == [(0, 0), (0, 2), "waiting"]
    table.stand("s1", (0, 5))
    table.state.turn = 10
    table.arrive(0)
    assert table.at("s3") == (0, 0)


def test_fc_2_7_a_vehicle_passes_over_a_house_and_faces_as_the_zone_says():
    table = with_entry(position("H..", {"T1": None, "s1": None}), [(0, 0), (0, 1)])
    table.arrive(0)
    assert (table.at("T1"), table.at("s1")) == ((0, 1), (0, 0))
    assert (table.row("T1").facing, table.row("s1").facing) == (3, -1)


def test_fc_2_7_nearest_the_farm_first():
    table = start()
    entry = table.game.board.entry[0]
    cells = [place_of(cell) for cell in entry[: np.argmax(entry == st.NOWHERE)]]
    farm = [place_of(cell) for cell in np.flatnonzero(table.game.board.objective == table.game.board.first_objective)]

    def steps(cell):
        return min(max(abs(cell[0] - row), abs(cell[1] - column)) for row, column in farm)

    assert [steps(cell) for cell in cells] == sorted(steps(cell) for cell in cells)
    assert len(cells) == (150 - 112 + 1) * (162 - 158 + 1)


@pytest.mark.parametrize(
    ("red", "blue"), [*itertools.product(["hill_defence", "forward_farm"], ["west_trench", "northern_road"])]
)
def test_fc_2_8_every_deployment_can_be_played(red, blue):
    plan = with_value(scenario_document(), "deployment", {"red": red, "blue": blue}, "scenario")
    table = Position(*load(plan, map_document(), rules_document()))
    cells = [table.row(name).location for name in table.names.units if table.at(name) != "waiting"]
    assert len(set(cells)) == len(cells) == 176 - 46
    board = table.game.board
    if red == "hill_defence":
        assert all(board.terrain[row.location] == st.TRENCH for row in of(table, "S1 squad", "S4 squad"))
    if blue == "west_trench":
        squads = of(table, "G1 squad", "G2 squad")
        assert all(board.trench[row.location] == st.WEST_TRENCH for row in squads)
        assert {st.DIRECTIONS[row.facing] for row in of(table, "G1 P", "G2 T")} == {"east"}


def test_fc_2_8_units_take_the_cells_of_their_zone_in_order():
    plan = scenario_document()
    plan["deployments"]["red"]["hill_defence"]["zones"][0] = {
        "company": "S1",
        "squads": [{"rows": [150, 151], "columns": [190, 199], "every": 2}],
        "vehicles": [{"rows": [160, 161], "columns": [190, 194]}],
    }
    table = Position(*load(plan, map_document(), rules_document()))
    assert [table.at(f"S1 squad {n}") for n in (1, 2, 5, 6)] == [(150, 190), (150, 192), (150, 198), (151, 190)]
    assert table.at("S1 T-34-76 6") == (161, 190)
    assert table.at("S1 T-34-85 2") == (161, 194)


def zones(company: str, vehicles: dict, squads: dict | None = None) -> dict:
    return {"company": company, "squads": [squads or {"trench": "middle_trench"}], "vehicles": [vehicles]}


@pytest.mark.parametrize(
    ("vehicles", "squads", "message"),
    [
        # On the plain in front of the western forest, 62 cells and a clear view from the German tanks' edge.
        ({"rows": [106, 115], "columns": [70, 70]}, None, r"S1 .* and G. .* start in sight and range of each other"),
        ({"rows": [132, 133], "columns": [190, 193]}, None, r"hill_defence: S1: has 8 cells for 10 units"),
        ({"rows": [195, 204], "columns": [190, 199]}, None, r"not all on the map of 200 x 200 cells"),
        ({"rows": [138, 142], "columns": [148, 151]}, None, r"both start in row 138, column 148"),
        ({"rows": [132, 136], "columns": [148, 151]}, {"rows": [138, 138], "columns": [148, 157]}, r"both start in"),
    ],
)
def test_fc_2_8_deployments_that_are_refused(vehicles, squads, message):
    plan = scenario_document()
    plan["deployments"]["red"]["hill_defence"]["zones"][0] = zones("S1", vehicles, squads)
    if "sight" in message:
        plan["deployments"]["blue"]["west_trench"]["zones"][0]["vehicles"] = [
            {"rows": [95, 114], "columns": [56, 56]}
        ]  # the first column of trees
    with pytest.raises(BadInput, match=message):
        load(plan, map_document(), rules_document())


def test_fc_2_8_a_vehicle_cannot_start_in_a_house():
    plan = scenario_document()
    house = next(b for b in map_document()["buildings"].values() if b["kind"] == "house")["corners"][0]
    cells = {"rows": [house[0], house[0]], "columns": [house[1], house[1] + 9]}
    plan["deployments"]["red"]["hill_defence"]["zones"][0] = zones("S1", cells)
    with pytest.raises(BadInput, match=r"S1 T-34-76 1 cannot start in a house"):
        load(plan, map_document(), rules_document())
