"""Tallies of simulations against sums over the twin's rounds and games."""

from collections import Counter

import pytest

from tests.games.cases import tally_of
from tests.games.lama.cases import id_of, twin_rules
from tests.reference import lama as twin

PAIR = ("threshold:6", "random")
FOUR = ("random", "threshold:3", "matching:9", "threshold:16")
SIX = ("threshold:5", "matching:5", "random") * 2
TABLES = (
    ("egmont", {}, PAIR),
    ("egmont", {}, ("threshold:5",) * 4),
    ("amigo", {}, FOUR),
    ("egmont", {"llama_each": True, "twenty": True}, FOUR),
    ("egmont", {"drama": True}, FOUR),
    ("party", {}, ("threshold:5",) * 4),
    ("party", {"drama": True}, SIX),
    ("party", {"dealt": 5, "drama": True, "drama_tokens": 3, "pink_drama": False}, PAIR),
)
# Few points, so that many games are shared by two, three or all.
TIES = ("egmont", {"llama_points": 1, "points": (1,) * 6, "target": 6}, ("random",) * 4)


@pytest.mark.long
@pytest.mark.parametrize(("edition", "options", "policies"), TABLES)
@pytest.mark.parametrize("threads", [1, 2])
def test_sums_over_first_rounds(edition, options, policies, threads):
    found = tally_of(id_of(edition, options), policies, True, 11, 500, 2000, threads)
    rules = twin_rules(edition, options)
    penalties, actions, went_out = twin.rounds(rules, policies, 11, 500, 2000)
    expected = {("penalty", seat): total for seat, total in enumerate(penalties)}
    expected |= {("actions", None): actions, ("went_out", None): went_out, ("blown", None): 0}
    assert {name: total for name, (total, _) in found.items()} == expected
    assert 0 < went_out < 2000


def test_sums_of_squares_over_first_rounds():
    found = tally_of("lama/party", FOUR, True, 12, 0, 300)
    squares = Counter({("blown", None): 0})
    for game in range(300):
        turns, ended, _, penalties, _, _ = twin.play_round(
            twin.edition("party"), FOUR, 12, game, 0, 0, [0] * 4
        )
        squares["actions", None] += len(turns) ** 2
        squares["went_out", None] += ended == "out"
        for seat, penalty in enumerate(penalties):
            squares["penalty", seat] += penalty**2
    assert {name: square for name, (_, square) in found.items()} == squares


def measures_of(final, rounds):
    """Give what a game adds to the measures; a win is 420 shares."""
    winners = [seat for seat, score in enumerate(final) if score == min(final)]
    found = {("rounds", None): rounds, ("unfinished", None): 0}
    for seat, score in enumerate(final):
        found["win", seat] = 420 // len(winners) if seat in winners else 0
        found["outright", seat] = int(winners == [seat])
        found["score", seat] = score
    return found, len(winners)


@pytest.mark.parametrize(("edition", "options", "policies"), [*TABLES, TIES])
@pytest.mark.parametrize("threads", [1, 2])
def test_measures_of_games_are_those_of_the_twin(edition, options, policies, threads):
    games = 400
    found = tally_of(id_of(edition, options), policies, False, 13, 40, games, threads)
    sums, squares = Counter(), Counter()
    for played in twin.games(twin_rules(edition, options), policies, 13, 40, games):
        for name, value in measures_of(*played)[0].items():
            sums[name] += value
            squares[name] += value * value
    assert found == {name: [sums[name], squares[name]] for name in sums}


def test_a_tie_is_shared_by_all_who_are_lowest():
    edition, options, policies = TIES
    shared = Counter()
    for game, played in enumerate(twin.games(twin_rules(edition, options), policies, 13, 0, 400)):
        measures, winners = measures_of(*played)
        found = tally_of(id_of(edition, options), policies, False, 13, game, 1)
        wins = [found["win", seat][0] for seat in range(4)]
        assert wins == [measures["win", seat] for seat in range(4)]
        assert sum(wins) == 420
        assert sum(found["outright", seat][0] for seat in range(4)) == (winners == 1)
        shared[winners] += 1
    assert set(shared) == {1, 2, 3, 4}
