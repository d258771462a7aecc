"""The rules of Brandubh, one function for a clause."""

import sim.brandubh.state as st
from sim.brandubh.state import ATTACKERS, DEFENDERS, KING, NOWHERE, SQUARES
from sim.compiled import inner_njit
from sim.log import begin_event


@inner_njit
def may_move(game, side, unit, square):
    """BR-2.1, BR-2.2: a side's piece moves straight over empty squares to one where it may stand."""
    if not (0 <= unit < game.state.n_units and 0 <= square < SQUARES) or game.state.units[unit].side != side:
        return False
    piece = game.state.units[unit]
    if piece.square == NOWHERE or game.board.stands[piece.kind, square] == 0:
        return False
    for direction in range(4):
        at = game.board.neighbour[piece.square, direction]
        while at != NOWHERE and game.state.places[at].piece == NOWHERE:
            if at == square:
                return True
            at = game.board.neighbour[at, direction] if game.board.passes[at] == 1 else NOWHERE
    return False


@inner_njit
def can_move(game, side):
    """BR-4.3: whether a side has a move."""
    for unit in range(game.state.n_units):
        for square in range(SQUARES):
            if may_move(game, side, unit, square):
                return True
    return False


@inner_njit
def is_hostile(game, square, side):
    """BR-3.2: to a side's pieces: an enemy that takes part in captures, an empty corner, the empty throne."""
    if square == NOWHERE:
        return False
    unit = game.state.places[square].piece
    if unit == NOWHERE:
        return game.board.hostile[square] == 1
    return game.state.units[unit].side != side and (unit != KING or game.rules.king_armed == 1)


@inner_njit
def is_caught(game, unit, direction):
    """BR-3.1, BR-3.3: whether an enemy that has come next to a piece, which is in that direction of it, captures it."""
    piece = game.state.units[unit]
    needed = game.board.king_needs[piece.square] if piece.kind == KING else 2
    taken = 0
    for i in range(4):
        beside = game.board.neighbour[piece.square, i]
        if needed > 2:
            taken += beside != NOWHERE and game.state.places[beside].holder == 1 - piece.side
        else:
            taken += i % 2 == direction % 2 and is_hostile(game, beside, piece.side)
    return taken >= needed


@inner_njit
def put(game, unit, square):
    """Takes a piece from its square to another one, or off the board."""
    piece, places = game.state.units[unit], game.state.places
    places[piece.square].holder = places[piece.square].piece = NOWHERE
    piece.square = square
    if square != NOWHERE:
        places[square].holder, places[square].piece = piece.side, unit


@inner_njit
def note(game, kind, side, unit, square, origin):
    """Writes an event, if any are recorded."""
    number = begin_event(game, kind, side, unit, st.TOO_MANY_EVENTS)
    if number >= 0:
        game.log.events[number].place, game.log.events[number].origin = square, origin


@inner_njit
def move(game, unit, square):
    """BR-3.1, BR-4.1, BR-4.2: a piece moves and captures; a king captured or in a corner ends the game."""
    side = game.state.units[unit].side
    note(game, st.MOVE, side, unit, square, game.state.units[unit].square)
    put(game, unit, square)
    for direction in range(4):
        beside = game.board.neighbour[square, direction]
        victim = game.state.places[beside].piece if beside != NOWHERE else NOWHERE
        if victim != NOWHERE and game.state.units[victim].side != side and is_caught(game, victim, direction):
            note(game, st.LOST, side, victim, beside, NOWHERE)
            put(game, victim, NOWHERE)
            game.state.sides[1 - side].losses += 1
            game.state.sides[1 - side].territory -= 1
    king = game.state.units[KING].square
    if king == NOWHERE or game.board.corner[king] == 1:
        game.state.sides[ATTACKERS if king == NOWHERE else DEFENDERS].won = game.state.turn


@inner_njit
def goes_on(game):
    """Whether there is anything left to decide."""
    return game.state.fault == 0 and game.state.sides[ATTACKERS].won + game.state.sides[DEFENDERS].won == 0


@inner_njit
def write_result(game, result):
    """BR-4.1 to BR-4.4: who has won, when and why; a draw by the last turn."""
    red, blue = game.state.sides[ATTACKERS].won, game.state.sides[DEFENDERS].won
    king = game.state.units[KING].square
    result.red_territory = game.state.sides[ATTACKERS].territory
    result.blue_territory = game.state.sides[DEFENDERS].territory
    result.turns, result.margin, result.outcome, result.winner = game.rules.n_turns, 0, 1, 2
    result.end_reason = st.TURN_LIMIT
    if red + blue > 0:
        result.turns = red + blue
        result.winner = DEFENDERS if blue > 0 else ATTACKERS
        result.outcome = 2 if blue > 0 else 0
        result.margin = (result.outcome - 1) * (game.rules.n_turns + 1 - result.turns)
        result.end_reason = st.NO_MOVE
        if king == NOWHERE:
            result.end_reason = st.KING_CAPTURED
        elif game.board.corner[king] == 1:
            result.end_reason = st.KING_ESCAPED
