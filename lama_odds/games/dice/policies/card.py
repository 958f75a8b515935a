"""What cards of rules for Lama Dice can speak of, and their blocks for compiled functions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Family, Policy
from lama_odds.games.dice.engine import card_rules
from lama_odds.games.dice.engine.policy_kernels import CARD
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.shared.rule_cards import FIELDS, CardLanguage, Feature, blocks_of

MOST, SCORE = card_rules.MOST_CARDS, card_rules.MOST_SCORE
POINTS, HAND = "point", "card"
FEATURES = (
    Feature(
        *("fewest", 1, MOST, "fewest cards of another player still in", (1, 2, 3, 4, 6)),
        noun=HAND,
        said="of the others still in, the one with the fewest cards has {}",
        told={
            (1, 1): "another player holds one card",
            (1, 2): "another player holds one or two cards",
            **{(1, most): f"another player holds {most} cards or fewer" for most in range(3, MOST)},
            **{
                (least, MOST): f"no other holds fewer than {least} cards"
                for least in range(2, MOST)
            },
        },
    ),
    Feature(
        *("others", 0, 5, "other players still in"),
        said="{} others have not quit",
        told={
            (0, 0): "all others have quit",
            (1, 1): "one other has not quit",
            (1, 5): "others have not quit",
            (0, 1): "at most one other has not quit",
            **{(0, most): f"at most {most} others have not quit" for most in range(2, 5)},
        },
    ),
    Feature(*("cards", 1, MOST, "your cards", (1, 2, 3, 4, 6)), noun=HAND, said="you hold {}"),
    Feature(
        *("kinds", 1, 7, "different kinds among your cards", (1, 2, 3, 4)),
        noun="kind",
        said="you hold {} of cards",
    ),
    Feature(
        *("row", 0, 7, "cards in the llama row", (2, 3, 4, 5)), noun=HAND, said="the row has {}"
    ),
    Feature(*("score", 0, SCORE, "your score", (9, 19, 29)), said="your score is {}"),
    Feature(
        *("ahead", 0, SCORE, "points by which the others' lowest score is higher", (0, 4, 9)),
        noun=POINTS,
        said="your score is ahead by {}",
        told={(0, 0): "your score is not ahead", (1, SCORE): "your score is ahead"},
    ),
    Feature(
        *("behind", 0, SCORE, "points by which it is lower", (0, 4, 9)),
        noun=POINTS,
        said="your score is behind by {}",
        told={(0, 0): "your score is not behind", (1, SCORE): "your score is behind"},
    ),
    Feature(
        *("total", 0, SCORE, "your score with the points in hand", (19, 29, 34, 37)),
        said="your score and your cards together make {}",
    ),
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
CARDS = Family(
    "card",
    CARD,
    "plays by rules that fit on a card. Quits with as many points as the first line says whose "
    "conditions hold, otherwise rolls. Discards as many cards as the dice allow and takes the "
    "lowest card (the llama last), unless a habit says otherwise",
    LANGUAGE.usage,
    allowed=LANGUAGE.allowed,
    read=LANGUAGE.read,
    write=LANGUAGE.write,
    brief="rules on a card",
)


def parameters_of(policies: Sequence[Policy]) -> list[int]:
    """Return the parameter of each card among some policies."""
    return sorted({p.parameter for p in policies if p.family is CARDS})


def blocks(rules: DiceRules, policies: Sequence[Policy]) -> np.ndarray | None:
    """Return the blocks of the cards among some policies; None if there is none."""
    cards = [LANGUAGE.unpack(parameter) for parameter in parameters_of(policies)]
    if not cards:
        return None
    games = np.zeros((len(cards), 1, FIELDS), dtype=np.int64)
    games[:, 0, card_rules.PLAYERS] = len(policies)
    games[:, 0, card_rules.TARGET] = rules.target
    games[:, 0, card_rules.QUIT_COST] = rules.quit_cost
    for at, card in enumerate(cards):
        games[at, 0, card_rules.HABITS] = sum(1 << habit for habit in card.habits)
    return np.concatenate([blocks_of(cards), games], axis=1)
