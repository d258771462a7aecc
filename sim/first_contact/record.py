"""What is written of a game: the state after each turn and the result."""

from sim.compiled import inner_njit
from sim.first_contact.rules.control import margin, objectives_held, outcome, sectors_held, winner
from sim.first_contact.rules.game import terrain_at
from sim.first_contact.state import (
    FAILED,
    GERMAN,
    GONE,
    LAST_TURN,
    NO_ABLE_UNITS,
    ON_MAP,
    PANTHER,
    SOVIET,
    SQUAD,
    SU152,
    T34_76,
    T34_85,
    TIGER,
    TRENCH,
    WAITING,
)
from sim.log import write_fault, write_turn


@inner_njit
def snapshot(game, record, number, entry):
    """Writes the state after a turn, as far as it is recorded."""
    count_up(game, SOVIET)
    count_up(game, GERMAN)
    mark_trenches(game)
    write_turn(game, record, number, entry)


@inner_njit
def mark_trenches(game):
    """Notes of every unit whether it stands in a trench. It is noted whatever is recorded, like what is counted."""
    for unit in range(game.state.n_units):
        row = game.state.units[unit]
        row.in_trench = 1 if row.status == ON_MAP and terrain_at(game, row.location) == TRENCH else 0


@inner_njit
def count_up(game, side):
    """Fills in what the archive counts of a side. It is counted whatever is recorded: a policy may read it."""
    total = game.state.sides[side]
    total.men_able = 0
    total.dead = 0
    total.wounded = 0
    total.ammunition = 0
    total.waiting = 0
    for unit in range(game.state.n_units):
        row = game.state.units[unit]
        if row.side != side:
            continue
        if row.status == WAITING:
            total.waiting += 1
        if row.status != GONE:
            total.ammunition += row.ammunition
        if row.kind == SQUAD:
            total.men_able += row.men
            total.dead += row.dead
            total.wounded += row.wounded
    count_armour(game, side)
    total.territory = sectors_held(game, side)
    total.objectives = objectives_held(game, side)


@inner_njit
def count_armour(game, side):
    """Fills in a side's vehicles: lost, able by kind, disarmed, immobile; those still to come count as able."""
    total = game.state.sides[side]
    total.armour_able = 0
    total.armour_lost = 0
    total.crew_lost = 0
    total.disarmed = 0
    total.immobile = 0
    t34_76, t34_85, su152, panther, tiger = 0, 0, 0, 0, 0
    for unit in range(game.state.n_units):
        row = game.state.units[unit]
        if row.side != side or row.kind == SQUAD:
            continue
        total.crew_lost += row.dead
        if row.status == GONE:
            total.armour_lost += 1
            continue
        total.armour_able += 1
        total.disarmed += row.cannot_fire
        total.immobile += row.cannot_move
        t34_76 += 1 if row.kind == T34_76 else 0
        t34_85 += 1 if row.kind == T34_85 else 0
        su152 += 1 if row.kind == SU152 else 0
        panther += 1 if row.kind == PANTHER else 0
        tiger += 1 if row.kind == TIGER else 0
    total.t34_76_able = t34_76
    total.t34_85_able = t34_85
    total.su152_able = su152
    total.panther_able = panther
    total.tiger_able = tiger


@inner_njit
def write_result(game, result):
    """FC-11.3, FC-11.4: the result of a game; nothing but the fault if a policy failed."""
    state = game.state
    if write_fault(state, result, FAILED):
        return
    level = outcome(game)
    result.outcome = level
    result.winner = winner(level)
    result.margin = margin(game)
    beaten = max(state.sides[SOVIET].beaten, state.sides[GERMAN].beaten)
    result.turns = beaten if beaten > 0 else game.rules.n_turns
    result.end_reason = NO_ABLE_UNITS if beaten > 0 else LAST_TURN
    red, blue = state.sides[SOVIET], state.sides[GERMAN]
    result.red_men_lost = red.dead + red.wounded
    result.red_men_start = result.red_men_lost + red.men_able
    result.red_armour_lost = red.armour_lost
    result.red_armour_start = red.armour_lost + red.armour_able
    result.red_territory = red.territory
    result.red_disarmed = red.disarmed
    result.red_crew_lost = red.crew_lost
    result.red_objectives = red.objectives
    result.blue_men_lost = blue.dead + blue.wounded
    result.blue_men_start = result.blue_men_lost + blue.men_able
    result.blue_armour_lost = blue.armour_lost
    result.blue_armour_start = blue.armour_lost + blue.armour_able
    result.blue_territory = blue.territory
    result.blue_disarmed = blue.disarmed
    result.blue_crew_lost = blue.crew_lost
    result.blue_objectives = blue.objectives
