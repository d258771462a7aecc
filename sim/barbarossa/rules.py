"""The rules of Barbarossa Solitaire, one function for a clause, in the order of the book.

All functions are compiled. A die is an argument; who rolls it is the business of `turn`.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from sim.barbarossa.board import AT_ONCE, FIVE, PHASE_END, WEAK_POINT
from sim.barbarossa.state import (
    AXIS,
    GERMAN,
    GONE,
    HUNGARIAN,
    ISOLATED,
    LEFT_THE_GAME,
    LOST,
    MOVE,
    NOWHERE,
    ON_MAP,
    REINFORCEMENT,
    RETREAT,
    RUMANIAN,
    SOVIET,
    TOO_MANY_EVENTS,
    VACATED,
    WAITING,
)
from sim.dice import Dice


class Game(NamedTuple):
    """A game under way. What a policy is handed is the same thing with dice of its own and no log.

    ``board``, ``rules``, ``state`` and ``blank_event`` are records (see `board.BOARD`, `board.RULES`, `state.STATE`);
    events are written into ``log`` (most events,), or nowhere if there is no room for any; ``logged`` (1,) of them
    have been.
    """

    board: np.record
    rules: np.record
    state: np.record
    blank_event: np.record
    log: np.ndarray
    logged: np.ndarray
    dice: Dice


@njit
def fault(game, kind, value):
    """Ends the game: a policy returned a value that cannot be."""
    state = game.state
    if state.fault == 0:
        state.fault = kind
        state.fault_turn = state.turn
        state.fault_value = value


@njit
def note(game, kind, side, unit, place, origin):
    """Writes an event and returns its number, or -1 if nothing is recorded."""
    if len(game.log) == 0:
        return -1
    number = game.logged[0]
    if number == len(game.log):
        fault(game, TOO_MANY_EVENTS, number)
        return -1
    game.logged[0] = number + 1
    game.log[number] = game.blank_event
    event = game.log[number]
    event.turn = game.state.turn
    event.kind = kind
    event.side = side
    event.actor = unit
    event.place = place
    event.origin = origin
    return number


@njit
def units_in(game, region):
    """Number of units in a region."""
    count = 0
    for i in range(game.state.n_units):
        if game.state.units[i].region == region:
            count += 1
    return count


@njit
def nation_in(game, nation, region):
    """Number of a nation's units in a region."""
    count = 0
    for i in range(game.state.n_units):
        unit = game.state.units[i]
        if unit.region == region and unit.nation == nation:
            count += 1
    return count


# 1 Frame


@njit
def is_axis(game, region):
    """BB-1.3: a region with an Axis unit or a garrison is Axis, every other is Soviet."""
    return game.state.places[region].holder == AXIS


@njit
def is_front(game, region):
    """BB-1.6: an Axis region that a line joins to a Soviet one; a shared sea makes no front."""
    return is_axis(game, region) and borders_soviet(game, region)


@njit
def borders_soviet(game, region):
    """Whether a line joins a region to a Soviet one (BB-1.6)."""
    neighbours = game.board.neighbours[region]
    i = 0
    while neighbours[i] != NOWHERE:
        if game.state.places[neighbours[i]].holder == SOVIET:
            return True
        i += 1
    return False


@njit
def are_neighbours(game, region, other):
    """Whether a line joins two regions (BB-1.4)."""
    return game.board.lines_between[region, other] == 1


# 2 Movement


@njit
def may_move(game, unit, region):
    """BB-2.1: one step along a line to an Axis region, once a turn; closed regions as BB-4.4."""
    mover = game.state.units[unit]
    return (
        mover.status == ON_MAP
        and mover.moved == 0
        and are_neighbours(game, mover.region, region)
        and is_axis(game, region)
        and may_enter(game, unit, region)
        and not would_share(game, unit, region)
    )


@njit
def move(game, unit, region):
    """BB-2.1: a unit moves one step; a garrison that it meets is removed, the region that it left is looked at."""
    mover = game.state.units[unit]
    origin = mover.region
    note(game, MOVE, AXIS, unit, region, origin)
    mover.moved = 1
    enter(game, unit, region)
    leave(game, origin)
    departures(game)


@njit
def enter(game, unit, region):
    """BB-2.2: a unit enters a region by move, reinforcement, capture or retreat; a garrison goes."""
    game.state.units[unit].region = region
    place = game.state.places[region]
    place.holder = AXIS
    place.garrison = 0


@njit
def leave(game, region):
    """BB-2.2: looks at a region that a unit has left, under the option ``vacated``."""
    place = game.state.places[region]
    if place.holder == SOVIET or place.garrison == 1 or units_in(game, region) > 0:
        return
    if game.rules.vacated == PHASE_END:
        return
    if game.rules.vacated == AT_ONCE and borders_soviet(game, region):
        become_soviet(game, region, VACATED)
    else:
        place.garrison = 1


@njit
def end_phase(game):
    """BB-2.2, option ``vacated = phase_end``: one look at every empty region, all on the same situation."""
    if game.rules.vacated != PHASE_END:
        return
    n_places = game.state.n_places
    falls = np.zeros(n_places, np.int64)
    for region in range(n_places):
        place = game.state.places[region]
        if place.holder == AXIS and place.garrison == 0 and units_in(game, region) == 0:
            if borders_soviet(game, region):
                falls[region] = 1
            else:
                place.garrison = 1
    for region in range(n_places):
        if falls[region] == 1:
            become_soviet(game, region, VACATED)
    departures(game)


@njit
def become_soviet(game, region, kind):
    """A region falls to the Soviet side; ``kind`` is the event to write, or -1 for none."""
    place = game.state.places[region]
    place.holder = SOVIET
    place.garrison = 0
    game.state.sides[SOVIET].captured += 1
    if kind >= 0:
        note(game, kind, SOVIET, NOWHERE, region, NOWHERE)


# 3 Axis attack


@njit
def may_attack(game, unit, target):
    """BB-3.1, BB-3.4: a unit that has not attacked, next to a Soviet region that has not been attacked this turn."""
    attacker = game.state.units[unit]
    if attacker.status != ON_MAP or attacker.attacked == 1:
        return False
    if attacker.stood_alone == 1 and game.rules.lone_unit_may_attack == 0:
        return False
    place = game.state.places[target]
    return (
        place.holder == SOVIET
        and place.attacked == 0
        and are_neighbours(game, attacker.region, target)
        and may_enter(game, unit, target)
    )


@njit
def may_attack_together(game, attackers, count, target):
    """BB-3.1, BB-3.4: whether these units may make one attack: one a line, no Rumanians beside Hungarians."""
    if count < 1:
        return False
    nations = np.zeros(4, np.int64)
    for i in range(count):
        unit = attackers[i]
        if unit < 0 or unit >= game.state.n_units or not may_attack(game, unit, target):
            return False
        nations[game.state.units[unit].nation] += 1
        for j in range(i):
            if game.state.units[attackers[j]].region == game.state.units[unit].region:
                return False
    return nations[RUMANIAN] == 0 or nations[HUNGARIAN] == 0


@njit
def attack_modifier(game, with_german):
    """BB-3.2: what is added to the die, by year and by whether a German unit takes part."""
    turn = game.state.turn
    return game.rules.modifier_german[turn - 1] if with_german else game.rules.modifier_other[turn - 1]


@njit
def attack_result(game, count, roll):
    """BB-3.2: the result of ``count`` attackers with a modified roll."""
    table = game.rules.attack_table
    return table[min(count, table.shape[0]) - 1, max(1, min(roll, table.shape[1])) - 1]


@njit
def capture(game, target, attackers, count):
    """BB-3.2, BB-3.3: the attackers that remain enter the target; returns how many regions it cuts off."""
    game.state.sides[AXIS].captured += 1
    origins = np.empty(count, np.int64)
    for i in range(count):
        origins[i] = game.state.units[attackers[i]].region
        enter(game, attackers[i], target)
    for i in range(count):
        leave(game, origins[i])
    cut_off = isolate(game)
    departures(game)
    return cut_off


@njit
def isolate(game):
    """BB-3.3: Soviet regions that no path of Soviet regions, by line or sea, joins to a source turn Axis.

    Returns how many. With all sources Axis everything falls and the game is decided.
    """
    board, places = game.board, game.state.places
    n_places = game.state.n_places
    supplied = np.zeros(n_places, np.int64)
    queue = np.empty(n_places, np.int64)
    length = 0
    for region in range(n_places):
        if board.is_source[region] == 1 and places[region].holder == SOVIET:
            supplied[region] = 1
            queue[length] = region
            length += 1
    if length == 0:
        game.state.sides[AXIS].decided = game.state.turn
    done = 0
    while done < length:
        region = queue[done]
        done += 1
        for links in (board.neighbours[region], board.overseas[region]):
            i = 0
            while links[i] != NOWHERE:
                other = links[i]
                if supplied[other] == 0 and places[other].holder == SOVIET:
                    supplied[other] = 1
                    queue[length] = other
                    length += 1
                i += 1
    count = 0
    for region in range(n_places):
        if places[region].holder == SOVIET and supplied[region] == 0:
            places[region].holder = AXIS
            places[region].garrison = 1
            game.state.sides[AXIS].captured += 1
            note(game, ISOLATED, AXIS, NOWHERE, region, NOWHERE)
            count += 1
    return count


@njit
def mark_lone_units(game):
    """BB-3.4: with ``lone_unit_may_attack`` off, units are counted when the attack phase begins."""
    for i in range(game.state.n_units):
        unit = game.state.units[i]
        unit.stood_alone = 1 if unit.status == ON_MAP and units_in(game, unit.region) == 1 else 0


# 4 Reinforcements


@njit
def lose(game, unit):
    """BB-4.1: a unit is lost; it comes back after three turns, an Italian never. Its region is left to the caller."""
    loser = game.state.units[unit]
    side = game.state.sides[AXIS]
    note(game, LOST, AXIS, unit, loser.region, NOWHERE)
    side.lost += 1
    side.losses += 1
    loser.region = NOWHERE
    if game.rules.never_returns[loser.nation] == 1:
        loser.status = GONE
        return
    loser.status = WAITING
    loser.due = game.state.turn + game.rules.returns_after
    loser.rank = side.losses


@njit
def next_reinforcement(game, skipped):
    """BB-4.1: the unit whose turn it is to come, or `NOWHERE`.

    A calendar unit of this turn goes first, then the longest due, then the order of loss. ``skipped`` (units,) marks
    those that found no place.
    """
    turn = game.state.turn
    best = NOWHERE
    for i in range(game.state.n_units):
        unit = game.state.units[i]
        if unit.status != WAITING or unit.due > turn or skipped[i] == 1:
            continue
        if best == NOWHERE or _comes_before(game, i, best, turn):
            best = i
    return best


@njit
def _comes_before(game, i, j, turn):
    a, b = game.state.units[i], game.state.units[j]
    a_is_of_this_turn = a.rank == 0 and a.due == turn
    b_is_of_this_turn = b.rank == 0 and b.due == turn
    if a_is_of_this_turn != b_is_of_this_turn:
        return a_is_of_this_turn
    if a.due != b.due:
        return a.due < b.due
    return a.rank < b.rank


@njit
def reinforcements_now(game):
    """BB-4.1: how many units may come this turn."""
    if game.state.turn == game.rules.unlimited_turn:
        return game.state.n_units
    return game.rules.reinforcements_each_turn


@njit
def may_place(game, unit, region):
    """BB-4.2: any Axis region that is not front, and the nation's homes, front or not; closed regions as BB-4.4."""
    nation = game.state.units[unit].nation
    return (
        is_axis(game, region)
        and (game.board.is_home[nation, region] == 1 or not borders_soviet(game, region))
        and may_enter(game, unit, region)
        and not would_share(game, unit, region)
    )


@njit
def has_place(game, unit):
    """BB-4.2: whether a unit may be placed anywhere."""
    for region in range(game.state.n_places):
        if may_place(game, unit, region):
            return True
    return False


@njit
def place(game, unit, region):
    """BB-4.2: a reinforcement comes."""
    arrival = game.state.units[unit]
    arrival.status = ON_MAP
    arrival.due = 0
    arrival.rank = -1
    note(game, REINFORCEMENT, AXIS, unit, region, NOWHERE)
    enter(game, unit, region)


@njit
def departures(game):
    """BB-4.3: nations whose capital is Soviet leave for good; the regions that they empty may fall, and so on."""
    changed = True
    while changed:
        changed = False
        for nation in range(4):
            capital = game.board.leaves_with[nation]
            if capital != NOWHERE and game.state.places[capital].holder == SOVIET and leave_the_game(game, nation):
                changed = True


@njit
def calendar_departures(game):
    """BB-4.3: nations that leave the game before the movement of this turn (Italians, A43)."""
    for nation in range(4):
        leaves_in = game.rules.leaves_in[nation]
        if leaves_in != 0 and leaves_in <= game.state.turn and leave_the_game(game, nation):
            departures(game)


@njit
def leave_the_game(game, nation):
    """BB-4.3: all units of a nation, waiting ones too, leave for good; False if there were none left."""
    any_left = False
    for i in range(game.state.n_units):
        unit = game.state.units[i]
        if unit.nation != nation or unit.status == GONE:
            continue
        any_left = True
        region = unit.region
        note(game, LEFT_THE_GAME, AXIS, i, region, NOWHERE)
        unit.status = GONE
        unit.region = NOWHERE
        unit.due = 0
        unit.rank = -1
        if region != NOWHERE and units_in(game, region) == 0:
            if borders_soviet(game, region):
                become_soviet(game, region, VACATED)
            else:
                game.state.places[region].garrison = 1
    return any_left


@njit
def may_enter(game, unit, region):
    """BB-4.4: Rumanians never go north of the line from Belgrade to Stalingrad."""
    return game.board.may_enter[game.state.units[unit].nation, region] == 1


@njit
def would_share(game, unit, region):
    """BB-4.4: whether a unit would share a region with the other of Rumanians and Hungarians."""
    nation = game.state.units[unit].nation
    if nation == RUMANIAN:
        return nation_in(game, HUNGARIAN, region) > 0
    if nation == HUNGARIAN:
        return nation_in(game, RUMANIAN, region) > 0
    return False


@njit
def give_up(game, nation, region):
    """BB-4.4: a retreat has brought Rumanians and Hungarians together: one nation's units there are lost."""
    for i in range(game.state.n_units):
        unit = game.state.units[i]
        if unit.region == region and unit.nation == nation:
            lose(game, i)


# 5 Soviet attacks


@njit
def number_of_attacks(game, difficulty, variants, die):
    """BB-5.1, BB-7.1: Soviet attacks of this turn; ``variants`` (3,) are 1 where in force, ``die`` is a d6."""
    turn = game.state.turn
    attacks = game.rules.attacks[difficulty, turn - 1]
    pips_to_one = game.rules.attack_die[difficulty, turn - 1]
    if pips_to_one > 0:
        attacks += scaled(die, pips_to_one)
    for variant in range(len(variants)):
        if variants[variant] != 0.0:
            attacks += game.rules.variants[variant, turn - 1]
    return max(0, attacks)


@njit
def scaled(die, pips_to_one):
    """BB-3.2, BB-7.1: a d6 read as a smaller die: a D3 has two pips to one, a D2 three."""
    return (die + pips_to_one - 1) // pips_to_one


@njit
def targets(game, die, found):
    """BB-5.2, BB-5.3: front regions that a face of the target die may mean, ascending, into ``found``; their number.

    Several are a tie, for a die to break. None: there is no front. -1: the face says to roll again.
    """
    first, second = game.rules.target_names[die - 1]
    if first == FIVE:
        return -1
    if first == WEAK_POINT:
        return weak_points(game, found)
    return nearest_fronts(game, first, second, found)


@njit
def nearest_fronts(game, first, second, found):
    """BB-5.2: front regions nearest the first name, ties to the nearest the second, under ``second_name``."""
    lines_between = game.board.lines_between
    far = game.state.n_places
    if game.rules.second_name_when_first_is_soviet == 1:
        if not is_axis(game, first):
            first = second
        second = first
    best = far * far
    count = 0
    for region in range(far):
        if not is_front(game, region):
            continue
        distance = lines_between[region, first] * far + lines_between[region, second]
        if distance < best:
            best = distance
            count = 0
        if distance == best:
            found[count] = region
            count += 1
    return count


@njit
def weak_points(game, found):
    """BB-5.3: front regions with only a garrison, else those without a German, of those the fewest units."""
    n_places = game.state.n_places
    least_german = 1
    fewest = game.state.n_units + 1
    count = 0
    for region in range(n_places):
        if not is_front(game, region):
            continue
        german = 1 if nation_in(game, GERMAN, region) > 0 else 0
        units = units_in(game, region)
        if german < least_german or (german == least_german and units < fewest):
            least_german = german
            fewest = units
            count = 0
        if german == least_german and units == fewest:
            found[count] = region
            count += 1
    return count


@njit
def soviet_result(game, region, d3):
    """BB-5.4: the result of a Soviet attack on a region with units; a single unit that is no German fares worse."""
    result = game.rules.soviet_table[d3 - 1]
    if units_in(game, region) == 1 and nation_in(game, GERMAN, region) == 0:
        result = game.rules.single_non_german[result]
    return result


@njit
def has_way_out(game, region):
    """BB-5.4: whether a neighbouring region, or one on the same sea, is Axis."""
    for links in (game.board.neighbours[region], game.board.overseas[region]):
        i = 0
        while links[i] != NOWHERE:
            if is_axis(game, links[i]):
                return True
            i += 1
    return False


@njit
def may_retreat(game, unit, region):
    """BB-5.4, BB-4.4: whether a unit may retreat to a region; into the other nation only if nothing else is open."""
    if not _is_way_out(game, unit, region):
        return False
    if not would_share(game, unit, region):
        return True
    for other in range(game.state.n_places):
        if _is_way_out(game, unit, other) and not would_share(game, unit, other):
            return False
    return True


@njit
def _is_way_out(game, unit, region):
    origin = game.state.units[unit].region
    if not is_axis(game, region) or not may_enter(game, unit, region):
        return False
    if are_neighbours(game, origin, region):
        return True
    overseas = game.board.overseas[origin]
    i = 0
    while overseas[i] != NOWHERE:
        if overseas[i] == region:
            return True
        i += 1
    return False


@njit
def can_retreat(game, unit):
    """BB-5.4: whether a unit has a legal destination of its own; without one it dies on the retreat."""
    for region in range(game.state.n_places):
        if _is_way_out(game, unit, region):
            return True
    return False


@njit
def retreat(game, unit, region):
    """BB-5.4: a unit retreats; what becomes of the region that it left is decided when all have gone."""
    note(game, RETREAT, AXIS, unit, region, game.state.units[unit].region)
    enter(game, unit, region)


# 6 End


@njit
def axis_regions(game):
    """BB-6.1: all Axis regions count."""
    count = 0
    for region in range(game.state.n_places):
        if is_axis(game, region):
            count += 1
    return count


@njit
def outcome(game, regions):
    """BB-6.1: the level of victory for a number of Axis regions."""
    level = 0
    for i in range(len(game.rules.levels)):
        if regions >= game.rules.levels[i]:
            level = i
    return level


# 7 Options


@njit
def retreat_is_allowed(game):
    """BB-7.1, Fuhrer order: one region's stack may retreat in a calendar year; without the option any may."""
    year = game.rules.year[game.state.turn - 1]
    return game.rules.fuhrer_order == 0 or game.state.sides[AXIS].retreat_year != year


@njit
def deploy(game, unit, region):
    """BB-7.1, flexible deployment: a German unit is placed in a region that is Axis on the map."""
    game.state.units[unit].region = region


@njit
def garrison_the_empty(game):
    """BB-7.1, flexible deployment: after it, a region that is Axis on the map holds units or else a garrison."""
    for region in range(game.state.n_places):
        place = game.state.places[region]
        if game.board.axis_at_start[region] == 1:
            place.holder = AXIS
            place.garrison = 1 if units_in(game, region) == 0 else 0
