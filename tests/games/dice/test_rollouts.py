"""Rollouts: what they sample lies where exact fractions say; the luck of rolls is no bias."""

from __future__ import annotations

from collections import Counter
from functools import cache

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
    Chain,
    Solver,
    State,
    Threshold,
    deal_chances,
    event_chances,
    margin,
    points,
)

GAMES = 4_000
ERRORS = 4  # standard errors
NEAR = 1e-9


def position_of(text):
    """Read a position as the reference does: its state and the dice that lie there."""
    words = dict(word.split("=", 1) for word in text.split())
    others = words["opp"].split(",")
    hands = (words["hand"], *(cards.lstrip("q") for cards in others))
    waiting = (0, *(seat for seat, cards in enumerate(others, 1) if cards[0] != "q"))
    scores = tuple(map(int, words.get("scores", "0," * len(hands)).strip(",").split(",")))
    row = words["row"].replace("-", "")
    return State(hands, row, waiting, scores), words.get("rolled")


@cache
def solver_of(rules_id):
    edition, *words = rules_id.split("+")
    options = {}
    for word in words:
        name, _, value = word.partition("=")
        options[name] = int(value) if value.isdigit() else OPTION_VALUES.get(value, value)
    assert GAME.rules(f"dice/{rules_id}") == GAME.rules(id_of(edition, options))
    return Solver(twin_rules(edition, options))


OPTION_VALUES = {"": True, "on": True, "off": False, "2.2.3.4.5.6": (2, 2, 3, 4, 5, 6)}


def assert_sampled(estimate, expected, what):
    """Check a sampled number against the exact one; what quitting costs may be exact itself."""
    assert estimate.method == "simulation" or abs(estimate.value - float(expected)) < NEAR, what
    assert abs(estimate.value - float(expected)) <= ERRORS * estimate.stderr + NEAR, what


def assert_ends(found, chances, ends, before):
    """Check what was sampled for one action against the ends of the round it can have."""
    assert_sampled(found["points"], points(ends, 0, before), "points")
    assert_sampled(found["margin"], margin(ends, before), "margin")
    expected = event_chances(ends)
    sampled = {name: chance for name, chance in chances.items() if chance.method == "simulation"}
    assert set(sampled) <= set(expected)
    for name, chance in expected.items():
        error = (float(chance * (1 - chance)) / GAMES) ** 0.5
        value = sampled[name].value if name in sampled else 0
        # What hardly ever occurs may occur once.
        assert abs(value - float(chance)) <= ERRORS * error + 1 / GAMES, name


# --- Advice against opponents whose play is known --------------------------------------------

# After my turn the other quits at once: I play on alone, which needs no sampling to know. Tokens
# below ten: the policy I go on with plays alone as if it held none of them.


@pytest.mark.parametrize("opponents", [None, "threshold:5", "random"])
def test_advice_for_the_last_player_is_exact_whoever_the_others_are(opponents):
    rules, solver = GAME.rules("dice/egmont+twenty"), solver_of("egmont+twenty")
    text = "hand=2256L row=146L opp=q13,q6LL scores=23,1,2"
    answer = advise(
        GAME,
        rules,
        GAME.position(rules, text),
        objective="points",
        opponents=opponents and GAME.policy(opponents),
        limits=Limits(games=1_000),
    )
    expected = solver.alone_actions("2256L", "146L", 23)
    assert (answer.method, answer.games) == ("exact", 0)
    assert {action.action: action.value.value for action in answer.actions} == pytest.approx(
        {name: float(value) for name, value in expected.items()}, abs=NEAR
    )
    best = min(expected, key=expected.get)
    assert (answer.best, answer.verdict) == (best, best)
    for action in answer.actions:
        regret = float(expected[action.action] - expected[best])
        assert action.regret.value == pytest.approx(regret, abs=NEAR)


# --- Rollouts of thresholds all round --------------------------------------------------------

ALL_ROUND = (
    ("amigo", "hand=25 row=13L opp=1", (3, 0)),
    ("egmont+twenty", "hand=26 row=3L opp=14,6 scores=9,23,0", (1, 3, 0)),
    ("amigo+empty_row_ends=off", "hand=255 row=L opp=q3,46", (0, 0, 0)),
    ("egmont+llama_safe_alone=off", "hand=25 row=L opp=q3,46 scores=1,0,10", (0, 0, 7)),
    ("amigo", "hand=2256 row=13L opp=13 rolled=256", (2, 2)),
    ("amigo", "hand=2256 row=13L opp=q13,3,4 rolled=13L scores=1,2,3,0", (8, 2, 2, 3)),
)


def rolled_out(rules, text, limits, objective, games=GAMES, seed=0):
    policies = [GAME.policy(f"threshold:{limit}") for limit in limits]
    job = GAME.rollouts(rules, GAME.position(rules, text), policies, objective == "win")
    return roll_out(job, GAME.objectives, objective, Limits(games=games), seed, None)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("rules_id", "text", "limits"), ALL_ROUND)
def test_rollouts_of_thresholds(rules_id, text, limits):
    solver = solver_of(rules_id)
    found = rolled_out(GAME.rules(f"dice/{rules_id}"), text, limits, "points")
    state, shown = position_of(text)
    chain = Chain(solver, [Threshold(solver, limit) for limit in limits])
    for number, action in enumerate(found.actions):
        means = {name: moments.mean(number) for name, moments in found.moments.items()}
        ends = chain.after(state, action, shown)
        assert_ends(means, found.events[number], ends, state.scores)


def test_quitting_costs_everybody_who_quits():
    rules = GAME.rules("dice/amigo+quit_cost=4")
    found = rolled_out(rules, "hand=25 row=13L opp=q=9,q13", (0, 0, 0), "margin", games=1_000)
    quits = found.actions.index("quit")
    # 7 + 4 points; the others have 9 + 4 and 4 + 4.
    assert found.moments["points"].mean(quits).value == 11
    assert found.moments["margin"].mean(quits).value == 0.5


# The game ends with this round, so that the chance to win is known.
LAST_ROUND = (
    ("amigo+target=1", "hand=25 row=13L opp=1 scores=0,0", (3, 0)),
    ("egmont+target=1", "hand=12 row=3L opp=q3,q12 scores=0,0,0", (0, 3, 0)),
    ("amigo+points=2.2.3.4.5.6+target=2", "hand=36 row=1L opp=12,2 scores=1,0,1", (3, 0, 0)),
    ("amigo+target=1", "hand=2256 row=13L opp=13 rolled=256 scores=0,0", (2, 2)),
)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("rules_id", "text", "limits"), LAST_ROUND)
def test_chance_to_win_where_the_game_ends_with_the_round(rules_id, text, limits):
    solver = solver_of(rules_id)
    found = rolled_out(GAME.rules(f"dice/{rules_id}"), text, limits, "win")
    state, shown = position_of(text)
    chain = Chain(solver, [Threshold(solver, limit) for limit in limits])
    for number, action in enumerate(found.actions):
        expected = 0
        for end, chance in chain.after(state, action, shown).items():
            finals = [a + b for a, b in zip(end.scores, end.penalties, strict=True)]
            assert max(finals) >= solver.rules.target
            expected += chance * (finals[0] == min(finals)) / finals.count(min(finals))
        assert_sampled(found.moments["win"].mean(number), expected, action)


# --- The deal --------------------------------------------------------------------------------

PACKS = (
    ("amigo", {}),
    ("egmont", {"copies": 2, "dealt": 2}),
    ("amigo", {"copies": 2, "dealt": 2, "llamas": 3}),
    ("amigo", {"copies": 1, "dealt": 3}),
    ("gigamic", {"dealt": 1, "points": (6, 5, 4, 3, 2, 1), "llama_points": 1}),
    ("amigo", {"copies": 3, "llamas": 1, "dealt": 5}),
)


def deal_by_hands(edition, options):
    """Chances and means of the deal, from the chance of every hand."""
    rules = twin_rules(edition, options)
    worth = twin.points_of_kinds(rules)
    found, means = Counter(), Counter()
    for hand, chance in deal_chances(rules).items():
        measured = {
            "penalty": twin.penalty_of(worth, set(hand)),
            "kinds": len(set(hand)),
            "llamas": hand.count(twin.LLAMA),
        }
        for name, value in measured.items():
            found[f"{name} {value}"] += chance
            means[f"mean {name}"] += chance * value
    return {name: float(value) for name, value in {**found, **means}.items()}


@pytest.mark.parametrize(("edition", "options"), PACKS)
def test_chances_of_the_deal(edition, options):
    odds = GAME.deal_odds(GAME.rules(id_of(edition, options)))
    found = {name: chance.value for name, chance in odds.items()}
    assert found == pytest.approx(deal_by_hands(edition, options), abs=1e-12, rel=1e-12)
    assert all(chance.method == "exact" for chance in odds.values())
    for group in ("penalty ", "kinds ", "llamas "):
        chances = [value for name, value in found.items() if name.startswith(group)]
        assert sum(chances) == pytest.approx(1, abs=1e-12)


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
        adjusted = ADJUSTED.format(policy=MEANFIELD)
        assert (adjusted in job.notes(np.zeros(0), 500)) == (name == MEANFIELD)


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
