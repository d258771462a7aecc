"""Playing shards on Ray, or without it: the only file that plays on Ray.

At most as many shards are in flight as there are workers, so the driver's memory does not grow with their number.
What comes back of a shard is a small `Result`; the games themselves go from the worker to the archive.
"""

import math
import socket
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cluster import memory
from cluster.archive import Stored
from cluster.layout import PLAN
from cluster.loop import Job, Loop, Outcome, stoppable
from cluster.plan import Shard
from cluster.probe import cell_by_cell
from cluster.progress import Display, Tally
from cluster.retry import Cause
from cluster.session import Options, RayGone, on_ray, reach, stopped
from cluster.store import Store, store_of
from cluster.watch import Guarded, Watch
from cluster.worker import Result, Stage, publish_shard, ready

WAIT_SECONDS = 0.2
"""How often the driver looks up while it waits: for the progress, and for Ctrl-C."""
COUNT_SECONDS = 5.0
"""How often the driver asks how many processors the cluster has."""
LATE_SECONDS = 60.0
"""A shard takes seconds: one that has been under way for so long may be on a machine that hangs. Ray notices a machine
that is gone at once, one that hangs only after many minutes."""
MOST_COPIES = 2
DROP_SECONDS = 10.0
"""How long workers may take to end when they are not needed any more."""
NODE_LABEL = "ray.io/node-id"
"""The label by which Ray knows machines."""
TICKETS = "duosuan"
"""Namespace of the head's store in which tasks note where they are."""


class Machine(NamedTuple):
    """A machine of the cluster: what people call it, and its processors."""

    name: str
    processors: int


def play_shards(
    stored: Stored, shards: Sequence[Shard], tally: Tally, options: Options, again: bool = False
) -> Outcome:
    """Plays shards and publishes them; those that are done already only with ``again``.

    Ends when all are published or given up, or on Ctrl-C, SIGTERM or SIGHUP; what is published stays. Raises
    `RunFailed` if the archive cannot be written or Ray cannot be had.
    """
    if not shards:
        return Outcome(False, [])
    stage = ready(stored.plan, stored.inputs)
    if options.inline:
        with stoppable() as stop, Display(tally) as display:
            return Loop(stored, _Inline(stage, stored.store, again), tally, display, stop).play(shards)
    with on_ray(options, stored.store) as session, stoppable() as stop, Display(tally) as display:
        ended = False
        gone = False
        try:
            outcome = Loop(stored, _OnRay(stored, options, again), tally, display, stop).play(shards)
            ended = not outcome.stopped
            return outcome
        except RayGone:
            gone = True
            raise
        finally:
            if not ended:
                session.end(gone=gone)  # no worker is to write any more when what they have begun to is cleared away


class _Inline:
    """Plays one shard after another in this process. It cannot limit a game's time, nor survive a crash."""

    def __init__(self, stage: Stage, store: Store, again: bool) -> None:
        self.stage = stage
        self.store = store
        self.again = again
        self.jobs: list[Job] = []
        memory.keep()

    def has_room(self) -> bool:
        return not self.jobs

    def start(self, job: Job) -> None:
        self.jobs.append(job)

    def finished(self) -> list[tuple[Job, Result]]:
        jobs, self.jobs = self.jobs, []
        return [(job, publish_shard(self.stage, self.store, job.shard, Watch(), again=self.again)) for job in jobs]

    def late(self) -> list[Job]:
        return []

    def machines(self) -> Mapping[str, str]:
        return {}

    def leave_out(self, machine: str) -> str:
        return machine

    def why_still(self) -> str:
        return "this process is playing"

    def drop(self) -> None:
        self.jobs.clear()


class _OnRay:
    """Plays shards on Ray, each in a task."""

    def __init__(self, stored: Stored, options: Options, again: bool) -> None:
        import ray
        from ray.experimental import internal_kv

        self.ray = ray
        self.notes = internal_kv
        # The plan travels once to each worker process, not with every shard.
        self.work = ray.put((stored.plan, stored.inputs))
        self.store = stored.store
        context = ray.get_runtime_context()
        here = next(node for node in ray.nodes() if node["NodeID"] == context.get_node_id())
        self.needed = (context.gcs_address, f"{here['NodeManagerAddress']}:{here['NodeManagerPort']}")
        self.options = options
        self.again = again
        self.task: Any = ray.remote(num_cpus=1, max_retries=0)(_play_job)
        self.jobs: dict[Any, Job] = {}
        self.began: dict[Any, float] = {}
        self.tickets: dict[Any, str] = {}
        self.there: dict[str, Machine] = {}
        self.left_out: set[str] = set()
        self.counted = -math.inf
        self.reached = time.monotonic()

    def has_room(self) -> bool:
        # A cluster may grow and shrink.
        if time.monotonic() - self.counted > COUNT_SECONDS:
            self.count()
        # What is late does not count: it may be on a machine that is not there any more.
        since = time.monotonic() - LATE_SECONDS
        under_way = sum(began > since for began in self.began.values())
        return under_way < (self.options.workers or max(1, self.processors()))

    def count(self) -> None:
        """Sees which machines are there."""
        self.look_for_ray()
        alive = [node for node in self.ray.nodes() if node["Alive"]]
        self.there = {
            node["NodeID"]: Machine(f"{node['NodeManagerHostname']} ({node['NodeManagerAddress']})", processors)
            for node in alive
            if (processors := int(node["Resources"].get("CPU", 0)))
        }
        self.counted = time.monotonic()

    def processors(self) -> int:
        """Processors of all machines that get work."""
        return sum(it.processors for machine, it in self.there.items() if machine not in self.left_out)

    def machines(self) -> Mapping[str, str]:
        return {machine: it.name for machine, it in self.there.items() if machine not in self.left_out}

    def leave_out(self, machine: str) -> str:
        self.left_out.add(machine)
        return self.there[machine].name if machine in self.there else machine

    def start(self, job: Job) -> None:
        if job.failed:
            self.count()  # a shard must not wait for a machine that is not there any more
        avoided = self.left_out
        if self.machines().keys() - job.failed:
            avoided = avoided | job.failed
        where = {"label_selector": {NODE_LABEL: f"!in({','.join(sorted(avoided))})"}} if avoided else {}
        ticket = uuid.uuid4().hex
        work = self.task.options(**where).remote(
            ticket, [self.work], self.store.root, job.shard, job.by_cell, self.options.game_limit, self.again
        )
        self.jobs[work] = job
        self.tickets[work] = ticket
        self.began[work] = time.monotonic()

    def finished(self) -> list[tuple[Job, Result]]:
        if time.monotonic() - self.reached > COUNT_SECONDS:
            self.look_for_ray()
        ready, _ = self.ray.wait(list(self.jobs), timeout=WAIT_SECONDS)
        for work in ready:
            del self.began[work]
        ended = [(self.jobs.pop(work), self._result(work)) for work in ready]
        for work in ready:
            del self.tickets[work]
        return ended

    def late(self) -> list[Job]:
        since = time.monotonic() - LATE_SECONDS
        late = [work for work, began in self.began.items() if began <= since and self.jobs[work].copies < MOST_COPIES]
        found = []
        for work in late:
            copy = self.jobs[work]._replace(copies=self.jobs[work].copies + 1)
            self.jobs[work] = self.jobs[work]._replace(copies=MOST_COPIES)
            found.append(copy)
        return found

    def drop(self) -> None:
        for work in self.jobs:
            self.ray.cancel(work, force=True)
        if self.jobs:
            self.ray.wait(list(self.jobs), num_returns=len(self.jobs), timeout=DROP_SECONDS)

    def look_for_ray(self) -> None:
        """Ends the run if the cluster's head is gone, or Ray's process on this machine.

        Whatever asks Ray has to look first: it would wait a minute and end this process, without a word of how to go
        on.
        """
        for address in self.needed:
            try:
                reach(address)
            except OSError as error:
                raise RayGone(stopped(self.store, f"Ray at {address} is gone ({error.strerror or error})")) from None
        self.reached = time.monotonic()

    def why_still(self) -> str:
        self.count()
        total, free = self.processors(), int(self.ray.available_resources().get("CPU", 0))
        if total == 0:
            rest = " that can play" if self.left_out else ""
            return f"the cluster has no processor{rest}: a machine has to join it"
        if free == 0:
            busy = f"all {total} processors of the cluster are busy"
            return f"{busy}, with the {len(self.jobs)} shards that are under way or with the work of others"
        return f"{free} of {total} processors are free: workers are starting, or cannot start"

    def _result(self, work: Any) -> Result:
        from ray.exceptions import RayError, RayTaskError

        try:
            return self.ray.get(work)
        except RayTaskError as error:
            # A task catches what goes wrong in it. What is left are machines that lack the plan or a library, have no
            # room for a process more, and bugs.
            lacks = isinstance(error.cause, (RayError, ImportError))
            message = f"{type(error.cause).__name__}: {error.cause}".splitlines()[0]
            cause, trace = (Cause.MACHINE, "") if lacks else (Cause.ERROR, str(error))
            return Result(cause=cause, message=message, trace=trace, machine=self.machine_of(work))
        except RayError as error:
            self.look_for_ray()
            cause = cause_of(error)
            machine = self.machine_of(work) if cause == Cause.LOST else ""  # else it is gone, or cannot start a worker
            return Result(cause=cause, message=type(error).__name__, machine=machine)

    def machine_of(self, work: Any) -> str:
        """The machine on which a task has begun that has not come to its end; none if it has not begun."""
        self.look_for_ray()
        found = self.notes._internal_kv_get(self.tickets[work], namespace=TICKETS)  # pyright: ignore[reportPrivateUsage]
        self.notes._internal_kv_del(self.tickets[work], namespace=TICKETS)  # pyright: ignore[reportPrivateUsage]
        return found.decode() if found else ""


def cause_of(error: Exception) -> Cause:
    """Whose fault an error of Ray's is.

    A worker that died alone may have been killed by its game; all else is not the shard's doing: a node and what it had
    in memory are gone, or a worker could not be started.
    """
    from ray.exceptions import OutOfMemoryError, WorkerCrashedError

    return Cause.LOST if isinstance(error, (WorkerCrashedError, OutOfMemoryError)) else Cause.MACHINE


_stages: dict[str, Stage] = {}
_guards: list[Guarded] = []


def _play_job(ticket: str, *job: Any) -> Result:
    """What runs in a worker process. It tells the head where it is: of a worker that dies nothing else would."""
    import ray
    from ray.experimental import internal_kv

    machine = ray.get_runtime_context().get_node_id()
    internal_kv._internal_kv_put(ticket, machine, namespace=TICKETS)  # pyright: ignore[reportPrivateUsage]
    result = _play(*job)
    internal_kv._internal_kv_del(ticket, namespace=TICKETS)  # pyright: ignore[reportPrivateUsage]
    return result._replace(machine=machine)


def _play(work: list[Any], place: str, shard: Shard, by_cell: bool, game_limit: float, again: bool) -> Result:
    """Plays a shard; keeps the guard and the stage for those that follow."""
    import ray

    if not _guards:
        _guards.append(Guarded(game_limit))
    watch = _guards[0].watch()
    key = work[0].hex()
    if key not in _stages:
        if not store_of(place).exists(PLAN):
            # A folder of the same name on a disk of its own: what is written there nobody would find.
            message = f"{socket.gethostname()} does not see it: use a folder that all machines share, or s3://bucket/…"
            return Result(cause=Cause.DISK, message=message)
        _stages.clear()
        _stages[key] = Stage(*ray.get(work[0]))
        memory.keep()
    if by_cell:
        return cell_by_cell(_stages[key], shard, game_limit)
    return publish_shard(_stages[key], store_of(place), shard, watch, again=again)
