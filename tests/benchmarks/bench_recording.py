"""What recording costs: each record level beside the same games unrecorded, and our writing beside pyarrow alone."""

import statistics
import tempfile
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from games import worker
from harness import Row, rate
from shards import KERNEL, Spent, play_shards

from sim.game import RECORD_LEVELS

REPEATS = 3
EXPERIMENT = """
name = "recorded"
seed = 1
replications = {games}
record = "{level}"
[[play]]
scenarios = ["{scenario}"]
red = ["{red}"]
blue = ["{blue}"]
"""


class Recorded(NamedTuple):
    """A pairing and the games of a repeat."""

    scenario: str
    red: str
    blue: str
    games: int


PAIRINGS = (
    Recorded("barbarossa/barbarossa", "medium", "steady", 4_000),
    Recorded("tank_hex/meeting_engagement", "balanced", "balanced", 1_000),
    Recorded("first_contact/prokhorovka", "combined", "combined", 60),
)


def rows() -> list[Row]:
    """The rows of this file."""
    return [row for pairing in PAIRINGS for row in [*_levels(pairing), _written(pairing)]]


def _levels(pairing: Recorded) -> list[Row]:
    """A row for each level: what a game takes from the kernel to the published files."""
    work = worker(*pairing[:3], range(pairing.games))
    work()
    pairs = {level: [] for level in RECORD_LEVELS}
    last: dict[str, Spent] = {}
    for _ in range(REPEATS):
        for level in RECORD_LEVELS:
            last[level] = _play(pairing, level)
            pairs[level].append((1e6 * last[level].seconds / pairing.games, 1e6 / rate(work)))
    return [_level(pairing, level, pairs[level], last[level]) for level in RECORD_LEVELS]


def _level(pairing: Recorded, level: str, pairs: list[tuple[float, float]], spent: Spent) -> Row:
    ours, bare = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = [a / b for a, b in pairs]
    tables = ", ".join(f"{table} {size / pairing.games:,.0f}" for table, size in sorted(spent.bytes.items()))
    return Row(
        f'{pairing.scenario}, {pairing.blue}, record = "{level}"',
        "µs/game",
        ours,
        "the same games, nothing recorded",
        bare,
        statistics.median(ratios),
        note=f"{sum(spent.bytes.values()) / pairing.games:,.0f} bytes a game: {tables}",
        spread=ratios,
    )


def _play(pairing: Recorded, level: str) -> Spent:
    with tempfile.TemporaryDirectory() as folder:
        return play_shards(EXPERIMENT.format(level=level, **pairing._asdict()), Path(folder))


def _written(pairing: Recorded) -> Row:
    """Rows a second from the record in memory to published files, beside pyarrow that writes the same tables."""
    pairs = []
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as folder:
            spent = play_shards(EXPERIMENT.format(level="events", **pairing._asdict()), Path(folder))
            number = sum(spent.rows.values())
            tables = [
                pq.read_table(path, read_dictionary=_names(path)) for path in Path(folder).rglob("shards-*.parquet")
            ]
            seconds = 1 / rate(lambda tables=tables, folder=folder: _write(tables, Path(folder)))
        pairs.append((number / (spent.seconds - spent.parts[KERNEL]), number / seconds))
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = [a / b for a, b in pairs]
    return Row(
        f"{pairing.scenario}, {pairing.blue}: rows recorded, kernel apart",
        "rows/s",
        ours,
        "pyarrow writes the same tables, its defaults and zstd",
        theirs,
        statistics.median(ratios),
        note=f"{number / pairing.games:,.0f} rows a game; ours: made of records, written, digested, forced to disk",
        spread=ratios,
    )


def _names(path: Path) -> list[str]:
    """Columns of names, which are numbers with a dictionary in memory as they were when we wrote them."""
    return [field.name for field in pq.read_schema(path) if pa.types.is_dictionary(field.type)]


def _write(tables: list[pa.Table], folder: Path) -> int:
    for number, table in enumerate(tables):
        pq.write_table(table, folder / f"alone-{number}.parquet", compression="zstd")
    return 1
