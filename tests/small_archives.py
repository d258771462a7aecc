"""Tiny archives with known rows, so that every answer can be worked out by hand."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import sim
from cluster.parquet import stamp, told_by_games
from cluster.plan import tables_at
from queries.catalog import PUBLISHED
from queries.schema import NAME, schema

# What a row says that a test does not care about; where a column has no entry here, it is null.
DEFAULTS: dict[str, dict[str, Any]] = {
    "games": {
        "scenario": "barbarossa/blue", "red_policy": "easy", "blue_policy": "hold",
        "winner": "red", "outcome": "soviet_major", "margin": -4, "turns": 13, "end_reason": "scored",
    },
    "turns": {}, "units": {}, "territory": {}, "events": {},
}  # fmt: skip

SEED = 2**63 + 1
_CELL = ("cell", "content", "rulebook", "scenario", "red_policy", "blue_policy")


class SmallExperiment:
    """An experiment that a test fills shard by shard."""

    def __init__(
        self,
        archive: Path,
        name: str,
        *,
        id8: str = "00000001",
        cells: int | list[dict[str, Any]] = 1,
        replications: int = 2,
        record: str = "events",
        sample: dict[str, Any] | None = None,
        label: str = "",
        rulebook: str = "barbarossa",
    ) -> None:
        self.folder = archive / f"experiment={name}-{id8}"
        self.id = id8 * 8
        self.rulebook = rulebook
        self.book = sim.rulebook(rulebook if rulebook in sim.RULEBOOKS else "barbarossa")
        self.tables = tables_at(sample["level"] if sample else record)
        given = cells if isinstance(cells, list) else [{}] * cells
        rows = [
            {
                "cell": number, "content": f"content {number}", "rulebook": rulebook,
                "scenario": "barbarossa/blue", "red_policy": "easy", "blue_policy": "hold", **cell,
            }
            for number, cell in enumerate(given)
        ]  # fmt: skip
        self.folder.mkdir(parents=True)
        pq.write_table(
            pa.Table.from_pylist([{"seed": SEED, **row} for row in rows], _cells_schema(rows)),
            self.folder / "cells.parquet",
        )
        planned = [
            {
                **{name: value for name, value in row.items() if name in _CELL},
                "number": row["cell"], "seed": row.get("seed", SEED),
                "factors": {name: value for name, value in row.items() if name not in _CELL},
            }
            for row in rows
        ]  # fmt: skip
        plan = {"replications": replications, "record": record, "sample": sample, "cells": planned}
        self.write_json("inputs/plan.json", plan)
        manifest = {
            "schema_version": 1, "id": self.id, "name": name, "label": label, "seed": 7,
            "created": "2026-01-01T00:00:00+00:00", "libraries": {"duosuan": "0.1.0"}, "code": "c0de",
        }  # fmt: skip
        self.write_json("manifest.json", manifest)

    def write_json(self, path: str, content: Any) -> None:
        file = self.folder / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(content))

    def path(self, table: str, first: int, last: int) -> Path:
        return (
            self.folder
            / table
            / f"rulebook={self.rulebook}"
            / f"{first // 1000:03d}"
            / f"shards-{first:06d}-{last:06d}.parquet"
        )

    def shard(self, first: int = 0, last: int | None = None, **rows: list[dict[str, Any]]) -> None:
        """Publishes a shard (or a run of them) with rows for each table; cell and replication are 0 by default."""
        last = first if last is None else last
        failed = sum(row.get("end_reason") == "failed" for row in rows.get("games", []))
        about = {"schema_version": 1, "experiment": self.id, **told_by_games(failed, {})}
        for table in PUBLISHED:
            if table not in self.tables:
                continue
            path = self.path(table, first, last)
            path.parent.mkdir(parents=True, exist_ok=True)
            keys = {"cell": 0, "replication": 0}
            full = [{**keys, "seq": number, **DEFAULTS[table], **row} for number, row in enumerate(rows.get(table, []))]
            # Only what a test is about is filled in: a real game leaves fewer columns null.
            columns = pa.schema([field.with_nullable(True) for field in schema(self.book, table)])
            found = pa.Table.from_pylist(full, columns)
            with pq.ParquetWriter(path, columns, store_schema=True) as writer:
                writer.write_table(found)
                writer.add_key_value_metadata({"duosuan": json.dumps(about)})
            if table == "games":
                stamp(path)
            about["siblings"][table] = {"rows": len(full), "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}


def _cells_schema(rows: list[dict[str, Any]]) -> pa.Schema:
    names = {"cell": pa.int32(), **dict.fromkeys(list(rows[0])[1:6], NAME), "seed": pa.uint64()}
    factors = {key: pa.infer_type([row.get(key)]) for row in rows for key in row if key not in names}
    return pa.schema({**names, **factors})
