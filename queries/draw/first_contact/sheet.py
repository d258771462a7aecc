"""The map of First Contact as a printed sheet: an SVG document."""

from collections.abc import Iterable, Sequence
from typing import cast
from xml.etree import ElementTree

import contourpy
import numpy as np

from queries.draw.elements import add, document, finished, write
from queries.draw.first_contact.set_up import SetUp
from sim.first_contact.ground import (
    COLUMNS,
    DECIMETRES,
    PARTS,
    ROWS,
    Ground,
    MapFile,
    inside,
    rounded,
    trench_cells,
)
from sim.first_contact.state import OBJECTIVES, TRENCHES

CELL = 6.0  # units of the drawing to a cell
LEFT, TOP, BOTTOM = 44.0, 96.0, 66.0
KEY_WIDTH = 262.0
SECTOR = 20
STEP = 10  # metres from one full contour to the next; a thin one lies between them
TINTS = ("#ead9ae", "#e2c88f", "#d6b374", "#c99c5d", "#b98549")  # hill country, each STEP higher
CROWNS = (
    (5, 7, 2.6),
    (17, 4, 2.1),
    (29, 9, 2.8),
    (11, 19, 2.2),
    (23, 21, 2.6),
    (34, 25, 2.1),
    (4, 30, 2.4),
    (16, 32, 2.7),
)
TUFTS = ((9, 14), (41, 38), (26, 61), (62, 20), (55, 66))

STYLE = """
text { font-family: Georgia, 'Liberation Serif', 'Times New Roman', serif; fill: #2b2a26; }
.paper { fill: #f6f0df; } .plain { fill: #f1eccd; } .frame { fill: none; stroke: #2b2a26; stroke-width: 1.6; }
.tuft { fill: none; stroke: #a9a36f; stroke-width: .7; opacity: .7; } .grass { fill: url(#grass); }
.wood { fill: #b3c793; fill-rule: evenodd; } .trees { fill: url(#trees); fill-rule: evenodd; }
.edge { fill: none; stroke: #5d7a48; stroke-width: 1.2; } .box { fill: none; stroke: #8d8770; stroke-width: .8; }
.crown { fill: #86a567; stroke: #5d7a48; stroke-width: .5; }
.shade { fill: #6f4218; opacity: .22; }
.contour { fill: none; stroke: #8a5a2b; stroke-width: 1.1; } .foot { stroke-dasharray: 5 3; stroke-width: .9; }
.between { fill: none; stroke: #8a5a2b; stroke-width: .5; opacity: .8; }
.level { fill: #6f4218; font-size: 9.5px; paint-order: stroke; stroke: #ecdcb4; stroke-width: 3px; }
.peak { fill: #5b3412; } .height { font-size: 14px; font-weight: bold; }
.height, .place, .wood-name, .owned, .goal { paint-order: stroke; stroke: #f3ead0; stroke-width: 3px; }
.place { font-size: 12px; font-style: italic; }
.wood-name { fill: #3f5a30; font-size: 17px; font-style: italic; letter-spacing: 2px; }
.grid { stroke: #4c5a66; stroke-width: .5; opacity: .35; } .tick { font-size: 11px; fill: #55524a; }
.road-side { fill: none; stroke: #6b5a3c; stroke-width: 6; stroke-linejoin: round; }
.road { fill: none; stroke: #fbf7ea; stroke-width: 3.6; stroke-linejoin: round; }
.house { fill: #2b2a26; } .barn { fill: #8c3f2b; stroke: #2b2a26; stroke-width: 1; }
.haystack { fill: #e3b83a; stroke: #6b5212; stroke-width: .8; }
.ditch, .teeth { fill: none; stroke-linejoin: round; } .ditch { stroke-width: 2.6; }
.teeth { stroke-width: 7.5; stroke-dasharray: 1.6 4.4; }
.red-line { stroke: #a3211c; } .blue-line { stroke: #24466f; } .red { fill: #a3211c; } .blue { fill: #24466f; }
.entry { fill-opacity: .1; stroke-width: 1.2; stroke-dasharray: 6 3; }
.other { fill: none; stroke-width: 1; stroke-dasharray: 2 2; opacity: .8; }
.counter { stroke: #fffdf6; stroke-width: .7; } .cross { fill: none; stroke: #fffdf6; stroke-width: .7; }
.owned { font-size: 12px; font-weight: bold; } .other-name { font-size: 10px; font-weight: normal; }
.ring { fill: #2b2a26; opacity: .16; } .goal { font-size: 12px; font-weight: bold; }
.title { font-size: 29px; font-weight: bold; } .small { font-size: 13px; }
.heading { font-size: 15px; font-weight: bold; }
.ink { fill: #2b2a26; stroke: #2b2a26; } .blank { fill: #fffdf6; stroke: #2b2a26; }
"""


def drawn(chart: MapFile, ground: Ground, set_up: SetUp) -> str:
    """The sheet with its legend, and a set-up on it."""
    width, height = LEFT + COLUMNS * CELL + KEY_WIDTH, TOP + ROWS * CELL + BOTTOM
    root = document(chart.title, STYLE, width, height)
    _definitions(root)
    sheet = add(root, "g", "sheet", clip_path="url(#sheet)")
    for style in ("plain", "grass"):
        _rectangle(sheet, style, (0, ROWS - 1), (0, COLUMNS - 1))
    _hills(sheet, chart, ground)
    _woods(sheet, chart)
    _grid(root, sheet)
    _objectives(sheet, ground)
    _works(sheet, chart)
    _names(sheet, chart)
    _deployments(sheet, set_up)
    _rectangle(root, "frame", (0, ROWS - 1), (0, COLUMNS - 1))
    write(root, chart.title, LEFT, 46, "title")
    subtitle = f"{set_up.title}; " if set_up.title else ""
    write(root, f"{subtitle}{ROWS} × {COLUMNS} cells of 10 m, heights in metres", LEFT, 70, "small")
    _scale(root)
    _key(root, chart, set_up)
    return finished(root)


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _at(row: float, column: float) -> tuple[float, float]:
    """Where the middle of a cell is drawn."""
    return LEFT + (column + 0.5) * CELL, TOP + (row + 0.5) * CELL


def _rectangle(parent: ElementTree.Element, style: str, rows: Sequence[int], columns: Sequence[int]) -> None:
    """The cells of these first and last rows and columns."""
    x, y = _at(rows[0] - 0.5, columns[0] - 0.5)
    width, height = (columns[1] - columns[0] + 1) * CELL, (rows[1] - rows[0] + 1) * CELL
    add(parent, "rect", style, x=x, y=y, width=width, height=height)


def _path(points: Iterable[Sequence[float]]) -> str:
    return "M " + " L ".join(f"{x:.1f} {y:.1f}" for x, y in (_at(*point) for point in points))


def _curve(outline: Sequence[Sequence[int]]) -> str:
    """What cutting the corners of an outline leads to: parabolas from the middle of one side to that of the next."""
    corners = [_at(*point) for point in outline]
    middles = [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in zip(corners, corners[1:] + corners[:1], strict=True)]
    path = f"M {middles[-1][0]:.1f} {middles[-1][1]:.1f}"
    for (x, y), (u, v) in zip(corners, middles, strict=True):
        path += f" Q {x:.1f} {y:.1f} {u:.1f} {v:.1f}"
    return path + " Z"


def _definitions(root: ElementTree.Element) -> None:
    """The edge of the map, and the textures of woods and grass."""
    defs = ElementTree.SubElement(root, "defs")
    _rectangle(ElementTree.SubElement(defs, "clipPath", id="sheet"), "", (0, ROWS - 1), (0, COLUMNS - 1))
    trees = ElementTree.SubElement(defs, "pattern", id="trees", width="38", height="38", patternUnits="userSpaceOnUse")
    for x, y, radius in CROWNS:
        add(trees, "path", "edge", d=f"M {x} {y} l 0 {radius + 2.4:.1f}")
        add(trees, "circle", "crown", cx=x, cy=y, r=radius)
    grass = ElementTree.SubElement(defs, "pattern", id="grass", width="76", height="76", patternUnits="userSpaceOnUse")
    for x, y in TUFTS:
        add(grass, "path", "tuft", d=f"M {x} {y} l -2 -4 M {x} {y} l 0 -5 M {x} {y} l 2 -4")


def _hills(sheet: ElementTree.Element, chart: MapFile, ground: Ground) -> None:
    contours = sorted(chart.contours.values(), key=lambda contour: contour.height)
    for contour in contours:
        if contour.height > chart.plain:
            add(sheet, "path", "shade", d=_curve(contour.outline), transform="translate(2.6 3.2)")
        tint = TINTS[min((contour.height - chart.plain) // STEP, len(TINTS) - 1)]
        add(sheet, "path", "", d=_curve(contour.outline), fill=tint)
    between = contourpy.contour_generator(z=ground.height, line_type="Separate")
    given = {contour.height for contour in contours}
    for level in range(chart.plain + STEP // 2, int(ground.height.max()) // DECIMETRES, STEP // 2):
        if level not in given:
            for line in cast("list[np.ndarray]", between.lines(level * DECIMETRES)):
                add(sheet, "path", "between", d=_path((row, column) for column, row in line))
    for contour in contours:
        add(sheet, "path", "contour" + " foot" * (contour.height == chart.plain), d=_curve(contour.outline))
    for contour in contours:
        _level(sheet, contour.height, rounded(contour.outline))


def _level(sheet: ElementTree.Element, height: int, curve: np.ndarray) -> None:
    """A contour's height, written in the south of it where it runs most nearly level on the paper."""
    down, right = np.abs(np.roll(curve, -1, axis=0) - curve).T
    rows, columns = curve.T / PARTS
    worth = rows - 30 * np.minimum(down / np.maximum(right, 1), 3)
    worth[(rows < 4) | (rows > ROWS - 5) | (columns < 5) | (columns > COLUMNS - 6)] = -np.inf
    best = int(np.argmax(worth))
    x, y = _at(rows[best], columns[best])
    write(sheet, str(height), x, y + 3, "level", "middle")


def _woods(sheet: ElementTree.Element, chart: MapFile) -> None:
    outlines = [_curve(outline) for outline in (*chart.woods.values(), *chart.clearings.values())]
    for style in ("wood", "trees", "edge"):
        add(sheet, "path", style, d=" ".join(outlines))


def _grid(root: ElementTree.Element, sheet: ElementTree.Element) -> None:
    """Sectors (FC-11.1), with the numbers of their first rows and columns in the margin."""
    for first in range(0, ROWS, SECTOR):
        x, y = LEFT + first * CELL, TOP + first * CELL
        add(sheet, "line", "grid", x1=LEFT, x2=LEFT + COLUMNS * CELL, y1=y, y2=y)
        add(sheet, "line", "grid", x1=x, x2=x, y1=TOP, y2=TOP + ROWS * CELL)
        write(root, str(first), x + CELL / 2, TOP - 6, "tick", "middle")
        write(root, str(first), LEFT - 6, y + CELL / 2 + 4, "tick", "end")


def _objectives(sheet: ElementTree.Element, ground: Ground) -> None:
    """The cells that decide who holds an objective (FC-11.2)."""
    for number, name in enumerate(OBJECTIVES):
        cells = np.argwhere(ground.objective == number)
        corners = [_at(row - 0.5, column - 0.5) for row, column in cells]
        add(sheet, "path", "ring", d=" ".join(f"M {x:.0f} {y:.0f} h 6 v 6 h -6 Z" for x, y in corners))
        x, y = _at(cells[:, 0].min(), cells[cells[:, 0] == cells[:, 0].min(), 1].mean())
        write(sheet, f"★ {_words(name)}", x, y - 9, "goal", "middle")


def _works(sheet: ElementTree.Element, chart: MapFile) -> None:
    """Roads, trenches and the farm: what lies on the ground."""
    for style in ("road-side", "road"):
        for line in chart.roads.values():
            add(sheet, "path", style, d=_path(line))
    for name in TRENCHES:
        owner = "blue" if name == TRENCHES[0] else "red"
        for style in ("teeth", "ditch"):
            add(sheet, "path", f"{style} {owner}-line", d=_path(trench_cells(chart, name)))
    for building in chart.buildings.values():
        (north, west), (south, east) = building.corners
        _rectangle(sheet, building.kind, (north, south), (west, east))
    for row, column in chart.haystacks:
        x, y = _at(row, column)
        add(sheet, "circle", "haystack", cx=x, cy=y, r=CELL / 2)


def _names(sheet: ElementTree.Element, chart: MapFile) -> None:
    for name, outline in chart.woods.items():
        row, column = np.argwhere(inside(rounded(outline))).mean(axis=0)
        write(sheet, _words(name), *_at(row, column), "wood-name", "middle")
    for name, peak in chart.peaks.items():
        x, y = _at(*peak.at)
        add(sheet, "path", "peak", d=f"M {x:.1f} {y - 4.5:.1f} l 4.5 8 l -9 0 Z")
        called = "" if name.startswith("height") else f"{_words(name)} "
        write(sheet, f"{called}{peak.height}", x + 7, y + 5, "height")
    for name, (row, column) in chart.names.items():
        write(sheet, _words(name), *_at(row, column), "place", "middle")


def _deployments(sheet: ElementTree.Element, set_up: SetUp) -> None:
    for style, areas in (("other", set_up.alternatives), ("entry", set_up.entries)):
        for area in areas:
            _rectangle(sheet, f"{style} {area.side} {area.side}-line", area.rows, area.columns)
            x, y = _at(area.rows[1] + 0.5, area.columns[0] - 0.5)
            write(sheet, area.label, x, y + 11, f"owned {style}-name {area.side}")
    for group in set_up.groups:
        drawn = add(sheet, "g", "units")
        ElementTree.SubElement(drawn, "title").text = f"{group.company}, {len(group.cells)} {group.arm}"
        for cell in group.cells:
            _counter(drawn, group.arm, group.side, *_at(*cell))
        rows, columns = np.array(group.cells).T
        x, y = _at(rows.mean(), columns.min() - 0.5)
        write(drawn, group.company, x - 4, y + 4, f"owned {group.side}", "end")


def _counter(parent: ElementTree.Element, arm: str, side: str, x: float, y: float) -> None:
    """A unit in its cell: squads are crossed squares, vehicles are round."""
    half = CELL / 2
    if arm == "vehicles":
        add(parent, "ellipse", f"counter {side}", cx=x, cy=y, rx=half, ry=half * 0.72)
    else:
        add(parent, "rect", f"counter {side}", x=x - half, y=y - half, width=CELL, height=CELL)
        add(parent, "path", "cross", d=f"M {x - half:.1f} {y - half:.1f} l 6 6 m 0 -6 l -6 6")


def _scale(root: ElementTree.Element) -> None:
    """The scale bar below the map and the arrow to the north above it."""
    y = TOP + ROWS * CELL + 20
    for k in range(6):
        x = LEFT + k * SECTOR * CELL
        write(root, f"{k * SECTOR * 10} m" if k else "0", x, y + 23, "small", "middle")
        if k < 5:
            add(root, "rect", "blank" if k % 2 else "ink", x=x, y=y, width=SECTOR * CELL, height=7)
    x = LEFT + COLUMNS * CELL - 16
    add(root, "path", "peak", d=f"M {x} {TOP - 72} l 8 34 l -8 -7 l -8 7 Z")
    write(root, "N", x, TOP - 22, "heading", "middle")


def _key(root: ElementTree.Element, chart: MapFile, set_up: SetUp) -> None:
    """The legend, in a column of its own at the right."""
    left, y = LEFT + COLUMNS * CELL + 24, TOP + 10

    def entry(words: str, *styles: str, tag: str = "rect") -> float:
        """A line of the legend: its words, and a box or a piece of line in each of these styles."""
        nonlocal y
        y += 30
        write(root, words, left + 60, y + 5, "small")
        for style in styles:
            if tag == "rect":
                add(root, "rect", style, x=left, y=y - 10, width=46, height=20)
            else:
                add(root, "path", style, d=f"M {left} {y} q 12 -7 23 0 t 23 0")
        return y

    write(root, "Legend", left, y, "heading")
    entry(f"plain, {chart.plain} m", "plain", "grass", "box")
    entry("forest", "wood", "trees", "box")
    at = entry(f"hills, each {STEP} m higher")
    for k, tint in enumerate(TINTS):
        add(root, "rect", "", x=left + k * 9.2, y=at - 10, width=9.2, height=20, fill=tint)
    entry(f"contour, each {STEP} m", "contour", tag="path")
    entry("half of that", "between", tag="path")
    entry("foot of the hills", "contour foot", tag="path")
    add(root, "path", "peak", d=f"M {left + 23} {entry('highest points') - 5} l 4.5 8 l -9 0 Z")
    entry("dirt road", "road-side", "road", tag="path")
    entry("German trench", "teeth blue-line", "ditch blue-line", tag="path")
    entry("Soviet trench", "teeth red-line", "ditch red-line", tag="path")
    at = entry("barn, house, haystack")
    add(root, "rect", "barn", x=left, y=at - 6, width=18, height=12)
    add(root, "rect", "house", x=left + 24, y=at - 3, width=CELL, height=CELL)
    add(root, "circle", "haystack", cx=left + 41, cy=at, r=CELL / 2)
    entry("★ objective with its ring", "ring")
    entry(f"sector of {SECTOR} × {SECTOR} cells", "box")
    for side, name in set_up.sides.items():
        y += 14
        at = entry(f"{name}: squad, vehicle")
        _counter(root, "squads", side, left + 14, at)
        _counter(root, "vehicles", side, left + 32, at)
        entry("reserves come on here", f"entry {side} {side}-line")
        for other in set_up.not_chosen[side]:
            entry(f"{_words(other).lower()}: vehicles", f"other {side} {side}-line")
