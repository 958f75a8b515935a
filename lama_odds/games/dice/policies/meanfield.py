"""Values tables for the `meanfield` policy: one player solved against an average table.

Between two turns of a player the round may end, and others may quit. How often that happens comes
from self-play (see `data/dice`), as if it did not depend on the cards. The rest is one player's
problem, solved exactly: when to quit, what to discard, what to take. Hands with more than two cards
of a kind count as having two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lama_odds.games.dice.engine.policy_kernels import HANDS, PASSED_ON, ROLLING, ROWS
from lama_odds.games.dice.engine.roll_backup import add_matches, add_misses, count_up, roll_tables
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import (
    KINDS,
    OUT_TOKEN,
    blown_kinds,
    last_llamas_blown,
    quitting_cost,
    row_ends_round,
)
from lama_odds.games.shared.tokens import ALWAYS
from lama_odds.jit import compiled, inlined


def values_table(
    rules: DiceRules, passing: np.ndarray, extra: float = 0.0, token: float = 0.0
) -> np.ndarray:
    """Return float32[others + 1, 2, ROWS * HANDS], see `policy_kernels`.

    passing: float64[n, n + 1] for n players. Row k: with k others still in, how often 0, 1, …
    others are in at the player's next turn; last column: how often the round has ended.
    extra: additional points for going out.
    token: what three llamas return, every time, and going out if it always returns one. If only a
    llama as the last card does, that is left out.
    """
    values = np.zeros((passing.shape[0], 2, ROWS * HANDS))
    tables = roll_tables(rules)
    _solve(
        tables,
        rules.columns,
        rules.penalties,
        passing,
        float(extra),
        float(token),
        *_moves(rules),
        _scratch(tables.stem.size),
        values,
    )
    return values.astype(np.float32)


def _moves(rules: DiceRules) -> tuple[np.ndarray, np.ndarray]:
    """Return how far the place moves when cards go, and when one is taken; see `roll_backup`."""
    steps = np.zeros((KINDS, 3, rules.dice + 1), np.int64)
    takes = np.zeros((KINDS, 3), np.int64)
    for kind in range(KINDS):
        for held in range(3):
            takes[kind, held] = 3**kind - (HANDS << kind)
            for gone in range(1, min(held, rules.dice) + 1):
                steps[kind, held, gone] = -gone * 3**kind
    return steps, takes


class Scratch(NamedTuple):
    """What `_solve` writes on; made here, because that takes less to compile.

    digits, sizes, reach: int64. best, order: float64[…, 1 and KINDS]. total, blown: float64[1].
    """

    digits: np.ndarray
    sizes: np.ndarray
    reach: np.ndarray
    best: np.ndarray
    order: np.ndarray
    total: np.ndarray
    blown: np.ndarray


def _scratch(sets: int) -> Scratch:
    return Scratch(
        digits=np.zeros(KINDS, np.int64),
        sizes=np.full(KINDS, 3, np.int64),
        reach=np.zeros(sets, np.int64),
        best=np.full((sets, 1), np.inf),
        order=np.zeros((2, KINDS)),
        total=np.zeros(1),
        blown=np.zeros(1),
    )


@compiled
def _solve(tables, columns, penalties, passing, extra, token, steps, takes, scratch, values):
    """Fill values[others, ROLLING or PASSED_ON, row * HANDS + hand], fewest others first."""
    digits, sizes, reach, best, order, total, blown = scratch
    gone_out = -extra - (token if columns[OUT_TOKEN] == ALWAYS else 0.0)
    for others in range(passing.shape[0]):
        worth = values[others, PASSED_ON].reshape(ROWS * HANDS, 1)
        for kind in range(KINDS):
            digits[kind] = 0
        for place in range(ROWS * HANDS):
            row = place // HANDS
            mask = 0
            for kind in range(KINDS):
                mask |= (digits[kind] > 0) << kind
            penalty = penalties[mask]
            quitting = quitting_cost(columns, penalty)
            if mask == 0 or row_ends_round(columns, row):
                worth[place, 0] = penalty if mask else gone_out
                values[others, ROLLING, place] = worth[place, 0]
                count_up(digits, sizes)
                continue
            total[0] = 0.0
            blown[0] = penalties[blown_kinds(mask, row)]
            add_matches(tables, worth, place, digits, steps, mask, reach, best, total)
            again = tables.llamas[0]
            if others > 0:
                add_misses(tables, worth, place, digits, takes, mask, row, blown, order, total)
            else:
                total[0] += tables.avoiding[mask] * blown[0]
                if last_llamas_blown(columns, mask):
                    total[0] += again * blown[0]
                    again = 0.0
            total[0] -= again * token
            rolling = _with_repeats(
                total[0] / tables.outcomes[0],
                again / tables.outcomes[0],
                penalty,
                quitting,
                others,
                place,
                passing,
                values,
            )
            values[others, ROLLING, place] = rolling
            worth[place, 0] = _passed_on(
                min(quitting, rolling), penalty, quitting, others, place, passing, values
            )
            count_up(digits, sizes)


@inlined
def _passed_on(mine, penalty, quitting, others, place, passing, values):
    """Return the worth of a hand between two turns.

    mine: the worth of deciding with as many others in. penalty, quitting: the cost of the cards,
    and of quitting with them.
    """
    worth = passing[others, passing.shape[1] - 1] * penalty + passing[others, others] * mine
    for fewer in range(others):
        worth += passing[others, fewer] * min(quitting, values[fewer, ROLLING, place])
    return worth


@inlined
def _with_repeats(moved, again, penalty, quitting, others, place, passing, values):
    """Return the cost of rolling if three llamas (chance `again`) change nothing."""
    rest = _passed_on(0.0, penalty, quitting, others, place, passing, values)
    stay = passing[others, others]
    rolling = (moved + again * rest) / (1.0 - again * stay)
    if rolling > quitting:
        rolling = moved + again * (rest + stay * quitting)
    return rolling
