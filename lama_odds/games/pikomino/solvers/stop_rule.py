"""A rule for stopping that you can keep in mind, and its cost compared to the best play.

For each number of dice left, such a rule names the totals at which to stop; otherwise roll. Faces
are kept as well as possible under the rule. For one number of dice after the other, another total
from which to stop is tried, and single totals, until none improves. The cost is exact.
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
    """A rule for stopping. stops: the tiles at which to stop, by dice left, 1 to MOST_DICE.

    tiles: all of them, ascending. costs: worms per turn compared to the best play. worth: of a turn
    under the rule.
    """

    stops: tuple[tuple[int, ...], ...]
    tiles: tuple[int, ...]
    costs: float
    worth: float

    def said(self) -> str:
        """The rule and its cost, in sentences."""
        parts: dict[str, list[str]] = {}
        for dice, stops in enumerate(self.stops, 1):
            if stops:
                parts.setdefault(_at(stops, self.tiles), []).append(NUMBERS[dice])
        stops_at = [
            f"with {' or '.join(names)} {'die' if names == NUMBERS[1:2] else 'dice'} left {at}"
            for at, names in parts.items()
        ]
        rule = "; ".join(stops_at) if stops_at else "at no total"
        return (
            "A rule for stopping while all tiles are in the centre and you have none: once you "
            f"have a worm and can take a tile, stop {rule}. Otherwise roll again. This costs "
            f"{self.costs:.3f} worms per turn against the best play, which brings "
            f"{self.worth + self.costs:.2f}."
        )


def _at(stops: tuple[int, ...], tiles: tuple[int, ...]) -> str:
    """Return totals at which to stop, in words."""
    but = [tile for tile in tiles if tile > stops[0] and tile not in stops]
    if len(but) >= len(stops):
        return f"at {_listed(stops, 'or')}"
    start = "any tile" if stops[0] == tiles[0] else f"{stops[0]} or more"
    return f"at {start}" + (f" but {_listed(but, 'and')}" if but else "")


def _listed(totals: Sequence[int], last: str) -> str:
    """Return totals in a sentence."""
    names = [str(total) for total in totals]
    return f" {last} ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def stop_rule(rules: PikominoRules, turn: Turn) -> StopRule:
    """Return the best rule of this kind for a solved turn, from its start."""
    tiles = tuple(rules.numbers)
    totals = np.arange(max(int(rules.tables.total.max()), tiles[-1]) + 1)
    # A total beyond the highest tile takes that one; from a total beyond all, you never stop.
    from_here = [totals >= total for total in (*tiles, totals[-1] + 1)]
    single = [totals == total for total in tiles[:-1]] + [totals >= tiles[-1]]
    searched = range(1, min(MOST_DICE, rules.dice - 1) + 1)
    found = np.zeros((rules.dice + 1, totals.size), dtype=np.bool_)
    best = _worth(rules, turn, found)
    gained = True
    while gained:
        gained = False
        for dice in searched:
            ways = [_with(found, dice, here) for here in from_here]
            ways += [_with(found, dice, found[dice] ^ here) for here in single]
            values = [_worth(rules, turn, way) for way in ways]
            at = int(np.argmax(values))
            if values[at] > best + LEAST_GAIN:
                best, gained, found = values[at], True, ways[at]
    stops = tuple(tuple(tile for tile in tiles if found[dice, tile]) for dice in searched)
    return StopRule(stops, tiles, float(turn.worth[-1]) - best, best)


def _with(stops_at: np.ndarray, dice: int, here: np.ndarray) -> np.ndarray:
    """Return the rule with other totals at which to stop, for a number of dice."""
    changed = stops_at.copy()
    changed[dice] = here
    return changed


def _worth(rules: PikominoRules, turn: Turn, stops_at: np.ndarray) -> float:
    """Return the worms of a turn from its start; stops_at: see `follow_rule`."""
    worth = np.zeros(rules.tables.mask.size)
    return float(follow_rule(rules.tables, turn.stop, turn.bust, stops_at, worth))
