"""Games followed at a table: kept on disk, one change at a time, and no other file in reach."""

from __future__ import annotations

import io
import json
import os
import random
import threading
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from lama_odds.analysis.coach.session import Session
from lama_odds.api.asked import stored_of
from lama_odds.core.errors import LimitError, NothingToDecideError, ReadError
from lama_odds.core.language import speaking
from lama_odds.web import tables
from lama_odds.web.tables import NoGameError, OldVersionError, Tables
from tests.cli.calls import inside
from tests.tapping import entry_of

CASES = [
    ("lama/party+drama", 3, 1),
    ("dice/amigo", 2, 0),
    ("pikomino/egmont", 3, 1),
    ("noprob/starnberger", 2, 1),
]
SHAPE = {
    *("id", "rules", "players", "me", "version", "over", "awaits", "seat", "position", "table"),
    *("lies", "actions", "choices", "scores", "moves", "news", "prompt", "final"),
    *("names", "entries", "dropped", "redo"),
}


def same(game: dict[str, Any]) -> dict[str, Any]:
    """A game without what only the last answer says."""
    return {key: game[key] for key in SHAPE - {"news", "dropped", "redo"}}


def enter(store: Tables, game: dict[str, Any], *entries: str) -> dict[str, Any]:
    for entry in entries:
        game = store.enter(game["id"], entry, game["version"])
    return game


def file_of(folder: Path) -> Path:
    (path,) = folder.glob("phone-*.txt")
    return path


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("rules", "players", "me"), CASES)
def test_a_game_goes_on_anywhere_and_back(
    rules: str, players: int, me: int, tmp_path: Path
) -> None:
    store, rng = Tables(tmp_path), random.Random(7)
    game = store.begin(rules, players, me)
    told = [same(game)]
    while not game["over"] and len(told) < 30:
        assert set(game) == SHAPE
        json.dumps(game, allow_nan=False)
        assert (game["position"] is not None) == (game["seat"] == me and len(game["actions"]) > 1)
        assert (game["awaits"] == "turn") == (game["seat"] is not None) == bool(game["table"])
        game = enter(store, game, entry_of(rng.choice(game["choices"]), rng))
        assert game["version"] not in [before["version"] for before in told]
        if len(told) % 5 == 0:
            store = Tables(tmp_path)
            assert store.game(game["id"]) == same(game) | {"news": [], "dropped": [], "redo": False}
        told.append(same(game))
    assert file_of(tmp_path).read_text(encoding="utf-8") == store.record(game["id"])
    for before in told[-2::-1]:
        game = store.undo(game["id"], game["version"])
        assert same(game) == before
    with pytest.raises(ReadError, match="nothing can be taken back"):
        store.undo(game["id"], game["version"])


def test_a_table_of_six_grids_is_put_right(tmp_path: Path) -> None:
    store = Tables(tmp_path)
    game = enter(store, store.begin("noprob/starnberger", 6, 0), "11=3 12=7", "4")
    seen = ",".join(["3", "4", "5", "6", "7", "8", "9"] * 5)
    others = ";".join(["-5,?,10/?,?,8/?,?,-2:DK", "?,?,?/9,?,?/?,?,?", *["?,J,?/?,?,?/?,?,?"] * 3])
    position = f"grid=3,(7),?/?,?,?/8,?,? top=8 pile=30 seen={seen} opp={others}"
    game = enter(store, game, f"stands {position}")
    assert game["position"].startswith(position.split(" pile")[0])


def test_what_a_game_says(tmp_path: Path) -> None:
    store = Tables(tmp_path)
    game = store.begin("lama/egmont", 2, 1)
    assert (game["awaits"], game["scores"]) == ("deal", [0, 0])
    assert game["news"] == ["Round 1: Player 1 starts."]
    game = enter(store, game, "deal 11366L", "top 5")
    assert game["table"][1:] == ["player 1: 6 cards", "you: 11366L"]
    assert (game["prompt"], game["seat"], game["actions"]) == ("Player 1 to act", 0, [])
    game = enter(store, game, "5")
    assert game["news"] == ["Player 1: play 5"]
    assert game["position"].startswith("hand=11366L top=5")
    assert game["actions"] == ["play 6", "draw", "quit"]
    game = enter(store, game, "quit", "quit")
    assert game["awaits"] == "penalties"
    with pytest.raises(ReadError, match="player 1 cannot have 41 points: 1 to 28"):
        enter(store, game, "penalties 41 20")
    game = enter(store, game, "penalties 28 20")
    assert (game["awaits"], game["scores"], game["final"]) == ("deal", [28, 20], None)
    game = enter(store, game, "deal 11366L", "top 5", "quit", "quit", "penalties 12 20")
    assert game["final"] == game["scores"] == [40, 40]
    assert (game["over"], game["choices"]) == (True, [])
    assert game["moves"].count("Round 1 is over: everybody has quit.") == 1
    with pytest.raises(ReadError, match="the game is over"):
        enter(store, game, "5")


def test_each_reader_of_a_game_has_a_language_of_their_own(tmp_path: Path) -> None:
    store = Tables(tmp_path)
    english = store.begin("lama/egmont", 2, 1)
    with speaking("de"):
        german = store.game(english["id"])
        assert german["prompt"] == "Gib deine Hand ein, zum Beispiel: 11366L"
        with pytest.raises(ReadError, match="nichts lässt sich wiederherstellen"):
            store.redo(german["id"], german["version"])
    assert store.game(english["id"]) == {**english, "news": []}


def test_games_are_listed_the_newest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Tables(tmp_path)
    assert Tables(tmp_path / "none").games() == []
    first, second = (store.begin(rules, 2, 0)["id"] for rules in ("dice/amigo", "pikomino/egmont"))
    os.utime(tmp_path / f"phone-{second}.txt", (10, 10))
    (tmp_path / "phone-notes.txt").write_text("rules dice/amigo\n", encoding="utf-8")
    (tmp_path / f"phone-{'0' * 16}.txt").write_text("no record\n", encoding="utf-8")
    found = store.games()
    assert [game["id"] for game in found] == [first, second]
    begun = found[0].pop("begun")
    assert datetime.fromisoformat(begun)
    expected = {"rules": "dice/amigo", "players": 2, "me": 0, "over": False, "turns": 0}
    assert found[0] == {"id": first} | expected
    monkeypatch.setattr(tables, "MOST_LISTED", 2)
    assert len(store.games()) == 2  # the broken file, which is the newest, hides none


@pytest.mark.parametrize(
    "name",
    [
        *("", "../x", "0" * 15, "0" * 17, "0" * 16, "A" * 16, "٠" * 16, "0" * 16 + "\n"),
        *("phone-" + "0" * 10, "/etc/passwd", "%2e%2e%2f", "0" * 15 + "\0", 7, None),
    ],
)
def test_only_ids_lead_to_files(name: Any, tmp_path: Path) -> None:
    store = Tables(tmp_path)
    for ask in (store.game, store.record, store.asked, store.review):
        with pytest.raises(NoGameError):
            ask(name)
    with pytest.raises(NoGameError):
        store.enter(name, "5", 0)
    assert not list(tmp_path.iterdir())


def test_a_link_and_a_game_of_policies_are_no_games_here(tmp_path: Path) -> None:
    store = Tables(tmp_path)
    game = store.begin("dice/amigo", 2, 0)
    (tmp_path / f"phone-{'1' * 16}.txt").symlink_to(file_of(tmp_path))
    text = store.record(game["id"]).replace("policies me player", "policies me random")
    (tmp_path / f"phone-{'2' * 16}.txt").write_text(text, encoding="utf-8")
    for digit in "12":
        with pytest.raises(NoGameError):
            store.game(digit * 16)


def test_an_old_version_changes_nothing(tmp_path: Path) -> None:
    store = Tables(tmp_path)
    old = store.begin("pikomino/egmont", 2, 0)
    new = enter(store, old, "roll 1123444W")
    for version in (old["version"], 0, -1, True, None, "x"):
        with pytest.raises(OldVersionError):
            store.enter(new["id"], "keep 4", version)
        with pytest.raises(OldVersionError):
            store.undo(new["id"], version)
    assert same(Tables(tmp_path).game(new["id"])) == same(new)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("keep 4; stop 21", "none can be taken"),
        ("#2 keep 4", "you are to act, not player 2"),
        ("k" * (tables.MOST_ENTRY + 1), f"more than {tables.MOST_ENTRY} characters"),
        ("keep 4" + ";" * tables.MOST_PARTS, "more than 8 entries in one"),
        ("keep 4" + ";" * (tables.MOST_PARTS - 1), "nothing between two semicolons"),
        ("\ud800", "expected roll DICE"),
        ("keep 4\nfinal 0 0", "found 'final'"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    entry: str, reason: str, tmp_path: Path
) -> None:
    store = Tables(tmp_path)
    game = enter(store, store.begin("pikomino/egmont", 2, 0), "roll 1123444W")
    text = file_of(tmp_path).read_bytes()
    with pytest.raises(ReadError, match=reason):
        enter(store, game, entry)
    assert file_of(tmp_path).read_bytes() == text
    assert same(store.game(game["id"])) == same(game)
    assert enter(store, game, "keep 4".ljust(tables.MOST_ENTRY))["seat"] == 0


@pytest.mark.parametrize("entry", ["roll 1123444W; keep 9", "roll 1123444W; keep 4; nonsense"])
def test_a_refused_entry_leaves_the_session_as_it_was(entry: str) -> None:
    """Also where its first parts could be carried out."""
    game, rules = stored_of("pikomino/egmont")
    session = Session.begin(game, rules, 2, 0, None, 0)
    session.advance()
    before, told = session.text, session.enter("roll 1123444W")
    session.undo()
    assert session.text == before
    with pytest.raises(ReadError):
        session.enter(entry)
    assert session.text == before
    assert (session.seat(), session.actions()) == (0, ["roll"])
    assert session.enter("roll 1123444W") == told


def test_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_FILES", 2)
    monkeypatch.setattr(tables, "MOST_OPEN", 1)
    store = Tables(tmp_path)
    first, second = (store.begin("pikomino/egmont", 2, 0) for _ in range(2))
    with pytest.raises(LimitError, match="2 games already"):
        store.begin("pikomino/egmont", 2, 0)
    first = enter(store, first, "roll 1123444W")
    second = enter(store, second, "roll 11111111")
    assert same(store.game(first["id"])) == same(first)
    after = enter(store, first, "keep 4")
    longest, first = len(store.record(first["id"])), store.undo(first["id"], after["version"])
    monkeypatch.setattr(tables, "MOST_TEXT", longest)
    first = store.undo(first["id"], enter(store, first, "keep 4")["version"])  # just fits
    monkeypatch.setattr(tables, "MOST_TEXT", longest - 1)
    with pytest.raises(LimitError, match="too long"):
        enter(store, first, "keep 4")
    assert same(store.game(first["id"])) == same(first)


@pytest.mark.parametrize(
    ("rules", "players", "me"),
    [
        *(("dice/amigo", 7, 0), ("dice/amigo", 2, 2), ("dice/amigo", 2, -1), ("chess", 2, 0)),
        *(("dice/amigo", "2", 0), ("dice/amigo", True, 0), ("dice/amigo", 2, None), (None, 2, 0)),
        ("@quick.toml", 2, 0),
    ],
)
def test_no_game_is_begun(rules: Any, players: Any, me: Any, tmp_path: Path) -> None:
    with pytest.raises(ReadError):
        Tables(tmp_path / "new").begin(rules, players, me)
    assert not (tmp_path / "new").exists()


def test_of_two_at_once_one_wins(tmp_path: Path) -> None:
    store = Tables(tmp_path)
    game = store.begin("dice/amigo", 2, 0)
    game = enter(store, game, "deal 11366L 12236L")
    start, found = threading.Barrier(8), []

    def one() -> None:
        start.wait()
        try:
            found.append(store.enter(game["id"], "quit", game["version"])["version"])
        except OldVersionError:
            found.append(None)

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len([version for version in found if version is not None]) == 1
    assert store.record(game["id"]).count("quit") == 1


def test_the_terminal_and_the_page_take_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Tables(tmp_path)
    game = store.begin("dice/amigo", 2, 0)
    game = enter(store, game, "deal 11366L 12236L", "roll 136")
    monkeypatch.setattr("sys.stdin", io.StringIO("discard 13\nroll 245\n"))
    said = inside("play", "--resume", str(file_of(tmp_path)), "--no-advice")
    assert said.code == 0, said.err
    assert "You: roll 136, discard 13" in said.out
    after = store.game(game["id"])
    assert after["version"] != game["version"]
    with pytest.raises(OldVersionError):
        enter(store, game, "discard 1")
    assert "You: roll 136, discard 13" in after["moves"]
    assert same(Tables(tmp_path).game(game["id"])) == same(after)


def test_advice_and_review(tmp_path: Path) -> None:
    store = Tables(tmp_path)
    game = store.begin("pikomino/egmont", 2, 0)
    game = enter(store, game, "roll 1123444W")
    session = store.asked(game["id"])
    assert session.position().format() == game["position"]
    session.enter("keep 4")
    assert same(store.game(game["id"])) == same(game)
    done: list[float] = []
    game = enter(store, game, "keep W")
    found = store.review(game["id"], lambda share, doing: done.append(share), 1000, 1)
    assert [each["played"] for each in found["decisions"]] == ["roll", "keep W"]
    assert done
    assert 0 <= min(done) <= max(done) <= 1
    # Finished decisions stay beside the game: the review of the same game is there at once.
    (kept,) = tmp_path.glob("*.review.json")
    before = kept.read_bytes()
    assert {**store.review(game["id"], games=1000), "seconds": 0} == {**found, "seconds": 0}
    assert kept.read_bytes() == before
    with speaking("de"):
        german = store.review(game["id"], games=1000)
    assert german["decisions"][0]["where"]["text"] == "dein 1. Zug"
    assert [each["id"] for each in store.games()] == [game["id"]]
    enter(store, game, "roll 1111111; #2 roll 11234WWW")
    with pytest.raises(NothingToDecideError, match="not your turn"):
        store.asked(game["id"])
