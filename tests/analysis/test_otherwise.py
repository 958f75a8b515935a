"""What another objective would choose: said where it is clear, hardly ever where it is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.otherwise import losses, other_choices, sampled_choice
from lama_odds.analysis.advice.rollouts import Limits, Rollouts
from lama_odds.core.estimate import exact
from lama_odds.games.interface.objectives import MARGIN, POINTS, WIN, Objective
from lama_odds.games.registry import game_of
from lama_odds.report.text.advice import advice_text
from lama_odds.report.text.answers import printed
from lama_odds.statistics.paired import Moments

ISSUE = "grid=3,3,?/?,(7),?/J,-1,-5 top=3 opp=?,?,?/?,?,?/?,?,?"
AHEAD = "grid=-2,3,-2/5,8,3/(8),?,-1 top=-1 opp=?,?,?/?,?,?/?,?,?"
ENDING = "hand=2 top=L opp=q1,3 scores=30,39,29"


def ask(rules_id: str, text: str, games: int = 4_000, **more) -> Advice:
    game = game_of(rules_id)
    rules = game.rules(rules_id)
    if "opponents" in more:
        more["opponents"] = game.policy(more["opponents"])
    return advise(game, rules, game.position(rules, text), limits=Limits(games=games), **more)


def played(payoffs: np.ndarray, name: str = "points") -> Rollouts:
    """Rollouts of some actions with these payoffs: int64[actions, games]."""
    k, n = payoffs.shape
    sums = np.column_stack((payoffs.sum(axis=1), payoffs @ payoffs.T))
    moments = {name: Moments(sums, n, span=40.0)}
    return Rollouts(tuple("abcdef"[:k]), moments, ({},) * k, n, False)


@pytest.mark.parametrize(
    ("rules_id", "text", "objective"),
    [
        ("noprob/starnberger", ISSUE, "round"),
        ("noprob/starnberger", f"{ISSUE} llamas=1,0", "win"),
        ("noprob/starnberger+four_rounds", ISSUE, "points"),
        ("noprob/starnberger+four_rounds", f"{ISSUE} scores=10,-4 round=2", "win"),
    ],
)
def test_what_counts_in_no_prob_lama_by_default(rules_id: str, text: str, objective: str) -> None:
    game = game_of(rules_id)
    rules = game.rules(rules_id)
    assert game.default_objective(rules, game.position(rules, text)) == objective


@pytest.mark.long
def test_a_card_that_wins_the_round_is_taken_and_points_are_said_to_choose_otherwise() -> None:
    answer = ask("noprob/starnberger", AHEAD, games=16_384)
    assert (answer.objective, answer.verdict) == ("round", "take")
    (choice,) = answer.otherwise
    assert (choice.objective, choice.action) == ("points", "draw")
    assert choice.regret.low > 0
    # The card drawn would then go to another place: the games of the answer do not tell that.
    values = {action.action: action.objectives["points"].value for action in answer.actions}
    assert values["take"] < values["draw"]
    assert "For points: draw (take costs " in printed(advice_text(answer))
    told = answer.to_json()["otherwise"]
    assert [(one["objective"], one["action"]) for one in told] == [("points", "draw")]
    assert told[0]["regret"] == choice.regret.to_json()
    assert not ask("noprob/starnberger", AHEAD, thorough=False).otherwise


def test_other_objectives_are_read_off_the_same_games() -> None:
    answer = ask("lama/egmont", ENDING, 16_000, opponents="threshold:0")
    assert (answer.objective, answer.verdict) == ("win", "quit")
    (choice,) = answer.otherwise  # the margin agrees with the points
    assert (choice.objective, choice.action, choice.alike) == ("points", "draw", ())
    values = {action.action: action.objectives["points"].value for action in answer.actions}
    assert choice.regret.value == pytest.approx(values["quit"] - values["draw"])
    again = ask("lama/egmont", ENDING, answer.games, opponents="threshold:0")
    assert replace(again, seconds=0.0) == replace(answer, seconds=0.0)
    points = ask("lama/egmont", ENDING, opponents="threshold:0", objective="points")
    assert points.verdict == "draw"
    assert not points.otherwise
    assert "otherwise" not in points.to_json()
    assert "For " not in printed(advice_text(points))


def test_solved_objectives_are_compared_exactly() -> None:
    answer = ask("dice/amigo", "hand=1 row=12 opp=L", objective="margin")
    assert (answer.objective, answer.method, answer.verdict) == ("margin", "exact", "roll")
    (choice,) = answer.otherwise
    values = {action.action: action.objectives["points"].value for action in answer.actions}
    assert (choice.objective, choice.action) == ("points", "quit")
    assert choice.regret.method == "exact"
    assert choice.regret.value == pytest.approx(values["roll"] - values["quit"], abs=1e-12)
    assert not ask("dice/amigo", "hand=25L row=1346L opp=13", objective="margin").otherwise


def test_a_margin_that_agrees_with_the_points_is_not_named() -> None:
    def named(margins: tuple[float, float], points: tuple[float, float]) -> list[str]:
        objectives = {"points": POINTS, "margin": MARGIN, "win": WIN}
        actions = [
            (name, {"win": exact(w), "points": exact(p), "margin": exact(m)})
            for name, w, p, m in zip("ab", (0.6, 0.5), points, margins, strict=True)
        ]
        return [one.objective for one in other_choices(objectives, "win", actions, None)]

    assert named((3, 2), (5, 4)) == ["points"]
    assert named((3, 2), (4, 5)) == ["margin"]
    assert named((2, 3), (5, 4)) == ["points"]
    assert named((2, 3), (4, 5)) == named((3, 3 - 1e-12), (4, 4)) == []


def test_actions_that_are_not_told_apart_are_both_named() -> None:
    luck = np.random.default_rng(5)
    base = luck.integers(0, 20, 4_000)
    noise = luck.integers(-3, 4, 4_000)
    choice = sampled_choice("points", POINTS, "a", played(np.stack((base + 2, base, base + noise))))
    assert choice is not None
    assert sorted((choice.action, *choice.alike)) == ["b", "c"]
    assert sampled_choice("points", POINTS, "b", played(np.stack((base, base)))) is None


@pytest.mark.parametrize(
    ("counts", "payoffs"),
    [(POINTS, [[3, 4, 3, 4], [5, 7, 5, 7]]), (WIN, [[1, 0, 1, 0], [0, 0, 1, 0]])],
)
def test_a_cost_allows_for_how_much_better_each_action_may_be(
    counts: Objective, payoffs: list[list[int]]
) -> None:
    """The best one may be better: more is lost. The other one may be: less is lost."""
    plain = played(np.tile(payoffs, 500), counts.name)
    moments = replace(plain.moments[counts.name], share=counts.share)
    plain = replace(plain, moments={counts.name: moments})
    short = replace(plain, short_of={counts.name: (0.25, 0.125)})
    for fixed in (False, True):
        (best, before), (same, after) = (
            losses(counts.name, counts, each, fixed=fixed) for each in (plain, short)
        )
        assert best == same == "a"
        assert after["b"].value == before["b"].value > 0
        assert after["b"].low == pytest.approx(before["b"].low - 0.125)
        assert after["b"].high == pytest.approx(before["b"].high + 0.25)
    for action, more in ((0, 0.25), (1, 0.125)):
        was, now = (each.value(counts.name, action) for each in (plain, short))
        moved = (was.low - now.low, now.high - was.high)
        assert moved == pytest.approx((0, more) if counts.higher else (more, 0))
    itself = short.loses(counts.name, 0, 0, not counts.higher, 0.05)
    assert (itself.low, itself.high) == (0, 0)


@pytest.mark.parametrize(("fixed", "most"), [(True, 0.05), (False, 0.02)])
def test_equal_actions_are_hardly_ever_said_to_differ(fixed: bool, most: float) -> None:
    luck = np.random.default_rng(3)
    tables = 1_500
    stated = 0
    for _ in range(tables):
        games = played(luck.integers(-10, 11, (4, 1_000)))
        stated += sampled_choice("points", POINTS, "a", games, fixed=fixed) is not None
    assert stated / tables <= most
    assert (stated > 0) == fixed  # the narrower intervals are not empty of errors


@pytest.mark.parametrize(
    ("rules_id", "text", "told"),
    [
        ("lama/amigo", "hand=122 top=6 opp=4,4 scores=20,20,20", "winning the game"),
        ("dice/amigo", "hand=2 opp=13 scores=39,39", "winning the game"),
        ("noprob/starnberger", AHEAD, ""),
    ],
)
def test_it_is_said_what_play_goes_on_for(rules_id: str, text: str, told: str) -> None:
    answer = ask(rules_id, text)
    on = [each.goes_on_for for each in answer.otherwise]
    assert {each.aims_at if each else "" for each in on} == {told}
    assert (f", if all play on for {told}: " in printed(advice_text(answer))) == bool(told)
