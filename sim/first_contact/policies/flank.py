"""flank: seeks the sides and rears of the enemy's vehicles.

Idea: a front that cannot be penetrated has sides that can. Vehicles drive round the enemy's guns; the infantry goes to
the objectives meanwhile.
"""

from sim.compiled import decision_njit, inner_njit
from sim.first_contact.appraisal import cells_between, is_close, nearest_gun
from sim.first_contact.doctrine import OWN, common_doctrine
from sim.first_contact.policy import moving_by
from sim.first_contact.rules.terrain import facing_towards
from sim.first_contact.state import FRONT, NOWHERE, SQUAD
from sim.first_contact.ways import post_of, straight_to, way_to
from sim.game import DoctrineField, Policy
from sim.geometry.square import COLUMN_STEPS, ROW_STEPS, WIDTH, squared_distance

DOCTRINE = (
    *common_doctrine(armour=16),
    DoctrineField("hunt", 60, "cells within which a vehicle goes for the flank of an enemy's", "cell", 0, 200),
    DoctrineField("offset", 20, "cells beside or behind him that it goes to", "cell", 1, 200, whole=True),
    DoctrineField("until", 10, "last turn in which it does so", "turn", 0, 99, whole=True),
)
HUNT, OFFSET, UNTIL = range(OWN, len(DOCTRINE))
TURNS = (2, 3, 4, 5, 6)  # directions from the enemy's facing that lie beside or behind him


@inner_njit
def flank_of(game, unit, enemy, offset):
    """The nearest of the cells that lie so far beside or behind an enemy, or `NOWHERE` if all are off the map."""
    row = game.state.units[enemy]
    found, least = NOWHERE, 0
    for turn in TURNS:
        direction = (row.facing + turn) % 8
        down = row.location // WIDTH + offset * ROW_STEPS[direction]
        right = row.location % WIDTH + offset * COLUMN_STEPS[direction]
        if down < 0 or right < 0 or down >= game.board.rows or right >= game.board.columns:
            continue
        cell = down * WIDTH + right
        distance = squared_distance(game.state.units[unit].location, cell)
        if found == NOWHERE or distance < least:
            found, least = cell, distance
    return found


@decision_njit
def move(game, doctrine, memory, subject, order):
    """move: a vehicle round the nearest enemy gun that shows it the front, all others to the objectives."""
    goal = post_of(game, doctrine, memory, subject)
    if game.state.units[subject].kind != SQUAD and game.state.turn <= doctrine[UNTIL]:
        enemy = nearest_gun(game, subject)
        if enemy != NOWHERE and cells_between(game, subject, enemy) <= doctrine[HUNT] * doctrine[HUNT]:
            shown = facing_towards(game, enemy, game.state.units[subject].location)
            if shown != FRONT and is_close(game, subject, enemy):
                return 0
            cell = flank_of(game, subject, enemy, int(doctrine[OFFSET]))
            if cell != NOWHERE:
                return straight_to(game, subject, cell, order, 0, False)
    if goal == NOWHERE:
        return 0
    return way_to(game, subject, goal, order, NOWHERE, 0.0)


POLICY = Policy(
    "flank",
    None,
    "seeks the sides and rears of the enemy's vehicles",
    moving_by(move),
    DOCTRINE,
    idea="a front that cannot be penetrated has sides that can",
)
