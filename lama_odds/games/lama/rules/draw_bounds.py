"""How often everybody can have acted: how many cards can have been drawn at a position.

Who is still in has acted once in each lap, so as often as I have, or once more if the seat comes
before me in this lap; each turn but the last of a quitter played or drew a card. That binds how
many cards each has drawn. A plus card is played without using up the turn. Once all others have
quit, I have gone on to play, but not to draw.
"""

from __future__ import annotations

from collections.abc import Iterator

from lama_odds.games.lama.rules.position import Position
from lama_odds.games.lama.rules.ruleset import NAMES, LamaRules


def possible_draws(rules: LamaRules, position: Position) -> Iterator[tuple[int, int]]:
    """Fewest and most cards drawn by all together, for each starter and number of laps that fits.

    By the sizes of the hands, quitters, discards remembered and the starter, not by the pile.
    Nothing if no order of turns leads to the position. What is played without a turn, by plus
    cards, is bounded by their number, so that not all draws in between need be possible.
    """
    grown = _grown(rules, position)
    # Every card discarded and remembered has left a hand, or was the opening card.
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
    """By how many cards each hand is larger than dealt."""
    sizes = [sum(position.hand), *(opponent.cards for opponent in position.opponents)]
    return [size - rules.dealt for size in sizes]


def is_ordered(rules: LamaRules, position: Position) -> bool:
    """Whether some order of turns leads to the position, with the pile that it gives, if any."""
    if position.pile is None:
        return any(True for _ in possible_draws(rules, position))
    drawn = sum(rules.deck) - position.players * rules.dealt - 1 - position.pile
    return any(fewest <= drawn <= most for fewest, most in possible_draws(rules, position))


def _before_me(seat: int, first: int, seats: int) -> bool:
    """Whether a seat comes before mine (0) in a lap that seat `first` begins."""
    return (seat - first) % seats < -first % seats


def _draws(
    position: Position, grown: list[int], turns: list[int], closed: int | None, pluses: int
) -> tuple[int, int] | None:
    """Fewest and most cards drawn if each seat has acted so often; None if that cannot be.

    turns: of each seat, in which it played or drew; of a quitter the most of them. closed: who was
    the last to quit, where all others have quit, and so has used all of these. pluses: plus cards
    that can have been played; each makes a play without a turn.
    """
    fewest = most = extra = 0
    for seat, (more, used) in enumerate(zip(grown, turns, strict=True)):
        if used < 0 or more > used:
            return None
        if not seat and closed is not None:  # these turns, and then plays without end
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
    """Turns in which each seat played or drew once I have acted `laps` times with others in.

    With them the last to quit, if all have: whoever comes after that seat in a lap has quit a lap
    earlier at least.
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
    """Cards of the draw pile: as given, else as many as there can be.

    Where no order of turns leads to the position, what the sizes of the hands alone allow.
    """
    if position.pile is not None:
        return position.pile
    there = sum(rules.deck) - position.players * rules.dealt - 1
    grown = _grown(rules, position)
    by_size = max(sum(grown) + sum(position.seen), sum(max(0, more) for more in grown))
    fewest = min((low for low, _ in possible_draws(rules, position)), default=by_size)
    return max(0, there - fewest)
