"""The page for everybody: checked by axe in a real browser, in the light and in the dark.

Skipped where there is no Chromium (Debian: ``apt-get install chromium``), playwright or axe.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.web.phone import PHONE
from tests.web.served import Server

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
pytestmark = pytest.mark.long

ASKED = {
    "cards": ("lama/party+drama", "hand=33+5LP top=4 opp=4,q2,6 pot=1,10"),
    "dice": ("dice/amigo", "hand=25L row=1346L opp=13,q6LL rolled=13L"),
    "worms": ("pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27"),
    "grid": (
        "noprob/starnberger",
        "grid=3,?,5/?,(7),?/J,?,? mine=D top=4 opp=?,?,?/?,?,9/?,?,?:DK",
    ),
    "impossible": ("lama/amigo", "hand=33333333344444444 top=4 opp=4,q2,60"),
    "text": ("pig/classic", ""),
}
SIZES = {"phone": PHONE, "desk": {"width": 1200, "height": 800}}


def found_by_axe(page: Any) -> list[str]:
    """What axe finds, with the first place of each."""
    found = axe.Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]


# Colours hang on the scheme, places on the size: two of the four show both of each.
@pytest.mark.parametrize(("size", "scheme"), [("phone", "light"), ("desk", "dark")])
def test_axe_finds_nothing(server: Server, browser: Any, size: str, scheme: str) -> None:
    faults = {}
    page = browser.new_page(viewport=SIZES[size], color_scheme=scheme, locale="en-GB")
    for name, (rules, position) in ASKED.items():
        page.goto(f"{server.address}?rules={quote(rules)}&position={quote(position)}&games=1000")
        page.wait_for_selector("main .verdict:not(:empty)", timeout=30_000)
        page.wait_for_timeout(500)
        faults[name] = found_by_axe(page)
    for tab in ("Table", "Look up"):
        page.locator("#tabs button", has_text=tab).click()
        page.wait_for_timeout(500)
        faults[tab] = found_by_axe(page)
    page.close()
    assert not any(faults.values()), "\n".join(f"{name}: {each}" for name, each in faults.items())
