"""The data dictionary: what the columns of an archive's tables mean, from the FIELDS tables of the rulebooks.

``python -m queries.dictionary`` writes what is derived: ``views/columns.sql``, and in ``README.md`` the dictionary and
the list of questions. A test fails when they are not current.
"""

from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

import queries.questions as questions
import sim
from cluster import tables  # where archives are written, their columns are said
from sim.fields import COMMON_EVENTS, COMMON_GAMES, COMMON_PLACES, COMMON_SIDES, PLACE_NAMES, UNIT_NAMES, Field

HERE = Path(__file__).parent
BLOCK = "<!-- {name}, written by python -m queries.dictionary -->", "<!-- end of {name} -->"

TABLES = {
    "games": "one row per game",
    "turns": "one row per game, turn and side; turn 0 of the first year is the set-up",
    "units": "one row per game, turn and unit: the state after each turn",
    "territory": "one row per game, turn and place",
    "events": "one row per move, attack, loss and whatever else mattered, in the order in which it happened",
}
KEYS = {
    "experiment": "folder of the experiment: its name and the first eight digits of its id",
    "rulebook": "rulebook of the game",
    "cell": "scenario, pairing and design point, by number: see `cells`",
    "replication": "number of the game in its cell; equal numbers roll equal dice",
    "turn": "turn of the calendar; the one before the first is the set-up",
    "side": "red or blue",
    "unit": "unit, by name",
    "place": "region, sector or objective, by name",
    "seq": "place in the order of events of the game",
    "scenario": "scenario, as rulebook/name",
    "red_policy": "policy of red",
    "blue_policy": "policy of blue",
}
SQL_TYPES = {
    pa.int8(): "TINYINT",
    pa.int16(): "SMALLINT",
    pa.int32(): "INTEGER",
    pa.int64(): "BIGINT",
    pa.float64(): "DOUBLE",
    pa.bool_(): "BOOLEAN",
}


class Column(NamedTuple):
    """A column of a table of the archive: SQL type, unit of measure, meaning, who has it (empty: every rulebook)."""

    name: str
    type: str
    unit: str
    meaning: str
    rulebooks: tuple[str, ...]


def columns_of(table: str) -> list[Column]:
    """All columns that a table has in any rulebook, in the archive's order; a number takes the widest type."""
    found = {name: Column(name, "VARCHAR", "", KEYS[name], ()) for name in ("experiment", "rulebook")}
    for rulebook in sim.RULEBOOKS:
        book = sim.rulebook(rulebook)
        fields = {field.name: field for field in tables.fields_of(book, table)}
        common = {name for name, _ in tables.KEYS[table]} | set(tables.LABELS) | set(_common(table))
        for item in tables.schema(book, table):
            own = fields.get(item.name)
            meaning = _meaning(own) if own else KEYS[item.name]
            kind = SQL_TYPES.get(item.type, "VARCHAR")
            known = found.get(item.name)
            if known is None:
                owners = () if item.name in common else (rulebook,)
                found[item.name] = Column(item.name, kind, own.unit if own else "", meaning, owners)
            else:
                wider = max(known.type, kind, key=list(SQL_TYPES.values()).index) if kind != "VARCHAR" else kind
                owners = (*known.rulebooks, rulebook) if known.rulebooks else ()
                found[item.name] = known._replace(type=wider, rulebooks=owners)
    return list(found.values())


def _common(table: str) -> list[str]:
    shared = {
        "games": COMMON_GAMES,
        "turns": COMMON_SIDES,
        "territory": COMMON_PLACES,
        "events": COMMON_EVENTS,
    }
    return [field.name for field in shared.get(table, ())]


def _meaning(field: Field) -> str:
    if field.names in (UNIT_NAMES, PLACE_NAMES) or not field.names:
        return field.meaning
    return f"{field.meaning}: {', '.join(field.names)}"


def columns_sql() -> str:
    """``views/columns.sql``: an empty table for each table of the archive, so that every view has all its columns."""
    parts = [
        "-- Written by `python -m queries.dictionary` from the FIELDS tables of the rulebooks: do not edit.",
        "-- An empty table for each table of an archive. The views add the files' rows to it, so that a view has every",
        "-- column of every rulebook, whatever the archive holds.",
        "create schema empty;",
    ]
    for table in TABLES:
        columns = columns_of(table)
        body = ",\n".join(f"    {column.name} {column.type}" for column in columns)
        parts.append(f"\ncreate table empty.{table} (\n{body}\n);")
    return "\n".join(parts) + "\n"


def markdown() -> str:
    """The dictionary as Markdown tables."""
    parts = []
    for table, what in TABLES.items():
        rows = [
            f"| `{column.name}` | {column.type.lower()} | {column.unit} | {column.meaning}{_owners(column)} |"
            for column in columns_of(table)
        ]
        parts.append(
            "\n".join([f"#### `{table}`: {what}", "", "| column | type | unit | meaning |", "|---|---|---|---|", *rows])
        )
    return "\n\n".join(parts)


def _owners(column: Column) -> str:
    return f" *({', '.join(column.rulebooks)})*" if column.rulebooks else ""


def questions_markdown() -> str:
    """The questions as a Markdown table."""
    rows = [
        f"| [`{question.name}`]({question.name}.sql) | {question.asks} | {question.grain} |"
        for question in map(questions.find, questions.names())
    ]
    return "\n".join(["| question | asks | answers with |", "|---|---|---|", *rows])


def with_derived(readme: str) -> str:
    """A README's text with the questions and the dictionary between their marks."""
    for name, text in (("questions", questions_markdown()), ("data dictionary", markdown())):
        begin, end = (mark.format(name=name) for mark in BLOCK)
        before, rest = readme.split(begin)
        _, after = rest.split(end)
        readme = f"{before}{begin}\n\n{text}\n\n{end}{after}"
    return readme


def main() -> None:
    """Writes the files that are derived from FIELDS."""
    (HERE / "views" / "columns.sql").write_text(columns_sql(), encoding="utf-8")
    readme = HERE / "README.md"
    readme.write_text(with_derived(readme.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
