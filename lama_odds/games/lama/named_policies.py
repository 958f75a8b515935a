"""The policies of the card games by name, and the arrays the compiled functions read for them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Family, Policy
from lama_odds.games.lama.policies import MATCHING, RANDOM, THRESHOLD
from lama_odds.games.lama.ruleset import LamaRules

FAMILIES = (
    Family(
        "random",
        RANDOM,
        "any card that can be played, drawing and quitting, all with equal chance",
    ),
    Family(
        "threshold",
        THRESHOLD,
        "plays a card if it can: the one that costs most (plain before plus, llama before pink); "
        "else quits if the hand costs T or less, else draws, else quits",
        "T",
        0,
        1000,
    ),
    Family(
        "matching",
        MATCHING,
        "plays a card of the same value as the top if it can (llamas and the pink llama are of one "
        "value, the llama first; plain before plus); otherwise as threshold:T",
        "T",
        0,
        1000,
    ),
)

NO_LOG = np.zeros(0, dtype=np.int64)
NO_VALUES = np.zeros((1, 1, 1), dtype=np.float32)

Tables = tuple[np.ndarray, ...]


def policy_rows(policies: Sequence[Policy]) -> np.ndarray:
    """int64[seats, 3]: family code, parameter, block of the values table."""
    return np.array([[p.family.code, p.parameter, 0] for p in policies], dtype=np.int64)


def tables_of(rules: LamaRules, policies: Sequence[Policy], log: np.ndarray = NO_LOG) -> Tables:
    """Arrays that the kernels read: playable cards, penalties, order of kinds, values, log."""
    order = np.array(rules.shifts, dtype=np.int64)
    return (rules.playable, rules.penalties, order, NO_VALUES, log)
