"""Tallies of simulations against sums over the twin's rounds and games."""

from collections import Counter

import pytest

from tests.games.cases import rounds_of, tally_of
from tests.games.dice.cases import id_of, twin_rules
from tests.reference import dice as twin

PAIR = ("threshold:6", "random")
FOUR = ("random", "threshold:3", "threshold:9", "threshold:16")
TABLES = (
    ("amigo", {}, PAIR),
    ("amigo", {}, FOUR),
    ("egmont", {}, ("threshold:0",) * 4),
    ("egmont", {"twenty": True}, FOUR),
    ("amigo", {"dealt": 5, "llama_safe_alone": False}, PAIR),
)
# Few points, so that many games are shared by two, three or all.
TIES = ("amigo", {"llama_points": 1, "points": (1,) * 6, "target": 6}, ("random",) * 4)


@pytest.mark.long
@pytest.mark.parametrize(("edition", "options", "policies"), TABLES)
@pytest.mark.parametrize("threads", [1, 2])
def test_sums_over_first_rounds(edition, options, policies, threads):
    found = tally_of(id_of(edition, options), policies, True, 11, 500, 2000, threads)
    rules = twin_rules(edition, options)
    penalties, actions, went_out, blown = twin.rounds(rules, policies, 11, 500, 2000)
    expected = {("penalty", seat): total for seat, total in enumerate(penalties)}
    expected |= {("actions", None): actions, ("went_out", None): went_out, ("blown", None): blown}
    assert {name: total for name, (total, _) in found.items()} == expected
    assert 0 < went_out < 2000 > blown > 0


def test_sums_of_squares_over_first_rounds():
    found = tally_of("dice/amigo", FOUR, True, 12, 0, 300)
    squares = Counter()
    for game in range(300):
        turns, ended, _, penalties, _ = twin.play_round(
            twin.edition("amigo"), FOUR, 12, game, 0, 0, [0] * 4
        )
        squares["actions", None] += len(turns) ** 2
        squares["went_out", None] += ended == "out"
        squares["blown", None] += ended == "blown"
        for seat, penalty in enumerate(penalties):
            squares["penalty", seat] += penalty**2
    assert {name: square for name, (_, square) in found.items()} == squares


def measures_of(record):
    """Read what a game adds to the measures out of its record; a win is 420 shares."""
    final = [int(word) for word in record.splitlines()[-1].split()[1:]]
    winners = [seat for seat, score in enumerate(final) if score == min(final)]
    found = {("rounds", None): len(rounds_of(record)), ("unfinished", None): 0}
    for seat, score in enumerate(final):
        found["win", seat] = 420 // len(winners) if seat in winners else 0
        found["outright", seat] = int(winners == [seat])
        found["score", seat] = score
    return found, len(winners)


@pytest.mark.parametrize(("edition", "options", "policies"), [*TABLES, TIES])
def test_measures_of_games_are_those_of_the_records(edition, options, policies):
    games = 250
    found = tally_of(id_of(edition, options), policies, False, 13, 40, games)
    sums, squares = Counter(), Counter()
    for game in range(40, 40 + games):
        record = twin.game_record(twin_rules(edition, options), "", policies, 13, game)
        for name, value in measures_of(record)[0].items():
            sums[name] += value
            squares[name] += value * value
    assert found == {name: [sums[name], squares[name]] for name in sums}


def test_a_tie_is_shared_by_all_who_are_lowest():
    edition, options, policies = TIES
    shared = Counter()
    for game in range(60):
        record = twin.game_record(twin_rules(edition, options), "", policies, 13, game)
        measures, winners = measures_of(record)
        found = tally_of(id_of(edition, options), policies, False, 13, game, 1)
        wins = [found["win", seat][0] for seat in range(4)]
        assert wins == [measures["win", seat] for seat in range(4)]
        assert sum(wins) == 420
        assert sum(found["outright", seat][0] for seat in range(4)) == (winners == 1)
        shared[winners] += 1
    assert set(shared) == {1, 2, 3, 4}
