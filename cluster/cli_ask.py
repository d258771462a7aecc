"""`duosuan sql` and `duosuan query`: answers from an archive."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import duckdb

    from queries.archive import Archive

ArchivePath = Annotated[
    str, typer.Argument(help="An archive, or the folder of one experiment in it.", metavar="ARCHIVE")
]
Format = Annotated[
    str, typer.Option("--format", help="table, csv, json or parquet; by default as --out ends, else table.")
]
Json = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
Out = Annotated[Path | None, typer.Option(help="A file for the answer.")]
Only = Annotated[
    list[str] | None, typer.Option("--experiment", help="Only experiments of this name or id; repeatable.")
]
SkipDamaged = Annotated[bool, typer.Option(help="Check every file and leave out shards that are damaged.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    panel = "Ask"
    app.command("query", rich_help_panel=panel)(query)
    app.command("sql", rich_help_panel=panel)(sql)


def query(
    name: Annotated[str, typer.Argument(help="The question: see `duosuan list questions`.", metavar="QUESTION")],
    archive: ArchivePath,
    param: Annotated[list[str] | None, typer.Option(help="A parameter, as name=value; repeatable.")] = None,
    form: Format = "",
    as_json: Json = False,
    out: Out = None,
    experiment: Only = None,
    skip_damaged: SkipDamaged = False,
) -> None:
    """Answer one of the questions that come with Duosuan.

    \b
    duosuan query win_rates archives/demo
    duosuan query region_holders archives/demo --param turn=13 --out holders.csv
    duosuan show win_rates        what the question means
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from queries import questions

    form = _format(form, as_json, out)
    parameters = dict(_pair(text) for text in param or [])
    questions.find(name).values(parameters)  # before the archive is opened: what is wrong here is said first
    with _open(archive, experiment, skip_damaged) as opened, opened.errors():
        _answer(opened, opened.question(name, **parameters), form, out)


def sql(
    archive: ArchivePath,
    text: Annotated[str, typer.Argument(help="A query that only reads; - takes it from stdin.", metavar="QUERY")],
    form: Format = "",
    as_json: Json = False,
    out: Out = None,
    experiment: Only = None,
    skip_damaged: SkipDamaged = False,
) -> None:
    """Answer a query of your own, in DuckDB's SQL.

    \b
    duosuan sql archives/demo "select scenario, outcome, count(*) from games group by all"
    duosuan sql archives/demo "from experiments"
    duosuan sql archives/demo "describe events"
    duosuan sql archives/demo - --out answer.parquet < question.sql
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    form = _format(form, as_json, out)
    with _open(archive, experiment, skip_damaged) as opened, opened.errors():
        _answer(opened, opened.sql(sys.stdin.read() if text == "-" else text), form, out)


def _open(archive: str, experiment: list[str] | None, skip_damaged: bool) -> "Archive":
    import queries

    return queries.open(archive, experiments=experiment or (), skip_damaged=skip_damaged)


def _answer(archive: "Archive", relation: "duckdb.DuckDBPyRelation", form: str, out: Path | None) -> None:
    from queries import formats

    try:
        notes = archive.stoppable(lambda: formats.write(relation, form, out))
    except BrokenPipeError:
        raise
    except OSError as error:
        from sim.rules_file import BadInput

        raise BadInput(f"cannot be written: {error.strerror}", file=out) from None
    for line in [*archive.notes, *notes]:
        print(f"note: {line}", file=sys.stderr)


def _format(given: str, as_json: bool, out: Path | None) -> str:
    """The format that was asked for, by name or by the ending of a file's name."""
    from queries.formats import FORMATS

    ending = out.suffix.removeprefix(".") if out else ""
    form = given or ("json" if as_json else ending if ending in FORMATS else "table")
    if form in FORMATS and not (form == "parquet" and out is None) and not (as_json and form != "json"):
        return form
    from sim.rules_file import BadInput, one_of

    if form not in FORMATS:
        raise BadInput(f"there is no format {form!r}: use {one_of(FORMATS, form)}", key="--format")
    if form == "parquet":
        raise BadInput("parquet is no text for a terminal: name a file with --out", key="--format")
    raise BadInput(f"--json and --format {form} contradict each other")


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if equals:
        return name, value
    from sim.rules_file import BadInput

    raise BadInput(f"{text!r} is no parameter: use name=value", key="--param")
