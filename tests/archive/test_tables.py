"""Rows of the archive beside the records that they are made of."""

import itertools

import numpy as np
import pyarrow as pa
import pytest

import sim
from cluster.library import documents, find_player, find_scenario
from cluster.plan import TABLES
from cluster.tables import Played, fields_of, rows, schema
from sim.fields import PLACE_NAMES, UNIT_NAMES
from sim.game import BLUE, RED, SIDES, play

N = 5


def played(scenario: str, first: int = 0) -> Played:
    ref = find_scenario(scenario)
    book = sim.rulebook(ref.rulebook)
    setup, names = book.load(*documents(ref))
    red, blue = (find_player(ref.rulebook, side, text).player() for side, text in ((RED, "medium"), (BLUE, "hold")))
    numbers = np.arange(first, first + N)
    record = play(book, setup, red, blue, 3, numbers.tolist(), level="events")
    return Played(2, (ref.full_name, "medium", "hold"), names, book.shape(setup).first_turn, numbers, record)


BOOK = sim.rulebook("barbarossa")


@pytest.fixture(scope="module", params=["blue", "uranus"])
def batch(request: pytest.FixtureRequest) -> Played:
    return played(request.param)


def said(field, value, names) -> object:
    """The slow and obvious twin: one value of a record as the archive should have it."""
    if field.empty is not None and value == field.empty:
        return None
    if field.archive == "name":
        known = {UNIT_NAMES: names.units, PLACE_NAMES: names.places}.get(field.names, field.names)
        return known[value]
    return bool(value) if field.archive == "bool" else value


def expected(batch: Played, table: str) -> list[dict]:
    record, names = batch.record, batch.names
    states, key, things = {
        "turns": (record.sides, "side", SIDES),
        "units": (record.units, "unit", names.units),
        "territory": (record.places, "place", names.places),
    }[table]
    return [
        {"cell": 2, "replication": game, "turn": batch.first_turn - 1 + turn, key: name}
        | {
            field.name: said(field, states[game, turn, thing][field.name], names)
            if field.name in states.dtype.names
            else None
            for field in fields_of(BOOK, table)
        }
        for game, (thing, name), turn in itertools.product(range(N), enumerate(things), range(states.shape[1]))
    ]


@pytest.mark.parametrize("table", ["turns", "units", "territory"])
def test_states_are_told_game_by_game_thing_by_thing_turn_by_turn(batch: Played, table: str) -> None:
    assert rows(BOOK, table, batch).to_pylist() == expected(batch, table)


def test_events_keep_their_order(batch: Played) -> None:
    found = rows(BOOK, "events", batch).to_pylist()
    events, counts = batch.record.events, batch.record.event_count
    assert len(found) == counts.sum() > N
    places = ((game, seq) for game in range(N) for seq in range(counts[game]))
    for row, (game, seq) in zip(found, places, strict=True):
        event = events[game, seq]
        told = {"cell": 2, "replication": game, "turn": event["turn"], "seq": seq}
        for field in fields_of(BOOK, "events"):
            told[field.name] = said(field, event[field.name], batch.names) if field.name in event.dtype.names else None
        assert row == told


def test_games_have_their_cell_and_their_result(batch: Played) -> None:
    found = rows(BOOK, "games", batch).to_pylist()
    assert [row["replication"] for row in found] == list(range(N))
    for row, game in zip(found, batch.record.games, strict=True):
        assert (row["cell"], row["red_policy"], row["blue_policy"]) == (2, "medium", "hold")
        assert row["blue_territory"] == game["blue_territory"]
        assert row["outcome"] == said(BOOK.tables.games[1], game["outcome"], batch.names)
        assert row["red_men_lost"] is None


def test_the_first_turn_is_the_position_before_the_scenario_starts() -> None:
    # Case Blue starts in the 4th turn of the calendar, which has 13.
    turns = rows(BOOK, "turns", played("blue"))["turn"].to_pylist()
    assert sorted(set(turns)) == list(range(3, 14))


@pytest.mark.parametrize("table", TABLES)
def test_types_depend_on_no_scenario(table: str) -> None:
    found = {rows(BOOK, table, played(scenario)).schema for scenario in ("barbarossa", "blue", "uranus")}
    assert found == {schema(BOOK, table)}
    assert not any(pa.types.is_nested(field.type) for field in schema(BOOK, table))


@pytest.mark.parametrize("table", TABLES)
def test_a_game_that_failed_has_one_row_without_a_result(table: str) -> None:
    batch = played("blue")
    names = next(field.names for field in BOOK.tables.games if field.name == "end_reason")
    faults = next(field.names for field in BOOK.tables.games if field.name == "fault")
    games = batch.record.games
    games["end_reason"][3] = names.index("failed")
    games["fault"][3], games["fault_turn"][3] = faults.index("bad_move"), 5
    found = rows(BOOK, table, batch)
    whole = rows(BOOK, table, played("blue"))
    if table != "games":
        kept = np.array(whole["replication"]) != 3
        assert found.to_pylist() == whole.filter(pa.array(kept)).to_pylist()
        return
    failed = found.to_pylist()[3]
    assert found.num_rows == N
    assert {key: failed[key] for key in ("end_reason", "fault", "fault_turn")} == {
        "end_reason": "failed",
        "fault": "bad_move",
        "fault_turn": 5,
    }
    assert {failed[key] for key in ("winner", "outcome", "margin", "turns", "blue_territory")} == {None}
    others = [row for row in found.to_pylist() if row["replication"] != 3]
    assert others == [row for row in whole.to_pylist() if row["replication"] != 3]
