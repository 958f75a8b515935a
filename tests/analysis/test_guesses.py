"""Guesses: which verdicts another one would change, the rule then, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import lama_odds as lo
from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import TOO_CLOSE, TOSS_UP, Advice, verdict_of
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.advice.rule_by_guess import rule_of
from lama_odds.core.estimate import Estimate
from lama_odds.games.interface.guessed import Guessed
from lama_odds.games.registry import game_of

TURNS = "hand=34 top=1 opp=2?,2?"  # with one card in another hand, quitting is better


def asked(rules: str, position: str, games: int = 4_000, **more: Any) -> Advice:
    game = game_of(rules)
    rule_set = game.rules(rules)
    more = {"objective": "points", "limits": Limits(games=games), **more}
    return advise(game, rule_set, game.position(rule_set, position), **more)


def plain(advice: Advice) -> dict[str, Any]:
    return {key: value for key, value in advice.to_json().items() if key != "seconds"}


def test_a_verdict_that_another_size_turns_is_a_rule() -> None:
    answer = asked("lama/amigo", TURNS)
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
    assert "6+" in str(lo.advise("lama/amigo", TURNS, objective="points", games=4_000))
    assert plain(answer) == plain(asked("lama/amigo", TURNS))


def test_the_sentence_is_the_rule() -> None:
    shown = str(lo.advise("lama/amigo", TURNS, objective="points", games=4_000))
    assert "▷ Quit if somebody holds 1 card, otherwise draw.  The hand sizes are a guess." in shown
    assert "Clear" not in shown
    assert "Somebody holds … cards" in shown


@pytest.mark.parametrize(
    ("position", "best", "words"),
    [
        ("hand=3356 top=1 opp=4?,4?,4?", "draw", "the verdict is the same with 1, with 2"),
        ("hand=33 top=5 opp=2,2 pile=~10", "quit", "the verdict is the same with 5 and with 15"),
    ],
)
def test_a_verdict_that_no_other_guess_turns_stands(position: str, best: str, words: str) -> None:
    answer = asked("lama/amigo", position)
    assert (answer.best, answer.verdict, answer.caution) == (best, best, "")
    assert any(words in note for note in answer.assumptions)
    assert answer.rule == ()


def test_without_the_mark_the_same_sizes_are_no_guess() -> None:
    sure = asked("lama/amigo", TURNS.replace("?", ""))
    assert (sure.verdict, sure.caution) == ("draw", "")
    guess = asked("lama/amigo", TURNS)
    assert sure.actions == guess.actions


def test_a_brief_answer_has_the_same_verdict() -> None:
    brief = asked("lama/amigo", TURNS, brief=True)
    assert (brief.verdict, brief.best) == (TOO_CLOSE, "draw")
    told: list[Advice] = []
    asked("lama/amigo", TURNS, interim=told.append)
    assert {early.verdict for early in told} == {TOO_CLOSE}


def test_a_pile_can_turn_a_verdict_too() -> None:
    answer = asked("lama/amigo", "hand=34 top=1 opp=2,2 pile=~10", games=20_000)
    assert answer.verdict == TOO_CLOSE
    (pile,) = answer.to_json()["guesses"]
    assert pile["rule"][0] == {"action": "quit", "when": "the draw pile has about 5 cards or fewer"}


def test_dice_have_guesses_at_rows_hands_and_penalties() -> None:
    answer = asked("dice/amigo", "hand=25 row=1346L? opp=13?,q=16?", objective="margin")
    whats = [guesses["what"] for guesses in answer.to_json()["guesses"]]
    assert whats == [
        "the hand size of opponent 1 is a guess",
        "the penalty of opponent 2 is a guess",
        "the llama row is a guess",
    ]
    solved = asked("dice/amigo", "hand=5 row=123456L? opp=1346", objective="margin")
    assert (solved.method, solved.verdict) == ("exact", "quit")
    assert any("the llama row is a guess" in note for note in solved.assumptions)


@pytest.mark.long
def test_what_is_not_known_yet_names_what_the_policy_does() -> None:
    told: list[Advice] = []
    position = "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK"
    answer = asked("noprob/starnberger", position, 1_000, objective="round", interim=told.append)
    assert answer.verdict == TOO_CLOSE
    assert answer.to_json()["usual"] == {"policy": "learned", "action": "draw"}
    first = told[0]  # before any game
    assert (first.best, first.actions, first.games) == ("draw", (), 0)


def test_grids_that_were_not_entered_are_a_guess() -> None:
    position = "grid=3,3,3/4,4,(7)/J,5,5 top=6 opp=? drawn=4"
    answer = asked("noprob/starnberger", position, 1_000, objective="points")
    (grids,) = answer.to_json()["guesses"]
    assert [each["label"] for each in grids["tried"]] == ["0", "3", "6"]
    assert grids["what"] == "the cards of opponent 1 are a guess"


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


SIZES = Guessed("", "somebody holds {}", ("card", "cards"), (1, 2, 3, 6), (1, 2, 3, 4), 1, True)


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
