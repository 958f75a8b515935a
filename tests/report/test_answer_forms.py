"""Answers of the commands: verdict first, few lines that fit a small screen, all else with -v."""

from __future__ import annotations

import re

import pytest
from rich.console import RenderableType

import lama_odds.api as lo
from lama_odds.core.estimate import Estimate, exact
from lama_odds.report.python.answer import Answer
from lama_odds.report.text.answers import number, percent, printed
from lama_odds.report.text.numbers import brief, error, size

MOST_LINES = 20


def lines_of(shown: RenderableType, most: int = MOST_LINES) -> list[str]:
    """The lines of a short answer, which fit a small screen and have readable numbers."""
    text = printed(shown, width=80, plain=True)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80, text
    assert len(lines) <= most, text
    assert any(line.startswith(("▶", "≈", "▷")) for line in lines[:4]), text
    assert not re.search(r"\b0(\.0*)? ± 0(\.0*)?\b|-0(\.0*)?\b|\bnan\b", text), text
    assert not re.search(r"\b(anew|dearer|same luck|a round of \w+ with|less the mean)\b", text)
    assert not re.search(r"\b(reports|docs|lama_odds|tools)/", text), text
    return lines


def short_and_full(answer: Answer) -> tuple[list[str], str]:
    """The lines of an answer as it is printed, and all that is printed with -v."""
    lines = lines_of(answer.shown())
    full = printed(answer.shown(verbose=True), width=400, plain=True)
    assert lines[-1].endswith("More: -v"), lines
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


def estimate(value: float, half: float) -> Estimate:
    return Estimate.from_half(value, half / 2, half, 100)


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
    assert [brief(estimate(4.123, half)) for half in (0.04, 0.5)] == ["4.1", "4"]
    assert size(estimate(-0.0031, 0.002), share=True) == "0.3"
    assert size(estimate(-0.04, 0.5)) == "0.04"
    assert error(estimate(0.0, 0.0031), share=True) == "± 0.3 %"
