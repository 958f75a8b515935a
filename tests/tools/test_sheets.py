"""Pictures of answers, and the sheets beside the table."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lama_odds.core.estimate import Estimate
from tools.publishing.sheets import dice, lama, noprob, pikomino
from tools.publishing.sheets.limits import Played, sheet_of
from tools.publishing.targets.beside_the_table import SHEETS, TARGET
from tools.publishing.terminal_picture import COLUMN, MARGIN, picture

ROOT = Path(__file__).resolve().parent.parent.parent
SVG = "{http://www.w3.org/2000/svg}"
FEW = Played(1_000, 1)


def test_a_picture_has_every_word_in_its_column() -> None:
    text = "$ lama-odds advise\n\n▶ Play 5.  Clear & sure\nplay 5   4.1  ██   <best>\n"
    root = ElementTree.fromstring(picture(text))
    words = {each.text: float(each.attrib["x"]) for each in root.iter(f"{SVG}text")}
    assert set(words) == {
        *("$ lama-odds advise", "▶ Play 5.", "Clear & sure"),
        *("play 5", "4.1", "<best>"),
    }
    assert words["4.1"] == pytest.approx(MARGIN + 9 * COLUMN, abs=0.1)
    (bar,) = (each for each in root.iter(f"{SVG}rect") if each.attrib["class"] == "bar")
    assert float(bar.attrib["width"]) == pytest.approx(2 * COLUMN, abs=0.1)
    assert "http" not in picture(text).replace("http://www.w3.org/2000/svg", "")


def test_effects_say_when_they_are_open() -> None:
    assert noprob._effect(None) == "–"
    assert noprob._effect(Estimate(-1.24, 0.1, -1.4, -1.0, 9, "simulation")) == "−1.2"
    assert noprob._effect(Estimate(0.3, 0.3, -0.3, 0.9, 9, "simulation")) == "≈ +0.3"


def test_the_last_player_of_dice_is_told_apart_where_it_turns() -> None:
    rows = [
        {"cards": "1", "penalty": 1, "better": "quit"},
        {"cards": "9", "penalty": 9, "better": "roll"},
        {"cards": "45", "penalty": 9, "better": "quit"},
        {"cards": "L", "penalty": 10, "better": "roll"},
    ]
    text = sheet_of(list(dice._last(rows)))
    assert "quit with 8 points or less, roll with 10 or more" in text
    assert "| 9 | 45 | 9 |" in text


def test_published_sheets_are_there_with_their_tables() -> None:
    for sheet in SHEETS:
        text = (ROOT / f"docs/table/{sheet.name}.md").read_text(encoding="utf-8")
        assert text.startswith(f"# {sheet.title}\n")
        assert text.count("| --- |") >= 2
        assert "`tools/publish table`" in text
        assert "--quick" not in text
    assert set(TARGET.quick) == set(TARGET.options)


def test_a_turn_of_pickomino_is_exact() -> None:
    text = sheet_of(list(pikomino.parts(FEW)))
    published = (ROOT / "docs/table/pikomino.md").read_text(encoding="utf-8")
    assert text in published


@pytest.mark.long
def test_a_sheet_has_a_limit_for_each_number_of_players() -> None:
    text = sheet_of(list(lama.parts(FEW)))
    for players in range(2, 7):
        assert re.search(rf"^\| {players} \| .*\d", text, re.MULTILINE)
    assert "play first" in text
    assert "| the first |" in text
