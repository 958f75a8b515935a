"""Titles of figures that say what they show: sentences, made from the numbers that are drawn."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from lama_odds.analysis.strategy_report import titles
from lama_odds.analysis.strategy_report.document import Bars, Dot, Dots, Figure, Line
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


def curve(label: str, *y: float) -> Line:
    """A curve at 1, 2, 3 … with intervals of ± 0.1."""
    x = tuple(float(at) for at in range(1, len(y) + 1))
    return Line(label, x, y, tuple(v - 0.1 for v in y), tuple(v + 0.1 for v in y))


def change(*values: float, clear: tuple[str, ...] = ("b",)) -> str:
    found = tuple(Dot("abc"[at], v, v, v) for at, v in enumerate(values))
    return titles.of_change("the length", found, clear, "turns")


ENDS = "It is {at_first} at {first} and {at_last} at {last}."


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (
            lambda one: titles.of_most(
                dots(("a", one, "g"), ("b", 1, "")), "{label}{group}: {value}."
            ),
            ("b: 1.0.", "a (g): 2.0."),
        ),
        (
            lambda one: titles.of_mode(
                Bars("b", "", "", "", "", ("x", "y"), (one, 1)), "{value}: {share} % of rounds."
            ),
            ("y: 100 % of rounds.", "x: 200 % of rounds."),
        ),
        (
            lambda one: titles.of_ends(curve("", one, 1), ENDS),
            ("It is 50 % at 1 and 100 % at 2.", "It is 200 % at 1 and 100 % at 2."),
        ),
        (
            lambda one: titles.of_apart(
                (curve("p", 5, one), curve("q", 5, 0.42)), "at {x}", "waiting", "points"
            ),
            (
                "What waiting costs hardly differs: by 0.1 points at 2.",
                "At 2, waiting costs 2.0 points (p) or 0.4 (q).",
            ),
        ),
        (
            lambda one: change(1, one),
            (
                "b changes the length from 1 to 0.50 turns.",
                "b changes the length from 1 to 2 turns.",
            ),
        ),
    ],
)
def test_a_title_says_what_its_data_show(
    made: Callable[[float], str], said: tuple[str, str]
) -> None:
    assert (made(0.5), made(2.0)) == said
