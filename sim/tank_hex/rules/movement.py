"""Chapter 6: movement and close combat."""

from sim.compiled import inner_njit
from sim.tank_hex.rules.cards import has_card, use_card
from sim.tank_hex.rules.game import end_of, first_of, leading, tanks_in
from sim.tank_hex.rules.victory import hold
from sim.tank_hex.state import BLUE, NOWHERE, RED, RUSH


@inner_njit
def allowance(game, unit):
    """TH-2.1, TH-7.1: MP that a tank would have if it were the next to move: more for those that a rush speeds up."""
    side = game.state.units[unit].side
    extra = 0
    if has_card(game, side, RUSH) and game.state.sides[side].card_uses < game.rules.rush_units:
        extra = game.rules.rush_movement
    return game.rules.movement + extra


@inner_njit
def begin_move(game, unit, march):
    """TH-6.1: a tank is ordered to move, on the march or not; a rush speeds up the first that are (TH-7.1)."""
    tank = game.state.units[unit]
    tank.allowance = allowance(game, unit)
    tank.moved = 1
    tank.marched = march
    if tank.allowance > game.rules.movement:
        use_card(game, tank.side, RUSH, unit)


@inner_njit
def spent_after(game, unit, direction):
    """TH-6.1: MP spent in all after a step; on the march two hexes cost one."""
    tank = game.state.units[unit]
    if tank.marched == 1:
        return tank.hexes // game.rules.march + 1
    return tank.spent + game.board.cost[tank.hex, direction]


@inner_njit
def may_go_on(game, unit):
    """TH-6.2, TH-6.8: whether a moving tank can take another step: alive, without M, not in combat, and MP left."""
    tank = game.state.units[unit]
    if tank.hex == NOWHERE or tank.mobility_kill == 1 or tank.in_combat == 1:
        return False
    if tank.marched == 1:
        return tank.hexes // game.rules.march < tank.allowance
    return tank.spent < tank.allowance


@inner_njit
def may_step(game, unit, direction):
    """TH-6.1, TH-6.7: whether a moving tank's step is legal: open ground, and covered by the MP.

    The march is along road links, not from a stack, and no own tank is in the hex entered.
    """
    tank = game.state.units[unit]
    if game.board.cost[tank.hex, direction] == 0:
        return False
    if tank.marched == 1:
        if game.board.road[tank.hex, direction] == 0:
            return False
        if tank.hexes == 0 and tanks_in(game, tank.side, tank.hex) > 1:
            return False
        if tanks_in(game, tank.side, game.board.neighbour[tank.hex, direction]) > 0:
            return False
    return spent_after(game, unit, direction) <= tank.allowance


@inner_njit
def step(game, unit, direction):
    """TH-6.1: a tank enters the next hex."""
    tank = game.state.units[unit]
    tank.spent = spent_after(game, unit, direction)
    tank.hex = game.board.neighbour[tank.hex, direction]
    tank.hexes += 1


@inner_njit
def may_fire_moving(game, unit):
    """TH-6.4, TH-6.5: whether a moving tank may fire: not on the march; a short halt needs its MP."""
    tank = game.state.units[unit]
    if tank.hex == NOWHERE or tank.fired == 1 or tank.fire_kill == 1 or tank.marched == 1 or tank.in_combat == 1:
        return False
    return tank.stabilised == 1 or tank.allowance - tank.spent >= game.rules.short_halt_cost


@inner_njit
def meet(game, unit):
    """TH-6.8: a tank that enters a hex with an enemy stops: all there are in close combat. True if so."""
    tank = game.state.units[unit]
    if tanks_in(game, 1 - tank.side, tank.hex) == 0:
        return False
    for i in range(game.state.n_units):
        if game.state.units[i].hex == tank.hex:
            game.state.units[i].in_combat = 1
    return True


@inner_njit
def may_fight(game, unit):
    """TH-6.8: whether a tank can fire in close combat; what it has done before does not count."""
    tank = game.state.units[unit]
    return tank.hex != NOWHERE and tank.in_combat == 1 and tank.fire_kill == 0


@inner_njit
def may_fight_on(game, hexagon):
    """TH-6.8: whether anybody in a close combat can fire; if not, it stays locked."""
    for i in range(game.state.n_units):
        if game.state.units[i].hex == hexagon and may_fight(game, i):
            return True
    return False


@inner_njit
def is_combat(game, hexagon):
    """TH-6.8: whether both sides are in a hex."""
    return tanks_in(game, RED, hexagon) > 0 and tanks_in(game, BLUE, hexagon) > 0


@inner_njit
def end_combats(game):
    """TH-6.8, TH-8.1: where one side is gone close combat is over, and the other holds the hex."""
    for k in range(2):
        side = leading(game) ^ k
        for i in range(first_of(game, side), end_of(game, side)):
            tank = game.state.units[i]
            if tank.in_combat == 1 and tanks_in(game, 1 - side, tank.hex) == 0:
                tank.in_combat = 0
                hold(game, side, tank.hex)
