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

WORSE_BY = 1e-9  # points; less is no difference


def last_player_table(rules: DiceRules) -> ThresholdTable:
    """Rows: cards, penalty, points expected after quitting and after rolling, what is better.

    All kinds at once, and other rows of more cards than are dealt, are there for completeness.
    Beside them the chances, when rolling on as long as that is best, to go out and to blow it.
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
    title = "The last player, the llama row full, one card each: quit or roll on"
    return ThresholdTable("last_player", title, tuple(rows))
