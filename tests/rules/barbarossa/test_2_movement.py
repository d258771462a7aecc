"""Chapter 2: single moves, and what becomes of the region that a unit leaves."""

import pytest

from tests.barbarossa_positions import Table, position, start_of


@pytest.mark.parametrize(
    ("unit", "region", "legal"),
    [
        ("G1", "Konigsberg", True),  # along the front
        ("G1", "Silesia", True),  # back
        ("G1", "Slovakia", True),  # into a region with units
        ("G1", "Minsk", False),  # Soviet
        ("G1", "Berlin", False),  # two steps
        ("G1", "Warsaw", False),  # no step
        ("G2", "Silesia", False),  # no line joins Slovakia and Silesia
        ("G3", "Konigsberg", False),  # by sea: Kurland is on the Baltic with Silesia, moves are by land
    ],
)
def test_bb_2_1_one_step_by_land_to_an_axis_region(unit, region, legal):
    table = position("S41", {"Warsaw": "G1", "Slovakia": "G2", "Silesia": "G3"}, "Kurland Berlin Prague")
    table.state.places[table.region("Konigsberg")].holder = int(unit == "G1")
    assert table.may_move(unit, region) == legal


def test_bb_2_1_not_by_sea():
    """Kurland and Silesia lie on one sea, both Axis: for a retreat that is enough, for a move it is not."""
    table = position("S41", {"Kurland": "G1"}, "Silesia")
    assert not table.may_move("G1", "Silesia")


def test_bb_2_1_each_unit_moves_once():
    table = position("S41", {"Silesia": "G1"}, "Berlin Prague Warsaw")
    table.move("G1", "Warsaw")
    assert table.where("G1") == "Warsaw"
    assert not table.may_move("G1", "Silesia")


def test_bb_2_1_a_garrison_is_removed_by_a_unit_that_enters():
    table = start_of("barbarossa")
    table.move("4th Army", "Silesia")
    assert table.holds("Silesia") == "4th Army"
    assert table.state.places[table.region("Silesia")].garrison == 0


def test_bb_2_1_garrisons_do_not_move():
    """Units alone can be named for a move: 13 of them here, and no number beyond."""
    start = start_of("barbarossa")
    assert start.state.n_units == 13
    assert not any(start.may_move(unit, region) for unit in range(13, 24) for region in range(32))


def test_bb_2_1_a_unit_off_the_map_does_not_move():
    table = position("S41", {"Berlin": "G1"}, "Prague", to_come="G2@W42")
    assert not table.may_move("G2", "Prague")


@pytest.mark.parametrize(
    ("vacated", "at_once", "at_the_end"),
    [("at_once", "soviet", "soviet"), ("phase_end", "vacated", "soviet"), ("garrison", "garrison", "garrison")],
)
def test_bb_2_2_a_front_region_that_its_last_unit_leaves(vacated, at_once, at_the_end):
    table = position("S41", {"Konigsberg": "G1"}, "Silesia Warsaw Berlin", vacated=vacated)
    table.move("G1", "Silesia")
    assert table.holds("Konigsberg") == at_once
    table.end_phase()
    assert table.holds("Konigsberg") == at_the_end


@pytest.mark.parametrize(
    ("vacated", "at_once"), [("at_once", "garrison"), ("phase_end", "vacated"), ("garrison", "garrison")]
)
def test_bb_2_2_a_rear_region_gets_a_garrison(vacated, at_once):
    table = position("S41", {"Silesia": "G1"}, "Konigsberg Warsaw Berlin Prague", vacated=vacated)
    table.move("G1", "Warsaw")
    assert table.holds("Silesia") == at_once
    table.end_phase()
    assert table.holds("Silesia") == "garrison"


def test_bb_2_2_at_once_is_the_default():
    table = position("S41", {"Konigsberg": "G1"}, "Silesia Warsaw Berlin")
    table.move("G1", "Silesia")
    assert table.holds("Konigsberg") == "soviet"


@pytest.mark.parametrize("vacated", ["at_once", "phase_end", "garrison"])
def test_bb_2_2_nothing_happens_while_a_unit_stays(vacated):
    table = position("S41", {"Konigsberg": "G1 G2"}, "Silesia Warsaw Berlin", vacated=vacated)
    table.move("G1", "Silesia")
    table.end_phase()
    assert table.holds("Konigsberg") == "G2"


@pytest.mark.parametrize(("vacated", "legal"), [("at_once", False), ("phase_end", True), ("garrison", True)])
def test_bb_2_2_two_units_change_places(vacated, legal):
    """What is Soviet at once cannot be entered a moment later."""
    table = position("S41", {"Konigsberg": "G1", "Warsaw": "G2"}, "Silesia Berlin Prague Slovakia", vacated=vacated)
    table.move("G1", "Warsaw")
    assert table.may_move("G2", "Konigsberg") == legal


@pytest.mark.parametrize(
    ("vacated", "moves", "silesia"),
    [
        # Warsaw falls first; Silesia is next to it when it is left.
        ("at_once", ["G1 Slovakia", "G2 Berlin"], "soviet"),
        # Silesia is left first and garrisoned; a garrison that finds itself at the front stays.
        ("at_once", ["G2 Berlin", "G1 Slovakia"], "garrison"),
        # One look at both: when it is taken, Warsaw is still Axis.
        ("phase_end", ["G1 Slovakia", "G2 Berlin"], "garrison"),
        ("phase_end", ["G2 Berlin", "G1 Slovakia"], "garrison"),
    ],
)
def test_bb_2_2_order_of_moves_matters_only_at_once(monkeypatch, vacated, moves, silesia):
    table = position("S41", {"Warsaw": "G1", "Silesia": "G2"}, "Konigsberg Berlin Prague Slovakia", vacated=vacated)
    table = Table(monkeypatch, table, moves=moves).movement().position
    assert table.holds("Warsaw") == "soviet"
    assert table.holds("Silesia") == silesia


@pytest.mark.parametrize("attackers", ["G1 G2", "G2 G1"])
def test_bb_2_2_regions_left_at_one_moment_fall_together(attackers):
    """Warsaw, next to Minsk, falls; Slovakia, left in the same attack, is then next to Warsaw, in whatever order."""
    table = position("S41", {"Warsaw": "G1", "Slovakia": "G2"}, "Berlin Prague Silesia Konigsberg Budapest Bucharest")
    table.captures("Kiev", attackers)
    assert (table.holds("Warsaw"), table.holds("Slovakia")) == ("soviet", "soviet")


def test_bb_2_2_a_garrison_at_the_front_stays():
    table = position("S41", {"Warsaw": "G1"}, "Silesia Konigsberg Slovakia")
    table.move("G1", "Silesia")
    assert table.holds("Warsaw") == "soviet"
    assert table.holds("Slovakia") == "garrison"
    assert "Slovakia" in table.fronts()


def test_bb_2_2_a_vacated_region_is_soviet_for_the_front_and_for_supply():
    """From the moment that Warsaw is left, Silesia is front; and it is Axis no more for a unit that would enter."""
    table = position("S41", {"Warsaw": "G1", "Prague": "G2"}, "Silesia Konigsberg Slovakia Berlin Budapest Bucharest")
    assert "Silesia" not in table.fronts()
    table.move("G1", "Konigsberg")
    assert "Silesia" in table.fronts()
    assert not table.may_move("G1", "Warsaw")


@pytest.mark.parametrize("how", ["move", "reinforcement", "retreat"])
def test_bb_2_2_a_garrison_goes_whenever_a_unit_enters(how):
    table = position("S42", {"Warsaw": "G1 G2"}, "Berlin Silesia", to_come="G3@S42")
    if how == "move":
        table.move("G1", "Silesia")
    elif how == "retreat":
        table.retreat("G1", "Silesia")
    else:
        table.place("G3", "Silesia")
    assert table.state.places[table.region("Silesia")].garrison == 0
    assert table.state.places[table.region("Berlin")].garrison == 1


@pytest.mark.parametrize(
    ("moves", "fault"),
    [
        (["G1 Minsk"], "bad_move"),
        (["G1 Silesia", "G1 Warsaw"], "bad_move"),
        (["G1 Silesia"], "none"),
    ],
)
def test_bb_2_1_an_illegal_move_is_a_fault(monkeypatch, moves, fault):
    table = position("S41", {"Warsaw": "G1"}, "Silesia Berlin")
    assert Table(monkeypatch, table, moves=moves).movement().fault() == fault
