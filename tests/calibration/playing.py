"""Statements of certainty, played many times: how many may be wrong, and when that is too many.

A statement that is at most so often wrong is played on outcomes for which it is wrong, as often as
it takes to tell it from one that is SURER times as often wrong. `Statement.surer` says what in the
program makes it so; a test proves that the bound notices.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, norm, t

from lama_odds.analysis.advice.advise import Question, _sampled
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Limits, Rollouts
from lama_odds.games.interface.objectives import POINTS, Objective
from lama_odds.statistics.intervals import Moments

SURER = 1.5  # times as often wrong: what has to be noticed
POWER = 0.99  # with which it is
SEED = 7
HONEST = 0.99  # the chance of passing with any other seed, if the rate is what it should be
Play = Callable[[np.random.Generator, int], int]
Change = tuple[str, Any]  # a name as `monkeypatch.setattr` takes it, and what it becomes


@dataclass(frozen=True)
class Bounds:
    """A number of plays, and how many of them are wrong at least and at most."""

    plays: int
    least: int
    most: int


@lru_cache
def bounds(rate: float) -> Bounds:
    """The fewest plays that tell this rate from one that is SURER times as high."""
    plays = 100
    while True:
        most = int(binom.isf(1 - HONEST, plays, rate))
        if binom.sf(most, plays, SURER * rate) >= POWER:
            return Bounds(plays, int(binom.ppf(1 - HONEST, plays, rate)), most)
        plays = math.ceil(1.01 * plays)


@dataclass(frozen=True)
class Statement:
    """What the program states, played with its truth at the very edge of being otherwise.

    rate: how often it is wrong there, in the long run. Not above what the program promises; below
    that where a bound holds for cases that are worse than this one.
    play: of so many plays, how many are wrong. surer: what makes it SURER times as often wrong.
    beyond: the same a little further off the truth, where it must not be wrong more often.
    """

    name: str
    rate: float
    play: Play
    surer: tuple[Change, ...]
    beyond: Play | None = None

    def wrong(self) -> int:
        """How many of the plays are wrong; the same at every call."""
        return self.play(np.random.default_rng(SEED), bounds(self.rate).plays)


def check(statement: Statement) -> None:
    """Fail if a statement is wrong too often, or hardly ever: then it says less than it could."""
    allowed = bounds(statement.rate)
    assert allowed.least <= statement.wrong() <= allowed.most
    if statement.beyond is not None:
        plays = allowed.plays // 4
        wrong = statement.beyond(np.random.default_rng(SEED), plays)
        assert wrong <= binom.isf(1 - HONEST, plays, statement.rate)


def check_noticed(statement: Statement, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if it may be SURER times as often wrong without being noticed."""
    for name, changed in statement.surer:
        monkeypatch.setattr(name, changed)
    assert statement.wrong() > bounds(statement.rate).most


# Payoffs of a round as they are: nothing much, a few points, now and then very many.
POINTS_OF_A_ROUND = (-10, -1, 0, 0, 1, 2, 3, 5, 9, 20)


def outcomes(actions: int, alike: float = 0.5) -> np.ndarray:
    """Joint payoffs of actions, int64[outcomes, actions], all as likely and no action better.

    Whatever comes to one action comes to each other one as often. alike: in this part of the
    outcomes all get the same.
    """
    luck = np.random.default_rng(1)
    own = luck.choice(POINTS_OF_A_ROUND, (8, actions))
    together = luck.random(8) < alike
    own[together] = own[together, :1]
    return np.concatenate([np.roll(own, turn, axis=1) for turn in range(actions)])


def critical_surer(comparisons: int, samples: int | None = None) -> float:
    """Half-widths of simultaneous intervals that are SURER times as often wrong."""
    return _critical(comparisons, samples)


@lru_cache
def _critical(comparisons: int, samples: int | None) -> float:
    tail = -math.expm1(math.log1p(-SURER * 0.05) / comparisons) / 2
    return float(norm.isf(tail) if samples is None else t.isf(tail, samples - 1))


def parts(plays: int, most: int = 4_000) -> list[int]:
    """The same number of plays, a few thousand at a time."""
    return [most] * (plays // most) + [plays % most] * bool(plays % most)


def sums_at(
    joint: np.ndarray, looks: list[int], plays: int, rng: np.random.Generator
) -> np.ndarray:
    """Sums and sums of products at each look, int64[plays, looks, actions, 1 + actions]."""
    k = joint.shape[1]
    each = np.concatenate([joint[:, :, None], joint[:, :, None] * joint[:, None, :]], axis=2)
    each = each.reshape(len(joint), -1).astype(float)
    steps = np.diff(looks, prepend=0)
    even = np.full(len(joint), 1 / len(joint))
    drawn = rng.multinomial(np.tile(steps, (plays, 1)), even)
    found = np.cumsum(np.rint(drawn @ each).astype(np.int64), axis=1)
    return found.reshape(plays, len(looks), k, k + 1)


def errors_ahead(sums: np.ndarray, looks: list[int], lowest: bool, by: float = 0.0) -> np.ndarray:
    """By how many standard errors the best action is more than `by` ahead of each.

    float[plays, looks, actions]; infinite for the best one itself.
    """
    total, products = sums[..., 0].astype(float), sums[..., 1:].astype(float)
    n = np.array(looks, dtype=float)[:, None]
    best = (total.argmin(axis=2) if lowest else total.argmax(axis=2))[..., None]
    squares = np.einsum("plii->pli", products)
    shared = np.take_along_axis(products, best[..., None], 2)[:, :, 0]
    ahead = np.abs(total - np.take_along_axis(total, best, 2))
    variance = squares + np.take_along_axis(squares, best, 2) - 2 * shared - ahead**2 / n
    errors = (ahead - by * n) / np.sqrt(np.maximum(variance, 1e-9))
    errors[np.arange(sums.shape[2]) == best] = np.inf
    return errors


# Answers on made-up sums: what stands in for a game, its rollouts and its policies.

NAMES = "abcdefgh"
POLICY = SimpleNamespace(name="somebody")
NOBODY = SimpleNamespace(id="nowhere", format=lambda: "", players=2, others_in=1)


def moments_of(payoffs: np.ndarray, unit: float = 1.0) -> Moments:
    """The moments of int64[games, actions]."""
    sums = np.column_stack((payoffs.sum(axis=0), payoffs.T @ payoffs))
    return Moments(sums, len(payoffs), unit)


def rollouts(moments: Mapping[str, Moments]) -> Rollouts:
    """Rollouts of actions a, b, … with these sums, by objective."""
    one = next(iter(moments.values()))
    k = len(one.sums)
    return Rollouts(tuple(NAMES[:k]), moments, ({},) * k, one.n, False)


def question(*objectives: Objective) -> Question:
    """A question in the first of these objectives, at a position that nobody has to know."""
    game: Any = SimpleNamespace(
        objectives={each.name: each for each in objectives or (POINTS,)},
        known=lambda rules, position: {},
        next_chances=lambda rules, position: {},
        best_policy=lambda rules, players, aim: POLICY,
        rollouts=lambda *asked: SimpleNamespace(),
    )
    asked = next(iter(game.objectives))
    clock: Any = SimpleNamespace(seconds=0.0)
    policies: Sequence[Any] = (POLICY, POLICY)
    return Question(
        game, NOBODY, NOBODY, asked, 0, clock, tuple(policies), None, None, None, Limits(), True
    )


def advice_of(moments: Moments, counts: Objective = POINTS) -> Advice:
    """What `advise` says of these sums."""
    return _sampled(question(counts), rollouts({counts.name: moments}), ())
