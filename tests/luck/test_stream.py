"""The luck contract: vectors, independence of addresses, agreement with the plain-Python twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.jit import compiled
from lama_odds.luck import stream
from tests.reference import luck as twin

MASK = (1 << 64) - 1

# Vectors of contract version 1: (seed, game, round, lane, index) -> word. Never to be changed
# without a new contract number: recorded games and published figures rest on them.
VECTORS = {
    (0, 0, 0, 0, 0): 0xB49AB477BB8685E2,
    (0, 0, 0, 1, 0): 0x5EAA14D92C877F3D,
    (0, 1, 0, 8, 3): 0x19CFB61F69E43178,
    (1, 2, 3, 4, 5): 0xE6D00A91A99DC448,
    (123456789, 999999999999, 1023, 14, 1023): 0xE51F3515A5FEDF81,
    (9223372036854775807, 7, 1024, 2, 0): 0xD170B8FB11D3BD42,
    (42, 5, 0, 0, 2): 0x7BD8F81089D7C77F,  # a seed whose increment is mended
}


@compiled
def word_at(seed, game, round_, lane, index):
    key, gamma = stream.stream_of(seed)
    return stream.mix(stream.lane_start(key, gamma, game, round_, lane) + gamma * np.uint64(index))


@compiled
def number_below(word, n):
    return stream.below(word, n)


def word(*address: int) -> int:
    return int(word_at(*(np.int64(part) for part in address)))


@pytest.mark.parametrize(("address", "expected"), VECTORS.items())
def test_vectors_of_the_contract(address: tuple[int, ...], expected: int) -> None:
    assert word(*address) == expected


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, stream.MAX_SEED),
    st.tuples(
        st.integers(0, stream.MAX_GAMES - 1),
        st.integers(0, 3_000),
        st.integers(0, 15),
        st.integers(0, 1_023),
    ),
)
def test_words_are_those_of_the_twin(seed: int, address: tuple[int, ...]) -> None:
    expected = twin.word_at(twin.stream_of(seed), twin.address_of(*address))
    assert word(seed, *address) == expected


@settings(max_examples=300, deadline=None)
@given(st.integers(0, MASK), st.integers(1, 2**31 - 1))
def test_below_is_the_high_half_of_the_product(value: int, n: int) -> None:
    assert number_below(np.uint64(value), np.int64(n)) == value * n >> 64


@settings(max_examples=200, deadline=None)
@given(st.integers(0, MASK))
def test_mixing_can_be_undone(value: int) -> None:
    # A bijection: so different addresses of a seed have different words.
    def unshift(z: int, by: int) -> int:
        found = z
        for _ in range(64 // by + 1):
            found = z ^ found >> by
        return found

    z = unshift(twin.mix(value), 31)
    z = unshift(z * pow(0x94D049BB133111EB, -1, 2**64) & MASK, 27)
    z = unshift(z * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK, 30)
    assert z == value


@pytest.mark.parametrize("seed", [0, 1, 42, 75, 2**40])
def test_the_increment_is_odd_so_that_addresses_never_share_a_word(seed: int) -> None:
    _, gamma = twin.stream_of(seed)
    assert gamma % 2 == 1
    addresses = {
        twin.address_of(g, r, lane, i)
        for g in (0, 1, 2**40 - 1)
        for r in (0, 1_023)
        for lane in range(16)
        for i in (0, 1, 1_023)
    }
    assert len(addresses) == 3 * 2 * 16 * 3
    assert max(addresses) < 2**64


def test_faces_of_a_lane_are_uniform() -> None:
    # Chi-squared with 215 degrees of freedom: 99.9 % quantile 283.
    counts = np.zeros(216)
    for game in range(20_000):
        counts[number_below(np.uint64(word(3, game, 0, 2, 0)), np.int64(216))] += 1
    expected = 20_000 / 216
    assert ((counts - expected) ** 2 / expected).sum() < 283
