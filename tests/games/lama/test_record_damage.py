"""Records damaged at random are read or refused in words, and never crash the reader."""

from collections import Counter
from random import Random

import pytest

from lama_odds.games.lama.records import record
from lama_odds.games.lama.rules import feasibility
from tests.games.cases import product_record
from tests.games.damage import checked, cut, damages, put_for, several

TIMES = 60
MIXED = ("threshold:5", "random", "matching:6")
RULES = (
    *("lama/egmont", "lama/party", "lama/egmont+drama", "lama/amigo+llama_each"),
    "lama/party+drama+drama_tokens=2",
)
CHARACTERS = "0123456789LP-+=.:/!,qx#\t\n\r\x00\x0bé²٣𝟛\u2028"
WORDS = (
    "-1", "00", "9" * 30, "quit", "play", "draw", "L", "P", "6+", "-", "pays", "takes", "end", "7",
    "pot", "top", "deal", "lama/party+drama", "lama/egmont", "+plus=2", "²", "final", "scores",
)  # fmt: skip
CARDS = ("1", "3", "5", "6", "6+", "L", "P", "0", "10")
DAMAGES = damages(CHARACTERS, WORDS, put_for("0123456789LP", CARDS))


def outcomes(rules_id, seed, luck, damage):
    """Count what becomes of some games, each damaged many times."""
    texts = [product_record(rules_id, MIXED, seed, game, rounds=False) for game in range(5)]
    damaged = [damage(luck, texts[time % 5]) for time in range(TIMES)]
    return Counter(checked(text, record, feasibility) for text in damaged)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("rules_id", RULES)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_record_is_read_or_refused(rules_id, damage):
    seen = outcomes(rules_id, 61, Random(f"{rules_id} {damage.__name__}"), damage)
    assert seen["refused"] > TIMES // 3
    if damage is cut:
        assert min(seen["over"], seen["asks"]) > 0


@pytest.mark.one_in(5)
@pytest.mark.parametrize("rules_id", RULES)
def test_damage_upon_damage_is_read_or_refused(rules_id):
    seen = outcomes(rules_id, 62, Random(rules_id), several(DAMAGES, 4))
    assert seen["refused"] > TIMES // 2
