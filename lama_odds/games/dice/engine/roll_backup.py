"""The value of rolling, from the value of every situation after the roll.

All solvers share this backup: the player alone, two players, and the values tables of policies. Two
facts make it fast:

- Of a roll that matches, only the matching dice count. So rolls are grouped by what they match
  ("matched sets"). The best discard within a matched set is either all of it, or the best within
  the sets that are smaller by one die.
- Of all misses, the best kind is taken whenever it is shown, then the second best, and so on. So
  misses need only the number of rolls that avoid a set of kinds.

Worth arrays are float64[places, layers]; lower is better for the player who rolls. A place is the
index of a situation, a layer is a number of tokens returned.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np

from lama_odds.games.dice.rules.position import card_text, pack_hand
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import (
    BLOWN,
    FULL_ROW,
    KINDS,
    LLAMA,
    LLAMAS,
    MATCH,
    kinds_of,
    pack_roll,
    roll_case,
    roll_kinds,
)
from lama_odds.jit import compiled, for_all, inlined

# The mean over one roll of what follows it, each roll with its best discard or take.
#
# The value of a situation is an entry of an array. Its place is a sum with one part for each kind:
# that of the cards held and of whether the kind is in the row.


EQUAL = 1e-12  # smaller differences are rounding errors


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

    Of equally good discards it is the one with most cards, as in `last_player.best_place`.

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
        least = np.inf
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
                if place >= 0 and worth[place, level] <= least + EQUAL:
                    best = place
                    least = min(least, worth[place, level])
        else:
            shown = roll_kinds(roll) & row
            for kind in range(KINDS):
                if shown >> kind & 1:
                    place = root + parts[kind, 0, 1] - parts[kind, 1, 0]
                    if worth[place, level] < least:
                        best = place
                        least = worth[place, level]
        total[0] += ways * least
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


MANY = 6  # layers from which short loops are faster


class RollTables(NamedTuple):
    """Rolls grouped for solving; sets are numbered from 1 by size, 0 is the empty set.

    first: int32[129]; the entries of a mask of kinds held are first[mask] to first[mask + 1].
    sets: int32, the matched sets of these entries.
    weights: float64, the rolls that match exactly this set; 0 for sets that only help with larger
    ones.
    stem, last, copies: int32[sets]; a set is its stem plus `copies` cards of its last kind.
    smaller: int32[sets, dice], the sets that are smaller by one card (filled with 0).
    avoiding: float64[128], rolls that show no kind of a mask; never three llamas.
    llamas: float64[1], rolls of llamas only. outcomes: float64[1].
    """

    first: np.ndarray
    sets: np.ndarray
    weights: np.ndarray
    stem: np.ndarray
    last: np.ndarray
    copies: np.ndarray
    smaller: np.ndarray
    avoiding: np.ndarray
    llamas: np.ndarray
    outcomes: np.ndarray


@lru_cache(maxsize=32)
def roll_tables(rules: DiceRules) -> RollTables:
    """Return the tables for the dice of a rule set."""
    rolls = [tuple(int(roll) >> 4 * die & 15 for die in range(rules.dice)) for roll in rules.rolls]
    llamas = (LLAMA,) * rules.dice
    counted = Counter(tuple(sorted(roll)) for roll in rolls if roll != llamas)
    numbers = {
        kinds: number
        for number, kinds in enumerate(
            kinds
            for size in range(rules.dice + 1)
            for kinds in combinations_with_replacement(range(KINDS), size)
        )
    }
    first, sets, weights = [0], [], []
    avoiding = np.zeros(FULL_ROW + 1)
    for mask in range(FULL_ROW + 1):
        matched: Counter[tuple[int, ...]] = Counter()
        for roll, ways in counted.items():
            matched[tuple(kind for kind in roll if mask >> kind & 1)] += ways
        avoiding[mask] = matched.pop((), 0)
        needed = {part for kinds in matched for part in _parts(kinds)}
        for kinds in sorted(needed, key=lambda s: numbers[s]):
            sets.append(numbers[kinds])
            weights.append(float(matched[kinds]))
        first.append(len(sets))
    stem, last, copies = (np.zeros(len(numbers), dtype=np.int32) for _ in range(3))
    smaller = np.zeros((len(numbers), rules.dice), dtype=np.int32)
    for kinds, number in numbers.items():
        if kinds:
            last[number] = kinds[-1]
            copies[number] = kinds.count(kinds[-1])
            stem[number] = numbers[tuple(k for k in kinds if k != kinds[-1])]
            less = {kinds[:i] + kinds[i + 1 :] for i in range(len(kinds))}
            smaller[number, : len(less)] = sorted(numbers[part] for part in less)
    return RollTables(
        np.array(first, dtype=np.int32),
        np.array(sets, dtype=np.int32),
        np.array(weights, dtype=np.float64),
        stem,
        last,
        copies,
        smaller,
        avoiding,
        np.array([rolls.count(llamas)], dtype=np.float64),
        np.array([len(rolls)], dtype=np.float64),
    )


def _parts(kinds: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Return all non-empty sub-multisets of a matched set."""
    parts: set[tuple[int, ...]] = {()}
    for kind in kinds:
        parts |= {tuple(sorted((*part, kind))) for part in parts}
    return parts - {()}


@inlined
@for_all
def add_matches(tables, worth, here, digits, steps, mask, reach, best, total):
    """Add to total[layers] the rolls that match, each with its best discard.

    here: the place before the roll. digits: int64[KINDS], its digit of each kind.
    steps: int64[KINDS, digits, dice + 1], how far the place moves when this many cards of a kind
    go; 0 if there are fewer.
    reach, best: scratch, int64[sets] and float64[sets, layers]; best[0] is infinite. Afterwards
    best has the value of each matched set, and reach its place (−1 without one).
    """
    reach[0] = here
    layers = total.size
    for entry in range(tables.first[mask], tables.first[mask + 1]):
        matched = tables.sets[entry]
        kind = tables.last[matched]
        step = steps[kind, digits[kind], tables.copies[matched]]
        place = reach[tables.stem[matched]]
        place = place + step if step != 0 and place >= 0 else -1
        reach[matched] = place
        weight = tables.weights[entry]
        if layers >= MANY:
            # One short loop after another: each works on several layers at once.
            less = tables.smaller[matched, 0]
            if place >= 0:
                for layer in range(layers):
                    best[matched, layer] = min(worth[place, layer], best[less, layer])
            else:
                for layer in range(layers):
                    best[matched, layer] = best[less, layer]
            for i in range(1, tables.smaller.shape[1]):
                less = tables.smaller[matched, i]
                if less == 0:
                    break
                for layer in range(layers):
                    best[matched, layer] = min(best[matched, layer], best[less, layer])
            for layer in range(layers):
                total[layer] += weight * best[matched, layer]
            continue
        for layer in range(layers):
            value = worth[place, layer] if place >= 0 else np.inf
            for i in range(tables.smaller.shape[1]):
                value = min(value, best[tables.smaller[matched, i], layer])
            best[matched, layer] = value
            total[layer] += weight * value


@inlined
@for_all
def rank_takes(worth, here, digits, takes, mask, row, layer, order):
    """Sort the kinds that can be taken by worth, best first: order[0] worths, order[1] kinds.

    takes: int64[KINDS, digits], how far the place moves when a kind of the row is taken. order:
    scratch, float64[2, KINDS]. Returns the number of kinds.
    """
    count = 0
    for kind in range(KINDS):
        if (row & ~mask) >> kind & 1:
            value = worth[here + takes[kind, digits[kind]], layer]
            at = count
            while at > 0 and order[0, at - 1] > value:
                order[0, at] = order[0, at - 1]
                order[1, at] = order[1, at - 1]
                at -= 1
            order[0, at] = value
            order[1, at] = kind
            count += 1
    return count


@inlined
@for_all
def add_misses(tables, worth, here, digits, takes, mask, row, blown, order, total):
    """Add to total[layers] the rolls that match nothing: the best take, or blown[layers]."""
    for layer in range(total.size):
        shown = mask
        for at in range(rank_takes(worth, here, digits, takes, mask, row, layer, order)):
            more = shown | 1 << np.int64(order[1, at])
            total[layer] += (tables.avoiding[shown] - tables.avoiding[more]) * order[0, at]
            shown = more
        total[layer] += tables.avoiding[shown] * blown[layer]


@inlined
def count_up(digits, sizes):
    """Move to the digits of the next place; the first digit counts fastest."""
    for kind in range(digits.size):
        digits[kind] += 1
        if digits[kind] < sizes[kind]:
            return
        digits[kind] = 0
