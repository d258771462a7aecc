"""A run that does not get on says so, and why."""

import math
from types import SimpleNamespace

import pytest
from ray import exceptions

from cluster import RunFailed, dispatch, loop
from cluster.plan import Piece, Shard
from cluster.progress import Standstill, Tally
from cluster.retry import MOST_GIVEN_UP, MOST_MACHINES, Cause
from cluster.worker import Result


class Slow:
    """An engine whose only job ends when it has been asked a few times."""

    def __init__(self) -> None:
        self.jobs: list[loop.Job] = []
        self.asked = 0

    def has_room(self) -> bool:
        return not self.jobs

    def start(self, job: loop.Job) -> None:
        self.jobs.append(job)

    def finished(self) -> list[tuple[loop.Job, Result]]:
        self.asked += 1
        return [] if self.asked < 9 else [(self.jobs.pop(), Result(10))]

    def late(self) -> list[loop.Job]:
        return []

    def machines(self) -> dict[str, str]:
        return {}

    def leave_out(self, machine: str) -> str:
        raise AssertionError(machine)

    def drop(self) -> None:
        assert not self.jobs

    def why_still(self) -> str:
        return "it is slow"


def test_a_run_that_stands_still_says_why(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    times = iter(range(0, 1000, 10))
    monkeypatch.setattr(loop, "Standstill", lambda: Standstill(lambda: next(times)))
    tally = Tally(10, 0)
    display = SimpleNamespace(show=lambda: None)
    run = loop.Loop(SimpleNamespace(), Slow(), tally, display, loop.Stop())
    assert run.play([Shard(0, "barbarossa", (Piece(0, 0, 10),))]) == (False, [])
    assert tally.played == 10
    assert capsys.readouterr().err.splitlines() == [
        "no shard has ended for 30 s: it is slow",
        "no shard has ended for 60 s: it is slow",
    ]


class Failing:
    """An engine whose jobs end at once, each with the next of some results; counts the tries."""

    def __init__(self, results) -> None:
        self.results = iter(results)
        self.jobs: list[loop.Job] = []
        self.tries: list[loop.Job] = []

    def has_room(self) -> bool:
        return not self.jobs

    def start(self, job: loop.Job) -> None:
        self.jobs.append(job)
        self.tries.append(job)

    def finished(self) -> list[tuple[loop.Job, Result]]:
        return [(self.jobs.pop(), next(self.results))]

    def late(self) -> list[loop.Job]:
        return []

    def machines(self) -> dict[str, str]:
        return {}

    def leave_out(self, machine: str) -> str:
        raise AssertionError(machine)

    def drop(self) -> None:
        self.jobs.clear()

    def why_still(self) -> str:
        return "it fails"


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch):
    """Plays shards of ten games with an engine; gives what became of it and the run."""
    monkeypatch.setattr(loop, "report_lost_shard", lambda stored, shard, *told: {"shard": shard.number, "told": told})

    def play(engine: loop.Engine, shards: int = 1):
        tally, display = Tally(10 * shards, 0), SimpleNamespace(show=lambda: None)
        run = loop.Loop(SimpleNamespace(store="archive"), engine, tally, display, loop.Stop())
        return run.play([Shard(number, "barbarossa", (Piece(0, 0, 10),)) for number in range(shards)]), run

    return play


def test_a_shard_outlives_the_machines_that_play_it(played) -> None:
    lost = [Result(cause=Cause.MACHINE, message="NodeDiedError")] * (MOST_MACHINES - 1)
    killed = Result(cause=Cause.LOST, message="WorkerCrashedError")
    outcome, run = played(Failing([killed, *lost, Result(10)]))
    assert outcome == (False, [])
    assert run.tally.played == 10
    assert not any(job.by_cell for job in run.engine.tries)
    assert run.losses_text() == f"; 1 worker and {MOST_MACHINES - 1} machines lost so far"


def test_a_shard_that_takes_machine_after_machine_with_it_is_given_up(played) -> None:
    outcome, run = played(Failing([Result(cause=Cause.MACHINE, message="NodeDiedError")] * 10))
    assert len(run.engine.tries) == MOST_MACHINES
    assert outcome.given_up[0]["told"][0] == f"its machine was lost {MOST_MACHINES} times: NodeDiedError"


def test_a_shard_that_loses_its_worker_is_played_cell_by_cell(played) -> None:
    killed = Result(cause=Cause.LOST, message="WorkerCrashedError")
    outcome, run = played(Failing([killed, killed, Result(cause=Cause.INNOCENT), killed]))
    assert [job.by_cell for job in run.engine.tries] == [False, False, True, False]
    assert outcome.given_up[0]["told"][0] == "its worker was lost 3 times: WorkerCrashedError"


def test_a_run_ends_if_every_shard_is_given_up(played) -> None:
    bad = Result(cause=Cause.NAMED, message="cell 0, replication 1: ValueError: no")
    engine = Failing([bad] * 100)
    with pytest.raises(RunFailed, match=f"archive: {MOST_GIVEN_UP} of {MOST_GIVEN_UP} shards were given up, and so wo"):
        played(engine, 100)
    assert len(engine.tries) == MOST_GIVEN_UP


class Machines(Failing):
    """An engine with machines of one worker each, which play or fail as a function of machine and shard says.

    A sick one is quick: it has always failed its shard before another one has played.
    """

    def __init__(self, names: str, sick: str, play) -> None:
        super().__init__([])
        self.there = {name: f"machine {name}" for name in names}
        self.sick = sick
        self.play = play
        self.under_way: dict[str, loop.Job] = {}
        self.tried: list[tuple[str, int]] = []

    def has_room(self) -> bool:
        return len(self.under_way) + len(self.jobs) < len(self.there)

    def machines(self) -> dict[str, str]:
        return self.there

    def leave_out(self, machine: str) -> str:
        return self.there.pop(machine)

    def finished(self) -> list[tuple[loop.Job, Result]]:
        # As Ray does: what waits goes to a machine that is free and that it does not avoid.
        for job in list(self.jobs):
            avoided = job.failed if self.there.keys() - job.failed else frozenset()
            if free := [name for name in self.there if name not in self.under_way and name not in avoided]:
                self.under_way[free[0]] = job
                self.jobs.remove(job)
        machine = min(self.under_way, key=lambda name: name not in self.sick)
        job = self.under_way.pop(machine)
        self.tried.append((machine, job.shard.number))
        return [(job, self.play(machine, job)._replace(machine=machine))]


BAD = Result(cause=Cause.ERROR, message="OSError: no space")
SICK = {
    "raises errors": lambda job: BAD,
    "does not see the archive": lambda job: Result(cause=Cause.DISK, message="does not see it"),
    "loses its workers": lambda job: Result(cause=Cause.LOST, message="WorkerCrashedError"),
    "lacks a library": lambda job: Result(cause=Cause.MACHINE, message="ModuleNotFoundError"),
    "cannot search": lambda job: BAD if job.by_cell else Result(cause=Cause.LOST, message="WorkerCrashedError"),
}


@pytest.mark.parametrize("does", SICK)
@pytest.mark.parametrize("names", ["ab", "abc"])
def test_a_sick_machine_costs_nothing_but_itself(played, capsys, does: str, names: str) -> None:
    engine = Machines(names, "a", lambda machine, job: SICK[does](job) if machine == "a" else Result(10))
    outcome, run = played(engine, 40)
    assert outcome == (False, [])
    assert run.tally.played == 400
    told = f"machine a fails what other machines can play and gets no more work; it said last: {SICK[does](BAD_JOB)[3]}"
    assert capsys.readouterr().err.splitlines() == [told]
    assert sum(machine == "a" for machine, _ in engine.tried) < 10


BAD_JOB = loop.Job(Shard(0, "barbarossa", (Piece(0, 0, 10),)))


def test_a_machine_that_plays_most_stays(played, capsys) -> None:
    engine = Machines(
        "ab", "", lambda machine, job: BAD if machine == "a" and job.shard.number % 3 == 0 else Result(10)
    )
    outcome, run = played(engine, 60)
    assert outcome == (False, [])
    assert run.tally.played == 600
    assert capsys.readouterr().err == ""
    assert engine.there.keys() == {"a", "b"}


def test_a_shard_that_two_machines_fail_is_given_up(played, capsys) -> None:
    engine = Machines("abc", "", lambda machine, job: BAD if job.shard.number == 5 else Result(10))
    outcome, _ = played(engine, 20)
    assert [report["shard"] for report in outcome.given_up] == [5]
    assert len({machine for machine, number in engine.tried if number == 5}) == 2
    assert capsys.readouterr().err == ""


def test_the_only_machine_that_is_left_decides_alone(played) -> None:
    engine = Machines("a", "", lambda machine, job: BAD)
    with pytest.raises(RunFailed, match="20 of 20 shards were given up"):
        played(engine, 40)
    assert len(engine.tried) == MOST_GIVEN_UP


def test_an_archive_that_nobody_can_write_stops_the_run(played) -> None:
    full = Result(cause=Cause.DISK, message="cannot be written: No space left on device")
    engine = Machines("abc", "", lambda machine, job: full)
    with pytest.raises(RunFailed, match="archive: cannot be written: No space left"):
        played(engine, 40)
    assert len(engine.tried) <= 4


class Hanging(Failing):
    """An engine with two workers, of which the first hangs until all else is done."""

    def has_room(self) -> bool:
        return len(self.jobs) < 2

    def finished(self) -> list[tuple[loop.Job, Result]]:
        return [(self.jobs.pop(), Result(10)), *([(self.jobs.pop(), Result(10))] if len(self.tries) == 4 else [])]

    def late(self) -> list[loop.Job]:
        return [self.jobs[0]._replace(copies=1)] if len(self.tries) == 3 else []


def test_a_shard_on_a_machine_that_hangs_is_played_elsewhere(played) -> None:
    outcome, run = played(Hanging([]), 3)
    assert outcome == (False, [])
    # The try that hung ended in the end, too: the shard counts once.
    assert run.tally.played == 30
    assert [(job.shard.number, job.copies) for job in run.engine.tries] == [(0, 0), (1, 0), (2, 0), (0, 1)]


def test_what_is_late_leaves_room_and_is_tried_again_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(dispatch.time, "monotonic", lambda: now[0])
    engine = object.__new__(dispatch._OnRay)
    engine.options = dispatch.Options(workers=1)
    engine.counted, engine.there, engine.left_out = math.inf, {"a": dispatch.Machine("a", 1)}, set()
    engine.jobs, engine.began, engine.tickets = {}, {}, {}
    engine.again, engine.work, engine.store = False, None, SimpleNamespace(root="")
    tasks = iter(range(10))
    engine.task = SimpleNamespace(options=lambda: SimpleNamespace(remote=lambda *given: next(tasks)))
    engine.start(loop.Job(Shard(0, "barbarossa", (Piece(0, 0, 10),))))
    assert not engine.has_room()
    copies = []
    for _ in range(5):
        now[0] += dispatch.LATE_SECONDS
        assert engine.has_room()
        for job in engine.late():
            copies.append(job.copies)
            engine.start(job)
        assert not engine.late()
    assert copies == [1, 2]


RAY_ERRORS = [
    (exceptions.WorkerCrashedError(), Cause.LOST),
    (exceptions.OutOfMemoryError("the worker was killed: the node is short of memory"), Cause.LOST),
    (exceptions.NodeDiedError("the node is gone"), Cause.MACHINE),
    (exceptions.LocalRayletDiedError(), Cause.MACHINE),
    (exceptions.OwnerDiedError("00" * 28, "", ""), Cause.MACHINE),
    (exceptions.ObjectLostError("00" * 28, "", ""), Cause.MACHINE),
    (exceptions.ObjectFetchTimedOutError("00" * 28, "", ""), Cause.MACHINE),
    (exceptions.OutOfDiskError(), Cause.MACHINE),
    (exceptions.RuntimeEnvSetupError("no space"), Cause.MACHINE),
    (exceptions.TaskUnschedulableError("no such node"), Cause.MACHINE),
    (exceptions.RaySystemError("oh"), Cause.MACHINE),
]


def engine_that_gets(error: Exception) -> dispatch._OnRay:
    engine = object.__new__(dispatch._OnRay)

    def get(work: object) -> None:
        raise error

    engine.ray = SimpleNamespace(get=get)
    engine.machine_of = lambda work: "a"
    engine.look_for_ray = lambda: None
    return engine


@pytest.mark.parametrize(("error", "cause"), RAY_ERRORS, ids=lambda given: type(given).__name__)
def test_whose_fault_it_is_when_ray_loses_something(error: Exception, cause: Cause) -> None:
    found = engine_that_gets(error)._result(None)
    assert (found.cause, found.message) == (cause, type(error).__name__)
    assert found.machine == ("a" if cause == Cause.LOST else "")


def test_a_machine_that_lacks_the_plan_or_a_library_is_at_fault() -> None:
    for cause, says in (
        (exceptions.ObjectLostError("00" * 28, "", ""), "ObjectLostError: "),
        (ModuleNotFoundError("No module named 'numba'"), "ModuleNotFoundError: No module named 'numba'"),
    ):
        found = engine_that_gets(exceptions.RayTaskError("_play_job", "traceback", cause))._result(None)
        assert found.cause == Cause.MACHINE
        assert found.message.startswith(says)


def test_whatever_else_is_raised_in_a_worker_is_in_the_report() -> None:
    for cause in (KeyError("oh"), OSError(28, "No space left on device"), MemoryError()):
        found = engine_that_gets(exceptions.RayTaskError("_play_job", "where it was", cause))._result(None)
        assert (found.cause, found.machine) == (Cause.ERROR, "a")
        assert found.message.startswith(f"{type(cause).__name__}: ")
        assert "where it was" in found.trace


@pytest.mark.parametrize(
    ("total", "free", "says"),
    [
        (0, 0, "the cluster has no processor: a machine has to join it"),
        (4, 0, "all 4 processors of the cluster are busy, with the 2 shards that are under way or with the work of"),
        (4, 3, "3 of 4 processors are free: workers are starting, or cannot start"),
    ],
)
def test_what_a_cluster_waits_for(total: int, free: int, says: str) -> None:
    engine = object.__new__(dispatch._OnRay)
    node = {"Alive": True, "NodeID": "a", "NodeManagerHostname": "a", "NodeManagerAddress": "::1"}
    engine.ray = SimpleNamespace(
        nodes=lambda: [{**node, "Resources": {"CPU": float(total)} if total else {}}],
        available_resources=lambda: {"CPU": float(free)} if free else {},
    )
    engine.left_out = set()
    engine.jobs = {"one": None, "two": None}
    engine.look_for_ray = lambda: None
    assert engine.why_still().startswith(says)


def test_a_machine_that_does_not_see_the_archive_stops_the_run(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(dispatch, "_guards", [SimpleNamespace(watch=lambda: None)])
    monkeypatch.setattr(dispatch, "_stages", {})
    work = [SimpleNamespace(hex=lambda: "of the plan")]
    shard = Shard(0, "barbarossa", (Piece(0, 0, 10),))
    found = dispatch._play(work, str(tmp_path), shard, by_cell=False, game_limit=60.0, again=False)
    assert found.cause == Cause.DISK
    assert "does not see it: use a folder that all machines share" in found.message
