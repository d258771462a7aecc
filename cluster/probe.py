"""Finding the game that ends its process: a shard is played cell by cell, each in a process of its own.

Nothing is recorded. A process that ends, or has to be ended, leaves behind which game it was playing.
"""

import contextlib
import ctypes
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import sim
from cluster.guard import BETWEEN_SECONDS, follow
from cluster.plan import Piece, Shard
from cluster.retry import Cause
from cluster.watch import SharedMarks, Watch
from cluster.worker import GameFailed, Result, Run, Stage
from sim.game import games_a_batch

PR_SET_PDEATHSIG = 1
"""Of ``prctl``: the signal that a process gets when its parent ends."""

LEAST_MEMORY = 2 * 2**30
"""Bytes that a game may take in any case."""


def cell_by_cell(stage: Stage, shard: Shard, limit: float) -> Result:
    """Plays a shard's games in other processes until one of these ends; says by which game."""
    for piece in shard.pieces:
        for run in stage.runs(piece):
            found = _try(stage, piece, run, limit)
            if found:
                return found
    return Result(cause=Cause.INNOCENT)


def _try(stage: Stage, piece: Piece, run: Run, limit: float) -> Result | None:
    shared = SharedMarks()
    with tempfile.TemporaryFile() as told:
        child = subprocess.Popen(
            [sys.executable, "-m", "cluster.probe", str(shared.number), str(told.fileno()), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[shared.number, told.fileno()],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        shared.close()
        assert child.stdin is not None
        with contextlib.suppress(BrokenPipeError), child.stdin as pipe:
            pickle.dump((stage.plan, stage.inputs, piece.cell, run.replications, run.level), pipe)

        def ends_within(seconds: float) -> bool:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(seconds)
            return child.returncode is not None

        in_time = follow(shared.marks.tolist, limit, ends_within)
        child.kill()
        code = child.wait()
        told.seek(0)
        words = told.read().decode()
    batch, place, _ = shared.marks.tolist()
    if in_time and code == 0 and batch == 0:
        return None
    ended = f"ended with signal {-code}" if code < 0 else f"ended with exit code {code}"
    if batch == 0:
        why = ended if in_time else f"did nothing for {BETWEEN_SECONDS:g} s"
        return Result(cause=Cause.ERROR, message=f"a process that was to play cell {piece.cell} {why} before a game")
    cell = stage.plan.cells[piece.cell]
    size = games_a_batch(sim.rulebook(cell.rulebook), stage.shape(cell), run.level)
    replication = int(run.replications[(batch - 1) * size + place])
    why = words or f"its process {ended}" if in_time else f"it took longer than {limit:g} s"
    message = f"cell {piece.cell}, replication {replication}: {why}"
    return Result(cause=Cause.NAMED, message=message, culprit=(piece.cell, replication))


def main() -> None:
    """The other process: plays what it is handed on stdin, and marks the game in shared memory."""
    marks, told, parent = map(int, sys.argv[1:])
    _bound(parent)
    plan, inputs, number, replications, level = pickle.load(sys.stdin.buffer)
    stage = Stage(plan, inputs, tried=True)
    try:
        for _ in stage.batches(plan.cells[number], replications, level, Watch(SharedMarks(marks).marks)):
            pass
    except GameFailed as failed:
        os.write(told, failed.why.encode())
        raise


def _bound(parent: int) -> None:
    """Ends this process with the one that has started it, and leaves other processes half of the memory."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)
    limit = max(_available() // 2, LEAST_MEMORY)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _available() -> int:
    """Bytes of memory that processes may still have on this machine."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")) * 1024


if __name__ == "__main__":
    main()
