"""How long every question takes on an archive of more than ten million rows of units, beside a plain grouped scan.

The scan groups the largest table that the question reads by its keys but the replication, and averages one column. A
question that reads all columns of several tables is set beside a scan of each.
"""

import re
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from harness import Row
from many_games import play

import queries
from queries.archive import Archive
from queries.questions import find, names

REPEATS = 5
TIMES, AT_MOST = 5, 2
COPIES = 8
EXPERIMENT = """
name = "night"
seed = 1
replications = 100
[[play]]
scenarios = ["barbarossa/*"]
blue = ["hold", "steady", "encircle", "beeline"]
red = ["easy", "medium", "difficult"]
[[play]]
scenarios = ["tank_hex/*"]
blue = ["balanced", "static_defence"]
red = ["balanced", "rush"]
[[play]]
scenarios = ["first_contact/prokhorovka"]
blue = ["assault", "combined"]
red = ["combined"]
"""
SCANS = {
    "units": "select experiment, cell, turn, unit, avg(men) from units group by all",
    "events": "select experiment, cell, turn, kind, avg(losses) from events group by all",
    "territory": "select experiment, cell, turn, place, count(holder) from territory group by all",
    "turns": "select experiment, cell, turn, side, avg(territory) from turns group by all",
    "games": "select experiment, cell, outcome, avg(margin) from games group by all",
}
"""The plain scan of each table."""
ALL_OF = {"first_parting": ("turns", "units", "territory")}
"""Questions that compare whole rows."""
ALSO_READ = {"losses": ("units", "events"), "unit_kinds": ("units",)}


def rows() -> list[Row]:
    """The rows of this file."""
    with tempfile.TemporaryDirectory() as folder:
        archive, _ = play(EXPERIMENT, Path(folder), COPIES)
        return measured(str(archive))


def measured(path: str) -> list[Row]:
    """A row for every question, asked of all of an archive."""
    with queries.open(path) as archive:
        large = {table: archive.sql(f"select count(*) from {table}").fetchall()[0][0] for table in SCANS}
        print(", ".join(f"{table} {count:,}" for table, count in large.items()))
        found = []
        for name in names():
            words = set(re.findall(r"\w+", find(name).sql))
            read = {table for word in words for table in ALSO_READ.get(word, (word,)) if table in SCANS}
            found.append(_row(archive, name, ALL_OF.get(name, (max(read, key=lambda it: large[it]),))))
        return found


def _row(archive: Archive, name: str, tables: tuple[str, ...]) -> Row:
    def ask() -> None:
        archive.question(name).fetchall()

    def scan() -> None:
        for table in tables:
            archive.sql(SCANS[table]).fetchall()

    ask(), scan()
    pairs = [(_seconds(ask), _seconds(scan)) for _ in range(REPEATS)]
    mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    reached = ratio <= TIMES and mine < AT_MOST
    target = f"within {TIMES} times, under {AT_MOST} s"
    scanned = f"scan of {', '.join(tables)}"
    return Row(name, "s", mine, scanned, other, ratio, target, reached, spread=[a / b for a, b in pairs])


def _seconds(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
