"""Which cards to discard or to take: the value of the choice, from solved play.

Only decisions count for which rolling was right, each as often as the dice bring it. The llama row
is full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import sub
from typing import Any

import numpy as np

from lama_odds.core.language import say
from lama_odds.games.dice.engine.roll_backup import EQUAL
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.odds import discards, penalty_of, takes
from lama_odds.games.dice.rules.position import (
    Counts,
    Opponent,
    Position,
    card_text,
    counts_mask,
    mask_counts,
    roll_case,
)
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS, LLAMA
from lama_odds.games.dice.solvers.last_player import alone_space, solve_alone, tokens_of
from lama_odds.games.dice.solvers.solve import SETS, OneEach, solve
from lama_odds.games.interface.objectives import (
    ThresholdTable,
)
from lama_odds.games.shared.card_values import hands_of

# The last player with one card each of some kinds, the llama row full: all 127 rows, exactly.

WORSE_BY = 1e-9  # points; smaller differences are ignored


def last_player_table(rules: DiceRules) -> ThresholdTable:
    """Return rows of cards, penalty, points after quitting and after rolling, the better.

    All seven kinds, and other rows with more cards than are dealt, are included for completeness.
    Beside them are the chances of going out and of blowing it, when rolling as long as that is
    best.
    """
    rows: list[dict[str, Any]] = []
    for mask in range(1, FULL_ROW + 1):
        hand = mask_counts(mask)
        position = Position(hand, FULL_ROW, (Opponent(None, True, 1),))
        solution = solve(rules, position, "points", 1)
        assert solution is not None
        values = {valued.action: valued for valued in solution.actions}
        quits, rolls = values["quit"].values["points"], values["roll"].values["points"]
        gain = rolls.value - quits.value
        better = "quit" if gain > WORSE_BY else "roll" if gain < -WORSE_BY else "either"
        rows.append(
            {
                "cards": card_text(hand),
                "penalty": int(quits.value),
                "quit": quits,
                "roll": rolls,
                "better": better,
                "out": values["roll"].chances["out"],
                "blown": values["roll"].chances["blown"],
            }
        )
    rows.sort(key=lambda row: (row["penalty"], row["cards"]))
    title = say("The last player, the llama row full, one card each: quit or roll again")
    return ThresholdTable("last_player", title, tuple(rows), shares=("out", "blown"))


COLUMNS = 7  # numbers of cards: 0 to 6
MOST_ALIKE = 2  # cards of a kind that the last player holds
NUMBER_OF = np.array([sum(mask_counts(mask)) for mask in range(SETS)])


@dataclass(frozen=True)
class Discards:
    """Rolls that allow several discards, counted by a number of cards (the last index).

    left: float64[3, 2, 7, 7], by what is left after discarding everything that the dice allow: the
    llama or not, and how many numbers.
    kinds: float64[3, 7, 7], by a kind that may be discarded.

    The first index is 0 for the weight of all such rolls. It is 1 for the weight of those for which
    keeping (this kind) back is right. It is 2 for that weight times the points lost by discarding
    everything.
    """

    left: np.ndarray
    kinds: np.ndarray

    def add(
        self,
        hand: Counts,
        choices: Sequence[Counts],
        values: np.ndarray,
        weights: np.ndarray,
        columns: np.ndarray,
    ) -> None:
        """Add a roll in several situations.

        choices: the possible hands, the last after discarding everything. values: float64[choices,
        situations], their values (lower is better). weights, columns: of the situations.
        """
        lost = values[-1] - values.min(axis=0)
        right = lost > WORSE_BY
        # Of equally good discards, use the one with most cards: it comes last.
        best = len(choices) - 1 - values[::-1].argmin(axis=0)

        def sums(where: np.ndarray) -> np.ndarray:
            parts = (weights, weights * where, weights * where * lost)
            return np.array([np.bincount(columns, part, COLUMNS) for part in parts])

        rest = choices[-1]
        llama = int(rest[LLAMA] > 0)
        self.left[:, llama, sum(map(bool, rest)) - llama] += sums(right)
        for kind in range(KINDS):
            if hand[kind] > rest[kind]:
                kept = np.array([choice[kind] > rest[kind] for choice in choices])
                self.kinds[:, kind] += sums(right & kept[best])


def _no_discards() -> Discards:
    return Discards(np.zeros((3, 2, KINDS, COLUMNS)), np.zeros((3, KINDS, COLUMNS)))


def pair_discards(rules: DiceRules, one: OneEach) -> Discards:
    """Return discards of two players with one card of each kind, by the other's number of cards.

    The player who rolls has two to five cards.
    """
    tally = _no_discards()
    for mask in range(SETS):
        if not 2 <= NUMBER_OF[mask] <= 5:
            continue
        hand = mask_counts(mask)
        rolling = one.gain[FULL_ROW, :, mask] < -EQUAL
        for ways, choices in _discards_of(rules, hand):
            after = [counts_mask(choice) for choice in choices]
            values = one.moved[FULL_ROW][:, after].T
            weights = np.where(rolling, float(ways), 0.0)
            # Nobody is dealt all seven kinds.
            tally.add(hand, choices, values[:, :-1], weights[:-1], NUMBER_OF[:-1])
    return tally


def last_discards(rules: DiceRules) -> Discards:
    """Return discards of the last player with two to six cards, by the number of cards.

    The hands are as dealt, with at most two of a kind. Every number of cards has the same weight.
    """
    tally = _no_discards()
    space = alone_space((MOST_ALIKE,) * KINDS, FULL_ROW)
    worth = solve_alone(rules, space, tokens_of(rules, None), with_ends=False).worth[:, 0]
    empty = space.place((0,) * KINDS, FULL_ROW)
    for cards in range(2, COLUMNS):
        hands = hands_of(rules.dealt_from, cards)
        all_hands = sum(dealt for _, dealt in hands)
        for hand, dealt in hands:
            if max(hand) > MOST_ALIKE:
                continue
            if worth[space.place(hand, FULL_ROW)] >= penalty_of(rules, hand) - EQUAL:
                continue  # quitting is as good
            for ways, choices in _discards_of(rules, hand):
                after = empty + np.array(choices) @ space.strides
                weight = np.array([ways * dealt / all_hands])
                tally.add(hand, choices, worth[after][:, None], weight, np.array([cards]))
    return tally


def _discards_of(rules: DiceRules, hand: Counts) -> Iterator[tuple[int, list[Counts]]]:
    """Yield rolls with several discards for this hand: outcomes, and the hands left, least last."""
    position = Position(hand, FULL_ROW, (Opponent(None, True, 0),))
    outcomes: Counter[tuple[int, ...]] = Counter()
    example = {}
    for rolled, ways in rules.sorted_rolls.items():
        matched = tuple(kind for kind in rolled if hand[kind])
        if len(matched) > 1:
            outcomes[matched] += ways
            example[matched] = rolled
    for matched, ways in outcomes.items():
        # All rolls with the same match mean the same; three llamas have no such match.
        if roll_case(rules, position, example[matched]) != transition.MATCH:
            continue
        gone = discards(hand, example[matched])
        if len(gone) > 1:
            yield ways, [tuple(map(sub, hand, cards)) for cards in gone]


@dataclass(frozen=True)
class Takes:
    """Misses of two players with one card of each kind at most, by your number of cards.

    gain: float64[7, 7, 7], the margin gained by taking the first kind instead of the second, by the
    number of cards. It is the mean over situations that allow both; nan without any.
    right: the same shape, the share of situations in which the first is better.
    lowest: float64[3, 7], the weight of rolls that leave a choice; of those in which the lowest
    card is not best; and the points that it loses.
    """

    gain: np.ndarray
    right: np.ndarray
    lowest: np.ndarray


def pair_takes(rules: DiceRules, one: OneEach, others: int) -> Takes:
    """Return what to take with one to four cards; others: the other's numbers of cards."""
    against = np.flatnonzero(others == NUMBER_OF)
    gain, right = (np.full((KINDS, KINDS, COLUMNS), np.nan) for _ in range(2))
    lowest = np.zeros((3, COLUMNS))
    for cards in range(1, 5):
        hands = np.flatnonzero(cards == NUMBER_OF)
        for first in range(KINDS):
            for second in range(KINDS):
                free = hands[(hands & (1 << first | 1 << second)) == 0]
                if first == second or not free.size:
                    continue
                rolling = one.gain[FULL_ROW][np.ix_(against, free)] < -EQUAL
                saved = _taken(one, against, free, second) - _taken(one, against, free, first)
                if rolling.any():
                    gain[first, second, cards] = saved[rolling].mean()
                    right[first, second, cards] = (saved[rolling] > WORSE_BY).mean()
        for mask in hands.tolist():
            lowest[:, cards] += _lowest(rules, one, against, mask)
    return Takes(gain, right, lowest)


def _taken(one: OneEach, against: np.ndarray, hands: np.ndarray, kind: int) -> np.ndarray:
    """Return margins after taking a kind: float64[others' hands, my hands]."""
    row = FULL_ROW & ~(1 << kind)
    return np.asarray(one.moved[row][np.ix_(against, hands | 1 << kind)])


def _lowest(rules: DiceRules, one: OneEach, against: np.ndarray, mask: int) -> np.ndarray:
    """Return what always taking the lowest card loses with a hand; see `Takes.lowest`."""
    position = Position(mask_counts(mask), FULL_ROW, (Opponent(mask_counts(1)),))
    rolling = one.gain[FULL_ROW, against, mask] < -EQUAL
    sums = np.zeros(3)
    for rolled, ways in rules.sorted_rolls.items():
        if roll_case(rules, position, rolled) != transition.MISS:
            continue
        kinds = takes(position, rolled)
        if len(kinds) > 1:
            hands = np.array([mask])
            values = np.array([_taken(one, against, hands, kind)[:, 0] for kind in kinds])
            lost = np.where(rolling, values[0] - values.min(axis=0), 0.0)
            sums += ways * np.array([rolling.sum(), (lost > WORSE_BY).sum(), lost.sum()])
    return sums
