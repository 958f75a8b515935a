"""What cards of rules for No Prob-Lama can speak of, and their blocks for compiled functions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Family, Policy
from lama_odds.games.noprob.engine.by_thumb import card_rules
from lama_odds.games.noprob.engine.policy_kernels import CARD
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.shared.rule_cards import FIELDS, CardLanguage, Feature, blocks_of

FEATURES = (
    Feature("down", 0, 9, "cards face down of the other player with the lowest total"),
    Feature("fewest", 0, 9, "fewest cards face down of another player"),
    Feature("total", 0, card_rules.MOST, "your total at the end"),
)
HABITS = {
    "pairs": "counts two alike in a line as one",
}
LANGUAGE = CardLanguage(FEATURES, 60, HABITS, (), (0, 5, 10, 15, 20, 30))
CARDS = Family(
    "card",
    CARD,
    "plays by rules that fit on a card. Ends the round from the lead on that the first line says",
    LANGUAGE.usage,
    allowed=LANGUAGE.allowed,
    read=LANGUAGE.read,
    write=LANGUAGE.write,
    brief="rules on a card",
)


def parameters_of(policies: Sequence[Policy]) -> list[int]:
    """Return the parameter of each card among some policies."""
    return sorted({policy.parameter for policy in policies if policy.family is CARDS})


def blocks(rules: NoprobRules, policies: Sequence[Policy], worth: int) -> np.ndarray | None:
    """Return the blocks of the cards among some policies; None if there is none.

    worth: index of the first table of line worths for cards.
    """
    cards = [LANGUAGE.unpack(parameter) for parameter in parameters_of(policies)]
    if not cards:
        return None
    numbers = np.zeros((len(cards), 1, FIELDS), dtype=np.int64)
    numbers[:, 0, card_rules.HIDDEN] = round(rules.mean_card)
    numbers[:, 0, card_rules.TAKES] = 4
    numbers[:, 0, card_rules.WORTH] = worth
    return np.concatenate([blocks_of(cards), numbers], axis=1)
