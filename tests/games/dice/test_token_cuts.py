"""Tokens that the solvers of two players cut off, and how much that can change: the bounds."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from lama_odds.games.dice.rules.ruleset import parse_rules
from lama_odds.games.dice.solvers import last_player_solve
from lama_odds.games.dice.solvers.last_player import (
    FOLLOWED,
    Averaged,
    Tokens,
    averaged_alone,
    averaged_chances,
    token_bound,
    tokens_of,
)
from lama_odds.games.dice.solvers.last_player_solve import Cuts, averaged_cuts, cuts_of
from lama_odds.games.interface.match_equity import MatchEquity, StartingScores
from tests.games.dice.cases import twin_rules
from tests.games.dice.table import counts
from tests.reference import dice as twin
from tests.reference.dice_solver import Dice, choices_of, shared

AMIGO, EGMONT = parse_rules("dice/amigo"), parse_rules("dice/egmont")
LLAMAS = Fraction(8, 216)  # the chance of three llamas


def test_tokens_are_those_that_returns_take_one_after_another():
    rules, dice = parse_rules("dice/amigo+twenty"), Dice(twin_rules("amigo", {"twenty": True}))
    for score, most in product((0, 1, 9, 10, 23, 39), (1, 2, 3, 30)):
        reference = []
        while not reference or reference[-1]:
            reference.append(dice.token(score - sum(reference)))
        tokens = tokens_of(rules, score, most)
        values = tokens.values.tolist()
        assert values == reference[:most]
        assert tokens.exact == (values == reference)
        if not tokens.exact:
            after = reference[most:]
            assert after[: tokens.spare] == values[-1:] * tokens.spare
            assert after[tokens.spare] != values[-1]


@pytest.mark.parametrize("rolls", [1, 9, 30])
@pytest.mark.parametrize(("values", "spare"), [([10], 0), ([10], 2), ([20, 10, 10, 1], 1)])
def test_the_bound_counts_returns_after_the_last_token_followed(values, spare, rolls):
    """As many three llamas as come before so many other rolls; going out is one return more."""
    right = len(values) - 1 + spare
    mean = rolls * LLAMAS / (1 - LLAMAS)
    fewer = sum(
        (right - 1 - x) * comb(rolls + x - 1, x) * LLAMAS**x * (1 - LLAMAS) ** rolls
        for x in range(right - 1)
    )
    expected = values[-1] * (mean - (right - 1) + fewer)
    found = token_bound(AMIGO, Tokens(np.array(values), spare), rolls)
    assert found == pytest.approx(float(expected), rel=1e-9)
    assert token_bound(AMIGO, tokens_of(AMIGO, 39), rolls) == 0  # nothing is cut


# --- The most returns that play can lead to --------------------------------------------------


def most_returns(rules, hand, row, free):
    """Search all play of a hand, both players as kind as can be: returns beyond so many."""
    rolls = twin.all_rolls(rules.faces)

    def over(hand, row):
        return not hand or (rules.empty_row_ends and not row)

    @cache
    def deciding(hand, row, free):
        if over(hand, row):
            return Fraction(0)
        rest = again = Fraction(0)
        for roll in rolls:
            case, choices = choices_of(rules, hand, row, roll, False)
            if case == "llamas":
                again += Fraction(1, len(rolls))
            elif case != "blown":
                best = max(waiting(cards, left, free) for _, cards, left in choices)
                rest += best / len(rolls)
        taken = max((deciding(hand, less, free) for less in shorter(row)), default=Fraction(0))
        if free:
            return rest + again * waiting(hand, row, free - 1)
        # Either the other takes a card after three llamas, or all is as before.
        return max(rest + again * (1 + taken), (rest + again) / (1 - again))

    def shorter(row):
        return [row.replace(card, "") for card in row]

    def waiting(hand, row, free):
        """The other may take a card of the row, or not."""
        return max(deciding(hand, left, free) for left in (row, *shorter(row)))

    return deciding(hand, row, free)


FEW = "1L.2L"


@pytest.mark.parametrize("edition", ["amigo", "egmont"])
@pytest.mark.parametrize("free", [0, 1])
def test_no_play_returns_more_tokens_than_the_bound_says(edition, free):
    rules = twin_rules(edition, {"faces": FEW})
    bound = last_player_solve._most_returns(parse_rules(f"dice/{edition}+faces={FEW}"))
    near = 0
    for size, held in product(range(3), (1, 2)):
        for row, hand in product(combinations("12L", size), combinations("12LL", held)):
            row, hand = "".join(row), "".join(hand)
            there = float(most_returns(rules, hand, row, free))
            found = bound(len(set(hand)), len(hand), len(row), free)
            assert found >= there - 1e-12, (hand, row)
            near += found < 1.25 * there
    assert near > 5


# --- What a return adds, and what is cut -----------------------------------------------------

LEAST = np.array([0.01, -0.02, 0.0]), np.array([0.05])
MOST = np.array([0.04, 0.07, 0.03]), np.array([0.25])
CUTS = Cuts(EGMONT, (Tokens(np.array([10, 10, 1, 0]), 0), Tokens(np.array([1, 0]), 0)), LEAST, MOST)
HANDS = counts("5"), counts("6")


@pytest.mark.parametrize(
    ("levels", "low", "high"),
    [((2, 1), (-0.02, 0.05), (0.07, 0.25)), ((3, 2), (0.0, 0.0), (0.03, 0.0))],
)
def test_returns_beyond_count_midway_and_are_wrong_by_half_the_range(levels, low, high):
    """With one card and no row, only three llamas go on."""
    assert CUTS.repeated(levels) == pytest.approx(tuple(np.add(low, high) / 2))
    returns = [float(LLAMAS**followed / (1 - LLAMAS)) for followed in levels]
    error = np.subtract(high, low) / 2 @ returns
    assert CUTS.error(HANDS, 0, levels) == pytest.approx(error, abs=1e-15)


def test_as_few_layers_are_followed_as_the_bound_allows():
    def cut(places, most, tolerated):
        found = CUTS.fewest(HANDS, 0, places, most, tolerated)
        if found is None:
            return None
        levels = tuple(len(tokens.values) for tokens in found[0])
        assert found[1] == pytest.approx(CUTS.error(HANDS, 0, levels), abs=1e-15)
        return levels

    large = last_player_solve.EASY + 1
    errors = {levels: CUTS.error(HANDS, 0, levels) for levels in product(range(1, 5), (1, 2))}
    for tolerated in {0.0, *errors.values()}:
        fitting = [levels for levels, error in errors.items() if error <= tolerated]
        fewest = cut(large, 8 * large, tolerated)
        assert fewest in fitting
        assert np.prod(fewest) == min(map(np.prod, fitting))
    assert cut(large, 7 * large, 0.0) is None
    assert cut(large, large, 1.0) == (1, 1)
    # What takes little time is followed to the end.
    assert cut(last_player_solve.EASY // 8, last_player_solve.EASY, 1.0) == (4, 2)


PENALTIES = sorted({int(points) for points in AMIGO.penalties})
RANKS = range(len(PENALTIES) + 1)


def any_table(seed):
    luck = np.random.default_rng(seed)
    return MatchEquity("p", luck.random((40, 40)), luck.random((40, 40)) / 100, 1000, 1)


def final_of(score, level, rank):
    """Give the score after so many returns, with a penalty by its rank, or after going out."""
    for _ in range(level):
        score -= AMIGO.token(score)
    return score + PENALTIES[rank] if rank < len(PENALTIES) else score - AMIGO.token(score)


@pytest.mark.parametrize("scores", [(12, 3), (39, 21)])
def test_what_a_return_adds_is_tried_at_every_end(scores):
    tables = any_table(1), any_table(2)
    cuts = cuts_of(AMIGO, scores, *tables)
    finals = [
        [[final_of(score, level, rank) for rank in RANKS] for level in range(len(tokens.values))]
        for score, tokens in zip(scores, cuts.tokens, strict=True)
    ]

    def wins(player, own, other, starts):
        if max(own, other) >= 40:
            return float(shared(own, [other]))
        table = tables[player] if starts else tables[1 - player]
        return table.values[own, other] if starts else 1 - table.values[other, own]

    for player in (0, 1):
        others = {final for row in finals[1 - player] for final in row}
        assert len(cuts.least[player]) == len(finals[player]) - 1
        for level, (before, after) in enumerate(
            zip(finals[player], finals[player][1:], strict=False)
        ):
            gains = [
                wins(player, more, other, starts) - wins(player, less, other, starts)
                for less, more in zip(before, after, strict=True)
                for other in others
                for starts in (True, False)
            ]
            assert cuts.least[player][level] == pytest.approx(min(gains), abs=1e-12)
            assert cuts.most[player][level] == pytest.approx(max(gains), abs=1e-12)


def test_the_same_without_scores():
    levels, ranks = 3, 2
    chances = np.random.default_rng(3).random((2, levels, ranks, levels, ranks))
    cuts = averaged_cuts(AMIGO, Averaged(chances, np.zeros_like(chances)))
    mine = np.stack((chances[0], 1 - chances[1]))
    for player, axis in enumerate((1, 3)):
        won = np.moveaxis(mine if player == 0 else 1 - mine, axis, 0)
        gains = [(won[at + 1] - won[at]).ravel() for at in range(levels - 1)]
        assert cuts.least[player] == pytest.approx([*(g.min() for g in gains), 0])
        assert cuts.most[player] == pytest.approx([*(g.max() for g in gains), gains[-1].max()])


# --- Scores that are unknown: means over those at which rounds begin -------------------------

ROWS = np.array([[3, 9], [3, 9], [12, 30], [38, 0]])


def test_chances_with_unknown_scores_are_means_over_those_that_occur():
    luck, table = np.random.default_rng(5), any_table(5)
    starting = StartingScores("p", ROWS, 1000, 1)
    found = averaged_chances(AMIGO, table, starting)
    ranks = len(RANKS)
    assert found.chances.shape == (2, FOLLOWED, ranks, FOLLOWED, ranks)

    def of(own, other):
        if max(own, other) >= 40:
            return float(shared(own, [other])), 0.0
        return table.values[own, other], table.stderr[own, other]

    for _ in range(60):
        mine, rank, theirs, other = luck.integers([FOLLOWED, ranks, FOLLOWED, ranks])
        ends = [
            (final_of(first, mine, rank), final_of(second, theirs, other)) for first, second in ROWS
        ]
        for starter, pairs in enumerate((ends, [pair[::-1] for pair in ends])):
            at = (starter, mine, rank, theirs, other)
            chance, error = np.mean([of(*pair) for pair in pairs], axis=0)
            assert found.chances[at] == pytest.approx(chance, abs=1e-12)
            assert found.errors[at] == pytest.approx(error, abs=1e-12)
    alone, error = averaged_alone(AMIGO, table, starting, penalty=11)
    ends = [
        [[of(final_of(first, level, rank), second + 11) for first, second in ROWS]
         for rank in RANKS]
        for level in range(FOLLOWED)
    ]  # fmt: skip
    assert alone == pytest.approx(np.mean(ends, axis=2)[..., 0], abs=1e-12)
    assert error == pytest.approx(np.mean(ends, axis=2)[..., 1].max(), abs=1e-12)
