"""The small map of First Contact: its sectors (FC-11.1); A1 is in the north-west, letters run south."""

import re
from collections.abc import Mapping

from queries.report.maps.elements import WIDTH, Documents, add, place, root, written
from queries.report.model import Holding

SECTOR = re.compile(r"([A-Z])(\d+)")


def draw(documents: Documents, by_place: Mapping[str, Holding]) -> str | None:
    """The map; None where nobody holds sectors."""
    found = {name: match for name in by_place if (match := SECTOR.fullmatch(name))}
    if not found:
        return None
    rows = max(ord(match[1]) - 64 for match in found.values())
    columns = max(int(match[2]) for match in found.values())
    size = (WIDTH - 20) / columns
    drawn = root(rows * size + 22)
    for name, match in found.items():
        x, y = 18 + (int(match[2]) - 1) * size, 16 + (ord(match[1]) - 65) * size
        place(drawn, "rect", name, by_place[name], x=x, y=y, width=size - 1, height=size - 1)
    for row in range(rows):
        add(drawn, "text", "label", x=8, y=16 + (row + 0.5) * size + 3).text = chr(65 + row)
    for column in range(columns):
        add(drawn, "text", "label", x=18 + (column + 0.5) * size, y=10).text = str(column + 1)
    return written(drawn)
