"""Errors: exit codes, the caret, hints, all defects, near names."""

from __future__ import annotations

import pytest

from lama_odds.core.errors import (
    ImpossibleError,
    LamaOddsError,
    LimitError,
    NothingToDecideError,
    ReadError,
    near_names,
)


def test_exit_codes_are_the_agreed_ones() -> None:
    assert ReadError("what").exit_code == 2
    assert ImpossibleError("this", ["why"]).exit_code == 3
    assert LimitError("too much").exit_code == 4
    for kind in (ReadError, ImpossibleError, LimitError):
        assert issubclass(kind, LamaOddsError)


def test_a_read_error_without_a_place_is_its_message() -> None:
    assert str(ReadError("no edition")) == "no edition"
    assert str(ReadError("no edition", hints=["  known: a, b"])) == "no edition\n  known: a, b"


@pytest.mark.parametrize("at", [0, 3, 8])
def test_the_caret_stands_under_its_character(at: int) -> None:
    message, text, caret = str(ReadError("bad", "hand=25X", at)).splitlines()
    assert (message, text) == ("bad", "  hand=25X")
    assert caret == "  " + " " * at + "^"


def test_an_empty_text_is_shown_with_its_caret() -> None:
    assert str(ReadError("nothing", "")) == "nothing\n  \n  ^"


@pytest.mark.parametrize("odd", ["\t", "\n", "\r", "\x1b", "\x00", "\u2028", "\ud800", "\u200b"])
def test_unprintable_characters_take_one_place_and_do_nothing(odd: str) -> None:
    lines = str(ReadError("bad", f"a{odd}b", 2)).split("\n")
    assert lines == ["bad", "  a b", "    ^"]


def test_all_defects_are_listed() -> None:
    error = ImpossibleError("this position", iter(["one", "two", "three"]))  # type: ignore[arg-type]
    assert error.defects == ("one", "two", "three")
    assert str(error) == "this position cannot occur:\n  - one\n  - two\n  - three"


def test_what_leaves_nothing_to_decide_is_not_said_to_be_impossible() -> None:
    error = NothingToDecideError("this position", ["the round is over"])
    assert isinstance(error, ImpossibleError)
    assert error.exit_code == 3
    assert str(error) == "this position leaves nothing to decide:\n  - the round is over"


def test_a_near_name_is_offered() -> None:
    known = ("amigo", "egmont", "gigamic")
    assert near_names("amgio", known) == ("  did you mean amigo?",)
    assert near_names("gigamc", known) == ("  did you mean gigamic?",)


def test_all_names_are_offered_if_none_is_near() -> None:
    assert near_names("zzz", ("amigo", "egmont")) == ("  known: amigo, egmont",)
    assert near_names("", ("amigo", "egmont")) == ("  known: amigo, egmont",)
    assert near_names("zzz", ()) == ()


def test_at_most_three_names_are_offered() -> None:
    (hint,) = near_names("aaaa", [f"aaaa{n}" for n in range(9)])
    assert hint.count("aaaa") == 3
