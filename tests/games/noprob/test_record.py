"""Records: written, read back, cut anywhere, refused where they do not follow."""

from textwrap import dedent

import pytest

from lama_odds.core.errors import ImpossibleError, ReadError
from lama_odds.games.noprob.game import GAME
from lama_odds.games.noprob.records import record
from lama_odds.games.noprob.records.record import position_after, read_record
from lama_odds.games.noprob.rules.feasibility import parse_position
from tests.games.cases import product_record, product_rules
from tests.games.noprob.cases import END, FOUR, SMALL, STARNBERGER, TINY, id_of

EXAMPLE = dedent(record.__doc__.split("::\n\n")[1].split("\n\n``turns``")[0])
RECORDS = {
    "two": product_record(STARNBERGER, ("random", "greedy"), 0, 155),
    "four_rounds": product_record(id_of(SMALL | FOUR), ("random",) * 3, 8, 1),
    "tiny": product_record(id_of(TINY | END), ("random", "random"), 8, 6),
}
GRIDS = "3,3,4/4,5,5/6,6,7 8,8,9/9,D,10/10,K,J"
BEGIN = f"lama-odds record 1\nrules {STARNBERGER}\nplayers 2\nround 0 first 0\n"
HEAD = f"{BEGIN}deal {GRIDS}\ntop 4\n"
# Seat 0 turns its cards up one by one, seat 1 discards: 17 turns, then the last one of seat 1.
CLOSING = HEAD + "".join(
    f"0 draw 10 replace {row},{column}\n1 draw 7 discard\n" for row in "123" for column in "123"
).removesuffix("1 draw 7 discard\n")
DONE = f"{CLOSING}1 pass\n"
FIVE_DRAWN = "".join(f"{turn % 2} draw -5 discard\n" for turn in range(5))
TOTALS = (-60, 8 + 8 + 9 + 9 + 3 + 10 + 10 - 3)


def test_the_example_of_the_module_replays():
    found = read_record(EXAMPLE)
    assert (found.rules.id, found.players) == (STARNBERGER, 2)
    position = position_after(found)
    assert parse_position(found.rules, position.format()) == position
    assert (position.grids[1].beside, position.top, position.seen) == ((12,), 4, (13, 1))


@pytest.mark.parametrize("name", RECORDS)
def test_blank_lines_comments_and_what_follows_from_the_rest_may_be_missing(name):
    header, *lines = RECORDS[name].splitlines()
    spare = ("llamas", "target", "scores", "end", "penalties", "policies", "luck")
    kept = [line.split(" turns")[0] for line in lines if line.split()[0] not in spare]
    loose = "\n \n# a comment\n".join([header, *(f"  {x.replace(' ', '   ')}\t" for x in kept)])
    found, whole = read_record(loose), read_record(RECORDS[name])
    assert found.final == whole.final
    assert [vars(state) for state in found.rounds] == [vars(state) for state in whole.rounds]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", RECORDS)
def test_a_record_cut_after_a_line_asks_the_next_seat(name):
    lines = RECORDS[name].splitlines()
    for cut in [*range(3, 40), *range(40, len(lines), 9)]:
        begun = "\n".join(lines[:cut])
        found = read_record(begun)
        if not lines[cut][0].isdigit():
            with pytest.raises(ImpossibleError, match="leaves nothing to decide"):
                position_after(found)
            continue
        position = position_after(found)
        assert found.rounds[-1].seat == int(lines[cut].split()[0])
        assert parse_position(found.rules, position.format()) == position


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ("", "grid=(3),(3),?/?,?,?/?,?,? top=4 pile=137 opp=?,?,?/?,?,?/?,?,?"),
        (
            "0 draw 5 replace 1,2",
            "grid=(8),(8),?/?,?,?/?,?,? top=3 pile=136 seen=4 opp=?,5,?/?,?,?/?,?,?",
        ),
        (
            "0 take 4 replace 3,3 turns 7\n1 draw D give 0\n0 take 7 replace 1,1\n1 draw K give 0",
            "grid=7,(3),?/?,?,?/?,?,4 mine=DK top=3 pile=135 opp=?,?,?/?,?,?/?,?,?",
        ),
        (
            "0 draw 9 discard\n1 draw J replace 2,2 turns D\n0 take D give 1",
            "grid=(8),(8),?/?,J,?/?,?,? mine=D top=9 pile=135 seen=4 opp=?,?,?/?,?,?/?,?,?",
        ),
    ],
)
def test_the_position_is_seen_from_the_seat_to_act(turns, expected):
    found = GAME.position_after(product_rules(STARNBERGER), HEAD + turns)
    standing = f" llamas=0,0 target=3 first={len(turns.splitlines()) % 2}"
    assert found.format() == expected + standing


def test_a_last_turn_may_be_passed():
    state = read_record(DONE + "end done\npenalties {} {}\n".format(*TOTALS)).rounds[-1]
    assert (state.ended, state.last) == ("done", 0)
    asked = position_after(read_record(CLOSING))
    assert (asked.last, asked.grids[1].down) == (1, 0)
    with pytest.raises(ImpossibleError, match="over"):
        position_after(read_record(DONE))


@pytest.mark.parametrize(
    ("options", "begins", "standing"),
    [
        ("", "llamas 1 0\ntarget 3", "llamas=0,1 target=3 first=0"),
        ("+four_rounds", "scores -60 54", "scores=54,-60 round=2 first=0"),
    ],
)
def test_the_standing_is_seen_from_the_seat_to_act(options, begins, standing):
    text = DONE.replace(STARNBERGER, STARNBERGER + options)
    text += f"end done\nround 1 first 1\n{begins}\ndeal {GRIDS}\ntop 4\n"
    asked = GAME.position_after(product_rules(STARNBERGER + options), text)
    assert asked.format().endswith(standing)


# Refused: the rest of the record, the line, and what is told. ^ marks the place.


@pytest.mark.parametrize(
    ("turns", "line", "told"),
    [
        ("^1 draw 5 discard", 7, "seat 0"),
        ("0 ^draw", 7, "SEAT draw CARD"),
        ("0 draw 5\n^0 draw 5 discard", 8, "has yet to use 5"),
        ("0 draw ^2 discard", 7, "a card: 3, 4"),
        ("0 draw 5 ^discard now", 7, "replace ROW,COLUMN"),
        ("0 draw 5 replace ^4,1", 7, "ROW,COLUMN, each 1 to 3"),
        ("0 draw 5 replace 1,1 ^shows 3", 7, "turns CARD"),
        ("0 draw 5 replace 1,1 turns ^4", 7, "expected 3: row 1, column 1 holds 3"),
        ("0 draw 5 ^give 1", 7, "only specials are given"),
        ("0 draw D ^discard", 7, "give SEAT"),
        ("0 draw D give ^0", 7, "another seat"),
        ("0 take 4 ^discard", 7, "a card taken must replace another"),
        ("^0 take 5 replace 1,1", 7, "the top discard is 4"),
        ("^0 pass", 7, "only a last turn may be passed"),
        ("end ^done", 7, "the round has not ended"),
        ("^penalties 1 2", 7, "the end of the round"),
        ("final ^1 2", 7, "the end of the game"),
        ("^round 1 first 1", 7, "the end of the round before"),
        (f"^deal {GRIDS}", 7, "round before the deal"),
        ("^top 4", 7, "round and deal"),
        (f"{FIVE_DRAWN}^1 draw -5 discard", 12, "no -5 is left to draw"),
        ("^pot 4", 7, "a seat or one of"),
    ],
)
def test_what_does_not_follow_is_refused_by_line(turns, line, told):
    with pytest.raises(ReadError) as caught:
        read_record(HEAD + turns.replace("^", ""))
    assert told in str(caught.value)
    assert caught.value.message.startswith(f"line {line}: ")
    assert caught.value.text == turns.splitlines()[-1].replace("^", "")
    assert caught.value.at == turns.splitlines()[-1].index("^")


@pytest.mark.parametrize(
    ("begun", "told"),
    [
        ("round 1 first 0", "round 0"),
        ("round 0 first 2", "a seat, 0 to 1"),
        ("round 0 first 0\nllamas 3 0", "0 to 2 llamas"),
        ("round 0 first 0\nllamas", "2 numbers after llamas"),
        ("round 0 first 0\ntarget 2", "the standing that follows: 3"),
        ("round 0 first 0\nscores 0 0", "llamas and target"),
        ("round 0 first 0\ndeal 3,3,3/3,3,3/3,3,3", "the grids of 2 players"),
        ("round 0 first 0\ndeal 3,3,3/3,3,3/3,3,3 3,3,3/3,3,3/3,3", "three cards in a row"),
        ("round 0 first 0\ndeal 3,3,3/3,3,3/3,3,3 3,3,3/3,3,3/3,3,?", "nine cards, all known"),
        ("round 0 first 0\ndeal 3,3,3/3,3,3/3,3,3 3,3,3/3,3,3/3,3,3", "at most 14 cards 3"),
        ("round 0 first 0\ndeal J,J,J/J,J,3/3,3,3 4,4,4/4,4,4/5,5,5\ntop J", "at most 5 cards J"),
        *(
            (f"round 0 first 0\ndeal (3),(3),?/?,?,?/?,?,? {grid}", "looked at")
            for grid in ("*,*,*/?,?,?/?,?,?", "*,?,?", "*,3,?/?,?,?/?,?,?")
        ),
    ],
)
def test_a_beginning_that_cannot_be_is_refused(begun, told):
    head = f"lama-odds record 1\nrules {STARNBERGER}\nplayers 2\n"
    with pytest.raises(ReadError, match=r"^line") as caught:
        read_record(head + begun)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ("0 draw 5 discard", "found '0', expected end done"),
        ("end empty", "expected done"),
        ("end done\npenalties -60 0", "the penalties of the hands are {} {}".format(*TOTALS)),
        ("round 1 first 0", "expected 1, next in turn order"),
        ("round 1 first 1\nllamas 0 0", "the standing that follows: 1 0"),
        ("final 1 0", "llamas, or sums"),
    ],
)
def test_what_cannot_follow_the_end_of_a_round_is_refused(after, told):
    with pytest.raises(ReadError) as caught:
        read_record(f"{DONE}{after}")
    assert told in str(caught.value)


def test_nothing_follows_the_end_of_a_game():
    *lines, last = RECORDS["two"].splitlines()
    assert last.startswith("final ")
    for wrong in ("final 0 99", f"{last} 0", "final", "final x y", "round 9 first 0"):
        with pytest.raises(ReadError):
            read_record("\n".join([*lines, wrong]))
    for more in ("0 draw 5 discard", "round 9 first 0", last, "end done"):
        with pytest.raises(ReadError):
            read_record("\n".join([*lines, last, more]))
