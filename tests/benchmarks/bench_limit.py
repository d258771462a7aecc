"""Our kernel beside the same game written once more in plain C, `barbarossa_hold.c`: what a game costs at the least.

The two play the same games, die for die, which is checked before anything is measured.
"""

import ctypes
import os
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from games import SEED, batches, load, players, rows_of
from harness import Row, compare, rates

from sim.barbarossa.board import DIFFICULTIES
from sim.fields import record_dtype
from sim.game import RED

SOURCE = Path(__file__).with_name("barbarossa_hold.c")
# As Numba compiles: for this very processor, and a * b + c is rounded twice.
FLAGS = ["-O3", "-march=native", "-std=c11", "-ffp-contract=off", "-shared", "-fPIC"]
AT_MOST = 1.5  # times as long
SCENARIO = "barbarossa/barbarossa"
CHECKED = 4_000  # games of each difficulty
GAMES = 20_000  # of a repeat
REPEATS = 15  # short ones
NAME = f"{SCENARIO}, hold against medium, nothing recorded"


def rows() -> list[Row]:
    """The rows of this file."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        ours = 1e6 / statistics.median(rates(lambda: len(_ours("medium", GAMES))))
        return [Row(NAME, "µs/game", ours, "the same in C", target=_target(), note="no C compiler here: cc, or CC")]
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "hold.so")
        subprocess.run([compiler, *FLAGS, "-o", str(library), str(SOURCE)], check=True, timeout=60)
        in_c = Twin(library)
        check(in_c)
        ours, theirs, ratios = compare(
            lambda: len(_ours("medium", GAMES)), lambda: len(in_c.games("medium", GAMES)), REPEATS
        )
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    ratio = 1 / statistics.median(ratios)
    return [
        Row(NAME, "µs/game", 1e6 / ours, f"the same in C, {' '.join(FLAGS[:2])}", 1e6 / theirs, ratio, _target(),
            ratio <= AT_MOST, f"the same {5 * CHECKED:,} games; {version}", [1 / each for each in ratios])
    ]  # fmt: skip


def _ours(difficulty: str, count: int) -> np.ndarray:
    """The same games by our kernel."""
    return rows_of(batches(SCENARIO, players(SCENARIO, difficulty, "hold"), range(count)))


def _target() -> str:
    return f"at most {AT_MOST} times as long"


class Twin:
    """The game in C: what a setup is handed over to, and what plays."""

    def __init__(self, library: Path) -> None:
        self.book, self.setup = load(SCENARIO)
        self.row = record_dtype(self.book.tables.games)
        self.library = ctypes.CDLL(str(library))
        handed_over = (self.setup.board, self.setup.rules, self.setup.start, self.setup.state)
        sizes = [*(records.dtype.itemsize for records in handed_over), self.row.itemsize]
        known = (ctypes.c_int64 * len(sizes)).in_dll(self.library, "record_sizes")
        assert list(known) == sizes, f"the records of sim/barbarossa are not those of {SOURCE.name}: {sizes}"
        self.pointers = [ctypes.c_void_p(records.ctypes.data) for records in handed_over]

    def games(self, difficulty: str, count: int) -> np.ndarray:
        """Plays so many games; their rows of the table ``games`` (count,)."""
        column = int(self.book.policy(difficulty, RED).numbers()[0])
        replications = np.arange(count, dtype=np.uint64)
        found = np.zeros(count, self.row)
        self.library.play_games(
            *self.pointers,
            ctypes.c_int64(column),
            ctypes.c_uint64(SEED),
            ctypes.c_void_p(replications.ctypes.data),
            ctypes.c_int64(count),
            ctypes.c_void_p(found.ctypes.data),
        )
        return found


def check(in_c: Twin) -> None:
    """Both give the same games, in every column and on every difficulty."""
    for difficulty in DIFFICULTIES:
        ours, theirs = _ours(difficulty, CHECKED), in_c.games(difficulty, CHECKED)
        for column in theirs.dtype.names or ():
            different = np.flatnonzero(ours[column] != theirs[column])
            assert not len(different), f"{difficulty}: replication {different[0]} differs from C in {column}"
