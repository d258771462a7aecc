"""What a policy of First Contact is asked, and what policies share.

A policy is five compiled functions, one for each decision, and a doctrine: the numbers that they weigh with. Each
function has the same form::

    decision(view, doctrine, memory, subject, order) -> int

- ``view``: the position as the policy's side sees it (`sim.first_contact.rules.game.Game`), to be read and not
  written. The units of the side are as they are now. Enemies are as they stood at the start of the phase; the
  ``status`` of one that no unit of the side saw then is `UNSEEN` and its location `NOWHERE` (see `rules.view`). Its
  dice are the policy's own;
- ``doctrine``: float64 (fields,), the policy's numbers in the order of its fields;
- ``memory``: int64 (`sim.game.MEMORY`,), the policy's own, 0 at the start of every turn;
- ``subject``: what is asked about; ``order``: int64 (`MOST_ORDER`,), for lists that go either way, each ended by
  `NOWHERE`.

| decision | asked | answers |
|---|---|---|
| barrage | which cell the mortars aim at; ``subject`` is the side | a cell that an own unit sees, or `NOWHERE` |
| move | where unit ``subject`` goes with ``allowance`` parts of a pip | number of steps, ``order`` their cells |
| face | where vehicle ``subject`` turns, which did not move or was blocked | a direction, 0 (north) to 7 |
| fire | at which of the enemies in ``order`` unit ``subject`` fires | one of them, or `NOWHERE` |
| suppress | whether unit ``subject`` suppresses its ``target``, a squad | 1 suppresses, 0 fires |

A side's units are asked in the order of their numbers. The engine makes the steps of a move one by one: what the
allowance does not cover is not made, and a cell that is taken (by an enemy unseen so far, perhaps) or closed stops
the unit. A step to a cell that is no neighbour, and any other answer that is none of the above, ends the game with a
fault. A unit is asked to fire only if it can, and has a target in range and sight; to suppress only if it may.
"""

import numba
from numba import types

from sim.compiled import inner_njit
from sim.dice import dice_of
from sim.first_contact.board import empty_setup
from sim.first_contact.rules.game import Game
from sim.first_contact.rules.sight import cells_to
from sim.first_contact.state import MOST_OF_A_SIDE, NOWHERE
from sim.geometry.square import FAR, WIDTH

DECISIONS = ("barrage", "move", "face", "fire", "suppress")

MOST_ORDER = MOST_OF_A_SIDE + 1

_SETUP = empty_setup()
_EXAMPLE = Game(
    _SETUP.board[0],
    _SETUP.rules[0],
    _SETUP.state[0],
    _SETUP.work[0],
    _SETUP.blank_event[0],
    _SETUP.log[0],
    dice_of(0, 0),
)
GAME = numba.typeof(_EXAMPLE)
DECISION = types.int64(GAME, types.float64[::1], types.int64[::1], types.int64, types.int64[::1])
"""Signature that every decision is compiled for."""


@inner_njit
def nearest_seen(view, unit):
    """The enemy nearest to a unit of those that its side sees, or `NOWHERE`; of two the lower number.

    What is shown of enemies does not change within a phase: ``view.work.marks`` lists them from its start.
    """
    cell = view.state.units[unit].location
    row, column = cell // WIDTH, cell % WIDTH
    found, least = NOWHERE, FAR
    for i in range(view.work.n_marks):
        mark = view.work.marks[i]
        distance = cells_to(mark, row, column)
        if distance < least:
            found, least = mark.unit, distance
    return found
