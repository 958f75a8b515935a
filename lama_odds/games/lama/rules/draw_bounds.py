"""How many turns each player can have had, and so how many cards can have been drawn.

A player still in has acted once in each lap: as often as you, or one turn more if the seat comes
before yours in this lap. Each turn played or drew a card, except a quitter's last one. That limits
how many cards each player has drawn. A plus card is played without using up the turn. Once all
others have quit, you can have played further cards, but not drawn any.
"""

from __future__ import annotations

from collections.abc import Iterator

from lama_odds.games.lama.rules.position import Position
from lama_odds.games.lama.rules.ruleset import NAMES, LamaRules


def possible_draws(rules: LamaRules, position: Position) -> Iterator[tuple[int, int]]:
    """Yield the fewest and most cards drawn by all together, for each possible starter and lap.

    The bounds come from the hand sizes, quitters, remembered discards and the starter, not from the
    pile. Nothing is yielded if no order of turns leads to the position. Plus cards, which are
    played without a turn, are bounded by their number. So not every number of draws in between is
    possible.
    """
    grown = _grown(rules, position)
    # Every remembered discard has left a hand, or was the opening card.
    needed = sum(grown) + sum(position.seen)
    pluses = sum(
        count - held
        for name, count, held in zip(NAMES, rules.deck, position.hand, strict=True)
        if name.endswith("+")
    )
    starters = range(position.players) if position.first is None else [position.first]
    there = sum(rules.deck) - position.players * rules.dealt - 1
    for first in starters:
        for laps in range(2 * sum(rules.deck)):
            for turns, closed in _turns(position, first, laps):
                bounds = _draws(position, grown, turns, closed, pluses)
                if bounds is None:
                    continue
                fewest, most = max(bounds[0], needed), min(bounds[1], there)
                if fewest <= most:
                    yield fewest, most


def _grown(rules: LamaRules, position: Position) -> list[int]:
    """Return how many cards each hand has more than were dealt."""
    sizes = [sum(position.hand), *(opponent.cards for opponent in position.opponents)]
    return [size - rules.dealt for size in sizes]


def is_ordered(rules: LamaRules, position: Position) -> bool:
    """Return whether an order of turns leads to the position, with its pile if one is given."""
    if position.pile is None:
        return any(True for _ in possible_draws(rules, position))
    drawn = sum(rules.deck) - position.players * rules.dealt - 1 - position.pile
    return any(fewest <= drawn <= most for fewest, most in possible_draws(rules, position))


def _before_me(seat: int, first: int, seats: int) -> bool:
    """Return whether a seat comes before seat 0 in a lap that seat `first` begins."""
    return (seat - first) % seats < -first % seats


def _draws(
    position: Position, grown: list[int], turns: list[int], closed: int | None, pluses: int
) -> tuple[int, int] | None:
    """Return the fewest and most cards drawn with these turns; None if they are impossible.

    turns: of each seat, in which it played or drew; of a quitter the most of them.
    closed: the last seat to quit, if all others have quit; it has used all of its turns.
    pluses: the number of plus cards that can have been played; each is a play without a turn.
    """
    fewest = most = extra = 0
    for seat, (more, used) in enumerate(zip(grown, turns, strict=True)):
        if used < 0 or more > used:
            return None
        if not seat and closed is not None:  # these turns, and then any number of plays
            low, high, missing = max(0, -(-(used + more) // 2)), used, 0
        elif seat and position.opponents[seat - 1].quit and seat != closed:
            low, high = max(0, more), max(0, more, (used + more) // 2)
            missing = max(0, abs(more) - used)
        else:
            missing = max((used + more) % 2, -more - used)
            low = high = (used + missing + more) // 2
        fewest, most, extra = fewest + low, most + high, extra + missing
    if extra > pluses:
        return None
    return fewest, most + (pluses - extra)


def _turns(position: Position, first: int, laps: int) -> Iterator[tuple[list[int], int | None]]:
    """Yield the turns in which each seat played or drew, after `laps` turns of seat 0 with others
    in.

    They come with the last seat to quit, if all have. Every seat after that one in a lap has quit
    at least a lap earlier.
    """
    seats = position.players
    acted = [laps + _before_me(seat, first, seats) for seat in range(seats)]
    if position.others_in:
        quit_ = [False, *(opponent.quit for opponent in position.opponents)]
        yield [n - gone for n, gone in zip(acted, quit_, strict=True)], None
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
