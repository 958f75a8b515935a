"""Figures that pages state: each is in a published table, and has one value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lama_odds.core.errors import ReadError
from tools.publishing.shown import BLOCK
from tools.publishing.targets.claims import CLAIMS, FILE, MARK, filled, published, shown
from tools.publishing.targets.pages import PAGES

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = re.compile(r"--games (\d+)")
FILES = re.compile(r"\.(txt|toml|csv|json)\b")  # they may differ from page to page
# What changes how an answer is shown or where it is kept, not its figures.
SHOWN = re.compile(r" (--(games|plot|csv|out) \S+|-v)| \| head -\d+")


def marks() -> Iterator[re.Match[str]]:
    for page in PAGES:
        yield from MARK.finditer((ROOT / page).read_text(encoding="utf-8"))


def test_each_key_has_one_value_from_a_published_table() -> None:
    kept = json.loads((ROOT / FILE).read_text(encoding="utf-8"))["claims"]
    assert len({claim.key for claim in CLAIMS}) == len(CLAIMS)
    assert kept == sorted((claim.to_json() for claim in CLAIMS), key=lambda each: each["key"])


def test_pages_state_all_claims_and_no_others() -> None:
    assert {mark["key"] for mark in marks()} == {claim.key for claim in CLAIMS}
    assert {mark["key"]: mark["text"] for mark in marks()} == published()
    assert not [mark["key"] for mark in marks() if mark["text"] != published()[mark["key"]]]
    for page in PAGES:  # a mark that is not closed would not be filled in
        text = (ROOT / page).read_text(encoding="utf-8")
        assert text.count("<!-- claim:") == text.count("<!-- /claim -->")


def test_marks_are_filled_in() -> None:
    page = "It wins <!-- claim: a 2 win b: wins -->1 %<!-- /claim -->.\n"
    assert filled(page, {"a 2 win b: wins": "2 ± 1 %"}) == page.replace("1 %", "2 ± 1 %")
    with pytest.raises(ReadError, match="no claim 'a 2 win b: wins'"):
        filled(page, {"a 2 win b: win": "2 %"})


def test_figures_have_the_digits_that_their_errors_deserve() -> None:
    assert (shown(1.04, 1.6), shown(0.188, 0.15), shown(59.2)) == ("1.0 ± 1.6", "0.19 ± 0.15", "59")
    assert (shown(1243515), shown(3e-08)) == ("1,243,515", "3e-8")


def test_pages_ask_a_question_with_one_number_of_games() -> None:
    asked: dict[str, set[str]] = {}
    for page in PAGES:
        for block in BLOCK.finditer((ROOT / page).read_text(encoding="utf-8")):
            command = block["arguments"] or block["drawn"] or ""
            if not FILES.search(command):
                asked.setdefault(SHOWN.sub("", command), set()).update(GAMES.findall(command))
    assert not {question: games for question, games in asked.items() if len(games) > 1}
