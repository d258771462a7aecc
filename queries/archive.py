"""`Archive`: the views over an archive's files in DuckDB, and the questions that are asked of them."""

import re
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from queries.catalog import TABLES, Experiment, bad, experiment_in, experiments_of, stored
from queries.files import StoreError, without_credentials
from queries.health import Health, first_line, keep_sound, look
from queries.questions import find

T = TypeVar("T")

VIEWS = Path(__file__).parent / "views"

SHOWN = (
    "experiments",
    "cells",
    "games",
    "turns",
    "units",
    "territory",
    "events",
    "losses",
    "unit_kinds",
    "recorded_games",
    "failed_games",
)
"""Tables that a user asks, in the order in which they are listed."""

EXPLAIN = re.compile(r"\s*explain(\s+analyze)?\b(\s*\([^)]*\))?", re.IGNORECASE)


class Archive:
    """An archive, to be asked in SQL; `queries.open` makes one.

    - ``sql(text)`` answers a query of your own, ``question(name, ...)`` one of the questions. Both return a relation
      of DuckDB: ``.fetchall()``, ``.df()`` (pandas), ``.pl()`` (polars), ``.to_arrow_table()``, ``.show()``;
    - ``tables``: the tables and their columns;
    - ``experiments``: what is read, ``notes``: lines on what is incomplete, failed or left out.

    Nothing can be written, and no file outside the archive be read, through its SQL.
    """

    def __init__(self, path: str, *, experiments: Sequence[str] = (), skip_damaged: bool = False) -> None:
        with _store_errors():
            self._files, folders = experiments_of(str(path), experiments)
        spill = str(Path(tempfile.gettempdir()) / "duosuan-spill")
        self._connection = duckdb.connect(config={"temp_directory": spill})
        self._connection.execute("set enable_progress_bar = false")  # it would stand among the answers on stdout
        self._connection.execute("set parquet_metadata_cache = true")  # a question reads the ends of files many times
        self.experiments: list[Experiment] = []
        self.notes: list[str] = []
        try:
            self._open(folders, skip_damaged)
        except BaseException:
            self._connection.close()
            raise

    def _open(self, folders: Sequence[str], skip_damaged: bool) -> None:
        rows = []
        with self.errors():
            self._files.register(self._connection, folders)
            for folder in folders:
                experiment = experiment_in(self._files, folder)
                if experiment is None:
                    self.notes.append(f"left out: {self._files.address(folder)}: has no manifest yet")
                    continue
                check = keep_sound if skip_damaged else look
                experiment, state = check(self._connection, self._files, experiment)
                self.experiments.append(experiment)
                self.notes += _notes(experiment, state)
                rows.append(_row(experiment, state))
            self._make_views(rows)
        self._close_the_door()

    def _make_views(self, rows: Sequence[tuple]) -> None:
        paths = {table: [p for e in self.experiments for p in e.tables[table]] for table in TABLES}
        paths["cells"] = [f"{experiment.folder}/cells.parquet" for experiment in self.experiments]
        addresses = {table: [self._files.address(path) for path in found] for table, found in paths.items()}
        make_views(self._connection, addresses)
        if rows:
            self._connection.executemany(f"insert into experiments values ({', '.join('?' * len(rows[0]))})", rows)

    def _close_the_door(self) -> None:
        """From here on SQL reaches the archive's files and no others, and cannot change that."""
        run = self._connection.execute
        run("set python_enable_replacements = false")
        run(f"set allowed_directories = [{_quoted(self._files.root + '/')}]")
        run("set enable_external_access = false")
        run("set lock_configuration = true")

    @property
    def tables(self) -> dict[str, list[str]]:
        """The columns of each table that can be asked."""
        return {table: self._connection.sql(f"from {table} limit 0").columns for table in SHOWN}

    def sql(self, text: str, parameters: dict[str, Any] | None = None) -> duckdb.DuckDBPyRelation:
        """Answers one query that only reads. Raises `BadInput` for any other, and for what DuckDB does not accept."""
        with self.errors():
            self._must_only_read(text)
            return self._connection.sql(text, params=parameters)

    def question(self, name: str, **parameters: Any) -> duckdb.DuckDBPyRelation:
        """Answers a question. Raises `BadInput` for an unknown one or a wrong parameter."""
        question = find(name)
        with self.errors():
            return self._connection.sql(question.sql, params=question.values(parameters))

    def stored(self, experiment: Experiment, name: str) -> dict[str, Any] | None:
        """A document that one of the experiments was made of: ``plan`` names those of each cell. None if not there."""
        return stored(self._files, experiment.folder, name)

    def _must_only_read(self, text: str) -> None:
        statements = self._connection.extract_statements(text)
        if len(statements) != 1:
            raise bad(f"holds {len(statements)} statements: ask one query at a time", "the query")
        kind = statements[0].type
        if kind == duckdb.StatementType.EXPLAIN:
            return self._must_only_read(EXPLAIN.sub("", statements[0].query, count=1))
        if kind == duckdb.StatementType.MULTI:
            raise bad("a pivot must name its values here: pivot ... on side in ('red', 'blue') ...", "the query")
        if kind != duckdb.StatementType.SELECT:
            raise bad(f"{kind.name.lower()} is not allowed: an archive is only read, with select or from", "the query")
        return None

    def stoppable(self, work: Callable[[], T]) -> T:
        """Does a piece of work, such as fetching an answer, so that Ctrl-C stops its query, too.

        DuckDB does not look for signals while it streams; so the work is done in a thread, and this one waits.
        """
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(work)
            try:
                return future.result()
            except KeyboardInterrupt:
                self._connection.interrupt()
                raise

    @contextmanager
    def errors(self) -> Generator[None]:
        """Turns what DuckDB complains of into a `BadInput` of one line; fetch the answer of `sql` inside it."""
        try:
            with _store_errors():
                yield
        except (duckdb.InternalException, duckdb.InterruptException):
            raise
        except RuntimeError as error:
            # DuckDB looks for Ctrl-C itself while it prepares a query, and says so in this way.
            if "interrupted" not in str(error):
                raise
            raise KeyboardInterrupt from error
        except duckdb.Error as error:
            raise self._explained(error) from None

    def _explained(self, error: duckdb.Error) -> Exception:
        line = without_credentials(first_line(error))
        named = re.search(re.escape(self._files.root) + r"/[^'\"]+\.parquet", line)
        if named:
            return bad(f"is damaged: {line}; --skip-damaged (skip_damaged) leaves it out", named[0])
        return bad(line, "the query")

    def close(self) -> None:
        """Closes the connection; relations of it can no longer be asked."""
        self._connection.close()

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def _store_errors() -> Generator[None]:
    try:
        yield
    except StoreError as error:
        raise bad(f"cannot be read: {error.why}", error.address) from None


def make_views(connection: duckdb.DuckDBPyConnection, addresses: Mapping[str, Sequence[str]]) -> None:
    """Makes the views of an archive over files, given the addresses of each table's; ``experiments`` stays empty."""
    for name in ("columns", "archive"):
        connection.execute((VIEWS / f"{name}.sql").read_text(encoding="utf-8"))
    for table in (*TABLES, "cells"):
        if addresses.get(table):
            connection.execute(f"set variable {table}_files = ?", [list(addresses[table])])
            connection.execute((VIEWS / f"{table}.sql").read_text(encoding="utf-8"))
        else:
            connection.execute(f"create view {'files_games' if table == 'games' else table} as from empty.{table}")
    for name in ("rulebooks", "derived", "macros"):
        connection.execute((VIEWS / f"{name}.sql").read_text(encoding="utf-8"))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _row(experiment: Experiment, state: Health) -> tuple:
    manifest, sample = experiment.manifest, experiment.sample or {}
    return (
        experiment.key,
        experiment.name,
        manifest["label"],
        manifest["created"],
        manifest["seed"],
        manifest["libraries"]["duosuan"],
        manifest["code"],
        experiment.record,
        sample.get("level"),
        sample.get("every"),
        experiment.games_planned,
        state.games,
        state.failed,
        state.games == experiment.games_planned and not experiment.more,
    )


def _notes(experiment: Experiment, state: Health) -> list[str]:
    notes = [f"left out: {line}" for line in state.wrong]
    if state.games < experiment.games_planned:
        notes.append(f"{experiment.key}: {state.games:,} of {experiment.games_planned:,} games are there so far")
    elif experiment.more:
        notes.append(f"{experiment.key}: the last round is there, and another may follow")
    if state.failed:
        notes.append(f"{experiment.key}: {state.failed:,} failed games are left out")
    return notes
