"""The generated family of scenarios: ``random_<seed>`` (TH-8.1).

A seed gives a scenario and a map as documents, as a person could have written them: the loader checks them like any
other. Equal forces meet on a map of two hills, two villages, woods, a road and now and then a stream. Everything is
laid down together with its image under half a turn.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from sim.dice import dice_of, roll
from sim.geometry.graph import NOWHERE
from sim.geometry.hexagon import DIRECTIONS, Labels, distance, line, neighbour_table, q_of
from sim.tank_hex.chart import EAST, OPPOSITE, SIGNS, SOUTH_EAST, SOUTH_WEST

FAMILY = "random"
SQUARE, SQUARE_SIZE = "4560", 20
TURNS = 12
MAP_DICE = 0

_SIGN = {name: sign for sign, name in SIGNS.items()}


class Draft:
    """A map in the making; whatever is laid down appears at its image under half a turn, too."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.neighbour = neighbour_table(rows, columns)
        self.terrain = np.full(rows * columns, _SIGN["open"])
        self.grade = np.zeros(rows * columns, np.int64)
        self.road = np.zeros(rows * columns, np.int64)
        self.river = np.zeros(rows * columns, np.int64)

    def image(self, number: int) -> int:
        """The hex that lies opposite the middle of the map."""
        return self.rows * self.columns - 1 - number

    def disc(self, middle: int, radius: int) -> list[int]:
        """Hexes within a distance of one."""
        row, column = divmod(middle, self.columns)
        return [
            number
            for number in range(self.rows * self.columns)
            if distance(q_of(row, column), row, q_of(*divmod(number, self.columns)), number // self.columns) <= radius
        ]

    def cover(self, number: int, terrain: str) -> None:
        """Lays down a terrain."""
        self.terrain[[number, self.image(number)]] = _SIGN[terrain]

    def raise_to(self, number: int, grade: int) -> None:
        """Raises a hex to a grade, if it is lower."""
        both = [number, self.image(number)]
        self.grade[both] = np.maximum(self.grade[both], grade)

    def link(self, drawing: np.ndarray, number: int, other: int) -> None:
        """Joins two neighbours by a road, or parts them by a river."""
        for a, b in ((number, other), (self.image(number), self.image(other))):
            direction = int(np.flatnonzero(self.neighbour[a] == b)[0])
            if DIRECTIONS[direction] not in ("E", "SE", "SW"):
                a, direction = b, (direction + OPPOSITE) % len(DIRECTIONS)
            drawing[a] |= {"E": EAST, "SE": SOUTH_EAST, "SW": SOUTH_WEST}[DIRECTIONS[direction]]

    def way(self, start: int, end: int) -> None:
        """A road along the straight line between two hexes."""
        a, b = divmod(start, self.columns), divmod(end, self.columns)
        points = {point: (row, column) for point, row, column in line(*a, *b)}
        hexes = [start, *(row * self.columns + column for row, column in points.values()), end]
        for number, other in pairwise(hexes):
            if number != other:
                self.link(self.road, number, other)

    def crossing(self) -> int:
        """A hex in the middle of the map that is a neighbour of its own image."""
        return next(n for n in range(self.rows * self.columns) if self.image(n) in self.neighbour[n])

    def banks(self, border: list[int]) -> None:
        """A stream: in each row of the upper half the hexes from a column on lie east of it."""
        lower = [self.columns - column for column in reversed(border)]
        west = np.array([[c < column for c in range(self.columns)] for column in (*border, *lower)]).ravel()
        for number in np.flatnonzero(west):
            for other in self.neighbour[number]:
                if other != NOWHERE and not west[other]:
                    self.link(self.river, int(number), int(other))

    def text(self, drawing: np.ndarray) -> str:
        """A drawing as a map file has it: a row a line, odd rows shifted right."""
        signs = np.where(drawing == 0, ".", drawing.astype(str)) if drawing is not self.grade else drawing.astype(str)
        signs = drawing if drawing is self.terrain else signs
        rows = signs.reshape(self.rows, self.columns)
        return "\n".join(" " * (row & 1) + " ".join(rows[row]) for row in range(self.rows)) + "\n"

    def document(self, name: str, square: str) -> dict[str, Any]:
        """The map file."""
        return {
            "name": name,
            "rulebook": "tank_hex",
            "square": square,
            "terrain": self.text(self.terrain),
            "grades": self.text(self.grade),
            "roads": self.text(self.road),
            "rivers": self.text(self.river),
        }


class _Chance:
    """Dice of one seed, rolled in order."""

    def __init__(self, seed: int) -> None:
        self.dice = dice_of(seed, 0)
        self.rolled = 0

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high."""
        self.rolled += 1
        with np.errstate(over="ignore"):  # uint64 wraps by design; NumPy warns of it where the compiler is off
            return low - 1 + int(roll(self.dice, MAP_DICE, 0, 0, self.rolled, high - low + 1))


def generate(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Scenario and map ``random_<seed>``: documents that `sim.tank_hex.board.load` takes."""
    chance = _Chance(seed)
    name = f"{FAMILY}_{seed}"
    draft = Draft(2 * chance.between(14, 17), chance.between(40, 50))
    village = _lay_out(draft, chance)
    labels = Labels(draft.rows, draft.columns, SQUARE, SQUARE_SIZE)
    tanks = chance.between(5, 8)
    rows = sorted({chance.between(3, draft.rows - 4) for _ in range(4 * tanks)})
    first = chance.between(0, len(rows) - tanks)
    units = [row * draft.columns + chance.between(1, 4) for row in rows[first : first + tanks]]
    scenario = {
        "name": name,
        "rulebook": "tank_hex",
        "title": f"Generated meeting {seed}",
        "map": name,
        "sides": {"red": "Red", "blue": "Blue"},
        "turn_limit": TURNS,
        "objectives": [
            {"name": place, "hex": labels.label(*divmod(number, draft.columns)), "holder": holder}
            for place, number, holder in (
                ("West village", village, "red"),
                ("East village", draft.image(village), "blue"),
            )
        ],
        "units": [
            {"name": f"{side.capitalize()} {k}", "side": side, "hex": labels.label(*divmod(number, draft.columns))}
            for side, numbers in (("red", units), ("blue", [draft.image(number) for number in units]))
            for k, number in enumerate(numbers, 1)
        ],
    }
    return scenario, draft.document(name, SQUARE)


def _lay_out(draft: Draft, chance: _Chance) -> int:
    """Hills, a stream, woods, villages and a road; returns the middle of the western village."""
    rows, columns = draft.rows, draft.columns

    def somewhere(first: int, last: int) -> int:
        return chance.between(2, rows - 3) * columns + chance.between(first, last)

    for _ in range(2):
        top, radius = somewhere(6, columns // 2 - 1), chance.between(3, 4)
        for grade in (1, 2):
            for number in draft.disc(top, radius - 2 * (grade - 1)):
                draft.raise_to(number, grade)
    wooded = chance.between(10, 14) * rows * columns // 100
    while np.count_nonzero(draft.terrain == _SIGN["woods"]) < wooded:
        for number in draft.disc(somewhere(1, columns - 2), chance.between(1, 2)):
            if chance.between(1, 4) > 1:
                draft.cover(number, "woods")
    village = somewhere(columns // 4, columns // 2 - 4)
    for number in draft.disc(village, 1):
        if number == village or chance.between(1, 3) > 1:
            draft.cover(number, "built_up")
    middle = draft.crossing()
    draft.way(somewhere(0, 0), village)
    draft.way(village, middle)
    draft.link(draft.road, middle, draft.image(middle))
    if chance.between(1, 2) == 1:
        border = [columns // 2]
        for _ in range(rows // 2 - 1):
            border.append(min(max(border[-1] + chance.between(-1, 1), columns // 3), 2 * columns // 3))
        draft.banks(border[::-1])
    return village
