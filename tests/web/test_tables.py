"""Games followed at a table: kept on disk, one change at a time, and no other file in reach.

What was entered can be mended, taken back and brought back; games are joined under way.
"""

from __future__ import annotations

import io
import json
import os
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from lama_odds.analysis.coach.session import Session
from lama_odds.api.asked import read_stored_rules
from lama_odds.core.errors import LamaOddsError, LimitError, NothingToDecideError, ReadError
from lama_odds.core.language import speaking
from lama_odds.web import tables
from lama_odds.web.tables import NoGameError, OldVersionError, Tables
from tests.cli.calls import inside
from tests.tapping import entry_of

Game = dict[str, Any]
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


def same(game: Game) -> Game:
    """A game without what only the last answer says."""
    return {key: game[key] for key in SHAPE - {"news", "dropped", "redo"}}


@pytest.fixture
def store(tmp_path: Path) -> Tables:
    return Tables(tmp_path)


def enter(store: Tables, game: Game, *entries: str) -> Game:
    for entry in entries:
        game = store.enter(game["id"], entry, game["version"])
    return game


def mend(store: Tables, game: Game, index: int, entry: str) -> Game:
    return store.mend(game["id"], index, entry, game["version"])


def undo(store: Tables, game: Game) -> Game:
    return store.undo(game["id"], game["version"])


def redo(store: Tables, game: Game) -> Game:
    return store.redo(game["id"], game["version"])


def file_of(folder: Path) -> Path:
    (path,) = folder.glob("phone-*.txt")
    return path


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("rules", "players", "me"), CASES)
def test_a_game_goes_on_anywhere_and_back(
    rules: str, players: int, me: int, tmp_path: Path
) -> None:
    """An entry that is replaced by itself changes nothing."""
    store, rng = Tables(tmp_path), random.Random(7)
    game = store.begin(rules, players, me)
    told = [same(game)]
    while not game["over"] and len(told) < 26:
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
    assert [each["index"] for each in game["entries"]] == list(range(len(game["entries"])))
    for each in game["entries"][:: max(1, len(game["entries"]) // 4)]:
        again = mend(store, game, each["index"], each["entry"])
        assert (again["version"], again["dropped"]) == (game["version"], [])
        assert store.before(game["id"], each["index"])["seat"] == each["seat"]
        assert store.before(game["id"], each["index"], each["entry"])["entries"][-1] == each
    for before in told[-2::-1]:
        game = undo(store, game)
        assert same(game) == before
    with pytest.raises(ReadError, match="nothing can be taken back"):
        undo(store, game)


def test_what_a_game_says(store: Tables) -> None:
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


def test_each_reader_of_a_game_has_a_language_of_their_own(store: Tables) -> None:
    english = store.begin("lama/egmont", 2, 1)
    with speaking("de"):
        german = store.game(english["id"])
        assert german["prompt"] == "Gib deine Hand ein, zum Beispiel: 11366L"
        with pytest.raises(ReadError, match="nichts lässt sich wiederherstellen"):
            store.redo(german["id"], german["version"])
    assert store.game(english["id"]) == {**english, "news": []}


def test_games_are_listed_the_newest_first(
    store: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Tables(tmp_path / "none").games() == []
    first = store.begin("dice/amigo", 2, 0)["id"]
    second = enter(store, store.begin("pikomino/egmont", 3, 1), "25")["id"]
    over = "1" * 16
    (tmp_path / f"phone-{over}.txt").write_text(f"{store.record(second)}final 1 0 0\n")
    for name, changed in ((second, 10), (over, 5)):
        os.utime(tmp_path / f"phone-{name}.txt", (changed, changed))
    (tmp_path / "phone-notes.txt").write_text("rules dice/amigo\n", encoding="utf-8")
    (tmp_path / f"phone-{'0' * 16}.txt").write_text("no record\n", encoding="utf-8")
    found = store.games()
    begun = {datetime.fromisoformat(game.pop("begun")).year for game in found}
    assert 1970 not in begun  # when it was changed is another matter
    three = {"rules": "pikomino/egmont", "players": 3, "me": 1, "turns": 1}
    assert found == [
        {"id": first, "rules": "dice/amigo", "players": 2, "me": 0, "turns": 0, "over": False},
        {"id": second, **three, "over": False},
        {"id": over, **three, "over": True},
    ]
    monkeypatch.setattr(tables, "MOST_LISTED", 2)
    assert len(store.games()) == 2  # the broken file, which is the newest, hides none


@pytest.mark.parametrize(
    "name",
    [
        *("", "../x", "0" * 15, "0" * 17, "0" * 16, "A" * 16, "٠" * 16, "0" * 16 + "\n"),
        *("phone-" + "0" * 10, "/etc/passwd", "%2e%2e%2f", "0" * 15 + "\0", 7, None),
    ],
)
def test_only_ids_lead_to_files(name: Any, store: Tables, tmp_path: Path) -> None:
    for ask in (store.game, store.record, store.asked, store.review):
        with pytest.raises(NoGameError):
            ask(name)
    with pytest.raises(NoGameError):
        store.enter(name, "5", 0)
    assert not list(tmp_path.iterdir())


def test_a_link_another_name_and_a_game_of_policies_are_no_games_here(
    store: Tables, tmp_path: Path
) -> None:
    game = store.begin("dice/amigo", 2, 0)
    (tmp_path / f"phone-{'1' * 16}.txt").symlink_to(file_of(tmp_path))
    (tmp_path / f"phone-{'A' * 16}.txt").write_text(store.record(game["id"]), encoding="utf-8")
    text = store.record(game["id"]).replace("policies me player", "policies me random")
    (tmp_path / f"phone-{'2' * 16}.txt").write_text(text, encoding="utf-8")
    for sign in "12A":
        with pytest.raises(NoGameError):
            store.game(sign * 16)


def test_an_old_version_changes_nothing(store: Tables, tmp_path: Path) -> None:
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
    entry: str, reason: str, store: Tables, tmp_path: Path
) -> None:
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
    game, rules = read_stored_rules("pikomino/egmont")
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


def test_bounds(store: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_FILES", 2)
    monkeypatch.setattr(tables, "MOST_OPEN", 1)
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


def test_of_several_at_once_one_wins(store: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    game = enter(store, store.begin("dice/amigo", 2, 0), "deal 11366L 12236L")
    start, carry_out = threading.Barrier(4), Session.enter

    def slow(session: Session, entry: str) -> list[str]:
        time.sleep(0.1)  # so that others come in between, if they can
        return carry_out(session, entry)

    def one(_: int) -> bool:
        start.wait()
        try:
            return bool(store.enter(game["id"], "quit", game["version"]))
        except OldVersionError:
            return False

    monkeypatch.setattr(Session, "enter", slow)
    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(one, range(4))) == 1
    assert store.record(game["id"]).count("quit") == 1


def test_the_terminal_and_the_page_take_turns(
    store: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_advice_and_review(store: Tables, tmp_path: Path) -> None:
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
    # My first roll of a turn is no choice.
    mine = store.begin("pikomino/egmont", 2, 0)
    with pytest.raises(NothingToDecideError, match="not your turn to choose"):
        store.asked(mine["id"])


# Mended


def test_what_stays_legal_is_kept_and_the_rest_is_told(store: Tables) -> None:
    game = store.begin("pikomino/egmont", 3, 0, ["", "Anna", "Ben"])
    game = enter(
        store, game, "roll 11123WWW; keep W", "roll 55123; keep 5; stop 25", "26", "27", "stop 28"
    )
    assert [each["text"] for each in game["entries"]] == [
        "You: roll 11123WWW, keep W, roll 55123, keep 5, stop 25",
        *("Anna: stop 26", "Ben: stop 27", "You: stop 28"),
    ]
    same = mend(store, game, 1, "stop 29")
    assert same["dropped"] == []
    assert [each["entry"] for each in same["entries"][1:]] == ["stop 29", "stop 27", "stop 28"]
    game = mend(store, same, 1, "27")
    why = "no roll makes Ben stop 27 here: only 21-24,26,28-36"
    assert game["dropped"] == [
        {"text": "Ben: stop 27", "why": why},
        {"text": "You: stop 28", "why": why},
    ]
    assert game["entries"][-1]["text"] == "Anna: stop 27"
    assert game["seat"] == 2
    back = undo(store, game)
    assert back["version"] == same["version"]
    assert redo(store, back)["version"] == game["version"]


def test_a_mended_round_that_ends_sooner_drops_the_rest(store: Tables) -> None:
    game = store.begin("dice/egmont", 2, 0)
    game = enter(store, game, "deal 112233 445566", "roll 446; take 6", "discard 4", "quit", "quit")
    entries = [each["entry"] for each in game["entries"]]
    at = entries.index("discard 4")
    with pytest.raises(ReadError, match="no roll makes player 2 discard 1 here"):
        mend(store, game, at, "discard 1")
    game = mend(store, game, 0, "deal 113344 225566")
    assert game["dropped"][0]["text"] == "You: roll 446, take 6"
    assert "does not allow" in game["dropped"][0]["why"]
    assert [each["entry"] for each in game["entries"]] == ["deal 113344 225566"]
    assert [each["entry"] for each in undo(store, game)["entries"]] == entries


def test_refused_mends_change_nothing(store: Tables) -> None:
    game = enter(store, store.begin("pikomino/egmont", 2, 1), "25")
    wrong: list[tuple[Any, Any]] = [(1, "25"), (-1, "25"), ("0", "25"), (0, "37"), (0, ""), (0, 7)]
    for index, entry in wrong:
        with pytest.raises(ReadError):
            store.mend(game["id"], index, entry, game["version"])
    with pytest.raises(ReadError, match="there is no entry 9"):
        store.before(game["id"], 9)
    with pytest.raises(ReadError, match="nothing can be brought back"):
        redo(store, game)
    assert store.game(game["id"])["version"] == game["version"]


def test_undo_and_redo_survive_a_restart(tmp_path: Path) -> None:
    game = Tables(tmp_path).begin("dice/amigo", 2, 0)
    told = [game["version"]]
    for entry in ("deal 11366L 12236L", "roll 136", "discard 13", "take 4"):
        game = enter(Tables(tmp_path), game, entry)
        assert not game["redo"]
        told.append(game["version"])
    for version in told[-2::-1]:
        game = undo(Tables(tmp_path), game)
        assert (game["version"], game["redo"]) == (version, True)
    for version in told[1:]:
        game = redo(Tables(tmp_path), game)
        assert game["version"] == version
    assert not game["redo"]
    game = undo(Tables(tmp_path), game)
    game = enter(Tables(tmp_path), game, "quit")
    assert not game["redo"]
    assert not list(tmp_path.glob("*.past.json"))


def test_mends_there_and_back_are_undone_one_by_one(store: Tables, tmp_path: Path) -> None:
    game = enter(store, store.begin("pikomino/egmont", 2, 1), "25")
    first = game["version"]
    game = mend(store, mend(store, game, 0, "26"), 0, "25")
    assert game["version"] == first
    game = undo(Tables(tmp_path), game)
    assert game["entries"][0]["entry"] == "stop 26"
    game = undo(Tables(tmp_path), game)
    assert game["version"] == first
    assert undo(store, game)["entries"] == []


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"mends": 1, "undone": []}', '{"mends": [[1, 2]], "undone": []}']
)
def test_a_damaged_past_is_no_past(text: str, tmp_path: Path) -> None:
    game = enter(Tables(tmp_path), Tables(tmp_path).begin("pikomino/egmont", 2, 1), "25")
    (tmp_path / f"phone-{game['id']}.past.json").write_text(text, encoding="utf-8")
    game = Tables(tmp_path).game(game["id"])
    assert not game["redo"]
    assert undo(Tables(tmp_path), game)["redo"]


def test_a_past_of_another_game_brings_nothing_back(tmp_path: Path) -> None:
    game = undo(
        Tables(tmp_path),
        enter(Tables(tmp_path), Tables(tmp_path).begin("pikomino/egmont", 2, 1), "25"),
    )
    path = tmp_path / f"phone-{game['id']}.past.json"
    path.write_text(path.read_text().replace("stop 25", "stop 99"), encoding="utf-8")
    with pytest.raises(ReadError, match="no roll makes player 1 stop 99"):
        redo(Tables(tmp_path), game)
    assert Tables(tmp_path).game(game["id"])["version"] == game["version"]


def test_a_full_disk_changes_nothing(
    store: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = undo(store, enter(store, store.begin("pikomino/egmont", 2, 1), "25"))

    def full(path: Path, content: str) -> None:
        raise OSError(28, "No space left on device", str(path))

    with monkeypatch.context() as patched:
        patched.setattr(tables, "write_output", full)
        for change in (redo, lambda store, game: enter(store, game, "26")):
            with pytest.raises(LimitError, match="No space left") as error:
                change(store, game)
            assert str(tmp_path) not in str(error.value)
        with pytest.raises(LimitError):
            store.begin("pikomino/egmont", 2, 0)
    assert store.game(game["id"]) == game
    assert redo(store, game)["entries"][0]["entry"] == "stop 25"


def test_a_game_is_joined_under_way(store: Tables) -> None:
    game = store.begin("lama/amigo", 3, 0, None, [12, 5, 0], 2)
    assert "round 0 first 2\nscores 12 5 0\n" in store.record(game["id"])
    assert game["scores"] == [12, 5, 0]
    assert (game["awaits"], game["news"]) == ("deal", [])
    assert game["moves"] == ["Round 1: Player 3 starts."]
    game = enter(store, game, "deal 11366L", "top 4", "5")
    assert "scores=12,5,0 first=2" in game["position"]
    game = store.begin("noprob/starnberger", 2, 0, None, [2, 1], 1)
    assert "round 0 first 1\nllamas 2 1\ntarget 3\n" in store.record(game["id"])
    game = enter(store, game, "deal 11=3 12=7", "top 4", "draw 5 replace 1,1 turns 8")
    assert "llamas=2,1" in game["position"]


def test_players_have_names(store: Tables) -> None:
    game = store.begin("dice/amigo", 3, 0, ["Me", "Anna", None])
    assert "\nnames - Anna -\n" in store.record(game["id"])
    assert game["names"] == [None, "Anna", None]
    game = enter(store, game, "deal 11366L 12236L 124455", "quit")
    assert game["prompt"] == "Anna to act"
    assert [line.split(":")[0] for line in game["table"][1:]] == ["you", "Anna", "player 3"]
    with pytest.raises(ReadError, match="no roll makes Anna take 1 here"):
        enter(store, game, "take 1")
    game = enter(store, game, "quit", "quit")
    assert "Anna: quit" in game["moves"]
    assert any(line.startswith("Scores: you") and "Anna" in line for line in game["moves"])


@pytest.mark.parametrize(
    ("begin", "reason"),
    [
        *((("dice/amigo", players, 0), "players") for players in (7, "2", True)),
        *((("dice/amigo", 2, me), "me") for me in (2, -1, None)),
        *(((rules, 2, 0), "rule|game|text") for rules in ("chess", None, "@quick.toml")),
        (("dice/amigo", 2, 0, None, [40, 0], 0), "a score from 0 to 39"),
        (("dice/amigo", 2, 0, None, [4], 0), "one for each of 2 players"),
        (("dice/amigo", 2, 0, None, "4 0", 0), "one for each of 2 players"),
        (("dice/amigo", 2, 0, None, [4, True], 0), "expected a whole number"),
        (("dice/amigo", 2, 0, None, [4, 0], 2), "first"),
        (("noprob/starnberger", 2, 0, None, [3, 0], 0), "0 to 2 llamas"),
        (("noprob/starnberger+four_rounds", 2, 0, None, [3, 0], 0), "the number of rounds played"),
        (("lama/egmont+drama", 2, 0, None, [3, 0], 0), "without the pot"),
        (("pikomino/egmont", 2, 0, None, None, 1), "has no rounds"),
        (("dice/amigo", 2, 0, ["a", "b", ""]), "one for each of 2 players"),
        (("dice/amigo", 2, 0, ["", "x" * 13]), "1 to 12 letters and digits"),
        (("dice/amigo", 2, 0, ["", "a\nfinal"]), "1 to 12 letters and digits"),
        (("dice/amigo", 3, 0, ["", "Al", "al"]), "another name for each player"),
        (("dice/amigo", 2, 0, ["", 7]), "a text, or null"),
    ],
)
def test_no_game_is_begun(begin: tuple[Any, ...], reason: str, tmp_path: Path) -> None:
    with pytest.raises(LamaOddsError, match=reason):
        Tables(tmp_path / "new").begin(*begin)
    assert not (tmp_path / "new").exists()


def test_points_that_quitting_costs_are_among_those_that_a_seat_can_have(store: Tables) -> None:
    game = store.begin("lama/egmont+quit_cost=3", 2, 1)
    game = enter(store, game, "deal 11366L", "top 5", "quit", "quit")
    with pytest.raises(ReadError, match="player 1 cannot have 3 points: 4 to 33"):
        enter(store, game, "penalties 3 23")
    assert enter(store, game, "penalties 4 23")["scores"] == [4, 23]
