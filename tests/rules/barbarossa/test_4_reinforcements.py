"""Chapter 4: who comes when and where, who leaves, and what Rumanians and Hungarians may not do."""

import pytest

import sim.barbarossa.state as st
from tests.barbarossa_positions import Table, position, soviet_only, start_of

RUMANIAN_REGIONS = (
    "Belgrade Bucharest Slovakia Kharkov Don Stalingrad Odessa Sevastapol Izyum Rostov Grozny Baku Astrakhan"
)
# 4.1


@pytest.mark.parametrize(
    ("lost", "due"), [("S41", "S42"), ("A41", "A42"), ("W42", "W43"), ("W43", "W44"), ("S42", "S43"), ("S44", "S45")]
)
def test_bb_4_1_a_lost_unit_comes_back_after_three_turns(lost, due):
    """The book's example: a unit destroyed in winter 1943 comes in winter 1944."""
    table = position(lost, {"Berlin": "G1", "Bucharest": "R1", "Budapest": "H1"}, "Prague")
    for unit in ("G1", "R1", "H1"):
        table.lose(unit)
        assert (table.where(unit), table.due(unit)) == ("waiting", due)


def test_bb_4_1_an_italian_never_comes_back():
    table = position("S42", {"Berlin": "I1"})
    table.lose("I1")
    assert table.where("I1") == "gone"
    table.state.turn = 13
    assert table.next_to_come() is None


def test_bb_4_1_order_of_the_queue_is_that_of_the_book(monkeypatch):
    """The book's example: two due in W44, of which one comes in S44; the one due in S44 comes in A44."""
    table = position("W44", {"Berlin": "G1 G2 G3 G4"})
    table.lost("G2", "W43").lost("G1", "W43").lost("G3", "S43")
    came = []
    for turn in ("W44", "S44", "A44"):
        table.state.turn = table.turn_number(turn)
        before = {unit for unit in ("G1", "G2", "G3") if table.where(unit) == "waiting"}
        Table(monkeypatch, table, places=dict.fromkeys(before, "Berlin")).reinforcements()
        came.append(before - {unit for unit in before if table.where(unit) == "waiting"})
    assert came == [{"G2"}, {"G1"}, {"G3"}]  # G2 was lost before G1


@pytest.mark.parametrize(
    ("turn", "order"),
    [
        ("A41", ""),  # nobody is due
        ("S42", "G9 G1"),  # the calendar's unit of this turn goes before one that was lost
        ("A42", "G9 G1 G2 G3"),  # it has waited and is one of those due in S42, with the first rank of them
        ("W43", "G8 G9 G1 G2 G3"),  # the calendar's unit of this turn, then the longest due, then in order of loss
    ],
)
def test_bb_4_1_calendar_first_then_the_longest_due_then_the_order_of_loss(turn, order):
    """G1 is due in S42, one turn before G2 and G3."""
    table = position("A41", {"Berlin": "G3 G2 G1 G4"}, to_come="G9@S42 G8@W43")
    table.lost("G1", "S41").lost("G2", "A41").lost("G3", "A41")
    table.state.turn = table.turn_number(turn)
    found: list[str] = []
    while (unit := table.next_to_come(*found)) is not None:
        found.append(unit)
    assert " ".join(found) == order


@pytest.mark.parametrize(
    ("turn", "number"), [("S41", 1), ("A41", 1), ("W42", 99), ("S42", 1), ("W43", 1), ("W44", 1), ("S45", 1)]
)
def test_bb_4_1_one_unit_a_turn_but_in_winter_1942(monkeypatch, turn, number):
    table = position(turn, {"Prague": "G9"}, "Berlin", to_come=f"G1@{turn} G2@{turn} G3@{turn}")
    Table(monkeypatch, table, places=dict.fromkeys(("G1", "G2", "G3"), "Berlin")).reinforcements()
    assert table.units_in("Berlin") == min(number, 3)
    assert [table.where(unit) for unit in ("G2", "G3")] == ["waiting" if number == 1 else "Berlin"] * 2


def test_bb_4_1_a_unit_without_a_place_is_skipped_and_keeps_its_rank(monkeypatch):
    """R1 is due first. Bucharest, its only region, holds a Hungarian; G1 takes the slot. Then R1 comes before G2."""
    table = position("W43", {"Bucharest": "H1 G3", "Slovakia": "G1 G2 R1"}, "Berlin Prague Budapest")
    table.lost("R1", "W42").lost("G1", "W42").lost("G2", "W42")
    assert table.next_to_come() == "R1"
    assert not table.has_place("R1")
    script = {"places": {"G1": "Berlin", "R1": "Bucharest"}}
    assert Table(monkeypatch, table, **script).reinforcements().script.asked == [("place", "G1")]
    assert (table.where("G1"), table.where("R1"), table.where("G2")) == ("Berlin", "waiting", "waiting")
    table.state.turn += 1
    table.move("H1", "Budapest")
    assert Table(monkeypatch, table, **script).reinforcements().script.asked == [("place", "R1")]
    assert table.holds("Bucharest") == "G3 R1"


def test_bb_4_1_no_place_for_anyone(monkeypatch):
    table = position("W43", {"Kiev": "G1"}, to_come="G2@W43")
    Table(monkeypatch, table).reinforcements()
    assert table.where("G2") == "waiting"


def test_bb_4_1_no_holding_back(monkeypatch):
    table = position("W43", {"Prague": "G1"}, "Berlin", to_come="G2@W43")
    table = Table(monkeypatch, table)
    monkeypatch.setattr(table.script, "place", lambda *arguments: st.NOWHERE)
    assert table.reinforcements().fault() == "bad_placement"


def test_bb_4_1_the_first_arrivals_of_the_campaign(monkeypatch):
    """W42: an Italian and a Hungarian; S42: a German."""
    table = start_of("barbarossa")
    places = {"8th Italian Army": "Bucharest", "2nd Hungarian Army": "Budapest", "8th Army": "Berlin"}
    for turn, expected in (("A41", 0), ("W42", 2), ("S42", 3)):
        table.state.turn = table.turn_number(turn)
        Table(monkeypatch, table, places=places).reinforcements()
        assert sum(table.where(unit) == region for unit, region in places.items()) == expected


# 4.2

REAR = "Berlin Prague Silesia Budapest Belgrade"  # of the start: no line to a Soviet region


@pytest.mark.parametrize(
    ("unit", "regions"),
    [
        ("G1", REAR),
        ("H1", REAR),
        ("I1", f"{REAR} Bucharest"),  # at home in Bucharest, front or not
        ("R1", "Belgrade Bucharest"),  # the others are north of the line; Slovakia is front
    ],
)
def test_bb_4_2_any_region_that_is_not_front_or_a_home(unit, regions):
    """Konigsberg, Warsaw, Slovakia and Bucharest are front."""
    units = {"Konigsberg": "G2", "Warsaw": "G3", "Slovakia": "G4", "Bucharest": "R2"}
    table = position("S42", units, REAR, to_come=f"{unit}@S42")
    assert table.places_for(unit) == set(regions.split())


@pytest.mark.parametrize(
    ("unit", "homes"),
    [("G1", "Berlin Prague"), ("R1", "Bucharest"), ("H1", "Budapest"), ("I1", "Budapest Bucharest")],
)
def test_bb_4_2_homes_front_or_not(unit, homes):
    """All four homes are front here, and there is nothing else."""
    table = soviet_only("S42", "Silesia Slovakia Belgrade", {"Kiev": "G9"}, to_come=f"{unit}@S42")
    for name in table.names.places:
        if name not in {"Berlin", "Prague", "Budapest", "Bucharest"}:
            table.take(name, st.SOVIET)
    assert table.places_for(unit) == set(homes.split())


def test_bb_4_2_a_home_that_is_soviet_is_no_place():
    table = position("S42", {"Kiev": "G9"}, "Prague", to_come="G1@S42")
    assert table.places_for("G1") == {"Prague"}


@pytest.mark.parametrize(("unit", "other", "legal"), [("R1", "H1", False), ("H1", "R1", False), ("I1", "R1", True)])
def test_bb_4_2_not_beside_the_other_nation(unit, other, legal):
    table = soviet_only("S42", "Siberia", {"Belgrade": other}, to_come=f"{unit}@S42")
    assert table.may_place(unit, "Belgrade") == legal


def test_bb_4_2_placed_at_the_front_is_a_fault(monkeypatch):
    table = position("W43", {"Warsaw": "G1"}, "Berlin Silesia", to_come="G2@W43")
    assert Table(monkeypatch, table, places={"G2": "Warsaw"}).reinforcements().fault() == "bad_placement"


# 4.3


@pytest.mark.parametrize(
    ("capital", "leave", "stay"), [("Bucharest", "R1 R2 R3", "G1 H1 H2 I1"), ("Budapest", "H1 H2", "G1 R1 R2 R3 I1")]
)
def test_bb_4_3_a_nation_leaves_with_its_capital_waiting_units_too(monkeypatch, capital, leave, stay):
    units = {"Odessa": "R1 G1", "Izyum": "R2", "Kiev": "H1 I1"}
    garrisons = "Bucharest Budapest Slovakia Belgrade"
    table = position("W43", units, garrisons, to_come="R3@S43 H2@S43")
    table = Table(monkeypatch, table, dice={"target": [1]}).soviet_attack(capital).position
    assert table.holds(capital) == "soviet"
    assert {unit: table.where(unit) for unit in leave.split()} == dict.fromkeys(leave.split(), "gone")
    assert all(table.where(unit) != "gone" for unit in stay.split())


def test_bb_4_3_not_while_the_capital_is_held():
    table = start_of("blue")
    table.departures()
    assert all(table.where(unit) != "gone" for unit in table.names.units)


@pytest.mark.parametrize("vacated", ["at_once", "phase_end"])
def test_bb_4_3_a_capital_lost_by_vacating_counts(monkeypatch, vacated):
    table = position("S41", {"Bucharest": "R1 R2"}, "Slovakia Budapest Belgrade", vacated=vacated)
    moves = ["R1 Belgrade", "R2 Belgrade"]
    table = Table(monkeypatch, table, moves=moves).movement().position
    assert (table.where("R1"), table.where("R2")) == ("gone", "gone")
    assert table.holds("Belgrade") == "soviet"  # emptied, and next to Bucharest


def test_bb_4_3_emptied_regions_fall_at_the_front_and_are_held_behind_it(monkeypatch):
    """R1's Izyum is next to Rostov, R2's Belgrade behind the front until Bucharest, its neighbour, is Soviet."""
    units = {"Izyum": "R1", "Slovakia": "R2", "Sevastapol": "R3 G1"}
    garrisons = "Bucharest Belgrade Budapest Odessa Kiev Kharkov Warsaw Prague Minsk Kursk"
    table = position("W43", units, garrisons)
    table.take("Bucharest", st.SOVIET)
    table.state.places[table.region("Bucharest")].garrison = 0
    table.departures()
    assert [table.holds(region) for region in ("Izyum", "Slovakia", "Sevastapol")] == ["soviet", "soviet", "G1"]
    assert table.holds("Odessa") == "garrison"


def test_bb_4_3_an_emptied_rear_region_is_garrisoned():
    table = soviet_only("A43", "Gorky Moscow", {"Budapest": "I1", "Smolensk": "I2"})
    table.calendar_departures()
    assert (table.holds("Budapest"), table.holds("Smolensk")) == ("garrison", "soviet")


@pytest.mark.parametrize("units", [{"Warsaw": "I1", "Slovakia": "I2"}, {"Slovakia": "I1", "Warsaw": "I2"}])
def test_bb_4_3_emptied_regions_fall_one_after_another_in_whatever_order(units):
    """Warsaw is next to Minsk; Slovakia only to Warsaw."""
    table = soviet_only("A43", "Gorky Moscow Smolensk Minsk", units)
    table.calendar_departures()
    assert (table.holds("Warsaw"), table.holds("Slovakia")) == ("soviet", "soviet")


def test_bb_4_3_departures_chain(monkeypatch):
    """Budapest falls, the Hungarians leave and empty Bucharest, it falls, the Rumanians leave and empty Odessa."""
    table = position("W43", {"Bucharest": "H1", "Odessa": "R1"}, "Budapest Belgrade Slovakia Kiev Izyum Sevastapol")
    table = Table(monkeypatch, table).soviet_attack("Budapest").position
    assert (table.where("H1"), table.where("R1")) == ("gone", "gone")
    assert [table.holds(region) for region in ("Budapest", "Bucharest", "Odessa")] == ["soviet"] * 3
    assert table.holds("Belgrade") == "garrison"


@pytest.mark.parametrize(("turn", "gone"), [("W43", False), ("S43", False), ("A43", True), ("W44", True)])
def test_bb_4_3_italians_leave_before_the_movement_of_autumn_1943(monkeypatch, turn, gone):
    table = position(turn, {"Berlin": "I1", "Silesia": "G1"}, "Prague", to_come="I2@S45")
    table = Table(monkeypatch, table, dice={"target": [1] * 9, "tie": [1] * 9, "result": [1] * 9}, moves=["G1 Berlin"])
    table.whole_turn("easy")
    kinds = [st.EVENT_KINDS[event.kind] for event in table.position.events()]
    assert [table.position.where(unit) for unit in ("I1", "I2")] == (["gone"] * 2 if gone else ["Berlin", "waiting"])
    if gone:
        assert kinds.index("left_the_game") < kinds.index("move")


# 4.4


def test_bb_4_4_rumanians_stay_south_of_the_line():
    """Belgrade, Bucharest, Slovakia, Kharkov, Don and Stalingrad are on it, and allowed."""
    table = start_of("barbarossa")
    allowed = {name for name in table.names.places if table.may_enter("3rd Rumanian Army", name)}
    assert allowed == set(RUMANIAN_REGIONS.split())
    for unit in ("4th Army", "2nd Hungarian Army", "8th Italian Army"):
        assert all(table.may_enter(unit, name) for name in table.names.places)


def test_bb_4_4_neither_moves_nor_attacks_north():
    table = position("S42", {"Kharkov": "R1 G1", "Slovakia": "R2 G2"}, "Kiev Warsaw")
    assert not table.may_move("R1", "Kiev")
    assert table.may_move("G1", "Kiev")
    assert not table.may_move("R2", "Warsaw")
    assert not table.may_attack("R1", "Kursk")
    assert table.may_attack("G1", "Kursk")
    assert table.may_attack("R1", "Don")


@pytest.mark.parametrize(("unit", "other", "legal"), [("R1", "H1", False), ("H1", "R1", False), ("G1", "H1", True),
                                                      ("I1", "R1", True), ("R1", "I1", True), ("R1", "R2", True),
                                                      ("H1", "H2", True)])  # fmt: skip
def test_bb_4_4_rumanians_and_hungarians_never_share_a_region(unit, other, legal):
    """By their own choice they may not; it is tested after every single move."""
    table = position("S42", {"Bucharest": unit, "Belgrade": other}, "Slovakia Budapest")
    assert table.may_move(unit, "Belgrade") == legal


def test_bb_4_4_one_may_come_when_the_other_has_gone(monkeypatch):
    table = position("S42", {"Bucharest": "R1 R2", "Belgrade": "H1"}, "Budapest")
    moves = ["H1 Budapest", "R1 Belgrade"]
    assert Table(monkeypatch, table, moves=moves).movement().fault() == "none"
    assert table.where("R1") == "Belgrade"


FORCED = {"Rostov": "R1 R2", "Don": "H1"}  # Rumanians whose only way out is Don


@pytest.mark.parametrize(
    ("nation", "asked", "don", "waiting"),
    [
        ("hungarian", 1, "R1 R2", "H1"),  # H1 gives way to R1; R2 then shares with nobody
        ("rumanian", 2, "H1", "R1 R2"),  # R1, then R2
    ],
)
def test_bb_4_4_a_forced_conflict(monkeypatch, nation, asked, don, waiting):
    retreats = {"R1": "Don", "R2": "Don"}
    table = Table(monkeypatch, position("W43", FORCED, "Bucharest Budapest Kharkov"), dice={"result": [3]},
                  answers="retreat", retreats=retreats, give_up=nation).soviet_attack("Rostov")  # fmt: skip
    assert table.fault() == "none"
    assert table.script.asked.count(("give_up", "Don")) == asked
    assert table.position.holds("Don") == don
    assert {(unit, table.position.where(unit), table.position.due(unit)) for unit in waiting.split()} == {
        (unit, "waiting", "W44") for unit in waiting.split()
    }
    assert table.position.holds("Rostov") == "soviet"


def test_bb_4_4_hungarians_may_be_forced_upon_rumanians(monkeypatch):
    table = position("W43", {"Rostov": "H1 H2", "Don": "R1"}, "Bucharest Budapest Kharkov")
    table = Table(monkeypatch, table, dice={"result": [4]}, answers="retreat", retreats={"H1": "Don", "H2": "Don"},
                  give_up="rumanian").soviet_attack("Rostov")  # fmt: skip
    assert (table.position.holds("Don"), table.position.where("R1")) == ("H1 H2", "waiting")


def test_bb_4_4_into_the_other_nation_only_when_no_other_way_is_open(monkeypatch):
    table = position("W43", FORCED, "Bucharest Budapest Kharkov Stalingrad")
    assert table.may_retreat("R1", "Stalingrad")
    assert not table.may_retreat("R1", "Don")
    table = Table(monkeypatch, table, dice={"result": [3]}, answers="retreat", retreats={"R1": "Don"})
    assert table.soviet_attack("Rostov").fault() == "bad_retreat"


def test_bb_4_4_only_one_of_the_two_nations_can_give_way(monkeypatch):
    table = Table(monkeypatch, position("W43", FORCED, "Bucharest Budapest Kharkov"), dice={"result": [3]},
                  answers="retreat", retreats={"R1": "Don"}, give_up="german").soviet_attack("Rostov")  # fmt: skip
    assert table.fault() == "bad_nation"


def test_bb_4_4_rumanians_are_destroyed_by_a_retreat_north(monkeypatch):
    """Kursk is Kharkov's only Axis neighbour: a way out, but north of the line."""
    table = position("W43", {"Kharkov": "R1 R2 G1"}, "Kursk Bucharest Budapest Slovakia")
    table = Table(monkeypatch, table, dice={"result": [3]}, answers="retreat", retreats={"G1": "Kursk"})
    table.soviet_attack("Kharkov")
    assert [table.position.where(unit) for unit in ("R1", "R2", "G1")] == ["waiting", "waiting", "Kursk"]
    assert {table.position.due(unit) for unit in ("R1", "R2")} == {"W44"}
    assert table.position.holds("Kharkov") == "soviet"
    assert table.script.asked == [("answer", "Kharkov"), ("retreat", "G1")]
