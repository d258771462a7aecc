"""Chapter 2: tanks, markers, stacking."""

import pytest

import sim.tank_hex.board as board
from sim.rules_file import BadInput
from tests.tank_hex_positions import Table, field_document, position, rules_document, scenario_of

# 2.1


def test_th_2_1_five_movement_points(monkeypatch):
    """Five steps on open ground; a sixth is not even asked for."""
    table = position({"R1": (0, 0), "B1": (1, 43)})
    assert table.allowance("R1") == 5
    Table(monkeypatch, table, red={"move": ["R1 E E E E E E E"]}).movement()
    assert table.where("R1") == (0, 5)
    assert (table.tank("R1").spent, table.tank("R1").allowance) == (5, 5)


def test_th_2_1_medium_armour(monkeypatch):
    """An armour die of 1 saves, one of 2 does not (heavy armour: 2 does, none: 1 does not)."""
    for armour_die, result in ((1, "suppressed"), (2, "destroyed")):
        table = position({"R1": (0, 0), "B1": (0, 18)})
        Table(monkeypatch, table, red={"fire": ["R1 at B1"]}, shot=[(2, 3, armour_die)]).fire()
        assert table.shots() == [f"direct R1 at B1: {result}"]


def test_th_2_1_medium_armour_against_shells():
    """155 mm: a die of 2 saves and one of 3 does not; 122 mm: 3 and 4."""
    table = position({"R1": (0, 0), "B1": (0, 18)})
    assert [table.saved_by_armour("155mm", die) for die in (2, 3)] == [True, False]
    assert [table.saved_by_armour("122mm", die) for die in (3, 4)] == [True, False]


# 2.2


def test_th_2_2_a_tank_fires_once_and_is_fired_at_once(monkeypatch):
    """R1 can't fire again, B1 can't be fired at again: both orders are lost; the markers stay until the next turn."""
    table = position({"R1": (0, 0), "R2": (0, 1), "B1": (0, 18), "B2": (0, 19)})
    play = Table(monkeypatch, table, red={"fire": ["R1 at B1", "R1 at B2", "R2 at B1"]}, shot=[(6, 6, 6)]).fire()
    assert table.shots() == ["direct R1 at B1: mobility_kill"]
    assert table.markers("R1") == {"fired"}
    assert table.markers("B1") == {"fired_at", "mobility_kill"}
    assert table.state.sides[0].illegal == 1  # a lost turn is as good as a pass, and blue passed before the next order
    play.fire()
    assert table.state.sides[0].illegal == 2
    play.preparation()
    assert (table.markers("R1"), table.markers("B1")) == (set(), {"mobility_kill"})


def test_th_2_2_a_tank_moves_once(monkeypatch):
    table = position({"R1": (0, 0), "B1": (1, 43)})
    Table(monkeypatch, table, red={"move": ["R1 E", "R1 E"]}).movement()
    assert (table.where("R1"), table.markers("R1")) == ((0, 1), {"moved"})
    assert table.state.sides[0].illegal == 0  # nobody is left who may move: red is not asked


def test_th_2_2_who_was_fired_at_is_immune_while_moving(monkeypatch):
    table = position({"R1": (0, 0), "B1": (0, 9), "B2": (0, 10)})
    play = Table(monkeypatch, table, red={"move": ["R1 E E"]}, blue={"fire": ["B1 at R1"], "react": ["B2 at R1"]},
                 shot=[(1, 6, 6)])  # fmt: skip
    play.fire().movement()
    # 7 at level 9 is S: suppressed, R1 crosses the open ground, and blue is not even asked.
    assert table.shots() == ["direct B1 at R1: suppressed"]
    assert "react" not in play.blue.asked
    assert table.where("R1") == (0, 2)


def test_th_2_2_every_marker_but_kills_comes_off():
    table = position({"R1": (0, 0), "B1": (0, 9)})
    table.put("R1", fired=1, fired_at=1, moved=1, marched=1, spent=3, hexes=3, allowance=5, shots=1, shells=1)
    table.put("R1", fire_kill=1, mobility_kill=1)
    table.clear_markers()
    assert table.markers("R1") == {"fire_kill", "mobility_kill"}
    assert not any(table.tank("R1")[field] for field in ("spent", "hexes", "allowance", "shots", "shells"))


# 2.3


def test_th_2_3_a_fifth_tank_is_destroyed(monkeypatch):
    units = {f"R{k}": (0, 1) for k in range(1, 5)} | {"R5": (0, 0), "B1": (1, 43)}
    table = position(units)
    Table(monkeypatch, table, red={"move": ["R5 E"]}).movement()
    assert table.markers("R5") == {"destroyed", "moved"}
    assert [table.where(f"R{k}") for k in range(1, 5)] == [(0, 1)] * 4
    assert [row.losses for row in table.events("crowded_out")] == [1]


def test_th_2_3_a_fourth_tank_is_welcome(monkeypatch):
    units = {f"R{k}": (0, 1) for k in range(1, 4)} | {"R5": (0, 0), "B1": (1, 43)}
    table = position(units)
    Table(monkeypatch, table, red={"move": ["R5 E"]}).movement()
    assert table.where("R5") == (0, 1)


def test_th_2_3_passing_through_is_free(monkeypatch):
    units = {f"R{k}": (0, 1) for k in range(1, 5)} | {"R5": (0, 0), "B1": (1, 43)}
    table = position(units)
    Table(monkeypatch, table, red={"move": ["R5 E E"]}).movement()
    assert table.where("R5") == (0, 2)


def test_th_2_3_a_fifth_tank_stopped_by_fire_is_destroyed(monkeypatch):
    """M in a hex with four own tanks: it can't go on, and is one too many."""
    units = {f"R{k}": (0, 1) for k in range(1, 5)} | {"R5": (0, 0), "B1": (0, 9)}
    table = position(units)
    Table(monkeypatch, table, red={"move": ["R5 E E"]}, blue={"react": ["B1 at R5"]}, shot=[(6, 6, 6)]).movement()
    assert table.shots() == ["opportunity B1 at R5: mobility_kill"]
    assert table.markers("R5") >= {"destroyed"}


def test_th_2_3_a_fifth_tank_in_a_combat_hex(monkeypatch):
    """Four fight already; the fifth, the mover, is destroyed."""
    units = {"B1": (0, 1), "R5": (0, 0), "B2": (1, 43)} | {f"R{k}": (0, 2) for k in range(1, 5)}
    table = position(units)
    moves = ["R1 W", "R2 W", "R3 W", "R4 W", "R5 E"]
    Table(monkeypatch, table, red={"move": moves}).movement()
    assert table.where("R5") is None
    assert [table.where(f"R{k}") for k in range(1, 5)] == [(0, 1)] * 4


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ({**{f"R{k}": (0, 1) for k in range(1, 6)}, "B1": (0, 9)}, r"units\.R5\.hex: 4562AB holds more than 4 tanks"),
        ({"R1": (0, 1), "B1": (0, 1)}, r"units\.B1\.hex: 4562AB holds tanks of both sides"),
        ({"R1": (0, 1), "R2": (0, 1)}, "blue has 0 tanks: use 1 to 16"),
    ],
)
def test_th_2_3_set_ups_are_checked(units, message):
    with pytest.raises(BadInput, match=message):
        board.load(scenario_of(units, 44, 2), field_document(), rules_document())


def test_th_2_3_no_set_up_in_water():
    with pytest.raises(BadInput, match="4562AB is water"):
        board.load(scenario_of({"R1": (0, 1), "B1": (0, 9)}, 44, 2), field_document(water=[(0, 1)]), rules_document())


def test_th_2_3_stacked_tanks_are_shot_at_one_by_one(monkeypatch):
    table = position({"R1": (0, 0), "B1": (0, 9), "B2": (0, 9)})
    Table(monkeypatch, table, red={"fire": ["R1 at B2"]}, shot=[(5, 5, 6)]).fire()
    assert (table.where("B1"), table.where("B2")) == ((0, 9), None)
