"""Records damaged at random are read or refused in words, and never crash the reader."""

from collections import Counter
from random import Random

import pytest

from lama_odds.games.dice.records import record
from lama_odds.games.dice.rules import feasibility
from tests.games.damage import checked, cut, damages, put_for, several
from tests.games.dice.golden_update import GAMES, GOLDEN

TIMES = 30
CHARACTERS = "0123456789L-+=.:/ qx#\t\n\r\x00\x0bé²٣𝟛\u2028"
WORDS = (
    "-1", "00", "9" * 30, "quit", "roll", "LLL", "-", "discard", "take", "blown", "end", "7",
    "dice/egmont", "dice/amigo+twenty", "+faces=1L", "1" * 20, "²", "final", "scores",
)  # fmt: skip
DAMAGES = damages(CHARACTERS, WORDS, put_for("0123456789", "0123456789L"))


def outcomes(name, luck, damage, times=TIMES):
    """Count what becomes of a golden game damaged many times."""
    text = GOLDEN.read(name)
    return Counter(checked(damage(luck, text), record, feasibility) for _ in range(times))


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_record_is_read_or_refused(name, damage):
    # Of records cut short, few end with the game.
    times = 2 * TIMES if damage is cut else TIMES
    seen = outcomes(name, Random(f"{name} {damage.__name__}"), damage, times)
    assert seen["refused"] > times // 2
    if damage is cut:
        assert min(seen["over"], seen["asks"]) > 0


@pytest.mark.parametrize("name", GAMES)
def test_damage_upon_damage_is_read_or_refused(name):
    assert outcomes(name, Random(name), several(DAMAGES, 4))["refused"] > TIMES // 2
