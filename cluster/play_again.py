"""Games of an archive played again from its inputs, and compared row by row with what it has of them."""

import functools
import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cluster.archive import Stored
from cluster.compared import differences
from cluster.parquet import as_text
from cluster.plan import Piece, Shard
from cluster.store import Store
from cluster.watch import Watch
from cluster.worker import Stage
from queries.catalog import TABLES
from queries.tell import Row
from sim.compiled import source_hash

MOST_AT_ONCE = 500
"""Games that are played and compared together."""


class Files(NamedTuple):
    """The files of a range of shards: the path of each table's, ``games`` first."""

    shards: list[Shard]
    paths: dict[str, str]

    @property
    def games(self) -> int:
        """How many games they have by the plan."""
        return sum(shard.games for shard in self.shards)

    def keys(self) -> np.ndarray:
        """Cell and replication of these games as one number each, in the order of the plan, int64 (n,)."""
        return np.concatenate([_keys_of(piece) for shard in self.shards for piece in shard.pieces])

    def has(self, cell: int, replication: int) -> bool:
        """Whether a game is among them."""
        pieces = (piece for shard in self.shards for piece in shard.pieces)
        return any(each.cell == cell and 0 <= replication - each.first < each.count for each in pieces)


def _keys_of(piece: Piece) -> np.ndarray:
    return (np.int64(piece.cell) << 32) + np.arange(piece.first, piece.first + piece.count)


class Few(NamedTuple):
    """A few games that are to be played again, and the files that have them."""

    piece: Piece
    files: Files


def choose_games(stored: Stored, good: Sequence[Files], sample: int | None) -> list[Few]:
    """Games that are played again: always the same ones of an experiment; with None all."""
    ends = np.cumsum([files.games for files in good], dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    if sample is None or sample >= total:
        places = np.arange(total)
    else:
        generator = np.random.default_rng(int(stored.plan.id[:16], 16))
        places = np.sort(generator.choice(total, sample, replace=False))
    chosen = []
    numbers = np.searchsorted(ends, places, side="right")
    for number in np.unique(numbers).tolist():
        before = int(ends[number - 1]) if number else 0
        keys = good[number].keys()[places[numbers == number] - before]
        chosen += [Few(piece, good[number]) for piece in _pieces(keys.tolist())]
    return chosen


def _pieces(keys: list[int]) -> Iterator[Piece]:
    """Keys of games as runs of consecutive replications."""
    for _, run in itertools.groupby(enumerate(keys), lambda entry: entry[1] - entry[0]):
        games = [key for _, key in run]
        for start in range(0, len(games), MOST_AT_ONCE):
            few = games[start : start + MOST_AT_ONCE]
            yield Piece(few[0] >> 32, few[0] & (2**32 - 1), len(few))


def other_rows(stored: Stored, chosen: Sequence[Few]) -> Iterator[str]:
    """Games that come out otherwise when they are played again: a line for each, with the first thing that differs."""
    other_code = "" if stored.plan.code == source_hash() else f" (played by other code: sim/ {stored.plan.code[:16]})"
    stage = Stage(stored.plan, stored.inputs)
    for few in chosen:
        again: dict[str, list[pa.Table]] = {}
        for table, rows in stage.rows(few.piece, Watch()):
            again.setdefault(table, []).append(rows)
        there = {table: _stored_rows(stored, few.files.paths[table], few.piece) for table in again}
        played = {table: as_text(pa.concat_tables(parts)) for table, parts in again.items()}
        differing = [table for table in played if not there[table].equals(played[table])]
        for replication in range(few.piece.first, few.piece.first + few.piece.count) if differing else ():
            found = [
                difference
                for table in differing
                for difference in differences(table, *(_of_game(rows[table], replication) for rows in (there, played)))
            ]
            if found:
                first = min(found, key=lambda difference: difference.when)
                where = f"cell {few.piece.cell}, replication {replication}"
                file = few.files.paths[first.table]
                yield f"{where}: comes out otherwise when it is played again{other_code}: {first} (in {file})"


def _of_game(rows: pa.Table, replication: int) -> list[Row]:
    return rows.filter(pc.field("replication") == replication).to_pylist()


def _stored_rows(stored: Stored, path: str, piece: Piece) -> pa.Table:
    """Rows of consecutive games of a cell; only row groups that may have some are read."""
    first, last = piece.first, piece.first + piece.count - 1
    metadata = _metadata(stored.store, path)
    columns = {metadata.schema.column(number).name: number for number in range(metadata.num_columns)}
    groups = [
        number
        for number in range(metadata.num_row_groups)
        if _may_have(metadata.row_group(number).column(columns["cell"]), piece.cell, piece.cell)
        and _may_have(metadata.row_group(number).column(columns["replication"]), first, last)
    ]
    rows = _read(stored.store, path, tuple(groups))
    mine = (pc.field("cell") == piece.cell) & (pc.field("replication") >= first) & (pc.field("replication") <= last)
    return rows.filter(mine)


@functools.lru_cache(len(TABLES))
def _metadata(store: Store, path: str) -> pq.FileMetaData:
    with store.open(path) as file:
        return pq.read_metadata(file)


@functools.lru_cache(len(TABLES))
def _read(store: Store, path: str, groups: tuple[int, ...]) -> pa.Table:
    with store.open(path) as file:
        # As one file: below a folder named rulebook=… a data set would add that as a column.
        return as_text(pq.ParquetFile(file).read_row_groups(groups))


def _may_have(column: pq.ColumnChunkMetaData, low: int, high: int) -> bool:
    statistics = column.statistics
    return statistics is None or (statistics.min <= high and low <= statistics.max)
