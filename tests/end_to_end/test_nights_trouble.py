"""Nights when something is wrong: with older nights, the clock, the places, the machine. Each tells how it ends."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from s3fs import S3FileSystem

from cluster import RunFailed, cli
from cluster.earlier import MOST_TRIES
from cluster.night_folder import NightFolder
from tests.nights import Listener, Nights, listening
from tests.object_store import Way, environment, make_bucket, object_store


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    nights = Nights(tmp_path)
    nights.write(more="verify = 0")
    return nights


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as server:
        yield server


def test_tonight_is_never_deleted_whatever_the_clock_says(nights):
    for label, created in (("a", "2020-01-01T00:00:00Z"), ("b", "2032-01-01T00:00:00Z")):
        assert nights.play(label) == 0
        nights.change(label, created=created)
    assert nights.play("c", "--keep", "2") == 0
    assert sorted(nights.manifests()) == ["a", "b", "c"], "b is of the future and does not count"
    assert nights.play("d", "--keep", "2") == 0
    assert sorted(nights.manifests()) == ["b", "c", "d"]


def test_damaged_nights_are_left_out_and_told(nights, listener, capsys):
    for label in "abcd":
        assert nights.play(label) == 0
    emptied, shortened, unplanned, unread = (nights.folder(label) for label in "abcd")
    (emptied / "manifest.json").write_text("")
    nights.change("b", digests=None)
    (unplanned / "inputs" / "plan.json").write_text("{}")
    (games,) = unread.glob("games/*/*/*.parquet")
    games.write_bytes(games.read_bytes()[:100])
    (nights.reports / "b" / "night.json").write_text("{")
    capsys.readouterr()
    assert nights.play("e", "--webhook", listener.url, "--keep", "5") == 0
    said = capsys.readouterr().err
    (notice,) = listener.heard
    record = nights.told("e")
    assert notice["notes"] == record["notes"]
    for line in (
        f"left out: {emptied}/manifest.json: is damaged: ",
        f"left out: {shortened}/manifest.json: is damaged: digests: ",
        "not compared with the night of d: ",
        "not compared with the night of c: ",
        f"left out: {nights.reports}/b/night.json: is damaged: ",
    ):
        assert line in said
        assert any(note.startswith(line) for note in notice["notes"]), line
        assert line in (nights.reports / "e" / "report.html").read_text()
        assert line in nights.index()
    assert record["drifts"] == {}
    # The newest that is sound is what the next is compared with.
    nights.change("e", created="2020-01-01T00:00:00Z")
    assert nights.play("f", "--baseline", "a") == 0
    assert list(nights.told("f")["drifts"]) == ["the night of e"]
    assert any("no complete night 'a'" in note for note in nights.told("f")["notes"])


@pytest.mark.slow
def test_a_night_that_broke_off_is_gone_on_with_a_few_times_and_then_given_up(nights, listener, capsys):
    assert nights.play("a") == 0
    nights.break_off("a")
    (nights.folder("a") / "inputs" / "plan.json").write_text("{}")
    tried = []
    for label in "bcdefg"[: MOST_TRIES + 2]:
        capsys.readouterr()
        assert nights.play(label, "--webhook", listener.url) == 0
        tried.append("it is gone on with after tonight's" in capsys.readouterr().err)
    assert tried == [True] * MOST_TRIES + [False] * 2
    record = nights.told("a")
    assert (record["state"], record["tries"], record["given_up"]) == ("incomplete", MOST_TRIES, True)
    assert f"not complete after {MOST_TRIES} more tries" in record["line"]
    assert "incomplete</b>, given up" in nights.index()
    ends = [(notice["night"], notice["state"]) for notice in listener.heard]
    assert ends == [
        *(
            (night, state)
            for label in "bcdefg"[:MOST_TRIES]
            for night, state in ((label, "complete"), ("a", "incomplete"))
        ),
        *((label, "complete") for label in "bcdefg"[MOST_TRIES : MOST_TRIES + 2]),
    ]
    given_up = [notice["night"] for notice in listener.heard if any("given up" in note for note in notice["notes"])]
    assert given_up == ["bcdefg"[MOST_TRIES]]
    # It is pruned like any other.
    assert nights.play("z", "--keep", "2") == 0
    assert "a" not in nights.manifests()


def test_a_try_counts_also_if_the_process_ends_with_it(nights, monkeypatch):
    assert nights.play("a") == 0
    nights.break_off("a")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cluster.nightly.resume", interrupted)
    assert nights.play("b") == 0
    assert (nights.told("a")["tries"], nights.told("a")["state"]) == (1, "begun")
    assert nights.told("b")["state"] == "complete"


def test_an_old_night_that_broke_off_is_left_alone(nights, capsys):
    assert nights.play("a") == 0
    shard = nights.break_off("a")
    nights.change("a", created="2020-01-01T00:00:00Z")
    assert nights.play("b") == 0
    assert not shard.exists()
    assert "given up, not of the last 7 days: duosuan resume" in capsys.readouterr().err


def failing(*_: object, **__: object) -> None:
    raise RunFailed("3 shards given up")


def test_a_night_that_is_not_complete_is_told_and_counts(nights, listener, monkeypatch, capsys):
    for label in "bc":
        assert nights.play(label) == 0
    monkeypatch.setattr("cluster.run.play_shards", failing)
    for label in "de":
        assert nights.play(label, "--webhook", listener.url, "--keep", "2") == 1
        assert capsys.readouterr().err.splitlines()[-1].startswith("error: ")
    assert [(it["night"], it["state"], it["line"], it["exit_code"]) for it in listener.heard] == [
        ("d", "incomplete", "3 shards given up", 1),
        ("e", "incomplete", "3 shards given up", 1),
    ]
    assert listener.heard[0]["report"] == str(nights.reports / "d" / "night.html")
    # The newest complete one stays besides: what comes is compared with it.
    assert sorted(nights.manifests()) == ["c", "d", "e"]
    assert "3 shards given up" in (nights.reports / "d" / "night.html").read_text()
    assert "<b>incomplete</b>" in nights.index()
    monkeypatch.undo()
    assert nights.play("e") == 0
    assert list(nights.told("e")["drifts"]) == ["the night of c"]
    assert [nights.told(label)["state"] for label in "de"] == ["complete", "complete"]


def test_a_failure_is_told_whatever_it_is(nights, listener, monkeypatch, capsys):
    assert nights.play("a") == 0
    report = (nights.reports / "a" / "report.html").read_text()

    def wrong(*_: object) -> list[str]:
        raise ZeroDivisionError("by zero")

    def full(*_: object) -> list[str]:
        raise OSError(28, "No space left on device", "/somewhere")

    def stopped(*_: object) -> list[str]:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(5)
        return []

    for trouble, code, line in (
        (wrong, 70, "a bug in duosuan: ZeroDivisionError: by zero"),
        (full, 1, "/somewhere: No space left on device"),
        (stopped, 1, "stopped; the same command goes on with the night"),
    ):
        monkeypatch.setattr("cluster.nightly.games_that_differ", trouble)
        listener.heard.clear()
        assert nights.play("a", "--webhook", listener.url) == code
        (notice,) = listener.heard
        assert (notice["state"], notice["line"], notice["exit_code"]) == ("failed", line, code)
        assert capsys.readouterr().err.splitlines()[-1].startswith(f"error: {line}")
        record = nights.told("a")
        assert (record["state"], record["line"], record["games"]) == ("failed", line, 30)
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    assert (nights.reports / "a" / "report.html").read_text() == report
    nights.file.write_text("name = 3")
    assert nights.play("b", "--webhook", listener.url) == 2
    assert listener.heard[-1]["state"] == "failed"
    assert "name: 3 is wrong" in listener.heard[-1]["line"]
    assert "name: 3 is wrong" in nights.index()


@pytest.mark.parametrize("option", ["--reports", "--archive"])
def test_places_are_tried_before_anything_is_played(nights, listener, monkeypatch, capsys, option):
    monkeypatch.setattr("cluster.nightly.run_source", failing)
    file = nights.file.with_name("file")
    file.write_text("")
    for place in (file, file / "below", Path("/proc/nights"), file.with_name("n" * 300)):
        listener.heard.clear()
        assert nights.play("a", "--webhook", listener.url, option, str(place)) == 2
        (said,) = capsys.readouterr().err.splitlines()
        assert said.startswith(f"error: {option}: ")
        assert "cannot be written: " in said
        (notice,) = listener.heard
        assert (notice["state"], notice["line"]) == ("failed", said.removeprefix("error: "))
    assert nights.play("a", option, str(nights.file.parent)) in (1, 2)


def test_a_page_that_cannot_be_written_is_told(nights, listener, capsys):
    (nights.reports / "index.html").mkdir(parents=True)
    assert nights.play("a", "--webhook", listener.url) == 1
    (notice,) = listener.heard
    line = f"{nights.reports}: the pages cannot be written: Is a directory"
    assert (notice["state"], notice["line"]) == ("failed", line)
    assert capsys.readouterr().err.splitlines()[-1] == f"error: {line}"
    assert not list(nights.archive.iterdir())


def test_a_night_is_played_by_one_process(nights, listener, capsys):
    assert nights.play("a") == 0
    before = nights.told("a")
    other = NightFolder.open(nights.reports, "a")
    assert other
    capsys.readouterr()
    assert nights.play("a", "--webhook", listener.url) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said == "error: the night of a is being played by another process, which will tell of it"
    assert listener.heard[0]["line"] == said.removeprefix("error: ")
    assert nights.told("a") == before
    # One that is still being played is neither gone on with nor deleted.
    shard = nights.break_off("a")
    for label in "bcd":
        assert nights.play(label, "--keep", "2") == 0
        assert "the night of a is still being played" in capsys.readouterr().err
    assert not shard.exists()
    assert sorted(nights.manifests()) == ["a", "c", "d"]
    other.close()


def test_each_experiment_has_reports_of_its_own(nights, capsys):
    assert nights.play("a") == 0
    nights.file.write_text(nights.file.read_text().replace('"night"', '"day"'))
    assert nights.play("a") == 2
    assert "has a night of night, not of day" in capsys.readouterr().err
    assert nights.told("a")["name"] == "night"
    assert nights.play("b") == 0


def test_the_baseline_itself_is_not_compared_with_itself(nights, capsys):
    assert nights.play("a", "--baseline", "a") == 0
    assert "tonight is the baseline, a: it is not compared with itself" in capsys.readouterr().err


LONG = """
name = "night"
seed = 5
replications = 2_000_000
record = "games"
[[play]]
scenarios = ["barbarossa/uranus"]
blue = ["hold"]
red = ["easy"]
"""


def started(nights: Nights, label: str, *more: str) -> subprocess.Popen[str]:
    """A night in a process of its own, of an experiment that takes long; some of its games are there."""
    nights.file.write_text(LONG)
    command = [sys.executable, "-m", "cluster", *nights.arguments(label, "--limit-gb", "1000", *more)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 120
    while not list(nights.archive.glob("experiment=*/games/*/*/*.parquet")):
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    return process


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_night_that_is_stopped_is_told(nights, listener, number):
    with started(nights, "a", "--webhook", listener.url) as process:
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 1
    *_, last = said.splitlines()
    assert last.startswith("error: stopped; ")
    (notice,) = listener.heard
    assert (notice["state"], notice["line"]) == ("incomplete", last.removeprefix("error: "))
    assert nights.told("a")["state"] == "incomplete"


@pytest.mark.slow
def test_a_night_that_was_killed_is_told_of_by_the_next(nights, listener):
    with started(nights, "a", "--webhook", listener.url) as process:
        # Meanwhile another one plays in the same archive.
        other = Nights(nights.file.parent)
        other.write(more="verify = 0")
        assert other.play("b") == 0
        assert other.told("b")["notes"] == ["the night of a is still being played by another process"]
        process.kill()
    assert listener.heard == []
    assert nights.told("a")["state"] == "begun"
    assert "begun, not ended" in nights.index()
    shutil.rmtree(nights.folder("a"))
    assert nights.play("c", "--webhook", listener.url) == 0
    (notice,) = listener.heard
    line = "ended without a word: its process was killed, its machine has stopped, or the disk was full"
    assert notice["notes"] == [f"the night of a {line}"]
    assert (nights.told("a")["state"], nights.told("a")["line"]) == ("failed", line)


@contextlib.contextmanager
def mounted(folder: Path, options: str) -> Generator[None]:
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a file system can only be mounted by root, and not in every container")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_full_or_cannot_be_written(nights, listener, monkeypatch, capsys, tmp_path):
    nights.reports = tmp_path / "disk"
    with mounted(nights.reports, "size=512k"):
        assert nights.play("a", "--webhook", listener.url) == 2
        assert capsys.readouterr().err.strip().endswith("cannot be written: No space left on device")
        # It was enough when it was tried, and no more when the pages were written.
        monkeypatch.setattr("cluster.night_folder.PROBE_BYTES", 1)
        subprocess.run(["mount", "-o", "remount,size=60k", str(nights.reports)], check=True)
        assert nights.play("a", "--webhook", listener.url) == 1
        line = f"{nights.reports}/a: the pages cannot be written: No space left on device"
        assert capsys.readouterr().err.splitlines()[-1] == f"error: {line}"
        assert [notice["line"] for notice in listener.heard[1:]] == [line]
        assert json.loads(nights.manifests()["a"].read_text())["complete"]
        assert any("the pages cannot be written" in note for note in listener.heard[1]["notes"])
        subprocess.run(["mount", "-o", "remount,size=64m", str(nights.reports)], check=True)
        assert nights.play("a") == 0
    with mounted(nights.reports, "ro"):
        assert nights.play("a") == 2
        assert capsys.readouterr().err.strip().endswith("cannot be written: Read-only file system")


@pytest.mark.slow
def test_what_an_object_store_refuses_is_told(nights, listener, monkeypatch, capsys):
    with object_store() as port:
        S3FileSystem.clear_instance_cache()
        for name, value in environment(f"http://127.0.0.1:{port}").items():
            monkeypatch.setenv(name, value)
        make_bucket(port, "nights")
        way = Way(port)
        monkeypatch.setenv("AWS_ENDPOINT_URL", way.address)
        way.fails = "denied"
        arguments = nights.arguments("a", "--webhook", listener.url, "--archive", "s3://nights/archive")
        assert cli.run(arguments) == 1
        said = capsys.readouterr().err.splitlines()[-1]
        assert "no permission" in said
        (notice,) = listener.heard
        assert (notice["state"], notice["exit_code"], notice["line"]) == ("failed", 1, said.removeprefix("error: "))
        S3FileSystem.clear_instance_cache()
