"""Rollouts: what they sample lies where exact fractions say; the luck of rolls is no bias."""

from collections import Counter

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits, roll_out
from lama_odds.games.dice.engine import round_loop
from lama_odds.games.dice.engine import tables as engine_tables
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.jobs import ADJUSTED, rollouts
from lama_odds.games.dice.policies import policy_rows
from lama_odds.games.interface.tally_layout import PARTS
from tests.games.dice.cases import id_of, twin_rules
from tests.reference import dice as twin
from tests.reference.dice_solver import (
    Alone,
    Chain,
    Dice,
    State,
    Threshold,
    deal_chances,
    event_chances,
    margin,
    points,
    shared,
)

GAMES = 4_000
ERRORS = 4  # standard errors


def position_of(text):
    """Read a position as the reference does: its state and the dice that lie there."""
    words = dict(word.split("=", 1) for word in text.split())
    others = words["opp"].split(",")
    hands = (words["hand"], *(cards.lstrip("q") for cards in others))
    waiting = (0, *(seat for seat, cards in enumerate(others, 1) if cards[0] != "q"))
    scores = tuple(map(int, words.get("scores", "0," * len(hands)).strip(",").split(",")))
    return State(hands, words["row"], waiting, scores), words.get("rolled")


def rolled_out(rules, text, limits, objective, games=GAMES):
    """Play out a position; limits: the thresholds of all players."""
    policies = [GAME.policy(f"threshold:{limit}") for limit in limits]
    job = GAME.rollouts(rules, GAME.position(rules, text), policies, objective == "win")
    return roll_out(job, GAME.objectives, objective, Limits(games=games), 0, None)


def assert_sampled(estimate, expected, what):
    """Check a number against the exact one; what quitting costs may be exact itself."""
    errors = ERRORS * estimate.stderr if estimate.method == "simulation" else 0
    assert abs(estimate.value - float(expected)) <= errors + 1e-9, what


def assert_chances(sampled, expected):
    sampled = {name: found for name, found in sampled.items() if found.method == "simulation"}
    assert set(sampled) <= set(expected)
    for name, chance in expected.items():
        error = (float(chance * (1 - chance)) / GAMES) ** 0.5
        value = sampled[name].value if name in sampled else 0
        # What hardly ever occurs may occur once.
        assert abs(value - float(chance)) <= ERRORS * error + 1 / GAMES, name


# Where the target is reached with this round, the chance to win is known too.
PLAYED_OUT = (
    ("amigo", {"target": 1}, (3, 0), "hand=25 row=13L opp=1 scores=0,0"),
    ("egmont", {"twenty": True}, (1, 3, 0), "hand=2 row=3L opp=14,6 scores=9,23,0"),
    ("amigo", {"empty_row_ends": False}, (0, 0, 0), "hand=255 row=L opp=q3,46"),
    ("egmont", {"llama_safe_alone": False}, (0, 0, 7), "hand=25 row=L opp=q3,46 scores=1,0,10"),
    ("amigo", {"target": 1}, (2, 2), "hand=225 row=1L opp=13 rolled=25L scores=0,0"),
    ("amigo", {}, (8, 2, 2, 3), "hand=25 row=3L opp=q13,3,4 rolled=13L scores=1,2,3,0"),
    ("egmont", {"target": 1}, (0, 3, 0), "hand=12 row=3L opp=q3,q12 scores=0,0,0"),
    ("amigo", {"points": (2, 2, 3, 4, 5, 6), "target": 2}, (3, 0, 0),
     "hand=36 row=1L opp=12,2 scores=1,0,1"),
)  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("edition", "options", "limits", "text"), PLAYED_OUT)
def test_rollouts_of_thresholds(edition, options, limits, text):
    dice, rules = Dice(twin_rules(edition, options)), GAME.rules(id_of(edition, options))
    state, shown = position_of(text)
    chain = Chain(dice, [Threshold(dice, limit) for limit in limits])
    ended = "target" in options
    found = rolled_out(rules, text, limits, "win" if ended else "points")
    for number, action in enumerate(found.actions):
        means = {name: moments.mean(number) for name, moments in found.moments.items()}
        ends = chain.after(state, action, shown)
        assert_sampled(means["points"], points(ends, 0, state.scores), "points")
        assert_sampled(means["margin"], margin(ends, state.scores), "margin")
        assert_chances(found.events[number], event_chances(ends))
        if ended:
            wins = 0
            for end, chance in ends.items():
                mine, *others = map(sum, zip(end.scores, end.penalties, strict=True))
                assert max(mine, *others) >= rules.target
                wins += chance * shared(mine, others)
            assert_sampled(means["win"], wins, "win")


def test_quitting_costs_everybody_who_quits():
    rules = GAME.rules("dice/amigo+quit_cost=4")
    found = rolled_out(rules, "hand=25 row=13L opp=q=9,q13", (0, 0, 0), "margin", games=1_000)
    quits = found.actions.index("quit")
    # 7 + 4 points; the others have 9 + 4 and 4 + 4.
    assert found.moments["points"].mean(quits).value == 11
    assert found.moments["margin"].mean(quits).value == 0.5


# --- The deal --------------------------------------------------------------------------------

PACKS = (
    ("amigo", {}),
    ("amigo", {"copies": 2, "dealt": 2, "llamas": 3}),
    ("gigamic", {"dealt": 1, "points": (6, 5, 4, 3, 2, 1), "llama_points": 1}),
)


@pytest.mark.parametrize(("edition", "options"), PACKS)
def test_chances_of_the_deal(edition, options):
    rules, expected = twin_rules(edition, options), Counter()
    worth = twin.points_of_kinds(rules)
    for hand, chance in deal_chances(rules).items():
        measured = {
            "penalty": twin.penalty_of(worth, set(hand)),
            "kinds": len(set(hand)),
            "llamas": hand.count(twin.LLAMA),
        }
        for name, value in measured.items():
            expected[f"{name} {value}"] += chance
            expected[f"mean {name}"] += chance * value
    odds = GAME.deal_odds(GAME.rules(id_of(edition, options)))
    found = {name: chance.value for name, chance in odds.items()}
    exact = {name: float(value) for name, value in expected.items()}
    assert found == pytest.approx(exact, abs=1e-12, rel=1e-12)
    assert all(chance.method == "exact" for chance in odds.values())


# --- The luck of rolls, which is subtracted --------------------------------------------------


MEANFIELD = "meanfield"


def luck(rules_id, text, policy=MEANFIELD, adjusts=True):
    """Let seat 0 make each roll of the dice once; give the luck of each, in points."""
    rules, policy = GAME.rules(rules_id), GAME.policy(policy)
    position = GAME.position(rules, text)
    players = position.players
    tables = rollouts(rules, position, [policy] * players, False).job.tables
    root = tables.root.copy()
    for row in (engine_tables.FAMILY, engine_tables.PARAMETER, engine_tables.BLOCK):
        root[row] = policy_rows([policy])[0][(row - engine_tables.FAMILY) // engine_tables.COLUMNS]
    found = []
    for roll in rules.rolls:
        table, result = root.copy(), np.zeros(round_loop.RESULT_SIZE, np.int64)
        table[engine_tables.AHEAD] = roll
        round_loop.play_round(
            rules.columns, tables.play, np.uint64(3), table, players, position.others_in,
            position.row, 0, round_loop.ROLL, True, adjusts, result,
        )  # fmt: skip
        found.append(result[round_loop.LUCK] * round_loop.LUCK_UNIT)
    return np.array(found)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("rules_id", "text"),
    [
        ("dice/amigo", "hand=25L row=1346L opp=13"),
        ("dice/amigo", "hand=25L row=1346L opp=13 scores=12,0"),
        ("dice/amigo", "hand=1133 row=L opp=13,q5,2 scores=30,2,5,0"),
        ("dice/egmont+twenty", "hand=66 row=- opp=13,LL scores=25,0,0"),
        ("dice/amigo+out_token=never+quit_cost=3", "hand=12L row=56 opp=4 scores=38,0"),
    ],
)
def test_the_luck_of_all_rolls_adds_up_to_nothing(rules_id, text):
    found = luck(rules_id, text)
    assert np.abs(found).max() > 1
    assert abs(found.mean()) < 1e-3


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
        adjusted = ADJUSTED.format(policy=MEANFIELD)
        assert (adjusted in job.notes(np.zeros(0), 500)) == (name == MEANFIELD)


def test_adjusted_means_stay_and_variances_fall():
    """Of the same games; what came out without adjustment is counted by its penalties."""
    rules, games = GAME.rules("dice/amigo"), 6_000
    position = GAME.position(rules, "hand=2256L row=1346L opp=1356,24")
    job = rollouts(rules, position, [GAME.policy(MEANFIELD)] * 3, False)
    tally = job.job.play(1, 0, games)
    counts = np.asarray(job.read(tally).results, dtype=float)
    cost = np.arange(counts.shape[1])
    plain = counts @ cost / games
    varies = counts @ cost**2 / games - plain**2
    sums, unit = job.sums(tally, "points"), job.units[job.objectives.index("points")]
    means = sums[:, 0] / games
    adjusted, less = means * unit, (np.diag(sums[:, 1:]) / games - means**2) * unit**2
    quits, rolls = job.actions.index("quit"), job.actions.index("roll")
    # The means differ by the mean luck, whose error is at most this.
    assert abs(adjusted - plain)[rolls] < 4 * ((varies + less)[rolls] / games) ** 0.5
    assert varies[rolls] > 2 * less[rolls]
    assert (adjusted[quits], less[quits]) == (plain[quits], 0)


def test_advice_for_the_last_player_is_exact_whoever_the_others_are():
    rules = GAME.rules("dice/egmont+twenty")
    text = "hand=2256L row=146L opp=q13,q6LL scores=23,1,2"
    position, random = GAME.position(rules, text), GAME.policy("random")
    answer = advise(
        GAME, rules, position, objective="points", opponents=random, limits=Limits(games=1_000)
    )
    last = Alone(Dice(twin_rules("egmont", {"twenty": True})))
    expected = {name: -float(v) - 23 for name, v in last.actions("2256L", "146L", 23).items()}
    best = min(expected, key=expected.get)
    assert (answer.method, answer.games, answer.best, answer.verdict) == ("exact", 0, best, best)
    for action in answer.actions:
        assert action.value.value == pytest.approx(expected[action.action], abs=1e-9)
        regret = expected[action.action] - expected[best]
        assert action.regret.value == pytest.approx(regret, abs=1e-9)
