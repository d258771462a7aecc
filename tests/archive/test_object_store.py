"""An archive in an object store is one like any other, and what the store refuses is told in one line."""

import json
import os
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from s3fs import S3FileSystem

import queries
from cluster import RunFailed, cli
from cluster.compact import compact
from cluster.prune import prune
from cluster.store import store_of
from cluster.verify import verify
from sim.rules_file import BadInput
from tests.archive.conftest import digests, only_experiment, write_small
from tests.object_store import Way, environment, make_bucket, object_store


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with object_store() as port:
        yield port


@pytest.fixture(autouse=True)
def known(port: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process, and those that it starts, are told where the store is."""
    S3FileSystem.clear_instance_cache()
    for name, value in environment(f"http://127.0.0.1:{port}").items():
        monkeypatch.setenv(name, value)
    yield
    S3FileSystem.clear_instance_cache()


@pytest.fixture
def way(port: int, known: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Way]:
    """A way to the store that can be made to fail."""
    way = Way(port)
    monkeypatch.setenv("AWS_ENDPOINT_URL", way.address)
    yield way
    way.shutdown()
    way.server_close()


@pytest.fixture(scope="module")
def light(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a small experiment with few tables, beside an archive on this machine that has it."""
    file = write_small(tmp_path_factory.mktemp("light"), keys='record = "turns"')
    assert cli.run(["run", str(file), "--archive", str(file.with_name("archive")), "--inline"]) == 0
    return file


@pytest.fixture
def local(light: Path) -> Path:
    """An archive on this machine with the same experiment; not to be touched."""
    return light.with_name("archive")


@pytest.fixture
def archive(port: int) -> str:
    """The address of an archive that is not there yet, in a bucket that is."""
    bucket = f"bucket-{uuid.uuid4().hex[:8]}"
    make_bucket(port, bucket)
    return f"s3://{bucket}/some/archive"


@pytest.fixture
def stored(archive: str, local: Path) -> str:
    """The same archive with the small experiment in it."""
    store = store_of(archive)
    for path in sorted(local.rglob("*")):
        if path.is_file():
            draft = store.draft(path.relative_to(local).as_posix())
            draft.temporary.write_bytes(path.read_bytes())
            draft.publish("copy")
    return archive


def run(file: Path, archive: str) -> int:
    return cli.run(["run", str(file), "--archive", archive, "--inline"])


def stored_digests(archive: str) -> dict[str, str]:
    """SHA-256 of every Parquet file, by path, as `digests` has them."""
    import hashlib

    store = store_of(archive)
    return {path: hashlib.sha256(store.read(path)).hexdigest() for path in store.below("") if path.endswith(".parquet")}


def experiment(archive: str) -> str:
    (name,) = store_of(archive).folders()
    return f"{archive}/{name}"


def test_a_game_is_told_again_and_gone_on_with_and_all_is_exported(stored, tmp_path, capsys) -> None:
    assert cli.run(["replay", experiment(stored), "--cell", "1", "--replication", "2"]) == 0
    assert capsys.readouterr().err == "note: as it was recorded in games, territory, turns\n"
    assert cli.run(["fork", stored, "--turn", "13", "--games", "5", "--json"]) == 0
    assert '"games": 5' in capsys.readouterr().out
    assert cli.run(["export", stored, str(tmp_path / "all.duckdb")]) == 0
    assert "all.duckdb: " in capsys.readouterr().err


def test_killed_and_resumed_it_has_the_same_bytes_and_answers(elsewhere, light, local, archive, capsys) -> None:
    there = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
    call = f"run({str(light)!r}, {archive!r}, Options(inline=True), 1)"
    killed = elsewhere.call(call, DUOSUAN_FAULT="after-rename-territory:3", **there)
    assert killed.code == -signal.SIGKILL, killed.text
    assert 0 < len(stored_digests(archive)) < len(digests(local))
    assert cli.run(["resume", experiment(archive), "--inline"]) == 0
    told = capsys.readouterr()
    assert "3 of 5 shards to play" in told.err
    assert f"duosuan query QUESTION {experiment(archive)}" in told.out
    assert stored_digests(archive) == digests(local)
    store = store_of(experiment(archive))
    manifest = json.loads(store.read("manifest.json"))
    there = json.loads((only_experiment(local) / "manifest.json").read_text())
    assert manifest["digests"] == there["digests"]
    assert not [path for path in store.below("") if b"the-secret-key" in store.read(path)]
    # Everything that looks at an archive.
    with queries.open(archive) as opened, queries.open(str(local)) as here:
        assert opened.question("win_rates").fetchall() == here.question("win_rates").fetchall()
        assert not opened.notes
    assert cli.run(["status", archive, "--json"]) == 0
    (status,) = json.loads(capsys.readouterr().out)
    assert (status["complete"], status["games_played"]) == (True, 400)
    assert cli.run(["verify", archive, "--sample", "10"]) == 0
    assert "400 games checked, 10 of them played again" in capsys.readouterr().out


def test_a_run_with_other_content_is_another_experiment(small, stored, capsys) -> None:
    assert run(small(replications=10, keys='label = "night 2"\nrecord = "games"'), stored) == 0
    assert "a new experiment: differs from experiment=small-" in capsys.readouterr().err
    assert len(store_of(stored).folders()) == 2
    assert cli.run(["prune", stored, "--keep", "1", "--yes"]) == 0
    assert len(store_of(stored).folders()) == 1


def test_compacted_and_pruned(stored, local, capsys) -> None:
    compact(stored)
    verify(stored, 5)
    store = store_of(experiment(stored))
    assert [path.rpartition("/")[2] for path in store.below("games")] == ["shards-000000-000004.parquet"]
    with queries.open(stored) as opened, queries.open(str(local)) as here:
        assert opened.question("win_rates").fetchall() == here.question("win_rates").fetchall()
    prune(stored, 1, really=True)
    assert "0 experiments" in capsys.readouterr().out


@pytest.mark.slow
def test_workers_write_to_the_store(elsewhere, light, local, archive) -> None:
    there = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
    ended = elsewhere.call(f"run({str(light)!r}, {archive!r}, Options(workers=2), 1)", **there)
    assert ended.code == 0, ended.text
    assert stored_digests(archive) == digests(local)


def test_only_the_first_of_two_is_kept(archive) -> None:
    store = store_of(archive)
    assert store.publish_text("round.json", "first", "round", only_if_new=True)
    assert not store.publish_text("round.json", "second", "round", only_if_new=True)
    assert store.read("round.json") == b"first"
    assert store.publish_text("round.json", "third", "round")
    assert store.read("round.json") == b"third"


def test_a_status_opens_no_file_of_games(stored, way, capsys) -> None:
    S3FileSystem.clear_instance_cache()  # which filled the store past the way
    assert cli.run(["status", stored, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["games_played"] == 400
    assert 10 < len(way.seen) < 40
    assert not [asked for asked in way.seen if ".parquet" in asked]


def test_a_damaged_file_is_named(stored, capsys) -> None:
    store = store_of(experiment(stored))
    path = store.below("turns")[1]
    content = bytearray(store.read(path))
    content[len(content) // 2] ^= 1
    draft = store.draft(path)
    draft.temporary.write_bytes(content)
    draft.publish("damage")
    assert cli.run(["verify", stored, "--sample", "0"]) == 1
    assert f"{store}: {path}: has changed since it was published" in capsys.readouterr().err


# Errors


@pytest.mark.parametrize(
    ("fails", "says"),
    [
        ("denied", "no permission"),
        ("slow", "the store asks to slow down, also after several tries: go on later"),
        ("cut", "the connection to the store failed or was cut, also after several tries"),
    ],
)
def test_a_store_that_fails_in_the_middle_stops_the_run_and_loses_nothing(
    light, local, archive, way, capsys, fails, says
) -> None:
    way.fails, way.after = fails, 26
    assert run(light, archive) == 1
    way.fails = ""
    told = capsys.readouterr().err
    last = f"error: {experiment(archive)}: cannot be written: {says}; what is published stays"
    assert told.splitlines()[-1] == last
    assert "Traceback" not in told
    assert "-key" not in told
    there = stored_digests(archive)
    assert there
    assert there.items() <= digests(local).items()
    assert run(light, archive) == 0
    assert stored_digests(archive) == digests(local)


def test_no_bucket(light, capsys) -> None:
    assert run(light, "s3://nowhere/archive") == 1
    assert capsys.readouterr().err == "error: s3://nowhere/archive: there is no such bucket\n"
    assert cli.run(["status", "s3://nowhere/archive"]) == 1
    assert cli.run(["sql", "s3://nowhere/archive", "from games"]) == 2
    assert capsys.readouterr().err.endswith("s3://nowhere/archive: cannot be read: there is no such bucket\n")


def test_no_archive(archive, capsys) -> None:
    assert cli.run(["status", archive]) == 2
    assert capsys.readouterr().err == f"error: {archive}: there is no such folder\n"


@pytest.mark.parametrize(
    ("endpoint", "says"),
    [
        ("http://127.0.0.1:1", "the store does not answer: AWS_ENDPOINT_URL says where it is"),
        ("http://me:the-secret-key@127.0.0.1:1", "the connection to the store failed or was cut"),
    ],
)
def test_nobody_answers(monkeypatch, capsys, endpoint, says) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    assert cli.run(["status", "s3://bucket/archive"]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"error: s3://bucket/archive: {says}")
    assert "the-secret-key" not in told


def test_no_credentials(monkeypatch, capsys) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    assert cli.run(["status", "s3://bucket/archive"]) == 1
    assert "s3://bucket/archive: no credentials: set AWS_ACCESS_KEY_ID" in capsys.readouterr().err


def test_a_query_that_is_cut_off_says_so(stored, way) -> None:
    with queries.open(stored) as opened:
        way.fails = "denied"
        with pytest.raises((BadInput, RunFailed)) as refused, opened.errors():
            opened.sql("select sum(territory) from turns").fetchall()
    assert "\n" not in str(refused.value)
    assert "-key" not in str(refused.value)


@pytest.mark.parametrize("address", ["s3://me:the-secret-key@bucket/archive", "moon://crater/archive"])
def test_an_impossible_address_is_refused_and_not_repeated(light, capsys, address) -> None:
    assert run(light, address) == 2
    assert "the-secret-key" not in capsys.readouterr().err
    assert cli.run(["sql", address, "from games"]) == 2
    assert "the-secret-key" not in capsys.readouterr().err
