"""The rulebook Tank Hex as the rest of the house knows it: `RULEBOOK`."""

from sim.dice import dice_of
from sim.game import Rulebook, Shape, decision_signature, kernel_signature
from sim.tank_hex import board, generated, policies, state, turn
from sim.tank_hex.rules.game import Game
from sim.tank_hex.seat import DECISIONS

VERSION = "1.0"


def _shape(setup: board.Setup) -> Shape:
    position = setup.state[0]
    turns = int(setup.rules[0].n_turns - position.turn + 1)
    units, places = int(position.n_units), int(position.n_places)
    # In a turn a tank fires once, moves once, makes one illegal step and takes one objective at most; each side plays
    # three cards at most, draws one, exchanges one, and fires the guns of a battery.
    events = turns * (4 * units + 2 * (6 + state.GUNS)) + state.SPARE_EVENTS
    return Shape(int(position.turn), turns, units, places, events)


_SETUP = board.empty_setup()
_GAME = Game(_SETUP.board[0], _SETUP.rules[0], _SETUP.state[0], _SETUP.hidden[0], _SETUP.log[0], dice_of(0, 0), 0)
_DECISION = decision_signature(_GAME)

RULEBOOK = Rulebook(
    name="tank_hex",
    version=VERSION,
    title="Tank Hex",
    tables=state.TABLES,
    policies=policies.POLICIES,
    decisions=(DECISIONS, DECISIONS),
    load=board.load,
    shape=_shape,
    kernel=turn.play_games,
    kernel_signature=kernel_signature(_SETUP, state.TABLES, _DECISION, len(DECISIONS), len(DECISIONS)),
    decision_signature=_DECISION,
    mirrors=True,
    cost=5e-4,
    families={generated.FAMILY: generated.generate},
    unit_kind="tank",
    place_kinds={".*": "objective"},
)
