"""`verify` finds whatever is not what was written, and says where."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cluster import RunFailed
from cluster.parquet import OPTIONS, stamp
from cluster.plan import hash_of
from cluster.verify import verify
from queries.digests import METADATA, NO_DIGEST
from tests.archive.conftest import sha256


def file_of(folder: Path, table: str, shard: int = 1) -> Path:
    return folder / table / "rulebook=barbarossa" / "000" / f"shards-{shard:06d}-{shard:06d}.parquet"


def rewrite(folder: Path, table: str, change: Callable[[pa.Table], pa.Table], shard: int = 1) -> None:
    """Changes rows of a file, and the digests so that nobody can tell by these."""
    path, games = file_of(folder, table, shard), file_of(folder, "games", shard)
    about = json.loads(pq.read_metadata(games).metadata[METADATA.encode()])
    rows = change(pq.ParquetFile(path).read())
    about |= json.loads((rows.schema.metadata or {}).get(METADATA.encode(), b"{}"))
    if table != "games":
        pq.write_table(rows, path, **OPTIONS)
        about["siblings"][table] = {"rows": pq.read_metadata(path).num_rows, "sha256": sha256(path)}
        rows = pq.ParquetFile(games).read()
    with pq.ParquetWriter(games, rows.schema.remove_metadata(), **OPTIONS) as writer:
        writer.write_table(rows.replace_schema_metadata())
        writer.add_key_value_metadata({METADATA: json.dumps(about | {"own": NO_DIGEST}, sort_keys=True)})
    stamp(games)
    digest(folder, games)


def digest(folder: Path, *games: Path) -> None:
    """Writes the digests of games files that are there, and of those that are not none, into the manifest."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for path in games:
        name = path.relative_to(folder).as_posix()
        del manifest["digests"][name]
        if path.exists():
            manifest["digests"][name] = sha256(path)
    manifest["digest"] = hash_of(manifest["digests"])
    (folder / "manifest.json").write_text(json.dumps(manifest))


def with_value(table: pa.Table, column: str, row: int, value: object) -> pa.Table:
    number, kind = table.schema.get_field_index(column), table.schema.field(column).type
    values = table[column].to_pylist()
    values[row] = value
    return table.set_column(number, table.schema.field(column), pa.array(values).cast(kind))


def problems(folder: Path, capsys: pytest.CaptureFixture[str], sample: int = 400) -> list[str]:
    with pytest.raises(RunFailed, match="1 of 1 experiments are not what was written"):
        verify(folder, sample)
    return [line.removeprefix(f"{folder}: ") for line in capsys.readouterr().err.splitlines()]


def test_an_intact_archive_passes(reference: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verify(reference, 40)
    told = capsys.readouterr()
    assert told.out.splitlines()[-2].endswith(": 400 games checked, 40 of them played again")
    assert not told.err


@pytest.mark.parametrize(
    ("sample", "said"),
    [(1, "with a probability of 0.1 %"), (100, "with a probability of 9.5 %"), (None, "with a probability of 33 %")],
)  # 1 - 0.999^n: of 1, 100 and 400 games
def test_it_says_what_a_sample_would_have_shown(reference, capsys, sample, said) -> None:
    verify(reference, sample)
    assert capsys.readouterr().out.splitlines()[-1] == (
        f"  had games come out otherwise once in 1,000 times, these would have shown it {said}"
    )


def some_slow(*slow: str, fast: tuple[str, ...]) -> list:
    return [*fast, *(pytest.param(name, marks=pytest.mark.slow) for name in slow)]


@pytest.mark.parametrize("table", some_slow("turns", "units", "territory", fast=("events", "games")))
def test_a_changed_byte_is_found(damaged: Path, capsys: pytest.CaptureFixture[str], table: str) -> None:
    path = file_of(damaged, table)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    name = path.relative_to(damaged).as_posix()
    damaged_itself = "is damaged: it does not have the digest that it was written with"
    said = {"games": damaged_itself}.get(table, "has changed since it was published")
    assert f"{name}: {said}" in problems(damaged, capsys, 0)


@pytest.mark.parametrize("table", ["territory", "games"])
def test_a_missing_file_is_found(damaged: Path, capsys: pytest.CaptureFixture[str], table: str) -> None:
    path = file_of(damaged, table)
    path.unlink()
    assert problems(damaged, capsys, 0) == [f"{path.relative_to(damaged).as_posix()}: is missing"]


@pytest.mark.parametrize("table", ["turns", "games"])
def test_a_truncated_file_is_found(damaged: Path, capsys: pytest.CaptureFixture[str], table: str) -> None:
    path = file_of(damaged, table)
    path.write_bytes(path.read_bytes()[:-100])
    assert any(line.startswith(path.relative_to(damaged).as_posix()) for line in problems(damaged, capsys, 0))


def test_a_file_of_another_experiment_is_found(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file_of(damaged, "games")
    about = {"experiment": "ab" * 32}
    rewrite(damaged, "games", lambda table: table.replace_schema_metadata({METADATA: json.dumps(about)}))
    assert problems(damaged, capsys, 0) == [
        f"{path.relative_to(damaged).as_posix()}: belongs to another experiment (abababab)"
    ]


@pytest.mark.parametrize("table", some_slow("turns", "territory", fast=("units", "events")))
def test_a_game_whose_rows_are_gone_or_twice_is_found(
    damaged: Path, capsys: pytest.CaptureFixture[str], table: str
) -> None:
    one = file_of(damaged, table)
    rewrite(damaged, table, lambda rows: pa.concat_tables([rows, rows.slice(0, 1)]))
    key = pq.ParquetFile(one).read(["cell", "replication"]).slice(0, 1).to_pylist()[0]
    said = (
        f"{one.relative_to(damaged).as_posix()}: has rows of other games than those that were played, "
        f"first cell {key['cell']}, replication {key['replication']}"
    )
    assert said in problems(damaged, capsys, 0)
    if table != "events":
        first = pq.ParquetFile(one).read()["replication"][0].as_py()
        rewrite(damaged, table, lambda rows: rows.filter(pa.compute.field("replication") != first))
        assert said in problems(damaged, capsys, 0)


def test_games_in_another_order_are_found(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(damaged, "games", lambda rows: rows.take([1, 0, *range(2, rows.num_rows)]))
    assert any("has other games than the plan" in line for line in problems(damaged, capsys, 0))


TOTALS = {
    "territory_at_the_end": ("games", "blue_territory", None, 31, "games.blue_territory is 31, counted"),
    "territory_by_turn": ("territory", "holder", "blue", "red", "turns.territory of"),
    "units_by_status": ("units", "status", "on_map", "gone", "turns.gone in turn"),
    "units_by_region": ("units", "region", "Kursk", "Minsk", "territory.units of"),
    "losses": ("games", "axis_units_lost", None, 31, "games.axis_units_lost is 31, counted"),
    "loss_events": ("events", "kind", "lost", "move", "games.axis_units_lost is"),
}


@pytest.mark.parametrize(
    "check", some_slow(*sorted({*TOTALS} - {"losses", "units_by_region"}), fast=("losses", "units_by_region"))
)
def test_a_total_that_does_not_add_up_is_found(damaged: Path, capsys: pytest.CaptureFixture[str], check: str) -> None:
    table, column, old, new, said = TOTALS[check]

    def change(rows: pa.Table) -> pa.Table:
        return with_value(rows, column, 0 if old is None else rows[column].to_pylist().index(old), new)

    rewrite(damaged, table, change)
    found = problems(damaged, capsys, 0)
    assert any(line.startswith(f"{check}: cell ") and said in line for line in found), found


def test_a_row_that_comes_out_otherwise_is_named(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = pq.ParquetFile(file_of(damaged, "units")).read()
    place = rows["status"].to_pylist().index("waiting")
    row = rows.slice(place, 1).to_pylist()[0]
    rewrite(damaged, "units", lambda table: with_value(table, "due", place, 1))
    assert problems(damaged, capsys) == [
        f"cell {row['cell']}, replication {row['replication']}: comes out otherwise when it is played again: "
        f"units, turn {row['turn']}, unit {row['unit']}, due: the archive has 1, played again {row['due']} "
        f"(in {file_of(damaged, 'units').relative_to(damaged).as_posix()})"
    ]


@pytest.mark.slow
def test_the_first_turn_that_differs_is_named(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    territory = pq.ParquetFile(file_of(damaged, "territory")).read().to_pylist()
    of_the_first = [i for i, row in enumerate(territory) if row["replication"] == territory[0]["replication"]]
    late, early = (next(i for i in of_the_first if territory[i]["turn"] == turn) for turn in (12, 8))

    def change(rows: pa.Table) -> pa.Table:
        for place in (late, early):
            rows = with_value(rows, "garrison", place, not territory[place]["garrison"])
        return rows

    rewrite(damaged, "territory", change)
    (problem,) = problems(damaged, capsys)
    assert f"territory, turn 8, place {territory[early]['place']}, garrison: the archive has" in problem


def test_files_of_two_shards_that_were_exchanged_are_found(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for table in ("turns", "units", "territory", "events", "games"):
        one, two = file_of(damaged, table, 1), file_of(damaged, table, 2)
        third = one.with_suffix(".x")
        one.rename(third), two.rename(one), third.rename(two)
    digest(damaged, *(file_of(damaged, "games", shard) for shard in (1, 2)))
    games = [file_of(damaged, "games", shard).relative_to(damaged).as_posix() for shard in (1, 2)]
    assert problems(damaged, capsys, 0) == [
        f"{games[0]}: is the file of shards 2 to 2",
        f"{games[1]}: is the file of shards 1 to 1",
    ]


def test_a_shard_that_is_gone_from_a_complete_experiment_is_found(
    damaged: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for table in ("turns", "units", "territory", "events", "games"):
        file_of(damaged, table, 3).unlink()
    digest(damaged, file_of(damaged, "games", 3))
    assert problems(damaged, capsys, 0) == ["games: shard 3 is missing, and the experiment is said to be complete"]


def test_all_games_are_played_again_if_asked(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verify(damaged, None)
    assert "400 games checked, 400 of them played again" in capsys.readouterr().out
    # A row that no total looks at, changed with all digests.
    rows = pq.ParquetFile(file_of(damaged, "events", 2)).read().to_pylist()
    row = rows[-1]
    rewrite(damaged, "events", lambda table: with_value(table, "seq", len(rows) - 1, row["seq"] + 7), shard=2)
    with pytest.raises(RunFailed):
        verify(damaged, None)
    (line,) = capsys.readouterr().err.splitlines()
    assert f"cell {row['cell']}, replication {row['replication']}: comes out otherwise" in line
    assert line.endswith(f"(in {file_of(damaged, 'events', 2).relative_to(damaged).as_posix()})")
