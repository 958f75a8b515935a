"""Titles of figures that say what they show: sentences, made from the numbers that are drawn."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from lama_odds.analysis.strategy_report import titles
from lama_odds.analysis.strategy_report.document import Dot, Dots, Figure, Line, Spot
from tests.tools.test_published import ROOT
from tools.publishing.stories.figures import FIGURES
from tools.publishing.stories.marks import FOLDER, TITLE, with_cards, with_figures

LONGEST = 110  # letters
SENTENCE = re.compile(r"[A-Z“].*\d.*\.")
STRATEGY = sorted((ROOT / "docs" / "strategy").glob("*.md"))


def dots(*found: tuple[str, float, str]) -> Dots:
    made = tuple(
        Dot(label, value, value - 0.1, value + 0.1, group) for label, value, group in found
    )
    return Dots("name", "", "", "", made, reference=0.25)


@pytest.mark.parametrize("made", FIGURES, ids=lambda made: made.__name__)
def test_figures_of_stories_have_sentences_as_titles(made: Callable[[], Figure]) -> None:
    figure = made()
    assert figure.name == made.__name__
    assert SENTENCE.fullmatch(figure.title), figure.title
    assert len(figure.title) <= LONGEST
    svg = (ROOT / FOLDER / f"{figure.name}.svg").read_text(encoding="utf-8")
    found = TITLE.search(svg)
    assert found is not None
    assert found[1] == figure.title


def test_pages_show_every_figure_once_with_its_title() -> None:
    texts = [page.read_text(encoding="utf-8") for page in STRATEGY]
    for text in texts:
        assert with_figures(with_cards(text), ROOT / FOLDER) == text
    shown = re.findall(r"<!-- figure: (\w+) -->", "".join(texts))
    assert sorted(shown) == sorted(made.__name__ for made in FIGURES)


def test_no_line_begins_with_a_claim() -> None:
    """Markdown would end the paragraph there."""
    pages = [*STRATEGY, ROOT / "docs" / "index.md"]
    assert not [p for p in pages if "\n<!-- claim" in p.read_text(encoding="utf-8")]


def test_titles_follow_the_numbers() -> None:
    both = dots(("6", 1.0, "a"), ("6", 2.0, "b"))
    assert "6 costs more than the first: 2.0 points" in (
        titles.of_copies(both, "6", "a", "b") or ""
    )
    assert "6 costs less than the first: 1.0 points" in (
        titles.of_copies(both, "6", "b", "a") or ""
    )
    assert titles.of_copies(both, "5", "a", "b") is None
    assert titles.of_first(dots(("x", 2.0, "")), "x", "", "5", "6") == (
        "Play the 5 before the 6: the other order costs 2.0 points."
    )
    assert (titles.of_first(dots(("x", -2.0, "")), "x", "", "5", "6") or "").startswith(
        "Play the 6 before the 5"
    )
    assert titles.of_winner(dots(("p", 0.3, ""), ("q", 0.5, ""))) == (
        "“q” wins most: 50 %; an even share is 25 %."
    )
    assert "no clear" in (titles.of_first(dots(("x", 0.0, "")), "x", "", "5", "6") or "")


def test_who_gathers_most_may_win_most() -> None:
    spots = [Spot("a", 2, 0.3, 0.3, 0.3), Spot("b", 1, 0.2, 0.2, 0.2)]
    assert titles.of_amounts_and_wins(spots, "worms") == (
        "“a” gathers most worms and wins most: 30 %."
    )
    line = Line("", (0, 5, 10), (-0.1, 0.1, 0.2), (-0.2, 0.05, 0.1), (0, 0.2, 0.3))
    assert titles.of_lead(line, "go on", "end") == (
        "With a lead of 5 or more, end: at 10 that adds 20 percentage points."
    )
