"""Looking after a run from outside: whatever ends its process, Ray's are ended too and the last word is how to go on.

A run starts this file as a process of its own, which has to be there at once: it needs the standard library only.
"""

import contextlib
import os
import select
import shutil
import signal
import sys
import time
from pathlib import Path

MARK = "DUOSUAN_RAY"
"""Variable by which the processes of a run's own Ray are known: it has the folder that they use."""
CLEAR, SAID = b"\nclear\n", b"\nsaid\n"
"""What a run tells: that its Ray is not needed any more, and that it has said its last word."""
LOOK_SECONDS = 0.5
MOST_SECONDS = 10.0
"""How long processes may take to end after they are killed."""


def main() -> None:
    """The other process: tidies up when the one that has started it says so, or ends, and waits for that end.

    Arguments are that process's number and the folder of its Ray, which may be none. From its input it gets lines: the
    last word, which it says unless it is told that there was one; then `CLEAR` and `SAID`. It closes its output when
    all is tidy.
    """
    run, folder = int(sys.argv[1]), sys.argv[2]
    told = b""
    tidy = False
    while os.getppid() == run:  # an orphan gets other parents
        if select.select([0], [], [], LOOK_SECONDS)[0]:
            more = os.read(0, 65536)
            if not more:
                break
            told += more
        if not tidy and CLEAR in told:
            tidy = _tidy(folder)
    if SAID not in told:
        with contextlib.suppress(OSError):  # nobody reads it
            os.write(2, told.partition(b"\n")[0] + b"\n")
    if not tidy:
        _tidy(folder)


def _tidy(folder: str) -> bool:
    if folder:
        _end_processes(folder)
        shutil.rmtree(folder, ignore_errors=True)
    os.close(1)
    return True


def _end_processes(folder: str) -> None:
    until = time.monotonic() + MOST_SECONDS
    while (found := _processes(folder)) and time.monotonic() < until:
        for process in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.02)


def _processes(folder: str) -> list[int]:
    """Processes that have been started with the folder in their environment; what has ended has none."""
    mark = f"{MARK}={folder}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or is another user's
            if mark in (path / "environ").read_bytes().split(b"\0"):
                found.append(int(path.name))
    return found


if __name__ == "__main__":
    main()
