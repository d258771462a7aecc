"""Positions of First Contact for tests: maps drawn with letters, units by name, phases with dice laid out.

A map is text, a letter a cell: ``.`` plain, ``f`` forest, ``h`` hill, ``r`` road, ``B`` barn, ``H`` house, ``s``
haystack, ``w``, ``m``, ``t`` the western, middle and top trench. A unit's first letter says what it is: ``s`` a Soviet
squad, ``T`` T-34-76, ``E`` T-34-85, ``U`` SU-152, ``g`` a German squad, ``P`` Panther, ``I`` Tiger.
These tests run with the compiler off, where a policy may be a Python function.
"""

import copy
import functools
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import sim.first_contact.board as board
import sim.first_contact.forces as forces
import sim.first_contact.state as st
import sim.first_contact.turn as turn
from cluster import library
from sim.dice import dice_of
from sim.first_contact.documents import RulesFile, ScenarioFile
from sim.first_contact.ground import DECIMETRES, Ground
from sim.first_contact.rules.game import Game
from sim.first_contact.seat import DECISIONS, Seat, seen_by
from sim.game import Names
from sim.geometry.square import DIRECTIONS, WIDTH
from sim.rules_file import check, with_value
from tests.chapters import rules_of

CONFIGS = library.configs()
RULES_FILE = Path(board.__file__).with_name("rules.toml")
RULES = rules_of("first_contact")
LETTERS = {".": st.PLAIN, "f": st.FOREST, "h": st.HILL, "r": st.ROAD, "B": st.BARN, "H": st.HOUSE, "s": st.HAYSTACK,
           "w": st.TRENCH, "m": st.TRENCH, "t": st.TRENCH}  # fmt: skip
TRENCH_LETTERS = "wmt"
KIND_OF = {"s": st.SQUAD, "g": st.SQUAD, "T": st.T34_76, "E": st.T34_85, "U": st.SU152, "P": st.PANTHER, "I": st.TIGER}
PLAIN_HEIGHT = 30  # metres

altered: dict[str, Any] = {}
"""Values of the rulebook, by dotted path, that the mutation check puts in place of the true ones."""


@functools.cache
def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def rules_document(**options: Any) -> dict[str, Any]:
    document = copy.deepcopy(_read(RULES_FILE))
    for path, value in {**altered, **{f"options.{name}": value for name, value in options.items()}}.items():
        document = with_value(document, path, value, RULES_FILE)
    return document


def map_document() -> dict[str, Any]:
    return copy.deepcopy(_read(CONFIGS / "maps/first_contact/prokhorovka.toml"))


def scenario_document() -> dict[str, Any]:
    return copy.deepcopy(_read(CONFIGS / "scenarios/first_contact/prokhorovka.toml"))


def loads(rules: dict[str, Any]) -> None:
    """Loads other rules. Raises `BadInput` if they are refused."""
    book = check(RulesFile, rules, RULES_FILE)
    board.fill_rules(board.empty_setup().rules[0], book)
    forces.order_of_battle(check(ScenarioFile, scenario_document(), "scenario"), book, "scenario")


def words() -> list[str]:
    """Names that a rules file may hold."""
    return [*st.MORALES, *st.OUTCOMES]


def cell_of(row: int, column: int) -> int:
    return row * int(WIDTH) + column


def place_of(cell: int) -> tuple[int, int]:
    return divmod(int(cell), int(WIDTH))


class Position:
    """A game under way. Rule functions are its methods; they take units by name and cells as (row, column)."""

    def __init__(self, setup: board.Setup, names: Names) -> None:
        self.setup, self.names = setup, names
        self.state = setup.state.copy()[0]
        self.log = setup.log.copy()[0]
        self.log.room = 2000
        self.game = Game(setup.board[0], setup.rules[0], self.state, setup.work.copy()[0], self.log, dice_of(1, 2))
        self.desks = np.zeros(2, st.DESK)
        self.desks["state"], self.desks["work"] = setup.state, setup.work
        self.views = [seen_by(self.game, self.seat(side)) for side in range(2)]
        turn.take_places(self.game)
        turn.start_turn(self.game)

    def seat(self, side: int, **decisions: Callable[..., int]) -> Seat:
        """A side's seat with some decisions; whoever asks for any other fails."""
        return Seat(self.desks[side], np.zeros(1), *(decisions.get(name) for name in DECISIONS))

    def unit(self, name: str) -> int:
        return self.names.units.index(name)

    def row(self, name: str) -> np.record:
        return self.state.units[self.unit(name)]

    def at(self, name: str) -> tuple[int, int] | str:
        """Row and column of a unit, or its status."""
        row = self.row(name)
        return place_of(row.location) if row.status == st.ON_MAP else st.STATUSES[row.status]

    def set(self, name: str, **fields: Any) -> "Position":
        for field, value in fields.items():
            self.row(name)[field] = st.MORALES.index(value) if field == "morale" else value
        return self

    def number(self, thing: Any) -> Any:
        if isinstance(thing, str):
            return self.unit(thing)
        return cell_of(*thing) if isinstance(thing, tuple) else thing

    def __getattr__(self, name: str):
        rule = RULES[name]
        return lambda *arguments: rule(self.game, *(self.number(argument) for argument in arguments))

    def events(self, kind: str | None = None) -> list[np.record]:
        rows = self.log.events[: self.log.count]
        return [row for row in rows if kind is None or st.EVENT_KINDS[row.kind] == kind]

    def event_of(self, name: str, kind: str = "shot") -> np.record:
        """The one event of a kind in which a unit acts."""
        (event,) = (row for row in self.events(kind) if row.actor == self.unit(name))
        return event

    def event_at(self, name: str) -> np.record:
        """The one strike of a barrage at a unit."""
        (event,) = (row for row in self.events("shell") if row.target == self.unit(name))
        return event


def ground_of(art: str, heights: dict[tuple[int, int], int] | None, objectives: str = "") -> Ground:
    """A map drawn with letters; heights in metres of cells that are not 30 m; ``objectives`` drawn as 0, 1, 2."""
    lines = art.split()
    shape = (len(lines), len(lines[0]))
    letters = np.array([list(line) for line in lines])
    terrain = np.vectorize(LETTERS.__getitem__, otypes=[np.int64])(letters)
    height = np.full(shape, PLAIN_HEIGHT * DECIMETRES)
    for place, metres in (heights or {}).items():
        height[place] = metres * DECIMETRES
    trench = np.array([[TRENCH_LETTERS.find(letter) for letter in line] for line in lines])
    building = np.full(shape, int(st.NOWHERE))
    building[letters == "B"] = 0
    houses = np.argwhere(letters == "H")
    for number, (row, column) in enumerate(houses, 1):
        building[row, column] = number
    objective = np.full(shape, int(st.NOWHERE))
    for row, line in enumerate(objectives.split()):
        for column, letter in enumerate(line):
            objective[row, column] = "012".find(letter)
    return Ground(terrain, terrain, height, trench, building, objective)


def position(
    art: str,
    units: dict[str, tuple],
    *,
    heights: dict[tuple[int, int], int] | None = None,
    objectives: str = "",
    settings: dict[str, Any] | None = None,
    **options: Any,
) -> Position:
    """A position on a map drawn with letters: cell and perhaps facing of each unit; ``None`` for one that waits.

    ``settings`` are other values of the rules, by path, ``options`` their options.
    """
    document = rules_document(**options)
    for path, value in (settings or {}).items():
        document = with_value(document, path, value, RULES_FILE)
    book = check(RulesFile, document, RULES_FILE)
    names = sorted(units, key=lambda name: name[0] in "gPI")  # the Soviets first
    n_soviet = sum(name[0] in "sTEU" for name in names)
    setup = board.empty_setup(len(names), n_soviet)
    board.fill_rules(setup.rules[0], book)
    board.fill_board(setup.board[0], setup.rules[0], ground_of(art, heights, objectives), book)
    places = board.place_names(setup.board[0], setup.rules[0])
    setup.state.n_places, setup.state.turn = len(places), 1
    for row, name in zip(setup.state[0].units, names, strict=False):
        _fill(row, name, units[name], setup.rules[0], book)
    setup.state[0].sides["barrages"][:] = setup.rules[0].barrages
    setup.state[0].places["holder"][:] = st.SOVIET
    return Position(setup, Names(tuple(names), places, ("1",)))


def _fill(row: np.record, name: str, place: tuple | None, rules: np.record, book: RulesFile) -> None:
    german = name[0] in "gPI"
    company = book.forces.blue if german else book.forces.red
    row.side, row.kind = int(german), KIND_OF[name[0]]
    if place is None:
        row.status = st.WAITING
    else:
        row.status, row.location = st.ON_MAP, cell_of(*place[:2])
    if row.kind == st.SQUAD:
        row.men = company.men.value
        row.issue = company.ammunition.value.squad
        row.morale = rules.morale_start
    else:
        row.men = rules.crew[row.kind]
        row.issue = company.ammunition.value.vehicle
        row.facing = DIRECTIONS.index(place[2] if place and len(place) > 2 else ("east" if german else "west"))
    row.ammunition = row.issue


@functools.cache
def _start(**options: Any) -> tuple[board.Setup, Names]:
    return forces.load(scenario_document(), map_document(), rules_document(**options))


def start(**options: Any) -> Position:
    """The position at the start of the scenario."""
    if altered:
        return Position(*forces.load(scenario_document(), map_document(), rules_document(**options)))
    return Position(*_start(**options))


PURPOSES = ("first_mover", "shells", "scatter", "movement", "fire", "armour", "casualties", "rout", "rout_movement",
            "blow")  # fmt: skip


class Table:
    """A position with dice that a test has laid out and policies that do what it says.

    Dice, by purpose: pips for every roll, a list in the order of rolling, or such by the name of the unit that rolls.
    A d100 against rout is given as two digits, each one more than it counts. What is not laid out is a 1, and kept in
    ``rolled`` like all others: (purpose, roller's name, number, faces).
    """

    def __init__(self, monkeypatch, table: Position, **dice: Any) -> None:
        self.position = table
        self.dice = dice
        self.rolled: list[tuple] = []
        self.asked: list[tuple[str, str]] = []
        monkeypatch.setattr(turn, "roll", self._roll)

    def _roll(self, dice, purpose, turn_number, roller, n, faces):
        name, who = PURPOSES[purpose], int(roller)
        if name not in ("first_mover", "shells", "scatter"):
            side, index = divmod(int(roller), 2**20)
            who = self.position.names.units[index + (self.position.state.n_soviet if side == st.GERMAN else 0)]
        self.rolled.append((name, who, int(n), int(faces)))
        pips = self.dice.get(name, 1)
        if isinstance(pips, dict):
            pips = pips.get(who, 1)
        return np.int64(pips.pop(0) if isinstance(pips, list) else pips)

    def rolls(self, purpose: str) -> list[tuple]:
        return [(who, n, faces) for name, who, n, faces in self.rolled if name == purpose]

    def _name(self, unit: int) -> str:
        return self.position.names.units[unit]

    def look(self, side: int) -> np.ndarray:
        """What a side is shown: the units of its view."""
        view = self.position.views[side]
        RULES["look"](self.position.game, view, side)
        return view.state.units

    def barrage(self, aim: tuple[int, int] | int, side: int = int(st.GERMAN)) -> "Table":
        cell = self.position.number(aim)
        turn.barrage(self.position.game, self.position.seat(side, barrage=lambda *_: cell), side)
        return self

    def movement(self, side: int, moves: dict[str, Any], faces: dict[str, Any] | None = None) -> "Table":
        """Moves of a side: a list of cells, or a number to answer with; facings by name or number."""

        def move(game, doctrine, memory, unit, order):
            self.asked.append(("move", self._name(unit)))
            cells = moves.get(self._name(unit), [])
            if not isinstance(cells, list):
                return cells
            order[: len(cells)] = [self.position.number(cell) for cell in cells]
            return len(cells)

        def face(game, doctrine, memory, unit, order):
            self.asked.append(("face", self._name(unit)))
            wanted = (faces or {}).get(self._name(unit), game.state.units[unit].facing)
            return DIRECTIONS.index(wanted) if isinstance(wanted, str) else wanted

        turn.movement(self.position.game, self.position.seat(side, move=move, face=face), side)
        return self

    def declare(self, side: int, shots: dict[str, Any]) -> "Table":
        """Shots of a side: ``"g1"`` fires at it, ``"g1!"`` suppresses it; or a number to answer with."""

        def fire(game, doctrine, memory, unit, order):
            self.asked.append(("fire", self._name(unit)))
            target = shots.get(self._name(unit), st.NOWHERE)
            return self.position.unit(target.rstrip("!")) if isinstance(target, str) else target

        def suppress(game, doctrine, memory, unit, order):
            self.asked.append(("suppress", self._name(unit)))
            return int(shots[self._name(unit)].endswith("!"))

        self.look(side)
        turn.declare(self.position.game, self.position.seat(side, fire=fire, suppress=suppress), side)
        return self

    def fire(self, **shots: str) -> "Table":
        """Both sides declare, and all shots are resolved; a target with ``_`` at its end is suppressed."""
        named = {name: target.replace("_", "!") for name, target in shots.items()}
        for side in (st.SOVIET, st.GERMAN):
            self.declare(int(side), {name: t for name, t in named.items() if self.position.row(name).side == side})
        turn.resolve_fire(self.position.game)
        return self

    def melee(self, first: int = int(st.GERMAN)) -> "Table":
        turn.melee(self.position.game, first)
        return self

    def morale(self) -> "Table":
        RULES["update_morale"](self.position.game)
        return self

    def next_turn(self) -> "Table":
        self.position.state.turn += 1
        turn.start_turn(self.position.game)
        return self
