"""Interim answers of rollouts, and work that is stopped before its end."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

import lama_odds.analysis.advice.advise as advising
import lama_odds.analysis.advice.rollouts as rollouts
from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Limits, Rollouts
from lama_odds.core.progress import may_stop, stage, stopped_by
from lama_odds.games.dice.solvers import pair_cache
from lama_odds.games.registry import game_of

CARDS = "lama/amigo", "hand=3356L top=4 opp=4,q2,6"
GRIDS = "grid=3,8,5/6,(7),7/4,?,8 top=4 opp=5,8,3/4,4,9/5,6,?"
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


@pytest.mark.parametrize(
    ("quick", "slow", "games"),
    [
        (1, 1, 5_120),  # 256 games a second
        (1, 10, 4_096),  # the machine slows down on the way to the next checkpoint
        (10, 10, 1_024),  # 4,096 games take too long
    ],
)
def test_games_that_cannot_be_finished_in_time_are_dropped(
    quick: int, slow: int, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, play = [0.0], rollouts.run

    def run(job: Any, seed: int, games: int, *, first: int, progress: Any, threads: int) -> Any:
        for done in range(256, games + 1, 256):
            now[0] += quick if first < 4_096 else slow
            progress(done, games)
        return play(job, seed, games, first=first, threads=threads)

    monkeypatch.setattr(rollouts, "run", run)
    monkeypatch.setattr(rollouts, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    known = CARDS[0], f"{CARDS[1]} pile=24"  # nothing is a guess that has games of its own
    found = asked(*known, limits=Limits(seconds=20, precision=1e-6, threads=1))
    assert found.games == games
    repeated = asked(*known, limits=Limits(games=games, threads=1))
    assert found.actions == repeated.actions


@pytest.mark.long
def test_other_objectives_with_games_of_their_own_take_part_of_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[float] = []

    def play(job: Any, objectives: Any, objective: str, limits: Limits, *more: Any) -> Rollouts:
        given.append(limits.seconds)
        fewest = Limits(games=1_000, threads=1)
        return rollouts.roll_out(job, objectives, objective, fewest, *more)

    monkeypatch.setattr(advising, "roll_out", play)
    for name, part in (("round", 1.6), ("win", 2.2)):  # one more objective, or two
        given.clear()
        limits = Limits(seconds=0.08, threads=1)
        asked("noprob/starnberger", GRIDS, objective=name, limits=limits)
        assert given[0] == pytest.approx(0.08 / part)
