"""Which face to keep of a first roll: every roll of all dice, with its weight, exactly.

All tiles are in the centre and nobody has any; the turn is played for worms. The value of keeping a
face is that of the best play after it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.interface.solution import (
    ThresholdTable,
)
from lama_odds.games.pikomino.engine.turn_solver import EQUAL
from lama_odds.games.pikomino.rules.position import NONE, Position
from lama_odds.games.pikomino.rules.ruleset import NAMES, PikominoRules
from lama_odds.games.pikomino.rules.turn_tables import FACES, WORM
from lama_odds.games.pikomino.solvers.exact import solve_position

FIRST = 1000  # points: more than dice can count
HIGH = 3  # from this face on: 4, 5 and the worm

# Rules of thumb: how much each face is preferred, from its count and its points.
Preference = Callable[[np.ndarray, np.ndarray], np.ndarray]
RULES: dict[str, Preference] = {
    "the most points": lambda counts, values: counts * values,
    "the most points in 4s, 5s or worms, if any": lambda counts, values: (
        counts * values + FIRST * (np.arange(FACES) >= HIGH)
    ),
    "worms, else the most points": lambda counts, values: (
        counts * values + FIRST * (np.arange(FACES) == WORM)
    ),
    "the highest face": lambda counts, values: values + 0 * counts,
    "the most dice": lambda counts, values: counts,
}


def first_tables(rules: PikominoRules, players: int) -> list[ThresholdTable]:
    """Return tables by face and number of dice that show it, and of the costs of rules of thumb."""
    counts, chances, values = first_rolls(rules, players)
    best = values.max(axis=1)
    rows = []
    for face in reversed(range(FACES)):
        for dice in range(1, rules.dice + 1):
            here = counts[:, face] == dice
            weights = chances[here] / chances[here].sum()
            value = values[here, face]
            others = np.delete(values[here], face, axis=1).max(axis=1)
            rows.append(
                {
                    "face": NAMES[face],
                    "dice": dice,
                    "shown": exact(float(chances[here].sum())),
                    "best on": exact(float(weights[value > best[here] - EQUAL].sum())),
                    "costs": exact(float(weights @ (best[here] - value))),
                    "ahead": _ahead(weights, value, others),
                }
            )
    title = (
        "A first roll, with all tiles in the centre and none of your own: each face by the number "
        "of dice that show it. “Best on” is the share of such rolls on which keeping it is best. "
        "The cost is in worms, if you always keep it; “ahead” is its mean worth minus that of the "
        "best other face"
    )
    thumbs = [
        _rule(name, prefer(counts, np.array(rules.face_values)), counts, chances, values)
        for name, prefer in RULES.items()
    ]
    thumb_title = (
        "Rules of thumb for a first roll (of equal faces the higher, worms before all): share of "
        "rolls on which they are best, and their cost in worms per turn"
    )
    return [
        ThresholdTable("first_face", title, tuple(rows)),
        ThresholdTable("first_rules", thumb_title, tuple(thumbs)),
    ]


def first_rolls(rules: PikominoRules, players: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return all rolls of all dice: counts, chances, and values of keeping each face.

    They are int64[rolls, 6] by face, float64[rolls], and float64[rolls, 6] in worms (−inf for a
    face that is not shown).
    """
    position = Position(NONE, None, tuple(rules.numbers), ((),) * players)
    turn = solve_position(rules, position)
    tables = rules.tables
    rolls = slice(tables.first[FACES, rules.dice], tables.first[FACES, rules.dice + 1])
    faces = np.arange(FACES)
    counts = tables.rolls[rolls, None] >> 4 * faces & 15
    after = tables.number[1 << faces, counts * tables.values, rules.dice - counts]
    values = np.where(counts > 0, turn.worth[after], -np.inf)
    return counts, tables.chance[rolls], values


def _ahead(weights: np.ndarray, value: np.ndarray, others: np.ndarray) -> Estimate | None:
    """Return the mean advantage of a face over the best other; None without another."""
    return exact(float(weights @ (value - others))) if np.isfinite(others).all() else None


def _rule(
    name: str,
    preferred: np.ndarray,
    counts: np.ndarray,
    chances: np.ndarray,
    values: np.ndarray,
) -> dict[str, object]:
    """Return the results of a rule of thumb: of equally preferred faces it keeps the last, the
    worm.
    """
    shown = np.where(counts > 0, preferred, -1)
    kept = FACES - 1 - np.argmax(shown[:, ::-1], axis=1)
    value = values[np.arange(len(kept)), kept]
    best = values.max(axis=1)
    return {
        "keep": name,
        "best on": exact(float(chances[value > best - EQUAL].sum())),
        "costs": exact(float(chances @ (best - value))),
    }
