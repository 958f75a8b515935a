"""A rule for stopping that you can keep in mind, and its cost compared to the best play.

For each number of dice left, such a rule names a total from which to stop; otherwise roll. Faces
are kept as well as possible under the rule. Totals are searched one after the other until none
improves. The cost is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lama_odds.games.pikomino.engine.turn_solver import follow_rule
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.pikomino.solvers.exact import Turn

MOST_DICE = 4  # for which a total is searched; with more left, stopping early is hardly ever right
LEAST_GAIN = 1e-9  # worms
NUMBERS = ["no", "one", "two", "three", "four"]


@dataclass(frozen=True)
class StopRule:
    """A rule for stopping. totals: from which to stop, by dice left, 1 to MOST_DICE.

    A total beyond the highest tile means never. costs: worms per turn compared to the best play.
    worth: of a turn under the rule.
    """

    totals: tuple[int, ...]
    lowest: int
    highest: int
    costs: float
    worth: float

    def said(self) -> str:
        """The rule and its cost, in sentences."""
        parts: dict[int, list[str]] = {}
        for dice, total in enumerate(self.totals, 1):
            parts.setdefault(total, []).append(NUMBERS[dice])
        stops = []
        for total, names in parts.items():
            if total > self.highest:
                continue
            left = f"{' or '.join(names)} {'die' if names == NUMBERS[1:2] else 'dice'} left"
            stops.append(
                f"with {left} {'at any tile' if total <= self.lowest else f'at {total} or more'}"
            )
        rule = "; ".join(stops) if stops else "at no total"
        return (
            "A rule for stopping while all tiles are in the centre and you have none: once you "
            f"have a worm and can take a tile, stop {rule}. Otherwise roll again. This costs "
            f"{self.costs:.3f} worms per turn against the best play, which brings "
            f"{self.worth + self.costs:.2f}."
        )


def stop_rule(rules: PikominoRules, turn: Turn) -> StopRule:
    """Return the best rule of this kind for a solved turn, from its start."""
    numbers = list(rules.numbers)
    never = numbers[-1] + 1
    choices = [*numbers, never]
    totals = np.full(rules.dice + 1, never, dtype=np.int64)
    searched = range(1, min(MOST_DICE, rules.dice - 1) + 1)
    best = _worth(rules, turn, totals)
    gained = True
    while gained:
        gained = False
        for dice in searched:
            found = [(_with(rules, turn, totals, dice, total), -total) for total in choices]
            value, total = max(found)
            if value > best + LEAST_GAIN:
                best, gained = value, True
                totals[dice] = -total
    exact = float(turn.worth[-1])
    return StopRule(
        tuple(int(totals[dice]) for dice in searched), numbers[0], numbers[-1], exact - best, best
    )


def _with(rules: PikominoRules, turn: Turn, totals: np.ndarray, dice: int, total: int) -> float:
    changed = totals.copy()
    changed[dice] = total
    return _worth(rules, turn, changed)


def _worth(rules: PikominoRules, turn: Turn, totals: Sequence[int] | np.ndarray) -> float:
    """Return the worms of a turn from its start, stopping at totals[dice left] or more."""
    worth = np.zeros(rules.tables.mask.size)
    return float(follow_rule(rules.tables, turn.stop, turn.bust, np.asarray(totals), worth))
