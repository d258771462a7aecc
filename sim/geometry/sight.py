"""Lines of sight over ground with heights, in whole numbers: nothing is rounded."""

from numba import njit

from sim.geometry.square import WIDTH


@njit
def sees(top, building, start, end, start_eye, end_eye, own, other):
    """Whether the line between the centres of two cells of a square grid is clear; the same both ways.

    A cell between them whose inside the line crosses blocks it if it reaches above the line at the middle of the
    crossing. A mere corner does not block, nor do the two end cells, nor cells of the buildings ``own`` and ``other``.
    ``top`` (cells,) is the height of ground and what stands on it, ``building`` (cells,) the number of a building or
    -1; eyes are heights above the same zero.
    """
    down = end // WIDTH - start // WIDTH
    right = end % WIDTH - start % WIDTH
    row_step = WIDTH if down > 0 else -WIDTH
    column_step = 1 if right > 0 else -1
    # Where along the line, ``whole`` long, it crosses borders of rows and of columns: odd multiples of these.
    to_column = max(abs(down), 1)
    to_row = max(abs(right), 1)
    whole = 2 * to_column * to_row
    next_column = to_column if right != 0 else whole
    next_row = to_row if down != 0 else whole
    lower_eye = min(start_eye, end_eye)
    rise = end_eye - start_eye
    cell = start
    entered = 0
    # The line is the same from both ends, so one walk to its middle does for both halves: what blocks a line is mostly
    # near one of its ends.
    while 2 * entered < whole:
        left = min(next_column, next_row)
        if cell != start:
            mirrored = start + end - cell
            across = rise * (entered + left)
            if (
                top[cell] > lower_eye
                and (top[cell] - start_eye) * 2 * whole > across
                and (building[cell] < 0 or (building[cell] != own and building[cell] != other))
            ) or (
                top[mirrored] > lower_eye
                and (top[mirrored] - end_eye) * 2 * whole > -across
                and (building[mirrored] < 0 or (building[mirrored] != own and building[mirrored] != other))
            ):
                return False
        if next_column == left:
            cell += column_step
            next_column += 2 * to_column
        if next_row == left:
            cell += row_step
            next_row += 2 * to_row
        entered = left
    return True
