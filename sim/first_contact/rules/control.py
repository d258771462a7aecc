"""Chapter 11: control, end and victory."""

import numpy as np

from sim.compiled import array_njit, inner_njit
from sim.first_contact.rules.game import is_able
from sim.first_contact.state import GERMAN, GERMAN_DECISIVE, GERMAN_MARGINAL, NOWHERE, SOVIET, SOVIET_DECISIVE, WAITING


@array_njit
def update_control(game):
    """FC-11.1, FC-11.2: a place goes to the side that alone has able units in it; contested or empty it stays."""
    state = game.state
    there = np.zeros((state.n_places, 2), np.int64)
    for unit in range(state.n_units):
        if not is_able(game, unit):
            continue
        row = state.units[unit]
        there[game.board.sector[row.location], row.side] = 1
        objective = game.board.objective[row.location]
        if objective != NOWHERE:
            there[objective, row.side] = 1
    for place in range(state.n_places):
        if there[place, SOVIET] != there[place, GERMAN]:
            state.places[place].holder = GERMAN if there[place, GERMAN] == 1 else SOVIET


@inner_njit
def objectives_held(game, side):
    """FC-11.2: objectives in the hands of a side."""
    held = 0
    for place in range(game.board.first_objective, game.state.n_places):
        if game.state.places[place].holder == side:
            held += 1
    return held


@inner_njit
def sectors_held(game, side):
    """FC-11.1: sectors in the hands of a side."""
    held = 0
    for place in range(game.board.first_objective):
        if game.state.places[place].holder == side:
            held += 1
    return held


@inner_njit
def is_beaten(game, side):
    """FC-11.3: no able unit on the map and none to come."""
    for unit in range(game.state.n_units):
        row = game.state.units[unit]
        if row.side == side and (row.status == WAITING or is_able(game, unit)):
            return False
    return True


@inner_njit
def outcome(game):
    """FC-11.3: a side without able units has lost decisively; else, or if both are, the objectives decide."""
    soviet, german = game.state.sides[SOVIET].beaten > 0, game.state.sides[GERMAN].beaten > 0
    if soviet != german:
        return GERMAN_DECISIVE if soviet else SOVIET_DECISIVE
    return game.rules.outcomes[objectives_held(game, GERMAN)]


@inner_njit
def winner(level):
    """FC-11.3: the side that a level of victory belongs to."""
    return GERMAN if level >= GERMAN_MARGINAL else SOVIET


@inner_njit
def margin(game):
    """FC-11.4: objective-turns held by the Germans less those held by the Soviets."""
    return game.state.sides[GERMAN].objective_turns - game.state.sides[SOVIET].objective_turns
