"""Compaction: the many small files of an experiment become few large ones, with the same rows in the same order.

A wide file is published before the narrow ones that it replaces are deleted, its ``games`` last, and readers take the
wide one where two overlap. So whenever it ends, nobody sees a row twice or misses one, and doing it again completes it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from cluster import RunFailed
from cluster.archive import Stored, all_done, note_digests, open_experiment, over_experiments, resume_command, writing
from cluster.busy import locked
from cluster.layout import beside, games_files, shard_file
from cluster.parquet import as_text, options_of, sha256, stamp, told_by_games
from cluster.plan import Shard, count_shards, tables_of
from cluster.progress import say
from cluster.publish import fault
from cluster.sound import About, Found, look, look_at_all
from cluster.store import Place, Store, store_errors, store_of
from queries.catalog import PUBLISHED, runs_of
from queries.digests import METADATA

MOST_ROWS = 20_000_000
"""Rows of its largest table that a wide file may have: some hundred megabytes."""
WIDE_ROW_GROUP_ROWS = 122_880
"""Rows of a row group: what one of DuckDB's threads takes at a time, and little to skip too much."""


class _Narrow(NamedTuple):
    """A file of ``games`` as it is before: the shards that it covers, what it says of itself, its largest table."""

    path: str
    shards: range
    about: About
    rows: int


@store_errors()
def compact(place: Place) -> None:
    """Compacts an experiment, or all of an archive that are complete, and tells what became of each.

    Raises `RunFailed`, after all others are compacted, for one that has a file which is not what was published, or at
    which somebody else is; and if the archive cannot be written.
    """
    over_experiments(store_of(place), _compact)


def _compact(store: Store) -> None:
    if not open_experiment(store).manifest["complete"]:
        say(f"{store}: is not complete and stays as it is")
        return
    with locked(store, "compact"), writing(store):
        store.clear()
        stored = open_experiment(store)
        before = len(games_files(store))
        sound = _looked_at(stored)
        stored = _clear_away(stored, sound)
        for group in list(_groups(stored, sound)):
            path = _widen(stored, group)
            sound[path] = _found(stored, path, range(group[0].shards.start, group[-1].shards.stop))
            stored = _clear_away(stored, sound)
    print(f"{store}: {before:,} files of each table before, now {len(games_files(store)):,}")


def _looked_at(stored: Stored) -> dict[str, Found]:
    """What is found of all files.

    Raises `RunFailed` if one is missing or damaged: its rows would get a new digest, as if they were sound.
    """
    there, shards = games_files(stored.store), count_shards(stored.plan, stored.rounds)
    sound = dict(look_at_all(stored, there))
    faults = [fault for found in sound.values() for fault in found.faults]
    faults += [f"{path}: is of shards that it does not have" for path, it in there.items() if it.stop > shards]
    if not all_done(stored):
        faults.append("games of it are missing")
    for line in faults:
        say(f"{stored.store}: {line}")
    if faults:
        raise RunFailed(f"{stored.store}: is damaged and stays as it is; mend it with: {resume_command(stored.store)}")
    return sound


def _found(stored: Stored, path: str, covered: range) -> Found:
    found = look(stored, path, covered)
    if found.faults:
        raise RunFailed(f"{stored.store}: {found.faults[0]}, just after it was written: look after the disk")
    return found


def _groups(stored: Stored, sound: Mapping[str, Found]) -> Iterator[list[_Narrow]]:
    """Files that become one: consecutive, of one rulebook and one round, with not too many rows.

    Whatever of it has been done already, the same files come of the rest: only rows decide, and wide files keep them.
    """
    shards = list(stored.shards())
    # Cells begin anew in each round: rows would not be in order across two.
    starts = {count_shards(stored.plan, stored.rounds[:number]) for number in range(len(stored.rounds))}
    group: list[_Narrow] = []
    for path, covered in games_files(stored.store).items():
        narrow = _narrow(shards, path, covered, sound[path])
        if group and (
            covered.start in starts
            or shards[covered.start].rulebook != shards[group[0].shards.start].rulebook
            or sum(each.rows for each in group) + narrow.rows > MOST_ROWS
        ):
            if len(group) > 1:
                yield group
            group = []
        group.append(narrow)
    if len(group) > 1:
        yield group


def _narrow(shards: Sequence[Shard], path: str, covered: range, found: Found) -> _Narrow:
    assert found.about
    games = sum(shard.games for shard in shards[covered.start : covered.stop])
    return _Narrow(path, covered, found.about, max([games, *(it.rows for it in found.about.siblings.values())]))


def _widen(stored: Stored, group: list[_Narrow]) -> str:
    """Publishes the files that have all rows of a group's, and returns the path of its games."""
    store = stored.store
    first, last = group[0].shards.start, group[-1].shards.stop - 1
    shared = group[0].about.model_dump(include={"schema_version", "experiment", "rulebook", "rulebook_version"})
    told = {**shared, "shards": [first, last]}
    siblings: dict[str, Any] = {}
    path = ""
    for table in tables_of(stored.plan):
        path = shard_file(table, group[0].about.rulebook, first, last)
        draft = store.draft(path)
        try:
            if table == "games":
                told |= told_by_games(sum(narrow.about.failed for narrow in group), siblings)
            rows = _write(store, [beside(narrow.path, table) for narrow in group], draft.temporary, told)
            if table == "games":
                stamp(draft.temporary)
            with draft.temporary.open("rb") as written:
                siblings[table] = {"rows": rows, "sha256": sha256(written)}
            draft.publish(f"wide-{table}")
        except BaseException:
            draft.discard()
            raise
    return path


def _write(store: Store, paths: list[str], target: Any, told: dict[str, Any]) -> int:
    """Writes the rows of files into one and returns how many; its bytes depend on these rows alone."""
    with store.open(paths[0]) as file:
        schema = pq.read_schema(file).remove_metadata()
    count = 0
    with pq.ParquetWriter(target, schema, **options_of(schema)) as writer:
        for rows in _row_groups(_rows(store, paths)):
            writer.write_table(_with_names(rows, schema), row_group_size=rows.num_rows)
            count += rows.num_rows
        writer.add_key_value_metadata({METADATA: json.dumps(told, sort_keys=True)})
    return count


def _rows(store: Store, paths: Iterable[str]) -> Iterator[pa.Table]:
    """All rows of files, a row group at a time, names as text: each file numbers them in its own way."""
    for path in paths:
        with store.open(path) as opened:
            file = pq.ParquetFile(opened, page_checksum_verification=True)
            for number in range(file.num_row_groups):
                yield as_text(file.read_row_group(number))


def _row_groups(parts: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The same rows in tables of `WIDE_ROW_GROUP_ROWS`, the last one with what is left."""
    waiting: list[pa.Table] = []
    for part in parts:
        waiting.append(part)
        while sum(table.num_rows for table in waiting) >= WIDE_ROW_GROUP_ROWS:
            whole = pa.concat_tables(waiting)
            yield whole.slice(0, WIDE_ROW_GROUP_ROWS)
            waiting = [whole.slice(WIDE_ROW_GROUP_ROWS)]
    if sum(table.num_rows for table in waiting):
        yield pa.concat_tables(waiting)


def _with_names(rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """Rows with numbered names again, in the order in which they come up."""
    columns = [
        rows[field.name].combine_chunks().dictionary_encode().cast(field.type)
        if pa.types.is_dictionary(field.type)
        else rows[field.name]
        for field in schema
    ]
    return pa.table(columns, schema=schema)


def _clear_away(stored: Stored, sound: Mapping[str, Found]) -> Stored:
    """Writes down the digests of the wide files, then deletes what they have replaced."""
    chosen = games_files(stored.store)
    cells = {"cells.parquet": stored.manifest["digests"]["cells.parquet"]}
    stored = note_digests(stored, cells | {path: sound[path].digest for path in chosen})
    for table in PUBLISHED:
        kept = {beside(path, table) for path in chosen}
        replaced = [
            path
            for run in runs_of(path.removeprefix(f"{table}/") for path in stored.store.below(table))
            if (path := f"{table}/{run.path}") not in kept
            and any(run.first in covered and run.last in covered for covered in chosen.values())
        ]
        if replaced:
            fault(f"before-delete-{table}")
            stored.store.delete(replaced)
            fault(f"after-delete-{table}")
    return stored
