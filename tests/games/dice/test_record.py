"""Records: written, read back, cut anywhere, and refused where they do not follow."""

from textwrap import dedent

import pytest

from lama_odds.core.errors import ReadError
from lama_odds.games.dice.game import GAME
from lama_odds.games.dice.records import live, record
from lama_odds.games.dice.records.record import position_after, read_record
from tests.games.cases import product_rules
from tests.games.dice.cases import GOLDEN
from tests.games.dice.table import text as cards_text

# Seat 1 is left alone, holds 2, 5, 5, and blows it.
ROUND = """lama-odds record 1
rules dice/amigo
players 2
policies threshold:8 threshold:0
luck 0 17
round 0 first 0
scores 12 0
deal 12344L 12255L
0 roll 13L discard 3L
1 roll LLL
0 roll 56L take L
1 roll 1LL discard 1L
0 roll LLL
1 roll 22L discard 2
0 quit
1 roll 346 blown
end blown
penalties 17 21
"""


def test_the_round_written_by_hand_replays():
    found = read_record(ROUND)
    (state,) = found.rounds
    assert found.rules == product_rules("dice/amigo")
    assert (found.players, found.policies) == (2, ("threshold:8", "threshold:0"))
    assert (found.luck, found.final) == ((0, 17), None)
    assert (state.ended, state.penalties, state.scores) == ("blown", [17, 21], [2, 0])
    assert [cards_text(hand) for hand in state.hands] == ["1244L", "122345556"]
    assert state.last_actor == 1


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (8, "hand=12344L row=123456L opp=12255L scores=12,0 first=0"),
        (9, "hand=12255L row=123456L opp=1244 scores=0,12 first=1"),
        (11, "hand=12255L row=123456 opp=1244L scores=0,12 first=1"),
        (15, "hand=255 row=123456 opp=q1244L scores=0,2 first=1"),
    ],
)
def test_the_position_is_seen_from_the_seat_to_act(lines, expected):
    begun = "\n".join(ROUND.splitlines()[:lines])
    assert position_after(read_record(begun)).format() == expected
    assert GAME.position_after(product_rules("dice/amigo"), begun).format() == expected


# Tampered with: line, what it becomes, and what the message expects

TAMPERED = [
    (2, "rules lama/egmont", "a rule set of dice"),
    (3, "players 7", "2 to 6 players"),
    (5, "luck 0", "2 numbers"),
    (6, "round 1 first 0", "round 0"),
    (7, "scores 12 40", "a score from 0 to 39"),
    (8, "deal 1234L 12255L", "6 cards"),
    (8, "deal 12222L 12255L", "at most 5 cards 2"),
    (9, "1 roll 13L discard 3L", "seat 0"),
    (9, "0 roll 13L take 3", "does not allow you to take 3"),
    (9, "0 roll 13L blown", "discard CARDS or take CARD"),
    (9, "0 roll 13 discard 3", "cannot show 13"),
    (9, "0 rolls 13L discard 3", "SEAT quit, or SEAT roll"),
    (10, "1 roll LLL discard L", "three llamas alone"),
    (11, "0 roll 56L take 4", "does not allow you to take 4"),
    (15, "1 quit", "seat 0"),
    (16, "1 roll 346 take 3", "blown after the dice"),
    (17, "end out", "expected blown"),
    (18, "penalties 17 22", "17 21"),
]


def test_dice_whose_faces_are_assumed_are_read_as_they_lie():
    lines = ROUND.splitlines()[:9]
    lines[8] = "0 roll 444 discard 4"
    assert read_record("\n".join(lines)).rounds[0].hands[0] == (1, 1, 1, 1, 0, 0, 1)
    lines[1] += "+faces=1234LL.1256LL.3456LL.1L"
    lines[8] = "0 roll 4444 discard 4"
    with pytest.raises(ReadError, match=r"cannot show 4444\n"):
        read_record("\n".join(lines))


@pytest.mark.parametrize(("number", "line", "message"), TAMPERED)
def test_a_record_tampered_with_is_refused_at_its_line(number, line, message):
    lines = ROUND.splitlines()
    lines[number - 1] = line
    with pytest.raises(ReadError, match=message) as refused:
        read_record("\n".join(lines))
    assert refused.value.message.startswith(f"line {number}: ")


NEXT = ["round 1 first 1", "scores 19 21", "deal 123456 123456"]


@pytest.mark.parametrize(
    ("following", "message"),
    [
        (["round 1 first 0"], "1, the player who acted last"),
        ([NEXT[0], "scores 29 21"], "expected 19: the scores after the round are 19 21"),
        *(
            ([*NEXT[:2], line], "round, scores and deal first")
            for line in ("end blown", "penalties 17 21", "1 quit", "final 19 21")
        ),
    ],
)
def test_the_next_round_must_follow_and_begins_with_its_deal(following, message):
    read_record(ROUND + "\n".join(NEXT))
    with pytest.raises(ReadError, match=message) as refused:
        read_record(ROUND + "\n".join(following))
    assert refused.value.message.startswith(f"line {18 + len(following)}: ")


def test_the_final_scores_must_follow_and_nothing_after_them():
    whole = GOLDEN.read("amigo")
    *lines, final = whole.splitlines()
    *others, last = final.split()[1:]
    assert int(last) >= 40
    with pytest.raises(ReadError, match="the scores at the end of the game") as refused:
        read_record("\n".join([*lines, f"final {' '.join(others)} {int(last) + 1}"]))
    assert refused.value.message.startswith(f"line {len(lines) + 1}: ")
    with pytest.raises(ReadError, match="nothing after the end"):
        read_record(whole + "luck 1 1")


def test_the_example_of_the_module_is_a_record():
    example = record.__doc__.partition("::\n\n")[2].partition("\n\nThree")[0]
    assert len(read_record(dedent(example)).rounds) == 1


@pytest.mark.parametrize(
    ("turn", "doubted"),
    [
        ("0 roll 555 discard 5", True),
        ("0 roll 135 take 1", False),
        ("1 discard 555", True),  # a card for each die: these were all dice
        ("1 discard 55", False),
        ("1 quit", False),
    ],
)
def test_dice_that_the_assumed_faces_cannot_show_are_doubted(turn, doubted):
    said = live.LIVE_PLAY.doubt(product_rules("dice/amigo"), turn.split())
    assert ("cannot show 555" in said, bool(said)) == (doubted, doubted)
