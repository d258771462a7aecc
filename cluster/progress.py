"""How far a run is, on stderr: a bar on a terminal, a line now and then elsewhere."""

import contextlib
import sys
import time
from collections.abc import Callable
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

LINE_SECONDS = 10.0
STILL_SECONDS = 30.0
"""Without a single shard for so long, a run says so and why."""


class Tally:
    """Games of an experiment: all, those that were there before, those of this run. Only ever counts up."""

    def __init__(self, total: int, before: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.total = total
        self.before = before
        self.played = 0
        self.failed = 0
        self.lost = 0
        self._clock = clock
        self.start()

    def start(self) -> None:
        """Counts the time from now on."""
        self._start = self._clock()

    def add(self, games: int, failed: int) -> None:
        """Counts the games of a published shard."""
        self.played += games
        self.failed += failed

    def lose(self, games: int) -> None:
        """Counts the games of a shard that is given up."""
        self.lost += games

    @property
    def done(self) -> int:
        """Games that are in the archive."""
        return self.before + self.played

    @property
    def rate(self) -> float:
        """Games a second in this run."""
        return self.played / max(self._clock() - self._start, 1e-9)

    @property
    def remaining(self) -> float | None:
        """Seconds that the rest will take at this rate; None before the first shard."""
        left = self.total - self.done - self.lost
        return left / self.rate if self.played else None

    def line(self) -> str:
        """The numbers in one line."""
        rest = "" if self.remaining is None else f", {duration_text(self.remaining)} left"
        failed = f", {self.failed:,} failed" if self.failed else ""
        lost = f", {self.lost:,} given up" if self.lost else ""
        return f"{self.done:,} of {self.total:,} games, {self.rate:,.0f} games/s{rest}{failed}{lost}"


def duration_text(seconds: float) -> str:
    """A time as minutes and seconds, with hours where there are any."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"


class Display:
    """Shows a tally while it grows; use as a context."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._console = Console(stderr=True)
        self._bar = Progress(BarColumn(), TextColumn("{task.description}"), console=self._console, transient=True)
        self._task = self._bar.add_task(tally.line(), total=tally.total, completed=tally.done)
        self._told = time.monotonic()

    def __enter__(self) -> "Display":
        self._tally.start()
        if self._console.is_terminal:
            self._bar.start()
        return self

    def show(self) -> None:
        """Shows the tally as it is now."""
        if self._console.is_terminal:
            self._bar.update(self._task, completed=self._tally.done, description=self._tally.line())
        elif time.monotonic() - self._told >= LINE_SECONDS:
            self._told = time.monotonic()
            say(self._tally.line())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):  # the terminal is gone
            if self._console.is_terminal:
                self._bar.stop()
        say(self._tally.line())


class Standstill:
    """How long nothing has moved: worth telling after a while, then ever more rarely."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.moved()

    def moved(self) -> None:
        """Something has moved."""
        self._since = self._clock()
        self._patience = STILL_SECONDS

    def to_tell(self) -> float | None:
        """Seconds since something moved, if it is time to tell; None if it is not."""
        still = self._clock() - self._since
        if still < self._patience:
            return None
        self._patience = 2 * still
        return still


def say(line: str) -> None:
    """A line on stderr. That nobody reads it, or that it has no room, is no reason to end a run."""
    with contextlib.suppress(OSError):
        print(line, file=sys.stderr, flush=True)
