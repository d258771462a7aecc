"""Watching games from outside."""

import threading
import time

import numpy as np

from cluster.watch import Watch, follow


def test_a_watch_marks_batch_and_game() -> None:
    watch = Watch()
    assert watch.marks.tolist() == [0, 0]
    with watch.batch():
        watch.current[0] = 5
        assert watch.marks.tolist() == [1, 5]
    assert watch.marks[0] == 0
    with watch.batch():
        assert watch.marks.tolist() == [2, 0]


def followed(marks: np.ndarray, work) -> bool:
    thread = threading.Thread(target=work)
    thread.start()

    def ends_within(seconds: float) -> bool:
        thread.join(seconds)
        return not thread.is_alive()

    in_time = follow(marks, 0.4, ends_within)
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
