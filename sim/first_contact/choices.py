"""What policies of First Contact weigh shots and barrages with, the doctrine and the decisions that they share.

Where units go is `ways`' business. Of a policy's memory (`sim.game.MEMORY`) the first `OWN` numbers are used by both,
the rest is the policy's own:

- how often own units have declared fire at each enemy this turn, and which they suppress;
- how many own units are in each objective or on their way to it, and how many enemies are seen there.
"""

from numba import njit

from sim.compiled import inner_njit
from sim.fields import numbered
from sim.first_contact.board import BY_TARGET, MEN
from sim.first_contact.policy import nearest_seen
from sim.first_contact.rules.barrage import BLOCK, block_cell, may_call
from sim.first_contact.rules.fire import (
    ammunition_cost,
    die_modifier,
    least_pips,
    penetration,
    reach,
    weapon_against,
)
from sim.first_contact.rules.game import end_of_units, enemy_of, first_unit
from sim.first_contact.rules.sight import cells_to
from sim.first_contact.rules.terrain import facing_towards, fire_modifier, protection
from sim.first_contact.state import FIRE, NOWHERE, ON_MAP, SQUAD, SUPPRESS
from sim.game import DoctrineField
from sim.geometry.square import FAR, OFF_MAP, WIDTH, direction_towards, squared_distance

FACES = 6  # of the dice of fire, armour and casualties
MEAN = 3.5  # pips of such a die
FALL = (1, 9, 25, 46, 54, 46, 25, 9, 1)  # of 216 shells, those that fall in each cell of the block (FC-7.2)
SHELLS = 216

# Places of the memory. Shots at an enemy are counted in 4 bits, 15 enemies to a number; suppression takes one bit.
SHOTS, SUPPRESSED, TALLIED, THERE, ENEMIES, OWN = 0, 27, 34, 35, 38, 41
COUNTS, MOST_SHOTS, BITS = 15, 15, 62

# The doctrine that policies share: their own fields come behind these.
COMMON = (
    DoctrineField("least_chance", 0.3, "chance of making a difference below which a unit does not fire", "", 0, 1),
    DoctrineField("reserve", 2, "ammunition kept for targets within a third of the range", "issue", 0, 99),
    DoctrineField("pace", 0.3, "ammunition kept for each turn to come by a unit that suppresses", "issue", 0, 99),
    DoctrineField("armour", 8, "what a vehicle hit counts beside a man, as a target", "man", 0, 1000),
    DoctrineField("ground", 3, "what a target in an objective counts beside one elsewhere", "", 0, 100),
    DoctrineField("barrage", 6, "men that a barrage must promise to hit", "man", 0, 1000),
    DoctrineField("garrison", 6, "units for an objective where no enemy is seen", "unit", 0, 400, whole=True),
    DoctrineField("force", 20, "units for an objective where enemies are seen", "unit", 0, 400, whole=True),
    DoctrineField(
        "contest", 1, "whether a side that holds most objectives goes for the others, too", "", 0, 1, whole=True
    ),
)
LEAST_CHANCE, RESERVE, PACE, ARMOUR, GROUND, BARRAGE_MEN, GARRISON, FORCE, CONTEST = numbered(len(COMMON))
LENGTH = len(COMMON)
"""Place of the first field of a policy's own."""


def common_doctrine(**defaults: float) -> tuple[DoctrineField, ...]:
    """`COMMON` with other defaults."""
    return tuple(field._replace(default=defaults.get(field.name, field.default)) for field in COMMON)


# Shots


@inner_njit
def chance_of_effect(view, unit, target):
    """FC-5.10: chance that a unit's shot at an enemy takes effect."""
    distance = squared_distance(view.state.units[unit].location, view.state.units[target].location)
    furthest = reach(view, unit, weapon_against(view, unit, target))
    return (FACES + 1 - least_pips(view, distance, furthest)) / FACES


@inner_njit
def chance_of_penetration(view, unit, target):
    """FC-5.3: chance that a unit's shot that takes effect penetrates a vehicle."""
    enemy = view.state.units[target]
    facing = facing_towards(view, target, view.state.units[unit].location)
    thickness = view.rules.armour[enemy.kind, facing]
    f, p = fire_modifier(view, unit, FIRE), protection(view, target)
    faces = 0
    for die in range(1, FACES + 1):
        numerator, denominator = penetration(view, thickness, die, f, p)
        faces += 1 if numerator <= denominator else 0
    return faces / FACES


@inner_njit
def men_hit(view, unit, target, mode):
    """FC-5.2: men that a unit's shot at a squad costs on average if it takes effect."""
    men = view.state.units[target].men
    f, p = fire_modifier(view, unit, mode), protection(view, target)
    factor = max(0.0, 1 + MEAN + die_modifier(view, unit))
    hit = view.rules.casualties[mode] * factor * (100 + f) / (100 * (100 + p))
    if view.rules.casualties_are != MEN:
        hit *= men
    return min(hit, 1.0 * men)


@inner_njit
def index_of(view, unit):
    """Place of a unit within its side."""
    return unit - first_unit(view, view.state.units[unit].side)


@inner_njit
def shots_at(view, memory, target):
    """How many own units have declared fire at an enemy this turn, as far as was counted."""
    index = index_of(view, target)
    return memory[SHOTS + index // COUNTS] >> 4 * (index % COUNTS) & MOST_SHOTS


@inner_njit
def count_shot(view, memory, target):
    """Counts a shot that is declared at an enemy."""
    index = index_of(view, target)
    if shots_at(view, memory, target) < MOST_SHOTS:
        memory[SHOTS + index // COUNTS] += 1 << 4 * (index % COUNTS)


@inner_njit
def is_suppressed(view, memory, target):
    """Whether an own unit has declared suppression of an enemy this turn."""
    index = index_of(view, target)
    return memory[SUPPRESSED + index // BITS] >> index % BITS & 1 == 1


@inner_njit
def count_suppression(view, memory, target):
    """Notes that an enemy is suppressed."""
    index = index_of(view, target)
    memory[SUPPRESSED + index // BITS] |= 1 << index % BITS


@inner_njit
def worth_of_shot(view, doctrine, memory, unit, target):
    """What a unit's plain shot at an enemy is worth, in men; 0 if the doctrine forbids it.

    It counts as far as those that others have declared at this target leave something to do: a vehicle is hit once,
    a squad rolls once (FC-5.2, unless every shot rolls).
    """
    row, enemy = view.state.units[unit], view.state.units[target]
    chance = chance_of_effect(view, unit, target)
    least = doctrine[LEAST_CHANCE]
    if chance < least or (row.ammunition <= doctrine[RESERVE] and not is_close(view, unit, target)):
        return 0.0
    if enemy.kind == SQUAD:
        worth = men_hit(view, unit, target, FIRE)
    else:
        chance *= chance_of_penetration(view, unit, target)
        worth = doctrine[ARMOUR]
    if enemy.kind != SQUAD or view.rules.casualty_roll == BY_TARGET:
        missed = 1 - chance
        for _ in range(shots_at(view, memory, target)):
            chance *= missed
    if chance < least:
        return 0.0
    if view.board.objective[enemy.location] != NOWHERE:
        worth *= doctrine[GROUND]
    return chance * worth


@inner_njit
def is_close(view, unit, target):
    """Whether an enemy is within a third of the range of a unit's weapon against it (FC-5.10)."""
    furthest = reach(view, unit, weapon_against(view, unit, target))
    cells = squared_distance(view.state.units[unit].location, view.state.units[target].location)
    return 9 * cells <= furthest * furthest


@njit(cache=True)
def fire_where_it_counts(view, doctrine, memory, subject, order):
    """fire: at the target where the shot is worth most; not at all if no shot is worth its ammunition."""
    best, most = NOWHERE, 0.0
    i = 0
    while order[i] != NOWHERE:
        worth = worth_of_shot(view, doctrine, memory, subject, order[i])
        if worth > most:
            best, most = order[i], worth
        i += 1
    if best != NOWHERE:
        count_shot(view, memory, best)
    return best


@njit(cache=True)
def suppress_with_what_is_left_over(view, doctrine, memory, subject, order):
    """suppress: a squad that nobody suppresses yet, by a unit that keeps enough for the turns to come."""
    row = view.state.units[subject]
    target = row.target
    to_come = view.rules.n_turns - view.state.turn
    left = row.ammunition - ammunition_cost(view, subject, SUPPRESS)
    if left < doctrine[PACE] * to_come or is_suppressed(view, memory, target):
        return 0
    if men_hit(view, subject, target, SUPPRESS) <= men_hit(view, subject, target, FIRE):
        return 0
    count_suppression(view, memory, target)
    return 1


# Enemies


@inner_njit
def nearest_squad(view, unit):
    """The enemy squad nearest to a unit of those that its side sees, or `NOWHERE`."""
    return _nearest(view, unit, True)


@inner_njit
def nearest_gun(view, unit):
    """The enemy vehicle nearest to a unit of those that its side sees and that can fire, or `NOWHERE`."""
    return _nearest(view, unit, False)


@inner_njit
def _nearest(view, unit, squads):
    cell = view.state.units[unit].location
    row, column = cell // WIDTH, cell % WIDTH
    found, least = NOWHERE, FAR
    for i in range(view.work.n_marks):
        mark = view.work.marks[i]
        if (mark.is_squad == 1) != squads:
            continue
        distance = cells_to(mark, row, column)
        if distance < least and view.state.units[mark.unit].cannot_fire == 0:
            found, least = mark.unit, distance
    return found


@inner_njit
def objective_at(view, cell):
    """Number of the objective that a cell belongs to, or `NOWHERE`."""
    place = view.board.objective[cell]
    return NOWHERE if place == NOWHERE else place - view.board.first_objective


@inner_njit
def cells_between(view, unit, other):
    """Square of the distance between two units."""
    return squared_distance(view.state.units[unit].location, view.state.units[other].location)


@njit(cache=True)
def face_the_guns(view, doctrine, memory, subject, order):
    """face: the nearest vehicle that can fire, else the nearest enemy, else as before."""
    row = view.state.units[subject]
    enemy = nearest_gun(view, subject)
    if enemy == NOWHERE:
        enemy = nearest_seen(view, subject)
    if enemy == NOWHERE:
        return row.facing
    return direction_towards(row.location, view.state.units[enemy].location)


# Barrages


@inner_njit
def men_under(view, side, aim, armour):
    """What a barrage on a cell may hit, in men weighed by where shells fall; own units count against it."""
    promise = 0.0
    for i in range(BLOCK):
        cell = block_cell(view, aim, i + 1)
        unit = NOWHERE if cell == OFF_MAP else view.work.occupant[cell]
        if unit == NOWHERE:
            continue
        row = view.state.units[unit]
        men = row.men if row.kind == SQUAD else armour
        # Most shells fall in the middle; in a cell that gets one a squad loses about half of its men.
        share = min(1.0, 4.0 * FALL[i] / SHELLS)
        promise += -share * men if row.side == side else share * men
    return promise


@inner_njit
def best_aim(view, doctrine, side, objective):
    """The enemy's cell that a barrage promises most on, in one objective or, with `NOWHERE`, anywhere; or `NOWHERE`."""
    enemy = enemy_of(side)
    best, most = NOWHERE, 1.0 * doctrine[BARRAGE_MEN]
    for unit in range(first_unit(view, enemy), end_of_units(view, enemy)):
        row = view.state.units[unit]
        if row.status != ON_MAP or (objective != NOWHERE and objective_at(view, row.location) != objective):
            continue
        promise = men_under(view, side, row.location, doctrine[ARMOUR])
        if promise > most:
            best, most = row.location, promise
    if best == NOWHERE or not may_call(view, side, best):
        return NOWHERE
    return best


@njit(cache=True)
def barrage_where_most(view, doctrine, memory, subject, order):
    """barrage: where it promises most, if that is enough."""
    return best_aim(view, doctrine, subject, NOWHERE)
