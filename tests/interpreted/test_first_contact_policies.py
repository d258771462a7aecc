"""What is characteristic of each policy of First Contact, in positions made for it."""

from typing import Any

import numpy as np
import pytest

import sim.first_contact.state as st
from sim.first_contact.policies import POLICIES
from sim.first_contact.rules.control import update_control
from sim.first_contact.rules.terrain import facing_towards
from sim.first_contact.seat import DECISIONS
from sim.game import MEMORY
from sim.geometry.square import squared_distance, steps_between
from tests.first_contact_positions import RULES, Position, cell_of, place_of, position

POLICY = {policy.name: policy for policy in POLICIES}
THINKING = [policy.name for policy in POLICIES if policy.name != "random"]


class Side:
    """A side of a position, played by a policy whose answers are shown and, if asked for, carried out."""

    def __init__(self, table: Position, policy: str, side: int, turn: int = 1, **doctrine: float) -> None:
        self.table, self.policy, self.side = table, POLICY[policy], side
        self.doctrine = self.policy.numbers(doctrine)
        self.memory = np.zeros(MEMORY, np.int64)
        table.state.turn = turn
        RULES["look"](table.game, table.views[side], side)

    def ask(self, decision: str, subject: int, order: np.ndarray) -> int:
        decide = self.policy.decisions[DECISIONS.index(decision)]
        return int(decide(self.table.views[self.side], self.doctrine, self.memory, subject, order))

    def move(self, name: str, pips: int = 7) -> list[tuple[int, int]]:
        """The steps of a unit, as rows and columns."""
        unit, order = self.table.unit(name), np.full(st.ORDER, st.NOWHERE)
        self.table.row(name).allowance = pips * self.table.game.rules.pip
        RULES["show"](self.table.game, self.table.views[self.side], unit)
        return [place_of(cell) for cell in order[: self.ask("move", unit, order)]]

    def walk(self, name: str, pips: int = 7) -> None:
        """A unit moves as the policy says."""
        order = np.array([cell_of(*place) for place in self.move(name, pips)], np.int64)
        RULES["walk"](self.table.game, self.table.unit(name), order, len(order))
        RULES["look"](self.table.game, self.table.views[self.side], self.side)
        self.memory[:] = 0

    def fire(self, name: str) -> str | None:
        """Whom a unit fires at, with ``!`` if it suppresses; declared and paid for."""
        table, unit = self.table, self.table.unit(name)
        order = np.full(st.ORDER, st.NOWHERE)
        assert RULES["can_fire"](table.game, unit)
        RULES["list_marks"](table.game, RULES["enemy_of"](self.side))
        assert RULES["targets"](table.game, unit, order) > 0
        target = self.ask("fire", unit, order)
        if target == st.NOWHERE:
            return None
        row = table.row(name)
        row.target, row.fired = target, st.FIRE
        RULES["show"](table.game, table.views[self.side], unit)
        suppresses = RULES["may_suppress"](table.game, unit, target) and self.ask("suppress", unit, order) == 1
        return table.names.units[target] + ("!" if suppresses else "")

    def barrage(self) -> tuple[int, int] | None:
        aim = self.ask("barrage", self.side, np.full(st.ORDER, st.NOWHERE))
        return None if aim == st.NOWHERE else place_of(aim)


RED, BLUE = int(st.SOVIET), int(st.GERMAN)


def field(columns: int, rows: int = 9, **letters: tuple[int, int]) -> str:
    """Plain, with letters at some places."""
    lines = [["."] * columns for _ in range(rows)]
    for letter, (row, column) in letters.items():
        lines[row][column] = letter
    return "\n".join("".join(line) for line in lines)


def objective(columns: int, rows: int, *marks: tuple[int, int, int]) -> str:
    lines = [["."] * columns for _ in range(rows)]
    for row, column, number in marks:
        lines[row][column] = str(number)
    return "\n".join("".join(line) for line in lines)


def test_every_policy_says_what_it_is_and_what_its_numbers_mean():
    assert [policy.name for policy in POLICIES] == [
        "hold", "random", "advance", "assault", "standoff", "flank", "combined",
    ]  # fmt: skip
    for policy in POLICIES:
        assert policy.side is None
        assert policy.summary
        assert policy.name == "random" or policy.idea
        for doctrine in policy.doctrine:
            assert doctrine.meaning
            assert doctrine.low <= doctrine.default <= doctrine.high


# Ammunition is a budget.


@pytest.mark.parametrize("name", THINKING)
def test_the_last_ammunition_is_kept_for_what_is_near(name):
    far = position(field(60), {"T1": (4, 0), "g1": (4, 40)})
    near = position(field(60), {"T1": (4, 0), "g1": (4, 20)})
    for table in (far, near):
        table.set("T1", ammunition=1)
    assert Side(far, name, RED).fire("T1") is None
    assert Side(near, name, RED).fire("T1") == "g1"
    assert Side(far, name, RED, reserve=0).fire("T1") == "g1"


@pytest.mark.parametrize("name", THINKING)
def test_nobody_fires_where_the_chance_is_below_the_least(name):
    table = position(field(80), {"T1": (4, 0), "g1": (4, 75)})
    assert Side(table, name, RED, least_chance=0.2, reserve=0, pace=9).fire("T1") is None  # a chance of 1 in 6
    assert Side(table, name, RED, least_chance=0.1, reserve=0, pace=9).fire("T1") == "g1"


@pytest.mark.parametrize("name", THINKING)
def test_nobody_fires_at_a_front_that_cannot_be_penetrated(name):
    table = position(field(60), {"T1": (4, 0), "P1": (4, 20, "west")})
    assert Side(table, name, RED).fire("T1") is None
    table.set("P1", facing=0)
    assert Side(table, name, RED).fire("T1") == "P1"


@pytest.mark.parametrize("name", THINKING)
def test_shots_are_spread(name):
    """The second gun takes the second target: the first one is as good as hit."""
    units = {f"P{n}": (n, 0, "east") for n in range(1, 4)} | {"T1": (4, 20), "T2": (4, 22)}
    side = Side(position(field(60), units), name, BLUE, least_chance=0)
    assert {side.fire("P1"), side.fire("P2")} == {"T1", "T2"}
    assert Side(position(field(60), units | {"T2": None}), name, BLUE).fire("P1") == "T1"
    alone = Side(position(field(60), units | {"T2": None}), name, BLUE, least_chance=0.3)
    assert [alone.fire("P1"), alone.fire("P2")] == ["T1", None]  # a chance of 5 in 36 is left


@pytest.mark.parametrize("name", THINKING)
def test_suppression_only_with_what_is_left_over_and_once_for_a_target(name):
    units = {"P1": (3, 0), "P2": (5, 0), "s1": (4, 20)}
    early = Side(position(field(60), units), name, BLUE, turn=1, pace=1, least_chance=0)
    assert early.fire("P1") == "s1"  # 12 less 3 for 14 turns to come
    late = Side(position(field(60), units), name, BLUE, turn=10, pace=1, least_chance=0)
    assert [late.fire("P1"), late.fire("P2")] == ["s1!", "s1"]


def test_a_target_in_an_objective_counts_more():
    marks = objective(60, 9, (6, 25, 0))
    table = position(field(60), {"P1": (4, 0), "s1": (4, 20), "s2": (6, 25)}, objectives=marks)
    assert Side(table, "advance", BLUE, pace=9).fire("P1") == "s2"
    assert Side(table, "advance", BLUE, pace=9, ground=1).fire("P1") == "s1"


# hold


def test_hold_does_not_leave_its_trench():
    marks = objective(40, 9, (4, 30, 0))
    table = position(field(40, w=(4, 5)), {"g1": (4, 5), "s1": (4, 20)}, objectives=marks)
    assert Side(table, "hold", BLUE).move("g1") == []
    assert Side(table, "hold", BLUE, turn=2).move("g1") == []
    assert Side(table, "hold", RED, turn=15).move("s1") == []  # nothing to take: it holds all


def test_hold_takes_what_nobody_defends_and_counter_attacks_when_it_is_behind():
    marks = objective(40, 9, (4, 30, 0))
    units = {"g1": (4, 5), "P1": (6, 5)}
    assert Side(position(field(40, w=(4, 5)), units, objectives=marks), "hold", BLUE).move("P1")
    assert Side(position(field(40, w=(4, 5)), units, objectives=marks), "hold", BLUE, turn=9).move("g1")
    defended = units | {"s1": (4, 30)}
    assert Side(position(field(40), defended, objectives=marks), "hold", BLUE, weak=0).move("P1") == []


# advance


def test_advance_goes_the_fastest_way():
    """Three steps of forest cost a squad less than the way round it; a tank takes the road."""
    art = "\n".join(["............", ".ffffffffff.", ".ffffffffff.", ".ffffffffff.", "............"])
    table = position(art, {"g1": (0, 5)}, objectives=objective(12, 5, (4, 5, 0)))
    way = Side(table, "advance", BLUE).move("g1", 7)
    assert [row for row, _ in way] == [1, 2, 3, 4]
    assert way[-1] == (4, 5)
    table = position(".ffffff.\nrrrrrrrr", {"P1": (0, 0)}, objectives=objective(8, 2, (0, 7, 0)))
    assert Side(table, "advance", BLUE).move("P1", 7) == [*((1, column) for column in range(1, 7)), (0, 7)]


def test_who_arrives_takes_a_place_in_the_trench():
    table = position(field(20, m=(4, 10)), {"g1": (4, 5)}, objectives=objective(20, 9, (4, 9, 1), (4, 10, 1)))
    assert Side(table, "advance", BLUE).move("g1")[-2:] == [(4, 9), (4, 10)]


def test_a_garrison_stays_and_the_others_go_on():
    marks = objective(40, 9, (3, 10, 0), (4, 10, 0), (4, 30, 1))
    table = position(field(40), {"g1": (3, 10), "g2": (4, 10)}, objectives=marks)
    update_control(table.game)
    side = Side(table, "advance", BLUE, garrison=1)
    went = [name for name in ("g1", "g2") if side.move(name)]
    assert len(went) == 1


# assault


def test_assault_closes_with_squads_and_keeps_vehicles_out_of_their_reach():
    marks = objective(60, 9, (4, 55, 0))
    table = position(field(60), {"g1": (4, 10), "P1": (6, 10), "s1": (4, 16)}, objectives=marks)
    side = Side(table, "assault", BLUE)
    end = side.move("g1")[-1]
    assert steps_between(cell_of(*end), cell_of(4, 16)) == 1
    assert side.move("P1") == []
    far = position(field(60), {"P1": (4, 10), "s1": (4, 45)}, objectives=marks)
    (*_, end) = Side(far, "assault", BLUE).move("P1", 12)
    assert 31 <= 45 - end[1] < 35


# standoff


def test_standoff_stays_outside_the_range_of_the_enemys_gun():
    marks = objective(120, 9, (4, 119, 0))
    table = position(field(120), {"P1": (4, 5), "T1": (4, 90)}, objectives=marks)
    side = Side(table, "standoff", BLUE)
    for _ in range(5):
        side.walk("P1", 12)
    assert 80 < 90 - table.at("P1")[1] <= 100
    near = position(field(120), {"P1": (4, 20), "T1": (4, 90)}, objectives=marks)
    side = Side(near, "standoff", BLUE)
    side.walk("P1", 12)
    assert near.at("P1")[1] < 20


def test_standoff_does_not_go_nearer_to_a_longer_gun_and_closes_in_the_end():
    marks = objective(120, 9, (4, 119, 0))
    units = {"T1": (4, 119), "E1": (2, 119), "I1": (4, 30)}
    table = position(field(120), units, objectives=objective(120, 9, (4, 0, 0)))
    table.state.places["holder"][:] = st.GERMAN
    assert Side(table, "standoff", RED).move("T1") == []
    assert Side(table, "standoff", RED).move("E1")
    table = position(field(120), {"P1": (4, 30), "T1": (4, 100)}, objectives=marks)
    assert Side(table, "standoff", BLUE, turn=12).move("P1", 3) == [(4, 31), (4, 32), (4, 33)]


# flank


@pytest.mark.parametrize("facing", ["west", "northwest", "north"])
def test_flank_moves_round_to_the_side_or_rear(facing):
    table = position(field(60, 60), {"T1": (30, 5), "P1": (30, 40, facing)})
    enemy, cell = table.unit("P1"), table.row("P1").location
    side = Side(table, "flank", RED)
    for _ in range(8):
        side.walk("T1", 7)
    row = table.row("T1")
    assert facing_towards(table.game, enemy, row.location) != st.FRONT
    assert squared_distance(row.location, cell) <= 27 * 27
    assert side.fire("T1") == "P1"


def test_flank_leaves_far_enemies_alone():
    marks = objective(100, 9, (4, 10, 0))
    table = position(field(100), {"P1": (4, 5), "T1": (4, 90)}, objectives=marks)
    assert Side(table, "flank", BLUE).move("P1")[-1] == (4, 10)


# combined

TRENCHES = field(60, 20, m=(5, 40), t=(15, 40))
TRENCH_MARKS = objective(60, 20, (5, 40, 1), (15, 40, 2))


def combined(**more: Any) -> Side:
    units = {"s1": (5, 40), "s2": (15, 40), "g1": (10, 30), "P1": (10, 20)}
    table = position(TRENCHES, units, objectives=TRENCH_MARKS).set("s1", men=7)
    return Side(table, "combined", BLUE, barrage=1, **more)


def test_combined_has_the_barrage_on_the_strongest_trench():
    assert combined().barrage() == (15, 40)
    side = combined()
    side.table.set("s2", men=3)
    RULES["look"](side.table.game, side.table.views[BLUE], BLUE)
    assert side.barrage() == (5, 40)


def test_combined_waits_with_the_barrage_until_a_squad_can_follow():
    assert combined(follow=8).barrage() is None
    assert combined(follow=12).barrage() == (15, 40)


def test_combined_sends_squads_in_and_keeps_armour_in_overwatch():
    side = combined()
    end = cell_of(*side.move("g1", 12)[-1])
    assert min(steps_between(end, side.table.row(name).location) for name in ("s1", "s2")) == 1
    assert side.move("P1") == []
    assert combined(overwatch=5).move("P1")


def test_a_barrage_spares_own_men_and_wants_men_enough():
    table = position(field(40), {"s1": (4, 20), "g1": (4, 21), "g2": (4, 19)})
    assert Side(table, "advance", BLUE, barrage=1).barrage() is None
    table = position(field(40), {"s1": (4, 20), "s2": (4, 21), "g1": (4, 5)})
    assert Side(table, "advance", BLUE, barrage=12).barrage() in {(4, 20), (4, 21)}
    assert Side(table, "advance", BLUE, barrage=25).barrage() is None


def test_vehicles_face_the_nearest_gun():
    table = position(field(60), {"P1": (4, 30, "north"), "T1": (4, 50), "s1": (4, 29)})
    unit = table.unit("P1")
    for name in THINKING:
        assert Side(table, name, BLUE).ask("face", unit, np.full(st.ORDER, st.NOWHERE)) == 2
