"""Deal hands from a shuffled pack, and turn over the opening card."""

from __future__ import annotations

import numpy as np

from lama_odds.games.lama.engine.learned.shown import shown_of
from lama_odds.games.lama.engine.table_rows import (
    HAND,
    LEFT,
    PILE,
    PLACE,
    PLAIN_PACK,
    PLAYED,
    RUNNING,
    SHOWN,
    SPECIAL_PACK,
    TOP,
)
from lama_odds.games.lama.rules import transition
from lama_odds.jit import inlined
from lama_odds.luck.stream import below, mix

PER_WORD = 6  # cards dealt from one random word

_ONE = np.uint64(1)
_FOUR = np.uint64(4)


@inlined
def deal_hand(plain, special, left, cards, specials, start, gamma):
    """Deal cards, PER_WORD from each random word; return (hand, plain, special, next word)."""
    before = plain
    before_special = special
    while cards > 0:
        word = mix(start)
        start += gamma
        if cards >= PER_WORD and not specials:
            for _ in range(PER_WORD):  # a fixed length helps the compiler
                plain = transition.without_plain(plain, np.uint64(below(word, np.int64(left))))
                word *= left
                left -= _ONE
        elif cards >= PER_WORD:
            for _ in range(PER_WORD):
                x = np.uint64(below(word, np.int64(left)))
                plain = transition.without_plain(plain, x)
                special = transition.without_plain(special, x)
                word *= left
                left -= _ONE
        else:
            for _ in range(min(cards, PER_WORD)):
                x = np.uint64(below(word, np.int64(left)))
                plain = transition.without_plain(plain, x)
                special = transition.without_plain(special, x)
                word *= left
                left -= _ONE
        cards -= PER_WORD
    hand = transition.taken(before - plain) << _FOUR
    if specials:
        # Cards taken before a special card are subtracted from its count too.
        gone = before_special - special
        hand |= transition.taken_after(gone, before - plain)
    return np.int64(hand), plain, special, start


@inlined
def deal(rules, table, seats, start, gamma):
    """Deal the hands, seat by seat, and turn over the opening card.

    Each seat begins a new word of the deal lane, and so does the opening card.
    """
    plain = np.uint64(rules[transition.PLAIN_PACK])
    special = np.uint64(rules[transition.SPECIAL_PACK])
    left = np.uint64(rules[transition.DECK])
    dealt = rules[transition.DEALT]
    for seat in range(seats):
        hand, plain, special, start = deal_hand(
            plain, special, left, dealt, rules[transition.SPECIALS] != 0, start, gamma
        )
        left -= np.uint64(dealt)
        table[HAND + seat] = hand
        table[SHOWN + seat] = shown_of(dealt)
    x = np.uint64(below(mix(start), np.int64(left)))
    card, plain, special = transition.take_card(plain, special, x)
    table[PLACE + PLAIN_PACK] = np.int64(plain)
    table[PLACE + SPECIAL_PACK] = np.int64(special)
    table[PLACE + TOP] = transition.place_of(transition.dearest(card))
    table[PLACE + LEFT] = np.int64(left) - 1
    table[PLACE + PILE] = np.int64(left) - 1
    table[PLACE + RUNNING] = 0
    table[PLACE + PLAYED] = card
