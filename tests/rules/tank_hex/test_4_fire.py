"""Chapter 4: direct fire, from the declaration to the effect."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import sim.tank_hex.state as st
from sim.tank_hex.rules.fire import level_between
from tests.tank_hex_positions import Table, position, rules_document

FACES = range(1, 7)
RESULTS = {"-": st.NO_RESULT, "S": st.SUPPRESSED, "F": st.FIRE_KILL, "M": st.MOBILITY_KILL, "K": st.DESTROYED}

# Rows: sum of both dice. Columns: levels 1 to 10.
TABLE = {
    2: "F F F F F F F F K K",
    3: "- S K K K K K K K K",
    4: "- - - S K K K K K K",
    5: "- - - - - S K K K K",
    6: "- - - - - - - S K K",
    7: "- - - - - - - - S K",
    8: "- - - - - - - - - S",
    9: "- - - - - - S K K K",
    10: "- - - - S K K K K K",
    11: "- - S K K K K K K K",
    12: "S M M M M M M M M M",
}

# Distances 1 to 40.
LEVELS = [10] * 8 + [9] * 12 + [8] * 4 + [7] * 4 + [6] * 2 + [5] * 2 + [4] * 2 + [3] * 2 + [2] * 2 + [1] * 2

# What is subtracted: rows grades 1 to 8, columns distances 1-4, 5-8, ... 45-48.
HEIGHT = """
    2 2 1 1 1 0 0 0 0 0 0 0
    2 2 2 1 1 1 1 0 0 0 0 0
    3 2 2 2 1 1 1 1 1 0 0 0
    3 3 3 2 2 1 1 1 1 1 1 0
    4 3 3 3 2 2 2 1 1 1 1 1
    4 4 4 3 3 2 2 2 1 1 1 1
    5 4 4 4 3 2 2 2 2 1 1 1
    5 5 5 4 3 3 2 2 2 2 2 1
"""


def duel(distance=18, **given):
    """R1 and a target at a distance on open ground."""
    return position({"R1": (0, 0), "B1": (0, distance)}, **given)


def fired(monkeypatch, table, *shots, order="R1 at B1", **more):
    """What comes of one red declaration with these dice (both and the armour die)."""
    return Table(monkeypatch, table, red={"fire": [order]}, shot=list(shots), **more).fire().position.shots()


# 4.1


def test_th_4_1_the_rulebooks_own_example(monkeypatch):
    """At 18 hexes (900 m) the level is 9; 5 destroys. The armour die is not 1."""
    table = duel(18)
    assert fired(monkeypatch, table, (2, 3, 4)) == ["direct R1 at B1: destroyed"]
    (shot,) = table.events("direct")
    assert (shot.distance, shot.range_m, shot.level_by_table, shot.level, shot.dice) == (18, 900, 9, 9, 5)
    assert (shot.die_1, shot.die_2, shot.armour_die, shot.losses) == (2, 3, 4, 1)
    assert st.RESULTS[shot.table_result] == st.RESULTS[shot.result] == "destroyed"
    assert table.markers("B1") == {"fired_at", "destroyed"}


def test_th_4_1_markers_stay_when_the_shot_is_impossible(monkeypatch):
    """No sight: woods between. No dice are rolled."""
    table = duel(18, woods=[(0, 9)])
    assert fired(monkeypatch, table) == ["direct R1 at B1: no_sight"]
    assert (table.markers("R1"), table.markers("B1")) == ({"fired"}, {"fired_at"})


def test_th_4_1_height_comes_after_distance_and_before_modifiers(monkeypatch):
    """18 hexes: 9; the target one grade up: 8; suppressed: 5. With 11 that is K, with 9 nothing (level 8: K)."""
    for dice, result in (((5, 6, 6), "destroyed"), ((4, 5, 6), "none")):
        table = duel(18, grades={(0, 18): 1}).put("R1", suppressed=1)
        assert fired(monkeypatch, table, dice) == [f"direct R1 at B1: {result}"]
        (shot,) = table.events("direct")
        assert (shot.level_by_table, shot.height, shot.level, shot.suppressed) == (9, 1, 5, 1)


def test_th_4_1_terrain_comes_before_armour(monkeypatch):
    """Saved by the woods the armour die is not needed: it is not recorded. Saved by armour it is."""
    table = duel(18, woods=[(0, 18)])
    assert fired(monkeypatch, table, (1, 4, 1)) == ["direct R1 at B1: suppressed"]
    assert table.events("direct")[0].armour_die == -1
    table = duel(18, woods=[(0, 18)])
    assert fired(monkeypatch, table, (5, 5, 1)) == ["direct R1 at B1: suppressed"]
    assert table.events("direct")[0].armour_die == 1


# 4.2


def chance(sign, level):
    """Of 36: how many throws of two dice show a sign at a level."""
    return sum(TABLE[a + b].split()[level - 1] in sign for a, b in product(FACES, FACES))


def test_th_4_2_ten_damage_probabilities():
    """1, 2, 4, 6, 9, 12, 16, 20, 25 and 31 of 36, rounded to 5 %: below 5, 5, 10, 15, 25, 35, 45, 55, 70, above 85."""
    table = duel()
    damage = [
        sum(
            table.result_by_table("85mm", level, a + b) >= st.FIRE_KILL
            for a, b in product(FACES, FACES)
        )
        for level in range(1, 11)
    ]  # fmt: skip
    assert damage == [chance("KFM", level) for level in range(1, 11)] == [1, 2, 4, 6, 9, 12, 16, 20, 25, 31]
    percent = [Fraction(100 * count, 36) for count in damage]
    assert [round(float(p) / 5) * 5 for p in percent[1:9]] == [5, 10, 15, 25, 35, 45, 55, 70]
    assert percent[0] < 5
    assert percent[9] > 85


SAVES = {"open": [], "woods": [3, 4], "built_up": [2]}

# Of the 36 throws of two dice how many still damage after terrain, levels 1 to 10. At level 10 in woods: 16 throws
# without 3 and 4, less 2 + 6 and 6 + 2. In built-up: 25 without a 2, less 3 + 5, 4 + 4 and 5 + 3.
DAMAGE_LEFT = {
    "open": [1, 2, 4, 6, 9, 12, 16, 20, 25, 31],
    "woods": [1, 2, 4, 6, 7, 8, 8, 8, 10, 14],
    "built_up": [1, 2, 2, 4, 6, 9, 11, 15, 18, 22],
}


@pytest.mark.parametrize("terrain", SAVES)
@pytest.mark.parametrize("level", range(1, 11))
def test_th_4_2_probabilities_after_terrain_and_armour(terrain, level):
    """By counting all 216 throws: the rule, the odds that policies see, and what the tables above say."""
    table = duel()
    expected, found = Counter(), Counter()
    for a, b, armour in product(FACES, FACES, FACES):
        sign = TABLE[a + b].split()[level - 1]
        if sign in "KFM" and (armour == 1 or a in SAVES[terrain] or b in SAVES[terrain]):
            sign = "S"
        expected[RESULTS[sign]] += 1
        found[int(table.result_of_shot("direct", level, terrain, a, b, armour))] += 1
    assert found == expected
    odds = table.game.rules.odds[st.GUN_85, level, st.TERRAINS.index(terrain)]
    assert odds.tolist() == [expected[result] for result in range(5)]
    kills = table.game.rules.kill_odds[:, level, st.TERRAINS.index(terrain)]
    assert kills.tolist() == [odds[st.DESTROYED], sum(odds[st.FIRE_KILL :])]
    assert sum(odds[st.FIRE_KILL :]) == 5 * DAMAGE_LEFT[terrain][level - 1]  # 5 of 6 faces of the armour die


def test_th_4_2_level_0_does_nothing():
    assert duel().game.rules.odds[st.GUN_85, 0, 0].tolist() == [216, 0, 0, 0, 0]


# 4.3


@pytest.mark.parametrize("distance", range(1, 41))
def test_th_4_3_level_by_distance(distance):
    table = duel(distance)
    assert table.level_by_distance(distance) == LEVELS[distance - 1]
    assert table.shot_level("direct", "R1", "B1", 0) == LEVELS[distance - 1]


def test_th_4_3_no_shot_beyond_40_hexes(monkeypatch):
    table = duel(41)
    assert table.level_by_distance(41) == 0
    assert fired(monkeypatch, table) == ["direct R1 at B1: out_of_range"]
    assert table.markers("R1") == {"fired"}
    assert table.events("direct")[0].distance == 41


def test_th_4_3_close_combat_is_at_one_hex():
    """Level 10, also where a table puts another level at other distances."""
    table = duel(18, numbers={f"fire.level_by_distance.{distance}": 4 for distance in range(1, 8)})
    assert table.shot_level("close_combat", "R1", "B1", 0) == 10
    table = duel(18, numbers={"fire.level_by_distance.0": 4})
    assert table.shot_level("close_combat", "R1", "B1", 0) == 4


# 4.4


@pytest.mark.parametrize("grades", range(1, 9))
def test_th_4_4_height_correction(grades):
    row = [int(number) for number in HEIGHT.split()][12 * (grades - 1) : 12 * grades]
    table = duel()
    assert [table.height_correction(grades, 4 * band + first) for band in range(12) for first in (1, 4)] == [
        number for number in row for _ in range(2)
    ]


def test_th_4_4_one_grade_at_18_hexes():
    table = duel(18, grades={(0, 18): 1})
    assert table.shot_level("direct", "R1", "B1", 0) == 9 - 1
    assert table.shot_level("direct", "B1", "R1", 0) == 9  # a lower target is no harder to hit
    assert table.height_correction(0, 18) == table.height_correction(-3, 18) == 0


def test_th_4_4_nine_grades_count_as_eight():
    assert duel().height_correction(9, 1) == 5


# 4.5


@pytest.mark.parametrize("dice", TABLE)
def test_th_4_5_result_table(dice):
    table = duel()
    found = [table.result_by_table("85mm", level, dice) for level in range(1, 11)]
    assert found == [RESULTS[cell] for cell in TABLE[dice].split()]


# 4.6


@pytest.mark.parametrize(
    ("kind", "suppressed", "bonus", "level"),
    [
        ("direct", 0, 0, 9),
        ("direct", 1, 0, 6),  # 9 - 3
        ("on_the_move", 0, 0, 8),  # 9 - 1
        ("short_halt", 0, 0, 6),  # 9 - 3
        ("on_the_move", 1, 0, 5),  # 9 - 1 - 3
        ("short_halt", 1, 0, 3),  # 9 - 3 - 3
        ("opportunity", 1, 2, 8),  # 9 - 3 + 2
        ("covering", 0, 2, 10),  # 9 + 2 is capped
    ],
)
def test_th_4_6_modifiers_at_18_hexes(kind, suppressed, bonus, level):
    table = duel(18).put("R1", suppressed=suppressed)
    assert table.shot_level(kind, "R1", "B1", bonus) == level


def test_th_4_6_the_cap_comes_once_and_last():
    """At 8 hexes, level 10: + 2 - 3 makes 9, not 10 - 3. With a cap of 9 it stays 9, and 10 becomes 9."""
    assert duel(8).put("R1", suppressed=1).shot_level("direct", "R1", "B1", 2) == 9
    capped = duel(8, numbers={"fire.most_level": 9})
    assert capped.shot_level("direct", "R1", "B1", 0) == 9
    assert capped.put("R1", suppressed=1).shot_level("direct", "R1", "B1", 2) == 9


@pytest.mark.parametrize(("options", "level", "shot"), [({}, 0, "no_effect"), ({"minimum_level": 1}, 1, "suppressed")])
def test_th_4_6_below_1(monkeypatch, options, level, shot):
    """At 36 hexes, level 3, a suppressed tank has level 0: no effect, or level 1, where 12 suppresses."""
    table = duel(36, **options).put("R1", suppressed=1)
    assert table.shot_level("direct", "R1", "B1", 0) == level
    assert fired(monkeypatch, table, (6, 6, 6)) == [f"direct R1 at B1: {shot}"]
    assert (table.markers("R1"), table.markers("B1") >= {"fired_at"}) == ({"fired", "suppressed"}, True)
    # Without the S marker it is level 3, and without a modifier nothing is below 1.
    assert duel(36, **options).shot_level("direct", "R1", "B1", 0) == 3


def test_th_4_6_firepower_adds_two_levels(monkeypatch):
    """30 hexes, level 6: 8 with the card. 9 destroys at 8 and does nothing at 6."""
    table = duel(30).holds("red", "firepower")
    assert fired(monkeypatch, table, (4, 5, 6), order="+R1 at B1") == ["direct R1 at B1: destroyed"]
    assert (table.events("direct")[0].level_by_table, table.events("direct")[0].level) == (6, 8)
    assert fired(monkeypatch, duel(30), (4, 5, 6)) == ["direct R1 at B1: none"]


# 4.7


@pytest.mark.parametrize("dice", list(product(FACES, FACES)))
def test_th_4_7_terrain(dice):
    """At level 10 all but 8 damages. Built-up saves with a 2 on any die, woods with a 3 or 4, the same two dice."""
    table = duel()
    raw = table.result_by_table("85mm", 10, sum(dice))
    for terrain, saves in SAVES.items():
        saved = raw >= st.FIRE_KILL and bool(set(dice) & set(saves))
        assert table.result_of_shot("direct", 10, terrain, *dice, 6) == (st.SUPPRESSED if saved else raw)
    assert table.result_of_shot("direct", 10, "water", *dice, 6) == raw


@pytest.mark.parametrize("terrain", ["woods", "built_up"])
def test_th_4_7_it_is_the_targets_terrain_that_counts(monkeypatch, terrain):
    save = {"woods": (4, 5, 6), "built_up": (2, 5, 6)}[terrain]
    assert fired(monkeypatch, duel(8, **{terrain: [(0, 8)]}), save) == ["direct R1 at B1: suppressed"]
    assert fired(monkeypatch, duel(8, **{terrain: [(0, 0)]}), save) == ["direct R1 at B1: destroyed"]


@pytest.mark.parametrize("armour", ["none", "light", "medium", "heavy", "composite"])
def test_th_4_7_armour(armour):
    """The die turns K, F and M into S: medium with a 1, heavy up to 2, composite up to 3, the lighter never."""
    most = {"none": 0, "light": 0, "medium": 1, "heavy": 2, "composite": 3}[armour]
    table = duel(numbers={"tank.armour": armour})
    for die in FACES:
        saved = die <= most
        assert table.result_of_shot("direct", 9, "open", 1, 1, die) == (st.SUPPRESSED if saved else st.DESTROYED)  # K
        assert table.result_of_shot("direct", 8, "open", 1, 1, die) == (st.SUPPRESSED if saved else st.FIRE_KILL)
        assert table.result_of_shot("direct", 8, "open", 6, 6, die) == (st.SUPPRESSED if saved else st.MOBILITY_KILL)
        assert table.result_of_shot("direct", 8, "open", 1, 5, die) == st.SUPPRESSED  # S stays S
        assert table.result_of_shot("direct", 8, "open", 2, 5, die) == st.NO_RESULT


# 4.8


def test_th_4_8_s_lowers_fire_by_three_levels_and_does_not_add_up():
    table = duel(18)
    for _ in range(3):
        assert not table.suffer("R1", st.SUPPRESSED)
        assert table.shot_level("direct", "R1", "B1", 0) == 6
    assert table.markers("R1") == {"suppressed"}
    assert table.may_move("R1")


@pytest.mark.parametrize("first", [st.FIRE_KILL, st.MOBILITY_KILL])
@pytest.mark.parametrize("second", [st.FIRE_KILL, st.MOBILITY_KILL])
def test_th_4_8_a_second_f_or_m_destroys(first, second):
    table = duel()
    assert not table.suffer("B1", first)
    assert table.markers("B1") == ({"fire_kill"} if first == st.FIRE_KILL else {"mobility_kill"})
    assert table.suffer("B1", second)
    assert table.where("B1") is None


def test_th_4_8_f_cannot_fire_and_m_cannot_move():
    table = duel().put("R1", fire_kill=1).put("B1", mobility_kill=1)
    assert [table.may_fire("direct", name) for name in ("R1", "B1")] == [False, True]
    assert [table.may_move(name) for name in ("R1", "B1")] == [True, False]


def test_th_4_8_k_destroys_and_s_on_a_damaged_tank_does_not():
    table = duel().put("B1", fire_kill=1)
    assert not table.suffer("B1", st.SUPPRESSED)
    assert not table.suffer("B1", st.NO_RESULT)
    assert table.suffer("B1", st.DESTROYED)
    assert table.markers("B1") >= {"destroyed"}
    assert table.state.units[table.unit("B1")].hex == st.NOWHERE


def test_th_4_8_a_second_kill_by_fire_counts_as_a_loss(monkeypatch):
    table = duel(8).put("B1", fire_kill=1)
    assert fired(monkeypatch, table, (6, 6, 6)) == ["direct R1 at B1: mobility_kill"]
    assert table.events("direct")[0].losses == 1
    assert table.where("B1") is None


# 4.9


def test_th_4_9_after_k_the_rest_are_not_rolled_but_count_as_fired(monkeypatch):
    units = {"R1": (0, 0), "R2": (0, 1), "R3": (0, 2), "B1": (0, 9), "B2": (0, 10)}
    table = position(units)
    shots = fired(monkeypatch, table, (3, 4, 6), (5, 5, 6), order="R1 R2 R3 at B1")
    assert shots == [
        "direct R1 at B1: suppressed",  # 9 hexes, level 9: 7 is S
        "direct R2 at B1: destroyed",  # 8 hexes, level 10
        "direct R3 at B1: not_rolled",
    ]
    assert all(table.markers(name) == {"fired"} for name in ("R1", "R2", "R3"))
    assert [row.declaration for row in table.events("direct")] == [1, 1, 1]


def test_th_4_9_a_concentration_is_one_time_of_being_fired_at(monkeypatch):
    """All of it hits the same target; a second declaration at it is lost."""
    table = position({"R1": (0, 0), "R2": (0, 1), "R3": (0, 2), "B1": (0, 9), "B2": (0, 20)})
    play = Table(monkeypatch, table, red={"fire": ["R1 R2 at B1", "R3 at B1"]}, blue={"fire": ["B2 at R1"]},
                 shot=[(4, 4, 6), (4, 4, 6), (4, 4, 6)]).fire()  # fmt: skip
    assert table.shots() == [
        "direct R1 at B1: none",
        "direct R2 at B1: suppressed",
        "direct B2 at R1: none",
    ]
    assert play.position.state.sides[0].illegal == 1


def test_th_4_9_a_shooter_without_sight_fails_alone(monkeypatch):
    """Woods at (0, 1) hide the target from R1 behind them, not from R2 in front."""
    table = position({"R1": (0, 0), "R2": (0, 2), "B1": (0, 9)}, woods=[(0, 1)])
    assert fired(monkeypatch, table, (5, 5, 6), order="R1 R2 at B1") == [
        "direct R1 at B1: no_sight",
        "direct R2 at B1: destroyed",
    ]
    assert table.markers("R1") == {"fired"}


def test_th_4_9_any_number_of_shooters(monkeypatch):
    units = {f"R{k}": (0, (k - 1) // 4) for k in range(1, 17)} | {"B1": (0, 12)}
    table = position(units)
    names = " ".join(f"R{k}" for k in range(1, 17))
    shots = fired(monkeypatch, table, *[(4, 4, 6)] * 16, order=f"{names} at B1")
    assert len(shots) == 16
    assert all(table.markers(f"R{k}") == {"fired"} for k in range(1, 17))


def test_th_4_9_also_in_opportunity_and_covering_fire(monkeypatch):
    units = {"R1": (0, 0), "R2": (0, 1), "R3": (0, 2), "B1": (0, 12), "B2": (0, 13)}
    table = position(units)
    Table(monkeypatch, table, red={"move": ["R1 E"], "cover": ["R2 R3 at B1"]}, blue={"react": ["B1 B2 at R1"]},
          shot=[(4, 4, 6), (4, 4, 6), (1, 6, 6), (4, 4, 6)]).movement()  # fmt: skip
    assert table.shots() == [
        "opportunity B1 at R1: none",
        "opportunity B2 at R1: none",
        "covering R2 at B1: suppressed",
        "covering R3 at B1: none",
    ]


# 4.10


def test_th_4_10_rows_7_and_8_at_level_10():
    """K and S: with them the damage of level 10 is 31 of 36, more than 85 %; the lineage has 30."""
    table = duel()
    assert table.result_by_table("85mm", 10, 7) == st.DESTROYED
    assert table.result_by_table("85mm", 10, 8) == st.SUPPRESSED


def test_th_4_10_the_rules_file_says_what_is_not_the_rulebooks():
    book = rules_document()
    for path, sign in (
        ("fire.level_by_distance", "restored"),
        ("fire.height_subtract", "restored"),
        ("fire.results", "restored; S cells and rows 7 and 8 at level 10: ours"),
        ("batteries.directions", "restored"),
        ("batteries.levels_155", "ours"),
        ("batteries.levels_122", "ours"),
        ("batteries.results", "ours"),
        ("batteries.armour_saves_155", "ours"),
        ("batteries.armour_saves_122", "ours"),
        ("victory.objective", "ours"),
    ):
        table, _, entry = path.partition(".")
        assert sign in book[table][entry]["note"]


def test_th_4_10_the_tail_of_the_distance_table_falls_to_1():
    """From 24 hexes on: one level less every 4 hexes, then every 2, and 1 at the last."""
    table = duel()
    assert [int(table.level_by_distance(distance)) for distance in (24, 28, 30, 32, 34, 36, 38, 40)] == [
        8,
        7,
        6,
        5,
        4,
        3,
        2,
        1,
    ]
    assert np.all(np.diff([table.level_by_distance(distance) for distance in range(1, 41)]) <= 0)
    assert level_between(table.game, st.DIRECT, 0, 40, 0, 0) == 1
