"""The rulebook Tank Hex as the rest of the house knows it: `RULEBOOK`."""

import numba
from numba import types

from sim.game import RECORD_LEVELS, Rulebook, Shape, empty_record
from sim.tank_hex import board, generated, policies, policy, state, turn

VERSION = "1.0"

SPARE_EVENTS = 600
"""Room for what has no bound: rounds of close combat and shells on tanks in a whole game."""


def _shape(setup: board.Setup) -> Shape:
    position = setup.state[0]
    turns = int(setup.rules[0].n_turns - position.turn + 1)
    units, places = int(position.n_units), int(position.n_places)
    # In a turn a tank fires once, moves once, makes one illegal step and takes one objective at most; each side plays
    # three cards at most, draws one, exchanges one, and fires the guns of a battery.
    events = turns * (4 * units + 2 * (6 + state.GUNS)) + SPARE_EVENTS
    return Shape(int(position.turn), turns, units, places, events)


RULEBOOK = Rulebook(
    name="tank_hex",
    version=VERSION,
    title="Tank Hex",
    tables=state.TABLES,
    policies=policies.POLICIES,
    decisions=(policy.DECISIONS, policy.DECISIONS),
    load=board.load,
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
    mirrors=True,
    cost=5e-4,
    families={generated.FAMILY: generated.generate},
    unit_kind="tank",
    place_kinds={".*": "objective"},
)
