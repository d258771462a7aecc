"""Chapter 8: supply. What a unit starts with (FC-8.1) is `forces`' business; there is no other source than this."""

from sim.compiled import inner_njit
from sim.first_contact.rules.game import terrain_at
from sim.first_contact.state import ON_MAP, SQUAD, TRENCH


@inner_njit
def is_supplied(game, unit):
    """FC-8.2: a squad that began and ended the turn in the same cell of a trench and did not move."""
    row = game.state.units[unit]
    return (
        row.status == ON_MAP
        and row.kind == SQUAD
        and row.moved == 0
        and row.began == row.location
        and terrain_at(game, row.location) == TRENCH
    )


@inner_njit
def resupply(game):
    """FC-8.2: such squads regain 1 issue, up to what they started with."""
    for unit in range(game.state.n_units):
        row = game.state.units[unit]
        if is_supplied(game, unit):
            row.ammunition = min(row.issue, row.ammunition + game.rules.regained)
