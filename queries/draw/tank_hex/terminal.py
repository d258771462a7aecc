"""The map of Tank Hex in characters: two to a hex where there is room, with odd rows half a hex further right."""

from itertools import groupby

from rich.markup import escape

from queries.draw.tank_hex.set_up import SetUp
from sim.geometry.hexagon import DIRECTIONS
from sim.tank_hex.chart import Chart
from sim.tank_hex.state import TERRAINS

Sign = tuple[str, str]  # a character and its style

TERRAIN = {"woods": ("%", "green"), "built_up": ("■", "bold"), "water": ("~", "blue")}
EAST = DIRECTIONS.index("E")
SOUTH = (DIRECTIONS.index("SW"), DIRECTIONS.index("SE"))
KEY = (
    "· open  1-9 grades  % woods  ■ built-up  ~ water  = road",
    "| _ a river edge to the right or below  ★ objective",
)
MARGIN = 2


def drawn(chart: Chart, set_up: SetUp, width: int) -> str:
    """The map with the markup of rich, at most ``width`` characters to a line, and what its signs mean.

    Columns and rows have the letters that end a hex's label; the digits that begin it are those of its square.
    """
    wide = MARGIN + 2 * chart.columns + 1 <= width
    goals = {goal.hex: goal.holder for goal in set_up.goals}
    lines = [f"[bold]{escape(set_up.title)}[/bold]", *_head(chart, wide)]
    for row in range(chart.rows):
        signs: list[Sign] = [(chr(ord("A") + row % chart.labels.size) + " ", "dim")]
        if wide and row & 1:
            signs.append((" ", ""))
        for column in range(chart.columns):
            number = row * chart.columns + column
            tanks = set_up.tanks.get(number, [])
            if tanks:
                mark = tanks[0].mark if len(tanks) == 1 else "+"
                signs.append((tanks[0].side[0].upper(), f"bold {tanks[0].side}"))
                if wide:
                    signs.append((mark[-1], f"bold {tanks[0].side}"))
                continue
            signs.append(("★", f"bold {goals[number]}") if number in goals else _sign(chart, number))
            if wide:
                signs.append(_between(chart, number))
        lines.append(_line(signs[:-1] if signs[-1][0] == " " else signs))
    lines += KEY
    if set_up.sides:
        armies = "  ".join(f"[{side}]{side[0].upper()}1 {escape(name)}[/{side}]" for side, name in set_up.sides.items())
        lines.append(f"{armies}  R+ several tanks")
    return "\n".join(lines)


def _head(chart: Chart, wide: bool) -> list[str]:
    """The squares' digits at their first columns, and the letters of the columns."""
    size, step = chart.labels.size, 2 if wide else 1
    letters = "".join(chr(ord("A") + column % size) + " " * (step - 1) for column in range(chart.columns))
    squares = "".join(f"{chart.labels.label(0, first)[:4]:<{step * size}}" for first in range(0, chart.columns, size))
    return [f"[dim]{' ' * MARGIN}{line.rstrip()}[/dim]" for line in (squares, letters)]


def _sign(chart: Chart, number: int) -> Sign:
    terrain = TERRAINS[chart.terrain[number]]
    if terrain in TERRAIN:
        return TERRAIN[terrain]
    if chart.road[number].any():
        return "=", "bold"
    if chart.river[number][list(SOUTH)].any():
        return "_", "blue"
    return (str(chart.grade[number]), "yellow") if chart.grade[number] else ("·", "dim")


def _between(chart: Chart, number: int) -> Sign:
    """What stands between a hex and its eastern neighbour."""
    if chart.road[number, EAST]:
        return "=", "bold"
    return ("|", "blue") if chart.river[number, EAST] else (" ", "")


def _line(signs: list[Sign]) -> str:
    runs = [(style, "".join(sign for sign, _ in run)) for style, run in groupby(signs, key=lambda sign: sign[1])]
    return "".join(f"[{style}]{run}[/{style}]" if style else run for style, run in runs)
