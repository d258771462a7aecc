"""Answers as tables, CSV, JSON and Parquet."""

import csv
import io
import json

import duckdb
import pyarrow.parquet as pq
import pytest

from queries.formats import FORMATS, MOST_SHOWN, print_table, shown, write
from sim.rules_file import BadInput

QUERY = """
    select 'Kiev, "x"' as place, 3 as n, 0.25 as share, null::double as nothing, true as held, 'nan'::double as odd
    union all select 'Minsk', 10, 1.0, null, false, 2.5
"""


@pytest.fixture
def answer():
    with duckdb.connect() as connection:
        yield connection.sql


def test_csv_has_a_header_and_empty_fields_for_null(answer, capsys):
    assert write(answer(QUERY), "csv") == []
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows[0] == {"place": 'Kiev, "x"', "n": "3", "share": "0.25", "nothing": "", "held": "true", "odd": "nan"}
    assert len(rows) == 2


def test_json_is_a_list_of_objects_and_has_no_nan(answer, capsys):
    write(answer(QUERY), "json")
    rows = json.loads(capsys.readouterr().out, parse_constant=lambda name: pytest.fail(name))
    assert rows[0] == {"place": 'Kiev, "x"', "n": 3, "share": 0.25, "nothing": None, "held": True, "odd": None}
    assert rows[1]["odd"] == 2.5


def test_empty_answers_are_empty(answer, capsys):
    empty = f"select * from ({QUERY}) limit 0"
    write(answer(empty), "json")
    assert json.loads(capsys.readouterr().out) == []
    write(answer(empty), "csv")
    assert capsys.readouterr().out == "place,n,share,nothing,held,odd\n"


def test_table_aligns_numbers_and_shows_null_as_a_dash(answer, capsys):
    write(answer(QUERY), "table")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in (lines[0], *lines[2:])] == [
        ["place", "n", "share", "nothing", "held", "odd"],
        ["Kiev,", '"x"', "3", "0.25", "–", "true", "–"],
        ["Minsk", "10", "1", "–", "false", "2.5"],
    ]
    assert lines[2].index("3") == lines[3].index("10") + 1


def test_wide_tables_are_not_cut():
    out = io.StringIO()
    print_table(["a" * 90, "b" * 90], [["x" * 150, "y"]], out)
    assert "x" * 150 in out.getvalue()
    assert "b" * 90 in out.getvalue()


def test_text_is_shown_as_it_is():
    out = io.StringIO()
    print_table(["[red]", "b"], [["[bold]x[/bold]", 1]], out)
    assert "[red]" in out.getvalue()
    assert "[bold]x[/bold]" in out.getvalue()


def test_long_tables_end_with_a_note(answer, capsys):
    notes = write(answer(f"from range({MOST_SHOWN + 1})"), "table")
    assert notes == ["the first 1,000 rows are shown: ask with --format csv, json or parquet for all"]
    assert len(capsys.readouterr().out.splitlines()) == MOST_SHOWN + 2
    assert write(answer(f"from range({MOST_SHOWN})"), "table") == []
    assert write(answer("from range(0)"), "table") == ["no rows answer this"]


def test_parquet_keeps_types_and_nulls(answer, tmp_path):
    write(answer(QUERY), "parquet", tmp_path / "a.parquet")
    table = pq.read_table(tmp_path / "a.parquet")
    assert table.column("n").to_pylist() == [3, 10]
    assert table.column("nothing").null_count == 2


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_file_is_whole_or_not_there(answer, tmp_path, form):
    out = tmp_path / f"a.{form}"
    out.write_text("before")
    relation = answer("select cast(case when range = 50_000 then 'x' else '1' end as integer) from range(60_000)")
    with pytest.raises(duckdb.DatabaseError, match="Could not convert"):
        write(relation, form, out)
    assert out.read_text() == "before"
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (float("nan"), "–"),
        (True, "true"),
        (1234567, "1234567"),
        (0.123456, "0.1235"),
        (1234.5678, "1235"),
        (2.0, "2"),
        (0.0, "0"),
        (1e-7, "1e-07"),
        ("at_once", "at_once"),
    ],
)
def test_values_are_shown_in_few_digits(value, text):
    assert shown(value) == text


ODD = [
    "2^1024",
    "-(2^1024)",
    "'nan'::double",
    "'infinity'::float",
    "-0.0::double",
    "1e-320",
    "170141183460469231731687303715884105727::hugeint",
    "340282366920938463463374607431768211455::uhugeint",
    "12345678901234567890123456789.5::decimal(38, 1)",
    "'\\x00\\xff'::blob",
    "'10101'::bit",
    "uuid '00000000-0000-0000-0000-000000000001'",
    "'red'::enum('red', 'blue')",
    "union_value(num := 2)",
    "1::variant",
    "interval 3 month",
    "interval '1000000 years'",
    "interval '1 day' * 1e9",
    "'infinity'::date",
    "'-infinity'::timestamp",
    "'infinity'::timestamptz",
    "date '0044-03-15 (BC)'",
    "date '294246-01-01'",
    "timestamp '294246-01-01'",
    "timestamptz '294246-01-01'",
    "timestamptz '2020-01-01 00:00:00+02'",
    "timestamp_ns '2020-01-01 00:00:00.123456789'",
    "time '24:00:00'",
    "timetz '12:30:00+02'",
    "[1, 2, null]",
    "[]",
    "[2^1024, 'nan'::double]",
    "{'a': 1, 'b': [2^1024]}",
    "map{'a': 1}",
    "map{[1]: 2}",
    "map{date '2000-01-01': 'x'}",
    "map{1: 'nan'::double}",
    "array_value(1, 2, 3)",
    "row(1, 2)",
    "{'a': 'x'::blob}",
    "[{'a': 'infinity'::date}]",
    "null",
    "'a\nb'",
    "chr(0)",
    "chr(27)",
    "'[red]x[/red]'",
    "''",
    "chr(128077)",
    "chr(8203)",
    "'{\"a\": 1}'::json",
    "repeat('x', 3000)",
    "{'a': interval '1 day' * 1e9}",
]


def strictly(text):
    def no_constant(name):
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text, parse_constant=no_constant)


@pytest.mark.parametrize("form", FORMATS)
def test_an_odd_value_is_written_or_refused_in_one_line(tmp_path, form):
    out = tmp_path / f"answer.{form}"
    with duckdb.connect() as connection:
        for value in ODD:
            out.unlink(missing_ok=True)
            try:
                write(connection.sql(f"select {value} as x, 1 as y"), form, out)
            except BadInput as error:
                line = str(error)
            else:
                line = ""
            assert out.exists() == (line == ""), value
            assert line == "" or (line.isprintable() and "cast it to text" in line), value
            if form == "json" and not line:
                assert strictly(out.read_text(encoding="utf-8"))[0]["y"] == 1, value
            write(connection.sql(f"select ({value})::varchar as x"), form, out)  # what the line says helps


def test_infinity_is_no_number_to_round():
    assert [shown(value) for value in (float("inf"), float("-inf"), float("nan"))] == ["inf", "-inf", "–"]


def test_after_an_answer_that_was_not_read_to_its_end_another_is_given(tmp_path):
    with duckdb.connect() as connection:
        for form in ("csv", "json", "parquet"):
            with pytest.raises(duckdb.Error):
                write(
                    connection.sql("select error(i::varchar) as x from range(3_000_000) as r(i)"), form, tmp_path / "x"
                )
        assert len(write(connection.sql("from range(3_000_000)"), "table", tmp_path / "x")) == 1
        assert connection.sql("select 1").fetchall() == [(1,)]
