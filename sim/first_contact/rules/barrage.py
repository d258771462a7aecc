"""Chapter 7: the barrage."""

from sim.compiled import inner_njit
from sim.first_contact.rules.fire import rounded
from sim.first_contact.rules.game import is_on_map, note
from sim.first_contact.rules.sight import sees_cell
from sim.first_contact.rules.terrain import protection
from sim.first_contact.state import (
    BARRAGE,
    DESTROYED,
    EFFECT,
    FRONT,
    MORTAR,
    NO_EFFECT,
    NOWHERE,
    SHELL,
    SQUAD,
    STUNNED,
    WIPED_OUT,
)
from sim.geometry.square import OFF_MAP, WIDTH

BLOCK = 9
"""Cells that shells scatter over."""


@inner_njit
def may_call(game, side, cell):
    """FC-7.1, FC-7.3: a call is left, and an own unit sees the cell."""
    return game.state.sides[side].barrages > 0 and is_on_map(game, cell) and sees_cell(game, side, cell)


@inner_njit
def shells(game, die):
    """FC-7.2: as many for each mortar as the die has pips."""
    return game.rules.mortars * die


@inner_njit
def scatter(game, pips):
    """FC-7.2: number of the cell, 1 to 9, for the sum of the scatter dice."""
    return pips // game.rules.scatter_divisor


@inner_njit
def block_cell(game, aim, number):
    """FC-1.4, FC-7.2: cell ``number`` of the block 1 2 3 / 4 5 6 / 7 8 9 around the cell aimed at, or `OFF_MAP`."""
    row = aim // WIDTH + (number - 1) // 3 - 1
    column = aim % WIDTH + (number - 1) % 3 - 1
    if row < 0 or row >= game.board.rows or column < 0 or column >= game.board.columns:
        return OFF_MAP
    return row * WIDTH + column


@inner_njit
def against_armour(game, unit, count):
    """FC-7.3: C = 60 x shells - 80 % x thickness of the front, in thousandths of a millimetre."""
    thickness = game.rules.armour[game.state.units[unit].kind, FRONT]
    return 100 * game.rules.shell_damage * count - game.rules.shell_armour_share * thickness


@inner_njit
def strike_vehicle(game, unit, count):
    """FC-7.3: C above 0 destroys, whole crew lost; else the crew is stunned. Returns crew lost."""
    row = game.state.units[unit]
    if against_armour(game, unit, count) <= 0:
        row.stunned = 1
        return 0
    lost = row.men
    row.men = 0
    row.dead += lost
    return lost


@inner_njit
def strike_squad(game, unit, count):
    """FC-7.3: each shell costs 60 % of the men present, divided by (1 + p). Returns dead and wounded."""
    row = game.state.units[unit]
    all_dead, all_wounded = 0, 0
    for _ in range(count):
        dead, wounded = rounded(game.rules.shell_squad_share * row.men, 100 + protection(game, unit))
        dead = min(dead, row.men)
        wounded = min(wounded, row.men - dead)
        row.men -= dead + wounded
        all_dead += dead
        all_wounded += wounded
    row.dead += all_dead
    row.wounded += all_wounded
    return all_dead, all_wounded


@inner_njit
def strike(game, side, aim, die, fall):
    """FC-7.2, FC-7.3: shells fall, ``fall`` (9,) of them in each cell of the block; own units are hit like the enemy's.

    Those that fall off the map are lost. What they destroy leaves the map by `remove_the_fallen`.
    """
    number = note(game, BARRAGE, side, NOWHERE, NOWHERE, aim)
    if number >= 0:
        game.log.events[number].weapon = MORTAR
        game.log.events[number].dice = die
        game.log.events[number].shells = shells(game, die)
    for i in range(BLOCK):
        cell = block_cell(game, aim, i + 1)
        if fall[i] > 0 and cell != OFF_MAP:
            strike_cell(game, side, cell, fall[i])


@inner_njit
def strike_cell(game, side, cell, count):
    """FC-7.3: what shells do in one cell; they stack."""
    unit = game.work.occupant[cell]
    dead, wounded = 0, 0
    result = NO_EFFECT
    if unit != NOWHERE:
        row = game.state.units[unit]
        if row.kind == SQUAD:
            dead, wounded = strike_squad(game, unit, count)
            result = WIPED_OUT if row.men == 0 else EFFECT
        else:
            dead = strike_vehicle(game, unit, count)
            result = DESTROYED if row.men == 0 else STUNNED
    number = note(game, SHELL, side, NOWHERE, unit, cell)
    if number >= 0:
        event = game.log.events[number]
        event.weapon = MORTAR
        event.shells = count
        event.result = result
        event.losses = dead + wounded
        event.dead = dead
        event.wounded = wounded
        if unit != NOWHERE and game.state.units[unit].kind != SQUAD:
            event.value = against_armour(game, unit, count) / 1000
