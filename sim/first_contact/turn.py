"""The turn sequence of First Contact, and the only place that rolls its dice.

A turn (chapter 3):

1. arrivals (`arrivals`);
2. barrage of each side that has a call left, in fact the Germans (`barrage`);
3. movement, the attacker first, under the option ``first_mover`` (`movement`);
4. fire: both sides declare, all shots are resolved on that situation, then all results apply (`fire_phase`);
5. melee (`melee`);
6. morale (`rules.morale`);
7. supply (`rules.supply`);
8. control, end of the game, record of the turn (`end_turn`).

The decisions are the policies'; `policy` says what each of them is asked.
"""

import numpy as np
from numba import njit

from sim.compiled import array_njit, inner_njit
from sim.dice import Dice, policy_dice, roll
from sim.first_contact.board import BY_TARGET, FIRST_BY_DIE, GERMAN_FIRST
from sim.first_contact.purposes import (
    ARMOUR,
    BLOW,
    CASUALTIES,
    FIRE_ROLL,
    FIRST_MOVER,
    MOVEMENT,
    ROUT_MOVEMENT,
    ROUT_ROLL,
    SCATTER,
    SHELLS,
)
from sim.first_contact.record import snapshot, write_result
from sim.first_contact.rules.arrivals import arrive
from sim.first_contact.rules.barrage import BLOCK, may_call, scatter, shells, strike
from sim.first_contact.rules.control import is_beaten, objectives_held, update_control
from sim.first_contact.rules.fire import ammunition_cost, can_fire, may_suppress, may_target, targets
from sim.first_contact.rules.game import Game, end_of, enemy_of, first_of, remove_the_fallen, stand
from sim.first_contact.rules.melee import note_roll, opponent, rout, routs, strike_blow
from sim.first_contact.rules.morale import update_morale
from sim.first_contact.rules.movement import allowance, can_move, may_turn, turn_to, walk
from sim.first_contact.rules.shots import begin_phase, settle, shoot, suffer
from sim.first_contact.rules.sight import list_marks
from sim.first_contact.rules.supply import resupply
from sim.first_contact.rules.view import hide_numbers, look, show
from sim.first_contact.seat import Seat, ask, seen_by
from sim.first_contact.state import (
    BAD_BARRAGE,
    BAD_MODE,
    BAD_MOVE,
    BAD_TARGET,
    DESK,
    FIRE,
    GERMAN,
    HOLD_FIRE,
    NOWHERE,
    ON_MAP,
    SOVIET,
    SQUAD,
    SUPPRESS,
)
from sim.log import fault
from sim.seat import clear_desk

FACES = 6
TEN = 10  # faces of a digit of a d100
_ROLLERS = 2**20  # room for the units of a side among the numbers of rollers


@inner_njit
def roller(game, unit):
    """Who rolls for a unit: its side and its place within it, so that a unit more on a side changes no other dice."""
    side = game.state.units[unit].side
    return side * _ROLLERS + unit - first_of(game, side)


@inner_njit
def unit_die(game, purpose, unit):
    """A unit's d6 for a purpose in this turn."""
    return roll(game.dice, purpose, game.state.turn, roller(game, unit), 0, FACES)


@inner_njit
def movement_allowance(game, purpose, unit, dice):
    """FC-4.1: what a unit's movement dice give it, in parts of a pip."""
    pips = 0
    for n in range(dice):
        pips += roll(game.dice, purpose, game.state.turn, roller(game, unit), n, game.rules.movement_die)
    return allowance(game, pips)


@njit(inline="always")  # called once: it need not be compiled twice
def play_game(game, red, blue, record, number):
    """Plays one game from where its state is to the end and writes it into the record at ``number``."""
    state = game.state
    first = state.turn
    take_places(game)
    hide_numbers(seen_by(game, red), GERMAN)
    hide_numbers(seen_by(game, blue), SOVIET)
    snapshot(game, record, number, 0)
    while state.turn <= game.rules.n_turns:
        if goes_on(game):
            play_turn(game, red, blue)
        snapshot(game, record, number, state.turn - first + 1)
        state.turn += 1
    write_result(game, record.games[number])
    leave_places(game)


@njit(inline="always")
def play_turn(game, red, blue):
    """Chapter 3: one turn."""
    start_turn(game)
    clear_desk(red.desk, policy_dice(game.dice, game.state.turn, SOVIET))
    clear_desk(blue.desk, policy_dice(game.dice, game.state.turn, GERMAN))
    arrive(game, SOVIET)
    arrive(game, GERMAN)
    barrage(game, red, SOVIET)
    barrage(game, blue, GERMAN)
    first = first_mover(game)
    if first == SOVIET:
        movement(game, red, SOVIET)
    movement(game, blue, GERMAN)
    if first == GERMAN:
        movement(game, red, SOVIET)
    look(game, seen_by(game, red), SOVIET)
    look(game, seen_by(game, blue), GERMAN)
    declare(game, red, SOVIET)
    declare(game, blue, GERMAN)
    if game.state.fault != 0:
        return
    resolve_fire(game)
    melee(game, first)
    update_morale(game)
    resupply(game)
    end_turn(game)


@inner_njit
def take_places(game):
    """FC-1.1: every cell knows the unit in it."""
    for unit in range(game.state.n_units):
        if game.state.units[unit].status == ON_MAP:
            stand(game, unit, game.state.units[unit].location)


@inner_njit
def leave_places(game):
    """Frees all cells for the next game."""
    for unit in range(game.state.n_units):
        if game.state.units[unit].status == ON_MAP:
            game.work.occupant[game.state.units[unit].location] = NOWHERE


@inner_njit
def goes_on(game):
    """FC-11.3: whether both sides have able units or some to come; a game with a fault stands still, too."""
    sides = game.state.sides
    return game.state.fault == 0 and sides[SOVIET].beaten == 0 and sides[GERMAN].beaten == 0


@inner_njit
def start_turn(game):
    """Clears what lives only within a turn."""
    for unit in range(game.state.n_units):
        row = game.state.units[unit]
        row.stunned = 0
        row.moved = 0
        row.fired = HOLD_FIRE
        row.began = row.location if row.status == ON_MAP else NOWHERE
        row.allowance = 0
        row.target = NOWHERE
        game.work.hit[unit] = NOWHERE
        game.work.fought[unit] = NOWHERE
        game.work.shaken[unit] = 0


@array_njit
def barrage(game, seat, side):
    """FC-7.1: a side that has a call left may name a cell."""
    if game.state.sides[side].barrages == 0 or game.state.fault != 0:
        return
    look(game, seen_by(game, seat), side)
    aim = ask(game, seat, seat.barrage, side)
    if aim == NOWHERE:
        return
    if not may_call(game, side, aim):
        fault(game, BAD_BARRAGE, aim)
        return
    game.state.sides[side].barrages -= 1
    turn = game.state.turn
    die = roll(game.dice, SHELLS, turn, side, 0, FACES)
    fall = np.zeros(BLOCK, np.int64)
    for shell in range(shells(game, die)):
        pips = 0
        for n in range(game.rules.scatter_dice):
            pips += roll(game.dice, SCATTER, turn, side, shell * game.rules.scatter_dice + n, FACES)
        fall[scatter(game, pips) - 1] += 1
    strike(game, side, aim, die, fall)
    remove_the_fallen(game)


@inner_njit
def first_mover(game):
    """FC-3.1: the side that moves first, under the option ``first_mover``."""
    if game.rules.first_mover == FIRST_BY_DIE:
        die = roll(game.dice, FIRST_MOVER, game.state.turn, 0, 0, FACES)
        return GERMAN if die % 2 == 1 else SOVIET
    return GERMAN if game.rules.first_mover == GERMAN_FIRST else SOVIET


@inner_njit
def movement(game, seat, side):
    """FC-4.1 to FC-4.5: a side's units roll and move one after another."""
    if game.state.fault != 0:
        return
    view, order = seen_by(game, seat), seat.desk.order[:]
    look(game, view, side)
    for unit in range(first_of(game, side), end_of(game, side)):
        row = game.state.units[unit]
        blocked = False
        if can_move(game, unit):
            row.allowance = movement_allowance(game, MOVEMENT, unit, game.rules.movement_dice)
            show(game, view, unit)
            steps = ask(game, seat, seat.move, unit)
            if steps < 0 or steps > len(order):
                fault(game, BAD_MOVE, steps)
                return
            blocked = walk(game, unit, order, steps)
            show(game, view, unit)
        if may_turn(game, unit, blocked):
            turn_to(game, unit, ask(game, seat, seat.face, unit))
            show(game, view, unit)
        if game.state.fault != 0:
            return


@inner_njit
def declare(game, seat, side):
    """FC-3.2, FC-5.1: a side's units declare their fire one after another."""
    view, order = seen_by(game, seat), seat.desk.order[:]
    enemy = enemy_of(side)
    list_marks(game, enemy)
    for unit in range(first_of(game, side), end_of(game, side)):
        if game.state.fault != 0:
            return
        if not can_fire(game, unit):
            continue
        count = targets(game, unit, order)
        if count == 0:
            continue
        order[count] = NOWHERE
        target = ask(game, seat, seat.fire, unit)
        if target == NOWHERE:
            continue
        if not (first_of(game, enemy) <= target < end_of(game, enemy) and may_target(game, unit, target)):
            fault(game, BAD_TARGET, target)
            return
        row = game.state.units[unit]
        row.target = target
        row.fired = FIRE
        show(game, view, unit)
        if may_suppress(game, unit, target):
            answer = ask(game, seat, seat.suppress, unit)
            if answer != 0 and answer != 1:
                fault(game, BAD_MODE, answer)
                return
            if answer == 1:
                row.fired = SUPPRESS
        row.ammunition -= ammunition_cost(game, unit, row.fired)
        show(game, view, unit)


@inner_njit
def resolve_fire(game):
    """FC-3.1, FC-5.2: all shots, on the situation at the start of the phase, then all results."""
    state, work = game.state, game.work
    begin_phase(game)
    for unit in range(state.n_units):
        if state.units[unit].fired != HOLD_FIRE:
            shoot(game, unit, unit_die(game, FIRE_ROLL, unit), unit_die(game, ARMOUR, unit))
    for unit in range(state.n_units):
        if game.rules.casualty_roll == BY_TARGET:
            shooter, target = work.lead[unit], unit
        else:
            shooter, target = unit, work.hit[unit]
        if shooter != NOWHERE and target != NOWHERE and state.units[target].kind == SQUAD:
            suffer(game, shooter, target, state.units[shooter].fired, unit_die(game, CASUALTIES, unit))
    settle(game, work.hit)
    remove_the_fallen(game)


@array_njit
def melee(game, first):
    """FC-10.1: squads next to enemy squads roll against rout; those that rout run, those that stand strike."""
    state, work = game.state, game.work
    begin_phase(game)
    stands = np.zeros(state.n_units, np.bool_)
    runs = np.zeros(state.n_units, np.bool_)
    for unit in range(state.n_units):
        row = state.units[unit]
        if row.status != ON_MAP or row.kind != SQUAD or opponent(game, unit) == NOWHERE:
            continue
        tens = roll(game.dice, ROUT_ROLL, state.turn, roller(game, unit), 0, TEN) - 1
        units = roll(game.dice, ROUT_ROLL, state.turn, roller(game, unit), 1, TEN) - 1
        runs[unit] = routs(game, unit, TEN * tens + units)
        stands[unit] = not runs[unit]
        work.event[unit] = note_roll(game, unit, TEN * tens + units)
    for side in (first, enemy_of(first)):
        for unit in range(first_of(game, side), end_of(game, side)):
            if runs[unit]:
                state.units[unit].allowance = movement_allowance(game, ROUT_MOVEMENT, unit, game.rules.rout_dice)
                rout(game, unit)
    remove_the_fallen(game)
    for unit in range(state.n_units):
        target = opponent(game, unit) if stands[unit] else NOWHERE
        if target != NOWHERE:
            strike_blow(game, unit, target, unit_die(game, BLOW, unit))
    settle(game, work.fought)
    remove_the_fallen(game)


@inner_njit
def end_turn(game):
    """FC-11.1 to FC-11.4: control of sectors and objectives, the objective-turns, and whether a side is beaten."""
    update_control(game)
    for side in (SOVIET, GERMAN):
        row = game.state.sides[side]
        row.objective_turns += objectives_held(game, side)
        if is_beaten(game, side):
            row.beaten = game.state.turn


@njit(cache=True, nogil=True)
def play_games(setup, seed, replications, worlds, mirror, red, blue, record, red_decisions, blue_decisions):
    """Plays a batch of games: one for each entry of ``replications`` and ``worlds`` (n,). There is no mirror."""
    states, works, logs = setup.state.copy(), setup.work.copy(), setup.log.copy()
    desks = np.empty(2, DESK)
    for side in range(2):
        desks[side].state[0] = setup.state[0]
        desks[side].work[0] = setup.work[0]
    for number in range(len(replications)):
        record.current[0] = number
        states[0] = setup.state[0]
        dice = Dice(seed, replications[number], worlds[number])
        game = Game(setup.board[0], setup.rules[0], states[0], works[0], logs[0], dice)
        red_seat = Seat(desks[SOVIET], red, *red_decisions)
        blue_seat = Seat(desks[GERMAN], blue, *blue_decisions)
        play_game(game, red_seat, blue_seat, record, number)
