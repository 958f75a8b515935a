"""Chances of the next draw, of the others' hands and of the deal: by counting out every case."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from lama_odds.games.lama.game import GAME
from tests.games.cases import product_rules
from tests.games.lama.cases import cards_of, id_of, twin_rules
from tests.reference import lama as twin

POSITIONS = [
    ("egmont", {"llama_each": True}, "hand=3L top=6 opp=1,q1 pile=3 seen=LL5"),
    ("amigo", {"llamas": 9}, "hand=112 top=L opp=q1,2,6 seen=1111 pile=1"),
    ("party", {}, "hand=1+5P6 top=6+ opp=1,3"),
    ("party", {"pink_adds": True, "pink_llamas": 3}, "hand=5P top=P opp=2,1 seen=LL3+"),
    ("party", {"pink_points": 1}, "hand=LL4 top=3 opp=5,q1,1"),
    ("egmont", {"copies": 1, "dealt": 1, "llamas": 1}, "hand=3 top=L opp=1,2 pile=2"),
]
RARE = {"copies": 1, "dealt": 3, "plus": 1, "llamas": 2, "pink_llamas": 1}


def cards(text):
    """Give cards written as 33+5LP as those of the twin."""
    return [twin.CARDS[twin.NAMES.index(name)] for name in cards_of(text)]


def asked(edition, options, text):
    """Ask the product for odds, as numbers; all are exact."""
    rules = product_rules(id_of(edition, options))
    found = GAME.odds(rules, GAME.position(rules, text))
    assert {(e.method, e.stderr) for e in found.values()} <= {("exact", 0.0)}
    return {name: estimate.value for name, estimate in found.items()}


def drawing(table, unseen, hand, top):
    """Count out every card that could be drawn."""
    found = Counter(dict.fromkeys(("playable", "new kind", "llama", "raises", "keeps"), 0))
    values, now = {twin.VALUE_OF[card] for card in hand}, twin.penalty(table.rules, hand)
    for card in unseen:
        then = twin.penalty(table.rules, [*hand, card])
        found[f"draw {twin.NAME_OF[card]}"] += 1
        found["playable"] += bool(card & table.follows[top])
        found["new kind"] += twin.VALUE_OF[card] not in values
        found["llama"] += card in (twin.LLAMA, twin.PINK)
        found["raises" if then > now else "keeps"] += 1
        found[f"penalty {then}"] += 1
    return {name: Fraction(count, len(unseen)) for name, count in found.items()}


def holding(table, unseen, top, others):
    """Count out every hand of up to three cards that the others could hold."""
    found = {}
    for i, size in enumerate(others.split(","), 1):
        if size in ("1", "2", "3"):
            hands = list(combinations(unseen, int(size)))
            can = sum(any(card & table.follows[top] for card in hand) for hand in hands)
            found[f"opponent {i} playable"] = Fraction(can, len(hands))
            if size == "1":
                found[f"opponent {i} out"] = Fraction(can, len(hands))
    return found


@pytest.mark.parametrize(("edition", "options", "text"), POSITIONS)
def test_odds_count_out_every_card_unseen(edition, options, text):
    table = twin.Table(twin_rules(edition, options), (), 0)
    words = dict(word.split("=") for word in text.split())
    hand, (top,), left = cards(words["hand"]), cards(words["top"]), Counter(table.deck)
    left.subtract([*hand, top, *cards(words.get("seen", ""))])
    unseen = list(left.elements())
    expected = drawing(table, unseen, hand, top) | holding(table, unseen, top, words["opp"])
    found = asked(edition, options, text)
    large = {f"opponent {i} playable" for i in range(1, 6)} - expected.keys()
    assert found.keys() - large == expected.keys()
    for name, chance in expected.items():
        assert found[name] == pytest.approx(float(chance), abs=1e-12), name


@pytest.mark.parametrize("text", ["hand=33L top=4 opp=4,6 pile=0", "hand=33L top=4 opp=q4,q5"])
def test_no_chances_of_a_draw_that_cannot_be(text):
    found = asked("egmont", {}, text)
    assert not any(name.startswith(("draw", "penalty", "playable", "raises")) for name in found)
    assert ("opponent 1 playable" in found) == ("q" not in text)


def test_odds_say_so_where_the_cards_of_quitters_matter():
    rules = product_rules("lama/egmont")
    for others, told in (("q6,q6,q6,1", True), ("6,1", False), ("q6,q1", False)):
        position = GAME.position(rules, f"hand=34 top=6 opp={others}")
        assert bool(GAME.odds_rest_on(rules, position)) == told


def run_length(hand):
    """Most cards in a chain of values held, the llama between 6 and 1."""
    held = [sum(twin.VALUE_OF[card] == value for card in hand) for value in range(7)]
    chains = [(held * 2)[start : start + size] for start in range(7) for size in range(8)]
    return max(sum(chain) for chain in chains if all(chain))


@pytest.mark.parametrize(
    ("edition", "options"),
    [
        ("egmont", {"copies": 2, "dealt": 4, "llamas": 3}),
        ("egmont", {"copies": 1, "dealt": 3, "llamas": 5, "llama_each": True}),
        ("party", RARE | {"pink_adds": True, "pink_llamas": 3}),
        ("party", RARE | {"pink_points": 1, "points": (6, 5, 4, 3, 2, 1), "llamas": 0}),
        ("egmont", {"copies": 1, "dealt": 1, "llamas": 0}),
    ],
)
def test_the_deal_counts_out_every_hand(edition, options):
    rules = twin_rules(edition, options)
    hands = [list(hand) for hand in combinations(twin.full_deck(rules), rules.dealt)]
    counted = {
        "penalty": Counter(twin.penalty(rules, hand) for hand in hands),
        "kinds": Counter(len({twin.VALUE_OF[card] for card in hand}) for hand in hands),
        "llamas": Counter(sum(twin.VALUE_OF[card] == 6 for card in hand) for hand in hands),
        "run": Counter(run_length(hand) for hand in hands),
    }
    expected = {}
    for what, counter in counted.items():
        expected |= {f"{what} {at}": count / len(hands) for at, count in counter.items()}
        expected[f"mean {what}"] = sum(at * n for at, n in counter.items()) / len(hands)
    deal = GAME.deal_odds(product_rules(id_of(edition, options)))
    assert {name: e.value for name, e in deal.items()} == pytest.approx(expected, abs=1e-12)
    assert {(e.method, e.stderr) for e in deal.values()} == {("exact", 0.0)}
