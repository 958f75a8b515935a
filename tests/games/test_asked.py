"""Policies asked again at the decisions of their own records decide as they did."""

from __future__ import annotations

import numpy as np
import pytest

from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import decisions
from lama_odds.games.shared.policy_query import query_of, same_basis, words_of

CASES = [
    ("dice/amigo", 4, "threshold:5"),
    ("dice/egmont", 3, "meanfield:out=11"),
    ("lama/egmont", 4, "meanfield:out=6"),
    ("lama/egmont+llama_each", 2, "matching:3"),
    ("lama/amigo", 3, "threshold:3"),
    ("lama/party+drama", 4, "meanfield"),
    ("noprob/starnberger", 2, "planner:chase=40,lead=6,deny=18,haste=6"),
    ("noprob/starnberger+refill=off", 4, "greedy"),
    ("pikomino/egmont", 3, "first-tile"),
    ("pikomino/egmont", 2, "optimal-turn"),
    ("pikomino/egmont+short", 3, "lead:50"),
    ("pikomino/egmont", 3, "card:net/stop/worm/steal=1..:21/short=..1+behind=1..:never/24"),
    ("noprob/starnberger", 3, "card:up/pairs/total=5..+down=..3:40/10"),
]


def every_one(number: int) -> bool:
    return True


@pytest.mark.long
@pytest.mark.parametrize(("rules", "players", "policy"), CASES)
def test_asked_again_a_policy_decides_as_it_did(rules: str, players: int, policy: str) -> None:
    game = game_of(rules)
    rule_set, chosen = game.rules(rules), game.policy(policy)
    query = query_of(game)
    player = query.player(rule_set, chosen, players)
    text = game.record(rule_set, [chosen] * players, 5, 2, False)
    told = decisions(game, rule_set, text)
    reader = query.reader(every_one)
    reader.read(text)
    assert len(reader.found) == len(told) > 20
    for decision, situation in zip(told, reader.found, strict=True):
        legal = query.legal_actions(rule_set, situation.position)
        assert player.decides(situation, 0) == decision.chosen
        assert decision.chosen in legal


@pytest.mark.parametrize(
    "rules", ["dice/amigo", "lama/party", "noprob/starnberger", "pikomino/egmont"]
)
def test_who_plays_by_chance_does_something_legal_and_the_same_with_the_same_word(
    rules: str,
) -> None:
    game = game_of(rules)
    rule_set, chance = game.rules(rules), game.policy("random")
    query = query_of(game)
    player = query.player(rule_set, chance, 3)
    text = game.record(rule_set, [chance] * 3, 1, 0, False)
    reader = query.reader(every_one)
    reader.read(text)
    words = words_of(1, 0, len(reader.found))[1].tolist()
    done = [player.decides(s, word) for s, word in zip(reader.found, words, strict=True)]
    for situation, action in zip(reader.found, done, strict=True):
        assert action in query.legal_actions(rule_set, situation.position)
    assert done == [player.decides(s, w) for s, w in zip(reader.found, words, strict=True)]
    assert done != [
        player.decides(s, w ^ 1 << 63) for s, w in zip(reader.found, words, strict=True)
    ]


def test_only_what_is_wanted_is_kept() -> None:
    game = game_of("dice/amigo")
    rules, policy = game.rules("dice/amigo"), game.policy("threshold:5")
    query = query_of(game_of("dice"))
    text = game.record(rules, [policy] * 3, 1, 0, False)
    every, third = query.reader(every_one), query.reader(lambda number: number % 3 == 0)
    every.read(text)
    third.read(text)
    assert third.found == every.found[::3]
    assert [situation.number for situation in third.found] == list(range(0, every.number, 3))


def test_words_of_a_game_are_its_own() -> None:
    first, again, other = words_of(1, 0, 50), words_of(1, 0, 50), words_of(1, 1, 50)
    assert (first == again).all()
    assert len(np.unique(np.concatenate([first, other]))) == 200


SAME = [
    ("dice/amigo", "dice/gigamic", "meanfield"),
    ("dice/amigo", "dice/egmont", "threshold:5"),
    ("dice/amigo", "dice/amigo+llama_points=1", "random"),
    ("lama/egmont", "lama/egmont+starter=last_actor", "meanfield"),
    ("lama/egmont", "lama/egmont+drama", "matching:3"),
    ("noprob/starnberger", "noprob/starnberger+any_tie", "greedy"),
    ("pikomino/egmont", "pikomino/egmont+short", "optimal-turn"),
    ("pikomino/egmont", "pikomino/egmont+short", "card:21"),
    ("dice/amigo", "dice/amigo+target=30", "meanfield"),
    ("lama/egmont", "lama/egmont+target=30", "meanfield:behind=3"),
]
OTHER = [
    # Whoever plays for the game knows, alone in a round, whether quitting ends it.
    ("dice/amigo", "dice/amigo+target=30", "meanfield:behind=3"),
    ("dice/amigo", "dice/amigo+target=30", "meanfield:win=3"),
    ("lama/egmont", "lama/egmont+target=30", "meanfield:lose=3"),
    ("dice/amigo", "dice/egmont", "meanfield"),
    ("dice/amigo", "dice/amigo+llama_points=5", "threshold:5"),
    ("lama/egmont", "lama/egmont+llama_each", "matching:3"),
    ("lama/egmont", "lama/egmont+drama", "meanfield"),
    ("noprob/starnberger", "noprob/starnberger+special=9", "greedy"),
    ("pikomino/egmont", "pikomino/egmont+short", "lead:50"),
    ("pikomino/egmont", "pikomino/egmont+worms=4.3.2.1", "card:21"),
    ("noprob/starnberger", "noprob/starnberger+special=9", "card:10"),
]


@pytest.mark.long
@pytest.mark.parametrize(("a", "b", "policy"), SAME + OTHER)
def test_what_players_decide_by(a: str, b: str, policy: str) -> None:
    game = game_of(a)
    query = query_of(game)
    chosen = game.policy(policy)
    first, second = (query.player(game.rules(text), chosen, 3) for text in (a, b))
    assert same_basis(first, second) == ((a, b, policy) in SAME)
    assert same_basis(first, first)


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("dice/amigo", "dice/amigo+dealt=5", "other hands"),
        ("dice/amigo", "dice/amigo+faces=1234LL.1256LL", "3 dice, 2"),
        ("dice/amigo+llamas=8", "dice/amigo", "8 cards L"),
        ("lama/egmont", "lama/party", "cards 1+"),
        ("lama/party", "lama/egmont", "cards 1+"),
        ("lama/egmont+drama", "lama/egmont", "pot"),
        ("lama/amigo", "lama/egmont", "8 cards L in play, 7"),
        ("lama/egmont+dealt=5", "lama/egmont", "other hands"),
        ("noprob/starnberger", "noprob/starnberger+low=4", "kinds"),
        ("noprob/starnberger", "noprob/starnberger+peeks=0", "2 own cards"),
        ("pikomino/egmont", "pikomino/egmont+dice=7", "8 dice, 7"),
        ("pikomino/egmont", "pikomino/egmont+tiles=15", "other tiles"),
    ],
)
def test_situations_that_cannot_be_put_to_others(a: str, b: str, said: str) -> None:
    game = game_of(a)
    query = query_of(game)
    assert said in query.unlike(game.rules(a), game.rules(b))
    assert query.unlike(game.rules(a), game.rules(a)) == ""


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("dice/amigo", "dice/egmont"),
        ("lama/egmont", "lama/amigo"),
        ("lama/egmont", "lama/egmont+drama"),
    ],
)
def test_situations_that_can(a: str, b: str) -> None:
    game = game_of(a)
    assert query_of(game).unlike(game.rules(a), game.rules(b)) == ""
