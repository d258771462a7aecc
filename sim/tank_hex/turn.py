"""The turn sequence of Tank Hex; `adjudication` rolls for shots and shells, this module for everything else.

A turn (TH-5.1):

1. preparation: markers come off, cards drawn in the turn before act, repair (`preparation`);
2. direct fire: the sides declare in turn until both pass (`direct_fire`);
3. movement: the sides move one tank after another until both pass, each hex by hex (`movement`, `move_tank`);
   close combat when all movement is done (`close_combats`);
4. random events: S and impact markers come off, cards are drawn, shells land (`random_events`).

The decisions are the policies'; `sim.tank_hex.policy` says what each of them is asked.

What is called from one place alone is compiled as a part of it (``inline="always"``): LLVM goes over every function
again at every level of calls above it.
"""

from numba import njit

import sim.tank_hex.rules as rules
from sim.compiled import inner_njit
from sim.dice import Dice, block, pips, roll
from sim.tank_hex.adjudication import (
    COMBAT_FIRST,
    DRAW,
    FACES,
    FIRE_FIRST,
    GUNS_FIRE,
    MOVE_FIRST,
    declare,
    enter_impacts,
    shell,
    shoot,
)
from sim.tank_hex.rules import Game
from sim.tank_hex.seat import Seat, clear_desk, ready, seen_by, show
from sim.tank_hex.state import (
    BAD_AIM,
    BAD_DIRECTION,
    BAD_MARCH,
    BAD_TARGET,
    BAD_UNIT,
    BATTERY_122,
    BATTERY_155,
    BLUE,
    CARD_122,
    CARD_155,
    CARD_DRAWN,
    CARDS_EXCHANGED,
    CLOSE_COMBAT,
    CLOSE_COMBAT_PHASE,
    COVERING,
    DID_NOT_ARRIVE,
    DIRECT,
    EVENTS_PHASE,
    FIRE,
    GUN,
    ILLEGAL_STEP,
    LANDED,
    MOVE,
    MOVEMENT,
    NOWHERE,
    OFF_THE_MAP,
    ON_THE_MOVE,
    OPPORTUNITY,
    PREPARATION,
    RED,
    REPAIR,
    SHORT_HALT,
)

MOST_ROUNDS = 100
"""Rounds after which a close combat that nobody wins stays locked: only tables without damage get there."""


@njit(inline="always")
def play_game(game, start, red, blue, record, number):
    """Plays one game from where its state is to the end and writes it into the record at ``number``."""
    state = game.state
    first = state.turn
    rules.uncover(game)
    rules.snapshot(game, record, number, 0)
    while state.turn <= game.rules.n_turns:
        clear_turn(game, red, blue)
        if rules.plays_on(game):
            play_turn(game, start, red, blue)
        rules.snapshot(game, record, number, state.turn - first + 1)
        state.turn += 1
    rules.write_result(game, record.games[number])


@njit(inline="always")
def clear_turn(game, red, blue):
    """TH-5.1: what lives only within a turn is cleared; a game that is over stands still with clear markers."""
    state = game.state
    if state.fault != 0:
        return
    state.phase = PREPARATION
    state.declarations = 0
    if game.rules.suppression_until_next_turn == 1:
        rules.lift_suppression(game)
    rules.clear_markers(game)
    rules.turn_cards_over(game)
    for side in range(2):
        state.sides[side].first_to_fire = 0
        state.sides[side].first_to_move = 0
    clear_desk(game, red.desk, RED)
    clear_desk(game, blue.desk, BLUE)


@njit(inline="always")
def play_turn(game, start, red, blue):
    """TH-5.1: one turn. A side without tanks ends the game at the end of the phase."""
    preparation(game, red, blue)
    direct_fire(game, red, blue)
    movement(game, red, blue)
    if game.rules.close_combat_in_events == 0:
        close_combats(game, red, blue)
    if rules.plays_on(game):
        random_events(game, start, red, blue)
    if game.rules.close_combat_in_events == 1:
        close_combats(game, red, blue)
    rules.end_if_beaten(game)


@njit(inline="always")
def preparation(game, red, blue):
    """TH-7.1: at the start of the turn a side with the card may repair one tank."""
    for i in range(2):
        side = rules.leading(game) ^ i
        if not rules.may_play(game, side, REPAIR):
            continue
        seat = red if side == RED else blue
        unit = seat.repair(seen_by(game, seat), seat.doctrine, seat.desk.memory[:], side, ready(seat.desk))
        if unit == NOWHERE:
            continue
        if not rules.is_tank(game, unit) or game.state.units[unit].side != side:
            rules.fault(game, BAD_UNIT, unit)
        elif rules.may_repair(game, side, unit):
            rules.use_card(game, side, REPAIR, unit)
            rules.repair(game, unit)
        else:
            rules.count_illegal(game, side)


@inner_njit
def direct_fire(game, red, blue):
    """TH-5.2: the sides declare in turn; a pass is not final, two in a row end the phase."""
    game.state.phase = FIRE
    side = rules.first_side(game, roll(game.dice, FIRE_FIRST, game.state.turn, 0, 0, FACES))
    game.state.sides[side].first_to_fire = 1
    passes = 0
    while passes < 2 and rules.plays_on(game):
        passes = 0 if declare_direct(game, red, blue, side) else passes + 1
        side = 1 - side


@njit(inline="always")
def declare_direct(game, red, blue, side):
    """TH-5.2: one declaration of a side; False for a pass, or for one that does not stand (TH-6.7)."""
    if not rules.may_declare(game, DIRECT, side):
        return False
    seat = red if side == RED else blue
    target = seat.fire(seen_by(game, seat), seat.doctrine, seat.desk.memory[:], side, ready(seat.desk))
    if target == NOWHERE:
        return False
    return declare(game, red, blue, DIRECT, side, target) > 0


@njit(inline="always")
def movement(game, red, blue):
    """TH-5.2: the sides move one tank in turn; a pass is not final, two in a row end the phase."""
    game.state.phase = MOVEMENT
    side = rules.first_side(game, roll(game.dice, MOVE_FIRST, game.state.turn, 0, 0, FACES))
    game.state.sides[side].first_to_move = 1
    passes = 0
    while passes < 2 and rules.plays_on(game):
        passes = 0 if order_move(game, red, blue, side) else passes + 1
        side = 1 - side


@njit(inline="always")
def order_move(game, red, blue, side):
    """TH-5.2, TH-6.7: a side moves one tank; False for a pass, or for an order to one that may not move."""
    if not rules.any_may_move(game, side):
        return False
    seat = red if side == RED else blue
    order = ready(seat.desk)
    order[0] = 0
    unit = seat.move(seen_by(game, seat), seat.doctrine, seat.desk.memory[:], side, order)
    march = order[0]
    if unit == NOWHERE:
        return False
    if not rules.is_tank(game, unit) or game.state.units[unit].side != side:
        rules.fault(game, BAD_UNIT, unit)
        return False
    if march not in (0, 1):
        rules.fault(game, BAD_MARCH, march)
        return False
    if not rules.may_move(game, unit):
        rules.count_illegal(game, side)
        return False
    move_tank(game, red, blue, unit, march)
    return True


@inner_njit
def move_tank(game, red, blue, unit, march):
    """TH-6.1 to TH-6.8: the whole move of one tank, hex by hex."""
    tank = game.state.units[unit]
    side = tank.side
    event = rules.note(game, MOVE, side, unit, NOWHERE)
    origin, end = tank.hex, tank.hex
    rules.begin_move(game, unit, march)
    seat = red if side == RED else blue
    while game.state.fault == 0 and rules.may_go_on(game, unit):
        direction = seat.step(seen_by(game, seat), seat.doctrine, seat.desk.memory[:], unit, ready(seat.desk))
        if direction == NOWHERE:
            break
        if direction < 0 or direction >= game.board.cost.shape[1]:
            rules.fault(game, BAD_DIRECTION, direction)
            break
        if not rules.may_step(game, unit, direction):
            illegal_step(game, red, blue, unit)
            break
        rules.step(game, unit, direction)
        end = tank.hex
        enter_hex(game, red, blue, unit)
    rules.crowd(game, unit)
    rules.end_move(game, unit)
    if event >= 0:
        row = game.log[event]
        row.actor_hex = origin
        row.target_hex = end
        row.spent = tank.spent
        row.hexes = tank.hexes
        row.marched = march


@njit(inline="always")
def illegal_step(game, red, blue, unit):
    """TH-6.7: the step is undone and ends the move; the enemy may fire at once, and nobody fires back."""
    side = game.state.units[unit].side
    rules.count_illegal(game, side)
    event = rules.note(game, ILLEGAL_STEP, side, unit, NOWHERE)
    if event >= 0:
        game.log[event].actor_hex = game.state.units[unit].hex
    opportunity_fire(game, red, blue, unit)


@njit(inline="always")
def enter_hex(game, red, blue, unit):
    """TH-6.2: what happens in a hex entered, in this order; only destruction and close combat cut the list.

    Impact markers, enemy in the hex, opportunity fire, covering fire, own fire.
    """
    enter_impacts(game, red, blue, unit)
    tank = game.state.units[unit]
    if tank.hex == NOWHERE or rules.meet(game, unit):
        return
    shooters = opportunity_fire(game, red, blue, unit)
    if shooters > 0:
        covering_fire(game, red, blue, unit, shooters)
    if rules.may_fire_moving(game, unit) and rules.any_may_be_fired_at(game, 1 - tank.side):
        own_fire(game, red, blue, unit)


@inner_njit
def opportunity_fire(game, red, blue, mover):
    """TH-6.2: the other side may fire at the mover; returns how many of its tanks do."""
    side = 1 - game.state.units[mover].side
    if not rules.may_be_fired_at(game, mover) or not rules.any_may_fire(game, OPPORTUNITY, side):
        return 0
    seat = red if side == RED else blue
    target = seat.react(seen_by(game, seat), seat.doctrine, seat.desk.memory[:], mover, ready(seat.desk))
    if target == NOWHERE:
        return 0
    if target != mover:
        rules.fault(game, BAD_TARGET, target)
        return 0
    return declare(game, red, blue, OPPORTUNITY, side, mover)


@njit(inline="always")
def covering_fire(game, red, blue, mover, shooters):
    """TH-6.3: the mover's side may fire at one of the tanks that fired, also after the mover's loss."""
    side = game.state.units[mover].side
    if not rules.any_may_fire(game, COVERING, side):
        return
    seat = red if side == RED else blue
    enemy = blue if side == RED else red
    order = ready(seat.desk)
    for i in range(shooters):
        order[i] = enemy.desk.named[i]
    target = seat.cover(seen_by(game, seat), seat.doctrine, seat.desk.memory[:], mover, order)
    if target == NOWHERE:
        return
    fired = False
    for i in range(shooters):
        fired = fired or enemy.desk.named[i] == target
    if not fired:
        rules.fault(game, BAD_TARGET, target)
        return
    declare(game, red, blue, COVERING, side, target)


@njit(inline="always")
def own_fire(game, red, blue, unit):
    """TH-6.4, TH-6.5: the mover itself may fire, on the move or in a short halt."""
    tank = game.state.units[unit]
    seat = red if tank.side == RED else blue
    order = ready(seat.desk)
    target = seat.shoot(seen_by(game, seat), seat.doctrine, seat.desk.memory[:], unit, order)
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
    leading = rules.leading(game)
    for unit in range(rules.first_of(game, leading), rules.end_of(game, leading)):
        if game.state.units[unit].in_combat == 1:
            close_combat(game, red, blue, game.state.units[unit].hex)
    rules.end_combats(game)


@njit(inline="always")
def close_combat(game, red, blue, hexagon):
    """TH-6.8: rounds until one side is gone; a combat in which nobody can fire stays locked."""
    hexes = game.board.hexes
    roller = hexagon if game.mirror == 0 else hexes - 1 - hexagon
    for number in range(MOST_ROUNDS):
        if not rules.is_combat(game, hexagon) or not rules.may_fight_on(game, hexagon) or game.state.fault != 0:
            return
        first = rules.first_side(game, roll(game.dice, COMBAT_FIRST, game.state.turn, roller, number, FACES))
        for i in range(2):
            fight(game, red, blue, first ^ i, hexagon)


@njit(inline="always")
def fight(game, red, blue, side, hexagon):
    """TH-6.8: every tank of a side in a close combat fires once, at a target of its choice."""
    seat = red if side == RED else blue
    for unit in range(rules.first_of(game, side), rules.end_of(game, side)):
        if game.state.units[unit].hex != hexagon or not rules.may_fight(game, unit):
            continue
        if not rules.is_combat(game, hexagon) or game.state.fault != 0:
            return
        target = seat.fight(seen_by(game, seat), seat.doctrine, seat.desk.memory[:], unit, ready(seat.desk))
        if (
            not rules.is_tank(game, target)
            or game.state.units[target].side == side
            or game.state.units[target].hex != hexagon
        ):
            rules.fault(game, BAD_TARGET, target)
            return
        shoot(game, red, blue, CLOSE_COMBAT, unit, target, 0)


@inner_njit
def random_events(game, start, red, blue):
    """TH-5.4, TH-7.1, TH-7.2: markers come off, cards are drawn, shells land."""
    game.state.phase = EVENTS_PHASE
    if game.rules.suppression_until_next_turn == 0:
        rules.lift_suppression(game)
    rules.lift_impacts(game)
    for i in range(2):
        side = rules.leading(game) ^ i
        exchange_cards(game, start, side)
        draw_card(game, red, blue, side)
    show(game, red.desk, RED)
    show(game, blue.desk, BLUE)
    for i in range(2):
        barrage(game, red, blue, rules.leading(game) ^ i)
    rules.end_combats(game)


@njit(inline="always")
def exchange_cards(game, start, side):
    """TH-7.1: rewards of this turn."""
    for i in range(start.n_exchanges):
        if start.exchange_turn[i] != game.state.turn or start.exchange_side[i] != side:
            continue
        if rules.exchange(game, side, start.gives[i], start.takes[i]):
            event = rules.note(game, CARDS_EXCHANGED, side, NOWHERE, NOWHERE)
            if event >= 0:
                game.log[event].card = start.takes[i]


@njit(inline="always")
def draw_card(game, red, blue, side):
    """TH-7.1, TH-7.2: a side draws a card; with a battery it chooses the aim hex at once."""
    left = rules.cards_left(game, side)
    if left == 0:
        return
    die = roll(game.dice, DRAW, game.state.turn, side ^ game.mirror, 0, left)
    card = rules.draw(game, side, die)
    event = rules.note(game, CARD_DRAWN, side, NOWHERE, NOWHERE)
    if event >= 0:
        game.log[event].card = card
    if card not in (CARD_155, CARD_122):
        return
    seat = red if side == RED else blue
    show(game, seat.desk, side)
    order = ready(seat.desk)
    order[0] = card
    aim = seat.aim(seen_by(game, seat), seat.doctrine, seat.desk.memory[:], side, order)
    if aim < 0 or aim >= game.board.hexes:
        rules.fault(game, BAD_AIM, aim)
        return
    rules.call(game, side, BATTERY_155 if card == CARD_155 else BATTERY_122, aim)
    if event >= 0:
        game.log[event].target_hex = aim


@njit(inline="always")
def barrage(game, red, blue, side):
    """TH-7.2: the shells of a side's battery land, gun by gun."""
    slot = rules.arrival(game, side)
    if slot == NOWHERE:
        return
    aim = game.hidden.aim[side, slot]
    game.state.impact_battery[side] = game.hidden.battery[side, slot]
    rules.clear_call(game, side, slot)
    for gun in range(game.rules.guns):
        impact = fire_gun(game, side, gun, aim)
        game.state.impacts[side, gun] = impact
        if impact != NOWHERE:
            shells(game, red, blue, side, gun)


@njit(inline="always")
def fire_gun(game, side, gun, aim):
    """TH-7.2: where a gun's shells land: it may not arrive, drift, and leave the map; `NOWHERE` if they are lost."""
    words = block(game.dice, GUNS_FIRE, game.state.turn, side ^ game.mirror, gun)
    event = rules.note(game, GUN, side, NOWHERE, NOWHERE)
    impact, fate, direction, steps = NOWHERE, DID_NOT_ARRIVE, NOWHERE, 0
    if game.rules.gun_is_lost[pips(words[0], FACES)] == 0:
        impact = aim
        if game.rules.gun_drifts[pips(words[1], FACES)] == 1:
            direction = rules.drift_direction(game, pips(words[2], FACES))
            steps = pips(words[3], FACES)
            impact = rules.drifted(game, aim, direction, steps)
        fate = OFF_THE_MAP if impact == NOWHERE else LANDED
    if event >= 0:
        row = game.log[event]
        row.weapon = game.state.impact_battery[side]
        row.gun = gun + 1
        row.actor_hex = aim
        row.target_hex = impact
        row.fate = fate
        row.distance = steps
        row.direction = direction + 1 if direction != NOWHERE else NOWHERE
    return impact


@njit(inline="always")
def shells(game, red, blue, side, gun):
    """TH-7.2, TH-7.3: one impact: hexes by ring and number, tanks by number, red's first."""
    impact = game.state.impacts[side, gun]
    leading = rules.leading(game)
    for ring in range(game.rules.ring_level.shape[1]):
        done = -1
        while True:
            hexagon = next_hex(game, impact, ring, done)
            if hexagon == NOWHERE:
                break
            done = rules.tie_key(game, leading, hexagon)
            for i in range(2):
                for unit in range(rules.first_of(game, leading ^ i), rules.end_of(game, leading ^ i)):
                    if game.state.units[unit].hex == hexagon:
                        shell(game, red, blue, side, gun, ring, unit)


@inner_njit
def next_hex(game, impact, ring, done):
    """The next hex with tanks in a ring around an impact, after the one whose key is ``done``; or `NOWHERE`."""
    leading = rules.leading(game)
    best = NOWHERE
    for unit in range(game.state.n_units):
        hexagon = game.state.units[unit].hex
        if hexagon == NOWHERE or rules.ring_of(game, impact, hexagon) != ring:
            continue
        key = rules.tie_key(game, leading, hexagon)
        if key > done and (best == NOWHERE or key < rules.tie_key(game, leading, best)):
            best = hexagon
    return best


@njit(cache=True, nogil=True)
def play_games(
    setup,
    seed,
    replications,
    worlds,
    mirror,
    red,
    blue,
    record,
    red_repair,
    red_fire,
    red_move,
    red_step,
    red_react,
    red_cover,
    red_shoot,
    red_fight,
    red_aim,
    red_brace,
    blue_repair,
    blue_fire,
    blue_move,
    blue_step,
    blue_react,
    blue_cover,
    blue_shoot,
    blue_fight,
    blue_aim,
    blue_brace,
):
    """Plays a batch of games: one for each entry of ``replications`` and ``worlds`` (n,).

    With ``mirror`` = 1 the sides are exchanged in the addresses of dice, in odd and even, and in directions: a setup
    with sides exchanged and turned round gives the mirrored game.
    """
    states = setup.state.copy()
    hidden = setup.hidden.copy()
    desks = setup.desks.copy()
    for number in range(len(replications)):
        record.current[0] = number
        states[0] = setup.state[0]
        game = Game(
            setup.board[0],
            setup.rules[0],
            states[0],
            hidden[0],
            setup.blank_event[0],
            record.events[number],
            record.event_count[number : number + 1],
            Dice(seed, replications[number], worlds[number]),
            mirror,
        )
        red_seat = Seat(
            desks[RED], red,
            red_repair, red_fire, red_move, red_step, red_react,
            red_cover, red_shoot, red_fight, red_aim, red_brace,
        )  # fmt: skip
        blue_seat = Seat(
            desks[BLUE], blue,
            blue_repair, blue_fire, blue_move, blue_step, blue_react,
            blue_cover, blue_shoot, blue_fight, blue_aim, blue_brace,
        )  # fmt: skip
        play_game(game, setup.start[0], red_seat, blue_seat, record, number)
