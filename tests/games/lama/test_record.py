"""Records: written, read back, cut anywhere, and refused where they do not follow."""

import pytest

from lama_odds.core.errors import ReadError
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.records.record import read_record
from tests.games.cases import product_record, seats_of

ROUND = """lama-odds record 1
rules lama/party+drama
players 2
round 0 first 0
scores 10 4
pot 1 1 1 10
deal 112+35L 225LLL
top 6
0 play L pays 10
1 draw 4 takes 23
0 play 1
1 quit
0 play 1
0 play 2+
0 play 3
0 quit
end quit
penalties 5 21
"""
LINES = ROUND.splitlines()
MIXED = ("threshold:5", "random", "matching:6")
RECORDS = {
    "egmont": product_record("lama/egmont", MIXED, 51, 3, False),
    "drama": product_record("lama/party+drama+drama_tokens=2", MIXED, 51, 0, False),
    "six": product_record("lama/egmont+drama", seats_of(MIXED, 6), 51, 4, True),
}


def test_the_round_written_by_hand_replays():
    found = read_record(ROUND)
    (state,) = found.rounds
    assert (found.rules.id, found.players) == ("lama/party+drama", 2)
    assert (found.policies, found.luck, found.final) == ((), None, None)
    assert (state.ended, state.penalties, state.scores) == ("quit", [5, 21], [0, 27])
    assert (state.last_actor, state.pot, state.running) == (0, [], False)


@pytest.mark.parametrize("name", RECORDS)
def test_comments_spaces_and_no_word_of_tokens_are_allowed(name):
    header, *lines = RECORDS[name].splitlines()
    bare = [line.partition(" pays ")[0].partition(" takes ")[0] for line in lines]
    spread = [f"  {line.replace(' ', '   ')}\t" for line in bare]
    expected = read_record(RECORDS[name])
    found = read_record("\n \n# a comment\n".join([header, *spread]))
    assert [vars(state) for state in found.rounds] == [vars(state) for state in expected.rounds]
    assert (found.luck, found.final) == (expected.luck, expected.final)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (8, "hand=112+35L top=6 opp=6 pile=43 pot=1,1,1,10 scores=10,4 first=0"),
        (9, "hand=225LLL top=L opp=5 pile=43 seen=6 pot=1,1,1,10,10! scores=4,0 first=1"),
        (13, "hand=2+35 top=1 opp=q7 pile=42 seen=16L pot=- scores=0,27 first=0"),
        (14, "hand=35 top=2+ opp=q7 pile=42 seen=116L pot=- scores=0,27 first=0"),
    ],
)
def test_the_position_is_seen_from_the_seat_to_act(lines, expected):
    begun = "\n".join(LINES[:lines])
    assert GAME.position_after(GAME.rules("lama/party+drama"), begun).format() == expected


# Tampered with: line, what it becomes, and what the message expects

TAMPERED = [
    (2, "rules lama/party", "no pot"),
    (4, "round 0 first 2", "a seat, 0 to 1"),
    (6, "pot 1 1 2 10", "a token of 1, 10, 20"),
    (7, "deal 112+35L", "the hands of 2 players"),
    (7, "deal 12+35L 225LLL", "6 cards"),
    (7, "deal LL2+35L LLLLLL", "at most 7 cards L"),
    (7, "deal 112+35L 225LL7", "cards 1-6"),
    (8, "top 11", "one card"),
    (9, "0 play L pays 1", "found '1', expected 10"),
    (9, "0 play 6", "seat 0 has no 6"),
    (9, "0 play 1", "1 cannot be played on 6"),
    (9, "0 play", "SEAT play CARD"),
    (9, "play L", "a seat or one of"),
    (10, "1 draw 4 takes 13", "expected 23"),
    (10, "1 draw 2+", r"no 2\+ is left to draw"),
    (13, "0 draw 4", "last player does not draw"),
    (17, "0 quit", "end quit"),
]


@pytest.mark.parametrize(("number", "line", "message"), TAMPERED)
def test_a_record_tampered_with_is_refused_at_its_line(number, line, message):
    tampered = [*LINES[: number - 1], line, *LINES[number:]]
    with pytest.raises(ReadError, match=message) as refused:
        read_record("\n".join(tampered))
    place = 6 if message == "no pot" else number
    assert refused.value.message.startswith(f"line {place}: ")


# The round after

SHORT = """lama-odds record 1
rules lama/{}+dealt=2+drama
players 3
round 0 first 0
scores 10 4 0
pot 1 1
deal 1L 22 25
top 6
0 play L pays 10
1 quit
2 quit
0 play 1
end out
penalties 0 2 7
round 1 first {}
scores 0 6 7
pot {}
deal 1L 22 25
top 6
"""


@pytest.mark.parametrize(
    ("rules", "first", "reason"),
    [
        ("egmont", 1, "next in turn order"),
        ("amigo", 0, "the player who acted last"),
        ("amigo+starter=rotate", 1, "next in turn order"),
        ("egmont+starter=last_actor", 0, "the player who acted last"),
    ],
)
def test_the_next_round_must_follow(rules, first, reason):
    text = SHORT.format(rules, first, "1 1 10")
    assert read_record(text).rounds[1].pot == [1, 1, 10]
    assert read_record(text.replace("pot 1 1 10\n", "")).rounds[1].pot == [1, 1, 10]
    for damaged, told, line in (
        (SHORT.format(rules, 2, "1 1 10"), f"{first}, {reason}", 15),
        (text.replace("scores 0 6 7", "scores 10 6 7"), "the scores after the round are 0 6 7", 16),
        (SHORT.format(rules, first, "1 1"), "pot as it was left: 1 1 10", 17),
        (SHORT.format(rules, first, "-"), "pot as it was left: 1 1 10", 17),
    ):
        with pytest.raises(ReadError, match=told) as refused:
            read_record(damaged)
        assert refused.value.message.startswith(f"line {line}: ")


def test_a_card_that_is_not_left_cannot_be_drawn():
    text = """lama-odds record 1
rules lama/egmont+copies=1+dealt=2+llamas=1
players 2
round 0 first 0
scores 0 0
deal 12 34
top 6
0 draw 5
1 draw {}
0 draw {}
"""
    for second, third, told in (
        ("5", "L", "no 5 is left to draw"),
        ("1", "L", "no 1 is left to draw"),
        ("L", "L", "the draw pile is empty"),
    ):
        with pytest.raises(ReadError, match=told):
            read_record(text.format(second, third))
