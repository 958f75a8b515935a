"""Two players who play to win: solved as plain recursion in fractions solves it."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from unittest import mock

import numpy as np
import pytest

from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.solvers import pair_cache, pair_wins, token_cuts
from lama_odds.games.dice.solvers import solve as product_solve
from lama_odds.games.interface.match_equity import shipped
from tests.cli.calls import inside, process
from tests.games.dice.test_exact_against_fractions import (
    AMIGO,
    EGMONT,
    TWO,
    near,
    small,
    values_of,
)
from tests.games.dice.test_last_player_wins import table_of
from tests.reference import dice as twin
from tests.reference.dice_last import share
from tests.reference.dice_pair_wins import PairWins
from tests.reference.dice_solver import choices_of

SCORED = [position for position in TWO if position.scores]


def _is_small(position):
    """Fractions take moments for few cards or a short row, and seconds for the rest."""
    cards = len(position.hand) + len(position.row) + sum(map(len, position.others))
    return len(position.row) * cards <= 9


# Of what takes seconds, every second one.
_LARGE = [position for position in SCORED if not _is_small(position)][::2]
COMPARED = [position for position in SCORED if _is_small(position) or position in _LARGE]


@cache
def table_for(rules_id):
    """Any chances will do; these are not even larger with fewer points."""
    return table_of(GAME.rules(rules_id).target, len(rules_id))


def solved(position, table=None):
    rules, read = position.read()
    table = table_for(position.rules_id) if table is None else table
    found = GAME.solve(rules, read, "win", 2, None, table)
    return {valued.action: valued for valued in found.actions}


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


@pytest.fixture(autouse=True)
def _nothing_kept():
    pair_cache.forget()
    yield
    pair_cache.forget()


def _by_size(position):
    marks = [] if _is_small(position) else [pytest.mark.long]
    return pytest.param(position, marks=marks, id=str(position))


@pytest.mark.parametrize("position", [_by_size(position) for position in COMPARED])
def test_every_action_is_what_fractions_give(position):
    expected = near(by_fractions(position))
    found = solved(position)
    assert values_of(found, "win") == expected
    assert all(valued.values["win"].stderr == 0 for valued in found.values())


def test_enough_positions_are_solved_by_both():
    assert len(COMPARED) >= 20
    assert {len(position.shown or "") for position in COMPARED} >= {0, 3}
    assert len(_LARGE) > 5


CUT = small(AMIGO, "25L", "3L", "1L", scores=(9, 13))


@pytest.mark.parametrize("tolerated", [0.3, 0.1, 0.03])
def test_tokens_cut_move_a_value_by_no_more_than_stated(monkeypatch, tolerated):
    monkeypatch.setattr(token_cuts, "EASY", 0)
    monkeypatch.setattr(token_cuts, "TOLERATED", tolerated)
    monkeypatch.setattr(pair_wins, "TOLERATED", tolerated)
    # Without an error of the table, the interval is what cutting may do.
    table = table_for(CUT.rules_id)
    found = solved(CUT, replace(table, stderr=np.zeros_like(table.stderr)))
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
    solved(first, table)
    with mock.patch.object(pair_cache, "solve_pair", side_effect=AssertionError):
        found = values_of(solved(later, table), "win")
    pair_cache.forget()
    own = values_of(solved(later, table), "win")
    assert found == pytest.approx(own, abs=1e-12, rel=0)


def test_a_solution_for_other_stakes_is_not_used():
    first = small(AMIGO, "3L", "1L", "14", scores=(12, 3))
    table = best_table(first.rules_id)
    solved(first, table)
    other = table_for(first.rules_id)
    found = values_of(solved(first, other), "win")
    assert found == near(by_fractions(first))
    rules, read = first.read()
    margin = GAME.solve(rules, read, "margin", 1)
    solved(first, table)
    again = GAME.solve(rules, read, "margin", 1)
    assert values_of({v.action: v for v in margin.actions}, "margin") == values_of(
        {v.action: v for v in again.actions}, "margin"
    )
    solved(first, table)
    score = replace(first, scores=(12, 4))
    assert values_of(solved(score, other), "win") == near(by_fractions(score))


@pytest.mark.parametrize("edition", [AMIGO, EGMONT], ids=str)
def test_what_one_wins_the_other_loses(edition):
    position = small(edition, "2346", "15L", "346L", scores=(12, 17), shown="36L")
    table = best_table(position.rules_id)
    for action, valued in solved(position, table).items():
        if not action.startswith("discard"):
            continue
        cards = "".join(position.hand)
        for card in action.split()[1]:
            cards = cards.replace(card, "", 1)
        theirs = small(edition, "346L", "15L", cards, scores=(17, 12))
        best = max(values_of(solved(theirs, table), "win").values())
        assert valued.values["win"].value + best == pytest.approx(1, abs=1e-9)


@pytest.mark.long
def test_points_cost_chances_but_for_tokens():
    """More points win less; but ten are one black token, which nine are not: it can be returned."""
    table = best_table("dice/amigo")
    hand = small(AMIGO, "25L", "1346L", "13", scores=(0, 0))

    def chance(scores):
        return max(values_of(solved(replace(hand, scores=scores), table), "win").values())

    mine = [chance((score, 15)) for score in (0, 5, 9, 10, 15, 19, 25, 29, 35, 39)]
    falls = [0, 1, 3, 4, 6, 8]
    assert all(mine[at] > mine[at + 1] for at in falls)
    assert mine[3] > mine[2]
    theirs = [chance((15, score)) for score in (0, 5, 9, 10, 15, 19, 25, 29, 35, 39)]
    assert all(theirs[at] < theirs[at + 1] for at in falls)


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
    answer = process(*question, "--json").json
    assert answer["method"] == "exact"
    win = {action["action"]: action["win"] for action in answer["actions"]}
    assert win.keys() == {"roll", "quit"}
    for value in win.values():
        assert (value["stderr"], value["method"]) == (0, "exact")
        assert 0 < value["value"] - value["low"] < 0.03
        assert 0 < value["high"] - value["value"] < 0.03
    assert any("match equity table" in line for line in answer["assumptions"])
    out = inside(*question, "-v").out
    assert "(exact" in out
    assert "Roll." in out
    sampled = inside(*question, "--play-out", "--games", "2000", "-v").out
    assert "(exact" not in sampled


def chances(position, table):
    return values_of(solved(position, table), "win")


def best_of(choices, position, table):
    found = chances(position, table)
    return max(choices, key=lambda choice: found[choice[0]])


def played(first, table, luck):
    """Play a round as solved; give the chance to win that player 0 is left with."""
    rules = twin.edition("amigo")
    points = twin.points_of_kinds(rules)
    rolls = twin.all_rolls(rules.faces)
    hands, row = [first.hand, *first.others], first.row
    scores, out, me = list(first.scores), [False, False], 0

    def at(shown=None):
        seen = {"shown": shown, "scores": (scores[me], scores[1 - me])}
        return small(AMIGO, hands[me], row, hands[1 - me], alone=out[1 - me], **seen)

    def end():
        final = [
            score + twin.penalty_of(points, set(hand))
            for score, hand in zip(scores, hands, strict=True)
        ]
        mine, other = final[me], final[1 - me]
        over = max(final) >= rules.target
        wins = float(share(mine, [other])) if over else table.values[mine, other]
        return wins if me == 0 else 1 - wins

    while True:
        if best_of([("roll",), ("quit",)], at(), table) == ("quit",):
            out[me] = True
            if all(out):
                return end()
            me = 1 - me
            continue
        roll = luck.choice(rolls)
        case, choices = choices_of(rules, hands[me], row, roll, out[1 - me])
        if case == "llamas":
            scores[me] = twin.score_after_return(rules, scores[me])
        else:
            shown = at(twin.cards_text(roll.items()))
            _, hands[me], row = choices[0] if len(choices) == 1 else best_of(choices, shown, table)
            if not hands[me]:
                scores[me] = twin.score_after_return(rules, scores[me])
            if case == "blown" or not hands[me] or not row:
                return end()
        if not out[1 - me]:
            me = 1 - me


@pytest.mark.long
@pytest.mark.parametrize("scores", [(12, 17), (35, 28)])
def test_solved_play_wins_as_often_as_its_value_says(scores):
    first = small(AMIGO, "125L", "136L", "134", scores=scores)
    table = best_table(first.rules_id)
    value = max(chances(first, table).values())
    luck = random.Random(1)
    ends = [played(first, table, luck) for _ in range(100)]
    error = np.std(ends) / len(ends) ** 0.5
    assert error < 0.055
    assert abs(np.mean(ends) - value) < 4 * error
