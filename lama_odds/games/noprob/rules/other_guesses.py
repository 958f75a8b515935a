"""What of a position of No Prob-Lama is a guess, and the same position with other guesses.

A round takes long to play out, so games are too few to show that all guesses agree. Only one that
is sure to change the verdict counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle

from lama_odds.games.interface.guessed import Guessed, around, guessed_from, named
from lama_odds.games.noprob.rules.feasibility import find_defects
from lama_odds.games.noprob.rules.position import Grid, Position
from lama_odds.games.noprob.rules.ruleset import CELLS, NoprobRules
from lama_odds.games.noprob.rules.transition import UNKNOWN

FACE_UP = (3, 6)  # cards of the others, instead of none
KEPT = ("5", "4", "6", "3", "7", "8")  # cards such as people keep


def other_guesses(rules: NoprobRules, position: Position) -> tuple[Guessed, ...]:
    """Return what is a guess, each with the position for other values of it."""
    found = (_grids(rules, position), _pile(rules, position))
    return tuple(one for one in found if one is not None)


def _grids(rules: NoprobRules, position: Position) -> Guessed | None:
    """Return the grids that were not entered: how many cards of each lie face up."""
    seats = [seat for seat, grid in enumerate(position.grids) if grid.guess]
    if not seats:
        return None
    tried = {0: position} | {up: _faced_up(rules, position, up) for up in FACE_UP}
    who = named(seats)
    words = (
        f"the cards of {who} are a guess",
        f"{who} {'have' if seats[1:] else 'has'} {{}} face up",
    )
    return guessed_from(
        tried, position, lambda one: not find_defects(rules, one), words, assumed=True
    )


def _faced_up(rules: NoprobRules, position: Position, up: int) -> Position:
    """Return the position with some cards face up in the grids that were not entered."""
    left = list(position.pool(rules))
    kinds = _kept(rules, left)
    grids = []
    for grid in position.grids:
        if grid.guess:
            shown = tuple(next(kinds) for _ in range(up)) + (UNKNOWN,) * (CELLS - up)
            grids.append(Grid(shown, (True,) * up + (False,) * (CELLS - up), grid.beside))
        else:
            grids.append(grid)
    return replace(position, grids=tuple(grids))


def _kept(rules: NoprobRules, left: list[int]) -> Iterator[int]:
    """Yield kinds of which cards are left, one by one."""
    for name in cycle(KEPT):
        kind = rules.names.index(name)
        if left[kind]:
            left[kind] -= 1
            yield kind


def _pile(rules: NoprobRules, position: Position) -> Guessed | None:
    """Return the pile, where it is roughly known."""
    if position.pile is None or not position.rough:
        return None
    tried = {size: replace(position, pile=size) for size in around(position.pile, 0, 999)}
    words = "the size of the pile is a guess", "the pile has {}"
    return guessed_from(
        tried | {position.pile: position},
        position,
        lambda one: not find_defects(rules, one),
        words,
        assumed=True,
    )
