"""What holds of every recorded game of Brandubh, whoever plays."""

from typing import Any

import numpy as np

import sim.brandubh.state as st
from sim.game import Names, Record


def pieces_and_squares_agree(setup: Any, names: Names, record: Record) -> None:
    """Every piece stands on the one square that says so, of its side; who is captured stays so."""
    squares, held = record.units["square"], record.places["piece"]
    game, turn, unit = np.nonzero(squares != st.NOWHERE)
    at = squares[game, turn, unit]
    assert (held[game, turn, at] == unit).all()
    assert (record.places["holder"][game, turn, at] == record.units["side"][game, turn, unit]).all()
    assert (held != st.NOWHERE).sum() == len(game)
    assert ((record.places["holder"] == -1) == (held == st.NOWHERE)).all()
    gone = squares == st.NOWHERE
    assert (gone[:, 1:] >= gone[:, :-1]).all()


def only_the_king_stands_where_he_alone_may(setup: Any, names: Names, record: Record) -> None:
    """BR-2.2 at every recorded turn."""
    board = setup.board[0]
    game, turn, unit = np.nonzero(record.units["square"] != st.NOWHERE)
    at, kind = record.units["square"][game, turn, unit], record.units["kind"][game, turn, unit]
    start = record.units["square"][game, 0, unit] == at
    assert ((board.stands[kind, at] == 1) | start).all()


def counts_are_those_of_the_pieces(setup: Any, names: Names, record: Record) -> None:
    for side in range(2):
        mine = record.units["side"][0, 0] == side
        alive = (record.units["square"][:, :, mine] != st.NOWHERE).sum(2)
        assert (record.sides["territory"][:, :, side] == alive).all()
        assert (record.sides["losses"][:, :, side] == mine.sum() - alive).all()


def whoever_is_lost_was_told(setup: Any, names: Names, record: Record) -> None:
    for game, count in enumerate(record.event_count):
        events = record.events[game, :count]
        lost = sorted(events["actor"][events["kind"] == st.LOST])
        assert lost == np.flatnonzero(record.units["square"][game, -1] == st.NOWHERE).tolist()
        assert (np.diff(events["turn"]) >= 0).all()


def the_winner_is_who_should_be(setup: Any, names: Names, record: Record) -> None:
    """BR-4.1 to BR-4.4."""
    games, king = record.games, record.units["square"][:, -1, st.KING]
    reasons = games["end_reason"]
    assert ((reasons == st.KING_CAPTURED) == (king == st.NOWHERE)).all()
    assert ((reasons == st.KING_ESCAPED) == ((king != st.NOWHERE) & (setup.board[0].corner[king] == 1))).all()
    assert ((reasons == st.TURN_LIMIT) == (games["winner"] == 2)).all()
    assert (np.sign(games["margin"]) == games["outcome"] - 1).all()
    assert (games["winner"] == np.choose(games["outcome"], [0, 2, 1])).all()


CHECKS = (
    pieces_and_squares_agree,
    only_the_king_stands_where_he_alone_may,
    counts_are_those_of_the_pieces,
    whoever_is_lost_was_told,
    the_winner_is_who_should_be,
)
