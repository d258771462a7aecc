"""Positions of Tank Hex for tests: hexes are (row, column), tanks are called R1, R2, B1, B2.

These tests run with the compiler off, where a policy may be a Python object (see `Script`).
"""

import copy
import functools
import itertools
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

import sim.tank_hex.adjudication as adjudication
import sim.tank_hex.board as board
import sim.tank_hex.events as events
import sim.tank_hex.moves as moves
import sim.tank_hex.state as st
import sim.tank_hex.turn as turn
from cluster import library
from sim.dice import dice_of
from sim.game import SIDES
from sim.geometry.hexagon import DIRECTIONS, Labels
from sim.rules_file import with_value
from sim.tank_hex.generated import Draft
from sim.tank_hex.record import uncover
from sim.tank_hex.rules.game import Game
from sim.tank_hex.rules.view import show
from sim.tank_hex.seat import DECISIONS, Seat
from tests.chapters import rules_of

CONFIGS = library.configs()
RULES = rules_of("tank_hex")
RULES_FILE = Path(board.__file__).with_name("rules.toml")
SQUARE = "4562"

altered: dict[str, Any] = {}
"""Values of the rulebook, by dotted path, that the mutation check puts in place of the true ones."""


@functools.cache
def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def rules_document() -> dict[str, Any]:
    document = copy.deepcopy(_read(RULES_FILE))
    for path, value in altered.items():
        document = with_value(document, path, value, RULES_FILE)
    return document


def map_document(name: str) -> dict[str, Any]:
    return copy.deepcopy(_read(CONFIGS / f"maps/tank_hex/{name}.toml"))


def scenario_document(name: str) -> dict[str, Any]:
    return copy.deepcopy(_read(CONFIGS / f"scenarios/tank_hex/{name}.toml"))


def field_document(rows: int = 2, columns: int = 44, **ground: Any) -> dict[str, Any]:
    """A map of open ground at grade 0 but for what is laid on it; everything appears at its image, too.

    ``woods``, ``built_up`` and ``water`` are lists of hexes, ``grades`` grades of hexes, ``roads`` lists of hexes one
    after another, ``rivers`` pairs of hexes that they part.
    """
    draft = Draft(rows, columns)

    def number(cell: tuple[int, int]) -> int:
        return cell[0] * columns + cell[1]

    for terrain in ("woods", "built_up", "water"):
        for cell in ground.get(terrain, ()):
            draft.cover(number(cell), terrain)
    for cell, grade in ground.get("grades", {}).items():
        draft.raise_to(number(cell), grade)
    for road in ground.get("roads", ()):
        for a, b in itertools.pairwise(road):
            draft.link(draft.road, number(a), number(b))
    for a, b in ground.get("rivers", ()):
        draft.link(draft.river, number(a), number(b))
    return draft.document("field", SQUARE)


def loads(rules_given: dict[str, Any]) -> None:
    """Loads a position under some rules; raises `BadInput` if they are refused."""
    board.load(scenario_of({"R1": (0, 0), "B1": (0, 9)}, 10, 2), field_document(2, 10), rules_given)


def words() -> list[str]:
    """Names that may stand in a rules file."""
    return [*DIRECTIONS, *st.CARDS, "none", "light", "medium", "heavy", "composite", "-", "S", "F", "M", "K"]


def scenario_of(units: dict[str, tuple[int, int]], columns: int, rows: int, **more: Any) -> dict[str, Any]:
    labels = Labels(rows, columns, SQUARE, 20)
    objectives = more.pop("objectives", {})
    halting = more.pop("halting", "").split()
    return {
        "name": "position",
        "rulebook": "tank_hex",
        "title": "Position",
        "map": "field",
        "sides": {"red": "Red", "blue": "Blue"},
        "turn_limit": more.pop("turn_limit", 12),
        "objectives": [
            {"name": name, "hex": labels.label(*cell), "holder": holder} for name, (cell, holder) in objectives.items()
        ],
        "units": [
            {
                "name": name,
                "side": "red" if name.startswith("R") else "blue",
                "hex": labels.label(*cell),
                "stabilised": name not in halting,
            }
            for name, cell in units.items()
        ],
        **more,
    }


class Position:
    """A game under way: rule functions are its methods and take the names of tanks and (row, column)."""

    def __init__(self, setup: board.Setup, names) -> None:
        self.setup = setup
        self.names = names
        self.log = setup.log.copy()[0]
        self.log.room = st.MOST_EVENTS
        self.state = setup.state.copy()[0]
        self.hidden = setup.hidden.copy()[0]
        self.desks = np.zeros(2, st.DESK)
        self.game = Game(setup.board[0], setup.rules[0], self.state, self.hidden, self.log, dice_of(1, 2), 0)
        uncover(self.game)

    def unit(self, name: str) -> int:
        return self.names.units.index(name)

    def hex(self, cell: tuple[int, int]) -> int:
        return cell[0] * int(self.game.board.columns) + cell[1]

    def number(self, thing: Any) -> Any:
        """The number of a tank, hex, side, kind of fire, card or result; other things as they are."""
        if isinstance(thing, tuple):
            return self.hex(thing)
        if not isinstance(thing, str):
            return thing
        for names in (self.names.units, SIDES, st.EVENT_KINDS, st.CARDS, st.WEAPONS, st.TERRAINS, DIRECTIONS):
            if thing in names:
                return np.int64(names.index(thing))
        raise AssertionError(f"no tank, side, kind, card, weapon, terrain or direction {thing!r}")

    def __getattr__(self, name: str):
        if name not in RULES:
            raise AttributeError(name)
        rule = RULES[name]
        return lambda *arguments: rule(self.game, *(self.number(argument) for argument in arguments))

    def tank(self, name: str) -> np.record:
        return self.state.units[self.unit(name)]

    def where(self, name: str) -> tuple[int, int] | None:
        number = int(self.tank(name).hex)
        return None if number == st.NOWHERE else divmod(number, int(self.game.board.columns))

    def put(self, name: str, **fields: int) -> "Position":
        """Sets fields of a tank, as ``fired=1``."""
        for field, value in fields.items():
            setattr(self.tank(name), field, value)
        return self

    def holds(self, side: str, card: str) -> "Position":
        """Gives a side a card that acts this turn."""
        self.hidden.card[SIDES.index(side)] = st.CARDS.index(card)
        return self

    def markers(self, name: str) -> set[str]:
        """The markers that a tank carries."""
        fields = ("fired", "fired_at", "moved", "marched", "suppressed", "fire_kill", "mobility_kill", "in_combat")
        return {field for field in (*fields, "destroyed") if self.tank(name)[field]}

    def events(self, *kinds: str) -> list[np.record]:
        rows = self.log.events[: self.log.count]
        return [row for row in rows if not kinds or st.EVENT_KINDS[row.kind] in kinds]

    def shots(self) -> list[str]:
        """Every shot so far in words: ``opportunity B1 at R1: destroyed``, or why it was not rolled."""
        found = []
        for row in self.events(*st.EVENT_KINDS[: st.BARRAGE]):
            fate = st.FATES[row.fate]
            result = st.RESULTS[row.result] if fate == "rolled" else fate
            names = self.names.units
            found.append(f"{st.EVENT_KINDS[row.kind]} {names[row.actor]} at {names[row.target]}: {result}")
        return found


def position(units: dict[str, tuple[int, int]], rows: int = 2, columns: int = 44, **given: Any) -> Position:
    """A position on a field (see `field_document`), with options, scenario data and numbers of the rules by path."""
    laid = ("woods", "built_up", "water", "grades", "roads", "rivers")
    ground = {key: given.pop(key) for key in laid if key in given}
    keys = ("objectives", "halting", "turn_limit", "cards", "decks", "exchanges")
    data = {key: given.pop(key) for key in keys if key in given}
    book = rules_document()
    for path, value in given.pop("numbers", {}).items():
        book = with_value(book, path, value, RULES_FILE)
    for name, value in given.items():
        book = with_value(book, f"options.{name}", value, RULES_FILE)
    scenario = scenario_of(units, columns, rows, **data)
    return Position(*board.load(scenario, field_document(rows, columns, **ground), book))


class Script:
    """A side's policy that does what a test says, in order, and keeps in ``asked`` what it was asked.

    Each decision has a list of answers; when it is empty the answer is nothing (or 0).

    - ``fire``, ``react``, ``cover``: ``"R1 R2 at B1"``, with ``+R1`` for firepower on R1 and ``>B2`` for a second
      target; ``shoot``: ``"B1"``, or ``"+B1"`` with firepower;
    - ``move``: ``"R1 E E SE"``, or ``"march R1 E E"``; its steps answer ``step``;
    - ``fight``: a tank; ``aim``: a hex; ``brace``: 0 or 1; ``repair``: a tank.

    A number in place of a text is answered as it is.
    """

    def __init__(self, table: Position, **answers: list[Any]) -> None:
        self.table = table
        self.answers = {name: list(answers.get(name, [])) for name in DECISIONS}
        assert set(answers) <= set(DECISIONS)
        self.steps: list[Any] = []
        self.asked: list[str] = []

    def _next(self, decision: str, subject: Any) -> Any:
        self.asked.append(decision)
        return self.answers[decision].pop(0) if self.answers[decision] else st.NOWHERE

    def _declaration(self, decision: str, subject: int, order: np.ndarray) -> int:
        answer = self._next(decision, subject)
        if not isinstance(answer, str):
            return answer
        order[:] = st.NOWHERE
        shooters, _, targets = answer.rpartition("at ")
        target, _, second = targets.partition(" >")
        names = shooters.split()
        order[: len(names)] = [self.table.unit(name.lstrip("+")) for name in names]
        for name in names:
            if name.startswith("+"):
                order[st.FIREPOWER_FOR] = self.table.unit(name[1:])
        if target.startswith("+"):
            order[st.FIREPOWER_FOR] = subject
        if second:
            order[st.SECOND_TARGET] = self.table.unit(second)
        return self.table.unit(target.lstrip("+"))

    def fire(self, game, doctrine, memory, subject, order):
        return self._declaration("fire", subject, order)

    def react(self, game, doctrine, memory, subject, order):
        return self._declaration("react", subject, order)

    def cover(self, game, doctrine, memory, subject, order):
        self.offered = [self.table.names.units[unit] for unit in order[: st.MOST_TANKS] if unit != st.NOWHERE]
        return self._declaration("cover", subject, order)

    def shoot(self, game, doctrine, memory, subject, order):
        return self._declaration("shoot", subject, order)

    def move(self, game, doctrine, memory, subject, order):
        answer = self._next("move", subject)
        if not isinstance(answer, str):
            return answer
        names = answer.split()
        order[0] = int(names[0] == "march")
        unit, *self.steps = names[order[0] :]
        return self.table.unit(unit)

    def step(self, game, doctrine, memory, subject, order):
        self.asked.append("step")
        if not self.steps:
            return st.NOWHERE
        step = self.steps.pop(0)
        return DIRECTIONS.index(step) if step in DIRECTIONS else int(step)

    def fight(self, game, doctrine, memory, subject, order):
        answer = self._next("fight", subject)
        return self.table.unit(answer) if isinstance(answer, str) else answer

    def repair(self, game, doctrine, memory, subject, order):
        answer = self._next("repair", subject)
        return self.table.unit(answer) if isinstance(answer, str) else answer

    def aim(self, game, doctrine, memory, subject, order):
        answer = self._next("aim", subject)
        return self.table.hex(answer) if isinstance(answer, tuple) else answer

    def brace(self, game, doctrine, memory, subject, order):
        answer = self._next("brace", subject)
        return 0 if answer == st.NOWHERE else answer


class Table:
    """A position with a script for each side and dice that a test has laid out: phases of a turn are its methods.

    Dice are pips in the order in which they are rolled, for each purpose: ``fire_first``, ``move_first`` and
    ``combat_first`` (one die), ``draw`` (the number of the card among those left), ``shot`` and ``shell`` (both dice
    and the armour die), ``gun`` (arrival, drift, direction, distance). Odd lets red go first, the default.
    """

    PURPOSES = ("fire_first", "move_first", "combat_first", "shot", "draw", "gun", "shell")

    def __init__(self, monkeypatch, table: Position, red=None, blue=None, **dice: list[Any]) -> None:
        self.position = table
        self.game = table.game
        self.scripts = [Script(table, **(red or {})), Script(table, **(blue or {}))]
        self.dice = {name: list(pips) for name, pips in dice.items()}
        assert set(dice) <= set(self.PURPOSES)
        self.rolled: list[tuple] = []
        for module in (turn, moves, events):
            monkeypatch.setattr(module, "roll", self._roll)
        for module in (events, adjudication):
            monkeypatch.setattr(module, "block", self._block)
            monkeypatch.setattr(module, "pips", lambda word, faces: np.int64(word))
        self.seats = [
            Seat(table.desks[side], np.zeros(1), *(getattr(self.scripts[side], name) for name in DECISIONS))
            for side in range(2)
        ]

    def _roll(self, dice, purpose, turn_number, roller, n, faces):
        name = self.PURPOSES[purpose]
        self.rolled.append((name, int(roller), int(n), int(faces)))
        if name.endswith("_first") and not self.dice.get(name):
            return np.int64(1)
        return np.int64(self.dice[name].pop(0))

    def _block(self, dice, purpose, turn_number, roller, number):
        name = self.PURPOSES[purpose]
        self.rolled.append((name, int(roller), int(number)))
        pips = self.dice[name].pop(0)
        return (*pips, 0, 0, 0)[:4]

    @property
    def red(self) -> Script:
        return self.scripts[0]

    @property
    def blue(self) -> Script:
        return self.scripts[1]

    def _play(self, phase, *more: Any) -> "Table":
        for side in range(2):
            show(self.game, self.position.desks[side].hidden, side)
        phase(self.game, *more, *self.seats)
        return self

    def preparation(self) -> "Table":
        """The whole preparation: markers off, cards turned over, repair."""
        self._play(turn.start_turn)
        return self._play(turn.preparation)

    def fire(self) -> "Table":
        return self._play(turn.direct_fire)

    def movement(self) -> "Table":
        return self._play(moves.movement)

    def combats(self) -> "Table":
        return self._play(moves.close_combats)

    def events(self) -> "Table":
        for side in range(2):
            show(self.game, self.position.desks[side].hidden, side)
        events.random_events(self.game, self.position.setup.start[0], *self.seats)
        return self

    def turn(self) -> "Table":
        """A whole turn; the next one is the position's turn afterwards."""
        turn.start_turn(self.game, *self.seats)
        turn.play_turn(self.game, self.position.setup.start[0], *self.seats)
        self.position.state.turn += 1
        return self


def moved(monkeypatch, table, *moves, red=None, blue=None, **dice):
    """A movement phase in which red makes these moves."""
    return Table(monkeypatch, table, red={"move": list(moves), **(red or {})}, blue=blue, **dice).movement()


def called(table, side, battery, aim, due=1):
    """A battery whose shells land this turn."""
    number = ("red", "blue").index(side)
    table.hidden.battery[number, 0] = st.WEAPONS.index(battery)
    table.hidden.aim[number, 0] = table.hex(aim)
    table.hidden.due[number, 0] = due
    return table
