"""Reading archives: which files are read, what is said of them, and that nothing can be written."""

import json
import os
import shutil

import fsspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import queries
from queries.catalog import Shards, choose
from sim.rules_file import BadInput


def count(archive, table="games"):
    return archive.sql(f"select count(*) from {table}").fetchall()[0][0]


def games(*replications, **values):
    return [{"replication": replication, **values} for replication in replications]


def test_every_table_has_the_keys_of_its_folder_as_text(small, opened):
    small("n007", id8="00000123").shard(games=games(0, 1))
    rows = opened().sql("select distinct experiment, rulebook, typeof(experiment) from games").fetchall()
    assert rows == [("n007-00000123", "barbarossa", "VARCHAR")]


def test_empty_experiment_gives_empty_answers_with_all_columns(small, opened):
    small()
    archive = opened()
    assert count(archive) == 0
    assert "axis_units_lost" in archive.tables["games"]
    assert archive.question("win_rates").fetchall() == []
    assert archive.notes == ["demo-00000001: 0 of 2 games are there so far"]


@pytest.mark.parametrize("name", queries.questions.names())
def test_every_question_is_empty_for_an_empty_archive(small, opened, name):
    small()
    relation = opened().question(name)
    assert relation.fetchall() == []


@pytest.mark.parametrize("name", queries.questions.names())
def test_every_question_answers_with_the_columns_that_it_describes(small, opened, name):
    small()
    described = [column for names, _ in queries.questions.find(name).columns for column in names.split(", ")]
    assert opened().question(name).columns == described


def test_archive_without_experiments_is_empty(tmp_path, opened):
    (tmp_path / "archive").mkdir()
    archive = opened()
    assert count(archive) == 0
    assert count(archive, "experiments") == 0


def test_incomplete_experiment_is_said_and_its_finished_shards_are_read(small, opened):
    experiment = small(replications=10)
    experiment.shard(0, games=games(0, 1))
    archive = opened()
    assert count(archive) == 2
    assert archive.notes == ["demo-00000001: 2 of 10 games are there so far"]
    assert archive.sql("select games, games_planned, complete from experiments").fetchall() == [(2, 10, False)]


def test_shard_without_its_games_file_is_not_read(small, opened):
    experiment = small()
    experiment.shard(0, games=games(0), turns=[{"turn": 1, "side": "red"}])
    experiment.shard(1, games=games(1), turns=[{"replication": 1, "turn": 1, "side": "red"}])
    experiment.path("games", 1, 1).unlink()
    archive = opened()
    assert count(archive) == 1
    assert archive.sql("select replication from turns").fetchall() == [(0,)]


def test_half_written_files_are_not_seen(small, opened):
    experiment = small()
    experiment.shard(0, games=games(0))
    path = experiment.path("games", 0, 0)
    path.with_name("shards-000001-000001.parquet.host.1.2.tmp").write_bytes(b"PAR1 and no more")
    assert count(opened()) == 1


def test_games_added_in_rounds_are_planned_games(small, opened):
    experiment = small(replications=2)
    experiment.write_json("rounds/1.json", {"first": 2, "end": 5})
    experiment.shard(0, games=games(0, 1))
    assert opened().notes == ["demo-00000001: 2 of 5 games are there so far"]


def test_games_added_to_some_cells_are_planned_games_and_a_round_may_follow(small, opened):
    experiment = small(cells=3, replications=1)
    added = [{"first_cell": 1, "last_cell": 2, "first": 1, "end": 3}]
    experiment.write_json("rounds/1.json", {"until": {}, "games": 4, "added": added})
    manifest = json.loads((experiment.folder / "manifest.json").read_text())
    experiment.write_json("manifest.json", {**manifest, "until": {"half_width": 0.1}, "complete": False})
    experiment.shard(0, games=games(0))
    assert opened().notes == ["demo-00000001: 1 of 7 games are there so far"]
    experiment.shard(1, games=[{"cell": cell, "replication": r} for cell in (1, 2) for r in range(3)])
    archive = opened()
    assert archive.notes == ["demo-00000001: the last round is there, and another may follow"]
    assert archive.sql("select games, games_planned, complete from experiments").fetchall() == [(7, 7, False)]
    experiment.write_json("manifest.json", {**manifest, "until": {"half_width": 0.1}, "complete": True})
    assert opened().sql("select complete from experiments").fetchall() == [(True,)]


@pytest.mark.parametrize(
    ("runs", "chosen"),
    [
        ([(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 1), (2, 2)]),
        ([(0, 0), (1, 1), (0, 1), (2, 2)], [(0, 1), (2, 2)]),  # compacted, the narrow files not yet deleted
        ([(0, 0), (0, 9), (3, 5), (10, 10)], [(0, 9), (10, 10)]),
        ([], []),
    ],
)
def test_wider_runs_of_shards_go_before_those_that_they_cover(runs, chosen):
    found = choose(Shards(first, last, f"{first}-{last}") for first, last in runs)
    assert [(run.first, run.last) for run in found] == chosen


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 6)).map(lambda run: (run[0], run[0] + run[1])), max_size=9)
)
def test_of_any_runs_the_widest_are_taken_first_and_none_overlaps_another(runs):
    taken = []
    for first, last in sorted(set(runs), key=lambda run: (run[0] - run[1], run[0])):
        if all(last < other[0] or other[1] < first for other in taken):
            taken.append((first, last))
    found = choose(Shards(first, last, "") for first, last in runs)
    assert [(run.first, run.last) for run in found] == sorted(taken)


def test_compacted_shards_are_read_once_in_all_tables(small, opened):
    experiment = small()
    turn = {"turn": 1, "side": "red"}
    experiment.shard(0, games=games(0), turns=[turn])
    experiment.shard(1, games=games(1), turns=[{**turn, "replication": 1}])
    experiment.shard(0, 1, games=games(0, 1), turns=[turn, {**turn, "replication": 1}])
    archive = opened()
    assert count(archive) == count(archive, "turns") == 2
    assert not archive.notes


def test_failed_games_are_left_out_and_counted(small, opened):
    experiment = small(replications=3)
    failed = {"end_reason": "failed", "winner": None, "outcome": None, "margin": None, "fault": "bad_move"}
    experiment.shard(games=[*games(0, 1), *games(2, **failed)])
    archive = opened()
    assert count(archive) == 2
    assert archive.sql("select replication, fault from failed_games").fetchall() == [(2, "bad_move")]
    assert archive.notes == ["demo-00000001: 1 failed games are left out"]


def test_experiments_are_read_together_or_by_name(small, opened):
    small("day").shard(games=games(0))
    small("night", id8="0000000a").shard(games=games(0, 1))
    small("night", id8="0000000b").shard(games=games(0, 1))
    assert count(opened()) == 5
    assert count(opened(experiments=["night"])) == 4
    assert count(opened(experiments=["night-0000000b", "day"])) == 3


def test_folder_of_one_experiment_can_be_opened(small, opened, tmp_path):
    experiment = small("day")
    experiment.shard(games=games(0))
    small("night", id8="0000000a").shard(games=games(0, 1))
    assert count(opened(experiment.folder)) == 1


def test_unknown_experiment_is_refused_with_the_nearest_name(small, opened):
    small("nightly")
    with pytest.raises(
        BadInput, match=r"no experiment 'nightli': it has nightly or nightly-00000001 \(did you mean nightly\?\)"
    ):
        opened(experiments=["nightli"])


@pytest.mark.parametrize("path", ["nowhere", "file.txt", "experiment=demo-00000009"])
def test_what_is_no_archive_is_refused(tmp_path, path):
    (tmp_path / "file.txt").touch()
    with pytest.raises(BadInput, match=rf"{path}: there is no such (archive|experiment)"):
        queries.open(str(tmp_path / path))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_archive_is_refused(tmp_path):
    (tmp_path / "archive").mkdir(mode=0)
    with pytest.raises(BadInput, match="archive: cannot be read: Permission denied"):
        queries.open(str(tmp_path / "archive"))


def test_folder_without_a_manifest_is_left_out(small, opened):
    small("day").shard(games=games(0))
    experiment = small("night")
    (experiment.folder / "manifest.json").unlink()
    archive = opened()
    assert count(archive) == 1
    assert archive.notes[-1].endswith("experiment=night-00000001: has no manifest yet")


def test_factors_are_columns_of_cells(small, opened):
    small("a", id8="0000000a", cells=[{"options.vacated": "at_once"}, {"options.vacated": "garrison"}])
    small("b", id8="0000000b", cells=[{"doctrine.blue.retreats": 1.0}])
    rows = (
        opened()
        .sql('select "options.vacated", "doctrine.blue.retreats" from cells order by experiment, cell')
        .fetchall()
    )
    assert rows == [("at_once", None), ("garrison", None), (None, 1.0)]


# Damage


@pytest.fixture
def damaged(small):
    """An experiment of two shards, of which one is going to be damaged."""
    experiment = small(replications=2)
    for shard in (0, 1):
        turn = {"replication": shard, "turn": 1, "side": "red"}
        experiment.shard(
            shard, games=games(shard), turns=[turn], units=[{"replication": shard, "turn": 1, "unit": "1st"}]
        )
    return experiment


def truncated(path):
    path.write_bytes(path.read_bytes()[:-20])


def empty(path):
    path.write_bytes(b"")


def missing(path):
    path.unlink()


def of_another_experiment(path):
    path.write_bytes(path.read_bytes().replace(b"00000001" * 8, b"00000002" * 8))


@pytest.mark.parametrize(
    ("table", "harm", "says"),
    [
        ("games", truncated, "is damaged"),
        ("games", empty, "is damaged"),
        ("games", of_another_experiment, "belongs to another experiment"),
        ("turns", truncated, "is damaged"),
        ("turns", missing, "is missing"),
    ],
)
def test_damaged_file_is_named_and_can_be_left_out_with_its_shard(damaged, opened, table, harm, says):
    path = damaged.path(table, 1, 1)
    harm(path)
    with pytest.raises(BadInput, match=says) as refused:
        opened()
    assert str(refused.value).startswith(f"{path}: ")
    assert "--skip-damaged" in str(refused.value)

    archive = opened(skip_damaged=True)
    assert archive.sql("select replication from games").fetchall() == [(0,)]
    assert archive.sql("select replication from turns").fetchall() == [(0,)]
    assert archive.notes[0].startswith(f"left out: {path}: ")
    assert archive.notes[1] == "demo-00000001: 1 of 2 games are there so far"


def test_changed_bytes_are_found_when_damage_is_looked_for(damaged, opened):
    path = damaged.path("units", 0, 0)
    content = bytearray(path.read_bytes())
    content[10] ^= 0xFF
    path.write_bytes(content)
    archive = opened(skip_damaged=True)
    assert archive.sql("select replication from games").fetchall() == [(1,)]
    assert "does not have the digest" in archive.notes[0]


def test_foreign_file_is_named_and_can_be_left_out(damaged, opened):
    stray = damaged.path("games", 0, 0).with_name("copy of shards.parquet")
    shutil.copy(damaged.path("games", 0, 0), stray)
    with pytest.raises(BadInput, match=r"copy of shards\.parquet: does not belong here"):
        opened()
    assert count(opened(skip_damaged=True)) == 2


def test_files_of_a_later_schema_are_refused(damaged, opened):
    path = damaged.path("games", 0, 0)
    path.write_bytes(path.read_bytes().replace(b'"schema_version": 1', b'"schema_version": 9'))
    with pytest.raises(BadInput, match="schema version 9"):
        opened()


@pytest.mark.parametrize("file", ["manifest.json", "inputs/plan.json"])
def test_damaged_description_of_an_experiment_is_named(small, opened, file):
    experiment = small()
    (experiment.folder / file).write_text('{"seed": 1')
    with pytest.raises(BadInput, match=rf"{file}: is damaged"):
        opened()


# Only reading


@pytest.mark.parametrize(
    "text",
    [
        "copy games to '{archive}/out.csv'",
        "copy (select 1) to '{archive}/experiment=demo-00000001/cells.parquet' (format parquet)",
        "explain analyze copy games to '{archive}/out.csv'",
        "explain (analyze) copy games to '{archive}/out.csv'",
        "select 1; copy games to '{archive}/out.csv'",
        "export database '{archive}/out'",
        "attach '{archive}/out.db'",
        "create table mine as from games",
        "drop view games",
        "insert into experiments (name) values ('x')",
        "set enable_external_access = true",
        "set variable games_files = ['/etc/hostname']",
        "prepare p as copy games to '{archive}/out.csv'",
        "install httpfs",
        "pragma version",
        "begin",
        "",
        "-- nothing",
    ],
)
def test_sql_that_would_write_or_change_something_is_refused(small, opened, tmp_path, text):
    experiment = small()
    experiment.shard(games=games(0))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(BadInput, match=r"is not allowed|statements"):
        opened().sql(text.format(archive=experiment.folder.parent)).fetchall()
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "text", ["from read_csv('{file}')", "from read_text('{file}')", "from '{file}'", "from glob('{folder}/*')"]
)
def test_sql_reads_no_file_outside_the_archive(small, opened, tmp_path, text):
    small()
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    with pytest.raises(BadInput, match="disabled by configuration"):
        opened().sql(text.format(file=secret, folder=tmp_path)).fetchall()


def test_sql_sees_no_variable_of_the_program(small, opened):
    small()
    secret = [[1]]  # noqa: F841 - DuckDB would find a table of that name
    with pytest.raises(BadInput, match="secret does not exist"):
        opened().sql("from secret")


@pytest.mark.parametrize(
    "text",
    [
        "select 1",
        "from games",
        "with a as (select 1) from a",
        "describe games",
        "show tables",
        "summarize games",
        "explain select 1",
        "explain analyze select 1",
        "values (1)",
        "from (pivot games on winner in ('red') using count(*))",
    ],
)
def test_sql_that_reads_is_answered(small, opened, text):
    small()
    opened().sql(text).fetchall()


def test_a_pivot_without_values_is_refused_with_advice(small, opened):
    small()
    with pytest.raises(BadInput, match="must name its values"):
        opened().sql("pivot games on winner using count(*)")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("selec 1", "the query: Parser Error: syntax error at or near"),
        ("select gmaes from games", 'the query: Binder Error: Referenced column "gmaes" not found'),
        ("from gamse", "the query: Catalog Error: Table with name gamse does not exist! Did you mean"),
    ],
)
def test_mistakes_in_sql_are_one_line(small, opened, text, says):
    small()
    with pytest.raises(BadInput) as refused:
        opened().sql(text)
    assert str(refused.value).startswith(says)
    assert "\n" not in str(refused.value)


def test_mistakes_found_while_the_answer_is_fetched_are_one_line(small, opened):
    small()
    archive = opened()
    with pytest.raises(BadInput, match="the query: Conversion Error"), archive.errors():
        archive.sql("select cast(name as integer) from experiments").fetchall()


# Object stores


def test_address_of_an_unknown_kind_is_refused():
    with pytest.raises(
        BadInput, match=r"moon://crater: cannot be opened: there is no way to moon://: use a folder or s3:"
    ):
        queries.open("moon://crater")


def test_archive_of_an_object_store_is_read_in_the_same_way(small, opened, tmp_path):
    small("day").shard(games=games(0, 1), turns=[{"turn": 1, "side": "red"}])
    store = fsspec.filesystem("memory")
    store.put(str(tmp_path / "archive"), "/bucket/archive", recursive=True)
    try:
        archive = opened("memory://bucket/archive")
        assert count(archive) == 2
        assert archive.sql("select experiment, turn from turns").fetchall() == [("day-00000001", 1)]
        assert not archive.notes
        assert count(opened("memory://bucket/archive/experiment=day-00000001")) == 2
    finally:
        store.rm("/bucket", recursive=True)
