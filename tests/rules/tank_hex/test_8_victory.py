"""Chapters 8 and 9: objectives, points, levels of victory, scenarios, and what a game yields."""

import numpy as np
import pytest

import sim.tank_hex.board as board
import sim.tank_hex.state as st
from sim.game import empty_record
from sim.rules_file import BadInput
from sim.tank_hex.documents import MapFile
from sim.tank_hex.generated import generate
from sim.tank_hex.record import cover, snapshot, uncover, write_result
from sim.tank_hex.rulebook import RULEBOOK
from tests.tank_hex_positions import (
    Table,
    field_document,
    map_document,
    position,
    rules_document,
    scenario_document,
    scenario_of,
)

HILL = {"objectives": {"Hill": ((0, 2), "blue")}}

# 8.1


def test_th_8_1_a_hex_is_held_by_who_last_ended_a_move_there(monkeypatch):
    table = position({"R1": (0, 0), "B1": (1, 43)}, **HILL)
    assert table.objectives("blue") == 1
    Table(monkeypatch, table, red={"move": ["R1 E E"]}).movement()
    assert (table.objectives("red"), table.objectives("blue")) == (1, 0)
    assert [(int(row.side), int(row.place)) for row in table.events("objective")] == [(0, 0)]


def test_th_8_1_passing_through_takes_nothing(monkeypatch):
    table = position({"R1": (0, 0), "B1": (1, 43)}, **HILL)
    Table(monkeypatch, table, red={"move": ["R1 E E E"]}).movement()
    assert table.objectives("blue") == 1


def test_th_8_1_not_by_a_tank_that_is_destroyed_or_in_combat(monkeypatch):
    table = position({"R1": (0, 0), "B1": (0, 12)}, **HILL)
    Table(monkeypatch, table, red={"move": ["R1 E E"]}, blue={"react": [-1, "B1 at R1"]}, shot=[(5, 5, 6)]).movement()
    assert (table.where("R1"), table.objectives("blue")) == (None, 1)
    table = position({"R1": (0, 0), "B1": (0, 2)}, **HILL)
    Table(monkeypatch, table, red={"move": ["R1 E E"]}).movement()
    assert table.objectives("blue") == 1


def test_th_8_1_or_survived_a_combat_there(monkeypatch):
    table = position({"R1": (0, 0), "B1": (0, 2), "B2": (0, 40)}, **HILL)
    play = Table(monkeypatch, table, red={"move": ["R1 E E"], "fight": ["B1"]}, shot=[(5, 5, 6)]).movement()
    play.combats()
    assert table.objectives("red") == 1


def test_th_8_1_three_points_for_an_objective_one_for_a_tank():
    table = position(
        {"R1": (0, 0), "B1": (0, 9), "B2": (0, 10)}, objectives={"A": ((0, 2), "red"), "B": ((0, 4), "red")}
    )
    table.suffer("B1", st.DESTROYED)
    assert (table.points("red"), table.points("blue")) == (3 + 3 + 1, 0)
    table.suffer("R1", st.DESTROYED)
    assert (table.points("red"), table.points("blue")) == (7, 1)


LEVELS = {0: "draw", 1: "marginal", 3: "marginal", 4: "clear", 7: "clear", 8: "decisive", 30: "decisive"}


@pytest.mark.parametrize(("margin", "level"), LEVELS.items())
def test_th_8_1_levels_of_victory(margin, level):
    table = position({"R1": (0, 0), "B1": (0, 9)})
    for side, sign in (("blue", 1), ("red", -1)):
        expected = level if level == "draw" else f"{side}_{level}"
        assert st.OUTCOMES[table.outcome(sign * margin)] == expected


def result_of(table):
    record = empty_record(st.TABLES, RULEBOOK.shape(table.setup), 1, "games")
    write_result(table.game, record.games[0])
    return record.games[0]


def test_th_8_1_a_side_without_tanks_loses_all_objectives(monkeypatch):
    table = position({"R1": (0, 0), "B1": (0, 8)}, objectives={"A": ((0, 2), "red"), "B": ((1, 4), "blue")})
    table.state.turn = 5
    Table(monkeypatch, table, red={"fire": ["R1 at B1"]}, shot=[(5, 5, 6)]).turn()
    result = result_of(table)
    assert (result.red_territory, result.blue_territory) == (2, 0)
    assert (result.margin, result.turns) == (-(2 * 3 + 1), 5)
    assert (st.END_REASONS[result.end_reason], st.OUTCOMES[result.outcome]) == ("side_destroyed", "red_clear")


def test_th_8_1_both_sides_without_tanks_keep_what_they_have():
    table = position({"R1": (0, 0), "B1": (0, 8)}, **HILL)
    for name in ("R1", "B1"):
        table.suffer(name, st.DESTROYED)
    table.end_if_beaten()
    result = result_of(table)
    assert (result.blue_territory, result.margin, result.turns) == (1, 3, 1)


def test_th_8_1_the_turn_limit(monkeypatch):
    table = position({"R1": (0, 0), "B1": (0, 8)}, turn_limit=7, **HILL)
    result = result_of(table)
    assert (result.turns, st.END_REASONS[result.end_reason], st.SIDE_NAMES[result.winner]) == (7, "turn_limit", "blue")
    assert (result.red_armour_start, result.blue_armour_start, result.red_armour_lost) == (1, 1, 0)


@pytest.mark.parametrize(
    ("name", "red", "blue"), [("meeting_engagement", 6, 6), ("village_assault", 7, 5), ("river_crossing", 7, 6)]
)
def test_th_8_1_the_scenarios(name, red, blue):
    document = scenario_document(name)
    setup, names = board.load(document, map_document(document["map"]), rules_document())
    assert (setup.state[0].first_blue, setup.state[0].n_units) == (red, red + blue)
    assert len(names.turns) == 12
    ground = setup.board[0]
    assert 40 <= ground.columns <= 50
    # Whoever attacks can get to every objective.
    assert all(ground.travel[k, setup.state[0].units[0].hex] < 100 for k in range(len(names.places)))


def test_th_8_1_the_river_is_crossed_at_two_bridges_and_a_ford_alone():
    """Without its river edges the map falls into two halves; two of them carry a road."""
    document = scenario_document("river_crossing")
    setup, _ = board.load(document, map_document(document["map"]), rules_document())
    ground, hexes = setup.board[0], int(setup.board[0].hexes)
    rivers = {}
    drawn = [line.split() for line in map_document(document["map"])["rivers"].splitlines()]
    for number in range(hexes):
        sums = drawn[number // 44][number % 44].replace(".", "0")
        for part, direction in ((1, 0), (2, 5), (4, 4)):
            if int(sums) & part:
                rivers[frozenset((number, int(ground.neighbour[number, direction])))] = ground.road[number, direction]
    assert sum(rivers.values()) == 2
    reached, pending = {int(setup.state[0].units[0].hex)}, [int(setup.state[0].units[0].hex)]
    while pending:
        number = pending.pop()
        for other in ground.neighbour[number]:
            dry = other >= 0 and ground.terrain[other] != st.WATER and frozenset((number, int(other))) not in rivers
            if dry and int(other) not in reached:
                reached.add(int(other))
                pending.append(int(other))
    assert all(int(tank.hex) in reached for tank in setup.state[0].units[:7])
    assert not any(int(tank.hex) in reached for tank in setup.state[0].units[7:13])


@pytest.mark.parametrize("seed", [0, 1, 7, 123456789])
def test_th_8_1_generated_scenarios(seed):
    """The same seed gives the same documents, which load like any other; forces are alike and stand opposite."""
    scenario, chart = generate(seed)
    assert generate(seed) == (scenario, chart)
    assert MapFile.model_validate(chart).name == scenario["map"] == scenario["name"] == f"random_{seed}"
    setup, names = board.load(scenario, chart, rules_document())
    state, ground = setup.state[0], setup.board[0]
    count = int(state.first_blue)
    assert 5 <= count <= 8
    assert state.n_units == 2 * count
    hexes = state.units["hex"][: 2 * count]
    assert (hexes[:count] + hexes[count:] == ground.hexes - 1).all()
    assert state.places["holder"][: len(names.places)].tolist() == [0, 1]
    signs = chart["terrain"].split()
    assert 0.09 < signs.count("w") / len(signs) < 0.16


def test_th_8_1_other_seeds_are_other_maps():
    assert len({generate(seed)[1]["terrain"] for seed in range(20)}) == 20


def test_th_8_1_two_objectives_in_one_hex_are_refused():
    document = scenario_of({"R1": (0, 0), "B1": (0, 9)}, 44, 2, objectives={"A": ((0, 2), "red"), "B": ((0, 2), "red")})
    with pytest.raises(BadInput, match="objectives: two of them are in one hex"):
        board.load(document, field_document(), rules_document())


# 9.1


def test_th_9_1_a_shot_tells_all_that_decided(monkeypatch):
    """Every field of the page: kind, shooter, target, distance, height, levels, dice, terrain, results."""
    table = position({"R1": (0, 0), "B1": (0, 18)}, woods=[(0, 18)], grades={(0, 18): 1}).put("R1", suppressed=1)
    Table(monkeypatch, table, red={"fire": ["R1 at B1"]}, shot=[(5, 6, 1)]).fire()
    (row,) = table.events("direct")
    told = {name: int(row[name]) for name in row.dtype.names}
    assert {name: told[name] for name in ("turn", "actor", "target", "distance", "range_m", "height")} == {
        "turn": 1, "actor": 0, "target": 1, "distance": 18, "range_m": 900, "height": 1,
    }  # fmt: skip
    assert (told["level_by_table"], told["level"]) == (9, 9 - 1 - 3)
    assert (told["die_1"], told["die_2"], told["dice"], told["armour_die"]) == (5, 6, 11, 1)
    assert (st.TERRAINS[told["terrain"]], st.PHASES[told["phase"]]) == ("woods", "fire")
    assert (st.RESULTS[told["table_result"]], st.RESULTS[told["result"]], told["losses"]) == (
        "destroyed",
        "suppressed",
        0,
    )
    assert (told["suppressed"], st.FATES[told["fate"]], st.WEAPONS[told["weapon"]]) == (1, "rolled", "85mm")


def test_th_9_1_a_move_tells_where_it_went(monkeypatch):
    table = position({"R1": (0, 0), "B1": (1, 43)}, roads=[[(0, 0), (0, 1), (0, 2), (0, 3)]])
    Table(monkeypatch, table, red={"move": ["march R1 E E E"]}).movement()
    (row,) = table.events("move")
    assert (row.actor_hex, row.target_hex, row.spent, row.hexes, row.marched) == (0, 3, 2, 3, 1)


def test_th_9_1_turns_count_able_tanks_objectives_points_and_cards():
    table = position({"R1": (0, 0), "R2": (0, 1), "B1": (0, 9), "B2": (0, 10)}, **HILL)
    table.put("R1", fire_kill=1).suffer("B2", st.DESTROYED)
    table.holds("blue", "rush")
    record = empty_record(st.TABLES, RULEBOOK.shape(table.setup), 1, "units")
    snapshot(table.game, record, 0, 0)
    red, blue = record.sides[0, 0]
    assert (red.armour_able, red.tanks, red.armour_lost, red.territory, red.points) == (1, 2, 0, 0, 1)
    assert (blue.armour_able, blue.tanks, blue.armour_lost, blue.territory, blue.points) == (1, 1, 1, 1, 3)
    assert (red.card, blue.card, red.deck) == (-1, st.RUSH, 127)
    assert [int(tank.hex) for tank in record.units[0, 0]] == [0, 1, 9, -1]


def test_th_9_1_cards_batteries_and_markers_go_through_a_recorded_turn_and_back():
    table = position({"R1": (0, 0), "B1": (0, 9)})
    rng = np.random.default_rng(7)
    for name in table.hidden.dtype.names:
        getattr(table.hidden, name)[:] = rng.integers(0, 50, getattr(table.hidden, name).shape)
    table.state.impacts[:] = rng.integers(0, 80, (2, 6))
    table.state.impact_battery[:] = [1, 2]
    hidden, impacts = table.hidden.copy(), table.state.impacts.copy()
    for side in range(2):
        cover(table.game, table.state.sides[side], side)
    for name in table.hidden.dtype.names:
        getattr(table.hidden, name)[:] = -5
    table.state.impacts[:] = -5
    uncover(table.game)
    assert table.hidden == hidden
    assert (table.state.impacts == impacts).all()
    assert [row.card for row in table.state.sides] == [-1, -1]
