"""What every rulebook, scenario and policy owes: games end, are legal, are the same again, and add up."""

import numpy as np
import pytest

import sim
from sim.game import RECORD_LEVELS, at_turn
from tests.matches import loaded, matches, played, played_anew, tables_of, wild_matches
from tests.rulebooks import lacking, part_of

MATCHES = pytest.mark.parametrize("match", [*matches(), *wild_matches()], ids=str)


@pytest.mark.parametrize("rulebook", sim.RULEBOOKS)
def test_a_rulebook_brings_what_the_tests_of_all_need(rulebook):
    """Modules named after it (`tests.rulebooks.PARTS`), a scenario and a golden game."""
    assert lacking(rulebook) == []
    assert rulebook in {match.rulebook for match in matches()}, f"there is nothing in configs/scenarios/{rulebook}"
    assert part_of(rulebook, "games").GOLDEN


def test_what_a_rulebook_does_not_bring_is_named(monkeypatch):
    monkeypatch.setitem(sim.RULEBOOKS, "bare", "sim.bare.rulebook")
    assert lacking("bare") == ["tests/bare_games.py", "tests/bare_checks.py", "tests/bare_positions.py"]


@MATCHES
def test_every_game_ends_and_is_legal(match):
    """A policy that breaks a rule ends its game with a fault."""
    record = played(match)
    reasons = next(field.names for field in match.book.tables.games if field.name == "end_reason")
    assert {reasons[reason] for reason in record.games["end_reason"]} <= set(reasons) - {"failed"}
    shape = match.book.shape(loaded(match.scenario, match.settings)[0])
    turns = record.games["turns"]
    assert ((turns >= shape.first_turn) & (turns < shape.first_turn + shape.turns)).all()
    assert (record.event_count <= shape.events // 2).all(), "the log of events is too small for comfort"


@MATCHES
def test_the_same_game_again_whatever_it_is_played_with(match):
    """The last game of the batch: alone, after another one, and at every record level."""
    record, last = played(match), match.games - 1
    expected = tables_of(record, last)
    assert tables_of(played_anew(match, [last])) == expected
    assert tables_of(played_anew(match, [7000, last]), 1) == expected
    for level in RECORD_LEVELS:
        found = tables_of(played_anew(match, [last], level))
        for name, table in found.items():
            assert table in (expected[name], b"") or name == "event_count", (level, name)
        assert found["games"] == expected["games"]


@MATCHES
def test_every_check_of_the_rulebook_holds(match):
    """A rulebook brings its own: functions of setup, names and record in ``tests/<rulebook>_checks.py``."""
    record = played(match)
    for check in part_of(match.rulebook, "checks").CHECKS:
        check(*loaded(match.scenario, match.settings), record)


@MATCHES
def test_a_game_goes_on_from_any_recorded_turn(match):
    """The rest of the game is the same, turn by turn, event by event."""
    record = played(match)
    setup, _ = loaded(match.scenario, match.settings)
    shape = match.book.shape(setup)
    events = record.events[0, : record.event_count[0]]
    for entry in range(shape.turns + 1):
        turn = shape.first_turn + entry
        rows = (getattr(record, name)[0, entry] for name in ("sides", "units", "places"))
        rest = played_anew(match, [0], setup=at_turn(setup, turn, *rows))
        assert rest.games[0].tobytes() == record.games[0].tobytes()
        for name in ("sides", "units", "places"):
            table, whole = getattr(rest, name)[0], getattr(record, name)[0]
            # What lives only within a turn is of no account at its end.
            for field in (field for field in getattr(match.book.tables, name) if field.archive):
                assert (table[field.name] == whole[entry:][field.name]).all(), (turn, name, field.name)
        assert rest.events[0, : rest.event_count[0]].tobytes() == events[events["turn"] >= turn].tobytes()


@MATCHES
def test_worlds_are_apart_and_world_0_is_the_game(match):
    record = played_anew(match, [0] * 8, worlds=[0, *range(1, 7), 1])
    games = [tables_of(record, game) for game in range(8)]
    assert games[0] == tables_of(played(match), 0)
    assert games[1] == games[7]
    assert len({game["events"] for game in games}) > 1


@MATCHES
def test_other_replications_are_other_games(match):
    record = played(match)
    assert len({tables_of(record, game)["events"] for game in range(min(match.games, 20))}) > 1


def test_no_game_at_all():
    for match in matches()[:1]:
        assert len(played_anew(match, []).games) == 0


def test_seeds_and_replications_are_numbers_of_64_bits():
    match = matches()[0]
    setup, _ = loaded(match.scenario)
    games = [tables_of(played_anew(match, [replication], setup=setup)) for replication in (3, 3 + 2**64)]
    assert games[0] == games[1]


def test_what_is_being_played_is_told():
    current = np.full(1, -1, np.int64)
    played_anew(matches()[0], range(5), current=current)
    assert current[0] == 4
