"""The pile as bytes: every card number is the card that a sorted list has there."""

import random

import numpy as np
import pytest

from lama_odds.games.noprob.rules import pile
from lama_odds.games.noprob.rules.transition import KINDS, take_card

PILES = {
    "starnberger": (*[14] * 8, 10, 10, 5, 5, 6, 8),
    "most": (15,) * KINDS,
    "few": (0, 0, 1, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 3),
    "one": (0,) * 13 + (1,),
}


@pytest.mark.parametrize("name", PILES)
def test_cards_are_taken_as_from_a_sorted_list(name):
    chance = random.Random(name)
    cards = [kind for kind, number in enumerate(PILES[name]) for _ in range(number)]
    words = [int(word) for word in pile.pack_up(PILES[name])]
    while cards:
        assert words == [int(word) for word in pile.pack_up(np.bincount(cards, minlength=KINDS))]
        at = chance.randrange(len(cards))
        kind, *words = take_card(*words, at)
        assert kind == cards.pop(at)
        for up_to in range(KINDS):
            assert pile.number_of(*words, up_to) == cards.count(up_to)
    assert list(words) == [0, 0]


def test_a_number_with_all_ones_takes_nothing():
    words = [int(word) for word in pile.pack_up(PILES["most"])]
    assert list(take_card(*words, -1))[1:] == words


def test_a_card_more():
    for kind in range(KINDS):
        counts = np.array(PILES["few"])
        words = [int(word) for word in pile.pack_up(counts)]
        counts[kind] += 1
        assert list(pile.one_more(*words, kind)) == [int(word) for word in pile.pack_up(counts)]
