"""Two players with at most one card of each kind: all situations of the round, solved at once.

One solution holds them all: whatever lies in the llama row, whoever holds what. Only the kinds
count for the penalty, so these are the situations in which nothing but the decision matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS
from lama_odds.games.dice.solvers.pair_rolls import roll_margins
from lama_odds.games.dice.solvers.tokens import tokens_of
from lama_odds.games.dice.solvers.two_players import PairSolution, solve_pair

SETS = FULL_ROW + 1
EACH = 3  # cards of a kind: one in either hand, one in the row


@dataclass(frozen=True)
class OneEach:
    """All situations, float64[llama row, other's cards, my cards], the sets of kinds as masks.

    gain: what quitting saves me against rolling, in points of margin (below 0: roll), both then
    playing as well as can be; nan where the round is over. moved: my margin when I have just
    moved and the other is to decide (lower is better). Nobody holds tokens.
    """

    gain: np.ndarray
    moved: np.ndarray


def holds_one_each(rules: DiceRules) -> bool:
    """Whether there are cards enough that all these situations can occur."""
    return min(rules.in_play) >= EACH


@lru_cache(maxsize=1)
def solve_one_each(rules: DiceRules, threads: int) -> OneEach:
    """Solve all situations (some two million; a few seconds)."""
    tokens = tokens_of(rules, None)
    one = (1,) * KINDS
    solution = solve_pair(rules, one, one, FULL_ROW, (tokens, tokens), threads)
    masks, alone = _masks_of_places(solution)
    mine = rules.penalties[masks & FULL_ROW]
    quits = mine - solution.alone[1].worth[alone, 0]
    rolls = roll_margins(rules, solution, threads)[:, 0]
    return OneEach(_by_masks(masks, rolls - quits), _by_masks(masks, solution.passed[1, :, 0]))


def _masks_of_places(solution: PairSolution) -> tuple[np.ndarray, np.ndarray]:
    """Of every place: its masks (see `PairSpace.kinds`), and the other's place alone."""
    space = solution.space
    places = np.arange(space.places)
    masks = np.zeros_like(places)
    alone = np.zeros_like(places)
    for kind in range(KINDS):
        digits = places // space.strides[kind] % space.sizes[kind]
        masks |= space.kinds[kind][digits]
        alone += space.alone[1, kind][digits]
    return masks, alone


def _by_masks(masks: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values of places in the order of their masks."""
    found = np.empty_like(values)
    found[masks] = values
    return found.reshape(SETS, SETS, SETS)
