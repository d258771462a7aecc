"""The movement phase of a turn (TH-5.2, chapter 6): moves hex by hex, fire at whoever moves, and close combat.

What is called from one place alone is compiled as a part of it, see `turn`.
"""

from numba import njit

from sim.compiled import inner_njit
from sim.dice import roll
from sim.log import fault
from sim.seat import ready
from sim.tank_hex.adjudication import FACES, declare, enter_impacts, shoot
from sim.tank_hex.purposes import COMBAT_FIRST, MOVE_FIRST
from sim.tank_hex.rules.game import count_illegal, end_of, first_of, goes_on, leading, note
from sim.tank_hex.rules.markers import crowd, is_tank, may_be_fired_at
from sim.tank_hex.rules.movement import (
    begin_move,
    end_combats,
    is_combat,
    may_fight,
    may_fight_on,
    may_fire_moving,
    may_go_on,
    may_step,
    meet,
    step,
)
from sim.tank_hex.rules.sequence import any_may_be_fired_at, any_may_fire, any_may_move, first_side, may_move
from sim.tank_hex.rules.victory import end_move
from sim.tank_hex.seat import ask
from sim.tank_hex.state import (
    BAD_DIRECTION,
    BAD_MARCH,
    BAD_TARGET,
    BAD_UNIT,
    CLOSE_COMBAT,
    CLOSE_COMBAT_PHASE,
    COVERING,
    ILLEGAL_STEP,
    MOVE,
    MOVEMENT,
    NOWHERE,
    ON_THE_MOVE,
    OPPORTUNITY,
    RED,
    SHORT_HALT,
)

MOST_ROUNDS = 100
"""Rounds after which a close combat that nobody wins stays locked: only tables without damage get there."""


@njit(inline="always")
def movement(game, red, blue):
    """TH-5.2: the sides move one tank in turn; a pass is not final, two in a row end the phase."""
    game.state.phase = MOVEMENT
    side = first_side(game, roll(game.dice, MOVE_FIRST, game.state.turn, 0, 0, FACES))
    game.state.sides[side].first_to_move = 1
    passes = 0
    while passes < 2 and goes_on(game):
        passes = 0 if order_move(game, red, blue, side) else passes + 1
        side = 1 - side


@njit(inline="always")
def order_move(game, red, blue, side):
    """TH-5.2, TH-6.7: a side moves one tank; False for a pass, or for an order to one that may not move."""
    if not any_may_move(game, side):
        return False
    seat = red if side == RED else blue
    order = ready(seat.desk)
    order[0] = 0
    unit = ask(game, seat, seat.move, side)
    march = order[0]
    if unit == NOWHERE:
        return False
    if not is_tank(game, unit) or game.state.units[unit].side != side:
        fault(game, BAD_UNIT, unit)
        return False
    if march not in (0, 1):
        fault(game, BAD_MARCH, march)
        return False
    if not may_move(game, unit):
        count_illegal(game, side)
        return False
    move_tank(game, red, blue, unit, march)
    return True


@inner_njit
def move_tank(game, red, blue, unit, march):
    """TH-6.1 to TH-6.8: the whole move of one tank, hex by hex."""
    tank = game.state.units[unit]
    side = tank.side
    event = note(game, MOVE, side, unit, NOWHERE)
    origin, end = tank.hex, tank.hex
    begin_move(game, unit, march)
    seat = red if side == RED else blue
    while game.state.fault == 0 and may_go_on(game, unit):
        ready(seat.desk)
        direction = ask(game, seat, seat.step, unit)
        if direction == NOWHERE:
            break
        if direction < 0 or direction >= game.board.cost.shape[1]:
            fault(game, BAD_DIRECTION, direction)
            break
        if not may_step(game, unit, direction):
            illegal_step(game, red, blue, unit)
            break
        step(game, unit, direction)
        end = tank.hex
        enter_hex(game, red, blue, unit)
    crowd(game, unit)
    end_move(game, unit)
    if event >= 0:
        row = game.log.events[event]
        row.actor_hex = origin
        row.target_hex = end
        row.spent = tank.spent
        row.hexes = tank.hexes
        row.marched = march


@njit(inline="always")
def illegal_step(game, red, blue, unit):
    """TH-6.7: the step is undone and ends the move; the enemy may fire at once, and nobody fires back."""
    side = game.state.units[unit].side
    count_illegal(game, side)
    event = note(game, ILLEGAL_STEP, side, unit, NOWHERE)
    if event >= 0:
        game.log.events[event].actor_hex = game.state.units[unit].hex
    opportunity_fire(game, red, blue, unit)


@njit(inline="always")
def enter_hex(game, red, blue, unit):
    """TH-6.2: what happens in a hex entered, in this order; only destruction and close combat cut the list.

    Impact markers, enemy in the hex, opportunity fire, covering fire, own fire.
    """
    enter_impacts(game, red, blue, unit)
    tank = game.state.units[unit]
    if tank.hex == NOWHERE or meet(game, unit):
        return
    shooters = opportunity_fire(game, red, blue, unit)
    if shooters > 0:
        covering_fire(game, red, blue, unit, shooters)
    if may_fire_moving(game, unit) and any_may_be_fired_at(game, 1 - tank.side):
        own_fire(game, red, blue, unit)


@inner_njit
def opportunity_fire(game, red, blue, mover):
    """TH-6.2: the other side may fire at the mover; returns how many of its tanks do."""
    side = 1 - game.state.units[mover].side
    if not may_be_fired_at(game, mover) or not any_may_fire(game, OPPORTUNITY, side):
        return 0
    seat = red if side == RED else blue
    ready(seat.desk)
    target = ask(game, seat, seat.react, mover)
    if target == NOWHERE:
        return 0
    if target != mover:
        fault(game, BAD_TARGET, target)
        return 0
    return declare(game, red, blue, OPPORTUNITY, side, mover)


@njit(inline="always")
def covering_fire(game, red, blue, mover, shooters):
    """TH-6.3: the mover's side may fire at one of the tanks that fired, also after the mover's loss."""
    side = game.state.units[mover].side
    if not any_may_fire(game, COVERING, side):
        return
    seat = red if side == RED else blue
    enemy = blue if side == RED else red
    order = ready(seat.desk)
    for i in range(shooters):
        order[i] = enemy.desk.named[i]
    target = ask(game, seat, seat.cover, mover)
    if target == NOWHERE:
        return
    fired = False
    for i in range(shooters):
        fired = fired or enemy.desk.named[i] == target
    if not fired:
        fault(game, BAD_TARGET, target)
        return
    declare(game, red, blue, COVERING, side, target)


@njit(inline="always")
def own_fire(game, red, blue, unit):
    """TH-6.4, TH-6.5: the mover itself may fire, on the move or in a short halt."""
    tank = game.state.units[unit]
    seat = red if tank.side == RED else blue
    order = ready(seat.desk)
    target = ask(game, seat, seat.shoot, unit)
    if target == NOWHERE:
        return
    order[0] = unit
    order[1] = NOWHERE
    if tank.stabilised == 1:
        declare(game, red, blue, ON_THE_MOVE, tank.side, target)
    elif declare(game, red, blue, SHORT_HALT, tank.side, target) > 0:
        tank.spent += game.rules.short_halt_cost


@inner_njit
def close_combats(game, red, blue):
    """TH-6.8: close combats, in the order of red's tanks in them."""
    if game.state.fault != 0:
        return
    game.state.phase = CLOSE_COMBAT_PHASE
    leader = leading(game)
    for unit in range(first_of(game, leader), end_of(game, leader)):
        if game.state.units[unit].in_combat == 1:
            close_combat(game, red, blue, game.state.units[unit].hex)
    end_combats(game)


@njit(inline="always")
def close_combat(game, red, blue, hexagon):
    """TH-6.8: rounds until one side is gone; a combat in which nobody can fire stays locked."""
    hexes = game.board.hexes
    roller = hexagon if game.mirror == 0 else hexes - 1 - hexagon
    for number in range(MOST_ROUNDS):
        if not is_combat(game, hexagon) or not may_fight_on(game, hexagon) or game.state.fault != 0:
            return
        first = first_side(game, roll(game.dice, COMBAT_FIRST, game.state.turn, roller, number, FACES))
        for i in range(2):
            fight(game, red, blue, first ^ i, hexagon)


@njit(inline="always")
def fight(game, red, blue, side, hexagon):
    """TH-6.8: every tank of a side in a close combat fires once, at a target of its choice."""
    seat = red if side == RED else blue
    for unit in range(first_of(game, side), end_of(game, side)):
        if game.state.units[unit].hex != hexagon or not may_fight(game, unit):
            continue
        if not is_combat(game, hexagon) or game.state.fault != 0:
            return
        ready(seat.desk)
        target = ask(game, seat, seat.fight, unit)
        if (
            not is_tank(game, target)
            or game.state.units[target].side == side
            or game.state.units[target].hex != hexagon
        ):
            fault(game, BAD_TARGET, target)
            return
        shoot(game, red, blue, CLOSE_COMBAT, unit, target, 0)
