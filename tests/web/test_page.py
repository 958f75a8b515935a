"""The page in a real browser: tapped positions get the answers of the command.

Nothing is loaded from elsewhere, and nothing breaks the content security policy.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import lama_odds as lo
from tests.web.phone import AWAY, FINAL, GAMES, PHONE, Phone, opened, patient
from tests.web.served import Server

THUMB = 44  # pixels
STATIC = Path(lo.__file__).parent / "web" / "static"
sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.long
expect = sync_api.expect


def asks(phone: Phone, rules: str, position: str, games: int = GAMES) -> None:
    phone.open(f"rules={quote(rules, safe='')}&position={quote(position, safe='')}&games={games}")


def check_answer(phone: Phone, rules: str, position: str) -> None:
    """The address has this position, and the answer is that of `advise`, bit for bit."""
    assert phone.asked()["position"] == position
    answer = phone.streamed(position=position, rules=rules)
    expected = lo.advise(rules, position, games=GAMES, seed=0).to_json()
    assert {**answer, "seconds": 0} == {**expected, "seconds": 0}


# Tapped positions


def test_cards_are_tapped(phone: Phone) -> None:
    phone.open(f"games={GAMES}")
    assert "hand" in phone.verdict()
    phone.choose("L.A.M.A.", "Amigo", 4)
    phone.tap("Add 3", "Add 3", "Add 5", "Add 6", "Add llama", "Add 2", "Remove 2")
    phone.tap("Choose 4")
    phone.tap("Opponent 1: one fewer", "Opponent 2 has quit", "Opponent 3: one more")
    check_answer(phone, "lama/amigo", "hand=3356L top=4 opp=4,q5?,6")
    phone.page.wait_for_selector(FINAL)
    assert "play 5" in phone.verdict().lower()


def test_dice_are_tapped(phone: Phone) -> None:
    phone.open(f"games={GAMES}")
    phone.choose("Lama Dice", "Amigo")
    phone.tap("Add 2", "Add 5", "Add llama", part="hand")
    phone.tap("Opponent 1 has quit")  # with which cards or points?
    expect(phone.page.locator(".verdict")).to_have_text("Tap your opponents' cards.")
    phone.tap("Opponent 1's penalty: one more")
    assert "opp=q=10," in phone.asked()["position"]
    phone.tap("Opponent 1", "Add 1", "Add 3", part="opp1")
    phone.tap("Add 6", "Add llama", part="opp2")
    phone.tap("2", "5", part="row")
    position = "hand=25L row=1346L opp=q13,6L"
    check_answer(phone, "dice/amigo", position)
    phone.tap("Add 1", "Add 3", "Add llama", part="rolled")
    check_answer(phone, "dice/amigo", f"{position} rolled=13L")
    expect(phone.page.locator(".verdict")).to_contain_text("Discard")


def test_worms_are_tapped(phone: Phone) -> None:
    phone.open(f"games={GAMES}")
    phone.choose("Pikomino", "Egmont", 2)
    phone.tap("Add 4", "Add 4", "Add 4", "Add worm", part="kept")
    phone.tap("Add 1", "Add 2", "Add 4", part="rolled")
    assert phone.verdict() == "Tap all dice of the roll."
    phone.tap("Add 5", part="rolled")
    phone.tap("Your top tile", "Choose 24", part="own")
    phone.tap("Opponent 1's top tile", "Choose 27", part="top1")
    phone.tap("Tiles in the centre", "36", part="centre")
    turned = "kept=444W rolled=1245 centre=21-23,25-26,28-35 own=24 tops=27"
    check_answer(phone, "pikomino/egmont", turned)
    assert phone.verdict().endswith("exact")


def test_a_grid_is_tapped(phone: Phone) -> None:
    phone.open(f"games={GAMES}")
    phone.choose("No Prob-Lama", "Starnberger", 2)
    phone.tap("Choose 4", part="top")
    phone.tap("Row 1, column 1: unknown", "Choose 3", part="grid")
    assert phone.asked()["position"].startswith("grid=(3),?,?/")
    phone.tap("Row 1, column 1: 3, face down, but you know it", "Face up", part="grid")
    phone.tap("Row 1, column 3: unknown", "Choose 5", part="grid")
    phone.tap("Row 2, column 2: unknown", "Choose 7", part="grid")
    phone.tap("Row 2, column 2: 7", "Face down, known to you", part="grid")
    phone.tap("Row 3, column 1: unknown", "Face up", "Choose joker", part="grid")
    phone.tap("Opponent 1's specials", "Add Drama", "Add Karma", part="beside1")
    check_answer(phone, "noprob/starnberger", "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?:DK")


def test_unknown_sizes_get_a_rule_and_follow_your_hand_until_they_are_changed(phone: Phone) -> None:
    phone.open(f"games={GAMES}")
    phone.choose("L.A.M.A.", "Amigo", 3)
    phone.tap("Add 2", "Add 3", "Choose 5")
    check_answer(phone, "lama/amigo", "hand=23 top=5 opp=2?,2?")
    phone.page.wait_for_selector(FINAL)
    assert phone.verdict().startswith("Quit if somebody holds 1 card, otherwise draw")
    assert phone.page.locator(".strip b").all_inner_texts() == ["1", "2?", "3", "4", "5", "6+"]
    assert phone.width() == PHONE["width"]
    phone.tap("Opponent 2: one more")
    phone.page.reload()  # the link keeps what is a guess
    phone.tap("Add 6")
    expect(phone.page.locator("[data-part^=opp] .count")).to_have_text(["3?", "3"])
    assert phone.asked()["position"] == "hand=236 top=5 opp=3?,3"


def test_the_box_of_a_game_and_its_hand_are_remembered(phone: Phone) -> None:
    asks(phone, "lama/amigo", "hand=35 top=4 opp=2,4")
    phone.choose("L.A.M.A.", "Egmont", 4)
    assert phone.asked()["rules"] == "lama/egmont"
    assert phone.asked()["position"].startswith("hand=35 top=4 opp=2,4,")
    for game, rules in (("Lama Dice", "dice/amigo"), ("L.A.M.A.", "lama/egmont")):
        phone.tap("Change", game)
        phone.page.wait_for_url(f"**rules={rules[:4]}*")
        assert phone.asked()["rules"] == rules
        phone.tap("Done")


# Addresses


def test_an_address_fills_the_builder(phone: Phone) -> None:
    for rules, position in (
        ("lama/party+drama", "hand=33+5LP top=4 opp=4,q2 pot=1,1,10 scores=12,31,5 pile=20"),
        ("dice/egmont+twenty", "hand=25L row=- opp=13,q=16 scores=4,5,6 first=1"),
        ("pikomino/egmont", "kept=44W centre=21-26,28-30 own=31 tops=-,27"),
        (
            "noprob/starnberger",
            "grid=3,?,5/?,(7),?/J,?,? mine=D top=- opp=?,?,?/?,?,9/?,?,?:DK drawn=9 llamas=1,0",
        ),
    ):
        asks(phone, rules, position)
        shown = phone.page.locator(".notation").inner_text()
        assert sorted(shown.split()) == sorted(position.split())


def test_a_game_without_a_builder_has_a_field(phone: Phone) -> None:
    pytest.importorskip("lama_odds_pig", reason="the example of a game is not installed")
    asks(phone, "pig/classic", "turn=12 scores=40,50")
    field = phone.page.locator("[data-part=text] input")
    assert field.input_value() == "turn=12 scores=40,50"


def test_what_an_address_has_in_vain_is_named(phone: Phone) -> None:
    notes = phone.page.locator("main [role=alert]")
    for rules, said, shown in (
        ("nonsense/amigo", "unknown game 'nonsense'", "lama/amigo"),
        ("dice/nonsense", "unknown edition 'nonsense'", "dice/amigo"),
    ):
        asks(phone, rules, "hand=35")
        expect(notes.first).to_contain_text(said)
        expect(notes.first).to_contain_text(shown)
    phone.tap("Add 3")
    expect(notes).to_have_count(0)
    asks(phone, "lama/amigo", "hand=35zz top=4 opp=2,4 oops")
    expect(notes).to_have_text(["Not read: zz in hand=35zz", "Not read: oops"])


def test_back_leads_to_the_part_before(phone: Phone) -> None:
    before = "hand=35 top=4 opp=2?,2?"
    phone.open()
    phone.tap("Add 3", "Add 5", "Choose 4", "Opponent 1: one fewer")
    assert phone.asked()["position"] == "hand=35 top=4 opp=1,2?"
    phone.page.go_back()
    assert phone.asked()["position"] == before
    phone.page.reload()
    phone.page.wait_for_selector(".notation")
    phone.tap("Table")
    assert "table" in phone.asked()
    phone.page.go_back()
    assert phone.page.locator(".notation").inner_text() == before


# Answers


def test_an_answer_sharpens_until_the_position_changes(phone: Phone) -> None:
    """The chances of the position before are marked as old."""
    given_up: list[str] = []
    phone.page.on("requestfailed", lambda request: given_up.append(request.url))
    asks(phone, "lama/egmont", "hand=3356L top=4 opp=4,6", games=200_000)
    expect(phone.page.locator(".verdict small")).to_contain_text("games")
    expect(phone.page.locator(".odds")).to_be_visible()
    assert phone.page.locator(".bar-row").count() == 3
    assert phone.page.locator(".odds.old").count() == 0
    phone.page.route("**/api/odds*", lambda route: None)
    phone.tap("Opponent 2 has quit")
    expect(phone.page.locator(".notation")).to_have_text("hand=3356L top=4 opp=4,q6")
    expect(phone.page.locator(".odds.old")).to_be_visible()
    assert [url for url in given_up if "stream" in url and "q6" not in url]


def test_what_is_not_known_yet_can_be_thought_about_longer(phone: Phone) -> None:
    position = "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK"
    asks(phone, "noprob/starnberger", position, games=1_000)
    phone.streamed(position=position, rules="noprob/starnberger")
    expect(phone.page.locator(".verdict")).to_contain_text("Not known yet")
    phone.page.route(
        "**seconds=10**",
        lambda route: route.continue_(url=route.request.url.replace("seconds=10", "seconds=1")),
    )
    phone.tap("Think for 10 seconds")
    phone.page.wait_for_function("() => window.seen.filter(e => e.final).length > 1")
    games = phone.page.evaluate("() => window.seen.filter(e => e.final).map(e => e.answer.games)")
    assert games[1] > games[0]


def test_a_verdict_says_where_the_card_goes_and_why(phone: Phone) -> None:
    position = "grid=10,?,?/?,(10),?/?,?,? top=-5 opp=?,?,?/?,?,?/?,?,?"
    asks(phone, "noprob/starnberger", position)
    phone.page.wait_for_selector(FINAL)
    answer = phone.streamed(position=position, rules="noprob/starnberger")
    (use,) = answer["then"][answer["best"]]
    row, column = use["action"].removeprefix("replace ").split(",")
    said = f"hen replace row {row}, column {column}."
    expect(phone.page.locator(".verdict .then")).to_contain_text(said)
    asks(phone, "pikomino/egmont", "kept=444WW")
    expect(phone.page.locator(".reason").first).to_contain_text("go bust")


def test_what_cannot_occur_is_marked_where_it_stands(phone: Phone) -> None:
    position = "hand=555L top=5 opp=5,q0 seen=55555"
    with pytest.raises(lo.LamaOddsError) as raised:
        lo.advise("lama/egmont", position)
    defects = raised.value.defects  # type: ignore[attr-defined]
    assert len(defects) == 2
    asks(phone, "lama/egmont", position)
    phone.page.wait_for_selector(".verdict.bad")
    text = phone.page.locator("main").inner_text().lower()
    assert all(defect.lower() in text for defect in defects)
    marked = phone.page.locator("[data-part=opp2] .defects").inner_text()
    assert marked.lower() == next(d for d in defects if "opponent 2" in d)
    phone.tap("Opponent 2: one more")
    expect(phone.page.locator("[data-part=opp2] .defects")).to_have_count(0)
    expect(phone.page.locator(".verdict")).to_contain_text("9 cards 5 in sight")


def test_the_answer_comes_when_the_server_is_back(phone: Phone) -> None:
    """By itself, or at a tap."""
    verdict = phone.page.locator(".verdict")
    asks(phone, "lama/egmont", "hand=4 top=4 opp=4,6")
    phone.page.wait_for_selector(FINAL)
    for tapped in (False, True):
        phone.page.route("**/api/**", lambda route: route.abort("internetdisconnected"))
        phone.tap("Opponent 2 has quit")
        expect(phone.page.locator(".verdict.bad")).to_contain_text("Tap here to try again.")
        phone.page.unroute("**/api/**")
        if tapped:
            verdict.click()
        else:
            phone.page.clock.fast_forward(AWAY)
        expect(verdict).to_contain_text("Play 4")


def test_the_page_speaks_german(browser: Any, server: Server) -> None:
    """It asks in German, and shows the assumptions that come back."""
    asked: list[str] = []
    with opened(browser, server, "de-DE") as phone:
        phone.page.on("request", lambda request: asked.append(request.url))
        asks(phone, "dice/amigo", "hand=25L row=1346L opp=q13,q6LL")
        phone.page.wait_for_selector(FINAL)
        phone.page.locator("details.why summary").click()
        phone.page.get_by_text("Für alle Möglichkeiten gelten dieselben Würfe").wait_for()
    assert all("language=de" in url for url in asked if "/api/" in url)


def test_sheets_are_looked_up(phone: Phone) -> None:
    phone.open("lookup=")
    sheet = phone.page.locator(".sheet", has_text="Lama Dice")
    sheet.wait_for()
    phone.page.eval_on_selector_all("details", "all => all.forEach(d => { d.open = true; })")
    heights = phone.page.eval_on_selector_all(
        ".sheet td.amount", "all => all.map(each => each.getBoundingClientRect().height)"
    )
    assert max(heights) < 90  # numbers are not broken
    assert phone.width() == PHONE["width"]
    sheet.get_by_role("link").click()
    phone.page.wait_for_selector("section h1:text('Lama Dice')")


# Texts

_TEXTS = """
async () => {
  const { texts } = await import("/static/texts/en.js");
  const { percent } = await import("/static/base/numbers.js");
  const found = [];
  const walk = (path, value) => {
    if (value && typeof value === "object" && !Array.isArray(value)) {
      for (const [name, each] of Object.entries(value)) walk([...path, name], each);
    } else found.push(path.join("."));
  };
  walk([], texts);
  return [found, [0, 0.0004, 0.5, 0.9997, 1].map(percent)];
}
"""


def test_every_text_is_used_and_there_and_no_chance_is_rounded_to_certainty(phone: Phone) -> None:
    phone.open()
    found, shares = phone.page.evaluate(_TEXTS)
    assert shares == ["0 %", "< 0.1 %", "50 %", "> 99.9 %", "100 %"]
    files = [path for path in STATIC.rglob("*.js") if path.parent.name != "texts"]
    code = "\n".join(path.read_text() for path in files)
    there, used = set(found), set(re.findall(r"\bt\.((?:\w+\.)*\w+)", code))
    assert not [name for name in used if not any(_within(each, name) for each in there)]
    assert not [name for name in there if not any(_within(name, each) for each in used)]


def _within(name: str, group: str) -> bool:
    return f"{name}.".startswith(f"{group}.")


# For everybody


def test_fingers_are_not_needed(phone: Phone) -> None:
    phone.open()
    phone.page.get_by_role("button", name="Add 3", exact=True).focus()
    phone.page.keyboard.press("Enter")
    assert phone.page.evaluate("document.activeElement.getAttribute('aria-label')") == "Add 3"
    phone.page.keyboard.press("Tab")
    phone.page.keyboard.press("Enter")
    assert phone.page.get_by_role("button", name="Remove 4").count() == 1
    phone.tap("Choose 4")
    status = phone.page.get_by_role("status")
    expect(status).not_to_be_empty()
    assert status.get_attribute("aria-live") == "polite"
    assert status.inner_text().split("\n")[0] in phone.verdict()


ASKED = {
    "cards": ("lama/party+drama", "hand=33+5LP top=4 opp=4,q2,6 pot=1,10"),
    "dice": ("dice/amigo", "hand=25L row=1346L opp=13,q6LL rolled=13L scores=1,2,3"),
    "worms": ("pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27"),
    "grid": (
        "noprob/starnberger",
        "grid=3,?,5/?,(7),?/J,?,? mine=D top=4 opp=?,?,?/?,?,9/?,?,?:DK",
    ),
    "impossible": ("lama/amigo", "hand=33333333344444444 top=4 opp=4,q2,60"),
}


def check_sizes(page: Any) -> None:
    """Thumbs hit, and nothing is wider than a phone, a narrow view, or with large letters."""
    page.eval_on_selector_all("details", "all => all.forEach(d => { d.open = true; })")
    sizes = page.eval_on_selector_all(
        "button, summary",
        "all => all.filter(b => b.checkVisibility()).map(b => b.getBoundingClientRect())"
        ".map(b => [b.width, b.height])",
    )
    assert len(sizes) > 12
    assert all(min(size) >= THUMB - 0.5 for size in sizes), sizes
    for width, letters in ((PHONE["width"], "100%"), (180, "100%"), (320, "200%")):
        page.set_viewport_size({"width": width, "height": 640})
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", letters)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    page.evaluate("document.documentElement.style.fontSize = ''")


@pytest.mark.parametrize("name", ASKED)
def test_all_is_within_reach_and_axe_finds_nothing(browser: Any, server: Server, name: str) -> None:
    """Colours depend on the scheme, places on the size: two of the four show both of each."""
    page = patient(browser.new_page(viewport=PHONE, color_scheme="light", locale="en-GB"))
    rules, position = (quote(each) for each in ASKED[name])
    page.goto(f"{server.address}?rules={rules}&position={position}&games=1000")
    page.wait_for_selector("main .verdict:not(:empty)")
    if name != "impossible":
        page.wait_for_selector(FINAL)
        check_sizes(page)
    check_with_axe(page)
    page.close()


def test_axe_finds_nothing_beside_answers(browser: Any, server: Server) -> None:
    page = patient(browser.new_page(viewport=PHONE, color_scheme="light", locale="en-GB"))
    page.goto(f"{server.address}?table=")
    for tab in ("Table", "Look up"):
        page.locator("#tabs button", has_text=tab).click()
        check_with_axe(page)
    for rules, deal in (("lama/amigo", "11366L"), ("noprob/starnberger", "11=3 12=7")):
        game = server.post("/api/games", {"rules": rules, "players": 3, "me": 0}).json
        for entry in (deal, "4"):
            sent = {"entry": entry, "version": game["version"]}
            game = server.post(f"/api/games/{game['id']}/entry", sent).json
        page.goto(f"{server.address}?table={game['id']}")
        page.wait_for_selector(".dock .pad button")
        check_with_axe(page)
    page.close()


def check_with_axe(page: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    for size, scheme in (({"width": 1200, "height": 800}, "dark"), (PHONE, "light")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        page.evaluate("Promise.all(document.getAnimations().map(({ finished }) => finished))")
        faults = axe.Axe().run(page).response["violations"]
        assert not [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in faults], scheme
