"""What the others hold, by going through every deal and every draw; slow, for tiny decks.

Written from the definition: deals and draws are weighted by how often they occur, actions by how
likely each kind of player takes them.
"""

from collections import defaultdict
from itertools import product

from tests.reference import lama as twin


def chance_of(table, policy, hand, top, may_draw, action, epsilon):
    """Give the chance that a player with this hand acts so; policy None: any legal action."""
    held = sum(set(hand))
    legal = [*twin.kinds_in(held & table.follows[top]), twin.QUIT]
    if may_draw:
        legal.append(twin.DRAW)
    if action not in legal:
        return 0.0
    if policy is None:
        return 1 / len(legal)
    chosen = policy.choose(table, list(hand), held, top, may_draw, 0)
    return (1 - epsilon) * (chosen == action) + epsilon / len(legal)


def without(cards, card):
    """Take one card out of a tuple."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def deals_of(pool, sizes):
    """Give all ways to deal hands from cards, as sorted hands with the chance of each."""
    found = {((), pool): 1.0}
    for size in sizes:
        grown = defaultdict(float)
        for (hands, rest), chance in found.items():
            taken = {((), rest): chance}
            for _ in range(size):
                more = defaultdict(float)
                for (hand, left), weight in taken.items():
                    for card in set(left):
                        key = tuple(sorted((*hand, card))), without(left, card)
                        more[key] += weight * left.count(card) / len(left)
                taken = more
            for (hand, left), weight in taken.items():
                grown[(*hands, hand), left] += weight
        found = grown
    return found


def beliefs(table, mixtures, mine, opening, events, epsilon):
    """Give the chance of each combination of the others' hands after some events, and by player
    that of each kind of player.

    mixtures: for each other player, (share, policy) of each kind of player. mine: all cards that I
    have had. events: (player from 0, action, top, whether drawing was allowed) of the others.
    """
    pool = tuple(table.deck)
    for card in (*mine, opening):
        pool = without(pool, card)
    found = defaultdict(float)
    dealt = deals_of(pool, [table.rules.dealt] * len(mixtures))
    alike = [[0.0] * len(mixture) for mixture in mixtures]
    for numbers in product(*(range(len(mixture)) for mixture in mixtures)):
        kinds = [mixture[number] for mixture, number in zip(mixtures, numbers, strict=True)]
        states = dict(dealt)
        for player, action, top, may_draw in events:
            after = defaultdict(float)
            for (hands, rest), weight in states.items():
                hand, policy = hands[player], kinds[player][1]
                weight *= chance_of(table, policy, hand, top, may_draw, action, epsilon)
                if not weight:
                    continue
                if action == twin.DRAW:
                    for card in set(rest):
                        now = tuple(sorted((*hand, card)))
                        key = (*hands[:player], now, *hands[player + 1 :]), without(rest, card)
                        after[key] += weight * rest.count(card) / len(rest)
                    continue
                if action != twin.QUIT:
                    hand = without(hand, action)
                after[(*hands[:player], hand, *hands[player + 1 :]), rest] += weight
            states = after
        share = 1.0
        for kind in kinds:
            share *= kind[0]
        for (hands, _), weight in states.items():
            found[hands] += share * weight
            for player, number in enumerate(numbers):
                alike[player][number] += share * weight
    total = sum(found.values())
    shares = [[weight / total for weight in player] for player in alike]
    return {hands: weight / total for hands, weight in found.items()}, shares
