"""How many turns each player can have had, and so how many cards can have been drawn.

A player still in has acted once in each lap: as often as you, or one turn more if the seat comes
before yours in this lap. Each turn played or drew a card, except a quitter's last one. That limits
how many cards each player has drawn. A plus card is played without using up the turn. Once all
others have quit, you can have played further cards, but not drawn any.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lama_odds.games.lama.rules.position import Position
from lama_odds.games.lama.rules.ruleset import NAMES, LamaRules


class Shape(NamedTuple):
    """What the orders of turns depend on.

    deck, dealt: cards in the game, and of each hand at first. sizes, quits: of every seat, yours
    first.
    """

    deck: int
    dealt: int
    sizes: tuple[int, ...]
    quits: tuple[bool, ...]
    first: int | None

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.sizes)

    @property
    def there(self) -> int:
        """The number of cards that can be drawn."""
        return self.deck - self.players * self.dealt - 1

    @property
    def grown(self) -> list[int]:
        """How many cards each hand has more than were dealt."""
        return [size - self.dealt for size in self.sizes]


def possible_draws(rules: LamaRules, position: Position) -> list[tuple[int, int]]:
    """Return the fewest and most cards drawn by all together, for each possible starter and lap.

    The bounds come from the hand sizes, quitters, remembered discards and the starter, not from the
    pile. There are none if no order of turns leads to the position. Plus cards, which are played
    without a turn, are bounded by their number. So not every number of draws in between is
    possible.
    """
    fewest, most = _bounds(rules, position)
    return list(zip(fewest.tolist(), most.tolist(), strict=True))


def _bounds(rules: LamaRules, position: Position) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of `possible_draws`."""
    pluses = sum(
        count - held
        for name, count, held in zip(NAMES, rules.deck, position.hand, strict=True)
        if name.endswith("+")
    )
    sizes = (sum(position.hand), *(opponent.cards for opponent in position.opponents))
    quits = (False, *(opponent.quit for opponent in position.opponents))
    shape = Shape(sum(rules.deck), rules.dealt, sizes, quits, position.first)
    # Every remembered discard has left a hand, or was the opening card.
    needed = sum(shape.grown) + sum(position.seen)
    low, high, extra = _orders(shape)
    fewest = np.maximum(low, needed)
    most = np.minimum(high + (pluses - extra), shape.there)
    # Each plus card is a play without a turn.
    fits = (extra <= pluses) & (fewest <= most)
    return fewest[fits], most[fits]


@lru_cache(maxsize=4_096)
def _orders(shape: Shape) -> np.ndarray:
    """Return int64[3, n]: what `_draws` returns for all starters and laps, each once."""
    grown = shape.grown
    starters = range(shape.players) if shape.first is None else [shape.first]
    # You have drawn at least half of what your turns and your hand add up to.
    laps = range(min(2 * shape.deck, 2 * shape.there - grown[0] + 2))
    found = (
        _draws(shape, grown, turns, closed)
        for first in starters
        for lap in laps
        for turns, closed in _turns(shape, first, lap)
    )
    each = dict.fromkeys(bounds for bounds in found if bounds is not None)
    return np.array(list(each), dtype=np.int64).reshape(-1, 3).T


def _grown(rules: LamaRules, position: Position) -> list[int]:
    """Return how many cards each hand has more than were dealt."""
    sizes = [sum(position.hand), *(opponent.cards for opponent in position.opponents)]
    return [size - rules.dealt for size in sizes]


def is_ordered(rules: LamaRules, position: Position) -> bool:
    """Return whether an order of turns leads to the position, with its pile if one is given."""
    fewest, most = _bounds(rules, position)
    if position.pile is None:
        return bool(fewest.size)
    drawn = sum(rules.deck) - position.players * rules.dealt - 1 - position.pile
    return bool(((fewest <= drawn) & (drawn <= most)).any())


def _before_me(seat: int, first: int, seats: int) -> bool:
    """Return whether a seat comes before seat 0 in a lap that seat `first` begins."""
    return (seat - first) % seats < -first % seats


def _draws(
    shape: Shape, grown: list[int], turns: list[int], closed: int | None
) -> tuple[int, int, int] | None:
    """Return the fewest and most cards drawn with these turns, and the plays without a turn needed.

    It is None if they are impossible. Each further play without a turn can add a card to the most.

    turns: of each seat, in which it played or drew; of a quitter the most of them.
    closed: the last seat to quit, if all others have quit; it has used all of its turns.
    """
    fewest = most = extra = 0
    for seat, (more, used) in enumerate(zip(grown, turns, strict=True)):
        if used < 0 or more > used:
            return None
        if not seat and closed is not None:  # these turns, and then any number of plays
            low, high, missing = max(0, -(-(used + more) // 2)), used, 0
        elif shape.quits[seat] and seat != closed:
            low, high = max(0, more), max(0, more, (used + more) // 2)
            missing = max(0, abs(more) - used)
        else:
            missing = max((used + more) % 2, -more - used)
            low = high = (used + missing + more) // 2
        fewest, most, extra = fewest + low, most + high, extra + missing
    return fewest, most, extra


def _turns(shape: Shape, first: int, laps: int) -> Iterator[tuple[list[int], int | None]]:
    """Yield the turns in which each seat played or drew, after `laps` turns of seat 0 with others
    in.

    They come with the last seat to quit, if all have. Every seat after that one in a lap has quit
    at least a lap earlier.
    """
    seats = shape.players
    acted = [laps + _before_me(seat, first, seats) for seat in range(seats)]
    if not all(shape.quits[1:]):
        yield [n - gone for n, gone in zip(acted, shape.quits, strict=True)], None
        return
    for closed in range(1, seats):
        after = [(seat - first) % seats > (closed - first) % seats for seat in range(seats)]
        turns = [acted[closed] - 1 - later for later in after]
        yield [laps, *turns[1:]], closed


def pile_left(rules: LamaRules, position: Position) -> int:
    """Return the cards in the draw pile: as given, otherwise the maximum.

    If no order of turns leads to the position, the bound comes from the hand sizes alone.
    """
    if position.pile is not None:
        return position.pile
    there = sum(rules.deck) - position.players * rules.dealt - 1
    grown = _grown(rules, position)
    by_size = max(sum(grown) + sum(position.seen), sum(max(0, more) for more in grown))
    fewest = min((low for low, _ in possible_draws(rules, position)), default=by_size)
    return max(0, there - fewest)
