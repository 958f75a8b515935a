"""What policies lose in solved games, and decisions that points and the win make differently."""

from __future__ import annotations

import numpy as np
import pytest

from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.solvers.pair_walk import PLACES
from lama_odds.games.interface import match_equity
from tools.study import solved_games
from tools.study.solved_games import lost_in_game
from tools.study.turned_decisions import Turned, lines_of, stakes_of

RULES = GAME.rules("dice/amigo")


@pytest.mark.long
def test_a_bad_policy_loses_more(monkeypatch: pytest.MonkeyPatch) -> None:
    small = GAME.rules("dice/amigo+dealt=2")
    table = match_equity.best_play("dice/amigo")
    monkeypatch.setattr(solved_games, "best_play", lambda _: table)
    policies = [GAME.policy(name) for name in ("meanfield:out=1,even=3", "threshold:2")]
    lost = [
        np.array([lost_in_game(small, policy, 3, number, 1, 100).costs for number in (0, 1)])
        for policy in policies
    ]
    assert all(each.shape == (2, PLACES) for each in lost)
    assert 0 < lost[0].sum() < lost[1].sum()
    again = lost_in_game(small, policies[1], 3, 1, 1, 100)
    assert np.array_equal(again.costs, lost[1][1])
    assert again.rounds > 1


def test_what_is_at_stake_is_told_in_points_and_chances() -> None:
    position = GAME.position(RULES, "hand=5 row=23456L opp=2 scores=21,39")
    found = stakes_of(RULES, position)
    assert (found.gained, found.lost) == (15, 25)  # 5 and a black token; 2, 3, 4, 6 and the llama
    assert (found.quits, found.out, found.blown) == (100, 100, 0)
    assert not found.pays_more
    lines = lines_of(RULES, [Turned(position, ("roll", "roll", "quit"), (4.86, 3.05, 0.045))])
    assert "roll (4.86) | roll (3.05) | quit (4.5 %)" in lines[2]
    assert lines[-1].startswith("1. At 21:39, if the other stops too, quitting wins 100 %")


def test_a_player_who_is_far_behind_has_little_to_lose() -> None:
    position = GAME.position(RULES, "hand=56L row=1 opp=2 scores=36,20")
    found = stakes_of(RULES, position)
    assert found.quits == 0  # the game would be over, and lost
    assert found.out > 0
    assert found.pays_more
