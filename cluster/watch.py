"""Watching games from outside: a kernel cannot be interrupted, but it tells which game it is playing."""

import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import numpy as np

LOOK_SECONDS = 0.25


class Watch:
    """Knows which game is being played.

    ``marks`` (2,) hold the number of the batch, from 1, 0 while none is played, and the kernel's place within it;
    whoever shares their memory can follow.
    """

    def __init__(self, marks: np.ndarray | None = None) -> None:
        self.marks = np.zeros(2, np.int64) if marks is None else marks
        self.batches = 0

    @property
    def current(self) -> np.ndarray:
        """The array (1,) into which a kernel writes the place of its game."""
        return self.marks[1:]

    @contextmanager
    def batch(self) -> Generator[None]:
        """While a batch is played."""
        self.batches += 1
        self.marks[1] = 0
        self.marks[0] = self.batches
        try:
            yield
        finally:
            self.marks[0] = 0


def follow(marks: np.ndarray, limit: float, ends_within: Callable[[float], bool]) -> bool:
    """Waits for something to end; returns False as soon as one game takes longer than the limit in seconds.

    ``ends_within`` waits for the end up to so many seconds and says whether it has come.
    """
    seen, since = marks.tolist(), time.monotonic()
    while not ends_within(min(LOOK_SECONDS, limit / 4)):
        now = marks.tolist()
        if now != seen or now[0] == 0:
            seen, since = now, time.monotonic()
        elif time.monotonic() - since > limit:
            return False
    return True


@contextmanager
def limited(watch: Watch, limit: float) -> Generator[None]:
    """Kills this process if a game takes longer than the limit. Its work is then lost, and is found to be."""
    ended = threading.Event()

    def look() -> None:
        if not follow(watch.marks, limit, ended.wait):
            os.kill(os.getpid(), signal.SIGKILL)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
