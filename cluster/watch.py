"""Watching games from outside: a kernel cannot be interrupted, but it tells which game it is playing."""

import mmap
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from cluster import guard

BEAT_SECONDS = 1.0
SILENT_SECONDS = 30.0
"""A worker that has not been heard of for so long is stopped or stuck: every thread of it, also the one that beats."""


class Watch:
    """Knows which game is being played.

    ``marks`` (3,) hold the number of the batch, from 1, 0 while none is played, the kernel's place within it and a
    beat; whoever shares their memory can follow. After an error they stay as they are: at the game that it happened in.
    """

    def __init__(self, marks: np.ndarray | None = None) -> None:
        self.marks = np.zeros(3, np.int64) if marks is None else marks
        self.batches = 0

    @property
    def current(self) -> np.ndarray:
        """The array (1,) into which a kernel writes the place of its game."""
        return self.marks[1:2]

    @contextmanager
    def batch(self) -> Generator[None]:
        """While a batch is played."""
        self.batches += 1
        self.marks[1] = 0
        self.marks[0] = self.batches
        yield
        self.marks[0] = 0


class SharedMarks:
    """Marks in memory that another process can map by the number of a file that it inherits."""

    def __init__(self, number: int | None = None) -> None:
        size = struct.calcsize(guard.MARKS)
        self.number = os.memfd_create("marks") if number is None else number
        if number is None:
            os.ftruncate(self.number, size)
        self.marks = np.frombuffer(mmap.mmap(self.number, size), np.int64)

    def close(self) -> None:
        """Gives the file up; memory that is mapped stays."""
        os.close(self.number)


class Guarded:
    """A guard for this process and the marks that it follows: it kills the process if a game takes longer than the
    limit, or nothing is heard of it for too long. Its work is then lost, and is found to be.

    The guard ends with the process.
    """

    def __init__(self, limit: float, silence: float = SILENT_SECONDS) -> None:
        shared = SharedMarks()
        self.marks = shared.marks
        words = [sys.executable, "-I", "-S", str(Path(guard.__file__)), str(shared.number), str(os.getpid())]
        self.process = subprocess.Popen(
            [*words, str(limit), str(silence)],
            pass_fds=[shared.number],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        shared.close()
        self._ended = threading.Event()
        threading.Thread(target=self._beat, daemon=True).start()

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            self.marks[2] += 1

    def watch(self) -> Watch:
        """The watch of a new shard."""
        self.marks[:2] = 0
        return Watch(self.marks)
