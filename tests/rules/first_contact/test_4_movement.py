"""Chapter 4: allowance, costs, what blocks, trenches, facing."""

from fractions import Fraction

import pytest

import sim.first_contact.state as st
from tests.first_contact_positions import Table, position

GERMANS, SOVIETS = 1, 0


def east(row: int, first: int, last: int) -> list[tuple[int, int]]:
    return [(row, column) for column in range(first, last + 1)]


@pytest.mark.parametrize(("dice", "steps"), [([1, 1], 2), ([3, 4], 7), ([6, 6], 12)])
def test_fc_4_1_two_dice_give_the_cells_of_plain(monkeypatch, dice, steps):
    table = Table(monkeypatch, position("." * 20, {"s1": (0, 0)}), movement=list(dice))
    table.movement(SOVIETS, {"s1": east(0, 1, 19)})
    assert table.position.at("s1") == (0, steps)
    assert table.rolls("movement") == [("s1", 0, 6), ("s1", 1, 6)]


def test_fc_4_1_one_die_under_the_option(monkeypatch):
    table = Table(monkeypatch, position("." * 20, {"s1": (0, 0)}, movement_dice=1), movement=[5])
    table.movement(SOVIETS, {"s1": east(0, 1, 19)})
    assert table.position.at("s1") == (0, 5)
    assert table.rolls("movement") == [("s1", 0, 6)]


SPEED = {  # m of squads and vehicles, from chapter 6
    ".": (0, 0), "f": (-20, -40), "h": (-10, -20), "r": (10, 30), "B": (0, 0), "s": (0, None), "H": (0, None),
    "w": (0, 0),
}  # fmt: skip


def test_fc_4_2_costs_are_counted_in_5148ths_of_a_pip():
    """1 / 0.8 = 6435, 1 / 0.6 = 8580, 1 / 0.9 = 5720, 1 / 1.1 = 4680, 1 / 1.3 = 3960 of them: 4 x 9 x 11 x 13."""
    table = position("".join(SPEED), {"s1": (0, 0), "T1": (0, 1)})
    assert table.game.rules.pip == 5148
    for column, speeds in enumerate(SPEED.values()):
        for name, m in zip(("s1", "T1"), speeds, strict=True):
            cost = table.step_cost(name, (0, column))
            expected = -1 if m is None else 5148 / (1 + Fraction(m, 100))
            assert cost == expected, (column, name)


@pytest.mark.parametrize("letter", [".", "f", "h", "r"])
@pytest.mark.parametrize("name", ["s1", "T1"])
@pytest.mark.parametrize("pips", range(2, 13))
def test_fc_4_2_steps_that_the_allowance_covers(monkeypatch, letter, name, pips):
    """Whole steps of 1 / (1 + m) pips; the rest is lost."""
    dice = [pips // 2, pips - pips // 2]
    table = Table(monkeypatch, position("." + letter * 20, {name: (0, 0)}), movement=dice)
    table.movement(SOVIETS, {name: east(0, 1, 20)})
    m = Fraction(SPEED[letter][name == "T1"], 100)
    assert table.position.at(name) == (0, pips * (1 + m) // 1)


def test_fc_4_2_it_is_the_cell_entered_that_costs_and_diagonals_cost_the_same(monkeypatch):
    """2 + 1 pips for a squad: into the forest 1.25, out of it 1; not into the second wood."""
    art = "fffff\n.....\nfffff"
    table = Table(monkeypatch, position(art, {"s1": (2, 0)}), movement=[2, 1])
    table.movement(SOVIETS, {"s1": [(1, 1), (0, 2), (1, 3)]})
    assert table.position.at("s1") == (0, 2)
    # 3 - 1 - 1.25 = 0.75 are left.
    assert table.position.row("s1").allowance == 5148 * 3 // 4


def test_fc_4_2_other_speeds_have_another_measure():
    table = position(".fff", {"s1": (0, 0)}, settings={"terrain.forest.squads.speed": -30})
    assert table.step_cost("s1", (0, 1)) * 70 == table.game.rules.pip * 100


def test_fc_4_3_occupied_cells_cannot_be_entered_or_passed(monkeypatch):
    """An enemy or a friend in the way stops a unit that does not go round."""
    table = Table(monkeypatch, position("." * 9, {"s1": (0, 0), "s2": (0, 3), "g1": (0, 6)}), movement=6)
    table.movement(SOVIETS, {"s1": east(0, 1, 8), "s2": east(0, 4, 8)})
    assert (table.position.at("s1"), table.position.at("s2")) == ((0, 2), (0, 5))


def test_fc_4_3_units_move_in_the_order_of_their_numbers(monkeypatch):
    """The first one makes way for the second."""
    table = Table(monkeypatch, position("." * 20, {"s1": (0, 1), "s2": (0, 0)}), movement=3)
    table.movement(SOVIETS, {"s1": east(0, 2, 9), "s2": east(0, 1, 9)})
    assert (table.position.at("s1"), table.position.at("s2")) == ((0, 7), (0, 6))


@pytest.mark.parametrize(("letter", "squad", "vehicle"), [("s", 1, 0), ("H", 1, 0), ("B", 1, 1), ("w", 1, 1)])
def test_fc_4_3_squads_take_all_cover_vehicles_only_the_barn(monkeypatch, letter, squad, vehicle):
    for name, enters in (("s1", squad), ("T1", vehicle)):
        table = Table(monkeypatch, position(f".{letter}.", {name: (0, 0)}), movement=2)
        table.movement(SOVIETS, {name: [(0, 1)]})
        assert table.position.at(name) == (0, enters)


def test_fc_4_3_a_destroyed_unit_frees_its_cell():
    table = position("...", {"s1": (0, 0), "g1": (0, 1)})
    table.row("g1").men = 0
    table.remove_the_fallen()
    assert table.at("g1") == "gone"
    assert table.may_enter("s1", (0, 1))


TRENCH = """
.........
.wwwwww..
......w..
.........
"""


@pytest.mark.parametrize(
    ("start", "path", "end"),
    [
        ((1, 1), [(1, 2), (1, 3), (1, 4)], (1, 4)),  # along the trench
        ((1, 5), [(2, 6), (1, 6)], (1, 6)),  # diagonally, too
        ((1, 1), [(0, 1)], (0, 1)),  # out of it by one cell
        ((1, 1), [(0, 1), (0, 2)], (0, 1)),  # and no further
        ((1, 1), [(0, 1), (1, 2)], (0, 1)),  # nor in again
        ((1, 1), [(1, 2), (0, 2)], (1, 2)),  # along, then not out
        ((0, 0), [(1, 1), (1, 2)], (1, 2)),  # in, and on along it
        ((0, 0), [(1, 1), (2, 1)], (1, 1)),  # in, but not out again
        ((3, 0), [(2, 1), (3, 2), (3, 3)], (3, 3)),  # on the plain all is free
    ],
)
def test_fc_4_4_a_squad_in_a_trench(monkeypatch, start, path, end):
    table = Table(monkeypatch, position(TRENCH, {"s1": start}), movement=6)
    table.movement(SOVIETS, {"s1": path})
    assert table.position.at("s1") == end


def test_fc_4_4_two_trenches_are_not_connected(monkeypatch):
    table = Table(monkeypatch, position(".wmm.", {"s1": (0, 1)}), movement=6)
    table.movement(SOVIETS, {"s1": [(0, 2), (0, 3)]})
    assert table.position.at("s1") == (0, 2)


def test_fc_4_4_vehicles_cross_trenches(monkeypatch):
    table = Table(monkeypatch, position(TRENCH, {"T1": (0, 1)}), movement=6)
    table.movement(SOVIETS, {"T1": [(1, 1), (1, 2), (2, 2), (3, 2)]})
    assert table.position.at("T1") == (3, 2)


def test_fc_4_4_a_retreat_is_free_of_it():
    table = position(TRENCH, {"s1": (1, 3), "g1": (2, 3)})
    table.row("s1").allowance = table.allowance(2)
    assert table.rout("s1") == 1  # out to (0, 3), and there the map ends
    assert table.at("s1")[0] == 0


@pytest.mark.parametrize(
    ("path", "facing"),
    [
        ([(1, 2)], "northeast"),
        ([(2, 2), (3, 2)], "south"),
        ([(2, 0), (1, 0), (0, 0)], "north"),
        ([(3, 0)], "southwest"),
    ],
)
def test_fc_4_5_a_vehicle_faces_where_its_last_step_went(monkeypatch, path, facing):
    art = "....\n....\n....\n...."
    table = Table(monkeypatch, position(art, {"T1": (2, 1, "west")}), movement=6)
    table.movement(SOVIETS, {"T1": path}, {"T1": "east"})
    assert st.DIRECTIONS[table.position.row("T1").facing] == facing
    assert ("face", "T1") not in table.asked
    assert table.position.row("T1").moved == 1


@pytest.mark.parametrize(
    ("units", "path", "turns"),
    [
        ({"T1": (0, 0)}, [], True),  # it stays
        ({"T1": (0, 0), "s1": (0, 2)}, [(0, 1), (0, 2)], True),  # blocked after a step
        ({"T1": (0, 0), "s1": (0, 1)}, [(0, 1)], True),  # blocked at once
        ({"T1": (0, 0)}, [(0, 1)], False),
        ({"T1": (0, 0)}, east(0, 1, 9), False),  # the allowance ends: no block
    ],
)
def test_fc_4_5_one_that_does_not_move_or_is_blocked_may_turn(monkeypatch, units, path, turns):
    table = Table(monkeypatch, position("." * 10, units), movement=1)
    table.movement(SOVIETS, {"T1": path}, {"T1": "north"})
    assert st.DIRECTIONS[table.position.row("T1").facing] == ("north" if turns else "east")


@pytest.mark.parametrize("state", [{"stunned": 1}, {"cannot_move": 1}])
def test_fc_4_5_a_stunned_or_immobile_one_neither_moves_nor_turns(monkeypatch, state):
    table = Table(monkeypatch, position("...", {"T1": (0, 0), "s1": (0, 2)}).set("T1", **state), movement=6)
    table.movement(SOVIETS, {"T1": [(0, 1)]}, {"T1": "north"})
    assert (table.position.at("T1"), st.DIRECTIONS[table.position.row("T1").facing]) == ((0, 0), "west")
    assert ("move", "T1") not in table.asked
    assert ("face", "T1") not in table.asked


def test_fc_4_5_a_disarmed_vehicle_moves_and_fires_not():
    table = position("...", {"T1": (0, 0)}).set("T1", cannot_fire=1)
    assert table.can_move("T1")
    assert not table.can_fire("T1")


def test_fc_4_5_squads_have_no_facing(monkeypatch):
    table = Table(monkeypatch, position("...", {"s1": (0, 0)}))
    table.movement(SOVIETS, {})
    assert table.position.row("s1").facing == -1
    assert table.asked == [("move", "s1")]


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ([(0, 2)], "bad_move"),  # no neighbour
        ([(0, 0)], "bad_move"),  # the cell where it is
        ([-1], "bad_move"),
        ([(1, 0)], "bad_move"),  # off the map
        ([2**62], "bad_move"),
        (-1, "bad_move"),
        (402, "bad_move"),
        (-(2**62), "bad_move"),
    ],
)
def test_fc_4_5_steps_that_are_none_are_faults(monkeypatch, answer, fault):
    table = Table(monkeypatch, position("....", {"T1": (0, 0)}), movement=6)
    table.movement(SOVIETS, {"T1": answer})
    assert st.FAULTS[table.position.state.fault] == fault
    assert table.position.at("T1") == (0, 0)


@pytest.mark.parametrize("answer", [-1, 8, 2**62])
def test_fc_4_5_a_facing_that_is_none_is_a_fault(monkeypatch, answer):
    table = Table(monkeypatch, position("....", {"T1": (0, 0)}))
    table.movement(SOVIETS, {}, {"T1": answer})
    assert (st.FAULTS[table.position.state.fault], table.position.state.fault_value) == ("bad_facing", answer)
