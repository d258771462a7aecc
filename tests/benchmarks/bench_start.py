"""How long the command line takes before it answers."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness import Row

from tests.small_archives import SmallExperiment

ROOT = Path(__file__).parents[2]
REPEATS = 7


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
        ]


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


def _seconds(arguments: list[str]) -> float:
    # As it is when it is installed: with its bytecode kept.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, check=True, capture_output=True)
    return time.perf_counter() - start
