"""Chapter 6: movement, the fires that belong to it, illegal steps, close combat."""

import pytest

import sim.tank_hex.state as st
from sim.geometry.hexagon import DIRECTIONS
from tests.tank_hex_positions import Table, position

E, SE = DIRECTIONS.index("E"), DIRECTIONS.index("SE")


def field(units=None, **ground):
    """8 rows of 16: what is laid down in the upper half has its image in the lower."""
    return position({"R1": (1, 1), "B1": (7, 15), **(units or {})}, 8, 16, **ground)


def moved(monkeypatch, table, *moves, red=None, blue=None, **dice):
    """A movement phase in which red makes these moves."""
    return Table(monkeypatch, table, red={"move": list(moves), **(red or {})}, blue=blue, **dice).movement()


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


# 6.8


def fight(monkeypatch, red, blue, *shots, units=None, **given):
    """A combat in (0, 5); ``red`` and ``blue`` are the tanks in it with what happened to them before."""
    cells = {**dict.fromkeys(red, (0, 5)), **dict.fromkeys(blue, (0, 6)), **(units or {})}
    targets = given.pop("targets", {})
    table = position(cells, **given.pop("ground", {}))
    for name, fields in {**red, **blue}.items():
        table.put(name, hex=5, in_combat=1, **fields)
    return Table(monkeypatch, table, red={"fight": targets.get("red", ["B1"] * 9)},
                 blue={"fight": targets.get("blue", ["R1"] * 9)}, shot=list(shots), **given).combats()  # fmt: skip


def test_th_6_8_a_tank_that_enters_stops(monkeypatch):
    table = position({"R1": (0, 0), "B1": (0, 2), "B2": (0, 12)})
    play = moved(monkeypatch, table, "R1 E E E", red={"shoot": [st.NOWHERE, "B2"]})
    assert (table.where("R1"), table.tank("R1").spent) == ((0, 2), 2)
    assert table.markers("B1") == {"in_combat"}
    assert play.red.asked.count("shoot") == 1  # at (0, 1) alone


def test_th_6_8_those_in_it_do_nothing_else_and_cannot_be_shot_at():
    table = position({"R1": (0, 5), "B1": (0, 9)}).put("R1", in_combat=1)
    for kind in ("direct", "opportunity", "covering", "on_the_move"):
        assert not table.may_fire(kind, "R1")
    assert not table.may_move("R1")
    assert not table.may_be_fired_at("R1")
    assert table.may_fight("R1")


def test_th_6_8_more_may_join(monkeypatch):
    table = position({"R1": (0, 0), "R2": (0, 1), "B1": (0, 2), "B2": (0, 3)})
    moved(monkeypatch, table, "R1 E E", "R2 E", blue={"move": ["B2 W"]})
    assert all(table.where(name) == (0, 2) for name in ("R1", "R2", "B1", "B2"))
    assert all(table.tank(name).in_combat for name in ("R1", "R2", "B1", "B2"))


def test_th_6_8_one_side_fires_then_the_survivors(monkeypatch):
    """Odd: red first. R1 misses, R2 destroys B1; B2 answers and misses; next round, even: blue first."""
    play = fight(monkeypatch, {"R1": {}, "R2": {}}, {"B1": {}, "B2": {}}, (4, 4, 1), (1, 2, 6), (4, 4, 6), (1, 2, 6),
                 (5, 5, 6), combat_first=[3, 2], targets={"red": ["B1", "B1", "B2"], "blue": ["R1", "R1"]})  # fmt: skip
    assert play.position.shots() == [
        "close_combat R1 at B1: suppressed",
        "close_combat R2 at B1: destroyed",
        "close_combat B2 at R1: suppressed",
        "close_combat B2 at R1: destroyed",
        "close_combat R2 at B2: destroyed",
    ]
    assert play.position.markers("R2") == set()  # combat is over, and no marker was set
    assert [roll for roll in play.rolled if roll[0] == "combat_first"] == [
        ("combat_first", 5, 0, 6),
        ("combat_first", 5, 1, 6),
    ]


def test_th_6_8_level_of_one_hex_and_s_counts(monkeypatch):
    """Level 10, suppressed 7."""
    play = fight(monkeypatch, {"R1": {"suppressed": 1}}, {"B1": {}}, (5, 5, 6))
    (shot,) = play.position.events("close_combat")
    assert (shot.distance, shot.level_by_table, shot.level, shot.range_m) == (1, 10, 7, 50)


@pytest.mark.parametrize("terrain", ["woods", "built_up"])
def test_th_6_8_terrain_is_ignored_the_armour_die_is_not(monkeypatch, terrain):
    """A 3 and a 2 would save in woods and in built-up ground; the armour die does. B1's 8 is nothing at level 7."""
    ground = {terrain: [(0, 5)]}
    play = fight(monkeypatch, {"R1": {}}, {"B1": {}}, (3, 2, 1), (4, 4, 6), (3, 2, 2), ground=ground)
    assert [shot.partition(": ")[2] for shot in play.position.shots()] == ["suppressed", "none", "destroyed"]


def test_th_6_8_earlier_fire_does_not_count_and_no_marker_is_set(monkeypatch):
    play = fight(monkeypatch, {"R1": {"fired": 1, "fired_at": 1, "moved": 1}}, {"B1": {"fired_at": 1}}, (5, 5, 6))
    assert play.position.shots() == ["close_combat R1 at B1: destroyed"]
    assert play.position.markers("R1") == {"fired", "fired_at", "moved"}


def test_th_6_8_no_firepower_in_it(monkeypatch):
    """The card is neither asked for nor added: a suppressed tank is at 7, not 9."""
    table = position({"R1": (0, 5), "B1": (0, 6)}).holds("red", "firepower")
    table.put("R1", in_combat=1, suppressed=1).put("B1", hex=5, in_combat=1)
    Table(monkeypatch, table, red={"fight": ["B1"]}, shot=[(5, 5, 6)]).combats()
    assert table.events("close_combat")[0].level == 7
    assert table.state.sides[0].card_uses == 0


def test_th_6_8_who_cannot_fire_does_not(monkeypatch):
    """R1 with F is a target all the same."""
    play = fight(monkeypatch, {"R1": {"fire_kill": 1}}, {"B1": {}}, (4, 4, 6), (5, 5, 6))
    assert play.position.shots() == ["close_combat B1 at R1: suppressed", "close_combat B1 at R1: destroyed"]


def test_th_6_8_locked_if_nobody_can_fire(monkeypatch):
    play = fight(monkeypatch, {"R1": {"fire_kill": 1}}, {"B1": {"fire_kill": 1}})
    assert play.position.shots() == []
    for name in ("R1", "B1"):
        assert "in_combat" in play.position.markers(name)
        assert not play.position.may_move(name)
        assert not play.position.may_be_fired_at(name)
    play.preparation()
    assert "in_combat" in play.position.markers("R1")


def test_th_6_8_a_locked_combat_may_be_reinforced(monkeypatch):
    table = position({"R1": (0, 4), "R2": (0, 5), "B1": (0, 6)})
    table.put("R2", in_combat=1, fire_kill=1).put("B1", hex=5, in_combat=1, fire_kill=1)
    play = moved(monkeypatch, table, "R1 E", red={"fight": ["B1"]}, shot=[(5, 5, 6)])
    play.combats()
    assert table.shots() == ["close_combat R1 at B1: destroyed"]
    assert [table.tank(name).in_combat for name in ("R1", "R2")] == [0, 0]


def test_th_6_8_shells_hit_those_in_it_and_may_end_it(monkeypatch):
    """Locked for want of fire; a shell destroys B1: red is free and holds the hex."""
    table = position({"R1": (0, 5), "B1": (0, 6)}, objectives={"Hill": ((0, 5), "blue")})
    table.put("R1", in_combat=1, fire_kill=1).put("B1", hex=5, in_combat=1, fire_kill=1)
    table.hidden.battery[0, 0], table.hidden.aim[0, 0], table.hidden.due[0, 0] = st.BATTERY_155, 5, 1
    Table(monkeypatch, table, draw=[1, 1], gun=[(1, 2)] + [(6,)] * 5, shell=[(4, 4, 6), (1, 2, 6)]).events()
    assert (table.where("B1"), table.tank("R1").in_combat) == (None, 0)
    assert table.state.places[0].holder == 0


@pytest.mark.parametrize(
    ("option", "phase"), [({}, "close_combat"), ({"close_combat_phase": "events"}, "close_combat")]
)
def test_th_6_8_the_phase_in_which_it_is_resolved(monkeypatch, option, phase):
    """When all movement is done, or after the events: seen by whether a card was drawn before."""
    table = position({"R1": (0, 4), "B1": (0, 5), "B2": (0, 40)}, **option)
    Table(monkeypatch, table, red={"move": ["R1 E"], "fight": ["B1"]}, shot=[(5, 5, 6)], draw=[1, 1]).turn()
    kinds = [st.EVENT_KINDS[row.kind] for row in table.events()]
    combat, draw = kinds.index("close_combat"), kinds.index("card_drawn")
    assert (combat < draw) == (not option)
    assert st.PHASES[table.events("close_combat")[0].phase] == phase


def test_th_6_8_a_target_outside_the_hex_is_a_fault(monkeypatch):
    play = fight(monkeypatch, {"R1": {}}, {"B1": {}}, units={"B2": (0, 9)}, targets={"red": ["B2"]})
    assert st.FAULTS[play.position.state.fault] == "bad_target"


def test_th_6_8_reactive_armour_works_in_it(monkeypatch):
    table = position({"R1": (0, 5), "B1": (0, 6)}).holds("blue", "reactive_armour")
    table.put("R1", in_combat=1).put("B1", hex=5, in_combat=1)
    Table(monkeypatch, table, red={"fight": ["B1"]}, blue={"fight": ["R1"], "brace": [1]},
          shot=[(5, 5, 6), (5, 5, 6)]).combats()  # fmt: skip
    assert table.shots() == ["close_combat R1 at B1: mobility_kill", "close_combat B1 at R1: destroyed"]
