"""Chapter 2: reserves come on."""

from sim.compiled import inner_njit
from sim.first_contact.rules.game import end_of, first_of, note, stand
from sim.first_contact.rules.movement import may_enter
from sim.first_contact.state import ARRIVAL, NOWHERE, ON_MAP, SQUAD, WAITING


@inner_njit
def arrive(game, side):
    """FC-2.7: units whose turn has come take free cells of the entry zone, nearest first; the rest wait a turn more."""
    entry = game.board.entry[side]
    for unit in range(first_of(game, side), end_of(game, side)):
        row = game.state.units[unit]
        if row.status != WAITING or row.arrives > game.state.turn:
            continue
        i = 0
        while entry[i] != NOWHERE and not may_enter(game, unit, entry[i]):
            i += 1
        if entry[i] == NOWHERE:
            continue
        row.status = ON_MAP
        stand(game, unit, entry[i])
        if row.kind != SQUAD:
            row.facing = game.board.entry_facing[side]
        note(game, ARRIVAL, side, unit, NOWHERE, entry[i])
