"""The small map of any rulebook: its places as a grid, the paler the more often nobody holds them."""

from collections.abc import Mapping

from queries.draw.plain import grid
from queries.report.maps.elements import WIDTH, Documents, add, place, root, tint, written
from queries.report.model import Holding

MOST_HEIGHT = 40.0


def _style(holding: Holding) -> str:
    """The colour of a place: who holds it where somebody does."""
    held, blue = 1 - holding.nobody, holding.blue.value
    share = blue / held if held > 0 and blue is not None else None
    return f"fill:{tint(share)};fill-opacity:{max(held, 0.1):.2f}"


def draw(documents: Documents, by_place: Mapping[str, Holding]) -> str | None:
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
        here = place(drawn, "rect", name, by_place[name], x=x, y=y, width=wide - 1, height=high - 1)
        here.set("style", _style(by_place[name]))
        add(drawn, "text", "label", x=x + wide / 2, y=y + high / 2 + 3).text = name.replace("_", " ")
    return written(drawn)
