"""5 Soviet attacks."""

import numpy as np

from sim.barbarossa.board import FIVE, MOST_LINKS, WEAK_POINT
from sim.barbarossa.rules.game import enter, is_axis, nation_in, note, units_in
from sim.barbarossa.rules.reinforcements import may_enter, would_share
from sim.barbarossa.state import AXIS, GERMAN, NOWHERE, RETREAT
from sim.compiled import inlined_njit, inner_njit, room


@inner_njit
def number_of_attacks(game, difficulty, variants, die):
    """BB-5.1, BB-7.1: Soviet attacks of this turn; ``variants`` (3,) are 1 where in force, ``die`` is a d6."""
    turn = game.state.turn
    attacks = game.rules.attacks[difficulty, turn - 1] + game.rules.attack_die[difficulty, turn - 1, die - 1]
    for variant in range(len(variants)):
        if variants[variant] != 0.0:
            attacks += game.rules.variants[variant, turn - 1]
    return max(0, attacks)


@inlined_njit
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


@inlined_njit
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
    for i in range(game.state.n_fronts):
        region = game.state.fronts[i]
        distance = lines_between[region, first] * far + lines_between[region, second]
        if distance < best:
            best = distance
            count = 0
        if distance == best:
            found[count] = region
            count += 1
    return count


@inlined_njit
def weak_points(game, found):
    """BB-5.3: front regions with only a garrison, else those without a German, of those the fewest units."""
    least_german = 1
    fewest = game.state.n_units + 1
    count = 0
    for i in range(game.state.n_fronts):
        region = game.state.fronts[i]
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


@inner_njit
def soviet_result(game, region, d3):
    """BB-5.4: the result of a Soviet attack on a region with units; a single unit that is no German fares worse."""
    result = game.rules.soviet_table[d3 - 1]
    if units_in(game, region) == 1 and nation_in(game, GERMAN, region) == 0:
        result = game.rules.single_non_german[result]
    return result


@inner_njit
def has_way_out(game, region):
    """BB-5.4: whether a neighbouring region, or one on the same sea, is Axis."""
    for links in (game.board.neighbours[region], game.board.overseas[region]):
        i = 0
        while links[i] != NOWHERE:
            if is_axis(game, links[i]):
                return True
            i += 1
    return False


@inlined_njit
def ways_out(game, unit, found):
    """BB-5.4, BB-4.4: regions that a unit may retreat to, into ``found``; their number.

    They are Axis regions that a line or a sea joins to its own and that it may enter. Those where the other of
    Rumanians and Hungarians stands are among them only if there are no more.
    """
    origin = game.state.units[unit].region
    count = 0
    for links in (game.board.neighbours[origin], game.board.overseas[origin]):
        i = 0
        while links[i] != NOWHERE:
            if is_axis(game, links[i]) and may_enter(game, unit, links[i]):
                found[count] = links[i]
                count += 1
            i += 1
    alone = 0
    for i in range(count):
        if not would_share(game, unit, found[i]):
            found[i], found[alone] = found[alone], found[i]
            alone += 1
    return alone if alone > 0 else count


@inner_njit
def may_retreat(game, unit, region):
    """BB-5.4: whether a unit may retreat to a region."""
    found = room(MOST_LINKS, np.int64)
    count = ways_out(game, unit, found)
    for i in range(count):
        if found[i] == region:
            return True
    return False


@inner_njit
def can_retreat(game, unit):
    """BB-5.4: whether a unit has a legal destination of its own; without one it dies on the retreat."""
    return ways_out(game, unit, room(MOST_LINKS, np.int64)) > 0


@inner_njit
def retreat(game, unit, region):
    """BB-5.4: a unit retreats; what becomes of the region that it left is decided when all have gone."""
    note(game, RETREAT, AXIS, unit, region, game.state.units[unit].region)
    enter(game, unit, region)
