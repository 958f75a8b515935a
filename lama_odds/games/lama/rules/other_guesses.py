"""What of a position of the card games is a guess, and the same position with other guesses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lama_odds.games.interface.guessed import (
    Guessed,
    around,
    fewest_held,
    guessed_from,
    hands_in_words,
    named,
)
from lama_odds.games.lama.rules.draw_bounds import pile_left
from lama_odds.games.lama.rules.feasibility import find_defects
from lama_odds.games.lama.rules.position import Position
from lama_odds.games.lama.rules.ruleset import LamaRules


def other_guesses(rules: LamaRules, position: Position) -> tuple[Guessed, ...]:
    """Return the numbers that are a guess, each with the position for other values of it."""
    found = (_hands(rules, position), _laid_down(rules, position), _pile(rules, position))
    return tuple(one for one in found if one is not None)


def _hands(rules: LamaRules, position: Position) -> Guessed | None:
    """Return the hands of players still in: the fewest cards in one of them."""
    sizes = _guessed_sizes(position, quit_=False)
    if not sizes:
        return None
    tried = fewest_held(sizes, lambda other: _resized(position, other), position)
    words = hands_in_words([*sizes], len(sizes) == position.others_in)
    return guessed_from(tried, position, lambda one: _occurs(rules, one), words, whole=True)


def _laid_down(rules: LamaRules, position: Position) -> Guessed | None:
    """Return the hands of players who have quit: how many cards they have together."""
    sizes = _guessed_sizes(position, quit_=True)
    if not sizes:
        return None
    tried = {sum(sizes.values()): position}
    for end in (0, 1):
        other = {seat: around(size, 1, 2 * size + 3)[end] for seat, size in sizes.items()}
        tried.setdefault(sum(other.values()), _resized(position, other))
    who = named([*sizes])
    words = f"how many cards {who} quit with is a guess", f"{who} quit with {{}}"
    return guessed_from(tried, position, lambda one: _occurs(rules, one), words)


def _pile(rules: LamaRules, position: Position) -> Guessed | None:
    """Return the draw pile, where it is roughly known or not given."""
    if not position.others_in or (position.pile is not None and not position.rough):
        return None
    pile, given = pile_left(rules, position), position.pile is not None
    sizes = around(pile, 0, position.most_in_pile(rules)) if given else (pile // 2,)
    tried = {size: replace(position, pile=size, rough=True) for size in sizes} | {pile: position}
    what = f"the size of the draw pile is {'a guess' if given else 'not given'}"
    words = what, "the draw pile has {}"
    return guessed_from(tried, position, lambda one: _occurs(rules, one), words, assumed=not given)


def _guessed_sizes(position: Position, quit_: bool) -> dict[int, int]:
    """Return the numbers of cards that are a guess, by seat."""
    return {
        seat: other.cards
        for seat, other in enumerate(position.opponents, 1)
        if other.guess and other.quit == quit_
    }


def _resized(position: Position, sizes: Mapping[int, int]) -> Position:
    opponents = tuple(
        replace(opponent, cards=sizes.get(seat, opponent.cards))
        for seat, opponent in enumerate(position.opponents, 1)
    )
    return replace(position, opponents=opponents)


def _occurs(rules: LamaRules, position: Position) -> bool:
    return not find_defects(rules, position)
