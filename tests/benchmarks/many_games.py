"""Large archives in little time: a few games are played, and the rest are the same again under other numbers."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[2]


def play(experiment: str, folder: Path, copies: int) -> tuple[Path, int]:
    """Plays an experiment, given as TOML, and makes so many times as many games of it.

    Returns the archive below ``folder`` and how many games it has.
    """
    file, archive = folder / "many.toml", folder / "archive"
    file.write_text(experiment)
    seconds("-m", "cluster", "run", str(file), "--archive", str(archive), "--inline")
    return archive, _multiply(next(archive.iterdir()), copies)


def seconds(*arguments: str) -> float:
    """How long a command of Python takes."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - start


def _multiply(experiment: Path, copies: int) -> int:
    plan = json.loads((experiment / "inputs/plan.json").read_text())
    played = plan["replications"]
    plan["replications"] *= copies
    (experiment / "inputs/plan.json").write_text(json.dumps(plan))
    files = sorted(experiment.glob("*/rulebook=*/*/shards-*.parquet"))
    shards = 1 + max(int(path.stem.split("-")[1]) for path in files)
    for path in files:
        read = pq.ParquetFile(path)
        table, about = read.read(), {b"duosuan": read.metadata.metadata[b"duosuan"]}
        place = table.schema.get_field_index("replication")
        item = table.schema.field(place)
        for copy in range(1, copies):
            shift = pa.scalar(played * copy, item.type)
            moved = table.set_column(place, item, pc.add(table.column(place), shift))
            number = int(path.stem.split("-")[1]) + shards * copy
            name = f"shards-{number:06d}-{number:06d}.parquet"
            pq.write_table(moved.replace_schema_metadata(about), path.with_name(name), compression="zstd")
    return len(plan["cells"]) * plan["replications"]
