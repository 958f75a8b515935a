"""Tallies of simulations against sums over the twin's games."""

from collections import Counter

import pytest

from lama_odds.games.noprob.game import GAME
from lama_odds.simulation.run import run
from tests.games.cases import product_rules
from tests.games.noprob.cases import END, FOUR, SMALL, STUCK, TINY, id_of, twin_rules
from tests.reference import noprob as twin

TABLES = (
    ({}, 2, 60),
    ({}, 5, 40),
    (FOUR, 3, 40),
    (SMALL | {"any_tie": True, "target": 1}, 3, 100),
    (SMALL | END | {"low": 2, "special": 6, "triple_joker": False}, 4, 60),
    (TINY | FOUR | {"rounds": 2}, 2, 100),
    (STUCK, 2, 40),
)


def tally_of(options, players, seed, first, games, rounds, threads=1):
    """Simulate; give [sum, sum of squares] by measure and seat."""
    chosen = [GAME.policy("random")] * players
    job = GAME.simulation(product_rules(id_of(options)), chosen, rounds=rounds)
    played = run(job, seed, games, first=first, threads=threads, chunk=16)
    assert played.games == games
    names = [(measure.name, measure.seat) for measure in job.measures]
    return dict(zip(names, played.tally[: len(names)].tolist(), strict=True))


def measures_of_round(rules, policies, seed, game):
    """Give what a first round of the twin adds to the measures."""
    penalties, turns = twin.play_first_round(rules, policies, seed, game)
    found = {("penalty", seat): points for seat, points in enumerate(penalties)}
    return found | {("turns", None): turns, ("unfinished", None): int(turns == twin.MOST_TURNS)}


def measures_of_game(rules, policies, seed, game):
    """Give what a game adds to the measures; a win is 420 shares, no end no rounds."""
    played = twin.play_game(rules, policies, seed, game)
    found = {("unfinished", None): played["unfinished"]}
    found["rounds", None] = 0 if played["unfinished"] else played["rounds"]
    for name in ("win", "outright", "score", "llamas"):
        found |= {(name, seat): value for seat, value in enumerate(played[name])}
    return found


def expected_of(measures, options, players, seed, first, games):
    """Sum the measures and their squares over the twin's games."""
    sums, squares = Counter(), Counter()
    for game in range(first, first + games):
        found = measures(twin_rules(options), ("random",) * players, seed, game)
        for name, value in found.items():
            sums[name] += value
            squares[name] += value * value
    return {name: [sums[name], squares[name]] for name in sums}


@pytest.mark.parametrize(
    ("options", "players", "games"),
    TABLES,
    ids=str,
)
def test_measures_are_those_of_the_twin(options, players, games):
    for measures, rounds in ((measures_of_round, True), (measures_of_game, False)):
        expected = expected_of(measures, options, players, 13, 40, games)
        for threads in (1, 2):
            assert tally_of(options, players, 13, 40, games, rounds, threads) == expected


@pytest.mark.parametrize(("options", "players"), [({}, 3), (FOUR, 2), (STUCK, 2)], ids=str)
def test_games_in_detail_have_their_length_in_turns_and_the_spread_of_scores(options, players):
    chosen = [GAME.policy("random")] * players
    job = GAME.simulation(product_rules(id_of(options)), chosen, rounds=False)
    plain, detailed = run(job, 13, 30).tally, run(job.detailed(), 13, 30).tally
    assert (detailed[: len(job.measures)] == plain).all()
    expected = Counter()
    for game in range(30):
        table = twin.Table(twin_rules(options), ["random"] * players, 13)
        told = list(twin.rounds_of(table, game))
        turns = sum(played.turns for _, played in told)
        standing = told[-1][0]
        spread = max(standing.totals) - min(standing.totals)
        expected += Counter(length=turns, length_squared=turns**2)
        expected += Counter(spread=spread, spread_squared=spread**2)
    names = [measure.name for measure in job.detailed().measures]
    for name in ("length", "spread"):
        found = detailed[names.index(name)].tolist()
        assert found == [expected[name], expected[f"{name}_squared"]]


def test_a_game_given_up_is_nobodys_win():
    found = tally_of(STUCK, 2, 13, 40, 40, rounds=False)
    lost = found["unfinished", None][0]
    assert 0 < lost < 40
    assert sum(found["win", seat][0] for seat in range(2)) == twin.WIN * (40 - lost)
    assert sum(found["outright", seat][0] for seat in range(2)) == 40 - lost


def test_equal_sums_share_the_win_of_four_rounds():
    options = TINY | FOUR | {"rounds": 1, "special": 0}
    shared = Counter()
    for game in range(300):
        played = twin.play_game(twin_rules(options), ("random",) * 2, 13, game)
        shared[tuple(played["win"])] += 1
        if played["win"][0] == twin.WIN // 2:
            found = tally_of(options, 2, 13, game, 1, rounds=False)
            assert [found["win", seat][0] for seat in range(2)] == played["win"]
            assert [found["outright", seat][0] for seat in range(2)] == [0, 0]
    assert set(shared) == {(420, 0), (0, 420), (210, 210)}
