"""The map of First Contact in characters; each is twice as high as it is wide."""

from itertools import groupby

import numpy as np
from rich.markup import escape

from queries.draw.first_contact.set_up import SetUp
from sim.first_contact.ground import COLUMNS, DECIMETRES, ROWS, Ground, MapFile
from sim.first_contact.state import FOREST, HAYSTACK, HILL, NOWHERE, ROAD, TRENCH

Sign = tuple[str, str]  # a character and its style

# What is small shows wherever it is there, the first of these first.
SMALL = ((HAYSTACK, ("o", "yellow")), (TRENCH, ("#", "bold")), (ROAD, ("=", "bold")))
KEY = "% forest  · plain  3-7 hills, in tens of metres  = road  # trench  ■ barn or house  o haystack"


def drawn(chart: MapFile, ground: Ground, set_up: SetUp, width: int) -> str:
    """The map with the markup of rich, at most ``width`` characters to a line, and what its signs mean."""
    across = -(-COLUMNS // max(width, 20))
    down = 2 * across
    units: dict[tuple[int, int], Sign] = {}
    for group in set_up.groups:
        sign = ("T" if group.arm == "vehicles" else "i", f"bold {group.side}")
        units |= {(row // down, column // across): sign for row, column in group.cells}
    lines = [f"[bold]{escape(chart.title)}[/bold]"]
    for row in range(0, ROWS, down):
        signs = [
            units.get((row // down, column // across)) or _sign(ground, row, column, across)
            for column in range(0, COLUMNS, across)
        ]
        runs = [(style, "".join(sign for sign, _ in run)) for style, run in groupby(signs, key=lambda sign: sign[1])]
        lines.append("".join(f"[{style}]{run}[/{style}]" for style, run in runs))
    lines.append(KEY)
    if set_up.sides:
        armies = "  ".join(f"[{side}]{escape(name)}[/{side}]" for side, name in set_up.sides.items())
        lines.append(f"i squad  T vehicle  {armies}")
    return "\n".join(lines)


def _sign(ground: Ground, row: int, column: int, across: int) -> Sign:
    """What stands for a block of cells: what is small, else forest or hills if they are more than half of it."""
    here = (slice(row, row + 2 * across), slice(column, column + across))
    terrain = ground.terrain[here]
    if (ground.building[here] != NOWHERE).any():
        return "■", "bold"
    for kind, sign in SMALL:
        if (terrain == kind).any():
            return sign
    if 2 * np.count_nonzero(terrain == FOREST) > terrain.size:
        return "%", "green"
    if 2 * np.count_nonzero(terrain == HILL) > terrain.size:
        return str(int(ground.height[here].max()) // (10 * DECIMETRES)), "yellow"
    return "·", "dim"
