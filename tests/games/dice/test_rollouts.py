"""What rollouts sample lies where exact fractions say, wherever all policies can be followed."""

from collections import Counter
from functools import cache

import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits, roll_out
from lama_odds.games.dice.game import GAME
from tests.games.dice.cases import id_of, twin_rules
from tests.reference import dice as twin
from tests.reference.dice_chain import (
    AsIfWithoutTokens,
    Chain,
    State,
    Threshold,
    event_chances,
    margin,
    points,
)
from tests.reference.dice_solver import Solver, deal_chances

GAMES = 4_000
ERRORS = 4  # standard errors
NEAR = 1e-9
QUITS_AT_ONCE = 1000


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
THEN_ALONE = (
    ("amigo", "hand=2256 row=1346L opp=13 rolled=26L"),
    ("egmont+llama_safe_alone=off", "hand=2356 row=1L opp=3 rolled=56L"),
    ("egmont+twenty", "hand=34LL row=12356L opp=6 rolled=4LL scores=9,1"),
    ("amigo", "hand=5 row=3 opp=1 scores=9,30"),
    ("egmont", "hand=6 row=- opp=3L scores=7,0"),
    ("amigo", "hand=6 row=L opp=1,25 scores=9,1,2"),
)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("rules_id", "text"), THEN_ALONE)
def test_every_action_when_the_others_quit_at_once(rules_id, text):
    rules, solver = GAME.rules(f"dice/{rules_id}"), solver_of(rules_id)
    position = GAME.position(rules, text)
    answer = advise(
        GAME,
        rules,
        position,
        objective="margin",
        opponents=GAME.policy(f"threshold:{QUITS_AT_ONCE}"),
        limits=Limits(games=GAMES),
    )
    state, shown = position_of(text)
    quitter = Threshold(solver, QUITS_AT_ONCE)
    chain = Chain(solver, [AsIfWithoutTokens(solver), *[quitter] * (position.players - 1)])
    exact = {}
    for action in answer.actions:
        ends = chain.after(state, action.action, shown)
        exact[action.action] = margin(ends, state.scores)
        assert_ends(action.objectives, action.chances, ends, state.scores)
    assert len(exact) == len(answer.actions)
    for action in answer.actions:
        assert_sampled(action.regret, exact[action.action] - exact[answer.best], action.action)


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
