"""Chapter 4: direct fire."""

from sim.compiled import inner_njit
from sim.tank_hex.rules.ground import distance
from sim.tank_hex.state import CLOSE_COMBAT, FIRE_KILL, GUN_85, ON_THE_MOVE, SHORT_HALT, SUPPRESSED


@inner_njit
def level_by_distance(game, steps):
    """TH-4.3: the level of a shot over some hexes; 0 beyond the longest shot."""
    return game.rules.level[steps] if steps <= game.rules.most_distance else 0


@inner_njit
def height_correction(game, grades, steps):
    """TH-4.4: what is subtracted from the level where the target is higher by some grades."""
    if grades <= 0:
        return 0
    rules = game.rules
    return rules.height_subtract[min(grades, rules.height_grades), steps]


@inner_njit
def modifiers(game, kind, suppressed, bonus):
    """TH-4.6: the sum of the level modifiers: of the shooter's state, the kind of fire and a card."""
    total = bonus
    if suppressed == 1:
        total += game.rules.suppressed
    if kind == ON_THE_MOVE:
        total += game.rules.on_the_move
    elif kind == SHORT_HALT:
        total += game.rules.short_halt
    return total


@inner_njit
def capped(game, level):
    """TH-4.6: a level after all modifiers: the cap is applied once; below 1 there is no effect (0).

    With the option ``minimum_level`` = 1 it counts as 1.
    """
    if level < 1:
        return game.rules.minimum_level
    return min(level, game.rules.most_level)


@inner_njit
def shot_level(game, kind, shooter, target, bonus):
    """TH-4.1: the level of a shot by distance, height correction and modifiers; 0 for one without effect."""
    units = game.state.units
    a, b = units[shooter].hex, units[target].hex
    return level_between(game, kind, a, b, units[shooter].suppressed, bonus)


@inner_njit
def level_between(game, kind, a, b, suppressed, bonus):
    """TH-4.1: the level of a shot from hex a to hex b, whoever stands there; 0 for one without effect."""
    steps = game.rules.combat_distance if kind == CLOSE_COMBAT else distance(game, a, b)
    level = level_by_distance(game, steps)
    if level == 0:
        return 0
    level -= height_correction(game, game.board.grade[b] - game.board.grade[a], steps)
    return capped(game, level + modifiers(game, kind, suppressed, bonus))


@inner_njit
def result_by_table(game, weapon, level, dice):
    """TH-4.5, TH-7.3: the result of the sum of two dice at a level, from 1."""
    return game.rules.results[weapon, level, dice]


@inner_njit
def saved_by_terrain(game, terrain, die_1, die_2):
    """TH-4.7: whether the target's terrain turns damage into S: by a face of either die."""
    saves = game.rules.terrain_saves
    return saves[terrain, die_1] == 1 or saves[terrain, die_2] == 1


@inner_njit
def saved_by_armour(game, weapon, armour_die):
    """TH-4.7, TH-7.3: whether the armour turns damage into S."""
    return armour_die <= game.rules.armour_saves[weapon]


@inner_njit
def result_of_shot(game, kind, level, terrain, die_1, die_2, armour_die):
    """TH-4.5, TH-4.7: the result of a shot: table, then terrain (not in close combat), then armour."""
    result = result_by_table(game, GUN_85, level, die_1 + die_2)
    if result < FIRE_KILL:
        return result
    if kind != CLOSE_COMBAT and saved_by_terrain(game, terrain, die_1, die_2):
        return SUPPRESSED
    return SUPPRESSED if saved_by_armour(game, GUN_85, armour_die) else result
