"""Positions of the card games: text and back, no false defect, and every defect, all at once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.core.errors import ReadError
from lama_odds.games.interface.records import Record
from lama_odds.games.lama.records.record import position_after, read_record
from lama_odds.games.lama.records.round import Round
from lama_odds.games.lama.rules.draw_bounds import is_ordered
from lama_odds.games.lama.rules.feasibility import parse_position
from lama_odds.games.lama.rules.position import (
    NO_CARDS,
    Opponent,
    Position,
    can_play,
    card_text,
    read_position,
)
from lama_odds.games.lama.rules.ruleset import KINDS, NAMES, LamaRules, parse_rules
from tests.games.cases import product_record, seats_of
from tests.games.lama.table import counts

RULES = {
    text: parse_rules(text)
    for text in (
        *("lama/egmont", "lama/amigo", "lama/party", "lama/egmont+drama", "lama/party+drama"),
        "lama/party+drama+drama_tokens=1+pink_drama=off",
        "lama/egmont+copies=1+dealt=1+llamas=1",
        "lama/egmont+copies=1+dealt=2+llamas=1+plus=1",
        "lama/party+copies=2+dealt=3+drama+llamas=2+plus=2",
        "lama/egmont+drama+target=5+twenty",
        "lama/egmont+dealt=12",
    )
}
EGMONT, PARTY = RULES["lama/egmont"], RULES["lama/party"]
DRAMA, PARTY_DRAMA = RULES["lama/egmont+drama"], RULES["lama/party+drama"]

repeatable = settings(derandomize=True, deadline=None, max_examples=30)
seeds = st.integers(0, 2**32)


# Positions that really occur: from random play, and from the product's own


def begun(rng: random.Random, rules: LamaRules) -> Round:
    """A random deal, with any scores and any pot."""
    players = rng.choice(rules.players)
    deck = [kind for kind in range(KINDS) for _ in range(rules.deck[kind])]
    *cards, top = rng.sample(deck, rules.dealt * players + 1)
    hands = [cards[seat::players] for seat in range(players)]
    worth = [1, rules.black] + ([rules.pink] if rules.twenty else [])
    pot = rng.choices(worth, k=rng.randrange(8)) if rules.drama else []
    counted = [tuple(hand.count(kind) for kind in range(KINDS)) for hand in hands]
    scores = [rng.randrange(rules.target) for _ in range(players)]
    return Round(rules, counted, top, scores, rng.randrange(players), pot)


def round_played(rules: LamaRules, seed: int) -> Iterator[Position]:
    """Every position of a random round in which somebody decides."""
    rng = random.Random(seed)
    state = begun(rng, rules)
    leave, draws = rng.choice((0.0, 0.02, 0.1, 0.4)), rng.choice((0.1, 0.5, 0.9))
    while not state.ended:
        yield position_after(Record(rules, len(state.hands), rounds=[state]))
        hand, can_draw = state.hands[state.seat], any(state.pack) and not state.alone
        playable = [k for k in range(KINDS) if hand[k] and can_play(k, state.top)]
        if rng.random() < leave or not (playable or can_draw):
            state.quit()
        elif playable and not (can_draw and rng.random() < draws):
            state.play(rng.choice(playable))
        elif can_draw:
            state.draw(rng.choices(range(KINDS), state.pack)[0])


def less_known(rng: random.Random, position: Position) -> Iterator[Position]:
    """The position, and what is left of it if some of it is not given or not remembered."""
    yield position
    yield replace(position, pile=None)
    yield replace(position, seen=NO_CARDS)
    yield replace(position, pile=None, seen=NO_CARDS)
    yield replace(position, first=None)
    yield replace(position, pile=None, first=None, seen=NO_CARDS)
    yield replace(position, pot=None, running=False, scores=None, first=None)
    yield replace(position, seen=tuple(rng.randint(0, count) for count in position.seen))


@pytest.mark.long
@repeatable
@given(st.sampled_from(sorted(RULES)), seeds)
def test_what_occurs_is_never_refused_and_reads_back(name: str, seed: int) -> None:
    rules, rng = RULES[name], random.Random(seed)
    for position in round_played(rules, seed):
        for known in less_known(rng, position):
            assert parse_position(rules, known.format()) == known
            assert is_ordered(rules, known)


@pytest.mark.long
@pytest.mark.parametrize("name", RULES)
def test_positions_of_the_products_own_games_are_never_refused(name: str) -> None:
    rules, rng, asked = RULES[name], random.Random(name), 0
    tiny = "copies=1" in name  # rounds of a few turns
    for players in rules.players if tiny else (rules.players[0], rules.players[-1]):
        policies = seats_of(("random", "threshold:0", "matching:5"), players)
        lines = product_record(name, policies, 41, players, not rules.drama).splitlines()
        for cut in range(9, len(lines)):
            if not lines[cut][0].isdigit():
                continue
            asked += 1
            position = position_after(read_record("\n".join(lines[:cut])))
            assert position.scores is not None
            for known in less_known(rng, position):
                assert parse_position(rules, known.format()) == known
    assert asked > 20


@pytest.mark.long
def test_random_rounds_reach_the_corners() -> None:
    found = [p for name in RULES for seed in range(60) for p in round_played(RULES[name], seed)]
    assert any(p.running and p.others_in == 0 for p in found)
    assert any(p.running and p.others_in > 1 for p in found)
    assert any(p.pile == 0 and p.others_in for p in found)
    assert any(p.pot and len(p.pot) > 5 and not p.running for p in found)
    assert any(max(p.scores or ()) > 40 for p in found)
    assert any(sum(p.hand) > 12 for p in found)
    assert {p.players for p in found} == {2, 3, 4, 5, 6}


@repeatable
@given(st.sampled_from(sorted(RULES)), seeds)
def test_the_order_of_words_and_cards_does_not_matter(name: str, seed: int) -> None:
    rng = random.Random(seed)
    position = rng.choice(list(round_played(RULES[name], seed)))
    words = []
    for word in position.format().split():
        key, _, value = word.partition("=")
        if key in ("hand", "seen"):
            value = card_text(counts(value))
            cards = [n for n in NAMES for _ in range(counts(value)[NAMES.index(n)])]
            value = "".join(rng.sample(cards, len(cards)))
        words.append(f"{key}={value}")
    rng.shuffle(words)
    assert parse_position(RULES[name], "  ".join(words)) == position


# Text


def test_the_example_of_the_agreement() -> None:
    text = "hand=33+5LP top=4 opp=4,q2,6 pile=20 seen=1123 pot=10,1,1 scores=12,3,20,0 first=2"
    position = parse_position(PARTY_DRAMA, text)
    assert position.hand == counts("33+5LP")
    assert (NAMES[position.top], position.seen) == ("4", counts("1123"))
    assert position.opponents == (Opponent(4), Opponent(2, True), Opponent(6))
    assert (position.pile, position.pot, position.running) == (20, (1, 1, 10), False)
    assert (position.scores, position.first) == ((12, 3, 20, 0), 2)
    assert (position.players, position.others_in, position.held) == (4, 2, 17)
    assert position.format() == text.replace("10,1,1", "1,1,10")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("hand=122 top=6 opp=4?,q2?,3 pile=~20", "hand=122 top=6 opp=4?,q2?,3 pile=~20"),
        ("HAND=122 top=6 opp=4? , 2?Q 3 pile=20?", "hand=122 top=6 opp=4?,q2?,3 pile=~20"),
        ("hand=122 top=6 opp=?,q?", "hand=122 top=6 opp=3?,q3?"),
        ("hand=122 top=6 opp=3,3 pile=~29", "hand=122 top=6 opp=3,3 pile=~30"),  # the nearest
        ("hand=122 top=6 opp=9?,3 pile=30 first=0", "hand=122 top=6 opp=9?,3 pile=30 first=0"),
    ],
)
def test_a_number_that_is_a_guess_is_marked(text: str, canonical: str) -> None:
    assert parse_position(EGMONT, text).format() == canonical
    assert parse_position(EGMONT, canonical).format() == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("opp=3 top=6+ hand=PL5+52", "hand=255+LP top=6+ opp=3"),
        ("hand=2 top=L opp=q05 pot=- seen=-", "hand=2 top=L opp=q5 pot=-"),
        ("hand=2 top=L\topp=1 pot=10,1,1,1,10!", "hand=2 top=L opp=1 pot=1,1,1,10,10!"),
        ("scores=03,4 hand=2 pile=030 top=1 opp=1", "hand=2 top=1 opp=1 pile=30 scores=3,4"),
    ],
)
def test_the_canonical_form(text: str, canonical: str) -> None:
    assert parse_position(PARTY_DRAMA, text).format() == canonical
    assert parse_position(PARTY_DRAMA, canonical).format() == canonical


@pytest.mark.parametrize(
    ("text", "told", "at"),
    [
        ("", "hand is missing", 0),
        ("hand=1 opp=2", "top is missing", 12),
        ("hand=1 top=2", "opp is missing", 12),
        ("hand=2 7 top=1 opp=1", "found '7'", 7),
        ("hand=257 top=1 opp=1", "found '7'", 7),
        ("hand=3++ top=1 opp=1", "cards 1-6", 7),
        ("hand=3P+ top=1 opp=1", "found '+'", 7),
        ("hand=L+ top=1 opp=1", "found '+'", 6),
        ("hand=25x top=1 opp=1", "found 'x'", 7),
        ("hand=3- top=1 opp=1", "found '-'", 6),
        ("hand= top=1 opp=1", "in hand", 5),
        ("hand=1 top=12 opp=1", "one card", 11),
        ("hand=1 top=- opp=1", "one card", 11),
        ("hand=1 top=P+ opp=1", "one card", 12),
        ("hand=1 top=1 opp=q", "q4 for a player who has quit", 18),
        ("hand=1 top=1 opp=4,,6", "number of cards", 19),
        ("hand=1 top=1 opp=4q4", "whole number", 17),
        ("hand=1 top=1 opp=2,qq4", "whole number", 20),
        ("hand=1 top=1 opp=1 hand=2", "hand is given twice", 19),
        ("hand=1 top=1 opp=1 peen=2", "unknown word 'peen'", 19),
        ("hand=1 top=1 opp=1 pot=!", "or - for none", 23),
        ("hand=1 top=1 opp=1 pot=1,1!,1", "whole number", 25),
        ("hand=1 top=1 opp=1 pile=x", "whole number", 24),
        ("hand=1 top=1 opp=1 seen=1,,2", "found ',2'", 26),
        ("hand=1 top=1 opp=1 scores=1,,2", "whole number", 28),
        ("hand=1 top=1 opp=1 first=0,1", "whole number", 25),
        ("hand=1 top=1 opp=" + "1" * 30, "18 digits", 17),
    ],
)
def test_what_cannot_be_read_is_shown_with_its_place(text: str, told: str, at: int) -> None:
    with pytest.raises(ReadError, match="cannot read") as caught:
        parse_position(PARTY_DRAMA, text)
    assert told in str(caught.value)
    assert (caught.value.exit_code, caught.value.text, caught.value.at) == (2, text, at)


def test_what_is_read_need_not_occur() -> None:
    assert read_position("hand=" + "P" * 9 + " top=P opp=0,q0").hand == (0,) * 13 + (9,)
