"""The mean over one roll of what follows it, each roll with its best discard or take.

The value of a situation is an entry of an array. Its place is a sum with one part for each kind:
that of the cards held and of whether the kind is in the row.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from lama_odds.games.dice.rules.position import card_text, pack_hand
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import (
    BLOWN,
    KINDS,
    LLAMAS,
    MATCH,
    kinds_of,
    pack_roll,
    roll_case,
    roll_kinds,
)
from lama_odds.jit import compiled


class SortedRolls(NamedTuple):
    """Rolls that differ in more than the order of the dice.

    rolls: int64[n], packed. ways: float64[n], the outcomes of each.
    discards: int64[n, most], what a hand with these cards could discard, in the order of
    `rules.odds.discards`, packed like hands; the rest is 0.
    """

    rolls: np.ndarray
    ways: np.ndarray
    discards: np.ndarray


@lru_cache(maxsize=16)
def sorted_rolls(rules: DiceRules) -> SortedRolls:
    """Return the rolls of a rule set, in the order of `DiceRules.sorted_rolls`."""
    rolls = np.array([pack_roll(kinds) for kinds in rules.sorted_rolls], dtype=np.int64)
    ways = np.array(list(rules.sorted_rolls.values()), dtype=np.float64)
    options = [_discards(kinds) for kinds in rules.sorted_rolls]
    discards = np.zeros((len(options), max(map(len, options)) + 1), dtype=np.int64)
    for row, packed in zip(discards, options, strict=True):
        row[: len(packed)] = packed
    return SortedRolls(rolls, ways, discards)


def _discards(kinds: tuple[int, ...]) -> list[int]:
    """Return all discards from cards like these dice, fewest cards first."""
    parts = {part for size in range(1, len(kinds) + 1) for part in combinations(kinds, size)}
    hands = [tuple(part.count(kind) for kind in range(KINDS)) for part in parts]
    return [pack_hand(cards) for cards in sorted(hands, key=lambda c: (sum(c), card_text(c)))]


@compiled
def add_rolls(rules, rolls, hand, row, alone, parts, worth, ends, level, llamas, blown, total):
    """Add to `total` what follows each roll, times its number of outcomes.

    hand: packed. alone: whether all others have quit. parts: int64[7, 2, cards + 1].
    worth: float64[places, levels], minimized. ends: float64[places, levels, more], what goes with
    it. llamas, blown, total: float64[1 + more].
    """
    kinds = kinds_of(hand)
    root = 0
    for kind in range(KINDS):
        root += parts[kind, row >> kind & 1, hand >> 4 * kind & 15]
    for i in range(rolls.rolls.size):
        roll = rolls.rolls[i]
        ways = rolls.ways[i]
        case = roll_case(rules, kinds, row, roll, alone)
        if case in (LLAMAS, BLOWN):
            vector = llamas if case == LLAMAS else blown
            for at in range(total.size):
                total[at] += ways * vector[at]
            continue
        best = -1
        if case == MATCH:
            for choice in range(rolls.discards.shape[1]):
                gone = rolls.discards[i, choice]
                if gone == 0:
                    break
                place = root
                for kind in range(KINDS):
                    less = gone >> 4 * kind & 15
                    held = hand >> 4 * kind & 15
                    if less > held:
                        place = -1
                        break
                    place += parts[kind, row >> kind & 1, held - less]
                    place -= parts[kind, row >> kind & 1, held]
                if place >= 0 and (best < 0 or worth[place, level] < worth[best, level]):
                    best = place
        else:
            shown = roll_kinds(roll) & row
            for kind in range(KINDS):
                if shown >> kind & 1:
                    place = root + parts[kind, 0, 1] - parts[kind, 1, 0]
                    if best < 0 or worth[place, level] < worth[best, level]:
                        best = place
        total[0] += ways * worth[best, level]
        for at in range(ends.shape[2]):
            total[1 + at] += ways * ends[best, level, at]


def roll_once(
    rules: DiceRules,
    hand: tuple[int, ...],
    row: int,
    alone: bool,
    parts: np.ndarray,
    worth: np.ndarray,
    ends: np.ndarray,
    llamas: np.ndarray,
    blown: np.ndarray,
    level: int = 0,
) -> np.ndarray:
    """Return the mean over all rolls of what follows; see `add_rolls`."""
    total = np.zeros(1 + ends.shape[2])
    rolls, packed = sorted_rolls(rules), pack_hand(hand)
    add_rolls(
        rules.columns, rolls, packed, row, alone, parts, worth, ends, level, llamas, blown, total
    )
    return total / len(rules.rolls)
