"""6 End, 7 Options."""

from sim.barbarossa.rules.game import go, take, units_in
from sim.barbarossa.state import (
    AXIS,
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
