"""The last player with one card each of some kinds, the llama row full: all 127 rows, exactly."""

from __future__ import annotations

from typing import Any

from lama_odds.games.dice.rules.position import Opponent, Position, card_text, mask_counts
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW
from lama_odds.games.dice.solvers.solve import solve
from lama_odds.games.interface.solution import (
    ThresholdTable,
)

WORSE_BY = 1e-9  # points; smaller differences are ignored


def last_player_table(rules: DiceRules) -> ThresholdTable:
    """Return rows of cards, penalty, points after quitting and after rolling, the better.

    All seven kinds, and other rows with more cards than are dealt, are included for completeness.
    Beside them are the chances of going out and of blowing it, when rolling as long as that is
    best.
    """
    rows: list[dict[str, Any]] = []
    for mask in range(1, FULL_ROW + 1):
        hand = mask_counts(mask)
        position = Position(hand, FULL_ROW, (Opponent(None, True, 1),))
        solution = solve(rules, position, "points", 1)
        assert solution is not None
        values = {valued.action: valued for valued in solution.actions}
        quits, rolls = values["quit"].values["points"], values["roll"].values["points"]
        gain = rolls.value - quits.value
        better = "quit" if gain > WORSE_BY else "roll" if gain < -WORSE_BY else "either"
        rows.append(
            {
                "cards": card_text(hand),
                "penalty": int(quits.value),
                "quit": quits,
                "roll": rolls,
                "better": better,
                "out": values["roll"].chances["out"],
                "blown": values["roll"].chances["blown"],
            }
        )
    rows.sort(key=lambda row: (row["penalty"], row["cards"]))
    title = "The last player, the llama row full, one card each: quit or roll again"
    return ThresholdTable("last_player", title, tuple(rows))
