"""Recorded games turned into rows of the archive's tables (`queries.schema`).

Rows are ordered by cell and replication, then
by unit, place or side, then by turn: what belongs to one unit lies together and compresses. Events keep the order in
which they happened. A game that failed has a row in ``games`` and none elsewhere.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from queries.schema import FAILED, RESULTS, TURN, fields_of, schema, type_of
from sim.fields import PLACE_NAMES, UNIT_NAMES, Field
from sim.game import SIDES, Names, Record, Rulebook

CACHED_BYTES = 2**19
"""Records that are read together: one field after another is then read from the processor's cache."""


class Played(NamedTuple):
    """A batch of games of one cell, as the worker has played it: replications (n,) and their record."""

    cell: int
    labels: tuple[str, str, str]
    names: Names
    first_turn: int
    replications: np.ndarray
    record: Record


def failed(book: Rulebook, record: Record) -> np.ndarray:
    """Which games of a record could not go on, bool (n,)."""
    reason = next(field for field in book.tables.games if field.name == "end_reason")
    return record.games["end_reason"] == reason.names.index(FAILED)


def failed_rows(games: pa.Table) -> pa.Table:
    """The rows of ``games`` that tell of games that could not go on."""
    reason = games["end_reason"].combine_chunks()
    number = reason.dictionary.to_pylist().index(FAILED)
    found = np.frombuffer(reason.indices.buffers()[1], np.int16, len(reason), 2 * reason.indices.offset)
    return games.filter(array(found == number))


def rows(book: Rulebook, table: str, played: Played) -> pa.Table:
    """The rows of one table for a batch of games."""
    bad = failed(book, played.record)
    if table == "games":
        return _games(book, played, bad)
    if bad.any():
        played = _without(played, bad)
    return _events(book, played) if table == "events" else _states(book, table, played)


def _without(played: Played, bad: np.ndarray) -> Played:
    good = np.flatnonzero(~bad)
    record = played.record
    return played._replace(
        replications=played.replications[good],
        record=Record(*(table[good] for table in record[:-1]), current=record.current),
    )


def _games(book: Rulebook, played: Played, bad: np.ndarray) -> pa.Table:
    n = len(played.replications)
    keys = [np.full(n, played.cell, np.int32), played.replications.astype(np.int32)]
    labels = [named(np.zeros(n, np.int16), (label,)) for label in played.labels]
    # A failed game has no result. Its own fields say what went wrong, and they are null where nothing did.
    fields = fields_of(book, "games")
    values = _read(fields, played.record.games.dtype, n, [(slice(n), played.record.games)])
    columns = [
        _column(field, values, n, played.names, bad if field.name in RESULTS and bad.any() else None)
        for field in fields
    ]
    return pa.Table.from_arrays([*map(array, keys), *labels, *columns], schema=schema(book, "games"))


def _states(book: Rulebook, table: str, played: Played) -> pa.Table:
    """Sides, units or places (n, turns, things) as rows ordered by game, thing and turn."""
    record, names = played.record, played.names
    states, things = {
        "turns": (record.sides, SIDES),
        "units": (record.units, names.units),
        "territory": (record.places, names.places),
    }[table]
    n, turns, count = states.shape
    a_game = turns * count
    numbers = np.arange(played.first_turn - 1, played.first_turn - 1 + turns, dtype=np.int16)
    keys = [
        array(np.full(n * a_game, played.cell, np.int32)),
        array(np.repeat(played.replications.astype(np.int32), a_game)),
        array(np.tile(numbers, n * count)),
        named(np.tile(np.repeat(np.arange(count, dtype=np.int16), turns), n), things),
    ]
    whole = _whole(states).transpose(0, 2, 1)
    some = max(1, CACHED_BYTES // max(1, a_game * states.itemsize))
    parts = [slice(start, start + some) for start in range(0, n, some)]
    fields = fields_of(book, table)
    moved = ((part, np.ascontiguousarray(whole[part]).view(states.dtype)) for part in parts)
    values = _read(fields, states.dtype, whole.shape, moved)
    columns = [_column(field, values, states.size, names) for field in fields]
    return pa.Table.from_arrays([*keys, *columns], schema=schema(book, table))


def _events(book: Rulebook, played: Played) -> pa.Table:
    """Events in the order in which they happened, numbered within each game."""
    counts, events = played.record.event_count, played.record.events
    n, total = len(counts), int(counts.sum())
    ends = np.cumsum(counts)
    seq = np.arange(total, dtype=np.int32) - np.repeat((ends - counts).astype(np.int32), counts)
    some = max(1, CACHED_BYTES * n // max(1, total * events.itemsize))
    parts = [slice(start, start + some) for start in range(0, n, some)]
    written = np.arange(events.shape[1]) < counts[:, None]
    fields = fields_of(book, "events")
    places = (slice(ends[part][0] - counts[part][0], ends[part][-1]) for part in parts)
    whole = _whole(events)
    of_parts = (whole[part][written[part]].view(events.dtype) for part in parts)
    values = _read((*fields, TURN), events.dtype, total, zip(places, of_parts, strict=True))
    keys = [
        np.full(total, played.cell, np.int32),
        np.repeat(played.replications.astype(np.int32), counts),
        values["turn"],
        seq,
    ]
    columns = [_column(field, values, total, played.names) for field in fields]
    return pa.Table.from_arrays([*map(array, keys), *columns], schema=schema(book, "events"))


def _whole(records: np.ndarray) -> np.ndarray:
    """Records as so many bytes each: NumPy would move them field by field."""
    return records.view(np.ndarray).view(np.dtype((np.void, records.itemsize)))


def _read(
    fields: Iterable[Field], dtype: np.dtype, shape: int | tuple[int, ...], parts: Iterable[tuple[slice, np.ndarray]]
) -> dict[str, np.ndarray]:
    """Fields of records, by name, as narrow arrays of a shape; the records come in parts, each with its place.

    Fields that the records do not have are left out.
    """
    columns = {
        field.name: np.empty(shape, "int16" if field.archive == "name" else field.archive)
        for field in fields
        if field.name in (dtype.names or ())
    }
    for place, records in parts:
        plain = records.view(np.ndarray)  # np.recarray looks a field up slowly
        for name, column in columns.items():
            column[place] = plain[name]
    return columns


def _column(
    field: Field, values: dict[str, np.ndarray], rows: int, names: Names, null: np.ndarray | None = None
) -> pa.Array:
    """One field as a column of so many rows; null where it is empty and where it is said to be."""
    if field.name not in values:
        return pa.nulls(rows, type_of(field))
    column = values[field.name].reshape(-1)
    if field.empty is not None:
        empty = column == np.array(field.empty, column.dtype)
        null = empty if null is None else empty | null
    return named(column, _names_of(field, names), null) if field.archive == "name" else array(column, null)


def _names_of(field: Field, names: Names) -> Sequence[str]:
    if isinstance(field.names, tuple):
        return field.names
    return {UNIT_NAMES: names.units, PLACE_NAMES: names.places}[field.names]


# `pa.array` would do, but it imports pandas wherever that is installed: half a second, and 50 MB in every worker.


def named(codes: np.ndarray, names: Sequence[str], null: np.ndarray | None = None) -> pa.Array:
    """A column of names, each by its number."""
    return pa.DictionaryArray.from_arrays(array(codes, null), texts(names))


def array(values: np.ndarray, null: np.ndarray | None = None) -> pa.Array:
    """A column of numbers, or of yes and no."""
    values = np.ascontiguousarray(values)
    bits = np.packbits(values, bitorder="little") if values.dtype == bool else values
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [_valid(null), pa.py_buffer(bits)])


def texts(texts: Sequence[str], null: np.ndarray | None = None) -> pa.Array:
    """A column of texts."""
    encoded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    return pa.StringArray.from_buffers(len(encoded), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded)), _valid(null))


def _valid(null: np.ndarray | None) -> pa.Buffer | None:
    return None if null is None else pa.py_buffer(np.packbits(~null, bitorder="little"))
