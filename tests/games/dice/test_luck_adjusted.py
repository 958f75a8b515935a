"""Luck-adjusted rollouts of Lama Dice: the same means, much less variance."""

from random import Random

import numpy as np
import pytest

from lama_odds.games.dice.jobs.rollouts import ADJUSTED, rollouts
from lama_odds.games.dice.rules.odds import legal_actions
from lama_odds.games.interface.tally_layout import PARTS
from lama_odds.games.registry import game_of

GAMES = 8_000
RULES = [
    "dice/amigo",
    "dice/gigamic",
    "dice/egmont",
    "dice/amigo+twenty=on",
    "dice/egmont+llama_safe_alone=off",
    "dice/amigo+out_token=never+quit_cost=3",
]


def parts(rules_id: str):
    game = game_of(rules_id)
    return game, game.rules(rules_id)


def positions(rules_id: str, players: int, number: int, scores: bool):
    """Positions at which somebody decides, from games between strong players."""
    game, rules = parts(rules_id)
    luck = Random(f"{rules_id} {players}")
    policies = [game.policy("meanfield")] * players
    found, seed = [], 0
    while len(found) < number:
        seed += 1
        lines = game.record(rules, policies, seed, 1, not scores).splitlines()
        at = luck.choice([at for at, line in enumerate(lines) if line[:1].isdigit()])
        position = game.position_after(rules, "\n".join(lines[:at]))
        if any(position.scores or ()) == scores and "roll" in legal_actions(rules, position):
            found.append(position)
    return found


def penalties(job, tally):
    """Mean and variance of the penalties that came out after each action, without adjustment."""
    counts = np.asarray(job.read(tally).results, dtype=float)
    cost = np.arange(counts.shape[1])
    means = counts @ cost / GAMES
    return means, counts @ cost**2 / GAMES - means**2


def payoffs(job, tally, objective="points"):
    """Means and variances of the payoffs of each action, in points."""
    sums = job.sums(tally, objective)
    unit = job.units[job.objectives.index(objective)]
    means = sums[:, 0] / GAMES
    squares = np.diag(sums[:, 1:]) / GAMES
    return means * unit, (squares - means**2) * unit**2


@pytest.mark.parametrize("rules_id", RULES)
@pytest.mark.parametrize("players", [2, 4])
def test_means_stay_and_variances_fall(rules_id, players) -> None:
    game, rules = parts(rules_id)
    apart, less = [], []
    for position in positions(rules_id, players, 6, scores=False):
        job = rollouts(rules, position, [game.policy("meanfield")] * players, False)
        tally = job.job.play(1, 0, GAMES)
        means, variances = penalties(job, tally)
        adjusted, smaller = payoffs(job, tally)
        roll = job.actions.index("roll")
        # The same games: both means differ by the mean luck, whose error is at most this.
        error = np.sqrt((variances[roll] + smaller[roll]) / GAMES)
        apart.append((adjusted[roll] - means[roll]) / error)
        less.append(variances[roll] / smaller[roll])
        quit_ = job.actions.index("quit")
        assert adjusted[quit_] == means[quit_]
        assert smaller[quit_] == 0
    assert max(map(abs, apart)) < 4
    assert abs(np.mean(apart)) * len(apart) ** 0.5 < 4
    assert np.median(less) > 2


def test_a_policy_without_a_table_is_not_adjusted() -> None:
    game, rules = parts("dice/amigo")
    position = positions("dice/amigo", 4, 1, scores=False)[0]
    job = rollouts(rules, position, [game.policy("threshold:6")] * 4, False)
    tally = job.job.play(1, 0, GAMES)
    assert np.array_equal(payoffs(job, tally)[0], penalties(job, tally)[0])
    assert not (job.sums(tally, "points") % PARTS).any()
    assert ADJUSTED not in job.notes(np.zeros(0), GAMES)


@pytest.mark.parametrize("hand", ["111", "1112", "55566", "LLL", "1111L"])
def test_three_of_a_kind_are_no_bias(hand) -> None:
    """The table counts more than two cards of a kind as two; such rolls are left out."""
    game, rules = parts("dice/amigo")
    position = game.position(rules, f"hand={hand} row=23456L opp=123,44")
    job = rollouts(rules, position, [game.policy("meanfield")] * 3, False)
    tally = job.job.play(2, 0, GAMES)
    means, variances = penalties(job, tally)
    adjusted, smaller = payoffs(job, tally)
    error = np.sqrt((variances + smaller) / GAMES)
    assert (np.abs(adjusted - means) <= 4 * error).all()


@pytest.mark.parametrize("objective", ["points", "margin"])
def test_two_seeds_are_apart_by_no_more_than_they_say(objective) -> None:
    """With scores, too, where tokens are returned."""
    game, rules = parts("dice/amigo")
    for position in positions("dice/amigo", 2, 4, scores=True):
        job = rollouts(rules, position, [game.policy("meanfield")] * 2, False)
        first, second = (job.job.play(seed, 0, GAMES) for seed in (1, 2))
        means, variances = payoffs(job, first, objective)
        again, _ = payoffs(job, second, objective)
        error = np.sqrt(2 * variances / GAMES)
        assert (np.abs(means - again) <= 4.5 * error + 1e-9).all()
