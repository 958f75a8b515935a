"""A table on the phone: taps are entered once and can be corrected; what lies there is drawn."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.phone import PHONE, Phone
from tests.web.served import Server
from tests.web.taps import Tapper, steps_of

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.long
expect = sync_api.expect

CARDS = """\
rules lama/amigo
deal 455566 14456L 24466L
top 3
0 play 3
1 play 4
2 draw 4
0 quit
"""
GRIDS = """\
rules noprob/starnberger
deal 10,6,6/J,D,4/K,6,3 J,-2,K/8,4,4/8,-2,4 5,7,6/8,9,8/5,3,7
top 6
0 draw -1 replace 1,3 turns 6
1 draw 5 replace 3,1 turns 8
2 draw D give 0
0 take 8 replace 1,3 turns -1
"""
DICE = """\
rules dice/amigo
deal 344556 1335LL 12556L
0 roll 235 discard 35
1 roll 135 discard 15
2 roll 34L discard L
0 roll 112 take 2
"""
WORMS = """\
rules pikomino/egmont
0 roll 1333345W keep 3 roll 124W keep W roll 444 keep 4 stop 29
1 roll 1122355W keep 5 roll 122555 keep 2 roll 2345 keep 4 roll 13W keep W stop 23
2 roll 11333455 keep 5 roll 111355 keep 3 roll 1134W keep W roll 24WW keep 4 steal 23
0 roll 12222345 keep 2 roll 145W keep W roll 45W keep 5 roll 25 bust returns 29 flips 36
"""
TAPPED = 6  # turns of the game below; those before are sent
WHOLE = """\
rules noprob/starnberger+target=1
deal 9,K,8/9,5,3/J,4,6 10,7,4/-5,10,5/K,5,8
top D
0 draw 7 replace 2,1 turns 9
1 draw -2 replace 2,1 turns -5
0 take -5 replace 2,1 turns 7
1 take 7 replace 2,2 turns 10
0 take 10 replace 3,1 turns J
1 take J replace 3,1 turns K
0 draw 9 replace 1,3 turns 8
1 draw -2 replace 2,3 turns 5
0 draw 10 replace 3,2 turns 4
1 draw 9 replace 1,3 turns 4
0 draw 3 replace 3,3 turns 6
1 draw 5 replace 3,3 turns 8
0 draw D give 1
1 draw J replace 3,2 turns 5
0 draw 5 replace 2,3 turns 3
1 take 3 replace 1,2 turns 7
0 draw 7 replace 2,3 turns 5
1 draw -2 replace 1,1 turns 10
0 take 10 replace 3,3 turns 3
penalties 12 11
"""


def tapped(phone: Phone, server: Server, record: str, players: int = 3) -> Tapper:
    """A game with me in seat 1, entered as far as the record goes."""
    rules = record.split()[1]
    tapper = Tapper.begin(phone, server, rules, players, 1)
    for step in steps_of(record, 1):
        tapper.enter(step)
    return tapper


def key(phone: Phone, name: str) -> Any:
    return phone.page.locator(f'.table [data-key="{name}"]')


@pytest.mark.parametrize("record", [CARDS, GRIDS, DICE, WORMS])
def test_turns_are_tapped_on_the_table(phone: Phone, server: Server, record: str) -> None:
    tapper = tapped(phone, server, record)
    expected = [line.split()[1:] for line in record.splitlines() if line[0].isdigit()]
    turns = tapper.turns()
    assert len(turns) == len(expected)
    assert turns[1] == expected[1]  # mine, with all that it brought
    assert max(tapper.counts["others"]) <= 4
    assert phone.width() == PHONE["width"]


def test_the_grids_of_all_are_drawn(phone: Phone, server: Server) -> None:
    tapped(phone, server, GRIDS)
    name = "Player 1, Row 1, column 3: 8"
    expect(key(phone, "place.0.1,3")).to_have_attribute("aria-label", name)
    expect(key(phone, "place.2.1,1")).to_have_attribute(
        "aria-label", "Player 3, Row 1, column 1: unknown"
    )
    expect(phone.page.locator("[data-seat='0'] .beside")).to_have_attribute("aria-label", "Drama")


def test_a_game_with_grids_is_tapped_to_its_end(phone: Phone, server: Server) -> None:
    tapper = Tapper.begin(phone, server, "noprob/starnberger+target=1", 2, 1)
    deal, *turns, scores = steps_of(WHOLE, 1)
    tapper.enter(deal)
    path = f"/api/games/{tapper.game}"
    for step in turns[:-TAPPED]:
        version = server.get(path).json["version"]
        server.post(f"{path}/entry", {"version": version, "entry": " ".join(step.lines[0][1:])})
    phone.page.reload()
    phone.page.wait_for_selector(".table [data-key=back]")
    for step in [*turns[-TAPPED:], scores]:
        tapper.enter(step)
    assert server.get(path).json["over"]
    assert max(tapper.counts["others"]) <= 3
    expect(phone.page.get_by_role("button", name="Review the game")).to_be_visible()
    assert phone.width() == PHONE["width"]


def test_a_table_is_put_right_by_how_it_stands(phone: Phone, server: Server) -> None:
    tapper = tapped(phone, server, CARDS)
    phone.page.locator(".typed summary").click()
    key(phone, "typed").fill("stands hand=16L top=5 opp=2,q4")
    key(phone, "typed").press("Enter")
    tapper.settled()
    game = server.get(f"/api/games/{tapper.game}").json
    assert game["position"].startswith("hand=16L top=5")
    assert phone.page.locator(".defects").count() == 0


def test_a_double_tap_is_one_turn(phone: Phone, server: Server) -> None:
    tapper = tapped(phone, server, CARDS.partition("1 play")[0])
    turns = len(tapper.turns())
    key(phone, "verb.quit").dblclick(delay=0)
    tapper.settled()
    assert len(tapper.turns()) == turns + 1


def test_buttons_stay_where_they_are(phone: Phone, server: Server) -> None:
    tapper = tapped(phone, server, CARDS.partition("0 play")[0])

    def place() -> Any:
        return [key(phone, name).bounding_box() for name in ("face.4", "verb.quit")]

    before = place()
    tapper.press("face.3")
    phone.page.wait_for_selector(".dock .verdict.clear, .dock .verdict.open")
    assert place() == before
    tapper.press("verb.draw")
    assert place() == before


def test_undo_takes_one_card_back_and_half_a_deal_stays(phone: Phone, server: Server) -> None:
    tapper = Tapper.begin(phone, server, "lama/amigo", 3, 1)
    for card in "1345":
        tapper.press(f"face.{card}")
    tapper.press("undo")
    expect(phone.page.locator(".slots .pick")).to_have_count(3)
    phone.tap("Look up")
    phone.tap("Table")
    expect(phone.page.locator(".slots .pick")).to_have_count(3)
    for card in "66L":
        tapper.press(f"face.{card}")
    assert "deal ? 13466L ?" in record(server, tapper)
    tapper.press("undo")  # of the whole deal: the last card is tapped again
    expect(phone.page.locator(".slots .pick")).to_have_count(5)
    tapper.press("redo")
    assert "deal ? 13466L ?" in record(server, tapper)


def record(server: Server, tapper: Tapper) -> str:
    found: str = server.get(f"/api/games/{tapper.game}/record").json["record"]
    return found


def test_a_past_move_is_corrected(phone: Phone, server: Server) -> None:
    tapper = tapped(phone, server, WORMS)
    before = tapper.turns()
    entries = server.get(f"/api/games/{tapper.game}").json["entries"]
    tapper.press(f"entry.{entries[0]['index']}")
    tapper.press("tile.28")
    after = tapper.turns()
    assert (before[0], after[0]) == (["stop", "29"], ["stop", "28"])
    assert after[1] == before[1]
    tapper.press("undo")
    assert tapper.turns() == before
    tapper.press(f"entry.{entries[1]['index']}")  # mine: roll by roll
    for face in "112235W" + "5" + "5" + "W11223":  # a roll, five are kept, a roll
        tapper.press(f"face.{face}")
    tapper.press("mend.cancel")
    assert tapper.turns() == before


def test_a_game_under_way_is_joined(phone: Phone, server: Server) -> None:
    phone.open("table=")
    phone.tap("L.A.M.A.", "3 players")
    phone.page.locator("summary", has_text="Names").click()
    phone.page.get_by_label("Name of player 2").fill("Anna")
    phone.page.locator("summary", has_text="under way").click()
    phone.page.get_by_label("Score: You").fill("12")
    phone.page.get_by_label("Score: Player 2").fill("31")
    key_of = phone.page.locator("[data-key='first.1']")
    key_of.click()
    phone.page.locator("[data-key=begin]").click()
    for card in ("1", "3", "4", "4", "5", "6"):
        phone.page.locator(f"[data-key='face.{card}']").click()
    phone.page.get_by_role("heading", name="opens the discard pile").wait_for()
    expect(phone.page.locator("[data-seat='1']")).to_contain_text("Anna")
    expect(phone.page.locator("[data-seat='1'] .score")).to_have_text("31")
    phone.page.wait_for_selector(".table:not(.fresh)")
    phone.page.locator("[data-key='face.4']").click()
    phone.page.get_by_role("heading", name="Anna's turn").wait_for()


def test_links_of_reports_lead_somewhere(server: Server) -> None:
    for report in server.get("/api/lookup").json["reports"]:
        found = server.get(report["address"]).text
        links = {link for link in re.findall(r'href="([^"#]+)', found) if ":" not in link}
        assert "/?lookup=" in links
        paths = [link if link.startswith("/") else f"/reports/{link}" for link in links]
        assert [path for path in paths if server.get(path).status not in (200, 307)] == []


def test_numbers_of_sheets_are_not_broken(phone: Phone) -> None:
    phone.open("lookup=")
    phone.page.wait_for_selector(".sheet")
    phone.page.eval_on_selector_all("details", "all => all.forEach(d => { d.open = true; })")
    heights = phone.page.eval_on_selector_all(
        ".sheet td.amount", "all => all.map(each => each.getBoundingClientRect().height)"
    )
    assert max(heights) < 90
    assert phone.width() == PHONE["width"]


def test_assets_are_kept_until_they_change(server: Server) -> None:
    for path in ("/", "/static/app.js", "/static/table/table.js", "/static/style.css"):
        found = server.get(path)
        assert found.headers["cache-control"] == "no-cache"
        again = server.get(path, headers={"If-None-Match": found.headers["etag"]})
        assert (again.status, again.text) == (304, "")
    assert server.get("/static/../app.py").status == 404
    assert server.get("/api/rules").headers["cache-control"] == "no-store"


def test_people_read_errors_as_a_page(server: Server) -> None:
    asked = {"Accept": "text/html,application/xhtml+xml"}
    found = server.get("/nothing", headers=asked)
    assert (found.status, found.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is nothing here." in found.text
    assert server.get("/nothing").error["message"] == "there is nothing here"


def test_a_hidden_hand_is_shown_while_it_is_held(phone: Phone, server: Server) -> None:
    tapper = tapped(phone, server, CARDS.partition("0 play")[0])
    tapper.press("set.hidden")
    face = phone.page.locator(".mine-cards .face").first
    covered = face.evaluate("each => getComputedStyle(each).filter")
    assert covered != "none"
    face.hover()
    phone.page.mouse.down()
    assert face.evaluate("each => getComputedStyle(each).filter") == "none"
    phone.page.mouse.up()
    assert face.evaluate("each => getComputedStyle(each).filter") == covered
