"""Rule sets of the card games: ids and their canonical form, options, refusals, numbers."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.core.errors import ReadError
from lama_odds.games.lama.ruleset import EDITIONS, NAMES, OPTIONS, parse_rules
from tests.games.lama.checker import cost, purse
from tests.games.lama.table import counts

repeatable = settings(derandomize=True, deadline=None, max_examples=200)

# Another value than any edition's, for each option that goes with all of them.
OTHER = {
    "black": ("7", 7),
    "copies": ("6", 6),
    "dealt": ("5", 5),
    "llama_points": ("15", 15),
    "llamas": ("9", 9),
    "plus": ("2", 2),
    "points": ("2.4.6.8.10.12", (2, 4, 6, 8, 10, 12)),
    "target": ("50", 50),
}
SWITCHES = ("drama", "twenty")
# Those that go with some only.
WITH = {
    "drama_tokens": ("lama/{}+drama+drama_tokens=3", 3),
    "llama_each": ("lama/{}+llama_each", True),
    "pink": ("lama/{}+pink=30+twenty", 30),
    "pink_adds": ("lama/{}+pink_adds+pink_llamas=2", True),
    "pink_llamas": ("lama/{}+pink_llamas=2", 2),
    "pink_points": ("lama/{}+pink_llamas=2+pink_points=25", 25),
    "starter": ("lama/{}+starter={}", None),
}
BOUNDS = {
    "black": (2, 1000),
    "copies": (1, 12),
    "dealt": (1, 12),
    "drama_tokens": (1, 20),
    "llama_points": (1, 40),
    "llamas": (0, 12),
    "pink": (2, 1000),
    "pink_llamas": (0, 4),
    "pink_points": (1, 80),
    "plus": (0, 4),
    "target": (1, 1000),
}


def refused(text: str) -> ReadError:
    """The error that refuses an id."""
    with pytest.raises(ReadError) as caught:
        parse_rules(text)
    assert caught.value.exit_code == 2
    return caught.value


def test_the_numbers_of_the_rule_books() -> None:
    cards = {"egmont": (8, 0, 7, 0, 55), "amigo": (8, 0, 8, 0, 56), "party": (7, 1, 7, 1, 56)}
    assert set(cards) == set(EDITIONS)
    for edition, (copies, plus, llamas, pink, size) in cards.items():
        rules = parse_rules(f"lama/{edition}")
        assert rules.id == f"lama/{edition}"
        assert rules.deck == (copies, plus) * 6 + (llamas, pink)
        assert sum(rules.deck) == size
        assert (rules.dealt, rules.players, rules.target) == (6, range(2, 7), 40)
        assert (rules.points, rules.llama_points) == ((1, 2, 3, 4, 5, 6), 10)
        assert (rules.black, rules.pink, rules.twenty) == (10, 20, edition == "party")
        assert rules.starter == ("last_actor" if edition == "amigo" else "rotate")
        assert {rules.drama, rules.llama_each, rules.pink_adds} == {False}
    assert " ".join(NAMES) == "1 1+ 2 2+ 3 3+ 4 4+ 5 5+ 6 6+ L P"


def test_every_option_is_tested_here() -> None:
    assert {*OTHER, *SWITCHES, *WITH, "pink_drama"} == set(OPTIONS)
    assert set(BOUNDS) == {name for name, option in OPTIONS.items() if option.kind == "number"}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", OTHER)
def test_an_option_is_read_kept_and_written(edition: str, name: str) -> None:
    written, value = OTHER[name]
    rules = parse_rules(f"lama/{edition}+{name}={written}")
    assert rules.id == f"lama/{edition}+{name}={written}"
    assert getattr(rules, name) == rules.values[name] == value
    assert replace(rules, **{name: EDITIONS[edition][name]}) == parse_rules(f"lama/{edition}")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", WITH)
def test_an_option_that_needs_company(edition: str, name: str) -> None:
    text, value = WITH[name]
    other = "rotate" if edition == "amigo" else "last_actor"
    text = text.format(edition, other)
    if edition == "party" and name == "llama_each":
        text += "+pink_llamas=0"
    rules = parse_rules(text)
    assert getattr(rules, name) == (value or other)
    assert rules.id == (text.replace("+twenty", "") if edition == "party" else text)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_is_on_off_or_left_as_it_is(edition: str, name: str) -> None:
    default = EDITIONS[edition][name]
    for written, value in (("", True), ("=on", True), ("=off", False)):
        rules = parse_rules(f"lama/{edition}+{name}{written}")
        assert getattr(rules, name) is value
        shown = f"+{name}" if value else f"+{name}=off"
        assert rules.id == f"lama/{edition}" + ("" if value == default else shown)


@repeatable
@given(
    st.sampled_from(sorted(EDITIONS)),
    st.sets(st.sampled_from(sorted([*OTHER, *SWITCHES]))),
    st.randoms(use_true_random=False),
)
def test_the_canonical_form_is_alphabetical_and_reads_back(
    edition: str, names: set[str], rng: random.Random
) -> None:
    words = [f"{name}={OTHER[name][0]}" if name in OTHER else name for name in sorted(names)]
    changed = [word for word in words if EDITIONS[edition].get(word) is not True]
    rng.shuffle(words)
    rules = parse_rules("+".join([f"lama/{edition}", *words]))
    assert rules.id == "+".join([f"lama/{edition}", *changed])
    assert parse_rules(rules.id) == rules


@pytest.mark.parametrize("edition", EDITIONS)
def test_defaults_are_left_out(edition: str) -> None:
    words = []
    for name, option in OPTIONS.items():
        value = EDITIONS[edition][name]
        shown = "on" if value is True else "off" if value is False else option.write(value)
        if name != "pink_drama" or EDITIONS[edition]["pink_llamas"]:  # else nobody may ask for it
            words.append(f"{name}={shown}")
    assert parse_rules("+".join([f"lama/{edition}", *words])).id == f"lama/{edition}"


@pytest.mark.parametrize(("name", "bounds"), BOUNDS.items())
def test_numbers_have_bounds(name: str, bounds: tuple[int, int]) -> None:
    low, high = bounds
    for value in (low - 1, high + 1, -low - 1, 10**30):
        error = refused(f"lama/party+{name}={value}")
        assert name in str(error)
        assert error.at == len(f"lama/party+{name}=")
    # At the bounds only the company of other options can be wrong.
    company = {"black": "+twenty=off", "pink": "+black=2", "drama_tokens": "+drama"}
    for value in (low + 1, high) if name == "pink" else bounds:
        rules = parse_rules(f"lama/party+{name}={value}{company.get(name, '')}")
        assert getattr(rules, name) == value


@pytest.mark.parametrize(
    ("text", "told", "at"),
    [
        ("lama", "which edition", 4),
        ("lama/polish", "unknown edition 'polish'", 5),
        ("lama/egmnt", "egmont", 5),
        ("lama/egmont+drana", "drama", 12),
        ("lama/egmont+faces=1LL", "unknown option 'faces'", 12),
        ("lama/egmont+lama_each", "llama_each", 12),
        ("lama/egmont+drama+Drama", "unknown option 'Drama'", 18),
        ("lama/egmont+", "unknown option ''", 12),
        ("lama/egmont+twenty=1", "on or off", 19),
        ("lama/egmont+target", "target=value", 18),
        ("lama/egmont+target=4O", "whole number", 19),
        ("lama/egmont+drama+drama=off", "given twice", 18),
        ("lama/egmont+points=1.2.3.4.5", "six numbers", 19),
        ("lama/egmont+points=1.2.3.4.5.41", "six numbers", 19),
        ("lama/egmont+points=1.2.x.4.5.6", "whole number", 23),
        ("lama/egmont+starter=last", "rotate or last_actor", 20),
        ("lama/egmont+starter", "starter=value", 19),
    ],
)
def test_an_id_that_cannot_be_read(text: str, told: str, at: int) -> None:
    error = refused(text)
    assert told in "\n".join([str(error), *error.hints])
    assert (error.text, error.at) == (text, at)


@pytest.mark.parametrize(
    ("text", "option", "reason"),
    [
        ("lama/party+llama_each", "llama_each", "not defined"),
        ("lama/egmont+llama_each+pink_llamas=1", "llama_each", "not defined"),
        ("lama/egmont+pink_adds", "pink_adds", "no pink llama"),
        ("lama/egmont+pink_points=30", "pink_points", "no pink llama"),
        ("lama/party+pink_llamas=0+pink_points=30", "pink_points", "no pink llama"),
        ("lama/egmont+drama+pink_drama", "pink_drama", "no pink llama"),
        ("lama/egmont+pink_drama=off+pink_llamas=1", "pink_drama", "+drama"),
        ("lama/party+pink_drama=off", "pink_drama", "+drama"),
        ("lama/amigo+drama_tokens=3", "drama_tokens", "+drama"),
        ("lama/egmont+pink=30", "pink", "+twenty"),
        ("lama/party+pink=30+twenty=off", "pink", "+twenty"),
        ("lama/egmont+twenty+pink=10", "pink", "worth more"),
        ("lama/party+pink=9", "pink", "worth more"),
        ("lama/party+black=20", "black", "worth more"),
        ("lama/egmont+black=25+twenty", "black", "worth more"),
        ("lama/amigo+copies=1+llamas=6", "copies", "12 cards do not suffice"),
        ("lama/egmont+dealt=12+copies=2+llamas=12", "dealt", "24 cards do not suffice"),
        ("lama/party+copies=1+llamas=0+pink_llamas=0", "copies", "12 cards do not suffice"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused_with_the_reason(
    text: str, option: str, reason: str
) -> None:
    error = refused(text)
    assert f"option {option} makes no sense here" in str(error)
    assert reason in str(error)
    assert text[error.at :].startswith(option)


def test_the_same_options_make_sense_where_they_fit() -> None:
    for text in (
        "lama/party+llama_each+pink_llamas=0",
        "lama/egmont+pink_adds+pink_llamas=1+pink_points=30",
        "lama/party+drama+pink_drama=off",
        "lama/egmont+drama+pink_drama=off+pink_llamas=1",
        "lama/amigo+drama+drama_tokens=3",
        "lama/party+pink=11",
        "lama/party+black=25+twenty=off",
        "lama/amigo+copies=1+llamas=7",
        "lama/egmont+drama+llama_each+twenty",
    ):
        rules = parse_rules(text)
        assert parse_rules(rules.id) == rules


def test_players_are_as_many_as_the_cards_suffice_for() -> None:
    assert parse_rules("lama/egmont+dealt=12").players == range(2, 5)
    assert parse_rules("lama/egmont+dealt=9").players == range(2, 7)
    assert parse_rules("lama/amigo+copies=1+llamas=7").players == range(2, 3)
    assert parse_rules("lama/egmont+dealt=9+llamas=6").players == range(2, 6)


def test_the_pink_llama_counts_for_the_drama_by_default() -> None:
    assert parse_rules("lama/egmont+drama+pink_llamas=1").pink_drama


# Points and tokens, against the plain reading of the rules


@pytest.mark.parametrize(
    "text",
    [
        *("lama/egmont", "lama/egmont+llama_each", "lama/party", "lama/party+pink_adds"),
        "lama/party+llama_points=3+pink_llamas=3+pink_points=7+plus=3+points=6.5.4.3.2.1",
        "lama/egmont+llama_each+llama_points=2+plus=1+points=3.3.3.40.3.1",
    ],
)
def test_penalties_of_many_hands(text: str) -> None:
    rules, rng = parse_rules(text), random.Random(text)
    deck = [name for name, count in zip(NAMES, rules.deck, strict=True) for _ in range(count)]
    for size in [*range(1, 13)] * 20:
        hand = rng.sample(deck, size)
        packed = rules.pack(counts("".join(hand)))
        assert rules.penalty(counts("".join(hand))) == cost(rules, hand)
        assert rules.unpack(packed) == counts("".join(hand))


@pytest.mark.parametrize(
    "text",
    ["lama/egmont", "lama/party", "lama/amigo+black=7", "lama/party+black=6+pink=9"],
)
def test_the_best_and_the_least_token_of_any_score(text: str) -> None:
    rules = parse_rules(text)
    for score in range(200):
        tokens = purse(rules, score) or [0]
        assert (rules.token(score), rules.lowest_token(score)) == (tokens[0], tokens[-1])


def test_which_cards_count_for_the_drama() -> None:
    for name, kind in product(("lama/party", "lama/party+drama"), NAMES):
        assert parse_rules(name).pays(NAMES.index(kind)) is (kind in "LP" and "drama" in name)
    off = parse_rules("lama/party+drama+pink_drama=off")
    assert [kind for kind in NAMES if off.pays(NAMES.index(kind))] == ["L"]
