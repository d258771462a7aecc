"""Maps as text that a person can draw: reading and checking them (TH-1.1, TH-1.2)."""

from typing import NamedTuple

import numpy as np

from sim.geometry.hexagon import DIRECTIONS, Labels, neighbour_table
from sim.rules_file import BadInput, one_of
from sim.tank_hex.documents import MapFile, RulesFile
from sim.tank_hex.state import NOWHERE, TERRAINS, WATER

MOST_ROWS = MOST_COLUMNS = 64

SIGNS = {".": "open", "w": "woods", "b": "built_up", "~": "water"}

# A digit of the drawings of roads and rivers is the sum of what it joins to or parts from.
EAST, SOUTH_EAST, SOUTH_WEST = 1, 2, 4
_LINKS = ((EAST, DIRECTIONS.index("E")), (SOUTH_EAST, DIRECTIONS.index("SE")), (SOUTH_WEST, DIRECTIONS.index("SW")))
OPPOSITE = len(DIRECTIONS) // 2


class Chart(NamedTuple):
    """A map that has been read: hexes are numbered row by row.

    ``terrain`` and ``grade`` are (hexes,), one of `TERRAINS` and grades of 10 m; ``road`` and ``river`` are bool
    (hexes, 6) by direction; ``neighbour`` is (hexes, 6).
    """

    name: str
    rows: int
    columns: int
    labels: Labels
    terrain: np.ndarray
    grade: np.ndarray
    road: np.ndarray
    river: np.ndarray
    neighbour: np.ndarray

    @property
    def hexes(self) -> int:
        """Number of hexes."""
        return self.rows * self.columns

    def where(self, number: int) -> str:
        """Row and column of a hex in words, as they are counted in the file: from 1."""
        return f"row {number // self.columns + 1}, column {number % self.columns + 1}"


def read_chart(document: MapFile, rules: RulesFile) -> Chart:
    """The chart that a map file draws. Raises `BadInput` with row and column for whatever is wrong with it."""
    drawings = {key: _drawing(document, key) for key in ("terrain", "grades", "roads", "rivers")}
    rows, columns = drawings["terrain"].shape
    file = f"map {document.name}"
    for key, drawing in drawings.items():
        if drawing.shape != (rows, columns):
            raise BadInput(
                f"has {drawing.shape[0]} rows of {drawing.shape[1]}, terrain has {rows} of {columns}",
                file=file,
                key=key,
            )
    if rows % 2 or not 2 <= rows <= MOST_ROWS or not 2 <= columns <= MOST_COLUMNS:
        raise BadInput(
            f"{rows} rows of {columns}: use an even number of rows up to {MOST_ROWS}, and up to {MOST_COLUMNS} columns",
            file=file,
            key="terrain",
        )
    size = rules.map.square.value
    labels = Labels(rows, columns, document.square, size)
    if labels.north - (rows - 1) // size < 0 or labels.east + (columns - 1) // size > 99:
        raise BadInput(
            f"{document.square!r} leaves no room for the squares south and east of it", file=file, key="square"
        )
    neighbour = neighbour_table(rows, columns)
    chart = Chart(
        document.name,
        rows,
        columns,
        labels,
        np.vectorize(lambda sign: TERRAINS.index(SIGNS[sign]), otypes=[np.int64])(drawings["terrain"]).ravel(),
        drawings["grades"].astype(np.int64).ravel(),
        _links(drawings["roads"], neighbour),
        _links(drawings["rivers"], neighbour),
        neighbour,
    )
    _check_links(chart, drawings)
    _check_symmetry(chart)
    _check_connected(chart)
    return chart


def _drawing(document: MapFile, key: str) -> np.ndarray:
    """One drawing as an array of signs (rows, columns). Rows may be indented as the hexes are."""
    lines = [line.split() for line in getattr(document, key).splitlines() if line.strip()]
    allowed = {"terrain": SIGNS, "grades": "0123456789", "roads": ".1234567", "rivers": ".1234567"}[key]
    for row, signs in enumerate(lines, 1):
        if len(signs) != len(lines[0]):
            raise BadInput(
                f"row {row} has {len(signs)} hexes, row 1 has {len(lines[0])}", file=f"map {document.name}", key=key
            )
        for column, sign in enumerate(signs, 1):
            if sign not in list(allowed):
                raise BadInput(
                    f"row {row}, column {column}: {sign!r} is wrong, use {one_of(allowed)}",
                    file=f"map {document.name}",
                    key=key,
                )
    if not lines:
        raise BadInput("is empty", file=f"map {document.name}", key=key)
    drawing = np.array(lines)
    return np.char.replace(drawing, ".", "0") if key in ("roads", "rivers") else drawing


def _links(drawing: np.ndarray, neighbour: np.ndarray) -> np.ndarray:
    """Roads or rivers by direction, as bool (hexes, 6): each is drawn once and goes both ways."""
    sums = drawing.astype(np.int64).ravel()
    links = np.zeros(neighbour.shape, bool)
    for part, direction in _LINKS:
        ends = np.flatnonzero(((sums & part) > 0) & (neighbour[:, direction] != NOWHERE))
        links[ends, direction] = True
        links[neighbour[ends, direction], direction + OPPOSITE if direction < OPPOSITE else direction - OPPOSITE] = True
    return links


def _check_links(chart: Chart, drawings: dict[str, np.ndarray]) -> None:
    """Roads and rivers lie between neighbours, and a road leads through no water (TH-1.1)."""
    for key in ("roads", "rivers"):
        sums = drawings[key].astype(np.int64).ravel()
        for part, direction in _LINKS:
            for number in map(int, np.flatnonzero(sums & part)):
                other = chart.neighbour[number, direction]
                link = f"{chart.where(number)}: the link {DIRECTIONS[direction]}"
                if other == NOWHERE:
                    wrong = "leads off the map: no neighbour is there"
                elif key == "roads" and WATER in (chart.terrain[number], chart.terrain[other]):
                    wrong = "leads through water, which is closed; a bridge is a road over a river edge"
                else:
                    continue
                raise BadInput(f"{link} {wrong}", file=f"map {chart.name}", key=key)


def _check_symmetry(chart: Chart) -> None:
    """Half a turn shows the same map: neither side is favoured by ground (TH-1.1)."""
    turned = np.roll(np.arange(len(DIRECTIONS)), OPPOSITE)
    for key, values in (
        ("terrain", chart.terrain),
        ("grades", chart.grade),
        ("roads", chart.road),
        ("rivers", chart.river),
    ):
        mirrored = values[::-1] if values.ndim == 1 else values[::-1, turned]
        differs = np.flatnonzero((values != mirrored).reshape(chart.hexes, -1).any(axis=1))
        if len(differs):
            number = int(differs[0])
            raise BadInput(
                f"{chart.where(number)} differs from {chart.where(chart.hexes - 1 - number)}: half a turn must show the"
                " same map",
                file=f"map {chart.name}",
                key=key,
            )


def _check_connected(chart: Chart) -> None:
    """Every hex but water can be reached from every other."""
    dry = chart.terrain != WATER
    if not dry.any():
        raise BadInput("there is nothing but water", file=f"map {chart.name}", key="terrain")
    reached = np.zeros(chart.hexes, bool)
    pending = [int(np.argmax(dry))]
    reached[pending] = True
    while pending:
        for other in chart.neighbour[pending.pop()]:
            if other != NOWHERE and dry[other] and not reached[other]:
                reached[other] = True
                pending.append(int(other))
    cut_off = np.flatnonzero(dry & ~reached)
    if len(cut_off):
        raise BadInput(
            f"{chart.where(int(cut_off[0]))} cannot be reached from {chart.where(int(np.argmax(dry)))}",
            file=f"map {chart.name}",
            key="terrain",
        )
