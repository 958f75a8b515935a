"""What the page on choices of No Prob-Lama makes of its figures."""

from __future__ import annotations

import pytest

from lama_odds.core.estimate import Estimate
from tools.publishing.noprob_choices import LEADS, leads_part, runs, signed, sorted_out


def of(value: float, half: float = 1.0) -> Estimate:
    return Estimate.from_half(value, half / 2, half, 100)


def test_a_change_has_its_sign_and_half_width() -> None:
    assert signed(of(0.123, 0.04), 100.0) == "+12.3 ± 4.0"
    assert signed(of(2.0), -1.0) == "-2.0 ± 1.0"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], []),
        (["a", "b", "c"], ["a", "b", "c"]),
        (["a", "b", "c", "d"], ["a … d"]),
        (["a", "", "b", "c", "d", "e", ""], ["a", "b … e"]),
    ],
)
def test_runs_of_names(names: list[str], expected: list[str]) -> None:
    assert runs(names) == expected


def test_what_is_clear_is_sorted_out() -> None:
    found = [("3", of(-2)), ("4", of(-0.5)), ("5", of(2)), ("6", of(3))]
    told = sorted_out(found, "better", "worse")
    assert told == "Clearly better: 5, 6. Clearly worse: 3. Not clear: 4."
    assert sorted_out(found[2:], "better", "worse") == "Clearly better: all."
    assert sorted_out(found[1:2], "better", "worse") == "Not clear: all."


def test_leads_that_are_not_worse_than_the_best() -> None:
    wins = {(lead, "x"): of(0.5 - 0.1 * at, 0.06) for at, lead in enumerate(LEADS)}
    lines = leads_part(wins)
    assert "| any | 50.0 ± 6.0 % |" in lines
    assert "Not clearly worse than the best: any, 6 (against `x`)." in lines
