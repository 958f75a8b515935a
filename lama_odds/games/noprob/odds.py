"""Exact chances at a position of No Prob-Lama, and which actions there are."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.noprob.named_policies import line_worths
from lama_odds.games.noprob.policies import best_changes
from lama_odds.games.noprob.position import Grid, Position, is_special
from lama_odds.games.noprob.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.turn import DRAMA

BETTER_BY = (3, 5, 10, 15, 20)
BIN = 5  # points: sums of hidden cards are told in steps of so many


def cell_name(cell: int) -> str:
    """A cell as ROW,COLUMN."""
    return f"{cell // 3 + 1},{cell % 3 + 1}"


def legal_actions(rules: NoprobRules, position: Position) -> list[str]:
    """Names of all legal actions."""
    names = rules.names
    cells = [f"replace {cell_name(cell)}" for cell in range(CELLS)]
    if position.drawn is not None:
        if is_special(position.drawn):
            card = names[position.drawn]
            return [f"give {card} to {seat}" for seat in range(1, position.players)]
        return [*cells, "discard"]
    found = []
    if position.pile_left(rules) or (rules.refill and position.seen):
        found.append("draw")
    if position.top is not None:
        found.append("take")
    if position.last is not None or not found:
        found.append("pass")
    return found


def packed_view(grid: Grid) -> int:
    """A grid as I see it, a nibble for each cell."""
    return sum(kind << 4 * cell for cell, kind in enumerate(grid.cards))


def odds(rules: NoprobRules, position: Position) -> dict[str, Estimate]:
    """Chances of the next card from the pile.

    A card improves a grid if in some cell it lowers the total, unknown cards counting as the mean
    of all that I do not know.
    """
    pool = position.pool(rules)
    cards = sum(pool)
    found = {f"draw {name}": _share(n, cards) for name, n in zip(rules.names, pool, strict=True)}
    found["draw a special"] = _share(sum(pool[DRAMA:]), cards)
    mean = sum(n * p for n, p in zip(pool, rules.points, strict=True)) / cards if cards else 0.0
    worth = line_worths(rules)
    view = packed_view(position.grids[0])
    gains, lines = best_changes(rules.tables.points, rules.tables.lines, worth, view, mean)
    improves = [0.0 if kind >= DRAMA else -float(gains[kind]) for kind in range(len(pool))]
    found["improves"] = _share(
        sum(n for n, gain in zip(pool, improves, strict=True) if gain > 1e-9), cards
    )
    for least in BETTER_BY:
        better = sum(n for n, gain in zip(pool, improves, strict=True) if gain >= least - 1e-9)
        found[f"improves by {least} or more"] = _share(better, cards)
    completes = sum(n for kind, n in enumerate(pool) if kind < DRAMA and lines[kind])
    found["completes a line"] = _share(completes, cards)
    for seat, grid in enumerate(position.grids):
        whose = "my hidden cards" if seat == 0 else f"the hidden cards of {seat}"
        if grid.hidden:
            found[f"mean of {whose}"] = exact(grid.hidden * mean)
    for seat, grid in enumerate(position.grids[1:], 1):
        found[f"{seat} can end the round"] = exact(_can_end(rules, position, grid))
    return found


def _can_end(rules: NoprobRules, position: Position, grid: Grid) -> float:
    """Whether a player could turn the last card up at the next turn, by a card from the pile."""
    if grid.down != 1 or position.last is not None:
        return 0.0
    pool = position.pool(rules)
    return 1 - sum(pool[DRAMA:]) / sum(pool) if sum(pool) else 0.0


def _share(n: int, of: int) -> Estimate:
    return exact(n / of if of else 0.0)


def hidden_sums(rules: NoprobRules, position: Position) -> dict[str, dict[str, Estimate]]:
    """Distribution of the sum of the cards that I do not know, by grid; lines not counted."""
    pool = position.pool(rules)
    grids = {
        "my hidden cards" if seat == 0 else f"hidden cards of {seat}": grid.hidden
        for seat, grid in enumerate(position.grids)
        if grid.hidden
    }
    sums = {name: sum_of_hidden(pool, rules.points, cards) for name, cards in grids.items()}
    bins = sorted({total // BIN for found in sums.values() for total in found})
    return {
        name: {
            f"{BIN * at} to {BIN * at + BIN - 1}": exact(
                float(sum(p for total, p in found.items() if total // BIN == at))
            )
            for at in bins
        }
        for name, found in sums.items()
    }


def sum_of_hidden(
    pool: tuple[int, ...], points: tuple[int, ...], cards: int
) -> dict[int, Fraction]:
    """Chances of the sum of so many cards of a pool, drawn without replacement."""
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for there, value in zip(pool, points, strict=True):
        following: dict[tuple[int, int], int] = {}
        for (n, total), count in ways.items():
            for more in range(min(there, cards - n) + 1):
                key = n + more, total + more * value
                following[key] = following.get(key, 0) + count * comb(there, more)
        ways = following
    whole = comb(sum(pool), cards)
    return {total: Fraction(count, whole) for (n, total), count in ways.items() if n == cards}
