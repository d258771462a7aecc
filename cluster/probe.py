"""Finding the game that ends its process: a shard is played cell by cell, each in a process of its own.

Nothing is recorded. A process that ends, or has to be ended, leaves behind which game it was playing.
"""

import contextlib
import mmap
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import sim
from cluster.plan import Piece, Shard
from cluster.retry import Cause
from cluster.watch import Watch, follow
from cluster.worker import Result, Run, Stage
from sim.game import games_a_batch


def cell_by_cell(stage: Stage, shard: Shard, limit: float) -> Result:
    """Plays a shard's games in other processes until one of these ends; says by which game."""
    for piece in shard.pieces:
        for run in stage.runs(piece):
            found = _try(stage, piece, run, limit)
            if found:
                return found
    return Result(cause=Cause.INNOCENT)


def _try(stage: Stage, piece: Piece, run: Run, limit: float) -> Result | None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "marks"
        file.write_bytes(bytes(16))
        marks = _shared(file)
        child = subprocess.Popen(
            [sys.executable, "-m", "cluster.probe", str(file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert child.stdin is not None
        with child.stdin as pipe:
            pickle.dump((stage.plan, stage.inputs, piece.cell, run.replications, run.level), pipe)

        def ends_within(seconds: float) -> bool:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(seconds)
            return child.returncode is not None

        in_time = follow(marks, limit, ends_within)
        child.kill()
        code = child.wait()
        batch, place = marks.tolist()
    if in_time and code == 0:
        return None
    if batch == 0:
        return Result(cause=Cause.ERROR, message=f"a process that should play cell {piece.cell} ended with {code}")
    cell = stage.plan.cells[piece.cell]
    size = games_a_batch(sim.rulebook(cell.rulebook), stage.shape(cell), run.level)
    replication = int(run.replications[(batch - 1) * size + place])
    why = f"its process ended with signal {-code}" if in_time else f"it took longer than {limit:g} s"
    message = f"cell {piece.cell}, replication {replication}: {why}"
    return Result(cause=Cause.NAMED, message=message, culprit=(piece.cell, replication))


def _shared(file: Path) -> np.ndarray:
    with file.open("r+b") as opened:
        return np.frombuffer(mmap.mmap(opened.fileno(), 16), np.int64)


def main() -> None:
    """The other process: plays what it is handed on stdin, and marks the game in a shared file."""
    plan, inputs, number, replications, level = pickle.load(sys.stdin.buffer)
    watch = Watch(_shared(Path(sys.argv[1])))
    for _ in Stage(plan, inputs).batches(plan.cells[number], replications, level, watch):
        pass


if __name__ == "__main__":
    main()
