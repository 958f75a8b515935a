"""Rule-set ids read against a small table of options."""

from __future__ import annotations

import pytest

from lama_odds.core.errors import ReadError
from lama_odds.core.rulesets import Option, format_rules, read_rules

OPTIONS = {
    "cards": Option("number", "cards dealt", "the book", 1, 9),
    "fast": Option("switch", "a faster game", "the book"),
    "name": Option("text", "its name", "nobody"),
    "slow": Option("switch", "a slower game", "the book"),
}
EDITIONS = {
    "first": {"cards": 6, "fast": False, "name": "x", "slow": True},
    "second": {"cards": 5, "fast": True, "name": "x", "slow": True},
}


def canonical(text: str) -> str:
    """An id read and written."""
    edition, values, _ = read_rules(text, EDITIONS, OPTIONS)
    return format_rules("game", edition, values, EDITIONS, OPTIONS)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("game/first", "game/first"),
        ("game/first+fast", "game/first+fast"),
        ("game/first+fast=on", "game/first+fast"),
        ("game/second+fast", "game/second"),
        ("game/second+fast=off", "game/second+fast=off"),
        ("game/first+slow=off+fast+cards=7", "game/first+cards=7+fast+slow=off"),
        ("game/first+name=z+cards=6", "game/first+name=z"),
        ("game/second+cards=6", "game/second+cards=6"),
        ("game/first+name=a=b", "game/first+name=a=b"),
    ],
)
def test_the_canonical_form(text: str, written: str) -> None:
    assert canonical(text) == written
    assert canonical(written) == written


@pytest.mark.parametrize(
    ("text", "told", "at"),
    [
        ("game", "which edition of game?", 4),
        ("game/", "unknown edition ''", 5),
        ("game/third", "unknown edition 'third'", 5),
        ("game/first+", "unknown option ''", 11),
        ("game/first+quick", "unknown option 'quick' of game/first", 11),
        ("game/first+fast+fast=off", "fast is given twice", 16),
        ("game/first+fast=no", "expected on or off", 16),
        ("game/first+cards", "expected cards=value", 16),
        ("game/first+cards=", "expected a whole number", 17),
        ("game/first+cards=0", "expected 1 to 9", 17),
        ("game/first+cards=10", "expected 1 to 9", 17),
        ("game/first/fast", "unknown edition 'first/fast'", 5),
    ],
)
def test_an_id_that_cannot_be_read(text: str, told: str, at: int) -> None:
    with pytest.raises(ReadError) as caught:
        read_rules(text, EDITIONS, OPTIONS)
    assert told in caught.value.message
    assert (caught.value.text, caught.value.at) == (text, at)


def test_the_editions_are_named_if_none_is_given() -> None:
    with pytest.raises(ReadError) as caught:
        read_rules("game", EDITIONS, OPTIONS)
    assert caught.value.hints == ("  known: game/first, game/second",)


def test_values_are_a_copy() -> None:
    _, values, _ = read_rules("game/first+cards=7", EDITIONS, OPTIONS)
    assert values == {"cards": 7, "fast": False, "name": "x", "slow": True}
    assert EDITIONS["first"]["cards"] == 6
