"""Chapter 9: what a game yields, complete enough to go on from any turn."""

from sim.compiled import inner_njit
from sim.log import write_fault, write_turn
from sim.tank_hex.rules.game import end_of, first_of, tanks
from sim.tank_hex.rules.victory import losses, objectives, outcome, points
from sim.tank_hex.state import BLUE, DRAW, FAILED, NOWHERE, RED, SIDE_DESTROYED, TURN_LIMIT


@inner_njit
def uncover(game):
    """TH-9.1: takes what a recorded turn says of cards, batteries and impact markers to where a game keeps it."""
    for side in range(2):
        row = game.state.sides[side]
        hidden = game.hidden
        hidden.card[side], row.card = row.card, NOWHERE
        hidden.drawn[side], row.drawn = row.drawn, NOWHERE
        hidden.deck[side], row.deck = row.deck, NOWHERE
        hidden.cards_drawn[side], row.cards_drawn = row.cards_drawn, NOWHERE
        hidden.battery[side, 0], row.battery_1 = row.battery_1, NOWHERE
        hidden.aim[side, 0], row.aim_1 = row.aim_1, NOWHERE
        hidden.due[side, 0], row.due_1 = row.due_1, 0
        hidden.battery[side, 1], row.battery_2 = row.battery_2, NOWHERE
        hidden.aim[side, 1], row.aim_2 = row.aim_2, NOWHERE
        hidden.due[side, 1], row.due_2 = row.due_2, 0
        impacts = game.state.impacts[side]
        game.state.impact_battery[side] = row.impact_battery
        impacts[0] = row.impact_1
        impacts[1] = row.impact_2
        impacts[2] = row.impact_3
        impacts[3] = row.impact_4
        impacts[4] = row.impact_5
        impacts[5] = row.impact_6


@inner_njit
def cover(game, row, side):
    """TH-9.1: writes cards, batteries and impact markers into a side's recorded row: what `uncover` reads."""
    hidden = game.hidden
    row.card = hidden.card[side]
    row.drawn = hidden.drawn[side]
    row.deck = hidden.deck[side]
    row.cards_drawn = hidden.cards_drawn[side]
    row.battery_1 = hidden.battery[side, 0]
    row.aim_1 = hidden.aim[side, 0]
    row.due_1 = hidden.due[side, 0]
    row.battery_2 = hidden.battery[side, 1]
    row.aim_2 = hidden.aim[side, 1]
    row.due_2 = hidden.due[side, 1]
    impacts = game.state.impacts[side]
    row.impact_battery = game.state.impact_battery[side]
    row.impact_1 = impacts[0]
    row.impact_2 = impacts[1]
    row.impact_3 = impacts[2]
    row.impact_4 = impacts[3]
    row.impact_5 = impacts[4]
    row.impact_6 = impacts[5]


@inner_njit
def snapshot(game, record, number, entry):
    """TH-9.1: writes the state after a turn, as far as it is recorded."""
    if record.sides.shape[1] > 0:
        count_up(game)
    write_turn(game, record, number, entry)
    if record.sides.shape[1] > 0:
        for side in range(2):
            cover(game, record.sides[number, entry, side], side)


@inner_njit
def count_up(game):
    """TH-9.1: able tanks, losses, objectives and points of each side."""
    for side in range(2):
        row = game.state.sides[side]
        row.tanks = tanks(game, side)
        row.armour_lost = losses(game, side)
        row.armour_able = 0
        for i in range(first_of(game, side), end_of(game, side)):
            tank = game.state.units[i]
            if tank.hex != NOWHERE and tank.fire_kill == 0 and tank.mobility_kill == 0:
                row.armour_able += 1
        row.territory = objectives(game, side)
        row.points = points(game, side)


@inner_njit
def write_result(game, result):
    """TH-8.1: the result of a game; nothing but the fault if a policy failed."""
    state = game.state
    if write_fault(state, result, FAILED):
        return
    beaten = max(state.sides[RED].beaten, state.sides[BLUE].beaten)
    margin = points(game, BLUE) - points(game, RED)
    result.margin = margin
    result.outcome = outcome(game, margin)
    result.winner = 2 if result.outcome == DRAW else (BLUE if margin > 0 else RED)
    result.turns = beaten if beaten > 0 else game.rules.n_turns
    result.end_reason = SIDE_DESTROYED if beaten > 0 else TURN_LIMIT
    result.red_armour_start = end_of(game, RED)
    result.blue_armour_start = state.n_units - end_of(game, RED)
    result.red_armour_lost = losses(game, RED)
    result.blue_armour_lost = losses(game, BLUE)
    result.red_territory = objectives(game, RED)
    result.blue_territory = objectives(game, BLUE)
    result.red_points = points(game, RED)
    result.blue_points = points(game, BLUE)
    result.red_illegal = state.sides[RED].illegal
    result.blue_illegal = state.sides[BLUE].illegal
