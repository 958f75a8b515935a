"""How often everybody can have acted: the fewest cards that can have been drawn at a position.

Who is still in has acted once in each lap, so as often as I have, or once more if the seat comes
before me in this lap; each turn but the last of a quitter played or drew a card. That binds how
many cards each has drawn. A plus card is played without using up the turn.
"""

from __future__ import annotations

from lama_odds.games.lama.position import Position
from lama_odds.games.lama.ruleset import NAMES, LamaRules


def fewest_draws(rules: LamaRules, position: Position) -> int:
    """Cards drawn at least by all together, from hands, quitters, discards remembered and starter.

    Where no order of turns explains the position, what the sizes of the hands alone demand.
    """
    sizes = [sum(position.hand), *(opponent.cards for opponent in position.opponents)]
    grown = [size - rules.dealt for size in sizes]
    # Every card discarded and remembered has left a hand, or was the opening card.
    needed = sum(grown) + sum(position.seen)
    plain = max(needed, sum(max(0, more) for more in grown))
    if not position.others_in:
        return plain
    pluses = sum(
        count - held
        for name, count, held in zip(NAMES, rules.deck, position.hand, strict=True)
        if name.endswith("+")
    )
    starters = range(position.players) if position.first is None else [position.first]
    most = sum(rules.deck) - position.players * rules.dealt - 1
    found = []
    for first in starters:
        for laps in range(2 * sum(rules.deck)):
            acted = [laps + _before_me(seat, first, position.players) for seat in range(len(grown))]
            bounds = _draws(position, grown, acted, pluses)
            if bounds and max(bounds[0], needed) <= min(bounds[1], most):
                found.append(max(bounds[0], needed))
                break  # more laps draw no fewer cards
    return min(found, default=plain)


def _before_me(seat: int, first: int, seats: int) -> bool:
    """Whether a seat comes before mine (0) in a lap that seat `first` begins."""
    return (seat - first) % seats < -first % seats


def _draws(
    position: Position, grown: list[int], acted: list[int], pluses: int
) -> tuple[int, int] | None:
    """Fewest and most cards drawn if each seat has acted so often; None if that cannot be.

    pluses: plus cards that can have been played; each makes a play without a turn.
    """
    fewest = most = extra = 0
    for seat, (more, turns) in enumerate(zip(grown, acted, strict=True)):
        if seat and position.opponents[seat - 1].quit:
            turns -= 1
            if turns < 0:
                return None
            extra += max(0, abs(more) - turns)
            if more > turns:
                return None
            fewest += max(0, more)
            most += max(0, more, (turns + more) // 2)
            continue
        odd = (turns + more) % 2
        missing = max(odd, -more - turns)
        extra += missing
        if more > turns:
            return None
        fewest += (turns + missing + more) // 2
        most += (turns + missing + more) // 2
    if extra > pluses:
        return None
    return fewest, most + (pluses - extra)


def pile_left(rules: LamaRules, position: Position) -> int:
    """Cards of the draw pile: as given, else as many as there can be."""
    if position.pile is not None:
        return position.pile
    dealt = position.players * rules.dealt + 1
    return max(0, sum(rules.deck) - dealt - fewest_draws(rules, position))
