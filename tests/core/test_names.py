"""Names of rules and policies, words and numbers of positions, errors, estimates."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.core import wording
from lama_odds.core.errors import (
    ImpossibleError,
    LamaOddsError,
    LimitError,
    NothingToDecideError,
    ReadError,
    near_names,
)
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.notation import Part, read_integers, read_words
from lama_odds.core.policies import Family, Policy, read_policy
from lama_odds.core.rulesets import Option, format_rules, read_rules
from lama_odds.core.wording import digits_for, number, percent
from lama_odds.games.registry import GAMES, game_of

KNOWN = ("hand", "row", "opp")
repeatable = settings(derandomize=True, deadline=None)


# words and numbers


def test_words_are_read_in_any_order_with_their_places() -> None:
    text = " opp=13,q6LL\t hand=25L\n"
    words = read_words(text, KNOWN)
    assert list(words) == ["opp", "hand"]
    for name, value in (("opp", "13,q6LL"), ("hand", "25L")):
        assert words[name] == Part(text, value, text.index(value))
    assert read_words(" \t\n", KNOWN) == {}
    assert read_words("opp=q=16", KNOWN)["opp"].text == "q=16"


def test_a_long_word_is_shown_shortened() -> None:
    with pytest.raises(ReadError) as caught:
        read_words("x" * 5000 + "=1", KNOWN)
    assert len(caught.value.message) < 100


@repeatable
@given(st.lists(st.text("12L,", max_size=4), min_size=1), st.integers(0, 9))
def test_pieces_know_their_places(pieces: list[str], before: int) -> None:
    text = ".".join(pieces)
    whole = " " * before + text
    parts = Part(whole, text, before).split(".")
    assert [part.text for part in parts] == pieces
    for part in parts:
        assert whole[part.at : part.at + len(part.text)] == part.text


@pytest.mark.parametrize("text", ["0", "007", "-3", "-0", str(10**18 - 1)])
def test_whole_numbers_are_read(text: str) -> None:
    assert Part("", text, 0).integer("row") == int(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((text, "a whole number") for text in ("", "-", "--1", "+1", "1.0", "1e3", "1_000", " 1")),
        *((text, "a whole number") for text in ("1\n", "٣", "１", "²", "nan", "0x1", "1-")),
        *((text, "at most 18 digits") for text in ("9" * 19, "-" + "9" * 18, "0" * 5000)),
    ],
)
def test_other_numbers_are_refused(text: str, expected: str) -> None:
    with pytest.raises(ReadError, match=expected) as caught:
        Part("ab" + text, text, 2).integer("row")
    assert caught.value.at == 2


def test_numbers_between_commas() -> None:
    assert read_integers(Part("", "12,-3,0", 0), "scores") == (12, -3, 0)
    with pytest.raises(ReadError) as caught:
        read_integers(Part("scores=12,,0", "12,,0", 7), "scores")
    assert caught.value.at == 10


# rule sets


OPTIONS = {
    "slow": Option("switch", "a slower game", "the book"),
    "fast": Option("switch", "a faster game", "the book"),
    "cards": Option("number", "cards dealt", "the book", 1, 9),
    "name": Option("text", "its name", "nobody"),
}
EDITIONS = {
    "first": {"cards": 6, "fast": False, "name": "x", "slow": True},
    "second": {"cards": 5, "fast": True, "name": "x", "slow": True},
}


@pytest.mark.parametrize(
    ("text", "written"),
    [
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
    for asked in (text, written):
        edition, values, _ = read_rules(asked, EDITIONS, OPTIONS)
        assert f"game/{format_rules(edition, values, EDITIONS[edition], OPTIONS)}" == written
    assert EDITIONS["first"]["cards"] == 6  # what is read is a copy


# policies


FAMILIES = (
    Family("random", 0, "as it comes"),
    Family("threshold", 1, "quits at T or less", "T", 0, 20),
)


def test_a_name_reads_back() -> None:
    for name in ("random", "threshold:0", "threshold:20"):
        assert read_policy(name, FAMILIES).name == name
    assert read_policy("threshold:007", FAMILIES) == Policy(FAMILIES[1], 7)


ALL = [(name, family) for name in GAMES for family in game_of(name).families]


@pytest.mark.parametrize(("game", "family"), ALL, ids=lambda x: getattr(x, "name", x))
def test_usage_and_bounds_are_what_is_read(game: str, family: Family) -> None:
    families = game_of(game).families
    if "[" in family.usage or ":" not in family.usage:
        assert read_policy(family.name, families).family is family
    assert bool(family.bounds) == (":" in family.usage)
    for name, low, high in re.findall(r"(\w+)(?: from)? (-?\d+) to (-?\d+)", family.bounds):
        assert int(low) < int(high)
        key = f"{name}=" if family.allowed and name.islower() else ""
        key = key or ("steal=" if name == "WEIGHT" else "")
        for bound in (low, high):
            read_policy(f"{family.name}:{key}{bound}", families)
        with pytest.raises(ReadError, match=rf"expected .*\b{high}\b"):
            read_policy(f"{family.name}:{key}{int(high) + 1}", families)


# errors


def test_exit_codes_are_the_agreed_ones() -> None:
    kinds = {ReadError: 2, ImpossibleError: 3, NothingToDecideError: 3, LimitError: 4}
    assert {kind: kind.exit_code for kind in kinds} == kinds
    assert all(issubclass(kind, LamaOddsError) for kind in kinds)


def test_what_an_error_says() -> None:
    """With a caret under its character, all defects, and all hints."""
    assert str(ReadError("no edition", hints=["  known: a, b"])) == "no edition\n  known: a, b"
    for at in (0, 3, 8):
        assert str(ReadError("bad", "hand=25X", at)) == f"bad\n  hand=25X\n  {' ' * at}^"
    assert str(ReadError("nothing", "")) == "nothing\n  \n  ^"
    error = ImpossibleError("this position", iter(["one", "two"]))  # type: ignore[arg-type]
    assert str(error) == "this position cannot occur:\n  - one\n  - two"
    over = NothingToDecideError("this position", ["the round is over"])
    assert str(over) == "this position leaves nothing to decide:\n  - the round is over"


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


def test_near_names_are_offered_at_most_three_or_all() -> None:
    known = ("amigo", "egmont", "gigamic")
    assert near_names("amgio", known) == ("  did you mean amigo?",)
    assert near_names("GIGAMC", known) == ("  did you mean gigamic?",)
    assert near_names("zzz", known) == near_names("", known) == ("  known: amigo, egmont, gigamic",)
    assert near_names("zzz", ()) == ()
    (hint,) = near_names("aaaa", [f"aaaa{n}" for n in range(9)])
    assert hint.count("aaaa") == 3


# estimates and answers


def test_an_estimate_has_the_agreed_keys_and_comes_back_from_them() -> None:
    estimate = Estimate(0.5, 0.1, 0.3, 0.7, 25, "simulation")
    assert list(estimate.to_json().items()) == [
        *(("value", 0.5), ("stderr", 0.1), ("low", 0.3), ("high", 0.7), ("n", 25)),
        ("method", "simulation"),
    ]
    for found in (estimate, exact(3, 0.25)):
        assert Estimate.from_json(found.to_json()) == found


def test_an_exact_value_is_its_own_interval_or_has_its_bound() -> None:
    assert exact(3) == Estimate(3.0, 0.0, 3.0, 3.0, 0, "exact")
    assert exact(3, 0.25) == Estimate(3.0, 0.0, 2.75, 3.25, 0, "exact")
    assert Estimate.from_interval(1.0, 0.0, 0.5, 2.0, 0).method == "exact"
    assert str(exact(-0.0).value) == "0.0"


def test_an_interval_of_so_many_errors() -> None:
    estimate = Estimate.normal(1.0, 0.5, 9, 2.0)
    assert estimate == Estimate(1.0, 0.5, 0.0, 2.0, 9, "simulation")
    assert estimate == Estimate.from_half(1.0, 0.5, 1.0, 9)
    assert estimate.with_half(3.0) == Estimate(1.0, 0.5, -2.0, 4.0, 9, "simulation")


def test_errors_of_a_mean_go_together_and_those_of_a_difference_do_not() -> None:
    first, second = Estimate.from_half(5.0, 3.0, 6.0, 70), Estimate.from_half(1.0, 4.0, 8.0, 60)
    assert Estimate.mean([first, second]) == Estimate.from_half(3.0, 3.5, 7.0, 60)
    assert Estimate.difference(first, second) == Estimate.from_half(4.0, 5.0, 10.0, 60)


def test_a_share_stays_within_0_and_1() -> None:
    assert Estimate.share(1 + 1e-12, 0) == exact(1)
    assert Estimate.share(0.01, 100).low == 0
    assert Estimate.share(0.5, 100).high == pytest.approx(0.5 + 1.96 * 0.05)


def test_what_is_not_0_is_never_shown_as_0() -> None:
    found = [percent(exact(value)) for value in (0.0, 4e-5, 6e-5, 0.5, 1 - 6e-5, 1 - 4e-5, 1.0)]
    ends = ["0 %", "<0.01 %", "0.01 %", "50.00 %", "99.99 %", ">99.99 %", "100 %"]
    assert found == ends
    assert number(Estimate.from_half(1.0, 1e-6, 3e-6, 100)) == "1.000000 ± 0.000003"
    assert digits_for(1e-20, 2) == 9


def test_numbers_have_the_digits_that_they_deserve() -> None:
    def about(value: float, half: float) -> Estimate:
        return Estimate.from_half(value, half / 2, half, 100)

    places = [wording.ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)]
    assert places == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"]
    assert [wording.first_digit(half) for half in (2, 1, 0.99, 0.1, 0.01, 0.009)] == [
        0,
        0,
        1,
        1,
        2,
        3,
    ]
    for found, told in (
        *((wording.rounded(-0.04, 1), "0.0"), (wording.rounded(-0.06, 1), "-0.1")),
        *((wording.signed(-0.04, 1), "+0.0"), (wording.signed(-1.26, 1), "-1.3")),
        *((wording.trimmed(2.0, 2), "2"), (wording.trimmed(-2.5, 1), "\u22122.5")),
        *((wording.significant(0.0456), "0.046"), (wording.significant(1e-7), "0.0001")),
        *((wording.significant(0.0), "0"), (wording.significant(1234.5, 3), "1.23e+03")),
        *((wording.brief(about(5.239, 0.3)), "5.2"), (wording.brief(exact(5.239)), "5.24")),
        *((wording.brief(about(0.523, 0.02), True), "52 %"), (wording.brief(exact(0)), "0")),
        *((wording.size(about(-0.004, 0.3)), "0.004"), (wording.size(about(-7, 0.05)), "7.00")),
        *((wording.error(about(1, 0.034)), "± 0.03"), (wording.error(about(1, 3.4)), "± 3")),
        (wording.widest([about(1, 0.034), about(2, 0.05)], True), "± 5 %"),
        *((wording.with_error(about(-1.234, 0.05)), "\u22121.23 ± 0.05"),),
        *((wording.with_error(about(1.234, 0.5)), "1.2 ± 0.5"),),
        *((wording.with_error(about(0.01234, 0.00002), True), "1.234 ± 0.002 %"),),
        *((wording.size_with_error(about(-1.234, 0.5)), "1.2 ± 0.5"),),
        *((wording.percentage(about(0.5, 0.02)), "50.0 ± 2.0"),),
        *((number(about(1.5, 0.02)), "1.50 ± 0.02"), (number(exact(1.25)), "1.25")),
        (wording.listed(["a", "b", "c"]) + wording.listed(["a", "b"], "or"), "a, b and ca or b"),
        *((wording.counted(1, "tile"), "1 tile"), (wording.counted(0, "tile"), "no tiles")),
    ):
        assert found == told
