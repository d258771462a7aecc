"""What Axis policies weigh a position with: chances of attacks, danger, where units are wanted. Nothing here decides.

Arrays by region are called fields; they are ``room(MOST_PLACES, np.float64)`` of whoever asks, in regions gained or
lost: 1 is one region's worth.
"""

import numpy as np

from sim.barbarossa.board import FACES, MOST_LINKS, N_NATIONS
from sim.barbarossa.rules.attack import may_attack
from sim.barbarossa.rules.game import is_axis, units_in
from sim.barbarossa.rules.movement import may_move
from sim.barbarossa.rules.reinforcements import may_place
from sim.barbarossa.rules.soviet import targets, ways_out
from sim.barbarossa.state import (
    GERMAN,
    HUNGARIAN,
    MOST_PLACES,
    MOST_UNITS,
    NOWHERE,
    ON_MAP,
    RUMANIAN,
    SOVIET,
)
from sim.compiled import inner_njit, room

GERMANS_FIRST = 0.5  # what a German's service counts more, in turns
FORBIDDEN = 1e9  # a cost that nothing outweighs
SOVIET_WANTS = 1e9  # so much that a Soviet region is never raised to its part of what a neighbour wants
BEHIND = 0.1  # what a region behind the front counts of its best neighbour: units move up
IN_LINE = 0.01  # what holding a line to a Soviet region counts, whatever lies there
CAPITAL = 0.3  # what a region counts whose loss ends a nation's part, as a refuge
ATTACKER = 0.01  # what an attacker more costs, so that no more go than are of use


@inner_njit
def chance_of_taking(game, count, with_german):
    """BB-3.2: chance that an attack of so many units takes its target."""
    faces = game.rules.faces_taking
    return faces[game.state.turn - 1, 1 if with_german else 0, min(count, faces.shape[2]) - 1] / FACES


@inner_njit
def chance_of_loss(game, count, with_german):
    """BB-3.2: chance that an attack of so many units loses one of them."""
    faces = game.rules.faces_losing
    return faces[game.state.turn - 1, 1 if with_german else 0, min(count, faces.shape[2]) - 1] / FACES


@inner_njit
def soviet_neighbours(game, region):
    """How many Soviet regions a line joins to a region."""
    return game.state.soviet_lines[region]


@inner_njit
def lines_to_source(game, region):
    """Lines from a region to the nearest source that is still Soviet."""
    nearest = game.state.n_places
    for other in range(game.state.n_places):
        if game.board.is_source[other] == 1 and game.state.places[other].holder == SOVIET:
            nearest = min(nearest, game.board.lines_between[region, other])
    return nearest


@inner_njit
def cut_off_by(game, target):
    """BB-3.3: how many Soviet regions would be cut off if a target were taken."""
    board, places = game.board, game.state.places
    n_places = game.state.n_places
    supplied = room(MOST_PLACES, np.int64)
    supplied[:] = 0
    queue = room(MOST_PLACES, np.int64)
    length = 0
    soviet = 0
    for region in range(n_places):
        if places[region].holder == SOVIET and region != target:
            soviet += 1
            if board.is_source[region] == 1:
                supplied[region] = 1
                queue[length] = region
                length += 1
    done = 0
    while done < length:
        region = queue[done]
        done += 1
        for links in (board.neighbours[region], board.overseas[region]):
            i = 0
            while links[i] != NOWHERE:
                other = links[i]
                if supplied[other] == 0 and other != target and places[other].holder == SOVIET:
                    supplied[other] = 1
                    queue[length] = other
                    length += 1
                i += 1
    return soviet - length


@inner_njit
def danger(game, drawn):
    """BB-5.2, BB-5.3: the share of Soviet attacks that each region draws as things stand, a field, into ``drawn``."""
    drawn[: game.state.n_places] = 0.0
    found = room(MOST_PLACES, np.int64)
    for face in range(1, FACES + 1):
        count = targets(game, face, found)
        for i in range(count):
            drawn[found[i]] += 1 / (FACES * count)


@inner_njit
def borders_axis(game, region):
    """Whether a line joins a region to an Axis one."""
    return soviet_neighbours(game, region) < game.board.lines[region]


@inner_njit
def wanted(game, worth, offence, defence, want):
    """Where units are wanted, a field, into ``want``: for what they can take from there and for what threatens there.

    A Soviet region next door counts its worth times ``offence`` as far as one German can take it this year, the share
    of attacks drawn counts ``defence``. A region behind the front counts a part of its best neighbour. The field says
    nothing of Soviet regions.
    """
    danger(game, want)
    attack = offence * chance_of_taking(game, 1, True)
    for front in range(game.state.n_fronts):
        region = game.state.fronts[front]
        want[region] *= defence
        neighbours = game.board.neighbours[region]
        i = 0
        while neighbours[i] != NOWHERE:
            if game.state.places[neighbours[i]].holder == SOVIET:
                want[region] += IN_LINE + attack * worth[neighbours[i]]
            i += 1
        if want[region] < 0.0:
            want[region] = 0.0
    _spread(game, want)


@inner_njit
def _spread(game, want):
    """Has Axis regions want at least their part of what each neighbour wants, from the front back."""
    rising = room(MOST_PLACES, np.int64)
    next_rising = room(MOST_PLACES, np.int64)
    listed = room(MOST_PLACES, np.int64)  # the last step in which a region rose
    listed[:] = 0
    count = game.state.n_fronts
    for i in range(count):
        rising[i] = game.state.fronts[i]
    for region in range(game.state.n_places):
        want[region] = want[region] if is_axis(game, region) else SOVIET_WANTS
    step = 0
    while count > 0:
        step += 1
        next_count = 0
        for i in range(count):
            part = BEHIND * want[rising[i]]
            neighbours = game.board.neighbours[rising[i]]
            j = 0
            while neighbours[j] != NOWHERE:
                region = neighbours[j]
                j += 1
                if want[region] < part:
                    want[region] = part
                    if listed[region] < step:
                        listed[region] = step
                        next_rising[next_count] = region
                        next_count += 1
        rising, next_rising = next_rising, rising
        count = next_count


@inner_njit
def wanted_by_default(game, want):
    """`wanted` for whoever has no doctrine for it: every region alike, threats three times as much as prospects."""
    worth = room(MOST_PLACES, np.float64)
    worth[:] = 1.0
    wanted(game, worth, 0.5, 1.5, want)


@inner_njit
def plan_moves(game, want, leaving, memory):
    """Plans one step for each unit, to where it is wanted most, and keeps it in memory.

    A region wants its units shared: with so many there each counts its part. ``leaving``, a field, is the cost of
    leaving a front region empty. Of the memory the first two numbers are used and one for each unit.
    """
    crowd = room(MOST_PLACES, np.int64)
    share = room(MOST_PLACES, np.float64)  # what a unit more would find
    for region in range(game.state.n_places):
        crowd[region] = units_in(game, region)
        share[region] = want[region] / (crowd[region] + 1)
    memory[0] = 1
    for unit in range(game.state.n_units):
        mover = game.state.units[unit]
        if mover.status != ON_MAP:
            continue
        origin = mover.region
        best = want[origin] / crowd[origin]
        if crowd[origin] == 1 and soviet_neighbours(game, origin) > 0:
            best += leaving[origin]
        where = NOWHERE
        neighbours = game.board.neighbours[origin]
        i = 0
        while neighbours[i] != NOWHERE:
            region = neighbours[i]
            i += 1
            if is_axis(game, region) and share[region] > best and may_move(game, unit, region):
                best, where = share[region], region
        if where != NOWHERE:
            crowd[origin] -= 1
            crowd[where] += 1
            share[origin] = want[origin] / (crowd[origin] + 1)
            share[where] = want[where] / (crowd[where] + 1)
            memory[2 + unit] = where + 1


@inner_njit
def next_move(game, memory, order):
    """The next planned move that is still allowed, `NOWHERE` if there is none; its destination into ``order``."""
    while memory[1] < game.state.n_units:
        unit = memory[1]
        memory[1] += 1
        region = memory[2 + unit] - 1
        if region >= 0 and may_move(game, unit, region):
            order[0] = region
            return unit
    return NOWHERE


@inner_njit
def muster(game, target, order, ranks):
    """Who can attack a target: one unit of each region, the best first, into ``order``; their number.

    Germans go before others, and units that leave nobody behind go last. Rumanians and Hungarians do not attack
    together: of those only the nation that comes first. ``ranks`` is room for as many numbers as ``order``.
    """
    neighbours = game.board.neighbours[target]
    count = 0
    i = 0
    while neighbours[i] != NOWHERE:
        region = neighbours[i]
        i += 1
        if units_in(game, region) == 0:
            continue
        unit = _best_attacker(game, region, target)
        if unit == NOWHERE:
            continue
        rank = 0 if game.state.units[unit].nation == GERMAN else 1
        if units_in(game, region) == 1:
            rank += 4 if soviet_neighbours(game, region) > 1 else 2
        j = count
        while j > 0 and ranks[j - 1] > rank:
            ranks[j], order[j] = ranks[j - 1], order[j - 1]
            j -= 1
        ranks[j], order[j] = rank, unit
        count += 1
    return _without_quarrel(game, order, count)


@inner_njit
def _best_attacker(game, region, target):
    """A unit of a region that may attack a target, a German if there is one; else `NOWHERE`."""
    best = NOWHERE
    unit = game.state.first_in[region]
    while unit != NOWHERE:
        if may_attack(game, unit, target):
            if game.state.units[unit].nation == GERMAN:
                return unit
            if best == NOWHERE:
                best = unit
        unit = game.state.next_in[unit]
    return best


@inner_njit
def _without_quarrel(game, order, count):
    """BB-3.4: drops from a list of attackers whoever of Rumanians and Hungarians comes second; how many are left."""
    first = NOWHERE
    kept = 0
    for i in range(count):
        nation = game.state.units[order[i]].nation
        if nation in (RUMANIAN, HUNGARIAN):
            if first == NOWHERE:
                first = nation
            if nation != first:
                continue
        order[kept] = order[i]
        kept += 1
    return kept


@inner_njit
def best_attack(game, worth, least_chance, loss, stripped, order):
    """The attack that promises most: its target, or `NOWHERE` if none promises anything; attackers into ``order``.

    An attack promises the worth of its target times the chance to take it, less ``loss`` times the risk of a unit,
    less ``stripped`` for every front region that it would leave empty. Chances below ``least_chance`` are not taken.
    """
    found = room(MOST_UNITS, np.int64)
    ranks = room(MOST_UNITS, np.int64)
    best = 0.0
    best_target = NOWHERE
    best_count = 0
    for target in range(game.state.n_places):
        place = game.state.places[target]
        if place.holder != SOVIET or place.attacked_in == game.state.turn or worth[target] <= 0.0:
            continue
        if not borders_axis(game, target):
            continue
        n = muster(game, target, found, ranks)
        for count in range(1, n + 1):
            value = promise(game, found, count, worth[target], least_chance, loss, stripped)
            if value > best:
                best, best_target, best_count = value, target, count
                for i in range(count):
                    order[i] = found[i]
    if best_target != NOWHERE:
        order[best_count] = NOWHERE
    return best_target


@inner_njit
def promise(game, attackers, count, worth, least_chance, loss, stripped):
    """What an attack of the first ``count`` of the attackers promises, see `best_attack`; 0 for too small a chance."""
    german = False
    emptied = 0
    alone = 0
    for i in range(count):
        unit = game.state.units[attackers[i]]
        german = german or unit.nation == GERMAN
        if units_in(game, unit.region) == 1:
            alone += 1
            if soviet_neighbours(game, unit.region) > 1:
                emptied += 1
    chance = chance_of_taking(game, count, german)
    if chance < least_chance:
        return 0.0
    risk = chance_of_loss(game, count, german)
    value = chance * worth - risk * loss - emptied * stripped - ATTACKER * count
    # Whoever is lost leaves his region empty, too, if everybody was alone in his.
    return value - risk * stripped if alone == count else value


@inner_njit
def best_refuge(game, want, unit):
    """The region that a unit may retreat to where it is wanted most, the first of the map among equals."""
    found = room(MOST_LINKS, np.int64)
    best = -1.0
    where = NOWHERE
    count = ways_out(game, unit, found)
    for i in range(count):
        region = found[i]
        value = want[region] / (units_in(game, region) + 1)
        for nation in range(N_NATIONS):
            if game.board.leaves_with[nation] == region:
                value += CAPITAL
        if value > best or (value == best and region < where):
            best, where = value, region
    return where


@inner_njit
def best_place(game, want, unit):
    """The region where a reinforcement may come that wants it most."""
    best = -1.0
    where = NOWHERE
    for region in range(game.state.n_places):
        if may_place(game, unit, region):
            value = want[region] / (units_in(game, region) + 1)
            if value > best:
                best, where = value, region
    return where


@inner_njit
def loss_of(game, unit, region):
    """What the loss of a unit costs: turns of its service, more for a German, most where it leaves a front empty.

    ``region`` is where the fight is: a unit of that region leaves nothing else behind.
    """
    loser = game.state.units[unit]
    turn = game.state.turn
    left = game.rules.n_turns - turn + 1
    leaves_in = game.rules.leaves_in[loser.nation]
    if leaves_in > 0:
        left = min(left, leaves_in - turn)
    cost = float(left if game.rules.never_returns[loser.nation] == 1 else min(left, game.rules.returns_after))
    if loser.nation == GERMAN:
        cost += GERMANS_FIRST
    if loser.region != region and soviet_neighbours(game, loser.region) > 0 and units_in(game, loser.region) == 1:
        cost += FORBIDDEN
    return cost


@inner_njit
def stands(game, region, stand, last_stand):
    """Whether a stack loses a unit rather than the ground it stands on.

    It does with ``stand`` units or more, and in the last ``last_stand`` turns, when no loss comes back in time; a
    single unit never does, since its region would be lost with it.
    """
    count = units_in(game, region)
    return count > 1 and (count >= stand or game.rules.n_turns - game.state.turn < last_stand)
