"""Chapter 6: victory, and games that are over early."""

import numpy as np
import pytest

import sim.barbarossa.state as st
from sim.barbarossa.rulebook import RULEBOOK
from sim.barbarossa.seat import DECISIONS
from sim.fields import records
from sim.game import BLUE, RED, Player, Policy, play
from tests.barbarossa_positions import Position, Script, Table, position, soviet_only, start_of


def played(table: Position, script: Script, difficulty: str = "medium"):
    """The rest of a game, with real dice."""
    policy = Policy("script", BLUE, "as the test says", tuple(getattr(script, name) for name in DECISIONS))
    red = RULEBOOK.policy(difficulty, RED)
    players = Player(red, red.numbers()), Player(policy, np.zeros(1))
    setup = table.setup._replace(state=np.array([table.state]).view(np.recarray))
    return play(RULEBOOK, setup, *players, 1, [0], level="events")


@pytest.mark.parametrize(
    ("regions", "outcome"),
    [(0, "soviet_major"), (1, "soviet_major"), (2, "soviet_minor"), (3, "soviet_minor"), (4, "draw"), (5, "axis_minor"),
     (6, "axis_major"), (7, "axis_major"), (32, "axis_major")],
)  # fmt: skip
def test_bb_6_1_levels_of_victory(regions, outcome):
    assert st.OUTCOMES[start_of("barbarossa").outcome(regions)] == outcome


@pytest.mark.parametrize(
    ("garrisons", "winner", "margin"),
    [
        ("Baku", "red", -3),  # all Axis regions count, wherever they are
        ("Baku Grozny Rostov", "red", -1),
        ("Berlin Prague Silesia Baku", "draw", 0),
        ("Berlin Prague Silesia Baku Minsk", "blue", 1),
        ("Berlin Prague Silesia Baku Minsk Moscow", "blue", 2),
    ],
)
def test_bb_6_1_winner_and_margin(garrisons, winner, margin):
    first, *rest = garrisons.split()
    table = position("S45", {first: "G1"}, " ".join(rest))
    result = records(st.GAMES, 1)[0]
    table.state.turn = 14  # after the last
    table.write_result(result)
    assert (("red", "blue", "draw")[result.winner], result.margin) == (winner, margin)
    assert (result.blue_territory, result.red_territory) == (len(garrisons.split()), 32 - len(garrisons.split()))
    assert (st.END_REASONS[result.end_reason], result.turns) == ("scored", 13)


def test_bb_6_1_scored_after_the_soviet_phase_of_summer_1945():
    """S45, difficult: 6 attacks, which take all but Berlin's garrison of these eight before the count."""
    table = position("S45", {"Berlin": "G1"}, "Silesia Prague Konigsberg Warsaw Slovakia Budapest Belgrade Bucharest")
    script = Script(table, answers="lose " * 9, losses="G1 " * 9)
    record = played(table, script, "difficult")
    attacks = [event for event in record.events[0, : record.event_count[0]] if event["kind"] == st.SOVIET_ATTACK]
    taken = sum(event["captured"] for event in attacks)
    assert len(attacks) == 6
    assert record.games[0].blue_territory == 9 - taken < 9
    assert record.games[0].turns == 13


def test_bb_6_1_no_front_no_soviet_attack_and_the_game_goes_on(monkeypatch):
    """No Axis region is left: W44, medium: 4 attacks without a target."""
    table = position("W44", {"Berlin": "G1"})
    table.lost("G1", "W44")
    assert table.axis() == set()
    table = Table(monkeypatch, table, dice={"target": [1, 2, 5, 3, 6]}).soviet_attacks("medium")
    assert table.position.events("soviet_attack") == []
    assert table.fault() == "none"


def test_bb_6_1_a_lost_game_goes_on_to_its_end():
    table = position("W44", {"Berlin": "G1"})
    table.lost("G1", "W44")
    record = played(table, Script(table))
    assert (record.games[0].turns, record.games[0].blue_territory) == (13, 0)
    assert st.OUTCOMES[record.games[0].outcome] == "soviet_major"


def test_bb_6_1_all_sources_taken_is_32_regions_to_the_end():
    """Three Germans in 1942, +2: row 3 takes Siberia, the last source, at any roll."""
    table = soviet_only("A42", "Siberia", {"Gorky": "G1", "Arkangel": "G2", "Astrakhan": "G3 I1"}, to_come="H1@W43")
    record = played(table, Script(table, attacks=["Siberia: G1 G2 G3"]), "difficult")
    result = record.games[0]
    assert (st.OUTCOMES[result.outcome], ("red", "blue")[result.winner]) == ("axis_major", "blue")
    assert (st.END_REASONS[result.end_reason], result.turns) == ("all_sources_taken", 5)
    assert result.blue_territory == 32
    assert record.places[0].shape[0] == 10  # A42 to S45 and the start
    assert (record.places[0, 1:, :]["holder"] == st.AXIS).all()
    assert (record.sides[0, 1:, st.SOVIET]["attacks"] == 0).all()
    # Nobody decides anything any more, but the calendar goes on: the Italian leaves in A43.
    assert [st.STATUSES[unit] for unit in record.units[0, -1]["status"]] == [
        "on_map", "on_map", "on_map", "gone", "waiting",
    ]  # fmt: skip
