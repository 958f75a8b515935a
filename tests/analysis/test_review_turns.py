"""Turns reviewed by their ends: the same values as of every action played out, in far less time."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lama_odds.analysis.coach import turns
from lama_odds.analysis.coach.kept import KeptReviews
from lama_odds.analysis.coach.review import Asked, games_for
from lama_odds.analysis.coach.turns import Ends, weighted
from lama_odds.core.policies import Policy
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import Decision, decisions, recorded_of
from tests.analysis.test_review import BLUNDER, adds_up, look, played

FACE = game_of("pikomino/egmont")
RULES = FACE.rules("pikomino/egmont")
# The end of a game: few turns are left, which are played in no time.
LATE = 6


def late(policies: list[str]) -> tuple[str, list[Decision]]:
    text = played("pikomino/egmont", policies)
    found = decisions(FACE, RULES, text)
    return text, [each for each in found if each.turn >= found[-1].turn - LATE]


def asked(games: int, threads: int = 1, learned: bool = False) -> Asked:
    return Asked(FACE, RULES, "worms", None, games, threads, 0, learned)


def best(players: int) -> Policy:
    return FACE.best_policy(RULES, players, "win")


def test_the_chances_of_ends_are_complete() -> None:
    _, found = late(["first-tile", "random"])
    plan = recorded_of(FACE).turn_plan(RULES, found[0].position, best(2))
    assert plan is not None
    for decision in (each for each in found if each.turn == found[0].turn):
        chances = plan.chances(decision.position, decision.chosen)
        assert math.fsum(chances.values()) == pytest.approx(1.0)
        assert all(0 < chance <= 1 for chance in chances.values())
    assert recorded_of(FACE).turn_plan(RULES, found[0].position, FACE.policy("random")) is None


def test_values_are_those_of_actions_played_out() -> None:
    """Two ways to sample the same: what they differ by is within both errors."""
    _, found = late(["first-tile", "random"])
    turn = [each for each in found if each.turn == found[0].turn]
    decision = turn[-1]
    going_on = asked(1_000).continuation(decision.position)
    graded, worth = turns.Turns(going_on, 600).review(decision, turn, 5)
    other = asked(2_000).grade(decision, 2_000)
    assert set(graded.values) == set(other.values)
    for action, value in graded.values.items():
        apart = math.hypot(value.stderr, other.values[action].stderr)
        assert abs(value.value - other.values[action].value) <= 4 * apart
    assert worth.usual == going_on.usual(decision)
    assert worth.after == graded.played


def test_sums_of_ends_hold_the_truth() -> None:
    rng = np.random.default_rng(4)
    truth, names, n, runs, held = np.array([1.0, 2.0, 4.0]), ("a", "b", "c"), 100, 300, 0
    weights = {"a": 0.5, "b": -0.2, "c": -0.3}
    aim = 0.5 * 1 - 0.2 * 2 - 0.3 * 4
    for _ in range(runs):
        payoffs = rng.poisson(truth, size=(n, 3))
        sums = np.column_stack([payoffs.sum(axis=0), payoffs.T @ payoffs]).astype(np.int64)
        ends = Ends(names[:2], sums[:2, [0, 1, 2]], n, 1.0, 4.0)
        alone = Ends(names[2:], sums[2:, [0, 3]], n, 1.0, 4.0)
        found = weighted([ends, alone], weights)
        held += found.low <= aim <= found.high
    assert 0.93 * runs <= held


def test_a_game_for_worms_is_reviewed_by_turns(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(turns, "GAMES", 32)
    kept = KeptReviews.beside(tmp_path / "game.txt")
    found = look(BLUNDER, objective="worms", kept=kept)
    kept.close()
    assert all(each.by_turn for each in found.decisions)
    assert (found.method, found.games) == ("simulation", 32)
    assert adds_up(found)
    worst = found.decisions[-1]
    assert (worst.decision.chosen, worst.best) == ("stop 25", "roll")
    again = look(BLUNDER, objective="worms", kept=KeptReviews.beside(tmp_path / "game.txt"))
    threads = look(BLUNDER, objective="worms", threads=2)
    plain = [replace(each, seconds=0.0).to_json() for each in (found, again, threads)]
    assert plain[0] == plain[1] == plain[2]
    assert any("each way in which a turn may end" in told for told in found.assumptions)


def test_whole_games_are_played_less_often_than_rounds() -> None:
    assert games_for(FACE, "worms") == games_for(FACE, "win") < games_for(FACE, "points")


def test_only_points_of_whole_games_are_by_turns() -> None:
    _, found = late(["first-tile", "random"])
    first = found[0].position
    assert replace(asked(1_000), objective="win").by_turns(first) is None
    assert asked(1_000).by_turns(first) is not None
    dice = game_of("dice/amigo")
    rules = dice.rules("dice/amigo")
    other = Asked(dice, rules, "win", None, 1_000, 1, 0)
    position = dice.position(rules, "hand=25L row=1346L opp=13,6LL")
    assert other.by_turns(position) is None
