"""Positions of Lama Dice: text and back, no false defect, and every defect, all at once."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lama_odds.core.errors import ImpossibleError, NothingToDecideError
from lama_odds.games.dice.records.record import Round
from lama_odds.games.dice.rules.feasibility import find_defects, parse_position
from lama_odds.games.dice.rules.odds import legal_actions, takes_left
from lama_odds.games.dice.rules.position import Opponent, Position
from lama_odds.games.dice.rules.ruleset import NAMES, DiceRules, parse_rules
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS

RULES = {
    text: parse_rules(text)
    for text in (
        "dice/amigo",
        "dice/egmont",
        "dice/amigo+llama_safe_alone=off",
        "dice/amigo+faces=1234LL.3456LL.1256LL.12LL",
        "dice/egmont+dealt=2+llamas=2+copies=3",
        "dice/amigo+dealt=9+copies=8+llamas=12",
    )
}
AMIGO, EGMONT = RULES["dice/amigo"], RULES["dice/egmont"]

repeatable = settings(derandomize=True, deadline=None, max_examples=25)
seeds = st.integers(0, 2**32)


# Positions that really occur: from random play


def seen_from_seat(rng: random.Random, state: Round) -> Position:
    """What the seat to act knows; quitters by cards or by penalty, scores or none."""
    players = len(state.hands)
    seats = [(state.seat + step) % players for step in range(players)]
    opponents = []
    for seat in seats[1:]:
        if seat in state.quit_seats and rng.random() < 0.5:
            opponents.append(Opponent(None, True, state.penalties[seat]))
        else:
            opponents.append(Opponent(state.hands[seat], seat in state.quit_seats))
    scores = tuple(state.scores[seat] for seat in seats)
    return Position(
        hand=state.hands[state.seat],
        row=state.row,
        opponents=tuple(opponents),
        rolled=state.pending,
        scores=scores if rng.random() < 0.5 else None,
        first=seats.index(state.first) if rng.random() < 0.5 else None,
    )


def act(rng: random.Random, state: Round, position: Position, leave: float, bad_luck: int) -> None:
    """A random legal action; `leave`: how often a seat quits.

    bad_luck: of so many rolls, one without a match comes; then the row is emptied.
    """
    if position.rolled is None:
        if rng.random() < leave:
            state.quit()
        else:
            rolls = rng.choices(list(state.rules.sorted_rolls), k=bad_luck)
            state.roll(min(rolls, key=lambda roll: any(position.hand[kind] for kind in roll)))
        return
    verb, _, cards = rng.choice(legal_actions(state.rules, position)).partition(" ")
    if verb == "take":
        state.take(NAMES.index(cards))
    else:
        state.discard(tuple(cards.count(name) for name in NAMES))


def round_played(rules: DiceRules, seed: int) -> Iterator[Position]:
    """Every position of a random round in which somebody decides."""
    rng = random.Random(seed)
    players = rng.choice(rules.players)
    scores = [rng.randrange(rules.target) for _ in range(players)]
    pack = [kind for kind in range(KINDS) for _ in range(rules.dealt_from[kind])]
    cards = rng.sample(pack, rules.dealt * players)
    dealt = [cards[seat::players] for seat in range(players)]
    hands = [tuple(hand.count(kind) for kind in range(KINDS)) for hand in dealt]
    state = Round(rules, hands, scores, rng.randrange(players))
    leave, bad_luck = rng.choice((0.0, 0.02, 0.1, 0.4)), rng.choice((1, 1, 8))
    while not state.ended:
        position = seen_from_seat(rng, state)
        yield position
        act(rng, state, position, leave, bad_luck)


def shuffled(rng: random.Random, position: Position) -> str:
    """Another way to write a position: words and cards in any order, the full row left out."""
    words = []
    for word in position.format().split():
        name, _, value = word.partition("=")
        if name == "row" and position.row == FULL_ROW and rng.random() < 0.5:
            continue
        if name in ("hand", "row", "rolled"):
            value = "".join(rng.sample(value, len(value)))
        words.append(f"{name}={value}")
    rng.shuffle(words)
    return rng.choice((" ", "  ", "\t")).join(words) + rng.choice(("", " "))


@repeatable
@given(st.sampled_from(sorted(RULES)), seeds)
def test_what_occurs_is_never_refused_and_reads_back(name: str, seed: int) -> None:
    rules, rng = RULES[name], random.Random(seed)
    for position in round_played(rules, seed):
        assert find_defects(rules, position) == []
        assert parse_position(rules, position.format()) == position
        assert parse_position(rules, shuffled(rng, position)) == position
        assert legal_actions(rules, position)


# Text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("opp=31 hand=L52", "hand=25L row=123456L opp=13"),
        ("hand=25L opp=q=016", "hand=25L row=123456L opp=q=16"),
        ("hand=2 row=L1? opp=L1?,q2?,q=4?", "hand=2 row=1L? opp=1L?,q2?,q=4?"),
        ("scores=03,4 hand=2 opp=LL1", "hand=2 row=123456L opp=1LL scores=3,4"),
        ("first=1\thand=2  opp=q1 row=L1", "hand=2 row=1L opp=q1 first=1"),
        ("rolled=L31 hand=25L opp=1", "hand=25L row=123456L opp=1 rolled=13L"),
    ],
)
def test_the_canonical_form(text: str, canonical: str) -> None:
    assert parse_position(EGMONT, text).format() == canonical
    assert parse_position(EGMONT, canonical).format() == canonical


# Defects


def defects(rules: DiceRules, text: str) -> tuple[str, ...]:
    """The defects of a position that cannot occur."""
    with pytest.raises(ImpossibleError, match="cannot occur") as caught:
        parse_position(rules, text)
    assert caught.value.exit_code == 3
    assert not isinstance(caught.value, NothingToDecideError)
    return caught.value.defects


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hand=333 opp=333", "7 cards 3 in sight, but the game has 6"),
        ("hand=3333 row=12456L opp=q333", "7 cards 3 in sight, but the game has 6"),
        ("hand=LLLL opp=LLL", "8 cards L in sight, but the game has 7"),
        ("hand=25L opp=q-", "opponent 1 has quit without a card"),
        ("hand=25L opp=13 scores=-1,3", "a negative score (-1)"),
        ("hand=25L opp=13 scores=3,40", "a score of 40: the game ends at 40"),
        ("hand=25L opp=13 scores=3", "1 scores for 2 players"),
        ("hand=25L opp=13 first=2", "first=2, but the seats are 0 to 1"),
        ("hand=2 opp=1,1,1,1,1,2", "7 players; dice/amigo is for 2 to 6"),
        ("hand=1223456 opp=13", "your hand has 7 cards: at most 6 were dealt"),
        ("hand=13 opp=25L,1223456", "opponent 2 has 7 cards"),
        ("hand=11223344 row=6L opp=5", "your hand has 8 cards"),
        ("hand=25L opp=q=0", "opponent 1 cannot have quit with a penalty of 0"),
        ("hand=25L opp=13,q=32", "opponent 2 cannot have quit with a penalty of 32"),
        ("hand=25L opp=13 rolled=666", "cannot show 666: these faces are assumed, and +faces="),
        ("hand=25L opp=13 rolled=1234", "cannot show 1234"),
        ("hand=25L opp=13 rolled=-", "cannot show nothing"),
    ],
)
def test_a_defect_is_named_alone(text: str, told: str) -> None:
    (defect,) = defects(AMIGO, text)
    assert told in defect


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hand=- opp=13", "you have no card left and return a token if you hold one"),
        ("hand=25L opp=13,-", "opponent 2 has no card left; your penalty is 17"),
        ("hand=25L row=- opp=13", "the llama row is empty; your penalty is 17"),
        ("hand=36 opp=124 rolled=LLL", "then the next player's turn comes"),
        ("hand=25L row=456 opp=13 rolled=113", "blown; with the llama row your penalty is 27"),
        ("hand=25 opp=q13 rolled=13L", "blown; with the llama row your penalty is 31"),
    ],
)
def test_what_can_occur_but_leaves_nothing_to_decide_says_what_happens(
    text: str, told: str
) -> None:
    with pytest.raises(NothingToDecideError) as caught:
        parse_position(AMIGO, text)
    assert caught.value.exit_code == 3
    assert told in caught.value.defects[0]


def test_an_end_that_play_cannot_lead_to_cannot_occur() -> None:
    # The first to go out ends the round, and nobody rolls after the end.
    for text in ("hand=- opp=-", "hand=25L row=- opp=13 rolled=LLL"):
        assert len(defects(AMIGO, text)) > 0


def test_rounds_end_as_the_rules_say() -> None:
    unsafe, text = parse_rules("dice/amigo+llama_safe_alone=off"), "hand=25L row=- opp=13"
    with pytest.raises(NothingToDecideError, match="LLL is blown"):
        parse_position(unsafe, "hand=25 opp=q1 rolled=LLL")
    with pytest.raises(NothingToDecideError, match="then you may roll again"):
        parse_position(unsafe, "hand=25L opp=q1 rolled=LLL")
    for name in ("dice/gigamic", "dice/egmont+empty_row_ends"):
        with pytest.raises(NothingToDecideError, match="the llama row is empty"):
            parse_position(parse_rules(name), text)
    for name in ("dice/egmont", "dice/amigo+empty_row_ends=off"):
        assert parse_position(parse_rules(name), text).row == 0


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        # Five threes are dealt at most; the one in the row is taken only by a player who holds
        # none, and is then the only one there.
        ("dice/amigo", "hand=333333 row=12456L opp=1", "3"),
        ("dice/amigo", "hand=3333 row=12456L opp=q3,3", None),
        # 31 points need all seven kinds; six cards were dealt and the row is full.
        ("dice/amigo", "hand=25L opp=q=31", "31"),
        ("dice/amigo", "hand=25L row=13456L opp=q=31", None),
        # 30 without all seven kinds is 2, 3, 4, 5, 6, L: each needs a llama, one is left.
        ("dice/amigo", "hand=LLLLL opp=q=30,q=30", "are left for them together"),
        ("dice/amigo", "hand=LLLLL row=123456 opp=q=30,q=30", None),  # the row's llama was taken
        # Each needs a card more than it was dealt: one was taken.
        ("dice/amigo+dealt=1", "hand=1 row=13456L opp=q=7,q=7", "cannot all have quit"),
        ("dice/amigo+dealt=1", "hand=1 row=3456L opp=q=7,q=7", None),
        # The 2 that was taken is mine; with two cards, one of them taken, 7 needs another.
        ("dice/amigo+dealt=1", "hand=12 row=13456L opp=q=7", "penalty of 7"),
        ("dice/amigo+dealt=1", "hand=12 row=1346L opp=q=7", None),
        # Only the 1 has left the row, but both hands have a card more than was dealt.
        ("dice/amigo", "hand=1223456 row=23456L opp=1335566", "too few taken from the row"),
        ("dice/amigo", "hand=1223456 row=3456L opp=2335566", None),
        # Options.
        ("dice/amigo+copies=7", "hand=333 opp=333", None),
        ("dice/amigo+llamas=4", "hand=LL opp=LL", "the game has 4"),
        ("dice/amigo+target=25", "hand=1 opp=2 scores=25,0", "ends at 25"),
        ("dice/amigo+dealt=7", "hand=1234566 opp=1", None),
        ("dice/amigo+points=2.4.6.8.10.12", "hand=1 opp=q=7", "penalty of 7"),
    ],
)
def test_hands_and_penalties_need_cards_that_were_dealt_or_taken(name, text, told) -> None:
    rules = parse_rules(name)
    if told is None:
        assert parse_position(rules, text)
    else:
        (defect,) = defects(rules, text)
        assert told in defect


def test_no_kind_held_twice_was_taken_from_the_row() -> None:
    rules = parse_rules("dice/egmont")
    seven = (2, 1, 1, 1, 1, 1, 0)  # one card more than is dealt
    assert takes_left(rules, [seven], 0b0000001) == set()
    assert takes_left(rules, [seven], 0b0000010) == {0}
