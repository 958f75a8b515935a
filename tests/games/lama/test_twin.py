"""The product writes, turn for turn, the records of its plain twin on the same luck."""

from collections import Counter

import pytest

from lama_odds.games.lama.game import GAME
from tests.games.lama.cases import (
    CASES,
    MIXES,
    id_of,
    most_players,
    product_record,
    seats_of,
    twin_rules,
)
from tests.reference import lama as twin

TABLES = [
    pytest.param(edition, options, players, id=f"{id_of(edition, options)[5:]}-{players}")
    for edition, options in CASES
    for players in range(2, most_players(edition, options) + 1)
]
LARGEST_SEED = 2**63 - 1
LAST_GAME = 2**40 - 1


def games_at(players, parity):
    """Give the games compared at a table, policies, seed and game of each."""
    for number, mix in enumerate(MIXES):
        if (players + number) % 2 == parity:
            yield seats_of(mix, players), 10 * players + number, 7 * number


@pytest.mark.parametrize(("edition", "options", "players"), TABLES)
def test_games_are_those_of_the_twin(edition, options, players):
    rules_id, rules = id_of(edition, options), twin_rules(edition, options)
    for policies, seed, game in games_at(players, 0):
        expected = twin.game_record(rules, rules_id, policies, seed, game)
        assert product_record(rules_id, policies, seed, game, rounds=False) == expected


@pytest.mark.parametrize(("edition", "options", "players"), TABLES)
def test_first_rounds_are_those_of_the_twin(edition, options, players):
    rules_id, rules = id_of(edition, options), twin_rules(edition, options)
    for policies, seed, game in games_at(players, 1):
        expected = twin.round_record(rules, rules_id, policies, seed, game)
        assert product_record(rules_id, policies, seed, game, rounds=True) == expected


@pytest.mark.parametrize("rules_id", ["lama/egmont", "lama/party+drama"])
@pytest.mark.parametrize("seed", [0, 1, 2**32, LARGEST_SEED])
@pytest.mark.parametrize("game", [0, 1, 2**32 + 5, LAST_GAME])
def test_any_seed_and_game_can_be_looked_up(rules_id, seed, game):
    policies = ("random", "threshold:4", "matching:6")
    edition, _, drama = rules_id.removeprefix("lama/").partition("+")
    rules = twin_rules(edition, {"drama": bool(drama)})
    expected = twin.game_record(rules, rules_id, policies, seed, game)
    assert product_record(rules_id, policies, seed, game, rounds=False) == expected


def test_a_game_longer_than_the_first_log():
    options, policies = {"drama": True, "target": 1000}, ("threshold:3",) * 6
    rules_id = id_of("egmont", options)
    expected = twin.game_record(twin_rules("egmont", options), rules_id, policies, seed=3, game=0)
    assert len(expected.splitlines()) > 4096
    assert product_record(rules_id, policies, 3, 0, rounds=False) == expected


@pytest.mark.parametrize(("edition", "options"), CASES, ids=lambda case: str(case))
def test_the_twin_has_the_same_rule_set(edition, options):
    rules = GAME.rules(id_of(edition, options))
    assert rules.values == vars(twin_rules(edition, options))
    assert rules.id == id_of(edition, options)
    assert rules.players == range(2, most_players(edition, options) + 1)


def test_the_games_compared_show_every_event():
    seen = Counter()
    for edition, options in CASES:
        rules = twin_rules(edition, options)
        for players in range(2, most_players(edition, options) + 1):
            for policies, seed, game in games_at(players, 0):
                for line in twin.game_record(rules, "", policies, seed, game).splitlines():
                    words = line.split()
                    if not words[0].isdigit():
                        seen[line] += 1
                        continue
                    action = words[1:2] if words[1] == "quit" else words[1:3]
                    moved = words[1 + len(action) :]
                    seen[" ".join(action)] += 1
                    seen[" ".join(action + moved[:1])] += 1
                    seen[" ".join(moved)] += 1
    events = ["end out", "end quit", "quit", "quit takes", "play P takes", "play 1+ takes"]
    events += [f"{action} {card}" for action in ("play", "draw") for card in twin.NAMES]
    events += ["play L pays", "play P pays", "draw L takes", "draw 3 takes"]
    events += [f"pays {token}" for token in (1, 3, 4, 7, 10, 20, 30)]
    assert [event for event in events if seen[event] < 10] == []
