"""Whether the cards suffice for all hands: those shown, and those of quitters' penalties."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from lama_odds.games.dice.rules.position import Counts
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS

# Of each kind: points, cards left, whether one taken from the row can be among them; sorted.
State = tuple[tuple[int, int, bool], ...]


def takes_left(rules: DiceRules, hands: Sequence[Counts], taken: int) -> set[int]:
    """Which kinds taken from the row explain no hand yet, as masks; empty if they do not suffice.

    Cards beyond those dealt have come from the row, each kind taken once, by who held no other.
    """
    left = {taken}
    for cards in hands:
        alone = sum(1 << k for k in range(KINDS) if cards[k] == 1)
        beyond = max(0, sum(cards) - rules.dealt)
        left = {mask & ~takes for mask in left for takes in _choices(mask & alone, beyond)}
    return left


@cache
def _choices(mask: int, count: int) -> tuple[int, ...]:
    """All choices of so many kinds of a mask."""
    kinds = [1 << k for k in range(KINDS) if mask >> k & 1]
    return tuple(sum(chosen) for chosen in combinations(kinds, count))


def can_cost(
    rules: DiceRules, shown: Sequence[Counts], row: int, left: Counts, penalties: Sequence[int]
) -> bool:
    """Whether hands out of the cards left can cost this much, all of them together.

    shown: the other hands; left: cards of each kind besides. All hands are tried, with one card of
    each kind: more of a kind cost nothing, and take from the others. Kinds of the same points and
    with as many cards left are interchangeable, which keeps this short for any values.
    """
    taken = FULL_ROW & ~row
    kinds = sorted(range(KINDS), key=lambda kind: int(rules.penalties[1 << kind]))
    worth = [int(rules.penalties[1 << kind]) for kind in kinds]
    hands = sorted((_masks_of(worth, penalty) for penalty in penalties), key=len)

    @cache
    def fits(at: int, state: State) -> bool:
        """Whether the hands from this one on can be had of what is left of each kind."""
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

    # Where the hands shown cannot be explained, that is a defect of theirs.
    explained = takes_left(rules, shown, taken) or {taken}
    states = (
        [(int(rules.penalties[1 << k]), left[k], bool(takes >> k & 1)) for k in kinds]
        for takes in explained
    )
    return any(fits(0, tuple(sorted(state))) for state in states)


def _without(state: State, mask: int, chosen: int, hands: int) -> State:
    """What a hand leaves of each kind; more than one for each hand to come is as good as that."""
    return tuple(
        sorted(
            (worth, min(hands, count - (mask >> k & 1)), take and not chosen >> k & 1)
            for k, (worth, count, take) in enumerate(state)
        )
    )


def _masks_of(worth: Sequence[int], penalty: int) -> list[int]:
    """The kinds of a hand that costs this much, as masks over these points."""
    return [
        mask
        for mask in range(1, FULL_ROW + 1)
        if sum(points for k, points in enumerate(worth) if mask >> k & 1) == penalty
    ]
