"""What games come to is what those of the twin do; their records: tests/games/test_twins.py."""

import pytest

from lama_odds.games.pikomino.records.record import read_record
from tests.games.cases import product_record, sums_of, tally_of
from tests.games.pikomino.cases import FLIPS, GAMES, GOLDEN, SEED, SHORT, id_of, record, twin_rules
from tests.reference import pikomino as twin

# The lowest tile takes all dice, worms and fives: hardly anybody wins it, nothing else happens.
ENDLESS = {"dice": 5, "low": 25}


def test_a_game_without_an_end_is_given_up():
    policies = ("random", "random")
    expected = twin.game_record(twin_rules(ENDLESS), id_of(ENDLESS), policies, seed=3, game=0)
    lines = expected.splitlines()
    assert len(lines) == 5 + twin.MOST_TURNS
    assert not lines[-1].startswith("final")
    assert product_record(id_of(ENDLESS), policies, 3, 0) == expected


def measures_of(worms, shares, outright, turns, busts, steals):
    """Give what a game adds to the measures; a win is 420 shares."""
    found = {("turns", None): turns, ("busts", None): busts, ("steals", None): steals}
    found["unfinished", None] = int(not any(shares))
    for seat, won in enumerate(worms):
        found["win", seat] = shares[seat]
        found["outright", seat] = outright[seat]
        found["worms", seat] = won
    return found


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("options", "policies", "games"),
    [
        ({}, ("first-tile", "random", "first-tile") * 2 + ("random",), 120),
        (FLIPS | SHORT, ("first-tile", "random"), 120),
        ({"low": 18, "worm_value": 6, "worms": (1, 2, 3)}, ("first-tile",) * 3, 120),
        # Nobody wins a tile in many games, and all share the win; no end is nobody's win.
        ({"dice": 5} | FLIPS, ("first-tile", "random", "random"), 120),
        (ENDLESS, ("first-tile", "random"), 3),
    ],
)
def test_measures_of_games_are_those_of_the_twin(options, policies, games):
    played = twin.games(twin_rules(options), policies, 3, 0, games)
    expected = sums_of(measures_of(*each) for each in played)
    assert (expected["unfinished", None][0] > 0) == (options is ENDLESS)
    for threads in (1, 2):
        assert tally_of(id_of(options), policies, False, 3, 0, games, threads) == expected


@pytest.mark.parametrize("name", GAMES)
def test_product_and_twin_write_the_golden_record_and_it_is_read(name):
    options, policies, game = GAMES[name]
    names, text = tuple(policies.split()), GOLDEN.read(name)
    assert product_record(id_of(options), names, SEED, game) == record(name) == text
    found = read_record(text)
    assert found.rules.id == id_of(options)
    assert found.policies == names
    assert found.luck == (SEED, game)
    assert text.splitlines()[-1] == f"final {' '.join(map(str, found.final))}"
    _, expected = twin.played(twin_rules(options), names, SEED, game)
    assert [list(stack) for stack in found.state.stacks] == expected.stacks
    assert list(found.state.centre) == []
    assert sorted(found.state.turned) == sorted(expected.turned)
