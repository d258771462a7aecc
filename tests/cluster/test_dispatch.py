"""A run that does not get on says so, and why."""

from types import SimpleNamespace

import pytest

from cluster import dispatch
from cluster.plan import Piece, Shard
from cluster.progress import Standstill, Tally
from cluster.worker import Result


class Slow:
    """An engine whose only job ends when it has been asked a few times."""

    def __init__(self) -> None:
        self.jobs: list[dispatch.Job] = []
        self.asked = 0

    def has_room(self) -> bool:
        return not self.jobs

    def start(self, job: dispatch.Job) -> None:
        self.jobs.append(job)

    def finished(self) -> list[tuple[dispatch.Job, Result]]:
        self.asked += 1
        return [] if self.asked < 9 else [(self.jobs.pop(), Result(10))]

    def why_still(self) -> str:
        return "it is slow"


def test_a_run_that_stands_still_says_why(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    times = iter(range(0, 1000, 10))
    monkeypatch.setattr(dispatch, "Standstill", lambda: Standstill(lambda: next(times)))
    tally = Tally(10, 0)
    display = SimpleNamespace(show=lambda: None)
    run = dispatch._Run(SimpleNamespace(), Slow(), tally, display, dispatch._Stop())
    assert run.play([Shard(0, "barbarossa", (Piece(0, 0, 10),))]) == (False, [])
    assert tally.played == 10
    assert capsys.readouterr().err.splitlines() == [
        "no shard has ended for 30 s: it is slow",
        "no shard has ended for 60 s: it is slow",
    ]


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
    engine.ray = SimpleNamespace(
        cluster_resources=lambda: {"CPU": float(total)} if total else {},
        available_resources=lambda: {"CPU": float(free)} if free else {},
    )
    engine.jobs = {"one": None, "two": None}
    assert engine.why_still().startswith(says)
