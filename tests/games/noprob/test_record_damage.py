"""Records damaged at random are read or refused in words, and never crash the reader."""

from collections import Counter
from random import Random

import pytest

from lama_odds.games.noprob.records import record
from lama_odds.games.noprob.rules import feasibility
from tests.games.cases import product_record
from tests.games.damage import checked, cut, damages, several, words_changed
from tests.games.noprob.cases import END, FOUR, SMALL, id_of, short

TIMES = 40
MIXED = ("greedy", "random", "random")
OPTIONS = ({}, SMALL | END, SMALL | FOUR | {"rounds": 1})
CHARACTERS = "0123456789JDK-?,/()+=.:!qx#\t\n\r\x00\x0bé²٣𝟛\u2028"
CARDS = (*map(str, range(2, 12)), "-1", "-2", "-5", "-3", "J", "D", "K", "?", "(4)", "", "-")
WORDS = (
    *("-1", "00", "9" * 30, "draw", "take", "pass", "give", "discard", "replace", "turns", "1,1"),
    *("3,3", "4,4", "0,0", "end", "done", "empty", "top", "deal", "llamas", "target", "scores"),
    *("final", "²", "round", "noprob/starnberger", "+refill=off", "lama/egmont", "J", "D"),
)


def change_card(luck, text):
    """Put another card in place of one, in a grid too."""

    def put(words, one, _):
        cards = words[one].replace("/", ",").split(",")
        words[one] = words[one].replace(luck.choice(cards) or " ", luck.choice(CARDS), 1)

    return words_changed(luck, text, put)


DAMAGES = damages(CHARACTERS, WORDS, change_card)


def outcomes(options, seed, luck, damage, rounds=False):
    """Count what becomes of some games, or first rounds, each damaged many times."""
    texts = [product_record(id_of(options), MIXED, seed, game, rounds) for game in range(5)]
    damaged = [damage(luck, texts[time % 5]) for time in range(TIMES)]
    return Counter(checked(text, record, feasibility) for text in damaged)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("options", OPTIONS, ids=short)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_record_is_read_or_refused(options, damage):
    seen = outcomes(options, 61, Random(f"{options} {damage.__name__}"), damage, rounds=True)
    assert seen["refused"] > TIMES // 4
    if damage is cut:
        assert seen["asks"] > 0


@pytest.mark.parametrize("options", OPTIONS, ids=short)
def test_damage_upon_damage_is_read_or_refused(options):
    seen = outcomes(options, 62, Random(str(options)), several(DAMAGES, 3))
    assert seen["refused"] > TIMES // 2
