"""Dice: word for word those of NumPy, fair within their bias, and apart for policies and forks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.dice import (
    GAME_WORLD,
    POLICY_KEYS,
    Dice,
    block,
    dice_of,
    numpy_generator,
    philox,
    pips,
    policy_dice,
    roll,
    sample_dice,
    word,
)

WORDS = st.integers(0, 2**64 - 1)
DICE = st.builds(dice_of, WORDS, WORDS, WORDS)
PURPOSES = st.integers(0, 2**32 - 1)
TURNS = st.integers(0, 2**31 - 1)
ROLLERS = st.integers(0, 2**63 - 1)


def held(dice: Dice) -> Dice:
    """Dice that came out of compiled code, where Python makes plain integers of their words."""
    return Dice(*map(np.uint64, dice))


def plain_philox(key: list[int], counter: list[int]) -> list[int]:
    """Philox 4x64-10 as the paper has it, in Python's own integers."""
    mask = 2**64 - 1
    k0, k1 = key
    c0, c1, c2, c3 = counter
    for _ in range(10):
        p0, p1 = 0xD2E7470EE14C6C93 * c0, 0xCA5A826395121157 * c2
        c0, c1, c2, c3 = (p1 >> 64) ^ c1 ^ k0, p1 & mask, (p0 >> 64) ^ c3 ^ k1, p0 & mask
        k0, k1 = (k0 + 0x9E3779B97F4A7C15) & mask, (k1 + 0xBB67AE8584CAA73B) & mask
    return [c0, c1, c2, c3]


@given(st.lists(WORDS, min_size=2, max_size=2), st.lists(WORDS, min_size=4, max_size=4))
def test_philox_is_that_of_the_paper(key, counter):
    words = philox(*map(np.uint64, key), *map(np.uint64, counter))
    assert list(map(int, words)) == plain_philox(key, counter)


@given(DICE, PURPOSES, TURNS, ROLLERS)
@settings(max_examples=200)
def test_words_are_those_of_numpy(dice, purpose, turn, roller):
    """From n = 0 on, over the ends of blocks."""
    ours = [int(word(dice, purpose, turn, roller, n)) for n in range(9)]
    assert ours == [int(x) for x in numpy_generator(dice, purpose, turn, roller).random_raw(9)]


@given(DICE, PURPOSES, TURNS, ROLLERS, st.integers(0, 2**31))
def test_any_word_can_be_looked_up(dice, purpose, turn, roller, n):
    generator = numpy_generator(dice, purpose, turn, roller)
    generator.advance(n // 4)
    assert int(word(dice, purpose, turn, roller, n)) == int(generator.random_raw(n % 4 + 1)[-1])


def test_the_first_address_of_all():
    """Counter 0, where NumPy starts from the counter before it: the last."""
    dice = dice_of(0, 0)
    assert [int(word(dice, 0, 0, 0, n)) for n in range(4)] == plain_philox([0, 0], [0, 0, 0, 0])
    assert int(numpy_generator(dice, 0, 0, 0).random_raw()) == int(word(dice, 0, 0, 0, 0))


def test_an_address_has_its_place_in_the_counter():
    dice = Dice(np.uint64(1), np.uint64(2), np.uint64(7))
    words = block(dice, 3, 4, 5, 6)
    assert list(map(int, words)) == plain_philox([1, 2], [6, 5, (4 << 32) | 3, 7])


@given(WORDS, st.integers(1, 1000))
def test_a_die_has_its_faces_and_no_others(random_word, sides):
    assert 1 <= pips(np.uint64(random_word), sides) <= sides
    assert pips(np.uint64(random_word), sides) == (random_word >> 32) * sides // 2**32 + 1


@pytest.mark.parametrize("sides", [2, 3, 6, 20])
def test_every_face_has_its_share_of_words(sides):
    """The upper 32 bits decide: face k begins at the first of them that is at least k - 1 in sides."""
    for face in range(1, sides + 1):
        first = -(-(face - 1) * 2**32 // sides)
        assert pips(np.uint64(first << 32), sides) == face
        if first:
            assert pips(np.uint64((first << 32) - 1), sides) == face - 1
    assert pips(np.uint64(2**64 - 1), sides) == sides


@pytest.mark.parametrize("sides", [2, 6, 10])
def test_dice_are_fair(sides):
    """Chi-squared of 60,000 dice; the bound is passed by one fair die in a million."""
    dice = dice_of(20260101, 5)
    n = 6000 * sides
    faces = np.bincount([roll(dice, 1, turn, 0, i, sides) for turn in range(10) for i in range(n // 10)])[1:]
    chi_squared = float(((faces - n / sides) ** 2 / (n / sides)).sum())
    assert len(faces) == sides
    assert chi_squared < {2: 24.0, 6: 36.0, 10: 46.0}[sides]


@given(WORDS, WORDS, WORDS, TURNS, st.integers(0, 1), st.integers(0, 2**31))
def test_a_policy_never_holds_the_dice_of_the_game(seed, replication, world, turn, side, sample):
    game = dice_of(seed, replication, world)
    own = held(policy_dice(game, turn, side))
    assert int(own.world) != GAME_WORLD
    assert (own.seed, own.replication) != (game.seed, game.replication)
    ahead = sample_dice(own, sample)
    assert int(ahead.world) != GAME_WORLD
    assert int(sample_dice(game, sample).world) != GAME_WORLD
    assert [int(w) for w in block(game, POLICY_KEYS, turn, side, 0)][:2] == [int(own.seed), int(own.replication)]


def test_policies_turns_and_samples_have_dice_of_their_own():
    game = dice_of(1, 2)
    own = {tuple(map(int, policy_dice(game, turn, side))) for turn in range(1, 50) for side in (0, 1)}
    assert len(own) == 98
    ahead = {int(sample_dice(held(policy_dice(game, 1, 1)), sample).world) for sample in range(1000)}
    assert len(ahead) == 1000
    assert len({int(sample_dice(held(sample_dice(game, 1)), sample).world) for sample in range(100)} | ahead) == 1100


@pytest.mark.parametrize("address", ["seed", "replication", "world", "purpose", "turn", "roller", "n"])
def test_every_part_of_an_address_matters(address):
    base = {"seed": 1, "replication": 2, "world": 3, "purpose": 4, "turn": 5, "roller": 6, "n": 7}

    def at(parts):
        dice = dice_of(parts["seed"], parts["replication"], parts["world"])
        return int(word(dice, parts["purpose"], parts["turn"], parts["roller"], parts["n"]))

    assert len({at(base), *(at({**base, address: base[address] + i}) for i in range(1, 20))}) == 20


@given(st.integers(-(2**80), 2**80))
def test_seeds_of_any_size_are_taken_modulo_two_to_the_64(seed):
    assert int(dice_of(seed, 0).seed) == seed % 2**64
