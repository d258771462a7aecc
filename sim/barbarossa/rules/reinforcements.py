"""4 Reinforcements, and what nations may not do."""

import numpy as np

from sim.barbarossa.rules.game import become, borders_soviet, enter, fall, go, is_axis, nation_in, note, units_in
from sim.barbarossa.state import (
    AXIS,
    GONE,
    HUNGARIAN,
    LEFT_THE_GAME,
    LOST,
    MOST_UNITS,
    NOWHERE,
    ON_MAP,
    REINFORCEMENT,
    RUMANIAN,
    SOVIET,
    WAITING,
)
from sim.compiled import inlined_njit, inner_njit, room


@inner_njit
def lose(game, unit):
    """BB-4.1: a unit is lost; it comes back after three turns, an Italian never. Its region is left to the caller."""
    loser = game.state.units[unit]
    side = game.state.sides[AXIS]
    note(game, LOST, AXIS, unit, loser.region, NOWHERE)
    side.lost += 1
    side.losses += 1
    go(game, unit, NOWHERE)
    if game.rules.never_returns[loser.nation] == 1:
        become(game, unit, GONE)
        return
    become(game, unit, WAITING)
    loser.due = game.state.turn + game.rules.returns_after
    loser.rank = side.losses


@inner_njit
def next_reinforcement(game, skipped):
    """BB-4.1: the unit whose turn it is to come, or `NOWHERE`.

    A calendar unit of this turn goes first, then the longest due, then the order of loss. ``skipped`` (units,) marks
    those that found no place.
    """
    turn = game.state.turn
    best = NOWHERE
    for i in range(game.state.n_units):
        unit = game.state.units[i]
        if unit.status != WAITING or unit.due > turn or skipped[i] == 1:
            continue
        if best == NOWHERE or _comes_before(game, i, best, turn):
            best = i
    return best


@inner_njit
def _comes_before(game, i, j, turn):
    a, b = game.state.units[i], game.state.units[j]
    a_is_of_this_turn = a.rank == 0 and a.due == turn
    b_is_of_this_turn = b.rank == 0 and b.due == turn
    if a_is_of_this_turn != b_is_of_this_turn:
        return a_is_of_this_turn
    if a.due != b.due:
        return a.due < b.due
    return a.rank < b.rank


@inner_njit
def reinforcements_now(game):
    """BB-4.1: how many units may come this turn."""
    if game.state.turn == game.rules.unlimited_turn:
        return game.state.n_units
    return game.rules.reinforcements_each_turn


@inner_njit
def may_place(game, unit, region):
    """BB-4.2: any Axis region that is not front, and the nation's homes, front or not; closed regions as BB-4.4."""
    nation = game.state.units[unit].nation
    return (
        is_axis(game, region)
        and (game.board.is_home[nation, region] == 1 or not borders_soviet(game, region))
        and may_enter(game, unit, region)
        and not would_share(game, unit, region)
    )


@inner_njit
def has_place(game, unit):
    """BB-4.2: whether a unit may be placed anywhere."""
    for region in range(game.state.n_places):
        if may_place(game, unit, region):
            return True
    return False


@inner_njit
def place(game, unit, region):
    """BB-4.2: a reinforcement comes."""
    arrival = game.state.units[unit]
    become(game, unit, ON_MAP)
    arrival.due = 0
    arrival.rank = -1
    note(game, REINFORCEMENT, AXIS, unit, region, NOWHERE)
    enter(game, unit, region)


@inlined_njit
def departures(game):
    """BB-4.3: nations whose capital is Soviet leave for good; the regions that they empty may fall, and so on."""
    changed = True
    while changed:
        changed = False
        for nation in range(4):
            capital = game.board.leaves_with[nation]
            lost = capital != NOWHERE and game.state.places[capital].holder == SOVIET
            if lost and game.state.in_play[nation] > 0:
                leave_the_game(game, nation)
                changed = True


@inner_njit
def calendar_departures(game):
    """BB-4.3: nations that leave the game before the movement of this turn (Italians, A43)."""
    for nation in range(4):
        leaves_in = game.rules.leaves_in[nation]
        if leaves_in != 0 and leaves_in <= game.state.turn and game.state.in_play[nation] > 0:
            leave_the_game(game, nation)
            departures(game)


@inner_njit
def leave_the_game(game, nation):
    """BB-4.3: all units of a nation, waiting ones too, leave for good."""
    emptied = room(MOST_UNITS, np.int64)
    n_emptied = 0
    for i in range(game.state.n_units):
        unit = game.state.units[i]
        if unit.nation != nation or unit.status == GONE:
            continue
        region = unit.region
        note(game, LEFT_THE_GAME, AXIS, i, region, NOWHERE)
        become(game, i, GONE)
        go(game, i, NOWHERE)
        unit.due = 0
        unit.rank = -1
        if region != NOWHERE and units_in(game, region) == 0:
            emptied[n_emptied] = region
            n_emptied += 1
    fall(game, emptied, n_emptied)


@inner_njit
def may_enter(game, unit, region):
    """BB-4.4: Rumanians never go north of the line from Belgrade to Stalingrad."""
    return game.board.may_enter[game.state.units[unit].nation, region] == 1


@inner_njit
def would_share(game, unit, region):
    """BB-4.4: whether a unit would share a region with the other of Rumanians and Hungarians."""
    nation = game.state.units[unit].nation
    if nation == RUMANIAN:
        return nation_in(game, HUNGARIAN, region) > 0
    if nation == HUNGARIAN:
        return nation_in(game, RUMANIAN, region) > 0
    return False


@inner_njit
def give_up(game, nation, region):
    """BB-4.4: a retreat has brought Rumanians and Hungarians together: one nation's units there are lost."""
    unit = game.state.first_in[region]
    while unit != NOWHERE:
        following = game.state.next_in[unit]
        if game.state.units[unit].nation == nation:
            lose(game, unit)
        unit = following
