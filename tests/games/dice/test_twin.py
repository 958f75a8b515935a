"""The product writes, turn for turn, the records of its plain twin on the same luck."""

from collections import Counter

import pytest

from tests.games.cases import LARGEST_SEED, LAST_GAME, games_at, product_record
from tests.games.dice.cases import CASES, MIXES, most_players, twin_rules
from tests.reference import dice as twin


@pytest.mark.parametrize("seed", [0, 1, 2**32, LARGEST_SEED])
@pytest.mark.parametrize("game", [0, 1, 2**32 + 5, LAST_GAME])
def test_any_seed_and_game_can_be_looked_up(seed, game):
    policies = ("random", "threshold:4", "random")
    expected = twin.game_record(twin.edition("egmont"), "dice/egmont", policies, seed, game)
    assert product_record("dice/egmont", policies, seed, game, rounds=False) == expected


def test_a_game_longer_than_the_first_log():
    rules_id, policies = "dice/egmont+target=1000", ("threshold:3",) * 6
    expected = twin.game_record(
        twin_rules("egmont", {"target": 1000}), rules_id, policies, seed=3, game=0
    )
    assert len(expected.splitlines()) > 4096
    assert product_record(rules_id, policies, 3, 0, rounds=False) == expected


def test_the_games_compared_show_every_event():
    seen = Counter()
    for edition, options in CASES:
        rules = twin_rules(edition, options)
        for players in range(2, most_players(edition, options) + 1):
            for policies, seed, game in games_at(MIXES, players, 0):
                for line in twin.game_record(rules, "", policies, seed, game).splitlines():
                    seen[line.partition(" ")[2]] += 1
                    seen[line] += line.startswith("end")
    events = ("end out", "end blown", "end quit", "end row", "quit", "roll LLL", "roll LLL blown")
    assert [event for event in events if seen[event] < 10] == []
