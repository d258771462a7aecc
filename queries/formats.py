"""Answers as a table for people, or as CSV, JSON and Parquet for programs."""

import csv
import io
import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from queries.files import bad

if TYPE_CHECKING:
    import duckdb

FORMATS = ("table", "csv", "json", "parquet")
MOST_SHOWN = 1_000
"""Rows of a table for people; whoever wants more wants a file."""

CHUNK = 10_000
"""Rows that are fetched together."""
ANSWER = "the answer"


def write(relation: "duckdb.DuckDBPyRelation", form: str, out: Path | None = None) -> list[str]:
    """Writes an answer to stdout or a file and returns notes for whoever asked.

    A file is there with the whole answer or not at all. Raises `OSError` if it cannot be written, and `BadInput` for a
    value that the format cannot hold.
    """
    try:
        return _write(relation, form, out)
    finally:
        relation.close()  # with an answer that was not read to its end the connection would answer nothing more


def _write(relation: "duckdb.DuckDBPyRelation", form: str, out: Path | None) -> list[str]:
    if form == "parquet":
        if out is None:
            raise ValueError("Parquet needs a file")
        replace_file(out, lambda path: _parquet(relation, path))
        return []
    if out is None:
        return WRITERS[form](relation, sys.stdout)
    notes: list[str] = []

    def text(path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            notes.extend(WRITERS[form](relation, file))

    replace_file(out, text)
    return notes


def replace_file(out: Path, write_to: Callable[[Path], Any]) -> None:
    """Writes a file that is there whole or not at all: ``write_to`` writes another, which then takes its place."""
    part = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        write_to(part)
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)


def _rows(relation: "duckdb.DuckDBPyRelation") -> Iterator[Sequence[Any]]:
    """The rows of an answer. Raises `BadInput` for a value that Python has not, such as a span of a million years."""
    rows = iter(relation.iter_rows(CHUNK))
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except (OverflowError, ValueError) as error:
            raise bad(
                f"holds a value that cannot be told ({error}): cast it to text, as in x::varchar", ANSWER
            ) from None
        yield row


def _csv(relation: "duckdb.DuckDBPyRelation", file: TextIO) -> list[str]:
    """CSV with a header; null is an empty field."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(relation.columns)
    for row in _rows(relation):
        writer.writerow(["" if value is None else _plain(value) for value in row])
    return []


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _json(relation: "duckdb.DuckDBPyRelation", file: TextIO) -> list[str]:
    """A list of objects, one row to a line."""
    columns = relation.columns
    before = "[\n"
    for row in _rows(relation):
        record = dict(zip(columns, map(_jsonable, row), strict=True))
        file.write(before + json.dumps(record, ensure_ascii=False, default=str))
        before = ",\n"
    file.write("[]\n" if before == "[\n" else "\n]\n")
    return []


def _jsonable(value: Any) -> Any:
    """A value as JSON has it: null for what is no number, and keys of maps as text."""
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _jsonable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return list(map(_jsonable, value))
    return value


def _parquet(relation: "duckdb.DuckDBPyRelation", path: Path) -> None:
    import pyarrow as pa  # half a second that other formats need not wait
    import pyarrow.parquet as pq

    with relation.to_arrow_reader() as reader:
        try:
            writer = pq.ParquetWriter(path, reader.schema, compression="zstd")
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as error:
            what = str(error).splitlines()[0]
            raise bad(
                f"has a column that Parquet has not ({what}): cast it to text, as in x::varchar", ANSWER
            ) from None
        with writer:
            for batch in _batches(reader):
                writer.write_batch(batch)


def _batches(reader: Any) -> Iterator[Any]:
    import duckdb

    while True:
        try:
            batch = reader.read_next_batch()
        except StopIteration:
            return
        except OSError as error:  # as which Arrow passes on whatever DuckDB complains of
            raise duckdb.DataError(str(error)) from None
        yield batch


def _table(relation: "duckdb.DuckDBPyRelation", file: TextIO) -> list[str]:
    """A table as wide as it needs to be; null is a dash, as is a mean of nothing."""
    rows = list(islice(_rows(relation), MOST_SHOWN + 1))
    print_table(relation.columns, rows[:MOST_SHOWN], file)
    if len(rows) > MOST_SHOWN:
        return [f"the first {MOST_SHOWN:,} rows are shown: ask with --format csv, json or parquet for all"]
    return [] if rows else ["no rows answer this"]


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], file: TextIO) -> None:
    """Prints rows as a table: numbers to the right, null as a dash."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for i, name in enumerate(columns):
        numeric = any(_is_number(row[i]) for row in rows)
        table.add_column(Text(name), justify="right" if numeric else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(shown(value)) for value in row))
    # Rows are not cut where the screen ends: a pager or a wider window shows the rest.
    buffer = io.StringIO()
    width = sum(max([len(str(name)), *(len(shown(row[i])) for row in rows)]) + 3 for i, name in enumerate(columns))
    Console(file=buffer, width=max(80, width + 10), highlight=False).print(table)
    lines = [line.rstrip() for line in buffer.getvalue().splitlines() if line.strip()]
    file.write("\n".join(line.removeprefix(" ") for line in lines) + "\n")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def shown(value: Any) -> str:
    """A value as people read it: four significant digits of a fraction, a dash for null."""
    if isinstance(value, Decimal):
        value = float(value)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and math.isinf(value):
        return str(value)
    if isinstance(value, float):
        return f"{value:.0f}" if value == round(value) and abs(value) < 1e15 and abs(value) >= 1 else f"{value:.4g}"
    return str(value)


WRITERS = {"table": _table, "csv": _csv, "json": _json}
