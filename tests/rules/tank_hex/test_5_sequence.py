"""Chapter 5: the turn, who goes first, one order a turn, how long S lasts."""

import pytest

import sim.tank_hex.state as st
from tests.tank_hex_positions import Table, position

UNITS = {"R1": (0, 0), "R2": (0, 1), "B1": (0, 18), "B2": (0, 19)}

# 5.1


def test_th_5_1_the_phases_of_a_turn_in_order(monkeypatch):
    """Preparation with repair, fire, movement with opportunity fire, close combat, events with a draw."""
    table = position({"R1": (0, 0), "R2": (0, 4), "B1": (0, 6), "B2": (0, 9)}).put("R1", mobility_kill=1)
    table.hidden.drawn[0] = st.REPAIR
    play = Table(
        monkeypatch,
        table,
        red={"repair": ["R1"], "fire": ["R1 at B2"], "move": ["R2 E E"], "fight": ["B1", "B1"]},
        blue={"fight": ["R2", "R2"]},
        shot=[(1, 6, 6), (4, 4, 6), (4, 4, 6), (5, 5, 6)],
        draw=[1, 1],
    ).turn()
    assert play.red.asked == ["repair", "fire", "fire", "move", "step", "shoot", "step", "fight", "fight"]
    phases = [st.PHASES[row.phase] for row in table.events()]
    assert phases == sorted(phases, key=st.PHASES.index)
    assert set(phases) == set(st.PHASES)
    assert table.shots() == [
        "direct R1 at B2: suppressed",
        "close_combat R2 at B1: suppressed",
        "close_combat B1 at R2: none",
        "close_combat R2 at B1: destroyed",
    ]
    assert table.state.turn == 2


def test_th_5_1_a_side_without_tanks_ends_the_turn_at_the_phase(monkeypatch):
    """The last blue tank dies in the fire phase: nobody moves, no card is drawn."""
    table = position({"R1": (0, 0), "B1": (0, 8)}, objectives={"Hill": ((1, 3), "blue")})
    play = Table(monkeypatch, table, red={"fire": ["R1 at B1"], "move": ["R1 E"]}, shot=[(5, 5, 6)]).turn()
    assert play.red.asked == ["fire"]
    assert table.hidden.drawn[0] == -1
    assert (table.state.sides[1].beaten, table.state.sides[0].beaten) == (1, 0)
    assert table.state.places[0].holder == 0


def test_th_5_1_preparation_takes_markers_off(monkeypatch):
    table = position(UNITS).put("R1", fired=1, moved=1).put("B1", fired_at=1)
    Table(monkeypatch, table).preparation()
    assert [table.markers(name) for name in UNITS] == [set()] * 4


# 5.2


@pytest.mark.parametrize(("die", "first"), [(1, "red"), (2, "blue"), (3, "red"), (4, "blue"), (5, "red"), (6, "blue")])
def test_th_5_2_odd_red_first_even_blue(monkeypatch, die, first):
    """A die for the fire phase and a new one for movement; the first player of each is recorded."""
    table = position(UNITS)
    assert table.first_side(die) == ("red", "blue").index(first)
    other = die % 6 + 1
    orders = {"fire": ["R1 at B1"], "move": ["R2 E"]}, {"fire": ["B1 at R1"], "move": ["B2 W"]}
    play = Table(monkeypatch, table, *orders, fire_first=[die], move_first=[other], shot=[(4, 4, 6)] * 2).fire()
    assert st.SIDE_NAMES[table.events("direct")[0].side] == first
    play.movement()
    sides = table.state.sides
    assert [sides[0].first_to_fire, sides[1].first_to_fire] == ([1, 0] if first == "red" else [0, 1])
    assert [sides[0].first_to_move, sides[1].first_to_move] == ([0, 1] if first == "red" else [1, 0])
    assert st.SIDE_NAMES[table.events("move")[0].side] != first


def test_th_5_2_the_sides_alternate_and_results_count_at_once(monkeypatch):
    """R1 destroys B1 before it can fire; then blue, then red again."""
    table = position(UNITS)
    Table(monkeypatch, table, red={"fire": ["R1 at B1", "R2 at B2"]}, blue={"fire": ["B2 at R1"]},
          shot=[(2, 3, 6), (4, 4, 6), (4, 4, 6)]).fire()  # fmt: skip
    assert table.shots() == ["direct R1 at B1: destroyed", "direct B2 at R1: none", "direct R2 at B2: none"]


def test_th_5_2_a_pass_is_not_final_two_in_a_row_are(monkeypatch):
    """Red passes, blue fires, red fires, blue passes, red passes: the end, though red would have had another order."""
    table = position(UNITS)
    play = Table(monkeypatch, table, red={"fire": [st.NOWHERE, "R1 at B1", st.NOWHERE, "R2 at B2"]},
                 blue={"fire": ["B1 at R1"]}, shot=[(4, 4, 6)] * 2).fire()  # fmt: skip
    assert table.shots() == ["direct B1 at R1: none", "direct R1 at B1: none"]
    assert play.red.answers["fire"] == ["R2 at B2"]


def test_th_5_2_movement_alternates_one_whole_move_at_a_time(monkeypatch):
    table = position(UNITS)
    Table(
        monkeypatch, table, red={"move": ["R1 W", st.NOWHERE, "R2 E E"]}, blue={"move": ["B1 E E", "B2 W"]}
    ).movement()
    assert [table.names.units[row.actor] for row in table.events("move")] == ["R1", "B1", "B2", "R2"]


def test_th_5_2_two_passes_end_the_movement(monkeypatch):
    table = position(UNITS)
    play = Table(monkeypatch, table, red={"move": [st.NOWHERE, "R1 E"]}).movement()
    assert table.events("move") == []
    assert (play.red.asked, play.blue.asked) == (["move"], ["move"])


def test_th_5_2_who_can_do_nothing_is_not_asked(monkeypatch):
    """With F on all its tanks red passes by itself, and blue's second declaration follows its first."""
    table = position(UNITS).put("R1", fire_kill=1).put("R2", fire_kill=1)
    play = Table(monkeypatch, table, blue={"fire": ["B1 at R1", "B2 at R2"]}, shot=[(4, 4, 6)] * 2).fire()
    assert len(table.shots()) == 2
    assert play.red.asked == []


# 5.3


def test_th_5_3_a_tank_that_fired_cannot_move(monkeypatch):
    table = position(UNITS)
    Table(monkeypatch, table, red={"fire": ["R1 at B1"], "move": ["R1 E"]}, shot=[(4, 4, 6)]).fire().movement()
    assert table.where("R1") == (0, 0)
    assert table.state.sides[0].illegal == 1


@pytest.mark.parametrize(("option", "reacts"), [({}, False), ({"moved_may_react": True}, True)])
def test_th_5_3_a_tank_that_moved_and_opportunity_fire(option, reacts):
    table = position(UNITS, **option).put("R1", moved=1)
    assert table.may_fire("opportunity", "R1") == reacts
    assert table.may_fire("opportunity", "R2")
    assert not table.may_fire("covering", "R1")  # in no case
    assert table.may_fire("covering", "R2")
    assert table.may_fire("on_the_move", "R1")


def test_th_5_3_a_tank_that_moved_gives_no_opportunity_fire(monkeypatch):
    """B1 has moved: named with B2 it is dropped, and counted."""
    table = position(UNITS)
    Table(monkeypatch, table, red={"move": ["R2 E"]}, blue={"move": ["B1 E"], "react": ["B1 B2 at R2"]}, move_first=[2],
          shot=[(4, 4, 6)]).movement()  # fmt: skip
    assert table.shots() == ["opportunity B2 at R2: none"]
    assert table.state.sides[1].illegal == 1


# 5.4


BY_DEFAULT = {}
UNTIL_EVENTS = {"suppression_until": "events"}
UNTIL_NEXT_TURN = {"suppression_until": "next_turn"}


@pytest.mark.parametrize(("option", "lasts"), [(BY_DEFAULT, True), (UNTIL_EVENTS, True), (UNTIL_NEXT_TURN, False)])
def test_th_5_4_suppression_by_shells(monkeypatch, option, lasts):
    """By default S comes off before the shells land, so that theirs lasts through the next turn."""
    table = position({"R1": (0, 0), "B1": (0, 18)}, **option)
    table.hidden.battery[0, 0], table.hidden.aim[0, 0], table.hidden.due[0, 0] = st.BATTERY_155, 18, 1
    play = Table(monkeypatch, table, draw=[1, 1], gun=[(1, 2)] + [(6,)] * 5, shell=[(2, 4, 6)]).events()
    assert table.markers("B1") == {"suppressed"}  # level 6: 6 is S
    table.state.turn = 2
    play.preparation()
    assert (table.markers("B1") == {"suppressed"}) == lasts


@pytest.mark.parametrize(("option", "off"), [(BY_DEFAULT, True), (UNTIL_EVENTS, True), (UNTIL_NEXT_TURN, False)])
def test_th_5_4_suppression_by_fire_comes_off_before_the_draw(monkeypatch, option, off):
    table = position({"R1": (0, 0), "B1": (0, 18)}, **option).put("B1", suppressed=1, was_suppressed=1)
    Table(monkeypatch, table, draw=[1, 1]).events()
    assert (table.markers("B1") == set()) == off
    assert table.tank("B1").was_suppressed == 1


def test_th_5_4_impact_markers_come_off(monkeypatch):
    table = position(UNITS)
    table.state.impacts[:] = 7
    table.state.impact_battery[:] = st.BATTERY_122
    Table(monkeypatch, table, draw=[1, 1]).events()
    assert (table.state.impacts == -1).all()
    assert (table.state.impact_battery == -1).all()
