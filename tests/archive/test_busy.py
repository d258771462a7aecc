"""Who plays an experiment is not disturbed, and of those who compact or delete it there is only one."""

import json
import shutil
import time
from pathlib import Path

import pytest

from cluster import RunFailed, busy, cli
from cluster.busy import LOCK, Busy, is_played, locked, playing
from cluster.publish import OLD_SECONDS
from cluster.store import store_of
from tests.archive.conftest import digests, only_experiment, run_call

ELSEWHERE = "another-host.0a.1.2.3"


def marked(folder: Path, name: str, who: str, seen: float) -> Path:
    path = folder / name
    path.write_text(json.dumps({"what": "compact", "who": who, "seen": seen}))
    return path


def test_a_run_is_seen_and_keeps_others_away(elsewhere, small, tmp_path) -> None:
    archive = tmp_path / "archive"
    started = elsewhere.start(run_call(small(replications=1000), archive))
    while not list(archive.rglob("games/**/*.parquet")) and started.process.is_alive():
        time.sleep(0.005)
    folder = only_experiment(archive)
    assert is_played(store_of(folder))
    with pytest.raises(Busy, match="is being played by process"), locked(store_of(folder), "compact"):
        pass
    started.process.terminate()
    assert started.end().code == 1
    assert not is_played(store_of(folder))
    assert not [name for name in store_of(folder).names() if name.startswith(busy.PLAYING)]
    assert cli.run(["resume", str(folder), "--inline"]) == 0


def test_prune_leaves_what_is_played(damaged, capsys) -> None:
    newer = damaged.parent / damaged.name.replace(damaged.name[-8:], "00000000")
    shutil.copytree(damaged, newer)
    document = json.loads((newer / "manifest.json").read_text())
    (newer / "manifest.json").write_text(json.dumps({**document, "id": "0" * 64}))
    document = json.loads((damaged / "manifest.json").read_text())
    (damaged / "manifest.json").write_text(json.dumps({**document, "created": "2000-01-01T00:00:00+00:00"}))
    mark = marked(damaged, f"playing.{ELSEWHERE}", ELSEWHERE, time.time())
    for really in ([], ["--yes"]):
        assert cli.run(["prune", str(damaged.parent), "--keep", "1", *really]) == 0
        told = capsys.readouterr()
        assert f"{damaged}: is being played by process 2 of another-host and stays as it is ({mark.name}" in told.err
        assert "0 experiments" in told.out
        assert damaged.exists()
    mark.unlink()
    assert cli.run(["prune", str(damaged.parent), "--keep", "1", "--yes"]) == 0
    assert not damaged.exists()


def test_who_is_gone_does_not_count(damaged, elsewhere) -> None:
    store = store_of(damaged)
    mark = marked(damaged, f"playing.{ELSEWHERE}", ELSEWHERE, time.time())
    assert is_played(store)
    marked(damaged, mark.name, ELSEWHERE, time.time() - OLD_SECONDS - 60)
    assert not is_played(store)
    call = f"from cluster.busy import *; from cluster.store import store_of; p = playing(store_of({str(damaged)!r}))"
    assert elsewhere.call(f"{call}; p.__enter__(); os._exit(0)").code == 0
    assert not mark.exists()  # each takes away those of others who are gone
    assert len(list(damaged.glob("playing.*"))) == 1
    assert not is_played(store)
    with playing(store):
        assert is_played(store)
        assert len(list(damaged.glob("playing.*"))) == 1
        with playing(store_of(damaged)):
            pass
    assert not list(damaged.glob("playing.*"))


def test_of_two_who_compact_the_second_says_who_is_at_it(damaged, elsewhere, capsys) -> None:
    lock = marked(damaged, LOCK, ELSEWHERE, time.time())
    for command in (["compact"], ["resume", "--inline"]):
        before = digests(damaged.parent)
        assert cli.run([command[0], str(damaged), *command[1:]]) == 1
        assert capsys.readouterr().err == (
            f"error: {damaged}: is being compacted by process 2 of another-host (locked says so): "
            "try again when it is through\n"
        )
        assert digests(damaged.parent) == before
    marked(damaged, lock.name, ELSEWHERE, time.time() - OLD_SECONDS - 60)
    assert cli.run(["compact", str(damaged)]) == 0
    assert not lock.exists()


def test_two_who_compact_at_once_both_end_well(damaged, elsewhere) -> None:
    call = f"from cluster.compact import compact; compact({str(damaged)!r})"
    ended = [started.end() for started in [elsewhere.start(call) for _ in range(3)]]
    assert sorted(each.code for each in ended)[0] == 0
    assert all(each.code == 0 or "is being compacted by process" in each.text for each in ended), ended
    assert len(list(damaged.glob("games/*/*/*"))) == 1
    assert cli.run(["verify", str(damaged), "--sample", "0"]) == 0


def test_what_a_killed_compaction_leaves_the_next_clears_away(damaged, elsewhere) -> None:
    call = f"from cluster.compact import compact; compact({str(damaged)!r})"
    assert elsewhere.call(call, DUOSUAN_FAULT="before-rename-wide-units:1").code == -9
    assert list(damaged.rglob("*.tmp"))
    assert (damaged / LOCK).exists()
    assert elsewhere.call(call).code == 0
    assert not list(damaged.rglob("*.tmp"))
    assert not (damaged / LOCK).exists()


def test_a_sign_of_life_is_given_now_and_then(damaged, monkeypatch) -> None:
    monkeypatch.setattr(busy, "RENEW_SECONDS", 0.02)
    with playing(store_of(damaged)):
        (mark,) = damaged.glob("playing.*")
        first = json.loads(mark.read_text())["seen"]
        until = time.monotonic() + 20
        while json.loads(mark.read_text())["seen"] == first:
            assert time.monotonic() < until
            time.sleep(0.01)


def test_what_cannot_be_read_may_be_somebody(damaged) -> None:
    (damaged / LOCK).write_text("{")
    with pytest.raises(RunFailed, match=r"is being changed by somebody"), locked(store_of(damaged), "compact"):
        pass
