"""Would another guess, other opponents or another objective choose otherwise, and is it said?"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import lama_odds.analysis.advice.sensitivity as module
from lama_odds.analysis.advice import guesses as guesses_module
from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import (
    TOO_CLOSE,
    TOSS_UP,
    ActionValue,
    Advice,
    losses,
    other_choices,
    rule_of,
    sampled_choice,
    verdict_of,
)
from lama_odds.analysis.advice.guesses import Guess, Guesses
from lama_odds.analysis.advice.rollouts import Limits, Rollouts
from lama_odds.analysis.advice.sensitivity import BEST_HERE, OPEN, WORSE, Model, _said, sensitivity
from lama_odds.api import positions as api
from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.interface.capabilities import CARDS, Guessed
from lama_odds.games.interface.objectives import MARGIN, POINTS, WIN, Objective
from lama_odds.games.registry import game_of
from lama_odds.report.terminal import printed
from lama_odds.report.text.advice import advice_text
from lama_odds.statistics.intervals import Moments

TURNS = "hand=34 top=1 opp=2?,2?"  # with one card in another hand, quitting is better


def ask(rules_id: str, text: str, games: int = 4_000, **more: Any) -> Advice:
    game = game_of(rules_id)
    rules = game.rules(rules_id)
    if "opponents" in more:
        more["opponents"] = game.policy(more["opponents"])
    return advise(game, rules, game.position(rules, text), limits=Limits(games=games), **more)


@cache
def turns() -> Advice:
    return ask("lama/amigo", TURNS, objective="points")


@pytest.mark.long
def test_a_verdict_that_another_size_turns_is_a_rule() -> None:
    answer = turns()
    assert (answer.best, answer.verdict) == ("draw", TOO_CLOSE)
    assert answer.caution == "the hand sizes are a guess: if somebody holds 1 card, quit is better"
    told = answer.to_json()
    sizes = told["guesses"][0]
    assert sizes["rule"] == [
        {"action": "quit", "when": "somebody holds 1 card"},
        {"action": "draw", "when": ""},
    ]
    assert [each["label"] for each in sizes["tried"]] == ["1", "2", "3", "4", "5", "6+"]
    assert [each["best"] for each in sizes["tried"]] == ["quit"] + 5 * ["draw"]
    assert [each["given"] for each in sizes["tried"]].index(True) == 1
    assert {each["games"] for each in sizes["tried"]} == {4_000, 1_333}
    shown = printed(advice_text(answer))
    assert "▷ Quit if somebody holds 1 card, otherwise draw.  The hand sizes are a guess." in shown
    assert "Clear" not in shown
    # Without the mark the same sizes are no guess.
    sure = ask("lama/amigo", TURNS.replace("?", ""), objective="points")
    assert (sure.verdict, sure.caution) == ("draw", "")
    assert sure.actions == answer.actions


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("position", "best", "words"),
    [
        ("hand=3356 top=1 opp=4?,4?,4?", "draw", "the verdict is the same with 1, with 2"),
        ("hand=33 top=5 opp=2,2 pile=~10", "quit", "the verdict is the same with 5 and with 15"),
    ],
)
def test_a_verdict_that_no_other_guess_turns_stands(position: str, best: str, words: str) -> None:
    answer = ask("lama/amigo", position, objective="points")
    assert (answer.best, answer.verdict, answer.caution) == (best, best, "")
    assert any(words in note for note in answer.assumptions)
    assert answer.rule == ()


def test_a_brief_answer_has_the_same_verdict() -> None:
    brief = ask("lama/amigo", TURNS, objective="points", brief=True)
    assert (brief.verdict, brief.best) == (TOO_CLOSE, "draw")
    told: list[Advice] = []
    ask("lama/amigo", TURNS, objective="points", interim=told.append)
    assert {early.verdict for early in told} == {TOO_CLOSE}


def test_other_guesses_have_games_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that stopped the answer would favour what it found."""
    played: list[tuple[int, int | None]] = []
    roll_out = guesses_module.roll_out

    def noted(*asked: Any) -> Rollouts:
        played.append((asked[4], asked[3].games))
        return roll_out(*asked)

    monkeypatch.setattr(guesses_module, "roll_out", noted)
    answer = ask("lama/amigo", TURNS, 3_600, seed=5, objective="points")
    assert len(played) == sum(len(each.others) for each in answer.guesses) > 4
    apart = guesses_module.seed_apart(5)
    assert set(played) == {(apart, 1_200)}
    assert apart not in {5, *map(guesses_module.seed_apart, (4, 6))}


@pytest.mark.parametrize(
    ("rules", "position", "whats", "games"),
    [
        (
            "dice/amigo",
            "hand=25 row=1346L? opp=13?,q=16?",
            [
                "the hand size of the player to your left is a guess",
                "the penalty of player 3 is a guess",
                "the llama row is a guess",
            ],
            1_000,
        ),
        (
            "noprob/starnberger",
            "grid=3,3,3/4,4,(7)/J,5,5 top=6 opp=? drawn=4",
            ["the cards of the player to your left are a guess"],
            1_000,
        ),
        # Solved; with other values only where you alone are left.
        ("dice/amigo", "hand=5 row=123456L? opp=1346", ["the llama row is a guess"], 4_096),
        ("dice/amigo", "hand=25 row=1346L? opp=q13", ["the llama row is a guess"], 0),
    ],
)
def test_each_game_has_guesses_of_its_own(
    rules: str, position: str, whats: list[str], games: int
) -> None:
    objective = "margin" if rules == "dice/amigo" else "points"
    answer = ask(rules, position, 1_000, objective=objective)
    assert [guesses.what for guesses in answer.guesses] == whats
    assert {each.games for guesses in answer.guesses for each in guesses.others} == {games}


@pytest.mark.parametrize(
    ("verdict", "assumed", "tried"),
    [("a", True, 1), ("a", False, 1), (TOO_CLOSE, False, 1), (TOO_CLOSE, True, 0)],
)
def test_a_number_that_you_marked_is_tried_even_if_nothing_is_clear(
    verdict: str, assumed: bool, tried: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing: Any = None
    monkeypatch.setattr(guesses_module, "_along", lambda *asked: asked[2])
    monkeypatch.setattr(guesses_module, "_cautious", lambda advice, found: found)
    actions = tuple(ActionValue(name, exact(0.5), exact(0.0), {}, {}) for name in "ab")
    advice = Advice(*("", "", "points", verdict, "a", actions, "simulation", 1_000, 0, 0.0, ()))
    guessed = replace(SIZES, assumed=assumed)
    found = guesses_module.with_guesses(nothing, advice, [guessed], nothing)
    assert found == (guessed,) * tried


@pytest.mark.parametrize(
    ("usual", "verdict", "caution", "told"),
    [
        ("draw", TOO_CLOSE, "", True),
        ("take", TOO_CLOSE, "", True),  # it may be as good
        ("pass", TOO_CLOSE, "", False),  # it is shown to be worse
        ("draw", "draw", "", False),
        ("draw", TOO_CLOSE, "the hands are a guess", False),
    ],
)
def test_what_the_policy_does_is_told_where_nothing_more_is_known(
    usual: str, verdict: str, caution: str, told: bool
) -> None:
    costs = {"draw": exact(0.0), "take": cost(-0.1, 0.2), "pass": cost(0.1, 0.2)}
    actions = tuple(ActionValue(name, exact(0.5), one, {}, {}) for name, one in costs.items())
    given = ("", "", "round", verdict, "draw", actions, "simulation", 1_000, 0, 0.0, ())
    early = Advice(*given, usual=("learned", usual), expects=("round", 0.4))
    advice = Advice(*given, caution=caution)
    found = guesses_module.with_usual(advice, replace(early, best=usual))
    assert found == (replace(advice, usual=early.usual, expects=early.expects) if told else advice)


@pytest.mark.long
def test_what_is_not_known_yet_names_what_the_policy_does() -> None:
    told: list[Advice] = []
    position = "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK"
    answer = ask("noprob/starnberger", position, 1_000, objective="round", interim=told.append)
    assert answer.verdict == TOO_CLOSE
    usual = answer.to_json()["usual"]
    assert (usual["policy"], usual["action"], usual["objective"]) == ("learned", "draw", "round")
    assert 0 < usual["expects"] < 1
    first = told[0]  # before any game
    assert (first.best, first.actions, first.games) == ("draw", (), 0)


def cost(low: float, high: float) -> Estimate:
    return Estimate.from_interval((low + high) / 2, (high - low) / 4, low, high, 1_000)


@pytest.mark.parametrize(
    ("costs", "verdict"),
    [
        ([], "a"),
        ([cost(0.01, 0.04)], "a"),  # small, but certain
        ([cost(-0.02, 0.04), cost(1, 2)], TOSS_UP),
        ([cost(-0.02, 0.06), cost(1, 2)], TOO_CLOSE),
        ([cost(-0.02, 0.04), cost(-0.1, 2)], TOO_CLOSE),
        ([Estimate(0.0)], TOSS_UP),
        ([replace(Estimate(0.009), low=-0.02, high=0.038)], TOSS_UP),  # a table's bound
    ],
)
def test_there_are_three_verdicts(costs: list[Estimate], verdict: str) -> None:
    assert verdict_of("a", costs, zone=0.05) == verdict


SIZES = Guessed("", "somebody holds {}", CARDS, (1, 2, 3, 6), (1, 2, 3, 4), 1, True)


def test_an_action_that_is_as_good_for_all_that_matters_fits_a_guess() -> None:
    loses = {"roll": Estimate(0.03, 0.005, 0.02, 0.04, 100), "quit": exact(1.0)}
    guess = Guess("if so", "take", loses, "take", 100)
    assert guess.fitting(0.05) == ["take", "roll"]
    assert guess.fitting(0.01) == ["take"]
    # It looks as good, and may be worse by more.
    assert guess.fitting(0.035) == ["take"]


@pytest.mark.parametrize("assumed", [False, True])
def test_a_guess_changes_a_verdict_unless_it_certainly_does_not(assumed: bool) -> None:
    """A number that nobody gave is no guess of yours: then only what is certain counts."""

    def guess(best: str, other: str, low: float, high: float) -> Guess:
        return Guess("", best, {other: cost(low, high)}, "", 1_000)

    same, equal = guess("a", "b", 0.1, 0.3), guess("b", "a", -0.02, 0.04)
    unsure, close, other = (
        guess("a", "b", -0.1, 0.3),
        guess("b", "a", -0.02, 0.3),
        guess("b", "a", 0.1, 0.3),
    )
    tried = (same, unsure, equal, close, other)
    assert [each.agrees("a", 0.05) for each in tried] == [True, False, True, False, False]
    found = Guesses("", tried, replace(SIZES, at=0, assumed=assumed))
    certain = [other]
    assert found.changing("a", 0.05) == (certain if assumed else [other, unsure, close])


@pytest.mark.parametrize(
    ("fits", "rule"),
    [
        (["a", "ab", "b", "b"], [("a", "somebody holds 1 card"), ("b", "")]),
        (["a", "ab", "ab", "a"], []),
        (["a", "a", "a", "b"], [("a", "somebody holds 1 to 3 cards"), ("b", "")]),
        (["a", "b", "b", "a"], [("b", "somebody holds 2 or 3 cards"), ("a", "")]),
        (
            ["a", "b", "a", "b"],
            [("a", "somebody holds 1 card or if somebody holds 3 cards"), ("b", "")],
        ),
    ],
)
def test_a_rule_has_the_fewest_changes(fits: list[str], rule: list[tuple[str, str]]) -> None:
    costs = [{"a": 0.2 * at, "b": 0.1} for at in range(4)]
    assert [(step.action, step.when) for step in rule_of(SIZES, fits, costs)] == rule


AHEAD = "grid=-2,3,-2/5,8,3/(8),?,-1 top=-1 opp=?,?,?/?,?,?/?,?,?"
ENDING = "hand=2 top=L opp=q1,3 scores=30,39,29"


def played(payoffs: np.ndarray, name: str = "points") -> Rollouts:
    """Rollouts of some actions with these payoffs: int64[actions, games]."""
    k, n = payoffs.shape
    sums = np.column_stack((payoffs.sum(axis=1), payoffs @ payoffs.T))
    moments = {name: Moments(sums, n, span=40.0)}
    return Rollouts(tuple("abcdef"[:k]), moments, ({},) * k, n, False)


@pytest.mark.parametrize(
    ("rules_id", "more", "objective"),
    [
        ("noprob/starnberger", "", "round"),
        ("noprob/starnberger", " llamas=1,0", "win"),
        ("noprob/starnberger+four_rounds", "", "points"),
        ("noprob/starnberger+four_rounds", " scores=10,-4 round=2", "win"),
    ],
)
def test_what_counts_in_no_prob_lama_by_default(rules_id: str, more: str, objective: str) -> None:
    game = game_of(rules_id)
    rules = game.rules(rules_id)
    position = f"grid=3,3,?/?,(7),?/J,-1,-5 top=3 opp=?,?,?/?,?,?/?,?,?{more}"
    assert game.default_objective(rules, game.position(rules, position)) == objective


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
    (told,) = answer.to_json()["otherwise"]
    assert (told["objective"], told["action"]) == ("points", "draw")
    assert told["regret"] == choice.regret.to_json()
    assert not ask("noprob/starnberger", AHEAD, thorough=False).otherwise


def test_other_objectives_are_read_off_the_same_games() -> None:
    answer = ask("lama/egmont", ENDING, 16_000, opponents="threshold:0")
    assert (answer.objective, answer.verdict) == ("win", "quit")
    (choice,) = answer.otherwise  # the margin agrees with the points
    assert (choice.objective, choice.action, choice.alike) == ("points", "draw", ())
    values = {action.action: action.objectives["points"].value for action in answer.actions}
    assert choice.regret.value == pytest.approx(values["quit"] - values["draw"])
    points = ask("lama/egmont", ENDING, opponents="threshold:0", objective="points")
    assert points.verdict == "draw"
    assert not points.otherwise
    assert "otherwise" not in points.to_json()
    assert "For " not in printed(advice_text(points))


def test_other_objectives_share_the_error_rate_and_have_games_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One game for every 16 of the answer, on other cards; both statements together are sure."""
    rolled: list[tuple[int | None, int]] = []
    alphas: list[float] = []

    def roll(job: Any, objectives: Any, name: str, limits: Limits, seed: int, *_: Any) -> Any:
        rolled.append((limits.games, seed))
        return SimpleNamespace(interrupted=False)

    monkeypatch.setattr(guesses_module, "roll_out", roll)
    monkeypatch.setattr(guesses_module, "sampled_choice", lambda *asked: alphas.append(asked[4]))
    question: Any = SimpleNamespace(
        game=SimpleNamespace(objectives={"points": POINTS, "win": WIN}),
        limits=Limits(games=32_000, threads=1), seed=5, job=lambda name, effort: None,
    )  # fmt: skip
    answer = Advice(*("", "", "round", "a", "a", (), "simulation", 32_000, 5, 0.0, ()))
    found = guesses_module.with_others_apart(question, answer, ("points", "win"), False)
    assert rolled == [(2_000, guesses_module.seed_apart(5))] * 2
    assert alphas == [0.025, 0.025]
    assert found.otherwise == ()


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
    """The best one may be better: more is lost. The other one may be: less is lost.

    That and the error of the games are independent.
    """
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
        value = before["b"].value
        low, high = value - before["b"].low, before["b"].high - value
        assert value - after["b"].low == pytest.approx(math.hypot(low, 0.125))
        assert after["b"].high - value == pytest.approx(math.hypot(high, 0.25))
    for action, more in ((0, 0.25), (1, 0.125)):
        was, now = (each.value(counts.name, action) for each in (plain, short))
        low, high = was.value - was.low, was.high - was.value
        wider = (0, more) if counts.higher else (more, 0)
        halves = now.value - now.low, now.high - now.value
        assert halves == pytest.approx((math.hypot(low, wider[0]), math.hypot(high, wider[1])))
    itself = short.loses(counts.name, 0, 0, not counts.higher, 0.05)
    assert (itself.low, itself.high) == (0, 0)


@pytest.mark.parametrize(("opponents", "like"), [(None, "usual"), ("threshold:2", "bold")])
def test_the_question_itself_is_not_asked_again(opponents: str | None, like: str) -> None:
    game = game_of("lama/egmont")
    rules = game.rules("lama/egmont")
    position = game.position(rules, "hand=34 top=6 opp=4,3")
    policy = None if opponents is None else game.policy(opponents)
    limits = Limits(games=2_000, threads=1)
    advice = advise(game, rules, position, opponents=policy, limits=limits)
    found = sensitivity(game, rules, position, advice, opponents=policy, limits=limits)
    same = next(model for model in found.models if model.like == like)
    assert same.loses == advice.actions[0].regret
    assert (same.verdict, same.games) == (advice.verdict, advice.games)


@pytest.mark.parametrize(
    ("given", "look_up", "games"),
    [
        ({}, True, 5_000),  # a round is looked up, models play the whole game: it takes four times
        ({}, False, 20_000),
        ({"starting": object()}, True, 20_000),  # then models look it up too
        ({"objective": "points"}, True, 20_000),
        ({"method": "exact", "games": 20_000}, True, 5_000),  # the best policy is asked first
        ({"method": "exact", "games": 0}, True, 2_500),
    ],
)
def test_models_are_the_same_question_in_fewer_games(
    given: dict[str, Any], look_up: bool, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of("dice/amigo")
    rules = game.rules("dice/amigo")
    position = game.position(rules, "hand=25L row=1346L opp=13,6LL scores=1,2,3")
    actions = tuple(ActionValue(name, exact(0.5), exact(0.0), {}, {}) for name in ("roll", "quit"))
    advice = Advice(*("", "", "win", "roll", "roll", actions, "simulation", 20_000, 7, 0.0, ()))
    advice = replace(advice, **given)
    asked: list[tuple[str, int | None, dict[str, Any]]] = []
    stop = 0

    def answered(*_: Any, opponents: Any, limits: Limits, **options: Any) -> Advice:
        asked.append((opponents.name, limits.games, options))
        played = limits.games or 0
        lost = actions[1], replace(actions[0], regret=exact(float(len(opponents.name))))
        told = replace(advice, best="quit", actions=lost, method="simulation", games=played)
        return replace(told, interrupted=len(asked) == stop)

    monkeypatch.setattr(module, "advise", answered)
    how: Any = {"limits": Limits(games=10_000), "seed": 7, "look_up": look_up}
    found = sensitivity(game, rules, position, advice, **how)
    best = game.best_policy(rules, 3, game.objectives[advice.objective].aim).name
    first = [(best, advice.games or 10_000)] if advice.method == "exact" else []
    others = {model.policy for model in (*found.models, *found.dialled)} - {best}
    each = module._games_of_a_model(games, len(others))
    assert [one[:2] for one in asked[: len(first)]] == first
    assert sorted(one[:2] for one in asked[len(first) :]) == sorted((name, each) for name in others)
    wanted = {"objective": advice.objective, "seed": 7, "look_up": look_up, "thorough": False}
    assert all(options == wanted for *_, options in asked)
    assert found.games == (first[0][1] if first else 20_000)
    assert [model.like for model in found.models] == list(game.models)
    assert len(found.dialled) == len(game.dial[1])
    for model in (*found.models, *found.dialled):
        if model.policy != best or first:
            assert (model.best, model.loses) == ("quit", exact(float(len(model.policy))))
    asked.clear()
    stop = 2
    assert sensitivity(game, rules, position, advice, **how) is None
    assert len(asked) == 2


def test_other_models_share_three_times_the_games_of_the_answer() -> None:
    games_of = module._games_of_a_model
    assert games_of(20_000, 10) == 6_000
    assert games_of(20_000, 2) == 20_000  # none has more than the answer
    assert games_of(2_000, 10) == 1_000  # fewer say nothing
    assert games_of(0, 10) == 0  # all is exact


def test_nothing_known_is_not_said_to_hold() -> None:
    found = api.advise("lama/egmont", "hand=34 top=6 opp=4,3", games=1_000, sensitivity=True)
    told = found.found.sensitivity.to_json()
    assert told["holds"] is False
    assert told["counts"] == {"best": 0, "worse": 0, "open": 13}
    said = "whether draw is best is not known for any of 13 kinds of opponents"
    assert found.found.sensitivity.said == said


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
    losses = [exact(one) if exactly or not one else cost(one - 0.2, one + 0.2) for one in regrets]
    actions = [
        ActionValue(name, exact(0.0), loss, {}, {})
        for name, loss in zip(("roll", "quit"), losses, strict=True)
    ]
    actions.sort(key=lambda action: action.action != best)
    verdict = best if actions[1].regret.low > 0 else TOO_CLOSE
    method = "exact" if exactly else "simulation"
    found = Advice(*("", "", "points", verdict, best, tuple(actions), method, 5_000, 0, 0.0, ()))
    assert module._state(found, losses[0], "roll") == state


def model(like: str, state: str) -> Model:
    return Model(like, like, "quit", "quit", exact(0.0), None, "simulation", 5_000, state)


@pytest.mark.parametrize(
    ("dial", "said"),
    [
        ("bbb", "roll is best against all 4 kinds of opponents"),
        ("bbw", "roll is worse if your opponents quit at 9 or more (then quit)"),
        ("wwb", "roll is worse if your opponents quit at 6 or less (then quit)"),
        ("bwb", "roll is worse if your opponents quit at 6 (then quit)"),
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
    worse = (model("bold", WORSE), model("random", WORSE))
    told = _said("roll", worse, (model("3", BEST_HERE),))
    assert told == "roll is worse if your opponents are bold or random (then quit)"


@pytest.mark.parametrize(
    ("method", "low", "high", "verdict", "state"),
    [
        ("exact", 0.0, 0.0, "b", BEST_HERE),  # one of several that are equal
        ("exact", 0.0, 0.3, "b", OPEN),  # bounds: it may cost something
        ("exact", 0.1, 0.3, "b", WORSE),
        ("simulation", 0.0, 0.0, "unclear", OPEN),
        ("simulation", -0.1, 0.3, "a", BEST_HERE),
        ("simulation", 0.1, 0.3, "b", WORSE),
    ],
)
def test_what_is_known_of_an_action_against_other_players(
    method: str, low: float, high: float, verdict: str, state: str
) -> None:
    found: Any = SimpleNamespace(method=method, verdict=verdict)
    loses = Estimate.from_interval((low + high) / 2, 0.0, low, high, 0)
    assert module._state(found, loses, "a") == state
