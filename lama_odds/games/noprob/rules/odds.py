"""Exact chances at a position of No Prob-Lama, and its actions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.noprob.rules.position import Grid, Position, is_special
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.rules.transition import DRAMA, UNKNOWN, line_of, score, with_card

BETTER_BY = (3, 5, 10, 15, 20)
BIN = 5  # points: the width of a class of sums of hidden cards


def cell_name(cell: int) -> str:
    """Return a cell as ROW,COLUMN."""
    return f"{cell // 3 + 1},{cell % 3 + 1}"


def legal_actions(rules: NoprobRules, position: Position) -> list[str]:
    """Return the names of all legal actions."""
    names = rules.names
    cells = [f"replace {cell_name(cell)}" for cell in range(CELLS)]
    if position.drawn is not None:
        if is_special(position.drawn):
            card = names[position.drawn]
            return [f"give {card} to {seat}" for seat in range(1, position.players)]
        return [*cells, *([] if position.taken else ["discard"])]
    actions = []
    if sum(cards_to_draw(rules, position)):
        actions.append("draw")
    if position.top is not None:
        actions.append("take")
    if position.last is not None or not actions:
        actions.append("pass")
    return actions


def cards_to_draw(rules: NoprobRules, position: Position) -> tuple[float, ...]:
    """Return, by kind, proportional chances of the next card from the pile; empty without cards.

    An empty pile is made again from the discards below the top. These are the ones that you
    remember and, for each of the others, any card that you do not know.
    """
    pool = position.pool(rules)
    if position.pile_left(rules):
        return pool
    if not rules.refill or position.top is None:
        return (0.0,) * len(pool)
    share = position.unknown_discards(rules) / max(sum(pool), 1)
    return tuple(position.seen.count(kind) + share * n for kind, n in enumerate(pool))


def packed_view(grid: Grid) -> int:
    """Return a grid as you see it, a nibble for each cell."""
    return sum(kind << 4 * cell for cell, kind in enumerate(grid.cards))


def odds(rules: NoprobRules, position: Position) -> dict[str, Estimate]:
    """Return what the card in your hand does, or the next card from the pile, with its chances.

    A card improves a grid if in some cell it lowers the total; unknown cards count as the mean of
    all cards that you do not know. With a card in hand, the next card goes to another player.
    """
    pool = position.pool(rules)
    ways = cards_to_draw(rules, position)
    cards = sum(ways)
    mean = sum(n * p for n, p in zip(pool, rules.points, strict=True)) / max(sum(pool), 1)
    mine = position.drawn is None
    chances = _next_uses(rules, position, ways, mean) if mine else _held_uses(rules, position, mean)
    drawn = "draw" if mine else "next draw"
    chances = {
        **{f"{drawn} {name}": _share(n, cards) for name, n in zip(rules.names, ways, strict=True)},
        f"{drawn} a special": _share(sum(ways[DRAMA:]), cards),
        **chances,
    }
    for seat, grid in enumerate(position.grids):
        whose = "my hidden cards" if seat == 0 else f"the hidden cards of {seat}"
        if grid.hidden:
            chances[f"mean of {whose}"] = exact(grid.hidden * mean)
    for seat, grid in enumerate(position.grids[1:], 1):
        chances[f"{seat} can end the round by drawing"] = exact(_can_end(rules, position, grid))
    return chances


def _next_uses(
    rules: NoprobRules, position: Position, ways: tuple[float, ...], mean: float
) -> dict[str, Estimate]:
    """Return whether the next card improves your grid, by how much, and completes a line."""
    chances, cards = {}, sum(ways)
    uses = [_best_use(rules, position.grids[0], kind, mean) for kind in range(DRAMA)]
    better = [(n, gain) for n, (gain, _) in zip(ways, uses, strict=False)]
    chances["improves"] = _share(sum(n for n, gain in better if gain > 1e-9), cards)
    for least in BETTER_BY:
        enough = sum(n for n, gain in better if gain >= least - 1e-9)
        chances[f"improves by {least} or more"] = _share(enough, cards)
    completes = sum(n for n, (_, line) in zip(ways, uses, strict=False) if line)
    chances["completes a line"] = _share(completes, cards)
    return chances


def _held_uses(rules: NoprobRules, position: Position, mean: float) -> dict[str, Estimate]:
    """Return what the card in your hand saves in each cell, and whether it completes a line
    there.
    """
    kind = position.drawn
    if kind is None or is_special(kind):
        return {}
    uses = _uses(rules, position.grids[0], kind, mean)
    name, estimates = rules.names[kind], {}
    for cell, (gain, _) in enumerate(uses):
        estimates[f"mean points saved by replace {cell_name(cell)}"] = exact(gain)
    estimates[f"{name} improves"] = exact(float(max(gain for gain, _ in uses) > 1e-9))
    estimates[f"{name} completes a line"] = exact(float(any(line for _, line in uses)))
    for cell, (_, line) in enumerate(uses):
        if line:
            estimates[f"{name} completes a line in {cell_name(cell)}"] = exact(1.0)
    return estimates


def _best_use(rules: NoprobRules, grid: Grid, kind: int, mean: float) -> tuple[float, bool]:
    """Return the most that a card saves in any cell, and whether it completes a line in one."""
    uses = _uses(rules, grid, kind, mean)
    return max(gain for gain, _ in uses), any(line for _, line in uses)


def _uses(rules: NoprobRules, grid: Grid, kind: int, mean: float) -> list[tuple[float, bool]]:
    """Return, by cell, what a card saves there, and whether it completes a line."""
    lines = rules.tables.lines
    view = packed_view(grid)
    before = score(rules.tables, view)
    uses = []
    for cell, old in enumerate(grid.cards):
        after = with_card(view, cell, kind)
        gain = before - float(score(rules.tables, after)) + mean * (old == UNKNOWN)
        line = any(
            lines[line_of(after, across)] and not lines[line_of(view, across)]
            for across in (cell // 3, 3 + cell % 3)
        )
        uses.append((gain, line))
    return uses


def _can_end(rules: NoprobRules, position: Position, grid: Grid) -> float:
    """Return whether a player could turn the last card up next turn, by a card from the pile.

    A number or a joker from the discards does so as well; that depends on the actions until then.
    """
    if grid.down != 1 or position.last is not None:
        return 0.0
    ways = cards_to_draw(rules, position)
    return 1 - sum(ways[DRAMA:]) / sum(ways) if sum(ways) else 0.0


def _share(n: float, of: float) -> Estimate:
    return exact(n / of if of else 0.0)


def hidden_sums(rules: NoprobRules, position: Position) -> dict[str, dict[str, Estimate]]:
    """Return the distribution of the sum of the cards that you do not know, by grid, without
    lines.
    """
    pool = position.pool(rules)
    grids = {
        "my hidden cards" if seat == 0 else f"hidden cards of {seat}": grid.hidden
        for seat, grid in enumerate(position.grids)
        if grid.hidden
    }
    sums = {name: sum_of_hidden(pool, rules.points, cards) for name, cards in grids.items()}
    bins = sorted({total // BIN for chances in sums.values() for total in chances})
    return {
        name: {
            f"{BIN * at} to {BIN * at + BIN - 1}": exact(
                float(sum(p for total, p in chances.items() if total // BIN == at))
            )
            for at in bins
        }
        for name, chances in sums.items()
    }


def sum_of_hidden(
    pool: tuple[int, ...], points: tuple[int, ...], cards: int
) -> dict[int, Fraction]:
    """Return chances of the sum of a number of cards from a pool, drawn without replacement."""
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
