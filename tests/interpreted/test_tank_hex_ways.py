"""Where policies of Tank Hex find that a tank can get to, and what they keep of the tanks on the map."""

import numpy as np
import pytest

import sim.tank_hex.state as st
from sim.tank_hex import ways
from sim.tank_hex.rules.ground import sees
from tests.tank_hex_positions import Position, position

GROUND = {
    "woods": [(1, 3), (1, 4), (2, 6)],
    "built_up": [(2, 2), (3, 3)],
    "water": [(0, 6), (3, 7)],
    "roads": [[(2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (2, 5)]],
    "rivers": [((3, 4), (3, 5)), ((2, 4), (3, 4)), ((1, 8), (1, 9))],
}


def varied(units: dict[str, tuple[int, int]], **given) -> Position:
    """10 rows of 12 with all kinds of ground."""
    return position(units, 10, 12, **GROUND, **given)


def found(table: Position, name: str, movement: int = 5) -> list[int]:
    """A tank's ways, as `ways.reach` fills them in."""
    game, unit = table.game, table.unit(name)
    room = np.zeros(ways.most_ways(game, movement), np.int64)
    marks = ways.marks_of(game, game.state.units[unit].side)
    return room[: ways.reach(game, unit, movement, marks, room)].tolist()


def ends(table: Position, name: str, movement: int = 5) -> set[tuple[int, int]]:
    """The hexes where a tank can get to, as (row, column)."""
    return {divmod(ways.hex_of(way), int(table.game.board.columns)) for way in found(table, name, movement)}


def test_a_way_is_put_together_and_taken_apart():
    way = ways.way_to(4095, 5, 1, 4000)
    assert (ways.hex_of(way), ways.direction_of(way), ways.is_march(way), ways.before(way)) == (4095, 5, 1, 4000)
    assert ways.is_march(ways.way_to(4095, 5, 0, 4000)) == 0


@pytest.mark.parametrize("side", [st.RED, st.BLUE])
def test_the_ways_that_the_board_has_are_those_of_a_search(side):
    """From every hex, in the same order and by the same steps."""
    table = varied({"R1": (0, 0), "B1": (9, 11)})
    game = table.game
    nobody = np.zeros((4, 2), np.int64)
    for start in range(int(game.board.hexes)):
        free, searched = (np.zeros(ways.most_ways(game, 5), np.int64) for _ in range(2))
        count = ways.free_ways(game, side, start, free)
        assert count == ways.search(game, side, start, 5, nobody, searched)
        assert free.tolist() == searched.tolist()


def test_th_6_1_every_way_is_a_tank_s_legal_steps_of_fewest_points():
    """Each way goes on from one before it, by a step that is open, and ends a hex for no more MP than any other."""
    table = varied({"R1": (4, 5), "B1": (9, 11)})
    board = table.game.board
    rows = found(table, "R1")
    points = [0]
    for way in rows[1:]:
        last = ways.hex_of(rows[ways.before(way)])
        direction = ways.direction_of(way)
        assert board.neighbour[last, direction] == ways.hex_of(way)
        points.append(points[ways.before(way)] + int(board.cost[last, direction]))
        assert board.cost[last, direction] > 0
    assert points == sorted(points)
    assert points[-1] <= 5
    best = {ways.hex_of(way): spent for way, spent in zip(rows, points, strict=True)}
    assert len(best) == len(rows)
    for place, spent in best.items():
        for direction in range(6):
            cost = int(board.cost[place, direction])
            if cost > 0 and spent + cost <= 5:
                assert best[int(board.neighbour[place, direction])] <= spent + cost


def test_th_6_8_a_tank_goes_no_further_than_an_enemy():
    """A corridor between two lakes: one gets as far as an enemy in it, and five hexes off he is in nobody's way."""
    water = [(row, column) for row in (2, 4) for column in range(2, 12)]
    corridor = [(3, column) for column in range(3, 9)]

    def table(enemy: tuple[int, int]) -> Position:
        return position({"R1": (3, 3), "B1": enemy}, 12, 16, water=water)

    free = ends(table((0, 15)), "R1")
    assert free >= set(corridor)
    assert not ends(table((3, 6)), "R1") & {(3, 7), (3, 8)}
    assert ends(table((3, 6)), "R1") >= {(3, 4), (3, 5), (3, 6)}
    assert ends(table((3, 8)), "R1") == free


def test_a_tank_with_more_points_than_the_board_has_ways_for_is_searched_for():
    units = {"R1": (4, 5), "B1": (9, 11)}
    assert len(ends(varied(units), "R1", 6)) > len(ends(varied(units), "R1"))
    faster = varied(units, numbers={"tank.movement": 6})
    assert not faster.game.board.n_ways.any()
    assert ends(faster, "R1", 6) == ends(varied(units), "R1", 6)


def test_th_6_1_on_the_march_a_road_leads_further_but_not_past_own_tanks():
    road = {"roads": [[(3, column) for column in range(1, 15)]]}
    alone = {"R1": (3, 1), "B1": (7, 15)}
    assert (3, 11) in ends(position(alone, 8, 16, **road), "R1")
    assert (3, 12) not in ends(position(alone, 8, 16, **road), "R1")
    assert (3, 8) not in ends(position({**alone, "R2": (3, 8)}, 8, 16, **road), "R1")
    assert (3, 7) not in ends(position({**alone, "R2": (3, 1)}, 8, 16, **road), "R1")  # not from a stack


def test_marks_say_where_tanks_are_and_what_they_see():
    units = {"R1": (0, 0), "R2": (2, 1), "B1": (4, 5), "B2": (6, 9), "B3": (9, 11), "B4": (7, 2)}
    table = varied(units)
    table.put("B2", moved=1).put("B3", in_combat=1).put("B4", hex=st.NOWHERE, destroyed=1)
    game = table.game
    marks = ways.marks_of(game, st.RED)
    places = {name: table.hex(cell) for name, cell in units.items()}
    for place in range(int(game.board.hexes)):
        marked = [ways.is_marked(marks, kind, place) for kind in (ways.OWN, ways.FOES, ways.SEEN, ways.COVERED)]
        covered = sees(game, places["B1"], place)
        assert marked == [
            place in (places["R1"], places["R2"]),
            place in (places["B1"], places["B2"], places["B3"]),
            covered or sees(game, places["B2"], place),
            covered,
        ]
