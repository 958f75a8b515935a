"""Policies as commands read them: by name, the best known, or from a file of `tune`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lama_odds
from lama_odds.analysis.policy_files import named_policy
from lama_odds.core.errors import ReadError
from lama_odds.games.interface import best
from lama_odds.games.interface.objectives import SHARED
from lama_odds.games.registry import GAMES, game_of

LAMA = game_of("lama")
EGMONT = LAMA.rules("lama/egmont")
TUNED = {
    "kind": "lama-odds policy 1",
    "rules": "lama/egmont",
    "players": 2,
    "objective": "points",
    "policy": "threshold:5",
    "made": {"version": lama_odds.__version__},
}


def written(path: Path, **changes: Any) -> str:
    """The name of a policy file with these changes."""
    path.write_text(json.dumps(TUNED | changes), encoding="utf-8")
    return f"@{path}"


@pytest.mark.parametrize(
    ("objective", "aim"),
    [("points", "points"), ("margin", "points"), ("win", "win"), ("round", "win")],
)
def test_best_is_the_best_for_what_is_asked(
    objective: str, aim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(LAMA), "objectives", SHARED)
    found = named_policy(LAMA, EGMONT, "best", 4, objective)
    assert found == LAMA.best_policy(EGMONT, 4, aim)
    other = "win" if aim == "points" else "points"
    assert found != LAMA.best_policy(EGMONT, 4, other)


@pytest.mark.parametrize("name", GAMES)
def test_an_unknown_name_is_answered_by_all_that_can_be_named(name: str) -> None:
    game = game_of(name)
    rules = game.rules(f"{name}/{next(iter(game.editions))}")
    with pytest.raises(ReadError) as refused:
        named_policy(game, rules, "zzz", rules.players[0])
    known = refused.value.hints[0].removeprefix("  known: ").split(", ")
    assert known == [*(family.name for family in game.families), "search", "best", "@FILE"]


def test_best_has_near_names_but_no_parameter() -> None:
    with pytest.raises(ReadError, match="did you mean best"):
        named_policy(LAMA, EGMONT, "bst", 3)
    with pytest.raises(ReadError, match="policy best: expected no parameter"):
        named_policy(LAMA, EGMONT, "best:5", 3)


def test_a_file_is_taken_without_a_word_for_what_it_was_tuned_for(tmp_path: Path) -> None:
    told: list[str] = []
    name = written(tmp_path / "policy.json")
    assert named_policy(LAMA, EGMONT, name, 2, "points", told.append).name == "threshold:5"
    assert named_policy(LAMA, EGMONT, name, 2, "margin", told.append).name == "threshold:5"
    assert told == []


@pytest.mark.parametrize(
    ("players", "objective", "changes", "said"),
    [
        (3, "points", {}, "was tuned for 2 players, not for 3: it may be weaker"),
        (2, "win", {}, "was tuned for points, not for win: it may be weaker"),
        (2, "points", {"made": {"version": "0.0.1"}}, "was tuned by version 0.0.1, not by "),
        (4, "win", {}, "for 2 players, not for 4, for points, not for win: it may"),
    ],
)
def test_a_file_for_something_else_is_taken_with_a_word(
    players: int, objective: str, changes: dict[str, Any], said: str, tmp_path: Path
) -> None:
    told: list[str] = []
    name = written(tmp_path / "policy.json", **changes)
    found = named_policy(LAMA, EGMONT, name, players, objective, told.append)
    assert found.name == "threshold:5"
    assert len(told) == 1
    assert said in told[0]
    assert named_policy(LAMA, EGMONT, name, players, objective) == found


def test_a_file_for_another_rule_set_is_refused(tmp_path: Path) -> None:
    name = written(tmp_path / "policy.json")
    with pytest.raises(ReadError, match="is a policy for lama/egmont, not for lama/party"):
        named_policy(LAMA, LAMA.rules("lama/party"), name, 2)


def test_card_alone_is_the_published_one(monkeypatch: pytest.MonkeyPatch) -> None:
    published = {"cards": {"dice": {"amigo": {"3": {"policy": "card:others=0:9/never"}}}}}
    monkeypatch.setattr(best, "data_json", lambda name: published)
    game = game_of("dice")
    amigo = game.rules("dice/amigo")
    assert named_policy(game, amigo, "card", 3).name == "card:others=0:9/never"
    other_faces = game.rules("dice/amigo+faces=1235LL.1346LL.2456LL")
    assert named_policy(game, other_faces, "card", 3).name == "card:others=0:9/never"
    for text, players, why in (
        ("dice/amigo", 2, "none is published"),
        ("dice/egmont", 3, "none is published"),
        ("dice/amigo+target=50", 3, "none suits these options"),
        ("dice/amigo+faces=123456L", 3, "none suits these options"),
    ):
        with pytest.raises(ReadError, match=why) as refused:
            named_policy(game, game.rules(text), "card", players)
        assert f"lama-odds tune {text} card --players {players}" in str(refused.value)
    with pytest.raises(ReadError, match="did you mean card"):
        named_policy(game, amigo, "crd", 3)
