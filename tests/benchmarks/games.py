"""Games without anything around them: loaded once, played in batches by the kernel alone."""

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import sim
from cluster.library import documents, find_player, find_scenario
from sim.game import BLUE, RED, Player, Record, Rulebook, games_a_batch, play

SEED = 1


@functools.cache
def load(scenario: str) -> tuple[Rulebook, Any]:
    """Rulebook and setup of a scenario."""
    ref = find_scenario(scenario)
    book = sim.rulebook(ref.rulebook)
    return book, book.load(*documents(ref))[0]


def players(scenario: str, red: str, blue: str) -> tuple[Player, Player]:
    """Red's and blue's player of a scenario's games."""
    book, _ = load(scenario)
    return find_player(book.name, RED, red).player(), find_player(book.name, BLUE, blue).player()


def batches(
    scenario: str, sides: tuple[Player, Player], replications: Sequence[int], level: str = "games"
) -> Iterator[Record]:
    """Plays replications, batch by batch, and yields their records."""
    book, setup = load(scenario)
    size = games_a_batch(book, book.shape(setup), level)
    for start in range(0, len(replications), size):
        yield play(book, setup, *sides, SEED, replications[start : start + size], level=level)


def worker(scenario: str, red: str, blue: str, replications: Sequence[int]) -> Callable[[], int]:
    """A piece of work: it plays these replications, records nothing and returns how many there were."""
    sides = players(scenario, red, blue)

    def play_them() -> int:
        return sum(len(record.games) for record in batches(scenario, sides, replications))

    return play_them


def counted(sides: tuple[Player, Player]) -> tuple[tuple[Player, Player], Callable[[], int]]:
    """The same players, and what says how many decisions they have taken. With the compiler off only."""
    number = itertools.count()

    def counting(decide: Callable[..., Any]) -> Callable[..., Any]:
        def decision(*arguments: Any) -> Any:
            next(number)
            return decide(*arguments)

        return decision

    red, blue = (
        side._replace(policy=side.policy._replace(decisions=tuple(map(counting, side.policy.decisions))))
        for side in sides
    )
    return (red, blue), lambda: next(number)


def rows_of(records: Iterator[Record]) -> np.ndarray:
    """The rows of the table ``games`` of all records."""
    return np.concatenate([record.games for record in records])
