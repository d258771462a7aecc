"""`duosuan list`, `duosuan show` and `duosuan play`: what there is, and one game told."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cluster import cli_run
from cluster.cli_ask import ArchivePath, Json

if TYPE_CHECKING:
    from rich.status import Status

    from cluster.describe import Thing
    from cluster.one_game import OneGame
    from queries.tell import Story

lists = typer.Typer(help="List scenarios, policies, questions or the experiments of an archive.")


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    panel = "Look"
    app.add_typer(lists, name="list", rich_help_panel=panel)
    app.command("show", rich_help_panel=panel)(show)
    app.command("play", rich_help_panel=panel)(play)


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
def experiments(archive: ArchivePath = str(cli_run.ARCHIVE), as_json: Json = False) -> None:
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
    name: Annotated[str, typer.Argument(help="A scenario, policy, question or map.", metavar="NAME")],
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
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from rich.console import Console

    from cluster import describe

    console = Console(highlight=False, soft_wrap=True)
    found = describe.things_called(name, min(console.width, 120))
    if svg is not None:
        _draw(name, found, svg)
    elif as_json:
        print(json.dumps([{"kind": it.kind, **it.about} for it in found], indent=1, ensure_ascii=False))
    else:
        console.print("\n\n".join(it.text for it in found))


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


# Play


def play(
    scenario: Annotated[str, typer.Argument(help="A scenario, or a path to its .toml.", metavar="SCENARIO")],
    blue: Annotated[str, typer.Option(help="Policy of blue, or path/to/file.py:policy.")],
    red: Annotated[str, typer.Option(help="Policy of red, or path/to/file.py:policy.")],
    seed: Annotated[int, typer.Option(help="Seed of the dice.", min=0, max=2**64 - 1)] = 1,
    replication: Annotated[int, typer.Option(help="Which game of that seed.", min=0, max=2**31 - 1)] = 0,
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="Another value, as path=value; repeatable.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play one game and tell it turn by turn.

    \b
    duosuan play barbarossa --blue hold --red medium --replication 3
    duosuan play blue --blue hold --red easy --set options.vacated=garrison --set doctrine.blue.retreats=0

    A game that a policy could not go on with ends with exit code 1.
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster import one_game
    from cluster.tables import FAILED

    settings = dict(map(one_game.setting, setting or []))
    game = one_game.prepare(scenario, blue, red, settings)
    with _patience():
        story = one_game.play(game, seed, replication)
    if as_json:
        print(json.dumps(one_game.as_data(game, seed, replication, story), indent=1, ensure_ascii=False))
    else:
        _tell(game, seed, replication, story)
    if story.game["end_reason"] == FAILED:
        raise typer.Exit(1)


def _patience() -> "Status":
    from rich.console import Console

    return Console(stderr=True).status("playing; the first game of a rulebook is compiled, which takes a minute")


def _tell(game: "OneGame", seed: int, replication: int, story: "Story") -> None:
    from rich.console import Console
    from rich.markup import escape

    from queries import tell

    console = Console(highlight=False, soft_wrap=True)
    chapters, outcome = tell.tell(game.scenario.rulebook, story)
    pairing = ", ".join(f"{story.sides[spec_side]}: {spec.name}" for spec_side, spec in game.players.items())
    console.print(
        f"[bold]{escape(game.scenario.title)}[/bold]  {escape(pairing)}  seed {seed}, replication {replication}"
    )
    for chapter in chapters:
        console.print(f"\n[bold]{escape(chapter.title)}[/bold]")
        for section in chapter.sections:
            console.print(f"  [dim]{escape(section.title)}[/dim]")
            for line in section.lines:
                console.print(f"    {escape(line)}")
        for line in chapter.standing:
            console.print(f"  {escape(line)}", style="cyan" if chapter is not chapters[0] else "")
    console.print(f"\n[bold]{escape(outcome)}[/bold]")
