"""Golden games: whole games in plain text, line by line. ``python -m tests.golden.telling`` writes them anew.

A golden game changes only with the version of its rulebook or of its policy's code, and with a reason in the changelog.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sim.fields import PLACE_NAMES, UNIT_NAMES, Field
from sim.game import SIDES, Names, Record
from tests.matches import Match, loaded, played_anew
from tests.rulebooks import part_of, with_part

FOLDER = Path(__file__).parent
GOLDEN = {name: game for rulebook in with_part("games") for name, game in part_of(rulebook, "games").GOLDEN.items()}
"""Of each file the match and the replication."""


def told(match: Match, replication: int) -> Iterator[str]:
    """The lines of a game."""
    book = match.book
    record, (_, names) = played_anew(match, [replication]), loaded(match.scenario, match.settings)
    sides = f"red {match.red}, blue {match.blue}"
    yield f"# {book.title} {book.version}: {match.scenario}, {sides}, replication {replication}"
    first = int(book.shape(loaded(match.scenario, match.settings)[0]).first_turn)
    events = record.events[0, : record.event_count[0]]
    before: dict[str, str] = {}
    for entry in range(record.sides.shape[1]):
        yield ""
        yield f"{names.turns[first + entry - 2]}" if entry else "start"
        if entry:
            for event in events[events["turn"] == first + entry - 1]:
                yield f"  {said(event, book.tables.events, names)}"
        now = {
            name: said(record.units[0, entry, unit], book.tables.units, names) for unit, name in enumerate(names.units)
        }
        now |= dict(standing(record, entry, book.tables, names))
        for name, what in now.items():
            if before.get(name) != what:
                yield f"  {name}: {what}"
        before = now
    yield ""
    yield f"end: {said(record.games[0], book.tables.games, names)}"


def standing(record: Record, entry: int, tables: Any, names: Names) -> Iterator[tuple[str, str]]:
    """What each side holds, and its numbers, each under a name."""
    holder = record.places[0, entry]["holder"]
    for number, side in enumerate(SIDES):
        held = [name for place, name in enumerate(names.places) if holder[place] == number]
        yield f"{side} holds", f"{len(held)}: {', '.join(held)}"
        yield side, said(record.sides[0, entry, number], tables.sides, names)


def said(row: np.record, fields: tuple[Field, ...], names: Names) -> str:
    """The fields of a row that are archived and neither empty nor false; a kind or what is true stands alone."""
    parts = []
    for field in fields:
        value = int(row[field.name])
        if not field.archive or value == field.empty or (field.archive == "bool" and not value):
            continue
        if field.archive == "name":
            table = {UNIT_NAMES: names.units, PLACE_NAMES: names.places}.get(str(field.names), field.names)
            parts.append(table[value] if field.name == "kind" else f"{field.name} {table[value]}")
        elif field.archive == "bool":
            parts.append(field.name)
        elif field.archive == "float64":
            parts.append(f"{field.name} {row[field.name]:.6g}")
        else:
            parts.append(f"{field.name} {value}")
    return ", ".join(parts)


def main() -> None:
    for name, (match, replication) in GOLDEN.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(told(match, replication)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
