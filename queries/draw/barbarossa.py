"""The map of Barbarossa Solitaire: regions where they lie, lines between them, seas, and a scenario's set-up."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from xml.etree import ElementTree

from rich.markup import escape

from queries.draw.elements import add, document, finished, write

Document = Mapping[str, Any]
Point = tuple[float, float]

NATIONS = {"german": "#6f7f72", "rumanian": "#b58b2a", "hungarian": "#4f7a4a", "italian": "#8a5a8f"}


class Position(NamedTuple):
    """Who holds what: Axis regions, units as (name, nation) by region, regions with a garrison, units to come."""

    axis: set[str]
    stacks: dict[str, list[tuple[str, str]]]
    garrisons: set[str]
    to_come: list[tuple[str, str, str]]


def position(board: Document, scenario: Document | None) -> Position:
    """The set-up of a scenario (BB-7.2), or the colours of the printed map where there is none."""
    if scenario is None:
        return Position({name for name, region in board["regions"].items() if region["axis"]}, {}, set(), [])
    own_name = board.get("aliases", {})
    stacks: dict[str, list[tuple[str, str]]] = {}
    for unit in scenario["units"]:
        stacks.setdefault(own_name.get(unit["region"], unit["region"]), []).append((unit["name"], unit["nation"]))
    garrisons = {own_name.get(name, name) for name in scenario.get("garrisons", ())} - set(stacks)
    to_come = [(unit["name"], unit["nation"], unit["turn"]) for unit in scenario.get("reinforcements", ())]
    return Position(garrisons | set(stacks), stacks, garrisons, to_come)


def lines_of(board: Document) -> list[tuple[str, str]]:
    """All lines of the map, each once."""
    return [(start, end) for start, ends in board["lines"].items() for end in ends]


# In the terminal


def text(board: Document, scenario: Document | None, width: int) -> str:
    """The map in characters with the markup of rich, then who stands where, lines and seas."""
    setup = position(board, scenario)
    parts = [*_canvas(board, setup, width), "", *_legend(board, setup, scenario)]
    stands = [f"{region}: {_all(f'{name} ({nation})' for name, nation in u)}" for region, u in setup.stacks.items()]
    if setup.garrisons:
        stands.append(f"garrisons: {_all(sorted(setup.garrisons))}")
    if setup.to_come:
        stands.append(f"to come: {_all(f'{name} ({nation}, {turn})' for name, nation, turn in setup.to_come)}")
    parts += [escape(f"  {line}") for line in stands]
    near: dict[str, list[str]] = {name: [] for name in board["regions"]}
    for start, end in lines_of(board):
        near[start].append(end)
        near[end].append(start)
    for title, lists in (("Lines", near), ("Seas", board["seas"])):
        parts += ["", f"[bold]{title}[/bold]", *(escape(f"  {name}: {_all(others)}") for name, others in lists.items())]
    return "\n".join(parts)


def _all(names: Iterable[str]) -> str:
    return ", ".join(names)


def _legend(board: Document, setup: Position, scenario: Document | None) -> list[str]:
    note = "; the map is reconstructed" if board.get("reconstructed") else ""
    signs = "[bold]■[/bold] Axis region  [red]□[/red] Soviet region  [red]*[/red] supply source  +n units  g garrison"
    title = (
        f"[bold]{escape(scenario['title'])}[/bold], from {scenario['first_turn']}"
        if scenario
        else "[bold]The map[/bold]"
    )
    return [f"{title}: {len(setup.axis)} of {len(board['regions'])} regions Axis{note}", signs]


def _canvas(board: Document, setup: Position, width: int) -> list[str]:
    """Labels at their coordinates; one that would cover another goes a row up or down."""
    labels = {name: _label(board, setup, name) for name in board["regions"]}
    height = max(20, round(width * 0.34))
    places = {name: region["draw_at"] for name, region in board["regions"].items()}
    west, east = min(x for x, _ in places.values()), max(x for x, _ in places.values())
    south, north = min(y for _, y in places.values()), max(y for _, y in places.values())
    room = width - max(len(plain) for plain, _ in labels.values())
    rows: list[list[tuple[int, str, str]]] = [[] for _ in range(height + 2)]
    for name in sorted(places, key=lambda name: -places[name][1]):
        plain, marked = labels[name]
        column = round((places[name][0] - west) / (east - west) * room)
        wanted = round((north - places[name][1]) / (north - south) * (height - 1)) + 1
        row = min(range(len(rows)), key=lambda row: (_covers(rows[row], column, len(plain)), abs(row - wanted)))
        rows[row].append((column, plain, marked))
    return [_line(row) for row in rows]


def _label(board: Document, setup: Position, name: str) -> tuple[str, str]:
    """A region's label as it is seen and with markup."""
    units = len(setup.stacks.get(name, ()))
    tail = f" +{units}" if units else " g" if name in setup.garrisons else ""
    source = "*" if name in board["supply_sources"] else ""
    sign, style = ("■", "bold") if name in setup.axis else ("□", "red")
    return f"{sign} {name}{source}{tail}", f"[{style}]{sign} {escape(name)}[/{style}][red]{source}[/red]{tail}"


def _covers(row: Sequence[tuple[int, str, str]], column: int, length: int) -> bool:
    return any(start < column + length + 2 and column < start + len(plain) + 2 for start, plain, _ in row)


def _line(row: Sequence[tuple[int, str, str]]) -> str:
    text, seen = "", 0
    for column, plain, marked in sorted(row):
        text += " " * (column - seen) + marked
        seen = column + len(plain)
    return text


# As SVG

SCALE = 34.0  # units of the drawing to a degree of latitude
MARGIN = 90.0
KEY_WIDTH = 200.0
BOX_HEIGHT = 24.0
COUNTER = (34.0, 24.0)

STYLE = """
text { font-family: Georgia, 'Times New Roman', serif; fill: #2b2a26; }
.paper { fill: #efe7d3; } .sea { fill: #c3d8e0; stroke: #a9c4cf; stroke-width: 2; }
.sea-name { fill: #6d93a3; font-style: italic; font-size: 17px; letter-spacing: 2px; }
.grid { stroke: #e2d7bd; stroke-width: 1; }
.line { stroke: #8c7a5b; stroke-width: 3.2; } .casing { stroke: #f7f1e2; stroke-width: 7; }
.axis { fill: #8f8f8a; } .soviet { fill: #fffdf6; } .region { stroke: #2b2a26; stroke-width: 1.4; }
.name { font-size: 14px; font-weight: bold; } .axis-name { fill: #ffffff; } .star { fill: #b3261e; }
.counter { stroke: #1d1c19; stroke-width: 1; } .symbol { fill: none; stroke: #fff; stroke-width: 1; }
.mark { fill: #fff; font-family: Helvetica, Arial, sans-serif; font-size: 9px; font-weight: bold; }
.garrison { fill: #d9d2bf; stroke: #2b2a26; stroke-width: 1; }
.garrison-mark { font-family: Helvetica, Arial, sans-serif; font-size: 10px; font-weight: bold; }
.title { font-size: 30px; font-weight: bold; } .small { font-size: 13px; } .frame { fill: none; stroke: #2b2a26; }
"""


class Projection(NamedTuple):
    """Degrees to the drawing: plate carrée, true to scale along the middle parallel."""

    west: float
    north: float
    squeeze: float

    def __call__(self, lon_lat: Sequence[float]) -> Point:
        """Where a place of that longitude and latitude is drawn."""
        x = (lon_lat[0] - self.west) * self.squeeze * SCALE + MARGIN
        return x, (self.north - lon_lat[1]) * SCALE + MARGIN + 40


def svg(board: Document, scenario: Document | None) -> str:
    """The map as an SVG document, with the counters of a scenario's set-up."""
    setup = position(board, scenario)
    places = {name: region["draw_at"] for name, region in board["regions"].items()}
    south, north = min(y for _, y in places.values()), max(y for _, y in places.values())
    west, east = min(x for x, _ in places.values()), max(x for x, _ in places.values())
    project = Projection(west, north, math.cos(math.radians((south + north) / 2)) * 1.12)
    at = {name: project(place) for name, place in places.items()}
    width, bottom = project((east, north))[0] + MARGIN + KEY_WIDTH, project((west, south))[1] + MARGIN + 40
    title = scenario["title"] if scenario else "The map"
    root = document(title, STYLE, width, bottom)
    _seas(root, board, at)
    _lines(root, board, at)
    for name in places:
        _region(root, board, setup, name, at[name])
    write(root, title, 30, 48, "title")
    if scenario:
        write(root, f"The set-up, from {scenario['first_turn']}", 30, 72, "small")
    _key(root, board, setup, width - KEY_WIDTH)
    add(root, "rect", "frame", x=6, y=6, width=width - 12, height=bottom - 12)
    return finished(root)


def _lines(root: ElementTree.Element, board: Document, at: Mapping[str, Point]) -> None:
    for style in ("casing", "line"):  # the casing keeps lines apart where they cross
        for start, end in lines_of(board):
            (x1, y1), (x2, y2) = at[start], at[end]
            add(root, "line", style, x1=x1, y1=y1, x2=x2, y2=y2)


def _seas(root: ElementTree.Element, board: Document, at: Mapping[str, Point]) -> None:
    """A sea is a bay that touches its ports and bulges away from the middle of the map."""
    middle = _mean(list(at.values()))
    for name, ports in board["seas"].items():
        shore = [at[port] for port in ports]
        inner = _mean(shore)
        away = _unit(inner[0] - middle[0], inner[1] - middle[1])
        reach = 45 + 0.12 * max(math.dist(a, b) for a in shore for b in shore)
        rim = [(x + away[0] * reach, y + away[1] * reach) for x, y in shore]
        bulge = (inner[0] + away[0] * reach * 1.6, inner[1] + away[1] * reach * 1.6)
        add(root, "path", "sea", d=_smooth(_hull([*shore, *rim, bulge])))
        x, y = inner[0] + away[0] * reach * 0.95, inner[1] + away[1] * reach * 0.95
        write(root, name, x, y, "sea-name", "middle")


def _mean(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _unit(x: float, y: float) -> Point:
    length = math.hypot(x, y) or 1.0
    return x / length, y / length


def _hull(points: Sequence[Point]) -> list[Point]:
    """Convex hull, by Andrew's monotone chain."""
    ordered = sorted(set(points))
    halves = []
    for run in (ordered, ordered[::-1]):
        half: list[Point] = []
        for x, y in run:
            while len(half) > 1 and _turn(half[-2], half[-1], (x, y)) <= 0:
                half.pop()
            half.append((x, y))
        halves.append(half[:-1])
    return halves[0] + halves[1]


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _smooth(corners: Sequence[Point]) -> str:
    """A closed path of Catmull-Rom curves through the corners."""
    n = len(corners)
    path = f"M {corners[0][0]:.1f} {corners[0][1]:.1f}"
    for i in range(n):
        before, start, end, after = (corners[(i + k) % n] for k in (-1, 0, 1, 2))
        x1, y1 = start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6
        x2, y2 = end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6
        path += f" C {x1:.1f} {y1:.1f} {x2:.1f} {y2:.1f} {end[0]:.1f} {end[1]:.1f}"
    return path + " Z"


def _region(root: ElementTree.Element, board: Document, setup: Position, name: str, at: Point) -> None:
    x, y = at
    axis = name in setup.axis
    width = len(name) * 8.2 + 20
    group = add(root, "g", "place")
    ElementTree.SubElement(group, "title").text = f"{name}: {'Axis' if axis else 'Soviet'}"
    add(
        group, "rect", f"region {'axis' if axis else 'soviet'}",
        x=x - width / 2, y=y - BOX_HEIGHT / 2, width=width, height=BOX_HEIGHT, rx=8,
    )  # fmt: skip
    write(group, name, x, y + 5, f"name {'axis-name' if axis else ''}", "middle")
    if name in board["supply_sources"]:
        add(group, "path", "star", d=_star(x + width / 2, y - BOX_HEIGHT / 2, 9))
    if name in setup.garrisons:
        _garrison(group, x, y + BOX_HEIGHT / 2 + 8)
    units = setup.stacks.get(name, [])
    for i, (unit, nation) in enumerate(units):
        _counter(group, unit, nation, x + (i - len(units) / 2) * (COUNTER[0] + 2) + 1, y + BOX_HEIGHT / 2 + 3)


def _star(x: float, y: float, size: float) -> str:
    """The outline of a star with five points; every second corner lies further in."""
    corners = []
    for k in range(10):
        angle, radius = k * math.pi / 5, size * (0.4 if k % 2 else 1.0)
        corners.append(f"{x + math.sin(angle) * radius:.1f} {y - math.cos(angle) * radius:.1f}")
    return f"M {' L '.join(corners)} Z"


def _garrison(parent: ElementTree.Element, x: float, y: float) -> None:
    add(parent, "circle", "garrison", cx=x, cy=y, r=8)
    write(parent, "G", x, y + 3.5, "garrison-mark", "middle")


def _counter(parent: ElementTree.Element, unit: str, nation: str, x: float, y: float) -> None:
    """A unit's counter: the symbol of an army and the unit's number."""
    width, height = COUNTER
    group = add(parent, "g", "unit")
    ElementTree.SubElement(group, "title").text = f"{unit} ({nation})"
    add(group, "rect", "counter", x=x, y=y, width=width, height=height, rx=2, fill=NATIONS.get(nation, "#555"))
    add(group, "rect", "symbol", x=x + 10, y=y + 3, width=14, height=8)
    add(group, "path", "symbol", d=f"M {x + 10:.1f} {y + 3:.1f} l 14 8 M {x + 24:.1f} {y + 3:.1f} l -14 8")
    write(group, unit.partition(" ")[0], x + width / 2, y + 21, "mark", "middle")


def _key(root: ElementTree.Element, board: Document, setup: Position, left: float) -> None:
    """The legend, in a column of its own at the right."""
    here = {nation for stack in setup.stacks.values() for _, nation in stack} | {own for _, own, _ in setup.to_come}
    y = 60.0

    def entry(words: str, indent: float = 54) -> float:
        nonlocal y
        y += 30
        write(root, words, left + indent, y + 5, "small")
        return y

    for words, style in (("Axis region", "axis"), ("Soviet region", "soviet")):
        add(root, "rect", f"region {style}", x=left, y=entry(words) - 10, width=42, height=20, rx=7)
    add(root, "path", "star", d=_star(left + 21, entry("supply source"), 10))
    add(root, "line", "line", x1=left, x2=left + 42, y1=(at := entry("line")), y2=at)
    if setup.stacks:
        _garrison(root, left + 21, entry("garrison"))
    for nation in NATIONS:
        if nation in here:
            _counter(root, "", nation, left + 4, entry(f"{nation.capitalize()} army") - 12)
    if setup.to_come:
        entry("To come", 0)
        for unit, nation, turn in setup.to_come:
            _counter(root, unit, nation, left + 4, entry(turn) - 12)
    if board.get("reconstructed"):
        entry("The map is reconstructed.", 0)
