"""Chapter 11: control, end and victory."""

import numpy as np
import pytest

import sim.first_contact.record as record
import sim.first_contact.state as st
import sim.first_contact.turn as turn
from sim.first_contact.rulebook import RULEBOOK
from sim.first_contact.rules.control import winner
from sim.game import empty_record
from tests.first_contact_positions import Position, position, start

FIELD = "\n".join(["." * 40] * 40)


def holders(table: Position) -> str:
    """R or B for each of the first places."""
    return "".join("RB"[place.holder] for place in table.state.places[: table.state.n_places])


def test_fc_11_1_sectors_of_20_by_20_cells():
    table = start()
    assert table.names.places[:3] == ("A1", "A2", "A3")
    assert len(table.names.places) == 100 + 3
    sectors = [
        int(table.game.board.sector[table.number(cell)]) for cell in [(0, 0), (19, 19), (0, 20), (20, 0), (199, 199)]
    ]
    assert [table.names.places[sector] for sector in sectors] == ["A1", "A1", "A2", "B1", "J10"]


@pytest.mark.parametrize(
    ("units", "fields", "holder"),
    [
        ({"g1": (5, 5)}, {}, "B"),
        ({"P1": (19, 19)}, {}, "B"),
        ({"g1": (5, 5), "s1": (6, 6)}, {}, "R"),  # contested: unchanged
        ({"g1": (5, 20)}, {}, "R"),  # next door
        ({"P1": (5, 5)}, {"cannot_fire": 1}, "B"),
        ({"P1": (5, 5)}, {"cannot_fire": 1, "cannot_move": 1}, "R"),  # not able
        ({"P1": (5, 5)}, {"stunned": 1}, "B"),
        ({}, {}, "R"),
    ],
)
def test_fc_11_1_a_sector_belongs_to_the_side_that_last_was_there_alone(units, fields, holder):
    table = position(FIELD, units)
    for name in units:
        table.set(name, **fields)
    table.update_control()
    assert holders(table)[0] == holder
    # And stays so when the unit has gone.
    if units:
        table.row(next(iter(units))).status = st.GONE
        table.update_control()
        assert holders(table)[0] == holder or len(units) == 2


def test_fc_11_1_at_the_start():
    """By the deployment zones, else west of column 100 German and east of it Soviet."""
    table = start()
    held = dict(zip(table.names.places, holders(table), strict=True))
    assert held["A1"] == held["J5"] == held["E3"] == "B"  # E3: rows 80 to 99, columns 40 to 59
    assert held["A6"] == held["J6"] == held["G6"] == "R"
    board = table.game.board
    zones = [set(), set()]
    for row in table.state.units[: table.state.n_units]:
        if row.status == st.ON_MAP:
            zones[row.side].add(int(board.sector[row.location]))
    for side in (0, 1):
        assert all(table.state.places[sector].holder == side for sector in zones[side])


OBJECTIVES = "\n".join(["." * 10] * 4 + [".000111222"] * 2 + ["." * 10] * 34)


def test_fc_11_2_farm_middle_and_top_trench():
    table = start()
    assert table.names.places[100:] == ("farm", "middle_trench", "top_trench")
    assert holders(table)[100:] == "RRR"


@pytest.mark.parametrize(
    ("units", "held"),
    [({"g1": (4, 1)}, "BRR"), ({"g1": (5, 6), "P1": (4, 9)}, "RBB"), ({"g1": (4, 1), "s1": (5, 3)}, "RRR"),
     ({"g1": (4, 0)}, "RRR")],
)  # fmt: skip
def test_fc_11_2_the_same_rule_for_objectives(units, held):
    table = position(FIELD, units, objectives=OBJECTIVES)
    table.update_control()
    assert holders(table)[-3:] == held
    assert table.objectives_held(st.GERMAN) == held.count("B")
    assert table.sectors_held(st.SOVIET) + table.sectors_held(st.GERMAN) == 4


def test_fc_11_2_the_ring_around_them_belongs_to_them():
    table = start()
    board = table.game.board
    for number, trench in ((1, st.MIDDLE_TRENCH), (2, st.TOP_TRENCH)):
        for cell in np.flatnonzero(board.trench == trench):
            around = [table.neighbour(int(cell), direction) for direction in range(8)]
            assert all(board.objective[c] == board.first_objective + number for c in [int(cell), *around])


@pytest.mark.parametrize(
    ("held", "level", "side"),
    [(0, "soviet_decisive", 0), (1, "soviet_marginal", 0), (2, "german_marginal", 1), (3, "german_decisive", 1)],
)
def test_fc_11_3_levels_by_objectives_in_german_hands(held, level, side):
    table = position(FIELD, {"s1": (0, 0), "g1": (9, 9)}, objectives=OBJECTIVES)
    first = table.game.board.first_objective
    for place in range(3):
        table.state.places[first + place].holder = int(place < held)
    assert st.OUTCOMES[table.outcome()] == level
    assert winner(table.outcome()) == side


@pytest.mark.parametrize(
    ("units", "fields", "beaten"),
    [
        ({"s1": (0, 0), "P1": (9, 9)}, {}, ""),
        ({"s1": (0, 0), "P1": (9, 9)}, {"cannot_fire": 1, "cannot_move": 1}, "B"),
        ({"s1": (0, 0)}, {}, "B"),
        ({"s1": (0, 0), "P1": None}, {}, ""),  # still to come
        ({"P1": (0, 0)}, {"stunned": 1}, "R"),
        ({"P1": (0, 0)}, {"cannot_move": 1}, "R"),
    ],
)
def test_fc_11_3_a_side_without_able_units_has_lost_decisively(units, fields, beaten):
    table = position(FIELD, units, objectives=OBJECTIVES)
    for name in units:
        if name == "P1":
            table.set(name, **fields)
    table.state.turn = 4
    turn.end_turn(table.game)
    sides = table.state.sides["beaten"]
    assert [int(n) for n in sides] == [4 if "R" in beaten else 0, 4 if "B" in beaten else 0]
    assert bool(turn.goes_on(table.game)) == (beaten == "")
    level = st.OUTCOMES[table.outcome()]
    if beaten:
        assert level == ("soviet_decisive" if beaten == "B" else "german_decisive")


def result_of(table: Position) -> np.record:
    shape = RULEBOOK.shape(table.setup)
    games = empty_record(RULEBOOK.tables, shape, 1, "games").games
    record.snapshot(table.game, empty_record(RULEBOOK.tables, shape, 1, "games"), 0, 0)
    record.write_result(table.game, games[0])
    return games[0]


def test_fc_11_3_a_game_ends_after_its_last_turn_or_when_a_side_is_beaten():
    table = position(FIELD, {"s1": (0, 0), "g1": (9, 9)}, objectives=OBJECTIVES)
    result = result_of(table)
    assert (result.turns, st.END_REASONS[result.end_reason]) == (15, "last_turn")
    table.state.sides[st.GERMAN].beaten = 6
    result = result_of(table)
    assert (result.turns, st.END_REASONS[result.end_reason]) == (6, "no_able_units")
    assert (st.OUTCOMES[result.outcome], result.winner) == ("soviet_decisive", 0)


def test_fc_11_3_if_both_are_beaten_at_once_the_objectives_decide():
    table = position(FIELD, {}, objectives=OBJECTIVES)
    table.state.places["holder"][:] = st.GERMAN
    turn.end_turn(table.game)
    assert st.OUTCOMES[table.outcome()] == "german_decisive"
    table.state.places["holder"][:] = st.SOVIET
    assert st.OUTCOMES[table.outcome()] == "soviet_decisive"


def test_fc_11_4_objective_turns():
    """Two turns: the farm German in both, the middle trench in the second: 3 against 1 + 2, less: 3 - 3."""
    table = position(FIELD, {"g1": (4, 1), "g2": (20, 20), "s1": (30, 30)}, objectives=OBJECTIVES)
    turn.end_turn(table.game)
    table.stand("g2", (4, 4))
    turn.end_turn(table.game)
    assert [int(n) for n in table.state.sides["objective_turns"]] == [2 + 1, 1 + 2]
    assert table.margin() == 0
    table.stand("g2", (20, 20))
    turn.end_turn(table.game)
    assert table.margin() == 1
    assert result_of(table).margin == 1


def test_fc_11_4_exchange_of_men_and_armour():
    units = {"s1": (0, 0), "T1": (0, 1), "g1": (9, 9), "P1": (9, 8), "P2": (9, 7), "I1": (9, 6), "I2": None}
    table = position(FIELD, units, objectives=OBJECTIVES)
    table.set("s1", men=3, dead=5, wounded=2).set("g1", men=14)
    table.set("T1", men=0, dead=4)
    table.set("P1", cannot_fire=1, men=3, dead=2).set("P2", cannot_move=1, men=4, dead=1)
    table.remove_the_fallen()
    result = result_of(table)
    assert (result.red_men_start, result.red_men_lost, result.blue_men_start, result.blue_men_lost) == (10, 7, 14, 0)
    assert (result.red_armour_start, result.red_armour_lost) == (1, 1)
    assert (result.blue_armour_start, result.blue_armour_lost) == (4, 0)
    # A vehicle that cannot fire counts apart.
    assert (result.red_disarmed, result.blue_disarmed) == (0, 1)
    assert (result.red_crew_lost, result.blue_crew_lost) == (4, 3)
    blue = table.state.sides[st.GERMAN]
    assert (blue.armour_able, blue.panther_able, blue.tiger_able, blue.immobile, blue.waiting) == (4, 2, 2, 1, 1)
    assert blue.ammunition == 8 + 4 * 12
