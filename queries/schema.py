"""The schema of an archive's tables: their keys, and their columns as the rulebooks' FIELDS tables say them.

Types depend on the rulebook alone, never on a scenario or on values.
"""

import functools

import pyarrow as pa

import sim
from sim.fields import COMMON_EVENTS, COMMON_GAMES, COMMON_PLACES, COMMON_SIDES, Field, merged
from sim.game import Rulebook

NAME = pa.dictionary(pa.int16(), pa.string())
FAILED = "failed"
"""The ``end_reason`` of a game that could not go on."""
RESULTS = {field.name for field in COMMON_GAMES} - {"end_reason"}
"""What a game that could not go on does not have."""

KEYS = {
    "games": (("cell", pa.int32()), ("replication", pa.int32())),
    "turns": (("cell", pa.int32()), ("replication", pa.int32()), ("turn", pa.int16()), ("side", NAME)),
    "units": (("cell", pa.int32()), ("replication", pa.int32()), ("turn", pa.int16()), ("unit", NAME)),
    "territory": (("cell", pa.int32()), ("replication", pa.int32()), ("turn", pa.int16()), ("place", NAME)),
    "events": (("cell", pa.int32()), ("replication", pa.int32()), ("turn", pa.int16()), ("seq", pa.int32())),
}
"""Key columns of each table; never null."""

TURN = Field("turn", "int16", "turn of an event", "turn")
"""The one key that records of events have themselves."""

LABELS = ("scenario", "red_policy", "blue_policy")
"""Columns that only name what a game's cell is."""


def fields_of(book: Rulebook, table: str) -> tuple[Field, ...]:
    """Fields of a table besides its keys; those that live only within a turn are not archived."""
    common, own = _fields(book, table)
    return tuple(field for field in merged(common, own) if field.archive)


def _fields(book: Rulebook, table: str) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """Fields of a table that every rulebook has, and those of this one."""
    own = book.tables
    return {
        "games": (COMMON_GAMES, own.games),
        "turns": (COMMON_SIDES, own.sides),
        "units": ((), own.units),
        "territory": (COMMON_PLACES, own.places),
        "events": (COMMON_EVENTS, own.events),
    }[table]


def schema(book: Rulebook, table: str) -> pa.Schema:
    """Arrow schema of a table of a rulebook. What can never be null is said to be so: it takes less to write."""
    return _schema(book.name, table)


@functools.cache
def _schema(rulebook: str, table: str) -> pa.Schema:
    book = sim.rulebook(rulebook)
    recorded = {field.name for field in _fields(book, table)[1]}
    columns = [pa.field(name, kind, nullable=False) for name, kind in KEYS[table]]
    if table == "games":
        columns += [pa.field(name, NAME, nullable=False) for name in LABELS]
        recorded -= RESULTS
    for field in fields_of(book, table):
        columns.append(pa.field(field.name, type_of(field), field.empty is not None or field.name not in recorded))
    return pa.schema(columns)


def type_of(field: Field) -> pa.DataType:
    """Arrow type of a field's column."""
    return NAME if field.archive == "name" else pa.type_for_alias(field.archive)
