"""What cards of rules for Pikomino can speak of, and their blocks for compiled functions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Family, Policy
from lama_odds.games.pikomino.engine.card_rules import MOST
from lama_odds.games.pikomino.engine.policy_kernels import CARD
from lama_odds.games.pikomino.rules.turn_tables import FACES
from lama_odds.games.shared.rule_cards import FIELDS, CardLanguage, Feature, blocks_of

FEATURES = (
    Feature("dice", 1, MOST, "dice left", (1, 2, 3)),
    Feature("faces", 1, FACES, "different faces kept", (1, 2, 3, 4)),
    Feature("worms", 1, MOST, "worms on the tile that you would get", (1, 2, 3)),
    Feature("steal", 0, MOST, "worms on a tile that you could steal", (0, 1, 2)),
    Feature("own", 0, MOST, "worms on your top tile", (0, 1, 2)),
    Feature("tiles", 0, MOST, "tiles left in the centre", (1, 2, 4, 8)),
    Feature("ahead", 0, MOST, "worms you are ahead of the best other player", (0, 3)),
    Feature("behind", 0, MOST, "worms you are behind the best other player", (0, 3)),
)
HABITS = {
    "net": "takes two points off each die to choose the face",
    "stop": "keeps a face with which it stops at once, of several the highest total",
    "worm": "with five dice or fewer keeps worms if it has none yet",
}
LANGUAGE = CardLanguage(FEATURES, 48, HABITS, (), (0, 23, 25, 27, 29, 31))
CARDS = Family(
    "card",
    CARD,
    "plays by rules that fit on a card. Stops from the total on that the first line says whose "
    "conditions hold, otherwise rolls; with never it stops only when no dice are left. Prefers to "
    "steal, and keeps the face with the most points (the worm above the 5), unless a habit says "
    "otherwise",
    LANGUAGE.usage,
    allowed=LANGUAGE.allowed,
    read=LANGUAGE.read,
    write=LANGUAGE.write,
    brief="rules on a card",
)


def parameters_of(policies: Sequence[Policy]) -> list[int]:
    """Return the parameter of each card among some policies."""
    return sorted({policy.parameter for policy in policies if policy.family is CARDS})


def blocks(policies: Sequence[Policy]) -> np.ndarray | None:
    """Return the blocks of the cards among some policies; None if there is none."""
    cards = [LANGUAGE.unpack(parameter) for parameter in parameters_of(policies)]
    if not cards:
        return None
    habits = np.zeros((len(cards), 1, FIELDS), dtype=np.int64)
    habits[:, 0, 0] = [sum(1 << habit for habit in card.habits) for card in cards]
    return np.concatenate([blocks_of(cards), habits], axis=1)
