"""The loop of a run: keeps an engine busy and decides about every shard that comes back. Knows nothing of Ray."""

import signal
from collections import Counter, deque
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple, Protocol

from cluster import RunFailed
from cluster.archive import Stored, writing
from cluster.failures import report_lost_shard
from cluster.machines import Machines
from cluster.plan import Shard
from cluster.progress import Display, Standstill, Tally, say
from cluster.retry import Cause, Next, decide, is_hopeless
from cluster.worker import Result

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Job(NamedTuple):
    """One try at a shard: the workers and machines it has lost before; whether to look for the game that does it; how
    many tries before it have not ended; the machines, by their ids, that have failed it.
    """

    shard: Shard
    losses: int = 0
    machines: int = 0
    by_cell: bool = False
    copies: int = 0
    failed: frozenset[str] = frozenset()


class Outcome(NamedTuple):
    """How a run ended: whether it was stopped, and the reports on shards that were given up."""

    stopped: bool
    given_up: list[dict[str, Any]]


class Engine(Protocol):
    """Something that plays shards: a few at a time."""

    def has_room(self) -> bool:
        """Whether another job may start."""
        ...

    def start(self, job: Job) -> None:
        """Starts a job, on a machine that has not failed it if there is one."""
        ...

    def finished(self) -> list[tuple[Job, Result]]:
        """Jobs that have ended since the last call; waits a moment for one."""
        ...

    def late(self) -> list[Job]:
        """Further tries at shards that take too long; each is told of once."""
        ...

    def machines(self) -> Mapping[str, str]:
        """Machines that get work, by their ids, and what people call them; none if there is but this one."""
        ...

    def leave_out(self, machine: str) -> str:
        """Gives a machine no more work; returns what people call it."""
        ...

    def why_still(self) -> str:
        """What keeps jobs from ending, as far as can be seen from here."""
        ...

    def drop(self) -> None:
        """Gives up what is still under way."""
        ...


class Stop:
    """Whether somebody has asked the run to stop."""

    requested = False


@contextmanager
def stoppable() -> Generator[Stop]:
    """Turns the first Ctrl-C, SIGTERM or SIGHUP into a request; a second one ends the process as usual.

    A SIGHUP that is ignored, as `nohup` has it, stays so.
    """
    stop = Stop()
    before: dict[int, Any] = {number: signal.getsignal(number) for number in STOPS}
    if before[signal.SIGHUP] == signal.SIG_IGN:
        del before[signal.SIGHUP]

    def request(number: int, frame: FrameType | None) -> None:
        stop.requested = True
        signal.signal(number, before[number])

    for number in before:
        signal.signal(number, request)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Loop:
    """The loop: keeps the engine busy and decides about every shard that comes back."""

    def __init__(self, stored: Stored, engine: Engine, tally: Tally, display: Display, stop: Stop) -> None:
        self.stored = stored
        self.engine = engine
        self.tally = tally
        self.display = display
        self.stop = stop
        self.given_up: list[dict[str, Any]] = []
        self.published = 0
        self.lost: Counter[Cause] = Counter()
        self.machines = Machines()
        self.waiting: deque[Job] = deque()
        self.copied: dict[int, bool] = {}  # shards that are tried twice at once, and whether they are settled

    def play(self, shards: Sequence[Shard]) -> Outcome:
        """Plays shards until all are settled or it is asked to stop."""
        self.waiting.extend(map(Job, shards))
        standstill = Standstill()
        open_jobs = len(self.waiting)
        while open_jobs and not self.stop.requested:
            while self.waiting and self.engine.has_room():
                self.engine.start(self.waiting.popleft())
            if not self.waiting:
                self.start_copies()
            for job, result in self.engine.finished():
                open_jobs -= self.settle(job, result)
                standstill.moved()
            if seconds := standstill.to_tell():
                say(f"no shard has ended for {seconds:.0f} s: {self.engine.why_still()}{self.losses_text()}")
            self.display.show()
        self.engine.drop()
        return Outcome(self.stop.requested and open_jobs > 0, self.given_up)

    def start_copies(self) -> None:
        """Has idle workers play shards that are late: whichever is first publishes what both would."""
        for job in self.engine.late():
            self.copied.setdefault(job.shard.number, False)
            self.engine.start(job)

    def settle(self, job: Job, result: Result) -> bool:
        """Deals with what came of a try at a shard; returns whether this has settled the shard."""
        if self.copied.get(job.shard.number):
            return False  # another try was faster
        settled = self.decide(job, result)
        if settled and job.shard.number in self.copied:
            self.copied[job.shard.number] = True
        return settled

    def decide(self, job: Job, result: Result) -> bool:
        """Whether a shard is settled by what came of a try; if not, has it tried again."""
        if result.cause is None:
            self.published += 1
            self.tally.add(result.games, result.failed)
            self.leave_out_sick(job, result)
            return True
        self.lost[result.cause] += 1
        losses = job.losses + (result.cause == Cause.LOST)
        machines = job.machines + (result.cause == Cause.MACHINE)
        failed = job.failed
        if result.machine and result.cause != Cause.INNOCENT:
            failed |= {result.machine}
            self.machines.failed(result.machine, result.message)
        untried = self.engine.machines().keys() - failed
        following = decide(result.cause, losses, machines, job.by_cell, len(failed), len(untried))
        if following == Next.STOP:
            raise RunFailed(f"{self.stored.store}: {result.message}")
        if following == Next.GIVE_UP:
            self.give_up(job.shard, result, losses, machines)
            return True
        self.waiting.appendleft(Job(job.shard, losses, machines, following == Next.CELL_BY_CELL, failed=failed))
        return False

    def leave_out_sick(self, job: Job, result: Result) -> None:
        """Gives no more work to machines that have failed what another one has just played, once too often."""
        for machine in self.machines.played(result.machine, job.failed):
            name, last = self.engine.leave_out(machine), self.machines.last[machine]
            say(f"{name} fails what other machines can play and gets no more work; it said last: {last}")

    def give_up(self, shard: Shard, result: Result, losses: int, machines: int) -> None:
        """Reports on a shard that is given up; ends the run if that is what becomes of most."""
        why = {
            Cause.LOST: f"its worker was lost {losses} times: ",
            Cause.INNOCENT: f"its worker was lost {losses} times, and none of its games does that alone",
            Cause.MACHINE: f"its machine was lost {machines} times: ",
        }.get(result.cause or Cause.ERROR, "")
        message = f"{why}{result.message}"
        self.tally.lose(shard.games)
        with writing(self.stored.store):
            self.given_up.append(report_lost_shard(self.stored, shard, message, result.culprit, result.trace))
        if is_hopeless(len(self.given_up), self.published):
            found = f"{len(self.given_up)} of {len(self.given_up) + self.published} shards were given up"
            raise RunFailed(f"{self.stored.store}: {found}, and so would be the rest; the last one: {message}")

    def losses_text(self) -> str:
        """What has been lost so far, in words."""
        words = ((Cause.LOST, "worker"), (Cause.MACHINE, "machine"))
        lost = [f"{n} {what}{'' if n == 1 else 's'}" for cause, what in words if (n := self.lost[cause])]
        return f"; {' and '.join(lost)} lost so far" if lost else ""
