"""What each policy of Tank Hex is known by, in positions made for it, and that its doctrine decides it."""

import numpy as np
import pytest

import sim
import sim.tank_hex.state as st
from sim.geometry.hexagon import DIRECTIONS
from sim.tank_hex.appraisal import ASKED_AGAIN, NEXT_TANK
from sim.tank_hex.seat import DECISIONS
from sim.tank_hex.ways import STEPS_LEFT
from tests.tank_hex_positions import Position, position

BOOK = sim.rulebook("tank_hex")


class Hand:
    """A policy, with some numbers of its doctrine set, that decides in a position for red."""

    def __init__(self, table: Position, name: str, **doctrine: float) -> None:
        self.table = table
        self.policy = BOOK.policy(name, 0)
        self.doctrine = self.policy.numbers(doctrine)
        self.memory = np.zeros(64, np.int64)

    def ask(self, decision: str, subject: int, *given: int) -> tuple[int, np.ndarray]:
        order = np.full(st.ORDER, st.NOWHERE)
        order[: len(given)] = given
        decide = self.policy.decisions[DECISIONS.index(decision)]
        return int(decide(self.table.game, self.doctrine, self.memory, subject, order)), order

    def move(self) -> str:
        """Red's next move in words: ``R1 E E`` or ``march R1 E``; nothing if it passes."""
        unit, order = self.ask("move", 0)
        if unit == st.NOWHERE:
            return ""
        words = ["march"] if order[0] == 1 else []
        words.append(self.table.names.units[unit])
        self.table.begin_move(unit, order[0])
        while self.table.may_go_on(unit):
            direction, _ = self.ask("step", unit)
            if direction == st.NOWHERE:
                break
            assert self.table.may_step(unit, direction)
            self.table.step(unit, direction)
            words.append(DIRECTIONS[direction])
            if self.table.meet(unit):
                break
        return " ".join(words)

    def fire(self) -> str:
        """Red's next declaration, as ``R1 R2 at B1``."""
        target, order = self.ask("fire", 0)
        if target == st.NOWHERE:
            return ""
        names = self.table.names.units
        named = [names[unit] for unit in order[: st.MOST_TANKS] if unit != st.NOWHERE]
        return f"{' '.join(named)} at {names[target]}"


def gap(table: Position, name: str, other: str) -> int:
    """Hexes between two tanks."""
    return int(table.distance(table.where(name), table.where(other)))


def test_rush_marches_on_the_road_to_an_objective():
    """Ten hexes on the march where it would get five, and then it takes the objective."""
    road = [(3, column) for column in range(2, 20)]

    def table() -> Position:
        return position(
            {"R1": (3, 2), "B1": (0, 40)}, 6, 44, roads=[road], objectives={"Farm": ((3, 19), "blue")}
        )  # fmt: skip

    assert Hand(table(), "rush").move() == "march R1" + " E" * 10
    near = position({"R1": (3, 16), "B1": (0, 40)}, 6, 44, objectives={"Farm": ((3, 19), "blue")})
    assert Hand(near, "rush").move() == "R1 E E E"
    assert near.where("R1") == (3, 19)
    # Without a cost of the way and a worth of the objective it has no reason to go.
    assert Hand(table(), "rush", way=0, late=0, hold=0, stay=0, exposed=0).move() == ""


def test_brawler_enters_a_hex_with_an_enemy_when_it_may():
    def table() -> Position:
        return position({"R1": (3, 10), "R2": (4, 10), "B1": (3, 13)}, 8, 44)

    fought = table()
    assert Hand(fought, "brawler").move().startswith("R1")
    assert fought.where("R1") == fought.where("B1")
    avoided = table()
    Hand(avoided, "brawler", combat=0, exchange=0, near=0).move()
    assert avoided.where("R1") != avoided.where("B1")


def test_sniper_steps_back_from_an_enemy_that_is_too_near():
    def table() -> Position:
        return position({"R1": (3, 20), "B1": (3, 30)}, 8, 44).put("B1", fire_kill=1)

    back = table()
    assert Hand(back, "sniper").move().startswith("R1")
    assert gap(back, "R1", "B1") == 15
    # One that may be nearer goes to where its shots are best: level 10 begins at 8 hexes.
    content = table()
    Hand(content, "sniper", distance=8).move()
    assert gap(content, "R1", "B1") == 8


def test_sniper_prefers_woods_and_heights():
    grades = {(3, 9): 2}

    def table() -> Position:
        return position({"R1": (3, 10), "B1": (3, 30)}, 8, 44, woods=[(2, 11)], grades=grades).put("B1", fire_kill=1)

    low = table()
    Hand(low, "sniper").move()
    assert low.where("R1") == (2, 11)
    high = table()
    Hand(high, "sniper", height=5).move()
    assert high.where("R1") == (3, 9)


@pytest.mark.parametrize(("share", "moves"), [(0.5, 2), (0.25, 1), (1.0, 4)])
def test_overwatch_leaves_half_of_its_tanks_unmoved(share, moves):
    units = {f"R{number}": (number, 3) for number in range(1, 5)} | {"B1": (0, 42)}
    table = position(units, 8, 44, objectives={"Farm": ((3, 30), "blue")})
    hand = Hand(table, "overwatch", share=share)
    moved = []
    while move := hand.move():
        moved.append(move.split()[0])
    assert len(set(moved)) == len(moved) == moves


def test_overwatch_goes_no_further_than_a_bound():
    """The foremost tank stands at 20 MP from the objective: with a bound of 2 MP nobody goes nearer than 18."""

    def table() -> Position:
        units = {"R1": (3, 10), "R2": (5, 10), "B1": (0, 42)}
        return position(units, 8, 44, objectives={"Farm": ((3, 30), "blue")})

    quiet = {"exposed": 0, "target": 0, "danger": 0, "reaction": 0}
    assert Hand(table(), "overwatch", bound=2, beyond=10, **quiet).move() == "R1 E E"
    assert len(Hand(table(), "overwatch", bound=9, beyond=10, **quiet).move().split()) == 1 + 5


def test_static_defence_stays_where_it_watches_and_takes_cover():
    """One hex of woods in sight of the objective is enough; out of it, it goes in."""
    held = {"objectives": {"Farm": ((3, 20), "red")}, "woods": [(3, 12)]}
    inside = position({"R1": (3, 12), "B1": (0, 43)}, 8, 44, **held)
    assert Hand(inside, "static_defence").move() == ""
    outside = position({"R1": (3, 11), "B1": (0, 43)}, 8, 44, **held)
    assert Hand(outside, "static_defence").move() == "R1 E"
    stubborn = position({"R1": (3, 11), "B1": (0, 43)}, 8, 44, **held)
    assert Hand(stubborn, "static_defence", gain=50).move() == ""


def test_balanced_weighs_an_objective_against_fire_on_the_way():
    """Two enemies that may give opportunity fire are not worth an objective at little, but are at much."""

    def table() -> Position:
        return position({"R1": (3, 10), "B1": (3, 20), "B2": (4, 20)}, 8, 44, objectives={"Farm": ((3, 13), "blue")})

    assert Hand(table(), "balanced", hold=0.1, target=0).move() != "R1 E E E"
    assert Hand(table(), "balanced", hold=20).move() == "R1 E E E"
    # Whoever was fired at is not fired at again on the way (TH-2.2).
    free = table().put("R1", fired_at=1)
    assert Hand(free, "balanced", hold=1.5, danger=0).move() == "R1 E E E"
    assert Hand(table(), "balanced", hold=1.5, danger=0, reaction=5).move() != "R1 E E E"


@pytest.mark.parametrize(("there", "enters"), [(3, True), (4, False)])
def test_th_2_3_nobody_goes_where_there_is_no_room(there, enters):
    """A fifth tank would be destroyed, however much the objective is worth."""
    units = {"R1": (3, 10), "B1": (0, 42)} | {f"R{number}": (3, 13) for number in range(2, 2 + there)}
    table = position(units, 8, 44, objectives={"Farm": ((3, 13), "blue")})
    Hand(table, "balanced", hold=50).move()
    assert (table.where("R1") == (3, 13)) is enters


def test_fire_is_concentrated_until_it_is_sure():
    units = {"R1": (3, 10), "R2": (4, 10), "R3": (5, 10), "B1": (3, 20), "B2": (3, 44)}

    def said(**doctrine: float) -> str:
        return Hand(position(units, 8, 48), "balanced", **doctrine).fire()

    # 24 of 36 throws at level 9, less one in six of the armour die: 0.56 for one tank, 0.80 for two, 0.91 for three.
    assert said(sure=0.5) == "R1 at B1"
    assert said(sure=0.75) == "R1 R2 at B1"
    assert said(sure=0.9) == "R1 R2 R3 at B1"
    assert said(sure=0.9, most_shooters=2) == "R1 R2 at B1"
    assert said(fires_at=0.95) == ""


def test_a_target_that_can_fire_goes_before_one_that_cannot():
    def table() -> Position:
        return position({"R1": (3, 10), "B1": (3, 14), "B2": (3, 18)}, 8, 44).put("B1", fire_kill=1)

    assert Hand(table(), "rush").fire() == "R1 at B2"
    assert Hand(table(), "rush", disarmed=1).fire() == "R1 at B1"


def test_the_card_goes_to_whom_it_helps():
    """TH-7.1: two levels are nothing to a shooter at level 10; rapid loading is kept for the last shooter."""
    units = {"R1": (3, 10), "R2": (3, 4), "B1": (3, 16)}
    table = position(units, 8, 44).holds("red", "firepower")
    target, order = Hand(table, "balanced", sure=1).ask("fire", 0)
    assert (target, order[0], order[1]) == (2, 0, 1)
    assert order[st.FIREPOWER_FOR] == 1
    for most, second in ((1, st.NOWHERE), (2, 2)):
        table = position(units, 8, 44).holds("red", "rapid_loading")
        _, order = Hand(table, "balanced", sure=1, most_shooters=most).ask("fire", 0)
        assert order[st.SECOND_TARGET] == second


@pytest.mark.parametrize(("reacts_at", "reacts"), [(0.25, True), (0.9, False)])
def test_opportunity_fire_needs_a_chance(reacts_at, reacts):
    table = position({"R1": (3, 10), "B1": (3, 20)}, 8, 44)
    answer, order = Hand(table, "static_defence", reacts_at=reacts_at, sure=0.5).ask("react", 1)
    assert (answer == 1) is reacts
    if reacts:
        assert order[0] == 0


def test_fire_before_the_end_of_a_move_needs_a_chance():
    table = position({"R1": (3, 10), "B1": (3, 40)}, 8, 44)
    hand = Hand(table, "rush")
    hand.memory[STEPS_LEFT] = 2
    assert hand.ask("shoot", 0)[0] == st.NOWHERE
    hand.memory[STEPS_LEFT] = 0
    assert hand.ask("shoot", 0)[0] == 1


def test_tanks_that_declined_are_asked_again_a_few_at_a_time():
    units = {f"R{number}": (number, 3) for number in range(6)} | {"B1": (0, 42)}
    table = position(units, 8, 44)
    hand = Hand(table, "balanced", gain=50)
    for asked in (0, ASKED_AGAIN, 2 * ASKED_AGAIN):
        assert hand.move() == ""
        assert hand.memory[NEXT_TANK] == asked % 6
