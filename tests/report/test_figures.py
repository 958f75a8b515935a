"""Figures: every kind is drawn, the same each time; --plot writes them."""

from __future__ import annotations

import base64
import dataclasses
import json
import re
import xml.etree.ElementTree as ET
from importlib import resources
from pathlib import Path

import pytest

from lama_odds.analysis.strategy_report.document import (
    Bars,
    Beside,
    Curves,
    Dot,
    Dots,
    Figure,
    HeatMap,
    Line,
    from_plain,
    to_plain,
)
from lama_odds.report.figures.curves import apart
from lama_odds.report.figures.draw import draw, embedded, on_paper
from lama_odds.report.figures.files import COLOURS
from lama_odds.report.figures.style import DARK, INK, WIDTH, folded
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
    Beside(*WORDS[:3], (Curves(*WORDS, (UP, OTHER), zero=("below", "above")),) * 3),
    Beside(
        *WORDS[:3],
        (
            Dots(*WORDS[:4], (Dot("a", -0.2, -0.3, 0.3), Dot("b", 0.5, 0.4, 0.6))),
            Dots(*WORDS[:4], (Dot("a", 0.2, 0.1, 0.3), Dot("b", 1.0, 1.0, 1.0)), True, bars=True),
        ),
    ),
)


@pytest.mark.long
@pytest.mark.parametrize("figure", FIGURES, ids=lambda f: type(f).__name__)
def test_a_figure_is_the_same_file_each_time(figure: Figure) -> None:
    svg = draw(figure, "svg")
    assert svg == draw(figure, "svg")
    ET.fromstring(svg)
    assert draw(figure, "png").startswith(b"\x89PNG")


@pytest.mark.long
@pytest.mark.parametrize("figure", FIGURES, ids=lambda f: type(f).__name__)
def test_a_title_stands_above_all_else_and_holds_any_text(figure: Figure) -> None:
    title = "hand=3$5_L^2 <b>"
    svg = draw(dataclasses.replace(figure, title=title), "svg", titled=True).decode()
    texts = [e for e in ET.fromstring(svg).iter() if e.tag.endswith("}text")]
    places = {}
    for e in texts:
        place = re.search(r"translate\(\S+ (\S+?)\)", e.get("transform") or "")
        places[e.text] = float(place[1]) if place else float(e.get("y") or 0)
    assert places[title] == min(places.values())
    assert title not in draw(figure, "svg").decode()


def test_files_have_a_white_ground_and_pages_their_own() -> None:
    ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
    svg = draw(FIGURES[1], "svg")
    assert ground not in svg.decode()
    made = on_paper(svg)
    assert ET.fromstring(made)[0].get("fill") == "#ffffff"
    assert ground in draw(FIGURES[1], "svg", titled=True).decode()


def test_values_and_names_stand_in_the_figure() -> None:
    svg = draw(FIGURES[-1], "svg").decode()
    for text in ("−0.20", "0.50", "20.0 %", "100.0 %", ">a<", ">b<"):
        assert svg.count(text) == 1, text
    curves = draw(FIGURES[-2], "svg").decode()
    assert curves.count("↑ above") == curves.count("↓ below") == 3  # the parts lie apart
    assert curves.count("held: 2") == 3


def texts_of(figure: Figure) -> list[str]:
    """What is written in a figure."""
    root = ET.fromstring(draw(figure, "svg"))
    return ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("}text")]


def width_of(figure: Figure) -> float:
    """Its width in inches."""
    found = re.match(r"([\d.]+)pt", ET.fromstring(draw(figure, "svg")).get("width") or "")
    assert found is not None
    return float(found[1]) / 72


LONG = "a policy with quite a long name: of two lines"


@pytest.mark.long
@pytest.mark.parametrize(
    "figure",
    [
        *FIGURES[:-1],
        Curves(*WORDS, (dataclasses.replace(UP, label=LONG), OTHER)),
        Dots(*WORDS[:3], f"{LONG}, {LONG}", (Dot(LONG, 0.2, 0.1, 0.3), Dot("b", 0.5, 0.4, 0.6))),
        HeatMap(
            *("n", "t", "a", LONG, "y", (LONG,) * 10, ("c",)),
            *(((1.0,) * 10,), (("−1.0",) * 10,), "roll", "quit", LONG, 2.0),
        ),
    ],
    ids=lambda figure: type(figure).__name__,
)
def test_a_figure_is_no_wider_than_a_phone_shows_well(figure: Figure) -> None:
    # 4 inches are 384 pixels: on a screen of 390, letters keep nearly their size.
    assert width_of(figure) < WIDTH + 0.15


def test_ticks_of_whole_numbers_are_whole() -> None:
    dots = Dots(*WORDS[:3], "last penalty", (Dot("a", 5.0, 5.0, 6.0), Dot("b", 6.0, 6.0, 6.0)))
    curve = Curves(*WORDS, (Line("all", (1.0, 2.0, 3.0), *((0.0, 4.0, 8.0),) * 3),))
    assert {"5", "6"} <= set(texts_of(dots))
    assert {"1", "2", "3"} <= set(texts_of(curve))
    for figure in (dots, curve):
        assert not [text for text in texts_of(figure) if re.fullmatch(r"\d+\.\d+", text)]


@pytest.mark.parametrize(
    ("places", "sizes"),
    [
        ([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
        ([0.0, 0.2, 5.0, 5.1], [1.0, 2.0, 1.0, 1.0]),
        ([0.0, 3.0], [1.0, 1.0]),
        ([0.0, 1.1, 1.2, 1.3], [1.0, 1.0, 1.0, 1.0]),
    ],
)
def test_names_at_the_ends_of_curves_do_not_meet(places: list[float], sizes: list[float]) -> None:
    found = apart(places, sizes)
    for at in range(1, len(found)):
        assert found[at] - found[at - 1] >= (sizes[at] + sizes[at - 1]) / 2 - 1e-9
    assert sum(found) == pytest.approx(sum(places), abs=sum(sizes))
    if places == [0.0, 3.0]:  # where they do not meet, they stay
        assert found == places


def test_values_stand_beside_the_axis_where_no_line_crosses_them() -> None:
    dots = Dots(*WORDS[:4], (Dot("a", 0.2, 0.1, 0.3), Dot("b", 0.5, 0.4, 0.6)), True, 0.25, "equal")
    root = ET.fromstring(draw(dots, "svg"))
    places = {}
    for e in root.iter():
        if e.tag.endswith("}text"):
            found = re.search(r"translate\((\S+)", e.get("transform") or "")
            places["".join(e.itertext())] = float(found[1]) if found else float(e.get("x") or 0)
    assert places["20.0 %"] == pytest.approx(places["50.0 %"], abs=0.1)
    assert places["20.0 %"] > max(x for text, x in places.items() if not text.endswith(".0 %"))


def test_figures_read_back() -> None:
    for figure in FIGURES:
        assert from_plain(json.loads(json.dumps(to_plain(figure)))) == figure


def test_an_embedded_figure_follows_the_dark_mode() -> None:
    address = embedded(draw(FIGURES[1], "svg"))
    kind, _, content = address.partition(",")
    assert kind == "data:image/svg+xml;base64"
    text = base64.b64decode(content).decode()
    ET.fromstring(text)
    assert "prefers-color-scheme: dark" in text
    assert f"var(--c0, {INK})" in text
    assert all(colour in text for colour in DARK.values())


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb (WCAG 2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_lines_are_seen_on_a_dark_page() -> None:
    page = resources.files("lama_odds.report.pages") / "templates" / "review.html"
    _, dark = re.findall(r"--paper: (#\w{6})", page.read_text(encoding="utf-8"))
    for colour in COLOURS:
        assert (luminance(colour) + 0.05) / (luminance(dark) + 0.05) >= 3, colour


def test_long_names_are_folded() -> None:
    assert folded("meanfield:out=5") == "meanfield:out=5"
    assert folded("planner:chase=40,lead=5,deny=10") == "planner:chase=40,lead=5,\ndeny=10"
    assert folded("rule of thumb: match, quit at 5") == "rule of thumb: match,\nquit at 5"


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [
        ("odds", "pikomino/egmont", ""),
        ("odds", "lama/egmont", "deal"),
        ("odds", "dice/amigo", "hand=25L row=1346L opp=13,6LL"),
        ("thresholds", "pikomino/egmont", "--players", "2"),
        ("thresholds", "dice/amigo", "--players", "2", "--games", "5000"),
        ("thresholds", "dice/amigo", "--players=2", "--objective=win", "--games=2000"),
        ("advise", "dice/amigo", "hand=25L row=1346L opp=13,6LL", "--games", "1000"),
        ("advise", "pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27"),
        ("tournament", "dice/amigo", "--players=2", "--policies=random,threshold:5", "--games=64"),
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
