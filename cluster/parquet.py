"""Parquet files whose bytes depend on nothing but their content."""

import contextlib
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import sim
from cluster import tables
from cluster.layout import shard_file
from cluster.plan import Plan, Shard, tables_of
from cluster.publish import Draft
from cluster.store import Store
from queries.catalog import SCHEMA_VERSION
from queries.digests import METADATA, NO_DIGEST, digests
from queries.schema import schema

# Pinned, so that a new default of the library changes no digest.
OPTIONS: dict[str, Any] = {
    "version": "2.6",
    "data_page_version": "1.0",
    "compression": "zstd",
    "compression_level": 3,
    "use_dictionary": True,
    "write_statistics": ["cell", "replication", "turn"],  # what a reader may skip row groups by; others cost time
    "write_page_checksum": True,
    "store_schema": True,
}


def options_of(schema: pa.Schema) -> dict[str, Any]:
    """`OPTIONS` for a table; its numbers among the keys go on so steadily that a dictionary would only cost time."""
    steady = ("cell", "replication", "turn", "seq")
    return OPTIONS | {"use_dictionary": [name for name in schema.names if name not in steady]}


ROW_GROUP_ROWS = 100_000
"""Batches are gathered into row groups of at least so many rows: DuckDB scans row groups in parallel."""


class ShardFiles:
    """The files of one shard while it is played: add rows batch by batch, then `publish` or `discard`."""

    def __init__(self, store: Store, plan: Plan, shard: Shard) -> None:
        book = sim.rulebook(shard.rulebook)
        self.about = {
            "schema_version": SCHEMA_VERSION,
            "experiment": plan.id,
            "rulebook": book.name,
            "rulebook_version": book.version,
            "shards": [shard.number, shard.number],
        }
        self._files = {}
        try:
            for table in tables_of(plan):
                draft = store.draft(shard_file(table, shard.rulebook, shard.number, shard.number))
                self._files[table] = _File(draft, schema(book, table), self.about)
        except BaseException:
            self.discard()
            raise

    def add(self, table: str, rows: pa.Table) -> None:
        """Adds rows to a table; they come in the order that they are to have."""
        self._files[table].add(rows)

    def publish(self, failed: int) -> None:
        """Publishes all files, ``games`` last, with digests and row counts of all and its failed games."""
        siblings = {}
        for table, file in self._files.items():
            if table == "games":
                file.about |= told_by_games(failed, siblings)
            file.close()
            if table == "games":
                stamp(file.draft.temporary)
                continue
            with file.draft.temporary.open("rb") as written:
                siblings[table] = {"rows": file.rows, "sha256": sha256(written)}
        for table, file in self._files.items():
            file.draft.publish(table)

    def discard(self) -> None:
        """Leaves nothing behind of what is not published."""
        for file in self._files.values():
            file.discard()


class _File:
    """One file, and the rows that wait for their row group to be full."""

    def __init__(self, draft: Draft, schema: pa.Schema, about: dict[str, Any]) -> None:
        self.draft = draft
        self.about = about
        self.rows = 0
        self._schema = schema
        self._waiting: list[pa.Table] = []
        self._waiting_rows = 0
        self._writer = pq.ParquetWriter(draft.temporary, schema, **options_of(schema))

    def add(self, rows: pa.Table) -> None:
        self._waiting.append(rows)
        self._waiting_rows += rows.num_rows
        if self._waiting_rows >= ROW_GROUP_ROWS:
            self._write_waiting()

    def _write_waiting(self) -> None:
        if self._waiting_rows:
            # Cells differ in their units and places: a row group has one dictionary for each column of names.
            group = pa.concat_tables(self._waiting).unify_dictionaries().combine_chunks()
            self._writer.write_table(group, row_group_size=max(ROW_GROUP_ROWS, group.num_rows))
            self.rows += group.num_rows
        self._waiting, self._waiting_rows = [], 0

    def close(self) -> None:
        self._write_waiting()
        self._writer.add_key_value_metadata({METADATA: json.dumps(self.about, sort_keys=True)})
        self._writer.close()

    def discard(self) -> None:
        # What cannot be written is discarded just because of that.
        with contextlib.suppress(OSError, pa.ArrowException):
            self._writer.close()
        self.draft.discard()


def told_by_games(failed: int, siblings: dict[str, Any]) -> dict[str, Any]:
    """What a games file says besides what every file does; `stamp` puts its own digest in."""
    return {"failed": failed, "siblings": siblings, "own": NO_DIGEST}


def stamp(path: Path) -> None:
    """Writes its own digest into a games file that has been written with none."""
    with path.open("r+b") as file:
        found = digests(file)
        file.seek(found.place)
        file.write(found.own.encode())


def cells_file(plan: Plan) -> bytes:
    """The table of cells as a file: it depends on the plan alone."""
    file = io.BytesIO()
    pq.write_table(cells_table(plan), file, **OPTIONS)
    return file.getvalue()


def cells_table(plan: Plan) -> pa.Table:
    """The table of cells: one row for each, with a column for each factor."""
    cells = plan.cells
    columns: dict[str, pa.Array] = {
        "cell": tables.array(np.array([cell.number for cell in cells], np.int32)),
        "content": tables.texts([cell.content for cell in cells]),
        "rulebook": _names([cell.rulebook for cell in cells]),
        "scenario": _names([cell.scenario for cell in cells]),
        "red_policy": _names([cell.red_policy for cell in cells]),
        "blue_policy": _names([cell.blue_policy for cell in cells]),
        "seed": tables.array(np.array([cell.seed for cell in cells], np.uint64)),
    }
    for factor in dict.fromkeys(name for cell in cells for name in cell.factors):
        columns[factor] = _levels([cell.factors.get(factor) for cell in cells])
    about = {"schema_version": SCHEMA_VERSION, "experiment": plan.id}
    return pa.table(columns).replace_schema_metadata({METADATA: json.dumps(about, sort_keys=True)})


def _names(names: list[str]) -> pa.Array:
    known = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return tables.named(np.array([known[name] for name in names], np.int16), list(known))


def _levels(values: list[Any]) -> pa.Array:
    """A factor's levels: truth values, numbers or, where it has anything else, text."""
    null = np.array([value is None for value in values])
    given = [value for value in values if value is not None]
    if all(isinstance(value, bool) for value in given):
        return tables.array(np.array([bool(value) for value in values]), null)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in given):
        return tables.array(np.array([value or 0 for value in values], np.float64), null)
    return tables.texts(["" if value is None else _text(value) for value in values], null)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def sha256(file: Any) -> str:
    """SHA-256 of a file that has been opened."""
    return hashlib.file_digest(file, "sha256").hexdigest()


def as_text(table: pa.Table) -> pa.Table:
    """The same rows with names as text: files number them in their own ways."""
    fields = [field.with_type(pa.string()) if pa.types.is_dictionary(field.type) else field for field in table.schema]
    return table.cast(pa.schema(fields)).replace_schema_metadata()
