"""The map of Tank Hex as a printed sheet: an SVG document."""

import math
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from queries.draw.elements import add, document, finished, write
from queries.draw.tank_hex.set_up import SetUp, Tank
from sim.geometry.hexagon import DIRECTIONS
from sim.tank_hex.chart import OPPOSITE, Chart
from sim.tank_hex.state import BUILT_UP, NOWHERE, TERRAINS, WATER, WOODS

Point = tuple[float, float]

RADIUS = 17.0  # units of the drawing from the middle of a hex to its corners
WIDTH = RADIUS * math.sqrt(3)
LEFT, TOP, BOTTOM, KEY_WIDTH = 34.0, 92.0, 62.0, 236.0
TINTS = ("#e9e6c6", "#dcc796", "#c9a56b", "#b18449", "#946634")  # grade 0, 1, 2 ...
# Corners of the edge towards each direction, numbered clockwise from the top.
EDGES = {"E": (1, 2), "NE": (0, 1), "NW": (5, 0), "W": (4, 5), "SW": (3, 4), "SE": (2, 3)}
SHADED = ("E", "SE", "SW")  # sides that the light from the north-west does not reach
CROWNS = (
    ((-7.5, -4.5, 4.0), (2.5, -8.5, 4.4), (8.5, -1.5, 3.8), (-2.5, 0.5, 4.6), (-8.0, 5.5, 3.6), (5.0, 6.5, 4.4)),
    ((-3.5, -8.0, 4.2), (6.5, -5.5, 4.0), (-8.5, -1.0, 4.2), (1.5, 0.0, 4.4), (9.0, 3.5, 3.4), (-4.0, 7.5, 4.4)),
    ((-8.0, -5.0, 3.6), (0.0, -7.0, 4.6), (8.0, -4.0, 4.2), (-5.5, 3.0, 4.4), (3.5, 3.0, 4.2), (0.0, 10.0, 3.6)),
)
HOUSES = (
    ((-9.0, -7.0, 7.0, 5.0, 8), (2.0, -9.0, 6.0, 8.0, -6), (-7.0, 3.0, 8.0, 6.0, -10), (4.0, 3.0, 6.0, 6.0, 12)),
    ((-10.0, -3.0, 6.0, 8.0, -8), (-1.0, -10.0, 8.0, 5.0, 6), (3.0, -1.0, 7.0, 5.0, -4), (-2.0, 6.0, 6.0, 5.0, 10)),
)

STYLE = """
text { font-family: Georgia, 'Liberation Serif', 'Times New Roman', serif; fill: #2b2a26; }
.paper { fill: #f6f0df; } .frame { fill: none; stroke: #2b2a26; stroke-width: 1.4; }
.wood { fill: #7f9f5c; fill-opacity: .62; } .edge { fill: none; stroke: #4b6a37; stroke-width: 1.3; }
.trunk { stroke: #4a4a2c; stroke-width: 1; } .crown { fill: #5f8746; stroke: #3f5f2f; stroke-width: .6; }
.town { fill: #d8c5b4; fill-opacity: .85; } .house { fill: #8c3f2b; stroke: #43201a; stroke-width: .7; }
.water { fill: #a3c6dc; } .wave { fill: none; stroke: #6b9cba; stroke-width: .8; }
.shore { fill: none; stroke: #3f7196; stroke-width: 1.8; stroke-linecap: round; }
.bank { fill: none; stroke: #3f7196; stroke-width: 6.4; stroke-linecap: round; }
.river { fill: none; stroke: #86b4d2; stroke-width: 4; stroke-linecap: round; }
.slope { fill: none; stroke-linecap: round; stroke: #7a4d20; }
.shadow { stroke-width: 2.6; opacity: .85; } .light { stroke-width: 1; opacity: .6; }
.grid { fill: none; stroke: #4c4634; stroke-width: .5; opacity: .32; }
.road-side { fill: none; stroke: #5f4d33; stroke-width: 6; stroke-linecap: round; }
.road { fill: none; stroke: #fbf6e6; stroke-width: 3.6; stroke-linecap: round; }
.rail { fill: none; stroke: #2b2a26; stroke-width: 1.5; stroke-linecap: round; }
.label { font-size: 5.6px; fill: #55503f; opacity: .85; font-family: Helvetica, Arial, sans-serif; }
.square { fill: none; stroke: #3b3a34; stroke-width: 1.3; stroke-dasharray: 7 3; opacity: .65; }
.square-name { font-size: 12px; font-weight: bold; fill: #3b3a34; }
.square-name, .goal { paint-order: stroke; stroke: #f6f0df; stroke-width: 3px; }
.held { fill: none; stroke-width: 3; } .goal { font-size: 13px; font-weight: bold; }
.red { fill: #a3211c; } .blue { fill: #24466f; } .red-line { stroke: #a3211c; } .blue-line { stroke: #24466f; }
.counter { stroke: #fffdf6; stroke-width: 1; } .track { fill: none; stroke: #fffdf6; stroke-width: 1.2; }
.mark { fill: #fffdf6; font-size: 9px; font-weight: bold; font-family: Helvetica, Arial, sans-serif; }
.title { font-size: 27px; font-weight: bold; } .small { font-size: 13px; }
.heading { font-size: 15px; font-weight: bold; } .box { fill: none; stroke: #8d8770; stroke-width: .8; }
.ink { fill: #2b2a26; stroke: #2b2a26; } .blank { fill: #fffdf6; stroke: #2b2a26; }
"""


def drawn(chart: Chart, set_up: SetUp) -> str:
    """The sheet with its legend, and a set-up on it."""
    right = LEFT + (chart.columns + 0.5) * WIDTH
    bottom = TOP + (1.5 * chart.rows + 0.5) * RADIUS
    root = document(set_up.title, STYLE, right + KEY_WIDTH, max(bottom + BOTTOM, 720))
    _symbols(root)
    sheet = add(root, "g", "sheet")
    _ground(sheet, chart)
    _waters(sheet, chart)
    _cover(sheet, chart)
    _roads(sheet, chart)
    _labels(sheet, chart)
    _set_up(sheet, chart, set_up)
    write(root, set_up.title, LEFT, 44, "title")
    size = f"{chart.rows} × {chart.columns} hexes of 50 m, grades of 10 m"
    write(root, f"{set_up.turns} turns; {size}" if set_up.turns else size, LEFT, 66, "small")
    _scale(root, right, bottom)
    _key(root, chart, set_up, right + 22)
    return finished(root)


def _middle(chart: Chart, number: int) -> Point:
    """Where the middle of a hex is drawn."""
    row, column = divmod(number, chart.columns)
    return LEFT + (column + 0.5 + (row & 1) / 2) * WIDTH, TOP + (1.5 * row + 1) * RADIUS


def _corner(middle: Point, number: int, radius: float = RADIUS) -> Point:
    angle = math.pi / 3 * number
    return middle[0] + radius * math.sin(angle), middle[1] - radius * math.cos(angle)


def _hexagon(middle: Point, radius: float = RADIUS) -> str:
    return _path(_corner(middle, k, radius) for k in range(6)) + " Z"


def _edge(chart: Chart, number: int, direction: int) -> str:
    first, second = EDGES[DIRECTIONS[direction]]
    middle = _middle(chart, number)
    return _path((_corner(middle, first), _corner(middle, second)))


def _path(points: Iterable[Point]) -> str:
    return "M " + " L ".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _edges(chart: Chart, forward: bool) -> Iterator[tuple[int, int, int]]:
    """Hexes, directions and neighbours; ``forward``: of each pair one, and none of the map's rim."""
    for number in range(chart.hexes):
        for direction in range(len(DIRECTIONS)):
            other = int(chart.neighbour[number, direction])
            if not forward or number < other:
                yield number, direction, other


def _symbols(root: Element) -> None:
    """A hex, groups of trees and of houses, and waves: what stands in a hex."""
    defs = SubElement(root, "defs")
    SubElement(defs, "path", id="hex", d=_hexagon((0, 0), RADIUS + 0.2))
    for k, crowns in enumerate(CROWNS):
        trees = SubElement(defs, "g", id=f"woods-{k}")
        for x, y, radius in crowns:
            add(trees, "path", "trunk", d=f"M {x} {y} v {radius + 1.8:.1f}")
            add(trees, "circle", "crown", cx=x, cy=y, r=radius * 0.8)
    for k, houses in enumerate(HOUSES):
        village = SubElement(defs, "g", id=f"built_up-{k}")
        for x, y, width, height, turn in houses:
            add(village, "rect", "house", x=x, y=y, width=width, height=height, transform=f"rotate({turn})")
    waves = SubElement(defs, "g", id="water-0")
    for x, y in ((-9, -5), (0, 1), (-8, 7)):
        add(waves, "path", "wave", d=f"M {x} {y} q 2.5 -3 5 0 t 5 0")


def _tile(parent: Element, style: str, middle: Point, **more: str) -> None:
    add(parent, "use", style, href="#hex", x=middle[0], y=middle[1], **more)


def _place(parent: Element, terrain: np.int64, number: int, middle: Point) -> None:
    """The symbol of a terrain in a hex; neighbours have different ones."""
    name = TERRAINS[terrain]
    variants = {WOODS: len(CROWNS), BUILT_UP: len(HOUSES)}.get(terrain, 1)
    add(parent, "use", name, href=f"#{name}-{number * 7 % 11 % variants}", x=middle[0], y=middle[1])


def _ground(sheet: Element, chart: Chart) -> None:
    """Hexes in the tint of their grade, and slopes where grades meet: dark where no light from the north-west falls."""
    for number in range(chart.hexes):
        tint = TINTS[min(int(chart.grade[number]), len(TINTS) - 1)]
        _tile(sheet, "", _middle(chart, number), fill=tint)
    for number, direction, other in _edges(chart, forward=False):
        if other != NOWHERE and chart.grade[number] > chart.grade[other]:
            lit = "shadow" if DIRECTIONS[direction] in SHADED else "light"
            add(sheet, "path", f"slope {lit}", d=_edge(chart, number, direction))


def _waters(sheet: Element, chart: Chart) -> None:
    for number in (chart.terrain == WATER).nonzero()[0].tolist():
        _tile(sheet, "water", _middle(chart, number))
        _place(sheet, WATER, number, _middle(chart, number))
    rivers = [
        _edge(chart, n, direction) for n, direction, _ in _edges(chart, forward=True) if chart.river[n, direction]
    ]
    for style in ("bank", "river"):
        for edge in rivers:
            add(sheet, "path", style, d=edge)
    _rim(sheet, chart, WATER, "shore")


def _rim(sheet: Element, chart: Chart, terrain: np.int64, style: str) -> None:
    """The edges where a terrain ends."""
    for number, direction, other in _edges(chart, forward=False):
        if chart.terrain[number] == terrain and other != NOWHERE and chart.terrain[other] != terrain:
            add(sheet, "path", style, d=_edge(chart, number, direction))


def _cover(sheet: Element, chart: Chart) -> None:
    """The grid, then woods and villages."""
    for number in range(chart.hexes):
        _tile(sheet, "grid", _middle(chart, number))
    for terrain, style in ((WOODS, "wood"), (BUILT_UP, "town")):
        numbers = (chart.terrain == terrain).nonzero()[0].tolist()
        for number in numbers:
            _tile(sheet, style, _middle(chart, number))
        if terrain == WOODS:
            _rim(sheet, chart, terrain, "edge")
        for number in numbers:
            _place(sheet, terrain, number, _middle(chart, number))


def _roads(sheet: Element, chart: Chart) -> None:
    """Roads bend smoothly through their hexes; where one crosses a river edge, a bridge has rails."""
    ways = [way for number in range(chart.hexes) for way in _ways(chart, number)]
    for style in ("road-side", "road"):
        for way in ways:
            add(sheet, "path", style, d=way)
    for number, direction, _ in _edges(chart, forward=True):
        if chart.road[number, direction] and chart.river[number, direction]:
            for rail in _rails(chart, number, direction):
                add(sheet, "path", "rail", d=rail)


def _ways(chart: Chart, number: int) -> list[str]:
    middle = _middle(chart, number)
    ends = [_gate(middle, direction) for direction in chart.road[number].nonzero()[0].tolist()]
    if len(ends) == 2:
        (a, b), (x, y), (c, d) = ends[0], middle, ends[1]
        return [f"M {a:.1f} {b:.1f} Q {x:.1f} {y:.1f} {c:.1f} {d:.1f}"]
    return [_path((middle, end)) for end in ends]


def _gate(middle: Point, direction: int) -> Point:
    """The middle of a hex's edge."""
    (a, b), (c, d) = (_corner(middle, corner) for corner in EDGES[DIRECTIONS[direction]])
    return (a + c) / 2, (b + d) / 2


def _rails(chart: Chart, number: int, direction: int) -> list[str]:
    middle = _middle(chart, number)
    x, y = _gate(middle, direction)
    along_x, along_y = (x - middle[0]) * 2 / WIDTH, (y - middle[1]) * 2 / WIDTH
    rails = []
    for side in (-1, 1):
        a, b = x - along_y * 4.4 * side, y + along_x * 4.4 * side
        rails.append(_path((((a - along_x * 7), (b - along_y * 7)), ((a + along_x * 7), (b + along_y * 7)))))
    return rails


def _labels(sheet: Element, chart: Chart) -> None:
    """The letters of every hex, the squares' borders, and their digits in the first hex."""
    size = chart.labels.size
    for number in range(chart.hexes):
        row, column = divmod(number, chart.columns)
        x, y = _middle(chart, number)
        write(sheet, chart.labels.label(row, column)[4:], x, y - RADIUS * 0.58, "label", "middle")
    for number, direction, other in _edges(chart, forward=True):
        (row, column), (to_row, to_column) = divmod(number, chart.columns), divmod(other, chart.columns)
        if (row // size, column // size) != (to_row // size, to_column // size):
            add(sheet, "path", "square", d=_edge(chart, number, direction))
    for row in range(0, chart.rows, size):
        for column in range(0, chart.columns, size):
            x, y = _middle(chart, row * chart.columns + column)
            write(sheet, chart.labels.label(row, column)[:4], x - WIDTH * 0.4, y + 5, "square-name")


def _set_up(sheet: Element, chart: Chart, set_up: SetUp) -> None:
    for goal in set_up.goals:
        middle = _middle(chart, goal.hex)
        add(sheet, "path", f"held {goal.holder}-line", d=_hexagon(middle, RADIUS - 1.5))
    for number, tanks in set_up.tanks.items():
        x, y = _middle(chart, number)
        for k, tank in enumerate(tanks):
            shift = 3 * (k - (len(tanks) - 1) / 2)
            _counter(sheet, tank, x + shift, y + 2 + shift)
    for goal in set_up.goals:
        x, y = _middle(chart, goal.hex)
        write(sheet, f"★ {goal.name}", x + RADIUS, y - 3, f"goal {goal.holder}")


def _counter(parent: Element, tank: Tank, x: float, y: float) -> None:
    """A tank's counter: the symbol of armour and its number."""
    group = add(parent, "g", "unit")
    SubElement(group, "title").text = tank.name
    add(group, "rect", f"counter {tank.side}", x=x - 12, y=y - 8, width=24, height=16, rx=2)
    add(group, "ellipse", "track", cx=x - 3.5, cy=y, rx=6, ry=3.6)
    write(group, tank.mark, x + 7, y + 3.2, "mark", "middle")


def _scale(root: Element, right: float, bottom: float) -> None:
    """The scale bar below the map and the arrow to the north above it."""
    y = bottom + 16
    for k in range(5):
        x = LEFT + k * 5 * WIDTH
        write(root, f"{k * 250} m" if k else "0", x, y + 23, "small", "middle" if k else "start")
        if k < 4:
            add(root, "rect", "blank" if k % 2 else "ink", x=x, y=y, width=5 * WIDTH, height=7)
    add(root, "path", "ink", d=f"M {right - 16:.1f} {TOP - 68} l 8 32 l -8 -7 l -8 7 Z")
    write(root, "N", right - 16, TOP - 18, "heading", "middle")


def _key(root: Element, chart: Chart, set_up: SetUp, left: float) -> None:
    """The legend, in a column of its own at the right."""
    x, y = left + 22, TOP + 8

    def entry(words: str, tint: str = TINTS[0], step: float = 40) -> Point:
        nonlocal y
        y += step
        write(root, words, left + 54, y + 5, "small")
        if tint:
            _tile(root, "", (x, y), fill=tint)
            _tile(root, "grid", (x, y))
        return x, y

    write(root, "Legend", left, y, "heading")
    y -= 6
    for grade in range(max(3, int(chart.grade.max()) + 1)):
        words = "open, 1 MP" if grade == 0 else f"grade {grade}, {10 * grade} m"
        entry(words, TINTS[min(grade, len(TINTS) - 1)])
    for terrain, style, words in (
        (WOODS, "wood", "woods, 2 MP"),
        (BUILT_UP, "town", "built-up, 3 MP"),
        (WATER, "water", "water, closed"),
    ):
        middle = entry(words)
        _tile(root, style, middle)
        _place(root, terrain, 0, middle)
    middle = entry("river edge, 3 MP")
    for style in ("bank", "river"):
        add(root, "path", style, d=_path(_corner(middle, k) for k in (5, 0, 1)))
    middle = entry("road, 1 MP or march")
    for style in ("road-side", "road"):
        add(root, "path", style, d=_path(_gate(middle, k) for k in (0, OPPOSITE)))
    entry("grid square", "", 34)
    add(root, "path", "square", d=f"M {left} {y} h 44")
    if set_up.goals:
        middle = entry("★ objective, by holder")
        for k, side in enumerate(("red", "blue")):
            add(root, "path", f"held {side}-line", d=_hexagon((middle[0] - 11 + 22 * k, y), 10))
    for side, name in set_up.sides.items():
        middle = entry(name, "", 34)
        _counter(root, Tank(name, "1", side), *middle)
