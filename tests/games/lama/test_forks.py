"""Decisions played both ways: against the twin, whose policies are forced to quit or to draw."""

import numpy as np
import pytest

from lama_odds.games.interface.tally_layout import CERTAIN, decisions_of
from lama_odds.games.lama.game import GAME
from lama_odds.simulation.run import run
from tests.games.cases import product_rules
from tests.games.forked import counted, is_taken, payoffs_of, product_rows
from tests.games.lama.cases import id_of, twin_rules
from tests.reference import lama as twin


class Watched:
    """A policy that notes its decisions to draw or quit, and is told what to do at one of them."""

    def __init__(self, seat, policy, round_):
        self.seat, self.policy, self.round = seat, policy, round_

    def choose(self, table, hand, held, top, may_draw, coin):
        action = self.policy.choose(table, hand, held, top, may_draw, coin)
        sizes, met = self.round.sizes, self.round.met
        if may_draw and not held & table.follows[top]:
            fewest = min(cards for seat, cards in sizes.items() if seat != self.seat)
            left = len(sizes) - 1
            met.append((self.seat, table.penalty_of(hand, held), len(hand), fewest, left))
            if len(met) == self.round.forced_at:
                action = self.round.forced
        sizes[self.seat] = len(hand) + (1 if action == twin.DRAW else -1)
        if action == twin.QUIT:
            del sizes[self.seat]
        return action


class Watch:
    """A first round of the twin; decision number forced_at (from 1) is taken out of its hands."""

    def __init__(self, table, game, forced_at=0, forced=None):
        self.forced_at, self.forced, self.met = forced_at, forced, []
        plain = table.policies
        self.sizes = dict.fromkeys(range(len(plain)), table.rules.dealt)
        table.policies = [Watched(seat, policy, self) for seat, policy in enumerate(plain)]
        scores = [0] * len(plain)
        _, _, penalties = twin.play_turns(table, game, 0, 0, scores, [])
        table.policies = plain
        self.changes = [a + b for a, b in zip(scores, penalties, strict=True)]


def twin_forks(edition, options, policies, seed, games, chances):
    """Play every decision of first rounds both ways; give the forks of each round."""
    table = twin.Table(twin_rules(edition, options), policies, seed)
    for game in range(games):
        forks = []
        for number, decision in enumerate(Watch(table, game).met, 1):
            seat, penalty, own, fewest, left = decision
            if not is_taken(table.stream, game, number, chances[penalty]):
                continue
            ways = [Watch(table, game, number, action) for action in (twin.QUIT, twin.DRAW)]
            own, fewest = min(own, 10), min(fewest, 6)
            cells = [(None, None), (own, None), (None, fewest), (own, fewest)]
            cells = [(*cell, None) for cell in cells] + [(None, None, left)]
            keys = [(penalty, *cell) for cell in cells]
            forks.append((keys, *(payoffs_of(seat, way.changes) for way in ways)))
        yield forks


CASES = [
    ("egmont", {}, ("threshold:5", "threshold:5", "threshold:5", "threshold:5")),
    ("egmont", {"llama_each": True}, ("threshold:0", "matching:9")),
    ("egmont", {"copies": 2, "dealt": 3, "llamas": 3}, ("threshold:0",) * 4),
    ("egmont", {"dealt": 12, "llamas": 12}, ("threshold:12", "matching:3", "threshold:20")),
    ("party", {}, ("threshold:7", "matching:4", "threshold:1")),
    ("party", {"drama": True, "plus": 3, "pink_llamas": 4}, ("matching:2", "threshold:14")),
    ("amigo", {"points": (6, 5, 4, 3, 2, 1), "dealt": 4}, ("threshold:3",) * 6),
    ("egmont", {}, ("random", "threshold:4", "random")),
]


@pytest.mark.long
@pytest.mark.parametrize(("edition", "options", "policies"), CASES)
def test_forks_are_the_twins_rounds_played_both_ways(edition, options, policies):
    rules = product_rules(id_of(edition, options))
    chances = np.full(GAME.most_points(rules) + 1, CERTAIN, dtype=np.int64)
    job = GAME.forks(rules, [GAME.policy(name) for name in policies], chances)
    expected = counted(twin_forks(edition, options, policies, 4, 60, chances))
    assert len(expected) > 20
    assert product_rows(job, 4, 60) == expected
    assert (job.actions, job.margin_unit) == (("quit", "draw"), 1 / (len(policies) - 1))


def test_decisions_are_thinned_out_by_their_penalty():
    rules, policies = product_rules("lama/egmont"), ("threshold:6",) * 3
    chances = np.array([CERTAIN // (1 + p % 4) - 1 for p in range(GAME.most_points(rules) + 1)])
    job = GAME.forks(rules, [GAME.policy(name) for name in policies], chances)
    expected = counted(twin_forks("egmont", {}, policies, 8, 150, chances))
    assert product_rows(job, 8, 150, threads=2) == expected


def test_thinning_leaves_what_remains_a_fair_sample():
    rules = product_rules("lama/egmont")
    policies = [GAME.policy("threshold:5")] * 3
    tallies = []
    for share in (1, 8):
        chances = np.full(GAME.most_points(rules) + 1, CERTAIN // share, dtype=np.int64)
        job = GAME.forks(rules, policies, chances).job
        tallies.append(decisions_of(run(job, 1, 20_000).tally))
    often = tallies[0] > 800
    assert often.sum() > 50
    whole, part = tallies[0][often], tallies[1][often]
    assert (abs(part - whole / 8) < 5 * np.sqrt(whole * 7 / 64)).all()
    assert np.abs((part / whole).mean() - 1 / 8) < 0.01


def test_a_round_goes_on_as_if_it_had_not_been_forked():
    rules = product_rules("lama/party")
    policies = [GAME.policy(name) for name in ("threshold:5", "matching:2", "meanfield")]
    some, none = (
        np.full(GAME.most_points(rules) + 1, chance, dtype=np.int64) for chance in (9_000, CERTAIN)
    )
    few, all_ = (product_rows(GAME.forks(rules, policies, c), 3, 400) for c in (some, none))
    assert few.keys() < all_.keys()
    assert all(row[0] <= all_[key][0] for key, row in few.items())
