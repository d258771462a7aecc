"""The data dictionary: what the columns of an archive's tables mean, from the FIELDS tables of the rulebooks.

``python -m queries.dictionary`` writes what is derived: ``views/columns.sql``, ``views/rulebooks.sql``, and in
``README.md`` the dictionary and the list of questions. A test fails when they are not current.
"""

from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

import queries.questions as questions
import sim
from queries.schema import fields_of, schema
from sim.fields import COMMON_EVENTS, COMMON_GAMES, COMMON_PLACES, COMMON_SIDES, PLACE_NAMES, UNIT_NAMES, Field
from sim.game import SIDES, Rulebook

HERE = Path(__file__).parent
BLOCK = "<!-- {name}, written by python -m queries.dictionary -->", "<!-- end of {name} -->"

TABLES = {
    "games": "one row per game",
    "turns": "one row per game, turn and side; the turn before the first is the set-up",
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
WIDTHS = (*SQL_TYPES.values(), "VARCHAR")


class Column(NamedTuple):
    """A column of a table of the archive: SQL type, units of measure and meaning by rulebook.

    ``meanings`` has the key ``""`` alone where the column is the archive's own and not a rulebook's.
    """

    name: str
    type: str
    units: tuple[str, ...]
    meanings: dict[str, str]


def columns_of(table: str) -> list[Column]:
    """All columns that a table has in any rulebook, in the archive's order; a number takes the widest type.

    Where one rulebook has a name and another has not, the column is text.
    """
    found = {name: Column(name, "VARCHAR", (), {"": KEYS[name]}) for name in ("experiment", "rulebook")}
    for rulebook in sim.RULEBOOKS:
        book = sim.rulebook(rulebook)
        fields = {field.name: field for field in fields_of(book, table)}
        for item in schema(book, table):
            own = fields.get(item.name)
            kind = SQL_TYPES.get(item.type, "VARCHAR")
            known = found.get(item.name, Column(item.name, kind, (), {}))
            units = (own.unit,) if own and own.unit and own.unit not in known.units else ()
            # Of a common column a rulebook that has no such thing says nothing.
            said = own is None or own not in _common(table) or own.name in _own_names(book, table)
            meaning = {(rulebook if own else ""): _meaning(own) if own else KEYS[item.name]} if said else {}
            found[item.name] = Column(
                item.name,
                max(known.type, kind, key=WIDTHS.index),
                known.units + (units if said else ()),
                {**known.meanings, **meaning},
            )
    common = {field.name: _meaning(field) for field in _common(table)}
    return [c if c.meanings else c._replace(meanings={"": common[c.name]}) for c in found.values()]


def _own_names(book: Rulebook, table: str) -> set[str]:
    own = {"games": "games", "turns": "sides", "units": "units", "territory": "places", "events": "events"}[table]
    return {field.name for field in getattr(book.tables, own)}


def _common(table: str) -> tuple[Field, ...]:
    shared = {
        "games": COMMON_GAMES,
        "turns": COMMON_SIDES,
        "territory": COMMON_PLACES,
        "events": COMMON_EVENTS,
    }
    return shared.get(table, ())


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


def rulebooks_sql() -> str:
    """``views/rulebooks.sql``: what rulebooks say of themselves (`sim.game.Rulebook`), as macros; null for nothing."""
    books = [sim.rulebook(name) for name in sim.RULEBOOKS]
    sides = {it.name: SIDES[it.unit_side] for it in books if it.unit_side is not None}
    kinds = {it.name: it.unit_kind for it in books if it.unit_kind}
    directors = {it.name: it.director for it in books if it.director}
    places = [
        f"        when rulebook = {_quoted(it.name)}{_matches(pattern)} then {_quoted(kind)}"
        for it in books
        for pattern, kind in it.place_kinds.items()
    ]
    return "\n".join(
        [
            "-- Written by `python -m queries.dictionary` from the rulebooks: do not edit.",
            "-- The side of all units, what all units are, and what the report says of a red side without a choice.",
            f"create macro unit_side(rulebook) as {_by_rulebook(sides)};",
            f"create macro unit_kind(rulebook) as {_by_rulebook(kinds)};",
            f"create macro director(rulebook) as {_by_rulebook(directors)};",
            "",
            "-- What a place is.",
            "create macro kind_of_place(rulebook, place) as",
            "    case",
            *places,
            "        else 'place'",
            "    end;",
            "",
        ]
    )


def _matches(pattern: str) -> str:
    return "" if pattern == ".*" else f" and regexp_full_match(place, {_quoted(pattern)})"


def _by_rulebook(said: dict[str, str]) -> str:
    cases = "".join(f" when {_quoted(name)} then {_quoted(what)}" for name, what in said.items())
    return f"case rulebook{cases} end"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def markdown() -> str:
    """The dictionary as Markdown tables."""
    parts = []
    for table, what in TABLES.items():
        rows = [
            f"| `{column.name}` | {column.type.lower()} | {', '.join(column.units)} | {told(column)} |"
            for column in columns_of(table)
        ]
        parts.append(
            "\n".join([f"#### `{table}`: {what}", "", "| column | type | unit | meaning |", "|---|---|---|---|", *rows])
        )
    return "\n\n".join(parts)


def told(column: Column) -> str:
    """What a column means: once where all rulebooks agree, else by rulebook."""
    told = set(column.meanings.values())
    if len(told) == 1 and set(column.meanings) in ({""}, set(sim.RULEBOOKS)):
        return told.pop()
    books: dict[str, list[str]] = {}
    for rulebook, meaning in column.meanings.items():
        books.setdefault(meaning, []).append(rulebook)
    return "<br>".join(f"{meaning} *({', '.join(names)})*" for meaning, names in books.items())


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
    (HERE / "views" / "rulebooks.sql").write_text(rulebooks_sql(), encoding="utf-8")
    readme = HERE / "README.md"
    readme.write_text(with_derived(readme.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
