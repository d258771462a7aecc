"""Whole runs: games a second from the plan to the archive, the driver's memory, the first game."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import types
from pathlib import Path

from harness import Row

ROOT = Path(__file__).parents[2]
EXPERIMENT = """
name = "bench"
seed = 1
replications = {replications}
record = "{record}"
[policies.bench]
policy = "hold"
cost = {cost}
[[play]]
scenarios = ["barbarossa/barbarossa"]
blue = ["bench"]
red = ["medium"]
"""
GAMES = 120_000
GAMES_A_SECOND = 5_000
MORE_MEMORY = 1.05
FIRST_GAME_SECONDS = 1.0
REPEATS = 3


def main() -> None:
    """Runs an experiment in this process and prints what was measured as JSON; in a process of its own."""
    file, archive, workers, started = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    sys.modules["queries.summary"] = types.SimpleNamespace(print_summary=lambda folder: None)  # type: ignore[assignment]
    from cluster import run, worker
    from cluster.dispatch import Options

    first = []
    play = worker.play

    def watched(*arguments, **options):
        first.append(time.time())
        worker.play = play
        return play(*arguments, **options)

    worker.play = watched
    begin = time.perf_counter()
    run.run(str(file), archive, Options(inline=not workers, workers=workers or None), 100)
    print(
        json.dumps(
            {
                "seconds": time.perf_counter() - begin,
                "first_game": first[0] - started if first else None,
                "peak_mb": _peak_mb(),
            }
        )
    )


def _peak_mb() -> float:
    """The most memory that this process has had; `getrusage` would count what its parent had when it forked."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024 / 1e6


def rows() -> list[Row]:
    """The rows of this file."""
    return [_whole_run(), _memory(), _first_game()]


def _whole_run() -> Row:
    ours, theirs = [], []
    for _ in range(REPEATS):
        ours.append(GAMES / _run(2, GAMES)["seconds"])
        theirs.append(GAMES / 4 / _run(0, GAMES // 4)["seconds"])
    rate, other = statistics.median(ours), statistics.median(theirs)
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return Row(
        "a whole run with full recording, 2 workers",
        "games/s",
        rate,
        "inline",
        other,
        statistics.median(ratios),
        f"at least {GAMES_A_SECOND:,} games/s",
        rate >= GAMES_A_SECOND,
        f"{GAMES:,} games; Ray's start included",
        ratios,
    )


def _memory() -> Row:
    # Costly enough that a shard has one game.
    many, few = (_run(2, shards, record="games", cost=1e6)["peak_mb"] for shards in (20_000, 1_000))
    return Row(
        "the driver's memory with 20,000 shards",
        "MB",
        many,
        "with 1,000",
        few,
        many / few,
        f"at most {MORE_MEMORY} times",
        many <= MORE_MEMORY * few,
    )


def _first_game() -> Row:
    numba = [_seconds("import numba") for _ in range(REPEATS)]
    ours = [_run(0, 100)["first_game"] for _ in range(REPEATS)]
    seconds = statistics.median(ours)
    return Row(
        "a warm inline start to its first game",
        "s",
        seconds,
        "import numba alone",
        statistics.median(numba),
        statistics.median([a / b for a, b in zip(ours, numba, strict=True)]),
        f"within {FIRST_GAME_SECONDS:g} s",
        seconds <= FIRST_GAME_SECONDS,
    )


def _run(workers: int, games: int, record: str = "events", cost: float = 1) -> dict:
    """Runs so many games; what `main` printed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "bench.toml"
        file.write_text(EXPERIMENT.format(replications=games, record=record, cost=cost))
        command = [sys.executable, __file__, str(file), str(folder / "archive"), str(workers), str(time.time())]
        done = subprocess.run(
            command, cwd=ROOT, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        return json.loads(done.stdout.splitlines()[-1])


def _seconds(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
