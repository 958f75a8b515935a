"""Figures: every kind is drawn, the same each time and wherever, small and with its notes."""

from __future__ import annotations

import base64
import dataclasses
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cache
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure as Canvas

from lama_odds.analysis.strategy_report import titles
from lama_odds.analysis.strategy_report.document import (
    EXACT,
    Bars,
    Beside,
    Curves,
    Dot,
    Dots,
    Figure,
    HeatMap,
    Line,
    Section,
    from_plain,
    to_plain,
)
from lama_odds.report.figures import draw as drawing
from lama_odds.report.figures.draw import Drawing, draw, embedded, on_paper
from lama_odds.report.figures.style import (
    DARK,
    PAGE_STYLE,
    WIDTH,
    drawn,
    slim,
)
from tests.tools.test_published import ROOT
from tools.publishing.stories.figures import FIGURES as STORIES
from tools.publishing.stories.marks import FOLDER, TITLE, with_cards, with_figures

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
LONG = "a policy with quite a long name: of two lines"
WIDE: tuple[Figure, ...] = (
    *FIGURES[:-1],
    Curves(*WORDS, (dataclasses.replace(UP, label=LONG), OTHER)),
    Dots(*WORDS[:3], f"{LONG}, {LONG}", (Dot(LONG, 0.2, 0.1, 0.3), Dot("b", 0.5, 0.4, 0.6))),
)


@cache
def svg_of(figure: Figure) -> bytes:
    return draw(figure, "svg")


@pytest.mark.one_in(4)
@pytest.mark.parametrize("figure", WIDE, ids=lambda figure: type(figure).__name__)
def test_a_figure_reads_back_and_is_no_wider_than_a_phone_shows_well(figure: Figure) -> None:
    """4 inches are 384 pixels: on a screen of 390, letters keep nearly their size."""
    assert from_plain(json.loads(json.dumps(to_plain(figure)))) == figure
    found = re.match(r"([\d.]+)pt", ET.fromstring(svg_of(figure)).get("width") or "")
    assert found is not None
    assert float(found[1]) / 72 < WIDTH + 0.15


@pytest.mark.long
@pytest.mark.parametrize("figure", FIGURES[::4], ids=lambda figure: type(figure).__name__)
def test_a_figure_is_the_same_file_each_time_and_its_title_stands_above_all_else(
    figure: Figure,
) -> None:
    assert svg_of(figure) == draw(figure, "svg")
    assert draw(figure, "png").startswith(b"\x89PNG")
    title = "hand=3$5_L^2 <b>"
    svg = draw(dataclasses.replace(figure, title=title), "svg", titled=True).decode()
    places = {}
    for each in ET.fromstring(svg).iter():
        if each.tag.endswith("}text"):
            place = re.search(r"translate\(\S+ (\S+?)\)", each.get("transform") or "")
            places[each.text] = float(place[1]) if place else float(each.get("y") or 0)
    assert places[title] == min(places.values())
    assert title not in svg_of(figure).decode()


def test_files_have_a_white_ground_and_pages_follow_the_dark_mode() -> None:
    svg, ground = svg_of(FIGURES[1]), '<rect width="100%" height="100%" fill="#ffffff"/>'
    assert ground not in svg.decode()
    assert ET.fromstring(on_paper(svg))[0].get("fill") == "#ffffff"
    assert ground in draw(FIGURES[1], "svg", titled=True).decode()
    kind, _, content = embedded(svg).partition(",")
    assert kind == "data:image/svg+xml;base64"
    text = base64.b64decode(content).decode()
    ET.fromstring(text)
    assert "prefers-color-scheme: dark" in text
    assert all(colour in text for colour in DARK.values())


def numbers_of(svg: bytes) -> list[tuple[str, list[float]]]:
    """The places of all shapes of a picture."""
    found = []
    for each in ET.fromstring(svg).iter():
        kind = each.tag.rpartition("}")[2]
        if kind in ("path", "use", "text", "rect"):
            places = " ".join(each.get(name, "") for name in ("d", "x", "y", "width", "height"))
            found.append((kind, [float(n) for n in re.findall(r"-?\d+\.?\d*", places)]))
    return found


def test_a_slim_picture_is_smaller_and_shows_the_same() -> None:
    with rc_context(PAGE_STYLE):
        figure = Canvas(figsize=(4, 3))
        axes = figure.add_subplot()
        axes.plot([0, 1, 2.345678], [1, 3, 2], "o", clip_on=True)
        axes.fill_between([0, 1, 2], [0, 1, 1], [1, 2, 3.3], alpha=0.22)
        axes.text(1, 2, "turned", rotation=30)
        whole = drawn(figure, "svg")
    made = slim(whole)
    before, after = numbers_of(whole), numbers_of(made)
    assert len(before) > 20
    for was, now in zip(before, after, strict=True):
        assert now[0] == was[0]
        assert now[1] == pytest.approx(was[1], abs=0.0051)
    text = made.decode()
    assert len(text) < 0.7 * len(whole)
    named = set(re.findall(r' id="([^"]+)"', text))
    assert named == set(re.findall(r'(?:url\(#|href="#)([^")]+)', text))


BARS = tuple(
    Bars(f"bars{n}", "title", "what it shows", "x", "y", ("1", "2"), (n / 4, 1 - n / 4))
    for n in range(2)
)
SECTION = Section("section", "title", EXACT, "basis", figures=BARS)


def contents(drawn: Drawing) -> list[bytes]:
    return [drawn.fetch(figure, image) for figure in BARS for image in ("svg", "png")]


@cache
def here() -> list[bytes]:
    return [draw(figure, image) for figure in BARS for image in ("svg", "png")]


def helpers() -> list[BaseProcess]:
    return multiprocessing.active_children()


@pytest.mark.long
def test_figures_are_the_same_wherever_they_are_drawn() -> None:
    for begun, processors in ((("svg",), 1), (("svg", "png"), 2)):
        with Drawing(begun, processors) as drawn:
            drawn.begin(SECTION)
            assert bool(helpers()) == (processors > 1)
            assert contents(drawn) == here()  # what was not begun is drawn all the same
        assert not helpers()


@pytest.mark.long
def test_without_processes_no_figure_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were killed, or cannot be had."""
    with Drawing(("svg",), 2) as drawn:
        drawn.begin(SECTION)
        for process in helpers():
            process.kill()
        assert contents(drawn) == here()
        drawn.begin(SECTION)  # nobody is left to draw it
        assert contents(drawn) == here()

    def none(*_: object, **__: object) -> None:
        raise NotImplementedError("no semaphores")

    monkeypatch.setattr(drawing, "ProcessPoolExecutor", none)
    with Drawing(("svg",), 2) as drawn:
        drawn.begin(SECTION)
        assert contents(drawn) == here()


ASKS = """
import sys, time
from tests.report.test_figures import SECTION, Drawing, contents, helpers
with Drawing(("svg",), 2) as drawn:
    drawn.begin(SECTION)
    contents(drawn)
    print(*(process.pid for process in helpers()), flush=True)
    time.sleep(600)
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="looks processes up by signals")
def test_processes_end_with_the_one_that_asked_even_if_it_is_killed() -> None:
    root = Path(__file__).resolve().parents[2]
    command, pipe = [sys.executable, "-c", ASKS], subprocess.PIPE
    with subprocess.Popen(
        command, cwd=root, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    ) as asking:
        assert asking.stdout is not None
        found = [int(word) for word in asking.stdout.readline().split()]
        asking.send_signal(signal.SIGKILL)
    assert found
    waited = time.monotonic() + 60
    while any(alive(process) for process in found) and time.monotonic() < waited:
        time.sleep(0.05)
    assert not any(alive(process) for process in found)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not (state.is_file() and state.read_text().rpartition(")")[2].split()[0] == "Z")


# Titles that say what figures show: sentences, made from the numbers that are drawn.


LONGEST = 110  # letters
SENTENCE = re.compile(r"[A-Z“].*\d.*\.")
STRATEGY = sorted((ROOT / "docs" / "strategy").glob("*.md"))


def dots(*found: tuple[str, float, str]) -> Dots:
    made = tuple(
        Dot(label, value, value - 0.1, value + 0.1, group) for label, value, group in found
    )
    return Dots("name", "", "", "", made, reference=0.25)


@pytest.mark.parametrize("made", STORIES, ids=lambda made: made.__name__)
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
    assert sorted(shown) == sorted(made.__name__ for made in STORIES)


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
