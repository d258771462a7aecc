"""Nothing that asks may write, or read elsewhere: every kind of statement and every function of the installed DuckDB is
tried on an archive, through `Archive.sql` and below it, where only the connection's own file system stands guard.
"""

import contextlib
import tempfile
from pathlib import Path

import duckdb
import pytest

import queries
from sim.rules_file import BadInput
from tests.small_archives import SmallExperiment

MARK = "a-word-of-the-witness"
"""What files outside the archive hold, and what one of them is called: no answer may hold it."""

STATEMENTS = {
    "analyze": ["analyze", "analyze games"],
    "alter": ["alter table experiments rename to mine", "alter table experiments add column x integer"],
    "attach": [
        "attach '{out}/new.db' as new",
        "attach '{db}' as other",
        "attach '{inside}' as mine",
        "attach '{scheme}' as mine",
        "attach ':memory:'",
    ],
    "call": ["call range(3)", "call force_checkpoint()", "call enable_logging(storage = 'file', path = '{out}/log')"],
    "copy": [
        "copy (select 'x') to '{out}/new.csv'",
        "copy (select 'x') to '{text}' (format csv, header false)",
        "copy (select 'x') to '{inside}' (format csv, header false)",
        "copy (select 'x') to '{inside}' (format parquet)",
        "copy (select 'x') to '{archive}/inputs/any.json' (format csv, header false)",
        "copy (select 'x') to '{scheme}' (format parquet)",
        "copy (select 'x') to 'archive://experiment=demo-00000001/inputs/any.json' (format csv)",
        "copy (select 1 as a, 2 as b) to '{out}/parts' (format parquet, partition_by (a))",
        "copy (select 1 as a, 2 as b) to 'archive://parts' (format parquet, partition_by (a), overwrite true)",
        "copy (select 'x') to '{temporary}/../../{text}' (format csv)",
        "copy experiments from '{text}'",
        "copy from database memory to other",
    ],
    "create": [
        "create table mine as from games",
        "create view mine as from '{text}'",
        "create or replace macro z() as 0.0",
        "create schema mine",
        "create sequence mine",
        "create type mine as enum ('x')",
        "create persistent secret mine (type http, bearer_token 'x')",
        "create secret mine (type http, bearer_token 'x')",
        "create index mine on experiments (name)",
    ],
    "delete": ["delete from experiments", "truncate experiments"],
    "drop": ["drop view games", "drop table experiments"],
    "execute": ["execute mine"],
    "export": ["export database '{out}/all'", "export database '{archive}/all' (format parquet)"],
    "import": ["import database '{out}'"],
    "insert": ["insert into experiments (name) values ('x')", "insert into experiments (name) from '{text}'"],
    "install": ["install httpfs", "force install httpfs", "install '{text}'"],
    "load": ["load httpfs", "load '{text}'"],
    "merge": ["merge into experiments as e using (select 'x' as name) as n using (name) when matched then delete"],
    "pragma": ["pragma version", "pragma enable_profiling", "pragma profiling_output = '{out}/profile'"],
    "prepare": ["prepare mine as copy (select 'x') to '{out}/new.csv'"],
    "set": [
        "set enable_external_access = true",
        "set allowed_directories = ['/']",
        "set allowed_paths = ['{text}']",
        "set temp_directory = '{out}'",
        "set profiling_output = '{out}/profile'",
        "set log_query_path = '{out}/log'",
        "set file_search_path = '{out}'",
        "set secret_directory = '{out}'",
        "set extension_directory = '{out}'",
        "set home_directory = '{out}'",
        "set variable games_files = ['{text}']",
        "reset enable_external_access",
        "reset lock_configuration",
    ],
    "transaction": ["begin", "checkpoint", "vacuum"],
    "update": ["update experiments set name = 'x'", "update extensions"],
    "use": ["use empty"],
    "detach": ["detach memory"],
    "comment": ["comment on table experiments is 'x'"],
}  # fmt: skip
"""Statements that do more than read, by kind."""

WRITES = [text for kind in ("copy", "insert", "delete", "merge") for text in STATEMENTS[kind]]
AROUND = {
    "with": "with w as ({}) select 1",
    "with, materialized": "with w as materialized ({}) from w",
    "within a subquery": "select * from (with w as ({}) select 1)",
    "within an expression": "select (with w as ({}) select 1)",
    "within exists": "select 1 where exists (with w as ({}) select 1)",
    "within a with": "with v as (with w as ({}) select 1) from v",
    "a branch of a union": "select 1 union all (with w as ({}) select 1)",
    "lateral": "from range(2) as r(i), lateral (with w as ({}) select i)",
    "in a recursion": "with recursive v(a) as (select 1 union all (with w as ({}) select a + 1 from v)) from v limit 3",
    "a pivot": "from (pivot (with w as ({}) select 1 as a) on a in (1) using count(*))",
    "an unpivot": "from (unpivot (with w as ({}) select 1 as a) on a)",
    "described": "describe with w as ({}) select 1",
    "summarized": "summarize with w as ({}) select 1",
    "explain": "explain {}",
    "explain analyze": "explain analyze {}",
    "explain with options": "/* x */ explain (analyze, format json) {}",
    "explain analyze, with": "explain analyze with w as ({}) select 1",
    "explain, bracketed": "explain (with w as ({}) select 1)",
    "prepare": "prepare mine as {}",
    "prepare, with": "prepare mine as with w as ({}) select 1",
    "macro": "create macro mine() as table with w as ({}) select 1",
    "view": "create view mine as with w as ({}) select 1",
    "second": "select 1; {}",
    "for each file": "from query($$with w as ({}) select 1$$)",
    "text put together": "from query('with w as (' || $${}$$ || ') select 1')",
    "serialized": "from json_execute_serialized_sql(json_serialize_sql($$with w as ({}) select 1$$))",
    "pragma": "pragma json_execute_serialized_sql($$with w as ({}) select 1$$)",
}  # fmt: skip


class Place:
    """An archive with a witness beside it, and what statements may want to name."""

    def __init__(self, archive, folder: Path, out: Path) -> None:
        self.archive, self.folder, self.out = archive, folder, out
        self.connection: duckdb.DuckDBPyConnection = archive._connection
        inside = next(folder.glob("games/*/*/*.parquet"))
        self.names = {
            "archive": folder,
            "inside": inside,
            "scheme": f"archive://{folder.name}/{inside.relative_to(folder)}",
            "out": out,
            "text": out / "witness.csv",
            "all": out / "*",
            "db": out / "witness.db",
            "temporary": self.connection.execute("select current_setting('temp_directory')").fetchall()[0][0],
        }
        self.before = self.content()

    def content(self) -> dict[str, object]:
        """Every file below the archive's folder and the witness's, with its bytes and time."""
        found = {}
        for top in (self.folder.parent, self.out, Path.cwd()):
            for path in top.rglob("*"):
                status = path.lstat()
                found[str(path)] = (status.st_mtime_ns, path.read_bytes() if path.is_file() else None)
        return found

    def must_be_whole(self, text: str, answer: object) -> None:
        assert self.content() == self.before, text
        assert MARK not in str(answer), text


@pytest.fixture(scope="module")
def ground(tmp_path_factory) -> Path:
    """A folder with an archive and, outside it, the witness."""
    ground = tmp_path_factory.mktemp("ground")
    SmallExperiment(ground / "archive", "demo").shard(games=[{"replication": 0}, {"replication": 1}])
    (ground / "home").mkdir()
    out = ground / "outside"
    out.mkdir()
    (out / "witness.csv").write_text(f"a,b\n{MARK},1\n")
    (out / "witness.json").write_text(f'{{"a": "{MARK}"}}')
    (out / MARK).write_text("")
    (out / "schema.sql").write_text(f"create table stolen as select '{MARK}' as a;")
    (out / "load.sql").write_text("")
    with duckdb.connect(str(out / "witness.db")) as file:
        file.execute(f"create table t as select '{MARK}' as a")
        file.execute(f"copy t to '{out}/witness.parquet'")
    return ground


@pytest.fixture
def place(ground, opened, monkeypatch):
    home = ground / "home"
    monkeypatch.chdir(home)
    monkeypatch.setenv("HOME", str(home))
    archive = opened(ground / "archive")
    return Place(archive, ground / "archive" / "experiment=demo-00000001", ground / "outside")


def below(place: Place, text: str) -> object:
    """What the connection itself answers, past the check of the statement; each time as if it were the first."""
    with place.connection.cursor() as connection:
        try:
            return connection.execute(text).fetchall()
        except (duckdb.Error, RuntimeError) as refused:
            return type(refused).__name__


@pytest.mark.parametrize("kind", STATEMENTS)
def test_a_statement_that_does_more_than_read_is_refused_and_finds_no_door(place, kind):
    for template in STATEMENTS[kind]:
        text = template.format(**place.names)
        with pytest.raises(BadInput) as refused:
            place.archive.sql(text).fetchall()
        assert "\n" not in str(refused.value), text
        place.must_be_whole(text, refused.value)
        place.must_be_whole(text, below(place, text))


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
def test_it_is_refused_wherever_it_stands(place, around):
    for template in WRITES:
        text = around.format(template.format(**place.names))
        with pytest.raises(BadInput) as refused:
            place.archive.sql(text).fetchall()
        assert "\n" not in str(refused.value), text
        place.must_be_whole(text, below(place, text))


def test_no_kind_of_statement_is_forgotten():
    names = dict.fromkeys(("archive", "inside", "scheme", "out", "all", "text", "db", "temporary"), "x")
    tried = set()
    for text in (template.format(**names) for templates in STATEMENTS.values() for template in templates):
        with contextlib.suppress(duckdb.Error, ValueError):
            tried |= {statement.type.name for statement in duckdb.extract_statements(text)}
    read = {"SELECT", "EXPLAIN", "MULTI"}
    without_a_text = {"INVALID", "RELATION", "EXTENSION", "LOGICAL_PLAN", "CREATE_FUNC", "VARIABLE_SET"}
    under_another_name = {"ANALYZE", "COPY_DATABASE"}
    assert set(duckdb.StatementType.__members__) - tried - read - without_a_text == under_another_name


def calls(place: Place) -> list[str]:
    """Each function that DuckDB lists, called with places of the witness and of the archive for every text."""
    listed = place.connection.execute(
        """
        select distinct function_name, function_type, parameter_types
        from duckdb_functions()
        where function_type in ('table', 'table_macro', 'pragma')
           or list_contains(parameter_types, 'VARCHAR') and function_type in ('scalar', 'macro')
        order by all
        """
    ).fetchall()
    found = []
    for name, kind, types in listed:
        for target in ("text", "all", "db", "inside", "scheme")[: 2 if kind in ("scalar", "macro") else None]:
            place_of = f"'{place.names[target]}'"
            values = ", ".join(_value(kind_of, place_of) for kind_of in types)
            call = f'"{name}"({values})'
            if kind == "pragma":
                found += [f"pragma {name}({values})", f"pragma {name}"]
            elif kind in ("table", "table_macro"):
                found += [f"from {call}", f"call {call}", f"from range(1) as r(i), lateral (from {call})"]
            else:
                found.append(f"select {call}")
    return list(dict.fromkeys(found))


def _value(kind: str | None, place: str) -> str:
    if kind is None or kind in ("VARCHAR", "ANY", "T"):
        return place
    return f"[{place}]" if kind in ("VARCHAR[]", "ANY[]", "T[]") else "1" if "INT" in kind else "null"


def test_no_function_writes_or_reads_elsewhere(place):
    for text in calls(place):
        assert MARK not in str(below(place, text)), text
    place.must_be_whole("all functions", "")


@pytest.mark.parametrize(
    "text", ["from '{text}'", "from '{all}'", "from '{db}'", "from '{inside}'", "from '{out}/*.json'"]
)
def test_no_name_of_a_file_is_a_table(place, text):
    with pytest.raises(BadInput):
        place.archive.sql(text.format(**place.names)).fetchall()


def test_a_parameter_is_a_value(place):
    text = f"'; copy (select 1) to '{place.out}/new.csv'; --"
    assert place.archive.question("win_rates", scenario=text).fetchall() == []
    assert place.archive.sql("select $it", {"it": text}).fetchall() == [(text,)]
    with pytest.raises(BadInput, match="disabled by configuration"):
        place.archive.sql("from read_text($it)", {"it": str(place.names["text"])}).fetchall()
    with pytest.raises(BadInput, match=r"query\(\) is not allowed"):
        place.archive.sql("from query($it)", {"it": f"with w as (copy (select 1) to '{place.out}/x') select 1"})
    place.must_be_whole(text, "")


def test_large_queries_spill_into_a_folder_that_nobody_else_reads_and_that_goes(small, tmp_path, monkeypatch):
    small()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    connect = duckdb.connect
    few = {"memory_limit": "60MB", "threads": "1"}
    monkeypatch.setattr(duckdb, "connect", lambda config: connect(config={**config, **few}))
    archive = queries.open(str(tmp_path / "archive"))
    (folder,) = tmp_path.glob("duosuan-spill-*")
    assert folder.stat().st_mode & 0o077 == 0
    sorted_rows = archive.sql("select md5(i::varchar) as a, md5(a) as b from range(700_000) as r(i) order by b, a")
    rows = sorted_rows.iter_rows(1000)
    assert next(rows) < next(rows)
    assert list(folder.iterdir())
    archive.close()
    assert not folder.exists()
