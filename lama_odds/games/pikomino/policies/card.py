"""What cards of rules for Pikomino can speak of, and their blocks for compiled functions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Policy
from lama_odds.games.pikomino.engine.card_rules import MOST
from lama_odds.games.pikomino.engine.policy_kernels import CARD
from lama_odds.games.pikomino.rules.turn_tables import FACES
from lama_odds.games.shared.rule_cards import CardLanguage, Feature, blocks_of, family_of

WORM, TILE = "worm", "tile"
FEATURES = (
    Feature(
        *("dice", 1, MOST, "dice left", (1, 2, 3)),
        said="{} dice are left",
        told={(1, 1): "one die is left"},
    ),
    Feature(
        *("short", 0, FACES, "dice that are left fewer than faces are kept", (0, 1, 2)),
        said="{} fewer dice are left than faces are kept",
        told={
            (0, 0): "at least as many dice are left as you have kept faces",
            (0, 1): "at most one die fewer is left than you have kept faces",
        },
    ),
    Feature(
        *("worms", 1, MOST, "worms on the tile that you would get", (1, 2, 3)),
        noun=WORM,
        said="you would get {}",
    ),
    Feature(
        *("steal", 0, MOST, "worms on a tile that you can steal", (0, 1, 2)),
        noun=WORM,
        said="you can steal {}",
        told={(0, 0): "you cannot steal", (1, MOST): "you can steal a tile"},
    ),
    Feature(
        *("own", 0, MOST, "worms on your top tile", (0, 1, 2)),
        noun=WORM,
        said="your top tile has {}",
        told={(0, 0): "you have no tile", (1, MOST): "you have a tile"},
    ),
    Feature(
        *("tiles", 0, MOST, "tiles in the centre", (1, 2, 4, 8)),
        noun=TILE,
        said="the centre has {}",
    ),
    Feature(
        *("ahead", 0, MOST, "worms you would be ahead of the best other player", (0, 3)),
        noun=WORM,
        said="stopping puts you ahead by {}",
        told={(0, 0): "stopping does not put you ahead", (1, MOST): "stopping puts you ahead"},
    ),
    Feature(
        *("behind", 0, MOST, "worms you would be behind the best other player", (0, 3)),
        noun=WORM,
        said="stopping leaves you behind by {}",
        told={
            (0, 0): "stopping does not leave you behind",
            (1, MOST): "stopping leaves you behind",
        },
    ),
)
HABITS = {
    "net": "Keep the face with the most points after two are taken off each die.",
    "stop": "If a face lets you stop at once, keep that one, of several the one with the highest "
    "total.",
    "worm": "With five dice or fewer, keep worms if you have none yet.",
}
LANGUAGE = CardLanguage(
    FEATURES,
    48,
    HABITS,
    least=21,
    tried=(21, 24, 27, 30),
    deed="stop with {} or more",
    noun="",
    never="roll on",
    lowest="stop",
)
CARDS = family_of(
    LANGUAGE,
    CARD,
    "Stops from the total on that the first line says whose conditions hold, otherwise rolls; with "
    "never it stops only when no dice are left. Prefers to steal, and keeps the face with the most "
    "points (the worm above the 5), unless a habit says otherwise",
)


def blocks(policies: Sequence[Policy]) -> np.ndarray | None:
    """Return the blocks of the cards among some policies; None if there is none."""
    return blocks_of(LANGUAGE, policies, lambda card: (card.bits,))
