"""Chapter 7: calls, scatter, what shells do."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import sim.first_contact.state as st
from sim.first_contact.rules.barrage import scatter
from sim.geometry.square import OFF_MAP
from tests.first_contact_positions import Table, place_of, position, start

FIELD = "\n".join(["." * 9] * 9)
CENTRE = (4, 4)
FALLS = {1: [1, 1, 1], 2: [1, 1, 2], 3: [2, 2, 2], 4: [3, 3, 3], 5: [3, 3, 4], 6: [4, 4, 4], 7: [5, 5, 5],
         8: [5, 5, 6], 9: [6, 6, 6]}  # fmt: skip
"""Three dice that bring a shell into each cell of the block."""


def shelled(monkeypatch, units, cells: dict[int, int], art: str = FIELD, fields=None, **options) -> Table:
    """A barrage of 6 shells around the centre, so many into each cell of the block by number; the rest into 2 and 8.

    A German squad in the south-east sees the centre.
    """
    shells = [number for number, count in cells.items() for _ in range(count)]
    assert len(shells) <= 6
    shells += [1] * (6 - len(shells))
    dice = [pip for number in shells for pip in FALLS[number]]
    table = position(art, {"g9": (8, 8), **units}, **options)
    for name, values in (fields or {}).items():
        table.set(name, **values)
    return Table(monkeypatch, table, shells=1, scatter=dice).barrage(CENTRE)


def test_fc_7_1_three_calls_of_six_mortars_by_the_germans_at_most_one_a_turn(monkeypatch):
    table = start()
    assert list(table.state.sides["barrages"]) == [0, 3]
    table = Table(monkeypatch, position(FIELD, {"s1": (0, 0), "g1": (8, 8)}), shells=1, scatter=6)
    for left in (2, 1, 0, 0):
        table.barrage(CENTRE)
        assert table.position.state.sides[st.GERMAN]["barrages"] == left
    assert [event.shells for event in table.position.events("barrage")] == [6, 6, 6]
    table.barrage(CENTRE, int(st.SOVIET))
    assert len(table.position.events("barrage")) == 3


def test_fc_7_1_nobody_need_call(monkeypatch):
    table = Table(monkeypatch, position(FIELD, {"g1": (8, 8)})).barrage(-1)
    assert table.position.state.sides[st.GERMAN]["barrages"] == 3
    assert table.rolled == []


@pytest.mark.parametrize("die", range(1, 7))
def test_fc_7_2_six_shells_for_each_pip(monkeypatch, die):
    table = Table(monkeypatch, position(FIELD, {"g1": (8, 8)}), shells=die, scatter=3).barrage(CENTRE)
    (barrage,) = table.position.events("barrage")
    assert (barrage.shells, barrage.dice, place_of(barrage.location)) == (6 * die, die, CENTRE)
    assert table.rolls("shells") == [(1, 0, 6)]
    # Three dice for each shell, all of them apart.
    assert table.rolls("scatter") == [(1, n, 6) for n in range(18 * die)]
    assert sum(int(e.shells) for e in table.position.events("shell")) == 6 * die


def test_fc_7_2_exact_chances_of_the_nine_cells():
    """Half of the sum of three dice, rounded down."""
    table = position(FIELD, {})
    falls = Counter(int(scatter(table.game, sum(dice))) for dice in itertools.product(range(1, 7), repeat=3))
    assert [falls[cell] for cell in range(1, 10)] == [1, 9, 25, 46, 54, 46, 25, 9, 1]
    assert sum(falls.values()) == 6**3
    assert table.game.rules.scatter_dice == 3


def test_fc_7_2_shells_fall_into_the_block_around_the_cell_named(monkeypatch):
    """A shell into each of six cells."""
    numbers = [1, 2, 3, 5, 6, 9]
    table = shelled(monkeypatch, {}, dict.fromkeys(numbers, 1))
    assert [place_of(e.location) for e in table.position.events("shell")] == [
        (3, 3),
        (3, 4),
        (3, 5),
        (4, 4),
        (4, 5),
        (5, 5),
    ]
    assert [int(e.shells) for e in table.position.events("shell")] == [1] * 6


def test_fc_7_2_own_and_enemy_units_are_hit_alike(monkeypatch):
    units = {"s1": (4, 4), "g1": (3, 4), "P1": (5, 4), "T1": (4, 5)}
    table = shelled(monkeypatch, units, {5: 1, 2: 1, 8: 3, 6: 1})
    assert all(table.position.event_at(name).shells > 0 for name in units)
    # 60 % of 10 / 0.8 = 7.5 and of 14 / 0.8 = 10.5.
    assert (table.position.row("s1").men, table.position.row("g1").men) == (10 - 8, 14 - 11)


THICKNESS = {"T1": ("90.0", "45"), "E1": ("90.0", "45"), "U1": ("86.6", "75"), "P1": ("139.5", "80"),
             "I1": ("103.6", "102")}  # fmt: skip


@pytest.mark.parametrize("name", THICKNESS)
@pytest.mark.parametrize("basis", ["line_of_sight", "nominal"])
@pytest.mark.parametrize("shells", range(7))
def test_fc_7_3_vehicles(monkeypatch, name, basis, shells):
    """C = 60 x shells - 80 % x front: above 0 destroyed, else stunned, and no shell does nothing."""
    table = shelled(monkeypatch, {name: CENTRE}, {5: shells}, armour_basis=basis)
    thickness = Fraction(THICKNESS[name][basis == "nominal"])
    c = 60 * shells - Fraction(80, 100) * thickness
    row = table.position.row(name)
    assert (table.position.at(name) == "gone") == (c > 0)
    assert row.stunned == int(shells > 0 and c <= 0)
    if shells:
        event = table.position.event_at(name)
        assert event.value == pytest.approx(float(c))
        assert (event.dead, event.shells) == (row.dead, shells)
        assert st.RESULTS[event.result] == ("destroyed" if c > 0 else "stunned")
    if c > 0:
        assert (row.men, row.dead) == (0, 4 if name == "T1" else 5)


def test_fc_7_3_c_of_exactly_0_stuns(monkeypatch):
    """60 - 80 % x 75 mm = 0: the SU-152's nominal plate."""
    table = shelled(monkeypatch, {"U1": CENTRE}, {5: 1}, armour_basis="nominal")
    assert table.position.event_at("U1").value == 0
    assert table.position.row("U1").stunned == 1


def test_fc_7_3_a_stunned_crew_neither_fires_nor_moves_this_turn(monkeypatch):
    table = shelled(monkeypatch, {"T1": CENTRE}, {5: 1})
    assert not table.position.can_fire("T1")
    assert not table.position.can_move("T1")
    assert table.position.is_able("T1")
    table.next_turn()
    assert table.position.can_fire("T1")
    assert table.position.can_move("T1")


@pytest.mark.parametrize(
    ("letter", "p"), [(".", -20), ("f", 20), ("h", 0), ("r", -50), ("w", 50), ("B", 20), ("H", 20), ("s", 0)]
)
@pytest.mark.parametrize("shells", [1, 2, 3, 6])
def test_fc_7_3_squads_lose_60_percent_a_shell(monkeypatch, letter, p, shells):
    """Of the men present at each shell, divided by (1 + p), rounded like casualties."""
    lines = [list("." * 9) for _ in range(9)]
    lines[4][4] = letter
    table = shelled(monkeypatch, {"s1": CENTRE}, {5: shells}, "\n".join(map("".join, lines)))
    men, dead, wounded = 10, 0, 0
    for _ in range(shells):
        loss = Fraction(60, 100) * men / (1 + Fraction(p, 100))
        whole, rest = loss // 1, loss % 1
        killed = min(men, int(whole) + (rest >= Fraction(1, 2)))
        hurt = min(men - killed, int(0 < rest < Fraction(1, 2)))
        men, dead, wounded = men - killed - hurt, dead + killed, wounded + hurt
    row = table.position.row("s1")
    assert (row.men, row.dead, row.wounded) == (men, dead, wounded)
    event = table.position.event_at("s1")
    assert (event.dead, event.wounded, event.losses) == (dead, wounded, dead + wounded)
    assert (table.position.at("s1") == "gone") == (men == 0)


def test_fc_7_3_terrain_does_not_protect_vehicles(monkeypatch):
    lines = [list("." * 9) for _ in range(9)]
    lines[4][4] = "B"
    table = shelled(monkeypatch, {"T1": CENTRE}, {5: 2}, "\n".join(map("".join, lines)))
    assert table.position.at("T1") == "gone"


def test_fc_7_3_shells_off_the_map_are_lost(monkeypatch):
    table = position("...\n...\n...", {"g1": (2, 2)})
    assert [table.block_cell((0, 0), n) for n in (1, 2, 3, 4, 7)] == [OFF_MAP] * 5
    table = Table(monkeypatch, table, scatter=1).barrage((0, 0))
    assert table.position.events("shell") == []
    assert len(table.position.events("barrage")) == 1


@pytest.mark.parametrize("aim", [(4, 0), (9, 0), 2**62, -7])
def test_fc_7_3_the_cell_named_must_be_seen(monkeypatch, aim):
    """Behind a wood; off the map."""
    art = "\n".join(["....f...."] * 9)
    table = Table(monkeypatch, position(art, {"g1": (4, 8), "s1": (4, 1)})).barrage(aim)
    assert st.FAULTS[table.position.state.fault] == "bad_barrage"
    assert table.position.state.sides[st.GERMAN]["barrages"] == 3


def test_fc_7_3_the_destroyed_shake_squads_next_to_them(monkeypatch):
    table = shelled(monkeypatch, {"T1": CENTRE, "s1": (4, 6), "s2": (2, 2), "s3": (3, 5)}, {5: 6})
    shaken = table.position.game.work.shaken
    assert [int(shaken[table.position.unit(name)]) for name in ("s1", "s2", "s3")] == [0, 0, 1]
    assert np.sum(shaken) == 1
