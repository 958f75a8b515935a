"""Answers on made-up sums: what stands in for a game, its rollouts and its policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from lama_odds.analysis.advice.advise import Question, _sampled
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Limits, Rollouts
from lama_odds.games.interface.objectives import POINTS, Objective
from lama_odds.statistics.intervals import Moments

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
