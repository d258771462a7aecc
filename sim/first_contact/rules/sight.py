"""FC-5.9: who sees whom."""

from numba import njit

from sim.first_contact.rules.game import end_of_units, enemy_of, first_unit, is_able
from sim.first_contact.state import GERMAN, LINES_A_NUMBER, NOWHERE, SQUAD
from sim.geometry.sight import sees


@njit
def sees_from(game, unit, start, end, other):
    """FC-5.9: whether a unit in one cell and another unit (or `NOWHERE`) in a second one see each other.

    Only the kinds of the units count: cells of a squad's own barn or house do not block its view.
    """
    board, units = game.board, game.state.units
    own = board.building[start] if units[unit].kind == SQUAD else NOWHERE
    theirs = board.building[end] if other != NOWHERE and units[other].kind == SQUAD else NOWHERE
    return sees(
        board.top,
        board.building,
        start,
        end,
        board.height[start] + game.rules.eye,
        board.height[end] + game.rules.eye,
        own,
        theirs,
    )


@njit
def can_see(game, unit, other):
    """FC-5.9: whether two units of different sides see each other; kept as long as neither moves."""
    if game.state.units[unit].side == GERMAN:
        unit, other = other, unit
    start, end = game.state.units[unit].location, game.state.units[other].location
    known = game.work.sight[unit]
    column = other - game.state.n_soviet
    # Where both stand and, as the last bit, whether the line is clear.
    place = 2 * (start * len(game.board.terrain) + end)
    if known[column] >> 1 != place >> 1:
        known[column] = place + (1 if is_clear(game, unit, start, end, other) else 0)
    return known[column] & 1 == 1


@njit
def is_clear(game, unit, start, end, other):
    """FC-5.9: `sees_from`, worked out once and for all games of a batch if the line begins at a post in the open."""
    board = game.board
    post = board.post[start]
    if post == NOWHERE or board.building[end] != NOWHERE:
        return sees_from(game, unit, start, end, other)
    lines = game.work.lines[end]
    number, shift = post // LINES_A_NUMBER, 2 * (post % LINES_A_NUMBER)
    known = lines[number] >> shift & 3
    if known == 0:
        known = 3 if sees_from(game, unit, start, end, other) else 2
        lines[number] |= known << shift
    return known == 3


@njit
def is_seen(game, unit):
    """FC-5.9: whether any able unit of the other side sees a unit."""
    work = game.work
    last = work.spotter[unit]
    if last != NOWHERE and is_able(game, last) and can_see(game, last, unit):
        return True
    # Nobody saw it when it was last looked for in vain: as long as it stays, only those that moved since can.
    since = work.hidden_at[unit] if work.moved_at[unit] <= work.hidden_at[unit] else NOWHERE
    side = enemy_of(game.state.units[unit].side)
    for other in range(first_unit(game, side), end_of_units(game, side)):
        if work.moved_at[other] > since and is_able(game, other) and can_see(game, other, unit):
            work.spotter[unit] = other
            return True
    work.hidden_at[unit] = work.clock
    return False


@njit
def sees_cell(game, side, cell):
    """FC-7.3: whether any able unit of a side sees a cell."""
    for unit in range(first_unit(game, side), end_of_units(game, side)):
        if is_able(game, unit) and sees_from(game, unit, game.state.units[unit].location, cell, NOWHERE):
            return True
    return False
