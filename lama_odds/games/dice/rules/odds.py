"""Chances of the deal, of rolls and of what quitting costs, from all outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.position import (
    Counts,
    Position,
    card_text,
    counts_mask,
    mask_counts,
    pack_hand,
    roll_case,
    unpack_hand,
)
from lama_odds.games.dice.rules.ruleset import NAMES, DiceRules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS
from lama_odds.games.shared.card_values import hands_of

CASES = {
    transition.LLAMAS: "three llamas",
    transition.MATCH: "match",
    transition.MISS: "miss",
    transition.BLOWN: "blown",
}


def discards(hand: Counts, rolled: tuple[int, ...]) -> list[Counts]:
    """Return all discards that a roll allows, fewest cards first."""
    most = transition.most_discarded(pack_hand(hand), transition.pack_roll(rolled))
    options = [
        unpack_hand(int(transition.discard_option(most, choice)))
        for choice in range(1, transition.discard_options(most) + 1)
    ]
    return sorted(options, key=lambda cards: (sum(cards), card_text(cards)))


def takes(position: Position, rolled: tuple[int, ...]) -> list[int]:
    """Return the kinds of the row that a roll without a match allows you to take."""
    return [kind for kind in range(KINDS) if position.row >> kind & 1 and kind in rolled]


def legal_actions(rules: DiceRules, position: Position) -> list[str]:
    """Return the names of your legal actions, in the agreed notation."""
    if position.rolled is None:
        return ["quit", "roll"]
    if roll_case(rules, position, position.rolled) == transition.MATCH:
        choices = discards(position.hand, position.rolled)
        return [f"discard {card_text(cards)}" for cards in choices]
    return [f"take {NAMES[kind]}" for kind in takes(position, position.rolled)]


def next_roll(rules: DiceRules, position: Position) -> dict[str, Fraction]:
    """Return chances of the next roll. For a roll that was made, what it allows has chance 1.

    ``three llamas``, ``match``, ``miss`` and ``blown`` are all cases; ``out``: you can go out.
    ``discard X``, ``take X``: the roll allows it; ``match X``: a die matches cards of kind X.
    """
    size = len(NAMES)
    rolls = Counter([position.rolled]) if position.rolled else rules.sorted_rolls
    total = sum(rolls.values())
    ways: Counter[str] = Counter({name: 0 for name in CASES.values()})
    ways["out"] = 0
    matching: Counter[str] = Counter()
    actions: Counter[tuple[int, int, str]] = Counter()
    for rolled, count in rolls.items():
        case = roll_case(rules, position, rolled)
        ways[CASES[case]] += count
        if case == transition.MATCH:
            for kind in set(rolled):
                if position.hand[kind]:
                    matching[f"match {NAMES[kind]}"] += count
            for cards in discards(position.hand, rolled):
                actions[0, sum(cards), f"discard {card_text(cards)}"] += count
                if cards == position.hand:
                    ways["out"] += count
        elif case == transition.MISS:
            for kind in takes(position, rolled):
                actions[1, size, f"take {NAMES[kind]}"] += count
    chances = {name: Fraction(count, total) for name, count in ways.items()}
    chances |= {name: Fraction(matching[name], total) for name in sorted(matching)}
    return chances | {key[2]: Fraction(actions[key], total) for key in sorted(actions)}


def odds(rules: DiceRules, position: Position) -> dict[str, Estimate]:
    """Return `next_roll` as exact estimates."""
    return {name: exact(float(chance)) for name, chance in next_roll(rules, position).items()}


def deal(rules: DiceRules) -> dict[str, Estimate]:
    """Return the distribution of penalty, kinds and llamas in a dealt hand, from all hands.

    ``penalty 12``, ``kinds 4``, ``llamas 0`` are chances; ``mean penalty`` and so on are means.
    """
    ways: dict[str, Counter[int]] = {"penalty": Counter(), "kinds": Counter(), "llamas": Counter()}
    total = 0
    for hand, count in hands_of(rules.dealt_from, rules.dealt):
        total += count
        mask = sum(1 << kind for kind in range(KINDS) if hand[kind])
        ways["penalty"][int(rules.penalties[mask])] += count
        ways["kinds"][sum(mask_counts(mask))] += count
        ways["llamas"][hand[transition.LLAMA]] += count
    estimates: dict[str, Estimate] = {}
    for name, counter in ways.items():
        mean = Fraction(sum(value * count for value, count in counter.items()), total)
        estimates[f"mean {name}"] = exact(float(mean))
        for value in sorted(counter):
            estimates[f"{name} {value}"] = exact(float(Fraction(counter[value], total)))
    return estimates


# Your next roll: its chances, and what you can do with it.

Vector = np.ndarray

# Chances of the next roll beside the action: `out` and `blown` alone are those of the round.
NEXT = {
    "three llamas": "three llamas",
    "match": "match",
    "miss": "miss",
    "blown": "next blown",
    "out": "next out",
}


def penalty_of(rules: DiceRules, cards: Counts) -> int:
    """Return the penalty of a hand: each kind counts once."""
    return int(rules.penalties[counts_mask(cards)])


def next_chances(rules: DiceRules, position: Position) -> dict[str, Estimate]:
    """Return chances of your next roll, as they are shown beside the action ``roll``."""
    chances = next_roll(rules, position)
    return {shown: exact(float(chances[name])) for name, shown in NEXT.items()}


def _less(hand: Counts, gone: Counts) -> Counts:
    return tuple(held - less for held, less in zip(hand, gone, strict=True))


def _more(hand: Counts, kind: int) -> Counts:
    return tuple(held + (k == kind) for k, held in enumerate(hand))


def results_of(distinct: np.ndarray, chances: Vector) -> dict[str, Estimate]:
    """Return the chances of each possible penalty of yours."""
    pairs = zip(distinct.tolist(), chances.tolist(), strict=True)
    return {f"penalty {penalty}": exact(chance) for penalty, chance in pairs if chance > 0}


def moves(
    rules: DiceRules, position: Position, rolled: tuple[int, ...]
) -> list[tuple[str, tuple[Counts, int]]]:
    """Return legal discards or takes of a roll, with the resulting hand and row."""
    if roll_case(rules, position, rolled) == transition.MATCH:
        return [
            (f"discard {card_text(cards)}", (_less(position.hand, cards), position.row))
            for cards in discards(position.hand, rolled)
        ]
    return [
        (f"take {NAMES[kind]}", (_more(position.hand, kind), position.row & ~(1 << kind)))
        for kind in takes(position, rolled)
    ]


# Check that there are enough cards for all hands, shown or known by their penalty.

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
