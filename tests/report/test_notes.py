"""What stands beside tables and figures: notes, names of groups, lines between fields."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from lama_odds.analysis.strategy_report.document import Column, Dot, Dots, HeatMap, Section, Table
from lama_odds.analysis.strategy_report.report import Ask, Budget
from lama_odds.games.registry import game_of
from lama_odds.report.figures.draw import draw
from lama_odds.report.pages.pages import Report, report_files

WORDS = ("n", "title", "what it shows", "x", "y")


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
