"""What a game under way is made of where a rulebook needs nothing of its own for it, and how a batch is played.

A rulebook that has more to keep, such as hidden cards, has types of its own in place of these.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from sim.compiled import array_njit
from sim.dice import Dice, dice_of, policy_dice
from sim.fields import Tables, layout, records
from sim.log import empty_log, write_fault, write_turn
from sim.seat import clear_desk, dice_on


class Setup(NamedTuple):
    """All that a game needs but policies and dice, as records (1,)."""

    board: np.recarray
    rules: np.recarray
    state: np.recarray
    log: np.recarray


class Game(NamedTuple):
    """A game under way. What a policy is handed is the same thing with dice of its own and no log."""

    board: np.record
    rules: np.record
    state: np.record
    log: np.record
    dice: Dice


def state_layout(tables: Tables, most_units: int, most_places: int, *more: tuple) -> np.dtype:
    """The state of a game, all that its next turn depends on as one record: copying it copies the game.

    It has what `sim.game.at_turn` and `sim.log` need, and what else a rulebook keeps.
    """
    return layout(
        ("turn", (), "turn of the calendar that is being played"),
        ("n_units", (), "units of the scenario"),
        ("n_places", (), "places of the map"),
        ("fault", (), "what a policy got wrong, 0 for nothing"),
        ("fault_turn", (), "turn of the fault"),
        ("fault_value", (), "value that was wrong"),
        ("units", (most_units,), "units of the scenario", tables.units),
        ("places", (most_places,), "places of the map", tables.places),
        ("sides", (2,), "one row for each side: red, blue", tables.sides),
        *more,
    )


def empty_setup(board: np.dtype, rules: np.dtype, state: np.dtype, log: np.dtype, tables: Tables) -> Setup:
    """A setup in which nothing is said yet: units, places and sides have their empty values, all else is 0."""
    blank = np.zeros(1, state).view(np.recarray)
    for name in ("units", "places", "sides"):
        blank[0][name][:] = records(getattr(tables, name), 1)[0]
    no_board, no_rules = (np.zeros(1, dtype).view(np.recarray) for dtype in (board, rules))
    return Setup(no_board, no_rules, blank, empty_log(log, tables.events))


def example(setup: Setup) -> Game:
    """A game, to say what decisions are compiled for (`sim.game.decision_signature`)."""
    return Game(setup.board[0], setup.rules[0], setup.state[0], setup.log[0], dice_of(0, 0))


@njit(inline="always")  # a record cannot be returned from compiled code
def ask(game, seat, decide, subject):
    """What a policy decides about a subject; the order that goes with it lies on its desk (`sim.seat.ready`)."""
    desk = seat.desk
    view = Game(game.board, game.rules, game.state, desk.log[0], dice_on(desk))
    return decide(view, seat.doctrine, desk.memory[:], subject, desk.order[:])


@array_njit
def play_batch(setup, seed, replications, worlds, red, blue, record, failed, play_turn, write_result):
    """Plays a batch of games and records them, turn by turn to the last of the calendar whatever becomes of them.

    ``red`` and ``blue`` are seats, with ``desk`` and ``doctrine``; ``failed`` is the end reason of a game with a fault.
    ``play_turn(game, red, blue)`` plays one turn, ``write_result(game, result)`` writes how the game ended; the last
    turn is ``n_turns`` of the rules.
    """
    states, logs = setup.state.copy(), setup.log.copy()
    for number in range(len(replications)):
        record.current[0] = number
        states[0] = setup.state[0]
        dice = Dice(seed, replications[number], worlds[number])
        game = Game(setup.board[0], setup.rules[0], states[0], logs[0], dice)
        first = game.state.turn
        write_turn(game, record, number, 0)
        while game.state.turn <= game.rules.n_turns:
            clear_desk(red.desk, policy_dice(dice, game.state.turn, 0))
            clear_desk(blue.desk, policy_dice(dice, game.state.turn, 1))
            play_turn(game, red, blue)
            write_turn(game, record, number, game.state.turn - first + 1)
            game.state.turn += 1
        if not write_fault(game.state, record.games[number], failed):
            write_result(game, record.games[number])
