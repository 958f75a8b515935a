"""Exact chances of the next draw, of the others' hands and of the deal, by counting cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb

from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.language import say
from lama_odds.games.lama.rules.position import Position, can_play, pile_left
from lama_odds.games.lama.rules.ruleset import (
    KINDS,
    LLAMA,
    LLAMA_KIND,
    NAMES,
    PINK_KIND,
    VALUES,
    Counts,
    LamaRules,
)
from lama_odds.games.shared.card_values import hands_of

# Chances of the next draw that are shown beside the action.
NEXT = ("playable", "new kind", "llama", "raises")


def next_draw(
    rules: LamaRules, position: Position, left: Sequence[Fraction] | None = None
) -> dict[str, Fraction]:
    """Return chances of the next card you would draw; empty if you cannot draw.

    - ``draw X``: it is an X
    - ``playable``: you can play it on the top card
    - ``new kind``: you hold none of its value
    - ``llama``: it is a llama or pink llama
    - ``raises``, ``keeps``: it raises or keeps your penalty
    - ``penalty N``: your cards then cost N

    left: the mean number of cards of each kind that can come; without it all unseen cards are
    equally likely.
    """
    if not position.others_in or not pile_left(rules, position):
        return {}
    if left is None:
        left = [Fraction(count) for count in position.unseen(rules)]
    now = rules.penalty(position.hand)
    ways = dict.fromkeys((*NEXT, "keeps"), Fraction(0))
    kinds: dict[str, Fraction] = {}
    penalties: dict[int, Fraction] = {}
    for kind, count in enumerate(left):
        if not count:
            continue
        kinds[f"draw {NAMES[kind]}"] = count
        hand = tuple(held + (k == kind) for k, held in enumerate(position.hand))
        cost = rules.penalty(hand)
        penalties[cost] = penalties.get(cost, Fraction(0)) + count
        value = kind // 2
        ways["playable"] += count * can_play(kind, position.top)
        ways["new kind"] += count * (sum(position.hand[2 * value : 2 * value + 2]) == 0)
        ways["llama"] += count * (kind in (LLAMA_KIND, PINK_KIND))
        ways["raises"] += count * (cost > now)
        ways["keeps"] += count * (cost <= now)
    total = sum(left)
    listed = {**ways, **kinds, **{f"penalty {cost}": penalties[cost] for cost in sorted(penalties)}}
    return {name: count / total for name, count in listed.items()}


def next_chances(
    rules: LamaRules, position: Position, left: Sequence[Fraction]
) -> dict[str, Estimate]:
    """Return chances of your next draw, shown beside the action ``draw``; left: see `next_draw`."""
    chances = next_draw(rules, position, left)
    return {name: exact(float(chances[name])) for name in NEXT if chances}


def others_can_play(rules: LamaRules, position: Position) -> dict[str, Fraction]:
    """Return the chance of each other player still in to hold a card that can be played.

    ``opponent 1 playable`` (1 is next in turn order). For a hand of one card also ``opponent 1
    out``: it would be the last. All unseen cards are equally likely.
    """
    unseen = position.unseen(rules)
    total = sum(unseen)
    fitting = sum(unseen[kind] for kind in range(KINDS) if can_play(kind, position.top))
    chances = {}
    for i, opponent in enumerate(position.opponents, 1):
        if opponent.quit:
            continue
        none = Fraction(comb(total - fitting, opponent.cards), comb(total, opponent.cards))
        chances[f"opponent {i} playable"] = 1 - none
        if opponent.cards == 1:
            chances[f"opponent {i} out"] = 1 - none
    return chances


def rests_on(position: Position) -> tuple[str, ...]:
    """Return what `odds` assumes, in words."""
    if position.others_in == len(position.opponents) or not position.others_in:
        return ()
    return (
        say(
            "for what happens next, all unseen cards are equally likely; what quitting tells about "
            "a hand is not used"
        ),
    )


def odds(rules: LamaRules, position: Position) -> dict[str, Estimate]:
    """Return `next_draw` and `others_can_play` as exact estimates."""
    chances = {**next_draw(rules, position), **others_can_play(rules, position)}
    return {name: exact(float(chance)) for name, chance in chances.items()}


def longest_run(counts: Iterable[int]) -> int:
    """Return the longest run in a hand (6, llama, 1 too), counting duplicates.

    counts: by value, the llamas last.
    """
    held = list(counts)
    if all(held):
        return sum(held)
    best = 0
    for start in range(VALUES):
        cards = 0
        for step in range(VALUES):
            count = held[(start + step) % VALUES]
            if not count:
                break
            cards += count
        best = max(best, cards)
    return best


def deal(rules: LamaRules) -> dict[str, Estimate]:
    """Return the distribution of a dealt hand, from all hands.

    ``penalty 12``, ``kinds 4`` (values held), ``llamas 0`` (pink ones too), ``run 3`` (see
    `longest_run`) are chances; ``mean penalty`` and so on are means.
    """
    ways: dict[str, Counter[int]] = {n: Counter() for n in ("penalty", "kinds", "llamas", "run")}
    total = 0
    for hand, count in hands_of(_merged(rules.deck), rules.dealt):
        total += count
        values = (*hand[:LLAMA], hand[LLAMA] + hand[LLAMA + 1])
        ways["penalty"][rules.penalty(_spread(hand))] += count
        ways["kinds"][sum(held > 0 for held in values)] += count
        ways["llamas"][values[LLAMA]] += count
        ways["run"][longest_run(values)] += count
    estimates: dict[str, Estimate] = {}
    for name, counter in ways.items():
        mean = Fraction(sum(value * count for value, count in counter.items()), total)
        estimates[f"mean {name}"] = exact(float(mean))
        for value in sorted(counter):
            estimates[f"{name} {value}"] = exact(float(Fraction(counter[value], total)))
    return estimates


def _merged(deck: Counts) -> Counts:
    """Return cards by value: plus cards count as their numbers, llamas and pink llamas are
    separate.
    """
    numbers = tuple(deck[2 * value] + deck[2 * value + 1] for value in range(LLAMA))
    return (*numbers, deck[LLAMA_KIND], deck[PINK_KIND])


def _spread(hand: Counts) -> Counts:
    """Return the inverse of `_merged`, with plus cards as plain ones: they cost the same."""
    counts = [0] * KINDS
    for value in range(LLAMA):
        counts[2 * value] = hand[value]
    counts[LLAMA_KIND], counts[PINK_KIND] = hand[LLAMA], hand[LLAMA + 1]
    return tuple(counts)


def legal_actions(rules: LamaRules, position: Position) -> list[str]:
    """Return the names of your legal actions, in the agreed notation."""
    plays = [
        f"play {NAMES[kind]}"
        for kind in range(KINDS)
        if position.hand[kind] and can_play(kind, position.top)
    ]
    draws = position.others_in > 0 and pile_left(rules, position) > 0
    return [*plays, *(["draw"] if draws else []), "quit"]
