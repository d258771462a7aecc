"""Which files of an experiment can be read, and what is wrong with the others."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import duckdb

from queries.catalog import TABLES, Experiment, bad
from queries.digests import METADATA, Digests, digests
from queries.files import LocalFiles, RemoteFiles
from queries.reading import SCHEME

SCHEMA_VERSIONS = (1,)
"""Versions of the archive that the views read."""


class Health(NamedTuple):
    """What the files of ``games`` say of an experiment: games and how many of them failed. ``wrong`` is a line for
    each file that has been left out.
    """

    games: int
    failed: int
    wrong: tuple[str, ...]


def look(
    connection: duckdb.DuckDBPyConnection, files: LocalFiles | RemoteFiles, experiment: Experiment
) -> tuple[Experiment, Health]:
    """Checks that the files are there and belong to the experiment. Raises `BadInput` for the first that does not."""
    for path in experiment.foreign:
        raise _left_out(files.address(path), "does not belong here")
    paths = experiment.tables["games"]
    try:
        games, about = _about(connection, paths)
    except duckdb.InternalException:
        raise
    except duckdb.Error:
        for path in paths:  # one by one: which of them is it?
            try:
                _about(connection, [path])
            except duckdb.Error as error:
                why = first_line(error).replace(SCHEME, files.address(""))
                raise _left_out(files.address(path), f"is damaged: {why}") from None
        raise
    for path in experiment.tables["games"]:
        for wrong, what in _wrong(experiment, path, about.get(path)):
            raise _left_out(files.address(wrong), what)
    return experiment, Health(games, sum(said["failed"] for said in about.values()), ())


def keep_sound(
    connection: duckdb.DuckDBPyConnection, files: LocalFiles | RemoteFiles, experiment: Experiment
) -> tuple[Experiment, Health]:
    """The experiment without the shards that have a damaged file: every file is read and compared with its digest."""
    wrong = [f"{files.address(path)}: does not belong here" for path in experiment.foreign]
    games = failed = 0
    kept = []
    for path in experiment.tables["games"]:
        address = files.address(path)
        with files.open(path) as file:
            found = digests(file)
        if not found.sound:
            wrong.append(f"{address}: is damaged: it does not have the digest that it was written with")
            continue
        count, about = _about(connection, [path])
        said = about.get(path)
        faults = [*_wrong(experiment, path, said), *(_changed(files, experiment, path, said, found) if said else ())]
        if faults or not said:
            wrong += [f"{files.address(where)}: {what}" for where, what in faults]
            continue
        kept.append(path)
        games += count
        failed += said["failed"]
    below = {path.partition("/games/")[2] for path in kept}
    tables = {
        table: tuple(path for path in paths if path.partition(f"/{table}/")[2] in below)
        for table, paths in experiment.tables.items()
    }
    return experiment._replace(tables=tables), Health(games, failed, tuple(wrong))


def first_line(error: duckdb.Error) -> str:
    """What DuckDB complains of, without the place in the text of the query."""
    text = str(error).split("\n\nLINE ")[0]
    return " ".join(text.split())


def _about(connection: duckdb.DuckDBPyConnection, paths: Sequence[str]) -> tuple[int, dict[str, dict[str, Any]]]:
    """Rows of files, all together, and what each says of itself, by its path."""
    if not paths:
        return 0, {}
    addresses = [SCHEME + path for path in paths]
    rows = connection.execute("select sum(num_rows)::bigint from parquet_file_metadata(?)", [addresses]).fetchone()
    said = connection.execute(
        "select file_name, decode(value) from parquet_kv_metadata(?) where decode(key) = ?", [addresses, METADATA]
    ).fetchall()
    by_path = {name.removeprefix(SCHEME): _document(text) for name, text in said}
    return rows[0] if rows else 0, {path: about for path, about in by_path.items() if about}


def _document(text: str) -> dict[str, Any] | None:
    """What a games file says of itself; None if that is not what one of ours would say."""
    try:
        about = json.loads(text)
    except ValueError:
        return None
    kinds = {"experiment": str, "schema_version": int, "failed": int, "siblings": dict}
    ours = isinstance(about, dict) and all(isinstance(about.get(key), kind) for key, kind in kinds.items())
    return about if ours and set(about["siblings"]) <= set(TABLES) else None


def _wrong(experiment: Experiment, path: str, said: dict[str, Any] | None) -> Iterator[tuple[str, str]]:
    """What is wrong with a shard's files, judging by what its file of ``games`` says."""
    if said is None or said["experiment"] != experiment.manifest["id"]:
        yield path, "belongs to another experiment" if said else "is not a file of an archive"
    elif said["schema_version"] not in SCHEMA_VERSIONS:
        yield path, f"has schema version {said['schema_version']}, which a later Duosuan reads"
    else:
        below = path.partition("/games/")[2]
        for table in said["siblings"]:
            sibling = f"{experiment.folder}/{table}/{below}"
            if sibling not in experiment.tables[table]:
                yield sibling, "is missing"


def _changed(
    files: LocalFiles | RemoteFiles, experiment: Experiment, path: str, said: dict[str, Any], found: Digests
) -> Iterator[tuple[str, str]]:
    below = path.partition("/games/")[2]
    damaged = "is damaged: it does not have the digest that was written down"
    # The digests of the games files as a whole are written down when the experiment is complete.
    known = (experiment.manifest.get("digests") or {}).get(f"games/{below}", found.whole)
    if known != found.whole:
        yield path, damaged
    for table, sibling in said["siblings"].items():
        where = f"{experiment.folder}/{table}/{below}"
        if where in experiment.tables[table] and hashlib.sha256(files.read(where)).hexdigest() != sibling["sha256"]:
            yield where, damaged


def _left_out(address: str, what: str) -> Exception:
    return bad(f"{what}; --skip-damaged (skip_damaged) leaves it out", address)
