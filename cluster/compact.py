"""Compaction: the many small files of an experiment become few large ones, with the same rows in the same order.

A wide file is published before the narrow ones that it replaces are deleted, its ``games`` last, and readers take the
wide one where two overlap. So whenever it ends, nobody sees a row twice or misses one, and doing it again completes it.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from cluster import RunFailed
from cluster.archive import Stored, note_digests, open_experiment, writing
from cluster.layout import experiments, games_files, shard_file
from cluster.parquet import METADATA, about, as_text, options_of, sha256
from cluster.plan import TABLES, Shard, count_shards, tables_of
from cluster.progress import say
from cluster.publish import fault
from cluster.store import Place, Store, store_errors, store_of
from queries.catalog import runs_of

MOST_ROWS = 20_000_000
"""Rows of its largest table that a wide file may have: some hundred megabytes."""
WIDE_ROW_GROUP_ROWS = 122_880
"""Rows of a row group: what one of DuckDB's threads takes at a time, and little to skip too much."""


class _Narrow(NamedTuple):
    """A file of ``games`` as it is before: the shards that it covers, what it says of itself, its largest table."""

    path: str
    shards: range
    about: dict[str, Any]
    rows: int


@store_errors()
def compact(place: Place) -> None:
    """Compacts an experiment, or all of an archive that are complete, and tells what became of each.

    Raises `RunFailed` if a file is not what was published, or the archive cannot be written.
    """
    for store in experiments(store_of(place)):
        stored = open_experiment(store)
        if not stored.manifest["complete"]:
            say(f"{store}: is not complete and stays as it is")
            continue
        before = len(games_files(store))
        with writing(store):
            stored = _clear_away(stored)
            for group in list(_groups(stored)):
                _widen(stored, group)
                stored = _clear_away(stored)
        print(f"{store}: {before:,} files of each table before, now {len(games_files(store)):,}")


def _groups(stored: Stored) -> Iterator[list[_Narrow]]:
    """Files that become one: consecutive, of one rulebook and one round, with not too many rows.

    Whatever of it has been done already, the same files come of the rest: only rows decide, and wide files keep them.
    """
    shards = list(stored.shards())
    # Cells begin anew in each round: rows would not be in order across two.
    starts = {count_shards(stored.plan, stored.rounds[:number]) for number in range(len(stored.rounds))}
    group: list[_Narrow] = []
    for path, covered in games_files(stored.store).items():
        narrow = _narrow(stored, shards, path, covered)
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


def _narrow(stored: Stored, shards: Sequence[Shard], path: str, covered: range) -> _Narrow:
    try:
        told = about(stored.store, path)
    except ValueError as error:
        raise RunFailed(f"{stored.store}/{path}: {error}") from None
    games = sum(shard.games for shard in shards[covered.start : covered.stop])
    return _Narrow(path, covered, told, max([games, *(sibling["rows"] for sibling in told["siblings"].values())]))


def _widen(stored: Stored, group: list[_Narrow]) -> None:
    """Publishes the files that have all rows of a group's."""
    store = stored.store
    rulebook = group[0].about["rulebook"]
    first, last = group[0].shards.start, group[-1].shards.stop - 1
    told = {**group[0].about, "shards": [first, last], "failed": sum(narrow.about["failed"] for narrow in group)}
    told["siblings"] = {}
    for table in tables_of(stored.plan):
        draft = store.draft(shard_file(table, rulebook, first, last))
        try:
            paths = [narrow.path.replace("games/", f"{table}/", 1) for narrow in group]
            for narrow, path in zip(group, paths, strict=True):
                _check(stored, narrow, table, path)
            # As in narrow files, only games tells of the others.
            says = told if table == "games" else {key: told[key] for key in told if key not in ("failed", "siblings")}
            rows = _write(store, paths, draft.temporary, says)
            with draft.temporary.open("rb") as written:
                told["siblings"][table] = {"rows": rows, "sha256": sha256(written)}
            draft.publish(f"wide-{table}")
        except BaseException:
            draft.discard()
            raise


def _check(stored: Stored, narrow: _Narrow, table: str, path: str) -> None:
    """Raises `RunFailed` for a file that is not what was published: its rows would get a new digest, as if sound."""
    digests = {name: sibling["sha256"] for name, sibling in narrow.about["siblings"].items()}
    digests["games"] = stored.manifest["digests"].get(path)
    try:
        with stored.store.open(path) as file:
            sound = sha256(file) == digests[table]
    except FileNotFoundError:
        raise RunFailed(f"{stored.store}/{path}: is missing") from None
    if not sound:
        raise RunFailed(f"{stored.store}/{path}: has changed since it was published; `duosuan verify` tells more")


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


def _clear_away(stored: Stored) -> Stored:
    """Writes down the digests of the wide files, then deletes what they have replaced."""
    chosen = games_files(stored.store)
    stored = note_digests(stored)
    for table in TABLES:
        kept = {path.replace("games/", f"{table}/", 1) for path in chosen}
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
