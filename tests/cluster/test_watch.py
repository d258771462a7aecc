"""Watching games from outside."""

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from cluster import guard
from cluster.watch import Watch


def test_a_watch_marks_batch_and_game() -> None:
    watch = Watch()
    assert watch.marks.tolist() == [0, 0, 0]
    with watch.batch():
        watch.current[0] = 5
        assert watch.marks.tolist() == [1, 5, 0]
    assert watch.marks[0] == 0
    with watch.batch():
        assert watch.marks.tolist() == [2, 0, 0]


def test_after_an_error_the_game_is_known() -> None:
    watch = Watch()

    def play() -> None:
        with watch.batch():
            watch.current[0] = 5
            raise ValueError("bad")

    with pytest.raises(ValueError, match="bad"):
        play()
    assert watch.marks.tolist() == [1, 5, 0]


def followed(marks: np.ndarray, work) -> bool:
    thread = threading.Thread(target=work)
    thread.start()

    def ends_within(seconds: float) -> bool:
        thread.join(seconds)
        return not thread.is_alive()

    in_time = guard.follow(marks.tolist, 0.4, ends_within)
    thread.join()
    return in_time


def test_games_that_go_on_are_in_time() -> None:
    watch = Watch()

    def work() -> None:
        with watch.batch():
            for game in range(8):
                watch.current[0] = game
                time.sleep(0.1)

    assert followed(watch.marks, work)


def test_a_game_that_takes_too_long_is_not() -> None:
    watch = Watch()

    def work() -> None:
        with watch.batch():
            time.sleep(1)

    assert not followed(watch.marks, work)


def test_time_between_batches_does_not_count() -> None:
    assert followed(Watch().marks, lambda: time.sleep(0.8))


def test_but_not_for_ever(monkeypatch) -> None:
    monkeypatch.setattr(guard, "BETWEEN_SECONDS", 0.4)
    assert not followed(Watch().marks, lambda: time.sleep(0.8))


# A process that plays one game for so many seconds and shows its guard's process.
GUARDED = """
import sys, time
from cluster.watch import Guarded
guarded = Guarded(limit={limit}, silence={silence})
print(guarded.process.pid, flush=True)
with guarded.watch().batch():
    {does}
"""


def guarded(limit: float, silence: float, does: str) -> subprocess.Popen:
    code = GUARDED.format(limit=limit, silence=silence, does=does)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize(
    ("limit", "silence", "does"),
    [
        (0.5, 100, "time.sleep(100)"),
        # A regular expression that takes years, and holds the interpreter all the while.
        (0.5, 100, "import re; re.match('(a+)+$', 'a' * 100 + 'b')"),
        (100, 3, "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"),
    ],
    ids=["endless", "holding the interpreter", "stopped"],
)
def test_a_process_is_killed_from_outside_whatever_it_does(limit, silence, does) -> None:
    with guarded(limit, silence, does) as process:
        assert process.wait(60) == -signal.SIGKILL


def test_a_guard_ends_with_its_process() -> None:
    with guarded(100, 100, "pass") as process:
        assert process.stdout is not None
        number = int(process.stdout.readline())
        assert process.wait(60) == 0
    until = time.monotonic() + 60
    while Path(f"/proc/{number}/cmdline").exists() and Path(f"/proc/{number}/cmdline").read_bytes():
        assert time.monotonic() < until, "the guard is still there"
        time.sleep(0.05)
