"""Tokens for solvers: what three llamas or going out returns, time after time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.ruleset import DiceRules


@dataclass(frozen=True)
class Tokens:
    """The tokens of one player, most valuable first.

    values: int64[levels]; entry l is what is returned after l tokens were returned; at the last
    level it repeats.
    spare: how often the last level can really be repeated (0 or more) before its value would
    change.
    """

    values: np.ndarray
    spare: int

    @property
    def exact(self) -> bool:
        """Whether nothing is cut: the last level returns nothing."""
        return bool(self.values[-1] == 0)


@lru_cache(maxsize=1_024)
def tokens_of(rules: DiceRules, score: int | None, most_levels: int = 1_000) -> Tokens:
    """Return the tokens of a player with this score (None: nobody holds tokens).

    With more than `most_levels` levels, the list is cut where its equal values begin at the end.
    The last value is then assumed never to run out.
    """
    values = []
    left = score or 0
    while left > 0:
        values.append(rules.token(left))
        left -= values[-1]
    values.append(0)
    kept = values[:most_levels]
    spare = 0
    while kept[-1] and spare + len(kept) < len(values) and values[len(kept) + spare] == kept[-1]:
        spare += 1
    return Tokens(np.array(kept, dtype=np.int64), spare)


def token_bound(rules: DiceRules, tokens: Tokens, rolls: int) -> float:
    """Return how far cutting the list of tokens can change the value of a round.

    At most `rolls` rolls of both players together are not three llamas. So the number X of three
    llamas is at most negative binomial. The cut matters only after more than (levels − 1 + spare)
    returns. Then each return, and going out, is wrong by at most the last value.
    """
    if tokens.exact:
        return 0.0
    q = float(np.mean([transition.all_llamas(roll) for roll in rules.rolls]))
    free = len(tokens.values) - 1 + tokens.spare
    bound, chance = 0.0, (1 - q) ** rolls
    for llamas in range(200):
        if llamas >= free:
            bound += chance * (llamas - free + 1)
        chance *= q * (rolls + llamas) / (llamas + 1)
    return float(tokens.values[-1]) * bound
