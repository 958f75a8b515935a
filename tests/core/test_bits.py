"""The same bits everywhere: elementary functions, and random numbers (the luck contract)."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.core import elementary
from lama_odds.jit import compiled
from lama_odds.jit.elementary import exp, log
from lama_odds.luck import stream
from tests.reference import luck as twin

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
# Of x**(1 - 2n) / (2n (2n - 1)) in the series for the logarithm of gamma.
BERNOULLI = [(1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510)]


def erfc(x: Decimal) -> Decimal:
    term, total, n = x, x, 0
    while abs(term) > Decimal(10) ** -70:
        n += 1
        term = -term * x * x / n
        total += term / (2 * n + 1)
    return 1 - 2 * total / PI.sqrt()


def lgamma(x: Decimal) -> Decimal:
    product = Decimal(1)
    while x < 200:
        product, x = product * x, x + 1
    total = (x - Decimal("0.5")) * x.ln() - x + (2 * PI).ln() / 2
    for n, (upper, lower) in enumerate(BERNOULLI, 1):
        total += Decimal(upper) / lower / (2 * n * (2 * n - 1) * x ** (2 * n - 1))
    return total - product.ln()


CASES: dict[str, tuple[Callable[[Decimal], Decimal], float, tuple[tuple[float, float], ...]]] = {
    "exp": (Decimal.exp, 1, ((-700, 709), (-2, 2), (-1e-5, 1e-5))),
    "log": (Decimal.ln, 1, ((0, 1e-200), (0, 3), (0.999, 1.001), (0, 1e300))),
    "log1p": (lambda x: (1 + x).ln(), 1.5, ((-1, 3), (-0.01, 0.01), (-1e-15, 1e-15), (0, 1e20))),
    "expm1": (lambda x: x.exp() - 1, 1.5, ((-50, 50), (-2, 2), (-0.01, 0.01), (-1e-15, 1e-15))),
    "erfc": (erfc, 4, ((-2, 2), (0.4, 0.6), (2, 7))),
    "lgamma": (lgamma, 5, ((0, 3), (0.99, 1.01), (1.99, 2.01), (2, 20), (20, 1e6))),
}


@pytest.mark.parametrize("name", CASES)
def test_errors_are_small(name: str) -> None:
    wanted, most, ranges = CASES[name]
    random = Random(name)
    with localcontext(prec=90):
        for least, largest in ranges:
            for x in (random.uniform(least, largest) for _ in range(200)):
                true, got = wanted(Decimal(x)), getattr(elementary, name)(x)
                assert abs(Decimal(got) - true) <= Decimal(most) * Decimal(math.ulp(float(true))), x


# What is asked at the ends: -inf, -746, -1, -0, 0, 1, 710, inf, not a number.
ENDS = {
    "exp": (0.0, 0.0, None, 1.0, 1.0, None, math.inf, math.inf, math.nan),
    "log": (math.nan, math.nan, math.nan, -math.inf, -math.inf, 0.0, None, math.inf, math.nan),
    "log1p": (math.nan, math.nan, -math.inf, 0.0, 0.0, None, None, math.inf, math.nan),
    "expm1": (-1.0, -1.0, None, 0.0, 0.0, None, math.inf, math.inf, math.nan),
    "erfc": (2.0, 2.0, None, 1.0, 1.0, None, 0.0, 0.0, math.nan),
    "lgamma": (math.nan, math.nan, math.nan, math.inf, math.inf, 0.0, None, math.inf, math.nan),
}


@pytest.mark.parametrize("name", ENDS)
def test_ends(name: str) -> None:
    asked = (-math.inf, -746.0, -1.0, -0.0, 0.0, 1.0, 710.0, math.inf, math.nan)
    for x, wanted in zip(asked, ENDS[name], strict=True):
        if wanted is not None:
            assert getattr(elementary, name)(x) == pytest.approx(wanted, rel=0, nan_ok=True), x


def test_smallest_and_largest() -> None:
    assert elementary.exp(709.782712893384) == pytest.approx(1.797693134862273e308, rel=1e-15)
    assert elementary.exp(-745.0) == 5e-324
    assert elementary.log(5e-324) == pytest.approx(-1074 * math.log(2), rel=1e-15)
    assert elementary.erfc(26.0) == pytest.approx(math.erfc(26.0), rel=1e-13)


@compiled
def fill(numbers, powers, logarithms):
    for at in range(numbers.size):
        powers[at] = exp(numbers[at])
        logarithms[at] = log(abs(numbers[at]))


def test_compiled_functions_have_the_same_bits() -> None:
    random = Random(1)
    numbers = [random.uniform(-750, 712) for _ in range(2000)]
    numbers += [random.uniform(-3, 3) for _ in range(2000)]
    numbers += [0.0, -0.0, 5e-324, math.inf, -math.inf, math.nan]
    powers, logarithms = np.zeros((2, len(numbers)))
    fill(np.array(numbers), powers, logarithms)
    assert [elementary.exp(x).hex() for x in numbers] == [x.hex() for x in powers.tolist()]
    assert [elementary.log(abs(x)).hex() for x in numbers] == [x.hex() for x in logarithms.tolist()]


# The luck contract: vectors that never change, and the same words as the plain twin.


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


def test_vectors_of_the_contract() -> None:
    assert {address: word(*address) for address in VECTORS} == VECTORS


@settings(max_examples=200, deadline=None)
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


@settings(max_examples=200, deadline=None)
@given(st.integers(0, twin.MASK), st.integers(1, 2**31 - 1))
def test_below_is_the_high_half_of_the_product(value: int, n: int) -> None:
    assert number_below(np.uint64(value), np.int64(n)) == twin.below(value, n)
