"""Forks of whole games against the twins, and tallies read by name."""

from __future__ import annotations

import numpy as np
import pytest

from lama_odds.games import registry
from lama_odds.games.interface.tally_layout import (
    CERTAIN,
    FORK_COLUMNS,
    FORK_OBJECTIVES,
    OPEN_COLUMNS,
    WIN,
    ForkCell,
    RolloutTally,
    add_fork,
    as_one_game,
    close_forks,
    decisions_of,
    event_of,
    result_of,
    rollout_layout,
    unended_of,
)
from lama_odds.games.shared.seating import bands_of
from lama_odds.simulation.run import run
from tests.games.cases import STUDY, counted, product_rules
from tests.games.dice import cases as dice_cases
from tests.games.dice import test_twin as dice_forks
from tests.games.lama import cases as lama_cases
from tests.games.lama import test_twin as lama_forks
from tests.reference import dice, lama, luck


class Met(list):
    """The decisions of a round, each with the scores at that moment."""

    def __init__(self, scores):
        super().__init__()
        self.scores = scores

    def append(self, decision):
        super().append((decision[0], decision[1], tuple(self.scores)))


class RoundWatch:
    """What the watched policies of the forks of rounds want: where to note, and what is forced."""

    def __init__(self, seats, dealt, scores, forced_at, forced):
        self.met, self.forced_at, self.forced = Met(scores), forced_at, forced
        self.others = seats - 1
        self.sizes = dict.fromkeys(range(seats), dealt)


class Dice:
    twin, cases, watched, ways = dice, dice_cases, dice_forks.Watched, (True, False)

    @staticmethod
    def play(table, game, number, starter, scores, pot):
        turns, _, hands = dice.play_turns(table, game, number, starter, scores)
        return turns[-1][0], [dice.penalty_of(table.points, hand) for hand in hands]


class Cards:
    twin, cases, watched, ways = lama, lama_cases, lama_forks.Watched, (lama.QUIT, lama.DRAW)

    @staticmethod
    def play(table, game, number, starter, scores, pot):
        turns, _, penalties = lama.play_turns(table, game, number, starter, scores, pot)
        rotates = table.rules.starter == "rotate"
        return (starter + 1) % len(scores) if rotates else turns[-1][0], penalties


def play_game(kind, table, game, forced=(-1, 0, None)):
    """A game of a twin, one decision (round, number, action) forced.

    Give the decisions of each round, the scores after each, and the shares of the win.
    """
    plain = table.policies
    scores, pot, starter, met, after = [0] * len(plain), [], 0, [], []
    while max(scores) < table.rules.target:
        at, action = forced[1:] if forced[0] == len(met) else (0, None)
        watch = RoundWatch(len(plain), table.rules.dealt, scores, at, action)
        table.policies = [kind.watched(seat, policy, watch) for seat, policy in enumerate(plain)]
        starter, penalties = kind.play(table, game, len(met), starter, scores, pot)
        table.policies = plain
        scores = [a + b for a, b in zip(scores, penalties, strict=True)]
        met.append(watch.met)
        after.append(tuple(scores))
    winners = [score == min(scores) for score in scores]
    return met, after, [WIN // sum(winners) * won for won in winners]


def twin_forks(kind, table, game, band, chance):
    """The forks of a game: keys, payoffs of quitting, of going on."""
    bands = bands_of(table.rules.target, band)
    for number, decisions in enumerate(play_game(kind, table, game)[0]):
        for at, (seat, penalty, scores) in enumerate(decisions, 1):
            word = luck.word_at(table.stream, luck.address_of(game, number, STUDY, at))
            if luck.below(word, CERTAIN) >= chance:
                continue
            best = min(score for other, score in enumerate(scores) if other != seat)
            own, best = (band * min(s // band, bands - 1) for s in (scores[seat], best))
            payoffs = []
            for action in kind.ways:
                _, after, shares = play_game(kind, table, game, (number, at, action))
                payoffs.append((WIN - shares[seat], after[number][seat] - scores[seat]))
            yield [(penalty, own, best)], *payoffs


FORKED = 8
CASES = [
    (Dice, "amigo", {}, ("threshold:5",) * 4, 10, 1),
    (Dice, "egmont", {"twenty": True, "target": 25}, ("threshold:8", "threshold:2"), 7, 3),
    (Cards, "egmont", {}, ("threshold:5", "matching:4", "threshold:8", "matching:2"), 10, 3),
    (Cards, "party", {"drama": True}, ("matching:2", "threshold:9", "matching:6"), 5, 1),
]


@pytest.mark.long
@pytest.mark.parametrize(("kind", "edition", "options", "policies", "band", "one_in"), CASES)
def test_forks_are_the_twins_games_played_both_ways(kind, edition, options, policies, band, one_in):
    rules = product_rules(kind.cases.id_of(edition, options))
    product = registry.game_of(rules.id)
    names = [product.policy(name) for name in policies]
    job, chance = product.game_forks(rules, names, None, band), CERTAIN // one_in
    if one_in > 1:
        chances = np.full(len(job.keys), chance, dtype=np.int64)
        job = product.game_forks(rules, names, chances, band)
    table = kind.twin.Table(kind.cases.twin_rules(edition, options), policies, 9)
    expected = counted(list(twin_forks(kind, table, game, band, chance)) for game in range(FORKED))
    tally = run(job.job, 9, FORKED, threads=2).tally
    keys = [tuple(key.values()) for key in job.keys]
    found = {k: row.tolist() for k, row in zip(keys, tally[:-1], strict=True) if row.any()}
    assert len(expected) > 20
    assert found == expected
    assert unended_of(tally) == 0
    assert (job.objectives, job.unit, job.margin_unit) == (("win", "points"), 1 / WIN, 1.0)


def test_games_without_an_end_are_counted():
    product = registry.game_of("lama/egmont")
    # A point a round at most, and often returned: nobody gets to a thousand.
    rules = product.rules("lama/egmont+dealt=1+llama_points=1+points=1.1.1.1.1.1+target=1000")
    few = np.full((rules.most_points + 1), CERTAIN // 2_000, dtype=np.int64)
    job = product.game_forks(rules, [product.policy("threshold:0")] * 2, few, 1_000)
    assert unended_of(run(job.job, 0, 1, threads=1).tally) > 0


GAMES = [
    [((3, 1), (5, 1)), ((2, 0), (2, 1))],
    [((7, 1), (4, 0))],
    [((1, 1), (1, 1)), ((0, 0), (6, 1)), ((2, 1), (9, 0))],
]


def test_every_place_of_a_rollout_tally_has_one_meaning() -> None:
    layout = rollout_layout(3, 4, 2, 5, counters=6)
    tally = np.arange(layout.shape[0])
    read = RolloutTally(layout, tally)
    parts = (read.sums, read.events, read.results, read.counters)
    assert [part.shape for part in parts] == [(3, 4, 5), (4, 2), (4, 5), (6,)]
    assert [*np.concatenate([part.ravel() for part in parts]), read.unended] == tally.tolist()
    assert read.events[3, 1] == event_of(layout, 3, 1)
    assert read.results[2, 4] == result_of(layout, 2, 4)
    assert read.counters[0] == layout.counters_at


def test_forks_are_read_as_sums_over_games() -> None:
    tally = np.zeros((3, FORK_COLUMNS), dtype=np.int64)
    open_cells, touched = np.zeros((3, OPEN_COLUMNS), np.int64), np.zeros(4, np.int64)
    for game in GAMES:
        for first, second in game:
            add_fork(open_cells, touched, 1, np.array(first), np.array(second))
        close_forks(tally, open_cells, touched)
    cell = ForkCell(tally[1])
    numbers = [len(game) for game in GAMES]
    assert (cell.decisions, cell.decisions_squared) == (6, 14)
    assert decisions_of(tally).tolist() == [0, 6, 0]
    for objective in range(FORK_OBJECTIVES):
        first, second = (
            [sum(fork[way][objective] for fork in game) for game in GAMES] for way in (0, 1)
        )
        apart = [b - a for a, b in zip(first, second, strict=True)]
        for sums, found in (
            (first, cell.first(objective)),
            (second, cell.second(objective)),
            (apart, cell.difference(objective)),
        ):
            products = sum(x * n for x, n in zip(sums, numbers, strict=True))
            assert found == (sum(sums), sum(x * x for x in sums), products, 6, 14)


def test_cells_of_a_game_taken_together_are_one_cell() -> None:
    cells = [np.zeros((3, FORK_COLUMNS), dtype=np.int64) for _ in range(2)]
    for tally, places in zip(cells, ((0, 1, 1), (2, 2, 2)), strict=True):
        open_cells, touched = np.zeros((3, OPEN_COLUMNS), np.int64), np.zeros(4, np.int64)
        for place, (first, second) in zip(places, GAMES[2], strict=True):
            add_fork(open_cells, touched, place, np.array(first), np.array(second))
        close_forks(tally, open_cells, touched)
    apart, together = cells
    assert (as_one_game(apart.sum(axis=0, keepdims=True)) == together[2:]).all()
