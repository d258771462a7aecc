"""FC-5.9: who sees whom."""

import numpy as np
from numba import njit

from sim.first_contact.rules.game import end_of_units, enemy_of, first_unit, is_able
from sim.first_contact.state import LINES_A_NUMBER, MOST_POSTS, NOWHERE, ON_FOOT, ON_TRACKS, SQUAD
from sim.geometry.sight import sees

BLOCKED, CLEAR = np.int64(2), np.int64(3)  # a line of sight that is known; 0 stands for one that is not


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
    """FC-5.9: whether two units of different sides see each other; a line is worked out once and kept."""
    work = game.work
    if work.n_posts > MOST_POSTS - 2:
        forget_lines(work)
    post, end = post_of(game, unit), post_of(game, other)
    number, shift = end // LINES_A_NUMBER, 2 * (end % LINES_A_NUMBER)
    known = work.lines[post, number] >> shift & 3
    if known == 0:
        units = game.state.units
        known = CLEAR if sees_from(game, unit, units[unit].location, units[other].location, other) else BLOCKED
        work.lines[post, number] |= known << shift
        work.lines[end, post // LINES_A_NUMBER] |= known << 2 * (post % LINES_A_NUMBER)
    return known == CLEAR


@njit
def post_of(game, unit):
    """Number that lines of sight from where a unit stands are kept under.

    It is that of the cell, whoever stands there; but in a building who does counts (see `sees_from`).
    """
    row, work = game.state.units[unit], game.work
    on = ON_FOOT if row.kind == SQUAD or game.board.building[row.location] == NOWHERE else ON_TRACKS
    post = work.post[on, row.location]
    if post == NOWHERE:
        post = work.n_posts
        work.post[on, row.location] = post
        work.n_posts += 1
    return post


@njit
def forget_lines(work):
    """Makes room for lines of sight from other cells."""
    work.n_posts = 0
    work.post[:] = NOWHERE
    work.lines[:] = 0


@njit
def is_seen(game, unit):
    """FC-5.9: whether any able unit of the other side sees a unit."""
    work = game.work
    last = work.spotter[unit]
    if last != NOWHERE and is_able(game, last) and can_see(game, unit, last):
        return True
    # Nobody saw it when it was last looked for in vain: as long as it stays, only those that moved since can.
    since = work.hidden_at[unit] if work.moved_at[unit] <= work.hidden_at[unit] else NOWHERE
    side = enemy_of(game.state.units[unit].side)
    for other in range(first_unit(game, side), end_of_units(game, side)):
        if work.moved_at[other] > since and is_able(game, other) and can_see(game, unit, other):
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
