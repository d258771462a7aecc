"""Where a tank can get to: hexes within reach by fewest MP, on the march, and paths kept for the steps of a move.

Blue counts directions from the west, so that ties between ways favour neither side.
"""

import numpy as np

import sim.tank_hex.rules as rules
from sim.compiled import array_njit, inner_njit
from sim.fields import numbered
from sim.geometry.hexagon import DIRECTIONS, Q_STEP, ROW_STEP
from sim.tank_hex.chart import OPPOSITE
from sim.tank_hex.state import NOWHERE

N_DIRECTIONS = np.int64(len(DIRECTIONS))

PATH = np.int64(32)
"""Place in memory of the steps that `plan_path` has planned: direction by direction, from the end of the list."""
STEPS_LEFT = np.int64(31)
"""Place in memory of how many of them are left."""
WAYS = ("hexagon", "direction", "before", "friends", "foes", "marched")
HEXAGON, DIRECTION, BEFORE, FRIENDS, FOES, MARCHED = numbered(WAYS)
"""Columns of a table of ways, a row for each hex within reach, the tank's own first.

The hex; direction of the last step; row of the hex before; other own tanks in it; enemies in it; 1 for a march.
"""

MP, OWN, ENEMIES = numbered(3)
"""Rows of a window of the map around a tank, a column for each cell: fewest MP to it; other own tanks and enemies."""


@array_njit
def reach(game, unit, movement):
    """The hexes that a tank can get to with some MP: their number and ways int64 (hexes, columns), see `WAYS`.

    First by fewest MP, then those on the march. Own tanks are passed through, but not on the march; a hex with enemies
    ends the move (TH-6.8).
    """
    board, units = game.board, game.state.units
    start, side = units[unit].hex, units[unit].side
    # A window of the map around the tank, cell by cell.
    width = 2 * movement + 1
    most = 3 * movement * (movement + 1) + 1
    cells = np.zeros((3, width * width), np.int64)
    for cell in range(width * width):
        cells[MP, cell] = movement + 1
    for other in range(game.state.n_units):
        place = units[other].hex
        if place == NOWHERE or other == unit or rules.distance(game, start, place) > movement:
            continue
        cell = (board.row[place] - board.row[start] + movement) * width + board.q[place] - board.q[start] + movement
        cells[OWN if units[other].side == side else ENEMIES, cell] += 1
    ways = np.empty((most + N_DIRECTIONS * game.rules.march * movement, len(WAYS)), np.int64)
    waiting = np.empty((movement + 1, most, 4), np.int64)
    length = np.zeros(movement + 1, np.int64)
    middle = movement * width + movement
    waiting[0, 0, 0], waiting[0, 0, 1], waiting[0, 0, 2], waiting[0, 0, 3] = start, middle, NOWHERE, 0
    cells[MP, middle] = 0
    length[0] = 1
    count = 0
    for points in range(movement + 1):
        for i in range(length[points]):
            hexagon, cell = waiting[points, i, 0], waiting[points, i, 1]
            if cells[MP, cell] != points:
                continue
            ways[count, HEXAGON], ways[count, DIRECTION] = hexagon, waiting[points, i, 2]
            ways[count, BEFORE], ways[count, MARCHED] = waiting[points, i, 3], 0
            ways[count, FRIENDS], ways[count, FOES] = cells[OWN, cell], cells[ENEMIES, cell]
            count += 1
            if cells[ENEMIES, cell] > 0 or points == movement:
                continue
            direction = side * OPPOSITE
            for _ in range(N_DIRECTIONS):
                other = cell + ROW_STEP[direction] * width + Q_STEP[direction]
                if cells[MP, other] > points + 1:
                    cost = board.cost[hexagon, direction]
                    total = points + cost
                    if cost > 0 and cells[MP, other] > total:
                        cells[MP, other] = total
                        k = length[total]
                        waiting[total, k, 0], waiting[total, k, 1] = board.neighbour[hexagon, direction], other
                        waiting[total, k, 2], waiting[total, k, 3] = direction, count - 1
                        length[total] = k + 1
                direction = direction + 1 if direction + 1 < N_DIRECTIONS else 0
    if cells[OWN, middle] == 0:
        count = reach_by_march(game, side, movement, count, ways)
    return count, ways


@inner_njit
def reach_by_march(game, side, movement, count, ways):
    """TH-6.1: adds the hexes that a tank can get to on the march to a table of ways; how many rows it has then."""
    first, step, ring = count, 0, 1
    while ring > 0 and step < game.rules.march * movement:
        # Hexes found in the step before; in the first one the tank's own.
        begin = count - ring if step > 0 else 0
        end = begin + ring
        step, ring = step + 1, 0
        for row in range(begin, end):
            if ways[row, FOES] > 0:
                continue
            for turn in range(N_DIRECTIONS):
                direction = (turn + side * OPPOSITE) % N_DIRECTIONS
                if game.board.road[ways[row, HEXAGON], direction] == 0 or count == len(ways):
                    continue
                other = game.board.neighbour[ways[row, HEXAGON], direction]
                known = other == ways[0, HEXAGON] or rules.tanks_in(game, side, other) > 0
                for i in range(first, count):
                    known = known or ways[i, HEXAGON] == other
                if known:
                    continue
                ways[count, HEXAGON], ways[count, DIRECTION], ways[count, BEFORE] = other, direction, row
                ways[count, FRIENDS], ways[count, FOES] = 0, rules.tanks_in(game, 1 - side, other)
                ways[count, MARCHED] = 1
                count += 1
                ring += 1
    return count


@inner_njit
def plan_path(ways, goal, memory):
    """Keeps in memory the steps to a row of a table of ways, for `policy.follow_path`."""
    count = 0
    while goal > 0 and PATH + count < len(memory):
        memory[PATH + count] = ways[goal, DIRECTION]
        count += 1
        goal = ways[goal, BEFORE]
    memory[STEPS_LEFT] = count
