"""Whether an archive still is what was written, and whether its games can be played again."""

import math
from collections.abc import Iterator, Sequence
from importlib import resources

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cluster import RunFailed
from cluster.archive import Stored, open_experiment
from cluster.layout import beside, done, experiment_folder, experiments, games_files
from cluster.parquet import sha256
from cluster.plan import LEVEL_OF, count_shards, tables_of
from cluster.play_again import Files, choose_games, other_rows
from cluster.progress import say
from cluster.sound import Found, cells_fault, look_at_all
from cluster.store import Place, Store, store_errors, store_of
from queries.archive import make_views
from queries.catalog import TABLES, runs_of
from queries.files import StoreError
from queries.reading import TableFiles
from queries.schema import FAILED
from sim.game import RECORD_LEVELS
from sim.rules_file import BadInput

MOST_SHOWN = 20
"""Problems of an experiment that are told one by one."""
RARE = 1_000
"""What is said of a sample is said of what happens to one game in so many."""


@store_errors()
def verify(place: Place, sample: int | None) -> None:
    """Checks an experiment, or all of an archive, and tells what was checked. Raises `RunFailed` if anything is wrong.

    Digests, row counts and keys of every file; totals of ``games`` against the other tables; and of a sample of games
    (None: of all) every recorded row against the same game played again from the stored inputs.
    """
    stores = experiments(store_of(place))
    damaged = 0
    for store in stores:
        problems = _told(store, sample)
        for problem in problems[:MOST_SHOWN]:
            say(problem)
        if len(problems) > MOST_SHOWN:
            say(f"{store}: and {len(problems) - MOST_SHOWN:,} more")
        damaged += bool(problems)
    if damaged:
        raise RunFailed(
            f"{damaged:,} of {len(stores):,} experiments are not what was written; "
            "`duosuan resume` plays again what is damaged or missing of one"
        )


def _told(store: Store, sample: int | None) -> list[str]:
    """What is wrong with an experiment, a line for each thing."""
    try:
        with store_errors():
            stored = open_experiment(store)
            return [f"{store}: {problem}" for problem in _problems(stored, sample)]
    except (BadInput, RunFailed) as error:
        return [str(error)]


def games_that_differ(store: Store, sample: int) -> list[str]:
    """Plays a sample of an experiment's games again, and nothing else: a line for each that comes out otherwise.

    The id of an experiment decides which games, so that each night, with its label, has others.
    """
    stored = open_experiment(store)
    return list(other_rows(stored, choose_games(stored, _published(stored), sample)))


def _problems(stored: Stored, sample: int | None) -> Iterator[str]:
    if fault := cells_fault(stored):
        yield fault
    yield from _strangers(stored)
    yield from _missing(stored)
    published = {files.paths["games"]: files for files in _published(stored)}
    there = {path: covered for path, covered in games_files(stored.store).items() if path in published}
    good: list[Files] = []
    for path, found in look_at_all(stored, there):
        files = published[path]
        problems = found.faults or list(_count_problems(stored, files, found)) or list(_key_problems(stored, files))
        yield from problems
        if not problems:
            good.append(files)
    yield from _total_problems(stored, good)
    chosen = choose_games(stored, good, sample)
    yield from other_rows(stored, chosen)
    games = sum(files.games for files in good)
    again = sum(few.piece.count for few in chosen)
    print(f"{stored.store}: {games:,} games checked, {again:,} of them played again")
    if again:
        print(f"  had games come out otherwise once in {RARE:,} times, these would have shown it {_chance(again)}")


def _chance(games: int) -> str:
    """With which probability games that are played again show what happens to one in `RARE`, in words."""
    chance = -math.expm1(games * math.log1p(-1 / RARE))
    return f"with a probability of {100 * chance:.2g} %" if chance < 0.995 else "almost surely"


def _strangers(stored: Stored) -> Iterator[str]:
    """Files in the folders of tables that are none of the experiment's."""
    tables = tables_of(stored.plan)
    shards = count_shards(stored.plan, stored.rounds)
    for table in TABLES:
        for path in stored.store.below(table):
            if path.endswith(".tmp"):
                continue  # somebody writes it
            run = next(iter(runs_of([path.removeprefix(f"{table}/")])), None)
            if run is None or table not in tables:
                yield f"{path}: does not belong here"
            elif table == "games" and run.last >= shards:
                yield f"{path}: is of shards that the experiment does not have: it has {shards:,}"


def _missing(stored: Stored) -> Iterator[str]:
    """Files that are gone since the manifest was given their digests, and shards that no file has."""
    digests = stored.manifest.get("digests") or {}
    gone = [path for path in digests if path != "cells.parquet" and not stored.store.exists(path)]
    for path in gone:
        yield f"{path}: is missing"
    if (known := digests.get("cells.parquet")) and stored.store.exists("cells.parquet"):
        with stored.store.open("cells.parquet") as file:
            if sha256(file) != known:
                yield "cells.parquet: has changed since the experiment was complete"
    if stored.manifest["complete"] and not gone:
        there = done(stored.store)
        for shard in stored.shards():
            if shard.number not in there:
                yield f"games: shard {shard.number} is missing, and the experiment is said to be complete"


def _published(stored: Stored) -> list[Files]:
    shards = list(stored.shards())
    return [
        Files(shards[it.start : it.stop], {table: beside(path, table) for table in reversed(tables_of(stored.plan))})
        for path, it in games_files(stored.store).items()
        if it.stop <= len(shards)
    ]


def _count_problems(stored: Stored, files: Files, found: Found) -> Iterator[str]:
    """Row counts of a shard's files."""
    games = files.paths["games"]
    if (rows := _rows(stored, games)) != files.games:
        yield f"{games}: has {rows:,} games, the plan has {files.games:,}"
    for table, told in found.about.siblings.items() if found.about else ():
        if _rows(stored, files.paths[table]) != told.rows:
            yield f"{files.paths[table]}: has not the number of rows that it was published with"


def _rows(stored: Stored, path: str) -> int:
    with stored.store.open(path) as file:
        return pq.read_metadata(file).num_rows


def _key_problems(stored: Stored, files: Files) -> Iterator[str]:
    """Cells and replications of a shard's files: those of the plan, each game in one place, in order."""
    path, planned = files.paths["games"], files.keys()
    try:
        with stored.store.open(path) as file:
            games = pq.ParquetFile(file, page_checksum_verification=True).read()
        keys = _keys(games)
        if not np.array_equal(keys, planned):
            yield f"{path}: has other games than the plan, first {_first_other(keys, planned)}"
            return
        good = planned[np.array(games["end_reason"].cast(pa.string())) != FAILED]
        for table, path in files.paths.items():
            if table == "games":
                continue
            found = _games_in(stored, path)
            expected = good if _is_usual(stored, table) else good[_is_sampled(stored, good)]
            if table == "events":  # a game may go by without one
                expected = np.intersect1d(found, expected)
            if not np.array_equal(found, expected):
                first = _first_other(found, expected)
                yield f"{path}: has rows of other games than those that were played, first {first}"
    except (StoreError, PermissionError, MemoryError):
        raise  # that says nothing of the file
    except (OSError, pa.ArrowException) as error:
        yield f"{path}: cannot be read: {error}"


def _games_in(stored: Stored, path: str) -> np.ndarray:
    """The keys of the games that follow each other in a file, read row group by row group."""
    found = [np.empty(0, np.int64)]
    with stored.store.open(path) as opened:
        file = pq.ParquetFile(opened)
        for number in range(file.num_row_groups):
            keys = _keys(file.read_row_group(number, columns=["cell", "replication"]))
            found.append(keys[np.flatnonzero(np.diff(keys, prepend=-1))])
    # A game may go on in the next row group.
    keys = np.concatenate(found)
    return keys[np.flatnonzero(np.diff(keys, prepend=-1))]


def _first_other(found: np.ndarray, expected: np.ndarray) -> str:
    """Words for the first key that is in one place and not in the other, or else out of its place."""
    other = np.setxor1d(found, expected)
    if len(other) == 0:
        n = min(len(found), len(expected))
        places = np.flatnonzero(found[:n] != expected[:n])
        other = found[places[:1]] if len(places) else found[n : n + 1]
    return f"cell {other[0] >> 32}, replication {other[0] & (2**32 - 1)}"


def _keys(table: pa.Table) -> np.ndarray:
    """Cell and replication of every row as one number."""
    return (table["cell"].to_numpy().astype(np.int64) << 32) + table["replication"].to_numpy()


def _is_usual(stored: Stored, table: str) -> bool:
    return RECORD_LEVELS.index(LEVEL_OF[table]) <= RECORD_LEVELS.index(stored.plan.record)


def _is_sampled(stored: Stored, keys: np.ndarray) -> np.ndarray:
    return (keys & (2**32 - 1)) % _every(stored) == 0


def _every(stored: Stored) -> int:
    return stored.plan.sample.every if stored.plan.sample else 1


def _total_problems(stored: Stored, good: Sequence[Files]) -> Iterator[str]:
    """What tables say of each other: each file in ``totals/`` is a question, its answer the games that differ."""
    for rulebook in stored.plan.rulebooks:
        mine = [files for files in good if files.shards[0].rulebook == rulebook]
        if not mine:
            continue
        with duckdb.connect() as connection:
            folder = experiment_folder(stored.plan)
            connection.register_filesystem(TableFiles(stored.store.listed([""]), above=folder))
            tables = tables_of(stored.plan)
            make_views(connection, {t: [f"{folder}/{files.paths[t]}" for files in mine] for t in tables})
            for name, needs, question in _questions(stored, rulebook):
                # What is recorded of a sample only can be counted for these games alone.
                every = 1 if all(_is_usual(stored, table) for table in needs) else _every(stored)
                counted = ", ".join(f"{t} AS (FROM main.{t} WHERE replication % {every} = 0)" for t in needs)
                answers = connection.execute(f"WITH {counted} FROM ({question}) ORDER BY ALL LIMIT 1").fetchall()
                for cell, replication, what, told, found in answers:
                    path = next(files.paths["games"] for files in mine if files.has(cell, replication))
                    where = f"cell {cell}, replication {replication}"
                    yield f"{name}: {where}: {what} is {told}, counted {found} (in {path})"


def _questions(stored: Stored, rulebook: str) -> Iterator[tuple[str, list[str], str]]:
    """Name, tables and SQL of each check of totals that the recorded tables allow."""
    for group in ("common", rulebook):
        folder = resources.files("cluster") / "totals" / group
        for file in sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else ():
            text = file.read_text(encoding="utf-8")
            needs = text.splitlines()[1].removeprefix("-- Needs: ").split(", ")
            if set(needs) <= set(tables_of(stored.plan)):
                yield file.name.removesuffix(".sql"), needs, text
