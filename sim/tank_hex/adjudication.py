"""Declarations of fire, shots and shells: what is asked, rolled and written for each."""

from sim.compiled import inner_njit
from sim.dice import block, pips
from sim.log import fault
from sim.seat import ready
from sim.tank_hex.purposes import SHELL, SHOT
from sim.tank_hex.rules.artillery import result_of_shell, ring_entered, ring_level
from sim.tank_hex.rules.cards import braced, may_brace, may_load_rapidly, may_play_firepower, use_card
from sim.tank_hex.rules.fire import level_by_distance, result_by_table, result_of_shot, saved_by_terrain, shot_level
from sim.tank_hex.rules.game import count_illegal, leading, note, roller
from sim.tank_hex.rules.ground import distance, sees
from sim.tank_hex.rules.markers import is_tank, may_be_fired_at, suffer
from sim.tank_hex.rules.sequence import may_fire
from sim.tank_hex.seat import ask
from sim.tank_hex.state import (
    BAD_ANSWER,
    BAD_SHOOTER,
    BAD_TARGET,
    BARRAGE,
    CLOSE_COMBAT,
    DESTROYED,
    DIRECT,
    FIRE_KILL,
    FIREPOWER,
    FIREPOWER_FOR,
    GUN_85,
    MOST_TANKS,
    NO_EFFECT,
    NO_RESULT,
    NO_SIGHT,
    NOT_ROLLED,
    NOWHERE,
    OUT_OF_RANGE,
    RAPID_LOADING,
    REACTIVE_ARMOUR,
    RED,
    ROLLED,
    SECOND_TARGET,
)

FACES = 6


@inner_njit
def declare(game, red, blue, kind, side, target):
    """TH-4.1, TH-4.9: a declaration as it lies on the desk of a side: shooters, one target, cards.

    All markers are set, then each shooter is adjudicated in turn. Returns how many shooters there are; 0 if the
    declaration does not stand because nobody in it may fire or be fired at.
    """
    seat = red if side == RED else blue
    desk = seat.desk
    if not is_tank(game, target) or game.state.units[target].side == side:
        fault(game, BAD_TARGET, target)
        return 0
    shooters = name_shooters(game, desk, kind, side)
    if shooters == 0:
        return 0
    if not may_be_fired_at(game, target):
        count_illegal(game, side)
        return 0
    game.state.declarations += 1
    boosted = boosted_shooter(game, desk, side, shooters)
    second = second_target(game, desk, kind, side, target)
    for i in range(shooters):
        game.state.units[desk.named[i]].fired = 1
    game.state.units[target].fired_at = 1
    if second != NOWHERE:
        game.state.units[second].fired_at = 1
    for i in range(shooters):
        shooter = desk.named[i]
        shoot(game, red, blue, kind, shooter, target, game.rules.firepower if shooter == boosted else 0)
    if second != NOWHERE:
        shoot(game, red, blue, kind, desk.named[shooters - 1], second, 0)
    return shooters


@inner_njit
def name_shooters(game, desk, kind, side):
    """TH-6.7: the shooters of a declaration that may fire, in their order; the others are dropped and counted."""
    order = desk.order[:]
    named = desk.named[:]
    count = 0
    for i in range(MOST_TANKS):
        unit = order[i]
        if unit == NOWHERE:
            break
        if unit < 0 or unit >= game.state.n_units or game.state.units[unit].side != side:
            fault(game, BAD_SHOOTER, unit)
            return 0
        eligible = may_fire(game, kind, unit)
        for j in range(count):
            if named[j] == unit:
                eligible = False
        if eligible:
            named[count] = unit
            count += 1
        else:
            count_illegal(game, side)
    return count


@inner_njit
def boosted_shooter(game, desk, side, shooters):
    """TH-7.1: the shooter that gains by the card firepower, or `NOWHERE`."""
    unit = desk.order[FIREPOWER_FOR]
    if unit == NOWHERE:
        return NOWHERE
    for i in range(shooters):
        if desk.named[i] == unit and may_play_firepower(game, side):
            use_card(game, side, FIREPOWER, unit)
            return unit
    count_illegal(game, side)
    return NOWHERE


@inner_njit
def second_target(game, desk, kind, side, target):
    """TH-7.1: the target of the last shooter's second shot by rapid loading, the same or another, or `NOWHERE`."""
    second = desk.order[SECOND_TARGET]
    if second == NOWHERE:
        return NOWHERE
    if not is_tank(game, second) or game.state.units[second].side == side:
        fault(game, BAD_TARGET, second)
        return NOWHERE
    if kind != DIRECT or not may_load_rapidly(game, side) or not may_be_fired_at(game, second):
        count_illegal(game, side)
        return NOWHERE
    use_card(game, side, RAPID_LOADING, target)
    return second


@inner_njit
def shoot(game, red, blue, kind, shooter, target, bonus):
    """TH-4.1: one shot: sight, level, dice, corrections, effect."""
    units = game.state.units
    side = units[shooter].side
    event = note(game, kind, side, shooter, target)
    fate, level = fate_of_shot(game, kind, shooter, target, bonus)
    if event >= 0:
        write_shot(game, game.log.events[event], kind, shooter, target, bonus, fate, level)
    if fate != ROLLED:
        return
    words = block(game.dice, SHOT, game.state.turn, roller(game, shooter), units[shooter].shots)
    units[shooter].shots += 1
    die_1, die_2, armour_die = pips(words[0], FACES), pips(words[1], FACES), pips(words[2], FACES)
    terrain = game.board.terrain[units[target].hex]
    table_result = result_by_table(game, GUN_85, level, die_1 + die_2)
    corrected = result_of_shot(game, kind, level, terrain, die_1, die_2, armour_die)
    result = answer(game, red, blue, target, corrected)
    lost = suffer(game, target, result)
    if event >= 0:
        spared = kind != CLOSE_COMBAT and saved_by_terrain(game, terrain, die_1, die_2)
        needs_armour = table_result >= FIRE_KILL and not spared
        write_dice(
            game.log.events[event],
            die_1,
            die_2,
            armour_die if needs_armour else NOWHERE,
            table_result,
            corrected,
            result,
            lost,
        )


@inner_njit
def fate_of_shot(game, kind, shooter, target, bonus):
    """TH-4.1, TH-4.6, TH-4.9: whether a declared shot is rolled, or why not; and its level."""
    units = game.state.units
    if units[target].hex == NOWHERE:
        return NOT_ROLLED, NOWHERE
    if kind != CLOSE_COMBAT:
        if not sees(game, units[shooter].hex, units[target].hex):
            return NO_SIGHT, NOWHERE
        if level_by_distance(game, distance(game, units[shooter].hex, units[target].hex)) == 0:
            return OUT_OF_RANGE, NOWHERE
    level = shot_level(game, kind, shooter, target, bonus)
    return (ROLLED if level > 0 else NO_EFFECT), level


@inner_njit
def write_shot(game, row, kind, shooter, target, bonus, fate, level):
    """TH-9.1: what is known of a shot before the dice."""
    units, board = game.state.units, game.board
    row.weapon = GUN_85
    row.fate = fate
    row.level = level
    row.declaration = game.state.declarations
    row.suppressed = units[shooter].suppressed
    row.actor_hex = units[shooter].hex
    row.card = FIREPOWER if bonus > 0 else NOWHERE
    if fate == NOT_ROLLED:
        return
    a, b = units[shooter].hex, units[target].hex
    steps = game.rules.combat_distance if kind == CLOSE_COMBAT else distance(game, a, b)
    row.target_hex = b
    row.distance = steps
    row.range_m = steps * game.rules.hex_m
    row.height = board.grade[b] - board.grade[a]
    row.level_by_table = level_by_distance(game, steps)
    row.terrain = board.terrain[b]


@inner_njit
def write_dice(row, die_1, die_2, armour_die, table_result, corrected, result, lost):
    """TH-9.1: the dice of a shot or a shell and what came of them."""
    row.die_1 = die_1
    row.die_2 = die_2
    row.dice = die_1 + die_2
    row.armour_die = armour_die
    row.table_result = table_result
    row.braced = 1 if result != corrected else 0
    row.result = result
    row.losses = 1 if lost else 0


@inner_njit
def answer(game, red, blue, unit, result):
    """TH-7.1: the result after the owner has decided about reactive armour."""
    side = game.state.units[unit].side
    if result == NO_RESULT or not may_brace(game, side, result):
        return result
    seat = red if side == RED else blue
    desk = seat.desk
    order = ready(desk)
    order[0] = result
    uses = ask(game, seat, seat.brace, unit)
    if uses == 0:
        return result
    if uses != 1:
        fault(game, BAD_ANSWER, uses)
        return result
    use_card(game, side, REACTIVE_ARMOUR, unit)
    return braced(game, result)


@inner_njit
def enter_impacts(game, red, blue, unit):
    """TH-7.4: a tank that enters a hex is adjudicated for every impact marker there, red's first."""
    for i in range(2):
        side = leading(game) ^ i
        if game.state.impact_battery[side] == NOWHERE:
            continue
        for gun in range(game.rules.guns):
            if game.state.units[unit].hex == NOWHERE:
                return
            ring = ring_entered(game, game.state.impacts[side, gun], game.state.units[unit].hex)
            if ring != NOWHERE:
                shell(game, red, blue, side, gun, ring, unit)


@inner_njit
def shell(game, red, blue, side, gun, ring, unit):
    """TH-7.3: one shell of a side's gun on a tank in a ring around the impact."""
    tank = game.state.units[unit]
    battery = game.state.impact_battery[side]
    level = ring_level(game, battery, ring)
    terrain = game.board.terrain[tank.hex]
    event = note(game, BARRAGE, side, NOWHERE, unit)
    if event >= 0:
        row = game.log.events[event]
        row.weapon = battery
        row.fate = ROLLED
        row.gun = gun + 1
        row.actor_hex = game.state.impacts[side, gun]
        row.target_hex = tank.hex
        row.distance = ring
        row.range_m = ring * game.rules.hex_m
        row.level_by_table = level
        row.level = level
        row.terrain = terrain
    words = block(game.dice, SHELL, game.state.turn, roller(game, unit), tank.shells)
    tank.shells += 1
    die_1, die_2, armour_die = pips(words[0], FACES), pips(words[1], FACES), pips(words[2], FACES)
    table_result = result_by_table(game, battery, level, die_1 + die_2)
    corrected = result_of_shell(game, battery, level, terrain, die_1, die_2, armour_die)
    result = answer(game, red, blue, unit, corrected)
    lost = suffer(game, unit, result)
    if event >= 0:
        needs_armour = table_result == DESTROYED and not saved_by_terrain(game, terrain, die_1, die_2)
        write_dice(
            game.log.events[event],
            die_1,
            die_2,
            armour_die if needs_armour else NOWHERE,
            table_result,
            corrected,
            result,
            lost,
        )
