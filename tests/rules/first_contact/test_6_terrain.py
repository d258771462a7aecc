"""Chapter 6: what terrain does to the units in it. The map itself is tested in `test_6_map`."""

import pytest

import sim.first_contact.state as st
from tests.first_contact_positions import Table, position

# p, f and m of squads and of vehicles, in per cent; None: cannot be entered.
TABLE = {
    "6_1": ("f", (20, -10, -20), (10, -20, -40)),
    "6_2": (".", (-20, 0, 0), (0, 0, 0)),
    "6_3": ("h", (0, 10, -10), (-10, 0, -20)),
    "6_4": ("r", (-50, 0, 10), (-10, 0, 30)),
    "6_5": ("B", (20, 5, 0), (50, 0, 0)),
    "6_6": ("H", (20, 5, 0), None),
    "6_7": ("s", (0, 0, 0), None),
    "6_8": ("w", (50, 20, 0), (0, 0, 0)),
}


def check(clause: str) -> None:
    letter, squad, vehicle = TABLE[clause]
    for name, values in (("s1", squad), ("T1", vehicle), ("g1", squad), ("P1", vehicle)):
        table = position("." + letter, {name: (0, 1 if values else 0)})
        if values is None:
            assert not table.may_enter(name, (0, 1))
            continue
        p, f, m = values
        assert (table.protection(name), table.fire_modifier(name, st.FIRE)) == (p, f)
        assert table.step_cost(name, (0, 1)) * (100 + m) == 5148 * 100


def test_fc_6_1_forest():
    check("6_1")


def test_fc_6_2_plain():
    check("6_2")


def test_fc_6_3_hill():
    check("6_3")


def test_fc_6_4_road():
    check("6_4")


def test_fc_6_5_barn():
    check("6_5")


def test_fc_6_6_house():
    check("6_6")


def test_fc_6_7_haystack():
    check("6_7")


def test_fc_6_8_trench():
    """Suppression from it +40 %; it replaces the terrain that it lies in."""
    check("6_8")
    table = position("w", {"s1": (0, 0)})
    assert table.fire_modifier("s1", st.SUPPRESS) == 40


@pytest.mark.parametrize(
    ("facing", "target", "allowed"),
    [
        ("west", (2, 0), True),
        ("west", (0, 0), True),  # 45 degrees: still the front
        ("west", (0, 1), False),
        ("north", (2, 0), False),
        ("east", (2, 0), False),
        ("southwest", (2, 0), True),
    ],
)
def test_fc_6_5_a_vehicle_in_the_barn_fires_to_its_front_alone(facing, target, allowed):
    for letter, in_barn in (("B", True), (".", False)):
        art = f"....\n....\n..{letter}.\n...."
        table = position(art, {"T1": (2, 2, facing), "g1": target})
        assert table.may_target("T1", "g1") == (allowed or not in_barn)


def test_fc_6_5_a_squad_in_the_barn_fires_all_round():
    table = position("....\n....\n..B.\n....", {"s1": (2, 2), "g1": (2, 0), "g2": (0, 2), "g3": (3, 3)})
    assert all(table.may_target("s1", name) for name in ("g1", "g2", "g3"))


def test_fc_6_5_a_vehicle_stays_one_full_turn_after_entering(monkeypatch):
    """It comes in in turn 1, which ends its move, stays in turn 2 and may go in turn 3."""
    table = Table(monkeypatch, position(".BB..", {"T1": (0, 0)}), movement=6)
    table.movement(0, {"T1": [(0, 1), (0, 2), (0, 3)]})
    assert table.position.at("T1") == (0, 1)
    assert table.position.row("T1").entered == 1
    table.next_turn().movement(0, {"T1": [(0, 2)]}, {"T1": "north"})
    assert table.position.at("T1") == (0, 1)
    assert st.DIRECTIONS[table.position.row("T1").facing] == "north"  # it does not move, so it may turn
    table.next_turn().movement(0, {"T1": [(0, 2), (0, 3), (0, 4)]})
    assert table.position.at("T1") == (0, 4)
    assert table.position.row("T1").entered == 0


def test_fc_6_5_squads_come_and_go_as_they_like(monkeypatch):
    table = Table(monkeypatch, position(".B.H.s.", {"s1": (0, 0)}), movement=6)
    table.movement(0, {"s1": [(0, column) for column in range(1, 7)]})
    assert table.position.at("s1") == (0, 6)


def test_fc_6_7_the_haystack_of_the_rulebook():
    """A haystack in cell 5, a unit in cell 4: enemies in 3, 6 and 9 neither see nor hit it, nor it them.

    And the seven positions that turning and mirroring make of it.
    """
    block = [(row, column) for row in range(3) for column in range(3)]

    def turned(place, n):
        row, column = place
        for _ in range(n % 4):
            row, column = column, 2 - row
        return (row, 2 - column) if n >= 4 else (row, column)

    for n in range(8):
        unit = turned(block[3], n)
        for number, other in enumerate(block, 1):
            other = turned(other, n)
            if other in (unit, (1, 1)):
                continue
            for mine, his in (("s1", "g1"), ("T1", "g1"), ("T1", "P1")):
                table = position("...\n.s.\n...", {mine: unit, his: other})
                hidden = number in (3, 6, 9)
                assert table.can_see(mine, his) == table.can_see(his, mine) == (not hidden), (n, number)
                assert table.may_target(mine, his) == (not hidden)
                assert table.may_target("P1" if his == "P1" else "g1", mine) == (
                    not hidden and (his, mine) != ("g1", "T1")
                )


def test_fc_6_7_who_is_in_the_haystack_sees_and_is_seen():
    table = position("...\n.s.\n...", {"s1": (1, 1), "g1": (0, 0), "g2": (1, 2)})
    assert table.can_see("s1", "g1")
    assert table.can_see("g2", "s1")
