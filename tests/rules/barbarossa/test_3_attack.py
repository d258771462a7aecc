"""Chapter 3: who may attack whom, the combat table, isolation."""

from fractions import Fraction

import pytest

import sim.barbarossa.appraisal as appraisal
import sim.barbarossa.state as st
from tests.barbarossa_positions import Table, position, soviet_only, start_of

RESULTS = {"L": st.REPULSED, "XL": st.TAKEN_AT_A_LOSS, "X": st.TAKEN}

# 3.1


@pytest.mark.parametrize(
    ("target", "attackers", "legal"),
    [
        ("Minsk", "G1", True),
        ("Minsk", "G1 G3", True),  # Konigsberg and Warsaw: two lines
        ("Minsk", "G1 G2", False),  # both from Konigsberg: one line
        ("Minsk", "G3 G4", False),
        ("Kiev", "G3 G6", True),  # Warsaw and Slovakia
        ("Kiev", "G1", False),  # no line from Konigsberg to Kiev
        ("Silesia", "G1", False),  # Axis
        ("Leningrad", "G1", False),  # two steps; on the same sea, but attacks are by land
        ("Minsk", "", False),
        ("Minsk", "G1 G1", False),  # the same unit twice
    ],
)
def test_bb_3_1_along_each_line_one_unit(target, attackers, legal):
    table = position("S41", {"Konigsberg": "G1 G2", "Warsaw": "G3 G4 G5", "Slovakia": "G6"}, "Silesia Berlin Prague")
    assert table.attack_is_legal(target, attackers) == legal


def test_bb_3_1_units_of_one_region_attack_along_different_lines(monkeypatch):
    """Konigsberg's two units: one to Kurland, one to Minsk."""
    table = position("S41", {"Konigsberg": "G1 G2 G3"}, "Silesia Warsaw")
    table = Table(monkeypatch, table, dice={"attack": [1, 1]}, attacks=["Kurland: G1", "Minsk: G2"]).attacks()
    assert (table.position.where("G1"), table.position.where("G2")) == ("Kurland", "Minsk")


def test_bb_3_1_a_line_is_used_once_a_turn():
    """One unit a line and one attack a target: a second unit of Konigsberg finds the line used."""
    table = position("S44", {"Konigsberg": "G1 G2"}, "Silesia Warsaw")
    table.state.units[table.unit("G1")].attacked_in = table.state.turn
    table.state.places[table.region("Minsk")].attacked_in = table.state.turn
    assert not table.may_attack("G2", "Minsk")
    assert table.may_attack("G2", "Kurland")


@pytest.mark.parametrize(("option", "legal"), [({}, True), ({"lone_unit_may_attack": False}, False)])
def test_bb_3_1_a_lone_unit_may_attack(option, legal):
    table = position("S41", {"Konigsberg": "G1", "Warsaw": "G2 G3"}, "Silesia", **option)
    table.mark_lone_units()
    assert table.may_attack("G1", "Minsk") == legal
    assert table.may_attack("G2", "Minsk")


def test_bb_3_1_four_attackers_on_one_region(monkeypatch):
    """Minsk has six neighbours; four of them attack as one: the row of 4 takes it at any roll, even in 1944."""
    units = {"Konigsberg": "G1 G5", "Warsaw": "G2 G6", "Kurland": "G3 G7", "Kiev": "G4 G8"}
    table = Table(monkeypatch, position("W44", units, "Silesia"), dice={"attack": [1]}, attacks=["Minsk: G1 G2 G3 G4"])
    assert table.attacks().position.holds("Minsk") == "G1 G2 G3 G4"
    (attack,) = table.position.events("attack")
    assert (attack.units, attack.dice, attack.modifier, attack.losses) == (4, 1, 0, 0)


# 3.2

# Rows: attackers. Columns: modified roll 1 to 4, and what lies beyond counts as the nearest.
TABLE = {1: "L L XL X", 2: "L XL X X", 3: "XL X X X", 4: "X X X X", 5: "X X X X", 9: "X X X X"}


@pytest.mark.parametrize(
    ("units", "roll", "result"),
    [(units, roll + 1, result) for units, row in TABLE.items() for roll, result in enumerate(row.split())]
    + [(1, 5, "X"), (1, 6, "X"), (2, 6, "X"), (3, 5, "X"), (1, 0, "L"), (3, 0, "XL")],
)
def test_bb_3_2_table(units, roll, result):
    assert start_of("barbarossa").attack_result(units, roll) == RESULTS[result]


@pytest.mark.parametrize(("d6", "d3"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_bb_3_2_a_d3_is_half_a_d6_rounded_up(d6, d3):
    assert start_of("barbarossa").game.rules.attack_d3[d6 - 1] == d3


THIRD, TWO_THIRDS = Fraction(1, 3), Fraction(2, 3)


@pytest.mark.parametrize(
    ("units", "modifier", "taken", "loses_one"),
    [
        (1, 0, 0, 1), (1, 1, THIRD, TWO_THIRDS), (1, 2, TWO_THIRDS, THIRD), (1, 3, 1, 0),
        (2, 0, TWO_THIRDS, TWO_THIRDS), (2, 1, 1, THIRD), (2, 2, 1, 0), (2, 3, 1, 0),
        (3, 0, 1, THIRD), (3, 1, 1, 0), (3, 2, 1, 0), (3, 3, 1, 0),
        (4, 0, 1, 0), (4, 1, 1, 0), (4, 3, 1, 0), (6, 0, 1, 0),
    ],
)  # fmt: skip
def test_bb_3_2_exact_chances(units, modifier, taken, loses_one):
    """All six faces of the die; one unit that is lost by XL takes nothing."""
    start = start_of("barbarossa")
    results = [start.attack_result(units, start.game.rules.attack_d3[d6 - 1] + modifier) for d6 in range(1, 7)]
    takes = [result == st.TAKEN or (result == st.TAKEN_AT_A_LOSS and units > 1) for result in results]
    loses = [result != st.TAKEN for result in results]
    assert (Fraction(sum(takes), 6), Fraction(sum(loses), 6)) == (taken, loses_one)


@pytest.mark.parametrize("year", [1941, 1942, 1943, 1944])
@pytest.mark.parametrize("with_german", [True, False])
def test_bb_3_2_chances_that_are_worked_out_before_the_game(year, with_german):
    start = start_of("barbarossa")
    start.state.turn = 1 + list(start.game.rules.year).index(year)
    for units in range(1, 7):
        results = [
            start.attack_result(units, d3 + start.attack_modifier(with_german)) for d3 in start.game.rules.attack_d3
        ]
        takes = [result == st.TAKEN or (result == st.TAKEN_AT_A_LOSS and units > 1) for result in results]
        assert appraisal.chance_of_taking(start.game, units, with_german) == sum(takes) / 6
        assert appraisal.chance_of_loss(start.game, units, with_german) == sum(r != st.TAKEN for r in results) / 6


@pytest.mark.parametrize(
    ("turns", "with_german", "without"),
    [("S41 A41", 3, 1), ("W42 S42 A42", 2, 0), ("W43 S43 A43", 1, 0), ("W44 S44 A44", 0, 0), ("W45 S45", 0, 0)],
)
def test_bb_3_2_modifier(turns, with_german, without):
    start = start_of("barbarossa")
    for turn in turns.split():
        start.state.turn = start.turn_number(turn)
        assert start.attack_modifier(True) == with_german
        assert start.attack_modifier(False) == without


@pytest.mark.parametrize(
    ("turn", "attackers", "d6", "modifier", "result", "lost", "taken"),
    [
        ("S41", "G1", 1, 3, "taken", 0, True),  # 1 + 3 = 4: X
        ("S42", "G1", 2, 2, "taken_at_a_loss", 1, False),  # 1 + 2 = 3: XL, and none remains
        ("S42", "G1", 3, 2, "taken", 0, True),  # 2 + 2 = 4: X
        ("S43", "G1", 3, 1, "taken_at_a_loss", 1, False),  # 2 + 1 = 3: XL
        ("S43", "G1", 1, 1, "repulsed", 1, False),  # 1 + 1 = 2: L
        ("S44", "G1", 6, 0, "taken_at_a_loss", 1, False),  # 3: XL
        ("S44", "G1 G3", 2, 0, "repulsed", 1, False),  # row 2, 1: L
        ("S44", "G1 G3", 4, 0, "taken_at_a_loss", 1, True),  # row 2, 2: XL, one remains
        ("S44", "G1 G3", 5, 0, "taken", 0, True),  # row 2, 3: X
        ("S44", "G1 G3 G5", 1, 0, "taken_at_a_loss", 1, True),  # row 3, 1: XL
    ],
)
def test_bb_3_2_attacks(monkeypatch, turn, attackers, d6, modifier, result, lost, taken):
    units = {"Konigsberg": "G1 G2", "Warsaw": "G3 G4", "Kiev": "G5 G6"}
    table = Table(
        monkeypatch,
        position(turn, units, "Silesia Slovakia"),
        dice={"attack": [d6]},
        attacks=[f"Minsk: {attackers}"],
        losses="G1",
    ).attacks()
    (attack,) = table.position.events("attack")
    assert (attack.modifier, st.RESULTS[attack.result], attack.losses) == (modifier, result, lost)
    assert attack.captured == taken == ("Minsk" in table.position.axis())
    remaining = " ".join(attackers.split()[lost:])
    assert table.position.holds("Minsk") == (remaining if taken else "soviet")
    assert table.position.where("G1") == ("waiting" if lost else "Minsk")


@pytest.mark.parametrize(("attackers", "modifier"), [("R1", 1), ("R1 G1", 3), ("G1", 3)])
def test_bb_3_2_one_german_is_enough_for_the_german_modifier(monkeypatch, attackers, modifier):
    table = position("S41", {"Bucharest": "R1 R2", "Kiev": "G1 G2"}, "Slovakia Budapest Belgrade")
    table = Table(monkeypatch, table, dice={"attack": [6]}, attacks=[f"Odessa: {attackers}"]).attacks()
    assert table.position.events("attack")[0].modifier == modifier


def test_bb_3_2_a_lost_attacker_leaves_its_region_before_the_rest_enters(monkeypatch):
    """R1 dies, and Bucharest is left while Odessa is still Soviet: it falls, though Odessa is then taken."""
    table = position("S44", {"Bucharest": "R1", "Kiev": "G1 G2"}, "Slovakia Budapest Belgrade Warsaw Minsk")
    table = Table(monkeypatch, table, dice={"attack": [3]}, attacks=["Odessa: R1 G1"], losses="R1").attacks()
    assert table.position.holds("Odessa") == "G1"
    assert table.position.holds("Bucharest") == "soviet"


def test_bb_3_2_attackers_may_leave_the_game_before_they_enter(monkeypatch):
    """R1 dies, Bucharest falls, and with it R2 leaves, the other attacker: Odessa is not taken."""
    table = position("S44", {"Bucharest": "R1", "Izyum": "R2"}, "Slovakia Budapest Belgrade")
    table = Table(monkeypatch, table, dice={"attack": [3]}, attacks=["Odessa: R1 R2"], losses="R1").attacks()
    (attack,) = table.position.events("attack")
    assert (st.RESULTS[attack.result], attack.losses, attack.captured) == ("taken_at_a_loss", 1, 0)
    assert table.position.holds("Odessa") == "soviet"
    assert (table.position.where("R1"), table.position.where("R2")) == ("gone", "gone")


def test_bb_3_2_a_die_belongs_to_the_region_attacked(monkeypatch):
    table = position("S41", {"Konigsberg": "G1 G2 G3"}, "Silesia Warsaw")
    table = Table(monkeypatch, table, dice={"attack": [1, 1]}, attacks=["Kurland: G1", "Minsk: G2"]).attacks()
    rollers = [table.position.region("Kurland"), table.position.region("Minsk")]
    assert table.rolled == [("attack", roller, 0, 6) for roller in rollers]


# 3.3


@pytest.mark.parametrize(
    ("soviet", "cut_off"),
    [
        # By land: Kiev and Kharkov have no Soviet neighbour that leads to Gorky; Moscow has.
        ("Gorky Moscow Kiev Kharkov", "Kiev Kharkov"),
        ("Gorky Moscow Kursk Kharkov", ""),
        # Lake Ladoga: Leningrad and Arkangel.
        ("Arkangel Leningrad", ""),
        ("Gorky Leningrad", "Leningrad"),
        # Caspian Sea: Baku and Astrakhan.
        ("Astrakhan Baku", ""),
        ("Stalingrad Baku", "Baku"),
        # Black Sea: Sevastapol, Baku and from there Astrakhan over the Caspian.
        ("Astrakhan Baku Sevastapol", ""),
        ("Astrakhan Sevastapol", "Sevastapol"),
        ("Astrakhan Baku Sevastapol Bucharest Odessa", ""),
        # Baltic Sea: Kurland and Silesia over Leningrad and the lake.
        ("Arkangel Leningrad Kurland Silesia", ""),
        ("Gorky Leningrad Kurland Silesia", "Leningrad Kurland Silesia"),
        # Each source supplies.
        ("Stalingrad Don", ""), ("Siberia", ""), ("Gorky Moscow", ""), ("Arkangel Demayansk", ""),
        ("Astrakhan Grozny", ""),
        # A source that is Axis supplies nothing: Gorky, between Moscow and Siberia.
        ("Siberia Moscow", "Moscow"),
        # A chain through many regions.
        ("Stalingrad Rostov Izyum Odessa Kiev Warsaw Berlin", "Berlin"),
        ("Stalingrad Rostov Izyum Odessa Kiev Warsaw Silesia Berlin", ""),
    ],
)  # fmt: skip
def test_bb_3_3_what_no_path_joins_to_a_source_turns_axis(soviet, cut_off):
    table = soviet_only("S42", soviet, {"Prague": "G1"})
    assert table.isolate() == len(cut_off.split())
    assert table.soviet() == set(soviet.split()) - set(cut_off.split())
    assert all(table.holds(region) == "garrison" for region in cut_off.split())


def test_bb_3_3_at_once_after_a_capture(monkeypatch):
    """G1 takes Grozny: Baku, whose only line leads there, is cut off, since Astrakhan on its sea is Axis."""
    table = position("S41", {"Rostov": "G1 G2"}, "Astrakhan Stalingrad Izyum Sevastapol Odessa Bucharest Don")
    table = Table(monkeypatch, table, dice={"attack": [6]}, attacks=["Grozny: G1"]).attacks().position
    assert (table.holds("Grozny"), table.holds("Baku")) == ("G1", "garrison")
    assert table.events("attack")[0].isolated == 1
    assert [table.names.places[event.place] for event in table.events("isolated")] == ["Baku"]
    assert table.state.sides[st.AXIS].captured == 2


def test_bb_3_3_what_was_vacated_is_looked_at_before_isolation():
    """G1 leaves Slovakia for Kiev, next to Minsk only: Warsaw falls and is cut off with Minsk when Kiev is taken."""
    table = soviet_only("S41", "Minsk Kiev Gorky", {"Warsaw": "G1"})
    assert table.captures("Kiev", "G1") == 2
    assert (table.holds("Warsaw"), table.holds("Minsk")) == ("garrison", "garrison")


def test_bb_3_3_all_sources_axis_and_everything_falls(monkeypatch):
    table = soviet_only("A42", "Siberia Moscow Kiev Minsk", {"Gorky": "G1 G2"})
    table = Table(monkeypatch, table, dice={"attack": [6]}, attacks=["Siberia: G1", "Moscow: G2"]).attacks()
    assert table.position.soviet() == set()
    assert table.position.axis_regions() == 32
    assert table.position.state.sides[st.AXIS].decided == table.position.turn_number("A42")
    assert len(table.position.events("attack")) == 1  # nothing is asked after that


# 3.4


def test_bb_3_4_a_unit_attacks_once_and_a_target_is_attacked_once(monkeypatch):
    units = {"Konigsberg": "G1 G2", "Warsaw": "G3 G4"}
    table = Table(monkeypatch, position("S44", units, "Silesia"), dice={"attack": [1]}, attacks=["Minsk: G1 G3"],
                  losses="G3").attacks().position  # fmt: skip
    assert not table.may_attack("G1", "Kurland")  # has attacked
    assert not table.may_attack("G2", "Minsk")  # has been attacked
    assert table.may_attack("G2", "Kurland")


def test_bb_3_4_a_unit_that_has_moved_may_attack_one_that_has_entered_may_not(monkeypatch):
    table = position("S41", {"Silesia": "G1", "Konigsberg": "G2"}, "Warsaw Berlin Prague Slovakia")
    table = Table(monkeypatch, table, dice={"attack": [1]}, moves=["G1 Konigsberg"], attacks=["Minsk: G1"])
    table.movement().attacks()
    assert table.position.where("G1") == "Minsk"
    assert not table.position.may_attack("G1", "Smolensk")


@pytest.mark.parametrize(
    ("attacks", "fault"),
    [
        # Kursk taken, Kiev is cut off from Moscow and Axis: no target any more.
        (["Kursk: G1", "Kiev: G2"], "bad_attack"),
        (["Kiev: G2", "Kursk: G1"], "none"),
    ],
)
def test_bb_3_4_attacks_are_declared_and_rolled_one_after_another(monkeypatch, attacks, fault):
    table = soviet_only("S41", "Gorky Moscow Kursk Kiev", {"Smolensk": "G1", "Warsaw": "G2"})
    assert Table(monkeypatch, table, dice={"attack": [1, 1]}, attacks=attacks).attacks().fault() == fault
    assert table.soviet() == {"Gorky", "Moscow", "Smolensk"}  # Smolensk was left, next to Moscow


def test_bb_3_4_the_player_picks_the_attacker_that_is_lost(monkeypatch):
    units = {"Konigsberg": "G1 G2", "Warsaw": "G3 G4"}
    table = Table(monkeypatch, position("S44", units, "Silesia"), dice={"attack": [1]}, attacks=["Minsk: G1 G3"],
                  losses="G3").attacks()  # fmt: skip
    assert table.script.asked == [("lose", "Minsk", "G1 G3")]
    assert (table.position.where("G1"), table.position.where("G3")) == ("Konigsberg", "waiting")


def test_bb_3_4_only_an_attacker_can_be_picked(monkeypatch):
    units = {"Konigsberg": "G1 G2", "Warsaw": "G3 G4"}
    table = Table(monkeypatch, position("S44", units, "Silesia"), dice={"attack": [1]}, attacks=["Minsk: G1 G3"],
                  losses="G2").attacks()  # fmt: skip
    assert table.fault() == "bad_loss"


@pytest.mark.parametrize(
    ("attackers", "legal"), [("R1 H1", False), ("R1 G1", True), ("H1 G1", True), ("R1 H1 G1", False), ("R1 I1", True)]
)
def test_bb_3_4_rumanians_and_hungarians_do_not_attack_one_target_together(attackers, legal):
    table = position("S42", {"Izyum": "R1", "Kharkov": "H1", "Don": "G1", "Sevastapol": "I1"}, "Kiev Odessa")
    for region in ("Kharkov", "Don"):  # bring all next to Rostov
        table.game.board.lines_between[table.region(region), table.region("Rostov")] = 1
    assert table.attack_is_legal("Rostov", attackers) == legal


def test_bb_3_4_lone_units_are_counted_when_the_phase_begins(monkeypatch):
    """G1 attacks from Konigsberg, and G2, now alone, still may: two stood there. G3 stood alone in Warsaw."""
    table = position("S41", {"Konigsberg": "G1 G2", "Warsaw": "G3"}, "Silesia Prague", lone_unit_may_attack=False)
    table = Table(monkeypatch, table, dice={"attack": [1, 1]}, attacks=["Kurland: G1", "Minsk: G2"]).attacks()
    assert (table.position.where("G1"), table.position.where("G2")) == ("Kurland", "Minsk")
    assert not table.position.may_attack("G3", "Kiev")


@pytest.mark.parametrize("attack", ["Silesia: G1", "Minsk: G1 G2", "Leningrad: G1"])
def test_bb_3_4_an_illegal_attack_is_a_fault(monkeypatch, attack):
    table = position("S41", {"Konigsberg": "G1 G2"}, "Silesia Warsaw")
    assert Table(monkeypatch, table, attacks=[attack]).attacks().fault() == "bad_attack"
