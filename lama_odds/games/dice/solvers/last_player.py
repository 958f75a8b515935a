"""The last player alone: optimal play, solved exactly.

All others have quit, so the row never changes, nothing is taken, and every roll that does not match
is blown. Three llamas repeat the decision (with the token they return). Situations are numbered by
a mixed radix: for each kind, the cards held and whether it is in the row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lama_odds.games.dice.engine.roll_backup import add_matches, count_up, roll_tables
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import KINDS, blown_kinds, last_llamas_blown
from lama_odds.games.dice.solvers.tokens import Tokens
from lama_odds.jit import compiled, for_all

EQUAL = 1e-12  # smaller differences are rounding errors
# Columns of `ends` after the penalties, from the end.
OUT, BLOWN, POINTS = -3, -2, -1


@dataclass(frozen=True)
class AloneSpace:
    """The numbering of the situations of one player alone.

    held: int64[7], most cards of each kind.
    sizes: int64[7], digits of each kind: the cards held, and again with the kind in the row if
    possible.
    strides: int64[7].
    always: the mask of kinds that are in the row of every situation; they need no digits.
    """

    held: np.ndarray
    sizes: np.ndarray
    strides: np.ndarray
    places: int
    always: int = 0

    def place(self, cards: tuple[int, ...], row: int) -> int:
        """Return the number of a situation."""
        row &= ~self.always
        return sum(
            self.part(kind, cards[kind], row >> kind & 1) * int(self.strides[kind])
            for kind in range(KINDS)
        )

    def part(self, kind: int, cards: int, in_row: int) -> int:
        """Return the digit of one kind."""
        return cards + in_row * (int(self.held[kind]) + 1)

    def parts(self) -> np.ndarray:
        """Return the parts of places where no other kinds are in the row, see `one_roll`."""
        cards = np.arange(int(self.held.max()) + 2) * self.strides[:, None]
        return np.stack((cards, cards), axis=1)


@lru_cache(maxsize=4_096)
def alone_space(held: tuple[int, ...], rows: int, always: int = 0) -> AloneSpace:
    """Return situations with at most `held` cards and any part of the row `rows`.

    always: other kinds, all of which are in the row.
    """
    in_row = [rows >> kind & 1 for kind in range(KINDS)]
    sizes = [(held[kind] + 1) * (1 + in_row[kind]) for kind in range(KINDS)]
    strides = np.cumprod([1, *sizes], dtype=np.int64)
    return AloneSpace(
        np.array(held, dtype=np.int64),
        np.array(sizes, dtype=np.int64),
        strides[:-1],
        int(strides[-1]),
        always,
    )


@dataclass(frozen=True)
class AlonePayoff:
    """What the end of a round is worth to the player alone; lower is better.

    results: float64[levels, ranks + 1], by tokens returned before and rank of the final penalty
    (see `penalty_ranks`); the last column is for going out. Several cases may follow each other,
    each with all levels.
    returned: float64[levels], what three llamas return at once, by tokens returned before.
    """

    results: np.ndarray
    returned: np.ndarray


@dataclass(frozen=True)
class AloneSolution:
    """Optimal play of one player alone.

    space: the numbering.
    worth: float64[places, levels], the expected payoff at a decision (points: the penalty minus the
    tokens returned from now on). The levels of further cases follow (see `AlonePayoff`).
    ends: float64[places, levels, results], chances of each end: first by rank of the final penalty
    (see `penalty_ranks`), then going out and blowing it. The last column has the expected points.
    """

    space: AloneSpace
    worth: np.ndarray
    ends: np.ndarray


@lru_cache(maxsize=16)
def penalty_ranks(rules: DiceRules) -> tuple[np.ndarray, np.ndarray]:
    """Return distinct penalties ascending, and int64[128]: the rank of each mask's penalty."""
    distinct, ranks = np.unique(rules.penalties, return_inverse=True)
    return distinct, ranks.astype(np.int64)


def points_payoff(rules: DiceRules, tokens: Tokens) -> AlonePayoff:
    """Return the points as payoff: the penalty minus returned tokens."""
    distinct, _ = penalty_ranks(rules)
    returned = tokens.values.astype(np.float64)
    penalties = np.broadcast_to(distinct.astype(np.float64), (len(returned), len(distinct)))
    return AlonePayoff(np.column_stack((penalties, -returned)), returned)


def solve_alone(
    rules: DiceRules,
    space: AloneSpace,
    tokens: Tokens,
    with_ends: bool = True,
    payoff: AlonePayoff | None = None,
) -> AloneSolution:
    """Solve all situations of a space; payoff: what counts (None: the points)."""
    distinct, ranks = penalty_ranks(rules)
    payoff = payoff or points_payoff(rules, tokens)
    levels = len(payoff.returned)
    worth = np.zeros((space.places, levels))
    results = len(distinct) + 3 if with_ends else 0
    ends = np.zeros((space.places, levels, results))
    _solve(
        roll_tables(rules),
        rules.columns,
        rules.penalties,
        ranks,
        space.held,
        space.sizes,
        space.strides,
        space.always,
        tokens.values,
        payoff.results,
        payoff.returned,
        worth,
        ends,
    )
    return AloneSolution(space, worth, ends)


@compiled
def _solve(
    tables, columns, penalties, ranks, held, sizes, strides, always, tokens, results, returned,
    worth, ends,
):  # fmt: skip
    levels = returned.size
    sets = tables.stem.size
    digits = np.zeros(KINDS, np.int64)
    steps = np.zeros((KINDS, sizes.max(), tables.smaller.shape[1] + 1), np.int64)
    for kind in range(KINDS):
        for digit in range(sizes[kind]):
            for gone in range(1, min(digit % (held[kind] + 1), steps.shape[2] - 1) + 1):
                steps[kind, digit, gone] = -gone * strides[kind]
    reach = np.zeros(sets, np.int64)
    best = np.full((sets, levels), np.inf)
    total = np.zeros(levels)
    outcomes = tables.outcomes[0]
    for place in range(worth.shape[0]):
        mask = 0
        row = always
        if place > 0:
            count_up(digits, sizes)
        for kind in range(KINDS):
            mask |= (digits[kind] % (held[kind] + 1) > 0) << kind
            row |= (digits[kind] > held[kind]) << kind
        if mask == 0:
            for level in range(levels):
                worth[place, level] = results[level, results.shape[1] - 1]
                if ends.shape[2]:
                    ends[place, level, ranks[0]] = 1.0
                    ends[place, level, ends.shape[2] + OUT] = 1.0
                    ends[place, level, ends.shape[2] + POINTS] = -tokens[level % tokens.size]
            continue
        total[:] = 0.0
        add_matches(tables, worth, place, digits, steps, mask, reach, best, total)
        again = tables.llamas[0]
        bust = tables.avoiding[mask]
        if last_llamas_blown(columns, mask):
            bust += again
            again = 0.0
        again /= outcomes
        left = blown_kinds(mask, row)
        for level in range(levels - 1, -1, -1):
            blown = results[level, ranks[left]]
            rolling = (total[level] + bust * blown) / outcomes - again * returned[level]
            last = level % tokens.size == tokens.size - 1
            if last:
                rolling /= 1.0 - again
            else:
                rolling += again * worth[place, level + 1]
            quitting = results[level, ranks[mask]]
            if rolling >= quitting - EQUAL:  # if equal, quit
                worth[place, level] = quitting
                if ends.shape[2]:
                    ends[place, level, ranks[mask]] = 1.0
                    ends[place, level, ends.shape[2] + POINTS] = penalties[mask]
                continue
            worth[place, level] = rolling
            if ends.shape[2]:
                _add_ends(tables, worth, ends, place, level, mask, reach, best)
                chance = bust / outcomes
                ends[place, level, ranks[left]] += chance
                ends[place, level, ends.shape[2] + BLOWN] += chance
                points = chance * penalties[left] - again * tokens[level % tokens.size]
                ends[place, level, ends.shape[2] + POINTS] += points
                for result in range(ends.shape[2]):
                    if last:
                        ends[place, level, result] /= 1.0 - again
                    else:
                        ends[place, level, result] += again * ends[place, level + 1, result]


@compiled
@for_all
def _add_ends(tables, worth, ends, place, level, mask, reach, best):
    """Add the results that follow each matching roll with its best discard."""
    for entry in range(tables.first[mask], tables.first[mask + 1]):
        chance = tables.weights[entry] / tables.outcomes[0]
        if chance > 0.0:
            after = best_place(tables, worth, tables.sets[entry], level, reach, best)
            for result in range(ends.shape[2]):
                ends[place, level, result] += chance * ends[after, level, result]


@compiled
def best_place(tables, worth, found, level, reach, best):
    """Return the place after the best discard within a matched set (after `add_matches`).

    Of equally good discards it is the one with most cards.
    """
    value = best[found, level]
    while reach[found] < 0 or worth[reach[found], level] > value + EQUAL:
        for i in range(tables.smaller.shape[1]):
            if best[tables.smaller[found, i], level] <= value + EQUAL:
                found = tables.smaller[found, i]
                break
    return reach[found]
