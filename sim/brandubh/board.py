"""Rules, map and scenario of Brandubh: what they must look like, and the arrays made of them."""

from typing import Annotated, Any, Literal

from pydantic import Field

import sim.brandubh.state as st
from sim.fields import layout
from sim.frame import Setup, empty_setup
from sim.game import SIDES, Names
from sim.rules_file import BadInput, Entry, MapDocument, Option, ScenarioDocument, Strict, check, drawing

SIZE = 7  # rows and columns (BR-1.1)
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # north, east, south, west
BOARD = layout(
    ("corner", (st.SQUARES,), "1 for a corner"),
    ("neighbour", (st.SQUARES, 4), "the squares north, east, south and west of a square, or NOWHERE"),
    ("stands", (len(st.KINDS), st.SQUARES), "1 where a kind of piece may stand (BR-2.2)"),
    ("passes", (st.SQUARES,), "1 where pieces may pass (BR-2.2)"),
    ("hostile", (st.SQUARES,), "1 where an empty square is hostile (BR-3.2)"),
    ("king_needs", (st.SQUARES,), "sides of the king that attackers must take (BR-3.3)"),
)
RULES = layout(
    ("n_turns", (), "turns of the scenario"),
    ("first_side", (), "side that moves first (BR-1.3)"),
    ("king_armed", (), "option"),
)


Sides = Entry[Annotated[int, Field(ge=2, le=4)]]
Options = Literal["throne_passage", "king_returns", "throne_hostile", "king_armed"]


class MapFile(MapDocument):
    """A map: its throne (#) and corners (x) (BR-1.1)."""

    squares: Annotated[str, drawing(SIZE, SIZE, ".#x")]


class ScenarioFile(ScenarioDocument):
    """A scenario: where king, defenders and attackers stand (BR-1.2), and how long they play (BR-4.4)."""

    turn_limit: Annotated[int, Field(ge=1, le=99)]
    set_up: Annotated[str, drawing(SIZE, SIZE, "kda.")]


class RulesFile(Strict):
    """``rules.toml``."""

    version: str
    turn: Annotated[dict[Literal["first_side"], Entry[Literal["red", "blue"]]], Field(min_length=1)]
    king: Annotated[dict[Literal["on_throne", "beside_throne", "elsewhere"], Sides], Field(min_length=3)]
    options: Annotated[dict[Options, Option], Field(min_length=4)]


def nothing() -> Setup:
    """A setup in which nothing is said yet."""
    return empty_setup(BOARD, RULES, st.STATE, st.LOG, st.TABLES)


def load(scenario: dict[str, Any], board: dict[str, Any], rules: dict[str, Any]) -> tuple[Setup, Names]:
    """Setup and names from a scenario, a map and a rules file. Raises `BadInput` for whatever is wrong."""
    plan = check(ScenarioFile, scenario, where := f"scenario {scenario.get('name', '?')}")
    chart = check(MapFile, board, f"map {board.get('name', '?')}")
    book = check(RulesFile, rules, "rules of brandubh")
    pieces = sorted(("kda".index(sign), square) for square, sign in enumerate(plan.set_up) if sign != ".")
    kinds = [kind for kind, _ in pieces]
    if plan.set_up.count("k") != 1 or len(pieces) > st.MOST_PIECES:
        raise BadInput(f"has one king, and {st.MOST_PIECES} pieces at the most", file=where, key="set_up")
    setup = nothing()
    setup.rules[0].n_turns = plan.turn_limit
    setup.rules[0].first_side = SIDES.index(book.turn["first_side"].value)
    setup.rules[0].king_armed = book.options["king_armed"].number
    for square in range(st.SQUARES):
        _fill_square(setup.board[0], square, chart.squares, book)
    state = setup.state[0]
    state.turn, state.n_units, state.n_places = 1, len(pieces), st.SQUARES
    for number, (kind, square) in enumerate(pieces):
        side = st.ATTACKERS if kind == st.ATTACKER else st.DEFENDERS
        state.units[number].side, state.units[number].kind, state.units[number].square = side, kind, square
        state.places[square].holder, state.places[square].piece = side, number
        state.sides[side].territory += 1
    units = [f"{st.KINDS[kind].capitalize()} {kinds[: i + 1].count(kind)}" for i, kind in enumerate(kinds)]
    squares = (f"{'abcdefg'[square % SIZE]}{SIZE - square // SIZE}" for square in range(st.SQUARES))
    return setup, Names(("King", *units[1:]), tuple(squares), tuple(map(str, range(1, plan.turn_limit + 1))))


def _fill_square(board: Any, square: int, signs: str, book: RulesFile) -> None:
    """What a square is and what the rules and options make of it."""
    for direction, (down, right) in enumerate(STEPS):
        row, column = square // SIZE + down, square % SIZE + right
        inside = 0 <= row < SIZE and 0 <= column < SIZE
        board.neighbour[square, direction] = row * SIZE + column if inside else st.NOWHERE
    is_throne, options = signs[square] == "#", book.options
    board.corner[square] = signs[square] == "x"
    board.stands[:, square] = signs[square] == "."
    board.stands[st.KING, square] = options["king_returns"].number if is_throne else 1
    board.passes[square] = options["throne_passage"].number if is_throne else 1
    board.hostile[square] = options["throne_hostile"].number if is_throne else board.corner[square]
    by_throne = any(signs[beside] == "#" for beside in board.neighbour[square] if beside != st.NOWHERE)
    where = "on_throne" if is_throne else "beside_throne" if by_throne else "elsewhere"
    board.king_needs[square] = book.king[where].value
