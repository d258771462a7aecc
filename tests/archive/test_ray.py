"""Ray or not, however many workers, whatever they suffer: the same bytes."""

import contextlib
import fcntl
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from cluster.session import FOLDERS, own_folder
from tests.archive.conftest import Started, digests, only_experiment, run_call


def test_one_worker_makes_the_same_bytes_as_none(elsewhere, small, reference, tmp_path) -> None:
    ended = elsewhere.run(small(), tmp_path / "archive", "workers=1")
    assert ended.code == 0, ended.text
    assert digests(tmp_path / "archive") == digests(reference)


def test_two_workers_of_which_one_is_lost_make_the_same_bytes(elsewhere, small, reference, tmp_path) -> None:
    marker = tmp_path / "lost"
    fault = f"after-rename-units:1:{marker}"
    ended = elsewhere.run(small(), tmp_path / "archive", "workers=2", DUOSUAN_FAULT=fault)
    assert ended.code == 0, ended.text
    assert marker.exists()
    assert "400 of 400 games" in ended.text
    assert digests(tmp_path / "archive") == digests(reference)
    assert not list((tmp_path / "archive").rglob("*.tmp"))
    first, *progress = ended.text.splitlines()
    assert first.endswith("5 of 5 shards to play")
    assert progress[-1].startswith("400 of 400 games, ")
    assert all(" of 400 games, " in line for line in progress), "Ray is to keep quiet"


def own_processes(started: Started) -> dict[str, list[psutil.Process]]:
    """All that a run has started, by what it is."""
    found: dict[str, list[psutil.Process]] = {}
    for process in psutil.Process(started.process.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            words = " ".join(process.cmdline()).split(" --")[0].split()
            found.setdefault(Path(words[-1]).name, []).append(process)
    return found


def are_gone(processes: list[psutil.Process], seconds: float = 10) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes):
            return True
        time.sleep(0.1)
    return False


def start_until_first_shard(elsewhere, file: Path, archive: Path) -> Started:
    started = elsewhere.start(run_call(file, archive, "workers=2"))
    while not list(archive.rglob("games/**/*.parquet")) and started.process.is_alive():
        time.sleep(0.01)
    return started


def folders() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob(f"{FOLDERS}*"))


SIGNALS = {"kill": signal.SIGKILL, "terminate": signal.SIGTERM, "interrupt": signal.SIGINT, "hang up": signal.SIGHUP}


@pytest.mark.slow
@pytest.mark.parametrize("end", SIGNALS)
def test_a_driver_that_ends_leaves_nothing_behind_but_what_is_published(elsewhere, small, tmp_path, end) -> None:
    file, archive, before = small(replications=3000), tmp_path / "archive", folders()
    started = start_until_first_shard(elsewhere, file, archive)
    rays = [process for processes in own_processes(started).values() for process in processes]
    assert len(rays) > 5
    os.kill(started.process.pid, SIGNALS[end])
    ended = started.end()
    folder = only_experiment(archive)
    assert are_gone(rays)
    assert ended.code == (-9 if end == "kill" else 1)
    assert started.log.read_text().splitlines()[-1].endswith(f"go on with: duosuan resume {folder}")
    assert folders() <= before
    if end != "kill":
        assert not list(archive.rglob("*.tmp"))
    there = digests(archive)
    time.sleep(2)
    assert digests(archive) == there
    again = elsewhere.resume(folder)
    assert again.code == 0, again.text
    once = elsewhere.run(file, tmp_path / "once")
    assert once.code == 0, once.text
    assert digests(archive) == digests(tmp_path / "once")


@pytest.mark.slow
@pytest.mark.parametrize("part", ["raylet", "gcs_server", "ray::DashboardAgent", "ray::RuntimeEnvAgent"])
def test_a_part_of_ray_that_dies_ends_the_run_with_the_command_that_goes_on(elsewhere, small, tmp_path, part) -> None:
    archive, before = tmp_path / "archive", folders()
    started = start_until_first_shard(elsewhere, small(replications=3000), archive)
    parts = own_processes(started)
    for process in parts[part]:
        process.kill()
    ended = started.end()
    folder = only_experiment(archive)
    assert are_gone([process for processes in parts.values() for process in processes])
    assert ended.code == 1, ended.text
    assert started.log.read_text().splitlines()[-1].endswith(f"go on with: duosuan resume {folder}")
    assert folders() <= before
    assert elsewhere.resume(folder).code == 0
    assert not list(archive.rglob("*.tmp"))


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.5, 2, 4])
def test_a_run_that_is_stopped_while_ray_starts_says_how_to_go_on(elsewhere, small, tmp_path, seconds: float) -> None:
    archive, before = tmp_path / "archive", folders()
    started = elsewhere.start(run_call(small(replications=3000), archive, "workers=2"))
    while folders() <= before:
        assert started.process.is_alive()
        time.sleep(0.01)
    time.sleep(seconds)
    os.kill(started.process.pid, signal.SIGTERM)
    ended = started.end()
    assert ended.code == 1, ended.text
    assert ended.text.splitlines()[-1].endswith(f"go on with: duosuan resume {only_experiment(archive)}")
    assert folders() <= before


def test_folders_of_runs_that_are_no_more_are_removed(tmp_path, monkeypatch) -> None:
    place = Path(tempfile.mkdtemp(dir="/tmp"))
    monkeypatch.setenv("RAY_TMPDIR", str(place))
    dead, young, held = (place / f"{FOLDERS}{name}" for name in ("dead", "young", "held"))
    for folder in (dead, young, held):
        (folder / "session").mkdir(parents=True)
    for folder in (dead, held):
        os.utime(folder, (0, 0))
    holder = os.open(held, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    with own_folder() as own:
        assert set(place.iterdir()) == {young, held, own}
    assert set(place.iterdir()) == {young, held}
    os.close(holder)
    shutil.rmtree(place)


@pytest.mark.slow
def test_a_cluster_that_is_there_is_joined_and_gets_our_code(elsewhere, small, reference, tmp_path) -> None:
    code = "import ray, sys; print(ray.init(address='local', num_cpus=2).address_info['address'], flush=True)"
    # It starts far from the checkout and without its path: what its workers run has travelled.
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16)}
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | token
    cluster = subprocess.Popen(
        [sys.executable, "-c", f"{code}; sys.stdin.read()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd="/",
        env=environment,
    )
    assert cluster.stdin is not None
    assert cluster.stdout is not None
    with cluster.stdin, cluster.stdout:
        address = next(line.strip() for line in cluster.stdout if ":" in line and " " not in line.strip())
        ended = elsewhere.run(small(), tmp_path / "archive", f"address={address!r}", **token)
        assert ended.code == 0, ended.text
        assert digests(tmp_path / "archive") == digests(reference)
        nowhere = elsewhere.run(small(), tmp_path / "other", "address='127.0.0.1:1'", **token)
        assert nowhere.code == 1
        assert "Ray at 127.0.0.1:1 cannot be joined" in nowhere.text.splitlines()[-1]
    cluster.wait()
