"""What policies of First Contact weigh shots and barrages with. Nothing here decides.

Where units go is `ways`' business. Of a policy's memory (`sim.game.MEMORY`) the first `TAKEN` numbers are used by both,
the rest is the policy's own:

- how often own units have declared fire at each enemy this turn, and which they suppress;
- how many own units are in each objective or on their way to it, and how many enemies are seen there.
"""

from sim.compiled import inner_njit
from sim.first_contact.board import BY_TARGET, MEN
from sim.first_contact.doctrine import ARMOUR, BARRAGE, GROUND, LEAST_CHANCE, RESERVE
from sim.first_contact.rules.barrage import BLOCK, block_cell, may_call
from sim.first_contact.rules.fire import (
    die_modifier,
    least_pips,
    penetration,
    reach,
    weapon_against,
)
from sim.first_contact.rules.game import end_of, enemy_of, first_of
from sim.first_contact.rules.sight import cells_to
from sim.first_contact.rules.terrain import facing_towards, fire_modifier, protection
from sim.first_contact.state import FIRE, NOWHERE, ON_MAP, SQUAD
from sim.geometry.square import FAR, OFF_MAP, WIDTH, squared_distance

FACES = 6  # of the dice of fire, armour and casualties
MEAN = 3.5  # pips of such a die
FALL = (1, 9, 25, 46, 54, 46, 25, 9, 1)  # of 216 shells, those that fall in each cell of the block (FC-7.2)
SHELLS = 216

# Places of the memory. Shots at an enemy are counted in 4 bits, 15 enemies to a number; suppression takes one bit.
SHOTS, SUPPRESSED, TALLIED, THERE, ENEMIES, TAKEN = 0, 27, 34, 35, 38, 41
COUNTS, MOST_SHOTS, BITS = 15, 15, 62

# Shots


@inner_njit
def chance_of_effect(game, unit, target):
    """FC-5.10: chance that a unit's shot at an enemy takes effect."""
    distance = squared_distance(game.state.units[unit].location, game.state.units[target].location)
    furthest = reach(game, unit, weapon_against(game, unit, target))
    return (FACES + 1 - least_pips(game, distance, furthest)) / FACES


@inner_njit
def chance_of_penetration(game, unit, target):
    """FC-5.3: chance that a unit's shot that takes effect penetrates a vehicle."""
    enemy = game.state.units[target]
    facing = facing_towards(game, target, game.state.units[unit].location)
    thickness = game.rules.armour[enemy.kind, facing]
    f, p = fire_modifier(game, unit, FIRE), protection(game, target)
    faces = 0
    for die in range(1, FACES + 1):
        numerator, denominator = penetration(game, thickness, die, f, p)
        faces += 1 if numerator <= denominator else 0
    return faces / FACES


@inner_njit
def men_hit(game, unit, target, mode):
    """FC-5.2: men that a unit's shot at a squad costs on average if it takes effect."""
    men = game.state.units[target].men
    f, p = fire_modifier(game, unit, mode), protection(game, target)
    factor = max(0.0, 1 + MEAN + die_modifier(game, unit))
    hit = game.rules.casualties[mode] * factor * (100 + f) / (100 * (100 + p))
    if game.rules.casualties_are != MEN:
        hit *= men
    return min(hit, 1.0 * men)


@inner_njit
def index_of(game, unit):
    """Place of a unit within its side."""
    return unit - first_of(game, game.state.units[unit].side)


@inner_njit
def shots_at(game, memory, target):
    """How many own units have declared fire at an enemy this turn, as far as was counted."""
    index = index_of(game, target)
    return memory[SHOTS + index // COUNTS] >> 4 * (index % COUNTS) & MOST_SHOTS


@inner_njit
def count_shot(game, memory, target):
    """Counts a shot that is declared at an enemy."""
    index = index_of(game, target)
    if shots_at(game, memory, target) < MOST_SHOTS:
        memory[SHOTS + index // COUNTS] += 1 << 4 * (index % COUNTS)


@inner_njit
def is_suppressed(game, memory, target):
    """Whether an own unit has declared suppression of an enemy this turn."""
    index = index_of(game, target)
    return memory[SUPPRESSED + index // BITS] >> index % BITS & 1 == 1


@inner_njit
def count_suppression(game, memory, target):
    """Notes that an enemy is suppressed."""
    index = index_of(game, target)
    memory[SUPPRESSED + index // BITS] |= 1 << index % BITS


@inner_njit
def worth_of_shot(game, doctrine, memory, unit, target):
    """What a unit's plain shot at an enemy is worth, in men; 0 if the doctrine forbids it.

    It counts as far as those that others have declared at this target leave something to do: a vehicle is hit once,
    a squad rolls once (FC-5.2, unless every shot rolls).
    """
    row, enemy = game.state.units[unit], game.state.units[target]
    chance = chance_of_effect(game, unit, target)
    least = doctrine[LEAST_CHANCE]
    if chance < least or (row.ammunition <= doctrine[RESERVE] and not is_close(game, unit, target)):
        return 0.0
    if enemy.kind == SQUAD:
        worth = men_hit(game, unit, target, FIRE)
    else:
        chance *= chance_of_penetration(game, unit, target)
        worth = doctrine[ARMOUR]
    if enemy.kind != SQUAD or game.rules.casualty_roll == BY_TARGET:
        missed = 1 - chance
        for _ in range(shots_at(game, memory, target)):
            chance *= missed
    if chance < least:
        return 0.0
    if game.board.objective[enemy.location] != NOWHERE:
        worth *= doctrine[GROUND]
    return chance * worth


@inner_njit
def is_close(game, unit, target):
    """Whether an enemy is within a third of the range of a unit's weapon against it (FC-5.10)."""
    furthest = reach(game, unit, weapon_against(game, unit, target))
    cells = squared_distance(game.state.units[unit].location, game.state.units[target].location)
    return 9 * cells <= furthest * furthest


# Enemies


@inner_njit
def nearest_seen(game, unit):
    """The enemy nearest to a unit of those that its side sees, or `NOWHERE`; of two the lower number.

    What is shown of enemies does not change within a phase: ``game.work.marks`` lists them from its start.
    """
    cell = game.state.units[unit].location
    row, column = cell // WIDTH, cell % WIDTH
    found, least = NOWHERE, FAR
    for i in range(game.work.n_marks):
        mark = game.work.marks[i]
        distance = cells_to(mark, row, column)
        if distance < least:
            found, least = mark.unit, distance
    return found


@inner_njit
def nearest_squad(game, unit):
    """The enemy squad nearest to a unit of those that its side sees, or `NOWHERE`."""
    return _nearest(game, unit, True)


@inner_njit
def nearest_gun(game, unit):
    """The enemy vehicle nearest to a unit of those that its side sees and that can fire, or `NOWHERE`."""
    return _nearest(game, unit, False)


@inner_njit
def _nearest(game, unit, squads):
    cell = game.state.units[unit].location
    row, column = cell // WIDTH, cell % WIDTH
    found, least = NOWHERE, FAR
    for i in range(game.work.n_marks):
        mark = game.work.marks[i]
        if (mark.is_squad == 1) != squads:
            continue
        distance = cells_to(mark, row, column)
        if distance < least and game.state.units[mark.unit].cannot_fire == 0:
            found, least = mark.unit, distance
    return found


@inner_njit
def objective_at(game, cell):
    """Number of the objective that a cell belongs to, or `NOWHERE`."""
    place = game.board.objective[cell]
    return NOWHERE if place == NOWHERE else place - game.board.first_objective


@inner_njit
def cells_between(game, unit, other):
    """Square of the distance between two units."""
    return squared_distance(game.state.units[unit].location, game.state.units[other].location)


# Barrages


@inner_njit
def men_under(game, side, aim, armour):
    """What a barrage on a cell may hit, in men weighed by where shells fall; own units count against it."""
    promise = 0.0
    for i in range(BLOCK):
        cell = block_cell(game, aim, i + 1)
        unit = NOWHERE if cell == OFF_MAP else game.work.occupant[cell]
        if unit == NOWHERE:
            continue
        row = game.state.units[unit]
        men = row.men if row.kind == SQUAD else armour
        # Most shells fall in the middle; in a cell that gets one a squad loses about half of its men.
        share = min(1.0, 4.0 * FALL[i] / SHELLS)
        promise += -share * men if row.side == side else share * men
    return promise


@inner_njit
def best_aim(game, doctrine, side, objective):
    """The enemy's cell that a barrage promises most on, in one objective or, with `NOWHERE`, anywhere; or `NOWHERE`."""
    enemy = enemy_of(side)
    best, most = NOWHERE, 1.0 * doctrine[BARRAGE]
    for unit in range(first_of(game, enemy), end_of(game, enemy)):
        row = game.state.units[unit]
        if row.status != ON_MAP or (objective != NOWHERE and objective_at(game, row.location) != objective):
            continue
        promise = men_under(game, side, row.location, doctrine[ARMOUR])
        if promise > most:
            best, most = row.location, promise
    if best == NOWHERE or not may_call(game, side, best):
        return NOWHERE
    return best
