"""Chapter 10: melee."""

import pytest

import sim.first_contact.state as st
from tests.first_contact_positions import Table, position

FIELD = "\n".join(["." * 9] * 9)
STANDS, RUNS = [3, 1], [1, 1]  # digits of d100 are one less: 20 stands in normal morale, 0 runs


def test_fc_10_1_opposing_squads_in_adjacent_cells(monkeypatch):
    """Each rolls once, whatever the number of enemies; one that touches nobody, and vehicles, do not."""
    units = {"s1": (4, 4), "s2": (8, 8), "T1": (3, 4), "g1": (5, 5), "g2": (4, 3), "P1": (7, 8)}
    table = Table(monkeypatch, position(FIELD, units), rout=dict.fromkeys(units, 10)).melee()
    assert table.rolls("rout") == [(name, n, 10) for name in ("s1", "g1", "g2") for n in (0, 1)]
    assert {table.position.names.units[e.actor] for e in table.position.events("rout")} == {"s1", "g1", "g2"}


@pytest.mark.parametrize(
    ("morale", "digits", "runs"),
    [
        ("normal", [2, 10], True),  # 19 of 20 %
        ("normal", [3, 1], False),  # 20
        ("low", [6, 10], True),  # 59
        ("low", [7, 1], False),
        ("high", [1, 1], False),
        ("broken", [10, 10], True),  # 99
    ],
)
def test_fc_10_1_who_routs(monkeypatch, morale, digits, runs):
    table = position(FIELD, {"s1": (4, 4), "g1": (4, 5)}).set("s1", morale=morale).set("g1", morale="high")
    table = Table(monkeypatch, table, rout={"s1": list(digits), "g1": [10, 10]}, rout_movement=1).melee()
    event = table.position.event_of("s1", "rout")
    assert event.dice == 10 * (digits[0] - 1) + digits[1] - 1
    assert st.RESULTS[event.result] == ("routed" if runs else "stood")
    assert (table.position.at("s1") == (4, 4)) == (not runs)
    assert table.position.row("s1").moved == int(runs)


def test_fc_10_1_runs_own_2d6_and_away_with_every_step(monkeypatch):
    """3 + 4 pips of plain: from the cell next to the enemy seven steps straight on."""
    field = "\n".join(["." * 19] * 3)
    table = position(field, {"s1": (1, 5), "g1": (1, 4)})
    table = Table(monkeypatch, table, rout={"s1": list(RUNS), "g1": list(STANDS)}, rout_movement=[3, 4]).melee()
    assert table.rolls("rout_movement") == [("s1", 0, 6), ("s1", 1, 6)]
    assert table.position.at("s1")[1] == 5 + 7
    # Nobody fights: the enemy that stands has nobody next to it.
    assert table.position.events("melee") == []


def test_fc_10_1_a_rout_is_two_dice_even_where_movement_is_one(monkeypatch):
    table = position(FIELD, {"s1": (4, 4), "g1": (4, 3)}, movement_dice=1)
    table = Table(monkeypatch, table, rout={"s1": list(RUNS), "g1": list(STANDS)}, rout_movement=1).melee()
    assert table.position.at("s1")[1] == 6


def test_fc_10_1_every_step_raises_the_distance_to_the_nearest_enemy(monkeypatch):
    """Between two enemies it gets no further than where both are as far."""
    field = "\n".join(["." * 9])
    table = position(field, {"s1": (0, 2), "g1": (0, 1), "P1": (0, 7)})
    table = Table(monkeypatch, table, rout={"s1": list(RUNS), "g1": list(STANDS)}, rout_movement=6).melee()
    assert table.position.at("s1") == (0, 4)


def test_fc_10_1_of_several_steps_the_one_furthest_from_enemies():
    """Straight away from the enemy or diagonally is one step more; diagonally is further as the crow flies."""
    table = position(FIELD, {"s1": (4, 4), "g1": (4, 3)})
    table.row("s1").allowance = table.allowance(1)
    assert table.rout("s1") == 1
    assert table.at("s1") == (3, 5)  # northeast comes before southeast


def test_fc_10_1_one_that_cannot_make_a_step_is_wiped_out(monkeypatch):
    """In the corner, with the enemy before it."""
    table = position("....", {"s1": (0, 0), "g1": (0, 1)})
    table = Table(monkeypatch, table, rout={"s1": list(RUNS), "g1": list(STANDS)}, rout_movement=6).melee()
    assert table.position.at("s1") == "gone"
    event = table.position.event_of("s1", "rout")
    assert (st.RESULTS[event.result], event.losses, event.dead) == ("wiped_out", 10, 10)
    assert table.position.row("s1").dead == 10


def test_fc_10_1_those_that_rout_go_first(monkeypatch):
    """s1 runs before g1 can strike it; g1 strikes s2, which stands."""
    units = {"s1": (4, 4), "s2": (5, 4), "g1": (4, 3)}
    table = position(FIELD, units)
    dice = {"s1": list(RUNS), "s2": list(STANDS), "g1": list(STANDS)}
    table = Table(monkeypatch, table, rout=dice, rout_movement=2, blow=6).melee()
    assert table.position.row("s1").men == 10
    blows = [(table.position.names.units[e.actor], table.position.names.units[e.target])
             for e in table.position.events("melee")]  # fmt: skip
    assert blows == [("s2", "g1"), ("g1", "s2")]


@pytest.mark.parametrize("die", range(1, 7))
def test_fc_10_1_a_result_of_normal_fire_without_ammunition(monkeypatch, die):
    """From a hill, f = 10, at a squad on plain, p = -20; both strike at once."""
    table = position("h.", {"s1": (0, 0), "g1": (0, 1)}).set("s1", ammunition=0)
    table = Table(monkeypatch, table, rout=10, blow={"s1": die, "g1": 3}).melee()
    assert table.position.event_of("s1", "melee").value == pytest.approx(0.2 * (1 + die) * 1.1 / 0.8)
    assert table.position.event_of("g1", "melee").value == pytest.approx(0.2 * 4)
    assert (table.position.row("s1").ammunition, table.position.row("g1").ammunition) == (0, 8)
    assert table.position.row("g1").men < 14
    assert table.position.row("s1").men == 10 - 1


def test_fc_10_1_with_morale(monkeypatch):
    table = position("hh", {"s1": (0, 0), "g1": (0, 1)}).set("s1", morale="high").set("g1", morale="low")
    table = Table(monkeypatch, table, rout=10, blow=4).melee()
    assert table.position.event_of("s1", "melee").value == pytest.approx(0.2 * 5 * 1.45)
    assert table.position.event_of("g1", "melee").value == pytest.approx(0.2 * 3 * 1.1)


def test_fc_10_1_each_strikes_the_first_enemy_by_number_and_all_blows_count(monkeypatch):
    """Two Germans against one: 2 x 0.2 x 4 / 0.8 = 2 dead; it strikes g1."""
    table = position(FIELD, {"s1": (4, 4), "g1": (4, 3), "g2": (4, 5)})
    table = Table(monkeypatch, table, rout=10, blow=3).melee()
    assert table.position.row("s1").dead == 2
    assert (table.position.row("g1").dead, table.position.row("g2").dead) == (1, 0)


def test_fc_10_1_one_wiped_out_strikes_all_the_same(monkeypatch):
    table = position("..", {"s1": (0, 0), "g1": (0, 1)}).set("s1", men=1).set("g1", men=1)
    table = Table(monkeypatch, table, rout=10, blow=6).melee()
    assert (table.position.at("s1"), table.position.at("g1")) == ("gone", "gone")
    assert [int(e.losses) for e in table.position.events("melee")] == [1, 1]


def test_fc_10_1_it_is_no_attack(monkeypatch):
    table = position("..", {"s1": (0, 0), "g1": (0, 1)}).set("s1", attacks=1, supports=2)
    table = Table(monkeypatch, table, rout=10, blow=1).melee().morale()
    assert (table.position.row("s1").attacks, table.position.row("s1").supports) == (0, 0)
    assert st.MORALES[table.position.row("s1").morale] == "normal"


def test_fc_10_1_no_melee_with_vehicles(monkeypatch):
    table = Table(monkeypatch, position("...", {"s1": (0, 0), "P1": (0, 1)})).melee()
    assert table.rolled == []


def test_fc_10_1_the_side_that_moved_first_runs_first(monkeypatch):
    """Both run, one after the other: the first to go takes the cell that both want."""
    for first, order in ((1, ["g1", "s1"]), (0, ["s1", "g1"])):
        table = position(FIELD, {"s1": (4, 4), "g1": (4, 5)})
        table = Table(monkeypatch, table, rout=1, rout_movement=1).melee(first)
        assert [who for who, n, _ in table.rolls("rout_movement") if n == 0] == order
