"""What the page shows beside its answers, and whether everybody can use it."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest

from tests.web.phone import FINAL, GAMES, PHONE, Phone, patient
from tests.web.served import Server

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


pytestmark = pytest.mark.long
expect = sync_api.expect


def asks(phone: Phone, rules: str, position: str, more: str = "") -> None:
    phone.open(f"rules={quote(rules)}&position={quote(position)}&games={GAMES}{more}")


def test_known_cards_of_a_grid_lie_as_chosen(phone: Phone) -> None:
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


def test_a_verdict_says_where_the_card_goes(phone: Phone) -> None:
    position = "grid=10,?,?/?,(10),?/?,?,? top=-5 opp=?,?,?/?,?,?/?,?,?"
    asks(phone, "noprob/starnberger", position)
    phone.page.wait_for_selector(FINAL)
    answer = phone.streamed(position=position, rules="noprob/starnberger")
    assert answer["best"] == "take"
    (use,) = answer["then"]["take"]
    row, column = use["action"].removeprefix("replace ").split(",")
    expect(phone.page.locator(".verdict .then")).to_contain_text(
        f"hen replace row {row}, column {column}."
    )
    asks(phone, "noprob/starnberger", "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,?/?,?,?:DK")
    phone.page.wait_for_selector(FINAL)
    uses = phone.page.locator(".bar-row", has_text="Draw").locator(".uses li")
    expect(uses.first).to_contain_text("If you draw ")


def test_chances_of_the_position_before_are_marked(phone: Phone) -> None:
    position = "hand=3356L top=4 opp=4,6"
    asks(phone, "lama/egmont", position)
    phone.page.wait_for_selector(FINAL)
    chances = phone.page.locator(".odds")
    expect(chances).to_be_visible()
    expect(phone.page.locator(".old")).to_have_count(0)
    phone.page.route("**/api/odds*", lambda route: None)
    phone.tap("Opponent 2 has quit")
    expect(phone.page.locator(".odds.old")).to_be_visible()


def test_who_has_quit_needs_cards_or_points(phone: Phone) -> None:
    asks(phone, "dice/amigo", "hand=25L opp=,6L")
    phone.tap("Opponent 1 has quit")
    assert "q=10" not in phone.asked()["position"]
    expect(phone.page.locator(".verdict")).to_have_text("Tap your opponents' cards.")
    phone.page.reload()
    phone.tap("Opponent 1's penalty: one more")
    assert phone.asked()["position"].endswith("opp=q=10,6L")
    phone.tap("Opponent 1", "Add 3", part="opp1")
    assert phone.asked()["position"].endswith("opp=q3,6L")


def test_guessed_hands_follow_yours_until_they_are_changed(phone: Phone) -> None:
    phone.open()
    phone.tap("Add 3", "Add 5", "Choose 4")
    counts = phone.page.locator("[data-part^=opp] .count")
    expect(counts).to_have_text(["2?", "2?"])
    phone.tap("Opponent 1: one more")
    expect(counts).to_have_text(["3", "2?"])
    phone.page.reload()
    phone.tap("Add 6")
    expect(counts).to_have_text(["3", "3?"])
    assert phone.asked()["position"] == "hand=356 top=4 opp=3,3?"


def test_the_box_of_a_game_is_remembered(phone: Phone) -> None:
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


def test_a_hand_stays_when_the_box_changes(phone: Phone) -> None:
    asks(phone, "lama/amigo", "hand=35 top=4 opp=2,4")
    phone.choose("L.A.M.A.", "Egmont", 4)
    assert phone.asked()["rules"] == "lama/egmont"
    assert phone.asked()["position"].startswith("hand=35 top=4 opp=2,4,")


def test_a_refused_house_rule_says_why(phone: Phone) -> None:
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
def test_an_unknown_box_is_named(phone: Phone, rules: str, said: str, shown: str) -> None:
    asks(phone, rules, "hand=35")
    note = phone.page.locator("main [role=alert]").first
    expect(note).to_contain_text(said)
    expect(note).to_contain_text(shown)
    phone.tap("Add 3")
    expect(note).to_have_count(0)


def test_what_an_address_has_in_vain_is_named(phone: Phone) -> None:
    asks(phone, "lama/amigo", "hand=35zz top=4 opp=2,4 oops")
    notes = phone.page.locator("main [role=alert]")
    expect(notes).to_have_text(["Not read: zz in hand=35zz", "Not read: oops"])
    asks(phone, "pikomino/egmont", "kept=44W centre=21-26,28-30 own=31 tops=-,27")
    expect(phone.page.locator(".setup-line h1")).to_have_text("Pikomino")
    expect(notes).to_have_count(0)


def test_the_answer_comes_when_the_server_is_back(phone: Phone) -> None:
    asks(phone, "lama/egmont", "hand=4 top=4 opp=4,6")
    phone.page.wait_for_selector(FINAL)
    phone.page.route("**/api/**", lambda route: route.abort("internetdisconnected"))
    phone.tap("Opponent 2 has quit")
    expect(phone.page.locator(".verdict.bad")).to_contain_text("Tap here to try again.")
    phone.page.unroute("**/api/**")
    expect(phone.page.locator(".verdict")).to_contain_text("Play 4")
    phone.page.route("**/api/**", lambda route: route.abort("internetdisconnected"))
    phone.tap("Opponent 2 has quit")
    expect(phone.page.locator(".verdict.bad")).to_be_visible()
    phone.page.unroute("**/api/**")
    phone.page.locator(".verdict").click()
    expect(phone.page.locator(".verdict")).to_contain_text("Play 4")


def test_tapped_cards_stay_while_the_server_is_away(phone: Phone) -> None:
    phone.open("table=")
    phone.tap("Begin", "Add 1", "Add 3", "Add 4", "Add 5", "Add 6")
    phone.page.route("**/entry*", lambda route: route.abort("internetdisconnected"))
    phone.tap("Add llama")
    expect(phone.page.get_by_role("alert")).to_contain_text("does not answer")
    assert phone.page.get_by_role("button", name="Remove ").count() == 6
    phone.page.unroute("**/entry*")
    phone.tap("Try again", "Add 4")
    phone.page.wait_for_selector(FINAL)
    expect(phone.page.get_by_role("alert")).to_have_text("")


def reviewed(phone: Phone, server: Server, entries: tuple[str, ...]) -> None:
    """Play a game for me in seat 0, with what the other does, and show its review."""
    begin = {"rules": "dice/amigo+target=1", "players": 2, "me": 0}
    found = server.post("/api/games", begin).json
    for entry in entries:
        sent = {"entry": entry, "version": found["version"]}
        reply = server.post(f"/api/games/{found['id']}/entry", sent)
        found = reply.json if reply.status == 200 else found
    assert found["over"], found
    phone.open(f"table={found['id']}")
    phone.tap("Review the game")
    phone.page.locator(".chart").first.wait_for()


MISTAKE = ("deal 11366L 12236L", "quit", "roll 135", "discard 1", "quit")


def test_a_review_is_there_again_after_a_look_at_a_position(phone: Phone, server: Server) -> None:
    reviewed(phone, server, MISTAKE)
    chart = phone.page.locator(".chart").first
    label = chart.get_attribute("aria-label") or ""
    assert "skill: " in label
    assert "percentage points" in label
    phone.tap("Show the answer")
    phone.page.get_by_role("link", name="Open in Ask").first.click()
    expect(phone.page.locator(".notation")).to_be_visible()
    phone.page.go_back()
    expect(phone.page.locator(".chart").first).to_have_attribute("aria-label", label)


def test_a_mistake_can_be_tried_again(phone: Phone, server: Server) -> None:
    reviewed(phone, server, MISTAKE)
    walk = phone.page.locator(".walk")
    expect(walk).to_contain_text("Round 1, your 1st turn")
    expect(walk.locator(".row-of-faces .face").first).to_be_visible()
    expect(walk).not_to_contain_text("costs")
    phone.tap("Quit")
    expect(walk).to_contain_text("Now you chose")
    expect(walk).to_contain_text("Best was: roll")
    phone.tap("Try again", "Roll")
    expect(walk).to_contain_text("You found it")
    phone.page.keyboard.press("ArrowRight")  # it is the only one: nothing else is shown
    expect(walk).to_contain_text("1 of 1")
    expect(walk.locator("[data-key='walk.next']")).to_be_disabled()


_WALK = """
async () => {
  const { Walk } = await import("/static/table/walk.js");
  const { gameOf } = await import("/static/games/games.js");
  const one = (n) => ({
    where: { text: `turn ${n}` }, position: "hand=12 row=123456L opp=13", best: "quit",
    played: "roll", error: { value: n }, values: { roll: { value: 9 }, quit: { value: 9 - n } },
  });
  const word = (name) => name;
  const game = gameOf("dice/amigo");
  const how = { rules: "dice/amigo", game, edition: null, word, points: String };
  const walk = new Walk([one(1), one(2), one(3)], how);
  document.body.append(walk.root);
  const seen = [];
  for (const key of ["ArrowRight", "j", "n", "k", "p", "ArrowLeft", "x"]) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    seen.push(walk.at);
  }
  walk.close();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }));
  return [...seen, walk.at];
}
"""


def test_keys_lead_from_mistake_to_mistake(phone: Phone) -> None:
    phone.open()
    assert phone.page.evaluate(_WALK) == [1, 2, 2, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("rules", "position"),
    [
        ("lama/party", "hand=33+5LP top=4 opp=4,5"),
        ("dice/amigo", "hand=25L opp=13,6LL scores=1,2,3"),
        ("pikomino/egmont", "kept=444W rolled=1245 own=24 tops=27"),
        ("noprob/starnberger", "grid=10,?,?/?,(10),?/?,?,? top=-5 opp=?,?,?/?,?,?/?,?,?"),
    ],
)
def test_narrow_views_and_large_letters(phone: Phone, rules: str, position: str) -> None:
    phone.page.set_viewport_size({"width": 180, "height": 640})
    asks(phone, rules, position)
    phone.page.wait_for_selector(FINAL)
    phone.page.eval_on_selector_all("details", "all => all.forEach(d => { d.open = true; })")
    assert phone.width() == 180
    phone.page.set_viewport_size({"width": 320, "height": 640})
    phone.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert phone.width() == 320
    phone.page.wait_for_timeout(100)
    covered = phone.page.evaluate(
        "(() => { const v = document.querySelector('.verdict');"
        " return getComputedStyle(v).position === 'sticky' ? v.offsetHeight : 0; })()"
    )
    assert covered <= 640 / 3


def test_a_tap_on_the_verdict_shows_the_first_row(phone: Phone) -> None:
    asks(phone, "lama/egmont", "hand=3356L top=4 opp=4,6")
    phone.page.wait_for_selector(FINAL)
    phone.page.locator(".verdict").click()
    phone.page.wait_for_timeout(200)
    verdict = phone.page.locator(".verdict").bounding_box()
    head = phone.page.locator(".answer h2").first.bounding_box()
    assert verdict
    assert head
    assert (
        head["y"] >= verdict["y"] + verdict["height"] or head["y"] + head["height"] <= verdict["y"]
    )


_NUMBERS = """
async () => {
  const { percent } = await import("/static/base/numbers.js");
  const { t } = await import("/static/base/texts.js");
  const { dropped } = await import("/static/base/notation.js");
  const shares = [0, 0.0004, 0.5, 0.9997, 1].map(percent);
  return [shares, t.amount("1", "points"), t.amount("2", "points"),
          dropped("row=1234566L centre=21-36 opp=?,?:-", "hand=1 opp=?,?").length];
}
"""


def test_numbers_in_words(phone: Phone) -> None:
    phone.open()
    shares, one, two, none = phone.page.evaluate(_NUMBERS)
    assert shares == ["0 %", "< 0.1 %", "50 %", "> 99.9 %", "100 %"]
    assert (one, two, none) == ("1 point", "2 points", 0)


@pytest.mark.parametrize(
    ("spoken", "said"),
    [
        ("en", "Otherwise, always draw."),
        ("de", "Sonst: zieh immer."),
        ("pl", "W innym razie zawsze dobieraj."),
        ("fr", "Sinon\u00a0: piochez toujours."),
    ],
)
def test_sheets_are_in_the_language_that_is_asked_for(
    server: Server, spoken: str, said: str
) -> None:
    found = server.get(f"/api/lookup?language={spoken}").json["sheets"]
    (sheet,) = (each for each in found if each["name"] == "lama")
    rows = [row for block in sheet["blocks"] if "table" in block for row in block["table"]["rows"]]
    assert said in [line for _, line in rows]
    page = server.get(sheet["address"])
    assert f'<html lang="{spoken}">' in page.text
    assert said in page.text
    assert "script" not in page.headers["content-security-policy"].replace("sandbox", "")
    assert server.get(f"/sheets/chess?language={spoken}").status == 404


# For everybody: checked by axe, in the light and in the dark


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


def found_by_axe(axe: Any, page: Any) -> list[str]:
    """What axe finds, with the first place of each."""
    found = axe.Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]


def test_axe_finds_nothing(server: Server, browser: Any) -> None:
    """Colours hang on the scheme, places on the size: two of the four show both of each."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    faults = {}
    page = patient(browser.new_page(viewport=PHONE, color_scheme="light", locale="en-GB"))

    def look(name: str) -> None:
        for size, scheme in (("desk", "dark"), ("phone", "light")):
            page.set_viewport_size(SIZES[size])
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(500)
            faults[name, scheme] = found_by_axe(axe, page)

    for name, (rules, position) in ASKED.items():
        page.goto(f"{server.address}?rules={quote(rules)}&position={quote(position)}&games=1000")
        page.wait_for_selector("main .verdict:not(:empty)")
        look(name)
    for tab in ("Table", "Look up"):
        page.locator("#tabs button", has_text=tab).click()
        look(tab)
    for rules, deal in (("lama/amigo", "11366L"), ("noprob/starnberger", "11=3 12=7")):
        game = server.post("/api/games", {"rules": rules, "players": 3, "me": 0}).json
        for entry in (deal, "4"):
            sent = {"entry": entry, "version": game["version"]}
            game = server.post(f"/api/games/{game['id']}/entry", sent).json
        page.goto(f"{server.address}?table={game['id']}")
        page.wait_for_selector(".dock .pad button")
        look(rules)
    page.close()
    assert not any(faults.values()), "\n".join(f"{name}: {each}" for name, each in faults.items())


def test_you_choose_first_and_then_see_the_answer(phone: Phone) -> None:
    phone.open("train=pikomino")
    options = phone.page.locator(".option")
    expect(options.first).to_be_visible()
    assert phone.page.locator(".verdict").count() == 0
    options.first.click()
    expect(phone.page.locator(".verdict")).to_contain_text(re.compile("Right|No"))
    expect(phone.page.get_by_text("of 1 right")).to_be_visible()
    assert phone.width() <= PHONE["width"]
    phone.tap("Next position")
    expect(options.first).to_be_visible()
    phone.tap("Show the answer")
    expect(phone.page.locator(".verdict")).to_contain_text("The best is")
    expect(phone.page.get_by_text("of 2 right")).to_be_visible()


def test_a_clear_verdict_comes_with_its_reason(phone: Phone) -> None:
    asks(phone, "pikomino/egmont", "kept=444WW")
    phone.page.wait_for_selector(FINAL)
    expect(phone.page.locator(".reason").first).to_contain_text("go bust")
