"""Your next roll: its chances, and what you can do with it."""

from __future__ import annotations

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.odds import discards, next_roll, takes
from lama_odds.games.dice.rules.position import Counts, Position, card_text, counts_mask, roll_case
from lama_odds.games.dice.rules.ruleset import NAMES, DiceRules

Vector = np.ndarray

# Chances of the next roll beside the action: `out` and `blown` alone are those of the round.
NEXT = {
    "three llamas": "three llamas",
    "match": "match",
    "miss": "miss",
    "blown": "next blown",
    "out": "next out",
}


def penalty_of(rules: DiceRules, cards: Counts) -> int:
    """Return the penalty of a hand: each kind counts once."""
    return int(rules.penalties[counts_mask(cards)])


def next_chances(rules: DiceRules, position: Position) -> dict[str, Estimate]:
    """Return chances of your next roll, as they are shown beside the action ``roll``."""
    chances = next_roll(rules, position)
    return {shown: exact(float(chances[name])) for name, shown in NEXT.items()}


def _less(hand: Counts, gone: Counts) -> Counts:
    return tuple(held - less for held, less in zip(hand, gone, strict=True))


def _more(hand: Counts, kind: int) -> Counts:
    return tuple(held + (k == kind) for k, held in enumerate(hand))


def results_of(distinct: np.ndarray, chances: Vector) -> dict[str, Estimate]:
    """Return the chances of each possible penalty of yours."""
    pairs = zip(distinct.tolist(), chances.tolist(), strict=True)
    return {f"penalty {penalty}": exact(chance) for penalty, chance in pairs if chance > 0}


def moves(
    rules: DiceRules, position: Position, rolled: tuple[int, ...]
) -> list[tuple[str, tuple[Counts, int]]]:
    """Return legal discards or takes of a roll, with the resulting hand and row."""
    if roll_case(rules, position, rolled) == transition.MATCH:
        return [
            (f"discard {card_text(cards)}", (_less(position.hand, cards), position.row))
            for cards in discards(position.hand, rolled)
        ]
    return [
        (f"take {NAMES[kind]}", (_more(position.hand, kind), position.row & ~(1 << kind)))
        for kind in takes(position, rolled)
    ]
