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


@pytest.fixture(scope="module")
def page(browser: Any, made: Path) -> Iterator[Any]:
    """The report at a phone's width, opened once; no test changes what another looks at."""
    opened = browser.new_page(viewport={"width": PHONE, "height": 800}, color_scheme="dark")
    said: list[str] = []
    asked: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    address = (made / "dice-amigo-2.html").as_uri()
    opened.goto(address)
    opened.eval_on_selector_all("details", "all => all.forEach(d => { d.open = true; })")
    yield opened
    opened.close()
    assert said == []
    assert [url for url in asked if not url.startswith("data:")] == [address]


def test_all_is_shown_on_a_phone_in_the_dark(page: Any, made: Path) -> None:
    sizes = page.eval_on_selector_all("img", "all => all.map(i => [i.complete, i.naturalWidth])")
    assert len(sizes) >= 8
    assert all(complete and width > 100 for complete, width in sizes)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 27)"
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE
    index = page.context.browser.new_page(viewport={"width": PHONE, "height": 800})
    index.goto((made / "index.html").as_uri())
    assert index.evaluate("document.documentElement.scrollWidth") == PHONE
    index.close()


def test_tables_sort_by_numbers_up_and_down_and_none_is_below_all(page: Any) -> None:
    heads = page.locator("#t-thresholds th button")
    names = heads.all_inner_texts()

    def sorted_by(name: str) -> list[str]:
        at = names.index(name)
        heads.nth(at).click()
        return list(page.locator(f"#t-thresholds tbody td:nth-child({at + 1})").all_inner_texts())

    sorted_by("n")  # another order than before
    numbers = [int(text) for text in sorted_by("penalty")]
    assert numbers == sorted(numbers)
    assert len({len(str(n)) for n in numbers}) > 1  # as texts they would stand otherwise
    assert [int(text) for text in sorted_by("penalty")] == numbers[::-1]
    head = page.locator("#t-thresholds th").nth(names.index("penalty"))
    assert head.get_attribute("aria-sort") == "descending"
    others = sorted_by("others still in")
    none = others.count("–")
    assert others == ["–"] * none + ["1"] * (len(others) - none)
    assert 0 < none < len(others)


def test_tables_show_the_rows_that_hold_all_words(page: Any) -> None:
    page.fill("input[data-table=t-last_player]", "roll 16")
    rows = page.locator("#t-last_player tbody tr:visible")
    assert 0 < rows.count() < 127
    assert all("roll" in text and "16" in text for text in rows.all_inner_texts())
    page.fill("input[data-table=t-last_player]", "")
    assert rows.count() == 127
