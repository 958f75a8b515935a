"""Chances of the next roll, from all outcomes of the dice, and of the deal, from all hands."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from lama_odds.core.estimate import Estimate, exact
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.position import (
    Counts,
    Position,
    card_text,
    mask_counts,
    pack_hand,
    roll_case,
    unpack_hand,
)
from lama_odds.games.dice.rules.ruleset import NAMES, DiceRules
from lama_odds.games.dice.rules.transition import KINDS
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
        found = discards(position.hand, position.rolled)
        return [f"discard {card_text(cards)}" for cards in found]
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
    found = {name: Fraction(count, total) for name, count in ways.items()}
    found |= {name: Fraction(matching[name], total) for name in sorted(matching)}
    return found | {key[2]: Fraction(actions[key], total) for key in sorted(actions)}


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
    found: dict[str, Estimate] = {}
    for name, counter in ways.items():
        mean = Fraction(sum(value * count for value, count in counter.items()), total)
        found[f"mean {name}"] = exact(float(mean))
        for value in sorted(counter):
            found[f"{name} {value}"] = exact(float(Fraction(counter[value], total)))
    return found
