"""The small map of Barbarossa: regions where they lie, with the lines between them."""

import math
from collections.abc import Mapping

from queries.report.maps.elements import Documents, add, place, root, written
from queries.report.model import Holding

WIDTH = 460.0


def draw(documents: Documents, by_place: Mapping[str, Holding]) -> str | None:
    """The map; None without the document of the map."""
    board = documents.board
    if "regions" not in board:
        return None
    places = {name: region["draw_at"] for name, region in board["regions"].items()}
    west, east = min(x for x, _ in places.values()), max(x for x, _ in places.values())
    south, north = min(y for _, y in places.values()), max(y for _, y in places.values())
    squeeze = math.cos(math.radians((south + north) / 2)) * 1.12
    scale = (WIDTH - 60) / ((east - west) * squeeze)
    at = {name: ((x - west) * squeeze * scale + 30, (north - y) * scale + 18) for name, (x, y) in places.items()}
    drawn = root((north - south) * scale + 40, WIDTH)
    for start, ends in board["lines"].items():
        for end in ends:
            add(drawn, "line", "way", x1=at[start][0], y1=at[start][1], x2=at[end][0], y2=at[end][1])
    for name, (x, y) in at.items():
        source = name in board.get("supply_sources", ())
        place(drawn, "circle", name, by_place.get(name), cx=x, cy=y, r=10 if source else 8)
    for name, (x, y) in at.items():
        add(drawn, "text", "label", x=x, y=y + 17).text = name
    return written(drawn)
