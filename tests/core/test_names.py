"""Names of rules and policies, words and numbers of positions, errors, estimates."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from lama_odds.core.plain import Plain
from lama_odds.core.policies import Family, Policy, read_policy
from lama_odds.core.rulesets import Option, format_rules, read_rules
from lama_odds.core.wording import digits_for, number, percent
from lama_odds.games.dice.policies import FAMILIES as DICE
from lama_odds.games.registry import GAMES, game_of

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


FAMILIES = (
    Family("random", 0, "as it comes"),
    Family("threshold", 1, "quits at T or less", "T", 0, 20),
)


@pytest.mark.parametrize("name", ["random", "threshold:0", "threshold:20"])
def test_a_name_reads_back(name: str) -> None:
    assert read_policy(name, FAMILIES).name == name


def test_a_parameter_is_kept() -> None:
    assert read_policy("threshold:7", FAMILIES) == Policy(FAMILIES[1], 7)
    assert read_policy("threshold:007", FAMILIES).name == "threshold:7"
    assert read_policy("random", FAMILIES) == Policy(FAMILIES[0], 0)


def test_usage_names_the_parameter() -> None:
    assert [family.usage for family in FAMILIES] == ["random", "threshold:T"]


@pytest.mark.parametrize(
    ("name", "told", "at"),
    [
        ("", "unknown policy ''", 0),
        ("Random", "unknown policy 'Random'", 0),
        ("treshold:5", "unknown policy 'treshold'", 0),
        ("threshold", "needs its parameter: threshold:T", 9),
        ("threshold:", "whole number", 10),
        ("threshold:x", "whole number", 10),
        ("threshold:5.0", "whole number", 10),
        ("threshold:5:5", "whole number", 10),
        ("threshold:21", "0 to 20", 10),
        ("threshold:-1", "0 to 20", 10),
        ("threshold: 5", "whole number", 10),
        ("random:3", "random without a parameter", 7),
        ("random:", "random without a parameter", 7),
    ],
)
def test_a_name_that_cannot_be_read(name: str, told: str, at: int) -> None:
    with pytest.raises(ReadError) as caught:
        read_policy(name, FAMILIES)
    assert told in str(caught.value)
    assert (caught.value.text, caught.value.at) == (name, at)


def test_near_names_are_offered() -> None:
    with pytest.raises(ReadError) as caught:
        read_policy("treshold:5", FAMILIES)
    assert caught.value.hints == ("  did you mean threshold?",)


def test_the_reference_policies_are_there() -> None:
    assert {"random", "threshold:T"} <= {family.usage for family in DICE}
    assert len({family.code for family in DICE}) == len(DICE)
    for family in DICE:
        needed = family.parameter and family.default is None
        name = f"{family.name}:{family.low}" if needed else family.name
        assert read_policy(name, DICE).name == name


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


def test_the_keys_are_the_agreed_ones() -> None:
    estimate = Estimate(0.5, 0.1, 0.3, 0.7, 25, "simulation")
    assert list(estimate.to_json().items()) == [
        ("value", 0.5),
        ("stderr", 0.1),
        ("low", 0.3),
        ("high", 0.7),
        ("n", 25),
        ("method", "simulation"),
    ]


def test_an_exact_value_is_its_own_interval() -> None:
    assert exact(3).to_json() == {
        "value": 3.0,
        "stderr": 0.0,
        "low": 3.0,
        "high": 3.0,
        "n": 0,
        "method": "exact",
    }


def test_a_bound_widens_the_interval() -> None:
    estimate = exact(3, 0.25)
    assert (estimate.low, estimate.value, estimate.high) == (2.75, 3, 3.25)
    assert (estimate.stderr, estimate.method) == (0, "exact")


def test_there_is_no_negative_zero() -> None:
    estimate = exact(-0.0)
    assert [str(number) for number in (estimate.value, estimate.low, estimate.high)] == ["0.0"] * 3


def test_an_interval_of_so_many_errors() -> None:
    estimate = Estimate.normal(1.0, 0.5, 9, 2.0)
    assert estimate == Estimate(1.0, 0.5, 0.0, 2.0, 9, "simulation")
    assert estimate == Estimate.from_half(1.0, 0.5, 1.0, 9)
    assert estimate == Estimate.from_interval(1.0, 0.5, 0.0, 2.0, 9)


def test_what_rests_on_no_games_is_exact() -> None:
    assert Estimate.from_interval(1.0, 0.0, 0.5, 2.0, 0).method == "exact"


def test_errors_of_a_mean_go_together_and_those_of_a_difference_do_not() -> None:
    first, second = Estimate.from_half(5.0, 3.0, 6.0, 70), Estimate.from_half(1.0, 4.0, 8.0, 60)
    assert Estimate.mean([first, second]) == Estimate.from_half(3.0, 3.5, 7.0, 60)
    assert Estimate.difference(first, second) == Estimate.from_half(4.0, 5.0, 10.0, 60)


def test_another_interval_leaves_the_rest() -> None:
    found = Estimate.from_half(5.0, 3.0, 6.0, 70)
    assert found.with_half(1.0) == Estimate(5.0, 3.0, 4.0, 6.0, 70, "simulation")
    assert found.with_interval(0.0, 9.0) == Estimate(5.0, 3.0, 0.0, 9.0, 70, "simulation")


def test_an_estimate_comes_back_from_its_json() -> None:
    for found in (exact(3, 0.25), Estimate.from_half(5.0, 3.0, 6.0, 70)):
        assert Estimate.from_json(found.to_json()) == found


@dataclass(frozen=True)
class Inner(Plain):
    """A part of an answer."""

    KEYS = "name size=length"

    name: str

    @property
    def length(self) -> int:
        """Of the name."""
        return len(self.name)


@dataclass(frozen=True)
class Outer(Plain):
    """An answer: keys in an order of their own, from parts of it, and some that may be missing."""

    KEYS = "chance parts first=best.name names=parts.name more? note? seen"

    parts: tuple[Inner, ...]
    best: Inner
    chance: Estimate
    more: dict[str, Inner]
    seen: bool = False
    note: str | None = None


def test_an_answer_has_the_keys_that_it_declares() -> None:
    short, long = Inner("a"), Inner("bcd")
    found = Outer((short, long), long, exact(0.25), {}).to_json()
    assert list(found) == ["chance", "parts", "first", "names", "seen"]
    assert found["chance"] == exact(0.25).to_json()
    assert found["parts"] == [{"name": "a", "size": 1}, {"name": "bcd", "size": 3}]
    assert (found["first"], found["names"], found["seen"]) == ("bcd", ["a", "bcd"], False)
    given = Outer((), short, exact(0.0), {"x": long}, note="n").to_json()
    assert given["more"] == {"x": {"name": "bcd", "size": 3}}
    assert (given["note"], given["names"]) == ("n", [])


def test_exact_chances_near_the_ends_are_not_rounded_to_them() -> None:
    found = [percent(exact(value)) for value in (0.0, 4e-5, 6e-5, 0.5, 1 - 6e-5, 1 - 4e-5, 1.0)]
    ends = ["0 %", "<0.01 %", "0.01 %", "50.00 %", "99.99 %", ">99.99 %", "100 %"]
    assert found == ends


def test_a_half_width_is_never_shown_as_0() -> None:
    assert number(Estimate.from_half(1.0, 1e-6, 3e-6, 100)) == "1.000000 ± 0.000003"
    assert digits_for(1e-20, 2) == 9
