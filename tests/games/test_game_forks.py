"""Decisions of whole games played both ways: against the twins, forced at one decision."""

import numpy as np
import pytest

from lama_odds.games import registry
from lama_odds.games.interface.tally_layout import CERTAIN, WIN, unended_of
from lama_odds.games.shared.score_bands import bands_of
from lama_odds.simulation.run import run
from tests.games.cases import product_rules
from tests.games.dice import cases as dice_cases
from tests.games.dice import test_twin as dice_forks
from tests.games.forked import STUDY, counted
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


GAMES = 10
CASES = [
    (Dice, "amigo", {}, ("threshold:5",) * 4, 10),
    (Dice, "egmont", {"twenty": True, "target": 25}, ("threshold:8", "threshold:2"), 7),
    (Cards, "egmont", {}, ("threshold:5", "matching:4", "threshold:8", "matching:2"), 10),
    (Cards, "amigo", {"target": 30}, ("threshold:3",) * 2, 30),
    (Cards, "party", {"drama": True}, ("matching:2", "threshold:9", "matching:6"), 5),
]


@pytest.mark.long
@pytest.mark.parametrize("thinned", [False, True])
@pytest.mark.parametrize(("kind", "edition", "options", "policies", "band"), CASES)
def test_forks_are_the_twins_games_played_both_ways(
    kind, edition, options, policies, band, thinned
):
    rules = product_rules(kind.cases.id_of(edition, options))
    product = registry.game_of(rules.id)
    names = [product.policy(name) for name in policies]
    job = product.game_forks(rules, names, None, band)
    chance = CERTAIN
    if thinned:
        chance = CERTAIN // 3
        chances = np.full(len(job.keys), chance, dtype=np.int64)
        job = product.game_forks(rules, names, chances, band)
    table = kind.twin.Table(kind.cases.twin_rules(edition, options), policies, 9)
    expected = counted(list(twin_forks(kind, table, game, band, chance)) for game in range(GAMES))
    tally = run(job.job, 9, GAMES, threads=1 + thinned).tally
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


@pytest.mark.parametrize("rules", ["pikomino/egmont", "noprob/starnberger"])
def test_other_games_have_none(rules):
    product = registry.game_of(rules)
    policy = product.best_policy(product.rules(rules), 2)
    assert product.game_forks(product.rules(rules), [policy] * 2, None, 10) is None
