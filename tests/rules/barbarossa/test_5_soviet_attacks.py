"""Chapter 5: how many Soviet attacks, where, and what comes of them."""

import numpy as np
import pytest

import sim.barbarossa.state as st
from sim.barbarossa.board import DIFFICULTIES, VARIANTS
from sim.barbarossa.rules.soviet import number_of_attacks
from tests.barbarossa_positions import Position, Table, listed, position, soviet_only, start_of

# 5.1, reconstructed

ATTACKS = """
turn  difficult  medium  easy  no_purge  random
S41   0          0       0     1         D2-1
A41   2          1       1     2         D2
W42   4          3       2     4         D6
S42   3          2       1     3         D3
A42   3          2       2     3         D3
W43   4          4       3     5         D6
S43   3          3       2     4         D3+1
A43   4          4       3     4         D6
W44   4          4       3     4         D6
S44   5          4       4     4         D6
A44   5          4       4     4         D6
W45   6          5       4     5         D6+1
S45   6          5       4     5         D6+1
"""
ROWS = {row.split()[0]: row.split()[1:] for row in ATTACKS.strip().splitlines()[1:]}
# What variants change: early counterattack, Japanese attack, no lend-lease.
CHANGES = {
    "early_counterattack": {"S41": 1, "A41": 1},
    "japanese_attack": {"W42": -1, "W43": -1},
    "no_lend_lease": dict.fromkeys(["S43", "W44", "A44", "W45", "S45"], -1),
}
# Pips of a d6 to each die of the random difficulty.
DICE = {
    "D2-1": (0, 0, 0, 1, 1, 1),
    "D2": (1, 1, 1, 2, 2, 2),
    "D3": (1, 1, 2, 2, 3, 3),
    "D3+1": (2, 2, 3, 3, 4, 4),
    "D6": (1, 2, 3, 4, 5, 6),
    "D6+1": (2, 3, 4, 5, 6, 7),
}


def attacks(table: Position, turn: str, difficulty: str, die: int, *variants: str) -> int:
    table.state.turn = table.turn_number(turn)
    marks = np.array([float(name in variants) for name in VARIANTS])
    return number_of_attacks(table.game, DIFFICULTIES.index(difficulty), marks, die)


def test_bb_5_1_attacks_by_difficulty():
    table = start_of("barbarossa")
    for turn, (*fixed, random) in ROWS.items():
        for difficulty, number in zip(("difficult", "medium", "easy", "no_purge"), fixed, strict=True):
            assert [attacks(table, turn, difficulty, die) for die in (1, 6)] == [int(number)] * 2, (turn, difficulty)
        assert tuple(attacks(table, turn, "random", die) for die in range(1, 7)) == DICE[random], turn


@pytest.mark.parametrize("variant", CHANGES)
def test_bb_5_1_variants(variant):
    table = start_of("barbarossa")
    for turn, (_, _, _, no_purge, _) in ROWS.items():
        change = CHANGES[variant].get(turn, 0)
        assert attacks(table, turn, "no_purge", 1, variant) == int(no_purge) + change, turn


def test_bb_5_1_variants_add_up():
    table = start_of("barbarossa")
    assert attacks(table, "S41", "difficult", 1, "early_counterattack", "no_lend_lease") == 0 + 1
    assert attacks(table, "W43", "easy", 1, "japanese_attack", "no_lend_lease") == 3 - 1


def test_bb_5_1_never_below_0():
    """S41, random: D2 - 1 with a 1 is 0, and a variant that takes another one leaves it there."""
    table = start_of("barbarossa")
    table.game.rules.variants[0, 0] = -1
    assert attacks(table, "S41", "random", 1, "japanese_attack") == 0
    assert attacks(table, "S41", "no_purge", 1, "japanese_attack") == 0


@pytest.mark.parametrize(("difficulty", "pips", "number"), [("medium", 1, 3), ("random", 1, 1), ("random", 5, 5)])
def test_bb_5_1_that_many_are_made(monkeypatch, difficulty, pips, number):
    """W42: medium 3, random D6."""
    table = position("W42", {"Warsaw": "G1"}, "Silesia Berlin")
    dice = {"number": [pips], "target": [1] * 9, "result": [1] * 9}
    table = Table(monkeypatch, table, dice=dice).soviet_attacks(difficulty)
    assert len(table.position.events("soviet_attack")) == number
    assert table.position.state.sides[st.SOVIET].attacks == number


# 5.2

# Worked by hand on the map: distances of front regions to the first name, then to the second.
# Start: fronts are Konigsberg, Warsaw, Slovakia, Bucharest.
#   1 Demayansk 3 3 4 5; Konigsberg and Warsaw both 2 from Berlin.   2 Gorky 4 4 4 5; Minsk 1 1 2.
#   3 Kharkov 3 2 2 3; Budapest: Warsaw 2, Slovakia 1.               4 Grozny 6 6 5 4.
# Blue: fronts are Kurland, Velikje Luki, Smolensk, Kursk, Kharkov, Izyum, Sevastapol.
#   1 Demayansk 2 1 2 3 ...   2 Gorky: Smolensk 2, Kursk 2; Minsk 1, 2.   3 Kharkov itself.
#   4 Grozny: Izyum 2, Sevastapol 2; both 1 from Odessa.
# Uranus: fronts are Kurland, Velikje Luki, Smolensk, Kursk, Kharkov, Don, Stalingrad, Grozny.
#   1 Demayansk 2 1 ...       2 Gorky: Smolensk 2, Kursk 2; Minsk 1, 2.   3 Kharkov itself.   4 Grozny itself.
TARGETS = [
    ("barbarossa", "tie_break", {1: "Konigsberg Warsaw", 2: "Konigsberg Warsaw", 3: "Slovakia", 4: "Bucharest"}),
    ("blue", "tie_break", {1: "Luki", 2: "Smolensk", 3: "Kharkov", 4: "Izyum Sevastapol"}),
    ("uranus", "tie_break", {1: "Luki", 2: "Smolensk", 3: "Kharkov", 4: "Grozny"}),
    # The second name in place of a Soviet first: Berlin, Minsk, Budapest, Odessa.
    (
        "barbarossa",
        "when_first_is_soviet",
        {1: "Konigsberg Warsaw Slovakia", 2: "Konigsberg Warsaw", 3: "Slovakia Bucharest", 4: "Bucharest"},
    ),
    (
        "blue",
        "when_first_is_soviet",
        {1: "Kurland", 2: "Kurland Luki Smolensk", 3: "Kharkov", 4: "Izyum Sevastapol"},
    ),
    ("uranus", "when_first_is_soviet", {1: "Kurland", 2: "Kurland Luki Smolensk", 3: "Kharkov", 4: "Grozny"}),
]


@pytest.mark.parametrize(
    ("scenario", "second_name", "face", "regions"),
    [(scenario, option, face, regions) for scenario, option, faces in TARGETS for face, regions in faces.items()],
)
def test_bb_5_2_named_targets(scenario, second_name, face, regions):
    assert start_of(scenario, second_name=second_name).targets_of(face) == set(listed(regions))


@pytest.mark.parametrize(("scenario", "face", "regions"), [("barbarossa", 1, "Konigsberg Warsaw"), ("blue", 1, "Luki")])
def test_bb_5_2_the_second_name_breaks_ties_by_default(scenario, face, regions):
    assert start_of(scenario).targets_of(face) == set(listed(regions))


def test_bb_5_2_fronts_of_the_scenarios():
    assert start_of("blue").fronts() == set(listed("Kurland Luki Smolensk Kursk Kharkov Izyum Sevastapol"))
    assert start_of("uranus").fronts() == set(listed("Kurland Luki Smolensk Kursk Kharkov Don Stalingrad Grozny"))


@pytest.mark.parametrize(
    ("second_name", "regions"),
    [
        # Kharkov is Axis, but behind the front: no candidate. All its neighbours are front.
        ("tie_break", "Kiev"),  # from Budapest: Kiev 2, Kursk 3, Izyum 3, Don 4, Voronezh 4
        ("when_first_is_soviet", "Kiev Kursk Izyum Don Voronezh"),
    ],
)
def test_bb_5_2_an_axis_rear_region_that_bears_the_name_is_no_candidate(second_name, regions):
    soviet = "Minsk Smolensk Moscow Gorky Rostov Stalingrad"
    table = soviet_only("S42", soviet, {"Kharkov": "G1"}, second_name=second_name)
    assert "Kharkov" not in table.fronts()
    assert table.targets_of(3) == set(regions.split())


def test_bb_5_2_distance_is_in_lines_whoever_owns_them_and_not_by_sea():
    """Baku lies on one sea with Bucharest; by land it is Baku, Grozny, Rostov, Sevastapol, Odessa, Bucharest."""
    table = start_of("barbarossa")
    between = table.game.board.lines_between
    assert between[table.region("Baku"), table.region("Bucharest")] == 5
    assert between[table.region("Kurland"), table.region("Silesia")] == 2
    assert between[table.region("Leningrad"), table.region("Arkangel")] == 2


def test_bb_5_2_a_tie_is_broken_by_a_die(monkeypatch):
    """Start, face 1: Konigsberg or Warsaw, a die with two faces; face 4: Bucharest, no die. no_purge, A41: 2."""
    for pips, region in ((1, "Konigsberg"), (2, "Warsaw")):
        table = position("A41", {"Konigsberg": "G1", "Warsaw": "G2", "Slovakia": "G3", "Bucharest": "R1"}, "Silesia")
        dice = {"target": [1, 4], "tie": [pips], "result": [1, 1]}
        table = Table(monkeypatch, table, dice=dice).soviet_attacks("no_purge")
        attacked = [table.position.names.places[event.place] for event in table.position.events("soviet_attack")]
        assert attacked == [region, "Bucharest"]
        assert ("tie", 0, 0, 2) in table.rolled
        assert [row for row in table.rolled if row[0] == "tie"] == [("tie", 0, 0, 2)]


def test_bb_5_2_a_five_is_rolled_again(monkeypatch):
    """A41, medium: 1 attack. Two fives, then a 4: one attack, on Bucharest."""
    table = Table(monkeypatch, start_of("barbarossa"), dice={"target": [5, 5, 4], "result": [1]})
    table.position.state.turn = 2
    table.soviet_attacks("medium")
    attacked = [table.position.names.places[event.place] for event in table.position.events("soviet_attack")]
    assert attacked == ["Bucharest"]
    assert [row for row in table.rolled if row[0] == "target"] == [("target", 0, n, 6) for n in range(3)]


def test_bb_5_2_a_five_means_two_attacks(monkeypatch):
    """Of 1 attack a five makes 2, the five among these makes 3 in all: Bucharest, Bucharest, Slovakia."""
    table = start_of("barbarossa", five="two_attacks")
    table = Table(monkeypatch, table, dice={"target": [5, 5, 4, 4, 3], "result": [1, 1, 1]})
    table.position.state.turn = 2
    table.soviet_attacks("medium")
    attacked = [table.position.names.places[event.place] for event in table.position.events("soviet_attack")]
    assert attacked == ["Bucharest", "Bucharest", "Slovakia"]
    assert [row for row in table.rolled if row[0] == "target"] == [("target", n, 0, 6) for n in range(5)]


def test_bb_5_2_a_six_is_a_weak_point():
    """The Rumanians of Bucharest, and not what is nearest to anything."""
    assert start_of("barbarossa").targets_of(6) == {"Bucharest"}


# 5.3


@pytest.mark.parametrize(
    ("scenario", "regions"),
    [
        ("barbarossa", "Bucharest"),  # Rumanians alone; all other fronts have Germans
        ("blue", "Izyum"),  # one Rumanian; Kharkov has Germans too
        ("uranus", "Kurland"),  # the only front with nothing but a garrison
    ],
)
def test_bb_5_3_weak_points_of_the_scenarios(scenario, regions):
    assert start_of(scenario).targets_of(6) == set(regions.split())


@pytest.mark.parametrize(
    ("units", "garrisons", "regions"),
    [
        # Only a garrison goes before everything else; rear garrisons do not count.
        (
            {"Warsaw": "G1", "Slovakia": "R1"},
            "Konigsberg Bucharest Silesia Berlin Prague Budapest Belgrade",
            "Konigsberg Bucharest",
        ),
        # Without a German, and of those the fewest units.
        ({"Slovakia": "H1 H2", "Bucharest": "R1", "Konigsberg": "G1"}, "", "Bucharest"),
        ({"Slovakia": "H1", "Bucharest": "R1", "Konigsberg": "G1"}, "", "Slovakia Bucharest"),
        # More units without a German go before one with a German.
        ({"Slovakia": "H1 H2 I1", "Konigsberg": "G1"}, "", "Slovakia"),
        # Germans everywhere: all front regions, and of those the fewest units.
        ({"Slovakia": "G1 H1", "Konigsberg": "G2", "Warsaw": "G3"}, "", "Konigsberg Warsaw"),
        ({"Slovakia": "G1 H1", "Konigsberg": "G2 G3"}, "", "Slovakia Konigsberg"),
    ],
)
def test_bb_5_3_garrison_then_no_german_then_the_fewest_units(units, garrisons, regions):
    assert position("S42", units, garrisons).targets_of(6) == set(regions.split())


def test_bb_5_3_each_attack_is_rolled_and_done_before_the_next(monkeypatch):
    """W42, medium: 3 attacks on weak points: the garrisons of Silesia and Konigsberg, then Warsaw."""
    table = position("W42", {"Warsaw": "G1"}, "Konigsberg Silesia")
    Table(monkeypatch, table, dice={"target": [6] * 3, "tie": [1, 1], "result": [1]}).soviet_attacks("medium")
    attacked = [table.names.places[event.place] for event in table.events("soviet_attack")]
    assert attacked == ["Silesia", "Konigsberg", "Warsaw"]
    assert table.soviet() == set(table.names.places) - {"Warsaw"}


# 5.4

STACK = {"Kharkov": "G1 G2"}
BEHIND = "Kiev Izyum Bucharest Budapest"


@pytest.mark.parametrize(
    ("d6", "answer", "result", "held"),
    [
        (1, "", "nothing", "G1 G2"),
        (2, "", "nothing", "G1 G2"),
        (3, "retreat", "retreat_or_loss", "soviet"),
        (4, "lose", "retreat_or_loss", "G2"),
        (5, "", "loss", "G2"),
        (6, "", "loss", "G2"),
    ],
)
def test_bb_5_4_results(monkeypatch, d6, answer, result, held):
    table = Table(monkeypatch, position("W43", STACK, BEHIND), dice={"result": [d6]}, answers=answer, losses="G1",
                  retreats={"G1": "Kiev", "G2": "Izyum"}).soviet_attack("Kharkov")  # fmt: skip
    (attack,) = table.position.events("soviet_attack")
    assert (st.RESULTS[attack.result], attack.dice, attack.units) == (result, (d6 + 1) // 2, 2)
    assert table.position.holds("Kharkov") == held
    assert attack.losses == (held == "G2")
    assert attack.captured == (held == "soviet")


def test_bb_5_4_a_garrison_is_removed_without_a_roll(monkeypatch):
    table = Table(monkeypatch, position("W43", {"Berlin": "G1"}, "Kharkov Kiev")).soviet_attack("Kharkov")
    assert table.position.holds("Kharkov") == "soviet"
    assert table.rolled == []
    (attack,) = table.position.events("soviet_attack")
    assert (st.RESULTS[attack.result], attack.units, attack.losses, attack.captured) == ("garrison_removed", 0, 0, 1)


@pytest.mark.parametrize(
    ("units", "result"),
    [
        ("R1", "loss"), ("H1", "loss"), ("I1", "loss"),  # a single unit that is no German: 2 counts as 3
        ("G1", "retreat_or_loss"), ("R1 R2", "retreat_or_loss"), ("H1 I1", "retreat_or_loss"),
        ("R1 G1", "retreat_or_loss"),
    ],
)  # fmt: skip
def test_bb_5_4_a_single_non_german_unit(units, result):
    table = position("W43", {"Kharkov": units}, BEHIND)
    results = [table.soviet_result("Kharkov", d3) for d3 in (1, 2, 3)]
    assert [st.RESULTS[number] for number in results] == ["nothing", result, "loss"]


def test_bb_5_4_a_single_non_german_has_no_choice(monkeypatch):
    table = Table(monkeypatch, position("W43", {"Izyum": "R1"}, "Odessa Bucharest"), dice={"result": [3]}, losses="R1")
    table.soviet_attack("Izyum")
    assert table.script.asked == [("lose", "Izyum", "R1")]
    assert (table.position.where("R1"), table.position.holds("Izyum")) == ("waiting", "soviet")


@pytest.mark.parametrize(
    ("units", "d6", "losses", "held"),
    [
        ("G1 G2 G3", 3, "G1 G3", "G2"),  # one, and one more
        ("G1 G2", 3, "G2 G1", "soviet"),
        ("G1", 3, "G1", "soviet"),  # there is but one
        ("G1 G2 G3", 5, "G3", "G1 G2"),
        ("G1 G2 G3", 1, "", "G1 G2 G3"),
    ],
)
def test_bb_5_4_no_way_out(monkeypatch, units, d6, losses, held):
    """All neighbours of Kharkov are Soviet: nobody is asked whether he retreats."""
    table = Table(monkeypatch, position("W43", {"Kharkov": units}, "Berlin"), dice={"result": [d6]}, losses=losses)
    table.soviet_attack("Kharkov")
    assert table.position.holds("Kharkov") == held
    assert [question[0] for question in table.script.asked] == ["lose"] * len(losses.split())
    assert table.position.events("soviet_attack")[0].losses == len(losses.split())


@pytest.mark.parametrize(
    ("region", "garrison", "way_out"),
    [
        ("Kharkov", "Kiev", True),
        ("Kharkov", "Odessa", False),  # two lines
        ("Kurland", "Silesia", True),  # Baltic Sea; the book's example
        ("Sevastapol", "Bucharest", True),  # Black Sea
        ("Sevastapol", "Baku", True),
        ("Sevastapol", "Astrakhan", False),  # another sea
        ("Baku", "Astrakhan", True),  # Caspian Sea
        ("Leningrad", "Arkangel", True),  # Lake Ladoga
    ],
)
def test_bb_5_4_a_way_out_by_line_or_by_sea(region, garrison, way_out):
    table = position("W43", {region: "G1"}, garrison)
    assert table.has_way_out(region) == way_out
    assert table.may_retreat("G1", garrison) == way_out
    assert table.can_retreat("G1") == way_out


def test_bb_5_4_a_way_out_that_no_unit_may_use_is_a_way_out(monkeypatch):
    """Kursk is closed to Rumanians. Rather than die on the retreat they lose one unit, not two."""
    table = position("W43", {"Kharkov": "R1 R2"}, "Kursk Bucharest")
    table = Table(monkeypatch, table, dice={"result": [3]}, answers="lose", losses="R1").soviet_attack("Kharkov")
    assert table.position.holds("Kharkov") == "R2"


def test_bb_5_4_units_may_split(monkeypatch):
    table = Table(monkeypatch, position("W43", {"Sevastapol": "G1 G2 G3"}, "Odessa Bucharest Izyum"),
                  dice={"result": [4]}, answers="retreat",
                  retreats={"G1": "Odessa", "G2": "Bucharest", "G3": "Izyum"}).soviet_attack("Sevastapol")  # fmt: skip
    held = [table.position.holds(region) for region in ("Odessa", "Bucharest", "Izyum", "Sevastapol")]
    assert held == ["G1", "G2", "G3", "soviet"]


@pytest.mark.parametrize("refuge", ["Kursk", "Berlin", "Kharkov"])
def test_bb_5_4_a_retreat_to_elsewhere_is_a_fault(monkeypatch, refuge):
    """Kursk is Soviet, Berlin far away, Kharkov where they stand."""
    table = Table(monkeypatch, position("W43", STACK, f"{BEHIND} Berlin"), dice={"result": [3]}, answers="retreat",
                  retreats={"G1": refuge}).soviet_attack("Kharkov")  # fmt: skip
    assert table.fault() == "bad_retreat"


@pytest.mark.parametrize("vacated", ["at_once", "phase_end", "garrison"])
def test_bb_5_4_a_region_left_empty_is_soviet_at_once(monkeypatch, vacated):
    table = Table(monkeypatch, position("W43", {"Kharkov": "G1"}, BEHIND, vacated=vacated), dice={"result": [5]},
                  losses="G1").soviet_attack("Kharkov")  # fmt: skip
    assert table.position.holds("Kharkov") == "soviet"


def test_bb_5_4_the_player_chooses_which_unit(monkeypatch):
    table = Table(monkeypatch, position("W43", {"Kharkov": "G1 R1 I1"}, BEHIND), dice={"result": [6]}, losses="R1")
    table.soviet_attack("Kharkov")
    assert table.script.asked == [("lose", "Kharkov", "G1 R1 I1")]
    assert table.position.holds("Kharkov") == "G1 I1"


@pytest.mark.parametrize(("loser", "fault"), [("G1", "none"), ("G3", "bad_loss")])
def test_bb_5_4_only_a_unit_of_the_region_can_be_chosen(monkeypatch, loser, fault):
    table = position("W43", {**STACK, "Berlin": "G3"}, BEHIND)
    table = Table(monkeypatch, table, dice={"result": [6]}, losses=loser).soviet_attack("Kharkov")
    assert table.fault() == fault


def test_bb_5_4_an_answer_is_retreat_or_loss(monkeypatch):
    table = Table(monkeypatch, position("W43", STACK, BEHIND), dice={"result": [3]})
    monkeypatch.setattr(table.script, "answer", lambda *arguments: 7)
    assert table.soviet_attack("Kharkov").fault() == "bad_answer"
    assert table.position.state.fault_value == 7
