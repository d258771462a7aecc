"""How long the report of a nightly archive takes: 180,000 games, recorded in full."""

import statistics
import tempfile
from pathlib import Path

from harness import Row
from many_games import play, seconds

REPEATS = 3
AT_MOST = 30
REPLICATIONS, COPIES = 100, 50
EXPERIMENT = f"""
name = "night"
seed = 1
replications = {REPLICATIONS}
[[play]]
scenarios = ["barbarossa/*"]
blue = ["hold", "steady", "encircle", "beeline"]
red = ["easy", "medium", "difficult"]
"""
LEAST = "import altair, duckdb, jinja2, numpy, pydantic, pyarrow, scipy.optimize, typer, vl_convert"


def rows() -> list[Row]:
    """The rows of this file."""
    with tempfile.TemporaryDirectory() as folder:
        archive, games = play(EXPERIMENT, Path(folder), COPIES)
        ours = ["-m", "cluster", "report", str(archive), "--out", str(Path(folder, "report.html"))]
        pairs = [(seconds(*ours), seconds("-c", LEAST)) for _ in range(REPEATS)]
    mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = [a / b for a, b in pairs]
    return [
        Row(f"report of {games:,} games", "s", mine, "the libraries alone", other, statistics.median(ratios),
            f"under {AT_MOST} s", mine < AT_MOST, spread=ratios)
    ]  # fmt: skip
