"""Elementary functions of float64 that have the same bits wherever they run.

The C library has other bits for them on other machines, and a browser has none of its own. These
use only sums, products, quotients, comparisons and the exact `math.frexp` and `math.ldexp`. IEEE
754 defines each of them to the last bit. `exp` and `log` can be compiled as they stand, see
`lama_odds.jit.elementary`.

Errors are counted in units in the last place. They are below 1 for `exp` and `log`, 1.5 for `log1p`
and `expm1`, 4 for `erfc` and 5 for `lgamma` (see the tests). Where a result is too large, it is
infinite; outside the domain it is not a number. Nothing is raised.
"""

from __future__ import annotations

import math
from functools import lru_cache
from math import ldexp

INFINITE = math.inf
NAN = math.nan
LARGEST, SMALLEST = 709.782712893384, -745.1332191019412  # beyond them exp is infinite, or 0
PER_TWO = 1.4426950408889634  # 1 / ln 2
# ln 2 in two parts: the first is short enough that its product with an exponent is exact.
TWO_HIGH, TWO_LOW = 0.6931471803691238, 1.9082149292705877e-10
HALF_ROOT = 0.7071067811865476  # of 2
ROUGH = 40.0  # 1 changes nothing of e to the power of this
PI = 3.141592653589793
ROOT_OF_PI = 1.7724538509055159
STEP = 0.5  # of the sum for erfc
TERMS = 13  # of that sum
NEAR_ZERO = 0.5  # where erfc is 1 less a series
POLE = 6.0  # where what the pole of that sum adds is nothing beside the rest
FALLS = 27.3  # erfc is 0 from here on
FROM_STIRLING = 10.0  # where his series is good enough
ROOT_OF_TWO_PI = 2.5066282746310002
HALF = 0.5
MOST_STEPS = 100
NEAR = 4e-16  # steps below this change nothing
HALF_LOG = 0.9189385332046728  # of 2 pi
LESS_EULER = 0.42278433509846713  # 1 less Euler's constant
# Sums 1/2**k + 1/3**k + ... for k = 2, 3, ...; each term of `_around_two` has one.
POWER_SUMS = (
    0.6449340668482264,
    0.2020569031595943,
    0.08232323371113819,
    0.03692775514336993,
    0.01734306198444914,
    0.008349277381922827,
    0.00407735619794434,
    0.0020083928260822143,
    0.0009945751278180853,
    0.0004941886041194645,
    0.0002460865533080483,
    0.00012271334757848915,
    6.124813505870483e-05,
    3.058823630702049e-05,
    1.528225940865187e-05,
    7.637197637899763e-06,
    3.81729326499984e-06,
    1.908212716553939e-06,
    9.539620338727962e-07,
    4.769329867878064e-07,
    2.38450502727733e-07,
    1.1921992596531106e-07,
    5.960818905125948e-08,
    2.980350351465228e-08,
    1.4901554828365043e-08,
    7.45071178983543e-09,
)


def exp(x: float) -> float:
    """Return e to the power of x."""
    if not SMALLEST <= x <= LARGEST:
        return x if x != x else 0.0 if x < 0.0 else INFINITE
    twos = math.floor(x * PER_TWO + 0.5)
    high, low = x - twos * TWO_HIGH, twos * TWO_LOW
    r = high - low
    lost = (high - r) - low
    z = r * r
    # r**2 / 2! + r**3 / 3! + ...: even and odd terms apart, which processors compute side by side
    even = 1 / 3628800 + z * (1 / 479001600)
    even = 1 / 2 + z * (1 / 24 + z * (1 / 720 + z * (1 / 40320 + z * even)))
    odd = 1 / 39916800 + z * (1 / 6227020800)
    odd = 1 / 6 + z * (1 / 120 + z * (1 / 5040 + z * (1 / 362880 + z * odd)))
    return ldexp(1.0 + (r + (lost + z * (even + r * odd))), twos)


def log(x: float) -> float:
    """Return the natural logarithm of x."""
    if not 0.0 < x < INFINITE:
        return -INFINITE if x == 0.0 else x if x > 0.0 else NAN
    part, twos = math.frexp(x)
    if part < HALF_ROOT:
        part, twos = part + part, twos - 1
    f = part - 1.0
    s = f / (2.0 + f)
    z = s * s
    # log(1 + f) = 2s + 2/3 s**3 + 2/5 s**5 + ..., of which 2s = f - f**2/2 + s f**2/2
    rest = 2 / 15 + z * (2 / 17 + z * (2 / 19 + z * (2 / 21 + z * (2 / 23))))
    rest = 2 / 9 + z * (2 / 11 + z * (2 / 13 + z * rest))
    rest = z * (2 / 3 + z * (2 / 5 + z * (2 / 7 + z * rest)))
    half = 0.5 * f * f
    return twos * TWO_HIGH + (f - (half - (s * (half + rest) + twos * TWO_LOW)))


def log1p(x: float) -> float:
    """Return the natural logarithm of 1 + x."""
    whole = 1.0 + x
    if whole == 1.0 or not 0.0 < whole < INFINITE:
        return x if whole == 1.0 else log(whole)
    # What is lost of a sum is its smaller part's.
    lost = x - (whole - 1.0) if abs(x) < 1.0 else 1.0 - (whole - x)
    return log(whole) + lost / whole


def expm1(x: float) -> float:
    """Return e to the power of x, less 1."""
    if x != x or x > ROUGH:
        return exp(x)
    if x < -ROUGH:
        return -1.0
    twos = math.floor(x * PER_TWO + 0.5)
    high, low = x - twos * TWO_HIGH, twos * TWO_LOW
    r = high - low
    lost = (high - r) - low
    rest = 0.0
    for factor in range(15, 1, -1):
        rest = (rest + 1.0) * r / factor
    value = r + (lost + r * rest)
    if twos == 0:
        return value
    return ldexp(value, twos) + (ldexp(1.0, twos) - 1.0)


def erfc(x: float) -> float:
    """Return the share of a normal distribution outside -x to x standard deviations times root 2.

    For negative x it is 2 less that of -x.
    """
    if x != x:
        return x
    if x < 0.0:
        return 2.0 - erfc(-x)
    if x < NEAR_ZERO:
        return 1.0 - _erf_near_zero(x)
    if x > FALLS:
        return 0.0
    # The integral of exp(-t**2) / (t**2 + x**2), of which erfc is a multiple, as a sum of steps.
    # The sum is as good as exact except for the pole at t = ix, whose part is `beyond`.
    z = x * x
    total = 0.0
    for n in range(TERMS, 0, -1):
        t = (n * STEP) * (n * STEP)
        total += exp(-t) / (t + z)
    start = math.floor(x * 16.0 + 0.5) / 16.0  # its square is exact
    bell = exp(-start * start) * exp((start - x) * (start + x))
    share = bell * (STEP * x / PI) * (1.0 / z + 2.0 * total)
    if x > POLE:
        return share
    return share - 2.0 / expm1(2.0 * PI * x / STEP)


def _erf_near_zero(x: float) -> float:
    """Return 1 less erfc for x below NEAR_ZERO."""
    z, total = x * x, 0.0
    for n in range(14, 0, -1):
        total = (1.0 + total) * (2.0 * z) / (2 * n + 1)
    return 2.0 * x * exp(-z) * (1.0 + total) / ROOT_OF_PI


def lgamma(x: float) -> float:
    """Return the logarithm of gamma(x), that is of (x − 1)!, for positive x."""
    if not 0.0 < x < INFINITE:
        return INFINITE if x == 0.0 or x > 0.0 else NAN
    if x < 0.5:
        return _around_two(x) - (log1p(x) + log(x))
    if x < 1.5:
        return _around_two(x - 1.0) - log(x)
    if x < FROM_STIRLING:
        product = 1.0
        while x > 2.5:
            x -= 1.0
            product *= x
        return log(product) + _around_two(x - 2.0)
    z = 1.0 / (x * x)
    rest = 1 / 1188 - z * (691 / 360360 - z * (1 / 156))
    rest = (1 / 12 - z * (1 / 360 - z * (1 / 1260 - z * (1 / 1680 - z * rest)))) / x
    return (x - 0.5) * (log(x) - 1.0) + (HALF_LOG - 0.5 + rest)


def _around_two(z: float) -> float:
    """Return lgamma(2 + z) for z of at most 1/2."""
    series, power = 0.0, len(POWER_SUMS) + 1
    for total in reversed(POWER_SUMS):
        series = total / power - z * series
        power -= 1
    return z * (LESS_EULER + z * series)


def hypot(*parts: float) -> float:
    """Return the root of the sum of squares, added in the order given; parts: of ordinary size."""
    total = 0.0
    for part in parts:
        total += part * part
    return math.sqrt(total)


def normal_cdf(x: float) -> float:
    """Return the chance that a standard normal number is at most x."""
    return erfc(-x * HALF_ROOT) / 2


@lru_cache(maxsize=256)
def normal_quantile(share: float) -> float:
    """Return the number that a standard normal one is at most with this chance, 0 < share < 1.

    Newton's method with the second derivative (Halley 1694), from the middle outwards; the tail
    that is smaller is the one that is compared, so that no digits cancel.
    """
    tail = min(share, 1 - share)
    x = 0.0
    for _ in range(MOST_STEPS):
        density = exp(-x * x / 2) / ROOT_OF_TWO_PI
        newton = (erfc(x * HALF_ROOT) / 2 - tail) / density
        step = newton / (1 - x * newton / 2)
        x += step
        if abs(step) <= NEAR * (1 + x):
            break
    return -x if share < HALF else x
