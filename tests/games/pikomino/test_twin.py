"""The product writes, turn for turn, the records of its plain twin on the same luck."""

from collections import Counter

import pytest

from lama_odds.games.pikomino.game import GAME
from tests.games.cases import LARGEST_SEED, LAST_GAME, product_record, seats_of
from tests.games.pikomino.cases import CASES, FLIPS, MIXES, SEATS, SHORT, id_of, twin_rules
from tests.reference import pikomino as twin

TABLES = [
    pytest.param(options, players, id=f"{id_of(options)[9:]}-{players}")
    for options in CASES
    for players in SEATS
]
NAMED = [pytest.param(options, id=id_of(options)[9:]) for options in CASES]
# The lowest tile takes all dice, worms and fives: hardly anybody wins it, nothing else happens.
ENDLESS = {"dice": 5, "low": 25}


def games_at(players):
    """Give the games compared at a table, policies, seed and game of each."""
    for number, mix in enumerate(MIXES):
        yield seats_of(mix, players), 10 * players + number, 7 * number


@pytest.mark.parametrize(("options", "players"), TABLES)
def test_games_are_those_of_the_twin(options, players):
    rules_id, rules = id_of(options), twin_rules(options)
    for policies, seed, game in games_at(players):
        expected = twin.game_record(rules, rules_id, policies, seed, game)
        assert product_record(rules_id, policies, seed, game) == expected


@pytest.mark.long
@pytest.mark.parametrize("policies", [("random",) * 3, ("first-tile",) * 4])
def test_many_games_are_those_of_the_twin(policies):
    rules = twin_rules({})
    for game in range(300):
        expected = twin.game_record(rules, "pikomino/egmont", policies, 2, game)
        assert product_record("pikomino/egmont", policies, 2, game) == expected


@pytest.mark.parametrize("seed", [0, 1, 2**32, LARGEST_SEED])
@pytest.mark.parametrize("game", [0, 1, 2**32 + 5, LAST_GAME])
def test_any_seed_and_game_can_be_looked_up(seed, game):
    for policies in (("random", "first-tile", "random"), seats_of(MIXES[2], 7)):
        expected = twin.game_record(twin_rules({}), "pikomino/egmont", policies, seed, game)
        assert product_record("pikomino/egmont", policies, seed, game) == expected


@pytest.mark.parametrize("policies", [("random", "random"), ("first-tile", "random") * 3])
def test_a_game_without_an_end_is_given_up(policies):
    expected = twin.game_record(twin_rules(ENDLESS), id_of(ENDLESS), policies, seed=3, game=0)
    lines = expected.splitlines()
    assert len(lines) == 5 + twin.MOST_TURNS
    assert not lines[-1].startswith("final")
    assert product_record(id_of(ENDLESS), policies, 3, 0) == expected


@pytest.mark.parametrize("options", NAMED)
def test_the_twin_has_the_same_rule_set(options):
    rules = GAME.rules(id_of(options))
    assert rules.values == vars(twin_rules(options))
    assert rules.id == id_of(options)
    assert rules.players == SEATS


def ending_of(line):
    """Split the end of a turn off its line: (total kept, worm kept, last face kept, words)."""
    words = line.split()[1:]
    total, kept, face = 0, set(), None
    while words[0] == "roll":
        shown, face, words = words[1], None, words[2:]
        if words[0] == "keep":
            face, words = words[1], words[2:]
            total += shown.count(face) * (5 if face == "W" else int(face))
            kept.add(face)
    return total, "W" in kept, face, words


def test_the_games_compared_show_every_event():
    seen = Counter()
    for players in SEATS:
        for options in ({}, FLIPS, SHORT):
            for policies, seed, game in games_at(players):
                record = twin.game_record(twin_rules(options), "", policies, seed, game)
                for line in record.splitlines()[5:-1]:
                    total, worm, face, words = ending_of(line)
                    names = " ".join(word for word in words if not word.isdigit())
                    seen[names] += 1
                    seen[f"{names} with {face}"] += 1
                    if words[0] == "stop":
                        seen["stop lower" if int(words[1]) < total else "stop exact"] += 1
                    elif words[0] == "bust" and face:
                        seen["bust without a worm"] += not worm
                        seen["bust too low"] += worm
                    if len(words) == 5:
                        seen["returned and flipped"] += words[2] == words[4]
    events = ["stop", "steal", "bust", "bust flips", "bust returns", "bust returns flips"]
    events += ["stop lower", "stop exact", "bust without a worm", "bust too low"]
    events += ["returned and flipped", "bust with None"]
    events += [f"{end} with {face}" for end in ("stop", "steal", "bust") for face in twin.FACES]
    assert [event for event in events if seen[event] < 3] == []
