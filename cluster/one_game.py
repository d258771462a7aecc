"""One game played by itself, recorded in full: what `duosuan play` tells."""

import tomllib
from typing import Any, NamedTuple

import numpy as np

import sim
from cluster import library, tables
from cluster.library import Documents, PlayerSpec, ScenarioRef
from cluster.plan import TABLES
from queries.tell import Story, tell
from sim import game
from sim.game import BLUE, RED, SIDES, Names
from sim.rules_file import BadInput, one_of


class OneGame(NamedTuple):
    """Everything that a game needs but its dice. ``players`` are by ``blue`` and ``red``."""

    scenario: ScenarioRef
    documents: Documents
    setup: Any
    names: Names
    players: dict[str, PlayerSpec]
    settings: dict[str, Any]


def setting(text: str) -> tuple[str, Any]:
    """``path=value`` as a pair; the value is one of TOML, and a bare word is text. Raises `BadInput`."""
    path, equals, value = text.partition("=")
    if not equals or not path:
        raise BadInput(f"{text!r} is no setting: use path=value", key="--set")
    try:
        return path, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return path, value


def prepare(scenario: str, blue: str, red: str, settings: dict[str, Any]) -> OneGame:
    """A game of a scenario. ``settings`` are dotted paths as an experiment's factors have them.

    Raises `BadInput` for an unknown scenario, policy or path, or an impossible value.
    """
    ref = library.find_scenario(scenario)
    doctrine = {key: value for key, value in settings.items() if key.startswith("doctrine.")}
    for key in doctrine:
        if key.split(".")[1] not in SIDES or key.count(".") != 2:
            raise BadInput(f"leads nowhere: use {one_of(f'doctrine.{side}.<field>' for side in SIDES)}", key=key)
    documents = library.settle(library.documents(ref), {k: v for k, v in settings.items() if k not in doctrine})
    setup, names = sim.rulebook(ref.rulebook).load(*documents)
    players = {}
    for side, policy in ((BLUE, blue), (RED, red)):
        start = f"doctrine.{SIDES[side]}."
        numbers = {key.removeprefix(start): value for key, value in doctrine.items() if key.startswith(start)}
        players[SIDES[side]] = library.find_player(ref.rulebook, side, policy, settings=numbers)
    return OneGame(ref, documents, setup, names, players, settings)


def play(given: OneGame, seed: int, replication: int) -> Story:
    """Plays the game and returns its rows, as an archive would have them."""
    book = sim.rulebook(given.scenario.rulebook)
    red, blue = given.players["red"].player(), given.players["blue"].player()
    record = game.play(book, given.setup, red, blue, seed, [replication], level="events")
    labels = (given.scenario.full_name, given.players["red"].name, given.players["blue"].name)
    first_turn = book.shape(given.setup).first_turn
    played = tables.Played(0, labels, given.names, first_turn, np.array([replication]), record)
    rows = {table: tables.rows(book, table, played).to_pylist() for table in TABLES}
    sides = given.documents.scenario["sides"]
    return Story(
        sides,
        given.names.turns,
        rows["games"][0],
        rows["turns"],
        rows["units"],
        rows["territory"],
        rows["events"],
        given.documents.board,
    )


def as_data(given: OneGame, seed: int, replication: int, story: Story) -> dict[str, Any]:
    """A game for programs: what was played, its rows table by table without nulls, and the story."""
    chapters, outcome = tell(given.scenario.rulebook, story)
    return {
        "scenario": given.scenario.full_name,
        "policies": {side: player.name for side, player in given.players.items()},
        "settings": given.settings,
        "seed": seed,
        "replication": replication,
        "outcome": outcome,
        "game": _told(story.game),
        "turns": [_told(row) for row in story.turns],
        "territory": [_told(row) for row in story.territory],
        "units": [_told(row) for row in story.units],
        "events": [_told(row) for row in story.events],
        "story": [
            {
                "turn": chapter.turn,
                "title": chapter.title,
                "sections": {section.title: [line.strip() for line in section.lines] for section in chapter.sections},
                "standing": list(chapter.standing),
            }
            for chapter in chapters
        ],
    }


def _told(row: Any) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None and key not in ("cell", "replication")}
