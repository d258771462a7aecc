"""Rules and map as arrays; everything that can be worked out before the first turn."""

import functools
import math
from typing import Any, NamedTuple

import numpy as np

import sim.first_contact.state as st
from sim.fields import layout, numbered
from sim.first_contact.documents import Effects, RulesFile
from sim.first_contact.ground import DECIMETRES, Ground
from sim.geometry.square import WIDTH, costs_to, on_grid
from sim.log import empty_log
from sim.rules_file import BadInput

# Choices of the options, in the order of `documents.CHOICES`.
GERMAN_FIRST, SOVIET_FIRST, FIRST_BY_DIE = numbered(3)
MEN, SHARE = numbered(2)
BY_TARGET, BY_SHOT = numbered(2)
RANGE_THIRDS, NO_FIRE_ROLL = numbered(2)

CLOSED = np.int64(-1)
"""Cost of terrain that cannot be entered."""

# Where distance fields lead.
GOALS = ("farm", "middle_trench", "top_trench", "west_trench")
FARM_GOAL, MIDDLE_GOAL, TOP_GOAL, WEST_GOAL = numbered(GOALS)

MOST_ENTRY_CELLS = 2_000
N_TERRAINS = len(st.TERRAINS)
N_KINDS = len(st.KINDS)
N_MORALES = len(st.MORALES)

BOARD = layout(
    # Arrays by cell: see `sim.geometry.square`; row 0 is north, column 0 west (FC-1.4).
    ("rows", (), "rows of the map"),
    ("columns", (), "columns of the map"),
    ("terrain", (st.MOST_CELLS,), "what a cell is, one of TERRAINS (chapter 6)"),
    ("height", (st.MOST_CELLS,), "height of the ground in decimetres"),
    ("top", (st.MOST_CELLS,), "height of what stands on it, in decimetres (FC-5.9)"),
    ("trench", (st.MOST_CELLS,), "number of the trench in a cell, or NOWHERE (FC-6.8)"),
    ("building", (st.MOST_CELLS,), "number of the barn or house in a cell, or NOWHERE (FC-5.9)"),
    ("sector", (st.MOST_CELLS,), "place that is the sector of a cell (FC-11.1)"),
    ("objective", (st.MOST_CELLS,), "place that is the objective of a cell, or NOWHERE (FC-11.2)"),
    ("first_objective", (), "number of the first objective among the places"),
    ("entry", (2, MOST_ENTRY_CELLS + 1), "cells of a side's entry zone, nearest first (FC-2.7)"),
    ("entry_facing", (2,), "where vehicles face that come on there (FC-4.5)"),
    ("costs", (2, len(GOALS), st.MOST_CELLS), "parts of a pip to each of GOALS, ON_FOOT and ON_TRACKS (FC-4.2)"),
)
"""The map, as one record."""

RULES = layout(
    # See rules.toml for the clauses. Percentages are whole numbers; thickness is in tenths of a millimetre.
    ("n_turns", (), "turns of the game"),
    ("cell_metres", (), "length of a cell"),
    ("movement_die", (), "faces of the movement die"),
    ("movement_dice", (), "option: movement dice"),
    ("pip", (), "parts of a pip in which movement is counted"),
    ("step_cost", (2, N_TERRAINS), "parts of a pip that a step into terrain costs, or CLOSED"),
    ("protection", (2, N_TERRAINS), "p of squads and vehicles in terrain"),
    ("fire", (2, N_TERRAINS), "f of squads and vehicles in terrain"),
    ("suppress", (2, N_TERRAINS), "f of suppression likewise"),
    ("ammunition", (len(st.MODES),), "what a mode of fire costs"),
    ("casualties", (len(st.MODES),), "casualties of a mode of fire for each pip and one more"),
    ("armour_base", (), "what the armour die is added to, in mm"),
    ("armour", (N_KINDS, len(st.FACINGS)), "thickness by kind and facing"),
    ("crew", (N_KINDS,), "crew by kind"),
    ("side_crew", (), "crew lost when the side is penetrated"),
    ("rear_crew", (), "crew lost when the rear is penetrated"),
    ("takes_effect", (3,), "least pips of the fire roll for each third of the range"),
    ("vehicle_range", (N_KINDS,), "range of guns in cells"),
    ("weapon_range", (len(st.WEAPONS),), "range of squads' weapons in cells"),
    ("barn_stays", (), "turns that a vehicle stays in the barn"),
    ("eye", (), "height of eyes above the ground, in decimetres"),
    ("barrages", (2,), "barrages of each side in a game"),
    ("mortars", (), "shells for each pip"),
    ("scatter_dice", (), "dice of the scatter"),
    ("scatter_divisor", (), "what their sum is divided by"),
    ("shell_damage", (), "damage of a shell, in tenths of a millimetre"),
    ("shell_armour_share", (), "share of the thickness that withstands"),
    ("shell_squad_share", (), "share of the men that a shell costs"),
    ("regained", (), "ammunition regained in a trench"),
    ("morale_attacks", (), "own attacks for the next level"),
    ("morale_supports", (), "supporting attacks for the next level"),
    ("morale_start", (), "level at the start"),
    ("suppression", (N_MORALES,), "what suppression costs more, negative where not allowed"),
    ("rout", (N_MORALES,), "share that runs in melee"),
    ("inflicted", (N_MORALES,), "percentage added to f"),
    ("pips", (N_MORALES,), "pips added to the casualty die"),
    ("rout_dice", (), "movement dice of a rout"),
    ("sector", (), "cells along the side of a sector"),
    ("outcomes", (len(st.OBJECTIVES) + 1,), "outcome by objectives in German hands"),
    ("first_mover", (), "option: GERMAN_FIRST, SOVIET_FIRST or FIRST_BY_DIE"),
    ("casualties_are", (), "option: MEN or SHARE"),
    ("casualty_roll", (), "option: BY_TARGET or BY_SHOT"),
    ("fire_roll", (), "option: RANGE_THIRDS or NO_FIRE_ROLL"),
)
"""The rulebook's numbers, as one record."""


class Setup(NamedTuple):
    """All that a game needs but policies and dice: records (1,) of `BOARD`, `RULES`, `STATE`, `WORK`, `LOG`."""

    board: np.recarray
    rules: np.recarray
    state: np.recarray
    work: np.recarray
    log: np.recarray


def empty_setup(n_units: int = 0, n_soviet: int = 0, n_places: int = 0) -> Setup:
    """A setup in which nothing is said yet."""
    board, rules = (np.zeros(1, dtype).view(np.recarray) for dtype in (BOARD, RULES))
    state = st.empty_state(n_units, n_soviet, n_places)
    return Setup(board, rules, state, st.empty_work(), empty_log(st.LOG, st.EVENTS))


def place_names(board: np.record, rules: np.record) -> tuple[str, ...]:
    """Names of the places: sectors A1 (north-west), A2, ... by row and column, then the objectives."""
    down, across = _sectors(board, rules)
    return (*(f"{chr(65 + row)}{column + 1}" for row in range(down) for column in range(across)), *st.OBJECTIVES)


def _sectors(board: np.record, rules: np.record) -> tuple[int, int]:
    return -(-int(board.rows) // int(rules.sector)), -(-int(board.columns) // int(rules.sector))


def fill_rules(rules: np.record, book: RulesFile) -> None:
    """Writes the numbers of a rules file. Raises `BadInput` for what only shows when they come together."""
    rules.n_turns = book.setting.turns.value
    rules.cell_metres = book.setting.cell.value
    rules.movement_die = book.movement.die.value
    rules.movement_dice = book.options.movement_dice.value
    _fill_terrain(rules, book)
    _fill_fire(rules, book)
    rules.barn_stays = book.barn.stays.value
    rules.eye = book.sight.eye.value * DECIMETRES
    barrage = book.barrage
    rules.barrages[:] = [barrage.calls.value.red, barrage.calls.value.blue]
    rules.mortars = barrage.mortars.value
    rules.scatter_dice = barrage.scatter_dice.value
    rules.scatter_divisor = barrage.scatter_divisor.value
    rules.shell_damage = barrage.damage.value * 10
    rules.shell_armour_share = barrage.armour_share.value
    rules.shell_squad_share = barrage.squad_share.value
    _scatter_fits(book)
    rules.regained = book.supply.regained.value
    rules.morale_attacks = book.morale.attacks.value
    rules.morale_supports = book.morale.supports.value
    rules.morale_start = st.MORALES.index(book.morale.start.value)
    for number, name in enumerate(st.MORALES):
        level = getattr(book.morale, name).value
        for column in ("suppression", "rout", "inflicted", "pips"):
            rules[column][number] = getattr(level, column)
    rules.rout_dice = book.melee.rout_dice.value
    rules.sector = book.control.sector.value
    rules.outcomes[:] = [st.OUTCOMES.index(outcome) for outcome in book.control.outcomes.value]
    for option, field in (
        ("first_mover", "first_mover"),
        ("casualties", "casualties_are"),
        ("casualty_roll", "casualty_roll"),
        ("fire_roll", "fire_roll"),
    ):
        rules[field] = getattr(book.options, option).number


def _fill_terrain(rules: np.record, book: RulesFile) -> None:
    """Chapter 6, and the costs of steps (FC-4.2): 1 / (1 + m) of a pip, counted in parts that make all costs whole."""
    effects: list[Effects] = [getattr(book.terrain, name).value for name in st.TERRAINS]
    speeds = [effect.speed for both in effects for effect in (both.squads, both.vehicles) if effect]
    parts = math.lcm(*((100 + speed) // math.gcd(100, 100 + speed) for speed in speeds))
    if parts > 10**6:
        raise BadInput("the speeds have no common measure: a pip would have too many parts", file=_FILE, key="terrain")
    rules.pip = parts
    for number, both in enumerate(effects):
        for mover, effect in ((st.ON_FOOT, both.squads), (st.ON_TRACKS, both.vehicles)):
            if effect is None:
                rules.step_cost[mover, number] = CLOSED
                continue
            rules.step_cost[mover, number] = parts * 100 // (100 + effect.speed)
            rules.protection[mover, number] = effect.protection
            rules.fire[mover, number] = effect.fire
            rules.suppress[mover, number] = effect.fire if effect.suppress is None else effect.suppress


def _fill_fire(rules: np.record, book: RulesFile) -> None:
    fire, vehicles = book.fire, book.vehicles
    for mode in (st.FIRE, st.SUPPRESS):
        rules.ammunition[mode] = getattr(fire.ammunition.value, st.MODES[mode])
        rules.casualties[mode] = getattr(fire.casualties.value, st.MODES[mode])
    rules.armour_base = fire.armour_base.value
    rules.side_crew = fire.crew_lost.value.side
    rules.rear_crew = fire.crew_lost.value.rear
    rules.takes_effect[:] = fire.takes_effect.value
    for weapon in (st.SMALL_ARMS, st.MACHINE_GUN, st.ANTI_TANK):
        rules.weapon_range[weapon] = getattr(fire.squad_range.value, st.WEAPONS[weapon])
    basis = getattr(vehicles, str(book.options.armour_basis.value))
    for name in st.VEHICLES:
        kind = st.KINDS.index(name)
        rules.vehicle_range[kind] = fire.vehicle_range.value[name]
        rules.crew[kind] = vehicles.crew.value[name]
        plates = getattr(basis, name).value
        rules.armour[kind] = [round(getattr(plates, facing) * 10) for facing in st.FACINGS]


def _scatter_fits(book: RulesFile) -> None:
    dice, divisor = book.barrage.scatter_dice.value, book.barrage.scatter_divisor.value
    if dice // divisor < 1 or 6 * dice // divisor > 9:
        raise BadInput(
            f"{dice} dice divided by {divisor} do not number cells 1 to 9", file=_FILE, key="barrage.scatter_dice"
        )


_FILE = "rules of first_contact"


def fill_board(board: np.record, rules: np.record, ground: Ground, book: RulesFile) -> None:
    """Writes a map: cells, sectors, objectives and the distances to goals. Entry zones are the scenario's."""
    rows, columns = ground.terrain.shape
    board.rows, board.columns = rows, columns
    size = int(rules.sector)
    down, across = _sectors(board, rules)
    if max(rows, columns) > WIDTH or down > 26 or down * across > st.MOST_SECTORS:
        raise BadInput(
            f"there is room for {WIDTH} x {WIDTH} cells in 26 rows and {st.MOST_SECTORS} sectors in all,"
            f" not for {rows} x {columns} cells in {down} x {across} sectors",
            file=_FILE,
            key="control.sector",
        )
    obstacles = np.zeros(N_TERRAINS, np.int64)
    for name, height in book.sight.obstacles.value.items():
        obstacles[st.TERRAINS.index(name)] = height * DECIMETRES
    sector = np.arange(rows)[:, None] // size * across + np.arange(columns) // size
    board.first_objective = down * across
    objective = np.where(ground.objective == st.NOWHERE, st.NOWHERE, ground.objective + down * across)
    board.terrain[:] = on_grid(ground.terrain, st.NOWHERE)
    board.height[:] = on_grid(ground.height, 0)
    board.top[:] = on_grid(ground.height + obstacles[ground.terrain], 0)
    board.trench[:] = on_grid(ground.trench, st.NOWHERE)
    board.building[:] = on_grid(ground.building, st.NOWHERE)
    board.sector[:] = on_grid(sector, st.NOWHERE)
    board.objective[:] = on_grid(objective, st.NOWHERE)
    board.entry[:] = st.NOWHERE
    goals = (*(ground.objective == n for n in range(len(st.OBJECTIVES))), ground.trench == st.WEST_TRENCH)
    for mover in (st.ON_FOOT, st.ON_TRACKS):
        cost = rules.step_cost[mover][ground.terrain]
        for number, goal in enumerate(goals):
            board.costs[mover, number] = _distances((goal & (cost != CLOSED)).tobytes(), cost.tobytes(), rows, columns)


@functools.lru_cache(maxsize=32)
def _distances(goal: bytes, cost: bytes, rows: int, columns: int) -> np.ndarray:
    # Kept, because every design point of an experiment loads its own setup, and most share the map.
    shape = (rows, columns)
    targets = np.flatnonzero(on_grid(np.frombuffer(goal, bool).reshape(shape), 0))
    return costs_to(targets, on_grid(np.frombuffer(cost, np.int64).reshape(shape), CLOSED), rows, columns)


def put_entry_zone(board: np.record, side: int, cells: Any, facing: int) -> None:
    """Writes the cells of a side's entry zone, nearest first (FC-2.7)."""
    board.entry[side, : len(cells)] = cells
    board.entry_facing[side] = facing
