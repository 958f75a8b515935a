"""What cards of rules for No Prob-Lama can speak of, and their blocks for compiled functions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.noprob.engine.by_thumb import card_rules
from lama_odds.games.noprob.engine.policy_kernels import CARD
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.rules.transition import CELLS
from lama_odds.games.shared.rule_cards import (
    FIELDS,
    CardLanguage,
    Feature,
    RuleCard,
    blocks_of,
    family_of,
)

POINTS, DOWN = "point", "card"
FEATURES = (
    Feature(
        *("down", 0, CELLS, "cards face down of the other player with the lowest total"),
        cuts=(0, 1, 2, 3, 4),
        noun=DOWN,
        said="the other player with the lowest total has {} face down",
    ),
    Feature(
        *("fewest", 0, CELLS, "fewest cards that another player has face down"),
        cuts=(0, 1, 2, 3),
        noun=DOWN,
        said="of the others, the one with the fewest cards face down has {}",
    ),
    Feature(
        *("total", 0, card_rules.MOST, "your total at the end, 0 if it is below"),
        cuts=(0, 2, 4, 8, 12),
        noun=POINTS,
        said="your total will be {}",
    ),
)
UP, PAIRS = "up", "pairs"
SAVED_UP, TAKES_UP, TAKES = 7, 10, 4
HABITS = {
    UP: f"A card that you turn up saves {SAVED_UP} points more. Take the top discard if it saves "
    f"{TAKES_UP} or more.",
    PAIRS: "Two alike in a row or column count as one of them, unless the third card counts less "
    "than nothing.",
}
LANGUAGE = CardLanguage(
    FEATURES,
    80,
    HABITS,
    tried=(0, 6, 10, 15, 25, 40),
    deed="end the round from a lead of {}",
    noun=POINTS,
    never="do not end the round",
    lowest="end the round if nobody has a lower total",
)
CARDS = family_of(
    LANGUAGE,
    CARD,
    "Ends the round with the lead that the first line says whose conditions hold, and after 50 "
    "turns of its own anyway. The lead is the lowest total of the others minus the own; cards face "
    "down count the mean of the deck. It puts a card where the own total gets lowest. It takes the "
    "top discard if that saves 4 points or more. Drama goes to the lowest total, Karma to the "
    "highest",
)


def blocks(rules: NoprobRules, policies: Sequence[Policy], pairs: int) -> np.ndarray | None:
    """Return the blocks of the cards among some policies; None if there is none.

    pairs: index of the table of line worths in which two alike count as one.
    """
    names = list(HABITS)

    def numbers(card: RuleCard) -> list[int]:
        habits = {names[at] for at in card.habits}
        row = [0] * FIELDS
        row[card_rules.HIDDEN] = round(rules.mean_card)
        row[card_rules.TAKES] = TAKES_UP if UP in habits else TAKES
        row[card_rules.TURNS_UP] = SAVED_UP if UP in habits else 0
        row[card_rules.WORTH] = pairs if PAIRS in habits else 0
        return row

    return blocks_of(LANGUAGE, policies, numbers)
