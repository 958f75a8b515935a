"""What cards of rules for Lama Dice can speak of, and their blocks for compiled functions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.dice.engine import card_rules
from lama_odds.games.dice.engine.policy_kernels import CARD
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.shared import round_features
from lama_odds.games.shared.round_features import HAND, POINTS
from lama_odds.games.shared.rule_cards import CardLanguage, Feature, blocks_of, family_of

MOST, SCORE = card_rules.MOST_CARDS, card_rules.MOST_SCORE
FEATURES = (
    round_features.fewest(MOST, (1, 2, 3, 4, 6)),
    round_features.others(),
    round_features.cards(MOST, (1, 2, 3, 4, 6)),
    Feature(
        *("kinds", 1, 7, "different kinds among your cards", (1, 2, 3, 4)),
        noun="kind",
        said="you hold {} of cards",
    ),
    Feature(
        *("row", 0, 7, "cards in the llama row", (2, 3, 4, 5)), noun=HAND, said="the row has {}"
    ),
    round_features.score(SCORE),
    round_features.ahead(SCORE),
    round_features.behind(SCORE),
    round_features.total(SCORE, (19, 29, 34, 37)),
    Feature(
        *("leads", 0, SCORE, "points by which the others' lowest total is higher", (0, 4, 9)),
        noun=POINTS,
        said="with all cards counted you lead by {}",
        told={
            (0, 0): "with all cards counted you do not lead",
            (1, SCORE): "with all cards counted you lead",
        },
    ),
    Feature(
        *("trails", 0, SCORE, "points by which it is lower", (0, 4, 9)),
        noun=POINTS,
        said="with all cards counted you trail by {}",
        told={
            (0, 0): "with all cards counted you do not trail",
            (1, SCORE): "with all cards counted you trail",
        },
    ),
)
HABITS = {
    "llama": "Take a llama before any number.",
    "llama4": "Take a llama before a 4, 5 or 6.",
    "llama5": "Take a llama before a 5 or 6.",
    "llama6": "Take a llama before a 6.",
    "settle": "If all others have quit, quit if that surely wins the game, and roll if "
    "somebody else would surely win it then.",
}
LANGUAGE = CardLanguage(
    FEATURES,
    31,
    HABITS,
    (("llama", "llama4", "llama5", "llama6"),),
    least=1,
    tried=(3, 6, 9, 12, 16, 31),
    always="quit",
)
CARDS = family_of(
    LANGUAGE,
    CARD,
    "Quits with as many points as the first line says whose conditions hold, otherwise rolls. "
    "Discards as many cards as the dice allow and takes the lowest card (the llama last), unless a "
    "habit says otherwise",
)


def blocks(rules: DiceRules, policies: Sequence[Policy]) -> np.ndarray | None:
    """Return the blocks of the cards among some policies; None if there is none."""
    return blocks_of(
        LANGUAGE,
        policies,
        lambda card: (card.bits, len(policies), rules.target, rules.quit_cost),
    )
