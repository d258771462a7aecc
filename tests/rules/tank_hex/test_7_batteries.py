"""Chapter 7: batteries, what their shells do, impact markers."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

import sim.tank_hex.state as st
from sim.geometry.hexagon import DIRECTIONS
from sim.tank_hex.rules.ground import distance
from tests.tank_hex_positions import Table, called, position

FACES = range(1, 7)
RESULTS = {"-": st.NO_RESULT, "S": st.SUPPRESSED, "F": st.FIRE_KILL, "M": st.MOBILITY_KILL, "K": st.DESTROYED}
UNITS = {"R1": (0, 0), "R2": (0, 1), "R3": (0, 2), "R4": (0, 3), "B1": (0, 18), "B2": (0, 19)}
ALL = 2 ** len(st.CARDS) - 1

# Rows: sum of both dice. Columns: levels 1 to 10.
TABLE = {
    2: "F F F F F F F F K K",
    3: "S S K K K K K K K K",
    4: "- S S S K K K K K K",
    5: "- - - S S S K K K K",
    6: "- - - - - S S S K K",
    7: "- - - - - - S S S K",
    8: "- - - - - - - S S S",
    9: "- - - - S S S K K K",
    10: "- - S S S K K K K K",
    11: "S S S K K K K K K K",
    12: "S M M M M M M M M M",
}

# 7.2


@pytest.mark.parametrize("card", ["battery_155", "battery_122"])
def test_th_7_2_called_in_turn_t_landing_in_turn_t_plus_2(monkeypatch, card):
    table = position(UNITS)
    table.state.turn = 3
    number = st.CARDS.index(card) + 1
    play = Table(monkeypatch, table, red={"aim": [(0, 30)]}, draw=[number, 1], gun=[(1, 2)] * 6).events()
    assert play.red.asked == ["aim"]
    assert [row.target_hex for row in table.events("card_drawn")] == [30, -1]
    for turn in (4, 5):
        assert table.events("gun") == []
        table.state.turn = turn
        play.dice["draw"] = [1, 1]
        play.events()
    assert [row.target_hex for row in table.events("gun")] == [30] * 6
    assert [row.gun for row in table.events("gun")] == [1, 2, 3, 4, 5, 6]
    assert {st.WEAPONS[row.weapon] for row in table.events("gun")} == {card[-3:] + "mm"}
    assert table.hidden.battery[0].tolist() == [-1, -1]


def test_th_7_2_two_batteries_may_be_under_way(monkeypatch):
    table = position(UNITS)
    for turn, battery, aim in ((1, st.BATTERY_155, 30), (2, st.BATTERY_122, 31)):
        table.state.turn = turn
        table.call(0, battery, aim)
    assert table.hidden.due[0].tolist() == [3, 4]
    for turn, slot in ((2, st.NOWHERE), (3, 0), (4, 1)):
        table.state.turn = turn
        assert table.arrival(0) == slot


@pytest.mark.parametrize("arrival", FACES)
def test_th_7_2_a_6_does_not_arrive(monkeypatch, arrival):
    table = called(position(UNITS), "red", "122mm", (0, 30))
    Table(monkeypatch, table, draw=[1, 1], gun=[(arrival, 2)] * 6).events()
    fates = {st.FATES[row.fate] for row in table.events("gun")}
    assert fates == ({"did_not_arrive"} if arrival == 6 else {"landed"})
    assert table.state.impacts[0].tolist() == ([-1] * 6 if arrival == 6 else [30] * 6)


@pytest.mark.parametrize("drift", FACES)
def test_th_7_2_odd_drifts(monkeypatch, drift):
    """By a die for the direction (4: west) and one for the distance (5 hexes)."""
    table = called(position(UNITS), "red", "122mm", (0, 30))
    Table(monkeypatch, table, draw=[1, 1], gun=[(1, drift, 4, 5)] + [(6,)] * 5).events()
    assert table.state.impacts[0, 0] == (25 if drift % 2 else 30)
    gun = table.events("gun")[0]
    assert (gun.distance, gun.direction) == ((5, 4) if drift % 2 else (0, -1))


def test_th_7_2_off_the_map_is_lost(monkeypatch):
    table = called(position(UNITS), "red", "122mm", (0, 2))
    Table(monkeypatch, table, draw=[1, 1], gun=[(1, 1, 4, 3)] + [(6,)] * 5).events()
    assert st.FATES[table.events("gun")[0].fate] == "off_the_map"
    assert table.state.impacts[0, 0] == -1


def test_th_7_2_exact_chances_of_a_gun():
    """1 of 6 does not arrive; of the rest half lands on the aim, half one to six hexes off in six directions.

    On the aim: 5/6 * 1/2 = 5/12. On any one of the 36 hexes around it on the six lines: 5/6 * 1/2 * 1/36 = 5/432.
    Six guns on a tank in the aim hex, 155 mm: a gun is in ring 0 with 5/12, in ring 1 with 6 of the 36 (5/72), in ring
    2 with another 6, for two steps along a line: 5/72 (the hexes between the lines are never hit).
    """
    table = position({"R1": (0, 0), "B1": (15, 31)}, 32, 32)
    aim = table.hex((15, 15))
    landed, rings = Counter(), Counter()
    for arrival, drift, direction, steps in product(FACES, FACES, FACES, FACES):
        if table.game.rules.gun_is_lost[arrival]:
            landed["lost"] += 1
            continue
        impact = aim
        if table.game.rules.gun_drifts[drift]:
            impact = int(table.drifted(aim, table.drift_direction(direction), steps))
        landed[impact] += 1
        rings[int(distance(table.game, aim, impact))] += 1
    throws = 6**4
    assert Fraction(landed["lost"], throws) == Fraction(1, 6)
    assert Fraction(landed[aim], throws) == Fraction(5, 12)
    others = [count for place, count in landed.items() if place not in ("lost", aim)]
    assert (len(others), {Fraction(count, throws) for count in others}) == (36, {Fraction(5, 432)})
    assert [Fraction(rings[ring], throws) for ring in (0, 1, 2)] == [Fraction(5, 12), Fraction(5, 72), Fraction(5, 72)]
    # A shell of 155 mm destroys a medium tank in the open with 10 of 36 throws at level 6 (3, 4, 10 and 11), 4 at
    # level 4 (3 and 11), none at level 2, and four of six faces of the armour die.
    odds = table.game.rules.odds[st.BATTERY_155, :, st.OPEN, st.DESTROYED]
    assert [int(odds[level]) for level in (6, 4, 2)] == [40, 16, 0]
    kill = Fraction(5, 12) * Fraction(40, 216) + Fraction(5, 72) * Fraction(16, 216)
    assert kill == Fraction(20, 243)
    assert 1 - (1 - kill) ** 6 == 1 - Fraction(223, 243) ** 6  # six guns: about 40 %


def test_th_7_2_own_units_are_hit_too_red_first_by_number(monkeypatch):
    """In one hex: R1, R2, then B1 would follow; hexes by ring and number."""
    table = position({"R1": (0, 10), "R2": (0, 10), "R3": (0, 12), "B1": (0, 9), "B2": (0, 11)})
    called(table, "blue", "155mm", (0, 10))
    Table(monkeypatch, table, draw=[1, 1], gun=[(1, 2)] + [(6,)] * 5, shell=[(4, 4, 6)] * 5).events()
    hit = [(table.names.units[row.target], int(row.distance)) for row in table.events("barrage")]
    assert hit == [("R1", 0), ("R2", 0), ("B1", 1), ("B2", 1), ("R3", 2)]


def test_th_7_2_red_batteries_first(monkeypatch):
    table = position(UNITS)
    called(called(table, "blue", "155mm", (0, 30)), "red", "122mm", (0, 32))
    Table(monkeypatch, table, draw=[1, 1], gun=[(6,)] * 12).events()
    assert [row.side for row in table.events("gun")] == [0] * 6 + [1] * 6


def test_th_7_2_the_owner_alone_knows_cards_and_aim(monkeypatch):
    table = called(position(UNITS).holds("red", "rush"), "red", "122mm", (0, 30), due=9)
    seen = []

    class Looking(Table):
        def look(self, game, doctrine, memory, subject, order):
            seen.append((game.hidden.card.tolist(), game.hidden.aim[0].tolist(), game.hidden.deck.tolist()))
            assert [row.card for row in game.state.sides] == [-1, -1]
            return st.NOWHERE

    play = Looking(monkeypatch, table)
    play.seats = [seat._replace(fire=play.look) for seat in play.seats]
    play.fire()
    assert seen == [
        ([st.RUSH, -1], [30, -1], [ALL, -1]),
        ([-1, -1], [-1, -1], [-1, ALL]),
    ]


def test_th_7_2_a_wrong_aim_is_a_fault(monkeypatch):
    table = position(UNITS)
    Table(monkeypatch, table, red={"aim": [88]}, draw=[6, 1]).events()
    assert st.FAULTS[table.state.fault] == "bad_aim"


def test_th_7_2_a_gun_less_or_a_turn_more():
    """Guns and delay are numbers of the rules."""
    table = position(UNITS)
    assert (table.game.rules.guns, table.game.rules.delay) == (6, 2)


# 7.3


@pytest.mark.parametrize("dice", TABLE)
def test_th_7_3_result_table(dice):
    table = position(UNITS)
    for battery in ("155mm", "122mm"):
        found = [table.result_by_table(battery, level, dice) for level in range(1, 11)]
        assert found == [RESULTS[cell] for cell in TABLE[dice].split()]


@pytest.mark.parametrize(("battery", "levels"), [("155mm", [6, 4, 2]), ("122mm", [5, 3, 1])])
def test_th_7_3_levels_by_ring(battery, levels):
    table = position(UNITS)
    assert [table.ring_level(battery, ring) for ring in range(3)] == levels


def test_th_7_3_damage_cells_are_those_of_direct_fire():
    table = position(UNITS)
    for level, dice in product(range(1, 11), range(2, 13)):
        direct, indirect = (int(table.result_by_table(weapon, level, dice)) for weapon in ("85mm", "155mm"))
        assert indirect == direct or (direct <= st.SUPPRESSED and indirect <= st.SUPPRESSED)


@pytest.mark.parametrize(
    ("ground", "rings"),
    [
        ({}, [2, 1, 0, 1, 2, -1]),
        ({"woods": [(0, 10)]}, [-1, -1, 0, -1, -1, -1]),  # an impact in woods works in its own hex only
        ({"built_up": [(0, 10)]}, [-1, -1, 0, -1, -1, -1]),
        ({"woods": [(0, 9)]}, [2, -1, 0, 1, 2, -1]),  # woods in the rings are spared
        ({"built_up": [(0, 12)]}, [2, 1, 0, 1, -1, -1]),
        ({"water": [(0, 11)]}, [2, 1, 0, 1, 2, -1]),
    ],
)
def test_th_7_3_rings(ground, rings):
    table = position(UNITS, **ground)
    assert [table.ring_of((0, 10), (0, column)) for column in range(8, 14)] == rings


@pytest.mark.parametrize(("battery", "most"), [("155mm", 2), ("122mm", 3)])
@pytest.mark.parametrize("armour_die", FACES)
def test_th_7_3_armour_touches_k_only(battery, most, armour_die):
    """Level 8: 3 is K, 2 is F, 12 is M. The armour die turns K into S, F and M stay."""
    table = position(UNITS)
    saved = st.SUPPRESSED if armour_die <= most else st.DESTROYED
    assert table.result_of_shell(battery, 8, "open", 1, 2, armour_die) == saved
    assert table.result_of_shell(battery, 8, "open", 1, 1, armour_die) == st.FIRE_KILL
    assert table.result_of_shell(battery, 8, "open", 6, 6, armour_die) == st.MOBILITY_KILL


@pytest.mark.parametrize("armour", ["none", "light", "medium", "heavy", "composite"])
def test_th_7_3_armour_classes(armour):
    most = {"none": 0, "light": 1, "medium": 2, "heavy": 3, "composite": 4}[armour]
    more = {"none": 0, "light": 2, "medium": 3, "heavy": 4, "composite": 5}[armour]
    table = position(UNITS, numbers={"tank.armour": armour})
    assert table.game.rules.armour_saves[st.BATTERY_155] == most
    assert table.game.rules.armour_saves[st.BATTERY_122] == more


@pytest.mark.parametrize(("terrain", "saves"), [("open", []), ("woods", [3, 4]), ("built_up", [2])])
def test_th_7_3_terrain_touches_k_only(terrain, saves):
    table = position(UNITS)
    for die_1, die_2 in product(FACES, FACES):
        raw = table.result_by_table("155mm", 8, die_1 + die_2)
        saved = raw == st.DESTROYED and bool({die_1, die_2} & set(saves))
        assert table.result_of_shell("155mm", 8, terrain, die_1, die_2, 6) == (st.SUPPRESSED if saved else raw)


def test_th_7_3_guns_and_targets_one_by_one(monkeypatch):
    """Two guns on one hex with two tanks: four adjudications, gun by gun, results add up: F and then M destroy."""
    table = position({"R1": (0, 0), "B1": (0, 10), "B2": (0, 10)})
    called(table, "red", "155mm", (0, 10))
    Table(monkeypatch, table, draw=[1, 1], gun=[(1, 2), (1, 2)] + [(6,)] * 4,
          shell=[(1, 1, 6), (4, 4, 6), (6, 6, 6), (4, 4, 6)]).events()  # fmt: skip
    rows = table.events("barrage")
    assert [(int(row.gun), table.names.units[row.target]) for row in rows] == [
        (1, "B1"),
        (1, "B2"),
        (2, "B1"),
        (2, "B2"),
    ]
    assert (table.where("B1"), [int(row.losses) for row in rows]) == (None, [0, 0, 1, 0])
    assert (rows[0].level_by_table, rows[0].level, rows[0].armour_die) == (6, 6, -1)


def test_th_7_3_shells_neither_need_nor_set_markers(monkeypatch):
    table = position({"R1": (0, 0), "B1": (0, 10)}).put("B1", fired_at=1)
    called(table, "red", "155mm", (0, 10))
    Table(monkeypatch, table, draw=[1, 1], gun=[(1, 2)] + [(6,)] * 5, shell=[(1, 1, 6)]).events()
    assert table.markers("B1") == {"fired_at", "fire_kill"}
    table = position({"R1": (0, 0), "B1": (0, 10)})
    called(table, "red", "155mm", (0, 10))
    Table(monkeypatch, table, draw=[1, 1], gun=[(1, 2)] + [(6,)] * 5, shell=[(4, 4, 6)]).events()
    assert table.markers("B1") == set()


# 7.4


@pytest.mark.parametrize(("option", "hit"), [({}, [0]), ({"rings_linger": True}, [2, 1, 0, 1, 2])])
def test_th_7_4_who_enters_is_adjudicated_at_once(monkeypatch, option, hit):
    """From (0, 7) over the impact hex (0, 10): there alone, or two hexes before and behind, too."""
    table = position({"R1": (0, 7), "B1": (1, 43)}, **option)
    table.state.impacts[1, 3], table.state.impact_battery[1] = 10, st.BATTERY_122
    Table(monkeypatch, table, red={"move": ["R1 E E E E E"]}, shell=[(4, 4, 6)] * 5).movement()
    rows = table.events("barrage")
    assert [int(row.distance) for row in rows] == hit
    assert {(int(row.gun), st.SIDE_NAMES[row.side], st.WEAPONS[row.weapon]) for row in rows} == {(4, "blue", "122mm")}
    assert table.where("R1") == (0, 12)


def test_th_7_4_once_for_each_marker_red_first(monkeypatch):
    table = position({"R1": (0, 9), "B1": (1, 43)})
    for side, gun in ((0, 1), (0, 4), (1, 0)):
        table.state.impacts[side, gun] = 10
    table.state.impact_battery[:] = st.BATTERY_155
    Table(monkeypatch, table, red={"move": ["R1 E"]}, shell=[(4, 4, 6)] * 3).movement()
    assert [(int(row.side), int(row.gun)) for row in table.events("barrage")] == [(0, 2), (0, 5), (1, 1)]


def test_th_7_4_markers_stay_until_the_next_events_phase(monkeypatch):
    table = called(position({"R1": (0, 9), "B1": (1, 43)}), "red", "155mm", (0, 30))
    play = Table(monkeypatch, table, draw=[1] * 4, gun=[(1, 2)] * 6).events()
    table.state.turn = 2
    play.preparation().fire().movement()
    assert table.state.impacts[0].tolist() == [30] * 6
    play.events()
    assert table.state.impacts[0].tolist() == [-1] * 6


def test_th_7_4_who_stays_is_not_hit_again(monkeypatch):
    table = position({"R1": (0, 10), "B1": (1, 43)})
    table.state.impacts[0, 0], table.state.impact_battery[0] = 10, st.BATTERY_155
    Table(monkeypatch, table, red={"move": ["R1"]}).movement()
    assert table.events("barrage") == []


def test_th_7_4_the_ring_that_lingers_spares_woods():
    table = position({"R1": (0, 7), "B1": (1, 43)}, woods=[(0, 9)], rings_linger=True)
    assert [table.ring_entered((0, 10), (0, column)) for column in (8, 9, 10)] == [2, -1, 0]
    assert table.ring_entered(st.NOWHERE, (0, 9)) == -1
    assert DIRECTIONS[0] == "E"
