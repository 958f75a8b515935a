"""Advice in a few lines: what is in it, how long it is, and that its numbers are readable."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import lama_odds.api as lo
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Rollouts
from lama_odds.core.estimate import Estimate, exact, with_unit
from lama_odds.games.interface.objectives import WIN
from lama_odds.games.registry import game_of
from lama_odds.report.text.advice import advice_text, verdict
from lama_odds.report.text.answers import printed
from lama_odds.report.text.numbers import digits_of, rounded, share_text
from lama_odds.statistics.paired import Moments

QUESTIONS = [
    ("lama/amigo", "hand=3356L top=4 opp=4,q2,6", {}),
    ("lama/egmont", "hand=3356L top=4 opp=4,q2,6", {"objective": "win"}),
    ("lama/party+drama", "hand=33+5LP top=4 opp=4,5 pot=1,1,10 scores=12,31,5", {}),
    ("dice/amigo", "hand=25L row=1346L opp=13,6LL", {}),
    ("dice/amigo", "hand=25L row=1346L opp=13,6LL scores=20,30,12", {}),
    ("dice/amigo", "hand=25L row=1346L opp=13", {}),
    ("pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27", {}),
    ("noprob/starnberger", "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK", {}),
    ("noprob/starnberger", "grid=3,3,?/?,(7),?/J,-1,-5 drawn=3 top=3 opp=?,?,?/?,?,?/?,?,?", {}),
]


def asked(rules: str, position: str, more: dict[str, str]):
    return lo.advise(rules, position, games=2_000, **more).found


@pytest.mark.long
@pytest.mark.parametrize(("rules", "position", "more"), QUESTIONS)
def test_an_answer_fits_a_small_screen(rules: str, position: str, more: dict[str, str]) -> None:
    advice = asked(rules, position, more)
    text = printed(advice_text(advice), width=80, plain=True)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 14
    shown = [action.action for action in advice.actions[:6]]
    assert all(any(line.startswith(f"{action} ") for line in lines) for action in shown)
    if len(advice.actions) <= 3:
        assert len(re.findall(r"\w+(?:[.,]\d+)?", text)) <= 90
    assert f"{rules} · {advice.about.split(' · ')[1]}" in lines[0]
    assert not re.search(r"0\.00 ± 0\.00|-0(\.0*)?\b|\bnan\b", text)
    assert text.count("best") == 1
    assert lines[-1].endswith("-v")


@pytest.mark.long
@pytest.mark.parametrize(("rules", "position", "more"), QUESTIONS)
def test_all_that_it_rests_on_is_behind_verbose(
    rules: str, position: str, more: dict[str, str]
) -> None:
    advice = asked(rules, position, more)
    short = printed(advice_text(advice), plain=True)
    full = printed(advice_text(advice, verbose=True), width=2_000, plain=True)
    assert advice.position in full
    assert all(assumption in full for assumption in advice.assumptions)
    assert all(f"\n{action.action} " in full for action in advice.actions)
    assert "nothing else" in short or short.splitlines()[2] == full.splitlines()[2]


def test_python_has_the_text_of_verbose_too() -> None:
    answer = lo.advise("dice/amigo", "hand=25L row=1346L opp=13,6LL", games=2_000)
    assert answer.details() == printed(advice_text(answer.found, verbose=True), plain=True)
    assert str(answer) == printed(advice_text(answer.found), plain=True)
    listed = lo.rules("dice")  # leaves nothing out
    assert listed.details() == str(listed)


def test_what_is_not_known_names_the_games_that_settle_it() -> None:
    def asked(games: int) -> Advice:
        return lo.advise("lama/egmont", "hand=34 top=6 opp=4,3", games=games).found

    advice = asked(1_000)
    assert verdict(advice) == "? Not known yet: draw or quit. --games 2600 should settle it."
    assert verdict(asked(2_600)).startswith("▶ Draw.")
    assert verdict(replace(advice, needed=0)).endswith(" More games will hardly settle it.")
    assert verdict(replace(advice, games=0)).endswith(" --games 4000 plays them out.")


def test_games_do_not_settle_what_the_table_leaves_open() -> None:
    wins = np.array([[500, 400, 250], [450, 200, 350]])
    moments = Moments(wins, 1_000, share=True, parts=True)
    played = Rollouts(("a", "b"), {"win": moments}, ({}, {}), 1_000, False)
    assert 1_000 < played.games_needed(WIN, 1, 0, 0.05) < 20_000
    assert replace(played, off=(0.1, 0.1)).games_needed(WIN, 1, 0, 0.05) == 0


def test_all_actions_that_are_worth_the_same_are_named() -> None:
    position = "grid=3,3,8/(3),(7),4/J,4,5 top=6 opp=3,3,6/3,3,9/8,8,10:DK last=1"
    advice = lo.advise("noprob/starnberger", position, games=163_840).found
    assert verdict(advice) == "≈ Toss-up: draw, take and pass are worth the same."
    assert verdict(advice, str.upper, most=2).startswith("≈ Toss-up: DRAW, TAKE and PASS are")


def test_what_is_certain_lends_its_error_to_no_other_value() -> None:
    advice = lo.advise("lama/egmont", "hand=1 top=4 opp=4,4", games=2_000, objective="points").found
    assert (advice.method, advice.best) == ("simulation", "quit")
    assert advice.actions[0].value.stderr == 0
    assert re.search(r"interval ± \d*\.?\d*[1-9]", printed(advice_text(advice)))


@pytest.mark.parametrize(
    ("position", "rows", "within"),
    [
        ("hand=24 opp=136 scores=0,0", ("roll      53 %", "quit      52 %"), 2),
        ("hand=34 opp=q13 scores=10,30", ("quit      81 %", "roll      50 %"), 1),
    ],
)
def test_what_is_solved_has_the_error_of_its_table(
    position: str, rows: tuple[str, str], within: int
) -> None:
    advice = lo.advise("dice/amigo", position, games=1_000).found
    text = printed(advice_text(advice))
    assert all(f"\n{row}  " in text for row in rows)
    assert f", exact within ± {within} %, the error of the match equity table." in text
    cost = advice.actions[1].regret
    assert cost.low < cost.value - 0.01
    assert (advice.verdict == "too close to call") == (cost.low <= 0)


@pytest.mark.long
def test_a_card_that_is_taken_has_its_place() -> None:
    position = "grid=3,3,?/?,(7),?/J,-1,-5 top=3 opp=?,?,?/?,?,?/?,?,?"
    advice = lo.advise("noprob/starnberger", position, games=20_000).found
    assert advice.best == "take"
    assert advice.then["take"] in ("replace 1,3", "replace 2,1")  # either completes a line
    assert f"\nThen {advice.then['take']}.\n" in printed(advice_text(advice))


def test_only_what_is_allowed_needs_no_table() -> None:
    advice = lo.advise("dice/amigo", "hand=25L row=1346L opp=13 rolled=13L").found
    text = printed(advice_text(advice))
    assert "▶ Discard L: nothing else is allowed." in text
    assert "cost" not in text


def estimate(value: float, half: float) -> Estimate:
    return Estimate.from_half(value, half / 2, half, 100)


@pytest.mark.parametrize(
    ("half", "digits"), [(3.0, 0), (0.3, 0), (0.2, 1), (0.04, 1), (0.02, 2), (0.004, 2), (1e-9, 3)]
)
def test_digits_are_those_that_the_error_deserves(half: float, digits: int) -> None:
    assert digits_of(estimate(5.0, half)) == digits


def test_numbers_read_well() -> None:
    assert rounded(-0.004, 2) == "0.00"
    assert (with_unit(1), with_unit(0), with_unit("1.0")) == ("1 point", "0 points", "1.0 points")
    assert [with_unit(n, "points vs. others") for n in ("1", "2")] == [
        "1 point vs. others",
        "2 points vs. others",
    ]
    assert [share_text(exact(x)) for x in (0.0, 0.003, 0.5, 0.998, 1.0)] == [
        "0 %",
        "<1 %",
        "50 %",
        ">99 %",
        "100 %",
    ]


@pytest.mark.parametrize("rules", ["lama/amigo", "dice/amigo"])
def test_one_point_is_one(rules: str) -> None:
    game = game_of(rules)
    rule_set = game.rules(rules)
    word = {"lama": "top=4 opp=4,4", "dice": "opp=13"}[game.name]
    assert (
        " = 1 point ·" in f"{game.in_words(rule_set, game.position(rule_set, f'hand=1 {word}'))} ·"
    )
