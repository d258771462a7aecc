"""Chapter 9: morale."""

import pytest

import sim.first_contact.state as st
from tests.first_contact_positions import Table, position

ROW = "." * 100
UNITS = {"s1": (0, 0), "s2": (0, 1), "s3": (0, 2), "g1": (0, 20), "g2": (0, 22)}


def morale(table: Table, name: str) -> str:
    return st.MORALES[table.position.row(name).morale]


def turns(monkeypatch, *shots: dict[str, str], units=UNITS, **fields) -> Table:
    """Turns of fire without effect, and the morale phase of each."""
    table = position(ROW, units)
    for name in units:
        table.set(name, ammunition=99)
    table = Table(monkeypatch, table, fire=1)
    for shot in shots:
        table.fire(**shot).morale()
        table.next_turn()
    return table


@pytest.mark.parametrize(
    ("shots", "level"),
    [
        ([1], "normal"),
        ([1, 1], "high"),
        ([1, 0, 1], "normal"),  # a turn without a shot resets the counter
        ([1, 0, 1, 1], "high"),
        ([1, 1, 1, 1], "high"),  # there is nothing above
    ],
)
def test_fc_9_1_two_consecutive_own_attacks(monkeypatch, shots, level):
    """A shot without effect is an attack, too."""
    assert morale(turns(monkeypatch, *({"s1": "g1"} if shot else {} for shot in shots)), "s1") == level


def test_fc_9_1_reaching_a_level_resets_the_counter(monkeypatch):
    table = position(ROW, UNITS).set("s1", morale="broken", ammunition=99)
    table = Table(monkeypatch, table, fire=1)
    levels = []
    for _ in range(6):
        table.fire(s1="g1").morale()
        table.next_turn()
        levels.append(morale(table, "s1"))
    assert levels == ["broken", "low", "low", "normal", "normal", "high"]


BOTH = {"s1": "g1", "s2": "g1"}


@pytest.mark.parametrize(
    ("shots", "levels"),
    [
        ([BOTH] * 2, ("high", "normal")),  # s2 supports: its attacks do not count
        ([BOTH] * 3, ("high", "high")),  # three consecutive supporting attacks
        ([BOTH, BOTH, {"s1": "g1"}, BOTH], ("high", "normal")),  # reset
        ([BOTH, {"s2": "g1"}, BOTH, {"s2": "g1"}], ("normal", "high")),  # two own attacks, supports between them
        ([BOTH, {"s2": "g1"}, BOTH, BOTH], ("high", "high")),  # three supports, an own attack between them
        ([{"s1": "g1", "s2": "g2"}] * 2, ("high", "high")),  # two targets: nobody supports
        ([{"s2": "g1", "s3": "g1"}] * 2, ("normal", "high")),
    ],
)
def test_fc_9_1_three_consecutive_supporting_attacks(monkeypatch, shots, levels):
    """Supporting is all but the first in the order of numbers; such a shot counts for the second counter alone."""
    table = turns(monkeypatch, *shots)
    assert (morale(table, "s1"), morale(table, "s2")) == levels


def test_fc_9_1_a_vehicle_is_supported_and_supports(monkeypatch):
    units = {"T1": (0, 0), "s1": (0, 1), "g1": (0, 20)}
    table = turns(monkeypatch, *[{"T1": "g1", "s1": "g1"}] * 3, units=units)
    assert morale(table, "s1") == "high"
    assert table.position.row("T1").morale == -1


def test_fc_9_1_all_that_hit_a_unit_wiped_out_rise_to_the_highest(monkeypatch):
    """s1 decides what g1 suffers; s2 hits it, too; s3 misses."""
    table = position(ROW, UNITS).set("g1", men=1)
    for name in ("s1", "s2", "s3"):
        table.set(name, morale="broken")
    table = Table(monkeypatch, table, fire={"s1": 6, "s2": 6, "s3": 1}, casualties=6)
    table.fire(s1="g1", s2="g1", s3="g1").morale()
    assert [morale(table, name) for name in ("s1", "s2", "s3")] == ["high", "high", "broken"]


@pytest.mark.parametrize(("men", "level"), [(14, "low"), (1, "high")])
def test_fc_9_1_hitting_alone_does_not_do(monkeypatch, men, level):
    table = position(ROW, UNITS).set("g1", men=men).set("s1", morale="low")
    table = Table(monkeypatch, table, fire=6, casualties=3).fire(s1="g1").morale()
    assert morale(table, "s1") == level


def test_fc_9_1_vehicles_count_as_units_wiped_out(monkeypatch):
    """The shot that ricochets did not hit."""
    units = {"s1": (0, 0), "s2": (0, 1), "P1": (0, 10, "north")}
    table = position(ROW, units).set("s1", anti_tank=1).set("s2", anti_tank=1)
    table.set("P1", cannot_move=1)
    table = Table(monkeypatch, table, fire=6, armour=6).fire(s1="P1")
    table.morale()
    assert table.position.at("P1") == "gone"
    assert morale(table, "s1") == "high"
    table = position(ROW, {"s1": (0, 0), "P1": (0, 10, "west")}).set("s1", anti_tank=1)
    table = Table(monkeypatch, table, fire=6, armour=6).fire(s1="P1").morale()
    assert morale(table, "s1") == "normal"


def test_fc_9_1_a_unit_wiped_out_shakes_its_neighbours(monkeypatch):
    """Squads of its side in the 8 cells around it go down one level, whoever it was; others do not."""
    art = "\n".join(["." * 12] * 5)
    units = {"T1": (2, 11, "west"), "g1": (1, 2), "g2": (1, 1), "g3": (1, 4), "g4": (2, 3), "s1": (0, 3)}
    table = position(art, units).set("g1", men=1)
    table = Table(monkeypatch, table, fire=6, casualties=6).fire(T1="g1").morale()
    assert [morale(table, name) for name in ("g2", "g3", "g4", "s1")] == ["low", "normal", "low", "normal"]


def test_fc_9_1_each_unit_lost_takes_a_level_down_to_broken(monkeypatch):
    art = "\n".join(["." * 30] * 3)
    units = {"T1": (0, 29), "T2": (1, 29), "T3": (2, 29), "g1": (0, 0), "g2": (0, 2), "g3": (2, 1), "g4": (1, 1)}
    table = position(art, units)
    for name in ("g1", "g2", "g3"):
        table.set(name, men=1)
    table = Table(monkeypatch, table, fire=6, casualties=6).fire(T1="g1", T2="g2", T3="g3").morale()
    assert morale(table, "g4") == "broken"


def test_fc_9_1_order_up_highest_down(monkeypatch):
    """A squad that wipes out an enemy while a friend next to it falls ends one below the highest."""
    table = position(ROW, {"s1": (0, 0), "s2": (0, 1), "g1": (0, 20), "g2": (0, 21)})
    for name in ("s2", "g1"):
        table.set(name, men=1)
    table = Table(monkeypatch, table, fire=6, casualties=6).fire(s1="g1", g2="s2").morale()
    assert (morale(table, "s1"), morale(table, "g2")) == ("normal", "normal")


def test_fc_9_1_nobody_is_credited_for_a_barrage(monkeypatch):
    field = "\n".join(["." * 9] * 9)
    table = position(field, {"s1": (4, 4), "g1": (8, 8)}).set("g1", morale="low").set("s1", men=1)
    table = Table(monkeypatch, table, scatter=[3, 3, 4] * 6).barrage((4, 4)).fire().morale()
    assert table.position.at("s1") == "gone"
    assert morale(table, "g1") == "low"


def test_fc_9_1_wiping_out_in_melee_counts(monkeypatch):
    table = position("...", {"s1": (0, 0), "g1": (0, 1)}).set("g1", men=1, morale="high").set("s1", morale="high")
    table = Table(monkeypatch, table, blow=6).melee().morale()
    assert table.position.at("g1") == "gone"
    assert morale(table, "s1") == "high"
    table = position("...", {"s1": (0, 0), "g1": (0, 1)}).set("g1", men=1, morale="high").set("s1", morale="normal")
    table = Table(monkeypatch, table, blow=6, rout=10).melee().morale()
    assert morale(table, "s1") == "high"


LEVELS = {  # what suppression costs more (None: not allowed), rout, % inflicted, pips
    "high": (1, 0, 35, 0),
    "normal": (0, 20, 0, 0),
    "low": (0, 60, 0, -2),
    "broken": (None, 100, 0, -3),
}


@pytest.mark.parametrize("level", LEVELS)
def test_fc_9_2_levels(monkeypatch, level):
    extra, rout, inflicted, pips = LEVELS[level]
    table = position("." * 10 + "h", {"s1": (0, 0), "g1": (0, 10)}).set("s1", morale=level)
    assert [die for die in range(100) if table.routs("s1", die)] == list(range(rout))
    assert table.may_suppress("s1", "g1") == (extra is not None)
    if extra is not None:
        assert table.ammunition_cost("s1", st.SUPPRESS) == 3 + extra
        table.set("s1", ammunition=2 + extra)
        assert not table.may_suppress("s1", "g1")
    assert table.ammunition_cost("s1", st.FIRE) == 1
    for die in range(1, 7):
        table = position("." * 10 + "h", {"s1": (0, 0), "g1": (0, 10)}).set("s1", morale=level)
        table = Table(monkeypatch, table, fire=6, casualties=die).fire(s1="g1")
        # The factor 1 + die is never below 0.
        value = 0.2 * max(0, 1 + die + pips) * (1 + inflicted / 100)
        assert table.position.event_of("s1").value == pytest.approx(value)


@pytest.mark.parametrize("level", LEVELS)
def test_fc_9_2_pips_are_not_added_to_the_armour_die(monkeypatch, level):
    table = position(ROW, {"s1": (0, 0), "P1": (0, 5, "west")}).set("s1", anti_tank=1, morale=level)
    table = Table(monkeypatch, table, fire=6, armour=4).fire(s1="P1")
    assert table.position.event_of("s1").value == pytest.approx(139.5 / (104 * (1.35 if level == "high" else 1)))


def test_fc_9_2_squads_start_normal_and_vehicles_have_none():
    table = position("...", {"s1": (0, 0), "T1": (0, 1), "P1": (0, 2)})
    assert [int(table.row(name).morale) for name in ("s1", "T1", "P1")] == [st.NORMAL, -1, -1]


def test_fc_9_2_vehicles_suppress_whatever_their_friends_feel():
    table = position(ROW, {"T1": (0, 0), "g1": (0, 20)})
    assert table.ammunition_cost("T1", st.SUPPRESS) == 3
    assert table.may_suppress("T1", "g1")
