"""A compacted experiment has few files, the same rows in the same order, and goes on as before."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import queries
from cluster import RunFailed, compact
from cluster.status import show_status
from cluster.verify import verify
from queries.catalog import TABLES
from tests.archive.conftest import digests, only_experiment

POINTS = [
    *(f"{when}-rename-wide-{table}:1" for table in TABLES for when in ("before", "after")),
    "before-rename-manifest:1",
    "after-rename-manifest:1",
    *(f"{when}-delete-{table}:1" for table in TABLES for when in ("before", "after")),
]
FAST = {"after-rename-wide-units:1", "after-rename-wide-games:1", "after-rename-manifest:1", "after-delete-territory:1"}


def files(folder: Path, table: str) -> list[Path]:
    return sorted(folder.glob(f"{table}/**/*.parquet"))


def rows(folder: Path, table: str) -> list[dict]:
    return [row for path in files(folder, table) for row in pq.ParquetFile(path).read().to_pylist()]


def rounded(value: object) -> object:
    return float(f"{value:.9g}") if isinstance(value, float) else value


def answers(folder: Path) -> dict[str, list]:
    with queries.open(str(folder)) as archive:
        names = queries.questions.names()
        # Threads add numbers up in an order of their own: the last digits of a mean may differ.
        found = {name: [tuple(map(rounded, row)) for row in archive.question(name).fetchall()] for name in names}
        return {**found, "notes": archive.notes, "experiments": archive.sql("from experiments").fetchall()}


@pytest.fixture(scope="module")
def compacted(reference: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with the small experiment, compacted; not to be touched."""
    archive = tmp_path_factory.mktemp("compacted") / "archive"
    shutil.copytree(reference, archive)
    compact.compact(archive)
    return archive


def test_one_file_of_each_table_has_all_rows_in_order(reference: Path, compacted: Path) -> None:
    before, after = only_experiment(reference), only_experiment(compacted)
    for table in TABLES:
        assert [path.name for path in files(after, table)] == ["shards-000000-000004.parquet"]
        assert rows(after, table) == rows(before, table)
        narrow, wide = (pq.read_schema(files(folder, table)[0]) for folder in (before, after))
        assert wide.remove_metadata() == narrow.remove_metadata()


def test_questions_have_the_same_answers(reference: Path, compacted: Path) -> None:
    assert answers(only_experiment(compacted)) == answers(only_experiment(reference))


def test_verify_and_status_know_it(compacted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verify(compacted, 20)
    told = capsys.readouterr()
    assert "400 games checked, 20 of them played again" in told.out
    assert not told.err
    show_status(compacted, as_json=True)
    (status,) = json.loads(capsys.readouterr().out)
    assert (status["complete"], status["games_played"], status["shards_done"]) == (True, 400, 5)


def test_compacting_again_changes_nothing(compacted: Path, tmp_path: Path) -> None:
    shutil.copytree(compacted, tmp_path / "archive")
    before = {path: path.read_bytes() for path in (tmp_path / "archive").rglob("*") if path.is_file()}
    compact.compact(tmp_path / "archive")
    assert {path: path.read_bytes() for path in (tmp_path / "archive").rglob("*") if path.is_file()} == before


def test_many_rows_make_several_files(
    reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compacted: Path
) -> None:
    archive = tmp_path / "archive"
    shutil.copytree(reference, archive)
    most = max(sum(pq.read_metadata(path).num_rows for path in files(only_experiment(archive), t)) for t in TABLES)
    monkeypatch.setattr(compact, "MOST_ROWS", most // 2)
    monkeypatch.setattr(compact, "WIDE_ROW_GROUP_ROWS", 5000)
    compact.compact(archive)
    folder = only_experiment(archive)
    assert len(files(folder, "games")) == 3
    assert all(rows(folder, table) == rows(only_experiment(compacted), table) for table in TABLES)
    file = pq.ParquetFile(files(folder, "units")[0])
    assert [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups - 1)] == [5000] * (
        file.num_row_groups - 1
    )
    assert all(pq.read_metadata(path).num_rows <= most // 2 for path in files(folder, "units"))
    verify(archive, 20)


@pytest.mark.parametrize("point", [pytest.param(p, marks=[] if p in FAST else [pytest.mark.slow]) for p in POINTS])
def test_killed_at_a_point_and_compacted_again(elsewhere, reference, compacted, tmp_path, point) -> None:
    archive = tmp_path / "archive"
    shutil.copytree(reference, archive)
    call = f"from cluster.compact import compact; compact({str(archive)!r})"
    assert elsewhere.call(call, DUOSUAN_FAULT=point).code == -9
    # Also in between: all rows once, nothing wrong.
    assert answers(only_experiment(archive)) == answers(only_experiment(reference))
    verify(archive, 0)
    ended = elsewhere.call(call)
    assert ended.code == 0, ended.text
    assert digests(archive) == digests(compacted)
    manifest = only_experiment(archive) / "manifest.json"
    there = json.loads((only_experiment(compacted) / "manifest.json").read_text())
    assert json.loads(manifest.read_text())["digests"] == there["digests"]


def test_games_are_added_to_a_compacted_experiment(elsewhere, small, compacted, tmp_path) -> None:
    archive = tmp_path / "archive"
    shutil.copytree(compacted, archive)
    ended = elsewhere.run(small(replications=150), archive)
    assert ended.code == 0, ended.text
    folder = only_experiment(archive)
    assert ended.text.splitlines()[1].endswith("3 of 8 shards to play")
    verify(archive, 20)
    compact.compact(archive)
    # A round begins with the first cell again, so it has a file of its own.
    assert [path.name for path in files(folder, "games")] == [
        "shards-000000-000004.parquet",
        "shards-000005-000007.parquet",
    ]
    verify(archive, 20)
    assert elsewhere.run(small(replications=150), archive).code == 0


def test_an_incomplete_experiment_stays_as_it_is(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files(damaged, "games")[2].unlink()
    manifest = damaged / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"complete": False}))
    before = digests(damaged)
    compact.compact(damaged)
    assert digests(damaged) == before
    assert capsys.readouterr().err == f"{damaged}: is not complete and stays as it is\n"


@pytest.mark.parametrize("table", ["games", "units"])
def test_what_is_damaged_is_not_compacted(damaged: Path, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = files(damaged, table)[1]
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    before = digests(damaged)
    with pytest.raises(RunFailed, match="is damaged and stays as it is; mend it with: duosuan resume"):
        compact.compact(damaged)
    assert path.relative_to(damaged).as_posix() in capsys.readouterr().err
    assert digests(damaged).items() >= before.items()
    assert not list(damaged.rglob("*.tmp"))
