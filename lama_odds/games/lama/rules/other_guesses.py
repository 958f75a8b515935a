"""What of a position of the card games is a guess, and the same position with other guesses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lama_odds.games.interface.guessed import Guessed, around, named
from lama_odds.games.lama.rules.draw_bounds import pile_left
from lama_odds.games.lama.rules.feasibility import find_defects
from lama_odds.games.lama.rules.position import Position
from lama_odds.games.lama.rules.ruleset import LamaRules

SIZES = 6  # a hand of more cards counts like one of so many
CARDS = ("card", "cards")


def other_guesses(rules: LamaRules, position: Position) -> tuple[Guessed, ...]:
    """Return the numbers that are a guess, each with the position for other values of it."""
    found = (
        _hands(rules, position),
        _hands_laid_down(rules, position),
        _pile(rules, position),
    )
    return tuple(one for one in found if one is not None)


def _hands(rules: LamaRules, position: Position) -> Guessed | None:
    """Return the hands of players still in: the fewest cards in one of them."""
    seats = _seats(position, quit=False)
    if not seats:
        return None
    sizes = {seat: position.opponents[seat].cards for seat in seats}
    fewest = min(sizes.values())
    holder = min(seat for seat in seats if sizes[seat] == fewest)
    last = max(SIZES, fewest)
    tried = {
        value: position
        if value == fewest
        else _resized(
            position, {s: max(value, size) for s, size in sizes.items()} | {holder: value}
        )
        for value in (*range(1, min(SIZES, last)), last)
    }
    if len(seats) == position.others_in > 1:
        return _of_numbers(
            rules, position, tried, "the hand sizes are a guess", "somebody holds {}"
        )
    who = named([seat + 1 for seat in seats])
    if len(seats) == 1:
        what, when = f"the hand size of {who} is a guess", f"{who} holds {{}}"
    else:
        what, when = f"the hand sizes of {who} are a guess", f"one of {who} holds {{}}"
    return _of_numbers(rules, position, tried, what, when)


def _hands_laid_down(rules: LamaRules, position: Position) -> Guessed | None:
    """Return the hands of players who have quit: how many cards all of them have together."""
    seats = _seats(position, quit=True)
    if not seats:
        return None
    sizes = {seat: position.opponents[seat].cards for seat in seats}
    tried = {sum(sizes.values()): position}
    for end in (0, 1):
        other = {seat: around(size, 1, 2 * size + 3)[end] for seat, size in sizes.items()}
        tried.setdefault(sum(other.values()), _resized(position, other))
    who = named([seat + 1 for seat in seats])
    what = f"how many cards {who} quit with is a guess"
    return _of_numbers(rules, position, tried, what, f"{who} quit with {{}}", whole=False)


def _pile(rules: LamaRules, position: Position) -> Guessed | None:
    """Return the draw pile, where it is roughly known or not given."""
    if not position.others_in or (position.pile is not None and not position.rough):
        return None
    pile, when = pile_left(rules, position), "the draw pile has {}"
    if position.pile is None:
        half = replace(position, pile=pile // 2, rough=True)
        tried = {pile: position, pile // 2: half}
        what = "the size of the draw pile is not given"
        return _of_numbers(rules, position, tried, what, when, whole=False, assumed=True)
    tried = {
        size: replace(position, pile=size) for size in around(pile, 0, position.most_in_pile(rules))
    }
    what = "the size of the draw pile is a guess"
    return _of_numbers(rules, position, tried | {pile: position}, what, when, whole=False)


def _seats(position: Position, quit: bool) -> list[int]:
    return [s for s, o in enumerate(position.opponents) if o.guess and o.quit == quit]


def _resized(position: Position, sizes: Mapping[int, int]) -> Position:
    opponents = tuple(
        replace(opponent, cards=sizes.get(seat, opponent.cards))
        for seat, opponent in enumerate(position.opponents)
    )
    return replace(position, opponents=opponents)


def _of_numbers(
    rules: LamaRules,
    position: Position,
    tried: Mapping[int, Position],
    what: str,
    when: str,
    whole: bool = True,
    assumed: bool = False,
) -> Guessed | None:
    """Return the values that are possible; None if no other one is."""
    possible = {
        value: other
        for value, other in sorted(tried.items())
        if other is position or not find_defects(rules, other)
    }
    values, positions = tuple(possible), tuple(possible.values())
    if len(values) == 1:
        return None
    return Guessed(what, when, CARDS, values, positions, positions.index(position), whole, assumed)
