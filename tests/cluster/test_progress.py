"""The numbers of the progress line."""

from cluster.progress import STILL_SECONDS, Standstill, Tally, duration_text


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_totals_rate_and_remaining_time() -> None:
    clock = Clock()
    tally = Tally(1000, 200, clock)
    assert tally.line() == "200 of 1,000 games, 0 games/s"
    clock.now += 2
    tally.add(300, 0)
    assert tally.line() == "500 of 1,000 games, 150 games/s, 0:03 left"
    clock.now += 2
    tally.add(300, 12)
    tally.lose(200)
    assert tally.line() == "800 of 1,000 games, 150 games/s, 0:00 left, 12 failed, 200 given up"


def test_games_only_ever_grow_to_the_total() -> None:
    clock = Clock()
    tally = Tally(100, 40, clock)
    seen = [tally.done]
    for games in (10, 0, 20, 30):
        clock.now += 1
        tally.add(games, 0)
        seen.append(tally.done)
    assert seen == sorted(seen) == [40, 50, 50, 70, 100]
    assert tally.remaining == 0


def test_time_spent_before_the_first_game_does_not_count() -> None:
    clock = Clock()
    tally = Tally(100, 0, clock)
    clock.now += 50
    tally.start()
    clock.now += 1
    tally.add(10, 0)
    assert tally.rate == 10


def test_durations() -> None:
    assert [duration_text(seconds) for seconds in (0, 59.6, 61, 3600, 36_125)] == [
        "0:00",
        "1:00",
        "1:01",
        "1:00:00",
        "10:02:05",
    ]


def test_a_standstill_is_told_after_a_while_and_then_ever_more_rarely() -> None:
    clock = Clock()
    standstill = Standstill(clock)
    told = []
    for _ in range(20):
        clock.now += STILL_SECONDS / 2
        told.append(standstill.to_tell())
    assert [seconds for seconds in told if seconds] == [STILL_SECONDS * times for times in (1, 2, 4, 8)]
    standstill.moved()
    clock.now += STILL_SECONDS - 1
    assert standstill.to_tell() is None
