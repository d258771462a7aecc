"""A board of any rulebook: its places as a labelled grid, for rulebooks without a drawing of their own."""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from rich.markup import escape

import sim
from queries.draw.elements import add, document, finished, write
from sim.fields import PLACE_NAMES
from sim.game import SIDES
from sim.rules_file import read_toml

Document = Mapping[str, Any]
Cells = Mapping[str, tuple[int, int]]

SQUARE = re.compile(r"([A-Za-z])(\d+)")
SIDE, WIDE = 56.0, 132.0
"""Height of a cell, and its width where names are longer than squares'."""
MARGIN = 20.0

STYLE = """
text { font-family: system-ui, sans-serif; fill: #2b2a26; font-size: 13px; }
.paper { fill: #f6f0df; } .cell { fill: #fbf8ee; stroke: #8c7a5b; stroke-width: 1; }
.cell.red { fill: #eccdc6; } .cell.blue { fill: #c9d6ea; } .name { font-size: 10px; fill: #6d685c; }
.title { font-size: 20px; font-weight: bold; } .drawn { font-family: monospace; white-space: pre; }
"""


class SetUp(NamedTuple):
    """Who holds each place at the start, and the units there; units that are nowhere are under ``""``."""

    holders: dict[str, str]
    units: dict[str, list[str]]


def grid(names: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Column and row of each place, from 0 at the top left.

    Squares lie as their names say: a1 at the bottom left as on a chess board, A1 at the top left with letters running
    down. Places of other names lie one after the other.
    """
    found = [SQUARE.fullmatch(name) for name in names]
    squares = [(it[1], int(it[2])) for it in found if it]
    if not names or len(squares) < len(names):
        columns = max(1, math.ceil(math.sqrt(len(names))))
        return {name: (i % columns, i // columns) for i, name in enumerate(names)}
    most = max(number for _, number in squares)
    lower = all(letter.islower() for letter, _ in squares)
    return {
        name: (ord(letter) - ord("a"), most - number) if lower else (number - 1, ord(letter.upper()) - ord("A"))
        for name, (letter, number) in zip(names, squares, strict=True)
    }


def width_of(names: Sequence[str]) -> float:
    """Width of a cell: as its place's name needs."""
    return SIDE if all(map(SQUARE.fullmatch, names)) else WIDE


def set_up_of(rulebook: str, board: Document, scenario: Document) -> SetUp:
    """The set-up of a scenario, from the game as it is loaded. Raises `BadInput` if it cannot be."""
    book = sim.rulebook(rulebook)
    rules = read_toml(Path(sim.__path__[0]) / rulebook / "rules.toml")
    setup, names = book.load(dict(scenario), dict(board), rules)
    state = setup.state[0]
    held = {name: int(row.holder) for name, row in zip(names.places, state.places, strict=False)}
    fields = [field.name for field in book.tables.units if field.names == PLACE_NAMES]
    units: dict[str, list[str]] = {}
    for name, row in zip(names.units, state.units, strict=False):
        place = int(row[fields[0]]) if fields else -1
        units.setdefault(names.places[place] if place >= 0 else "", []).append(name)
    return SetUp({name: SIDES[side] if side >= 0 else "" for name, side in held.items()}, units)


def text(rulebook: str, board: Document, scenario: Document | None, width: int) -> str:
    """The places as a grid in characters with rich's markup, and who stands where; a map alone as it is written."""
    if scenario is None:
        return "\n".join(escape(line) for line in _written(board))
    setup = set_up_of(rulebook, board, scenario)
    cells = grid(list(setup.holders))
    at = {cell: name for name, cell in cells.items()}
    columns, rows = (1 + max((cell[i] for cell in cells.values()), default=0) for i in range(2))
    most = max(1, width // columns - 1)
    wide = min(most, max(map(len, setup.holders), default=1))
    lines = [f"[bold]{escape(scenario['title'])}[/bold]"]
    for row in range(rows):
        signs = [_sign(at.get((column, row), ""), setup, wide) for column in range(columns)]
        lines.append(" ".join(signs).rstrip())
    lines.append("[red]red's[/red], [blue]blue's[/blue] and [dim]nobody's[/dim] places")
    lines += [escape(f"  {place or 'nowhere'}: {', '.join(units)}") for place, units in setup.units.items()]
    return "\n".join(lines)


def _sign(name: str, setup: SetUp, wide: int) -> str:
    there = setup.units.get(name, ()) if name else ()
    shown = (mark(there[0]) if there and wide <= 3 else name)[:wide].ljust(wide)
    return f"[{setup.holders.get(name) or 'dim'}]{escape(shown)}[/]" if name else shown


def _written(board: Document) -> list[str]:
    """A map as its file has it: drawings line by line."""
    lines = []
    for key, value in board.items():
        if isinstance(value, str) and "\n" in value:
            lines += [f"{key}:", *(f"  {line}" for line in value.strip("\n").splitlines())]
        else:
            lines.append(f"{key}: {value}")
    return lines


def svg(rulebook: str, board: Document, scenario: Document | None) -> str:
    """The places as a grid, with the units of the scenario in them; a map alone as it is written."""
    if scenario is None:
        lines = _written(board)
        root = document(str(board.get("name", "")), STYLE, 720, 18 * len(lines) + 2 * MARGIN)
        for i, line in enumerate(lines):
            write(root, line, MARGIN, MARGIN + 18 * (i + 1), "drawn")
        return finished(root)
    setup = set_up_of(rulebook, board, scenario)
    root, boxes = sheet(scenario["title"], list(setup.holders), setup.holders)
    for place, units in setup.units.items():
        if place:
            x, y, width, _ = boxes[place]
            for i, unit in enumerate(units[:3]):
                write(root, unit if width == WIDE else mark(unit), x + width / 2, y + 30 + 12 * i, "unit", "middle")
    return finished(root)


def mark(unit: str) -> str:
    """A unit's name in short: K for King, A3 for Attacker 3."""
    word, _, number = unit.rpartition(" ")
    return f"{word[:1]}{number[:3]}" if word and number.isdecimal() else unit[:2] if number.isdecimal() else unit[:1]


Box = tuple[float, float, float, float]


def sheet(title: str, names: Sequence[str], holders: Mapping[str, str]) -> tuple[ElementTree.Element, dict[str, Box]]:
    """A drawing of the grid, and the box of each place in it: x, y, width and height."""
    cells, wide = grid(names), width_of(names)
    columns, rows = (1 + max((cell[i] for cell in cells.values()), default=0) for i in range(2))
    root = document(title, STYLE, columns * wide + 2 * MARGIN, rows * SIDE + 2 * MARGIN + 24)
    write(root, title, MARGIN, MARGIN + 8, "title")
    boxes = {}
    for name, (column, row) in cells.items():
        boxes[name] = x, y, width, height = MARGIN + column * wide, MARGIN + 24 + row * SIDE, wide, SIDE
        add(root, "rect", f"cell {holders.get(name, '')}".strip(), x=x, y=y, width=width, height=height)
        write(root, name.replace("_", " "), x + 4, y + 12, "name")
    return root, boxes
