"""Reports in a real browser: nothing loaded, no errors, tables that sort, a phone's width.

Skipped where there is no Chromium (Debian: ``apt-get install chromium``) or no playwright.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PHONE = 390  # pixels

pytestmark = pytest.mark.long


@pytest.fixture
def folder(made: Path) -> Path:
    return made


@pytest.fixture
def page(browser: Any, folder: Path) -> Iterator[Any]:
    """The report at a phone's width; the test fails on errors and on anything that is loaded."""
    opened = browser.new_page(viewport={"width": PHONE, "height": 800})
    said: list[str] = []
    asked: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    address = (folder / "dice-amigo-2.html").as_uri()
    opened.goto(address)
    yield opened
    opened.close()
    assert said == []
    assert [url for url in asked if not url.startswith("data:")] == [address]


def test_all_images_load(page: Any) -> None:
    sizes = page.eval_on_selector_all("img", "all => all.map(i => [i.complete, i.naturalWidth])")
    assert len(sizes) >= 8
    assert all(complete and width > 100 for complete, width in sizes)


def test_nothing_is_wider_than_a_phone(page: Any, folder: Path) -> None:
    page.eval_on_selector_all("details", "all => all.forEach(d => { d.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE
    index = page.context.browser.new_page(viewport={"width": PHONE, "height": 800})
    index.goto((folder / "index.html").as_uri())
    assert index.evaluate("document.documentElement.scrollWidth") == PHONE
    index.close()


def test_tables_sort_by_numbers_up_and_down(page: Any) -> None:
    page.eval_on_selector_all("details", "all => all.forEach(d => { d.open = true; })")
    head = page.locator("#t-thresholds_by_penalty th button").nth(2)

    def keys() -> list[float]:
        cells = "#t-thresholds_by_penalty tbody td:nth-child(3)"
        found = page.eval_on_selector_all(cells, "all => all.map(c => Number(c.dataset.key))")
        return list(found)

    before = keys()
    head.click()
    assert keys() == sorted(before)
    head.click()
    assert keys() == sorted(before, reverse=True)
    order = page.locator("#t-thresholds_by_penalty th").nth(2).get_attribute("aria-sort")
    assert order == "descending"


def test_whole_numbers_sort_by_their_text_and_none_is_below_all(page: Any) -> None:
    page.eval_on_selector_all("details", "all => all.forEach(d => { d.open = true; })")
    heads = page.locator("#t-thresholds th button")

    def sorted_by(name: str) -> list[str]:
        at = heads.all_inner_texts().index(name)
        heads.nth(at).click()
        return list(page.locator(f"#t-thresholds tbody td:nth-child({at + 1})").all_inner_texts())

    sorted_by("n")  # another order than before
    numbers = [int(text) for text in sorted_by("penalty")]
    assert numbers == sorted(numbers)
    assert len({len(str(n)) for n in numbers}) > 1  # as texts they would stand otherwise
    others = sorted_by("others still in")
    none = others.count("–")
    assert others == ["–"] * none + ["1"] * (len(others) - none)
    assert 0 < none < len(others)


def test_tables_show_the_rows_that_hold_all_words(page: Any) -> None:
    page.eval_on_selector_all("details", "all => all.forEach(d => { d.open = true; })")
    page.fill("input[data-table=t-last_player]", "roll 16")
    rows = page.locator("#t-last_player tbody tr:visible")
    assert 0 < rows.count() < 127
    assert all("roll" in text and "16" in text for text in rows.all_inner_texts())
    page.fill("input[data-table=t-last_player]", "")
    assert rows.count() == 127


def test_the_dark_is_dark(browser: Any, folder: Path) -> None:
    opened = browser.new_page(color_scheme="dark")
    opened.goto((folder / "dice-amigo-2.html").as_uri())
    assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 27)"
    opened.close()
