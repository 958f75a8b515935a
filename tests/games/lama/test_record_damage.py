"""Records damaged at random are read or refused in words, and never crash the reader."""

from collections import Counter
from random import Random

import pytest

from lama_odds.core.errors import ImpossibleError, ReadError
from lama_odds.games.lama.defects import parse_position
from lama_odds.games.lama.record import position_after, read_record
from tests.games.lama.cases import product_record

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


def change_character(luck, text):
    at = luck.randrange(len(text))
    return text[:at] + luck.choice(CHARACTERS) + text[at + 1 :]


def change_card(luck, text):
    """Put another card or digit in place of one."""
    places = [at for at, character in enumerate(text) if character in "0123456789LP"]
    at = luck.choice(places or [0])
    return text[:at] + luck.choice(["1", "3", "5", "6", "6+", "L", "P", "0", "10"]) + text[at + 1 :]


def cut(luck, text):
    return text[: luck.randrange(len(text))]


def delete_line(luck, text):
    lines = text.splitlines(keepends=True)
    del lines[luck.randrange(len(lines))]
    return "".join(lines)


def repeat_line(luck, text):
    lines = text.splitlines(keepends=True)
    lines.insert(luck.randrange(len(lines)), luck.choice(lines))
    return "".join(lines)


def swap_lines(luck, text):
    lines = text.splitlines(keepends=True)
    one, other = luck.randrange(len(lines)), luck.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines)


def change_words(luck, text):
    """Swap two words, drop one, or put another in place of one, in one line."""
    lines = [line.split(" ") for line in text.splitlines()]
    words = luck.choice(lines)
    one, other = luck.randrange(len(words)), luck.randrange(len(words))
    action = luck.randrange(3)
    if action == 0:
        words[one], words[other] = words[other], words[one]
    elif action == 1:
        del words[one]
    else:
        words[one] = luck.choice(WORDS)
    return "\n".join(" ".join(line) for line in lines)


DAMAGES = (
    change_character, change_card, cut, delete_line, repeat_line, swap_lines, change_words,
)  # fmt: skip


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
        return "refused"
    if isinstance(found, ImpossibleError):
        assert found.defects
        return "over"
    assert parse_position(rules, found.format()) == found
    return "asks"


@pytest.mark.parametrize("rules_id", RULES)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_record_is_read_or_refused(rules_id, damage):
    luck, seen = Random(f"{rules_id} {damage.__name__}"), Counter()
    for time in range(TIMES):
        text = product_record(rules_id, MIXED, 61, time % 5, rounds=False)
        seen[checked(damage(luck, text))] += 1
    assert seen["refused"] > TIMES // 3
    if damage is cut:
        assert min(seen["over"], seen["asks"]) > 0


@pytest.mark.parametrize("rules_id", RULES)
def test_damage_upon_damage_is_read_or_refused(rules_id):
    luck, seen = Random(rules_id), Counter()
    for time in range(TIMES):
        text = product_record(rules_id, MIXED, 62, time % 5, rounds=False)
        for _ in range(4):
            text = luck.choice(DAMAGES)(luck, text) or text
        seen[checked(text)] += 1
    assert seen["refused"] > TIMES // 2
