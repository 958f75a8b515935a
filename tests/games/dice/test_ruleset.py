"""Rule sets of Lama Dice: ids, options, faces and numbers; rules on packed cards."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lama_odds.core.notation import Part
from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.position import pack_hand, unpack_hand
from lama_odds.games.dice.rules.ruleset import (
    DEFAULT_FACES,
    EDITIONS,
    DiceRules,
    pairings,
    parse_rules,
    read_faces,
)
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS, MAX_DICE, pack_roll
from lama_odds.games.shared.card_values import hands_of

# Editions


def test_the_numbers_of_the_rule_books() -> None:
    for edition in EDITIONS:
        rules = parse_rules(f"dice/{edition}")
        assert rules.id == f"dice/{edition}"
        assert rules.in_play == (6, 6, 6, 6, 6, 6, 7)
        assert sum(rules.in_play) == 43
        assert rules.dealt_from == (5, 5, 5, 5, 5, 5, 6)
        assert (rules.dealt, rules.players, rules.target) == (6, range(2, 7), 40)
        assert (rules.points, rules.llama_points) == ((1, 2, 3, 4, 5, 6), 10)
        assert (rules.black, rules.pink, rules.twenty) == (10, 20, False)
        assert (rules.dice, len(rules.rolls)) == (3, 216)
        assert rules.llama_safe_alone


def test_only_egmont_goes_on_with_an_empty_row() -> None:
    ends = {edition: parse_rules(f"dice/{edition}").empty_row_ends for edition in EDITIONS}
    assert ends == {"amigo": True, "gigamic": True, "egmont": False}


# Ids


def test_pink_goes_with_twenty() -> None:
    rules = parse_rules("dice/egmont+pink=30+twenty")
    assert (rules.pink, rules.id) == (30, "dice/egmont+pink=30+twenty")


def test_numbers_are_written_without_leading_zeros() -> None:
    assert parse_rules("dice/amigo+target=0050").id == "dice/amigo+target=50"
    assert parse_rules("dice/amigo+points=02.4.6.8.10.12").id.endswith("=2.4.6.8.10.12")


def test_the_same_options_make_sense_where_they_fit() -> None:
    for text in (
        "dice/egmont+twenty+pink=11",
        "dice/egmont+black=19+twenty",
        "dice/egmont+black=25",
        "dice/amigo+copies=2+llamas=7",
        "dice/amigo+dealt=6+copies=2",
    ):
        assert parse_rules(text).dealt


def test_players_are_as_many_as_the_cards_suffice_for() -> None:
    assert parse_rules("dice/amigo+dealt=12").players == range(2, 4)
    assert parse_rules("dice/amigo+dealt=7").players == range(2, 6)
    assert parse_rules("dice/amigo+dealt=12+copies=12+llamas=12").players == range(2, 7)


# Faces


def test_the_pairings_are_all_there_are() -> None:
    """By brute force: any three dice of four different numbers, each number on two of them."""
    numbers = ["".join(die) + "LL" for die in itertools.combinations("123456", 4)]
    fitting = {
        read_faces(Part("", ".".join(dice), 0))
        for dice in itertools.combinations_with_replacement(numbers, 3)
        if all("".join(dice).count(number) == 2 for number in "123456")
    }
    assert fitting == set(pairings())


def test_the_pairings_are_rule_sets() -> None:
    ids = [parse_rules(f"dice/amigo+faces={faces}").id for faces in pairings()]
    assert len(set(ids)) == 15
    assert "dice/amigo" in ids


@pytest.mark.parametrize("faces", pairings()[::7])
def test_faces_are_canonical_whatever_the_order(faces: str) -> None:
    canonical = parse_rules(f"dice/amigo+faces={faces}")
    for dice in itertools.permutations(faces.split(".")):
        for turned in (dice, [die[::-1] for die in dice], [die[2:] + die[:2] for die in dice]):
            assert parse_rules(f"dice/amigo+faces={'.'.join(turned)}") == canonical


@pytest.mark.parametrize(
    ("faces", "outcomes", "llamas"),
    [(DEFAULT_FACES, 216, 8), ("12.34LL", 8, 0), ("1L.1L.1L.1L.1L", 32, 1), ("123LLL", 6, 3)],
)
def test_rolls_are_all_outcomes_of_the_dice(faces: str, outcomes: int, llamas: int) -> None:
    rules = parse_rules(f"dice/amigo+faces={faces}")
    assert (rules.dice, len(rules.rolls)) == (faces.count(".") + 1, outcomes)
    assert sum(rules.sorted_rolls.values()) == outcomes
    assert rules.sorted_rolls[(6,) * rules.dice] == llamas
    by_hand = Counter(
        tuple(sorted("123456L".index(face) for face in roll))
        for roll in itertools.product(*rules.faces.split("."))
    )
    assert rules.sorted_rolls == by_hand


# Points and tokens


def penalty(rules: DiceRules, cards: str) -> int:
    """Penalty of cards, through the table of the rule set."""
    return int(rules.penalties[sum(1 << "123456L".index(card) for card in set(cards))])


def test_penalties_follow_the_options() -> None:
    rules = parse_rules("dice/amigo+llama_points=15+points=6.5.4.3.2.1")
    assert penalty(rules, "16L") == 6 + 1 + 15


@pytest.mark.parametrize(("counts", "size"), [((5,) * 6 + (6,), 6), ((2, 0, 1, 3, 0, 0, 1), 3)])
def test_hands_are_counted_with_their_ways(counts: tuple[int, ...], size: int) -> None:
    hands = hands_of(counts, size)
    assert sum(ways for _, ways in hands) == math.comb(sum(counts), size)
    assert len({hand for hand, _ in hands}) == len(hands)
    for hand, ways in hands:
        assert len(hand) == KINDS
        assert sum(hand) == size
        assert ways == math.prod(map(math.comb, counts, hand))


# Rules on packed cards

HANDS = st.tuples(*[st.integers(0, 15)] * KINDS)
ROLLS = st.lists(st.integers(0, KINDS - 1), min_size=1, max_size=MAX_DICE).map(tuple)


@given(HANDS, ROLLS)
def test_each_die_discards_a_card_of_its_kind_if_there_is_one(
    hand: tuple[int, ...], roll: tuple[int, ...]
) -> None:
    most = transition.most_discarded(pack_hand(hand), pack_roll(roll))
    expected = tuple(min(held, roll.count(kind)) for kind, held in enumerate(hand))
    assert unpack_hand(int(most)) == expected


@given(HANDS)
def test_kinds_held(hand: tuple[int, ...]) -> None:
    expected = sum(1 << kind for kind, held in enumerate(hand) if held)
    assert transition.kinds_of(pack_hand(hand)) == expected


def test_masks_of_kinds() -> None:
    for mask in range(1, FULL_ROW + 1):
        kinds = [kind for kind in range(KINDS) if mask >> kind & 1]
        assert transition.lowest_kind(mask) == kinds[0]
        assert transition.row_cards(mask) == pack_hand(tuple(mask >> k & 1 for k in range(KINDS)))
