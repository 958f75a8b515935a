"""Sensitivity: the same question under other models of the others, and where it turns."""

from __future__ import annotations

import pytest

from lama_odds.analysis.advise import advise
from lama_odds.analysis.rollouts import Limits
from lama_odds.analysis.sensitivity import Model, _holds, sensitivity
from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.registry import game_of

LIMITS = Limits(games=4000, threads=1)


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ("lama/egmont", "hand=122 top=6 opp=4,3"),
        ("dice/amigo", "hand=25L row=1346L opp=13,6LL"),
        ("noprob/starnberger", "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,? drawn=7"),
    ],
)
def test_each_model_is_the_answer_against_that_policy(rules: str, text: str):
    game = game_of(rules)
    rule_set = game.rules(rules)
    position = game.position(rule_set, text)
    advice = advise(game, rule_set, position, limits=LIMITS)
    found = sensitivity(game, rule_set, position, advice, limits=LIMITS)
    assert [model.like for model in found.models] == list(game.models)
    assert len(found.dialled) == len(game.dial[1])
    model = found.models[-1]
    alone = advise(
        game, rule_set, position, objective=advice.objective, opponents=game.policy("random"),
        limits=LIMITS,
    )  # fmt: skip
    assert model.policy == "random"
    assert model.best == alone.best
    regret = next(a.regret for a in alone.actions if a.action == advice.best)
    assert model.loses == regret


def model(like: str, loses: float) -> Model:
    away = Estimate(loses, 0.1, loses - 0.2, loses + 0.2, 100, "simulation")
    return Model(like, like, "quit", "quit", away if loses else exact(0.0), None, "simulation")


@pytest.mark.parametrize(
    ("dial", "said"),
    [
        ((0, 0, 0), "roll holds against all of them"),
        ((0, 0, 1), "roll holds unless the others quit at 9 or more (then quit)"),
        ((1, 1, 0), "roll holds unless the others quit at 6 or less only (then quit)"),
        ((0, 1, 0), "roll holds unless the others quit at 6 (then quit)"),
        ((1, 1, 1), "roll holds unless the others quit at 3, 6, 9 (then quit)"),
    ],
)
def test_where_it_turns_is_said(dial: tuple[int, ...], said: str):
    dialled = tuple(model(str(t), loses) for t, loses in zip((3, 6, 9), dial, strict=True))
    assert _holds("roll", [model("bold", 0)], dialled) == said


def test_the_models_are_named():
    said = _holds("roll", [model("bold", 1), model("random", 1)], (model("3", 0),))
    assert said == "roll holds unless they are bold or random (then quit)"
