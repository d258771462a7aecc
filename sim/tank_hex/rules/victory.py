"""Chapter 8: who holds what, points, and who has won."""

from sim.compiled import inner_njit
from sim.tank_hex.rules.game import end_of, first_of, note, tanks
from sim.tank_hex.state import DRAW, NOWHERE, OBJECTIVE


@inner_njit
def hold(game, side, hexagon):
    """TH-8.1: an objective is held by the side whose tank last ended a move or survived a combat there."""
    number = game.board.objective_at[hexagon]
    if number == NOWHERE or game.state.places[number].holder == side:
        return
    game.state.places[number].holder = side
    event = note(game, OBJECTIVE, side, NOWHERE, NOWHERE)
    if event >= 0:
        game.log.events[event].place = number
        game.log.events[event].target_hex = hexagon


@inner_njit
def end_move(game, unit):
    """TH-8.1: a tank that ends its move alive and out of combat holds the hex."""
    tank = game.state.units[unit]
    if tank.hex != NOWHERE and tank.in_combat == 0:
        hold(game, tank.side, tank.hex)


@inner_njit
def end_if_beaten(game):
    """TH-8.1: a side without tanks ends the game; the survivors hold all objectives."""
    for side in range(2):
        if tanks(game, side) > 0:
            continue
        game.state.sides[side].beaten = game.state.turn
        if tanks(game, 1 - side) > 0:
            for number in range(game.state.n_places):
                hold(game, 1 - side, game.board.objective[number])


@inner_njit
def objectives(game, side):
    """TH-8.1: objectives that a side holds."""
    count = 0
    for number in range(game.state.n_places):
        if game.state.places[number].holder == side:
            count += 1
    return count


@inner_njit
def losses(game, side):
    """TH-8.1: tanks of a side that have been destroyed."""
    return end_of(game, side) - first_of(game, side) - tanks(game, side)


@inner_njit
def points(game, side):
    """TH-8.1: 3 points for an objective, 1 for a destroyed tank of the enemy."""
    return objectives(game, side) * game.rules.objective_points + losses(game, 1 - side) * game.rules.tank_points


@inner_njit
def outcome(game, margin):
    """TH-8.1: the level of victory for a margin, positive for blue."""
    level = 0
    for i in range(len(game.rules.victory_levels)):
        if abs(margin) >= game.rules.victory_levels[i]:
            level = i + 1
    return DRAW + level if margin > 0 else DRAW - level
