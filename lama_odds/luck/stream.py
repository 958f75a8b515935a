"""Random numbers by address, contract version 1: the meaning of ``luck`` lines in records.

A 64-bit random word is a function of ``(seed, game, round, lane, index)``::

    address = game << 24 | round << 14 | lane << 10 | index
    word    = mix(key + gamma * address)                      (all modulo 2**64)

Here ``key, gamma = stream_of(seed)``, and ``mix`` is the finalizer of SplitMix64 (Steele, Lea &
Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, section 6, in the form of its
Java implementation).

``gamma`` is odd and ``mix`` is a bijection, so two addresses of one seed never share a word.
Nothing overlaps for 2**40 (about 10**12) games with 1,024 rounds, 16 lanes and 1,024 words each.
Rounds beyond 1,023 start again from 0. A lane with more than 1,024 words would run into the next
one; no real round comes near that.

The lanes, for seats 0 to 6:
- 0: the deal
- 1 + s: the dice (or draws) of seat s
- 8 + s: the coins of seat s (a policy's own randomness)
- 15: which decisions are studied

A seat reads its lanes in order. So another decision of one seat does not change the random numbers
of the other seats.

A word becomes a number below n as ``(word * n) >> 64``: the high half of the product. If one word
gives several numbers, the next one uses the low half, ``(word * n) modulo 2**64``. The relative
error of each number's chance is less than the product of all the n taken from one word, divided by
2**64. For six cards of 36 that is less than 1e-10.
"""

from __future__ import annotations

import numpy as np

from lama_odds.jit import for_all, high_half, inlined

MAX_GAMES = 1 << 40
MAX_ROUNDS = 1 << 10
MAX_SEED = (1 << 63) - 1

DEAL = 0
DICE = 1
COINS = 8
STUDY = 15

_GAME_SHIFT = np.uint64(24)
_ROUND_SHIFT = np.uint64(14)
_LANE_SHIFT = np.uint64(10)
_ROUND_MASK = np.uint64(MAX_ROUNDS - 1)
_31_BITS = np.uint64(0x7FFFFFFF)


@inlined
def mix(z: np.uint64) -> np.uint64:
    """Return the SplitMix64 finalizer of a word: a bijection of the 64-bit words."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inlined
def stream_of(seed: np.int64) -> tuple[np.uint64, np.uint64]:
    """Return key and odd increment of a seed; the bits of the increment change often enough."""
    z = mix(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15))
    key = mix(z + np.uint64(0x9E3779B97F4A7C15))
    gamma = mix(key + np.uint64(0x9E3779B97F4A7C15)) | np.uint64(1)
    flips = gamma ^ (gamma >> np.uint64(1))
    changes = np.int64(0)
    for bit in range(64):
        changes += np.int64(flips >> np.uint64(bit) & np.uint64(1))
    if changes < 24:
        gamma ^= np.uint64(0xAAAAAAAAAAAAAAAA)
    return key, gamma


@inlined
@for_all
def lane_start(
    key: np.uint64, gamma: np.uint64, game: np.int64, round_: np.int64, lane: np.int64
) -> np.uint64:
    """Return the start of a lane: its word number i is ``mix(start + gamma * i)``."""
    address = np.uint64(game) << _GAME_SHIFT
    address |= (np.uint64(round_) & _ROUND_MASK) << _ROUND_SHIFT
    address |= np.uint64(lane) << _LANE_SHIFT
    return key + gamma * address


@inlined
def below(word: np.uint64, n: np.int64) -> np.int64:
    """Return the high half of ``word * n``: a number from 0 to n − 1 (n below 2**31)."""
    # Of so small a number, the compiler knows that the result is not negative: as an index it then
    # needs no test.
    return np.int64(high_half(word, np.uint64(n) & _31_BITS))
