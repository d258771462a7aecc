"""`duosuan list` and `duosuan show`: what there is."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cluster import cli_run
from cluster.cli_ask import ArchivePath, Json

if TYPE_CHECKING:
    from cluster.describe import Thing

KINDS = ("scenario", "policy", "question", "map")
WORDS = "[scenario|policy|question|map] NAME"

lists = typer.Typer(help="List scenarios, policies, questions or the experiments of an archive.")


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    panel = "Look"
    app.add_typer(lists, name="list", rich_help_panel=panel)
    app.command("show", rich_help_panel=panel)(show)


# List


@lists.command()
def scenarios(as_json: Json = False) -> None:
    """List the scenarios that come with Duosuan."""
    from cluster import library

    rows = [(ref.full_name, ", ".join(ref.aliases), ref.title) for ref in library.scenarios()]
    _print(("scenario", "also called", "title"), rows, as_json)


@lists.command()
def policies(as_json: Json = False) -> None:
    """List the policies of every side, and doctrines that have a name."""
    import sim
    from cluster import library
    from sim.game import SIDES

    rows = [
        (rulebook, SIDES[ref.side], ref.name, ref.summary)
        for rulebook in sim.RULEBOOKS
        for side in range(len(SIDES))
        for ref in library.policies(rulebook, side)
    ]
    _print(("rulebook", "side", "policy", "summary"), rows, as_json)


@lists.command("questions")
def list_questions(as_json: Json = False) -> None:
    """List the questions that can be asked of an archive."""
    from queries import questions

    _print(("question", "asks"), [(name, questions.find(name).asks) for name in questions.names()], as_json)


@lists.command()
def experiments(archive: ArchivePath = cli_run.ARCHIVE, as_json: Json = False) -> None:
    """List the experiments of an archive and how complete each is."""
    import queries

    columns = ("experiment", "label", "created", "record", "games", "games_planned", "failed", "complete")
    with queries.open(archive) as opened:
        rows = opened.sql(f"select {', '.join(columns)} from experiments order by created, experiment").fetchall()
        _print(columns, rows, as_json)
        for note in opened.notes:
            print(f"note: {note}", file=sys.stderr)


def _print(columns: tuple[str, ...], rows: list[tuple], as_json: bool) -> None:
    from queries.formats import print_table

    if as_json:
        print(json.dumps([dict(zip(columns, row, strict=True)) for row in rows], indent=1, ensure_ascii=False))
    else:
        print_table(columns, rows, sys.stdout)


# Show


def show(
    words: Annotated[list[str], typer.Argument(help="What is called so; the kind may be left out.", metavar=WORDS)],
    svg: Annotated[Path | None, typer.Option(help="Draw a scenario or map into this file.")] = None,
    as_json: Json = False,
) -> None:
    """Show a scenario, policy, question or map.

    \b
    duosuan show barbarossa                        a scenario: its map and set-up
    duosuan show blue --svg blue.svg               the same, drawn
    duosuan show random_7 --svg random_7.svg       a generated scenario
    duosuan show eastern_front                     a map
    duosuan show win_rates                         what a question means
    duosuan show map two_bridges                   the kind, where a name may be several things
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from rich.console import Console

    from cluster import describe

    console = Console(highlight=False, soft_wrap=True)
    kind, name = _kind_and_name(words)
    found = describe.things_called(name, min(console.width, 120), kind)
    if svg is not None:
        _draw(name, found, svg)
    elif as_json:
        print(json.dumps([{"kind": it.kind, **it.about} for it in found], indent=1, ensure_ascii=False))
    else:
        console.print("\n\n".join(it.text for it in found))


def _kind_and_name(words: list[str]) -> tuple[str | None, str]:
    from sim.rules_file import BadInput, one_of

    if len(words) > 2:
        raise BadInput(f"{' '.join(words)!r} is too much: show one thing, [KIND] NAME")
    if len(words) == 2 and words[0] not in KINDS:
        raise BadInput(f"there is no kind {words[0]!r}: {one_of(KINDS, words[0])}")
    return (words[0] if len(words) == 2 else None), words[-1]


def _draw(name: str, found: "list[Thing]", svg: Path) -> None:
    from queries import draw
    from sim.rules_file import BadInput

    drawings = [it.drawing for it in found if it.drawing]
    if not drawings:
        raise BadInput(f"{name} is nothing that can be drawn", key="--svg")
    try:
        svg.write_text(draw.svg(*drawings[0]), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", file=svg) from None
    print(f"drawn into {svg}", file=sys.stderr)
