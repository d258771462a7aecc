"""6 End, 7 Options, 8 What a game yields."""

from sim.barbarossa.rules.frame import go, take, units_in
from sim.barbarossa.state import (
    ALL_SOURCES_TAKEN,
    AXIS,
    DRAW,
    FAILED,
    GONE,
    ON_MAP,
    SCORED,
    SOVIET,
    WAITING,
)
from sim.compiled import inner_njit

# 6 End


@inner_njit
def axis_regions(game):
    """BB-6.1: all Axis regions count."""
    return game.state.sides[AXIS].territory


@inner_njit
def outcome(game, regions):
    """BB-6.1: the level of victory for a number of Axis regions."""
    level = 0
    for i in range(len(game.rules.levels)):
        if regions >= game.rules.levels[i]:
            level = i
    return level


# 7 Options


@inner_njit
def retreat_is_allowed(game):
    """BB-7.1, Fuhrer order: one region's stack may retreat in a calendar year; without the option any may."""
    year = game.rules.year[game.state.turn - 1]
    return game.rules.fuhrer_order == 0 or game.state.sides[AXIS].retreat_year != year


@inner_njit
def deploy(game, unit, region):
    """BB-7.1, flexible deployment: a German unit is placed in a region that is Axis on the map."""
    go(game, unit, region)


@inner_njit
def garrison_the_empty(game):
    """BB-7.1, flexible deployment: after it, a region that is Axis on the map holds units or else a garrison."""
    for region in range(game.state.n_places):
        if game.board.axis_at_start[region] == 1:
            take(game, region, AXIS)
            game.state.places[region].garrison = 1 if units_in(game, region) == 0 else 0


# 8 What a game yields


@inner_njit
def snapshot(game, record, number, entry):
    """BB-8: writes the state after a turn, as far as it is recorded."""
    count_units(game)
    if record.sides.shape[1] == 0:
        return
    state = game.state
    for i in range(2):
        record.sides[number, entry, i] = state.sides[i]
    if record.units.shape[1] > 0:
        for i in range(state.n_units):
            record.units[number, entry, i] = state.units[i]
    for i in range(state.n_places):
        record.places[number, entry, i] = state.places[i]


@inner_njit
def count_units(game):
    """BB-8: Axis units on the map, waiting and gone, as of now; whatever is recorded: a policy may read them."""
    axis = game.state.sides[AXIS]
    axis.on_map = game.state.by_status[ON_MAP]
    axis.waiting = game.state.by_status[WAITING]
    axis.gone = game.state.by_status[GONE]


@inner_njit
def write_result(game, result):
    """BB-6.1, BB-8: the result of a game; nothing but the fault if a policy failed."""
    state = game.state
    result.fault = state.fault
    if state.fault != 0:
        result.end_reason = FAILED
        result.turns = state.fault_turn
        result.fault_turn = state.fault_turn
        result.fault_value = state.fault_value
        return
    regions = axis_regions(game)
    level = outcome(game, regions)
    result.outcome = level
    result.winner = 2 if level == DRAW else (AXIS if level > DRAW else SOVIET)
    result.margin = regions - game.rules.levels[DRAW]
    decided = game.state.sides[AXIS].decided
    result.turns = decided if decided > 0 else state.turn - 1
    result.end_reason = ALL_SOURCES_TAKEN if decided > 0 else SCORED
    result.blue_territory = regions
    result.red_territory = game.state.n_places - regions
    result.axis_units_lost = game.state.sides[AXIS].losses
