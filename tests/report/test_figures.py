"""Figures: every kind is drawn, the same each time; --plot writes them."""

from __future__ import annotations

import base64
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from lama_odds.analysis.report import Bars, Curves, Dot, Dots, Figure, HeatMap, Line
from lama_odds.report.figures import DARK, INK, draw, embedded, folded
from tests.cli.calls import inside

UP = Line("all", (1.0, 2.0, 3.0), (0.2, 0.1, -0.1), (0.1, 0.05, -0.2), (0.3, 0.2, 0.0))
OTHER = Line("held: 2", (1.0, 2.0), (0.3, 0.2), (0.2, 0.1), (0.4, 0.3))
WORDS = ("n", "title", "what it shows", "x", "y")
FIGURES: tuple[Figure, ...] = (
    HeatMap(
        *WORDS, ("a", "b"), ("c",), ((1.0, None),), (("1", ""),), "roll", "quit", "points", 2.0
    ),
    Curves(*WORDS, (UP,), zero=("below", "above")),
    Curves(*WORDS, (UP, OTHER), share=True),
    Curves(*WORDS, (UP, OTHER), panels=True),
    Dots(*WORDS[:4], (Dot("a", 0.2, 0.1, 0.3), Dot("b", 0.5, 0.4, 0.6)), True, 0.25, "fair"),
    Dots(*WORDS[:4], (Dot("a", 0.2, 0.1, 0.3, "one"), Dot("a", 0.5, 0.4, 0.6, "two"))),
    Bars(*WORDS, ("1", "2"), (0.4, 0.6)),
)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda f: type(f).__name__)
def test_a_figure_is_the_same_file_each_time(figure: Figure) -> None:
    svg = draw(figure, "svg")
    assert svg == draw(figure, "svg")
    ET.fromstring(svg)
    assert draw(figure, "png").startswith(b"\x89PNG")


def test_an_embedded_figure_follows_the_dark_mode() -> None:
    address = embedded(draw(FIGURES[1], "svg"))
    kind, _, content = address.partition(",")
    assert kind == "data:image/svg+xml;base64"
    text = base64.b64decode(content).decode()
    ET.fromstring(text)
    assert "prefers-color-scheme: dark" in text
    assert f"var(--c0, {INK})" in text
    assert all(colour in text for colour in DARK.values())


def test_long_names_are_folded() -> None:
    assert folded("meanfield:out=5") == "meanfield:out=5"
    assert folded("planner:chase=40,lead=5,deny=10") == "planner:chase=40,lead=5,\ndeny=10"


@pytest.mark.parametrize(
    "arguments",
    [
        ("odds", "pikomino/egmont", ""),
        ("odds", "lama/egmont", "deal"),
        ("odds", "dice/amigo", "hand=25L row=1346L opp=13,6LL"),
        ("thresholds", "pikomino/egmont", "--players", "2"),
        ("thresholds", "dice/amigo", "--players", "2", "--games", "5000"),
    ],
    ids=" ".join,
)
def test_plot_draws_the_answer(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    file = tmp_path / "figure.svg"
    done = inside(*arguments, "--json", "--plot", str(file))
    assert done.code == 0, done.err
    ET.parse(file)


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [("figure.pdf", 2, "expected .svg or .png"), ("none/figure.svg", 4, "there is no folder")],
)
def test_a_plot_that_cannot_be_written_is_refused_first(
    tmp_path: Path, name: str, code: int, said: str
) -> None:
    done = inside("thresholds", "dice/amigo", "--players", "2", "--plot", str(tmp_path / name))
    assert done.code == code
    assert said in done.err
    assert done.out == ""
