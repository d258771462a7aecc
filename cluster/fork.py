"""What might have been: a recorded game gone on with from one of its turns, many times, each time with other dice."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import sim
from cluster import one_game
from cluster.one_game import OneGame
from cluster.stored_game import StoredGame
from queries.schema import FAILED
from queries.tell import Story, tell
from sim.dice import dice_of, sample_dice
from sim.game import Record, Rulebook, at_turn, games_a_batch
from sim.rules_file import BadInput

WINNERS = ("blue", "draw", "red")
MOST_TURNING_POINTS = 3


class Chance(NamedTuple):
    """How many of n games ended in some way, their share and its Wilson interval; without a game null."""

    n: int
    share: float | None
    low: float | None
    high: float | None


class Chances(NamedTuple):
    """How games ended: by winner (blue, draw, red) and by level of victory, from the best for red on.

    ``games`` came to an end, ``failed`` did not.
    """

    games: int
    failed: int
    winners: dict[str, Chance]
    outcomes: dict[str, Chance]


class Played(NamedTuple):
    """A game as it was played: everything that was recorded of it, and its rows."""

    stored: StoredGame
    record: Record
    story: Story

    @property
    def set_up(self) -> int:
        """Number of the turn before the first: the set-up."""
        return sim.rulebook(self.stored.game.scenario.rulebook).shape(self.stored.game.setup).first_turn - 1


class Moment(NamedTuple):
    """The chances after a turn; ``moved`` is what the turn changed of blue's chance of winning, in shares.

    ``turning_point`` says that it is one of the turns that changed it most, and surely.
    """

    turn: int
    title: str
    chances: Chances
    moved: float | None
    turning_point: bool


def play(stored: StoredGame) -> Played:
    """Plays a game of an archive again."""
    record = one_game.record_of(stored.game, stored.seed, [stored.replication])
    return Played(stored, record, one_game.story_of(stored.game, stored.replication, record))


def fork(played: Played, turn: int, games: int, given: OneGame | None = None) -> Chances:
    """Goes on ``games`` times from how things stood after a turn; the turn before the first is the set-up.

    ``given`` is the game with what shall be otherwise from then on. Sample k rolls in a world of its own, which hangs
    on the game, the turn and k alone: forks of the same turn with different policies are comparable one by one.
    Raises `BadInput` for a turn that the game does not have, and for a game that failed.
    """
    stored = played.stored
    given = given or stored.game
    book = sim.rulebook(given.scenario.rulebook)
    setup = _from(played, turn, given)
    size = games_a_batch(book, book.shape(setup), "games")
    worlds = worlds_of(stored.seed, stored.replication, turn, games)
    ended: list[np.ndarray] = []
    for start in range(0, games, size):
        some = worlds[start : start + size]
        again = given._replace(setup=setup)
        record = one_game.record_of(again, stored.seed, [stored.replication] * len(some), "games", some)
        ended.append(record.games)
    return _chances(book, np.concatenate(ended))


def worlds_of(seed: int, replication: int, turn: int, games: int) -> list[int]:
    """The worlds in which a game's forks at a turn roll; never 0, which is the game's own."""
    dice = dice_of(seed, replication)
    return [int(sample_dice(dice, (turn << 32) | sample).world) for sample in range(games)]


def _from(played: Played, turn: int, given: OneGame) -> Any:
    """The setup that goes on after a turn of the game."""
    _must_have_ended(played)
    last = played.set_up + played.record.sides.shape[1] - 1
    if not played.set_up <= turn <= last:
        raise BadInput(f"{turn} is wrong: the game has turns {played.set_up} (the set-up) to {last}", key="--turn")
    entry = turn - played.set_up
    rows = (getattr(played.record, name)[0, entry] for name in ("sides", "units", "places"))
    setup = at_turn(given.setup, turn + 1, *rows)
    if sim.rulebook(given.scenario.rulebook).shape(setup).turns < 0:
        raise BadInput(f"the game would have ended before turn {turn}", key="--set")
    return setup


def _must_have_ended(played: Played) -> None:
    game = played.story.game
    if game["end_reason"] == FAILED:
        raise BadInput(f"the game failed in turn {game['fault_turn']}: it cannot be gone on with")


def _chances(book: Rulebook, games: np.ndarray) -> Chances:
    fields = {field.name: field.names for field in book.tables.games}
    good = games[games["end_reason"] != list(fields["end_reason"]).index(FAILED)]
    winners, outcomes = (
        Counter(fields[name][number] for number in good[name].tolist()) for name in ("winner", "outcome")
    )
    n = len(good)
    return Chances(
        n,
        len(games) - n,
        {name: chance(winners[name], n) for name in WINNERS},
        {name: chance(outcomes[name], n) for name in fields["outcome"]},
    )


def chance(k: int, n: int) -> Chance:
    """A count of n games with Wilson's 95 % interval."""
    if n == 0:
        return Chance(k, None, None, None)
    from queries.stats import wilson  # brings SciPy, half a second that a replay need not wait

    found = wilson(k, n)
    return Chance(k, *(float(value) for value in found[:3]))


def turning_points(played: Played, games: int, progress: Callable[[int], None] = lambda turn: None) -> list[Moment]:
    """The chances after each turn of a game, from the set-up to its end, by so many forks at each.

    ``progress`` is told which turn is next. Raises `BadInput` for a game that failed.
    """
    _must_have_ended(played)
    titles = {chapter.turn: chapter.title for chapter in tell(played.stored.game.scenario.rulebook, played.story)[0]}
    turns = [turn for turn in titles if turn <= max(played.set_up, played.story.game["turns"])]
    found = []
    for turn in turns:
        progress(turn)
        found.append(fork(played, turn, games))
    moved = [None, *map(_moved, found, found[1:])]
    sure = [False, *map(_surely, found, found[1:])]
    order = sorted(range(1, len(turns)), key=lambda i: -abs(moved[i] or 0.0))
    chosen = [i for i in order if sure[i]][:MOST_TURNING_POINTS]
    return [
        Moment(turn, titles[turn], chances, moved[i], i in chosen)
        for i, (turn, chances) in enumerate(zip(turns, found, strict=True))
    ]


def _moved(before: Chances, after: Chances) -> float | None:
    first, second = before.winners["blue"].share, after.winners["blue"].share
    return None if first is None or second is None else second - first


def _surely(before: Chances, after: Chances) -> bool:
    """Whether blue's chance changed by more than the forks' luck explains: Newcombe's interval (1998) excludes 0."""
    low, high = sorted((before.winners["blue"], after.winners["blue"]), key=lambda it: it.share or 0.0)
    if low.share is None or low.high is None or high.share is None or high.low is None:
        return False
    return high.share - low.share > math.hypot(high.share - high.low, low.high - low.share)


def chart(moments: Sequence[Moment], width: int = 41) -> list[tuple[str, str]]:
    """Blue's chance after each turn, drawn from 0 to 100 %: a dot in its interval, and what is said of a mark."""
    rows = []
    for moment in moments:
        blue = moment.chances.winners["blue"]
        line = [" "] * width
        line[0], line[width // 2], line[-1] = "│", "┊", "│"
        if blue.share is not None and blue.low is not None and blue.high is not None:
            low, dot, high = (round(share * (width - 1)) for share in (blue.low, blue.share, blue.high))
            line[low : high + 1] = "─" * (high + 1 - low)
            line[dot] = "●"
        mark = ""
        if moment.turning_point and moment.moved is not None:
            mark = f"{'▲' if moment.moved > 0 else '▼'} {100 * moment.moved:+.0f} points"
        rows.append(("".join(line), mark.replace("-", "−")))
    return rows
