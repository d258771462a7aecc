"""One shard: played, turned into tables and published. Knows nothing of Ray; the same code runs inline."""

import functools
import traceback
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numba
import numpy as np
import pyarrow as pa

import sim
from cluster import library, tables
from cluster.archive import cannot_write, reason
from cluster.failures import failed_games
from cluster.layout import failures_file, shard_file
from cluster.library import PlayerSpec
from cluster.parquet import ShardFiles
from cluster.plan import Cell, Piece, Plan, Shard, tables_at
from cluster.progress import say
from cluster.retry import Cause
from cluster.store import Store
from cluster.tables import Played
from cluster.watch import Watch
from queries.waiting import told_if_slow
from sim.compiled import PRIVATE_NUMBA, TESTED_NUMBA, compiled, source_hash
from sim.game import Names, Player, Shape, games_a_batch, play
from sim.policy_modules import in_one_line

MOST_FAILURES = 20
"""Failed games of a shard that its report tells of one by one; the table ``games`` has them all."""


class Run(NamedTuple):
    """Replications (n,) of a cell that are played at a record level, and the tables that are wanted of them."""

    replications: np.ndarray
    level: str
    tables: list[str]


class Result(NamedTuple):
    """What came of a shard: its games and how many of them failed, or the cause why it was not published."""

    games: int = 0
    failed: int = 0
    cause: Cause | None = None
    message: str = ""
    trace: str = ""  # where in the code it was, for a report
    culprit: tuple[int, int] | None = None  # cell and replication
    machine: str = ""  # which one played, by its id; none if that is not known, or there is but this one


class GameFailed(Exception):
    """A game in which a policy, or we, raised an error: which game, and the error in one line."""

    def __init__(self, cell: int, replication: int, error: BaseException) -> None:
        self.culprit = (cell, replication)
        self.why = in_one_line(error)
        super().__init__(f"cell {cell}, replication {replication}: {self.why}")


SETUPS = 64
"""Scenarios that a worker keeps ready."""


class Stage:
    """The games of an experiment, ready to be played; what several cells share is loaded once.

    ``tried``: another process has had users' policies tried (`sim.policy_trial`), this one need not.
    """

    def __init__(self, plan: Plan, inputs: dict[str, Any], *, tried: bool = False) -> None:
        if tried:
            library.skip_trials(inputs)
        self.plan = plan
        self.inputs = inputs
        self._players: dict[str, Player] = {}
        self._compiled: set[str] = set()
        self._loaded = functools.lru_cache(SETUPS)(self._load)

    def setup(self, cell: Cell) -> tuple[Any, Names]:
        """Setup and names of a cell's games."""
        return self._loaded(cell.rulebook, cell.inputs.scenario, cell.inputs.map, cell.inputs.rules)

    def _load(self, rulebook: str, *names: str) -> tuple[Any, Names]:
        return sim.rulebook(rulebook).load(*(self.inputs[name] for name in names))

    def shape(self, cell: Cell) -> Shape:
        """How large a cell's games are."""
        return sim.rulebook(cell.rulebook).shape(self.setup(cell)[0])

    def players(self, cell: Cell) -> tuple[Player, Player]:
        """Red's and blue's player of a cell."""
        return self._player(cell.inputs.red), self._player(cell.inputs.blue)

    def _player(self, name: str) -> Player:
        if name not in self._players:
            self._players[name] = PlayerSpec(**self.inputs[name]).player()
        return self._players[name]

    def compile(self, cells: Iterable[Cell]) -> None:
        """Compiles, or loads from the cache, everything that cells need.

        Raises `BadInput` for a user's policy that cannot be compiled.
        """
        for cell in cells:
            book = sim.rulebook(cell.rulebook)
            compiled(book.kernel, book.kernel_signature, closed=True)
            for name in (cell.inputs.red, cell.inputs.blue):
                if name not in self._compiled:
                    PlayerSpec(**self.inputs[name]).compile()
                    self._compiled.add(name)

    def batches(self, cell: Cell, replications: np.ndarray, level: str, watch: Watch) -> Iterator[Played]:
        """Plays replications (n,) of a cell in batches of a size that only rulebook, scenario and level decide."""
        self.compile([cell])
        book = sim.rulebook(cell.rulebook)
        setup, names = self.setup(cell)
        shape = self.shape(cell)
        red, blue = self.players(cell)
        size = games_a_batch(book, shape, level)
        for start in range(0, len(replications), size):
            numbers = replications[start : start + size]
            try:
                with watch.batch():
                    record = play(
                        book, setup, red, blue, cell.seed, numbers.tolist(), level=level, current=watch.current
                    )
            except (Exception, SystemExit) as error:
                raise GameFailed(cell.number, int(numbers[watch.current[0]]), error) from error
            labels = (cell.scenario, cell.red_policy, cell.blue_policy)
            yield Played(cell.number, labels, names, shape.first_turn, numbers, record)

    def runs(self, piece: Piece) -> list[Run]:
        """What has to be played for a piece: all of its games and, once more, those of the sample."""
        plan = self.plan
        replications = np.arange(piece.first, piece.first + piece.count)
        runs = [Run(replications, plan.record, tables_at(plan.record))]
        if plan.sample:
            # A sampled game is played a second time, for the tables that the others do not have.
            more = [table for table in tables_at(plan.sample.level) if table not in runs[0].tables]
            runs.append(Run(replications[replications % plan.sample.every == 0], plan.sample.level, more))
        return runs

    def rows(self, piece: Piece, watch: Watch) -> Iterator[tuple[str, pa.Table]]:
        """Plays a piece and yields the rows of each table, batch by batch, in the order of the archive."""
        cell = self.plan.cells[piece.cell]
        book = sim.rulebook(cell.rulebook)
        for run in self.runs(piece):
            for played in self.batches(cell, run.replications, run.level, watch):
                for table in run.tables:
                    yield table, tables.rows(book, table, played)


def ready(plan: Plan, inputs: dict[str, Any]) -> Stage:
    """The stage of an experiment with everything compiled; says so if that takes its time, or if games will."""
    stage = Stage(plan, inputs)
    if not PRIVATE_NUMBA:
        say(f"numba {numba.__version__}: kernels are tuned for {TESTED_NUMBA}; the games are the same, but slower")
    with told_if_slow("compiling (the first time takes about twenty seconds)", 1.5):
        stage.compile(plan.cells)
    return stage


def publish_shard(stage: Stage, store: Store, shard: Shard, watch: Watch, *, again: bool = False) -> Result:
    """Plays a shard and publishes its files, unless somebody else has (and it is not to be played again).

    Raises nothing: what goes wrong is data, for whoever decides whether to try again.
    """
    if stage.plan.code != source_hash():
        return Result(cause=Cause.CODE, message="sim/ has changed since the run began: start it again")
    try:
        if not again and store.exists(shard_file("games", shard.rulebook, shard.number, shard.number)):
            return Result(shard.games)
        return _publish_shard(stage, store, shard, watch)
    except OSError as error:
        return Result(cause=Cause.DISK, message=cannot_write(reason(error)))
    except GameFailed as failed:
        return Result(
            cause=Cause.NAMED, message=str(failed), trace=traceback.format_exc(limit=-1), culprit=failed.culprit
        )
    except (Exception, SystemExit) as error:  # a policy may end what imports it
        return Result(cause=Cause.ERROR, message=in_one_line(error), trace=traceback.format_exc())


def _publish_shard(stage: Stage, store: Store, shard: Shard, watch: Watch) -> Result:
    files = ShardFiles(store, stage.plan, shard)
    failed = 0
    told: list[dict[str, Any]] = []
    try:
        for piece in shard.pieces:
            for table, rows in stage.rows(piece, watch):
                files.add(table, rows)
                if table == "games":
                    bad = tables.failed_rows(rows)
                    failed += bad.num_rows
                    told += bad.slice(0, MOST_FAILURES - len(told)).to_pylist()
        report = failures_file(shard.number)
        if failed:
            text = failed_games(stage.plan, stage.inputs, shard.number, failed, told)
            store.publish_text(report, text, "failures")
        else:
            store.delete([report])
        files.publish(failed)
    except BaseException:
        files.discard()
        raise
    return Result(shard.games, failed)
