"""What a side is shown: its own units, and of the enemy those that it sees (FC-3.2, FC-5.9)."""

from sim.compiled import inner_njit
from sim.first_contact.rules.game import end_of, enemy_of, first_of
from sim.first_contact.rules.sight import is_seen, list_marks
from sim.first_contact.state import GONE, HOLD_FIRE, NOWHERE, ON_MAP, UNSEEN


@inner_njit
def look(game, view, side):
    """FC-5.9: brings what a side is shown up to the situation of this moment: the start of a phase.

    Its own units and those that are gone are shown as they are, enemies that it sees likewise; of any other enemy,
    waiting or hidden, only side and kind. Who holds what is public; numbers of the other side are not.
    """
    state, shown = game.state, view.state
    shown.turn = state.turn
    for unit in range(state.n_units):
        if shown.units[unit].status == ON_MAP:
            view.work.occupant[shown.units[unit].location] = NOWHERE
    enemy = enemy_of(side)
    for unit in range(first_of(game, side), end_of(game, side)):
        show(game, view, unit)
    for unit in range(first_of(game, enemy), end_of(game, enemy)):
        status = state.units[unit].status
        if status == GONE or (status == ON_MAP and is_seen(game, unit)):
            show(game, view, unit)
        else:
            hide(view, unit)
    list_marks(view, enemy)
    for place in range(state.n_places):
        shown.places[place] = state.places[place]
    shown.sides[side] = state.sides[side]


@inner_njit
def show(game, view, unit):
    """A unit is shown as it is."""
    before = view.state.units[unit]
    if before.status == ON_MAP and view.work.occupant[before.location] == unit:
        view.work.occupant[before.location] = NOWHERE
    view.state.units[unit] = game.state.units[unit]
    row = game.state.units[unit]
    if row.status == ON_MAP:
        view.work.occupant[row.location] = unit


@inner_njit
def hide(view, unit):
    """An enemy that is not seen: all that could tell where it is or what it does is empty."""
    row = view.state.units[unit]
    row.status = UNSEEN
    row.location = NOWHERE
    row.facing = NOWHERE
    row.men = 0
    row.wounded = 0
    row.dead = 0
    row.ammunition = 0
    row.morale = NOWHERE
    row.attacks = 0
    row.supports = 0
    row.cannot_fire = 0
    row.cannot_move = 0
    row.stunned = 0
    row.in_trench = 0
    row.moved = 0
    row.fired = HOLD_FIRE
    row.entered = 0
    row.began = NOWHERE
    row.allowance = 0
    row.target = NOWHERE


@inner_njit
def hide_numbers(view, side):
    """Of a side's numbers the other one is shown none."""
    row = view.state.sides[side]
    row.men_able = 0
    row.dead = 0
    row.wounded = 0
    row.armour_able = 0
    row.armour_lost = 0
    row.ammunition = 0
    row.territory = 0
    row.t34_76_able = 0
    row.t34_85_able = 0
    row.su152_able = 0
    row.panther_able = 0
    row.tiger_able = 0
    row.crew_lost = 0
    row.disarmed = 0
    row.immobile = 0
    row.waiting = 0
    row.objectives = 0
    row.objective_turns = 0
    row.beaten = 0
    row.barrages = 0
