"""The turn sequence of Tank Hex.

A turn (TH-5.1):

1. preparation: markers come off, cards drawn in the turn before act, repair (`preparation`);
2. direct fire: the sides declare in turn until both pass (`direct_fire`);
3. movement: the sides move one tank after another until both pass, each hex by hex (`moves.movement`); close combat
   when all movement is done (`moves.close_combats`);
4. random events: S and impact markers come off, cards are drawn, shells land (`events.random_events`).

`adjudication` rolls for shots and shells, the others for everything else. The decisions are the policies';
`sim.tank_hex.policy` says what each of them is asked.

What is called from one place alone is compiled as a part of it (``inline="always"``): a call that hands on all of a
seat's decisions takes longer to compile.
"""

import numpy as np
from numba import njit

from sim.compiled import inner_njit
from sim.dice import Dice, policy_dice, roll
from sim.log import fault
from sim.seat import clear_desk, ready
from sim.tank_hex.adjudication import FACES, declare
from sim.tank_hex.events import random_events
from sim.tank_hex.moves import close_combats, movement
from sim.tank_hex.purposes import FIRE_FIRST
from sim.tank_hex.record import snapshot, uncover, write_result
from sim.tank_hex.rules.cards import may_play, may_repair, repair, turn_cards_over, use_card
from sim.tank_hex.rules.game import Game, count_illegal, goes_on, leading
from sim.tank_hex.rules.markers import clear_markers, is_tank
from sim.tank_hex.rules.sequence import first_side, lift_suppression, may_declare
from sim.tank_hex.rules.victory import end_if_beaten
from sim.tank_hex.rules.view import show
from sim.tank_hex.seat import Seat, ask
from sim.tank_hex.state import BAD_UNIT, BLUE, DESK, DIRECT, FIRE, NOWHERE, PREPARATION, RED, REPAIR


@njit(inline="always")
def play_game(game, start, red, blue, record, number):
    """Plays one game from where its state is to the end and writes it into the record at ``number``."""
    state = game.state
    first = state.turn
    uncover(game)
    snapshot(game, record, number, 0)
    while state.turn <= game.rules.n_turns:
        start_turn(game, red, blue)
        if goes_on(game):
            play_turn(game, start, red, blue)
        snapshot(game, record, number, state.turn - first + 1)
        state.turn += 1
    write_result(game, record.games[number])


@njit(inline="always")
def start_turn(game, red, blue):
    """TH-5.1: what lives only within a turn is cleared; a game that is over stands still with clear markers."""
    state = game.state
    if state.fault != 0:
        return
    state.phase = PREPARATION
    state.declarations = 0
    if game.rules.suppression_until_next_turn == 1:
        lift_suppression(game)
    clear_markers(game)
    turn_cards_over(game)
    for side in range(2):
        state.sides[side].first_to_fire = 0
        state.sides[side].first_to_move = 0
    clear_desk(red.desk, policy_dice(game.dice, state.turn, RED ^ game.mirror))
    clear_desk(blue.desk, policy_dice(game.dice, state.turn, BLUE ^ game.mirror))
    show(game, red.desk.hidden, RED)
    show(game, blue.desk.hidden, BLUE)


@njit(inline="always")
def play_turn(game, start, red, blue):
    """TH-5.1: one turn. A side without tanks ends the game at the end of the phase."""
    preparation(game, red, blue)
    direct_fire(game, red, blue)
    movement(game, red, blue)
    if game.rules.close_combat_in_events == 0:
        close_combats(game, red, blue)
    if goes_on(game):
        random_events(game, start, red, blue)
    if game.rules.close_combat_in_events == 1:
        close_combats(game, red, blue)
    end_if_beaten(game)


@njit(inline="always")
def preparation(game, red, blue):
    """TH-7.1: at the start of the turn a side with the card may repair one tank."""
    for i in range(2):
        side = leading(game) ^ i
        if not may_play(game, side, REPAIR):
            continue
        seat = red if side == RED else blue
        ready(seat.desk)
        unit = ask(game, seat, seat.repair, side)
        if unit == NOWHERE:
            continue
        if not is_tank(game, unit) or game.state.units[unit].side != side:
            fault(game, BAD_UNIT, unit)
        elif may_repair(game, side, unit):
            use_card(game, side, REPAIR, unit)
            repair(game, unit)
        else:
            count_illegal(game, side)


@inner_njit
def direct_fire(game, red, blue):
    """TH-5.2: the sides declare in turn; a pass is not final, two in a row end the phase."""
    game.state.phase = FIRE
    side = first_side(game, roll(game.dice, FIRE_FIRST, game.state.turn, 0, 0, FACES))
    game.state.sides[side].first_to_fire = 1
    passes = 0
    while passes < 2 and goes_on(game):
        passes = 0 if declare_direct(game, red, blue, side) else passes + 1
        side = 1 - side


@njit(inline="always")
def declare_direct(game, red, blue, side):
    """TH-5.2: one declaration of a side; False for a pass, or for one that does not stand (TH-6.7)."""
    if not may_declare(game, DIRECT, side):
        return False
    seat = red if side == RED else blue
    ready(seat.desk)
    target = ask(game, seat, seat.fire, side)
    if target == NOWHERE:
        return False
    return declare(game, red, blue, DIRECT, side, target) > 0


@njit(cache=True, nogil=True)
def play_games(setup, seed, replications, worlds, mirror, red, blue, record, red_decisions, blue_decisions):
    """Plays a batch of games: one for each entry of ``replications`` and ``worlds`` (n,).

    With ``mirror`` = 1 the sides are exchanged in the addresses of dice, in odd and even, and in directions: a setup
    with sides exchanged and turned round gives the mirrored game.
    """
    states, hidden, logs = setup.state.copy(), setup.hidden.copy(), setup.log.copy()
    desks = np.empty(2, DESK)
    for number in range(len(replications)):
        record.current[0] = number
        states[0] = setup.state[0]
        dice = Dice(seed, replications[number], worlds[number])
        game = Game(setup.board[0], setup.rules[0], states[0], hidden[0], logs[0], dice, mirror)
        red_seat = Seat(desks[RED], red, *red_decisions)
        blue_seat = Seat(desks[BLUE], blue, *blue_decisions)
        play_game(game, setup.start[0], red_seat, blue_seat, record, number)
