"""Chapters 1 and 3: the map and sight."""

from sim.compiled import inner_njit
from sim.geometry import hexagon as geometry
from sim.tank_hex.chart import OPPOSITE
from sim.tank_hex.state import BUILT_UP, NOWHERE, WOODS

# Cube coordinates of one step, by direction (TH-1.3).
_Q_STEP = geometry.Q_STEP
_ROW_STEP = geometry.ROW_STEP


@inner_njit
def distance(game, a, b):
    """TH-1.1: steps between two hexes."""
    board = game.board
    return geometry.distance(board.q[a], board.row[a], board.q[b], board.row[b])


@inner_njit
def drift_direction(game, die):
    """TH-1.3: the direction that a face of the drift die means; the opposite one in a mirrored game."""
    return (game.rules.drift_direction[die] + game.mirror * OPPOSITE) % len(_Q_STEP)


@inner_njit
def drifted(game, hexagon, direction, steps):
    """TH-1.3: the hex that lies some steps away in a direction, or `NOWHERE` off the map."""
    board = game.board
    row = board.row[hexagon] + steps * _ROW_STEP[direction]
    column = geometry.column_of(board.q[hexagon] + steps * _Q_STEP[direction], row)
    if row < 0 or row >= board.rows or column < 0 or column >= board.columns:
        return NOWHERE
    return row * board.columns + column


@inner_njit
def is_close(game, hexagon):
    """TH-4.7, TH-7.3: whether a hex is woods or built-up."""
    terrain = game.board.terrain[hexagon]
    return terrain in (WOODS, BUILT_UP)


@inner_njit
def sees(game, a, b):
    """TH-3.1: whether two hexes see each other."""
    return (game.board.sight[a, b >> 6] >> (b & 63)) & 1 == 1
