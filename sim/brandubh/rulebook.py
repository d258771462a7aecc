"""The rulebook Brandubh as the rest of the house knows it: `RULEBOOK`."""

from sim.brandubh import board, policy, state, turn
from sim.frame import Setup, example
from sim.game import Rulebook, Shape, decision_signature, kernel_signature


def _shape(setup: Setup) -> Shape:
    position = setup.state[0]
    turns = int(setup.rules[0].n_turns - position.turn + 1)
    # Both sides move once a turn, and a piece is lost once; twice that leaves room.
    return Shape(int(position.turn), turns, int(position.n_units), state.SQUARES, 2 * (2 * turns + state.MOST_PIECES))


_DECISION = decision_signature(example(board.nothing()))

RULEBOOK = Rulebook(
    name="brandubh",
    version="1.0",
    title="Brandubh",
    tables=state.TABLES,
    policies=policy.POLICIES,
    decisions=(policy.DECISIONS, policy.DECISIONS),
    load=board.load,
    shape=_shape,
    kernel=turn.play_games,
    kernel_signature=kernel_signature(board.nothing(), state.TABLES, _DECISION, 1, 1),
    decision_signature=_DECISION,
    mirrors=False,
    cost=5e-4,
    place_kinds={".*": "square"},
)
