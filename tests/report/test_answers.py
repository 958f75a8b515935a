"""Answers as text: verdict first, few lines that fit any screen, all else with -v, safe as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import RenderableType
from rich.text import Text

import lama_odds.api as lo
from lama_odds.analysis.advice.answer import TOO_CLOSE, ActionValue, Advice
from lama_odds.analysis.advice.rollouts import Rollouts
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.wording import (
    amount,
    brief,
    digits_of,
    error,
    number,
    percent,
    rounded,
    share_text,
    size,
    with_unit,
)
from lama_odds.games.interface.objectives import WIN
from lama_odds.games.registry import game_of
from lama_odds.report.answer import Answer
from lama_odds.report.terminal import Fitted, listing, printed, table
from lama_odds.report.text.advice import advice_line, advice_text, rests_on, verdict
from lama_odds.report.text.numbers import csv_text
from lama_odds.statistics.intervals import Moments

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


@pytest.mark.long
@pytest.mark.parametrize(("rules", "position", "more"), QUESTIONS)
def test_an_answer_fits_a_small_screen_and_all_else_is_behind_verbose(
    rules: str, position: str, more: dict[str, str]
) -> None:
    advice = lo.advise(rules, position, games=1_000, **more).found
    text = printed(advice_text(advice), width=80, plain=True)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 14
    shown = [action.action for action in advice.actions[:6]]
    assert all(any(line.startswith(f"{action} ") for line in lines) for action in shown)
    if len(advice.actions) <= 3:
        alone = printed(advice_text(replace(advice, reasons=())), width=80, plain=True)
        assert len(re.findall(r"\w+(?:[.,]\d+)?", alone)) <= 90
        assert all(len(reason.text.split()) <= 30 for reason in advice.reasons)
    assert f"{rules} · {advice.about.split(' · ')[1]}" in lines[0]
    assert not re.search(r"0\.00 ± 0\.00|-0(\.0*)?\b|\bnan\b", text)
    assert text.count("best") == 1
    assert lines[-1].endswith("-v")
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


def test_what_is_not_known_may_be_known_to_matter_little() -> None:
    counts = replace(game_of("noprob/starnberger").objectives["round"], zone=0.005)

    def said(*regrets: tuple[float, float], **more: Any) -> str:
        actions = [ActionValue("draw", exact(0.5), exact(0.0), {}, {})]
        for name, (low, high) in zip(("take", "pass"), regrets, strict=False):
            lost = Estimate.from_interval((low + high) / 2, 0.01, low, high, 4_000)
            actions.append(ActionValue(name, exact(0.5), lost, {}, {}))
        given = ("noprob/starnberger", "", "round", TOO_CLOSE, "draw", tuple(actions))
        return verdict(
            Advice(*given, "simulation", 4_000, 0, 0.0, (), counts=counts, needed=9_000, **more)
        )

    close = said((-0.011, 0.0141), (0.01, 0.05), more=12.3)
    assert close == (
        "≈ Close: draw and take differ by less than 1.5 percentage points. "
        "About 13 seconds more should settle it."
    )
    assert said((-0.011, 0.03)) == (
        "? Not known yet: draw or take. Draw costs you less than 1.1 percentage points. "
        "--games 9000 should settle it."
    )
    assert "percentage points" not in said((-0.03, 0.03))
    assert said((-0.03, 0.03), more=200.0).endswith(" About 4 minutes more should settle it.")
    expects = said((-0.03, 0.03), usual=("learned", "take"), expects=("round", 0.414))
    assert " A strong player would take, and puts your chance to win the round at 41 %." in expects


def test_games_do_not_settle_what_the_table_leaves_open() -> None:
    wins = np.array([[500, 400, 250], [450, 200, 350]])
    moments = Moments(wins, 1_000, share=True, parts=True)
    played = Rollouts(("a", "b"), {"win": moments}, ({}, {}), 1_000, False)
    assert 1_000 < played.games_needed(WIN, 1, 0, 0.05) < 20_000
    assert replace(played, off=(0.1, 0.1)).games_needed(WIN, 1, 0, 0.05) == 0


def test_looked_up_chances_have_the_error_of_their_table_besides_that_of_games() -> None:
    """0.02 of a chance, 0.01 of a difference; nothing where a chance is certain."""
    wins = np.array([[500, 400, 250, 500], [450, 250, 350, 450], [1_000, 500, 450, 1_000]])
    moments = Moments(wins, 1_000, share=True, parts=True)
    plain = Rollouts(("a", "b", "c"), {"win": moments}, ({}, {}, {}), 1_000, False)
    found = replace(plain, off=(0.02, 0.01))
    z = 1.959963984540054
    for was, now, off in (
        (plain.value("win", 0), found.value("win", 0), 0.02),
        (plain.loses("win", 1, 0, False, 0.05), found.loses("win", 1, 0, False, 0.05), 0.01),
    ):
        assert (was.low - now.low, now.high - was.high) == pytest.approx((z * off, z * off))
        assert now.stderr == pytest.approx((was.stderr**2 + off**2) ** 0.5)
    assert found.value("win", 2) == plain.value("win", 2)


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
    (use,) = advice.then["take"]
    assert use.action in ("replace 1,3", "replace 2,1")  # either completes a line
    assert f"\nThen {use.action}.\n" in printed(advice_text(advice))


@pytest.mark.long
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


MOST_LINES = 20
FOR_EACH = 4  # more lines for each player of a review after the first


def lines_of(shown: RenderableType, most: int = MOST_LINES) -> list[str]:
    """The lines of a short answer, which fit a small screen and have readable numbers."""
    text = printed(shown, width=80, plain=True)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80, text
    assert len(lines) <= most, text
    assert any(line.startswith(("▶", "≈", "▷")) for line in lines[:4]), text
    assert not re.search(r"\b0(\.0*)? ± 0(\.0*)?\b|-0(\.0*)?(?![\d.])|\bnan\b", text), text
    assert not re.search(r"\b(anew|dearer|same luck|a round of \w+ with|less the mean)\b", text)
    assert not re.search(r"\b(reports|docs|lama_odds|tools)/", text), text
    return lines


def short_and_full(answer: Answer) -> tuple[list[str], str]:
    """The lines of an answer as it is printed, and all that is printed with -v."""
    seats = getattr(answer.found, "seats", ())
    players = len(seats) if isinstance(seats, tuple) else 0
    lines = lines_of(answer.shown(), MOST_LINES + FOR_EACH * max(0, players - 1))
    full = printed(answer.shown(verbose=True), width=400, plain=True)
    assert re.search(r"(More|\d more): -v$", " ".join(lines)), lines
    assert full.strip()
    assert "More: -v" not in full
    return lines, full


ODDS = [
    ("lama/egmont", "hand=3356L top=4 opp=4,q2,1"),
    ("lama/party", "hand=33+5LP top=4 opp=4,5"),
    ("lama/party", "deal"),
    ("dice/amigo", "deal"),
    ("dice/amigo", "hand=25L row=1346L opp=13,6LL"),
    ("pikomino/egmont", "kept=444W"),
    ("pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27"),
    ("noprob/starnberger", "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK"),
    ("noprob/starnberger", "grid=3,3,?/?,(7),?/J,-1,-5 drawn=3 top=3 opp=?,?,?/?,?,?/?,?,?"),
]


@pytest.mark.parametrize(("rules", "position"), ODDS)
def test_odds_say_what_happens_next(rules: str, position: str) -> None:
    answer = lo.odds(rules, position)
    lines, full = short_and_full(answer)
    assert lines[0].startswith(f"{rules} · ")
    assert "{" not in "".join(lines)
    alike = answer.found.events.get("new kind") == answer.found.events.get("raises")
    for name in answer.found.events:
        assert re.search(rf"^{re.escape(name)} ", full, re.M) or (name == "new kind" and alike)


def test_odds_that_say_the_same_stand_once() -> None:
    answer = lo.odds("lama/egmont", "hand=3356L top=4 opp=4,q2,1")
    assert answer.found.events["new kind"] == answer.found.events["raises"]
    assert "new kind" not in answer.details()
    each = lo.odds("lama/egmont+llama_each", "hand=3356L top=4 opp=4,q2,1")
    assert each.found.events["new kind"] != each.found.events["raises"]
    assert "new kind" in each.details()


def test_odds_of_a_roll_say_what_it_allows() -> None:
    rolled = lo.odds("dice/amigo", "hand=25L row=1346L opp=13,6LL rolled=25L")
    lines = lines_of(rolled.shown())
    assert lines[3] == "▶ You can discard 2, 5, L, 25, 2L, 5L or 25L: you can go out."
    assert "100 %" not in "".join(lines)


def test_no_error_is_shown_as_nothing() -> None:
    assert number(estimate(0.0, 3e-5)) == "0.00000 ± 0.00003"
    assert percent(estimate(0.01, 2e-6)) == "1.0000 ± 0.0002 %"
    assert number(estimate(4.1, 0.04)) == "4.10 ± 0.04"
    assert [percent(exact(x)) for x in (0.0, 1e-6, 0.25, 0.999999, 1.0)] == [
        "0 %",
        "<0.01 %",
        "25.00 %",
        ">99.99 %",
        "100 %",
    ]


def test_sizes_and_errors_have_a_digit_that_counts() -> None:
    assert [brief(estimate(4.123, half)) for half in (0.04, 0.5, 3.0)] == ["4.12", "4.1", "4"]
    assert size(estimate(-0.0031, 0.002), share=True) == "0.3"
    assert size(estimate(-0.04, 0.5)) == "0.04"
    assert amount(estimate(0.01, 1.0), "points") == "0.01 points"
    assert amount(estimate(-0.01, 0.02), "", share=True) == "1 percentage point"
    assert error(estimate(0.0, 0.0031), share=True) == "± 0.3 %"


def record_of(rules: str, policies: list[str], seed: int) -> str:
    """The record of a first round, or of a whole game where there are no rounds."""
    game = game_of(rules)
    named = [game.policy(name) for name in policies]
    record = game.record(game.rules(rules), named, seed, 0, game.has_rounds)
    if rules.startswith("noprob"):  # long: the end of the round is left out
        record = "\n".join(record.splitlines()[:11]) + "\n"
    return record


def reviewed(rules: str, policies: list[str], objective: str, seed: int = 1) -> Answer:
    return lo.review(record_of(rules, policies, seed), objective=objective, games=1_000)


EACH_LLAMA = ["lama/egmont", "lama/egmont+llama_each"]


PAIR = ["random", "threshold:6"]


# What is asked; what the short answer says, then what the whole answer says besides.
ANSWERS: dict[str, tuple[Callable[[], Answer], list[str], list[str]]] = {
    "compare": (
        lambda: lo.compare(EACH_LLAMA, 3, policy="matching:5", games=4_000),
        ["With +llama_each a round costs ", "Equivalent: "],
        ["same cards and dice", "--games 4000 repeats this answer"],
    ),
    "compare pikomino": (
        lambda: lo.compare(
            ["pikomino/egmont", "pikomino/egmont+short"], 3, policy="first-tile", games=400
        ),
        ["turns"],
        ["busts"],
    ),
    "tournament": (
        lambda: lo.tournament("dice/amigo", 2, PAIR, games=600),
        [
            "▶ threshold:6 wins most: ",
            "percentage points more than random",
            "All ranks are certain.",
        ],
        ["Win rate of one player (row)"],
    ),
    "tournament of equals": (
        lambda: lo.tournament("dice/amigo", 2, ["threshold:6", "threshold:7"], games=30),
        ["≈ Too close to call: threshold:", "1 of 1 pairs are not separated"],
        [],
    ),
    "tune": (
        lambda: lo.tune("dice/amigo", "threshold", 2, against="random", games=1_000),
        ["On fresh games it beats random: an even share would be 50.0 %."],
        ["winner's curse", "threshold:12"],
    ),
    "tune for points": (
        lambda: lo.tune("dice/amigo", "threshold", 2, objective="points", games=1_000),
        ["points per round"],
        [],
    ),
    "equity": (
        lambda: lo.equity("dice/amigo"),
        ["At 20 points each, the player who starts wins with 5"],
        ["100 % minus the entry with the scores swapped"],
    ),
    "simulate": (
        lambda: lo.simulate("lama/egmont", 3, "matching:5", 1_000),
        ["no player is clearly the best", "player 3"],
        ["outright"],
    ),
    "simulate unlike players": (
        lambda: lo.simulate("dice/amigo", 3, [*PAIR, "random"], 1_000),
        ["▶ Player 2 (threshold:6) wins", "player 3"],
        ["outright"],
    ),
    "simulate rounds": (
        lambda: lo.simulate("dice/amigo", 3, ["random", *PAIR], 1_000, rounds=True),
        ["▶ Player 3 (threshold:6) loses the fewest points"],
        ["penalty"],
    ),
    "simulate pikomino": (
        lambda: lo.simulate("pikomino/egmont", 3, "first-tile", 400),
        ["turns are played"],
        ["busts"],
    ),
    "simulate noprob": (
        lambda: lo.simulate("noprob/starnberger", 3, "greedy", 400),
        ["a game takes"],
        ["llamas"],
    ),
    "review dice": (
        lambda: reviewed("dice/amigo", ["threshold:6", "random"], "points"),
        ["▶ Player 1 (threshold:6)", "▶ Player 2 (random)", "luck-adjusted"],
        ["hand="],
    ),
    "review cards": (
        lambda: reviewed("lama/egmont", ["matching:5", "random", "threshold:5"], "points"),
        ["▶ Player 3 (threshold:5)", "luck-adjusted"],
        ["top="],
    ),
    "review noprob": (
        lambda: reviewed("noprob/starnberger", ["greedy", "random"], "round"),
        ["▶ Player 2 (random)"],
        ["grid="],
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("asked", ANSWERS)
def test_every_answer_says_the_verdict_first_and_the_rest_with_verbose(asked: str) -> None:
    ask, said, more = ANSWERS[asked]
    lines, full = short_and_full(ask())
    told = " ".join(lines)
    assert sum(line.startswith(("▶", "≈", "▷")) for line in lines) >= 1
    assert all(part in told for part in said), told
    assert all(part in full for part in more), full


def test_editions_that_play_alike_need_no_table() -> None:
    found = lo.compare(["dice/amigo", "dice/gigamic"], 3, policy="threshold:6", games=400)
    lines = lines_of(found.shown(), most=6)
    assert "▶ dice/gigamic plays exactly as dice/amigo: the very same games." in lines


def test_a_review_says_which_way_luck_went() -> None:
    record = record_of("dice/amigo", ["threshold:6", "random"], 3)
    answer = lo.review(record, objective="points", games=1_000)
    text = " ".join(lines_of(answer.shown()))
    for account in answer.found.course.accounts:
        luck = account.rolls + account.between  # of points: fewer are better
        if abs(luck) >= 0.005:
            assert f"Luck {'hurt' if luck > 0 else 'helped'} by {abs(luck):.2f} point" in text
        else:
            assert "Luck made no difference." in text


THRESHOLDS = [
    ("lama/egmont", 3, {"games": 4_000}),
    ("dice/amigo", 3, {"games": 4_000}),
    ("dice/amigo", 2, {"objective": "win", "policy": "threshold:8", "games": 400}),
    ("noprob/starnberger", 2, {"games": 2_000}),
    ("pikomino/egmont", 2, {}),
]


@pytest.mark.long
@pytest.mark.parametrize(("rules", "players", "more"), THRESHOLDS)
def test_thresholds_are_a_rule_to_keep_in_mind(
    rules: str, players: int, more: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lama_odds.analysis.thresholds.thresholds.PILOT_GAMES", 400)
    answer = lo.thresholds(rules, players, **more)
    text = printed(answer.shown(), width=80, plain=True)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 30
    assert any(line.startswith("▶ ") for line in lines[:5])
    assert "More: -v" in text
    assert not re.search(r"\d to \d+ or (more|less)|round lost|my score|at (least|most)", text)
    assert len(answer.details().splitlines()) > len(lines)


def test_advice_against_other_opponents_has_a_row_a_kind() -> None:
    position = "hand=25L row=1346L opp=13,6LL"
    answer = lo.advise("dice/amigo", position, games=2_000, sensitivity=True)
    lines = printed(answer.shown(), width=80, plain=True).splitlines()
    full = answer.details()
    assert max(map(len, lines)) <= 80
    found = answer.found.sensitivity
    assert "Roll is best against all 13 kinds of opponents." in lines
    for model in found.models:
        assert sum(line.startswith(f"{model.like} ") for line in lines) == 1
    for model in (*found.models, *found.dialled):
        assert model.policy in full
        assert ":" not in model.policy or model.policy not in "\n".join(lines)


def test_a_run_has_a_row_a_player(tmp_path: Path) -> None:
    folder, games = tmp_path / "run", 2_000
    found = lo.simulate("dice/amigo", 3, "threshold:5", games, run=folder)
    answer = lo.runs(folder)
    lines, full = short_and_full(answer)
    assert f"▶ Done: {games:,} games." in lines
    assert sum(bool(re.match(r"player \d +\d", line)) for line in lines) == 3
    assert number(found.found.table["rounds"]) in "\n".join(lines)
    assert "win seat 2" in full
    assert "half-width" not in full


def test_a_game_played_along_has_the_verdict_in_a_line() -> None:
    position = "hand=25L row=1346L opp=13,6LL"
    advice = lo.advise("dice/amigo", position, games=2_000).found
    line = advice_line(advice, str.upper)
    assert line == verdict(advice, str.upper, most=2)
    assert "ROLL" in line.upper()
    close = lo.advise("lama/egmont", "hand=34 top=6 opp=4,3", games=1_000).found
    assert advice_line(close) == f"? Not known yet: {close.best} or {close.actions[1].action}."
    assert len(rests_on(close)) <= 110
    assert rests_on(close).endswith("More: ?")


HEADS = ("", "points", "loses", "margin", "win")


ROWS = (
    ("roll", "5.08 ± 0.04", "–", "−1.20 ± 0.05", "61.2 ± 0.3 %"),
    ("discard 123", "17", "11.95 ± 0.03", "11.48 ± 0.02", "0.0 ± 0.3 %"),
)


def lines_at(width: int) -> list[str]:
    return printed(table(HEADS, ROWS), width, plain=True).splitlines()


def test_what_fits_is_one_table() -> None:
    found = lines_at(66)
    assert len(found) == 3
    assert found[1].split("  ")[0] == "roll"
    assert max(map(len, found)) == 66


def test_what_is_too_wide_is_shown_in_parts_with_the_first_column_in_each() -> None:
    found = lines_at(65)
    assert [line.split("  ")[0] for line in found] == [
        *("", "roll", "discard 123", ""),
        *("", "roll", "discard 123"),
    ]
    assert found[4].split() == ["win"]
    assert found[6].endswith(" 0.0 ± 0.3 %")


@pytest.mark.parametrize("width", range(14, 80))
def test_every_cell_is_whole_at_any_width_it_can_stand_in(width: int) -> None:
    text = "\n".join(lines_at(width))
    assert "…" not in text
    if width >= 11 + 2 + 12:  # the widest action beside the widest number
        assert all(cell in text for row in ROWS for cell in row)
        assert max(map(len, text.splitlines())) <= width


def test_all_columns_that_tell_what_a_row_is_about_are_in_each_part() -> None:
    rows = [("0–9", "10–19", "1.00 ± 0.10", "2.00 ± 0.10", "3.00 ± 0.10")]
    heads = ("mine", "leader's", "a", "b", "c")
    found = printed(table(heads, rows, keys=2), 30, plain=True).splitlines()
    assert [line.split()[:2] for line in found if "±" in line] == [["0–9", "10–19"]] * 3


def test_a_long_text_is_folded_beside_a_number() -> None:
    rows = [("line 12, seat 3: draws a six and has to play it at once", "+1.25"), ("other", "-2")]
    found = printed(table(("Largest luck", "points"), rows), 40, plain=True).splitlines()
    assert max(map(len, found)) <= 40
    assert [line.split("  ")[0] for line in found[1:3]] == [
        "line 12, seat 3: draws a six and",
        "has to play it at once",
    ]
    assert found[1].endswith("+1.25")


def test_what_looks_like_a_style_is_text() -> None:
    found = printed(table(("[bold]", "b"), [("meanfield[/bold]", ":cake:")]), 80, plain=True)
    assert "[bold]" in found
    assert "meanfield[/bold]" in found
    assert ":cake:" in found


def test_meanings_stand_below_names_that_leave_no_room() -> None:
    rows = [("meanfield:" + "x" * 40, "quits when it is better, by one table"), ("a", "b")]
    beside = printed(listing(rows, ("policy", "what it does")), 100, plain=True).splitlines()
    assert beside[1].startswith(rows[0][0] + "  quits")
    below = printed(listing(rows, ("policy", "what it does")), 60, plain=True).splitlines()
    assert below[:4] == ["policy", "    what it does", rows[0][0], f"    {rows[0][1]}"]


def test_text_that_a_spreadsheet_would_compute_is_kept_from_that() -> None:
    odd = ["=1+1", "+x", "-x", "@x", "=cmd|' /C calc'!A0", "-1 %", "- "]
    kept = ["x", "1-2", "", " =x", "\u2013", "a,b", 'say "x"', "two\nlines"]
    unseen = {"\t=1": "\\t=1", "\r=1": "\\r=1", "\x00": "\\x00", "\ud800": "\\ud800"}
    numbers = [-1, -1.5, 0, True, -0.0, "-1", "-1.5", "+2", "-1e-9"]
    text = csv_text([odd, kept, numbers, unseen, [None], []])
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0] == [f"'{cell}" for cell in odd]
    assert rows[1] == kept
    assert rows[2] == [str(number) for number in numbers]
    assert rows[3] == list(unseen.values())
    assert text.endswith('""\n\n')


def test_what_is_printed_does_not_steer_the_terminal() -> None:
    hostile = "\x1b[31mred\x07\x9b2J\u202e\ud800"
    for answer in (Text(hostile), Fitted((hostile, "b"), ((hostile, "c"),), 1)):
        said = printed(answer, width=200)
        assert said.replace("\n", "").isprintable()
        assert "\\x1b[31mre" in said
    assert printed(Text(hostile)) == "\\x1b[31mred\\x9b2J\\u202e\\ud800"
    assert printed(Text("a\nb · – ± ▶ 1\u202f000")) == "a\nb · – ± ▶ 1\u202f000"
