"""Machines that die, stall and join: the same bytes, in a bounded time."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.archive.conftest import Ended, Started, digests, only_experiment, write_small
from tests.ray_cluster import RayCluster, ray_cluster

pytestmark = pytest.mark.slow

SECONDS = 240
"""What a test waits for at most."""
# A policy that takes its time where it is told to, so that a node has a shard for as long as a test wants; or that, as
# on a node that is sick, raises an error or ends its process.
WAITING = """
import os
import time

import sim
from sim.game import BLUE

costly = sim.rulebook("barbarossa").policy("hold", BLUE)._replace(name="costly", cost=100.0)
until = time.monotonic() + float(os.environ.get("WAITS", "0"))
while time.monotonic() < until:
    time.sleep(0.05)
if "SICK" in os.environ:
    exec(os.environ["SICK"])
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayCluster]:
    with ray_cluster() as cluster:
        yield cluster


@pytest.fixture(autouse=True)
def nodes_go(cluster: RayCluster) -> Iterator[None]:
    yield
    for node in cluster.nodes:
        node.kill()


def wait_for(what: Callable[[], object], started: Started) -> None:
    until = time.monotonic() + SECONDS
    while not what():
        assert started.process.is_alive(), started.log.read_text()
        assert time.monotonic() < until, started.log.read_text()
        time.sleep(0.02)


@pytest.fixture
def waiting(tmp_path: Path) -> Path:
    """The small experiment with a policy that waits where the environment says so."""
    file = write_small(tmp_path)
    (tmp_path / "waiting.py").write_text(WAITING)
    file.write_text(file.read_text().replace('"hold"\ncost = 100', '"waiting.py:costly"'))
    return file


@pytest.fixture
def whole(elsewhere, waiting: Path, tmp_path: Path) -> dict[str, str]:
    """Digests of its undisturbed run."""
    ended = elsewhere.run(waiting, tmp_path / "whole")
    assert ended.code == 0, ended.text
    return digests(tmp_path / "whole")


def start(elsewhere, file: Path, archive: Path, cluster: RayCluster, *quick: str) -> Started:
    """Starts a run on the cluster that soon says what keeps it waiting."""
    call = f"""
    import cluster.progress
    cluster.progress.STILL_SECONDS = 5
    {";".join(quick)}
    run({str(file)!r}, Path({str(archive)!r}), Options(address={cluster.address!r}), 1)
    """
    return elsewhere.start(call.strip(), **cluster.token)


def published(archive: Path) -> int:
    return len(list(archive.rglob("games/**/*.parquet")))


def check(ended: Ended, archive: Path, whole: dict[str, str]) -> None:
    assert ended.code == 0, ended.text
    assert digests(archive) == whole
    assert not list(archive.rglob("*.tmp"))


def test_a_node_that_dies_with_a_shard_and_one_that_joins(elsewhere, cluster, waiting, whole, tmp_path) -> None:
    archive = tmp_path / "archive"
    doomed = cluster.add(WAITS="600")
    started = start(elsewhere, waiting, archive, cluster)
    wait_for(doomed.workers, started)
    time.sleep(2)
    doomed.kill()
    # Nobody is left: the run waits, and says what for.
    wait_for(lambda: "the cluster has no processor: a machine has to join it" in started.log.read_text(), started)
    assert published(archive) == 0
    joined = cluster.add()
    ended = started.end()
    assert joined.processes()
    check(ended, archive, whole)


def test_a_node_that_stalls_is_left_behind(elsewhere, cluster, waiting, whole, tmp_path) -> None:
    archive = tmp_path / "archive"
    stalled, other = cluster.add(WAITS="600"), cluster.add()
    started = start(elsewhere, waiting, archive, cluster)
    wait_for(lambda: stalled.workers() and other.workers(), started)
    stalled.send(signal.SIGSTOP)
    ended = started.end()
    assert ended.code == 0, ended.text
    assert digests(archive) == whole
    # What its worker had begun to write goes as soon as it is dead.
    stalled.kill()
    check(elsewhere.resume(only_experiment(archive)), archive, whole)


@pytest.mark.parametrize(
    "sick", ["raise OSError(28, 'No space left on device')", "os._exit(1)"], ids=["raises", "dies"]
)
def test_a_sick_node_costs_nothing_but_itself(elsewhere, cluster, waiting, tmp_path, sick) -> None:
    waiting.write_text(waiting.read_text().replace("replications = 100", "replications = 600"))
    undisturbed = elsewhere.run(waiting, tmp_path / "whole")
    assert undisturbed.code == 0, undisturbed.text
    archive = tmp_path / "archive"
    cluster.add(SICK=sick), cluster.add()
    ended = start(elsewhere, waiting, archive, cluster).end()
    check(ended, archive, digests(tmp_path / "whole"))
    assert "given up" not in ended.text
    told = [line for line in ended.text.splitlines() if "fails what other machines can play" in line]
    # Where each try takes a new process, the other node may have played nearly all before it is told of.
    assert len(told) == 1 or (not told and "exit" in sick)
    assert all(f"(127.0.0.{cluster.count - 1}) " in line for line in told)


def test_a_worker_that_stalls_is_killed(elsewhere, cluster, waiting, whole, tmp_path) -> None:
    archive = tmp_path / "archive"
    node = cluster.add(WAITS="5")
    started = start(elsewhere, waiting, archive, cluster)
    wait_for(node.workers, started)
    (worker,) = node.workers()
    time.sleep(2)
    worker.send_signal(signal.SIGSTOP)
    check(started.end(), archive, whole)
    assert "no shard has ended for" in started.log.read_text()


def test_workers_that_are_killed_again_and_again(elsewhere, cluster, waiting, whole, tmp_path) -> None:
    archive = tmp_path / "archive"
    node = cluster.add(WAITS="3")
    started = start(elsewhere, waiting, archive, cluster)
    for _ in range(2):
        wait_for(node.workers, started)
        (worker, *_) = node.workers()
        time.sleep(1)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait(SECONDS)
    check(started.end(), archive, whole)


def test_a_head_that_dies_ends_the_run_and_another_cluster_goes_on(elsewhere, waiting, whole, tmp_path) -> None:
    archive = tmp_path / "archive"
    with ray_cluster() as own:
        own.add(WAITS="600")
        started = start(elsewhere, waiting, archive, own)
        wait_for(own.nodes[0].workers, started)
        own.kill()
        ended = started.end()
    assert ended.code == 1, ended.text
    folder = only_experiment(archive)
    gone = f"Ray at {own.address} is gone (Connection refused); what is published stays"
    assert f"{folder}: {gone}; go on with: duosuan resume {folder}" in ended.text.splitlines()
    assert ended.text.splitlines()[-1].endswith(f"go on with: duosuan resume {folder}")
    check(elsewhere.resume(folder), archive, whole)
