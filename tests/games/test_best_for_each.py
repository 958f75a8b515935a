"""The best policies of rule sets that are compared: all of one kind, wherever training ends."""

from __future__ import annotations

from dataclasses import astuple

import pytest

from lama_odds.analysis.compare import design
from lama_odds.analysis.compare.common_games import common_games
from lama_odds.analysis.compare.variants import RETUNED, SAME, read_policies
from lama_odds.games.registry import game_of
from lama_odds.simulation.job_identity import hash_of

TRAINED_FOR_ALL = {
    "lama/amigo": ("lama/egmont", 3),
    "dice/amigo": ("dice/egmont", 2),
    "noprob/starnberger": ("noprob/starnberger+peeks=3", 4),
    "pikomino/egmont": ("pikomino/egmont", 5),
}
NOT_TRAINED = {
    "lama/egmont": ("lama/egmont+dealt=5", 4),
    "dice/amigo": ("dice/amigo+target=30", 2),
    "noprob/starnberger": ("noprob/starnberger+peeks=0", 4),
    "pikomino/egmont": ("pikomino/egmont+worms=1.1.1.1", 2),
}


def asked(baseline, other, players):
    game = game_of(baseline)
    variants = [game.rules(baseline), game.rules(other)]
    return game, variants, read_policies(game, variants, players, None, RETUNED)


@pytest.mark.parametrize(("baseline", "case"), TRAINED_FOR_ALL.items())
def test_where_all_are_trained_for_each_has_its_best(baseline, case):
    game, variants, found = asked(baseline, *case)
    assert found == [game.best_policy(rules, case[1]) for rules in variants]


@pytest.mark.parametrize(("baseline", "case"), NOT_TRAINED.items())
def test_a_trained_policy_plays_nowhere_unless_everywhere(baseline, case):
    other, players = case
    game, variants, found = asked(baseline, other, players)
    plain, changed = variants
    assert found[1] == game.best_policy(changed, players)
    assert found[0] != game.best_policy(plain, players)
    assert found[0].family == found[1].family
    same = read_policies(game, variants, players, None, SAME)
    assert same == [found[0]] * 2


@pytest.mark.parametrize(("baseline", "case"), NOT_TRAINED.items())
def test_the_order_of_the_rule_sets_does_not_matter(baseline, case):
    other, players = case
    found = asked(baseline, other, players)[2]
    assert asked(other, baseline, players)[2] == found[::-1]


def test_skill_is_that_of_one_kind_of_policy_too():
    game, variants, best = asked("lama/egmont", "lama/egmont+dealt=5", 4)
    common = common_games(game, variants, best, 4, 1, 1, ["skill"])
    for rules, policy, hashes in zip(variants, best, common.hashes, strict=True):
        jobs = design.jobs_of(game, rules, policy, policy, 4, ["skill"])
        assert len(jobs) == 4
        assert {
            name: hash_of([job, [astuple(m) for m in job.measures]]) for name, job in jobs.items()
        }.items() <= dict(hashes).items()
