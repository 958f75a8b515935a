"""Tallies of simulations against sums over the twin's games."""

from collections import Counter

import pytest

from tests.games.cases import tally_of
from tests.games.pikomino.cases import FLIPS, SHORT, id_of, twin_rules
from tests.reference import pikomino as twin

PAIR = ("first-tile", "random")
FOUR = ("random", "first-tile", "first-tile", "random")
TABLES = (
    ({}, PAIR),
    ({}, ("first-tile",) * 4),
    ({}, ("first-tile", "random", "first-tile") * 2 + ("random",)),
    (FLIPS, FOUR),
    (SHORT, FOUR),
    (FLIPS | SHORT, PAIR),
    ({"dice": 6, "low": 13, "tiles": 8}, FOUR),
    ({"low": 18, "worm_value": 6, "worms": (1, 2, 3)}, ("first-tile",) * 3),
)
# Nobody wins a tile in many games, and all share the win.
EMPTY = ({"dice": 5} | FLIPS, ("first-tile", "random", "random"))
ENDLESS = ({"dice": 5, "low": 25}, ("first-tile", "random"))


def measures_of(worms, shares, outright, turns, busts, steals):
    """Give what a game adds to the measures; a win is 420 shares."""
    found = {("turns", None): turns, ("busts", None): busts, ("steals", None): steals}
    found["unfinished", None] = int(not any(shares))
    for seat, won in enumerate(worms):
        found["win", seat] = shares[seat]
        found["outright", seat] = outright[seat]
        found["worms", seat] = won
    return found


def expected_of(options, policies, seed, first, games):
    """Sum the measures and their squares over the twin's games."""
    sums, squares = Counter(), Counter()
    for played in twin.games(twin_rules(options), policies, seed, first, games):
        for name, value in measures_of(*played).items():
            sums[name] += value
            squares[name] += value * value
    return {name: [sums[name], squares[name]] for name in sums}


@pytest.mark.long
@pytest.mark.parametrize(("options", "policies"), [*TABLES, EMPTY])
@pytest.mark.parametrize("threads", [1, 2])
def test_measures_of_games_are_those_of_the_twin(options, policies, threads):
    found = tally_of(id_of(options), policies, False, 13, 40, 500, threads)
    assert found == expected_of(options, policies, 13, 40, 500)


def test_a_game_given_up_is_nobodys_win():
    options, policies = ENDLESS
    found = tally_of(id_of(options), policies, False, 3, 0, 4)
    assert found == expected_of(options, policies, 3, 0, 4)
    assert found["unfinished", None][0] > 0
    assert found["turns", None][0] > twin.MOST_TURNS


def test_equal_worms_go_to_the_highest_tile():
    policies = ("first-tile",) * 4
    ties = 0
    for game, played in enumerate(twin.games(twin_rules({}), policies, 13, 0, 100)):
        worms, shares, outright, *_ = played
        if worms.count(max(worms)) == 1:
            continue
        ties += 1
        found = tally_of("pikomino/egmont", policies, False, 13, game, 1)
        assert [found["win", seat][0] for seat in range(4)] == shares
        assert [found["outright", seat][0] for seat in range(4)] == outright
        assert sorted(shares) == [0, 0, 0, twin.WIN]
    assert ties > 5


def test_without_any_tile_all_share_the_win():
    options, policies = EMPTY
    shared = Counter()
    for game, played in enumerate(twin.games(twin_rules(options), policies, 13, 0, 40)):
        worms, shares, outright, *_ = played
        found = tally_of(id_of(options), policies, False, 13, game, 1)
        assert [found["win", seat][0] for seat in range(3)] == shares
        assert [found["outright", seat][0] for seat in range(3)] == outright
        shared[any(worms), tuple(sorted(shares))] += 1
    assert set(shared) == {(False, (140, 140, 140)), (True, (0, 0, 420))}


def test_a_card_that_stops_at_once_plays_as_first_tile():
    cards, first_tiles = ((name, "random", name) for name in ("card:0", "first-tile"))
    played = [
        tally_of("pikomino/egmont", names, False, 3, 0, 500) for names in (cards, first_tiles)
    ]
    assert played[0] == played[1]
