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


def test_who_has_quit_needs_cards_or_points(phone: Phone) -> None:  # noqa: F811
    asks(phone, "dice/amigo", "hand=25L opp=,6L")
    phone.tap("Opponent 1 has quit")
    assert "q=10" not in phone.asked()["position"]
    expect(phone.page.locator(".verdict")).to_have_text("Tap your opponents' cards.")
    phone.page.reload()
    phone.tap("Opponent 1's penalty: one more")
    assert phone.asked()["position"].endswith("opp=q=10,6L")
    phone.tap("Opponent 1", "Add 3", part="opp1")
    assert phone.asked()["position"].endswith("opp=q3,6L")


def test_guessed_hands_follow_yours_until_they_are_changed(phone: Phone) -> None:  # noqa: F811
    phone.open()
    phone.tap("Add 3", "Add 5", "Choose 4")
    counts = phone.page.locator("[data-part^=opp] .count")
    expect(counts).to_have_text(["2?", "2?"])
    phone.tap("Opponent 1: one more")
    expect(counts).to_have_text(["3", "2?"])
    phone.page.reload()
    phone.tap("Add 6")
    expect(counts).to_have_text(["3", "3?"])
    assert phone.asked()["position"] == "hand=356 top=4 opp=3,3"


def test_the_box_of_a_game_is_remembered(phone: Phone) -> None:  # noqa: F811
    phone.open()
    phone.tap("Add 3", "Add 5", "Choose 4")
    phone.tap("Change", "Lama Dice")
    assert phone.asked()["rules"] == "dice/amigo"
    phone.page.locator(".edition", has_text="Gigamic").click()
    phone.tap("L.A.M.A.")
    phone.page.wait_for_url("**rules=lama*")
    assert phone.asked()["rules"] == "lama/amigo"
    phone.tap("Lama Dice")
    phone.page.wait_for_url("**rules=dice*")
    assert phone.asked()["rules"] == "dice/gigamic"
    phone.tap("Done", "Table")
    edition = phone.page.locator("[data-key='edition.dice/gigamic']")
    expect(edition).to_have_attribute("aria-pressed", "true")


def test_a_hand_stays_when_the_box_changes(phone: Phone) -> None:  # noqa: F811
    asks(phone, "lama/amigo", "hand=35 top=4 opp=2,4")
    phone.choose("L.A.M.A.", "Egmont", 4)
    assert phone.asked()["rules"] == "lama/egmont"
    assert phone.asked()["position"].startswith("hand=35 top=4 opp=2,4,")


def test_a_refused_house_rule_says_why(phone: Phone) -> None:  # noqa: F811
    asks(phone, "lama/amigo", "hand=35 top=4 opp=2,4")
    phone.tap("Change")
    phone.page.locator("summary", has_text="House rules").click()
    expect(phone.page.locator("[data-key='option.pink_adds']")).to_have_count(0)
    phone.page.route(
        "**/api/rules/**",
        lambda route: route.fulfill(
            status=422, json={"error": {"kind": "cannot read", "message": "it needs more llamas"}}
        ),
    )
    phone.page.get_by_role("switch").first.click()
    expect(phone.page.locator(".house [role=alert]")).to_have_text("It needs more llamas")


@pytest.mark.parametrize(
    ("rules", "said", "shown"),
    [
        ("nonsense/amigo", "unknown game 'nonsense'", "lama/amigo"),
        ("dice/nonsense", "unknown edition 'nonsense'", "dice/amigo"),
    ],
)
def test_an_unknown_box_is_named(phone: Phone, rules: str, said: str, shown: str) -> None:  # noqa: F811
    asks(phone, rules, "hand=35")
    note = phone.page.locator("main [role=alert]").first
    expect(note).to_contain_text(said)
    expect(note).to_contain_text(shown)
    phone.tap("Add 3")
    expect(note).to_have_count(0)


def test_what_an_address_has_in_vain_is_named(phone: Phone) -> None:  # noqa: F811
    asks(phone, "lama/amigo", "hand=35zz top=4 opp=2,4 oops")
    notes = phone.page.locator("main [role=alert]")
    expect(notes).to_have_text(["Not read: zz in hand=35zz", "Not read: oops"])
    asks(phone, "pikomino/egmont", "kept=44W centre=21-26,28-30 own=31 tops=-,27")
    expect(phone.page.locator(".setup-line h1")).to_have_text("Pikomino")
    expect(notes).to_have_count(0)
