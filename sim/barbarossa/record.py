"""8 What a game yields: the state after each turn, and the result."""

from sim.barbarossa.rules.end import axis_regions, outcome
from sim.barbarossa.state import ALL_SOURCES_TAKEN, AXIS, DRAW, FAILED, GONE, ON_MAP, SCORED, SOVIET, WAITING
from sim.compiled import inner_njit
from sim.log import write_fault, write_turn


@inner_njit
def snapshot(game, record, number, entry):
    """BB-8: writes the state after a turn, as far as it is recorded."""
    count_up(game)
    write_turn(game, record, number, entry)


@inner_njit
def count_up(game):
    """BB-8: Axis units on the map, waiting and gone, as of now; whatever is recorded: a policy may read them."""
    axis = game.state.sides[AXIS]
    axis.on_map = game.state.by_status[ON_MAP]
    axis.waiting = game.state.by_status[WAITING]
    axis.gone = game.state.by_status[GONE]


@inner_njit
def write_result(game, result):
    """BB-6.1, BB-8: the result of a game; nothing but the fault if a policy failed."""
    state = game.state
    if write_fault(state, result, FAILED):
        return
    regions = axis_regions(game)
    level = outcome(game, regions)
    result.outcome = level
    result.winner = 2 if level == DRAW else (AXIS if level > DRAW else SOVIET)
    result.margin = regions - game.rules.levels[DRAW]
    decided = state.sides[AXIS].decided
    result.turns = decided if decided > 0 else state.turn - 1
    result.end_reason = ALL_SOURCES_TAKEN if decided > 0 else SCORED
    result.blue_territory = regions
    result.red_territory = state.n_places - regions
    result.axis_units_lost = state.sides[AXIS].losses
