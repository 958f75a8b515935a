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
import xml.etree.ElementTree as ElementTree
from functools import cache
from importlib import resources
from itertools import pairwise
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure as Canvas

import lama_odds as lo
from lama_odds.analysis.strategy_report.document import (
    EXACT,
    Ask,
    Bars,
    Beside,
    Budget,
    Column,
    Curves,
    Dot,
    Dots,
    Figure,
    HeatMap,
    Line,
    Section,
    Table,
    from_plain,
    to_plain,
)
from lama_odds.games.registry import game_of
from lama_odds.report.figures import drawing
from lama_odds.report.figures.curves import apart
from lama_odds.report.figures.draw import draw, embedded, on_paper
from lama_odds.report.figures.drawing import Drawing
from lama_odds.report.figures.style import (
    COLOURS,
    DARK,
    INK,
    PAGE_STYLE,
    WIDTH,
    drawn,
    folded,
    slim,
)
from lama_odds.report.figures.sweeps import GAP, LETTER, labelled, sweep_figure
from lama_odds.report.pages.pages import Report, report_files
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


@cache
def svg_of(figure: Figure) -> bytes:
    return draw(figure, "svg")


@pytest.mark.long
@pytest.mark.parametrize("figure", FIGURES, ids=lambda f: type(f).__name__)
def test_a_figure_is_the_same_file_each_time_and_its_title_stands_above_all_else(
    figure: Figure,
) -> None:
    assert svg_of(figure) == draw(figure, "svg")
    title = "hand=3$5_L^2 <b>"
    svg = draw(dataclasses.replace(figure, title=title), "svg", titled=True).decode()
    texts = [e for e in ET.fromstring(svg).iter() if e.tag.endswith("}text")]
    places = {}
    for e in texts:
        place = re.search(r"translate\(\S+ (\S+?)\)", e.get("transform") or "")
        places[e.text] = float(place[1]) if place else float(e.get("y") or 0)
    assert places[title] == min(places.values())
    assert title not in svg_of(figure).decode()


@pytest.mark.parametrize("figure", [FIGURES[0], FIGURES[-1]], ids=lambda f: type(f).__name__)
def test_a_figure_can_be_an_image(figure: Figure) -> None:
    assert draw(figure, "png").startswith(b"\x89PNG")


def test_files_have_a_white_ground_and_pages_their_own() -> None:
    ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
    svg = svg_of(FIGURES[1])
    assert ground not in svg.decode()
    made = on_paper(svg)
    assert ET.fromstring(made)[0].get("fill") == "#ffffff"
    assert ground in draw(FIGURES[1], "svg", titled=True).decode()


def test_values_and_names_stand_in_the_figure() -> None:
    svg = svg_of(FIGURES[-1]).decode()
    for text in ("−0.20", "0.50", "20.0 %", "100.0 %", ">a<", ">b<"):
        assert svg.count(text) == 1, text
    curves = svg_of(FIGURES[-2]).decode()
    assert curves.count("↑ above") == curves.count("↓ below") == 3  # the parts lie apart
    assert curves.count("held: 2") == 3


def texts_of(figure: Figure) -> list[str]:
    """What is written in a figure."""
    root = ET.fromstring(svg_of(figure))
    return ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("}text")]


def width_of(figure: Figure) -> float:
    """Its width in inches."""
    found = re.match(r"([\d.]+)pt", ET.fromstring(svg_of(figure)).get("width") or "")
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
    root = ET.fromstring(svg_of(dots))
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
    address = embedded(svg_of(FIGURES[1]))
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
        ("odds", "dice/amigo", "hand=25L row=1346L opp=13,6LL"),
        ("thresholds", "pikomino/egmont", "--players", "2"),
        ("thresholds", "dice/amigo", "--players", "2", "--games", "2000"),
        ("thresholds", "dice/amigo", "--players=2", "--objective=win", "--games=1500"),
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


BARS = tuple(
    Bars(f"bars{n}", "title", "what it shows", "x", "y", ("1", "2"), (n / 4, 1 - n / 4))
    for n in range(3)
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
@pytest.mark.parametrize(("begun", "processors"), [(("svg",), 1), (("svg", "png"), 2)])
def test_figures_are_the_same_wherever_they_are_drawn(
    begun: tuple[str, ...], processors: int
) -> None:
    with Drawing(begun, processors) as drawn:
        drawn.begin(SECTION)
        assert bool(helpers()) == (processors > 1)
        assert contents(drawn) == here()  # what was not begun is drawn all the same
    assert not helpers()


@pytest.mark.long
def test_a_killed_process_costs_no_figure() -> None:
    with Drawing(("svg", "png"), 2) as drawn:
        drawn.begin(SECTION)
        for process in helpers():
            process.kill()
        assert contents(drawn) == here()
        drawn.begin(SECTION)  # nobody is left to draw it
        assert contents(drawn) == here()


@pytest.mark.long
def test_without_processes_figures_are_drawn_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> None:
        raise NotImplementedError("no semaphores")

    monkeypatch.setattr(drawing, "ProcessPoolExecutor", none)
    with Drawing(("svg", "png"), 2) as drawn:
        drawn.begin(SECTION)
        assert contents(drawn) == here()


@pytest.mark.long
def test_an_error_ends_the_processes() -> None:
    def stopped() -> None:
        with Drawing(("svg", "png"), 2) as drawn:
            drawn.begin(SECTION)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert not helpers()


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
    with subprocess.Popen(
        [sys.executable, "-c", ASKS],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
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


SVG = "{http://www.w3.org/2000/svg}"


SHAPES = ("path", "use", "text", "rect")


def picture() -> bytes:
    with rc_context(PAGE_STYLE):
        figure = Canvas(figsize=(4, 3))
        axes = figure.add_subplot()
        axes.plot([0, 1, 2.345678], [1, 3, 2], "o", clip_on=True)
        axes.fill_between([0, 1, 2], [0, 1, 1], [1, 2, 3.3], alpha=0.22)
        axes.text(1, 2, "turned", rotation=30)
        axes.text(0, 1, "a < b", ha="right")
        axes.text(2, 1, "0.125")
        axes.set_ylabel("upright")
        return drawn(figure, "svg")


def styled(svg: bytes) -> list[tuple[str, str, list[float], str]]:
    """Every shape: its kind, its style, the numbers of its attributes, its text."""
    root = ElementTree.fromstring(svg)
    rules = dict(re.findall(r"\.(s\d+){(.*?)}", "".join(root.itertext())))
    found = []
    for element in root.iter():
        kind = element.tag.removeprefix(SVG)
        if kind in SHAPES:
            style = element.get("style") or rules.get(element.get("class", ""), "")
            places = [element.get(name, "") for name in ("d", "x", "y", "width", "height")]
            turned = element.get("transform", "")
            places.append("" if "rotate(-0 " in turned or "rotate(0 " in turned else turned)
            numbers = [float(n) for n in re.findall(r"-?\d+\.?\d*", " ".join(places))]
            found.append((kind, style, numbers, element.text or ""))
    return found


def test_all_shapes_stay_where_and_as_they_are() -> None:
    before, after = styled(picture()), styled(slim(picture()))
    assert len(before) == len(after) > 20
    for was, now in zip(before, after, strict=True):
        assert (was[0], was[1], was[3].strip()) == (now[0], now[1], now[3].strip())
        assert len(was[2]) == len(now[2])
        assert all(abs(a - b) < 0.0051 for a, b in zip(was[2], now[2], strict=True))


def test_it_is_smaller_and_what_is_referred_to_is_there() -> None:
    before, after = picture(), slim(picture()).decode()
    assert len(after) < 0.7 * len(before)
    assert "<metadata" not in after
    named = set(re.findall(r' id="([^"]+)"', after))
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', after))
    assert named == used
    assert len(used) >= 3


def test_what_is_slim_stays_as_it_is() -> None:
    once = slim(picture())
    assert styled(slim(once)) == styled(once)


@pytest.mark.parametrize("format_", ["html", "md"])
def test_the_note_of_a_table_stands_above_it(format_: str) -> None:
    game = game_of("dice/amigo")
    ask = Ask(game, game.rules("dice/amigo"), 2, Budget(1.0))
    columns = (Column("a", "text"),)
    tables = (
        Table("t", "Short", columns, (("cell",),), note="What the columns mean."),
        Table("u", "Other", columns, (("cell",),)),
    )
    section = Section("s", "S", "exact", "all", tables=tables)
    files = report_files(Report(ask, "slug", "command", (section,)), format_, (), parquet=False)
    text = files[f"slug.{format_}"].decode()
    assert text.count("What the columns mean.") == 1
    assert text.index("Short") < text.index("What the columns mean.") < text.index("cell")


def test_names_of_groups_stand_above_the_figure() -> None:
    dots = tuple(Dot("a", 0.2 * at, 0.1, 0.9, f"group {at}") for at in range(1, 4))
    svg = draw(Dots(*WORDS[:4], dots), "svg").decode()
    heights = {}
    for element in ET.fromstring(svg).iter():
        if element.tag.endswith("}text"):
            place = re.search(r"translate\(\S+ (\S+?)\)", element.get("transform") or "")
            heights[element.text] = float(place[1]) if place else float(element.get("y") or 0)
    named = [heights[f"group {at}"] for at in range(1, 4)]
    assert named == sorted(named)
    assert named[-1] < heights["a"]


def test_a_map_is_drawn_with_or_without_its_border() -> None:
    def lines(border: bool) -> int:
        values, texts = ((1.0, -1.0),), (("1", "2"),)
        found = HeatMap(
            *WORDS, ("a", "b"), ("c",), values, texts, "roll", "quit", "points", 2.0, border
        )
        return draw(found, "svg").decode().count("stroke-width: 1.4")

    assert lines(True) == 1
    assert lines(False) == 0


def test_names_along_a_line_have_room() -> None:
    for places, expected in (
        ([10, 20, 30], [0, 1, 2]),
        ([10, 11, 12, 20, 100], [0, 3, 4]),
        (list(range(10, 101)), None),
    ):
        names = [str(place) for place in places]
        found = labelled(places, names, 2.5)
        assert expected in (None, found)
        for one, two in pairwise(found):
            room = (places[two] - places[one]) * 2.5 / (places[-1] - places[0])
            assert room >= (len(names[one]) + len(names[two])) / 2 * LETTER + GAP
        assert found[0] == 0
        assert len(found) > 2


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("vary", "turned", "told"),
    [
        (["target=30,40"], False, None),
        (["points=1.2.3.4.5.6,1.1.1.1.1.1,2.2.2.2.2.2,3.3.3.3.3.3"], True, None),
        (["dealt=5,6", "target=10..40"], True, None),
        (["target=10..40"], False, 11),
    ],
)
def test_names_are_turned_or_thinned(vary: list[str], turned: bool, told: int | None) -> None:
    found = lo.sweep("lama/amigo", vary, 2, policy="random", games=104, measures="rounds").found
    drawn = sweep_figure(found, "svg").decode()
    # A name of an axis may be turned, a value is not.
    assert bool(re.search(r"rotate\(-90\)[^>]*>[\d.]+<", drawn)) == turned
    if told:
        assert len(re.findall(r">[1-4]\d<", drawn)) == told
