"""The random events of a turn (chapter 7): cards are drawn, shells land.

What is called from one place alone is compiled as a part of it, see `turn`.
"""

from numba import njit

from sim.compiled import inner_njit
from sim.dice import block, pips, roll
from sim.log import fault
from sim.seat import ready
from sim.tank_hex.adjudication import FACES, shell
from sim.tank_hex.purposes import DRAW, GUNS_FIRE
from sim.tank_hex.rules.artillery import arrival, call, clear_call, lift_impacts, ring_of
from sim.tank_hex.rules.cards import cards_left, draw, exchange
from sim.tank_hex.rules.game import end_of, first_of, leading, note, tie_key
from sim.tank_hex.rules.ground import drift_direction, drifted
from sim.tank_hex.rules.movement import end_combats
from sim.tank_hex.rules.sequence import lift_suppression
from sim.tank_hex.rules.view import show
from sim.tank_hex.seat import ask
from sim.tank_hex.state import (
    BAD_AIM,
    BATTERY_122,
    BATTERY_155,
    BLUE,
    CARD_122,
    CARD_155,
    CARD_DRAWN,
    CARDS_EXCHANGED,
    DID_NOT_ARRIVE,
    EVENTS_PHASE,
    GUN,
    LANDED,
    NOWHERE,
    OFF_THE_MAP,
    RED,
)


@inner_njit
def random_events(game, start, red, blue):
    """TH-5.4, TH-7.1, TH-7.2: markers come off, cards are drawn, shells land."""
    game.state.phase = EVENTS_PHASE
    if game.rules.suppression_until_next_turn == 0:
        lift_suppression(game)
    lift_impacts(game)
    for i in range(2):
        side = leading(game) ^ i
        exchange_cards(game, start, side)
        draw_card(game, red, blue, side)
    show(game, red.desk.hidden, RED)
    show(game, blue.desk.hidden, BLUE)
    for i in range(2):
        barrage(game, red, blue, leading(game) ^ i)
    end_combats(game)


@njit(inline="always")
def exchange_cards(game, start, side):
    """TH-7.1: rewards of this turn."""
    for i in range(start.n_exchanges):
        if start.exchange_turn[i] != game.state.turn or start.exchange_side[i] != side:
            continue
        if exchange(game, side, start.gives[i], start.takes[i]):
            event = note(game, CARDS_EXCHANGED, side, NOWHERE, NOWHERE)
            if event >= 0:
                game.log.events[event].card = start.takes[i]


@njit(inline="always")
def draw_card(game, red, blue, side):
    """TH-7.1, TH-7.2: a side draws a card; with a battery it chooses the aim hex at once."""
    left = cards_left(game, side)
    if left == 0:
        return
    die = roll(game.dice, DRAW, game.state.turn, side ^ game.mirror, 0, left)
    card = draw(game, side, die)
    event = note(game, CARD_DRAWN, side, NOWHERE, NOWHERE)
    if event >= 0:
        game.log.events[event].card = card
    if card not in (CARD_155, CARD_122):
        return
    seat = red if side == RED else blue
    show(game, seat.desk.hidden, side)
    order = ready(seat.desk)
    order[0] = card
    aim = ask(game, seat, seat.aim, side)
    if aim < 0 or aim >= game.board.hexes:
        fault(game, BAD_AIM, aim)
        return
    call(game, side, BATTERY_155 if card == CARD_155 else BATTERY_122, aim)
    if event >= 0:
        game.log.events[event].target_hex = aim


@njit(inline="always")
def barrage(game, red, blue, side):
    """TH-7.2: the shells of a side's battery land, gun by gun."""
    slot = arrival(game, side)
    if slot == NOWHERE:
        return
    aim = game.hidden.aim[side, slot]
    game.state.impact_battery[side] = game.hidden.battery[side, slot]
    clear_call(game, side, slot)
    for gun in range(game.rules.guns):
        impact = fire_gun(game, side, gun, aim)
        game.state.impacts[side, gun] = impact
        if impact != NOWHERE:
            shells(game, red, blue, side, gun)


@njit(inline="always")
def fire_gun(game, side, gun, aim):
    """TH-7.2: where a gun's shells land: it may not arrive, drift, and leave the map; `NOWHERE` if they are lost."""
    words = block(game.dice, GUNS_FIRE, game.state.turn, side ^ game.mirror, gun)
    event = note(game, GUN, side, NOWHERE, NOWHERE)
    impact, fate, direction, steps = NOWHERE, DID_NOT_ARRIVE, NOWHERE, 0
    if game.rules.gun_is_lost[pips(words[0], FACES)] == 0:
        impact = aim
        if game.rules.gun_drifts[pips(words[1], FACES)] == 1:
            direction = drift_direction(game, pips(words[2], FACES))
            steps = pips(words[3], FACES)
            impact = drifted(game, aim, direction, steps)
        fate = OFF_THE_MAP if impact == NOWHERE else LANDED
    if event >= 0:
        row = game.log.events[event]
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
    leader = leading(game)
    for ring in range(game.rules.ring_level.shape[1]):
        done = -1
        while True:
            hexagon = next_hex(game, impact, ring, done)
            if hexagon == NOWHERE:
                break
            done = tie_key(game, leader, hexagon)
            for i in range(2):
                for unit in range(first_of(game, leader ^ i), end_of(game, leader ^ i)):
                    if game.state.units[unit].hex == hexagon:
                        shell(game, red, blue, side, gun, ring, unit)


@inner_njit
def next_hex(game, impact, ring, done):
    """The next hex with tanks in a ring around an impact, after the one whose key is ``done``; or `NOWHERE`."""
    leader = leading(game)
    best = NOWHERE
    for unit in range(game.state.n_units):
        hexagon = game.state.units[unit].hex
        if hexagon == NOWHERE or ring_of(game, impact, hexagon) != ring:
            continue
        key = tie_key(game, leader, hexagon)
        if key > done and (best == NOWHERE or key < tie_key(game, leader, best)):
            best = hexagon
    return best
