"""What of a position of Lama Dice is a guess, and the same position with other guesses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lama_odds.games.dice.rules.feasibility import find_defects
from lama_odds.games.dice.rules.next_roll import penalty_of
from lama_odds.games.dice.rules.position import Counts, Position, counts_mask, mask_counts
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import KINDS
from lama_odds.games.interface.guessed import (
    Guessed,
    around,
    fewest_held,
    guessed_from,
    hands_in_words,
    named,
)

FEWER_IN_ROW = (-4, -2, 2)  # cards in other rows, against the one that is a guess


def other_guesses(rules: DiceRules, position: Position) -> tuple[Guessed, ...]:
    """Return what is a guess, each with the position for other values of it."""
    found = [_hands(rules, position), *_penalties(rules, position), _row(rules, position)]
    return tuple(one for one in found if one is not None)


def _hands(rules: DiceRules, position: Position) -> Guessed | None:
    """Return the hands of players still in: the fewest cards in one of them."""
    sizes = {
        seat: sum(other.cards)
        for seat, other in enumerate(position.opponents, 1)
        if other.guess and not other.quit and other.cards
    }
    if not sizes:
        return None

    def resized(wanted: Mapping[int, int]) -> Position:
        opponents = tuple(
            replace(other, cards=_of_size(other.cards, wanted[seat]))
            if seat in wanted and other.cards
            else other
            for seat, other in enumerate(position.opponents, 1)
        )
        return replace(position, opponents=opponents)

    tried = fewest_held(sizes, resized, position)
    words = hands_in_words([*sizes], len(sizes) == position.others_in)
    return guessed_from(tried, position, lambda one: _occurs(rules, one), words, whole=True)


def _of_size(cards: Counts, size: int) -> Counts:
    """Return a hand of another size: without cards held most often, or with kinds not held."""
    counts = list(cards)
    while sum(counts) > size:
        counts[max(range(KINDS), key=lambda kind: (counts[kind], kind))] -= 1
    while sum(counts) < size:
        counts[min(range(KINDS), key=lambda kind: (counts[kind], kind))] += 1
    return tuple(counts)


def _penalties(rules: DiceRules, position: Position) -> list[Guessed | None]:
    """Return the penalties of players who have quit, each on its own."""
    found = []
    for seat, other in enumerate(position.opponents, 1):
        if not other.quit or not other.guess:
            continue
        penalty = other.penalty or 0
        if other.cards is not None:
            penalty = penalty_of(rules, other.cards)
        low, high = around(penalty, 1, rules.most_points)
        tried = {penalty: position}
        for values in (range(low, penalty), range(high, penalty, -1)):
            fits = (_quit_with(position, seat, value) for value in values)
            nearest = next((one for one in fits if _occurs(rules, one)), None)
            if nearest is not None:
                tried[nearest.opponents[seat - 1].penalty or 0] = nearest
        who = named([seat])
        words = f"the penalty of {who} is a guess", f"{who} quit with {{}}"
        found.append(guessed_from(tried, position, lambda _: True, words, unit=("point", "points")))
    return found


def _quit_with(position: Position, seat: int, penalty: int) -> Position:
    opponents = list(position.opponents)
    opponents[seat - 1] = replace(opponents[seat - 1], cards=None, penalty=penalty)
    return replace(position, opponents=tuple(opponents))


def _row(rules: DiceRules, position: Position) -> Guessed | None:
    """Return the llama row: other numbers of cards, the lowest ones being taken first."""
    if not position.row_guess:
        return None
    there = mask_counts(position.row)
    tried = {sum(there): position}
    for more in FEWER_IN_ROW:
        kinds = [kind for kind in range(KINDS) if bool(there[kind]) == (more < 0)]
        chosen = kinds[: abs(more)] if more < 0 else kinds[::-1][:more]
        changed = tuple(there[kind] ^ (kind in chosen) for kind in range(KINDS))
        if len(chosen) == abs(more) and any(changed):
            tried[sum(changed)] = replace(position, row=counts_mask(changed))
    words = "the llama row is a guess", "the llama row has {}"
    return guessed_from(tried, position, lambda one: _occurs(rules, one), words)


def _occurs(rules: DiceRules, position: Position) -> bool:
    return not find_defects(rules, position)
