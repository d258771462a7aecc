"""A plan: cells, shards and the id of an experiment. Plain data and pure functions; `cluster.planner` makes it.

A cell is scenario x pairing x design point. A shard is a run of consecutive games in plan order (cell, replication)
of one rulebook: the unit of work, of retry and of a file. Its size comes from cost constants that rulebooks and
policies declare, never from a measurement, and changes no result.
"""

import hashlib
import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pydantic import Field

from cluster.design import Value
from cluster.experiment import Level, Sample
from queries.catalog import PUBLISHED
from sim.game import RECORD_LEVELS
from sim.rules_file import Strict

LEVEL_OF = {"games": "games", "turns": "turns", "territory": "turns", "units": "units", "events": "events"}
"""The record level with which each table begins."""

SHARD_SECONDS = 2.0
"""Work that a shard aims at."""
FEWEST_SHARDS = 16
"""A small experiment is cut into about so many shards, so that it too is spread over workers ..."""
SMALLEST_SHARD_SECONDS = 0.25
"""... but into none with less work than this ..."""
SHARD_ROWS = 2_000
"""... or fewer rows: such a file is hardly worth opening."""
LONGEST_SHARD_SECONDS = 30.0
"""Work after which a shard ends, however few rows it has."""


class CellInputs(Strict):
    """The documents that make a cell, each by its name in the archive's ``inputs/``."""

    scenario: str
    map: str
    rules: str
    red: str
    blue: str


class Cell(Strict):
    """A scenario, a pairing and a design point.

    ``content`` is the hash of all that a game of the cell depends on but its dice, ``seed`` the seed of these.
    ``seconds`` and ``rows`` of a game only size shards.
    """

    number: int
    content: str
    rulebook: str = Field(pattern=r"^[a-z0-9_]+$")
    scenario: str
    red_policy: str
    blue_policy: str
    factors: dict[str, Value]
    inputs: CellInputs
    seed: int
    seconds: float = Field(gt=0, allow_inf_nan=False)
    rows: int = Field(gt=0)


class Plan(Strict):
    """An experiment, resolved: together with its inputs it is all that its results depend on.

    ``replications`` are those of the first round; games that are added later are rounds of their own. ``units``: of
    factors that have one, the unit of measure.
    """

    schema_version: int
    name: str
    label: str
    seed: int
    common_random_numbers: bool
    replications: int = Field(ge=1)
    record: Level
    sample: Sample | None
    code: str
    rulebooks: dict[str, str]
    shard_seconds: float = Field(gt=0, allow_inf_nan=False)
    units: dict[str, str]
    cells: list[Cell] = Field(min_length=1)

    @property
    def id(self) -> str:
        """SHA-256 of the plan. Replications have no part in it: raising them goes on with the same experiment."""
        return hash_of(self.model_dump(mode="json", exclude={"replications"}))


class Round(NamedTuple):
    """Games that are added together: of each cell c the replications ``first[c]`` to ``end[c]`` - 1, or none."""

    first: tuple[int, ...]
    end: tuple[int, ...]

    @property
    def games(self) -> int:
        """Games of all cells."""
        return sum(self.end) - sum(self.first)


class Piece(NamedTuple):
    """Consecutive replications of one cell."""

    cell: int
    first: int
    count: int


class Shard(NamedTuple):
    """A run of consecutive games in plan order; ``number`` is its place in the plan."""

    number: int
    rulebook: str
    pieces: tuple[Piece, ...]

    @property
    def games(self) -> int:
        """How many games it has."""
        return sum(piece.count for piece in self.pieces)


def canonical(document: Any) -> str:
    """A document as JSON text that depends on nothing but its content.

    The order of keys is content: regions are numbered, and addressed by dice, in the order of the map's file.
    """
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def hash_of(document: Any) -> str:
    """SHA-256 of a document."""
    return hashlib.sha256(canonical(document).encode()).hexdigest()


def own_seed(seed: int, content: str) -> int:
    """Seed of a cell that shares no dice with others: it depends on what the cell is, not on its number."""
    return int.from_bytes(hashlib.sha256(f"{seed} {content}".encode()).digest()[:8], "big")


def first_round(plan: Plan) -> Round:
    """The games that a plan itself asks for."""
    return Round((0,) * len(plan.cells), (plan.replications,) * len(plan.cells))


def tables_at(level: str) -> list[str]:
    """The tables that are written at a record level."""
    depth = RECORD_LEVELS.index(level)
    return [table for table in PUBLISHED if RECORD_LEVELS.index(LEVEL_OF[table]) <= depth]


def tables_of(plan: Plan) -> list[str]:
    """The tables that an experiment writes, for all of its games or for a sample of them."""
    return tables_at(plan.sample.level if plan.sample else plan.record)


def shards_of(plan: Plan, rounds: Iterable[Round]) -> Iterator[Shard]:
    """The shards of all rounds, numbered through. Rounds are cut one by one: a later one moves no earlier shard."""
    cut = itertools.chain.from_iterable(_cut(plan, each) for each in rounds)
    for number, pieces in enumerate(cut):
        yield Shard(number, plan.cells[pieces[0].cell].rulebook, tuple(pieces))


def count_shards(plan: Plan, rounds: Iterable[Round]) -> int:
    """How many shards all rounds have. They are not kept: a large experiment has very many."""
    return sum(1 for _ in shards_of(plan, rounds))


def _seconds(plan: Plan, each: Round) -> float:
    # Cells that get equally many games are added up first: where all do, it is the same to the last bit as ever.
    by_count: dict[int, list[float]] = {}
    for cell, first, end in zip(plan.cells, each.first, each.end, strict=True):
        by_count.setdefault(end - first, []).append(cell.seconds)
    return sum(n * sum(seconds) for n, seconds in by_count.items())


def _cut(plan: Plan, each: Round) -> Iterator[list[Piece]]:
    total = _seconds(plan, each)
    target = min(plan.shard_seconds, max(SMALLEST_SHARD_SECONDS, total / FEWEST_SHARDS))
    pieces: list[Piece] = []
    seconds = rows = 0.0
    for cell in plan.cells:
        if pieces and plan.cells[pieces[0].cell].rulebook != cell.rulebook:
            yield pieces
            pieces, seconds, rows = [], 0.0, 0.0
        first, end = each.first[cell.number], each.end[cell.number]
        while first < end:
            wanted = max((target - seconds) / cell.seconds, (SHARD_ROWS - rows) / cell.rows)
            wanted = min(wanted, (LONGEST_SHARD_SECONDS - seconds) / cell.seconds)
            count = min(end - first, max(1, round(wanted)))
            pieces.append(Piece(cell.number, first, count))
            first += count
            seconds += count * cell.seconds
            rows += count * cell.rows
            if first < end or count >= wanted:
                yield pieces
                pieces, seconds, rows = [], 0.0, 0.0
    if pieces:
        yield pieces
