"""What the page shows beside its answers: how cards lie, what follows, what it could not read."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.web.test_page import (  # noqa: F401 - the fixtures too
    CHROMIUM,
    FINAL,
    GAMES,
    Phone,
    browser,
    phone,
    sync_api,
)

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here"),
]
expect = sync_api.expect


def asks(phone: Phone, rules: str, position: str, more: str = "") -> None:  # noqa: F811
    phone.open(f"rules={quote(rules)}&position={quote(position)}&games={GAMES}{more}")


def test_known_cards_of_a_grid_lie_as_chosen(phone: Phone) -> None:  # noqa: F811
    asks(phone, "noprob/starnberger", "grid=?,?,?/?,?,?/?,?,? top=4 opp=?,?,?/?,?,?/?,?,?")
    phone.tap("Row 1, column 1: unknown", "Choose 3", "Choose 5", part="grid")
    assert phone.asked()["position"].startswith("grid=(3),(5),?/")
    phone.tap("Face up", "Choose 7", "Choose 8", part="grid")
    assert phone.asked()["position"].startswith("grid=(3),(5),7/8,?,?/")
    phone.tap("Row 1, column 1: 3, face down, but you know it", part="grid")
    down = phone.page.get_by_role("button", name="Face down, known to you")
    expect(down).to_have_attribute("aria-pressed", "true")
    phone.tap("Row 1, column 1: 3, face down, but you know it", "Face up", part="grid")
    assert phone.asked()["position"].startswith("grid=3,(5),7/8,?,?/")


def test_a_verdict_says_where_the_card_goes(phone: Phone) -> None:  # noqa: F811
    position = "grid=10,?,?/?,(10),?/?,?,? top=-5 opp=?,?,?/?,?,?/?,?,?"
    asks(phone, "noprob/starnberger", position)
    phone.page.wait_for_selector(FINAL, timeout=20000)
    answer = phone.streamed(position=position, rules="noprob/starnberger")
    assert answer["best"] == "take"
    then = next(a for a in answer["assumptions"] if a.startswith("take: then replace "))
    row, column = then.removeprefix("take: then replace ").split()[0].split(",")
    expect(phone.page.locator(".verdict .then")).to_contain_text(
        f"hen replace row {row}, column {column}."
    )
    asks(phone, "noprob/starnberger", "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,?/?,?,?:DK")
    phone.page.wait_for_selector(FINAL, timeout=20000)
    uses = phone.page.locator(".bar-row", has_text="Draw").locator(".uses li")
    expect(uses.first).to_contain_text("If you draw ")


def test_chances_of_the_position_before_are_marked(phone: Phone) -> None:  # noqa: F811
    position = "hand=3356L top=4 opp=4,6"
    asks(phone, "lama/egmont", position)
    phone.page.wait_for_selector(FINAL, timeout=20000)
    chances = phone.page.locator(".odds")
    expect(chances).to_be_visible()
    expect(phone.page.locator(".old")).to_have_count(0)
    phone.page.route("**/api/odds", lambda route: None)
    phone.tap("Opponent 2 has quit")
    expect(phone.page.locator(".odds.old")).to_be_visible()
