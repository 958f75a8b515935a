"""Decisions played both ways: against the twin, whose policies are forced to quit or to roll."""

import numpy as np
import pytest

from lama_odds.games.dice.game import GAME
from lama_odds.games.interface.tally_layout import CERTAIN
from tests.games.cases import product_rules
from tests.games.dice.cases import id_of, twin_rules
from tests.games.forked import counted, is_taken, payoffs_of, product_rows
from tests.reference import dice as twin


class Watched:
    """A policy that notes its decisions while others are in, and is told what to do at one."""

    def __init__(self, seat, policy, round_):
        self.seat, self.policy, self.round = seat, policy, round_
        self.discard, self.take = policy.discard, policy.take

    def look(self, *table):
        self.policy.look(*table)

    def quits(self, points, hand, stream, coins):
        quits = self.policy.quits(points, hand, stream, coins)
        if self.round.others:
            self.round.met.append((self.seat, twin.penalty_of(points, hand), self.round.others))
            if len(self.round.met) == self.round.forced_at:
                quits = self.round.forced
        self.round.others -= quits
        return quits


class Watch:
    """A first round of the twin; decision number forced_at (from 1) is taken out of its hands."""

    def __init__(self, table, game, forced_at=0, forced=None):
        self.forced_at, self.forced, self.met = forced_at, forced, []
        plain = table.policies
        self.others = len(plain) - 1
        table.policies = [Watched(seat, policy, self) for seat, policy in enumerate(plain)]
        scores = [0] * len(plain)
        _, _, hands = twin.play_turns(table, game, 0, 0, scores)
        table.policies = plain
        penalties = [twin.penalty_of(table.points, hand) for hand in hands]
        self.changes = [a + b for a, b in zip(scores, penalties, strict=True)]


def twin_forks(edition, options, policies, seed, games, chances):
    """Play every decision of first rounds both ways; give the forks of each round."""
    table = twin.Table(twin_rules(edition, options), policies, seed)
    for game in range(games):
        forks = []
        for number, (seat, penalty, others) in enumerate(Watch(table, game).met, 1):
            if not is_taken(table.stream, game, number, chances[penalty]):
                continue
            ways = [Watch(table, game, number, quits) for quits in (True, False)]
            keys = [(penalty, None), (penalty, others)]
            forks.append((keys, *(payoffs_of(seat, way.changes) for way in ways)))
        yield forks


CASES = [
    ("amigo", {}, ("threshold:5", "threshold:5", "threshold:5", "threshold:5")),
    ("egmont", {"copies": 2, "dealt": 1, "llama_safe_alone": False}, ("threshold:0", "random")),
    ("egmont", {"dealt": 4}, ("threshold:8", "random", "threshold:0")),
    ("gigamic", {"points": (6, 5, 4, 3, 2, 1)}, ("threshold:12", "threshold:3")),
    ("amigo", {"faces": "11LL.2345LLL.6LLLLLLLL", "llamas": 3}, ("threshold:4",) * 5),
]


@pytest.mark.long
@pytest.mark.parametrize("thinned", [False, True])
@pytest.mark.parametrize(("edition", "options", "policies"), CASES)
def test_forks_are_the_twins_rounds_played_both_ways(edition, options, policies, thinned):
    rules = product_rules(id_of(edition, options))
    chances = np.full(GAME.most_points(rules) + 1, CERTAIN, dtype=np.int64)
    if thinned:
        chances //= 1 + np.arange(chances.size) % 5
    job = GAME.forks(rules, [GAME.policy(name) for name in policies], chances)
    expected = counted(twin_forks(edition, options, policies, 4, 100, chances))
    assert len(expected) > 10
    assert product_rows(job, 4, 100, threads=1 + thinned) == expected
    assert (job.actions, job.margin_unit) == (("quit", "roll"), 1 / (len(policies) - 1))
