"""Positions of Brandubh for tests as they are drawn: k, d, a are pieces, # and x throne and corners, . the rest."""

import copy
import functools
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

import sim.brandubh.board as board
import sim.brandubh.rules as rules
import sim.brandubh.state as st
import sim.brandubh.turn as turn
from cluster import library
from sim.dice import dice_of
from sim.fields import records
from sim.frame import Game
from sim.game import SIDES
from sim.rules_file import with_value

CONFIGS = library.configs()
RULES_FILE = Path(board.__file__).with_name("rules.toml")

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


def map_document() -> dict[str, Any]:
    return copy.deepcopy(_read(CONFIGS / "maps/brandubh/seven.toml"))


def scenario_document() -> dict[str, Any]:
    return copy.deepcopy(_read(CONFIGS / "scenarios/brandubh/cross.toml"))


def loads(rules_given: dict[str, Any]) -> None:
    """Loads the scenario under some rules; raises `BadInput` if they are refused."""
    board.load(scenario_document(), map_document(), rules_given)


def words() -> list[str]:
    """Names that may stand in a rules file."""
    return list(SIDES)


class Position:
    """A game under way: rule functions are its methods and take squares by name; a piece is named by its square."""

    def __init__(self, drawing: str, **options: Any) -> None:
        scenario = scenario_document() | {"set_up": drawing.replace("#", ".").replace("x", ".")}
        book = rules_document()
        for name, value in options.items():
            book = with_value(book, f"options.{name}", value, RULES_FILE)
        self.setup, self.names = board.load(scenario, map_document(), book)
        self.state = self.setup.state[0]
        self.log = self.setup.log[0]
        self.log.room = len(self.log.events)
        self.game = Game(*(part[0] for part in self.setup), dice_of(1, 2))

    def square(self, name: str) -> int:
        return self.names.places.index(name)

    def piece(self, square: str) -> int:
        found = int(self.state.places[self.square(square)].piece)
        assert found != st.NOWHERE, f"there is nothing on {square}"
        return found

    def may(self, move: str) -> bool:
        """Whether a move, as 'd1 d3', is one that its side may make."""
        start, end = move.split()
        unit = self.piece(start)
        return bool(rules.may_move(self.game, self.state.units[unit].side, unit, self.square(end)))

    def __getattr__(self, name: str):
        rule = getattr(rules, name)
        return lambda *given: rule(self.game, *(self.square(it) if isinstance(it, str) else it for it in given))

    def moves(self, square: str) -> str:
        """The squares that a piece may move to."""
        return " ".join(sorted(name for name in self.names.places if self.may(f"{square} {name}")))

    def after(self, *moves: str) -> str:
        """The board after moves, as it is drawn."""
        for move in moves:
            assert self.may(move), move
            start, end = move.split()
            rules.move(self.game, self.piece(start), self.square(end))
        return self.drawn()

    def drawn(self) -> str:
        signs = list("".join(map_document()["squares"].split()))
        for unit in self.state.units[: self.state.n_units]:
            if unit.square != st.NOWHERE:
                signs[unit.square] = "kda"[unit.kind]
        return "\n".join(" ".join(signs[row * board.SIZE : (row + 1) * board.SIZE]) for row in range(board.SIZE))

    @property
    def won(self) -> list[str]:
        return [side for side, row in zip(SIDES, self.state.sides, strict=True) if row.won]

    def result(self) -> tuple[str, str, int]:
        """Winner, reason and margin of the game as it stands, as of the scenario's last turn."""
        games = records(st.TABLES.games, 1)
        rules.write_result(self.game, games[0])
        row = games[0]
        return ("red", "blue", "draw")[row.winner], st.END_REASONS[row.end_reason], int(row.margin)


class Mover:
    """A policy that makes these moves, and keeps what it was asked."""

    def __init__(self, here, *moves):
        self.here, self.moves, self.asked = here, list(moves), []

    def __call__(self, game, doctrine, memory, subject, order):
        self.asked.append(int(subject))
        start, end = self.moves.pop(0).split()
        order[0] = self.here.square(end)
        return self.here.piece(start)


def played(here, red, blue):
    """A turn in which the sides make these moves."""
    desks = np.zeros(2, st.DESK).view(np.recarray)
    turn.play_turn(here.game, *(turn.Seat(desk, None, mover) for desk, mover in zip(desks, (red, blue), strict=True)))
    return here
