"""What a game is, and `play`, which plays it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numba.extending import typeof_impl

from sim.compiled import compiled
from sim.fields import Tables, records, unwritten
from sim.rules_file import BadInput, one_of

RED, BLUE = 0, 1
SIDES = ("red", "blue")

MEMORY = 64
"""Numbers (int64) that a policy may keep within a turn. They are 0 when a turn begins, so that any recorded turn is a
place from which a game can go on."""

RECORD_LEVELS = ("games", "turns", "units", "events")
"""How much is recorded; each level includes those before it. Territory goes with turns."""

BATCH_BYTES = 64 * 2**20
"""A batch's buffers take at most this much memory."""


class DoctrineField(NamedTuple):
    """One number of a doctrine: a weight or a threshold of a policy, with its default; ``whole``: a whole number."""

    name: str
    default: float
    meaning: str
    unit: str = ""
    low: float = -1e9
    high: float = 1e9
    whole: bool = False

    def allows(self, value: object) -> bool:
        """Whether it may be set to a value."""
        if not isinstance(value, int | float | np.integer) or not self.low <= value <= self.high:
            return False
        return not self.whole or value == int(value)


def with_defaults(fields: tuple[DoctrineField, ...], **defaults: float) -> tuple[DoctrineField, ...]:
    """Fields with other defaults. Raises ValueError for a name that none of them has."""
    if unknown := defaults.keys() - {field.name for field in fields}:
        raise ValueError(f"no fields of this doctrine: {', '.join(sorted(unknown))}")
    return tuple(field._replace(default=defaults.get(field.name, field.default)) for field in fields)


Decision = Callable[..., Any]
"""A compiled function ``decision(game, doctrine, memory, subject, order) -> int``, in every game."""


class Policy(NamedTuple):
    """What decides for a side; ``side`` is the one that it plays, or None if it plays either.

    ``decisions`` are compiled functions in the order of the rulebook's `Rulebook.decisions`; ``cost`` is the time of a
    game with this policy as a multiple of the rulebook's cheapest, and only decides how large shards are.
    """

    name: str
    side: int | None
    summary: str
    decisions: tuple[Decision, ...] = ()
    doctrine: tuple[DoctrineField, ...] = ()
    cost: float = 1.0
    idea: str = ""

    def numbers(self, settings: Mapping[str, float] | None = None) -> np.ndarray:
        """The doctrine as float64 (fields,), with some fields set. Raises `BadInput` for an unknown or wrong one."""
        values = {field.name: field.default for field in self.doctrine}
        for name, value in (settings or {}).items():
            if name not in values:
                raise BadInput(f"policy {self.name} has no such doctrine field: use {one_of(values, name)}", key=name)
            field = next(field for field in self.doctrine if field.name == name)
            if not field.allows(value):
                what = f"{'whole ' * field.whole}number from {field.low:g} to {field.high:g}"
                raise BadInput(f"{value!r} is wrong: policy {self.name} takes a {what}", key=name)
            values[name] = float(value)
        # One number at least: compiled code must not be handed an empty array.
        return np.array([*values.values()] or [0.0], np.float64)


class Names(NamedTuple):
    """Names of what a scenario's arrays number: units, places of the map, turns from the first of the calendar on."""

    units: tuple[str, ...]
    places: tuple[str, ...]
    turns: tuple[str, ...]


class Shape(NamedTuple):
    """How large a scenario's games are: what the buffers of a batch are made for."""

    first_turn: int
    turns: int
    units: int
    places: int
    events: int


class Record(NamedTuple):
    """Games as they were played: records of n games. A table that is not recorded has no turns (or no events).

    - ``games`` (n,);
    - ``sides`` (n, turns + 1, 2), ``units`` (n, turns + 1, units) and ``places`` (n, turns + 1, places): the state
      after each turn; entry 0 is the position at the start, entry i turn ``first_turn - 1 + i``;
    - ``events`` (n, most events), of which the first ``event_count`` (n,) were written;
    - ``current`` (1,): the game that is being played, for whoever watches.
    """

    games: np.ndarray
    sides: np.ndarray
    units: np.ndarray
    places: np.ndarray
    events: np.ndarray
    event_count: np.ndarray
    current: np.ndarray


class Player(NamedTuple):
    """A policy with its doctrine (fields,): what plays a side."""

    policy: Policy
    doctrine: np.ndarray


class Rulebook(NamedTuple):
    """A game, as the rest of the house knows it.

    - ``load(scenario, board, rules)`` turns three documents into a setup (arrays) and names;
    - ``shape(setup)`` says how large its games are;
    - ``kernel`` plays a batch: ``kernel(setup, seed, replications, worlds, mirror, red, blue, record, red_decisions,
      blue_decisions)``, where ``red`` and ``blue`` are doctrines and a side's decisions a tuple of functions;
      ``kernel_signature`` and ``decision_signature`` are what it and every decision are compiled for;
    - ``decisions`` names the decisions of each side's policy in their order;
    - ``mirrors``: whether the game is symmetric enough to be played with sides exchanged;
    - ``cost``: seconds that the cheapest policies take for a game on an ordinary core; only sizes shards;
    - ``families``: generated scenarios: by name a function that turns a seed into the documents of scenario and map.
    """

    name: str
    version: str
    title: str
    tables: Tables
    policies: tuple[Policy, ...]
    decisions: tuple[tuple[str, ...], tuple[str, ...]]
    load: Callable[[dict[str, Any], dict[str, Any], dict[str, Any]], tuple[Any, Names]]
    shape: Callable[[Any], Shape]
    kernel: Callable[..., None]
    kernel_signature: Any
    decision_signature: Any
    mirrors: bool
    cost: float
    families: Mapping[str, Callable[[int], tuple[dict[str, Any], dict[str, Any]]]] = {}

    def policy(self, name: str, side: int) -> Policy:
        """A side's policy by name. Raises `BadInput` for an unknown one."""
        known = {policy.name: policy for policy in self.policies if policy.side in (side, None)}
        if name not in known:
            raise BadInput(f"{self.name} has no policy {name!r} for {SIDES[side]}: use {one_of(known, name)}")
        return known[name]


def decision_signature(game: Any) -> Any:
    """What every `Decision` is compiled for, from an example of a game."""
    return types.int64(numba.typeof(game), types.float64[::1], types.int64[::1], types.int64, types.int64[::1])


class Decisions(tuple):
    """A policy's decisions as a kernel takes them: functions that are compiled for ``signature``."""

    signature: Any

    @classmethod
    def of(cls, policy: Policy, signature: Any) -> "Decisions":
        """The decisions of a policy, compiled."""
        decisions = cls(compiled(decide, signature) for decide in policy.decisions)
        decisions.signature = signature
        return decisions


@typeof_impl.register(Decisions)
def _type_of_decisions(decisions: Decisions, context: Any) -> Any:
    return _decisions_type(decisions.signature, len(decisions))


def _decisions_type(signature: Any, count: int) -> Any:
    return types.UniTuple(types.FunctionType(signature), count) if count else types.Tuple(())


def kernel_signature(setup: Any, tables: Tables, decision: Any, red: int, blue: int) -> Any:
    """What a kernel is compiled for, from a setup: see `Rulebook`. ``red`` and ``blue`` are how many decisions."""
    record = empty_record(tables, Shape(1, 0, 1, 1, 1), 1, RECORD_LEVELS[-1])
    words, doctrine = types.uint64[::1], types.float64[::1]
    return types.void(
        numba.typeof(setup),
        types.uint64,
        words,
        words,
        types.int64,
        doctrine,
        doctrine,
        numba.typeof(record),
        _decisions_type(decision, red),
        _decisions_type(decision, blue),
    )


def bytes_a_game(book: Rulebook, shape: Shape, level: str) -> int:
    """Memory that one game takes in a batch's buffers."""
    record = empty_record(book.tables, shape, 1, level)
    return sum(table.nbytes for table in record)


def games_a_batch(book: Rulebook, shape: Shape, level: str) -> int:
    """Games in a batch: as many as fit into `BATCH_BYTES`, at most 4,096."""
    return max(1, min(4096, BATCH_BYTES // bytes_a_game(book, shape, level)))


def empty_record(tables: Tables, shape: Shape, n: int, level: str) -> Record:
    """Buffers for n games at a record level."""
    depth = RECORD_LEVELS.index(level)
    turns = shape.turns + 1
    return Record(
        games=records(tables.games, n),
        sides=unwritten(tables.sides, n, turns if depth >= 1 else 0, len(SIDES)),
        units=unwritten(tables.units, n, turns if depth >= 2 else 0, shape.units),
        places=unwritten(tables.places, n, turns if depth >= 1 else 0, shape.places),
        events=unwritten(tables.events, n, shape.events if depth >= 3 else 0),
        event_count=np.zeros(n, np.int64),
        current=np.zeros(1, np.int64),
    )


def play(
    book: Rulebook,
    setup: Any,
    red: Player,
    blue: Player,
    seed: int,
    replications: Sequence[int],
    *,
    level: str = "games",
    worlds: Sequence[int] | None = None,
    mirror: bool = False,
    current: np.ndarray | None = None,
) -> Record:
    """Plays one game for each replication, in one go: keep to `games_a_batch`.

    The same setup, players, seed and replication give the same game, in whatever batch, compiled or not. ``worlds``
    gives each game a world of its own (a fork); 0 is the game itself. To go on from a recorded turn, give the setup
    that `at_turn` makes. ``current`` is written with the place of the game that is being played.
    """
    if mirror and not book.mirrors:
        raise ValueError(f"{book.name} cannot be mirrored: its sides have different rules")
    shape = book.shape(setup)
    record = empty_record(book.tables, shape, len(replications), level)
    if current is not None:
        record = record._replace(current=current)
    mask = 2**64 - 1
    numbers = np.array([replication & mask for replication in replications], np.uint64)
    places = np.array([world & mask for world in worlds] if worlds is not None else np.zeros(len(numbers)), np.uint64)
    kernel = compiled(book.kernel, book.kernel_signature, closed=True)
    decisions = [Decisions.of(player.policy, book.decision_signature) for player in (red, blue)]
    arguments = (setup, np.uint64(seed & mask), numbers, places, int(mirror), red.doctrine, blue.doctrine, record)
    # uint64 arithmetic wraps by design; NumPy only warns of it where the compiler is off.
    with np.errstate(over="ignore"):
        kernel(*arguments, *decisions)
    return record


def at_turn(setup: Any, turn: int, sides: np.ndarray, units: np.ndarray, places: np.ndarray) -> Any:
    """The setup that goes on with a turn, from the records of the turn before: sides (2,), units, places.

    The records may come from `Record` or from an archive; fields that they lack keep the values of the set-up, as
    what lives only within a turn does.
    """
    state = setup.state.copy()
    for name, rows in (("sides", sides), ("units", units), ("places", places)):
        room = state[0][name]
        for field in rows.dtype.names or ():
            room[field][: len(rows)] = rows[field]
    state.turn = turn
    return setup._replace(state=state)
