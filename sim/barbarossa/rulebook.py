"""The rulebook Barbarossa Solitaire as the rest of the house knows it: `RULEBOOK`."""

import numba
from numba import types

from sim.barbarossa import board, policies, policy, state, turn
from sim.game import BLUE, RECORD_LEVELS, RED, DoctrineField, Policy, Rulebook, Shape, empty_record

VERSION = "1.0"


def _difficulty(number: int, name: str) -> Policy:
    variants = (
        ("japanese_attack", "Japan attacks the Soviet Union"),
        ("no_lend_lease", "no lend-lease for the Soviet Union"),
        ("early_counterattack", "early Soviet counterattack"),
    )
    doctrine = (
        DoctrineField("difficulty", number, "row of the table of Soviet attacks (BB-5.1)", "", 0, 4, whole=True),
        *(
            DoctrineField(variant, 0, f"variant: {meaning} (BB-5.1)", "", 0, 1, whole=True)
            for variant, meaning in variants
        ),
    )
    return Policy(name, RED, f"Soviet attacks of difficulty {name.replace('_', ' ')} (BB-7.3)", (), doctrine)


def _shape(setup: board.Setup) -> Shape:
    state = setup.state[0]
    turns = int(setup.rules[0].n_turns - state.turn + 1)
    units, places = int(state.n_units), int(state.n_places)
    # A unit moves, attacks and comes once a turn; in each Soviet attack it can only retreat or be lost, and few units
    # are in many attacks. A region changes hands only through those.
    events = turns * (8 * units + places + int(setup.rules[0].most_attacks))
    return Shape(int(state.turn), turns, units, places, events)


RULEBOOK = Rulebook(
    name="barbarossa",
    version=VERSION,
    title="Barbarossa Solitaire",
    tables=state.TABLES,
    policies=(*(_difficulty(i, name) for i, name in enumerate(board.DIFFICULTIES)), *policies.POLICIES),
    decisions=((), policy.DECISIONS),
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
        *(types.FunctionType(policy.DECISION),) * len(policy.DECISIONS),
    ),
    decision_signature=policy.DECISION,
    mirrors=False,
    cost=3e-5,
    unit_side=BLUE,
    place_kinds={".*": "region"},
    director="Policies of red are difficulties, no choices of a player: the best against each, no mixture.",
)
