"""An experiment's shards played in this process, by what a worker does, with a clock on each part of the work."""

import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cluster import memory, parquet, publish, tables, worker
from cluster.archive import create
from cluster.experiment import read
from cluster.planner import make_plan
from cluster.store import LocalStore
from cluster.watch import Watch
from cluster.worker import Stage

KERNEL, ROWS, PARQUET, DIGESTS, DISK = "kernel", "rows", "Parquet", "digests", "disk"
PARTS = (KERNEL, ROWS, PARQUET, DIGESTS, DISK)
"""The kernel; records made into Arrow rows; rows written and compressed; digests of the files; fsync."""


@dataclass
class Spent:
    """What shards took: seconds by the clock and of the processor, in all and by part; what is there then."""

    games: int = 0
    seconds: float = 0.0
    processor: float = 0.0
    parts: Counter[str] = field(default_factory=Counter)
    processor_parts: Counter[str] = field(default_factory=Counter)
    rows: Counter[str] = field(default_factory=Counter)
    bytes: Counter[str] = field(default_factory=Counter)

    def shares(self) -> str:
        """Shares of the processor's time, in words."""
        rest = self.processor - sum(self.processor_parts.values())
        parts = [*((part, self.processor_parts[part]) for part in PARTS), ("the rest", rest)]
        return ", ".join(f"{part} {max(0.0, seconds) / self.processor:.0%}" for part, seconds in parts)


def play_shards(text: str, folder: Path) -> Spent:
    """Plays an experiment in a new archive in a folder; planning, compiling and loading scenarios are not counted."""
    file = folder / "experiment.toml"
    file.write_text(text)
    planned = make_plan(read(str(file)))
    stored = create(LocalStore(str(folder / "archive")), planned.plan, planned.inputs, text)
    stage = Stage(stored.plan, stored.inputs)
    stage.compile(stored.plan.cells)
    for cell in stored.plan.cells:
        stage.setup(cell)
    memory.keep()
    spent = Spent()
    with _clocks(spent):
        start, processor = time.perf_counter(), time.process_time()
        for shard in stored.shards():
            result = worker.publish_shard(stage, stored.store, shard, Watch())
            assert result.cause is None, result.message
            spent.games += result.games
        spent.seconds = time.perf_counter() - start
        spent.processor = time.process_time() - processor
    for path in folder.rglob("shards-*.parquet"):
        table = path.relative_to(folder / "archive").parts[1]
        spent.bytes[table] += path.stat().st_size
        spent.rows[table] += parquet.pq.read_metadata(path).num_rows
    return spent


@contextmanager
def _clocks(spent: Spent) -> Generator[None]:
    """While it lasts, the parts of the work are timed."""
    places = [
        (worker, "play", KERNEL),
        (tables, "rows", ROWS),
        (parquet._File, "add", PARQUET),
        (parquet._File, "close", PARQUET),
        (parquet, "sha256", DIGESTS),
        (publish, "_force_to_disk", DISK),
    ]
    before = [getattr(owner, name) for owner, name, _ in places]
    for (owner, name, part), function in zip(places, before, strict=True):
        setattr(owner, name, _timed(function, part, spent))
    try:
        yield
    finally:
        for (owner, name, _), function in zip(places, before, strict=True):
            setattr(owner, name, function)


def _timed(function: Callable[..., Any], part: str, spent: Spent) -> Callable[..., Any]:
    def timed(*arguments: Any, **options: Any) -> Any:
        start, processor = time.perf_counter(), time.process_time()
        try:
            return function(*arguments, **options)
        finally:
            spent.parts[part] += time.perf_counter() - start
            spent.processor_parts[part] += time.process_time() - processor

    return timed
