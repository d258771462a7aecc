"""Ray or not, however many workers, whatever they suffer: the same bytes."""

import os
import secrets
import subprocess
import sys
import time

import pytest

from tests.archive.conftest import digests, only_experiment, run_call


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


@pytest.mark.slow
@pytest.mark.parametrize("end", ["kill", "terminate", "interrupt"])
def test_a_driver_that_ends_leaves_nothing_behind_but_what_is_published(elsewhere, small, tmp_path, end) -> None:
    file, archive = small(replications=3000), tmp_path / "archive"
    started = elsewhere.start(run_call(file, archive, "workers=2"))
    while not list(archive.rglob("games/**/*.parquet")) and started.process.is_alive():
        time.sleep(0.01)
    if end == "interrupt":
        subprocess.run(["kill", "-INT", str(started.process.pid)], check=True)
    else:
        getattr(started.process, end)()
    ended = started.end()
    folder = only_experiment(archive)
    if end == "kill":
        assert ended.code == -9
    else:
        assert ended.code == 1
        assert ended.text.splitlines()[-1].endswith(f"go on with: duosuan resume {folder}")
    time.sleep(5)  # Ray's processes follow their driver
    there = digests(archive)
    time.sleep(2)
    assert digests(archive) == there
    again = elsewhere.resume(folder)
    assert again.code == 0, again.text
    once = elsewhere.run(file, tmp_path / "once")
    assert once.code == 0, once.text
    assert digests(archive) == digests(tmp_path / "once")


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
