"""Other editions and options: what is compared, and what is said of it."""

from __future__ import annotations

import re

import pytest

from lama_odds.analysis.strategy_report.document import Dots, Section
from lama_odds.analysis.strategy_report.report import Ask, Budget
from lama_odds.analysis.strategy_report.sections.variants import variants_of, variants_section
from lama_odds.games.registry import game_of

pytestmark = pytest.mark.long  # pages and sections are made once a module


def ask_of(text: str, precision: float = 1.0) -> Ask:
    game = game_of(text)
    return Ask(game, game.rules(text), 3, Budget(precision))


@pytest.fixture(scope="module")
def section() -> Section:
    found = variants_section(ask_of("lama/egmont"))
    assert found is not None
    return found


def test_cards_are_compared_with_the_drama_twenty_and_the_party() -> None:
    ids = [rules.id for rules in variants_of(ask_of("lama/egmont"))]
    expected = ["egmont", "egmont+drama", "egmont+twenty", "amigo", "party"]
    assert ids == [f"lama/{name}" for name in expected]


def test_every_measure_has_a_dot_of_each_rule_set(section: Section) -> None:
    (figure,) = section.figures
    assert isinstance(figure, Dots)
    groups = ["+drama", "+twenty", "lama/amigo", "lama/party"]
    measures = [
        *("points per round", "actions per round", "rounds ended by going out"),
        *("rounds per game", "actions per game", "points between first and last"),
    ]
    assert [(d.label, d.group) for d in figure.dots] == [(m, g) for m in measures for g in groups]
    first = {(d.label, d.group): (d.low, d.value, d.high) for d in figure.dots}
    low, value, high = first["points per round", "+drama"]  # nobody has a token yet
    assert (value, low) == (0, -high)
    assert 0 < high < 0.1
    assert first["points per round", "lama/party"][1] != 0


def test_rule_sets_are_told_in_words(section: Section) -> None:
    *what, same = section.text
    assert what[0].startswith("With the option +drama, llamas played put tokens on a pot")
    assert what[-1].startswith("The edition lama/party follows other rules – Lama Party")
    assert same == "All first rounds came out the same with +drama and +twenty."
    assert section.findings
    for line in section.findings:
        assert re.match(
            r"With the (option \+\w+|edition lama/\w+) there are [\d.]+ ± [\d.]+ % ", line
        )
    table = section.tables[0]
    assert {row[0] for row in table.rows} >= {"lama/egmont+drama", "lama/party"}


def test_options_on_top_of_options_are_told_apart() -> None:
    found = variants_section(ask_of("lama/egmont+twenty", 2.0))
    assert found is not None
    assert found.text[0].startswith("With the option +drama, llamas played")
    assert found.text[-1] == "All first rounds came out the same with +drama."
