"""What goes wrong around an archive: a clear line each, and nothing is lost."""

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster import RunFailed
from cluster.dispatch import Options
from cluster.run import resume, run
from sim.rules_file import BadInput
from tests.archive.conftest import digests, only_experiment, run_call

INLINE = Options(inline=True)


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_changed_experiment_is_a_new_one_and_says_in_what(elsewhere, small, damaged) -> None:
    before = files(damaged)
    file = small(keys='label = "night 2"')
    file.write_text(file.read_text().replace('"medium"', '"random"').replace("seed = 7", "seed = 8"))
    ended = elsewhere.run(file, damaged.parent)
    assert ended.code == 0, ended.text
    assert f"a new experiment: differs from {damaged.name} in seed, label, play.0.red" in ended.text
    assert files(damaged) == before
    assert len(list(damaged.parent.glob("experiment=small-*"))) == 2


def test_a_changed_experiment_is_not_resumed(small, damaged) -> None:
    before = files(damaged.parent)
    file = small(play='factors = { "options.five" = ["reroll", "two_attacks"] }')
    with pytest.raises(
        BadInput, match=r"small.toml: differs from .*experiment=small-.* in play.0.factors.options.five:"
    ):
        resume(file, damaged.parent, INLINE)
    assert files(damaged.parent) == before


def test_a_changed_scenario_that_the_file_only_names_is_told(elsewhere, tmp_path, small) -> None:
    from cluster.library import find_scenario

    mine = tmp_path / "mine.toml"
    mine.write_text(find_scenario("barbarossa/uranus").path.read_text())
    file = small(replications=10)
    file.write_text(file.read_text().replace("barbarossa/uranus", "mine.toml"))
    assert elsewhere.run(file, tmp_path / "archive").code == 0
    mine.write_text(mine.read_text().replace('garrisons = [\n    "Berlin", ', "garrisons = [\n    "))
    with pytest.raises(BadInput, match="in scenario barbarossa/uranus: `duosuan run`"):
        resume(file, tmp_path / "archive", INLINE)


def test_an_unchanged_file_resumes(elsewhere, small, damaged) -> None:
    games = sorted(damaged.glob("games/*/*/*.parquet"))
    games[1].unlink()
    ended = elsewhere.call(f"resume(Path({str(small())!r}), Path({str(damaged.parent)!r}), Options(inline=True))")
    assert ended.code == 0, ended.text
    assert "1 of 5 shards to play" in ended.text
    assert games[1].exists()


def test_other_code_does_not_go_on(damaged, monkeypatch) -> None:
    before = files(damaged)
    code = json.loads((damaged / "manifest.json").read_text())["code"]
    monkeypatch.setattr("cluster.run.source_hash", lambda: "f" * 64)
    with pytest.raises(BadInput, match=f"played by other code: sim/ had the hash {code[:16]}, now it has {'f' * 16}"):
        resume(damaged, damaged.parent, INLINE)
    assert files(damaged) == before


def test_code_that_is_edited_during_a_run_stops_it(small, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("cluster.worker.source_hash", lambda: "f" * 64)
    with pytest.raises(RunFailed, match="sim/ has changed since the run began"):
        run(str(small()), tmp_path / "archive", INLINE, 1)
    assert not list(tmp_path.rglob("games/**/*.parquet"))


def test_other_code_makes_a_new_experiment(small, damaged, monkeypatch, capsys) -> None:
    monkeypatch.setattr("cluster.planner.source_hash", lambda: "f" * 64)
    monkeypatch.setattr("cluster.run._play", lambda stored, options: stored.store)
    assert run(str(small()), damaged.parent, INLINE, 1).name != damaged.name
    assert f"differs from {damaged.name} in code (sim/ has changed)" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["file", "holiday.jpg"])
def test_a_foreign_folder_is_left_alone(small, tmp_path, content) -> None:
    archive = tmp_path / "archive"
    if content == "file":
        archive.write_text("mine")
    else:
        archive.mkdir()
        (archive / content).write_text("mine")
    before = files(tmp_path)
    with pytest.raises(BadInput, match="is a file, not a folder" if content == "file" else "holds other things"):
        run(str(small()), archive, INLINE, 1)
    assert {key: value for key, value in files(tmp_path).items() if key != "small.toml"} == before


def test_a_folder_that_is_no_experiment_is_not_resumed(tmp_path) -> None:
    with pytest.raises(BadInput, match="is no experiment and holds none"):
        resume(tmp_path, tmp_path, INLINE)
    with pytest.raises(BadInput, match="nowhere: there is no such folder"):
        resume(tmp_path / "nowhere", tmp_path, INLINE)


DAMAGES = {
    "manifest.json": "manifest.json: is damaged",
    "inputs/plan.json": "plan.json: is damaged",
    "inputs/scenario": "does not have the hash in its name: the file is damaged",
}


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_file_is_named(elsewhere, damaged, what) -> None:
    path = next(path for path in sorted(damaged.rglob("*.json")) if what in path.as_posix())
    text = path.read_text()
    path.write_text(text.replace("Kursk", "Kursk!") if "scenario" in what else text[: len(text) // 2])
    next(damaged.glob("games/*/*/*.parquet")).unlink()
    before = files(damaged)
    ended = elsewhere.resume(damaged)
    assert ended.code == 1
    assert str(path) in ended.text
    assert DAMAGES[what] in ended.text
    assert len(ended.text.splitlines()) == 1
    assert files(damaged) == before


def test_a_plan_of_another_experiment_is_found_out(elsewhere, damaged) -> None:
    plan = damaged / "inputs/plan.json"
    plan.write_text(plan.read_text().replace('"seed":7', '"seed":8'))
    ended = elsewhere.resume(damaged)
    assert ended.code == 1
    assert "is not the plan of this experiment" in ended.text


@contextlib.contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a file system can only be mounted by root, and not in every container")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_stops_the_run_and_loses_nothing(elsewhere, small, reference, tmp_path) -> None:
    whole = sum(path.stat().st_size for path in reference.rglob("*") if path.is_file())
    disk = tmp_path / "disk"
    with mounted(disk, f"size={whole * 3 // 4}"):
        full = elsewhere.run(small(), disk / "archive")
        assert full.code == 1
        folder = only_experiment(disk / "archive")
        assert f"{folder}: cannot be written: No space left on device; what is published stays" in full.text
        assert "Traceback" not in full.text
        there = digests(disk / "archive")
        assert there
        assert there.items() <= digests(reference).items()
        assert not list(disk.rglob("*.tmp"))
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        again = elsewhere.resume(folder)
        assert again.code == 0, again.text
        assert digests(disk / "archive") == digests(reference)


def test_an_unwritable_folder_is_told(elsewhere, small, tmp_path) -> None:
    disk = tmp_path / "disk"
    with mounted(disk, "ro"):
        ended = elsewhere.run(small(), disk / "archive")
        assert ended.code == 1
        assert ended.text == f"{disk}/archive: cannot be written: Read-only file system; what is published stays\n"


def limited_run(elsewhere, file: Path, archive: Path, limit: str) -> str:
    """Runs an experiment under a limit that begins when it has been planned and compiled; returns the last line."""
    call = f"""
    import resource
    import cluster.run
    def few_files(left):
        last = max(map(int, os.listdir("/proc/self/fd")))
        while os.open(os.devnull, os.O_RDONLY) <= last:  # numbers in between
            pass
        resource.setrlimit(resource.RLIMIT_NOFILE, (last + 2 + left, last + 2 + left))
    ready = cluster.run.ready
    cluster.run.ready = lambda *given: (ready(*given), {limit})[0]
    {run_call(file, archive)}
    """
    ended = elsewhere.call(call.strip())
    assert ended.code == 1, ended.text
    assert "Traceback" not in ended.text
    return ended.text.splitlines()[-1]


@pytest.mark.parametrize(
    ("limit", "says"),
    [
        ("resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))", "File too large"),
        ("few_files(3)", "Too many open files"),  # those of a shard are five
    ],
    ids=["size", "number"],
)
def test_a_limit_of_files_stops_the_run_like_a_full_disk(elsewhere, small, reference, tmp_path, limit, says) -> None:
    archive = tmp_path / "archive"
    said = limited_run(elsewhere, small(), archive, limit)
    folder = only_experiment(archive)
    assert said == f"{folder}: cannot be written: {says}; what is published stays"
    assert not list(tmp_path.rglob("*.tmp"))
    assert elsewhere.resume(folder).code == 0
    assert digests(archive) == digests(reference)


def test_a_folder_without_permission_is_told(elsewhere, small) -> None:
    # Root may write everywhere: it becomes somebody else, who cannot look into the tests' own folder.
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o555)
        archive = Path(place) / "archive"
        said = limited_run(elsewhere, small(), archive, "os.geteuid() == 0 and os.seteuid(65534)")
        assert said == f"{archive}: cannot be written: Permission denied; what is published stays"
        assert not archive.exists()


def test_raised_replications_are_added_and_the_rest_stays(elsewhere, small, damaged, tmp_path) -> None:
    before = digests(damaged.parent)
    ended = elsewhere.run(small(replications=150), damaged.parent)
    assert ended.code == 0, ended.text
    assert "adds replications 100 to 149" in ended.text
    assert only_experiment(damaged.parent) == damaged
    after = digests(damaged.parent)
    assert before.items() < after.items()
    once = elsewhere.run(small(replications=150), tmp_path / "once")
    assert once.code == 0, once.text
    assert games(damaged) == games(only_experiment(tmp_path / "once"))


def games(folder: Path) -> list[dict]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    parts = [pq.read_table(path) for path in sorted(folder.glob("games/*/*/*.parquet"))]
    return pa.concat_tables(parts).sort_by([("cell", "ascending"), ("replication", "ascending")]).to_pylist()


def test_killed_while_games_are_added(elsewhere, small, damaged, tmp_path) -> None:
    for point in ("after-rename-round:1", "after-rename-turns:2", "before-rename-manifest:1"):
        assert elsewhere.run(small(replications=150), damaged.parent, DUOSUAN_FAULT=point).code == -9
    again = elsewhere.run(small(replications=150), damaged.parent)
    assert again.code == 0, again.text
    manifest = json.loads((damaged / "manifest.json").read_text())
    assert (manifest["complete"], manifest["replications"], manifest["games"]) == (True, 150, 600)


def test_replications_are_not_taken_away(small, damaged) -> None:
    with pytest.raises(BadInput, match=r"replications: 50 is less than the 100 that .* has already"):
        run(str(small(replications=50)), damaged.parent, INLINE, 1)
    with pytest.raises(BadInput, match=r"replications: is 150, and .* has 100: `duosuan run` adds games"):
        resume(small(replications=150), damaged.parent, INLINE)
