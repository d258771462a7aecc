"""Chapter 5: the turn, who goes first, what may be done in which phase, and how long S lasts."""

from sim.compiled import inner_njit
from sim.tank_hex.rules.cards import has_card
from sim.tank_hex.rules.game import end_of, first_of, leading
from sim.tank_hex.rules.markers import is_able_to_fire, may_be_fired_at
from sim.tank_hex.state import COVERING, NOWHERE, OPPORTUNITY, RAPID_LOADING


@inner_njit
def first_side(game, die):
    """TH-5.2: an odd die lets red go first, an even one blue."""
    return leading(game) if die & 1 == 1 else 1 - leading(game)


@inner_njit
def may_fire(game, kind, unit):
    """TH-5.3, TH-6.2, TH-6.3, TH-6.6: whether a tank may take part in a declaration of this kind.

    A tank that has moved gives no covering fire, and opportunity fire only under the option ``moved_may_react``.
    """
    if not is_able_to_fire(game, unit):
        return False
    if game.state.units[unit].moved == 0:
        return True
    return (kind == OPPORTUNITY and game.rules.moved_may_react == 1) or kind not in (OPPORTUNITY, COVERING)


@inner_njit
def any_may_fire(game, kind, side):
    """Whether any tank of a side may take part in a declaration of this kind."""
    for i in range(first_of(game, side), end_of(game, side)):
        if may_fire(game, kind, i):
            return True
    return False


@inner_njit
def may_declare(game, kind, side):
    """TH-5.2: whether a side has anything to declare in the fire phase; not after rapid loading (TH-7.1)."""
    if has_card(game, side, RAPID_LOADING) and game.state.sides[side].card_uses > 0:
        return False
    return any_may_fire(game, kind, side) and any_may_be_fired_at(game, 1 - side)


@inner_njit
def any_may_be_fired_at(game, side):
    """Whether any tank of a side may still be fired at this turn."""
    for i in range(first_of(game, side), end_of(game, side)):
        if may_be_fired_at(game, i):
            return True
    return False


@inner_njit
def may_move(game, unit):
    """TH-5.3, TH-4.8, TH-6.8: a tank moves once a turn, not after it has fired, with M or in close combat."""
    tank = game.state.units[unit]
    return (
        tank.hex != NOWHERE and tank.moved == 0 and tank.fired == 0 and tank.mobility_kill == 0 and tank.in_combat == 0
    )


@inner_njit
def any_may_move(game, side):
    """Whether any tank of a side may move."""
    for i in range(first_of(game, side), end_of(game, side)):
        if may_move(game, i):
            return True
    return False


@inner_njit
def lift_suppression(game):
    """TH-5.4: S markers come off."""
    for i in range(game.state.n_units):
        game.state.units[i].suppressed = 0
