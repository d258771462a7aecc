"""Positions of Barbarossa Solitaire for tests, set up and asked in the map's own words.

Units are called by nation and number: ``G1`` is a German, ``R1`` a Rumanian, ``H1`` a Hungarian, ``I1`` an Italian.
These tests run with the compiler off, where a policy may be a Python object (see `Script`).
"""

import copy
import functools
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

import sim.barbarossa.board as board
import sim.barbarossa.state as st
import sim.barbarossa.turn as turn
from cluster import library
from sim.barbarossa.rules.attack import capture, may_attack_together
from sim.barbarossa.rules.game import Game, count_anew, is_axis, is_front, leave
from sim.barbarossa.rules.movement import end_phase
from sim.barbarossa.rules.reinforcements import lose, next_reinforcement
from sim.barbarossa.rules.soviet import targets
from sim.barbarossa.seat import DECISIONS, Seat
from sim.dice import dice_of
from sim.rules_file import with_value
from tests.chapters import rules_of

NATION_OF = dict(zip("GRHI", st.NATIONS, strict=True))
HOME = ("Berlin", "Prague", "Silesia", "Konigsberg", "Warsaw", "Slovakia", "Budapest", "Belgrade", "Bucharest")
CONFIGS = library.configs()
RULES_FILE = Path(board.__file__).with_name("rules.toml")

RULES = rules_of("barbarossa")

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
    return copy.deepcopy(_read(CONFIGS / "maps/barbarossa/eastern_front.toml"))


def scenario_document(name: str) -> dict[str, Any]:
    return copy.deepcopy(_read(CONFIGS / f"scenarios/barbarossa/{name}.toml"))


def loads(rules: dict[str, Any]) -> None:
    """Loads the campaign under some rules; raises `BadInput` if they are refused."""
    board.load(scenario_document("barbarossa"), map_document(), rules)


def words() -> list[str]:
    """Names that may stand in a rules file."""
    return [*st.NATIONS, *map_document()["regions"]]


class Position:
    """A game under way: rule functions are its methods and take the names of units and regions."""

    def __init__(self, setup: board.Setup, names) -> None:
        self.setup = setup
        self.names = names
        self.log = setup.log.copy()[0]
        self.log.room = st.MOST_EVENTS
        state = setup.state.copy()[0]
        count_anew(setup.board[0], state)
        self.game = Game(setup.board[0], setup.rules[0], state, self.log, dice_of(1, 2))
        self.state = state

    # Names and numbers

    def unit(self, name: str) -> int:
        return self.names.units.index(name)

    def region(self, name: str) -> int:
        return self.names.places.index(*listed(name.replace("Velikje ", "")))

    def number(self, thing: Any) -> Any:
        """The number of a unit, region, turn or nation; a list of names as (numbers, how many)."""
        if not isinstance(thing, str):
            return thing
        thing = "Velikje Luki" if thing == "Luki" else thing
        for names in (self.names.units, self.names.places, st.NATIONS):
            if thing in names:
                return names.index(thing)
        raise AssertionError(f"no unit, region or nation {thing!r}")

    def numbers(self, names: str | list[str]) -> np.ndarray:
        return np.array([self.number(name) for name in (names.split() if isinstance(names, str) else names)], np.int64)

    def turn_number(self, name: str) -> int:
        return self.names.turns.index(name) + 1

    def __getattr__(self, name: str):
        if name not in RULES:
            raise AttributeError(name)
        rule = RULES[name]
        return lambda *arguments: rule(self.game, *(self.number(argument) for argument in arguments))

    # What the position is

    def where(self, unit: str) -> str:
        row = self.state.units[self.unit(unit)]
        return self.names.places[row.region] if row.status == st.ON_MAP else st.STATUSES[row.status]

    def due(self, unit: str) -> str:
        return self.names.turns[self.state.units[self.unit(unit)].due - 1]

    def holds(self, region: str) -> str:
        """'soviet', 'garrison', 'vacated' (Axis, but nothing there) or the units in a region: 'G1 R2'."""
        place = self.state.places[self.region(region)]
        units = " ".join(u for i, u in enumerate(self.names.units) if self.state.units[i].region == self.region(region))
        assert not (units and (place.garrison or place.holder == st.SOVIET)), "BB-1.3"
        if units:
            return units
        assert not (place.garrison and place.holder == st.SOVIET), "BB-1.3"
        return "soviet" if place.holder == st.SOVIET else "garrison" if place.garrison else "vacated"

    def axis(self) -> set[str]:
        return {name for name in self.names.places if is_axis(self.game, self.region(name))}

    def soviet(self) -> set[str]:
        return set(self.names.places) - self.axis()

    def fronts(self) -> set[str]:
        return {name for name in self.names.places if is_front(self.game, self.region(name))}

    def regions(self, found: np.ndarray, count: int) -> set[str]:
        return {self.names.places[place] for place in found[:count]}

    def targets_of(self, face: int) -> set[str]:
        """Regions that a face of the target die may mean."""
        found = np.zeros(len(self.names.places), np.int64)
        return self.regions(found, targets(self.game, face, found))

    def events(self, kind: str | None = None) -> list[np.record]:
        rows = self.log.events[: self.log.count]
        return [row for row in rows if kind is None or st.EVENT_KINDS[row.kind] == kind]

    # What is done to it

    def lost(self, unit: str, turn_name: str) -> "Position":
        """Makes a unit one that was lost in an earlier turn."""
        now, self.state.turn = self.state.turn, self.turn_number(turn_name)
        region = self.state.units[self.unit(unit)].region
        lose(self.game, self.unit(unit))
        leave(self.game, np.array([region]), 1)
        self.state.turn = now
        return self

    def captures(self, target: str, attackers: str) -> int:
        """The attackers take a region; how many regions that cuts off."""
        units = self.numbers(attackers)
        return capture(self.game, self.region(target), units, len(units))

    def attack_is_legal(self, target: str, attackers: str) -> bool:
        units = self.numbers(attackers)
        return may_attack_together(self.game, units, len(units), self.region(target))

    def next_to_come(self, *skipped: str) -> str | None:
        marks = np.zeros(len(self.names.units), np.int64)
        for name in skipped:
            marks[self.unit(name)] = 1
        unit = next_reinforcement(self.game, marks)
        return None if unit == st.NOWHERE else self.names.units[unit]

    def places_for(self, unit: str) -> set[str]:
        return {name for name in self.names.places if self.may_place(unit, name)}


def listed(regions: str) -> list[str]:
    """Names of regions in a text, separated by spaces; Velikje Luki may be called Luki."""
    return ["Velikje Luki" if name == "Luki" else name for name in regions.split()]


def position(turn_name: str, units: dict[str, str], garrisons: str = "", to_come: str = "", **options: Any) -> Position:
    """A position in a turn: units of each region, garrisons, units of the calendar as ``I1@W42``, and options.

    Everything else is Soviet.
    """
    document = {
        **scenario_document("barbarossa"),
        "first_turn": turn_name,
        "units": [
            {"name": name, "nation": NATION_OF[name[0]], "region": region}
            for region, names in units.items()
            for name in names.split()
        ],
        "garrisons": listed(garrisons),
        "reinforcements": [
            {"name": name, "nation": NATION_OF[name[0]], "turn": due}
            for name, due in (text.split("@") for text in to_come.split())
        ],
        "deployments": {},
    }
    return Position(*board.load(document, map_document(), rules_document(**options)))


def soviet_only(turn_name: str, soviet: str, units: dict[str, str], to_come: str = "", **options: Any) -> Position:
    """A position in which these regions alone are Soviet; every other without a unit has a garrison."""
    held = " ".join(name.replace("Velikje ", "") for name in map_document()["regions"])
    garrisons = " ".join(name for name in held.split() if name not in soviet.split())
    return position(turn_name, units, garrisons, to_come, **options)


def start_of(scenario: str, **options: Any) -> Position:
    """The position at the start of a scenario."""
    return Position(*board.load(scenario_document(scenario), map_document(), rules_document(**options)))


class Script:
    """An Axis policy that does what a test says, and keeps in ``asked`` what it was asked.

    - ``moves``: ``"G1 Minsk"``, in order; ``attacks``: ``"Minsk: G1 G2"``, in order;
    - ``losses``: units, in order; ``answers``: ``"retreat"`` or ``"lose"``, in order;
    - ``retreats`` and ``places``: region of a unit; ``give_up``: the nation; ``deploy``: region of a unit.

    Whatever it is asked beyond that is a failure of the test.
    """

    def __init__(self, table: Position, moves=(), attacks=(), losses="", answers="", retreats=None, places=None,
                 give_up="", deploy=None) -> None:  # fmt: skip
        self.table = table
        self.moves = [text.split(maxsplit=1) for text in moves]
        self.attacks = [text.split(": ") for text in attacks]
        self.losses = losses.split()
        self.answers = answers.split()
        self.regions = {"retreat": retreats or {}, "place": places or {}, "deploy": deploy or {}}
        self.nation = give_up
        self.asked: list[tuple[str, ...]] = []

    def move(self, game, doctrine, memory, subject, order):
        if not self.moves:
            return st.NOWHERE
        unit, region = self.moves.pop(0)
        order[0] = self.table.region(region)
        return self.table.unit(unit)

    def attack(self, game, doctrine, memory, subject, order):
        if not self.attacks:
            return st.NOWHERE
        target, attackers = self.attacks.pop(0)
        units = self.table.numbers(attackers)
        order[: len(units)] = units
        return self.table.region(target)

    def lose(self, game, doctrine, memory, subject, order):
        count = list(order).index(st.NOWHERE)
        names = " ".join(self.table.names.units[unit] for unit in order[:count])
        self.asked.append(("lose", self.table.names.places[subject], names))
        return self.table.unit(self.losses.pop(0))

    def answer(self, game, doctrine, memory, subject, order):
        self.asked.append(("answer", self.table.names.places[subject]))
        return ("lose", "retreat").index(self.answers.pop(0))

    def give_up(self, game, doctrine, memory, subject, order):
        self.asked.append(("give_up", self.table.names.places[subject]))
        return st.NATIONS.index(self.nation)

    def _region(self, decision, subject):
        unit = self.table.names.units[subject]
        self.asked.append((decision, unit))
        return self.table.region(self.regions[decision][unit])

    def deploy(self, game, doctrine, memory, subject, order):
        return self._region("deploy", subject)

    def retreat(self, game, doctrine, memory, subject, order):
        return self._region("retreat", subject)

    def place(self, game, doctrine, memory, subject, order):
        return self._region("place", subject)


class Table:
    """A position with a script and dice that a test has laid out: phases of a turn are its methods.

    Dice are pips of a d6, in the order in which they are rolled, for each purpose: ``attack``, ``number`` (of Soviet
    attacks), ``target``, ``tie`` (pips of a die with as many faces as there are regions) and ``result``.
    """

    PURPOSES = ("attack", "number", "target", "tie", "result")

    def __init__(self, monkeypatch, table: Position, dice: dict[str, list[int]] | None = None, **script: Any) -> None:
        self.position = table
        self.script = Script(table, **script)
        self.dice = {name: list(pips) for name, pips in (dice or {}).items()}
        self.rolled: list[tuple] = []
        monkeypatch.setattr(turn, "roll", self._roll)
        self.desk = np.zeros(1, st.DESK)[0]

    @property
    def seat(self) -> Seat:
        return Seat(self.desk, np.zeros(1), *(getattr(self.script, name) for name in DECISIONS))

    def _roll(self, dice, purpose, turn_number, roller, n, faces):
        name = self.PURPOSES[purpose]
        self.rolled.append((name, int(roller), int(n), int(faces)))
        if name == "number" and name not in self.dice:
            return 1  # rolled in every turn, and read in few
        return np.int64(self.dice[name].pop(0))

    def movement(self) -> "Table":
        turn.movement(self.position.game, self.seat)
        end_phase(self.position.game)
        return self

    def attacks(self) -> "Table":
        turn.attacks(self.position.game, self.seat)
        end_phase(self.position.game)
        return self

    def reinforcements(self) -> "Table":
        turn.reinforcements(self.position.game, self.seat)
        return self

    def soviet_attack(self, region: str) -> "Table":
        """One Soviet attack on a region."""
        turn.soviet_attack(self.position.game, self.seat, self.position.region(region), 0)
        return self

    def soviet_attacks(self, difficulty: str = "medium", variants: str = "") -> "Table":
        """All Soviet attacks of the turn."""
        red = np.array(
            [board.DIFFICULTIES.index(difficulty), *(name in variants.split() for name in board.VARIANTS)], float
        )
        turn.soviet_attacks(self.position.game, red, self.seat)
        return self

    def whole_turn(self, difficulty: str = "medium", phase=board.FROM_MOVEMENT) -> "Table":
        red = np.array([board.DIFFICULTIES.index(difficulty), 0, 0, 0], float)
        turn.play_turn(self.position.game, phase, red, self.seat)
        return self

    def fault(self) -> str:
        return st.FAULTS[self.position.state.fault]
