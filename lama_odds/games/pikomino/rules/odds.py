"""Chances of a turn: totals aimed at, the next roll, and how the best turn ends. All exact."""

from __future__ import annotations

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.pikomino.rules.position import Faces, Position
from lama_odds.games.pikomino.rules.ruleset import NAMES, PikominoRules
from lama_odds.games.pikomino.solvers.exact import Turn, aimed, solve_position
from lama_odds.games.pikomino.solvers.turn import FACES, WORM


def keepable(position: Position) -> list[int]:
    """Faces of the roll that can be kept."""
    assert position.rolled is not None
    return [face for face in range(FACES) if position.rolled[face] and not position.kept[face]]


def after_keeping(position: Position, face: int) -> Faces:
    """Dice kept once this face of the roll is kept too."""
    assert position.rolled is not None
    return tuple(
        held + (position.rolled[at] if at == face else 0) for at, held in enumerate(position.kept)
    )


def dice_left(rules: PikominoRules, kept: Faces) -> int:
    """Dice that can be rolled."""
    return rules.dice - sum(kept)


def stops(rules: PikominoRules, position: Position) -> dict[int, tuple[int, int | None]]:
    """What stopping can bring at each total: (tile of the centre or −1, opponent to steal from).

    Opponents are numbered from 1 in turn order; None if there is nothing to steal.
    """
    found = {}
    for total in range(rules.tables.number.shape[1]):
        lower = [tile for tile in position.centre if tile <= total]
        owners = [i for i, top in enumerate(position.tops) if i and top == total]
        if lower or owners:
            found[total] = (max(lower, default=-1), owners[0] if owners else None)
    return found


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


def next_bust(rules: PikominoRules, position: Position) -> float:
    """Chance that the next roll is bust, whatever is kept of it.

    It shows nothing but faces kept before; or one other face on all dice, and no tile for it.
    """
    left = dice_left(rules, position.kept)
    kept_before = sum(1 for count in position.kept if count)
    dead_ends = 0
    for face in range(FACES):
        kept = tuple(count + left * (at == face) for at, count in enumerate(position.kept))
        ends = not kept[WORM] or rules.total(kept) not in stops(rules, position)
        dead_ends += not position.kept[face] and ends
    return float((kept_before**left + dead_ends) / FACES**left)


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


def legal_actions(rules: PikominoRules, position: Position) -> list[str]:
    """Names of what I may do, in the agreed notation."""
    if position.rolled is not None:
        return [f"keep {NAMES[face]}" for face in keepable(position)]
    found = []
    if position.kept[WORM]:
        tile, owner = stops(rules, position).get(rules.total(position.kept), (-1, None))
        if owner is not None:
            found.append(f"steal {rules.total(position.kept)} from {owner}")
        if tile >= 0:
            found.append(f"stop {tile}")
    if dice_left(rules, position.kept):
        found.append("roll")
    return found
