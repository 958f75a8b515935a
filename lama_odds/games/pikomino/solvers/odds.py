"""Chances of a turn: totals aimed at, the next roll, and how the best turn ends. All exact."""

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
    """Chances of a turn's results by name: ``stop 25``, ``steal 27 from 1``, ``bust``."""
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
    """``bust``: of the next roll (if it is not rolled yet); then how the best turn ends.

    ``stop 25`` and so on, ``turn bust``: under the play that is best for worms, from here.
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
    """What a turn is worth once a face of the roll is kept."""
    return float(turn.worth[turn.state(after_keeping(position, face))])


def totals(rules: PikominoRules, position: Position) -> dict[str, dict[str, Estimate]]:
    """Chances under play aimed at it to end with a worm and at least, and exactly, each total."""
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
