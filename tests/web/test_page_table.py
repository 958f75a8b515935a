"""A table on the phone: taps are entered once and can be corrected; games are reviewed; drills."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.phone import FINAL, PHONE, Phone
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


def tapped(phone: Phone, server: Server, record: str, players: int = 3) -> Tapper:
    """A game with me in seat 1, entered as far as the record goes; its turns are there."""
    tapper = Tapper.begin(phone, server, record.split()[1], players, 1)
    for step in steps_of(record, 1):
        tapper.enter(step)
    expected = [line.split()[1:] for line in record.splitlines() if line[0].isdigit()]
    turns = tapper.turns()
    assert len(turns) == len(expected)
    assert turns[1:2] == expected[1:2]  # mine, with all that it brought
    assert max(tapper.counts.get("others", [0])) <= 4
    assert phone.width() == PHONE["width"]
    return tapper


def key(phone: Phone, name: str) -> Any:
    return phone.page.locator(f'.table [data-key="{name}"]')


def test_grids_are_tapped_and_those_of_all_are_drawn(phone: Phone, server: Server) -> None:
    tapped(phone, server, GRIDS)
    for name in ("Player 1, Row 1, column 3: 8", "Player 3, Row 1, column 1: unknown"):
        expect(phone.page.get_by_label(name, exact=True)).to_be_visible()
    beside = phone.page.locator("[data-seat='0'] .beside")
    expect(beside).to_have_attribute("aria-label", "Drama")


def test_dice_of_a_table_are_tapped(phone: Phone, server: Server) -> None:
    tapped(phone, server, DICE)


def test_cards_of_a_table_are_tapped_and_put_right_by_how_it_stands(
    phone: Phone, server: Server
) -> None:
    tapper = tapped(phone, server, CARDS)
    phone.page.locator(".typed summary").click()
    key(phone, "typed").fill("stands hand=16L top=5 opp=2,q4")
    key(phone, "typed").press("Enter")
    phone.settle()
    game = server.get(f"/api/games/{tapper.game}").json
    assert game["position"].startswith("hand=16L top=5")
    assert phone.page.locator(".defects").count() == 0


def test_buttons_stay_where_they_are_and_a_double_tap_is_one_turn(
    phone: Phone, server: Server
) -> None:
    tapper = tapped(phone, server, CARDS.partition("0 play")[0])
    before = [key(phone, name).bounding_box() for name in ("face.4", "verb.quit")]
    tapper.press("face.3")
    phone.page.wait_for_selector(".dock .verdict.clear, .dock .verdict.open")
    assert [key(phone, name).bounding_box() for name in ("face.4", "verb.quit")] == before
    key(phone, "verb.quit").dblclick(delay=0)
    phone.settle()
    assert tapper.turns() == [["play", "3"], ["quit"]]


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


def test_worms_are_tapped_and_a_past_move_is_corrected(phone: Phone, server: Server) -> None:
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
    phone.page.locator("[data-key='first.1']").click()
    phone.page.locator("[data-key=begin]").click()
    for card in ("1", "3", "4", "4", "5", "6"):
        phone.page.locator(f"[data-key='face.{card}']").click()
    phone.page.get_by_role("heading", name="opens the discard pile").wait_for()
    expect(phone.page.locator("[data-seat='1']")).to_contain_text("Anna")
    expect(phone.page.locator("[data-seat='1'] .score")).to_have_text("31")
    phone.page.wait_for_selector(".table:not(.fresh)")
    phone.page.locator("[data-key='face.4']").click()
    phone.page.get_by_role("heading", name="Anna's turn").wait_for()


def enter(server: Server, game: dict[str, Any], *entries: str) -> dict[str, Any]:
    for entry in entries:
        sent = {"entry": entry, "version": game["version"]}
        reply = server.post(f"/api/games/{game['id']}/entry", sent)
        game = reply.json if reply.status == 200 else game
    return game


def test_a_game_that_has_moved_on_is_shown_again(phone: Phone, server: Server) -> None:
    begun = server.post("/api/games", {"rules": "dice/amigo", "players": 2, "me": 0}).json
    phone.open(f"table={begun['id']}")
    phone.tap("Add 1")
    enter(server, begun, "deal 11366L 12236L")
    for face in "11116222333":
        phone.tap(f"Add {face}")
    expect(phone.page.get_by_role("alert")).to_contain_text("moved on")
    phone.tap("Add 2", "Add 3", "Add 4")
    expect(phone.page.locator(".moves")).to_contain_text("You: roll 234, discard 3")


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


def test_a_game_is_reviewed_and_its_mistake_is_tried_again(phone: Phone, server: Server) -> None:
    begin = {"rules": "dice/amigo+target=1", "players": 2, "me": 0}
    game = server.post("/api/games", begin).json
    game = enter(server, game, "deal 11366L 12236L", "quit", "roll 135", "discard 1", "quit")
    assert game["over"]
    phone.open(f"table={game['id']}")
    phone.tap("Review the game")
    chart, walk = phone.page.locator(".chart").first, phone.page.locator(".walk")
    chart.wait_for()
    label = chart.get_attribute("aria-label") or ""
    won = 100 if game["final"][0] < game["final"][1] else 0
    assert label.startswith("start: ")
    assert label.endswith(f"result: {won} %")
    expect(walk).to_contain_text("Round 1, your 1st turn")
    expect(walk).not_to_contain_text("costs")
    phone.tap("Quit")
    expect(walk).to_contain_text("Now you chose")
    expect(walk).to_contain_text("Best was: roll")
    phone.tap("Try again", "Roll")
    expect(walk).to_contain_text("You found it")
    phone.page.get_by_role("link", name="Open in Ask").first.click()
    expect(phone.page.locator(".notation")).to_be_visible()
    phone.page.go_back()  # the review is there again
    expect(chart).to_have_attribute("aria-label", label)
    phone.page.keyboard.press("ArrowRight")  # it is the only one: nothing else is shown
    expect(walk).to_contain_text("1 of 1")
    phone.tap("Player 2")
    expect(chart).not_to_have_attribute("aria-label", label)


def test_you_choose_first_and_then_see_the_answer(phone: Phone) -> None:
    phone.open("train=pikomino")
    options, verdict = phone.page.locator(".option"), phone.page.locator(".verdict")
    expect(options.first).to_be_visible()
    assert verdict.count() == 0
    options.first.click()
    expect(verdict).to_contain_text(re.compile("Right|No"))
    expect(phone.page.get_by_text("of 1 right")).to_be_visible()
    assert phone.width() <= PHONE["width"]
    phone.tap("Next position", "Show the answer")
    expect(verdict).to_contain_text("The best is")
    expect(phone.page.get_by_text("of 2 right")).to_be_visible()
