"""`Archive`: the views over an archive's files in DuckDB, and the questions that are asked of them."""

import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from queries.catalog import TABLES, Experiment, experiment_in, experiments_of
from queries.documents import stored
from queries.files import StoreError, bad, is_bad, without_credentials
from queries.health import Health, first_line, keep_sound, look
from queries.questions import find
from queries.reading import READABLE, SCHEME, TableFiles
from queries.statements import must_only_read

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


class Archive:
    """An archive, to be asked in SQL; `queries.open` makes one.

    - ``sql(text)`` answers a query of your own, ``question(name, ...)`` one of the questions. Both return a relation
      of DuckDB: ``.fetchall()``, ``.df()`` (pandas), ``.pl()`` (polars), ``.to_arrow_table()``, ``.show()``;
    - ``tables``: the tables and their columns;
    - ``experiments``: what is read, ``notes``: lines on what is incomplete, failed or left out.

    Through its SQL nothing can be written, and no file be read but those of the tables.
    """

    def __init__(self, path: str, *, experiments: Sequence[str] = (), skip_damaged: bool = False) -> None:
        with _store_errors():
            self._files, folders = experiments_of(str(path), experiments)
        spill = _own_folder()
        self._connection = duckdb.connect(config={"temp_directory": spill})
        self._clean = weakref.finalize(self, shutil.rmtree, spill, ignore_errors=True)
        self._connection.execute("set enable_progress_bar = false")  # it would stand among the answers on stdout
        self._connection.execute("set parquet_metadata_cache = true")  # a question reads the ends of files many times
        self.experiments: list[Experiment] = []
        self.notes: list[str] = []
        try:
            self._open(folders, skip_damaged)
        except BaseException:
            self.close()
            raise

    def _open(self, folders: Sequence[str], skip_damaged: bool) -> None:
        rows = []
        with self.errors():
            self._connection.register_filesystem(TableFiles(self._files.listed(folders)))
            for folder in folders:
                try:
                    experiment = experiment_in(self._files, folder)
                except Exception as error:
                    if skip_damaged and is_bad(error):
                        self.notes.append(f"left out: {error}")
                        continue
                    raise
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
        paths = {t: [path for it in self.experiments for path in it.tables[t]] for t in ("cells", *TABLES)}
        make_views(self._connection, paths)
        if rows:
            self._connection.executemany(f"insert into experiments values ({', '.join('?' * len(rows[0]))})", rows)

    def _close_the_door(self) -> None:
        """From here on SQL reaches the tables' files and no others, and cannot change that.

        What large queries spill goes into a folder of their own, the only one of this machine that is left to them.
        """
        run = self._connection.execute
        run("set python_enable_replacements = false")
        run("set allow_persistent_secrets = false")
        run(f"set allowed_directories = ['{SCHEME}']")
        run("set enable_external_access = false")
        run("set lock_configuration = true")

    @property
    def tables(self) -> dict[str, list[str]]:
        """The columns of each table that can be asked."""
        return {table: self._connection.sql(f"from {table} limit 0").columns for table in SHOWN}

    def sql(self, text: str, parameters: dict[str, Any] | None = None) -> duckdb.DuckDBPyRelation:
        """Answers one query that only reads. Raises `BadInput` for any other, and for what DuckDB does not accept."""
        with self.errors():
            must_only_read(self._connection.cursor(), text)
            return self._connection.sql(text, params=parameters)

    def question(self, name: str, **parameters: Any) -> duckdb.DuckDBPyRelation:
        """Answers a question. Raises `BadInput` for an unknown one or a wrong parameter."""
        question = find(name)
        with self.errors():
            return self._connection.sql(question.sql, params=question.values(parameters))

    def stored(self, experiment: Experiment, name: str) -> dict[str, Any] | None:
        """A document that one of the experiments was made of: ``plan`` names those of each cell. None if not there."""
        return stored(self._files, experiment.folder, name)

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
        named = re.search(rf"{SCHEME}({READABLE.pattern})", line)
        line = line.replace(SCHEME, self._files.address(""))
        if named:
            where = self._files.address(named[1])
            return bad(f"is damaged: {line}; --skip-damaged (skip_damaged) leaves it out", where)
        return bad(line, "the query")

    def close(self) -> None:
        """Closes the connection; relations of it can no longer be asked."""
        self._connection.close()
        self._clean()

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


def _own_folder() -> str:
    """A new folder for temporary files that nobody else reads; none, as DuckDB says it, where there is no room."""
    try:
        return tempfile.mkdtemp(prefix="duosuan-spill-")
    except OSError:
        return ""


def make_views(connection: duckdb.DuckDBPyConnection, paths: Mapping[str, Sequence[str]]) -> None:
    """Makes the views of an archive over the paths of each table's files, in a connection that has its `TableFiles`;
    ``experiments`` stays empty.
    """
    for name in ("columns", "archive"):
        connection.execute((VIEWS / f"{name}.sql").read_text(encoding="utf-8"))
    for table in (*TABLES, "cells"):
        if paths.get(table):
            connection.execute(f"set variable {table}_files = ?", [[SCHEME + path for path in paths[table]]])
            connection.execute((VIEWS / f"{table}.sql").read_text(encoding="utf-8"))
        else:
            connection.execute(f"create view {'files_games' if table == 'games' else table} as from empty.{table}")
    for name in ("rulebooks", "derived", "macros"):
        connection.execute((VIEWS / f"{name}.sql").read_text(encoding="utf-8"))


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
