"""The rulebook First Contact as the rest of the house knows it: `RULEBOOK`."""

from sim.dice import dice_of
from sim.first_contact import board, forces, policies, state, turn
from sim.first_contact.rules.barrage import BLOCK
from sim.first_contact.rules.game import Game
from sim.first_contact.seat import DECISIONS
from sim.game import Rulebook, Shape, decision_signature, kernel_signature

VERSION = "1.0"


def _shape(setup: board.Setup) -> Shape:
    position, rules = setup.state[0], setup.rules[0]
    turns = int(rules.n_turns - position.turn + 1)
    units = int(position.n_units)
    # A unit arrives once, and in a turn fires, rolls against rout and strikes; a barrage strikes the cells of a block.
    events = units * (1 + 3 * turns) + int(rules.barrages.sum()) * (1 + BLOCK)
    return Shape(int(position.turn), turns, units, int(position.n_places), events)


_SETUP = board.empty_setup()
_GAME = Game(_SETUP.board[0], _SETUP.rules[0], _SETUP.state[0], _SETUP.work[0], _SETUP.log[0], dice_of(0, 0))
_DECISION = decision_signature(_GAME)

RULEBOOK = Rulebook(
    name="first_contact",
    version=VERSION,
    title="First Contact",
    tables=state.TABLES,
    policies=policies.POLICIES,
    decisions=(DECISIONS, DECISIONS),
    load=forces.load,
    shape=_shape,
    kernel=turn.play_games,
    kernel_signature=kernel_signature(_SETUP, state.TABLES, _DECISION, len(DECISIONS), len(DECISIONS)),
    decision_signature=_DECISION,
    mirrors=False,
    cost=5e-3,
    place_kinds={"[A-Z][0-9]+": "sector", ".*": "objective"},  # FC-11.1 numbers sectors A1, A2, ...
)
