"""Rule sets of the card games: ids and their canonical form, options, refusals, numbers."""

from __future__ import annotations

import random
from itertools import product

import pytest

from lama_odds.games.lama.rules.ruleset import EDITIONS, NAMES, parse_rules
from tests.games.lama.table import cost, counts, purse

# Options that go with some editions only.
WITH = {
    "drama_tokens": ("lama/{}+drama+drama_tokens=3", 3),
    "llama_each": ("lama/{}+llama_each", True),
    "pink": ("lama/{}+pink=30+twenty", 30),
    "pink_adds": ("lama/{}+pink_adds+pink_llamas=2", True),
    "pink_llamas": ("lama/{}+pink_llamas=2", 2),
    "pink_points": ("lama/{}+pink_llamas=2+pink_points=25", 25),
    "starter": ("lama/{}+starter={}", None),
}


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


@pytest.mark.parametrize("options", ["", "+llama_each"])
@pytest.mark.parametrize("edition", ["egmont", "amigo"])
def test_no_hand_costs_more_than_all_cards(edition: str, options: str) -> None:
    rules = parse_rules(f"lama/{edition}{options}")
    assert rules.most_points == rules.penalty(rules.deck)


@pytest.mark.parametrize("rules_id", ["lama/party", "lama/egmont+pink_llamas=2+pink_points=25"])
def test_the_bound_is_at_most_a_llama_too_high_with_pink_llamas(rules_id: str) -> None:
    rules = parse_rules(rules_id)
    dearest = rules.penalty(rules.deck)
    assert dearest <= rules.most_points <= dearest + rules.llama_points
