"""The product writes, turn for turn, the records of its plain twin on the same luck."""

from collections import Counter

import pytest

from tests.games.cases import LARGEST_SEED, LAST_GAME, games_at, product_record, product_rules
from tests.games.lama.cases import CASES, MIXES, id_of, most_players, twin_rules
from tests.reference import lama as twin


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


@pytest.mark.parametrize(("edition", "options"), CASES, ids=str)
def test_ids_of_the_cases_are_canonical(edition, options):
    assert product_rules(id_of(edition, options)).id == id_of(edition, options)


def test_the_games_compared_show_every_event():
    seen = Counter()
    for edition, options in CASES:
        rules = twin_rules(edition, options)
        for players in range(2, most_players(edition, options) + 1):
            for policies, seed, game in games_at(MIXES, players, 0):
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
