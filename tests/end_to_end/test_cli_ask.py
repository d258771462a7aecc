"""`query`, `sql`, `export` and `report`: what an archive answers."""

import json
import re
import sys

import duckdb
import pyarrow.parquet as pq
import pytest

# Ask


def test_query_as_a_table(duosuan, archive):
    typed = duosuan("query", "win_rates", archive)
    header, _, first, second = (line.split() for line in typed.out.splitlines())
    assert dict(zip(header, first, strict=True))["blue_win_rate"] == "0.5"
    assert dict(zip(header, second, strict=True))["games"] == "1"
    assert typed.err == "note: demo-00000001: 3 of 4 games are there so far\n"


def test_query_with_parameters_and_formats(duosuan, archive):
    (row,) = json.loads(duosuan("query", "outcomes", archive, "--param", "red_policy=easy", "--json").out)[3:]
    assert (row["cell"], row["outcome"], row["n"]) == (1, "axis_minor", 0)
    assert json.loads(duosuan("query", "outcomes", archive, "--param", "red_policy=none", "--format", "json").out) == []


def test_sql_from_the_command_line_and_from_stdin(duosuan, archive, monkeypatch, tmp_path):
    text = "select cell, count(*) as n from games group by all order by cell"
    assert duosuan("sql", archive, text, "--format", "csv").out == "cell,n\n0,2\n1,1\n"
    (tmp_path / "q.sql").write_text(text)
    with (tmp_path / "q.sql").open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert duosuan("sql", archive, "-", "--format", "csv").out == "cell,n\n0,2\n1,1\n"


def test_export(duosuan, archive, tmp_path):
    typed = duosuan("export", archive, tmp_path / "all.duckdb")
    assert typed.out == ""
    assert re.fullmatch(
        r"note: demo-00000001: 3 of 4 games are there so far\nwritten into .*all.duckdb: [\d.]+ MB\n", typed.err
    )
    with duckdb.connect(str(tmp_path / "all.duckdb"), read_only=True) as file:
        assert file.sql("select sum(games) from win_rates()").fetchall() == [(3,)]


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_answer_goes_into_a_file_in_the_form_of_its_name(duosuan, archive, tmp_path, ending):
    out = tmp_path / f"answer.{ending}"
    assert duosuan("sql", archive, "select replication from games where cell = 1", "--out", out).out == ""
    if ending == "parquet":
        assert pq.read_table(out).to_pylist() == [{"replication": 0}]
    else:
        assert out.read_text() == {"csv": "replication\n0\n", "json": '[\n{"replication": 0}\n]\n'}[ending]


def test_damaged_file_is_named_and_can_be_skipped(duosuan, archive):
    path = next(archive.rglob("turns/**/*.parquet"))
    path.write_bytes(b"PAR1")
    assert duosuan("query", "win_rates", archive, code=2).err.startswith(f"error: {path}: is damaged")
    assert f"note: left out: {path.parents[3]}" in duosuan("query", "win_rates", archive, "--skip-damaged").err


# Report


def test_report_is_a_page(duosuan, archive, tmp_path):
    said = duosuan("report", archive, "--out", tmp_path / "page.html")
    assert said.out == ""
    assert said.err.startswith(f"written to {tmp_path / 'page.html'}\nnote: ")
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")


def test_report_as_json_and_markdown(duosuan, archive):
    report = json.loads(duosuan("report", archive, "--json").out)
    assert report["experiments"][0]["scenarios"][0]["games"] == 3
    assert "## demo" in duosuan("report", archive, "--markdown").out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--json", "--markdown"], "contradict each other"),
        (["--out", "/nowhere/report.html"], "cannot be written"),
        (["--experiment", "dmo"], "did you mean demo?"),
    ],
)
def test_report_refusals(duosuan, archive, options, message):
    assert message in duosuan("report", archive, *options, code=2).err
