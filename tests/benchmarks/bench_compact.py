"""Questions on an archive of many small shards, before and after it is compacted."""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_service import EXPERIMENT, ROOT
from harness import Row

SHARDS = 2_000
FASTER = 5.0
REPEATS = 3
QUESTIONS = ("win_rates", "territory_by_turn")


def rows() -> list[Row]:
    """The rows of this file."""
    with tempfile.TemporaryDirectory() as folder:
        file, small, large = (Path(folder) / name for name in ("bench.toml", "small", "large"))
        # Costly enough that a shard has one game.
        file.write_text(EXPERIMENT.format(replications=SHARDS, record="turns", cost=1e6))
        _duosuan("run", str(file), "--archive", str(small), "--inline")
        shutil.copytree(small, large)
        start = time.perf_counter()
        _duosuan("compact", str(large))
        seconds = time.perf_counter() - start
        return [_asked(question, small, large, f"compacting took {seconds:.0f} s") for question in QUESTIONS]


def _asked(question: str, small: Path, large: Path, note: str) -> Row:
    pairs = [(_seconds(question, small), _seconds(question, large)) for _ in range(REPEATS)]
    before, after = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = [many / few for many, few in pairs]
    ratio = statistics.median(ratios)
    return Row(
        f"{question} on {SHARDS:,} shards, compacted",
        "s",
        after,
        "before",
        before,
        ratio,
        f"at least {FASTER:g} times as fast",
        ratio >= FASTER,
        note,
        ratios,
    )


def _seconds(question: str, archive: Path) -> float:
    """Time from opening an archive to the answer."""
    sys.path.insert(0, str(ROOT))
    import queries

    start = time.perf_counter()
    with queries.open(str(archive)) as opened:
        opened.question(question).fetchall()
    return time.perf_counter() - start


def _duosuan(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "cluster", *words], cwd=ROOT, check=True, capture_output=True)
