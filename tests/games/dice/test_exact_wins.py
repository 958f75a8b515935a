"""Chances to win as the product solves them are what plain recursion in fractions gives."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from unittest import mock

import numpy as np
import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.rules.ruleset import table_error
from lama_odds.games.dice.solvers import last_player_solve, pair_cache, solve
from lama_odds.games.dice.solvers import solve as product_solve
from lama_odds.games.interface.match_equity import MatchEquity, shipped
from tests.cli.calls import inside
from tests.games.dice.table import (
    AMIGO,
    EGMONT,
    draw,
    near,
    small,
    table_of,
    values_of,
)
from tests.games.dice.test_exact_points import ALONE, TWO, by_size
from tests.reference.dice_wins import LastWins, PairWins, share


@pytest.fixture(autouse=True)
def _nothing_kept():
    pair_cache.forget()
    yield
    pair_cache.forget()


# --- The last player -------------------------------------------------------------------------

# What can be counted on fingers: of 216 rolls so many win, so many share the win.
BY_HAND = (
    (
        small(AMIGO, "236", "345", "1", "35", alone=True, scores=(20, 30, 35)),
        {"quit": Fraction(1, 2), "roll": Fraction(7407, 10000)},
    ),
    (
        small(AMIGO, "335", "246L", "2356", "146", alone=True, scores=(34, 36, 23), shown="356"),
        {"discard 35": Fraction(66 + 8, 216), "discard 3": None, "discard 5": None},
    ),
    (
        small(AMIGO, "456", "12345L", "1L", "344L", alone=True, scores=(37, 24, 30), shown="56L"),
        {"discard 56": Fraction(66 + 8, 216), "discard 5": None, "discard 6": None},
    ),
)


def solved(position, table=None):
    found = GAME.solve(*position.read(), "win", 2, None, table)
    return None if found is None else {valued.action: valued for valued in found.actions}


def finals(position):
    """What the others have at the end of the round."""
    points = LastWins(position.rules, None).solver
    return [
        score + points.penalty(hand)
        for score, hand in zip(position.held[1:], position.others, strict=True)
    ]


@pytest.mark.parametrize(("position", "chances"), BY_HAND, ids=lambda x: str(x)[:40])
def test_counted_by_hand(position, chances):
    found = values_of(solved(position), "win")
    assert set(found) == set(chances)
    for action, chance in chances.items():
        assert chance is None or found[action] == pytest.approx(float(chance), abs=1e-4)
    best = max(found, key=found.get)
    assert best in ("roll", "discard 35", "discard 56")


def over(number):
    """A position of the last player whose round ends the game, whatever that player does."""
    luck = random.Random(number)
    while True:
        found = draw(luck.randrange(10_000), True, 8)
        target = GAME.rules(found.rules_id).target
        scores = tuple(luck.randrange(target) for _ in range(1 + len(found.others)))
        found = replace(found, scores=scores)
        if max(finals(found)) >= target:
            return found


@pytest.mark.parametrize("position", [over(number) for number in range(16)], ids=str)
def test_when_the_game_ends_with_the_round(position):
    others = finals(position)
    twin = LastWins(position.rules, lambda own: share(own, others))
    expected = twin.actions(position.hand, position.row, position.held[0], position.shown)
    assert values_of(solved(position), "win") == near(expected)


ALONE_SCORED = [p for p in ALONE if p.scores and len(p.others) == 1]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("position", ALONE_SCORED, ids=str)
def test_with_a_table_of_what_the_scores_are_worth(position):
    target = GAME.rules(position.rules_id).target
    table = table_of(target, len(position.text))
    (other,) = finals(position)

    def worth(own):
        if max(own, other) >= target:
            return share(own, [other])
        return Fraction(float(table.values[own, other]))

    twin = LastWins(position.rules, worth)
    expected = twin.actions(position.hand, position.row, position.held[0], position.shown)
    assert values_of(solved(position, table), "win") == near(expected)
    assert len(ALONE_SCORED) >= 6


def test_points_are_told_beside_the_chance_to_win():
    # Quitting counts what lies there; where nothing can be won any more, all is as good.
    position = small(AMIGO, "25", "3L", "1", alone=True, scores=(39, 39))
    found = solved(position)
    assert found["quit"].values["points"].value == 7
    assert found["quit"].values["margin"].value == 6
    quits = small(AMIGO, "25", "3L", "1", alone=True, scores=(0, 39))
    rolled = solved(quits)["roll"]
    assert 0 < rolled.values["points"].value < 17
    penalties = {n: c.value for n, c in rolled.chances.items() if n.startswith("penalty ")}
    parts = [int(name.split()[1]) * chance for name, chance in penalties.items()]
    assert sum(parts) == pytest.approx(rolled.values["points"].value)  # no tokens to return


def test_what_depends_on_rounds_to_come_is_sampled():
    three = small(AMIGO, "25", "3L", "1", "2", alone=True, scores=(10, 12, 3))
    assert solved(three) is None
    assert advise(GAME, *three.read(), seed=1, limits=Limits(games=1_000)).method == "simulation"


def test_the_answer_says_what_it_rests_on():
    ends = inside("advise", "dice/amigo", "hand=236 row=345 opp=q1,q35 scores=20,30,35", "-v")
    for told in ("Roll.", "74.07 %", "the game ends with this round"):
        assert told in ends.out
    question = ("advise", "dice/amigo", "hand=16LL row=123456L opp=q2223 scores=7,9", "-v")
    for more, exact in (((), True), (("--play-out", "--games", "1000"), False)):
        out = inside(*question, *more).out
        assert ("(exact" in out, "match equity table" in out) == (exact, exact)


# --- The error of the table ------------------------------------------------------------------


def table_with_errors(**errors):
    """Give a table in which only some entries have errors, named by both scores."""
    stderr = np.zeros((40, 40))
    for name, error in errors.items():
        own, other = map(int, name[1:].split("_"))
        stderr[own, other] = error
    return MatchEquity("some policy", np.full((40, 40), 0.5), stderr, 1000, 1)


def test_the_error_of_a_table_is_the_largest_that_can_be_looked_up():
    rules = GAME.rules("dice/amigo")
    table = table_with_errors(_12_5=0.01, _5_12=0.03, _30_30=0.5, _39_39=0.2)
    for mine, other, error in (
        ([12, 45], [5, 41], 0.03),
        ([5], [12], 0.03),  # either may start the next round
        ([12], [6], 0),
        ([40], [5], 0),  # the game has ended
        ([12, 39], [5, 39], 0.2),
    ):
        found = table_error(rules, table, np.array(mine), np.array(other))
        assert found == pytest.approx(1.959964 * error)


def test_each_action_has_the_error_of_the_scores_that_it_can_lead_to():
    # Quitting leaves 3 + 7 points; the other has 9 and plays on.
    position = small(AMIGO, "25", "3L", "1", scores=(3, 9))
    found = solved(position, table_with_errors(_10_10=0.01, _11_11=0.02, _38_38=0.3))
    bounds = {name: v.values["win"].high - v.values["win"].value for name, v in found.items()}
    assert bounds["quit"] == pytest.approx(1.959964 * 0.01)
    assert bounds["roll"] == pytest.approx(1.959964 * 0.02)


def test_without_scores_both_are_averaged():
    """Over scores at which rounds begin; 0 all is one of them, and with 33 the game may end."""
    even = np.full((40, 40), 0.5)
    found = solved(
        small(AMIGO, "25", "3L", "1"), MatchEquity("some policy", even, even / 50, 1000, 1)
    )
    bounds = {name: v.values["win"].high - v.values["win"].value for name, v in found.items()}
    most = 1.959964 * 0.01
    assert 0.5 * most < bounds["quit"] < most
    assert bounds["quit"] <= bounds["roll"] <= most + last_player_solve.TOLERATED
    assert all(0.4 < chance < 0.6 for chance in values_of(found, "win").values())


# --- Two players still in --------------------------------------------------------------------

SCORED = [position for position in TWO if position.scores]
# Of what takes seconds, every third one.
_LARGE = [position for position in SCORED if by_size(position).marks][::3]
COMPARED = [position for position in SCORED if not by_size(position).marks or position in _LARGE]


@cache
def table_for(rules_id):
    """Any chances will do; these are not even larger with fewer points."""
    return table_of(GAME.rules(rules_id).target, len(rules_id))


def won(position, table=None):
    return solved(position, table_for(position.rules_id) if table is None else table)


@cache
def reference_of(edition, options):
    position = small((edition, dict(options)), "1", "1", "1")
    target = GAME.rules(position.rules_id).target
    values = table_for(position.rules_id).values

    def worth(own, other):
        if max(own, other) >= target:
            return share(own, [other])
        return Fraction(float(values[own, other]))

    return PairWins(position.rules, worth)


def by_fractions(position):
    (other,), scores = position.others, position.held
    reference = reference_of(position.edition, position.options)
    return reference.actions(position.hand, other, position.row, *scores, position.shown)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("position", [by_size(position) for position in COMPARED])
def test_every_action_is_what_fractions_give(position):
    found = won(position)
    assert values_of(found, "win") == near(by_fractions(position))
    assert all(valued.values["win"].stderr == 0 for valued in found.values())


def test_enough_positions_are_solved_by_both():
    assert len(COMPARED) >= 15
    assert {len(position.shown or "") for position in COMPARED} >= {0, 3}


CUT = small(AMIGO, "25L", "3L", "1L", scores=(9, 13))


@pytest.mark.long
@pytest.mark.parametrize("tolerated", [0.3, 0.03])
def test_tokens_cut_move_a_value_by_no_more_than_stated(monkeypatch, tolerated):
    monkeypatch.setattr(last_player_solve, "EASY", 0)
    monkeypatch.setattr(last_player_solve, "TOLERATED", tolerated)
    monkeypatch.setattr(solve, "TOLERATED", tolerated)
    # Without an error of the table, the interval is what cutting may do.
    table = table_for(CUT.rules_id)
    found = won(CUT, replace(table, stderr=np.zeros_like(table.stderr)))
    expected = by_fractions(CUT)
    for action, valued in found.items():
        value = valued.values["win"]
        assert 0 < value.high - value.low <= 2 * tolerated
        assert value.low <= float(expected[action]) <= value.high
    assert values_of(found, "win") != near(expected)


def best_table(rules_id):
    policy = GAME.best_policy(GAME.rules(rules_id), 2, "win")
    return shipped(rules_id, (policy, policy))


LATER = (
    small(AMIGO, "3L", "12L", "14", scores=(12, 3)),
    small(AMIGO, "13L", "1L", "124", scores=(2, 3)),
    small(AMIGO, "14", "12L", "13L", scores=(3, 12)),
    small(AMIGO, "4", "1L", "123L", scores=(2, 2), shown="44L"),
)


@pytest.mark.parametrize("later", LATER, ids=str)
def test_later_positions_are_looked_up(later):
    first = small(AMIGO, "13L", "12L", "14", scores=(12, 3))
    table = best_table(first.rules_id)
    won(first, table)
    with mock.patch.object(pair_cache, "solve_pair", side_effect=AssertionError):
        found = values_of(won(later, table), "win")
    pair_cache.forget()
    own = values_of(won(later, table), "win")
    assert found == pytest.approx(own, abs=1e-12, rel=0)


@pytest.mark.long
def test_a_solution_for_other_stakes_is_not_used():
    first = small(AMIGO, "3L", "1L", "14", scores=(12, 3))
    table = best_table(first.rules_id)
    won(first, table)
    other = table_for(first.rules_id)
    found = values_of(won(first, other), "win")
    assert found == near(by_fractions(first))
    rules, read = first.read()
    margin = GAME.solve(rules, read, "margin", 1)
    won(first, table)
    again = GAME.solve(rules, read, "margin", 1)
    assert values_of({v.action: v for v in margin.actions}, "margin") == values_of(
        {v.action: v for v in again.actions}, "margin"
    )
    won(first, table)
    score = replace(first, scores=(12, 4))
    assert values_of(won(score, other), "win") == near(by_fractions(score))


@pytest.mark.parametrize("edition", [AMIGO, EGMONT], ids=str)
def test_what_one_wins_the_other_loses(edition):
    position = small(edition, "2346", "15L", "346L", scores=(12, 17), shown="36L")
    table = best_table(position.rules_id)
    for action, valued in won(position, table).items():
        if not action.startswith("discard"):
            continue
        cards = "".join(position.hand)
        for card in action.split()[1]:
            cards = cards.replace(card, "", 1)
        theirs = small(edition, "346L", "15L", cards, scores=(17, 12))
        best = max(values_of(won(theirs, table), "win").values())
        assert valued.values["win"].value + best == pytest.approx(1, abs=1e-9)


def test_what_is_too_large_is_left_to_sampling(monkeypatch):
    position = small(AMIGO, "13L", "12L", "14", scores=(12, 3))
    rules, read = position.read()
    table = best_table(position.rules_id)
    assert GAME.solve(rules, read, "win", 1, None, None) is None
    monkeypatch.setattr(product_solve, "MOST_WON", 10)
    assert GAME.solve(rules, read, "win", 1, None, table) is None
    assert "sampled, not solved" in GAME.too_large(rules, read, "win")


def test_the_answer_says_that_it_is_solved():
    question = ("advise", "dice/amigo", "hand=25L row=1346L opp=13 scores=12,17 first=0")
    answer = inside(*question, "--json").json
    assert answer["method"] == "exact"
    win = {action["action"]: action["win"] for action in answer["actions"]}
    assert win.keys() == {"roll", "quit"}
    for value in win.values():
        assert (value["stderr"], value["method"]) == (0, "exact")
        assert 0 < value["value"] - value["low"] < 0.03
        assert 0 < value["high"] - value["value"] < 0.03
    assert any("match equity table" in line for line in answer["assumptions"])
    assert "(exact" in inside(*question, "-v").out
    assert "(exact" not in inside(*question, "--play-out", "--games", "1000", "-v").out
