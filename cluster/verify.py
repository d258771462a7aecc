"""Whether an archive still is what was written, and whether its games can be played again."""

import functools
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cluster import RunFailed
from cluster.archive import Stored, open_experiment
from cluster.layout import experiments, games_files
from cluster.parquet import about, sha256
from cluster.plan import LEVEL_OF, TABLES, Piece, Shard, tables_of
from cluster.progress import say
from cluster.tables import FAILED
from cluster.watch import Watch
from cluster.worker import Stage
from sim.compiled import source_hash
from sim.game import RECORD_LEVELS

MOST_SHOWN = 20
"""Problems of an experiment that are told one by one."""


class _Files(NamedTuple):
    """The files of a range of shards: of each table, ``games`` first."""

    shards: list[Shard]
    paths: dict[str, Path]

    @property
    def games(self) -> int:
        return sum(shard.games for shard in self.shards)


def verify(path: Path, sample: int) -> None:
    """Checks an experiment, or all of an archive, and tells what was checked. Raises `RunFailed` if anything is wrong.

    Digests, row counts and keys of every file; totals of ``games`` against the other tables; and of a sample of games
    every recorded row against the same game played again from the stored inputs.
    """
    folders = experiments(path)
    damaged = 0
    for folder in folders:
        problems = [f"{folder}: {problem}" for problem in _problems(open_experiment(folder), sample)]
        for problem in problems[:MOST_SHOWN]:
            say(problem)
        if len(problems) > MOST_SHOWN:
            say(f"{folder}: and {len(problems) - MOST_SHOWN:,} more")
        damaged += bool(problems)
    if damaged:
        raise RunFailed(
            f"{damaged:,} of {len(folders):,} experiments are not what was written; "
            "what is removed with its games file is played again by `duosuan resume`"
        )


def _problems(stored: Stored, sample: int) -> Iterator[str]:
    yield from _changed_since_complete(stored)
    good: list[_Files] = []
    for files in _published(stored):
        problems = list(_file_problems(stored, files)) or list(_key_problems(stored, files))
        yield from problems
        if not problems:
            good.append(files)
    yield from _total_problems(stored, good)
    chosen = _chosen(stored, good, sample)
    yield from _replay_problems(stored, chosen)
    games = sum(files.games for files in good)
    print(f"{stored.path}: {games:,} games checked, {len(chosen):,} of them played again")


def _changed_since_complete(stored: Stored) -> Iterator[str]:
    """Files that are gone or changed since the manifest was given their digests."""
    for name, digest in stored.manifest.get("digests", {}).items():
        path = stored.path / name
        if not path.is_file():
            yield f"{name}: is missing"
        elif sha256(path) != digest:
            yield f"{name}: has changed since the experiment was complete"


def _published(stored: Stored) -> list[_Files]:
    shards = stored.shards()
    found = []
    for path, covered in games_files(stored.path).items():
        below = path.relative_to(stored.path / "games")
        paths = {table: stored.path / table / below for table in reversed(tables_of(stored.plan))}
        found.append(_Files([shards[number] for number in covered if number < len(shards)], paths))
    return found


def _file_problems(stored: Stored, files: _Files) -> Iterator[str]:
    """Digests and row counts of a shard's files."""
    games = files.paths["games"]
    name = games.relative_to(stored.path)
    try:
        told = about(games)
    except ValueError as error:
        yield f"{name}: {error}"
        return
    if told["experiment"] != stored.plan.id:
        yield f"{name}: belongs to another experiment ({told['experiment'][:8]})"
        return
    if pq.read_metadata(games).num_rows != files.games:
        yield f"{name}: has {pq.read_metadata(games).num_rows:,} games, the plan has {files.games:,}"
    for table, path in files.paths.items():
        if table == "games":
            continue
        name = path.relative_to(stored.path)
        if not path.is_file():
            yield f"{name}: is missing"
        elif sha256(path) != told["siblings"][table]["sha256"]:
            yield f"{name}: has changed since it was published"
        elif pq.read_metadata(path).num_rows != told["siblings"][table]["rows"]:
            yield f"{name}: has not the number of rows that it was published with"


def _key_problems(stored: Stored, files: _Files) -> Iterator[str]:
    """Cells and replications of a shard's files: those of the plan, each game in one place, in order."""
    planned = np.concatenate([_keys_of(piece) for shard in files.shards for piece in shard.pieces])
    try:
        games = pq.ParquetFile(files.paths["games"], page_checksum_verification=True).read()
        if not np.array_equal(_keys(games), planned):
            yield f"{files.paths['games'].relative_to(stored.path)}: has other games than the plan"
            return
        good = planned[np.array(games["end_reason"].cast(pa.string())) != FAILED]
        for table, path in files.paths.items():
            if table == "games":
                continue
            keys = _keys(pq.read_table(path, columns=["cell", "replication"]))
            found = keys[np.flatnonzero(np.diff(keys, prepend=-1))]
            expected = good if _is_usual(stored, table) else good[_is_sampled(stored, good)]
            # A game may go by without an event.
            complete = np.isin(found, expected).all() if table == "events" else np.array_equal(found, expected)
            if not complete or (np.diff(found) <= 0).any():
                yield f"{path.relative_to(stored.path)}: has rows of other games than those that were played"
    except (OSError, pa.ArrowException) as error:
        yield f"{files.paths['games'].relative_to(stored.path)}: it or a file beside it cannot be read: {error}"


def _keys_of(piece: Piece) -> np.ndarray:
    return (np.int64(piece.cell) << 32) + np.arange(piece.first, piece.first + piece.count)


def _keys(table: pa.Table) -> np.ndarray:
    """Cell and replication of every row as one number."""
    return (table["cell"].to_numpy().astype(np.int64) << 32) + table["replication"].to_numpy()


def _is_usual(stored: Stored, table: str) -> bool:
    return RECORD_LEVELS.index(LEVEL_OF[table]) <= RECORD_LEVELS.index(stored.plan.record)


def _is_sampled(stored: Stored, keys: np.ndarray) -> np.ndarray:
    return (keys & (2**32 - 1)) % _every(stored) == 0


def _every(stored: Stored) -> int:
    return stored.plan.sample.every if stored.plan.sample else 1


def _total_problems(stored: Stored, good: Sequence[_Files]) -> Iterator[str]:
    """What tables say of each other: each file in ``totals/`` is a question, its answer the games that differ."""
    for rulebook in stored.plan.rulebooks:
        paths = [files.paths for files in good if files.shards[0].rulebook == rulebook]
        if not paths:
            continue
        with duckdb.connect() as connection:
            for name, needs, question in _questions(stored, rulebook):
                # What is recorded of a sample only can be counted for these games alone.
                every = 1 if all(_is_usual(stored, table) for table in needs) else _every(stored)
                for table in needs:
                    names = ", ".join("'" + str(path[table]).replace("'", "''") + "'" for path in paths)
                    rows = f"read_parquet([{names}], hive_partitioning = false) WHERE replication % {every} = 0"
                    connection.execute(f"CREATE OR REPLACE VIEW {table} AS FROM {rows}")
                answers = connection.execute(f"{question} ORDER BY ALL LIMIT 1").fetchall()
                for cell, replication, what, told, counted in answers:
                    yield f"{name}: cell {cell}, replication {replication}: {what} is {told}, counted {counted}"


def _questions(stored: Stored, rulebook: str) -> Iterator[tuple[str, list[str], str]]:
    """Name, tables and SQL of each check of totals that the recorded tables allow."""
    for group in ("common", rulebook):
        folder = resources.files("cluster") / "totals" / group
        for file in sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else ():
            text = file.read_text(encoding="utf-8")
            needs = text.splitlines()[1].removeprefix("-- Needs: ").split(", ")
            if set(needs) <= set(tables_of(stored.plan)):
                yield file.name.removesuffix(".sql"), needs, text


class _Chosen(NamedTuple):
    """A game that is to be played again and the files that have it."""

    cell: int
    replication: int
    files: _Files


def _chosen(stored: Stored, good: Sequence[_Files], sample: int) -> list[_Chosen]:
    """Games that are played again: always the same ones of an experiment."""
    ends = np.cumsum([files.games for files in good], dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    generator = np.random.default_rng(int(stored.plan.id[:16], 16))
    chosen = []
    for place in np.sort(generator.choice(total, min(sample, total), replace=False)).tolist():
        number = int(np.searchsorted(ends, place, side="right"))
        keys = np.concatenate([_keys_of(piece) for shard in good[number].shards for piece in shard.pieces])
        key = int(keys[place - (int(ends[number - 1]) if number else 0)])
        chosen.append(_Chosen(key >> 32, key & (2**32 - 1), good[number]))
    return chosen


def _replay_problems(stored: Stored, chosen: Sequence[_Chosen]) -> Iterator[str]:
    """Games that come out otherwise when they are played again."""
    other_code = "" if stored.plan.code == source_hash() else f" (played by other code: sim/ {stored.plan.code[:16]})"
    stage = Stage(stored.plan, stored.inputs)
    for game in chosen:
        again: dict[str, list[pa.Table]] = {}
        for table, rows in stage.rows(Piece(game.cell, game.replication, 1), Watch()):
            again.setdefault(table, []).append(rows)
        found = [
            difference
            for table, parts in again.items()
            if (
                difference := _difference(
                    table, _stored_rows(game.files.paths[table], game), _plain(pa.concat_tables(parts))
                )
            )
        ]
        if found:
            where = f"cell {game.cell}, replication {game.replication}"
            yield f"{where}: comes out otherwise when it is played again{other_code}: {min(found)[1]}"


def _stored_rows(path: Path, game: _Chosen) -> pa.Table:
    mine = [("cell", "=", game.cell), ("replication", "=", game.replication)]
    return _read(path).filter(pq.filters_to_expression(mine))


@functools.lru_cache(len(TABLES))
def _read(path: Path) -> pa.Table:
    # As one file: below a folder named rulebook=… a data set would add that as a column.
    return _plain(pq.ParquetFile(path).read())


def _plain(table: pa.Table) -> pa.Table:
    """Names as text: files number them in their own ways."""
    fields = [field.with_type(pa.string()) if pa.types.is_dictionary(field.type) else field for field in table.schema]
    return table.cast(pa.schema(fields)).replace_schema_metadata()


def _difference(table: str, stored: pa.Table, replayed: pa.Table) -> tuple[float, str] | None:
    """Turn and words of the first thing, by turn, in which the rows of a game differ."""
    if stored.equals(replayed):
        return None
    rows, again = stored.to_pylist(), replayed.to_pylist()
    differing = [
        (row.get("turn", np.inf), table, row, field, other[field])
        for row, other in zip(rows, again, strict=False)
        for field in row
        if row[field] != other[field]
    ]
    if differing:
        turn, _, row, field, other = min(differing, key=lambda found: found[0])
        thing = "".join(f", {key} {row[key]}" for key in ("side", "unit", "place", "seq") if key in row)
        when = f"{table}, turn {turn}{thing}" if "turn" in row else table
        return turn, f"{when}, {field}: the archive has {row[field]}, played again {other}"
    return np.inf, f"{table}: the archive has {len(rows)} rows, played again {len(again)}"
