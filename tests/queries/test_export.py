"""An archive as one DuckDB file: the same tables, the same answers, opened without Duosuan."""

import resource

import duckdb
import pytest

from queries import questions
from queries.archive import SHOWN
from queries.export import export
from sim.rules_file import BadInput
from tests.queries.conftest import rows_of


@pytest.fixture
def archive(small, opened):
    cells = [{"blue_policy": "hold", "steps": 1}, {"blue_policy": "steady", "steps": 2}]
    experiment = small(cells=cells)
    win = {"winner": "blue", "outcome": "axis_minor", "margin": 1}
    failed = {"end_reason": "failed", "winner": None, "outcome": None, "margin": None, "fault": "bad_move"}
    experiment.shard(
        games=[
            {"replication": 0},
            {"replication": 1, **win},
            {"cell": 1, **win},
            {"cell": 1, "replication": 1, **failed},
        ],
        turns=[{"turn": turn, "side": side, "territory": 3} for turn in (12, 13) for side in ("red", "blue")],
        units=[{"turn": 13, "unit": "6th Army", "nation": "german", "status": "on_map", "region": "Kiev"}],
        territory=[{"turn": 13, "place": "Kiev", "holder": "blue"}, {"turn": 13, "place": "Minsk", "holder": "red"}],
        events=[{"turn": 13, "kind": "lost", "side": "red", "actor": "6th Army", "place": "Kiev"}],
    )
    return opened()


@pytest.fixture
def file(archive, tmp_path):
    assert export(archive, tmp_path / "all.duckdb") == [*SHOWN, *questions.names()]
    with duckdb.connect(str(tmp_path / "all.duckdb"), read_only=True) as connection:
        yield connection


def test_every_table_is_there_as_it_was(archive, file):
    for table in SHOWN:
        query = f"select * from {table} order by all"
        assert rows_of(file.sql(query)) == rows_of(archive.sql(query)), table
        types = "select column_name, column_type from (describe {})"
        assert file.sql(types.format(table)).fetchall() == archive.sql(types.format(table)).fetchall()
    assert file.sql("select count(*) from games").fetchall() == [(3,)]
    assert file.sql("select distinct table_type from information_schema.tables").fetchall() == [("BASE TABLE",)]


@pytest.mark.parametrize("name", questions.names())
def test_every_question_answers_as_it_does(archive, file, name):
    assert rows_of(file.sql(f"from {name}()")) == rows_of(archive.question(name))


def test_a_question_takes_its_parameters(archive, file):
    found = rows_of(file.sql("from win_rates(wanted_blue_policy := 'steady')"))
    assert found == rows_of(archive.question("win_rates", blue_policy="steady"))
    assert [(row["steps"], row["games"], row["failed"]) for row in found] == [(2, 1, 1)]
    found = rows_of(file.sql("select * from territory_by_turn(wanted_side := 'blue')"))
    assert found == rows_of(archive.question("territory_by_turn", side="blue"))
    found = rows_of(file.sql("from region_holders(wanted_turn := 13)"))
    assert found == rows_of(archive.question("region_holders", turn=13))


def test_macros_are_there(file):
    assert file.sql("select share(1, 4), round(wilson_low(81, 263), 4)").fetchall() == [(0.25, 0.2553)]


def test_everything_is_explained(file):
    names = "select table_name from duckdb_tables() where comment is null"
    assert file.sql(names).fetchall() == []
    columns = "select table_name, column_name from duckdb_columns() where comment is null and table_name in {}"
    assert file.sql(columns.format(("games", "turns", "units", "territory", "events"))).fetchall() == []
    asked = "select function_name from duckdb_functions() where function_type = 'table_macro' and comment is not null"
    assert {name for (name,) in file.sql(f"{asked} and not internal").fetchall()} == set(questions.names())
    comment = "select comment from duckdb_columns() where table_name = 'games' and column_name = 'red_men_lost'"
    assert "[man]" in file.sql(comment).fetchall()[0][0]


def test_a_file_that_is_there_is_kept(archive, tmp_path):
    path = tmp_path / "mine.duckdb"
    path.write_text("mine")
    with pytest.raises(BadInput, match=r"mine\.duckdb: is there already: use --force to replace it"):
        export(archive, path)
    assert path.read_text() == "mine"
    export(archive, path, force=True)
    assert duckdb.connect(str(path), read_only=True).sql("from games").columns[0] == "experiment"


def test_what_cannot_be_written_is_refused_in_one_line(archive, tmp_path):
    with pytest.raises(BadInput, match=r"^\S*/no/x\.duckdb: cannot be written: No such file or directory$"):
        export(archive, tmp_path / "no" / "x.duckdb")


def test_no_room_for_it_is_one_line_and_nothing_is_left(archive, tmp_path):
    before = sorted(tmp_path.iterdir())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(BadInput, match=r"^\S*/x\.duckdb: cannot be written: \S[^\n]*$"):
            export(archive, tmp_path / "x.duckdb")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert sorted(tmp_path.iterdir()) == before


def test_nothing_is_left_behind_when_it_fails(archive, tmp_path, monkeypatch):
    monkeypatch.setattr("queries.export._comment", lambda connection: 1 // 0)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(ZeroDivisionError):
        export(archive, tmp_path / "x.duckdb")
    assert sorted(tmp_path.iterdir()) == before
