"""The small map of any rulebook: its places as a grid."""

from collections.abc import Mapping

from queries.draw.plain import grid
from queries.report.maps.elements import WIDTH, Documents, add, place, root, written
from queries.report.model import Number

MOST_HEIGHT = 40.0


def draw(documents: Documents, by_place: Mapping[str, Number]) -> str | None:
    """The map; None without places."""
    cells = grid(list(by_place))
    if not cells:
        return None
    columns, rows = (1 + max(cell[i] for cell in cells.values()) for i in range(2))
    wide = (WIDTH - 4) / columns
    high = min(wide, MOST_HEIGHT)
    drawn = root(rows * high + 4)
    for name, (column, row) in cells.items():
        x, y = 2 + column * wide, 2 + row * high
        place(drawn, "rect", name, by_place[name], x=x, y=y, width=wide - 1, height=high - 1)
        add(drawn, "text", "label", x=x + wide / 2, y=y + high / 2 + 3).text = name.replace("_", " ")
    return written(drawn)
