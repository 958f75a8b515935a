"""The job that plays a position of Lama Dice out after each legal action."""

from __future__ import annotations

import numpy as np

from lama_odds.games.dice.engine import (
    kernels,
    round_loop,
)
from lama_odds.games.dice.rules import next_roll, ruleset
from lama_odds.games.dice.rules.position import Position, pack_hand
from lama_odds.games.dice.rules.ruleset import DiceRules


def root_table(rules: DiceRules, position: Position) -> np.ndarray:
    """The table of the compiled loop as it stands at a position, seat 0 to decide."""
    table = np.zeros(round_loop.TABLE_SIZE, dtype=np.int64)
    active = [0]
    table[round_loop.HAND] = pack_hand(position.hand)
    table[round_loop.PENALTY] = -1
    for seat, opponent in enumerate(position.opponents, 1):
        table[round_loop.PENALTY + seat] = -1
        if not opponent.quit:
            active.append(seat)
        elif opponent.cards is not None:
            table[round_loop.PENALTY + seat] = next_roll.penalty_of(rules, opponent.cards)
        else:
            table[round_loop.PENALTY + seat] = opponent.penalty or 0
        if opponent.cards is not None:
            table[round_loop.HAND + seat] = pack_hand(opponent.cards)
    for seat, following in zip(active, [*active[1:], 0], strict=True):
        table[round_loop.NEXT + seat] = following
        table[round_loop.BEFORE + following] = seat
    for seat, score in enumerate(position.scores or ()):
        table[round_loop.SCORE + seat] = score
    return table


def _root_action(action: str) -> tuple[int, int]:
    """Code and cards (or kind) of an action's name."""
    verb, _, cards = action.partition(" ")
    if verb == "discard":
        counts = tuple(cards.count(name) for name in ruleset.NAMES)
        return kernels.DO_DISCARD, pack_hand(counts)
    if verb == "take":
        return kernels.DO_TAKE, ruleset.NAMES.index(cards)
    return (kernels.DO_QUIT if verb == "quit" else kernels.DO_ROLL), 0
