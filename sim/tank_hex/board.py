"""Rules, map and scenario as arrays; everything that can be worked out before the first turn."""

from itertools import product
from typing import Any, NamedTuple

import numpy as np

import sim.tank_hex.state as st
from sim.fields import layout
from sim.game import SIDES, Names
from sim.geometry.hexagon import DIRECTIONS
from sim.geometry.hexagon_sight import WORD, sight_words
from sim.log import empty_log
from sim.rules_file import BadInput, check, one_of
from sim.tank_hex.chart import MOST_COLUMNS, MOST_ROWS, Chart, read_chart
from sim.tank_hex.documents import MapFile, RulesFile, ScenarioFile
from sim.tank_hex.free_ways import free_ways

MOST_HEXES = MOST_ROWS * MOST_COLUMNS
MOST_DISTANCE = 60
MOST_GRADES = 9
MOST_EXCHANGES = 8
MOST_WAYS = 91  # ways of a tank with 5 MP
LEVELS = 10
DICE_SUMS = 11  # 2 to 12
FACES = 6
RINGS = 3
RANGE_OF_EXPOSURE = 20

BOARD = layout(
    # Hexes are numbered row by row; directions from 0, east, anticlockwise.
    ("rows", (), "rows of the map"),
    ("columns", (), "columns of the map"),
    ("hexes", (), "hexes of the map"),
    ("row", (MOST_HEXES,), "row of a hex"),
    ("q", (MOST_HEXES,), "cube coordinate q of a hex"),
    ("terrain", (MOST_HEXES,), "terrain of a hex, one of TERRAINS"),
    ("grade", (MOST_HEXES,), "height grade of a hex (TH-1.1)"),
    ("neighbour", (MOST_HEXES, 6), "neighbour of a hex in a direction, or NOWHERE"),
    ("cost", (MOST_HEXES, 6), "MP of the step in a direction (TH-6.1), 0 where it is closed"),
    ("road", (MOST_HEXES, 6), "1 where a road link leads in a direction"),
    ("n_ways", (MOST_HEXES,), "ways of a red tank from a hex with nobody in the way; 0 where MOST_WAYS are too few"),
    ("ways", (MOST_HEXES, MOST_WAYS), "these ways, see `ways`"),
    ("sight", (MOST_HEXES, MOST_HEXES // WORD), "bit b of word w: hex 64 w + b is in sight (TH-3.1)"),
    ("exposure", (MOST_HEXES,), "hexes within 20 that see a hex"),
    ("objective", (st.MOST_PLACES,), "hex of an objective"),
    ("objective_at", (MOST_HEXES,), "number of the objective in a hex, or NOWHERE"),
    ("travel", (st.MOST_PLACES, MOST_HEXES), "fewest MP from a hex to an objective, whoever is in the way"),
)
"""Map and objectives, as one record."""

RULES = layout(
    # See rules.toml for the clauses.
    ("n_turns", (), "turns of the scenario"),
    ("hex_m", (), "width of a hex in metres"),
    ("movement", (), "MP of a tank in a turn"),
    ("stacking", (), "own tanks in a hex at the end of a move"),
    ("most_distance", (), "longest shot"),
    ("level", (MOST_DISTANCE + 1,), "level by distance"),
    ("combat_distance", (), "distance that close combat is fired at"),
    ("most_level", (), "cap of the level"),
    ("height_grades", (), "rows of height_subtract"),
    ("height_subtract", (MOST_GRADES + 1, MOST_DISTANCE + 1), "what a higher target takes, by grades and distance"),
    ("results", (len(st.WEAPONS), LEVELS + 1, DICE_SUMS + 2), "result by weapon, level and sum of two dice"),
    ("suppressed", (), "modifier of a suppressed shooter"),
    ("on_the_move", (), "modifier of fire on the move"),
    ("short_halt", (), "modifier of fire in a short halt"),
    ("terrain_saves", (len(st.TERRAINS), FACES + 1), "1 for a face that turns damage into S, by terrain"),
    ("armour_saves", (len(st.WEAPONS),), "armour die up to which damage turns into S, by weapon"),
    ("march", (), "hexes for an MP on the march"),
    ("short_halt_cost", (), "MP of a short halt"),
    ("rush_units", (), "tanks that a rush speeds up"),
    ("rush_movement", (), "MP that it adds to each"),
    ("firepower", (), "levels that the card adds to a shot"),
    ("reactive_armour", (), "steps by which the card lowers a result"),
    ("full_deck", (2,), "cards of each side's deck, as bits"),
    ("cards", (2,), "cards that each side draws from a deck"),
    ("guns", (), "guns of a battery"),
    ("delay", (), "turns from the call to the landing"),
    ("gun_is_lost", (FACES + 1,), "1 for a face with which a gun does not arrive"),
    ("gun_drifts", (FACES + 1,), "1 for a face with which it drifts"),
    ("drift_direction", (FACES + 1,), "direction by face"),
    ("ring_level", (len(st.WEAPONS), RINGS), "level by battery and ring"),
    ("objective_points", (), "points of an objective"),
    ("tank_points", (), "points of a destroyed tank"),
    ("victory_levels", (3,), "least margin of a marginal, a clear and a decisive victory"),
    ("odds", (len(st.WEAPONS), LEVELS + 1, len(st.TERRAINS), len(st.RESULTS)), "of 216, by exact count"),
    ("kill_odds", (2, LEVELS + 1, len(st.TERRAINS)), "those of destroying a tank by a gun, whole or damaged"),
    ("most_odds", (MOST_DISTANCE + 1, 2), "most odds of destroying a tank, whole or damaged, from so far or farther"),
    ("minimum_level", (), "option"),
    ("moved_may_react", (), "option"),
    ("suppression_until_next_turn", (), "option"),
    ("close_combat_in_events", (), "option"),
    ("reshuffle", (), "option"),
    ("rings_linger", (), "option"),
)
"""The rulebook's numbers and the scenario's limits, as one record."""

START = layout(
    ("first_turn", (), "turn with which the scenario starts"),
    ("n_exchanges", (), "exchanges of cards (TH-7.1)"),
    ("exchange_turn", (MOST_EXCHANGES,), "turn of an exchange"),
    ("exchange_side", (MOST_EXCHANGES,), "side that exchanges"),
    ("gives", (MOST_EXCHANGES,), "card that it gives"),
    ("takes", (MOST_EXCHANGES,), "card that it takes"),
)
"""What only the sequence of play knows of a scenario."""


class Setup(NamedTuple):
    """All that a game needs but policies and dice.

    They are records (1,) of `BOARD`, `RULES`, `START`, `STATE`, `HIDDEN` and `LOG`.
    """

    board: np.recarray
    rules: np.recarray
    start: np.recarray
    state: np.recarray
    hidden: np.recarray
    log: np.recarray


def empty_setup(n_units: int = 0, first_blue: int = 0, n_places: int = 0) -> Setup:
    """A setup in which nothing is said yet."""
    board, rules, start, hidden = (np.zeros(1, dtype).view(np.recarray) for dtype in (BOARD, RULES, START, st.HIDDEN))
    state = st.empty_state(n_units, first_blue, n_places)
    return Setup(board, rules, start, state, hidden, empty_log(st.LOG, st.EVENTS))


def load(scenario: dict[str, Any], board: dict[str, Any], rules: dict[str, Any]) -> tuple[Setup, Names]:
    """Setup and names from a scenario, a map and a rules file. Raises `BadInput` for whatever is wrong."""
    where = f"scenario {scenario.get('name', '?')}"
    plan = check(ScenarioFile, scenario, where)
    drawn = check(MapFile, board, f"map {board.get('name', '?')}")
    book = check(RulesFile, rules, "rules of tank_hex")
    chart = read_chart(drawn, book)
    hexes = _hexes_of(plan, chart, where)
    units = sorted(plan.units, key=lambda unit: SIDES.index(unit.side))
    _scenario_fits(plan, chart, book, hexes, where)
    first_blue = sum(unit.side == "red" for unit in units)
    setup = empty_setup(len(units), first_blue, len(plan.objectives))
    _fill_board(setup.board[0], plan, chart, book, hexes)
    _fill_rules(setup.rules[0], plan, book)
    _fill_start(setup.start[0], plan)
    state = setup.state[0]
    state.turn = 1
    for row, unit in enumerate(units):
        state.units[row].side = SIDES.index(unit.side)
        state.units[row].hex = hexes[unit.hex]
        state.units[row].stabilised = int(unit.stabilised)
    for row, objective in enumerate(plan.objectives):
        state.places[row].hex = hexes[objective.hex]
        state.places[row].holder = SIDES.index(objective.holder)
    for side in range(2):
        state.sides[side].deck = setup.rules[0].full_deck[side]
        state.sides[side].cards_drawn = 0
    names = Names(
        tuple(unit.name for unit in units),
        tuple(objective.name for objective in plan.objectives),
        tuple(str(turn) for turn in range(1, plan.turn_limit + 1)),
    )
    return setup, names


def _hexes_of(plan: ScenarioFile, chart: Chart, where: str) -> dict[str, int]:
    """Number of every hex that a scenario names, by label (TH-1.2)."""
    last = chart.labels.label(chart.rows - 1, chart.columns - 1)
    found = {}
    for key, label in (
        *((f"units.{unit.name}.hex", unit.hex) for unit in plan.units),
        *((f"objectives.{objective.name}.hex", objective.hex) for objective in plan.objectives),
    ):
        try:
            found[label] = chart.labels.number(label)
        except KeyError:
            raise BadInput(
                f"{label!r} is no hex of map {chart.name}: its labels go from {chart.labels.label(0, 0)} to {last}",
                file=where,
                key=key,
            ) from None
    return found


def _scenario_fits(plan: ScenarioFile, chart: Chart, book: RulesFile, hexes: dict[str, int], where: str) -> None:
    for side in SIDES:
        count = sum(unit.side == side for unit in plan.units)
        if not 1 <= count <= st.MOST_TANKS:
            raise BadInput(f"{side} has {count} tanks: use 1 to {st.MOST_TANKS}", file=where, key="units")
    if len(plan.objectives) > st.MOST_PLACES:
        raise BadInput(f"there are {len(plan.objectives)}: use up to {st.MOST_PLACES}", file=where, key="objectives")
    if len({hexes[objective.hex] for objective in plan.objectives}) < len(plan.objectives):
        raise BadInput("two of them are in one hex", file=where, key="objectives")
    stacks: dict[int, list[str]] = {}
    for unit in plan.units:
        number = hexes[unit.hex]
        if chart.terrain[number] == st.WATER:
            raise BadInput(f"{unit.hex} is water", file=where, key=f"units.{unit.name}.hex")
        stack = stacks.setdefault(number, [])
        stack.append(unit.side)
        if len(set(stack)) > 1:
            raise BadInput(f"{unit.hex} holds tanks of both sides", file=where, key=f"units.{unit.name}.hex")
        if len(stack) > book.tank.stacking.value:
            raise BadInput(
                f"{unit.hex} holds more than {book.tank.stacking.value} tanks (TH-2.3)",
                file=where,
                key=f"units.{unit.name}.hex",
            )
    for exchange in plan.exchanges:
        for card in (exchange.gives, exchange.takes):
            if card not in book.cards.kinds.value:
                raise BadInput(
                    f"{card!r} is no card of the rules: use {one_of(book.cards.kinds.value, card)}",
                    file=where,
                    key="exchanges",
                )


def _put(room: np.ndarray, values: Any) -> None:
    """Writes values into the corner of an array that has room for more."""
    values = np.asarray(values, np.int64)
    room[tuple(slice(length) for length in values.shape)] = values


def _fill_board(board: np.record, plan: ScenarioFile, chart: Chart, book: RulesFile, hexes: dict[str, int]) -> None:
    row, column = (axis.ravel() for axis in np.indices((chart.rows, chart.columns)))
    board.rows, board.columns, board.hexes = chart.rows, chart.columns, chart.hexes
    _put(board.row, row)
    _put(board.q, column - (row - (row & 1)) // 2)
    _put(board.terrain, chart.terrain)
    _put(board.grade, chart.grade)
    board.neighbour[:] = st.NOWHERE
    _put(board.neighbour, chart.neighbour)
    _put(board.road, chart.road)
    cost = step_costs(chart, book)
    _put(board.cost, cost)
    ways, n_ways = free_ways(chart.neighbour, cost, book.tank.movement.value, MOST_WAYS)
    _put(board.ways, ways)
    _put(board.n_ways, n_ways)
    shape = (chart.rows, chart.columns)
    screen: dict[str, int] = {**book.sight.screen.value}
    screens = chart.grade + np.array([screen.get(name, 0) for name in st.TERRAINS])[chart.terrain]
    words = sight_words(chart.grade.reshape(shape), screens.reshape(shape), book.sight.high_end.value)
    _put(board.sight, words)
    _put(board.exposure, _exposure(chart, board, words))
    board.objective_at[:] = st.NOWHERE
    board.objective[:] = st.NOWHERE
    for number, objective in enumerate(plan.objectives):
        board.objective[number] = hexes[objective.hex]
        board.objective_at[hexes[objective.hex]] = number
        _put(board.travel[number], _travel(chart, cost, hexes[objective.hex]))


def step_costs(chart: Chart, book: RulesFile) -> np.ndarray:
    """TH-6.1: MP of every step, int64 (hexes, 6); 0 where it is closed: water, or off the map."""
    move = book.movement
    points: dict[str, int] = {**move.terrain.value}
    by_terrain = np.array([points.get(name, 0) for name in st.TERRAINS])
    cost = by_terrain[chart.terrain[chart.neighbour]]
    cost = np.where(chart.river & (cost > 0), np.maximum(cost, move.river.value), cost)
    cost = np.where(chart.road, move.road.value, cost)
    cost[(chart.neighbour == st.NOWHERE) | (chart.terrain == st.WATER)[:, None]] = 0
    return cost


def _exposure(chart: Chart, board: np.record, words: np.ndarray) -> np.ndarray:
    seen = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")[:, : chart.hexes]
    q, row = board.q[: chart.hexes], board.row[: chart.hexes]
    count = np.empty(chart.hexes, np.int64)
    for number in range(chart.hexes):
        dq, dr = q - q[number], row - row[number]
        near = (abs(dq) + abs(dr) + abs(dq + dr)) // 2 <= RANGE_OF_EXPOSURE
        count[number] = np.count_nonzero(seen[number] & near) - 1
    return count


def _travel(chart: Chart, cost: np.ndarray, goal: int) -> np.ndarray:
    """Fewest MP from every hex to a goal, by relaxing all steps until nothing changes."""
    far = 10**6
    best = np.full(chart.hexes, far)
    best[goal] = 0
    open_steps = [(direction, np.flatnonzero(cost[:, direction])) for direction in range(len(DIRECTIONS))]
    while True:
        before = best.copy()
        for direction, starts in open_steps:
            ends = chart.neighbour[starts, direction]
            best[starts] = np.minimum(best[starts], best[ends] + cost[starts, direction])
        if (best == before).all():
            return best


_RESULT_SIGNS = {
    "-": st.NO_RESULT,
    "S": st.SUPPRESSED,
    "F": st.FIRE_KILL,
    "M": st.MOBILITY_KILL,
    "K": st.DESTROYED,
}


def _fill_rules(rules: np.record, plan: ScenarioFile, book: RulesFile) -> None:
    fire, cards, batteries = book.fire, book.cards, book.batteries
    armour = book.tank.armour.value
    rules.n_turns = plan.turn_limit
    rules.hex_m = book.map.hex_m.value
    rules.movement = book.tank.movement.value
    rules.stacking = book.tank.stacking.value
    rules.most_distance = len(fire.level_by_distance.value)
    _put(rules.level, [0, *fire.level_by_distance.value])
    rules.combat_distance = fire.combat_distance.value
    rules.most_level = fire.most_level.value
    rules.height_grades = len(fire.height_subtract.value)
    by_distance = np.repeat(fire.height_subtract.value, fire.height_band.value, axis=1)
    _put(rules.height_subtract[1:, 1:], by_distance[:, :MOST_DISTANCE])
    for weapon, table in ((st.GUN_85, fire.results), (st.BATTERY_155, batteries.results)):
        signs = np.array([[_RESULT_SIGNS[sign] for sign in row] for row in table.value])
        rules.results[weapon, 1:, 2:] = signs.T
    rules.results[st.BATTERY_122] = rules.results[st.BATTERY_155]
    rules.suppressed = fire.suppressed.value
    rules.on_the_move = fire.on_the_move.value
    rules.short_halt = fire.short_halt.value
    for terrain, faces in fire.terrain_saves.value.items():
        rules.terrain_saves[st.TERRAINS.index(terrain), faces] = 1
    saves = (fire.armour_saves, batteries.armour_saves_155, batteries.armour_saves_122)
    _put(rules.armour_saves, [table.value.get(armour, 0) for table in saves])
    rules.march = book.movement.march.value
    rules.short_halt_cost = book.movement.short_halt.value
    rules.rush_units = cards.rush_units.value
    rules.rush_movement = cards.rush_movement.value
    rules.firepower = cards.firepower.value
    rules.reactive_armour = cards.reactive_armour.value
    for side, name in enumerate(SIDES):
        deck = plan.decks.get(name, cards.kinds.value)
        rules.full_deck[side] = sum(1 << st.CARDS.index(card) for card in deck)
        rules.cards[side] = plan.cards.get(name, len(st.CARDS))
    rules.guns = batteries.guns.value
    rules.delay = batteries.delay.value
    rules.gun_is_lost[batteries.lost.value] = 1
    rules.gun_drifts[batteries.drifts.value] = 1
    _put(rules.drift_direction[1:], [DIRECTIONS.index(name) for name in batteries.directions.value])
    _put(rules.ring_level[1:], [batteries.levels_155.value, batteries.levels_122.value])
    rules.objective_points = book.victory.objective.value
    rules.tank_points = book.victory.tank.value
    _put(rules.victory_levels, [book.victory.levels.value[name] for name in ("marginal", "clear", "decisive")])
    options = book.options
    rules.minimum_level = options.minimum_level.number
    rules.moved_may_react = options.moved_may_react.number
    rules.suppression_until_next_turn = options.suppression_until.number
    rules.close_combat_in_events = options.close_combat_phase.number
    rules.reshuffle = options.reshuffle.number
    rules.rings_linger = options.rings_linger.number
    _fill_odds(rules)
    _fill_most_odds(rules)


def _fill_odds(rules: np.record) -> None:
    """TH-4.2, TH-4.5, TH-4.7, TH-7.3: how often of 216 equal throws (two dice, armour die) each result comes out."""
    die_1, die_2, armour_die = np.array(list(product(range(1, FACES + 1), repeat=3))).T
    spared = rules.terrain_saves[:, die_1] | rules.terrain_saves[:, die_2]
    for weapon, saves in enumerate(rules.armour_saves):
        least = st.FIRE_KILL if weapon == st.GUN_85 else st.DESTROYED
        by_table = rules.results[weapon][:, np.newaxis, die_1 + die_2]
        saved = (spared | (armour_die <= saves)) & (by_table >= least)
        results = np.where(saved, st.SUPPRESSED, by_table)
        for result in range(rules.odds.shape[-1]):
            rules.odds[weapon, ..., result] = np.count_nonzero(results == result, axis=-1)
    by_gun = rules.odds[st.GUN_85]
    rules.kill_odds[0] = by_gun[..., st.DESTROYED]
    rules.kill_odds[1] = by_gun[..., [st.FIRE_KILL, st.MOBILITY_KILL, st.DESTROYED]].sum(axis=-1)


def _fill_most_odds(rules: np.record) -> None:
    """TH-4.3 to TH-4.8: odds of a shot without modifiers at a target no higher, in the terrain that spares it least."""
    whole, damaged = rules.kill_odds.max(axis=-1)
    for steps in range(rules.most_distance, 0, -1):
        farther = rules.most_odds[steps + 1] if steps < rules.most_distance else 0
        most = min(rules.level[steps], rules.most_level)
        levels = slice(min(1, most), most + 1)
        rules.most_odds[steps] = np.maximum(farther, [whole[levels].max(), damaged[levels].max()])
    rules.most_odds[0] = rules.most_odds[1]


def _fill_start(start: np.record, plan: ScenarioFile) -> None:
    start.first_turn = 1
    start.n_exchanges = len(plan.exchanges)
    for number, exchange in enumerate(plan.exchanges):
        start.exchange_turn[number] = exchange.turn
        start.exchange_side[number] = SIDES.index(exchange.side)
        start.gives[number] = st.CARDS.index(exchange.gives)
        start.takes[number] = st.CARDS.index(exchange.takes)
