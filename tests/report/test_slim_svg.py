"""Smaller SVG: the same picture, shape by shape, to a hundredth of a point."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from matplotlib import rc_context
from matplotlib.figure import Figure

from lama_odds.report.figures.files import drawn
from lama_odds.report.figures.slim_svg import slim
from lama_odds.report.figures.style import PAGE_STYLE

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = ("path", "use", "text", "rect")


def picture() -> bytes:
    with rc_context(PAGE_STYLE):
        figure = Figure(figsize=(4, 3))
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
