"""Records damaged at random are read or refused in words, and never crash the reader."""

from collections import Counter
from random import Random

import pytest

from lama_odds.core.errors import ImpossibleError, ReadError
from lama_odds.games.noprob.defects import parse_position
from lama_odds.games.noprob.record import position_after, read_record
from tests.games.lama.test_record_damage import (
    cut,
    delete_line,
    repeat_line,
    swap_lines,
)
from tests.games.noprob.cases import END, FOUR, SMALL, STARNBERGER, id_of, product_record, short

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


def change_character(luck, text):
    at = luck.randrange(len(text))
    return text[:at] + luck.choice(CHARACTERS) + text[at + 1 :]


def words_changed(luck, text, changed):
    """The text with a word of one line changed, here those of lines more often than of turns."""
    lines = [line.split(" ") for line in text.splitlines()] or [[""]]
    words = luck.choice(luck.choice((lines, lines[: 10 + luck.randrange(5)])))
    changed(words, luck.randrange(len(words)), luck.randrange(len(words)))
    return "\n".join(" ".join(line) for line in lines)


def change_card(luck, text):
    """Put another card in place of one, in a grid too."""

    def put(words, one, other):
        cards = words[one].replace("/", ",").split(",")
        words[one] = words[one].replace(luck.choice(cards) or " ", luck.choice(CARDS), 1)

    return words_changed(luck, text, put)


def change_words(luck, text):
    """Swap two words, drop one, or put another in place of one."""

    def put(words, one, other):
        action = luck.randrange(3)
        if action == 0:
            words[one], words[other] = words[other], words[one]
        elif action == 1:
            del words[one]
        else:
            words[one] = luck.choice(WORDS)

    return words_changed(luck, text, put)


DAMAGES = (
    *(change_character, change_card, cut, delete_line, repeat_line, swap_lines, change_words),
)


def outcome(text):
    """Read a record and ask for its position: give that and the rules, or what was raised."""
    try:
        found = read_record(text)
        return found.rules, position_after(found)
    except (ReadError, ImpossibleError) as error:
        return None, error


def checked(text):
    """Check that a damaged record is read or refused as it should be; say which."""
    rules, found = outcome(text)
    if isinstance(found, ReadError):
        headless = found.message.startswith(("this is no record", "the record ends before"))
        assert headless or found.message.startswith("line ")
        assert str(found).startswith(found.message)
        assert found.text is None or 0 <= found.at <= len(found.text)
        return "refused"
    if isinstance(found, ImpossibleError):
        assert found.defects
        return "over"
    assert parse_position(rules, found.format()) == found
    return "asks"


@pytest.mark.parametrize("options", OPTIONS, ids=short)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_record_is_read_or_refused(options, damage):
    luck, seen = Random(f"{options} {damage.__name__}"), Counter()
    for time in range(TIMES):
        text = product_record(id_of(options), MIXED, 61, time % 5, rounds=True)
        seen[checked(damage(luck, text))] += 1
    assert seen["refused"] > TIMES // 4
    if damage is cut:
        assert seen["asks"] > 0


@pytest.mark.parametrize("options", OPTIONS, ids=short)
def test_damage_upon_damage_is_read_or_refused(options):
    luck, seen = Random(str(options)), Counter()
    for time in range(TIMES):
        text = product_record(id_of(options), MIXED, 62, time % 5)
        for _ in range(3):
            text = luck.choice(DAMAGES)(luck, text) or text
        seen[checked(text)] += 1
    assert seen["refused"] > TIMES // 2
    assert STARNBERGER in text
