"""Notation: words, parts and numbers know their places."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.core.errors import ReadError
from lama_odds.core.notation import Part, read_integers, read_words

KNOWN = ("hand", "row", "opp")
repeatable = settings(derandomize=True, deadline=None)


def refused(text: str) -> ReadError:
    """The error for words that cannot be read."""
    with pytest.raises(ReadError) as caught:
        read_words(text, KNOWN)
    return caught.value


def test_words_are_read_in_any_order_with_their_places() -> None:
    text = " opp=13,q6LL\t hand=25L\n"
    words = read_words(text, KNOWN)
    assert set(words) == {"opp", "hand"}
    for name, value in (("opp", "13,q6LL"), ("hand", "25L")):
        assert words[name] == Part(text, value, text.index(value))


def test_no_words_are_no_error() -> None:
    assert read_words("", KNOWN) == {}
    assert read_words(" \t\n", KNOWN) == {}


def test_only_the_first_equals_sign_divides() -> None:
    assert read_words("opp=q=16", KNOWN)["opp"].text == "q=16"


@pytest.mark.parametrize(
    ("text", "at", "told"),
    [
        ("25L hand=1", 0, "name=value"),
        ("hand=1 opp13", 7, "name=value"),
        ("hand=1 hnad=2", 7, "unknown word 'hnad'"),
        ("hand=1 hand=1", 7, "hand is given twice"),
        ("hand=1 row=", 11, "expected a value"),
        ("=1", 0, "unknown word ''"),
        ("Hnad=1", 0, "unknown word 'Hnad'"),
        ("hand=1 HAND=2", 7, "hand is given twice"),
    ],
)
def test_a_word_that_cannot_be_read(text: str, at: int, told: str) -> None:
    error = refused(text)
    assert (error.text, error.at) == (text, at)
    assert told in error.message


def test_near_words_are_offered() -> None:
    assert refused("hnad=1").hints == ("  did you mean hand?",)


def test_a_long_word_is_shown_shortened() -> None:
    assert len(refused("x" * 5000 + "=1").message) < 100


@repeatable
@given(st.lists(st.text("12L,", max_size=4), min_size=1), st.integers(0, 9))
def test_pieces_know_their_places(pieces: list[str], before: int) -> None:
    text = ".".join(pieces)
    whole = " " * before + text
    parts = Part(whole, text, before).split(".")
    assert [part.text for part in parts] == pieces
    for part in parts:
        assert whole[part.at : part.at + len(part.text)] == part.text


@repeatable
@given(st.integers(-(10**17) + 1, 10**18 - 1))
def test_whole_numbers_are_read(number: int) -> None:
    assert Part("", str(number), 0).integer("row") == number


@pytest.mark.parametrize("text", ["0", "007", "-3", "-0"])
def test_zeros_and_signs_are_whole_numbers(text: str) -> None:
    assert Part("", text, 0).integer("row") == int(text)


@pytest.mark.parametrize(
    "text",
    ["", "-", "--1", "+1", "1.0", "1e3", "1_000", " 1", "1\n", "٣", "１", "²", "nan", "0x1", "1-"],
)
def test_other_numbers_are_refused(text: str) -> None:
    with pytest.raises(ReadError, match="expected a whole number") as caught:
        Part("ab" + text, text, 2).integer("row")
    assert caught.value.at == 2


@pytest.mark.parametrize("text", ["9" * 19, "-" + "9" * 18, "0" * 5000])
def test_numbers_too_long_are_refused_unread(text: str) -> None:
    with pytest.raises(ReadError, match="at most 18 digits"):
        Part(text, text, 0).integer("row")


def test_numbers_between_commas() -> None:
    assert read_integers(Part("", "12,-3,0", 0), "scores") == (12, -3, 0)
    assert read_integers(Part("", "12", 0), "scores") == (12,)
    with pytest.raises(ReadError) as caught:
        read_integers(Part("scores=12,,0", "12,,0", 7), "scores")
    assert caught.value.at == 10


def test_a_failure_says_what_was_found_and_where() -> None:
    part = Part("hand=25X", "25X", 5)
    error = part.fail("cards", offset=2, what="hand")
    assert error.message == "cannot read in hand: found 'X', expected cards"
    assert (error.text, error.at) == ("hand=25X", 7)
