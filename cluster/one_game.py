"""One game played by itself, recorded in full: what `duosuan play` tells."""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

import sim
from cluster import RunFailed, library, tables
from cluster.library import Documents, PlayerSpec, ScenarioRef
from queries.catalog import PUBLISHED
from queries.tell import Story, tell
from sim import game
from sim.game import BLUE, RED, SIDES, Names, Record
from sim.policy_modules import in_one_line
from sim.rules_file import BadInput, check_values, one_of, shown


class OneGame(NamedTuple):
    """Everything that a game needs but its dice. ``players`` are by ``blue`` and ``red``."""

    scenario: ScenarioRef
    documents: Documents
    setup: Any
    names: Names
    players: dict[str, PlayerSpec]
    settings: dict[str, Any]

    @property
    def pairing(self) -> str:
        """Who plays: each side's display name and its policy."""
        sides = self.documents.scenario["sides"]
        return ", ".join(f"{sides[side]}: {player.name}" for side, player in self.players.items())


def setting(text: str) -> tuple[str, Any]:
    """``path=value`` as a pair; the value is one of TOML, and a bare word is text. Raises `BadInput`."""
    path, equals, value = text.partition("=")
    if not equals or not path:
        raise BadInput(f"{text!r} is no setting: use path=value", key="--set")
    try:
        given = tomllib.loads(f"value = {value}")
    except (tomllib.TOMLDecodeError, RecursionError):
        given = {"value": value}
    except ValueError:  # Python reads no number of so many digits
        raise BadInput("has a number of thousands of digits: use one of 64 bits", key=f"--set {path}") from None
    if given.keys() != {"value"}:
        raise BadInput(f"{shown(value)} is more than one value", key=f"--set {path}")
    check_values(given["value"], "", f"--set {path}")
    return path, given["value"]


def prepare(scenario: str, blue: str, red: str, settings: dict[str, Any]) -> OneGame:
    """A game of a scenario. ``settings`` are dotted paths as an experiment's factors have them.

    Raises `BadInput` for an unknown scenario, policy or path, or an impossible value.
    """
    ref = library.find_scenario(scenario)
    numbers, others = _doctrines(settings)
    documents = library.settle(library.documents(ref), others)
    setup, names = sim.rulebook(ref.rulebook).load(*documents)
    players = {
        SIDES[side]: library.find_player(ref.rulebook, side, policy, settings=numbers[SIDES[side]])
        for side, policy in ((BLUE, blue), (RED, red))
    }
    return OneGame(ref, documents, setup, names, players, settings)


def changed(given: OneGame, policies: Mapping[str, str], settings: dict[str, Any]) -> OneGame:
    """The same game with other policies, by side, and with other values at dotted paths.

    Raises `BadInput` as `prepare` does, and for settings that change which units, places and turns there are.
    """
    numbers, others = _doctrines(settings)
    documents = library.settle(given.documents, others)
    setup, names = sim.rulebook(given.scenario.rulebook).load(*documents) if others else (given.setup, given.names)
    if (names.units, names.places) != (given.names.units, given.names.places):
        raise BadInput("other units or places make another game: it cannot go on with them", key="--set")
    players = {}
    for side, player in given.players.items():
        if side in policies:
            rulebook, number = given.scenario.rulebook, SIDES.index(side)
            players[side] = library.find_player(rulebook, number, policies[side], settings=numbers[side])
        else:
            policy = player.player().policy
            values = policy.numbers({**player.doctrine, **numbers[side]}).tolist()
            fields = [field.name for field in policy.doctrine]
            players[side] = player._replace(doctrine=dict(zip(fields, values, strict=False)))
    return OneGame(given.scenario, documents, setup, names, players, {**given.settings, **settings})


def _doctrines(settings: dict[str, Any]) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """Settings of each side's doctrine, by field, and all others. Raises `BadInput` for one of no side."""
    doctrines: dict[str, dict[str, Any]] = {side: {} for side in SIDES}
    others = {}
    for key, value in settings.items():
        root, _, rest = key.partition(".")
        side, _, field = rest.partition(".")
        if root != "doctrine":
            others[key] = value
        elif side not in SIDES or not field or "." in field:
            raise BadInput(f"leads nowhere: use {one_of(f'doctrine.{side}.<field>' for side in SIDES)}", key=key)
        else:
            doctrines[side][field] = value
    return doctrines, others


def play(given: OneGame, seed: int, replication: int) -> Story:
    """Plays the game and returns its rows, as an archive would have them."""
    return story_of(given, replication, record_of(given, seed, [replication]))


def record_of(
    given: OneGame,
    seed: int,
    replications: Sequence[int],
    level: str = "events",
    worlds: Sequence[int] | None = None,
) -> Record:
    """Plays games, see `sim.game.play`; as many as fit into a batch.

    Raises `BadInput` for a user's policy that cannot be compiled, `RunFailed` for one that ends the game with an error.
    """
    book = sim.rulebook(given.scenario.rulebook)
    for player in given.players.values():
        player.compile()
    red, blue = given.players["red"].player(), given.players["blue"].player()
    try:
        return game.play(book, given.setup, red, blue, seed, replications, level=level, worlds=worlds)
    except (Exception, SystemExit) as error:
        users = [player.main for player in given.players.values() if player.main]
        if not users:
            raise
        raise RunFailed(f"{' or '.join(users)} ends the game: {in_one_line(error)}") from error


def story_of(given: OneGame, replication: int, record: Record) -> Story:
    """The rows of a game that was recorded alone and in full, as an archive would have them."""
    book = sim.rulebook(given.scenario.rulebook)
    labels = (given.scenario.full_name, given.players["red"].name, given.players["blue"].name)
    first_turn = book.shape(given.setup).first_turn
    played = tables.Played(0, labels, given.names, first_turn, np.array([replication]), record)
    rows = {table: tables.rows(book, table, played).to_pylist() for table in PUBLISHED}
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


def check_turn(story: Story, turn: int | None) -> None:
    """Raises `BadInput` unless a turn is one of the game's, or none is asked for."""
    turns = [row["turn"] for row in story.turns]
    if turn is not None and not turns:
        raise BadInput("the game failed: it has no turns", key="--turn")
    if turn is not None and turn not in turns:
        raise BadInput(f"{turn} is wrong: the game has turns {min(turns)} (the set-up) to {max(turns)}", key="--turn")


def as_data(given: OneGame, seed: int, replication: int, story: Story, turn: int | None = None) -> dict[str, Any]:
    """A game for programs: what was played, its rows table by table without nulls, and the story.

    With a turn only its rows and chapter.
    """
    chapters, outcome = tell(given.scenario.rulebook, story)
    rows = {
        table: [_told(row) for row in getattr(story, table) if turn in (None, row["turn"])]
        for table in ("turns", "territory", "units", "events")
    }
    return {
        "scenario": given.scenario.full_name,
        "policies": {side: player.name for side, player in given.players.items()},
        "settings": given.settings,
        "seed": seed,
        "replication": replication,
        "outcome": outcome,
        "game": _told(story.game),
        **rows,
        "story": [
            {
                "turn": chapter.turn,
                "title": chapter.title,
                "sections": {section.title: [line.strip() for line in section.lines] for section in chapter.sections},
                "standing": list(chapter.standing),
            }
            for chapter in chapters
            if turn in (None, chapter.turn)
        ],
    }


def _told(row: Any) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None and key not in ("cell", "replication")}
