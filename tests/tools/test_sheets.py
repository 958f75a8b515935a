"""Pictures of answers, and the sheets beside the table."""

from __future__ import annotations

from html import escape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lama_odds.core.data import data_json
from lama_odds.games.interface.best import CARDS
from lama_odds.games.registry import game_of
from lama_odds.games.shared.rule_cards import card_in, language_of
from tools.publishing.sheets.beside import Sheet, markdown, printed
from tools.publishing.targets.beside_the_table import PRINTED, SHEETS
from tools.publishing.terminal_picture import COLUMN, MARGIN, picture

ROOT = Path(__file__).resolve().parent.parent.parent
SVG = "{http://www.w3.org/2000/svg}"


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


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_published_sheets_say_what_the_cards_say(sheet: Sheet) -> None:
    text = (ROOT / f"docs/table/{sheet.name}.md").read_text(encoding="utf-8")
    page = (ROOT / f"docs/table/{sheet.name}{PRINTED}").read_text(encoding="utf-8")
    assert text.startswith(f"# {sheet.title}\n")
    assert "`tools/publish table`" in text
    assert page == printed(sheet)
    for part in markdown(sheet):
        assert part in text
    main = next(iter(sheet.editions))
    entries = data_json(CARDS)["cards"][main.split("/")[0]][main.split("/")[1]]
    assert page.count("<section") == 2 * len(entries)
    for entry in entries.values():
        language, card = card_in(game_of(main).policy(entry["policy"]))
        lines = language.in_words(card)
        assert all(line in text and escape(line) in page for line in lines)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_why_is_told_of_what_cards_speak_of(sheet: Sheet) -> None:
    family = next(f for f in game_of(next(iter(sheet.editions))).families if f.name == "card")
    language = language_of(family)
    assert language is not None
    assert set(sheet.why) <= {feature.name for feature in language.features}
