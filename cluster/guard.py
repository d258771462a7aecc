"""Watching a process from outside: one that loops for ever, is stopped or holds the interpreter cannot watch itself.

A worker starts this file as a process of its own, which has to be there in a few hundredths of a second: it needs the
standard library only.
"""

import mmap
import os
import signal
import struct
import sys
import time
from collections.abc import Callable, Sequence

MARKS = "3q"
"""What a watched process shares: number of its batch (0 while none is played), place of its game in it, its beat."""
LOOK_SECONDS = 0.25
BETWEEN_SECONDS = 600.0
"""How long a process may play no game: for what a policy does when it is imported, compiling, writing a shard."""


def follow(
    marks: Callable[[], Sequence[int]], limit: float, ends_within: Callable[[float], bool], silence: float | None = None
) -> bool:
    """Waits for something to end; returns False as soon as one game takes longer than the limit in seconds, or the
    time between games longer than `BETWEEN_SECONDS`.

    With ``silence`` also as soon as the beat has stood still for so long. ``ends_within`` waits for the end up to so
    many seconds and says whether it has come.
    """
    *game, beat = marks()
    since = heard = time.monotonic()
    while not ends_within(min(LOOK_SECONDS, limit / 4)):
        now = time.monotonic()
        *its, beats = marks()
        if its != game:
            game, since = its, now
        elif now - since > (limit if its[0] else BETWEEN_SECONDS):
            return False
        if beats != beat:
            beat, heard = beats, now
        elif silence is not None and now - heard > silence:
            return False
    return True


def main() -> None:
    """The other process: kills the one that has started it if a game takes too long or nothing is heard of it."""
    number, watched, limit, silence = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
    shared = mmap.mmap(number, struct.calcsize(MARKS))

    def ends_within(seconds: float) -> bool:
        time.sleep(seconds)
        return os.getppid() != watched  # an orphan gets other parents

    if not follow(lambda: struct.unpack(MARKS, shared[:]), limit, ends_within, silence):
        os.kill(watched, signal.SIGKILL)


if __name__ == "__main__":
    main()
