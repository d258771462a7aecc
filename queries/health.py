"""Which files of an experiment can be read, and what is wrong with the others."""

import hashlib
import json
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import duckdb

from queries.catalog import SCHEMA_VERSIONS, TABLES, Experiment
from queries.digests import METADATA, Digests, digests
from queries.documents import ABOUT, what_is_wrong
from queries.files import LocalFiles, RemoteFiles, bad
from queries.reading import SCHEME

CHANGED = "is damaged: it does not have the digest that was written down"
CELL_COLUMNS = ("content", "rulebook", "scenario", "red_policy", "blue_policy", "seed")
"""Columns of the table of cells that the plan has under the same names."""


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
    for path in experiment.tables["cells"]:
        if wrong := _wrong_cells(connection, files, experiment, path):
            raise _left_out(files.address(path), wrong)
    try:
        games, about = _about(connection, experiment.tables["games"])
    except duckdb.Error:
        for path in experiment.tables["games"]:
            with _named(files, path):
                _about(connection, [path])
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
    cells = []
    for path in experiment.tables["cells"]:
        if fault := _wrong_cells(connection, files, experiment, path):
            wrong.append(f"{files.address(path)}: {fault}")
        else:
            cells.append(path)
    games = failed = 0
    kept = []
    for path in experiment.tables["games"]:
        with files.open(path) as file:
            found = digests(file)
        if not found.sound:
            wrong.append(f"{files.address(path)}: is damaged: it does not have the digest that it was written with")
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
        table: tuple(path for path in experiment.tables[table] if path.partition(f"/{table}/")[2] in below)
        for table in TABLES
    }
    return experiment._replace(tables={**tables, "cells": tuple(cells)}), Health(games, failed, tuple(wrong))


def first_line(error: duckdb.Error) -> str:
    """What DuckDB complains of, without the place in the text of the query."""
    text = str(error).split("\n\nLINE ")[0]
    return " ".join(text.split())


@contextmanager
def _named(files: LocalFiles | RemoteFiles, path: str) -> Generator[None]:
    """Turns what DuckDB complains of into a `BadInput` that names the file."""
    try:
        yield
    except duckdb.Error as error:
        raise _left_out(files.address(path), _damaged(files, error)) from None


def _damaged(files: LocalFiles | RemoteFiles, error: duckdb.Error) -> str:
    return f"is damaged: {first_line(error).replace(SCHEME, files.address(''))}"


def _wrong_cells(
    connection: duckdb.DuckDBPyConnection, files: LocalFiles | RemoteFiles, experiment: Experiment, path: str
) -> str | None:
    """What is wrong with the table of cells: the digest that was written down, or else the plan, tells."""
    if not files.exists(path):
        return "is missing"
    digest = experiment.manifest.get("digests", {}).get("cells.parquet")
    if digest:
        return None if hashlib.sha256(files.read(path)).hexdigest() == digest else CHANGED
    try:
        found = connection.execute(
            "from read_parquet(?, hive_partitioning = false) order by cell", [SCHEME + path]
        ).fetchall()
        columns = [name for name, *_ in connection.description or ()]
    except duckdb.Error as error:
        return _damaged(files, error)
    rows = [dict(zip(columns, row, strict=True)) for row in found]
    if len(rows) != len(experiment.cells):
        return f"is damaged: it has {len(rows):,} cells, the plan has {len(experiment.cells):,}"
    for row, cell in zip(rows, experiment.cells, strict=True):
        planned = {**dict.fromkeys(columns), **cell["factors"], **{name: cell[name] for name in CELL_COLUMNS}}
        planned["cell"] = cell["number"]
        for name, value in planned.items():
            if row.get(name) not in (value, _text(value)):
                return f"is damaged: cell {cell['number']} has another {name} than in the plan"
    return None


def _text(value: Any) -> str | None:
    """A factor's level in a column of text."""
    return None if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _about(connection: duckdb.DuckDBPyConnection, paths: Sequence[str]) -> tuple[int, dict[str, dict[str, Any]]]:
    """Rows of files, all together, and what each says of itself, by its path."""
    if not paths:
        return 0, {}
    addresses = [SCHEME + path for path in paths]
    rows = connection.execute("select sum(num_rows)::bigint from parquet_file_metadata(?)", [addresses]).fetchone()
    said = connection.execute(
        "select file_name, decode(value) from parquet_kv_metadata(?) where decode(key) = ?", [addresses, METADATA]
    ).fetchall()
    by_path = {name.removeprefix(SCHEME): found for name, text in said if (found := _says(text))}
    return rows[0] if rows else 0, by_path


def _says(text: str) -> dict[str, Any] | None:
    """What a file says of itself; None if that is no such thing."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return None if what_is_wrong(said, ABOUT) else said


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
    # The digests of the games files as a whole are written down when the experiment is complete.
    known = (experiment.manifest.get("digests") or {}).get(f"games/{below}", found.whole)
    if known != found.whole:
        yield path, CHANGED
    for table, sibling in said["siblings"].items():
        where = f"{experiment.folder}/{table}/{below}"
        if where in experiment.tables[table] and hashlib.sha256(files.read(where)).hexdigest() != sibling["sha256"]:
            yield where, CHANGED


def _left_out(address: str, what: str) -> Exception:
    return bad(f"{what}; --skip-damaged (skip_damaged) leaves it out", address)
