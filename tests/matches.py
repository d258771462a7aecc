"""Games that the contract tests play: every scenario with every policy of either side, built in or a named doctrine.

``python -m tests.matches MATCHES GAMES RESULTS`` plays them as the environment has it (compiler, bounds check) and
writes down what was recorded, for a test that compares.
"""

import functools
import pickle
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import sim
from cluster import library
from sim.game import BLUE, RECORD_LEVELS, RED, Names, Player, Record, Rulebook, bytes_a_game, play
from tests.rulebooks import part_of, with_part

SEED = 1941
SECONDS = 0.5
"""About what the games of a match may take, going by the costs that rulebook and policies declare."""
BYTES = 16 * 2**20
"""What the records of a match may take: all matches are kept for the tests that follow."""


class Match(NamedTuple):
    """A scenario, given as ``rulebook/name``, the names of two policies and values at dotted paths."""

    scenario: str
    red: str
    blue: str
    settings: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, scenario: str, red: str, blue: str, **options: Any) -> "Match":
        """A match with options of the rules that are not in force by default."""
        return cls(scenario, red, blue, tuple((f"options.{name}", value) for name, value in options.items()))

    @property
    def rulebook(self) -> str:
        return self.scenario.partition("/")[0]

    @property
    def book(self) -> Rulebook:
        return sim.rulebook(self.rulebook)

    @property
    def players(self) -> tuple[Player, Player]:
        return find_player(self.rulebook, RED, self.red), find_player(self.rulebook, BLUE, self.blue)

    @property
    def games_in_time(self) -> float:
        """Games that are played in `SECONDS`."""
        return SECONDS / (self.book.cost * max(player.policy.cost for player in self.players))

    @property
    def games(self) -> int:
        """Games that are played of it: as many as are soon played and kept, 3 to 200."""
        shape = self.book.shape(loaded(self.scenario, self.settings)[0])
        room = BYTES // bytes_a_game(self.book, shape, RECORD_LEVELS[-1])
        return int(np.clip(self.games_in_time, 3, min(200, max(3, room))))

    @property
    def takes_its_time(self) -> bool:
        """Whether its policies look ahead, which takes seconds a game with the compiler off."""
        return self.games_in_time < 50

    def first(self, most: int) -> range:
        """The first of its games, as many as another process may play of it."""
        return range(1 if self.takes_its_time else min(most, self.games))

    def __str__(self) -> str:
        red, blue = (name.rpartition(":")[2].lower() for name in (self.red, self.blue))
        settings = (f"{path.rpartition('.')[2]}={value}" for path, value in self.settings)
        return "-".join([self.scenario.rpartition("/")[2], red, blue, *settings])


QUICK = {"lookahead": {"samples": 1, "try_elastic": 0, "try_blitz": 0, "try_beeline": 0}}
"""Numbers of doctrines with which policies that take their time play the same way, sooner."""


@functools.cache
def find_player(rulebook: str, side: int, name: str) -> Player:
    return library.find_player(rulebook, side, name, settings=QUICK.get(name)).player()


@functools.cache
def loaded(scenario: str, settings: tuple[tuple[str, Any], ...] = ()) -> tuple[Any, Names]:
    documents = library.settle(library.documents(library.find_scenario(scenario)), dict(settings))
    return sim.rulebook(scenario.partition("/")[0]).load(*documents)


def matches() -> list[Match]:
    """All policies of either side, each against the other side's first, in every scenario."""
    found = []
    for ref in library.scenarios():
        reds, blues = ([policy.name for policy in library.policies(ref.rulebook, side)] for side in (RED, BLUE))
        pairs = [(red, blues[0]) for red in reds] + [(reds[0], blue) for blue in blues[1:]]
        found += [Match(ref.full_name, red, blue) for red, blue in pairs]
    return found


def wild_matches() -> list[Match]:
    """Games that roam, under various options: what each rulebook brings."""
    return [match for rulebook in with_part("games") for match in part_of(rulebook, "games").WILD]


def shortened(match: Match) -> Match:
    """A match of which a game can be played with the compiler off."""
    brings_games = match.rulebook in with_part("games")
    return match._replace(settings=match.settings + (part_of(match.rulebook, "games").SHORT if brings_games else ()))


def every_match() -> list[Match]:
    """All `matches` and `wild_matches`, `shortened`."""
    return [shortened(match) for match in (*matches(), *wild_matches())]


def first_matches() -> list[Match]:
    """The first match of each rulebook, `shortened`."""
    return list({match.rulebook: match for match in reversed(every_match())}.values())


@functools.cache
def played(match: Match, level: str = RECORD_LEVELS[-1]) -> Record:
    """The games of a match, from replication 0 on."""
    return played_anew(match, range(match.games), level)


def played_anew(match: Match, replications: Any, level: str = RECORD_LEVELS[-1], **more: Any) -> Record:
    """Other games of a match."""
    setup = more.pop("setup", None) or loaded(match.scenario, match.settings)[0]
    return play(match.book, setup, *match.players, SEED, list(replications), level=level, **more)


def tables_of(record: Record, *games: int) -> dict[str, bytes]:
    """All that was recorded of some games, as bytes."""
    chosen = list(games) or list(range(len(record.games)))
    tables = {name: getattr(record, name)[chosen].tobytes() for name in ("games", "sides", "units", "places")}
    tables["events"] = b"".join(record.events[game, : record.event_count[game]].tobytes() for game in chosen)
    tables["event_count"] = record.event_count[chosen].tobytes()
    return tables


def main(given: Path, games: int, results: Path) -> None:
    found = {}
    for match in pickle.loads(given.read_bytes()):
        found[match] = tables_of(played_anew(match, match.first(games)))
    results.write_bytes(pickle.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
