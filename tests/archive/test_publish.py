"""Atomic publishing and what is cleared away after those who could not finish."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cluster.publish import OLD_SECONDS, Draft, remove_remains
from cluster.store import store_of


def test_a_file_is_not_there_before_it_is_whole(tmp_path: Path) -> None:
    draft = Draft(tmp_path / "games" / "a.parquet")
    draft.temporary.write_text("half")
    assert not list(tmp_path.rglob("*.parquet"))
    draft.temporary.write_text("whole")
    assert draft.publish("games")
    assert draft.path.read_text() == "whole"
    assert os.listdir(draft.path.parent) == ["a.parquet"]


def test_what_is_discarded_leaves_nothing(tmp_path: Path) -> None:
    draft = Draft(tmp_path / "a.parquet")
    draft.temporary.write_text("half")
    draft.discard()
    assert not list(tmp_path.iterdir())


def test_only_if_new_keeps_the_first(tmp_path: Path) -> None:
    store = store_of(tmp_path)
    assert store.publish_text("plan.json", "first", "plan", only_if_new=True)
    assert not store.publish_text("plan.json", "second", "plan", only_if_new=True)
    assert (tmp_path / "plan.json").read_text() == "first"
    assert store.publish_text("plan.json", "third", "plan")
    assert (tmp_path / "plan.json").read_text() == "third"
    assert os.listdir(tmp_path) == ["plan.json"]


@pytest.fixture
def left_behind(tmp_path: Path) -> Path:
    """A temporary file of a process that is no more."""
    code = "import pathlib, sys; from cluster.publish import Draft; Draft(pathlib.Path(sys.argv[1])).temporary.touch()"
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.parquet")], check=True)
    (path,) = tmp_path.iterdir()
    return path


def test_remains_of_a_dead_process_are_removed(left_behind: Path) -> None:
    remove_remains(left_behind.parent)
    assert not left_behind.exists()


def test_files_of_a_live_process_stay(tmp_path: Path) -> None:
    draft = Draft(tmp_path / "a.parquet")
    draft.temporary.touch()
    os.utime(draft.temporary, (0, 0))
    remove_remains(tmp_path)
    assert draft.temporary.exists()


def test_files_of_another_host_stay_for_a_day(left_behind: Path) -> None:
    host = left_behind.name.split(".")[-4]
    elsewhere = left_behind.rename(left_behind.with_name(left_behind.name.replace(f".{host}.", ".another-host.")))
    remove_remains(elsewhere.parent)
    assert elsewhere.exists()
    old = time.time() - OLD_SECONDS - 60
    os.utime(elsewhere, (old, old))
    remove_remains(elsewhere.parent)
    assert not elsewhere.exists()


def test_files_that_are_not_ours_stay(tmp_path: Path) -> None:
    for name in ("notes.tmp", "a.parquet.tmp", "a.host.12x.3.tmp"):
        (tmp_path / name).touch()
    remove_remains(tmp_path)
    assert len(list(tmp_path.iterdir())) == 3
