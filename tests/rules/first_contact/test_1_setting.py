"""Chapter 1: the grid, the time, the companies."""

import pytest

import sim.first_contact.state as st
from sim.geometry.square import OFF_MAP
from tests.first_contact_positions import cell_of, place_of, position, scenario_document, start

BLANK = "\n".join(["." * 5] * 5)


def test_fc_1_1_one_unit_to_a_cell():
    """Neither friend nor enemy may share it; one that leaves frees it."""
    table = position(BLANK, {"s1": (2, 2), "s2": (2, 3), "g1": (3, 3), "T1": (1, 1)})
    assert not table.may_enter("s1", (2, 3))
    assert not table.may_enter("s1", (3, 3))
    assert not table.may_enter("g1", (2, 2))
    assert table.may_enter("s1", (2, 1))
    table.stand("s2", (2, 4))
    assert table.may_enter("s1", (2, 3))
    assert not table.may_enter("s1", (2, 4))


@pytest.mark.parametrize(("squared", "metres"), [(0, 0), (1, 10), (100, 100), (2, 14), (10_000, 1000)])
def test_fc_1_1_a_cell_is_10_metres(squared, metres):
    """A squared distance of 2 cells is 14.14 m."""
    assert position(BLANK, {}).range_in_metres(squared) == metres


def test_fc_1_1_the_map_has_200_by_200_cells():
    table = start()
    assert (table.game.board.rows, table.game.board.columns) == (200, 200)
    assert table.is_on_map((199, 199))
    assert table.is_on_map((0, 0))
    assert not any(table.is_on_map(cell) for cell in [(200, 0), (0, 200), -1, cell_of(-1, 5), 2**62, -(2**62)])


def test_fc_1_2_fifteen_turns():
    table = start()
    assert table.game.rules.n_turns == 15
    assert table.names.turns == tuple(str(turn) for turn in range(1, 16))


def test_fc_1_3_five_soviet_and_three_german_companies_one_of_each_in_reserve():
    companies = scenario_document()["companies"]
    for side, number in (("red", 5), ("blue", 3)):
        ours = [company for company in companies if company["side"] == side]
        assert len(ours) == number
        assert sum(company.get("reserve", False) for company in ours) == 1


def test_fc_1_4_row_0_is_north_and_a_cell_has_eight_neighbours():
    table = position(BLANK, {})
    around = [table.neighbour((2, 2), direction) for direction in range(8)]
    assert [place_of(cell) for cell in around] == [
        (1, 2), (1, 3), (2, 3), (3, 3), (3, 2), (3, 1), (2, 1), (1, 1),
    ]  # fmt: skip
    assert [direction for direction in range(8) if table.neighbour((0, 0), direction) == OFF_MAP] == [0, 1, 5, 6, 7]


def test_fc_1_4_the_block_is_numbered_row_by_row_from_the_north_west():
    table = position(BLANK, {})
    cells = [place_of(table.block_cell((2, 2), number)) for number in range(1, 10)]
    assert cells == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)]


def test_fc_1_4_movement_counts_steps_and_range_the_straight_line():
    """To a cell 3 down and 4 to the right: 4 steps, and 5 cells as the shell flies."""
    table = position(BLANK, {"s1": (0, 0), "g1": (3, 4)})
    assert table.nearest_enemy("s1", (0, 0)) == (4, 25)
    assert st.KINDS[table.row("g1").kind] == "squad"
