"""Dice that are addressed, not drawn: the only place where chance comes from.

A die is a pure function of who rolls for what. It is a word of Philox 4x64-10 (Salmon et al., "Parallel random
numbers: as easy as 1, 2, 3", 2011), bit for bit that of ``numpy.random.Philox``:

- key = (seed, replication);
- counter, least significant word first = (block, roller, turn << 32 | purpose, world).

Die number ``n`` of an address is word ``n % 4`` of block ``n // 4``. World 0 is the game itself. Whoever looks ahead
rolls in worlds of his own, under a key that does not lead back to the game's (see `policy_dice`).
"""

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, overload

# Constants of the Philox paper. All are uint64: numba turns uint64 with a plain integer into a float.
_MULTIPLIER_0 = np.uint64(0xD2E7470EE14C6C93)
_MULTIPLIER_1 = np.uint64(0xCA5A826395121157)
_WEYL_0 = np.uint64(0x9E3779B97F4A7C15)
_WEYL_1 = np.uint64(0xBB67AE8584CAA73B)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ONE = np.uint64(1)
_ROUNDS = 10

GAME_WORLD = 0
"""The world in which the game itself rolls."""

POLICY_KEYS = 0xFFFFFFFF
"""Purpose under which the keys of policies' own dice are derived; no rulebook may use it."""


class Dice(NamedTuple):
    """Where the dice of one game come from: the key and the world, three uint64 numbers."""

    seed: np.uint64
    replication: np.uint64
    world: np.uint64


def dice_of(seed: int, replication: int, world: int = GAME_WORLD) -> Dice:
    """Dice of one replication; each number is taken modulo 2**64."""
    mask = 2**64 - 1
    return Dice(np.uint64(seed & mask), np.uint64(replication & mask), np.uint64(world & mask))


def _multiply(a, b):
    """High and low 64 bits of the 128-bit product of two uint64."""
    a_low, a_high = a & _LOW_HALF, a >> _HALF
    b_low, b_high = b & _LOW_HALF, b >> _HALF
    low = a_low * b_low
    middle = a_high * b_low + (low >> _HALF)
    other = a_low * b_high + (middle & _LOW_HALF)
    high = a_high * b_high + (middle >> _HALF) + (other >> _HALF)
    return high, (other << _HALF) | (low & _LOW_HALF)


@intrinsic
def _product(typing_context, a, b):
    """`_multiply` as the machine does it, by one multiplication of 128 bits."""

    def lower(context, builder, signature, arguments):
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(argument, wide) for argument in arguments))
        halves = [builder.trunc(part, ir.IntType(64)) for part in (builder.lshr(product, wide(64)), product)]
        return context.make_tuple(builder, signature.return_type, halves)

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), lower


@overload(_multiply)
def _multiply_compiled(a, b):
    return lambda a, b: _product(a, b)  # pyright: ignore[reportCallIssue]  # Numba gives the first argument itself


_DICE = types.NamedUniTuple(types.uint64, 3, Dice)
_WORDS = types.UniTuple(types.uint64, 4)
# One signature for each function: Numba would compile another one for every constant that it is called with.
_int = types.int64


@njit(_WORDS(types.uint64, types.uint64, types.uint64, types.uint64, types.uint64, types.uint64), cache=True)
def philox(key_0, key_1, c_0, c_1, c_2, c_3):
    """The four words of Philox 4x64-10 at one counter; everything is uint64."""
    for _ in range(_ROUNDS):
        high_0, low_0 = _multiply(_MULTIPLIER_0, c_0)
        high_1, low_1 = _multiply(_MULTIPLIER_1, c_2)
        c_0, c_1, c_2, c_3 = high_1 ^ c_1 ^ key_0, low_1, high_0 ^ c_3 ^ key_1, low_0
        key_0 = key_0 + _WEYL_0
        key_1 = key_1 + _WEYL_1
    return c_0, c_1, c_2, c_3


@njit(_WORDS(_DICE, _int, _int, _int, _int), cache=True)
def block(dice, purpose, turn, roller, number):
    """The four words of one block of an address."""
    address = (np.uint64(turn) << _HALF) | np.uint64(purpose)
    return philox(dice.seed, dice.replication, np.uint64(number), np.uint64(roller), address, dice.world)


@njit(types.uint64(_DICE, _int, _int, _int, _int), cache=True)
def word(dice, purpose, turn, roller, n):
    """Word number ``n`` (from 0) of an address, a uint64."""
    words = block(dice, purpose, turn, roller, n >> 2)
    which = n & 3
    if which == 0:
        return words[0]
    if which == 1:
        return words[1]
    if which == 2:
        return words[2]
    return words[3]


@njit(_int(types.uint64, _int), cache=True)
def pips(random_word, sides):
    """A word read as a die with ``sides`` faces, 1 to ``sides``; its bias is at most 2**-32."""
    return np.int64(((random_word >> _HALF) * np.uint64(sides)) >> _HALF) + 1


@njit(_int(_DICE, _int, _int, _int, _int, _int), cache=True)
def roll(dice, purpose, turn, roller, n, sides):
    """Die number ``n`` of an address: 1 to ``sides``."""
    return pips(word(dice, purpose, turn, roller, n), sides)


@njit(_DICE(_DICE, _int, _int), cache=True)
def policy_dice(dice, turn, side):
    """Dice that a side's policy may roll in one turn: never those of the game.

    Key and world are words of Philox under the game's own key, so that nothing that a policy is handed, whatever it
    does with it, leads back to the dice that the game is going to roll.
    """
    words = block(dice, POLICY_KEYS, turn, side, 0)
    return Dice(words[0], words[1], words[2] | _ONE)


@njit(_DICE(_DICE, _int), cache=True)
def sample_dice(dice, sample):
    """Dice of one sample of a look-ahead or a fork, in a world of its own below that of ``dice``; never world 0."""
    words = philox(dice.seed, dice.replication, np.uint64(sample), np.uint64(POLICY_KEYS), dice.world, _ONE)
    return Dice(dice.seed, dice.replication, words[0] | _ONE)


def numpy_generator(dice: Dice, purpose: int, turn: int, roller: int) -> np.random.Philox:
    """NumPy's own generator placed at an address: its next raw words are those of `word` for n = 0, 1, 2, ...

    NumPy steps its counter before the first block, hence the counter less one.
    """
    counter = (int(dice.world) << 192) | (int(turn) << 160) | (int(purpose) << 128) | (int(roller) << 64)
    counter = (counter - 1) % 2**256
    key = (int(dice.replication) << 64) | int(dice.seed)
    return np.random.Philox(counter=counter, key=key)
