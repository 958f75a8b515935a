"""Advice computed ahead: waited for, dropped, the same as without a thread."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.ahead import MOST, Ahead, limits_of
from lama_odds.analysis.coach.session import Session
from lama_odds.core.errors import LimitError
from lama_odds.games.registry import game_of


def begun() -> Session:
    game = game_of("dice/amigo")
    rules = game.rules("dice/amigo")
    session = Session.begin(game, rules, 3, 0, [game.policy("threshold:5")] * 2, 3)
    session.advance()
    return session


def test_it_is_what_advise_says_and_comes_once() -> None:
    session, told = begun(), list[Advice]()
    limits = Limits(games=2_000)
    ahead = Ahead(session, "points", limits, told.append)
    found = ahead.wait()
    assert told == [found]
    assert found.actions == session.advice("points", limits).actions
    assert ahead.seconds > 0


def test_a_dropped_one_ends_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    told, asked, dropped = list[Advice](), threading.Event(), threading.Event()
    advice = Session.advice

    def slowly(self: Session, objective: Any, limits: Limits, progress: Any) -> Advice:
        asked.set()
        dropped.wait(60)
        return advice(self, objective, limits, progress)

    monkeypatch.setattr(Session, "advice", slowly)
    ahead = Ahead(begun(), "points", Limits(games=1 << 40), told.append)
    asked.wait(60)
    ahead.drop()
    dropped.set()
    ahead._thread.join(60)
    assert not ahead._thread.is_alive()  # of 2^40 games it has played a chunk
    assert told == []


def test_an_error_comes_where_it_is_waited_for() -> None:
    told: list[Advice] = []
    ahead = Ahead(begun(), "points", Limits(games=10), told.append)
    with pytest.raises(LimitError):
        ahead.wait()
    assert told == []


def test_where_nobody_waits_nothing_depends_on_the_clock() -> None:
    assert limits_of(None, waits=False) == Limits(clear=True, most=MOST)
    assert limits_of(None, waits=True).clear
    assert limits_of(5_000, waits=True) == limits_of(5_000, waits=False) == Limits(games=5_000)
