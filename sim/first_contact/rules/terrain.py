"""Chapter 6: what terrain does to the units in it (FC-6.1 to FC-6.8)."""

from sim.compiled import inner_njit
from sim.first_contact.rules.game import mover, terrain_at
from sim.first_contact.state import BARN, FRONT, REAR, SIDE, SQUAD, SUPPRESS
from sim.geometry.square import COLUMN_STEPS, ROW_STEPS, WIDTH


@inner_njit
def protection(game, unit):
    """FC-5.7, FC-6.1 to FC-6.8: p of a unit where it stands, in per cent."""
    return game.rules.protection[mover(game, unit), terrain_at(game, game.state.units[unit].location)]


@inner_njit
def fire_modifier(game, unit, mode):
    """FC-5.7, FC-9.2: f of a unit where it stands, with a squad's morale, in per cent."""
    row = game.state.units[unit]
    terrain = terrain_at(game, row.location)
    table = game.rules.suppress if mode == SUPPRESS else game.rules.fire
    f = table[mover(game, unit), terrain]
    if row.kind == SQUAD:
        f += game.rules.inflicted[row.morale]
    return f


@inner_njit
def facing_towards(game, unit, cell):
    """FC-5.5: the facing that a vehicle shows to a cell: front within 45 degrees, rear beyond 135, else side."""
    row = game.state.units[unit]
    down = cell // WIDTH - row.location // WIDTH
    right = cell % WIDTH - row.location % WIDTH
    ahead = ROW_STEPS[row.facing] * down + COLUMN_STEPS[row.facing] * right
    across = abs(ROW_STEPS[row.facing] * right - COLUMN_STEPS[row.facing] * down)
    if ahead >= across:
        return FRONT
    return REAR if -ahead > across else SIDE


@inner_njit
def barn_allows(game, unit, cell):
    """FC-6.5: a vehicle in the barn cannot attack what is to its sides or rear."""
    row = game.state.units[unit]
    return row.kind == SQUAD or terrain_at(game, row.location) != BARN or facing_towards(game, unit, cell) == FRONT
