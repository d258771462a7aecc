"""How long the report of a nightly archive takes: 180,000 games, recorded in full."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from harness import Row

ROOT = Path(__file__).parents[2]
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
        file, archive = Path(folder, "night.toml"), Path(folder, "archive")
        file.write_text(EXPERIMENT)
        _seconds("-m", "cluster", "run", str(file), "--archive", str(archive), "--inline")
        games = _multiply(next(archive.iterdir()))
        ours = ["-m", "cluster", "report", str(archive), "--out", str(Path(folder, "report.html"))]
        pairs = [(_seconds(*ours), _seconds("-c", LEAST)) for _ in range(REPEATS)]
    mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = [a / b for a, b in pairs]
    return [
        Row(f"report of {games:,} games", "s", mine, "the libraries alone", other, statistics.median(ratios),
            f"under {AT_MOST} s", mine < AT_MOST, spread=ratios)
    ]  # fmt: skip


def _multiply(experiment: Path) -> int:
    """Makes of the games played many times as many: the same again, numbered on. Returns how many there are."""
    plan = json.loads((experiment / "inputs/plan.json").read_text())
    plan["replications"] *= COPIES
    (experiment / "inputs/plan.json").write_text(json.dumps(plan))
    files = sorted(experiment.glob("*/rulebook=*/*/shards-*.parquet"))
    shards = 1 + max(int(path.stem.split("-")[1]) for path in files)
    for path in files:
        read = pq.ParquetFile(path)
        table, about = read.read(), {b"duosuan": read.metadata.metadata[b"duosuan"]}
        place = table.schema.get_field_index("replication")
        item = table.schema.field(place)
        for copy in range(1, COPIES):
            shift = pa.scalar(REPLICATIONS * copy, item.type)
            moved = table.set_column(place, item, pc.add(table.column(place), shift))
            number = int(path.stem.split("-")[1]) + shards * copy
            name = f"shards-{number:06d}-{number:06d}.parquet"
            pq.write_table(moved.replace_schema_metadata(about), path.with_name(name), compression="zstd")
    return len(plan["cells"]) * plan["replications"]


def _seconds(*arguments: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - start
