"""Killed at any moment, an experiment goes on and ends with the same bytes."""

import json
import os
import random
import shutil
import signal
import socket
import time
from pathlib import Path

import pytest

from tests.archive.conftest import digests, only_experiment, run_call, write_small

SHARD_TABLES = ("turns", "units", "territory", "events", "games")
SETUP_POINTS = [
    f"{when}-rename-{what}:1" for what in ("input", "plan", "cells", "experiment") for when in ("before", "after")
]
POINTS = [
    *SETUP_POINTS,
    "before-rename-manifest:1",
    "after-rename-manifest:1",
    *(f"{when}-rename-{table}:{n}" for n in (1, 3) for table in SHARD_TABLES for when in ("before", "after")),
    "before-rename-manifest:2",
    "after-rename-manifest:2",
]
# One for each class of moment: nothing stored yet, a shard half published, a shard just published, all but the digests.
FAST = {
    "before-rename-plan:1",
    "after-rename-units:3",
    "before-rename-games:1",
    "after-rename-games:3",
    "before-rename-manifest:2",
}


def remains(archive: Path) -> list[Path]:
    return list(archive.rglob("*.tmp"))


def digest_in_manifest(archive: Path) -> str | None:
    return json.loads((only_experiment(archive) / "manifest.json").read_text()).get("digest")


@pytest.mark.parametrize("point", [pytest.param(p, marks=[] if p in FAST else [pytest.mark.slow]) for p in POINTS])
def test_killed_at_a_point_and_run_again(elsewhere, small, reference, tmp_path, point) -> None:
    archive = tmp_path / "archive"
    killed = elsewhere.run(small(), archive, DUOSUAN_FAULT=point)
    assert killed.code == -signal.SIGKILL, killed.text
    assert digests(archive) != digests(reference) or point.endswith("manifest:2")
    again = elsewhere.run(small(), archive)
    assert again.code == 0, again.text
    assert digests(archive) == digests(reference)
    assert digest_in_manifest(archive) == digest_in_manifest(reference) is not None
    assert not remains(archive)


def test_killed_and_resumed_from_its_folder_without_its_file(elsewhere, small, reference, tmp_path) -> None:
    archive = tmp_path / "archive"
    file = small()
    killed = elsewhere.run(file, archive, DUOSUAN_FAULT="after-rename-territory:2")
    assert killed.code == -signal.SIGKILL, killed.text
    file.unlink()
    again = elsewhere.resume(only_experiment(archive))
    assert again.code == 0, again.text
    assert "4 of 5 shards to play" in again.text
    assert digests(archive) == digests(reference)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20))])
def test_killed_at_any_time(elsewhere, small, tmp_path, seed) -> None:
    # Some twenty shards: one process plays them for seconds.
    file, archive = small(replications=1000), tmp_path / "archive"
    chance = random.Random(seed)
    kills = 0
    while kills < 2:
        started = elsewhere.start(run_call(file, archive))
        there = len(list(archive.rglob("games/**/*.parquet")))
        while len(list(archive.rglob("games/**/*.parquet"))) <= there and started.process.is_alive():
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.3))
        started.process.kill()
        assert started.end().code == -signal.SIGKILL, "it was through before it could be killed"
        kills += 1
    whole = elsewhere.run(file, archive)
    assert whole.code == 0, whole.text
    once = elsewhere.run(file, tmp_path / "once")
    assert once.code == 0, once.text
    assert digests(archive) == digests(tmp_path / "once")
    assert not remains(archive)


@pytest.fixture(scope="module")
def many(elsewhere, tmp_path_factory) -> tuple[Path, dict[str, str]]:
    """The small experiment with some twenty shards, and the digests of an undisturbed run."""
    folder = tmp_path_factory.mktemp("many")
    file = write_small(folder, replications=1000)
    ended = elsewhere.run(file, folder / "archive")
    assert ended.code == 0, ended.text
    return file, digests(folder / "archive")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_driver_of_two_workers_is_killed_at_any_time_and_resumed(elsewhere, many, tmp_path, seed) -> None:
    file, whole = many
    archive = tmp_path / "archive"
    chance = random.Random(seed)
    started = elsewhere.start(run_call(file, archive, "workers=2"))
    wanted = chance.randrange(16)
    while len(list(archive.rglob("games/**/*.parquet"))) < wanted and started.process.is_alive():
        time.sleep(0.005)
    time.sleep(chance.uniform(0, 0.3))
    started.process.kill()
    assert started.end().code == -signal.SIGKILL, "it was through before it could be killed"
    # At once: workers of the dead driver may still be playing.
    again = elsewhere.run(file, archive, "workers=2")
    assert again.code == 0, again.text
    assert digests(archive) == whole
    assert elsewhere.resume(only_experiment(archive)).code == 0
    assert not remains(archive)


def test_another_machine_goes_on_with_a_copy(elsewhere, small, reference, tmp_path) -> None:
    archive = tmp_path / "archive"
    killed = elsewhere.run(small(), archive, DUOSUAN_FAULT="before-rename-games:3")
    assert killed.code == -signal.SIGKILL, killed.text
    left = remains(archive)
    assert left
    moved = tmp_path / "elsewhere" / "archive"
    shutil.copytree(archive, moved)
    other = [path.rename(path.with_name(path.name.replace(socket.gethostname(), "other"))) for path in remains(moved)]
    resumed = elsewhere.resume(only_experiment(moved))
    assert resumed.code == 0, resumed.text
    assert digests(moved) == digests(reference)
    # Whoever writes them may be alive, as far as can be seen from here: for a day they stay.
    assert remains(moved) == other
    for path in other:
        os.utime(path, (0, 0))
    assert elsewhere.resume(only_experiment(moved)).code == 0
    assert not remains(moved)


def test_stopped_by_a_signal_it_says_how_to_go_on(elsewhere, small, tmp_path) -> None:
    file, archive = small(replications=1000), tmp_path / "archive"
    started = elsewhere.start(run_call(file, archive))
    while not list(archive.rglob("games/**/*.parquet")) and started.process.is_alive():
        time.sleep(0.005)
    started.process.terminate()
    ended = started.end()
    assert ended.code == 1
    folder = only_experiment(archive)
    assert f"go on with: duosuan resume {folder}" in ended.text.splitlines()[-1]
    assert not remains(archive)
    assert elsewhere.resume(folder).code == 0


@pytest.mark.slow
def test_a_second_driver_joins_in(elsewhere, many, tmp_path) -> None:
    file, whole = many
    archive = tmp_path / "archive"
    first = elsewhere.start(run_call(file, archive, "workers=1"))
    while not list(archive.rglob("games/**/*.parquet")) and first.process.is_alive():
        time.sleep(0.005)
    second = elsewhere.start(run_call(file, archive, "inline=True"))
    ended = [first.end(), second.end()]
    assert [each.code for each in ended] == [0, 0], ended
    assert digests(archive) == whole
    assert not remains(archive)


def test_two_runs_at_once_make_one_experiment(elsewhere, small, reference, tmp_path) -> None:
    archive = tmp_path / "archive"
    both = [elsewhere.start(run_call(small(), archive)) for _ in range(2)]
    ended = [started.end() for started in both]
    assert [each.code for each in ended] == [0, 0], ended
    assert digests(archive) == digests(reference)
    assert not remains(archive)


@pytest.mark.slow
def test_stopped_with_workers_it_leaves_nothing_half_written(elsewhere, many, tmp_path) -> None:
    file, _ = many
    archive = tmp_path / "archive"
    started = elsewhere.start(run_call(file, archive, "workers=2"))
    while not list(archive.rglob("units/**/*.tmp")) and started.process.is_alive():
        time.sleep(0.005)
    started.process.terminate()
    ended = started.end()
    assert ended.code == 1, ended.text
    assert "go on with: duosuan resume" in ended.text
    assert not remains(archive)
