"""The rulebook First Contact as the rest of the house knows it: `RULEBOOK`."""

import numba
from numba import types

from sim.first_contact import board, forces, policies, policy, state, turn
from sim.first_contact.rules.barrage import BLOCK
from sim.game import RECORD_LEVELS, Rulebook, Shape, empty_record

VERSION = "1.0"


def _shape(setup: board.Setup) -> Shape:
    position, rules = setup.state[0], setup.rules[0]
    turns = int(rules.n_turns - position.turn + 1)
    units = int(position.n_units)
    # A unit arrives once, and in a turn fires, rolls against rout and strikes; a barrage strikes the cells of a block.
    events = units * (1 + 3 * turns) + int(rules.barrages.sum()) * (1 + BLOCK)
    return Shape(int(position.turn), turns, units, int(position.n_places), events)


RULEBOOK = Rulebook(
    name="first_contact",
    version=VERSION,
    title="First Contact",
    tables=state.TABLES,
    policies=policies.POLICIES,
    decisions=(policy.DECISIONS, policy.DECISIONS),
    load=forces.load,
    shape=_shape,
    kernel=turn.play_games,
    kernel_signature=types.void(
        numba.typeof(board.empty_setup()),
        types.uint64,
        types.uint64[::1],
        types.uint64[::1],
        types.int64,
        types.float64[::1],
        types.float64[::1],
        numba.typeof(empty_record(state.TABLES, Shape(1, 0, 1, 1, 1), 1, RECORD_LEVELS[-1])),
        *(types.FunctionType(policy.DECISION),) * (2 * len(policy.DECISIONS)),
    ),
    decision_signature=policy.DECISION,
    mirrors=False,
    cost=5e-3,
    place_kinds={"[A-Z][0-9]+": "sector", ".*": "objective"},  # FC-11.1 numbers sectors A1, A2, ...
)
