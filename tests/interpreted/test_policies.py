"""What a policy is handed it reads and does not write, and it never sees the dice that the game is going to roll."""

from collections import Counter
from contextlib import suppress

import numpy as np
import pytest

import sim.dice as dice
from sim.game import play
from tests.matches import SEED, every_match, loaded

LOOKS = 12  # at each kind of decision in a game
PATIENCE = 25  # decisions of a policy that takes its time


class EnoughSeen(Exception):
    pass


@pytest.mark.parametrize("match", every_match(), ids=str)
def test_decisions_only_decide(match, monkeypatch):
    """They change nothing that they read, depend on nothing else, and roll dice that do not lead to the game's.

    Asked twice with the same memory and list they answer the same. Their dice are of another key and world than the
    game's, and every word that they have made of Philox is under that key.
    """
    asked: Counter = Counter()
    own: list[dice.Dice] = []
    true_philox = dice.philox

    def philox(key_0, key_1, *counter):
        if own:
            assert (key_0, key_1) == (own[-1].seed, own[-1].replication)
        return true_philox(key_0, key_1, *counter)

    def watch(decide):
        def decided(game, doctrine, memory, subject, order):
            asked[decide] += 1
            if match.takes_its_time and asked.total() > PATIENCE:
                raise EnoughSeen
            if asked[decide] > LOOKS:
                return decide(game, doctrine, memory, subject, order)
            assert game.dice.world != dice.GAME_WORLD
            assert (game.dice.seed, game.dice.replication) != (np.uint64(SEED), np.uint64(0))
            read = (game.board, game.rules, game.state, doctrine, game.log)
            before = [part.tobytes() for part in read]
            again = memory.copy(), order.copy()
            own.append(game.dice)
            answer = decide(game, doctrine, memory, subject, order)
            assert decide(game, doctrine, again[0], subject, again[1]) == answer
            own.pop()
            assert (again[0] == memory).all()
            assert (again[1] == order).all()
            assert [part.tobytes() for part in read] == before
            assert game.log.room == 0
            return answer

        return decided

    monkeypatch.setattr(dice, "philox", philox)
    red, blue = (
        player._replace(policy=player.policy._replace(decisions=tuple(map(watch, player.policy.decisions))))
        for player in match.players
    )
    with suppress(EnoughSeen):
        play(match.book, loaded(match.scenario, match.settings)[0], red, blue, SEED, [0])
    assert asked.total() > 0
