"""Names of measures, how they are read, and what a comparison says of the others."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

import lama_odds as lo
from lama_odds.analysis.compare.answer import Comparison, Row
from lama_odds.analysis.compare.decision_costs import MEASURES
from lama_odds.core.errors import ReadError
from lama_odds.report.text.answers import printed
from lama_odds.report.text.compare import compared_text, findings, verdict
from lama_odds.statistics.equivalence import DIFFERS, SAME, UNDECIDED, Judged
from tests.cli.calls import inside

RULES = ("dice/amigo", "dice/amigo+target=30")
ASKED = ("compare", *RULES, "--players", "2", "--policy", "threshold:6")


@cache
def found() -> Comparison:
    return lo.compare(RULES, 2, policy="threshold:6", games=800).found


def judged(row: Row, verdict_: str) -> Row:
    return replace(row, judged=Judged(verdict_, 0.0, 0.0))


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--precision", "rounds=0.5", "--measure", "decisions"), "not among the wanted ones"),
        (("--precision", "choices=1"), "at most 64 games are looked at"),
        (("--precision", "matter=1", "--measure", "matter"), "at most 64 games are looked at"),
        (("--precision", "1", "--measure", "choices"), "none of the wanted measures"),
        (("--precision", "decisions=0.1"), "about 10,000 of them are tried at most"),
        (("--delta", "went_out=1.5"), "so δ must be below 1, such as 0.05\n"),
        (("--delta", "1"), "or name a measure: rounds=1"),
        (("--delta", "went out=0.1", "--delta", "Went_Out=0.2"), "δ of went_out is given twice"),
        (("--measure", "seat bias"), "seat bias is for sweep"),
        (("--measure", "worms"), "worms is not counted in Lama Dice"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_a_game_is_played(
    args: tuple[str, ...], said: str
) -> None:
    answer = inside(*ASKED, *args)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err


def test_a_measure_that_means_nothing_in_a_game() -> None:
    asked = ("compare", "pikomino/egmont", "+no_steal", "--policy", "first-tile", "--players", "2")
    answer = inside(*asked, "--measure", "longest_wait")
    assert answer.err == "lama-odds: longest wait means nothing in Pikomino\n"


def test_displayed_names_are_read_everywhere() -> None:
    answer = lo.compare(
        RULES,
        2,
        policy="threshold:6",
        measures=["went out"],
        delta={"went out": 0.3, "Win seat 1": 0.2},
        precision=0.5,
        measure="Went out",
    ).found
    assert [(row.measure.name, row.delta) for row in answer.rows] == [("went_out", 0.3)]
    with pytest.raises(ReadError, match="no measure 'win seat 7'"):
        lo.compare(RULES, 2, policy="threshold:6", games=800, delta={"win seat 7": 0.1})


def test_what_is_said_of_the_others() -> None:
    rows = [judged(row, SAME) for row in found().rows[:4]]
    differing = judged(rows[0], DIFFERS)

    def said(*rows: Row) -> list[str]:
        return findings(*RULES, rows)

    assert said(differing, *rows[1:])[1:] == ["  The other 3 measures are equivalent."]
    assert said(differing, rows[1])[1:] == ["  The other measure is equivalent."]
    assert len(said(differing)) == 1
    assert said(rows[0])[0].endswith("changes nothing that matters: the measure is equivalent.")
    assert said(judged(rows[0], UNDECIDED))[0].endswith("1 of 1 measure is undecided.")


def test_all_that_differ_are_named() -> None:
    rows = tuple(judged(row, DIFFERS) for row in found().rows)
    text = printed(compared_text(replace(found(), rows=rows)), 200)
    assert "\nAlso differ: decisions, wins of players 1 and 2.\n" in text
    assert "Also differ" not in printed(compared_text(found()), 200)


def test_no_number_of_games_is_advised_where_few_are_looked_at() -> None:
    row = replace(judged(found().rows[0], UNDECIDED), measure=MEASURES[1], samples=64, differing=60)
    assert verdict(row) == "undecided: at most 64 games are looked at"
