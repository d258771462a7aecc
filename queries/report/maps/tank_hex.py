"""The small map of Tank Hex: objectives on their hexes, woods, towns and water as they lie (TH-1)."""

import math
from collections.abc import Mapping

from queries.report.maps.elements import WIDTH, Documents, add, place, root, written
from queries.report.model import Holding
from sim.geometry.hexagon import Labels

TERRAINS = {"w": "wood", "b": "town", "~": "water"}


def draw(documents: Documents, by_place: Mapping[str, Holding]) -> str | None:
    """The map; None without the document of the map."""
    scenario, board, rules = documents
    if "terrain" not in board:
        return None
    rows = [line.split() for line in board["terrain"].splitlines() if line.strip()]
    columns = max(map(len, rows))
    across = (WIDTH - 4) / (columns + 0.5)
    radius = across / math.sqrt(3)

    def at(row: int, column: int) -> tuple[float, float]:
        return 2 + (column + 0.5 + (row % 2) / 2) * across, 2 + radius + row * 1.5 * radius

    labels = Labels(len(rows), columns, board["square"], rules["map"]["square"]["value"])
    drawn = root(len(rows) * 1.5 * radius + 0.5 * radius + 4)
    add(drawn, "rect", "field", x=1, y=1, width=WIDTH - 2, height=len(rows) * 1.5 * radius + 0.5 * radius + 2)
    for sign, style in TERRAINS.items():
        outline = "".join(
            _hex(*at(row, column), across, radius)
            for row, line in enumerate(rows)
            for column, here in enumerate(line)
            if here == sign
        )
        if outline:
            add(drawn, "path", style, d=outline)
    spots = {it["name"]: at(*divmod(labels.number(it["hex"]), columns)) for it in scenario.get("objectives", ())}
    for name, (x, y) in spots.items():
        place(drawn, "circle", name, by_place.get(name), cx=x, cy=y, r=6)
    for name, (x, y) in spots.items():
        # A name stands below its objective, unless another objective is close below.
        crowded = any(0 < down - y < 30 and abs(right - x) < 60 for right, down in spots.values())
        add(drawn, "text", "label strong", x=x, y=y - 10 if crowded else y + 17).text = name
    return written(drawn)


def _hex(x: float, y: float, across: float, radius: float) -> str:
    half, quarter = across / 2, radius / 2
    return f"M{x:.1f} {y - radius:.1f}l{half:.1f} {quarter:.1f}v{radius:.1f}l{-half:.1f} {quarter:.1f}" + (
        f"l{-half:.1f} {-quarter:.1f}v{-radius:.1f}z"
    )
