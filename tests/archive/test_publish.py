"""Atomic publishing and what is cleared away after those who could not finish."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cluster.publish import OLD_SECONDS, Draft, Upload, remove_remains, uploads_folder
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


@pytest.mark.parametrize("what", ["host", "boot", "namespace"])
def test_files_of_a_place_that_cannot_be_seen_stay_for_a_day(left_behind: Path, what: str) -> None:
    host, boot, namespace = left_behind.name.split(".")[-6:-3]
    other = {"host": ("another-host", boot, namespace), "boot": (host, "0a", namespace), "namespace": (host, boot, "1")}
    name = left_behind.name.replace(f".{host}.{boot}.{namespace}.", f".{'.'.join(other[what])}.")
    elsewhere = left_behind.rename(left_behind.with_name(name))
    remove_remains(elsewhere.parent)
    assert elsewhere.exists()
    old = time.time() - OLD_SECONDS - 60
    os.utime(elsewhere, (old, old))
    remove_remains(elsewhere.parent)
    assert not elsewhere.exists()


def test_files_that_are_not_ours_stay(tmp_path: Path) -> None:
    for name in ("notes.tmp", "a.parquet.tmp", "a.host.0.0.12x.3.tmp", "a.host.12.3.tmp"):
        (tmp_path / name).touch()
    remove_remains(tmp_path)
    assert len(list(tmp_path.iterdir())) == 4


def test_a_live_process_of_another_namespace_keeps_its_files(tmp_path: Path) -> None:
    # As in two containers with one host name: each has the other's number for a process of its own, or for none.
    writes = "from cluster.publish import Draft; Draft(pathlib.Path(sys.argv[1])).temporary.touch()"
    code = f"import pathlib, sys, time; {writes}; print('written', flush=True); time.sleep(60)"
    command = ["unshare", "--pid", "--fork", "--mount-proc", sys.executable, "-c", code, str(tmp_path / "a.parquet")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as other:
        assert other.stdout
        if not other.stdout.readline():
            pytest.skip("a namespace can only be made by root, and not in every container")
        remove_remains(tmp_path)
        there = list(tmp_path.iterdir())
        other.kill()
    assert len(there) == 1


@pytest.mark.parametrize("what", ["a link", "open to others", "another's"])
def test_files_are_sent_from_a_folder_of_ones_own_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = uploads_folder()
    Upload(store_of("memory://archive"), "a").discard()
    assert folder.stat().st_mode & 0o777 == 0o700
    if what == "a link":
        folder.rename(tmp_path / "elsewhere")
        folder.symlink_to(tmp_path / "elsewhere")
    elif what == "open to others":
        folder.chmod(0o770)
    elif os.geteuid() == 0:
        os.chown(folder, 65534, 65534)
    else:
        pytest.skip("only root may give a folder away")
    with pytest.raises(OSError, match="is not a folder of this user's alone"):
        Upload(store_of("memory://archive"), "a")
    with pytest.raises(OSError, match="is not a folder of this user's alone"):
        store_of("memory://archive").clear()
