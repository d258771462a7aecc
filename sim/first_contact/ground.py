"""The map of First Contact: lines drawn in a file, turned into cells (FC-6.0).

A map file says where outlines of woods, contours, roads and trenches run; here every cell gets its terrain and its
height. All of it is reckoned in whole numbers, so that one file is one map on every machine.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from sim.first_contact.state import (
    BARN,
    FARM,
    FOREST,
    HAYSTACK,
    HILL,
    HOUSE,
    MIDDLE_OBJECTIVE,
    NOWHERE,
    PLAIN,
    ROAD,
    TOP_OBJECTIVE,
    TRENCH,
    TRENCHES,
)
from sim.rules_file import BadInput, Name, Strict, Whole

ROWS = COLUMNS = 200
"""Cells of the map (FC-1.1): row 0 is north, column 0 is west (FC-1.4)."""
BEYOND = 40
"""Cells that an outline may run beyond the edge of the map."""
PARTS = 128
"""Parts of a cell in which curves are measured; three rounds of cutting corners leave whole parts."""
DECIMETRES = 10
"""Heights are given in metres and reckoned in decimetres."""

Point = Annotated[list[int], Field(min_length=2, max_length=2)]
Line = Annotated[list[Point], Field(min_length=2)]
Outline = Annotated[list[Point], Field(min_length=3)]
Cell = tuple[int, int]


class Contour(Strict):
    """A closed line of one height, in metres; the ground within it is higher."""

    height: Whole
    outline: Outline


class Peak(Strict):
    """The highest point within the contour around it, in metres."""

    at: Point
    height: Whole


class Building(Strict):
    """A barn or house (FC-6.5, FC-6.6): its north-western and south-eastern cells."""

    kind: Literal["barn", "house"]
    corners: Annotated[list[Point], Field(min_length=2, max_length=2)]


class Trenches(Strict):
    """The three trenches (FC-6.8), each from one end to the other."""

    west_trench: Line
    middle_trench: Line
    top_trench: Line


class MapFile(Strict):
    """A map: woods, contours, roads, trenches and a farm, drawn in cells (FC-6.0, FC-6.8)."""

    name: Name
    rulebook: Literal["first_contact"]
    title: str
    plain: Whole
    woods: dict[Name, Outline]
    clearings: dict[Name, Outline] = {}
    contours: dict[Name, Contour]
    peaks: dict[Name, Peak]
    roads: dict[Name, Line]
    trenches: Trenches
    buildings: dict[Name, Building]
    haystacks: list[Point]
    names: dict[Name, Point] = {}

    @model_validator(mode="after")
    def _points_are_on_the_map(self) -> "MapFile":
        things = [
            *((f"peaks.{name}", 0, [peak.at]) for name, peak in self.peaks.items()),
            *((f"roads.{name}", 0, line) for name, line in self.roads.items()),
            *((f"trenches.{name}", 0, line) for name, line in self.trenches),
            *((f"buildings.{name}", 0, building.corners) for name, building in self.buildings.items()),
            ("haystacks", 0, self.haystacks),
            *((f"names.{name}", 0, [at]) for name, at in self.names.items()),
            *((f"woods.{name}", BEYOND, outline) for name, outline in self.woods.items()),
            *((f"clearings.{name}", BEYOND, outline) for name, outline in self.clearings.items()),
            *((f"contours.{name}", BEYOND, contour.outline) for name, contour in self.contours.items()),
        ]
        for key, beyond, points in things:
            for row, column in points:
                if not (-beyond <= row < ROWS + beyond and -beyond <= column < COLUMNS + beyond):
                    raise ValueError(
                        f"{key}: [{row}, {column}] is too far out: both numbers are {-beyond} to {ROWS + beyond - 1}"
                    )
        return self

    @model_validator(mode="after")
    def _heights_and_corners_are_in_order(self) -> "MapFile":
        for name, contour in self.contours.items():
            if contour.height < self.plain:
                raise ValueError(f"contours.{name}: {contour.height} m is lower than the plain, {self.plain} m")
        for name, building in self.buildings.items():
            (north, west), (south, east) = building.corners
            if north > south or west > east:
                raise ValueError(f"buildings.{name}: the north-western corner comes first, then the south-eastern one")
        return self


class Ground(NamedTuple):
    """The map in cells: int64 arrays of shape (rows, columns).

    ``terrain``: code of the terrain that counts in a cell (FC-6.1 to FC-6.8).
    ``below``: plain, forest or hill, on which a road or cover lies.
    ``height``: decimetres above sea level, of the ground alone.
    ``trench``, ``building``: number of the trench, barn or house in the order of the file, else `NOWHERE`.
    ``objective``: number of the objective to whose cells or ring a cell belongs (FC-11.2), else `NOWHERE`.
    """

    terrain: np.ndarray
    below: np.ndarray
    height: np.ndarray
    trench: np.ndarray
    building: np.ndarray
    objective: np.ndarray


def rasterise(chart: MapFile) -> Ground:
    """The cells of a map. Raises `BadInput` where contours cross, a peak is none, or things lie on one another."""
    height, hills = _relief(chart)
    woods = _any(inside(rounded(outline)) for outline in chart.woods.values())
    clearings = _any(inside(rounded(outline)) for outline in chart.clearings.values())
    below = np.where(hills, HILL, PLAIN)
    below[woods & ~clearings] = FOREST
    ground = Ground(below.copy(), below, height, *(np.full((ROWS, COLUMNS), NOWHERE) for _ in range(3)))
    taken: dict[Cell, str] = {}
    for key, code, cells in _cover(chart):
        for cell in cells:
            if cell in taken:
                raise _bad(chart, key, f"lies on {taken[cell]} in cell [{cell[0]}, {cell[1]}]")
            ground.terrain[cell] = code
            taken[cell] = key
    for number, name in enumerate(TRENCHES):
        for cell in trench_cells(chart, name):
            ground.trench[cell] = number
    for number, building in enumerate(chart.buildings.values()):
        for cell in building_cells(building):
            ground.building[cell] = number
    _mark_objectives(chart, ground.objective)
    return ground


def _cover(chart: MapFile) -> Iterator[tuple[str, np.int64, list[Cell]]]:
    """All that replaces the terrain below it: key in the file, code, cells. Roads may meet, so they are one thing."""
    yield "roads", ROAD, list(dict.fromkeys(cell for line in chart.roads.values() for cell in cells_along(line)))
    for name in TRENCHES:
        yield f"trenches.{name}", TRENCH, trench_cells(chart, name)
    for name, building in chart.buildings.items():
        yield f"buildings.{name}", BARN if building.kind == "barn" else HOUSE, building_cells(building)
    yield "haystacks", HAYSTACK, [(row, column) for row, column in chart.haystacks]


def _mark_objectives(chart: MapFile, objective: np.ndarray) -> None:
    """Numbers the cells of each objective and the ring around them (FC-11.2)."""
    for number, key, cells in (
        (FARM, "buildings", farm_cells(chart)),
        (MIDDLE_OBJECTIVE, "trenches.middle_trench", trench_cells(chart, "middle_trench")),
        (TOP_OBJECTIVE, "trenches.top_trench", trench_cells(chart, "top_trench")),
    ):
        for row, column in cells:
            ring = objective[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
            if ((ring != NOWHERE) & (ring != number)).any():
                raise _bad(chart, key, f"meets another objective around cell [{row}, {column}]")
            ring[:] = number


def trench_cells(chart: MapFile, name: str) -> list[Cell]:
    """Cells of one of `TRENCHES` in order, from its first point to its last."""
    return cells_along(getattr(chart.trenches, name))


def farm_cells(chart: MapFile) -> list[Cell]:
    """Cells of the farm: its buildings in the order of the file, then its haystacks."""
    buildings = [cell for building in chart.buildings.values() for cell in building_cells(building)]
    return buildings + [(row, column) for row, column in chart.haystacks]


def building_cells(building: Building) -> list[Cell]:
    """Cells of a barn or house, row by row from the north-west."""
    (north, west), (south, east) = building.corners
    return [(row, column) for row in range(north, south + 1) for column in range(west, east + 1)]


def cells_along(line: Sequence[Sequence[int]]) -> list[Cell]:
    """Cells of a road or trench in order, each next to the one before, diagonally if need be; a cell comes once."""
    cells = dict.fromkeys([(line[0][0], line[0][1])])
    for (row, column), (to_row, to_column) in itertools.pairwise(line):
        steps = max(abs(to_row - row), abs(to_column - column))
        for step in range(1, steps + 1):
            # The nearest whole number, one half upwards.
            down = (2 * step * (to_row - row) + steps) // (2 * steps)
            right = (2 * step * (to_column - column) + steps) // (2 * steps)
            cells[(row + down, column + right)] = None
    return list(cells)


def rounded(outline: Sequence[Sequence[int]]) -> np.ndarray:
    """The closed curve of an outline: int64 of shape (points, 2), in parts of a cell from the middle of cell (0, 0).

    Corners are cut three times (Chaikin, "An algorithm for high speed curve generation", 1974): the curve touches
    the middle of each side and stays within the corners.
    """
    curve = np.array(outline, np.int64) * PARTS
    for _ in range(3):
        after = np.roll(curve, -1, axis=0)
        curve = np.stack(((3 * curve + after) // 4, (curve + 3 * after) // 4), axis=1).reshape(-1, 2)
    return curve


def inside(curve: np.ndarray) -> np.ndarray:
    """Cells whose middle lies within a closed curve: bool of shape (rows, columns).

    Even-odd rule: a cell is inside if an odd number of sides pass west of it.
    """
    found = np.zeros((ROWS, COLUMNS), bool)
    columns = np.arange(COLUMNS) * PARTS
    for (row, column), (to_row, to_column) in _sides(curve):
        if row > to_row:
            row, column, to_row, to_column = to_row, to_column, row, column
        first, end = max(-(-row // PARTS), 0), min(-(-to_row // PARTS), ROWS)
        if first < end:
            down = np.arange(first, end) * PARTS - row
            passes_at = (to_column - column) * down
            found[first:end] ^= (columns - column) * (to_row - row) > passes_at[:, np.newaxis]
    return found


def _any(areas: Iterable[np.ndarray]) -> np.ndarray:
    """Cells of any of several areas."""
    found = np.zeros((ROWS, COLUMNS), bool)
    for area in areas:
        found |= area
    return found


def _sides(curve: np.ndarray) -> Iterator[tuple[list[int], list[int]]]:
    points = curve.tolist()
    return zip(points, points[1:] + points[:1], strict=True)


def _relief(chart: MapFile) -> tuple[np.ndarray, np.ndarray]:
    """Height of each cell in decimetres, and whether it is hill country, that is within a contour."""
    height = np.full((ROWS, COLUMNS), chart.plain * DECIMETRES)
    curves = {name: rounded(contour.outline) for name, contour in chart.contours.items()}
    areas = {name: inside(curve) for name, curve in curves.items()}
    around = {name: _contour_around(chart, areas, name) for name in areas}
    for name, contour in chart.contours.items():
        higher = [other for other in areas if around[other] == name]
        band = areas[name] & ~_any(areas[other] for other in higher)
        rises = [(chart.contours[other].height, curves[other]) for other in higher]
        rises += [
            (peak.height, np.array([peak.at]) * PARTS) for peak in chart.peaks.values() if band[peak.at[0], peak.at[1]]
        ]
        height[band] = _slope(np.argwhere(band) * PARTS, contour.height, curves[name], rises)
    for name, peak in chart.peaks.items():
        reached = int(height[peak.at[0], peak.at[1]])
        if reached != peak.height * DECIMETRES:
            message = f"{peak.height} m does not fit the contours around it: by them the ground there reaches"
            raise _bad(chart, f"peaks.{name}", f"{message} {reached / DECIMETRES} m")
    return height, _any(areas.values())


def _slope(cells: np.ndarray, foot: int, curve: np.ndarray, rises: Sequence[tuple[int, np.ndarray]]) -> np.ndarray:
    """Height in decimetres of points between a contour and what rises within it: (height, curve or summit).

    The ground climbs evenly, by the share that the distance to the contour has in the distances to both. Of several
    rises the one that lifts a point most counts; where there is none, the ground is flat.
    """
    height = np.full(len(cells), foot * DECIMETRES)
    from_foot = _distances(cells, curve)
    for top, summit in rises:
        climb = (top - foot) * DECIMETRES * from_foot // np.maximum(from_foot + _distances(cells, summit), 1)
        height = np.maximum(height, foot * DECIMETRES + climb)
    return height


def _contour_around(chart: MapFile, areas: dict[str, np.ndarray], name: str) -> str | None:
    """The next lower contour around one, or None. Raises `BadInput` for contours that cross."""
    height = chart.contours[name].height
    around = None
    for other, area in areas.items():
        lower = chart.contours[other].height
        overlap = area & areas[name]
        if other == name or lower > height or not overlap.any():
            continue
        outside = areas[name] & ~area
        if lower == height or outside.any():
            row, column = np.argwhere(overlap if lower == height else outside)[0]
            raise _bad(chart, f"contours.{name}", f"crosses contours.{other} around cell [{row}, {column}]")
        if around is None or lower > chart.contours[around].height:
            around = other
    return around


def _distances(cells: np.ndarray, curve: np.ndarray) -> np.ndarray:
    """Distance of points (n, 2) to a closed curve or a single point, in parts of a cell, rounded down."""
    least = np.full(len(cells), np.iinfo(np.int64).max)
    for start, end in _sides(curve):
        side = np.array(end) - start
        to_cell = cells - start
        length = max(int(side @ side), 1)
        along = to_cell @ side
        nearest = np.clip(along, 0, length)
        least = np.minimum(least, (to_cell * to_cell).sum(axis=1) - (2 * along - nearest) * nearest // length)
    return np.array([math.isqrt(squared) for squared in least.tolist()], np.int64)


def _bad(chart: MapFile, key: str, message: str) -> BadInput:
    return BadInput(message, file=f"map {chart.name}", key=key)
