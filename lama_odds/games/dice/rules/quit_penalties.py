"""Check that there are enough cards for all hands, shown or known by their penalty."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations

from lama_odds.games.dice.rules.position import Counts
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS

# Of each kind: points, cards left, whether they can include one taken from the row; sorted.
State = tuple[tuple[int, int, bool], ...]


def takes_left(rules: DiceRules, hands: Sequence[Counts], taken: int) -> set[int]:
    """Return which kinds taken from the row explain no hand yet, as masks.

    It is empty if they do not suffice. Cards beyond those dealt came from the row. Each kind was
    taken once, by a player who held no other of it.
    """
    left = {taken}
    for cards in hands:
        alone = sum(1 << k for k in range(KINDS) if cards[k] == 1)
        beyond = max(0, sum(cards) - rules.dealt)
        left = {mask & ~takes for mask in left for takes in _choices(mask & alone, beyond)}
    return left


@cache
def _choices(mask: int, count: int) -> tuple[int, ...]:
    """Return all choices of `count` kinds of a mask."""
    kinds = [1 << k for k in range(KINDS) if mask >> k & 1]
    return tuple(sum(chosen) for chosen in combinations(kinds, count))


def can_cost(
    rules: DiceRules, shown: Sequence[Counts], row: int, left: Counts, penalties: Sequence[int]
) -> bool:
    """Return whether hands from the remaining cards can cost these penalties, all together.

    shown: the other hands. left: remaining cards of each kind. All hands are tried, with one card
    of each kind: more of a kind cost nothing. Kinds with equal points and equally many cards left
    are interchangeable, which keeps this short for any values.
    """
    taken = FULL_ROW & ~row
    kinds = sorted(range(KINDS), key=lambda kind: int(rules.penalties[1 << kind]))
    worth = tuple(int(rules.penalties[1 << kind]) for kind in kinds)
    hands = sorted((_masks_of(worth, penalty) for penalty in penalties), key=len)

    @cache
    def fits(at: int, state: State) -> bool:
        """Return whether the hands from `at` on can be made of the remaining cards."""
        if at == len(hands):
            return True
        there = sum(1 << k for k, (_, count, _) in enumerate(state) if count)
        takes = sum(1 << k for k, (_, _, take) in enumerate(state) if take)
        return any(
            fits(at + 1, _without(state, mask, chosen, len(hands) - at - 1))
            for mask in hands[at]
            if mask & ~there == 0
            for chosen in _choices(takes & mask, max(0, mask.bit_count() - rules.dealt))
        )

    # If the hands shown cannot be explained, that is a defect of those hands.
    explained = takes_left(rules, shown, taken) or {taken}
    states = (
        [(int(rules.penalties[1 << k]), left[k], bool(takes >> k & 1)) for k in kinds]
        for takes in explained
    )
    return any(fits(0, tuple(sorted(state))) for state in states)


def _without(state: State, mask: int, chosen: int, hands: int) -> State:
    """Return what a hand leaves of each kind, up to one for each hand to come."""
    return tuple(
        sorted(
            (worth, min(hands, count - (mask >> k & 1)), take and not chosen >> k & 1)
            for k, (worth, count, take) in enumerate(state)
        )
    )


@lru_cache(maxsize=4_096)
def _masks_of(worth: tuple[int, ...], penalty: int) -> tuple[int, ...]:
    """Return the kinds of a hand that costs this much, as masks over these points."""
    return tuple(
        mask
        for mask in range(1, FULL_ROW + 1)
        if sum(points for k, points in enumerate(worth) if mask >> k & 1) == penalty
    )
