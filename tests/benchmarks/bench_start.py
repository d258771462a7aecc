"""How long the command line takes before it answers, and the first run after installation before it has played."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import Row

from tests.small_archives import SmallExperiment

ROOT = Path(__file__).parents[2]
REPEATS = 7
COMPILED_SECONDS = 60
FIRST_RUNS = {
    "barbarossa": ("barbarossa/barbarossa", "medium", "steady"),
    "tank_hex": ("tank_hex/meeting_engagement", "balanced", "balanced"),
    "first_contact": ("first_contact/prokhorovka", "combined", "combined"),
}
FIRST_RUN = """
name = "first"
seed = 1
replications = 2
[[play]]
scenarios = ["{}"]
red = ["{}"]
blue = ["{}"]
"""


def rows() -> list[Row]:
    """The rows of this file."""
    with tempfile.TemporaryDirectory() as folder:
        experiment = SmallExperiment(Path(folder), "small")
        experiment.shard(games=[{"replication": 0}, {"replication": 1}])
        games = experiment.path("games", 0, 0)
        duckdb = f"import duckdb; print(duckdb.sql(\"select count(*) from read_parquet('{games}')\").fetchall())"
        # The least that a command line with this help costs.
        typer = "import typer, sys; app = typer.Typer(); app.command()(lambda: None); sys.argv[1:] = ['--help']; app()"
        return [
            _row("duosuan --help", ["-m", "cluster", "--help"], "an empty Typer app", ["-c", typer], 0.5),
            _row(
                "duosuan list questions",
                ["-m", "cluster", "list", "questions"],
                "an empty Typer app",
                ["-c", typer],
                0.5,
            ),
            _row("duosuan sql", ["-m", "cluster", "sql", folder, "from games"], "DuckDB alone", ["-c", duckdb], 1),
            *_first_runs(),
        ]


def _first_runs() -> list[Row]:
    """`duosuan run` of each rulebook with nothing compiled yet, two at a time, beside the same again."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cold_total, cold = _all_first_runs(folder, "cold")
        warm_total, warm = _all_first_runs(folder, "warm")
    what, again = "first run after installation", "the same again, compiled"
    target = f"at most {COMPILED_SECONDS} s with 2 processors"
    note = "two runs at a time; once, no repeats"
    return [
        Row(f"{what}, three rulebooks", "s", cold_total, again, warm_total, cold_total / warm_total, target,
            cold_total <= COMPILED_SECONDS, note),
        *(Row(f"{what}, {book}", "s", cold[book], again, warm[book], cold[book] / warm[book], note=note)
          for book in FIRST_RUNS),
    ]  # fmt: skip


def _all_first_runs(folder: Path, kind: str) -> tuple[float, dict[str, float]]:
    """Seconds until all rulebooks have been run, and of each; all share one cache in the folder."""

    def run(book: str) -> float:
        file = folder / f"{book}.toml"
        file.write_text(FIRST_RUN.format(*FIRST_RUNS[book]))
        archive = folder / f"{kind}-{book}"
        command = ["-m", "cluster", "run", str(file), "--archive", str(archive), "--inline"]
        return _seconds(command, DUOSUAN_CACHE_DIR=str(folder / "cache"))

    start = time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        seconds = dict(zip(FIRST_RUNS, pool.map(run, FIRST_RUNS), strict=True))
    return time.perf_counter() - start, seconds


def _row(name: str, ours: list[str], peer: str, theirs: list[str], at_most: float) -> Row:
    _seconds(ours)  # once for the bytecode
    pairs = [(_seconds(ours), _seconds(theirs)) for _ in range(REPEATS)]
    mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = [a / b for a, b in pairs]
    return Row(
        name,
        "s",
        mine,
        peer,
        other,
        statistics.median(ratios),
        f"under {at_most} s",
        mine < at_most,
        spread=ratios,
    )


def _seconds(arguments: list[str], **more: str) -> float:
    # As it is when it is installed: with its bytecode kept.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | more
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, check=True, capture_output=True)
    return time.perf_counter() - start
