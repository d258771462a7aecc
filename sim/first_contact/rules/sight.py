"""FC-5.9: who sees whom."""

import numpy as np

from sim.compiled import inner_njit
from sim.first_contact.rules.game import end_of, enemy_of, first_of, is_able
from sim.first_contact.state import (
    LINES_A_NUMBER,
    MOST_POSTS,
    MOST_UNITS,
    NO_CELL,
    NOWHERE,
    ON_FOOT,
    ON_MAP,
    ON_TRACKS,
    SQUAD,
)
from sim.geometry.sight import sees
from sim.geometry.square import WIDTH

BLOCKED, CLEAR = np.int64(2), np.int64(3)  # a line of sight that is known; 0 stands for one that is not


@inner_njit
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


@inner_njit
def can_see(game, unit, other):
    """FC-5.9: whether two units of different sides see each other; a line is worked out once and kept."""
    work = game.work
    if work.n_posts > MOST_POSTS - 2:
        forget_lines(work)
    post, end = post_of(game, unit), post_of(game, other)
    known = work.lines[post, end // LINES_A_NUMBER] >> 2 * (end % LINES_A_NUMBER) & 3
    return (work_out_line(game, unit, other) if known == 0 else known) == CLEAR


@inner_njit
def work_out_line(game, unit, other):
    """FC-5.9: works out whether the line between two units is `CLEAR` or `BLOCKED`, and keeps it both ways."""
    units, lines = game.state.units, game.work.lines
    post, end = post_of(game, unit), post_of(game, other)
    found = CLEAR if sees_from(game, unit, units[unit].location, units[other].location, other) else BLOCKED
    lines[post, end // LINES_A_NUMBER] |= found << 2 * (end % LINES_A_NUMBER)
    lines[end, post // LINES_A_NUMBER] |= found << 2 * (post % LINES_A_NUMBER)
    return found


@inner_njit
def post_of(game, unit):
    """Number that lines of sight from where a unit stands are kept under."""
    here = game.work.here[unit]
    if here.cell != game.state.units[unit].location:
        here.cell = game.state.units[unit].location
        here.post = number_post(game, unit, here.cell)
    return here.post


@inner_njit
def number_post(game, unit, cell):
    """The number of a cell as a post, whoever stands there; but in a building who does counts (see `sees_from`)."""
    work = game.work
    is_open = game.board.building[cell] == NOWHERE
    on = ON_FOOT if is_open or game.state.units[unit].kind == SQUAD else ON_TRACKS
    if work.post[on, cell] == NOWHERE:
        work.post[on, cell] = work.n_posts
        work.n_posts += 1
    return work.post[on, cell]


@inner_njit
def forget_lines(work):
    """Makes room for lines of sight from other cells."""
    work.n_posts = 0
    work.post[:] = NOWHERE
    for unit in range(MOST_UNITS):
        work.here[unit].cell = NO_CELL
    work.lines[:] = 0


@inner_njit
def is_seen(game, unit):
    """FC-5.9: whether any able unit of the other side sees a unit."""
    work = game.work
    last = work.spotter[unit]
    if last != NOWHERE and is_able(game, last) and can_see(game, unit, last):
        return True
    # Nobody saw it when it was last looked for in vain: as long as it stays, only those that moved since can.
    since = work.hidden_at[unit] if work.moved_at[unit] <= work.hidden_at[unit] else NOWHERE
    side = enemy_of(game.state.units[unit].side)
    for other in range(first_of(game, side), end_of(game, side)):
        if work.moved_at[other] > since and is_able(game, other) and can_see(game, unit, other):
            work.spotter[unit] = other
            return True
    work.hidden_at[unit] = work.clock
    return False


@inner_njit
def list_marks(game, side):
    """Lists the units of a side that are on the map, but for those that are known to be hidden, while nothing moves."""
    work = game.work
    work.n_marks = 0
    for unit in range(first_of(game, side), end_of(game, side)):
        row = game.state.units[unit]
        # Hidden is who has been looked for in vain since anything last moved.
        if row.status == ON_MAP and work.hidden_at[unit] != work.clock:
            mark = work.marks[work.n_marks]
            mark.unit = unit
            mark.row = row.location // WIDTH
            mark.column = row.location % WIDTH
            mark.is_squad = row.kind == SQUAD
            work.n_marks += 1


@inner_njit
def cells_to(mark, row, column):
    """Square of the distance to one of those listed, in cells."""
    down, right = mark.row - row, mark.column - column
    return down * down + right * right


@inner_njit
def sees_cell(game, side, cell):
    """FC-7.3: whether any able unit of a side sees a cell."""
    for unit in range(first_of(game, side), end_of(game, side)):
        if is_able(game, unit) and sees_from(game, unit, game.state.units[unit].location, cell, NOWHERE):
            return True
    return False
