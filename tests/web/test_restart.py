"""A game at a table goes on after the server was killed: by the interface, and on a phone."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import lama_odds as lo
from tests.tapping import entry_of
from tests.web.phone import PHONE
from tests.web.served import Server, served


def kill(server: Server) -> None:
    server.process.kill()
    server.process.wait(20)


@pytest.mark.long
def test_a_whole_game_with_a_kill_in_the_middle(tmp_path: Path) -> None:
    luck = random.Random(3)
    with served(tmp_path) as server:
        game = server.post("/api/games", {"rules": "dice/amigo", "players": 2, "me": 0}).json
        place, entered = f"/api/games/{game['id']}", []
        for _ in range(10):
            entered.append(entry_of(luck.choice(game["choices"]), luck))
            sent = {"entry": entered[-1], "version": game["version"]}
            game = server.post(f"{place}/entry", sent).json
        kill(server)
    with served(tmp_path) as server:
        again = server.get(place).json
        assert {**again, "news": None} == {**game, "news": None}
        while not game["over"] and len(entered) < 3_000:
            entered.append(entry_of(luck.choice(game["choices"]), luck))
            sent = {"entry": entered[-1], "version": game["version"]}
            reply = server.post(f"{place}/entry", sent)
            assert reply.status == 200, (entered[-1], reply.text)
            game = reply.json
        assert game["over"]
        assert max(game["final"]) >= 40
        record = server.get(f"{place}/record").json["record"]
        name, review = server.events(f"{place}/review")[-1]
        assert name == "answer"
        expected = lo.review(record, games=2_000).to_json()
        assert review["decisions"] == json.loads(json.dumps(expected["decisions"]))
    files = list((tmp_path / "lama-odds" / "games").glob("*.txt"))
    assert [file.read_text(encoding="utf-8") for file in files] == [record]


@pytest.mark.long
def test_the_phone_goes_on_after_a_restart(tmp_path: Path, browser: Any) -> None:
    """The page stays open while the server is killed and started again at its address."""
    page = browser.new_page(viewport=PHONE, locale="en-GB")

    def tap(*names: str) -> None:
        for name in names:
            page.get_by_role("button", name=name, exact=True).first.click(timeout=10_000)

    with served(tmp_path) as server:
        page.goto(f"{server.address}?table=")
        tap("Begin", "Add 1", "Add 3", "Add 4", "Add 5", "Add 6", "Add llama", "top card 4")
        tap("Play 5")
        page.get_by_role("heading", name="Player 2's turn").wait_for()
        kill(server)
    with served(tmp_path, "--port", str(server.port)) as server:
        tap("draws")
        page.get_by_role("heading", name="Player 3's turn").wait_for()
        game = server.get("/api/games").json["games"][0]["id"]
        record = server.get(f"/api/games/{game}/record").json["record"]
        assert record.splitlines()[-2:] == ["0 play 5", "1 draw ?"]
    page.close()
