"""Chapter 3: the turn sequence, who rolls, and what a declaration knows."""

import pytest

import sim.first_contact.state as st
import sim.first_contact.turn as turn
from tests.first_contact_positions import Table, position

ROW = "." * 60


def play_turn(table: Table, fires: bool = True) -> None:
    """A turn in which every unit fires at its first target and nobody moves; the phases go into ``asked``."""
    names = table.position.names.units

    def note(decision, answer):
        def decide(game, doctrine, memory, unit, order):
            table.asked.append((decision, names[unit] if decision != "barrage" else int(unit)))
            return answer(unit, order)

        return decide

    decisions = {
        "barrage": note("barrage", lambda *_: st.NOWHERE),
        "move": note("move", lambda *_: 0),
        "face": note("face", lambda *_: 0),
        "fire": note("fire", lambda unit, order: order[0] if fires else st.NOWHERE),
        "suppress": note("suppress", lambda *_: 0),
    }
    seats = [table.position.seat(side, **decisions) for side in range(2)]
    turn.play_turn(table.position.game, *seats)


UNITS = {"s1": (0, 0), "s2": (0, 2), "T1": (0, 4), "g1": (0, 30), "g2": (0, 32), "P1": (0, 34)}


@pytest.mark.parametrize(
    ("options", "die", "first"),
    [
        ({}, 6, "German"),
        ({"first_mover": "german"}, 6, "German"),
        ({"first_mover": "soviet"}, 1, "Soviet"),
        ({"first_mover": "die"}, 1, "German"),
        ({"first_mover": "die"}, 4, "Soviet"),
        ({"first_mover": "die"}, 5, "German"),
    ],
)
def test_fc_3_1_phases_and_the_side_that_moves_first(monkeypatch, options, die, first):
    """Barrage, movement of one side and of the other, declarations; units in the order of their numbers."""
    table = Table(monkeypatch, position(ROW, UNITS, **options), first_mover=die)
    play_turn(table)
    german = [("move", "g1"), ("move", "g2"), ("move", "P1"), ("face", "P1")]
    soviet = [("move", "s1"), ("move", "s2"), ("move", "T1"), ("face", "T1")]
    moves = [*german, *soviet] if first == "German" else [*soviet, *german]
    asked = [call for call in table.asked if call[0] != "suppress"]
    fires = [("fire", name) for name in ("s1", "s2", "T1", "g1", "g2", "P1")]
    assert asked == [("barrage", 1), *moves, *fires]


def test_fc_3_1_each_unit_rolls_once_for_movement_fire_and_casualties(monkeypatch):
    """Two dice are one roll for movement. All fire at the first squad: it rolls once for its casualties."""
    table = Table(monkeypatch, position(ROW, UNITS), fire=6)
    play_turn(table)
    assert sorted(table.rolls("movement")) == sorted((name, n, 6) for name in UNITS for n in (0, 1))
    assert sorted(who for who, _, _ in table.rolls("fire")) == sorted(UNITS)
    # Soviets all fire at g1, Germans all at s1.
    assert table.rolls("casualties") == [("s1", 0, 6), ("g1", 0, 6)]


def test_fc_3_1_a_unit_killed_this_phase_still_fires(monkeypatch):
    table = Table(monkeypatch, position("." * 30, {"T1": (0, 0, "east"), "P1": (0, 10, "east")}), fire=6, armour=6)
    table.fire(T1="P1", P1="T1")
    # The Panther shows its rear, 46.7 mm; the T-34 its front, 90 mm: both are penetrated.
    assert table.position.at("T1") == "gone"
    assert table.position.row("P1").cannot_move == 1


def test_fc_3_2_declarations_know_what_the_own_side_has_declared_before(monkeypatch):
    table = Table(monkeypatch, position(ROW, UNITS))
    position_ = table.position
    seen = {}

    def fire(game, doctrine, memory, unit, order):
        shown = game.state.units
        seen[position_.names.units[unit]] = [
            (position_.names.units[i], position_.names.units[shown[i].target], int(shown[i].fired))
            for i in range(6)
            if shown[i].target >= 0
        ]
        return order[0]

    def suppress(game, doctrine, memory, unit, order):
        # It is asked of its own target.
        assert game.state.units[unit].target == order[0]
        return int(position_.names.units[unit] == "s1")

    for side in (0, 1):
        table.look(side)
    for side in (0, 1):
        turn.declare(position_.game, position_.seat(side, fire=fire, suppress=suppress), side)
    assert seen["s1"] == []
    assert seen["s2"] == [("s1", "g1", st.SUPPRESS)]
    assert seen["T1"] == [("s1", "g1", st.SUPPRESS), ("s2", "g1", st.FIRE)]
    # The Germans declare after the Soviets and know nothing of it; they know the enemy as it stood.
    assert seen["g1"] == []
    assert seen["P1"] == [("g1", "s1", st.FIRE), ("g2", "s1", st.FIRE)]
    assert [int(row.ammunition) for row in position_.views[1].state.units[:3]] == [6, 6, 10]
    assert [int(row.ammunition) for row in position_.state.units[:3]] == [6 - 3, 6 - 1, 10 - 1]


def test_fc_3_2_targets_are_legal_and_ascending(monkeypatch):
    """Offered are enemies in range and sight of the unit itself."""
    table = Table(monkeypatch, position("." * 90, {"s1": (0, 0), "g1": (0, 41), "g2": (0, 40), "P1": (0, 20)}))
    offered = {}

    def fire(game, doctrine, memory, unit, order):
        count = list(order).index(st.NOWHERE)
        offered[table.position.names.units[unit]] = [table.position.names.units[i] for i in order[:count]]
        return st.NOWHERE

    for side in (0, 1):
        turn.declare(table.position.game, table.position.seat(side, fire=fire, suppress=fire), side)
    # s1 has rifles (40 cells) and no weapon against the Panther; g1 is one cell out of its range.
    assert offered == {"s1": ["g2"], "g2": ["s1"], "P1": ["s1"]}
    assert all(row.fired == st.HOLD_FIRE for row in table.position.state.units[:4])


@pytest.mark.parametrize("answer", [0, 3, 99, -2, 2**62])
def test_fc_3_2_a_target_that_was_not_offered_is_a_fault(monkeypatch, answer):
    table = Table(monkeypatch, position("." * 90, {"s1": (0, 0), "g1": (0, 20), "g2": (0, 60), "P1": (0, 21)}))
    table.declare(0, {"s1": answer})
    assert (st.FAULTS[table.position.state.fault], table.position.state.fault_value) == ("bad_target", answer)
