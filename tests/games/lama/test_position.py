"""Positions of the card games: text and back, no false defect, and every defect, all at once."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from lama_odds.core.errors import ImpossibleError, NothingToDecideError, ReadError
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.rules.feasibility import parse_position
from lama_odds.games.lama.rules.position import (
    NO_CARDS,
    Opponent,
    Position,
    is_ordered,
    pile_left,
    possible_draws,
)
from lama_odds.games.lama.rules.ruleset import parse_rules
from lama_odds.games.shared.decisions import decisions

RULES = {
    text: parse_rules(text)
    for text in (
        *("lama/egmont", "lama/party", "lama/party+drama"),
        "lama/egmont+copies=1+dealt=2+llamas=1+plus=1",
        "lama/party+copies=2+dealt=3+drama+drama_tokens=1+llamas=2+pink_drama=off+plus=2",
        "lama/egmont+dealt=12+drama+target=5+twenty",
    )
}
EGMONT, PARTY = "lama/egmont", "lama/party"
DRAMA, PARTY_DRAMA = "lama/egmont+drama", "lama/party+drama"
FIVE = "pot=1,1,1,1,1"


# Positions that really occur


def positions_met(rng: random.Random, name: str) -> list[Position]:
    """Some positions of games of players who quit early or late, most of those with a drama."""
    rules, found = RULES[name], []
    mix = [GAME.policy(text) for text in ("random", "threshold:0", "matching:4")]
    for players in rules.players:
        policies = [rng.choice(mix) for _ in range(players)]
        text = GAME.record(rules, policies, players, 0, False)
        found += [each.position for each in decisions(GAME, rules, text)]
    running = [position for position in found if position.running]
    return running[:40] + rng.sample(found, min(80, len(found)))


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


@pytest.mark.parametrize("name", RULES)
def test_what_occurs_is_never_refused_and_reads_back(name: str) -> None:
    rules, rng = RULES[name], random.Random(name)
    for position in positions_met(rng, name):
        for known in less_known(rng, position):
            words = known.format().split()
            rng.shuffle(words)
            assert parse_position(rules, "  ".join(words)) == known
            assert is_ordered(rules, known)


# Text


@pytest.mark.parametrize(
    ("rules_id", "text", "canonical"),
    [
        (EGMONT, "HAND=122 top=6 opp=4? , 2?Q 3 pile=20?", "hand=122 top=6 opp=4?,q2?,3 pile=~20"),
        (EGMONT, "hand=122 top=6 opp=?,q?", "hand=122 top=6 opp=3?,q3?"),
        # Of a rough pile the nearest that is possible.
        (EGMONT, "hand=122 top=6 opp=3,3 pile=~29", "hand=122 top=6 opp=3,3 pile=~30"),
        (PARTY_DRAMA, "opp=3 top=6+ hand=PL5+52", "hand=255+LP top=6+ opp=3"),
        (PARTY_DRAMA, "hand=2 top=L opp=q05 pot=- seen=-", "hand=2 top=L opp=q5 pot=-"),
        (PARTY_DRAMA, "hand=2 top=L\topp=1 pot=10,1,1,1,10! scores=03,4",
         "hand=2 top=L opp=1 pot=1,1,1,10,10! scores=3,4"),
    ],
)  # fmt: skip
def test_the_canonical_form(rules_id: str, text: str, canonical: str) -> None:
    assert parse_position(RULES[rules_id], text).format() == canonical
    assert parse_position(RULES[rules_id], canonical).format() == canonical


@pytest.mark.parametrize(
    ("text", "told", "at"),
    [
        ("", "hand is missing", 0),
        ("hand=257 top=1 opp=1", "found '7'", 7),
        ("hand=3++ top=1 opp=1", "cards 1-6", 7),
        ("hand=1 top=1 opp=q", "q4 for a player who has quit", 18),
        ("hand=1 top=1 opp=1 hand=2", "hand is given twice", 19),
        ("hand=1 top=1 opp=1 pot=!", "or - for none", 23),
        ("hand=1 top=1 opp=1 pot=1,1!,1", "whole number", 25),
        ("hand=1 top=1 opp=" + "1" * 30, "18 digits", 17),
    ],
)
def test_what_cannot_be_read_is_shown_with_its_place(text: str, told: str, at: int) -> None:
    with pytest.raises(ReadError, match="cannot read") as caught:
        parse_position(RULES[PARTY_DRAMA], text)
    assert told in str(caught.value)
    assert (caught.value.text, caught.value.at) == (text, at)


# Defects


def defects(rules_id: str, text: str) -> tuple[str, ...]:
    """The defects of a position that cannot occur."""
    with pytest.raises(ImpossibleError) as caught:
        parse_position(parse_rules(rules_id), text)
    assert caught.value.exit_code == 3
    return caught.value.defects


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hand=- top=1 opp=4", "return a token if you hold one"),
        ("hand=125 top=1 opp=4,0", "opponent 2 has no card left; your penalty is 8"),
    ],
)
def test_a_round_that_has_ended_leaves_nothing_to_decide(text: str, told: str) -> None:
    with pytest.raises(NothingToDecideError, match="leaves nothing to decide") as caught:
        parse_position(parse_rules(EGMONT), text)
    assert told in caught.value.defects[0]


@pytest.mark.parametrize("text", ["hand=- top=1 opp=0", "hand=- top=1 opp=4 scores=3"])
def test_an_end_that_play_cannot_lead_to_cannot_occur(text: str) -> None:
    with pytest.raises(ImpossibleError, match="cannot occur") as caught:
        parse_position(parse_rules(EGMONT), text)
    assert not isinstance(caught.value, NothingToDecideError)


@pytest.mark.parametrize(
    ("rules_id", "text", "told"),
    [
        (EGMONT, "hand=33333 top=3 opp=4 seen=333", "9 cards 3 in sight, but the game has 8"),
        (EGMONT, "hand=3+ top=1 opp=4", "a card 3+ in sight, but lama/egmont has none"),
        (PARTY, "hand=P top=L opp=4 seen=P", "2 cards P in sight, but the game has 1"),
        (EGMONT, "hand=- top=1 opp=4", "the round is over: you have no card left"),
        (EGMONT, "hand=1 top=1 opp=4,0", "the round is over: opponent 2 has no card left"),
        (EGMONT, "hand=1 top=1 opp=4,q0", "opponent 2 has quit without a card"),
        (EGMONT, "hand=1 top=1 opp=-4", "opponent 1 has -4 cards"),
        (EGMONT, "hand=1 top=1 opp=1,1,1,1,1,1", "7 players; lama/egmont is for 2 to 6"),
        (EGMONT, "hand=1 top=1 opp=4 first=2", "first=2, but the seats are 0 to 1"),
        (EGMONT, "hand=1 top=1 opp=4 scores=3", "1 scores for 2 players"),
        (EGMONT, "hand=1 top=1 opp=4 scores=-3,0", "a negative score (-3)"),
        (EGMONT, "hand=1 top=1 opp=4 scores=39,40", "a score of 40: the game ends at 40"),
        (EGMONT, "hand=1 top=1 opp=4 pile=-1", "-1 cards in the draw pile"),
        (EGMONT, "hand=1 top=1 opp=4 pile=50", "56 cards in hands, discards and draw pile"),
        (EGMONT, "hand=1 top=1 opp=4 pile=43", "at most 42 are left"),
        (EGMONT, "hand=123456 top=1 opp=6 seen=12 pile=41", "56 cards in hands"),
        (EGMONT, "hand=1 top=1 opp=49,1", "too many cards in hands"),
        (EGMONT, "hand=1 top=1 opp=4 pot=1", "+drama only"),
        (DRAMA, "hand=1 top=L opp=4 pot=1,20", "a token of 20 on the pot"),
        (DRAMA, "hand=1 top=L opp=4 pot=1,1,1,1!", "with 4 tokens on the pot: it takes 5"),
        (DRAMA, f"hand=1 top=1 opp=4 {FIVE}!", "the drama runs after a 1"),
        (PARTY_DRAMA + "+pink_drama=off", f"hand=1 top=P opp=4 {FIVE}!", "runs after a P"),
        (DRAMA, f"hand=123456 top=L opp=6 pile=42 {FIVE}!", "no card has been played"),
        # A llama has been played last, five tokens lie there: it runs whoever is to act.
        (DRAMA, f"hand=3456 top=L opp=4 seen=66 {FIVE}", "the drama runs (write !"),
        (DRAMA, f"hand=3456 top=L opp=4,q6 {FIVE},10", "the drama runs (write !"),
    ],
)
def test_a_defect_is_named_alone(rules_id: str, text: str, told: str) -> None:
    (defect,) = defects(rules_id, text)
    assert told in defect


@pytest.mark.parametrize(
    ("rules_id", "text"),
    [
        (EGMONT, "hand=33333 top=3 opp=4 seen=33"),
        (EGMONT, "hand=1 top=1 opp=48"),  # one hand has drawn all of the pile
        (EGMONT, "hand=123456 top=1 opp=6 seen=12 pile=40"),
        (DRAMA, "hand=1 top=1 opp=4 scores=45,99"),
        (DRAMA, f"hand=1 top=L opp=4 {FIVE}!"),
        (DRAMA, f"hand=123456 top=L opp=6 {FIVE} pile=42"),
        (PARTY_DRAMA, f"hand=1 top=P opp=4 {FIVE},20!"),
        (DRAMA + "+drama_tokens=1", "hand=1 top=L opp=4 pot=10!"),
    ],
)
def test_what_is_near_a_defect_but_can_occur(rules_id: str, text: str) -> None:
    assert parse_position(parse_rules(rules_id), text)


def test_all_defects_are_listed_at_once() -> None:
    found = defects(
        DRAMA, "hand=33333+ top=3 opp=3,q0,0 seen=3333 pile=40 pot=1,7! scores=-1,40 first=5"
    )
    for told in (
        *("first=5", "2 scores for 4", "(-1)", "opponent 2 has quit without", "opponent 3 has no"),
        *("9 cards 3 in", "a card 3+", "at most", "a token of 7"),
        *("with 2 tokens", "runs after a 3"),
    ):
        assert sum(told in defect for defect in found) == 1, told
    assert len(found) == 11


# Turns go round: where nobody has a plus card, every player still in has acted as often as I, or
# once more; each action is a card played or drawn.


@pytest.mark.parametrize(
    ("rules_id", "text", "told"),
    [
        # I began, so that I have drawn or played before the other quit; alone I cannot draw.
        (EGMONT, "hand=112233 top=6 opp=q6 pile=42 first=0", "it could be 41"),
        # I have played once, the other has drawn one card and played one, or has not acted.
        (EGMONT, "hand=11223 top=6 opp=6 pile=42", "it could be 41"),
        (EGMONT, "hand=11223 top=6 opp=6 first=0", "these hand sizes can't occur in play"),
        (EGMONT, "hand=122 top=6 opp=3,4 first=1", "with first=1 (first could be 2)"),
        (EGMONT, "hand=122 top=6 opp=4,3 pile=30", "(opponent 1 could hold 3; write 4? for"),
        (EGMONT, "hand=122 top=6 opp=3,3 pile=29", "(it could be 30; write ~29 if you"),
        (EGMONT, "hand=122 top=6 opp=3?,3 pile=~99", "109 cards in hands"),
        (EGMONT, "hand=1122334 top=6 opp=7 pile=39", "it could be 40"),  # as many draws of each
    ],
)
def test_what_no_order_of_turns_leads_to_is_a_defect(rules_id: str, text: str, told: str) -> None:
    (defect,) = defects(rules_id, text)
    assert told in defect


@pytest.mark.parametrize(
    ("rules_id", "text"),
    [
        (EGMONT, "hand=112233 top=6 opp=q6 pile=41 first=0"),
        (EGMONT, "hand=112233 top=6 opp=q6 pile=42 first=1"),  # quit at once
        (EGMONT, "hand=11223 top=6 opp=6 pile=41"),
        (EGMONT, "hand=11223 top=6 opp=6 first=1"),
        (PARTY, "hand=11223 top=6 opp=6 first=0"),  # the other has played a plus card and drawn
        (PARTY, "hand=11223 top=6+ opp=6 pile=43 first=0"),  # my turn goes on
        # Neither the pile nor who began is given: it may be asked, made up as it is.
        (EGMONT, "hand=122 top=6 opp=4,3"),
    ],
)
def test_what_some_order_of_turns_leads_to(rules_id: str, text: str) -> None:
    assert parse_position(parse_rules(rules_id), text)


def test_an_answer_says_that_no_order_of_turns_leads_there() -> None:
    rules, policies = parse_rules(EGMONT), [GAME.policy("threshold:5")] * 3
    told = "these hand sizes can't occur in play; used anyway"
    for text, wrong in (("hand=122 top=6 opp=4,3", True), ("hand=122 top=6 opp=3,3", False)):
        job = GAME.rollouts(rules, parse_position(rules, text), policies, play_out=False)
        assert (told in job.notes(np.ones(job.counters, dtype=np.int64), 1)) == wrong


@pytest.mark.parametrize(
    ("text", "left"),
    [
        # One has quit after four cards, so that I have acted at least four times, five to be left
        # with five cards: two draws. The others have acted six times: two draws and three.
        ("hand=3356L top=4 opp=4,q2,6", 55 - 24 - 1 - 7),
        # Five cards more than dealt are five draws with the other still in: four turns of playing
        # and drawing, to have two cards less.
        ("hand=522L545LL16 top=5 opp=q4", 36),
    ],
)
def test_the_pile_is_as_large_as_it_can_be(text: str, left: int) -> None:
    rules = parse_rules(EGMONT)
    assert pile_left(rules, parse_position(rules, text)) == left


# --- How many cards can have been drawn: a search of all orders of turns ---------------------


MOST = 6  # cards drawn that the search tries
LARGEST = 5  # hands that the search goes on with


def drawn_in_all_orders(players, dealt, first):
    """Cards drawn in all orders of turns that leave seat 0 to act.

    By the sizes of the hands and who has quit: the numbers of cards drawn. Which cards they are is
    left out; a hand is never played to its end.
    """
    found = defaultdict(set)
    begun = (first, (dealt,) * players, (False,) * players, 0)
    seen, left = {begun}, [begun]
    while left:
        seat, sizes, gone, drawn = left.pop()
        if seat == 0:
            found[sizes, gone].add(drawn)
        alone = sum(gone) == players - 1
        for change, quits in ((-1, False), (1, False), (0, True)):
            if change == 1 and (alone or drawn == MOST):
                continue
            grown = tuple(n + change * (s == seat) for s, n in enumerate(sizes))
            out = tuple(g or (quits and s == seat) for s, g in enumerate(gone))
            if not 0 < grown[seat] <= LARGEST or all(out) or out[0]:
                continue
            after = next(s % players for s in range(seat + 1, seat + 9) if not out[s % players])
            state = (after, grown, out, drawn + (change == 1))
            if state not in seen:
                seen.add(state)
                left.append(state)
    return found


@pytest.mark.long
@pytest.mark.parametrize(("players", "dealt"), [(2, 3), (3, 2)])
def test_the_fewest_cards_drawn_are_those_of_some_order_of_turns(players, dealt):
    rules = parse_rules(f"lama/egmont+dealt={dealt}")
    there = sum(rules.deck) - players * dealt - 1
    alone = many = 0
    for first in range(players):
        found = drawn_in_all_orders(players, dealt, first)
        for (sizes, gone), drawn in found.items():
            opponents = tuple(Opponent(*pair) for pair in zip(sizes[1:], gone[1:], strict=True))
            hand = (sizes[0], *(0,) * (len(rules.deck) - 1))
            position = Position(hand, 2, opponents, first=first)
            bounds = list(possible_draws(rules, position))
            assert min(low for low, _ in bounds) == min(drawn), (first, sizes, gone)
            assert all(any(low <= n <= high for low, high in bounds) for n in drawn)
            assert pile_left(rules, position) == there - min(drawn)
            alone += all(gone[1:])
            many += min(drawn) > max(0, sum(sizes) - players * dealt)
    assert alone > 10
    assert many > 10  # the sizes of the hands alone do not tell
