"""The strongest policies known: a learned one has to prove itself first."""

from __future__ import annotations

from typing import Any

import pytest

from lama_odds.games.registry import game_of
from tools.fit import tune_best

CASES = [("first-tile", "optimal-turn", "optimal-turn"), ("optimal-turn", "random", "optimal-turn")]


@pytest.mark.long
@pytest.mark.parametrize(("candidate", "known", "taken"), CASES)
def test_a_policy_is_best_only_if_it_surely_wins_more_than_its_share(
    candidate: str, known: str, taken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game: Any = game_of("pikomino/egmont")
    rules = game.rules("pikomino/egmont")
    monkeypatch.setitem(tune_best.INSTEAD, "pikomino", known)
    monkeypatch.setitem(tune_best.PLAIN, "pikomino", "random")
    found = tune_best.best_of(game, rules, 2, 128, 5, (candidate, known), 1)
    assert found["policy"] == taken
    assert (found["among"]["policy"], found["among"]["of"]) == (known, candidate)
    assert (found["among"]["value"] > 0.5) == (taken == candidate)
    assert found["best answer"]["policy"] == ({candidate, known} - {taken}).pop()
