"""Where a tank can get to: hexes within reach by fewest MP, on the march, and paths kept for the steps of a move.

A way is one number: the hex where it ends, the direction of its last step, whether it is a march, and the row of the
way before that step in the table of ways (`way_to`). Blue counts directions from the west, so that ties between ways
favour neither side.
"""

import numpy as np

from sim.compiled import array_njit, inner_njit
from sim.fields import numbered
from sim.geometry.hexagon import DIRECTIONS
from sim.geometry.hexagon_sight import WORD
from sim.tank_hex.chart import OPPOSITE
from sim.tank_hex.rules.game import end_of, first_of, tanks_in, tie_key
from sim.tank_hex.rules.ground import distance
from sim.tank_hex.rules.sequence import may_fire
from sim.tank_hex.state import NOWHERE, OPPORTUNITY, RED

N_DIRECTIONS = np.int64(len(DIRECTIONS))

PATH = np.int64(32)
"""Place in memory of the steps that `plan_path` has planned: direction by direction, from the end of the list."""
STEPS_LEFT = np.int64(31)
"""Place in memory of how many of them are left."""

OWN, FOES, SEEN, COVERED = numbered(4)
"""Rows of `marks_of`: where own tanks are and where enemies are; what those out of close combat see; and what those of
them see that may give opportunity fire."""


@array_njit
def marks_of(game, side):
    """What a side has to know of hexes, as bits like ``board.sight``: int64 (4, words), a row for each of the above."""
    words = (game.board.hexes + WORD - 1) // WORD
    marks = np.zeros((4, words), np.int64)
    for unit in range(game.state.n_units):
        tank = game.state.units[unit]
        if tank.hex == NOWHERE:
            continue
        marks[OWN if tank.side == side else FOES, tank.hex >> 6] |= 1 << (tank.hex & 63)
        if tank.side == side or tank.in_combat == 1:
            continue
        reacts = -1 if may_fire(game, OPPORTUNITY, unit) else 0
        for word in range(words):
            sight = game.board.sight[tank.hex, word]
            marks[SEEN, word] |= sight
            marks[COVERED, word] |= sight & reacts
    return marks


@inner_njit
def is_marked(marks, kind, hexagon):
    """Whether a hex is among those of a row of marks."""
    return (marks[kind, hexagon >> 6] >> (hexagon & 63)) & 1 == 1


@inner_njit
def way_to(hexagon, direction, marched, before):
    """A way as a number."""
    return hexagon | direction << 16 | marched << 19 | before << 20


@inner_njit
def hex_of(way):
    """The hex where a way ends."""
    return way & 0xFFFF


@inner_njit
def direction_of(way):
    """The direction of a way's last step."""
    return (way >> 16) & 7


@inner_njit
def is_march(way):
    """Whether a way is one on the march: 1 or 0."""
    return (way >> 19) & 1


@inner_njit
def before(way):
    """The row of the way before a way's last step."""
    return way >> 20


@inner_njit
def most_ways(game, movement):
    """More ways than a tank with some MP has."""
    return 3 * movement * (movement + 1) + 1 + N_DIRECTIONS * game.rules.march * movement


@inner_njit
def reach(game, unit, movement, marks, ways):
    """Fills a table (most ways,) with the ways to all hexes that a tank can get to with some MP; returns how many.

    The tank's own hex is the first. First come those by fewest MP, then those on the march. Own tanks are passed
    through, but not on the march; a hex with enemies ends the move (TH-6.8).
    """
    tank = game.state.units[unit]
    count = 0
    if movement == game.rules.movement and is_alone(game, unit, movement):
        count = free_ways(game, tank.side, tank.hex, ways)
    if count == 0:
        count = search(game, tank.side, tank.hex, movement, marks, ways)
    if tanks_in(game, tank.side, tank.hex) == 1:
        count = search_marches(game, tank.side, movement, marks, count, ways)
    return count


@inner_njit
def is_alone(game, unit, hexes):
    """Whether no enemy is nearer to a tank than some hexes."""
    tank = game.state.units[unit]
    for enemy in range(first_of(game, 1 - tank.side), end_of(game, 1 - tank.side)):
        place = game.state.units[enemy].hex
        if place != NOWHERE and distance(game, tank.hex, place) < hexes:
            return False
    return True


@inner_njit
def free_ways(game, side, start, ways):
    """Fills a table with the ways from a hex with nobody in the way, which the board has; returns how many.

    Blue's are those of the hex where red would be if the map were turned round.
    """
    board = game.board
    image = tie_key(game, side, start)
    count = board.n_ways[image]
    for row in range(count):
        way = board.ways[image, row]
        if side == RED:
            ways[row] = way
        else:
            hexagon, direction = board.hexes - 1 - hex_of(way), (direction_of(way) + OPPOSITE) % N_DIRECTIONS
            ways[row] = way_to(hexagon, direction, 0, before(way))
    return count


@array_njit
def search(game, side, start, movement, marks, ways):
    """Fills a table with the ways from a hex by fewest MP; returns how many."""
    board = game.board
    most = 3 * movement * (movement + 1) + 1
    fewest = np.full(board.hexes, movement + 1)  # MP to each hex
    # By MP the ways that wait to be gone on from, and first how many.
    waiting = np.empty((movement + 1, most + 1), np.int64)
    for points in range(movement + 1):
        waiting[points, 0] = 0
    fewest[start] = 0
    waiting[0, 0], waiting[0, 1] = 1, way_to(start, side * OPPOSITE, 0, 0)
    count = 0
    for points in range(movement + 1):
        for i in range(waiting[points, 0]):
            way = waiting[points, i + 1]
            hexagon = hex_of(way)
            if fewest[hexagon] < points:
                continue
            ways[count] = way
            count += 1
            if points == movement or is_marked(marks, FOES, hexagon):
                continue
            for turn in range(N_DIRECTIONS):
                direction = side * OPPOSITE + turn
                if direction >= N_DIRECTIONS:
                    direction -= N_DIRECTIONS
                cost = board.cost[hexagon, direction]
                if cost == 0:
                    continue
                total, other = points + cost, board.neighbour[hexagon, direction]
                if total < fewest[other]:
                    fewest[other] = total
                    waiting[total, 0] += 1
                    waiting[total, waiting[total, 0]] = way_to(other, direction, 0, count - 1)
    return count


@inner_njit
def search_marches(game, side, movement, marks, count, ways):
    """TH-6.1: adds the ways of a tank on the march to a table of ways; returns how many there are then."""
    board, start = game.board, hex_of(ways[0])
    first, step, ring = count, 0, 1
    while ring > 0 and step < game.rules.march * movement:
        # Hexes found in the step before; in the first one the tank's own.
        begin = count - ring if step > 0 else 0
        end = begin + ring
        step, ring = step + 1, 0
        for row in range(begin, end):
            hexagon = hex_of(ways[row])
            if is_marked(marks, FOES, hexagon):
                continue
            for turn in range(N_DIRECTIONS):
                direction = (turn + side * OPPOSITE) % N_DIRECTIONS
                if board.road[hexagon, direction] == 0 or count == len(ways):
                    continue
                other = board.neighbour[hexagon, direction]
                known = other == start or is_marked(marks, OWN, other)
                for i in range(first, count):
                    known = known or hex_of(ways[i]) == other
                if known:
                    continue
                ways[count] = way_to(other, direction, 1, row)
                count += 1
                ring += 1
    return count


@inner_njit
def plan_path(ways, goal, memory):
    """Keeps in memory the steps to a row of a table of ways, for `policy.follow_path`."""
    count = 0
    while goal > 0 and PATH + count < len(memory):
        memory[PATH + count] = direction_of(ways[goal])
        count += 1
        goal = before(ways[goal])
    memory[STEPS_LEFT] = count
