"""Line of sight by the words of FC-5.9, slow and plain: what faster code is measured against."""

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from sim.first_contact.ground import Cell, Ground
from sim.first_contact.state import BARN, FOREST, HAYSTACK, HOUSE, NOWHERE

EYE = 20  # decimetres above the ground
OBSTACLES: Mapping[int, int] = {int(FOREST): 150, int(BARN): 60, int(HOUSE): 60, int(HAYSTACK): 30}


def crossings(start: Cell, end: Cell) -> list[tuple[Cell, Fraction]]:
    """Cells whose interior the line between two cells' middles crosses, each with the middle of its crossing.

    Between two of the moments at which the line passes from one row or column to the next it is within one cell.
    """
    moments = {Fraction(0), Fraction(1)}
    for length in (abs(end[0] - start[0]), abs(end[1] - start[1])):
        moments |= {Fraction(2 * k + 1, 2 * length) for k in range(length)}
    found = []
    for enters, leaves in pairwise(sorted(moments)):
        middle = (enters + leaves) / 2
        row, column = (math.floor(a + (b - a) * middle + Fraction(1, 2)) for a, b in zip(start, end, strict=True))
        found.append(((row, column), middle))
    return found


def sees(ground: Ground, start: Cell, end: Cell) -> bool:
    """Whether nothing stands between two cells; a squad looks out of its own building freely (FC-6.5)."""
    eye, other = int(ground.height[start]) + EYE, int(ground.height[end]) + EYE
    own = {int(ground.building[start]), int(ground.building[end])} - {int(NOWHERE)}
    for cell, middle in crossings(start, end):
        if cell in (start, end) or int(ground.building[cell]) in own:
            continue
        if int(ground.height[cell]) + OBSTACLES.get(int(ground.terrain[cell]), 0) > eye + (other - eye) * middle:
            return False
    return True
