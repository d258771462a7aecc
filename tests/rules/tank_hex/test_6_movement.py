"""Chapter 6: movement, the fires that belong to it, illegal steps."""

import pytest

import sim.tank_hex.state as st
from sim.geometry.hexagon import DIRECTIONS
from tests.tank_hex_positions import Table, moved, position

E, SE = DIRECTIONS.index("E"), DIRECTIONS.index("SE")


def field(units=None, **ground):
    """8 rows of 16: what is laid down in the upper half has its image in the lower."""
    return position({"R1": (1, 1), "B1": (7, 15), **(units or {})}, 8, 16, **ground)


# 6.1


@pytest.mark.parametrize(
    ("ground", "points"),
    [
        ({}, 1),
        ({"woods": [(1, 2)]}, 2),
        ({"built_up": [(1, 2)]}, 3),
        ({"rivers": [((1, 1), (1, 2))]}, 3),
        ({"rivers": [((1, 1), (1, 2))], "woods": [(1, 2)]}, 3),  # the river, which is more than the woods
        ({"rivers": [((1, 1), (1, 2))], "built_up": [(1, 2)]}, 3),
        ({"roads": [[(1, 1), (1, 2)]]}, 1),
        ({"roads": [[(1, 1), (1, 2)]], "woods": [(1, 2)]}, 1),  # whatever the terrain
        ({"roads": [[(1, 1), (1, 2)]], "built_up": [(1, 2)]}, 1),
        ({"roads": [[(1, 1), (1, 2)]], "rivers": [((1, 1), (1, 2))]}, 1),  # a bridge
        ({"water": [(1, 2)]}, 0),  # closed
        ({"grades": {(1, 2): 3}}, 1),  # height costs nothing
        ({"woods": [(1, 1)]}, 1),  # what is left does not count
    ],
)
def test_th_6_1_points_of_a_step(ground, points):
    table = field(**ground)
    assert table.game.board.cost[table.hex((1, 1)), E] == points


def test_th_6_1_the_river_or_the_terrain_whichever_is_more():
    table = field(rivers=[((1, 1), (1, 2))], built_up=[(1, 2)], numbers={"movement.terrain.built_up": 4})
    assert table.game.board.cost[table.hex((1, 1)), E] == 4


def test_th_6_1_points_add_up_and_the_rest_is_lost(monkeypatch):
    """Woods, woods and open ground are 5 MP; a stop after the first leaves 3 that are lost."""
    woods = [(1, 2), (1, 3)]
    table = field(woods=woods)
    moved(monkeypatch, table, "R1 E E E")
    assert (table.where("R1"), table.tank("R1").spent, table.tank("R1").hexes) == ((1, 4), 5, 3)
    table = field(woods=woods)
    play = moved(monkeypatch, table, "R1 E", "R1 E")
    assert (table.where("R1"), table.tank("R1").spent) == ((1, 2), 2)
    assert not table.may_move("R1")
    assert play.red.answers["move"] == ["R1 E"]


ROAD = [[(1, column) for column in range(1, 14)]]


def test_th_6_1_the_march_two_hexes_a_point(monkeypatch):
    """Ten hexes along the road with 5 MP, through woods and over a river."""
    table = field(roads=ROAD, woods=[(1, 3)], rivers=[((1, 4), (1, 5))])
    moved(monkeypatch, table, "march R1" + 11 * " E")
    assert (table.where("R1"), table.tank("R1").spent, table.tank("R1").hexes) == ((1, 11), 5, 10)
    assert table.markers("R1") == {"moved", "marched"}


def test_th_6_1_an_odd_hex_of_the_march_costs_a_whole_point(monkeypatch):
    table = field(roads=ROAD)
    moved(monkeypatch, table, "march R1 E E E")
    assert (table.tank("R1").hexes, table.tank("R1").spent) == (3, 2)


@pytest.mark.parametrize(
    ("units", "ground"),
    [
        ({}, {}),  # no road
        ({}, {"roads": [[(1, 2), (1, 3)]]}),  # no road link here
        ({"R2": (1, 1)}, {"roads": ROAD}),  # from a stack
        ({"R2": (1, 2)}, {"roads": ROAD}),  # an own tank in the hex entered
    ],
)
def test_th_6_1_a_bad_march_does_not_move(monkeypatch, units, ground):
    table = field(units, **ground)
    moved(monkeypatch, table, "march R1 E")
    assert (table.where("R1"), table.markers("R1")) == ((1, 1), {"moved", "marched"})
    assert table.state.sides[0].illegal == 1


def test_th_6_1_a_march_does_nothing_else(monkeypatch):
    """No fire on the move: it is not even asked for."""
    table = field({"B2": (1, 9)}, roads=ROAD)
    play = moved(monkeypatch, table, "march R1 E E", red={"shoot": ["B2"]})
    assert "shoot" not in play.red.asked
    assert not table.may_fire_moving("R1")


def test_th_6_1_a_march_into_an_enemy_is_close_combat(monkeypatch):
    table = field({"B2": (1, 3)}, roads=ROAD)
    moved(monkeypatch, table, "march R1 E E E")
    assert (table.where("R1"), table.markers("R1") >= {"in_combat"}) == ((1, 3), True)


# 6.2


def test_th_6_2_opportunity_fire_after_each_hex_entered(monkeypatch):
    """Blue is asked at each of three hexes, the last too, and not at the start hex; it fires at the second."""
    table = position({"R1": (0, 0), "B1": (0, 12)})
    play = moved(monkeypatch, table, "R1 E E E", blue={"react": [st.NOWHERE, "B1 at R1"]}, shot=[(4, 4, 6)])
    assert play.blue.asked.count("react") == 2  # the third time nobody is left who has not fired
    assert table.shots() == ["opportunity B1 at R1: none"]
    (shot,) = table.events("opportunity")
    assert (shot.distance, shot.target_hex) == (10, 2)
    assert table.where("R1") == (0, 3)


def test_th_6_2_the_last_hex_counts_too(monkeypatch):
    table = position({"R1": (0, 0), "B1": (0, 12)})
    play = moved(monkeypatch, table, "R1 E E E E E", blue={"react": [-1, -1, -1, -1, "B1 at R1"]}, shot=[(5, 5, 6)])
    assert play.blue.asked.count("react") == 5
    assert table.markers("R1") >= {"destroyed"}


def test_th_6_2_march_hexes_count_too(monkeypatch):
    table = field({"B2": (1, 13)}, roads=ROAD)
    play = moved(monkeypatch, table, "march R1 E E E")
    assert play.blue.asked.count("react") == 3


def test_th_6_2_a_tank_that_stays_cannot_be_shot_at(monkeypatch):
    """Nor one that has ended its move: the next to move is asked about, not the last."""
    table = position({"R1": (0, 0), "R2": (0, 1), "B1": (0, 12)})
    play = moved(monkeypatch, table, "R1", "R2 E", blue={"react": ["B1 at R2"]}, shot=[(4, 4, 6)])
    assert play.blue.asked.count("react") == 1
    assert table.shots() == ["opportunity B1 at R2: none"]


def test_th_6_2_m_only_forbids_the_next_step(monkeypatch):
    """M by opportunity fire: covering fire and its own fire follow; then it stops."""
    table = position({"R1": (0, 0), "R2": (0, 1), "B1": (0, 12), "B2": (0, 13)})
    moved(monkeypatch, table, "R1 E E", red={"cover": ["R2 at B1"], "shoot": ["B2"]}, blue={"react": ["B1 at R1"]},
          shot=[(6, 6, 6), (4, 4, 6), (4, 4, 6)])  # fmt: skip
    assert table.shots() == [
        "opportunity B1 at R1: mobility_kill",
        "covering R2 at B1: none",
        "on_the_move R1 at B2: none",
    ]
    assert table.where("R1") == (0, 1)


def test_th_6_2_the_order_in_a_hex(monkeypatch):
    """Impact markers, opportunity fire, covering fire, own fire, next step."""
    table = position({"R1": (0, 0), "R2": (0, 2), "B1": (0, 12), "B2": (0, 13)})
    table.state.impacts[0, 0], table.state.impact_battery[0] = 1, st.BATTERY_155
    red = {"cover": ["R2 at B1"], "shoot": ["B2"]}
    play = moved(monkeypatch, table, "R1 E E", red=red, blue={"react": ["B1 at R1"]},
                 shell=[(4, 4, 6)], shot=[(4, 4, 6)] * 3)  # fmt: skip
    kinds = [st.EVENT_KINDS[row.kind] for row in table.events()]
    assert kinds == ["move", "barrage", "opportunity", "covering", "on_the_move"]
    assert play.red.asked == ["move", "step", "cover", "shoot", "step", "step"]
    assert table.where("R1") == (0, 2)


def test_th_6_2_the_enemy_in_the_hex_comes_before_fire(monkeypatch):
    """Impact markers first; then combat, and no opportunity fire in a combat hex."""
    table = position({"R1": (0, 0), "B1": (0, 1), "B2": (0, 9)})
    table.state.impacts[1, 0], table.state.impact_battery[1] = 1, st.BATTERY_122
    play = moved(monkeypatch, table, "R1 E E", shell=[(4, 4, 6)])
    assert table.markers("R1") == {"moved", "in_combat"}
    assert "react" not in play.blue.asked
    assert len(table.events("barrage")) == 1  # on who enters, not on who is there


def test_th_6_2_a_tank_destroyed_by_an_impact_marker_is_gone(monkeypatch):
    table = position({"R1": (0, 0), "B1": (0, 12)})
    table.state.impacts[0, 0], table.state.impact_battery[0] = 1, st.BATTERY_155
    play = moved(monkeypatch, table, "R1 E E", shell=[(1, 2, 6)])
    assert table.where("R1") is None
    assert "react" not in play.blue.asked


# 6.3


def test_th_6_3_covering_fire_at_who_fired(monkeypatch):
    table = position({"R1": (0, 0), "R2": (0, 1), "B1": (0, 12), "B2": (0, 13)})
    play = moved(monkeypatch, table, "R1 E", red={"cover": ["R2 at B1"]}, blue={"react": ["B1 at R1"]},
                 shot=[(4, 4, 6), (5, 5, 6)])  # fmt: skip
    assert table.shots() == ["opportunity B1 at R1: none", "covering R2 at B1: destroyed"]
    assert play.red.offered == ["B1"]
    assert table.markers("R2") == {"fired"}


def test_th_6_3_also_after_the_movers_loss(monkeypatch):
    table = position({"R1": (0, 0), "R2": (0, 1), "B1": (0, 12)})
    moved(monkeypatch, table, "R1 E", red={"cover": ["R2 at B1"]}, blue={"react": ["B1 at R1"]},
          shot=[(5, 5, 6), (5, 5, 6)])  # fmt: skip
    assert table.shots() == ["opportunity B1 at R1: destroyed", "covering R2 at B1: destroyed"]


def test_th_6_3_one_declaration_for_each_opportunity_declaration(monkeypatch):
    """Two fired in one declaration: one of them may be fired at."""
    table = position({"R1": (0, 0), "R2": (0, 1), "R3": (0, 2), "B1": (0, 12), "B2": (0, 13)})
    play = moved(monkeypatch, table, "R1 E", red={"cover": ["R2 at B2", "R3 at B1"]}, blue={"react": ["B1 B2 at R1"]},
                 shot=[(4, 4, 6)] * 3)  # fmt: skip
    assert play.red.offered == ["B1", "B2"]
    assert table.shots()[2:] == ["covering R2 at B2: none"]
    assert play.red.asked.count("cover") == 1


def test_th_6_3_no_covering_fire_without_opportunity_fire_nor_by_who_has_moved(monkeypatch):
    table = position({"R1": (0, 0), "R2": (0, 1), "B1": (0, 12)})
    play = moved(monkeypatch, table, "R2", "R1 E", blue={"react": ["B1 at R1"]}, shot=[(4, 4, 6)])
    assert "cover" not in play.red.asked  # R2 has had its move
    table = position({"R1": (0, 0), "R2": (0, 1), "B1": (0, 12)})
    play = moved(monkeypatch, table, "R1 E")
    assert "cover" not in play.red.asked


def test_th_6_3_not_at_who_did_not_fire(monkeypatch):
    table = position({"R1": (0, 0), "R2": (0, 1), "B1": (0, 12), "B2": (0, 13)})
    moved(monkeypatch, table, "R1 E", red={"cover": ["R2 at B2"]}, blue={"react": ["B1 at R1"]}, shot=[(4, 4, 6)])
    assert st.FAULTS[table.state.fault] == "bad_target"


# 6.4


def test_th_6_4_fire_on_the_move_once_one_level_less(monkeypatch):
    """At 18 hexes level 9 becomes 8: 7 does nothing there. It does not fire again at the next hex."""
    table = position({"R1": (0, 0), "B1": (0, 19)})
    play = moved(monkeypatch, table, "R1 E E", red={"shoot": ["B1"]}, shot=[(3, 4, 6)])
    (shot,) = table.events("on_the_move")
    assert (shot.distance, shot.level_by_table, shot.level) == (18, 9, 8)
    assert table.shots() == ["on_the_move R1 at B1: none"]
    assert play.red.asked.count("shoot") == 1
    assert table.markers("R1") == {"moved", "fired"}
    assert table.where("R1") == (0, 2)


def test_th_6_4_not_without_a_step(monkeypatch):
    table = position({"R1": (0, 0), "B1": (0, 19)})
    play = moved(monkeypatch, table, "R1", red={"shoot": ["B1"]})
    assert "shoot" not in play.red.asked


def test_th_6_4_with_firepower(monkeypatch):
    """9 - 1 + 2 is capped at 10."""
    table = position({"R1": (0, 0), "B1": (0, 19)}).holds("red", "firepower")
    moved(monkeypatch, table, "R1 E", red={"shoot": ["+B1"]}, shot=[(3, 4, 6)])
    assert table.shots() == ["on_the_move R1 at B1: destroyed"]


# 6.5


def test_th_6_5_short_halt(monkeypatch):
    """Three MP and three levels: at 18 hexes 9 becomes 6. After two steps there are just 3 MP left."""
    table = position({"R1": (0, 0), "B1": (0, 20)}, halting="R1")
    moved(monkeypatch, table, "R1 E E E", red={"shoot": [st.NOWHERE, "B1"]}, shot=[(5, 5, 6)])
    (shot,) = table.events("short_halt")
    assert (shot.distance, shot.level_by_table, shot.level) == (18, 9, 6)
    assert table.shots() == ["short_halt R1 at B1: destroyed"]
    assert (table.where("R1"), table.tank("R1").spent) == ((0, 2), 5)


def test_th_6_5_not_with_fewer_points_left(monkeypatch):
    """After three steps 2 MP are left: it is not asked."""
    table = position({"R1": (0, 0), "B1": (0, 20)}, halting="R1")
    play = moved(monkeypatch, table, "R1 E E E E", red={"shoot": [st.NOWHERE, st.NOWHERE, "B1"]})
    assert play.red.asked.count("shoot") == 2
    assert table.where("R1") == (0, 4)


def test_th_6_5_after_it_the_move_may_go_on(monkeypatch):
    table = position({"R1": (0, 0), "B1": (0, 20)}, halting="R1")
    moved(monkeypatch, table, "R1 E E E", red={"shoot": ["B1"]}, shot=[(4, 4, 6)])
    assert (table.where("R1"), table.tank("R1").spent) == ((0, 2), 5)  # 1 + 3 + 1


# 6.6


def test_th_6_6_all_are_bound_by_one_shot_a_turn(monkeypatch):
    """B1 gave opportunity fire and can't again; R2 has covered and can't cover again; R1 was fired at and can't be."""
    table = position({"R1": (0, 0), "R2": (0, 1), "R3": (0, 2), "B1": (0, 12), "B2": (0, 13)})
    play = moved(monkeypatch, table, "R1 E E", "R3 E", red={"cover": ["R2 at B1", "R2 at B2"], "shoot": ["B1"]},
                 blue={"react": ["B1 at R1", "B1 at R3", "B2 at R3"]}, shot=[(4, 4, 6)] * 4)  # fmt: skip
    assert table.shots() == ["opportunity B1 at R1: none", "covering R2 at B1: none"]
    # R1's shot at B1, who has been fired at, is lost, and so is B1's second; nobody is left to cover for R3.
    assert (table.state.sides[0].illegal, table.state.sides[1].illegal) == (1, 1)
    assert play.blue.asked.count("react") == 2


# 6.7


@pytest.mark.parametrize(
    ("start", "step", "ground"),
    [
        ((1, 15), "E", {}),  # off the map
        ((0, 3), "NE", {}),
        ((1, 1), "E", {"water": [(1, 2)]}),  # closed
    ],
)
def test_th_6_7_an_illegal_step_is_undone(monkeypatch, start, step, ground):
    table = position({"R1": start, "B1": (7, 7)}, 8, 16, **ground)
    moved(monkeypatch, table, f"R1 {step} W")
    assert table.where("R1") == start  # and the move is over
    assert (table.state.sides[0].illegal, len(table.events("illegal_step"))) == (1, 1)


def test_th_6_7_a_step_that_the_points_do_not_cover(monkeypatch):
    """Four steps and 1 MP left: not enough for woods."""
    table = position({"R1": (0, 0), "B1": (0, 12)}, woods=[(0, 5)])
    moved(monkeypatch, table, "R1 E E E E E")
    assert (table.where("R1"), table.tank("R1").spent) == ((0, 4), 4)
    assert table.state.sides[0].illegal == 1


def test_th_6_7_the_other_side_may_fire_at_once_without_covering_and_own_fire(monkeypatch):
    table = position({"R1": (0, 0), "R2": (0, 1), "B1": (0, 12)})
    red = {"cover": ["R2 at B1"], "shoot": ["B1"]}
    play = moved(monkeypatch, table, "R1 W E", red=red, blue={"react": ["B1 at R1"]},
                 shot=[(4, 4, 6)])  # fmt: skip
    assert table.shots() == ["opportunity B1 at R1: none"]
    assert play.red.asked == ["move", "step", "move"]
    assert table.where("R1") == (0, 0)


def test_th_6_7_an_order_to_a_tank_that_fired_or_moved_only_loses_the_turn(monkeypatch):
    table = position({"R1": (0, 0), "R2": (0, 1), "R3": (0, 2), "B1": (0, 30), "B2": (0, 31)}).put("R1", fired=1)
    play = moved(monkeypatch, table, "R1 E", "R2 E", "R2 E", "R3 E", blue={"move": ["B1 E", "B2 E"]})
    assert [table.where(name) for name in ("R1", "R2", "R3")] == [(0, 0), (0, 2), (0, 2)]
    assert table.state.sides[0].illegal == 2
    assert play.red.answers["move"] == ["R3 E"]  # blue has passed, and an order that is lost is no other


def test_th_6_7_an_ineligible_shooter_is_dropped(monkeypatch):
    """R1 has fired, R2 can't, R4 is named twice: each is dropped and counted, R3 and R4 fire."""
    table = position({"R1": (0, 0), "R2": (0, 1), "R3": (0, 2), "R4": (0, 3), "B1": (0, 12)})
    table.put("R1", fired=1).put("R2", fire_kill=1)
    Table(monkeypatch, table, red={"fire": ["R1 R2 R3 R4 R4 at B1"]}, shot=[(4, 4, 6)] * 2).fire()
    assert table.shots() == ["direct R3 at B1: none", "direct R4 at B1: none"]
    assert table.state.sides[0].illegal == 3


def test_th_6_7_a_declaration_by_nobody_sets_no_marker(monkeypatch):
    table = position({"R1": (0, 0), "R2": (0, 1), "B1": (0, 12)}).put("R1", fired=1)
    Table(monkeypatch, table, red={"fire": ["R1 at B1"]}).fire()
    assert table.markers("B1") == set()
    assert (table.shots(), table.state.sides[0].illegal) == ([], 1)


@pytest.mark.parametrize(
    ("red", "fault"),
    [
        ({"move": [99]}, "bad_unit"),
        ({"move": ["B1 E"]}, "bad_unit"),
        ({"move": ["R1 6"]}, "bad_direction"),
        ({"move": ["R1 -2"]}, "bad_direction"),
        ({"fire": ["R1 at R2"]}, "bad_target"),
        ({"fire": [99]}, "bad_target"),
        ({"fire": ["B1 at B1"]}, "bad_shooter"),
    ],
)
def test_th_6_7_what_is_no_order_at_all_is_a_fault(monkeypatch, red, fault):
    table = position({"R1": (0, 0), "R2": (0, 1), "B1": (0, 12)})
    Table(monkeypatch, table, red=red).fire().movement()
    assert st.FAULTS[table.state.fault] == fault
