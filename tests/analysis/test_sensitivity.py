"""Sensitivity: the same question under other models of the others, and where it turns."""

from __future__ import annotations

from typing import Any

import pytest

import lama_odds.analysis.advice.sensitivity as module
from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import TOO_CLOSE, ActionValue, Advice
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.advice.sensitivity import BEST_HERE, OPEN, WORSE, Model, _said, sensitivity
from lama_odds.api import positions as api
from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.registry import game_of
from lama_odds.report.text.advice import advice_text
from lama_odds.report.text.answers import printed

NOTHING_KNOWN = "whether draw is best is not known for any of 13 kinds of opponents"
LIMITS = Limits(games=4000, threads=1)


@pytest.mark.long
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
        *(game, rule_set, position),
        objective=advice.objective,
        opponents=game.policy("random"),
        limits=Limits(games=model.games, threads=1),
    )
    assert model.policy == "random"
    assert model.best == alone.best
    regret = next(a.regret for a in alone.actions if a.action == advice.best)
    assert model.loses == regret


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ("lama/egmont", "hand=34 top=6 opp=4,3"),  # sampled
        ("dice/amigo+dealt=2", "hand=12 row=134L opp=12 rolled=25L"),  # solved, models sampled
    ],
)
def test_the_games_of_an_answer_repeat_its_models(rules: str, text: str) -> None:
    timed = api.advise(rules, text, seconds=0.02, sensitivity=True, threads=1).found
    games = timed.games or timed.sensitivity.games
    named = api.advise(rules, text, games=games, sensitivity=True, threads=1).found
    assert timed.sensitivity.to_json() == named.sensitivity.to_json()
    assert games >= 1_024
    usual = timed.sensitivity.models[1]
    assert (usual.like, usual.games) == ("usual", games)
    # Ten other policies play three times as many in sum.
    assert timed.sensitivity.models[0].games == max(1_000, 3 * games // 10)


@pytest.mark.parametrize(("opponents", "like"), [(None, "usual"), ("threshold:2", "bold")])
def test_the_question_itself_is_not_asked_again(
    opponents: str | None, like: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of("lama/egmont")
    rules = game.rules("lama/egmont")
    position = game.position(rules, "hand=34 top=6 opp=4,3")
    policy = None if opponents is None else game.policy(opponents)
    advice = advise(game, rules, position, opponents=policy, limits=LIMITS)
    asked: list[str] = []

    def noting(*args: Any, **how: Any) -> Any:
        asked.append(how["opponents"].name)
        return advise(*args, **how)

    monkeypatch.setattr(module, "advise", noting)
    found = sensitivity(game, rules, position, advice, opponents=policy, limits=LIMITS)
    assert found is not None
    same = next(model for model in found.models if model.like == like)
    assert same.policy not in asked
    assert len(asked) == len(set(asked)) == 10
    assert same.loses == advice.actions[0].regret
    assert (same.verdict, same.games) == (advice.verdict, advice.games)


def test_nothing_known_is_not_said_to_hold() -> None:
    found = api.advise("lama/egmont", "hand=34 top=6 opp=4,3", games=1_000, sensitivity=True)
    again = found.found.sensitivity
    every = (*again.models, *again.dialled)
    assert all(model.verdict == TOO_CLOSE and model.state == OPEN for model in every)
    assert again.said == NOTHING_KNOWN
    told = again.to_json()
    assert told["holds"] is False
    assert told["counts"] == {"best": 0, "worse": 0, "open": 13}
    text = printed(found.text(found.found), plain=True)
    assert f"\nW{NOTHING_KNOWN[1:]}.\n" in text
    assert text.endswith("\n4 of 13 kinds of opponents; all: -v")
    assert "kinds of opponents; all" not in printed(advice_text(found.found, verbose=True))


def test_what_is_clear_holds() -> None:
    position = "hand=25L row=1346L opp=13,6LL"
    again = api.advise("dice/amigo", position, games=5_000, sensitivity=True).found.sensitivity
    assert all(model.state == BEST_HERE for model in (*again.models, *again.dialled))
    assert again.said == "roll is best against all 13 kinds of opponents"
    assert again.to_json()["holds"] is True


@pytest.mark.parametrize(
    ("best", "regrets", "exactly", "state"),
    [
        ("roll", (0.0, 0.5), False, BEST_HERE),
        ("roll", (0.0, 0.1), False, OPEN),
        ("quit", (0.5, 0.0), False, WORSE),
        ("quit", (0.1, 0.0), False, OPEN),
        ("quit", (0.1, 0.0), True, WORSE),
        ("quit", (0.0, 0.0), True, BEST_HERE),  # as good as the best
    ],
)
def test_states(best: str, regrets: tuple[float, float], exactly: bool, state: str) -> None:
    def away(loss: float) -> Estimate:
        if exactly or not loss:
            return exact(loss)
        return Estimate(loss, 0.1, loss - 0.2, loss + 0.2, 5_000, "simulation")

    value = exact(0.0)
    actions = [
        ActionValue(name, value, away(loss), {}, {})
        for name, loss in zip(("roll", "quit"), regrets, strict=True)
    ]
    actions.sort(key=lambda action: action.action != best)
    settled = actions[1].regret.low > 0
    found = Advice(
        *("", "", "points", best if settled else TOO_CLOSE, best, tuple(actions)),
        *("exact" if exactly else "simulation", 5_000, 0, 0.0, ()),
    )
    assert module._state(found, away(regrets[0]), "roll") == state


def model(like: str, state: str) -> Model:
    return Model(like, like, "quit", "quit", exact(0.0), None, "simulation", 5_000, state)


@pytest.mark.parametrize(
    ("dial", "said"),
    [
        ("bbb", "roll is best against all 4 kinds of opponents"),
        ("bbw", "roll is worse if your opponents quit at 9 or more (then quit)"),
        ("wwb", "roll is worse if your opponents quit at 6 or less (then quit)"),
        ("bwb", "roll is worse if your opponents quit at 6 (then quit)"),
        ("www", "roll is worse if your opponents quit at 3, 6, 9 (then quit)"),
        (
            "bob",
            "roll is best against 3 of 4 kinds of opponents; "
            "against the rest it is too close to call",
        ),
        (
            "bow",
            "roll is worse if your opponents quit at 9 or more (then quit); "
            "1 of 4 are too close to call",
        ),
    ],
)
def test_where_it_turns_is_said(dial: str, said: str) -> None:
    states = {"b": BEST_HERE, "w": WORSE, "o": OPEN}
    dialled = tuple(model(str(t), states[s]) for t, s in zip((3, 6, 9), dial, strict=True))
    assert _said("roll", (model("bold", BEST_HERE),), dialled) == said


def test_the_models_are_named() -> None:
    worse = (model("bold", WORSE), model("random", WORSE))
    said = _said("roll", worse, (model("3", BEST_HERE),))
    assert said == "roll is worse if your opponents are bold or random (then quit)"
