"""Chances of the next draw, of the others' hands and of the deal: by counting out every case."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace

import pytest

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.rules.odds import longest_run
from tests.games.cases import product_rules
from tests.games.lama.cases import id_of, twin_rules
from tests.games.lama.table import ORDER, cards_of, cost, fits
from tests.reference import lama as twin

POSITIONS = [
    ("egmont", {}, "hand=33L top=4 opp=4,q2,6,1"),
    ("egmont", {"llama_each": True}, "hand=3L top=6 opp=1,1 pile=3 seen=LL5"),
    ("amigo", {"llamas": 9}, "hand=112 top=L opp=q1,2 seen=1111 pile=1"),
    ("party", {}, "hand=1+5P6 top=6+ opp=1,3"),
    ("party", {"pink_adds": True, "pink_llamas": 3}, "hand=5P top=P opp=2,1 seen=LL3+"),
    ("party", {"pink_points": 1}, "hand=LL4 top=3 opp=5,q1,1"),
    ("egmont", {"copies": 1, "dealt": 1, "llamas": 1}, "hand=3 top=L opp=1,2 pile=2"),
]
RARE = {"copies": 1, "dealt": 3, "plus": 1, "llamas": 2, "pink_llamas": 1}


def deck_of(edition, options):
    """List the cards of a deck by name."""
    return [twin.NAME_OF[card] for card in twin.full_deck(twin_rules(edition, options))]


def unseen_of(deck, text):
    """Take what a position shows out of a deck."""
    words = dict(word.split("=") for word in text.split())
    left = Counter(deck)
    for name in ("hand", "top", "seen"):
        left.subtract(cards_of(words.get(name, "")))
    assert min(left.values()) >= 0
    return list(left.elements()), words


def asked(edition, options, text):
    """Ask the product for odds, as numbers; all are exact."""
    rules = product_rules(id_of(edition, options))
    found = GAME.odds(rules, GAME.position(rules, text))
    assert {(e.method, e.stderr) for e in found.values()} <= {("exact", 0.0)}
    return {name: estimate.value for name, estimate in found.items()}


def value(card):
    """A card's value: P is a llama, a plus card its number."""
    return "L" if card == "P" else card[0]


def drawing(rules, unseen, words):
    """Count out every card that could be drawn."""
    hand, top = cards_of(words["hand"]), words["top"]
    found = Counter(dict.fromkeys(("playable", "new kind", "llama", "raises", "keeps"), 0))
    now = cost(rules, hand)
    for card in unseen:
        then = cost(rules, [*hand, card])
        found[f"draw {card}"] += 1
        found["playable"] += fits(card, top)
        found["new kind"] += value(card) not in map(value, hand)
        found["llama"] += card in "LP"
        found["raises" if then > now else "keeps"] += 1
        found[f"penalty {then}"] += 1
    return {name: Fraction(count, len(unseen)) for name, count in found.items()}


def holding(unseen, words):
    """Count out every hand that the others could hold."""
    found = {}
    for i, cards in enumerate(words["opp"].split(","), 1):
        if cards.startswith("q") or int(cards) > 3:
            continue
        hands = list(combinations(unseen, int(cards)))
        can = sum(any(fits(card, words["top"]) for card in hand) for hand in hands)
        found[f"opponent {i} playable"] = Fraction(can, len(hands))
        if cards == "1":
            found[f"opponent {i} out"] = Fraction(can, len(hands))
    return found


@pytest.mark.parametrize(("edition", "options", "text"), POSITIONS)
def test_odds_count_out_every_card_unseen(edition, options, text):
    unseen, words = unseen_of(deck_of(edition, options), text)
    rules = SimpleNamespace(**vars(twin_rules(edition, options)))
    expected = drawing(rules, unseen, words) | holding(unseen, words)
    found = asked(edition, options, text)
    large = {f"opponent {i} playable" for i in range(1, 6)} - expected.keys()
    assert found.keys() - large == expected.keys()
    for name, chance in expected.items():
        assert found[name] == pytest.approx(float(chance), abs=1e-12), name
    for start in ("draw ", "penalty "):
        listed = [chance for name, chance in found.items() if name.startswith(start)]
        assert sum(listed) == pytest.approx(1, abs=1e-12)
    assert found["raises"] + found["keeps"] == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("text", ["hand=33L top=4 opp=4,6 pile=0", "hand=33L top=4 opp=q4,q5"])
def test_no_chances_of_a_draw_that_cannot_be(text):
    found = asked("egmont", {}, text)
    assert not any(name.startswith(("draw", "penalty", "playable", "raises")) for name in found)
    assert ("opponent 1 playable" in found) == ("q" not in text)


@pytest.mark.long
def test_chances_beside_the_draw_are_those_of_odds():
    rules = product_rules("lama/party")
    text = "hand=1+5P6 top=6+ opp=1,3"
    position = GAME.position(rules, text)
    answer = advise(GAME, rules, position, objective="points", limits=Limits(games=1_000))
    beside = next(action.chances for action in answer.actions if action.action == "draw")
    found = asked("party", {}, text)
    for name in ("playable", "new kind", "llama", "raises"):
        assert beside[name].value == found[name]
        assert beside[name].method == "exact"
    assert "playable" not in next(a.chances for a in answer.actions if a.action == "quit")


def test_who_has_quit_makes_cards_of_one_kind_less_likely_to_come():
    rules = product_rules("lama/egmont")
    position = GAME.position(rules, "hand=34 top=6 opp=q6,q6,q6,1 pile=1")
    opponents = GAME.policy("threshold:6")
    answer = advise(GAME, rules, position, opponents=opponents, limits=Limits(games=1_000))
    beside = next(action.chances for action in answer.actions if action.action == "draw")
    counted = GAME.odds(rules, position)
    # They hold what costs little: more llamas and 6s are left than among all cards not seen.
    for name in ("playable", "llama"):
        assert beside[name].value > 1.2 * counted[name].value
        assert beside[name].method == "exact"
    assert GAME.odds_rest_on(rules, position)
    for text in ("hand=34 top=6 opp=6,1", "hand=34 top=6 opp=q6,q1"):
        assert GAME.odds_rest_on(rules, GAME.position(rules, text)) == ()


def run_length(hand):
    """Most cards in a chain of values held, the llama between 6 and 1."""
    held = [sum(value(card) == v for card in hand) for v in ORDER]
    chains = [(held * 2)[start : start + size] for start in range(7) for size in range(8)]
    return max(sum(chain) for chain in chains if all(chain))


def test_any_run_is_the_longest_chain():
    assert run_length(["6", "6+", "P", "1", "3"]) == 4
    rng = random.Random(1)
    for _ in range(500):
        held = [rng.choice((0, 0, 1, 2, 3)) for _ in ORDER]
        hand = [v for v, count in zip(ORDER, held, strict=True) for _ in range(count)]
        assert longest_run(held) == run_length(hand)


def counted(rules, hands):
    """Count hands by what the deal says of them."""
    found = {name: Counter() for name in ("penalty", "kinds", "llamas", "run")}
    for hand in hands:
        found["penalty"][cost(rules, list(hand))] += 1
        found["kinds"][len(set(map(value, hand)))] += 1
        found["llamas"][sum(card in "LP" for card in hand)] += 1
        found["run"][run_length(hand)] += 1
    return found


@pytest.mark.parametrize(
    ("edition", "options"),
    [
        ("egmont", {"copies": 2, "dealt": 4, "llamas": 3}),
        ("egmont", {"copies": 1, "dealt": 3, "llamas": 5, "llama_each": True}),
        ("party", RARE),
        ("party", RARE | {"pink_adds": True, "pink_llamas": 3}),
        ("party", RARE | {"pink_points": 1, "points": (6, 5, 4, 3, 2, 1), "llamas": 0}),
        ("egmont", {"copies": 1, "dealt": 1, "llamas": 0}),
    ],
)
def test_the_deal_counts_out_every_hand(edition, options):
    rules = SimpleNamespace(**vars(twin_rules(edition, options)))
    hands = list(combinations(deck_of(edition, options), rules.dealt))
    deal = GAME.deal_odds(product_rules(id_of(edition, options)))
    names = set()
    for what, counter in counted(rules, hands).items():
        for at, count in counter.items():
            names.add(f"{what} {at}")
            assert deal[f"{what} {at}"].value == pytest.approx(count / len(hands), abs=1e-12)
        mean = sum(at * count for at, count in counter.items()) / len(hands)
        names.add(f"mean {what}")
        assert deal[f"mean {what}"].value == pytest.approx(mean, abs=1e-12)
    assert deal.keys() == names
    assert {(e.method, e.stderr) for e in deal.values()} == {("exact", 0.0)}
