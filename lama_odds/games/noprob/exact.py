"""The last turn of the last player to move, exact: every card that may lie hidden is tried.

What is unknown of the own grid is enumerated card by card, drawn without replacement from all
that is unknown; a card drawn is put to its best use. Only the own total is counted.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from lama_odds.core.estimate import exact
from lama_odds.games.noprob.odds import legal_actions, packed_view
from lama_odds.games.noprob.policies import PUT_AWAY
from lama_odds.games.noprob.position import Position, is_special
from lama_odds.games.noprob.rollouts import place_name
from lama_odds.games.noprob.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.scoring import score
from lama_odds.games.noprob.turn import KINDS, UNKNOWN, kind_at, with_card
from lama_odds.games.protocol import Solution, Valued
from lama_odds.kernels import allocating, compiled

MOST_HIDDEN = 4  # 14 to this power grids for every use of every card


@compiled
def mean_score(tables, grid, pool):
    """Mean points of a grid whose unknown cards come from a pool (int64[14], left as it was)."""
    cells = np.zeros(CELLS, np.int64)
    unknown = 0
    for cell in range(CELLS):
        if kind_at(grid, cell) == UNKNOWN:
            cells[unknown] = cell
            unknown += 1
    if unknown == 0:
        return float(score(tables, grid))
    return _sum_over(tables, grid, pool, cells, unknown)


@allocating
def _sum_over(tables, grid, pool, cells, unknown):
    """The mean over all ordered ways to fill the unknown cells, by counting up like an odometer."""
    cards = pool.sum()
    chosen = np.zeros(unknown, np.int64)
    total = 0.0
    while True:
        ways = 1.0
        filled = grid
        for at in range(unknown):
            kind = chosen[at]
            ways *= pool[kind] / (cards - at)
            pool[kind] -= 1
            filled = with_card(filled, cells[at], kind)
        for at in range(unknown):
            pool[chosen[at]] += 1
        if ways > 0.0:
            total += ways * score(tables, filled)
        at = 0
        while at < unknown:
            chosen[at] += 1
            if chosen[at] < KINDS:
                break
            chosen[at] = 0
            at += 1
        if at == unknown:
            return total


def solve_last(rules: NoprobRules, position: Position) -> Solution | None:
    """Expected total of every action of the last turn of the round; None if it is not that.

    Also None if too much is hidden for enumeration (more than MOST_HIDDEN cards).
    """
    if position.last != 1 or position.grids[0].hidden > MOST_HIDDEN:
        return None
    if not position.pile_left(rules):
        return None
    mine = _Mine(rules, position)
    actions, notes = [], []
    for name in legal_actions(rules, position):
        if name == "draw":
            value, plan = mine.drawing()
            uses: dict[str, list[str]] = {}
            for kind, place in plan.items():
                uses.setdefault(place_name(rules, kind, place), []).append(rules.names[kind])
            told = "; ".join(f"{' '.join(cards)}: {use}" for use, cards in uses.items())
            notes.append(f"draw: then {told}")
        elif name == "take":
            assert position.top is not None
            value, place = mine.using(position.top, mine.pool, drawn=False)
            if not is_special(position.top):
                notes.append(f"take: then {place_name(rules, position.top, place)}")
        elif name == "pass" or name.startswith(("give", "discard")):
            value = mine.value(mine.grid, mine.pool)
        else:
            row, column = name.removeprefix("replace ").split(",")
            assert position.drawn is not None
            cell = (int(row) - 1) * 3 + int(column) - 1
            value = mine.value(with_card(mine.grid, cell, position.drawn), mine.pool)
        actions.append(Valued(name, {"points": exact(value)}))
    notes.append("mine is the last turn of the round: every card that may lie hidden is counted")
    return Solution(tuple(actions), tuple(notes), complete=False)


class _Mine:
    """My grid with what I know of it, and expected totals of it."""

    def __init__(self, rules: NoprobRules, position: Position) -> None:
        self.rules = rules
        self.grid = packed_view(position.grids[0])
        self.pool = position.pool(rules)
        self.beside = sum(rules.points[kind] for kind in position.grids[0].beside)
        self.value = cache(self._value)

    def _value(self, grid: int, pool: tuple[int, ...]) -> float:
        counts = np.array(pool, dtype=np.int64)
        return float(mean_score(self.rules.tables, grid, counts)) + self.beside

    def using(self, kind: int, pool: tuple[int, ...], drawn: bool) -> tuple[float, int]:
        """The least expected total with a card got, and the place for it."""
        places = [PUT_AWAY] if drawn or is_special(kind) else []
        if not is_special(kind):
            places = [*range(CELLS), *places]
        values = {
            place: self.value(
                self.grid if place == PUT_AWAY else with_card(self.grid, place, kind), pool
            )
            for place in places
        }
        place = min(values, key=lambda at: values[at])
        return values[place], place

    def drawing(self) -> tuple[float, dict[int, int]]:
        """The expected total of drawing, and the place for each number or joker drawn."""
        cards, total, plan = sum(self.pool), 0.0, {}
        for kind, n in enumerate(self.pool):
            if n:
                rest = tuple(m - (k == kind) for k, m in enumerate(self.pool))
                value, place = self.using(kind, rest, drawn=True)
                total += n / cards * value
                if not is_special(kind):
                    plan[kind] = place
        return total, plan
