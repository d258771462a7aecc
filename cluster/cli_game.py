"""`duosuan play`, `replay`, `fork` and `turning-points`: one game, told, shown and gone on with."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cluster.cli_ask import Json

if TYPE_CHECKING:
    from rich.status import Status

    from cluster.compared import Difference
    from cluster.fork import Chance, Chances, Played
    from cluster.one_game import OneGame
    from queries.tell import Row, Story

Archive = Annotated[
    str, typer.Argument(help="An experiment's folder, or an archive that holds one experiment.", metavar="ARCHIVE")
]
Cell = Annotated[int, typer.Option(help="Number of the game's cell.", min=0, max=2**31 - 1)]
Replication = Annotated[int, typer.Option(help="Number of the game in its cell.", min=0, max=2**31 - 1)]
Settings = Annotated[list[str] | None, typer.Option("--set", help="Another value, as path=value; repeatable.")]

MOST_SAID = 20
"""Differences that are told one by one."""


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    for command in (play, replay, fork, turning_points):
        app.command(command.__name__.replace("_", "-"), rich_help_panel="One game")(command)


def play(
    scenario: Annotated[str, typer.Argument(help="A scenario, or a path to its .toml.", metavar="SCENARIO")],
    blue: Annotated[str, typer.Option(help="Policy of blue, or path/to/file.py:policy.")],
    red: Annotated[str, typer.Option(help="Policy of red, or path/to/file.py:policy.")],
    seed: Annotated[int, typer.Option(help="Seed of the dice.", min=0, max=2**64 - 1)] = 1,
    replication: Annotated[int, typer.Option(help="Which game of that seed.", min=0, max=2**31 - 1)] = 0,
    setting: Settings = None,
    as_json: Json = False,
) -> None:
    """Play one game and tell it turn by turn.

    \b
    duosuan play barbarossa --blue hold --red medium --replication 3
    duosuan play blue --blue hold --red easy --set options.vacated=garrison --set doctrine.blue.retreats=0

    A game that a policy could not go on with ends with exit code 1.
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster import one_game
    from queries.schema import FAILED

    settings = dict(map(one_game.setting, setting or []))
    game = one_game.prepare(scenario, blue, red, settings)
    with _patience():
        story = one_game.play(game, seed, replication)
    if as_json:
        _print_json(one_game.as_data(game, seed, replication, story))
    else:
        _tell(game, seed, replication, story)
    if story.game["end_reason"] == FAILED:
        raise typer.Exit(1)


def replay(
    archive: Archive,
    cell: Cell = 0,
    replication: Replication = 0,
    turn: Annotated[int | None, typer.Option(help="Only this turn; of a page the one that it opens with.")] = None,
    html: Annotated[
        Path | None, typer.Option(help="A page with the map to step through the game, into this file.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a game of an archive again, tell it, and compare it with what was recorded.

    \b
    duosuan replay archives/demo --cell 2 --replication 17
    duosuan replay archives/demo --cell 2 --replication 17 --turn 5
    duosuan replay archives/demo --cell 2 --replication 17 --html game.html

    A game that differs from its record ends with exit code 1, and what differs is named.
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster import fork, one_game, stored_game

    stored = stored_game.find(archive, cell, replication)
    with _patience():
        played = fork.play(stored)
    one_game.check_turn(played.story, turn)
    rows = stored_game.recorded(stored)
    differences = stored_game.differences(stored, played.story, rows)
    if html is not None:
        _write_page(played, html, turn)
    elif as_json:
        data = one_game.as_data(stored.game, stored.seed, replication, played.story, turn)
        compared = [table for table, have in rows.items() if have]
        _print_json({"experiment": stored.folder, "cell": cell, **data, "compared": compared,
                     "differences": [it._asdict() for it in differences]})  # fmt: skip
    else:
        _tell(stored.game, stored.seed, replication, played.story, turn, f"cell {cell}, ")
    _compare(rows, differences, stored.same_code)


def fork(
    archive: Archive,
    turn: Annotated[int, typer.Option(help="Go on from how things stood after this turn.")],
    cell: Cell = 0,
    replication: Replication = 0,
    blue: Annotated[str | None, typer.Option(help="Another policy of blue from then on.")] = None,
    red: Annotated[str | None, typer.Option(help="Another policy of red from then on.")] = None,
    setting: Settings = None,
    games: Annotated[int, typer.Option(help="How many times.", min=1, max=1_000_000)] = 500,
    as_json: Json = False,
) -> None:
    """Go on from a turn of a game many times with other dice, and give the chances of how it ends.

    \b
    duosuan fork archives/demo --cell 2 --replication 17 --turn 8
    duosuan fork archives/demo --cell 2 --replication 17 --turn 8 --blue hold --games 2000
    duosuan fork archives/demo --turn 8 --set doctrine.blue.retreats=0

    With another policy or another value the chances of the unchanged game, by the same dice, stand beside. The turn
    before the first is the set-up.
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster import fork as forks
    from cluster import one_game, stored_game

    stored = stored_game.find(archive, cell, replication)
    policies = {side: name for side, name in (("blue", blue), ("red", red)) if name}
    settings = dict(map(one_game.setting, setting or []))
    other = one_game.changed(stored.game, policies, settings) if policies or settings else None
    with _patience():
        played = forks.play(stored)
        chances = forks.fork(played, turn, games, other)
        unchanged = forks.fork(played, turn, games) if other else None
    _say_if_other(played)
    if as_json:
        own = {key: played.story.game[key] for key in ("winner", "outcome", "margin", "turns")}
        _print_json({"experiment": stored.folder, "cell": cell, "replication": replication, "turn": turn,
                     "policies": policies, "settings": settings, "game": own, **_chances_data(chances),
                     "unchanged": _chances_data(unchanged) if unchanged else None})  # fmt: skip
    else:
        sides = stored.game.documents.scenario["sides"]
        changes = [f"{sides[side]}: {name}" for side, name in policies.items()] + list(setting or [])
        _print_fork(played, turn, chances, unchanged, changes)


def turning_points(
    archive: Archive,
    cell: Cell = 0,
    replication: Replication = 0,
    games: Annotated[int, typer.Option(help="Forks at each turn.", min=1, max=100_000)] = 200,
    as_json: Json = False,
) -> None:
    """Find the turns of a game at which the chance of winning moved most, by forks at each turn.

    \b
    duosuan turning-points archives/demo --cell 2 --replication 17
    duosuan turning-points archives/demo --cell 2 --replication 17 --games 1000

    Marked are up to three turns that changed blue's chance by more than the luck of the forks explains.
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster import fork as forks
    from cluster import stored_game

    stored = stored_game.find(archive, cell, replication)
    with _patience() as status:
        played = forks.play(stored)
        moments = forks.turning_points(played, games, lambda turn: status.update(f"forks after turn {turn}"))
    _say_if_other(played)
    if as_json:
        turns = [{"turn": it.turn, "title": it.title, "moved": it.moved, "turning_point": it.turning_point,
                  **_chances_data(it.chances)} for it in moments]  # fmt: skip
        own = {key: played.story.game[key] for key in ("winner", "outcome", "margin", "turns")}
        _print_json({"experiment": stored.folder, "cell": cell, "replication": replication, "game": own,
                     "turns": turns})  # fmt: skip
        return
    from queries.formats import print_table

    rows = []
    for moment, (line, mark) in zip(moments, forks.chart(moments), strict=True):
        won = moment.chances.winners
        rows.append((moment.title, *_share(won["blue"]), line, mark, *_share(won["draw"])[:1], *_share(won["red"])[:1]))
    sides = played.story.sides
    columns = ("after", f"{sides['blue']} wins", "95 %", "0 %", "", "draw", f"{sides['red']} wins")
    _print_heading(played, f"{games:,} forks at each turn")
    print_table(columns, rows, sys.stdout)


# What is printed


def _patience() -> "Status":
    from rich.console import Console

    return Console(stderr=True).status("playing; the first game of a rulebook is compiled, which takes half a minute")


def _print_json(data: dict[str, Any]) -> None:
    print(json.dumps(data, indent=1, ensure_ascii=False))


def _tell(
    game: "OneGame", seed: int, replication: int, story: "Story", turn: int | None = None, where: str = ""
) -> None:
    """Tells a game, or only one turn of it."""
    from rich.console import Console
    from rich.markup import escape

    from queries import tell

    console = Console(highlight=False, soft_wrap=True)
    chapters, outcome = tell.tell(game.scenario.rulebook, story)
    console.print(
        f"[bold]{escape(game.scenario.title)}[/bold]  {escape(game.pairing)}  "
        f"seed {seed}, {where}replication {replication}"
    )
    for chapter in chapters:
        if turn not in (None, chapter.turn):
            continue
        console.print(f"\n[bold]{escape(chapter.title)}[/bold]")
        for section in chapter.sections:
            console.print(f"  [dim]{escape(section.title)}[/dim]")
            for line in section.lines:
                console.print(f"    {escape(line)}")
        for line in chapter.standing:
            console.print(f"  {escape(line)}", style="cyan" if chapter is not chapters[0] else "")
    if turn is None:
        console.print(f"\n[bold]{escape(outcome)}[/bold]")


def _write_page(played: "Played", html: Path, turn: int | None) -> None:
    from queries import replay as pages
    from sim.rules_file import BadInput

    game, stored = played.stored.game, played.stored
    if not played.story.turns:
        raise BadInput("the game failed: it has no turns to show", key="--html")
    about = f"{game.pairing}; seed {stored.seed}, cell {stored.cell}, replication {stored.replication}"
    page = pages.page(game.scenario.rulebook, game.documents.board, played.story, game.scenario.title, about, turn)
    try:
        html.write_text(page, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", file=html) from None
    print(f"written into {html}", file=sys.stderr)


def _compare(rows: "dict[str, list[Row]]", differences: "list[Difference]", same_code: bool) -> None:
    """Says what differs from the record, and ends with exit code 1 if anything does."""
    if not same_code:
        print("note: other rules or policies than those here played this archive", file=sys.stderr)
    compared = [table for table, have in rows.items() if have]
    if not compared:
        print("note: the archive has no rows of this game yet: nothing could be compared", file=sys.stderr)
    for difference in differences[:MOST_SAID]:
        print(f"differs: {difference}", file=sys.stderr)
    if len(differences) > MOST_SAID:
        print(f"differs: and {len(differences) - MOST_SAID:,} more", file=sys.stderr)
    if differences:
        raise typer.Exit(1)
    if compared:
        print(f"note: as it was recorded in {', '.join(sorted(compared))}", file=sys.stderr)


def _say_if_other(played: "Played") -> None:
    """Says of a game that other code has played if it is not that game any more."""
    from cluster import stored_game

    if not played.stored.same_code:
        rows = stored_game.recorded(played.stored)
        if stored_game.differences(played.stored, played.story, rows):
            print("note: this game now differs from its record: `duosuan replay` says where", file=sys.stderr)


def _print_fork(
    played: "Played", turn: int, chances: "Chances", unchanged: "Chances | None", changes: list[str]
) -> None:
    from queries.formats import print_table

    sides, game = played.story.sides, played.story.game
    words = {"blue": f"{sides['blue']} wins", "draw": "draw", "red": f"{sides['red']} wins"}
    columns = ["", "", "games", "share", "95 %", *(("unchanged", "95 %") if unchanged else ())]
    rows: list[list[Any]] = []
    for key, names, whole in (("winner", words, chances.winners), ("outcome", {}, chances.outcomes)):
        other = unchanged and getattr(unchanged, f"{key}s")
        for name, chance in whole.items():
            own = "this game" if game[key] == name else ""
            words_of = names.get(name, name.replace("_", " "))
            rows.append([words_of, own, chance.n, *_share(chance), *(_share(other[name]) if other else ())])
    how = f" with {', '.join(changes)}" if changes else ""
    _print_heading(played, f"{chances.games:,} forks after {_turn_title(played, turn)}{how}")
    print_table(columns, rows, sys.stdout)
    if chances.failed:
        print(f"{chances.failed:,} forks failed and are left out")


def _turn_title(played: "Played", turn: int) -> str:
    from queries import tell

    chapters, _ = tell.tell(played.stored.game.scenario.rulebook, played.story)
    return next((chapter.title for chapter in chapters if chapter.turn == turn), f"turn {turn}")


def _print_heading(played: "Played", what: str) -> None:
    stored = played.stored
    print(f"{stored.game.scenario.title}  {stored.game.pairing}  cell {stored.cell}, replication {stored.replication}")
    print(what)


def _share(chance: "Chance") -> tuple[str | None, str | None]:
    """A share and its interval, in per cent; null where there is no game."""
    if chance.share is None or chance.low is None or chance.high is None:
        return None, None
    return f"{100 * chance.share:.1f} %", f"{100 * chance.low:.1f} – {100 * chance.high:.1f} %"


def _chances_data(chances: "Chances") -> dict[str, Any]:
    return {
        "games": chances.games,
        "failed": chances.failed,
        "winners": {name: it._asdict() for name, it in chances.winners.items()},
        "outcomes": {name: it._asdict() for name, it in chances.outcomes.items()},
    }
