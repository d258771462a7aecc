"""Chapter 6: close combat."""

import pytest

import sim.tank_hex.state as st
from tests.tank_hex_positions import Table, moved, position

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
