"""The policies of Lama Dice by name, and the arrays the compiled functions read for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from lama_odds.core.data import data_json
from lama_odds.core.policies import Family, Policy
from lama_odds.games.dice import meanfield
from lama_odds.games.dice.meanfield import values_table
from lama_odds.games.dice.policies import RANDOM, THRESHOLD, VALUES, hand_ranks
from lama_odds.games.dice.ruleset import DiceRules
from lama_odds.kernels.store import kept

FAMILIES = (
    Family(
        "random",
        RANDOM,
        "quits or rolls with equal chance; then any legal discard, or any card that can be taken, "
        "with equal chance",
    ),
    Family(
        "threshold",
        THRESHOLD,
        "quits if the penalty of the own cards is T or less, else rolls; discards as many cards as "
        "the dice allow; takes the lowest card that can be taken (the llama last)",
        "T",
        0,
        1000,
    ),
    Family(
        "meanfield",
        VALUES,
        "plays as well as one player can against an average table: between two turns the round "
        "ends, or others quit, as often as in self-play with so many others still in, whatever the "
        "cards; quits when quitting costs no more than rolling, discards and takes what leaves "
        "least to expect. Solved for the rule set when needed",
    ),
)

MEANFIELD = FAMILIES[2]
PARAMETERS = "dice/meanfield.json"

NO_LOG = np.zeros(0, dtype=np.int64)
NO_VALUES = np.zeros((1, 2, 1), dtype=np.float32)

Tables = tuple[np.ndarray, ...]


def passing_of(rules: DiceRules, players: int) -> np.ndarray:
    """float64[players, players + 1]: what self-play saw happen between two turns of a seat."""
    shipped = data_json(PARAMETERS)["passing"]
    return np.array(shipped[rules.edition][str(players)])


@lru_cache(maxsize=16)
def meanfield_values(rules: DiceRules, players: int) -> np.ndarray:
    """Values table of `meanfield` for a rule set and number of players."""
    passing = passing_of(rules, players)
    inputs = (rules.columns, rules.rolls, rules.penalties, passing)
    return kept(meanfield.__name__, inputs, lambda: values_table(rules, passing))


@lru_cache(maxsize=1)
def ranks() -> np.ndarray:
    """The table for `policies.hand_index`."""
    return hand_ranks()


def policy_rows(policies: Sequence[Policy]) -> np.ndarray:
    """int64[seats, 3]: family code, parameter, block of the values table."""
    return np.array([[p.family.code, p.parameter, 0] for p in policies], dtype=np.int64)


def tables_of(rules: DiceRules, policies: Sequence[Policy], log: np.ndarray = NO_LOG) -> Tables:
    """Arrays of a rule set that the kernels read: rolls, penalties, values, ranks, log."""
    solved = any(policy.family is MEANFIELD for policy in policies)
    values = meanfield_values(rules, len(policies)) if solved else NO_VALUES
    return (rules.rolls, rules.penalties, values, ranks(), log)
