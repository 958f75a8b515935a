"""Answers as text: verdict first, few lines that fit any screen, all else with -v, safe as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rich.text import Text

import lama_odds.api as lo
from lama_odds.analysis.advice.answer import TOO_CLOSE, TOSS_UP, ActionValue, Advice
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
from lama_odds.report.terminal import Fitted, Meanings, printed, table
from lama_odds.report.text.advice import advice_text, verdict
from lama_odds.report.text.history import _luck
from lama_odds.report.text.numbers import csv_text
from lama_odds.statistics.intervals import Moments

MOST_LINES = 20
FOR_EACH = 4  # more lines for each player of a review after the first
NOTHING = re.compile(r"\b0(\.0*)? ± 0(\.0*)?\b|-0(\.0*)?(?![\d.])|\bnan\b")
ROLL = "hand=25L row=1346L opp=13,6LL"
GRID = "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK"
BEGUN = "grid=3,3,?/?,(7),?/J,-1,-5 drawn=3 top=3 opp=?,?,?/?,?,?/?,?,?"


def record_of(seed: int) -> str:
    """The record of a first round."""
    game = game_of("dice/amigo")
    policies = [game.policy(name) for name in ("threshold:6", "random")]
    return game.record(game.rules("dice/amigo"), policies, seed, 0, rounds=True)


# One question of each kind whose answer has a shape of its own.
ANSWERS: dict[str, Callable[[], Answer]] = {
    "advise cards": lambda: lo.advise("lama/party", "hand=33+5LP top=4 opp=4,5", games=1_000),
    "advise dice": lambda: lo.advise("dice/amigo", f"{ROLL} scores=20,30,12", games=1_000),
    "advise others": lambda: lo.advise("dice/amigo", ROLL, games=1_000, sensitivity=True),
    "advise exact": lambda: lo.advise("pikomino/egmont", "kept=444W rolled=1245 tops=27"),
    "advise grid": lambda: lo.advise("noprob/starnberger", BEGUN, games=1_000),
    "odds cards": lambda: lo.odds("lama/egmont", "hand=3356L top=4 opp=4,q2,1"),
    "odds deal": lambda: lo.odds("dice/amigo", "deal"),
    "odds worms": lambda: lo.odds("pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27"),
    "odds grid": lambda: lo.odds("noprob/starnberger", GRID),
    "compare": lambda: lo.compare(
        ["dice/amigo", "dice/egmont"], 2, policy="threshold:6", games=400
    ),
    "tournament": lambda: lo.tournament("dice/amigo", 2, ["random", "threshold:5"], games=100),
    "tune": lambda: lo.tune("dice/amigo", "threshold", 2, against="threshold:6", games=1_000),
    "equity": lambda: lo.equity("dice/amigo"),
    "simulate": lambda: lo.simulate("dice/amigo", 2, "threshold:5", 200),
    "simulate rounds": lambda: lo.simulate("dice/amigo", 2, "threshold:5", 200, rounds=True),
    "simulate worms": lambda: lo.simulate("pikomino/egmont", 2, "first-tile", 50),
    "review": lambda: lo.review(record_of(1), objective="points", games=1_000),
    "thresholds": lambda: lo.thresholds("dice/amigo", 4, games=1_000),
    "thresholds worms": lambda: lo.thresholds("pikomino/egmont", 2),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_fits_a_small_screen_and_all_else_is_behind_verbose(name: str) -> None:
    answer = ANSWERS[name]()
    seats = getattr(answer.found, "seats", ())
    players = len(seats) if isinstance(seats, tuple) else 0
    text = printed(answer.shown(), width=80, plain=True)
    lines, full = text.splitlines(), printed(answer.shown(verbose=True), width=2_000, plain=True)
    assert max(map(len, lines)) <= 80
    longer = 10 if name.startswith(("thresholds", "advise others")) else FOR_EACH * players
    assert len(lines) <= MOST_LINES + longer
    assert any(line.startswith(("▶", "≈", "▷", "?")) for line in lines[:5])
    assert not NOTHING.search(text)
    assert re.search(r"(More|\d more|all): -v( \(|$)", " ".join(lines))
    assert full.strip()
    assert "More: -v" not in full


def test_advice_is_short_and_leaves_nothing_out_with_verbose() -> None:
    answer = lo.advise("dice/amigo", ROLL, games=1_000)
    advice: Advice = answer.found
    text, full = (printed(advice_text(advice, verbose=v), 2_000, plain=True) for v in (False, True))
    assert len(text.splitlines()) <= 14
    assert all(re.search(rf"^{action.action} ", text, re.M) for action in advice.actions)
    assert advice.position in full
    assert all(assumption in full for assumption in advice.assumptions)
    assert answer.details() == printed(advice_text(advice, verbose=True), plain=True)
    assert str(answer) == printed(advice_text(advice), plain=True)
    listed = lo.rules("dice")  # leaves nothing out
    assert listed.details() == str(listed)


SETTLES = "should settle it, if they differ as much as it seems."


def test_what_is_not_known_names_the_games_that_settle_it() -> None:
    def asked(games: int) -> Advice:
        return lo.advise("lama/egmont", "hand=34 top=6 opp=4,3", games=games).found

    advice = asked(1_000)
    assert verdict(advice) == f"? Not known yet: draw or quit. --games 2600 {SETTLES}"
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

    same = tuple(ActionValue(n, exact(0.5), exact(0.0), {}, {}) for n in ("draw", "take", "pass"))
    given = ("noprob/starnberger", "", "round", TOSS_UP, "draw", same, "exact", 0, 0, 0.0, ())
    told = verdict(Advice(*given, counts=counts), str.upper, most=2)
    assert told == "≈ Toss-up: DRAW, TAKE and PASS are worth the same."
    close = said((-0.011, 0.0141), (0.01, 0.05), more=12.3)
    assert close == (
        "≈ Close: draw and take differ by less than 1.5 percentage points. "
        f"About 13 seconds more {SETTLES}"
    )
    assert said((-0.011, 0.03)) == (
        "? Not known yet: draw or take. Draw costs you less than 1.1 percentage points. "
        f"--games 9000 {SETTLES}"
    )
    assert "percentage points" not in said((-0.03, 0.03))
    assert said((-0.03, 0.03), more=200.0).endswith(f" About 4 minutes more {SETTLES}")
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


def estimate(value: float, half: float) -> Estimate:
    return Estimate.from_half(value, half / 2, half, 100)


@pytest.mark.parametrize(
    ("half", "digits"), [(3.0, 0), (0.3, 0), (0.2, 1), (0.04, 1), (0.02, 2), (0.004, 2), (1e-9, 3)]
)
def test_digits_are_those_that_the_error_deserves(half: float, digits: int) -> None:
    assert digits_of(estimate(5.0, half)) == digits


SHARES = (exact(x) for x in (0.0, 0.003, 0.5, 0.998, 1.0))
PERCENTS = (exact(x) for x in (0.0, 1e-6, 0.25, 0.999999, 1.0))


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        ([rounded(-0.004, 2)], ["0.00"]),
        ([with_unit(n) for n in (1, 0, "1.0")], ["1 point", "0 points", "1.0 points"]),
        ([with_unit("1", "points vs. others")], ["1 point vs. others"]),
        (list(map(share_text, SHARES)), ["0 %", "<1 %", "50 %", ">99 %", "100 %"]),
        (list(map(percent, PERCENTS)), ["0 %", "<0.01 %", "25.00 %", ">99.99 %", "100 %"]),
        (
            [number(estimate(0.0, 3e-5)), number(estimate(4.1, 0.04))],
            ["0.00000 ± 0.00003", "4.10 ± 0.04"],
        ),
        ([percent(estimate(0.01, 2e-6))], ["1.0000 ± 0.0002 %"]),
        ([brief(estimate(4.123, half)) for half in (0.04, 0.5, 3.0)], ["4.12", "4.1", "4"]),
        ([size(estimate(-0.0031, 0.002), share=True), size(estimate(-0.04, 0.5))], ["0.3", "0.04"]),
        ([amount(estimate(0.01, 1.0), "points")], ["0.01 points"]),
        ([amount(estimate(-0.01, 0.02), "", share=True)], ["1 percentage point"]),
        ([error(estimate(0.0, 0.0031), share=True)], ["± 0.3 %"]),
    ],
)
def test_numbers_read_well(shown: list[str], wanted: list[str]) -> None:
    """No error is shown as nothing, nothing that may be is 0 or 100 %, and one point is one."""
    assert shown == wanted


def test_a_review_says_which_way_luck_went() -> None:
    record = record_of(3)
    answer = lo.review(record, objective="points", games=1_000)
    text = printed(answer.shown(), plain=True)
    for account in answer.found.course.accounts:
        luck = account.rolls + account.between  # of points: fewer are better
        if abs(luck) >= 0.005:
            assert f"Luck {'hurt' if luck > 0 else 'helped'} by {abs(luck):.2f} point" in text
        else:
            assert "Luck made no difference." in text


def test_a_run_has_a_row_a_player(tmp_path: Path) -> None:
    found = lo.simulate("dice/amigo", 3, "threshold:5", 500, run=tmp_path / "run")
    text = str(lo.runs(tmp_path / "run"))
    assert "▶ Done: 500 games." in text
    assert len(re.findall(r"^player \d +\d", text, re.M)) == 3
    assert number(found.found.table["rounds"]) in text


HEADS = ("", "points", "loses", "margin", "win")
ROWS = (
    ("roll", "5.08 ± 0.04", "–", "−1.20 ± 0.05", "61.2 ± 0.3 %"),
    ("discard 123", "17", "11.95 ± 0.03", "11.48 ± 0.02", "0.0 ± 0.3 %"),
)


def lines_at(width: int) -> list[str]:
    return printed(table(HEADS, ROWS), width, plain=True).splitlines()


def test_what_is_too_wide_is_shown_in_parts_with_the_first_column_in_each() -> None:
    whole, parts = lines_at(66), lines_at(65)
    assert (len(whole), max(map(len, whole))) == (3, 66)
    first = [line.split("  ")[0] for line in parts]
    assert first == ["", "roll", "discard 123", "", "", "roll", "discard 123"]
    assert parts[4].split() == ["win"]
    for width in range(14, 80):
        text = "\n".join(lines_at(width))
        assert "…" not in text
        if width >= 11 + 2 + 12:  # the widest action beside the widest number
            assert all(cell in text for row in ROWS for cell in row)
            assert max(map(len, text.splitlines())) <= width


def test_what_looks_like_a_style_is_text() -> None:
    found = printed(table(("[bold]", "b"), [("meanfield[/bold]", ":cake:")]), 80, plain=True)
    assert "[bold]" in found
    assert "meanfield[/bold]" in found
    assert ":cake:" in found


def test_meanings_stand_below_names_that_leave_no_room() -> None:
    rows = [("meanfield:" + "x" * 40, "quits when it is better, by one table"), ("a", "b")]
    beside = printed(Meanings(("policy", "what it does"), rows), 100, plain=True).splitlines()
    assert beside[1].startswith(rows[0][0] + "  quits")
    below = printed(Meanings(("policy", "what it does"), rows), 60, plain=True).splitlines()
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


@pytest.mark.parametrize(
    ("luck", "higher", "word"),
    [(2.0, True, "helped"), (-2.0, True, "hurt"), (2.0, False, "hurt"), (-2.0, False, "helped")],
)
def test_luck_helps_where_it_adds_wins_or_spares_points(
    luck: float, higher: bool, word: str
) -> None:
    player: Any = SimpleNamespace(luck=luck, luck_low=luck, luck_high=luck, result=9.0, games=3)
    player.higher, player.share, player.unit = higher, higher, "points"
    assert _luck(player).startswith(f"Luck {word} by ")
