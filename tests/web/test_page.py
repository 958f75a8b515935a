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
from tests.web.phone import FINAL, GAMES, PHONE, Phone
from tests.web.served import Server

THUMB = 44  # pixels

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.long


def same(answer: dict[str, Any], rules: str, position: str, games: int | None = GAMES) -> None:
    """Compare an answer of the page with that of `advise`, bit for bit."""
    expected = lo.advise(rules, position, games=games, seed=0).to_json()
    expected.pop("seconds")
    answer.pop("seconds")
    assert answer == expected


def test_cards_are_tapped(phone: Phone) -> None:
    phone.open(f"games={GAMES}")
    assert "hand" in phone.verdict()
    phone.choose("L.A.M.A.", "Amigo", 4)
    phone.tap("Add 3", "Add 3", "Add 5", "Add 6", "Add llama", "Add 2", "Remove 2")
    phone.tap("Choose 4")
    phone.tap("Opponent 1: one fewer", "Opponent 2 has quit", "Opponent 3: one more")
    position = "hand=3356L top=4 opp=4,q5?,6"
    assert phone.asked()["position"] == position
    answer = phone.streamed(position=position, rules="lama/amigo")
    same(answer, "lama/amigo", position)
    phone.page.wait_for_selector(FINAL)
    assert "play 5" in phone.verdict().lower()


def test_the_page_speaks_german(browser: Any, server: Server) -> None:
    """It asks in German, and shows the assumptions that come back."""
    page = browser.new_page(viewport=PHONE, locale="de-DE")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    position = quote("hand=25L row=1346L opp=q13,q6LL")
    page.goto(f"{server.address}?rules=dice/amigo&position={position}&games={GAMES}")
    page.wait_for_selector(FINAL)
    page.locator("details.why summary").click()
    said = page.get_by_text("Für alle Möglichkeiten gelten dieselben Würfe")
    said.wait_for()  # once the answer is final
    assert "all actions" not in page.locator("details.why").inner_text().lower()
    assert all("language=de" in url for url in asked if "/api/" in url)
    page.close()


def test_dice_are_tapped(phone: Phone) -> None:
    phone.open(f"games={GAMES}")
    phone.choose("Lama Dice", "Amigo")
    phone.tap("Add 2", "Add 5", "Add llama", part="hand")
    phone.tap("Add 1", "Add 3", part="opp1")
    phone.tap("Add 6", "Add llama", part="opp2")
    phone.tap("2", "5", part="row")
    position = "hand=25L row=1346L opp=13,6L"
    same(phone.streamed(position=position, rules="dice/amigo"), "dice/amigo", position)
    phone.tap("Add 1", "Add 3", "Add llama", part="rolled")
    rolled = f"{position} rolled=13L"
    same(phone.streamed(position=rolled, rules="dice/amigo"), "dice/amigo", rolled)
    sync_api.expect(phone.page.locator(".verdict")).to_contain_text("Discard")


def test_worms_are_tapped(phone: Phone) -> None:
    phone.open(f"games={GAMES}")
    phone.choose("Pikomino", "Egmont", 2)
    phone.tap("Add 4", "Add 4", "Add 4", "Add worm", part="kept")
    phone.tap("Add 1", "Add 2", "Add 4", part="rolled")
    assert phone.verdict() == "Tap all dice of the roll."
    phone.tap("Add 5", part="rolled")
    phone.tap("Your top tile", "Choose 24", part="own")
    phone.tap("Opponent 1's top tile", "Choose 27", part="top1")
    position = "kept=444W rolled=1245 own=24 tops=27"
    answer = phone.streamed(position=position, rules="pikomino/egmont")
    same(answer, "pikomino/egmont", position)
    phone.tap("Tiles in the centre", "36", part="centre")
    turned = "kept=444W rolled=1245 centre=21-23,25-26,28-35 own=24 tops=27"
    answer = phone.streamed(position=turned, rules="pikomino/egmont")
    same(answer, "pikomino/egmont", turned)
    assert phone.verdict().endswith("exact")


def test_unknown_sizes_get_a_rule_and_a_strip(phone: Phone) -> None:
    phone.open(f"games={GAMES}")
    phone.choose("L.A.M.A.", "Amigo", 3)
    phone.tap("Add 2", "Add 3", "Choose 5")
    position = "hand=23 top=5 opp=2?,2?"
    answer = phone.streamed(position=position, rules="lama/amigo")
    same(answer, "lama/amigo", position)
    phone.page.wait_for_selector(FINAL)
    assert phone.verdict().startswith("Quit if somebody holds 1 card, otherwise draw")
    assert phone.page.locator(".strip b").all_inner_texts() == ["1", "2?", "3", "4", "5", "6+"]
    assert phone.width() == PHONE["width"]
    phone.tap("Opponent 2: one more")
    assert phone.asked()["position"] == "hand=23 top=5 opp=2?,3"
    phone.page.reload()  # the link keeps what is a guess
    phone.page.wait_for_selector(".notation")
    assert phone.page.locator("[data-part=opp1] .count").inner_text() == "2?"
    assert phone.page.locator("[data-part=opp2] .count").inner_text() == "3"


def test_what_is_not_known_yet_can_be_thought_about_longer(phone: Phone) -> None:
    position = "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK"
    phone.open(f"rules=noprob/starnberger&position={quote(position)}&games=1000")
    phone.streamed(position=position, rules="noprob/starnberger")
    sync_api.expect(phone.page.locator(".verdict")).to_contain_text("Not known yet")
    assert "strong player would draw" in phone.verdict()
    phone.page.route(
        "**seconds=10**",
        lambda route: route.continue_(url=route.request.url.replace("seconds=10", "seconds=1")),
    )
    phone.tap("Think for 10 seconds")
    phone.page.wait_for_function("() => window.seen.filter(e => e.final).length > 1")
    games = phone.page.evaluate("() => window.seen.filter(e => e.final).map(e => e.answer.games)")
    assert games[1] > games[0]


def test_a_grid_is_tapped(phone: Phone) -> None:
    phone.open(f"games={GAMES}")
    phone.choose("No Prob-Lama", "Starnberger", 2)
    phone.tap("Choose 4", part="top")
    phone.tap("Row 1, column 1: unknown", "Face up", "Choose 3", part="grid")
    phone.tap("Row 1, column 3: unknown", "Choose 5", part="grid")
    phone.tap("Row 2, column 2: unknown", "Choose 7", part="grid")
    phone.tap("Row 2, column 2: 7", "Face down, known to you", part="grid")
    phone.tap("Row 3, column 1: unknown", "Face up", "Choose joker", part="grid")
    phone.tap("Opponent 1's specials", "Add Drama", "Add Karma", part="beside1")
    position = "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?:DK"
    answer = phone.streamed(position=position, rules="noprob/starnberger")
    same(answer, "noprob/starnberger", position)


@pytest.mark.parametrize(
    ("rules", "position"),
    [
        ("lama/party+drama", "hand=33+5LP top=4 opp=4,5 pot=1,1,10 scores=12,31,5"),
        ("lama/egmont", "hand=3356L top=4 opp=4,q2,6 pile=20 seen=112"),
        ("dice/egmont+twenty", "hand=25L row=- opp=13,q=16 scores=4,5,6 first=1"),
        ("pikomino/egmont", "kept=44W centre=21-26,28-30 own=31 tops=-,27"),
        (
            "noprob/starnberger",
            "grid=3,?,5/?,(7),?/J,?,? mine=D top=- opp=?,?,?/?,?,9/?,?,?:DK drawn=9 llamas=1,0",
        ),
        ("pig/classic", "turn=12 scores=40,50"),
    ],
)
def test_an_address_fills_the_builder(phone: Phone, rules: str, position: str) -> None:
    if rules.startswith("pig"):
        pytest.importorskip("lama_odds_pig", reason="the example of a game is not installed")
    phone.open(f"rules={quote(rules, safe='')}&position={quote(position, safe='')}")
    if rules.startswith("pig"):
        assert phone.page.locator("[data-part=text] input").input_value() == position
        return
    shown = phone.page.locator(".notation").inner_text()
    assert dict(word.split("=", 1) for word in shown.split()) == dict(
        word.split("=", 1) for word in position.split()
    )


def test_an_answer_sharpens_until_the_position_changes(phone: Phone) -> None:
    given_up: list[str] = []
    phone.page.on("requestfailed", lambda request: given_up.append(request.url))
    position = "hand=3356L top=4 opp=4,6"
    phone.open(f"rules=lama/egmont&position={quote(position)}&games=200000")
    sync_api.expect(phone.page.locator(".verdict small")).to_contain_text("games")
    assert phone.page.locator(".bar-row").count() == 3
    phone.tap("Opponent 2 has quit")
    sync_api.expect(phone.page.locator(".notation")).to_have_text("hand=3356L top=4 opp=4,q6")
    assert [url for url in given_up if "stream" in url and "q6" not in url]


def test_back_leads_to_the_part_before(phone: Phone) -> None:
    phone.open()
    phone.tap("Add 3", "Add 5", "Choose 4", "Opponent 1: one fewer")
    assert phone.asked()["position"] == "hand=35 top=4 opp=1,2?"
    phone.page.go_back()
    assert phone.asked()["position"] == "hand=35 top=4 opp=2?,2?"
    assert phone.page.locator(".notation").inner_text() == "hand=35 top=4 opp=2?,2?"
    phone.page.reload()
    phone.page.wait_for_selector(".notation")
    assert phone.page.locator(".notation").inner_text() == "hand=35 top=4 opp=2?,2?"
    phone.tap("Table")
    assert "table" in phone.asked()
    phone.page.go_back()
    assert phone.page.locator(".notation").inner_text() == "hand=35 top=4 opp=2?,2?"


def test_what_cannot_occur_is_marked_where_it_stands(phone: Phone) -> None:
    position = "hand=555L top=5 opp=5,q0 seen=55555"
    with pytest.raises(lo.LamaOddsError) as raised:
        lo.advise("lama/egmont", position)
    defects = raised.value.defects  # type: ignore[attr-defined]
    assert len(defects) == 2
    phone.open(f"rules=lama/egmont&position={quote(position)}")
    phone.page.wait_for_selector(".verdict.bad")
    text = phone.page.locator("main").inner_text().lower()
    assert all(defect.lower() in text for defect in defects)
    marked = phone.page.locator("[data-part=opp2] .defects").inner_text()
    assert marked.lower() == next(d for d in defects if "opponent 2" in d)
    phone.tap("Opponent 2: one more")
    sync_api.expect(phone.page.locator("[data-part=opp2] .defects")).to_have_count(0)
    sync_api.expect(phone.page.locator(".verdict")).to_contain_text("9 cards 5 in sight")


def test_thumbs_hit_and_nothing_is_wider_than_the_phone(phone: Phone) -> None:
    for query in (
        "rules=lama/party&position=hand%3D33%2B5LP top%3D4 opp%3D4,5",
        "rules=dice/amigo&position=hand%3D25L opp%3D13,6LL",
        "rules=pikomino/egmont&position=kept%3D44W own%3D24",
        "rules=noprob/starnberger&position=top%3D4",
    ):
        phone.open(query)
        phone.page.wait_for_selector(FINAL)
        assert phone.width() == PHONE["width"]
        sizes = phone.page.eval_on_selector_all(
            "button, summary",
            "all => all.filter(b => b.checkVisibility()).map(b => b.getBoundingClientRect())"
            ".map(b => [b.width, b.height])",
        )
        assert len(sizes) > 12
        assert all(min(size) >= THUMB - 0.5 for size in sizes), sizes


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
    sync_api.expect(status).not_to_be_empty()
    assert status.get_attribute("aria-live") == "polite"
    assert status.inner_text().split("\n")[0] in phone.verdict()


def record(server: Server, game: str) -> list[str]:
    found: list[str] = server.get(f"/api/games/{game}/record").json["record"].splitlines()
    return [line for line in found if line[0].isdigit() or line.startswith(("deal", "top"))]


def test_a_game_is_followed_by_taps(phone: Phone, server: Server) -> None:
    phone.open("table=")
    phone.tap("Begin")
    for name in ("Add 1", "Add 3", "Add 4", "Add 5", "Add 6", "Add llama"):
        phone.tap(name)
        assert phone.width() == PHONE["width"]
    phone.tap("Add 4")
    phone.page.wait_for_selector(FINAL)
    game = phone.asked()["table"]
    phone.tap("Play 5")  # mine: a tap
    phone.tap("draws")  # player 2: a tap
    phone.tap("plays 6")  # player 3: a tap, as there are only a few cards that can be played
    phone.page.get_by_role("heading", name="Your turn").wait_for()
    assert record(server, game) == ["deal 13456L ? ?", "top 4", "0 play 5", "1 draw ?", "2 play 6"]
    phone.tap("Undo")
    phone.page.get_by_role("heading", name="Player 3's turn").wait_for()
    assert record(server, game)[-1] == "1 draw ?"


def test_a_game_that_has_moved_on_is_shown_again(phone: Phone, server: Server) -> None:
    begun = server.post("/api/games", {"rules": "dice/amigo", "players": 2, "me": 0}).json
    phone.open(f"table={begun['id']}")
    phone.tap("Add 1")
    entry = {"entry": "deal 11366L 12236L", "version": begun["version"]}
    assert server.post(f"/api/games/{begun['id']}/entry", entry).status == 200
    for name in ("Add 1", "Add 1", "Add 1", "Add 1", "Add 6"):
        phone.tap(name)
    for name in ("Add 2", "Add 2", "Add 2", "Add 3", "Add 3", "Add 3"):
        phone.tap(name)
    sync_api.expect(phone.page.get_by_role("alert")).to_contain_text("moved on")
    phone.tap("Add 2", "Add 3", "Add 4")
    sync_api.expect(phone.page.locator(".moves")).to_contain_text("You: roll 234, discard 3")


def test_a_game_that_is_over_is_reviewed(phone: Phone, server: Server) -> None:
    found = server.post("/api/games", {"rules": "dice/amigo+target=1", "players": 2, "me": 0}).json
    for entry in ("deal 11366L 12236L", "roll 234", "quit", "quit"):
        sent = {"entry": entry, "version": found["version"]}
        found = server.post(f"/api/games/{found['id']}/entry", sent).json
    assert found["over"]
    phone.open(f"table={found['id']}")
    phone.tap("Review the game")
    chart = phone.page.locator(".chart").first
    chart.wait_for()
    label = chart.get_attribute("aria-label") or ""
    assert label.startswith("start: ")
    assert label.endswith(f"result: {100 if found['final'][0] < found['final'][1] else 0} %")
    phone.tap("Player 2")
    assert phone.page.locator(".chart").first.get_attribute("aria-label") != label


def test_sheets_are_looked_up(phone: Phone) -> None:
    phone.open("lookup=")
    sheet = phone.page.locator(".sheet", has_text="Lama Dice")
    sheet.locator("summary").click()
    assert sheet.locator("td:visible").count() > 10
    assert phone.width() == PHONE["width"]
    sheet.get_by_role("link").click()
    phone.page.wait_for_selector("section h1:text('Lama Dice')")


_TEXTS = """
async () => {
  const { texts } = await import("/static/texts/en.js");
  const found = [];
  const walk = (path, value) => {
    if (value && typeof value === "object" && !Array.isArray(value)) {
      for (const [name, each] of Object.entries(value)) walk([...path, name], each);
    } else found.push(path.join("."));
  };
  walk([], texts);
  return found;
}
"""
STATIC = Path(lo.__file__).parent / "web" / "static"


def test_every_text_is_used_and_there(phone: Phone) -> None:
    phone.open()
    there = set(phone.page.evaluate(_TEXTS))
    files = [path for path in STATIC.rglob("*.js") if path.parent.name != "texts"]
    code = "\n".join(path.read_text() for path in files)
    used = set(re.findall(r"\bt\.((?:\w+\.)*\w+)", code))
    assert {name for name in used if not any(_within(each, name) for each in there)} == set()
    assert {name for name in there if not any(_within(name, each) for each in used)} == set()


def _within(name: str, group: str) -> bool:
    return f"{name}.".startswith(f"{group}.")
