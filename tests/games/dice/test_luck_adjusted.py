"""The luck of a roll, which rollouts subtract: 0 on average over all rolls, whatever is held."""

from __future__ import annotations

import numpy as np
import pytest

from lama_odds.games.dice.engine import round_loop, table_rows
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.jobs.rollouts import ADJUSTED, rollouts
from lama_odds.games.dice.policies.catalogue import policy_rows
from lama_odds.games.interface.tally_layout import PARTS

MEANFIELD = "meanfield"


def luck(rules_id, text, policy=MEANFIELD, adjusts=True):
    """Let seat 0 make each roll of the dice once; give the luck of each, in points."""
    rules, policy = GAME.rules(rules_id), GAME.policy(policy)
    position = GAME.position(rules, text)
    players = position.players
    tables = rollouts(rules, position, [policy] * players, False).job.tables
    root = tables.root.copy()
    for row in (table_rows.FAMILY, table_rows.PARAMETER, table_rows.BLOCK):
        root[row] = policy_rows([policy])[0][(row - table_rows.FAMILY) // table_rows.COLUMNS]
    found = []
    for roll in rules.rolls:
        table, result = root.copy(), np.zeros(round_loop.RESULT_SIZE, np.int64)
        table[table_rows.AHEAD] = roll
        round_loop.play_round(
            rules.columns, tables.play, np.uint64(3), table, players, position.others_in,
            position.row, 0, round_loop.ROLL, True, adjusts, result,
        )  # fmt: skip
        found.append(result[round_loop.LUCK] * round_loop.LUCK_UNIT)
    return np.array(found)


@pytest.mark.parametrize(
    ("rules_id", "text"),
    [
        ("dice/amigo", "hand=25L row=1346L opp=13"),
        ("dice/amigo", "hand=25L row=1346L opp=13 scores=9,0"),
        ("dice/amigo", "hand=25L row=1346L opp=13 scores=12,0"),
        ("dice/amigo", "hand=1133 row=L opp=13,q5,2 scores=30,2,5,0"),
        ("dice/egmont+twenty", "hand=66 row=- opp=13,LL scores=12,0,0"),
        ("dice/egmont+twenty", "hand=66 row=2L opp=13,LL scores=25,0,0"),
        ("dice/amigo+out_token=never+quit_cost=3", "hand=12L row=56 opp=4 scores=38,0"),
    ],
)
def test_the_luck_of_all_rolls_adds_up_to_nothing(rules_id, text):
    found = luck(rules_id, text)
    assert np.abs(found).max() > 1
    assert abs(found.mean()) < 1e-3


def test_hands_that_the_table_does_not_tell_apart_have_no_luck():
    # It counts more than two cards of a kind as two.
    assert np.abs(luck("dice/amigo", "hand=112 row=L opp=13")).max() > 1
    for hand in ("1112", "LLLL5", "2333"):
        assert np.abs(luck("dice/amigo", f"hand={hand} row=L opp=13")).max() == 0


def test_only_meanfield_is_adjusted_and_only_if_asked():
    text = "hand=12 row=L opp=13"
    assert np.abs(luck("dice/amigo", text, adjusts=False)).max() == 0
    assert np.abs(luck("dice/amigo", text, "threshold:3")).max() == 0
    rules = GAME.rules("dice/amigo")
    position = GAME.position(rules, text)
    for name in ("threshold:6", MEANFIELD):
        job = rollouts(rules, position, [GAME.policy(name)] * 2, False)
        sums = job.sums(job.job.play(1, 0, 500), "points")
        assert (sums % PARTS).any() == (name == MEANFIELD)
        assert (ADJUSTED in job.notes(np.zeros(0), 500)) == (name == MEANFIELD)


def mean_of(job, objective, games):
    """Give the means of the payoffs of each action, in points, and their variances."""
    sums = job.sums(job.job.play(1, 0, games), objective)
    unit = job.units[job.objectives.index(objective)]
    means = sums[:, 0] / games
    return means * unit, (np.diag(sums[:, 1:]) / games - means**2) * unit**2


@pytest.mark.parametrize("players", [2, 4])
def test_adjusted_means_stay_and_variances_fall(players):
    """Of the same games; what came out without adjustment is counted by its penalties."""
    rules, games = GAME.rules("dice/amigo"), 6_000
    others = ",".join(["1356", "24", "33L"][: players - 1])
    position = GAME.position(rules, f"hand=2256L row=1346L opp={others}")
    job = rollouts(rules, position, [GAME.policy(MEANFIELD)] * players, False)
    counts = np.asarray(job.read(job.job.play(1, 0, games)).results, dtype=float)
    cost = np.arange(counts.shape[1])
    plain = counts @ cost / games
    varies = counts @ cost**2 / games - plain**2
    adjusted, less = mean_of(job, "points", games)
    quits, rolls = job.actions.index("quit"), job.actions.index("roll")
    # The means differ by the mean luck, whose error is at most this.
    assert abs(adjusted - plain)[rolls] < 4 * ((varies + less)[rolls] / games) ** 0.5
    assert varies[rolls] > 2 * less[rolls]
    assert (adjusted[quits], less[quits]) == (plain[quits], 0)
