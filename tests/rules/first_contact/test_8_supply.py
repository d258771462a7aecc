"""Chapter 8: ammunition."""

import pytest

import sim.first_contact.state as st
from sim.first_contact.board import put_entry_zone
from tests.first_contact_positions import Table, cell_of, position, start


def test_fc_8_1_units_start_with_their_issue():
    """6 and 10, 8 and 12; the SU-152 like other Soviet vehicles."""
    table = start()
    issues = {(int(row.side), bool(row.kind == st.SQUAD), int(row.ammunition)) for row in table.state.units if row.men}
    assert issues == {(0, True, 6), (0, False, 10), (1, True, 8), (1, False, 12)}
    assert table.row("SU-152").ammunition == 10


def test_fc_8_1_a_turn_on_the_plain_gives_nothing():
    table = position(".w", {"s1": (0, 0)}).set("s1", ammunition=2)
    table.resupply()
    assert table.row("s1").ammunition == 2


@pytest.mark.parametrize(("before", "after"), [(0, 1), (4, 5), (5, 6), (6, 6)])
def test_fc_8_2_a_turn_in_a_trench_gives_1_up_to_the_issue(before, after):
    table = position(".w", {"s1": (0, 1)}).set("s1", ammunition=before)
    table.resupply()
    assert table.row("s1").ammunition == after


def test_fc_8_2_vehicles_get_none():
    table = position(".w", {"T1": (0, 1)}).set("T1", ammunition=2)
    table.resupply()
    assert table.row("T1").ammunition == 2


def test_fc_8_2_firing_does_not_matter(monkeypatch):
    table = Table(monkeypatch, position("w....", {"s1": (0, 0), "g1": (0, 4)})).fire(s1="g1_")
    table.position.resupply()
    assert table.position.row("s1").ammunition == 6 - 3 + 1


@pytest.mark.parametrize("path", [[(0, 1)], [(0, 1), (0, 0)]])
def test_fc_8_2_who_moved_has_not_stayed(monkeypatch, path):
    """Along the trench, or away and back."""
    table = Table(monkeypatch, position("ww..", {"s1": (0, 0)}).set("s1", ammunition=2), movement=6)
    table.movement(0, {"s1": path})
    table.position.resupply()
    assert table.position.row("s1").ammunition == 2
    table.next_turn().position.resupply()
    assert table.position.row("s1").ammunition == 3


def test_fc_8_2_who_arrived_this_turn_did_not_begin_it_there():
    table = position("w..", {"s1": None}).set("s1", ammunition=2)
    put_entry_zone(table.game.board, 0, [cell_of(0, 0)], 0)
    table.arrive(0)
    assert table.at("s1") == (0, 0)
    table.resupply()
    assert table.row("s1").ammunition == 2
