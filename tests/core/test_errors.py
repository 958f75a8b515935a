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
def test_what_would_steer_a_terminal_is_written_out(odd: str) -> None:
    written = odd.encode("unicode_escape").decode()
    _, text, caret = str(ReadError("bad", f"a{odd}Z", 2)).split("\n")
    assert text == f"  a{written}Z"
    assert caret.index("^") == text.index("Z")
    if odd != "\n":
        assert str(ReadError(f"bad {odd}")) == f"bad {written}"
    for error in (LimitError(f"x{odd}"), ImpossibleError(f"x{odd}", [f"y{odd}"])):
        assert all(line.isprintable() for line in str(error).split("\n"))


def test_messages_about_long_texts_are_short() -> None:
    long = "x" * 1_000_000 + "Y" + "x" * 1_000_000
    message, text, caret = str(ReadError(f"bad {long}", long, 1_000_000)).split("\n")
    assert text[caret.index("^")] == "Y"
    assert text.startswith("  \u2026")
    assert text.endswith("\u2026")
    assert "1,999,605 characters" in message
    assert max(map(len, (message, text, caret, str(LimitError(long))))) < 500
    assert near_names(long, ["a", "b"]) == ("  known: a, b",)
    error = ReadError("a\nb", "x" * 100, 99)
    assert str(error).split("\n")[-1] == "  " + " " * 61 + "^"


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
