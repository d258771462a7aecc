"""The turn sequence of Barbarossa Solitaire, and the only place that rolls its dice.

A turn (BB-1.2):

1. nations whose time is up leave the game (`start_turn`);
2. movement, one unit after another (`movement`);
3. attacks, one target after another (`attacks`);
4. reinforcements (`reinforcements`);
5. Soviet attacks, each rolled and done before the next (`soviet_attacks`).

The decisions are the Axis policy's; `sim.barbarossa.policy` says what each of them is asked.
"""

import numpy as np
from numba import njit

from sim.barbarossa.board import FACES, FROM_MOVEMENT
from sim.barbarossa.purposes import AXIS_ATTACK, SOVIET_ATTACK_NUMBER, SOVIET_RESULT, SOVIET_TARGET, SOVIET_TIE
from sim.barbarossa.record import snapshot, write_result
from sim.barbarossa.rules.attack import attack_modifier, attack_result, capture, mark_lone_units, may_attack_together
from sim.barbarossa.rules.end import deploy, garrison_the_empty, retreat_is_allowed
from sim.barbarossa.rules.game import Game, become_soviet, count_anew, leave, note, units_in
from sim.barbarossa.rules.movement import end_phase, may_move, move
from sim.barbarossa.rules.reinforcements import (
    calendar_departures,
    departures,
    give_up,
    has_place,
    lose,
    may_place,
    next_reinforcement,
    place,
    reinforcements_now,
    would_share,
)
from sim.barbarossa.rules.soviet import (
    can_retreat,
    has_way_out,
    may_retreat,
    number_of_attacks,
    retreat,
    soviet_result,
    targets,
)
from sim.barbarossa.seat import Seat, ask
from sim.barbarossa.state import (
    ASSAULT,
    ATTACK,
    AXIS,
    BAD_ANSWER,
    BAD_ATTACK,
    BAD_DEPLOYMENT,
    BAD_LOSS,
    BAD_MOVE,
    BAD_NATION,
    BAD_PLACEMENT,
    BAD_RETREAT,
    DESK,
    GARRISON_REMOVED,
    GERMAN,
    HUNGARIAN,
    LOSS,
    MOST_PLACES,
    MOST_UNITS,
    NOWHERE,
    ON_MAP,
    REPULSED,
    RETREAT_OR_LOSS,
    RUMANIAN,
    SOVIET,
    SOVIET_ATTACK,
    TAKEN_AT_A_LOSS,
)
from sim.compiled import inlined_njit, inner_njit, room
from sim.dice import Dice, policy_dice, roll
from sim.log import fault
from sim.seat import clear_desk, ready


@inner_njit
def play_game(game, start, red, blue, record, number):
    """Plays one game from where its state is to the end and writes it into the record at ``number``."""
    state = game.state
    first = state.turn
    if first == start.first_turn:
        deployment(game, start, blue)
    snapshot(game, record, number, 0)
    while state.turn <= game.rules.n_turns:
        if state.fault == 0:
            phase = start.first_phase if state.turn == start.first_turn else FROM_MOVEMENT
            play_turn(game, phase, red, blue)
        snapshot(game, record, number, state.turn - first + 1)
        state.turn += 1
    write_result(game, record.games[number])


@inner_njit
def play_turn(game, phase, red, blue):
    """BB-1.2: one turn, from the phase given. A game that is decided stands still.

    ``red`` is the doctrine of the Soviet side, ``blue`` the seat of the Axis.
    """
    start_turn(game, blue)
    if phase == FROM_MOVEMENT:
        calendar_departures(game)
        movement(game, blue)
        end_phase(game)
        attacks(game, blue)
        end_phase(game)
        reinforcements(game, blue)
    soviet_attacks(game, red, blue)


@inner_njit
def start_turn(game, seat):
    """Clears what lives only within a turn, also what policies keep or left behind."""
    clear_desk(seat.desk, policy_dice(game.dice, game.state.turn, AXIS))
    for i in range(2):
        side = game.state.sides[i]
        side.attacks = 0
        side.captured = 0
    game.state.sides[AXIS].lost = 0


@inner_njit
def goes_on(game):
    """Whether there is anything left to decide."""
    return game.state.sides[AXIS].decided == 0 and game.state.fault == 0


@inner_njit
def deployment(game, start, seat):
    """BB-7.1: with flexible deployment the Germans stand where the scenario's pattern or the policy says."""
    if game.rules.flexible_deployment == 0:
        return
    clear_desk(seat.desk, policy_dice(game.dice, game.state.turn, AXIS))
    for unit in range(game.state.n_units):
        if game.state.units[unit].nation != GERMAN or game.state.units[unit].status != ON_MAP:
            continue
        region = start.deployment[unit]
        if region == NOWHERE:
            region = ask(game, seat, seat.deploy, unit)
        if not is_region(game, region) or game.board.axis_at_start[region] == 0:
            fault(game, BAD_DEPLOYMENT, region)
            return
        deploy(game, unit, region)
    garrison_the_empty(game)


@inner_njit
def movement(game, seat):
    """BB-2.1: the policy names one unit and its step after another until it has enough."""
    while goes_on(game):
        order = ready(seat.desk)
        unit = ask(game, seat, seat.move, NOWHERE)
        if unit == NOWHERE:
            return
        region = order[0]
        if not is_unit(game, unit) or not is_region(game, region) or not may_move(game, unit, region):
            fault(game, BAD_MOVE, unit)
            return
        move(game, unit, region)


@inner_njit
def attacks(game, seat):
    """BB-3.4: the policy names one target and its attackers after another; each is rolled before the next."""
    mark_lone_units(game)
    attackers = room(MOST_UNITS, np.int64)
    while goes_on(game):
        order = ready(seat.desk)
        target = ask(game, seat, seat.attack, NOWHERE)
        if target == NOWHERE:
            return
        count = 0
        while count < MOST_UNITS and order[count] != NOWHERE:
            attackers[count] = order[count]
            count += 1
        if not is_region(game, target) or not may_attack_together(game, attackers, count, target):
            fault(game, BAD_ATTACK, target)
            return
        resolve_attack(game, seat, target, attackers, count)


@inner_njit
def resolve_attack(game, seat, target, attackers, count):
    """BB-3.2: one attack."""
    n_attackers = count
    with_german = False
    for i in range(count):
        unit = game.state.units[attackers[i]]
        unit.attacked_in = game.state.turn
        with_german = with_german or unit.nation == GERMAN
        note(game, ASSAULT, AXIS, attackers[i], target, unit.region)
    game.state.places[target].attacked_in = game.state.turn
    game.state.sides[AXIS].attacks += 1
    modifier = attack_modifier(game, with_german)
    die = roll(game.dice, AXIS_ATTACK, game.state.turn, target, 0, FACES)
    d3 = game.rules.attack_d3[die - 1]
    result = attack_result(game, count, d3 + modifier)
    event = note(game, ATTACK, AXIS, NOWHERE, target, NOWHERE)
    losses = 0
    if result in (REPULSED, TAKEN_AT_A_LOSS):
        loser = choose_loss(game, seat, target, attackers, count)
        if loser == NOWHERE:
            return
        origins = room(1, np.int64)
        origins[0] = game.state.units[loser].region
        lose(game, loser)
        losses = 1
        leave(game, origins, 1)
        departures(game)
        count = still_on_map(game, attackers, count)
    isolated = 0
    captured = result != REPULSED and count > 0
    if captured:
        isolated = capture(game, target, attackers, count)
    if event >= 0:
        row = game.log.events[event]
        row.units = n_attackers
        row.modifier = modifier
        row.dice = d3
        row.result = result
        row.losses = losses
        row.captured = 1 if captured else 0
        row.isolated = isolated


@inlined_njit
def choose_loss(game, seat, region, candidates, count):
    """BB-3.4, BB-5.4: the policy picks which of the candidates is lost; `NOWHERE` if what it picks is none of them."""
    order = ready(seat.desk)
    for i in range(count):
        order[i] = candidates[i]
    chosen = ask(game, seat, seat.lose, region)
    for i in range(count):
        if candidates[i] == chosen:
            return chosen
    fault(game, BAD_LOSS, chosen)
    return NOWHERE


@inner_njit
def still_on_map(game, units, count):
    """Drops from a list the unit that was lost, and whoever a vacated capital took away (BB-4.3); how many are left."""
    left = 0
    for i in range(count):
        if game.state.units[units[i]].status == ON_MAP:
            units[left] = units[i]
            left += 1
    return left


@inner_njit
def reinforcements(game, seat):
    """BB-4.1, BB-4.2: units come as long as the turn allows."""
    skipped = room(MOST_UNITS, np.int64)
    skipped[:] = 0
    free = reinforcements_now(game)
    while free > 0 and goes_on(game):
        unit = next_reinforcement(game, skipped)
        if unit == NOWHERE:
            return
        if not has_place(game, unit):
            skipped[unit] = 1
            continue
        region = ask(game, seat, seat.place, unit)
        if not is_region(game, region) or not may_place(game, unit, region):
            fault(game, BAD_PLACEMENT, region)
            return
        place(game, unit, region)
        free -= 1


@inner_njit
def soviet_attacks(game, red, seat):
    """BB-5.1, BB-5.2: as many attacks as the table says, each with its own target die."""
    turn = game.state.turn
    die = roll(game.dice, SOVIET_ATTACK_NUMBER, turn, 0, 0, FACES)
    pending = number_of_attacks(game, np.int64(red[0]), red[1:], die)
    found = room(MOST_PLACES, np.int64)
    attack = 0
    while pending > 0 and attack < game.rules.most_attacks and goes_on(game):
        pending -= 1
        n = 0
        while True:
            count = targets(game, roll(game.dice, SOVIET_TARGET, turn, attack, n, FACES), found)
            if count >= 0 or game.rules.two_attacks_on_five == 1:
                break
            n += 1
        if count < 0:
            pending += 2
        elif count > 0:
            which = 0
            if count > 1:
                which = roll(game.dice, SOVIET_TIE, turn, attack, 0, count) - 1
            soviet_attack(game, seat, found[which], attack)
        attack += 1


@inner_njit
def soviet_attack(game, seat, region, attack):
    """BB-5.4: one Soviet attack on a region."""
    units = units_in(game, region)
    losses_before = game.state.sides[AXIS].losses
    event = note(game, SOVIET_ATTACK, SOVIET, NOWHERE, region, NOWHERE)
    game.state.sides[SOVIET].attacks += 1
    d3 = 0
    result = GARRISON_REMOVED
    if units > 0:
        die = roll(game.dice, SOVIET_RESULT, game.state.turn, attack, 0, FACES)
        d3 = game.rules.soviet_d3[die - 1]
        result = soviet_result(game, region, d3)
        if result == LOSS:
            take_losses(game, seat, region, game.rules.losses)
        elif result == RETREAT_OR_LOSS:
            retreat_or_lose(game, seat, region)
    captured = game.state.fault == 0 and units_in(game, region) == 0
    if captured:
        become_soviet(game, region, NOWHERE)
    if event >= 0:
        row = game.log.events[event]
        row.units = units
        row.dice = d3
        row.result = result
        row.losses = game.state.sides[AXIS].losses - losses_before
        row.captured = 1 if captured else 0
    departures(game)


@inlined_njit
def take_losses(game, seat, region, number):
    """BB-5.4: the policy picks the units that are lost, one by one, as long as there are any."""
    candidates = room(MOST_UNITS, np.int64)
    for _ in range(number):
        count = list_units(game, region, candidates)
        if count == 0:
            return
        loser = choose_loss(game, seat, region, candidates, count)
        if loser == NOWHERE:
            return
        lose(game, loser)


@inner_njit
def retreat_or_lose(game, seat, region):
    """BB-5.4: all units retreat or one is lost; with no way out one is lost, and one more."""
    if not has_way_out(game, region):
        take_losses(game, seat, region, game.rules.losses_without_way_out)
        return
    retreats = 0
    if retreat_is_allowed(game):
        retreats = ask(game, seat, seat.answer, region)
        if retreats != 0 and retreats != 1:
            fault(game, BAD_ANSWER, retreats)
            return
    if retreats == 0:
        take_losses(game, seat, region, game.rules.losses)
        return
    game.state.sides[AXIS].retreat_year = game.rules.year[game.state.turn - 1]
    stack = room(MOST_UNITS, np.int64)
    count = list_units(game, region, stack)
    for i in range(count):
        unit = stack[i]
        if not can_retreat(game, unit):
            lose(game, unit)
            continue
        refuge = ask(game, seat, seat.retreat, unit)
        if not is_region(game, refuge) or not may_retreat(game, unit, refuge):
            fault(game, BAD_RETREAT, refuge)
            return
        shares = would_share(game, unit, refuge)
        retreat(game, unit, refuge)
        if shares:
            nation = ask(game, seat, seat.give_up, refuge)
            if nation != RUMANIAN and nation != HUNGARIAN:
                fault(game, BAD_NATION, nation)
                return
            give_up(game, nation, refuge)


@inner_njit
def list_units(game, region, found):
    """Units in a region, ascending, into ``found``; their number."""
    count = 0
    unit = game.state.first_in[region]
    while unit != NOWHERE:
        found[count] = unit
        count += 1
        unit = game.state.next_in[unit]
    return count


@inner_njit
def is_region(game, value):
    """Whether a value that a policy returned is the number of a region."""
    return 0 <= value < game.state.n_places


@inner_njit
def is_unit(game, value):
    """Whether a value that a policy returned is the number of a unit."""
    return 0 <= value < game.state.n_units


@njit(cache=True, nogil=True)
def play_games(setup, seed, replications, worlds, mirror, red, blue, record, red_decisions, blue_decisions):
    """Plays a batch of games: one for each entry of ``replications`` and ``worlds`` (n,). There is no mirror."""
    fresh = setup.state.copy()
    count_anew(setup.board[0], fresh[0])
    states, logs, desks = fresh.copy(), setup.log.copy(), np.empty(1, DESK)
    for number in range(len(replications)):
        record.current[0] = number
        states[0] = fresh[0]
        dice = Dice(seed, replications[number], worlds[number])
        game = Game(setup.board[0], setup.rules[0], states[0], logs[0], dice)
        play_game(game, setup.start[0], red, Seat(desks[0], blue, *blue_decisions), record, number)
