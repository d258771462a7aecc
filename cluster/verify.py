"""Whether an archive still is what was written, and whether its games can be played again."""

from collections.abc import Iterator, Sequence
from importlib import resources

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cluster import RunFailed
from cluster.archive import Stored, open_experiment
from cluster.layout import done, experiment_folder, experiments, games_files
from cluster.parquet import about, sha256
from cluster.plan import LEVEL_OF, tables_of
from cluster.play_again import Files, choose_games, other_rows
from cluster.progress import say
from cluster.store import Place, Store, store_errors, store_of
from cluster.tables import FAILED
from queries.archive import make_views
from queries.files import StoreError
from queries.reading import TableFiles
from sim.game import RECORD_LEVELS

MOST_SHOWN = 20
"""Problems of an experiment that are told one by one."""


@store_errors()
def verify(place: Place, sample: int | None) -> None:
    """Checks an experiment, or all of an archive, and tells what was checked. Raises `RunFailed` if anything is wrong.

    Digests, row counts and keys of every file; totals of ``games`` against the other tables; and of a sample of games
    (None: of all) every recorded row against the same game played again from the stored inputs.
    """
    stores = experiments(store_of(place))
    damaged = 0
    for store in stores:
        problems = [f"{store}: {problem}" for problem in _problems(open_experiment(store), sample)]
        for problem in problems[:MOST_SHOWN]:
            say(problem)
        if len(problems) > MOST_SHOWN:
            say(f"{store}: and {len(problems) - MOST_SHOWN:,} more")
        damaged += bool(problems)
    if damaged:
        raise RunFailed(
            f"{damaged:,} of {len(stores):,} experiments are not what was written; "
            "what is removed with its games file is played again by `duosuan resume`"
        )


def games_that_differ(store: Store, sample: int) -> list[str]:
    """Plays a sample of an experiment's games again, and nothing else: a line for each that comes out otherwise.

    The id of an experiment decides which games, so that each night, with its label, has others.
    """
    stored = open_experiment(store)
    return list(other_rows(stored, choose_games(stored, _published(stored), sample)))


def _problems(stored: Stored, sample: int | None) -> Iterator[str]:
    yield from _changed_since_complete(stored)
    good: list[Files] = []
    for files in _published(stored):
        problems = list(_file_problems(stored, files)) or list(_key_problems(stored, files))
        yield from problems
        if not problems:
            good.append(files)
    yield from _total_problems(stored, good)
    chosen = choose_games(stored, good, sample)
    yield from other_rows(stored, chosen)
    games = sum(files.games for files in good)
    again = sum(few.piece.count for few in chosen)
    print(f"{stored.store}: {games:,} games checked, {again:,} of them played again")


def _changed_since_complete(stored: Stored) -> Iterator[str]:
    """Files that are gone or changed since the manifest was given their digests, and shards that no file has."""
    digests = stored.manifest.get("digests", {})
    for path, digest in digests.items():
        if not stored.store.exists(path):
            yield f"{path}: is missing"
        elif _digest(stored, path) != digest:
            yield f"{path}: has changed since the experiment was complete"
    if stored.manifest["complete"] and all(stored.store.exists(path) for path in digests):
        there = done(stored.store)
        for shard in stored.shards():
            if shard.number not in there:
                yield f"games: shard {shard.number} is missing, and the experiment is said to be complete"


def _digest(stored: Stored, path: str) -> str:
    with stored.store.open(path) as file:
        return sha256(file)


def _published(stored: Stored) -> list[Files]:
    shards = list(stored.shards())
    found = []
    for path, covered in games_files(stored.store).items():
        below = path.removeprefix("games/")
        paths = {table: f"{table}/{below}" for table in reversed(tables_of(stored.plan))}
        found.append(Files([shards[number] for number in covered if number < len(shards)], paths))
    return found


def _file_problems(stored: Stored, files: Files) -> Iterator[str]:
    """Digests and row counts of a shard's files."""
    games = files.paths["games"]
    try:
        told = about(stored.store, games)
    except ValueError as error:
        yield f"{games}: {error}"
        return
    if told["experiment"] != stored.plan.id:
        yield f"{games}: belongs to another experiment ({told['experiment'][:8]})"
        return
    if told["shards"] != [files.shards[0].number, files.shards[-1].number]:
        yield f"{games}: is the file of shards {told['shards'][0]} to {told['shards'][1]}"
        return
    if (rows := _rows(stored, games)) != files.games:
        yield f"{games}: has {rows:,} games, the plan has {files.games:,}"
    for table, path in files.paths.items():
        if table == "games":
            continue
        if not stored.store.exists(path):
            yield f"{path}: is missing"
        elif _digest(stored, path) != told["siblings"][table]["sha256"]:
            yield f"{path}: has changed since it was published"
        elif _rows(stored, path) != told["siblings"][table]["rows"]:
            yield f"{path}: has not the number of rows that it was published with"


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
    except StoreError:
        raise
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
