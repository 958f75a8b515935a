"""Games at a table mended: an entry replaced, undo and redo, a game joined under way, names."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from lama_odds.core.errors import LamaOddsError, LimitError, ReadError
from lama_odds.web import tables
from lama_odds.web.tables import Tables
from tests.tapping import entry_of

CASES = [
    ("lama/party+drama", 3),
    ("dice/amigo", 2),
    ("pikomino/egmont", 3),
    ("noprob/starnberger", 2),
]
Game = dict[str, Any]


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


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("rules", "players"), CASES)
def test_an_entry_replaced_by_itself_changes_nothing(
    rules: str, players: int, tmp_path: Path
) -> None:
    store, rng = Tables(tmp_path), random.Random(3)
    game = store.begin(rules, players, 1)
    for _ in range(25):
        if game["over"]:
            break
        game = enter(store, game, entry_of(rng.choice(game["choices"]), rng))
    assert [each["index"] for each in game["entries"]] == list(range(len(game["entries"])))
    for each in game["entries"][:: max(1, len(game["entries"]) // 4)]:
        again = mend(store, game, each["index"], each["entry"])
        assert (again["version"], again["dropped"]) == (game["version"], [])
        before = store.before(game["id"], each["index"])
        assert before["seat"] == each["seat"]
        after = store.before(game["id"], each["index"], each["entry"])
        assert after["entries"][-1] == each


def test_what_stays_legal_is_kept_and_the_rest_is_told(tmp_path: Path) -> None:
    store = Tables(tmp_path)
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


def test_a_mended_round_that_ends_sooner_drops_the_rest(tmp_path: Path) -> None:
    store = Tables(tmp_path)
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


def test_refused_mends_change_nothing(tmp_path: Path) -> None:
    store = Tables(tmp_path)
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


def test_mends_there_and_back_are_undone_one_by_one(tmp_path: Path) -> None:
    store = Tables(tmp_path)
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


def test_a_full_disk_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Tables(tmp_path)
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


def test_a_game_is_joined_under_way(tmp_path: Path) -> None:
    store = Tables(tmp_path)
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


@pytest.mark.parametrize(
    ("rules", "scores", "first", "reason"),
    [
        ("dice/amigo", [40, 0], 0, "a score from 0 to 39"),
        ("dice/amigo", [4], 0, "one for each of 2 players"),
        ("dice/amigo", "4 0", 0, "one for each of 2 players"),
        ("dice/amigo", [4, True], 0, "expected a whole number"),
        ("dice/amigo", [4, 0], 2, "first"),
        ("noprob/starnberger", [3, 0], 0, "0 to 2 llamas"),
        ("noprob/starnberger+four_rounds", [3, 0], 0, "the number of rounds played"),
        ("lama/egmont+drama", [3, 0], 0, "without the pot"),
        ("pikomino/egmont", [3, 0], 0, "has no rounds"),
    ],
)
def test_a_game_that_cannot_be_joined(
    rules: str, scores: Any, first: Any, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(LamaOddsError, match=reason):
        Tables(tmp_path).begin(rules, 2, 0, None, scores, first)
    assert not list(tmp_path.iterdir())


def test_players_have_names(tmp_path: Path) -> None:
    store = Tables(tmp_path)
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
    ("names", "reason"),
    [
        (["a", "b"], "one for each of 3 players"),
        (["", "x" * 13, ""], "1 to 12 letters and digits"),
        (["", "a\nfinal", ""], "1 to 12 letters and digits"),
        (["", "Al", "al"], "another name for each player"),
        (["", 7, ""], "a text, or null"),
    ],
)
def test_names_that_cannot_be(names: Any, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=reason):
        Tables(tmp_path).begin("dice/amigo", 3, 0, names)
