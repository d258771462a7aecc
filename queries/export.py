"""An archive as one DuckDB file, which DuckDB's command line, notebooks and BI tools open without Duosuan."""

import os
import re
from pathlib import Path

import duckdb

from queries import dictionary, questions
from queries.archive import SHOWN, VIEWS, Archive
from queries.questions import Question
from sim.rules_file import BadInput

ABOUT = {
    "experiments": "the experiments that the file has, and how complete each is",
    "cells": "scenario, pairing and design point of each cell, a column for each factor",
    **dictionary.TABLES,
    "losses": "each loss with its cause, whatever the rulebook",
    "unit_kinds": "side and kind of each unit of a cell",
    "recorded_games": "games with the level at which each was recorded",
    "failed_games": "games that could not go on, because a policy answered what the rules forbid",
}
SQL_TYPES = {"text": "varchar", "integer": "bigint", "number": "double"}


def export(archive: Archive, file: Path, *, force: bool = False) -> list[str]:
    """Writes all tables of an archive, its macros, and the questions as table macros, and returns their names.

    A question's parameters are called ``wanted_<parameter>``: `from win_rates(wanted_scenario := 'barbarossa/blue')`.
    The file is there whole or not at all. Raises `BadInput` for a file that is there, unless ``force``, and for one
    that cannot be written.
    """
    if file.exists() and not force:
        raise BadInput("is there already: use --force to replace it", file=file)
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    remains = (part, part.with_name(f"{part.name}.wal"))
    try:
        with duckdb.connect(str(part)) as connection:
            archive.stoppable(lambda: _fill(connection, archive))
        part.replace(file)
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", file=file) from None
    except duckdb.Error as error:
        if part.name not in str(error):  # the archive's fault
            raise
        raise BadInput(f"cannot be written: {_why(error)}", file=file) from None
    finally:
        for path in remains:
            path.unlink(missing_ok=True)
    return [*SHOWN, *questions.names()]


def _why(error: Exception) -> str:
    """What DuckDB complains of, in one line and without the name of the file that will not be."""
    found = re.search(r": ([A-Z][^:]+)$", str(error).splitlines()[0])
    return found[1] if found else str(error).splitlines()[0]


def _fill(connection: duckdb.DuckDBPyConnection, archive: Archive) -> None:
    for table in SHOWN:
        rows = archive.sql(f"from {table}").to_arrow_reader()
        connection.register("rows", rows)
        connection.execute(f"create table {table} as from rows")
        connection.unregister("rows")
    for name in ("rulebooks", "macros"):
        connection.execute((VIEWS / f"{name}.sql").read_text(encoding="utf-8"))
    for question in map(questions.find, questions.names()):
        connection.execute(as_macro(question))
    _comment(connection)


def as_macro(question: Question) -> str:
    """The statement that makes a table macro of a question."""
    body = question.sql
    parameters = []
    for it in question.parameters:
        # A parameter's name goes before a column's: it must be no column.
        body = re.sub(rf"\${it.name}\b", f"wanted_{it.name}", body)
        default = "null" if it.default is None else repr(it.default)
        parameters.append(f"wanted_{it.name} := {default}::{SQL_TYPES[it.type]}")
    return f"create macro {question.name}({', '.join(parameters)}) as table\n{body}"


def _comment(connection: duckdb.DuckDBPyConnection) -> None:
    """What tables, columns and questions mean, where tools show it."""
    for table, what in ABOUT.items():
        connection.execute(f"comment on table {table} is {_quoted(what)}")
    for table in dictionary.TABLES:
        for column in dictionary.columns_of(table):
            what = dictionary.told(column).replace("<br>", "; ").replace("*", "")
            unit = f" [{', '.join(column.units)}]" if column.units else ""
            connection.execute(f'comment on column {table}."{column.name}" is {_quoted(what + unit)}')
    for question in map(questions.find, questions.names()):
        columns = "; ".join(f"{name}: {meaning}" for name, meaning in question.columns)
        what = f"{question.asks} {question.grain} Measure: {question.measure} Columns: {columns}"
        connection.execute(f"comment on macro table {question.name} is {_quoted(what)}")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
