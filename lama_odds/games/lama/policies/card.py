"""What cards of rules for L.A.M.A. can speak of, and their blocks for compiled functions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lama_odds.core.policies import Family, Policy
from lama_odds.games.lama.engine import card_rules
from lama_odds.games.lama.engine.policy_kernels import CARD
from lama_odds.games.shared.rule_cards import CardLanguage, Feature, blocks_of

MOST, PILE, SCORE = card_rules.MOST_CARDS, card_rules.MOST_PILE, card_rules.MOST_SCORE
POINTS, HAND = "point", "card"
FEATURES = (
    Feature(
        *("fewest", 1, MOST, "fewest cards of another player still in", (1, 2, 3, 4)),
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
        *("others", 0, 5, "other players still in", (1, 2)),
        said="{} others have not quit",
        told={
            (1, 1): "one other has not quit",
            (0, 1): "at most one other has not quit",
            **{(0, most): f"at most {most} others have not quit" for most in range(2, 5)},
        },
    ),
    Feature(*("cards", 1, MOST, "your cards", (1, 2, 3, 4)), noun=HAND, said="you hold {}"),
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
        *("total", 0, SCORE, "your score with the points in hand", (9, 19, 29, 39)),
        said="your score and your cards together make {}",
    ),
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
CARDS = Family(
    "card",
    CARD,
    "plays by rules that fit on a card. Plays a card if it can, the one that costs most unless a "
    "habit says otherwise. Else it quits with as many points as the first line says whose "
    "conditions hold, and draws with more",
    LANGUAGE.usage,
    allowed=LANGUAGE.allowed,
    read=LANGUAGE.read,
    write=LANGUAGE.write,
    brief="rules on a card",
)


def parameters_of(policies: Sequence[Policy]) -> list[int]:
    """Return the parameter of each card among some policies."""
    return sorted({policy.parameter for policy in policies if policy.family is CARDS})


def row_of(policy: Policy, parameters: Sequence[int]) -> tuple[int, int]:
    """Return the habits of a card, as bits, and its block among these cards."""
    habits = LANGUAGE.unpack(policy.parameter).habits
    return sum(1 << habit for habit in habits), parameters.index(policy.parameter)


def blocks(policies: Sequence[Policy]) -> np.ndarray | None:
    """Return the blocks of the cards among some policies; None if there is none."""
    cards = [LANGUAGE.unpack(parameter) for parameter in parameters_of(policies)]
    return blocks_of(cards) if cards else None
