"""Chapter 5: ammunition, casualties, armour, range, who can fire at whom."""

import itertools
import math
from fractions import Fraction

import pytest

import sim.first_contact.state as st
import sim.first_contact.turn as turn
from sim.first_contact.rules.fire import rounded
from sim.geometry.square import COLUMN_STEPS, ROW_STEPS
from tests.first_contact_positions import Table, position, start

ROW = "." * 120

# Percentages that can come about: f by terrain and with the +35 of high morale, p by terrain.
F = sorted({f + more for f in (-10, -20, 0, 5, 10, 20, 40) for more in (0, 35)})
P = [-50, -20, -10, 0, 10, 20, 50]
DICE = range(1, 7)


def share(percent: int) -> Fraction:
    return 1 + Fraction(percent, 100)


# 5.1


@pytest.mark.parametrize(
    ("shooter", "target", "left"),
    [("s1", "g1", 6 - 1), ("s1", "g1_", 6 - 3), ("T1", "g1", 10 - 1), ("T1", "g1_", 10 - 3), ("T1", "P1", 10 - 1)],
)
def test_fc_5_1_what_fire_and_suppression_cost(monkeypatch, shooter, target, left):
    units = {"s1": (0, 0), "T1": (0, 1), "g1": (0, 20), "P1": (0, 21)}
    table = Table(monkeypatch, position(ROW, units)).fire(**{shooter: target})
    assert table.position.row(shooter).ammunition == left
    assert table.position.row("s1" if shooter == "T1" else "T1").ammunition in (6, 10)


@pytest.mark.parametrize(("ammunition", "asked"), [(0, []), (1, ["fire"]), (2, ["fire"]), (3, ["fire", "suppress"])])
def test_fc_5_1_without_the_ammunition_it_cannot(monkeypatch, ammunition, asked):
    table = position(ROW, {"s1": (0, 0), "g1": (0, 20)}).set("s1", ammunition=ammunition)
    table = Table(monkeypatch, table)
    table.declare(0, {"s1": "g1"})
    assert [decision for decision, _ in table.asked] == asked


def test_fc_5_1_a_unit_may_hold_fire(monkeypatch):
    table = Table(monkeypatch, position(ROW, {"s1": (0, 0), "g1": (0, 20)})).fire()
    assert table.position.events() == []
    assert [int(row.ammunition) for row in table.position.state.units[:2]] == [6, 8]
    assert table.rolls("fire") == []


def test_fc_5_1_vehicles_are_not_suppressed():
    """Nobody may suppress a vehicle, and a vehicle may suppress a squad."""
    table = position(ROW, {"s1": (0, 0), "T1": (0, 1), "g1": (0, 20), "P1": (0, 21)}).set("s1", anti_tank=1)
    assert [table.may_suppress(*pair) for pair in (("s1", "g1"), ("T1", "g1"), ("s1", "P1"), ("T1", "P1"))] == [
        True, True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize("answer", [2, -1, 2**62])
def test_fc_5_1_a_mode_that_is_none_is_a_fault(monkeypatch, answer):
    table = Table(monkeypatch, position(ROW, {"s1": (0, 0), "g1": (0, 20)}))
    seat = table.position.seat(0, fire=lambda game, doctrine, memory, unit, order: order[0], suppress=lambda *_: answer)
    turn.declare(table.position.game, seat, 0)
    assert (st.FAULTS[table.position.state.fault], table.position.state.fault_value) == ("bad_mode", answer)


# 5.2


def expected(percent, die, pips, f, p, men):
    """Casualties by the formulas: B = 20 % x (1 + die), D = 40 % x (1 + die); dead and wounded."""
    result = Fraction(percent, 100) * max(0, 1 + die + pips) * share(f) / share(p)
    result *= men or 1
    whole = math.floor(result)
    rest = result - whole
    return result, (whole + 1 if rest >= Fraction(1, 2) else whole), int(0 < rest < Fraction(1, 2))


@pytest.mark.parametrize("option", ["men", "share"])
@pytest.mark.parametrize(("mode", "percent"), [(st.FIRE, 20), (st.SUPPRESS, 40)])
def test_fc_5_2_casualties_of_every_die_and_modifier(option, mode, percent):
    table = position("..", {}, casualties=option)
    for die, pips, f, p in itertools.product(DICE, (0, -2, -3), F, P):
        for men in (1, 7, 10, 14) if option == "share" else (10,):
            numerator, denominator = table.casualties(mode, die, pips, f, p, men)
            value, dead, wounded = expected(percent, die, pips, f, p, men if option == "share" else None)
            assert Fraction(int(numerator), int(denominator)) == value
            assert rounded(numerator, denominator) == (dead, wounded), (die, pips, f, p, men)


@pytest.mark.parametrize(
    ("die", "fire", "suppression"),
    [
        (1, (0, 1), (1, 0)),  # 0.4: one wounded; 0.8: one dead
        (2, (1, 0), (1, 1)),  # 0.6; 1.2
        (3, (1, 0), (2, 0)),  # 0.8; 1.6
        (4, (1, 0), (2, 0)),  # 1.0, which wounds nobody; 2.0
        (5, (1, 1), (2, 1)),  # 1.2; 2.4
        (6, (1, 1), (3, 0)),  # 1.4; 2.8
    ],
)
def test_fc_5_2_dead_and_wounded_of_a_shot_on_the_hill(monkeypatch, die, fire, suppression):
    """The target stands on a hill, p = 0, the shooter on plain, f = 0."""
    for target, result in (("g1", fire), ("g1_", suppression)):
        table = Table(monkeypatch, position("." * 10 + "h", {"s1": (0, 0), "g1": (0, 10)}), fire=6, casualties=die)
        table.fire(s1=target)
        row, event = table.position.row("g1"), table.position.event_of("s1")
        assert (row.dead, row.wounded, row.men) == (*result, 14 - sum(result))
        assert (event.dead, event.wounded, event.losses, event.dice) == (*result, sum(result), die)
        assert event.value == pytest.approx(0.2 * (1 + die) * (2 if target == "g1_" else 1))


def test_fc_5_2_exact_where_floating_point_is_not():
    """0.2 x 5 x 1.2 / 0.8 is 1.5, and kills 2."""
    table = position("..", {})
    assert rounded(*table.casualties(st.FIRE, 4, 0, 20, -20, 10)) == (2, 0)
    assert 0.2 * 5 * 1.2 / 0.8 < 1.5


def test_fc_5_2_share_is_of_the_men_present(monkeypatch):
    """B = 20 % x (1 + 2) = 60 % of 14 men on a hill: 8.4, 8 dead and 1 wounded."""
    table = position("." * 10 + "h", {"s1": (0, 0), "g1": (0, 10)}, casualties="share")
    Table(monkeypatch, table, fire=6, casualties=2).fire(s1="g1")
    assert (table.row("g1").dead, table.row("g1").wounded) == (8, 1)


def test_fc_5_2_results_are_capped_at_the_men_present(monkeypatch):
    """2.8 / 0.8 = 3.5, 4 dead of 2 men; the wounded come after the dead: 1.2 / 0.8 = 1.5."""
    table = Table(monkeypatch, position(ROW, {"T1": (0, 0), "g1": (0, 20)}).set("g1", men=2), fire=6, casualties=6)
    table.fire(T1="g1_")
    row = table.position.row("g1")
    assert (row.dead, row.wounded, row.men) == (2, 0, 0)
    assert table.position.at("g1") == "gone"
    assert table.position.event_of("T1").losses == 2


TARGETS = {"s1": (0, 0), "s2": (0, 1), "T1": (0, 2), "g1": (0, 20)}


def test_fc_5_2_a_squad_rolls_once_whatever_the_number_of_shooters(monkeypatch):
    """Three shots: 0.2 x (1 + 3) / 0.8 = 1 dead, not three."""
    table = Table(monkeypatch, position(ROW, TARGETS), fire=6, casualties=3).fire(s1="g1", s2="g1", T1="g1")
    assert table.rolls("casualties") == [("g1", 0, 6)]
    assert table.position.row("g1").dead == 1
    assert [int(event.dead) for event in table.position.events("shot")] == [1, 0, 0]
    assert {st.RESULTS[event.result] for event in table.position.events("shot")} == {"effect"}


def test_fc_5_2_every_shot_rolls_under_the_option(monkeypatch):
    table = position(ROW, TARGETS, casualty_roll="shot")
    table = Table(monkeypatch, table, fire=6, casualties={"s1": 3, "s2": 1, "T1": 6}).fire(s1="g1", s2="g1", T1="g1_")
    # 0.8 / 0.8 = 1 dead; 0.4 / 0.8 = 0.5, 1 dead; 2.8 / 0.8 = 3.5, 4 dead.
    assert [(int(e.dead), int(e.wounded)) for e in table.position.events("shot")] == [(1, 0), (1, 0), (4, 0)]
    assert table.position.row("g1").dead == 6
    assert table.rolls("casualties") == [("s1", 0, 6), ("s2", 0, 6), ("T1", 0, 6)]


def test_fc_5_2_with_every_shot_the_dead_are_taken_before_the_wounded(monkeypatch):
    """On a hill: 0.4 wounds 1, 1.4 kills 1 and wounds 1; of 2 men 1 is dead and 1 wounded, by the first shot."""
    table = position("." * 20 + "h", TARGETS, casualty_roll="shot").set("g1", men=2)
    table = Table(monkeypatch, table, fire=6, casualties={"s1": 1, "s2": 6}).fire(s1="g1", s2="g1")
    row = table.position.row("g1")
    assert (row.dead, row.wounded, row.men) == (1, 1, 0)
    assert [(int(e.dead), int(e.wounded)) for e in table.position.events("shot")] == [(0, 1), (1, 0)]


def test_fc_5_2_with_every_shot_losses_add_up_to_the_men(monkeypatch):
    table = position(ROW, TARGETS, casualty_roll="shot").set("g1", men=5)
    table = Table(monkeypatch, table, fire=6, casualties=6).fire(s1="g1_", s2="g1_", T1="g1_")
    assert [int(e.dead) for e in table.position.events("shot")] == [4, 1, 0]
    assert table.position.row("g1").dead == 5


@pytest.mark.parametrize(
    ("settings", "shots", "leader", "value"),
    [
        # Suppression decides before plain fire: 0.4 x 4 / 0.8, though s2 fires from the hill.
        ({}, {"s1": "g1_", "s2": "g1"}, "s1", 0.4 * 4 / 0.8),
        # Of one mode the highest f: the hill's 1.1.
        ({}, {"s1": "g1", "s2": "g1", "T1": "g1"}, "s2", 0.2 * 4 * 1.1 / 0.8),
        ({}, {"s1": "g1_", "s2": "g1_", "T1": "g1"}, "s2", 0.4 * 4 * 1.1 / 0.8),
        # High morale adds 35 to f.
        ({"s1": "high"}, {"s1": "g1", "s2": "g1"}, "s1", 0.2 * 4 * 1.35 / 0.8),
        # Of the same f the one whose morale takes less from the die: T1, then s3 of the lower number.
        ({"s1": "low"}, {"s1": "g1", "T1": "g1"}, "T1", 0.2 * 4 / 0.8),
        ({"s1": "low", "s2": "low"}, {"s1": "g1", "s2": "g1"}, "s2", 0.2 * 2 * 1.1 / 0.8),
        ({}, {"s1": "g1", "s3": "g1"}, "s1", 0.2 * 4 / 0.8),
    ],
)
def test_fc_5_2_whose_shot_decides(monkeypatch, settings, shots, leader, value):
    units = {"s1": (0, 0), "s2": (0, 1), "T1": (0, 2), "s3": (0, 3), "g1": (0, 20)}
    table = position("." + "h" + "." * 30, units)
    for name, morale in settings.items():
        table.set(name, morale=morale)
    table = Table(monkeypatch, table, fire=6, casualties=3).fire(**shots)
    deciding = [e for e in table.position.events("shot") if e.dice > 0]
    assert [table.position.names.units[e.actor] for e in deciding] == [leader]
    assert deciding[0].value == pytest.approx(value)


def test_fc_5_2_a_shot_without_effect_decides_nothing(monkeypatch):
    units = {"s1": (0, 0), "s2": (0, 1), "g1": (0, 20)}
    table = Table(monkeypatch, position(ROW, units), fire={"s1": 1, "s2": 6}, casualties=6)
    table.fire(s1="g1_", s2="g1")
    # 0.2 x 7 / 0.8 = 1.75
    assert table.position.row("g1").dead == 2
    assert table.position.event_of("s1").losses == 0


# 5.3 and 5.6

LINE_OF_SIGHT = {
    "T": ("90.0", "58.7", "67.3"), "E": ("90.0", "58.7", "67.3"), "U": ("86.6", "66.2", "60.0"),
    "P": ("139.5", "57.7", "46.7"), "I": ("103.6", "80.0", "80.8"),
}  # fmt: skip
NOMINAL = {
    "T": ("45", "45", "45"), "E": ("45", "45", "45"), "U": ("75", "60", "60"), "P": ("80", "50", "40"),
    "I": ("102", "80", "80"),
}  # fmt: skip
KIND = dict(zip("TEUPI", st.VEHICLES, strict=True))


@pytest.mark.parametrize(("basis", "plates"), [("line_of_sight", LINE_OF_SIGHT), ("nominal", NOMINAL)])
def test_fc_5_3_armour_of_every_vehicle_facing_die_and_modifier(basis, plates):
    """A = thickness x (1 + p) / ((100 + die) x (1 + f)); up to 1 penetrates."""
    table = position("..", {}, armour_basis=basis)
    for letter, (facing, plate) in itertools.chain.from_iterable(
        ((letter, pair) for pair in enumerate(thicknesses)) for letter, thicknesses in plates.items()
    ):
        thickness = int(table.game.rules.armour[st.KINDS.index(KIND[letter]), facing])
        for die, f, p in itertools.product(DICE, F, P):
            numerator, denominator = table.penetration(thickness, die, f, p)
            value = Fraction(plate) * share(p) / ((100 + die) * share(f))
            assert Fraction(int(numerator), int(denominator)) == value
            assert (numerator <= denominator) == (value <= 1)


@pytest.mark.parametrize(("target", "least"), [("T1", 1), ("E1", 1), ("U1", 1), ("P1", 7), ("I1", 4)])
def test_fc_5_3_front_hits_that_penetrate(monkeypatch, target, least):
    """On plain: T-34 and SU-152 by every die, Tiger (103.6 mm) from 4 on, Panther (139.5 mm) by none."""
    shooter = "P2" if target[0] in "TEU" else "T2"
    for die in DICE:
        facing = "east" if target[0] in "TEU" else "west"
        table = position(ROW, {shooter: (0, 20), target: (0, 0, "east")} if facing == "east" else
                         {shooter: (0, 0), target: (0, 20, "west")})  # fmt: skip
        table = Table(monkeypatch, table, fire=6, armour=die).fire(**{shooter: target})
        event = table.position.event_of(shooter)
        assert st.RESULTS[event.result] == ("destroyed" if die >= least else "ricochet")
        assert (table.position.at(target) == "gone") == (die >= least)
        assert (event.dice, st.FACINGS[event.facing]) == (die, "front")


def test_fc_5_3_a_of_exactly_1_penetrates():
    table = position("..", {})
    assert table.penetration(1040, 4, 0, 0) == (104_000, 104_000)
    numerator, denominator = table.penetration(1041, 4, 0, 0)
    assert numerator > denominator


def test_fc_5_3_every_shot_rolls_its_own_armour_die(monkeypatch):
    units = {"T1": (0, 0), "T2": (0, 1), "I1": (0, 20, "west")}
    table = Table(monkeypatch, position(ROW, units), fire=6, armour={"T1": 3, "T2": 4}).fire(T1="I1", T2="I1")
    results = [st.RESULTS[e.result] for e in table.position.events("shot")]
    assert results == ["ricochet", "destroyed"]


# 5.4


@pytest.mark.parametrize(
    ("hits", "state", "crew"),
    [
        (["front"], "gone", 5),
        (["side"], "cannot_fire", 2),
        (["rear"], "cannot_move", 1),
        (["side", "rear"], "gone", 5),
        (["rear", "side"], "gone", 5),
        (["side", "side"], "gone", 5),
        (["rear", "rear"], "gone", 5),
        (["side", "front"], "gone", 5),
        (["front", "front"], "gone", 5),
    ],
)
def test_fc_5_4_penetrations_add_up(hits, state, crew):
    """In one turn or in several; of the crew of 5, gunner and commander, or the driver, or all are lost."""
    table = position("...", {"P1": (0, 0)})
    lost = [table.damage("P1", st.FACINGS.index(facing)) for facing in hits]
    table.remove_the_fallen()
    row = table.row("P1")
    assert (row.men, row.dead, sum(lost)) == (5 - crew, crew, crew)
    assert (table.at("P1") == "gone") == (state == "gone")
    if state != "gone":
        assert (row.cannot_fire, row.cannot_move) == (int(state == "cannot_fire"), int(state == "cannot_move"))


def test_fc_5_4_crew_losses_are_capped_at_the_crew():
    table = position("...", {"T1": (0, 0)}).set("T1", men=1)
    assert table.damage("T1", st.SIDE) == 1
    table.remove_the_fallen()
    assert table.at("T1") == "gone"


def test_fc_5_4_only_one_shot_destroys(monkeypatch):
    """Hits of one turn add up: the second finds a vehicle that has nobody left to lose."""
    units = {"T1": (0, 0), "T2": (0, 1), "T3": (0, 2), "I1": (0, 20, "west")}
    table = Table(monkeypatch, position(ROW, units), fire=6, armour=6).fire(T1="I1", T2="I1", T3="I1")
    results = [(st.RESULTS[e.result], int(e.losses)) for e in table.position.events("shot")]
    assert results == [("destroyed", 5), ("penetrated", 0), ("penetrated", 0)]
    assert table.position.row("I1").dead == 5


# 5.5


def test_fc_5_5_the_struck_facing():
    """All bearings within 6 cells, and all facings, against the angle; on a boundary the more frontal."""
    art = "\n".join(["." * 13] * 13)
    table = position(art, {"T1": (6, 6)})
    for facing in range(8):
        table.row("T1").facing = facing
        ahead = math.degrees(math.atan2(ROW_STEPS[facing], COLUMN_STEPS[facing]))
        for row, column in itertools.product(range(13), range(13)):
            if (row, column) == (6, 6):
                continue
            bearing = math.degrees(math.atan2(row - 6, column - 6))
            angle = abs((bearing - ahead + 180) % 360 - 180)
            expected = "front" if angle < 45 + 1e-9 else "rear" if angle > 135 + 1e-9 else "side"
            assert st.FACINGS[table.facing_towards("T1", (row, column))] == expected, (facing, row, column)


@pytest.mark.parametrize(
    ("facing", "struck"),
    [("west", "front"), ("northwest", "front"), ("north", "side"), ("southeast", "side"), ("east", "rear")],
)
def test_fc_5_5_shots_from_the_west(monkeypatch, facing, struck):
    table = position(ROW, {"T1": (0, 0), "P1": (0, 20, facing)})
    table = Table(monkeypatch, table, fire=6, armour=6).fire(T1="P1")
    event = table.position.event_of("T1")
    assert st.FACINGS[event.facing] == struck
    row = table.position.row("P1")
    assert (row.cannot_fire, row.cannot_move) == (int(struck == "side"), int(struck == "rear"))


@pytest.mark.parametrize(("facing", "shown"), [("west", "front"), ("north", "side"), ("east", "rear")])
def test_fc_5_5_a_shot_without_effect_was_aimed_at_a_facing_too(monkeypatch, facing, shown):
    """Else the shots at a facing would be those alone that struck it."""
    table = position(ROW, {"T1": (0, 0), "P1": (0, 79, facing)})
    table = Table(monkeypatch, table, fire=1).fire(T1="P1")
    event = table.position.event_of("T1")
    assert (st.RESULTS[event.result], st.FACINGS[event.facing]) == ("no_effect", shown)


@pytest.mark.parametrize(
    ("basis", "plates"), [("line_of_sight", LINE_OF_SIGHT), ("nominal", NOMINAL), (None, LINE_OF_SIGHT)]
)
def test_fc_5_6_thickness(basis, plates):
    table = position("..", {}, **({"armour_basis": basis} if basis else {}))
    for letter, thicknesses in plates.items():
        row = table.game.rules.armour[st.KINDS.index(KIND[letter])]
        assert [Fraction(int(tenths), 10) for tenths in row] == [Fraction(plate) for plate in thicknesses]


def test_fc_5_6_crews():
    units = {"T1": (0, 0), "E1": (0, 1), "U1": (0, 2), "P1": (0, 3), "I1": (0, 4)}
    table = position(ROW, units)
    assert [int(table.row(name).men) for name in units] == [4, 5, 5, 5, 5]


@pytest.mark.parametrize(("slope", "plate", "thickness"), [(60, 45, "90.0"), (40, 45, "58.7"), (48, 45, "67.3"),
                                                           (55, 80, "139.5"), (30, 50, "57.7"), (31, 40, "46.7"),
                                                           (30, 75, "86.6")])  # fmt: skip
def test_fc_5_6_line_of_sight_is_plate_by_cosine(slope, plate, thickness):
    assert abs(plate / math.cos(math.radians(slope)) - float(thickness)) < 0.1


# 5.7


@pytest.mark.parametrize(
    ("shooter", "target", "f", "p"),
    [(".", ".", 0, -20), ("h", "w", 10, 50), ("f", "f", -10, 20), ("w", "r", 20, -50), ("B", "H", 5, 20)],
)
def test_fc_5_7_against_squads_times_1_plus_f_by_1_plus_p(monkeypatch, shooter, target, f, p):
    table = position(shooter + "." + target, {"s1": (0, 0), "g1": (0, 2)})
    table = Table(monkeypatch, table, fire=6, casualties=5).fire(s1="g1")
    assert table.position.event_of("s1").value == pytest.approx(0.2 * 6 * (1 + f / 100) / (1 + p / 100))


@pytest.mark.parametrize(
    ("shooter", "target", "f", "p"), [(".", ".", 0, 0), ("f", "B", -20, 50), ("h", "f", 0, 10), ("B", "r", 0, -10)]
)
def test_fc_5_7_against_vehicles_thickness_times_1_plus_p(monkeypatch, shooter, target, f, p):
    table = position(shooter + "." + target, {"T1": (0, 0, "east"), "P1": (0, 2, "west")})
    table = Table(monkeypatch, table, fire=6, armour=5).fire(T1="P1")
    assert table.position.event_of("T1").value == pytest.approx(139.5 * (1 + p / 100) / (105 * (1 + f / 100)))


def test_fc_5_7_suppression_from_a_trench(monkeypatch):
    """+40 % in place of +20 %; a vehicle there has neither."""
    table = position("w" + ".........h", {"s1": (0, 0), "g1": (0, 10)})
    assert (table.fire_modifier("s1", st.FIRE), table.fire_modifier("s1", st.SUPPRESS)) == (20, 40)
    table = Table(monkeypatch, table, fire=6, casualties=4).fire(s1="g1_")
    assert table.position.event_of("s1").value == pytest.approx(0.4 * 5 * 1.4)
    table = position("w", {"T1": (0, 0)})
    assert (table.fire_modifier("T1", st.FIRE), table.fire_modifier("T1", st.SUPPRESS)) == (0, 0)


# 5.8

RANGES = [  # shooter, what it has, target, range in cells or None
    ("s1", {}, "g1", 40), ("s1", {"machine_gun": 1}, "g1", 80), ("s1", {"anti_tank": 1}, "P1", 30),
    ("s1", {"anti_tank": 1}, "g1", 40), ("s1", {"machine_gun": 1}, "P1", None), ("s1", {}, "P1", None),
    ("T1", {}, "P1", 80), ("T1", {}, "g1", 80), ("E1", {}, "P1", 100), ("U1", {}, "P1", 100),
    ("P1", {}, "T1", 100), ("I1", {}, "T1", 100), ("I1", {}, "s1", 100),
]  # fmt: skip


@pytest.mark.parametrize(("shooter", "fields", "target", "cells"), RANGES)
def test_fc_5_8_ranges(shooter, fields, target, cells):
    """Inclusive, along the straight line."""
    art = "\n".join([ROW] * 2)
    for distance in range(1, 119):
        if distance not in (1, 29, 30, 31, 39, 40, 41, 79, 80, 81, 99, 100, 101):
            continue
        for row in (0, 1):
            table = position(art, {shooter: (0, 0), target: (row, distance)}).set(shooter, **fields)
            within = cells is not None and distance**2 + row**2 <= cells**2
            assert table.may_target(shooter, target) == within, (distance, row)


@pytest.mark.parametrize(
    ("fields", "target", "weapon"),
    [
        ({}, "g1", "small_arms"),
        ({"machine_gun": 1}, "g1", "machine_gun"),
        ({"machine_gun": 1, "anti_tank": 1}, "g1", "machine_gun"),
        ({"machine_gun": 1, "anti_tank": 1}, "P1", "anti_tank"),
    ],
)
def test_fc_5_8_a_squad_fires_its_anti_tank_weapon_at_vehicles_alone(monkeypatch, fields, target, weapon):
    table = position(ROW, {"s1": (0, 0), "g1": (0, 20), "P1": (0, 21, "west")}).set("s1", **fields)
    table = Table(monkeypatch, table, fire=6).fire(s1=target)
    event = table.position.event_of("s1")
    assert st.WEAPONS[event.weapon] == weapon
    assert event.range_m == (200 if target == "g1" else 210)


# 5.10


@pytest.mark.parametrize(
    ("cells", "least"), [(1, 2), (26, 2), (27, 4), (53, 4), (54, 6), (80, 6)]
)  # thirds of 80 cells: 26.7 and 53.3
def test_fc_5_10_effect_by_thirds_of_the_range(monkeypatch, cells, least):
    for die in DICE:
        table = Table(monkeypatch, position(ROW, {"T1": (0, 0), "g1": (0, cells)}), fire=die, casualties=6)
        table.fire(T1="g1")
        event = table.position.event_of("T1")
        assert event.fire_dice == die
        assert (st.RESULTS[event.result] == "effect") == (die >= least)
        assert (table.position.row("g1").men < 14) == (die >= least)
        assert table.position.row("T1").ammunition == 9


@pytest.mark.parametrize(("place", "least"), [((6, 8), 2), ((7, 8), 4), ((12, 16), 4), ((13, 16), 6), ((18, 24), 6)])
def test_fc_5_10_thirds_are_inclusive(place, least):
    """Anti-tank weapon: 10 cells exactly, just beyond, 20 exactly, just beyond, 30 exactly."""
    table = position("..", {})
    distance = place[0] ** 2 + place[1] ** 2
    assert [die for die in DICE if table.takes_effect(distance, 30, die)] == [die for die in DICE if die >= least]


def test_fc_5_10_without_the_roll_every_shot_takes_effect(monkeypatch):
    table = position(ROW, {"T1": (0, 0), "g1": (0, 80)}, fire_roll="none")
    Table(monkeypatch, table, fire=1, casualties=6).fire(T1="g1")
    assert table.row("g1").men < 14


def test_fc_5_10_is_rolled_by_default():
    assert not start().takes_effect(1, 30, 1)
