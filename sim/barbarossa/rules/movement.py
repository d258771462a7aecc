"""2 Movement."""

import numpy as np

from sim.barbarossa.board import PHASE_END
from sim.barbarossa.rules.game import (
    are_neighbours,
    become_soviet,
    borders_soviet,
    enter,
    garrison_the_vacated,
    is_axis,
    is_vacated,
    leave,
    note,
)
from sim.barbarossa.rules.reinforcements import departures, may_enter, would_share
from sim.barbarossa.state import AXIS, MOST_PLACES, MOVE, ON_MAP, VACATED
from sim.compiled import inlined_njit, inner_njit, room


@inner_njit
def may_move(game, unit, region):
    """BB-2.1: one step along a line to an Axis region, once a turn; closed regions as BB-4.4."""
    mover = game.state.units[unit]
    return (
        mover.status == ON_MAP
        and mover.moved_in != game.state.turn
        and are_neighbours(game, mover.region, region)
        and is_axis(game, region)
        and may_enter(game, unit, region)
        and not would_share(game, unit, region)
    )


@inner_njit
def move(game, unit, region):
    """BB-2.1: a unit moves one step; a garrison that it meets is removed, the region that it left is looked at."""
    mover = game.state.units[unit]
    origins = room(1, np.int64)
    origins[0] = mover.region
    note(game, MOVE, AXIS, unit, region, mover.region)
    mover.moved_in = game.state.turn
    enter(game, unit, region)
    leave(game, origins, 1)
    departures(game)


@inlined_njit
def end_phase(game):
    """BB-2.2, option ``vacated = phase_end``: one look at every vacated region, all on the same situation."""
    if game.rules.vacated != PHASE_END:
        return
    falling = room(MOST_PLACES, np.int64)
    held = room(MOST_PLACES, np.int64)
    n_falling = n_held = 0
    for region in range(game.state.n_places):
        if not is_vacated(game, region):
            continue
        if borders_soviet(game, region):
            falling[n_falling] = region
            n_falling += 1
        else:
            held[n_held] = region
            n_held += 1
    garrison_the_vacated(game, held, n_held)
    for i in range(n_falling):
        become_soviet(game, falling[i], VACATED)
    departures(game)
