"""Exact chances of a turn: the next roll, how the best turn ends, and totals aimed at."""

from __future__ import annotations

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.pikomino.rules.moves import (
    after_keeping,
    dice_left,
    keepable,
    next_bust,
    stops,
)
from lama_odds.games.pikomino.rules.position import Position
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.pikomino.solvers.exact import Turn, aimed, solve_position


def result_names(
    rules: PikominoRules, position: Position, turn: Turn, results: np.ndarray
) -> dict[str, Estimate]:
    """Return chances of a turn's results by name: ``stop 25``, ``steal 27 from 1``, ``bust``."""
    chances: dict[str, float] = {}
    for total, (tile, owner) in stops(rules, position).items():
        if turn.steals[total] and owner is not None:
            name = f"steal {total} from {owner}"
        else:
            name = f"stop {tile}"
        chances[name] = chances.get(name, 0.0) + float(results[total])
    named = {name: exact(chance) for name, chance in sorted(chances.items()) if chance > 0}
    return {**named, "bust": exact(float(results[-1]))}


def odds(rules: PikominoRules, position: Position) -> dict[str, Estimate]:
    """Return ``bust`` of the next roll (if you have not rolled yet), then how the best turn ends.

    ``stop 25`` and so on, and ``turn bust``, are chances under the best play for worms from here.
    """
    turn = solve_position(rules, position)
    found = {}
    if position.rolled is None:
        if dice_left(rules, position.kept):
            found["bust"] = exact(next_bust(rules, position))
        results = turn.results(position.kept, roll=False)
    else:
        best = max(keepable(position), key=lambda f: value_of_keeping(turn, position, f))
        results = turn.results(after_keeping(position, best), roll=False)
    named = result_names(rules, position, turn, results)
    found |= {("turn bust" if name == "bust" else name): e for name, e in named.items()}
    return found


def value_of_keeping(turn: Turn, position: Position, face: int) -> float:
    """Return the value of a turn after keeping a face of the roll."""
    return float(turn.worth[turn.state(after_keeping(position, face))])


def totals(rules: PikominoRules, position: Position) -> dict[str, dict[str, Estimate]]:
    """Return chances to end with a worm and at least, and exactly, each total when aiming at it."""
    found: dict[str, dict[str, Estimate]] = {"reach": {}, "exact": {}}
    for number in rules.numbers:
        for group, exactly in (("reach", False), ("exact", True)):
            turn = aimed(rules, number, exactly)
            if position.rolled is None:
                value = float(turn.worth[turn.state(position.kept)])
            else:
                value = max(value_of_keeping(turn, position, face) for face in keepable(position))
            found[group][str(number)] = exact(value)
    return found
