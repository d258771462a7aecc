"""The rulebook Barbarossa Solitaire as the rest of the house knows it: `RULEBOOK`."""

from sim.barbarossa import board, policies, state, turn
from sim.barbarossa.rules.game import Game
from sim.barbarossa.seat import DECISIONS
from sim.dice import dice_of
from sim.game import BLUE, RED, DoctrineField, Policy, Rulebook, Shape, decision_signature, kernel_signature

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


_SETUP = board.empty_setup()
_GAME = Game(_SETUP.board[0], _SETUP.rules[0], _SETUP.state[0], _SETUP.log[0], dice_of(0, 0))
_DECISION = decision_signature(_GAME)

RULEBOOK = Rulebook(
    name="barbarossa",
    version=VERSION,
    title="Barbarossa Solitaire",
    tables=state.TABLES,
    policies=(*(_difficulty(i, name) for i, name in enumerate(board.DIFFICULTIES)), *policies.POLICIES),
    decisions=((), DECISIONS),
    load=board.load,
    shape=_shape,
    kernel=turn.play_games,
    kernel_signature=kernel_signature(_SETUP, state.TABLES, _DECISION, 0, len(DECISIONS)),
    decision_signature=_DECISION,
    mirrors=False,
    cost=3e-5,
    unit_side=BLUE,
    place_kinds={".*": "region"},
    director="Policies of red are difficulties, no choices of a player: the best against each, no mixture.",
)
