"""Two players with at most one card of each kind: all situations of the round, solved at once.

One solution contains them all, for any llama row and any hands. Only the kinds count for the
penalty, so these situations show the decision without side effects.
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
    """All situations, float64[llama row, other's cards, own cards], the sets of kinds as masks.

    gain: what quitting saves compared to rolling, in points of margin (below 0: roll), if both then
    play as well as possible; nan if the round is over.
    moved: the margin of a player who has just moved (lower is better). Nobody holds tokens.
    """

    gain: np.ndarray
    moved: np.ndarray


def holds_one_each(rules: DiceRules) -> bool:
    """Return whether there are enough cards for all these situations."""
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
    """Return the masks of every place (see `PairSpace.kinds`), and the other's place alone."""
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
    """Return values of places in the order of their masks."""
    found = np.empty_like(values)
    found[masks] = values
    return found.reshape(SETS, SETS, SETS)
