"""Where units of First Contact go: which objective they are wanted in, and the way to it or to an enemy."""

import numpy as np

from sim.compiled import inner_njit
from sim.first_contact.appraisal import (
    ENEMIES,
    TALLIED,
    THERE,
    cells_between,
    nearest_seen,
    nearest_squad,
    objective_at,
)
from sim.first_contact.doctrine import CONTEST, FORCE, GARRISON
from sim.first_contact.rules.control import objectives_held
from sim.first_contact.rules.game import is_able, mover, neighbour
from sim.first_contact.state import NOWHERE, OBJECTIVES, SQUAD, TRENCH
from sim.geometry.square import FAR, OFF_MAP, direction_towards, squared_distance, steps_between

TURNING = (0, 1, -1, 2, -2, 3, -3, 4)  # directions by how little they turn away
N_OBJECTIVES = len(OBJECTIVES)


@inner_njit
def tally(game, memory, side):
    """Counts, once a turn, own units and enemies seen in each objective."""
    if memory[TALLIED] == 1:
        return
    memory[TALLIED] = 1
    for unit in range(game.state.n_units):
        row = game.state.units[unit]
        objective = objective_at(game, row.location) if is_able(game, unit) else NOWHERE
        if objective != NOWHERE:
            memory[(THERE if row.side == side else ENEMIES) + objective] += 1


@inner_njit
def is_held(game, objective, side):
    """Whether an objective is in the hands of a side (FC-11.2)."""
    return game.state.places[game.board.first_objective + objective].holder == side


@inner_njit
def holds_most(game, side):
    """Whether a side holds more objectives than the other one (FC-11.3)."""
    return 2 * objectives_held(game, side) > N_OBJECTIVES


@inner_njit
def post_of(game, doctrine, memory, unit):
    """The objective that a unit goes to or stays in, or `NOWHERE` if it is not needed in any.

    Who is in one stays as long as enemies are seen there or no more than its garrison is. Who is not goes to the
    one with the shortest way of those that have less than they want: their force where enemies are seen, else their
    garrison. If there is none, to the nearest one that is not held, where enemies are seen rather than elsewhere. A
    side that holds most objectives and does not contest the others keeps to those that it has.
    """
    row = game.state.units[unit]
    tally(game, memory, row.side)
    here = objective_at(game, row.location)
    keeps = doctrine[CONTEST] == 0 and holds_most(game, row.side)
    if here != NOWHERE:
        if keeps or memory[ENEMIES + here] > 0 or memory[THERE + here] <= doctrine[GARRISON]:
            return here
        memory[THERE + here] -= 1
    costs = game.board.costs[mover(game, unit)]
    found, least = NOWHERE, FAR
    second, second_least = here, 2 * FAR
    for objective in range(N_OBJECTIVES):
        held = is_held(game, objective, row.side)
        if keeps and not held:
            continue
        cost = costs[objective, row.location]
        wanted = doctrine[GARRISON] if memory[ENEMIES + objective] == 0 else doctrine[FORCE]
        if memory[THERE + objective] < wanted and cost < least:
            found, least = objective, cost
        if memory[ENEMIES + objective] == 0:
            cost += FAR
        if not held and cost < second_least:
            second, second_least = objective, cost
    found = second if found == NOWHERE else found
    if found != NOWHERE:
        memory[THERE + found] += 1
    return found


# Ways


@inner_njit
def lean_of(game, unit):
    """Where a unit that has several equally good steps makes them: towards the nearest enemy, else where it faces."""
    row = game.state.units[unit]
    enemy = nearest_seen(game, unit)
    if enemy != NOWHERE:
        return direction_towards(row.location, game.state.units[enemy].location)
    return max(row.facing, 0)


@inner_njit
def is_open(game, unit, origin, cell, steps):
    """Whether a unit that has come to a cell after so many steps may step into the next one (FC-4.3, FC-4.4)."""
    if cell == OFF_MAP or game.work.occupant[cell] != NOWHERE:
        return False
    if game.rules.step_cost[mover(game, unit), game.board.terrain[cell]] < 0:
        return False
    if game.state.units[unit].kind != SQUAD or game.board.terrain[origin] != TRENCH:
        return True
    return steps == 0 or game.board.trench[cell] == game.board.trench[origin]


@inner_njit
def way_to(game, unit, goal, order, threat, keep):
    """The cheapest way to a goal of `board.GOALS` as far as the allowance goes, into ``order``; number of steps.

    Units in the way are gone round if that leads nearer. The way ends where the next step would come nearer than
    ``keep`` cells to the cell ``threat``, unless that is `NOWHERE`. A squad that has arrived takes a place in a trench.
    """
    row = game.state.units[unit]
    on = mover(game, unit)
    costs = game.board.costs[on, goal]
    lean = lean_of(game, unit) if costs[row.location] > 0 else np.int64(0)  # who is there takes no step
    cell, left, steps = row.location, row.allowance, 0
    while steps < len(order):
        best, least, price = NOWHERE, FAR, 0
        here = costs[cell]
        for turning in TURNING:
            other = neighbour(game, cell, (lean + turning + 8) % 8)
            if other == OFF_MAP or costs[other] >= here or not is_open(game, unit, cell, other, steps):
                continue
            cost = game.rules.step_cost[on, game.board.terrain[other]]
            if cost + costs[other] < least:
                best, least, price = other, cost + costs[other], cost
            if least == here:
                break  # there is none better
        if best == NOWHERE or price > left or _comes_too_near(threat, keep, cell, best):
            break
        order[steps] = best
        steps += 1
        left -= price
        if row.kind == SQUAD and game.board.terrain[cell] == TRENCH and game.board.terrain[best] != TRENCH:
            break
        cell = best
    if costs[cell] == 0:
        steps = into_the_trench(game, unit, cell, left, order, steps)
    return steps


@inner_njit
def _comes_too_near(threat, keep, cell, other):
    if threat == NOWHERE:
        return False
    after = squared_distance(other, threat)
    return after < keep * keep and after < squared_distance(cell, threat)


@inner_njit
def into_the_trench(game, unit, cell, left, order, steps):
    """A step more into a free cell of a trench for a squad that is not in one; number of steps."""
    if game.state.units[unit].kind != SQUAD or game.board.terrain[cell] == TRENCH or steps == len(order):
        return steps
    for direction in range(8):
        other = neighbour(game, cell, direction)
        if is_open(game, unit, cell, other, steps) and game.board.terrain[other] == TRENCH:
            order[steps] = other
            return steps + 1
    return steps


@inner_njit
def straight_to(game, unit, target, order, near, away):
    """The straight way to a cell until it is ``near`` steps off, or straight away from it; number of steps.

    As far as the allowance goes. Of steps that come equally near, by steps, the one that leaves the shortest line.
    """
    row = game.state.units[unit]
    on = mover(game, unit)
    cell, left, steps = row.location, row.allowance, 0
    while steps < len(order) and (away or steps_between(cell, target) > near):
        best, price = NOWHERE, 0
        least = _nearness(cell, target, away)
        for direction in range(8):
            other = neighbour(game, cell, direction)
            if is_open(game, unit, cell, other, steps) and _nearness(other, target, away) < least:
                best, least = other, _nearness(other, target, away)
                price = game.rules.step_cost[on, game.board.terrain[other]]
        if best == NOWHERE or price > left:
            break
        order[steps] = best
        steps += 1
        left -= price
        if row.kind == SQUAD and game.board.terrain[cell] == TRENCH and game.board.terrain[best] != TRENCH:
            break
        cell = best
    return steps


@inner_njit
def _nearness(cell, target, away):
    near = steps_between(cell, target) * FAR + squared_distance(cell, target)
    return -near if away else near


@inner_njit
def charge(game, unit, cells, order):
    """The way of a squad to the side of the nearest enemy squad within so many cells; `NOWHERE` if there is none."""
    enemy = nearest_squad(game, unit)
    if enemy == NOWHERE or cells_between(game, unit, enemy) > cells * cells:
        return NOWHERE
    return straight_to(game, unit, game.state.units[enemy].location, order, 1, False)
