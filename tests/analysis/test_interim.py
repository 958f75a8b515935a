"""Interim answers of rollouts, and work that is stopped before its end."""

from __future__ import annotations

import time
from typing import Any

import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.core.progress import may_stop, stage, stopped_by
from lama_odds.games.dice.solvers import pair_cache
from lama_odds.games.registry import game_of

CARDS = "lama/amigo", "hand=3356L top=4 opp=4,q2,6"
PAIR = "dice/amigo", "hand=25L row=1346L opp=13"


def asked(rules: str, position: str, **options: Any) -> Advice:
    game = game_of(rules)
    rule_set = game.rules(rules)
    return advise(game, rule_set, game.position(rule_set, position), **options)


def plain(advice: Advice) -> dict[str, Any]:
    return {key: value for key, value in advice.to_json().items() if key != "seconds"}


def test_the_answer_is_the_same_whether_somebody_is_told_on_the_way() -> None:
    told: list[Advice] = []
    limits = Limits(games=9_000, threads=2)
    found = asked(*CARDS, limits=limits, interim=told.append)
    assert plain(found) == plain(asked(*CARDS, limits=limits))
    assert [early.games for early in told] == sorted({early.games for early in told})
    assert len(told) > 3
    assert told[-1].games < found.games == 9_000


def test_an_early_answer_is_that_of_as_many_games() -> None:
    told: list[Advice] = []
    asked(*CARDS, limits=Limits(games=6_000, threads=1), interim=told.append)
    early = told[0]
    alone = asked(*CARDS, limits=Limits(games=early.games, threads=1))
    values = {action.action: action.value for action in alone.actions}
    regrets = {action.action: action.regret for action in alone.actions}
    assert {action.action: action.value for action in early.actions} == values
    assert {action.action: action.regret for action in early.actions} == regrets


def test_nobody_is_told_of_what_is_exact() -> None:
    told: list[Advice] = []
    found = asked("lama/amigo", "hand=334 top=4 opp=q4", objective="points", interim=told.append)
    assert found.method == "exact"
    assert told == []


class Enough(Exception):
    """What stops the work."""


@pytest.mark.parametrize(("rules", "position"), [CARDS, PAIR], ids=["rollouts", "solver"])
def test_work_can_be_stopped_between_its_parts(rules: str, position: str) -> None:
    pair_cache.forget()  # another test may have solved it
    began, calls = time.perf_counter(), []

    def check() -> None:
        calls.append(time.perf_counter() - began)
        if len(calls) == 3:
            raise Enough

    with stopped_by(check), pytest.raises(Enough):
        asked(rules, position, limits=Limits(games=1 << 30, threads=1))
    assert len(calls) == 3
    may_stop()  # nobody wants to stop any more


def test_a_stage_is_told_of_only_where_somebody_listens() -> None:
    assert stage(None, "playing") is None
    heard: list[tuple[float, str]] = []
    step = stage(lambda part, what: heard.append((part, what)), "playing")
    assert step is not None
    step(1, 4)
    assert heard == [(0.25, "playing")]
