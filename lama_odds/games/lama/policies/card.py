"""What cards of rules for L.A.M.A. can speak of, and their blocks for compiled functions."""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.core.policies import Policy
from lama_odds.games.lama.engine import card_rules
from lama_odds.games.lama.engine.policy_kernels import CARD
from lama_odds.games.shared import round_features
from lama_odds.games.shared.round_features import HAND
from lama_odds.games.shared.rule_cards import CardLanguage, Feature, family_of

MOST, PILE, SCORE = card_rules.MOST_CARDS, card_rules.MOST_PILE, card_rules.MOST_SCORE
FEATURES = (
    round_features.fewest(MOST, (1, 2, 3, 4)),
    round_features.others((1, 2)),
    round_features.cards(MOST, (1, 2, 3, 4)),
    Feature(
        *("values", 1, 7, "different values among your cards", (1, 2, 3)),
        noun="value",
        said="your cards have {}",
    ),
    Feature(
        *("pile", 0, PILE, "cards left to draw", (5, 10, 20, 30)),
        noun=HAND,
        said="the pile has {}",
    ),
    round_features.score(SCORE),
    round_features.ahead(SCORE),
    round_features.behind(SCORE),
    round_features.total(SCORE, (9, 19, 29, 39)),
    Feature(
        *("second", 0, MOST, "your cards of the value two above the top", (0, 1)),
        noun=HAND,
        said="you hold {} two above the top",
        told={(1, MOST): "you hold a card two above the top"},
    ),
    Feature(
        *("doubles", 0, MOST, "your cards beyond one of each value", (0, 1, 2)),
        noun=HAND,
        said="you hold {} twice",
        told={(0, 0): "you hold no card twice", (0, 1): "you hold at most one card twice"},
    ),
)
HABITS = {
    "same": "Two cards fit: play the number that lies on top first.",
    "hold": "Two cards fit: play the number that lies on top first. But with five or more cards, "
    "while everybody else has four or more, look again. If you hold one card of the top's number "
    "and more of the next than of the one before it, play the next number.",
    "alone": "If all others have quit, continue as long as you can.",
    "plus": "Play a plus card before a plain one of its number.",
}
LANGUAGE = CardLanguage(
    FEATURES,
    41,
    HABITS,
    (("same", "hold"),),
    tried=(0, 2, 4, 6, 9, 12, 16, 20),
    never="always draw",
)
CARDS = family_of(
    LANGUAGE,
    CARD,
    "Plays a card if it can, the one that costs most unless a habit says otherwise. Else it quits "
    "with as many points as the first line says whose conditions hold, and draws with more",
)


def row_of(policy: Policy, parameters: Sequence[int]) -> tuple[int, int]:
    """Return the habits of a card, as bits, and its block among these cards."""
    return LANGUAGE.unpack(policy.parameter).bits, parameters.index(policy.parameter)
