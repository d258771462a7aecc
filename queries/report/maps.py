"""Small maps of who holds what: places in the colour of the side that holds them more often, deeper the surer it is."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from xml.etree import ElementTree

from queries.report.model import Holding, Number
from sim.geometry.hexagon import Labels

Document = Mapping[str, Any]

WIDTH, REGIONS_WIDTH = 320.0, 460.0
SECTOR = re.compile(r"([A-Z])(\d+)")
TERRAINS = {"w": "wood", "b": "town", "~": "water"}


def tint(share: float | None) -> str:
    """The colour of a share of blue in CSS: from red over neutral to blue."""
    if share is None:
        return "var(--nothing)"
    side = "blue" if share >= 0.5 else "red"
    return f"color-mix(in srgb, var(--{side}) {abs(share - 0.5) * 160:.0f}%, var(--even))"


def said(number: Number) -> str:
    """A share in words: with its interval and n."""
    if number.value is None:
        return f"–, n {number.n:,}"
    interval = "" if number.low is None or number.high is None else f" ({number.low:.0%} to {number.high:.0%})"
    return f"blue {number.value:.0%}{interval}, n {number.n:,}"


class Documents(NamedTuple):
    """What a scenario's map is drawn from, as it was played; empty where the archive does not have it."""

    scenario: Document
    board: Document
    rules: Document


def draw(rulebook: str, documents: Documents, holdings: Iterable[Holding]) -> str | None:
    """The map of a rulebook after one turn; None where the archive does not say how to draw it."""
    board = documents.board
    by_place = {it.place: it.blue for it in holdings}
    if rulebook == "barbarossa" and "regions" in board:
        return _regions(board, by_place)
    if rulebook == "first_contact" and any(SECTOR.fullmatch(place) for place in by_place):
        return _sectors(by_place)
    if rulebook == "tank_hex" and "terrain" in board:
        return _hexes(*documents, by_place)
    return None


def _root(height: float, width: float = WIDTH) -> ElementTree.Element:
    box = f"0 0 {width:.0f} {height:.0f}"
    return ElementTree.Element(
        "svg", {"class": "map", "role": "img", "viewBox": box, "style": f"max-width:{width:.0f}px"}
    )


def _add(parent: ElementTree.Element, tag: str, style: str, **values: float | str) -> ElementTree.Element:
    shown = {key: value if isinstance(value, str) else f"{value:.1f}" for key, value in values.items()}
    return ElementTree.SubElement(parent, tag, {"class": style, **shown})


def _place(parent: ElementTree.Element, tag: str, name: str, blue: Number | None, **values: float) -> None:
    """A place in its colour, with what it says when pointed at."""
    element = _add(parent, tag, "place", **values)
    element.set("style", f"fill:{tint(blue.value if blue else None)}")
    ElementTree.SubElement(element, "title").text = f"{name}: {said(blue) if blue else '–'}"


def _written(root: ElementTree.Element) -> str:
    return ElementTree.tostring(root, encoding="unicode")


def _regions(board: Document, by_place: Mapping[str, Number]) -> str:
    """Regions of Barbarossa where they lie, with the lines between them."""
    places = {name: region["draw_at"] for name, region in board["regions"].items()}
    west, east = min(x for x, _ in places.values()), max(x for x, _ in places.values())
    south, north = min(y for _, y in places.values()), max(y for _, y in places.values())
    squeeze = math.cos(math.radians((south + north) / 2)) * 1.12
    scale = (REGIONS_WIDTH - 60) / ((east - west) * squeeze)
    at = {name: ((x - west) * squeeze * scale + 30, (north - y) * scale + 18) for name, (x, y) in places.items()}
    root = _root((north - south) * scale + 40, REGIONS_WIDTH)
    for start, ends in board["lines"].items():
        for end in ends:
            _add(root, "line", "way", x1=at[start][0], y1=at[start][1], x2=at[end][0], y2=at[end][1])
    for name, (x, y) in at.items():
        source = name in board.get("supply_sources", ())
        _place(root, "circle", name, by_place.get(name), cx=x, cy=y, r=10 if source else 8)
    for name, (x, y) in at.items():
        _add(root, "text", "label", x=x, y=y + 17).text = name
    return _written(root)


def _sectors(by_place: Mapping[str, Number]) -> str:
    """Sectors of First Contact (FC-11.1): A1 is in the north-west, letters run south."""
    found = {place: match for place in by_place if (match := SECTOR.fullmatch(place))}
    rows = max(ord(match[1]) - 64 for match in found.values())
    columns = max(int(match[2]) for match in found.values())
    size = (WIDTH - 20) / columns
    root = _root(rows * size + 22)
    for place, match in found.items():
        x, y = 18 + (int(match[2]) - 1) * size, 16 + (ord(match[1]) - 65) * size
        _place(root, "rect", place, by_place[place], x=x, y=y, width=size - 1, height=size - 1)
    for row in range(rows):
        _add(root, "text", "label", x=8, y=16 + (row + 0.5) * size + 3).text = chr(65 + row)
    for column in range(columns):
        _add(root, "text", "label", x=18 + (column + 0.5) * size, y=10).text = str(column + 1)
    return _written(root)


def _hexes(scenario: Document, board: Document, rules: Document, by_place: Mapping[str, Number]) -> str:
    """Objectives of Tank Hex on their hexes, woods, towns and water as they lie on the map (TH-1)."""
    rows = [line.split() for line in board["terrain"].splitlines() if line.strip()]
    columns = max(map(len, rows))
    across = (WIDTH - 4) / (columns + 0.5)
    radius = across / math.sqrt(3)

    def at(row: int, column: int) -> tuple[float, float]:
        return 2 + (column + 0.5 + (row % 2) / 2) * across, 2 + radius + row * 1.5 * radius

    labels = Labels(len(rows), columns, board["square"], rules["map"]["square"]["value"])
    root = _root(len(rows) * 1.5 * radius + 0.5 * radius + 4)
    _add(root, "rect", "field", x=1, y=1, width=WIDTH - 2, height=len(rows) * 1.5 * radius + 0.5 * radius + 2)
    for sign, style in TERRAINS.items():
        outline = "".join(
            _hex(*at(row, column), across, radius)
            for row, line in enumerate(rows)
            for column, here in enumerate(line)
            if here == sign
        )
        if outline:
            _add(root, "path", style, d=outline)
    spots = {it["name"]: at(*divmod(labels.number(it["hex"]), columns)) for it in scenario.get("objectives", ())}
    for name, (x, y) in spots.items():
        _place(root, "circle", name, by_place.get(name), cx=x, cy=y, r=6)
    for name, (x, y) in spots.items():
        # A name stands below its objective, unless another objective is close below.
        crowded = any(0 < down - y < 30 and abs(right - x) < 60 for right, down in spots.values())
        _add(root, "text", "label strong", x=x, y=y - 10 if crowded else y + 17).text = name
    return _written(root)


def _hex(x: float, y: float, across: float, radius: float) -> str:
    half, quarter = across / 2, radius / 2
    return f"M{x:.1f} {y - radius:.1f}l{half:.1f} {quarter:.1f}v{radius:.1f}l{-half:.1f} {quarter:.1f}" + (
        f"l{-half:.1f} {-quarter:.1f}v{-radius:.1f}z"
    )
