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
FEATURES = (
    Feature("fewest", 1, MOST, "fewest cards of another player still in", (1, 2, 3, 4, 6)),
    Feature("others", 0, 5, "other players still in"),
    Feature("cards", 1, MOST, "your cards", (1, 2, 3, 4, 6)),
    Feature("kinds", 1, 7, "different kinds among your cards", (1, 2, 3, 4)),
    Feature("row", 0, 7, "cards in the llama row", (2, 3, 4, 5)),
    Feature("score", 0, SCORE, "your score", (9, 19, 29)),
    Feature("ahead", 0, SCORE, "points by which the others' lowest score is higher", (0, 4, 9)),
    Feature("behind", 0, SCORE, "points by which it is lower", (0, 4, 9)),
    Feature("total", 0, SCORE, "your score with the points in hand", (19, 29, 34, 37)),
    Feature("leads", 0, SCORE, "points by which the others' lowest total is higher", (0, 4, 9)),
    Feature("trails", 0, SCORE, "points by which it is lower", (0, 4, 9)),
)
HABITS = {
    "llama": "takes a llama before any number",
    "llama4": "takes a llama before 4, 5 and 6",
    "llama5": "takes a llama before 5 and 6",
    "llama6": "takes a llama before 6",
    "settle": "as the last player, quits if that surely wins the game and never if it surely "
    "loses it",
}
LANGUAGE = CardLanguage(
    FEATURES,
    31,
    HABITS,
    (("llama", "llama4", "llama5", "llama6"),),
    (3, 6, 9, 12, 16, 31),
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
