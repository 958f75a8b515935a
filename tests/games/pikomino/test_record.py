"""Positions and records: read back, cut anywhere, and refused where they cannot be."""

from __future__ import annotations

from textwrap import dedent
from types import SimpleNamespace

import pytest

from lama_odds.core.errors import ImpossibleError, NothingToDecideError, ReadError
from lama_odds.games.interface.capabilities import Record
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.records import record
from lama_odds.games.pikomino.records.record import position_after, ranked, read_record
from lama_odds.games.pikomino.rules.feasibility import parse_position
from lama_odds.games.pikomino.rules.position import Position
from tests.games.cases import product_record, product_rules
from tests.games.pikomino.cases import FLIPS, NO_STEAL, SHORT, id_of

EGMONT = "pikomino/egmont"
RULES = product_rules(EGMONT)


def parse(text: str) -> Position:
    return parse_position(RULES, text)


# Positions


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  \t", "centre=21-36 own=- tops=-"),
        ("kept=-", "centre=21-36 own=- tops=-"),
        ("own=24", "centre=21-23,25-36 own=24 tops=-"),
        ("tops=27,-,36", "centre=21-26,28-35 own=- tops=27,-,36"),
        ("stacks=24.22/27.30/-", "centre=21,23,25-26,28-29,31-36 stacks=24.22/27.30/-"),
        ("centre=30,21-22,23", "centre=21-23,30 own=- tops=-"),
        ("rolled=W5432111", "rolled=1112345W centre=21-36 own=- tops=-"),
        ("tops=027\tcentre=21-21 kept=W44", "kept=44W centre=21 own=- tops=27"),
    ],
)
def test_the_canonical_form(text, canonical):
    assert parse(text).format() == canonical
    assert parse(canonical) == parse(text)


def test_the_example_of_the_agreement():
    position = parse("kept=444W rolled=1245 centre=21-23,25,30-36 own=24 tops=27,-")
    assert (position.kept, position.rolled) == ((0, 0, 0, 3, 0, 1), (1, 1, 0, 1, 1, 0))
    assert position.centre == (21, 22, 23, 25, *range(30, 37))
    assert (position.stacks, position.tops) == (((24,), (27,), ()), (24, 27, None))
    whole = parse("stacks=24.22/27.30/-")
    assert (whole.tops, whole.whole) == ((22, 30, None), True)


@pytest.mark.parametrize(
    ("text", "at", "told"),
    [
        ("kept=44X", 7, "dice 1-5 or W"),
        ("rolled=12,", 10, "W"),
        ("kept=4 kept=5", 7, "given twice"),
        ("kepd=4", 0, "kept"),
        ("kept=", 5, "value"),
        ("centre=21,,22", 10, "centre"),
        ("centre=25-21", 7, "low to high"),
        ("centre=21-22-23", 7, "centre"),
        ("own=24.25", 4, "own"),
        ("tops=27,,28", 8, "a tile"),
        ("stacks=24.22/2x", 13, "stacks"),
        ("stacks=24/", 10, "stacks"),
        ("own=24 stacks=21/22", 0, "stacks give own too"),
        ("stacks=21/22 tops=23", 13, "stacks give tops too"),
        ("own=" + "9" * 30, 4, "digits"),
    ],
)
def test_what_cannot_be_read_names_the_place(text, at, told):
    with pytest.raises(ReadError, match=told) as caught:
        parse(text)
    assert (caught.value.text, caught.value.at) == (text, at)


def defects(text: str, rules=RULES) -> tuple[str, ...]:
    with pytest.raises(ImpossibleError) as caught:
        parse_position(rules, text)
    assert caught.value.exit_code == 3
    return caught.value.defects


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("centre=20-22", "20 in the centre: the tiles are 21 to 36"),
        ("centre=35-38", "37, 38 in the centre"),
        ("own=-5", "-5 in your stack"),
        ("tops=-,0", "0 in the stack of opponent 2"),
        ("centre=21-23,22", "tile 22 2 times, in the centre"),
        ("centre=21 tops=24,24", "tile 24 2 times, in the stack of opponent 1 and the stack of"),
        ("own=24 tops=24", "tile 24 2 times, in your stack and the stack of opponent 1"),
        ("centre=21-30 stacks=31/32.30.33", "tile 30 2 times, in the centre and the stack of"),
        ("centre=- stacks=21/22", "no tile is left in the centre"),
        ("kept=11111WWWW", "9 dice kept (11111WWWW), but only 8 exist"),
        ("kept=4 rolled=123", "3 dice rolled (123), but 7 left"),
        ("rolled=-", "0 dice rolled (-), but 8 left"),
        ("kept=4444 rolled=4444", "bust: 4 kept before"),
        ("kept=4444WWWW centre=21-36 rolled=1", "1 dice rolled (1), but 0 left"),
        ("kept=44445555", "bust: all dice are kept, no worm is kept"),
        ("kept=2222WWWW centre=29-36 tops=27", "no tile for 28"),
        ("kept=4444444W own=33 centre=34", "no tile for 33"),
        ("tops=-,-,-,-,-,-,-", "8 players"),
        # The lowest tile is never turned over, but it may be buried.
        ("centre=22-36", "21 is nowhere"),
        ("kept=445WW centre=22,26 stacks=29/30", "21 is nowhere"),
    ],
)
def test_a_defect_is_named_alone(text, told):
    (defect,) = defects(text)
    assert told in defect


@pytest.mark.parametrize(
    ("rules_id", "text", "told"),
    [
        (id_of({}), "kept=44WW rolled=44WW own=24", "your 24 goes back, and 36 is turned over"),
        (id_of({}), "kept=1111111W", "no tile for 12; you have no tile to lose"),
        (id_of({}), "kept=1111111W centre=21-35 own=36", "no tile for 12; your 36 goes back"),
        (id_of(SHORT), "kept=1111111W centre=21-35 own=36", "back, and 36 is turned over"),
        (id_of(FLIPS), "kept=1111111W", "you have no tile to lose, and 36 is turned over"),
        (id_of({}), "centre=- own=24", "the game is over"),
        # Where nobody steals, the top tile of another is no tile for 22.
        (id_of(NO_STEAL), "kept=3333311W tops=22 centre=23-36", "you have no tile to lose"),
    ],
)
def test_a_bust_leaves_nothing_to_decide_and_says_what_it_costs(rules_id, text, told):
    with pytest.raises(NothingToDecideError, match="leaves nothing to decide") as caught:
        parse_position(product_rules(rules_id), text)
    (said,) = caught.value.defects
    assert said.endswith(told) or said.startswith(told)


def test_all_defects_are_listed_at_once():
    found = defects("kept=44444WWWW rolled=44 centre=20,22 own=22 tops=37,23,23,-,-,-,-")
    for told in (
        *("20 in the centre", "37 in the stack of opponent 1", "tile 22 2", "tile 23 2"),
        *("9 dice kept", "2 dice rolled", "bust: 4 kept before", "8 players"),
    ):
        assert sum(told in defect for defect in found) == 1, told
    assert len(found) == 8
    # An end that play cannot lead to is not one that leaves nothing to decide.
    with pytest.raises(ImpossibleError, match="cannot occur") as caught:
        parse("kept=11111111 centre=-")
    assert not isinstance(caught.value, NothingToDecideError)


@pytest.mark.parametrize(
    "text",
    [
        "kept=44444WWW",
        "kept=2222WWWW centre=29-36 tops=28",
        "kept=5555555 centre=36 own=21",
        "kept=5555555 rolled=W",
        "kept=444W rolled=4441",
        "centre=36 own=30",
        "stacks=21.22.23.24.25/26/27/28/29/30/31",
    ],
)
def test_what_can_occur_is_no_defect(text):
    assert parse(text).centre


def test_defects_follow_the_options():
    assert parse_position(product_rules("pikomino/egmont+low=20"), "own=20").centre[-1] == 35
    six = product_rules("pikomino/egmont+dice=6")
    assert "but only 6 exist" in defects("kept=44444WW", six)[0]
    assert "but 6 left" in defects("rolled=12345", six)[0]
    dear = product_rules("pikomino/egmont+worm_value=10")
    assert parse_position(dear, "kept=111112WW tops=27 centre=28").tops == (None, 27)
    assert "no tile for 27" in defects("kept=111112WW tops=26 centre=28", dear)[0]


# Records (decisions and damage: tests/games/test_records.py)

HEAD = f"lama-odds record 1\nrules {EGMONT}\nplayers 2\n"
WON, LOST = "roll WWWWW444 keep W", "roll 11111111 keep 1"


def test_the_example_of_the_module_replays():
    example = dedent(record.__doc__.split("::\n\n")[1].split("\n\nAfter")[0])
    found = read_record(example)
    assert (found.rules.id, found.players) == (EGMONT, 2)
    position = position_after(found)
    assert parse_position(found.rules, position.format()) == position


def test_blank_lines_comments_and_tiles_left_out_of_a_bust_are_allowed():
    text = product_record(id_of(FLIPS), ("optimal-turn",) * 3, 8, 1)
    header, *lines = text.splitlines()
    short = [line.split(" returns")[0].split(" flips")[0] for line in lines]
    loose = "\n \n# a comment\n".join([header, *(f"  {x.replace(' ', '   ')}\t" for x in short)])
    assert vars(read_record(loose).state) == vars(read_record(text).state)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ("0", "centre=21-36 stacks=-/-"),
        ("0 roll 1122444W", "rolled=1122444W centre=21-36 stacks=-/-"),
        ("0 roll 1122444W keep 4", "kept=444 centre=21-36 stacks=-/-"),
        (f"0 {WON} stop 25", "centre=21-24,26-36 stacks=-/25"),
        (
            f"0 {WON} stop 25\n1 roll 11112345 keep 1 roll 2345",
            "kept=1111 rolled=2345 centre=21-24,26-36 stacks=-/25",
        ),
        (f"0 {WON} stop 25\n1 {WON} steal 25", "centre=21-24,26-36 stacks=-/25"),
    ],
)
def test_the_position_is_seen_from_the_seat_to_act(turns, expected):
    assert GAME.position_after(RULES, HEAD + turns).format() == expected


@pytest.mark.parametrize("turns", [f"0 {LOST}", "0 roll 11223344 keep 4 roll 444444"])
def test_nothing_is_asked_where_only_a_bust_is_left(turns):
    with pytest.raises(NothingToDecideError, match="the turn is over, bust"):
        position_after(read_record(HEAD + turns))


@pytest.mark.parametrize(
    ("turns", "line", "told"),
    [
        ("1 roll 11223344", 4, "0"),
        ("0 roll 1122334", 4, "7 dice rolled"),
        ("0 roll 112233447", 4, "roll"),
        ("0 roll 11223344 keep 5", 4, "not rolled"),
        ("0 roll 11223344 keep 44", 4, "one face"),
        ("0 roll 11223344 keep 4 roll 112244 keep 4", 4, "kept before"),
        ("0 roll 11223344 keep 4 keep 3", 4, "nothing is rolled"),
        ("0 keep 4", 4, "nothing is rolled"),
        ("0 roll 11223344 roll 112233", 4, "kept first"),
        ("0 roll 11223344 keep", 4, "keep FACE"),
        ("0 roll 55555123 keep 5 stop 25", 4, "none can be taken"),
        (f"0 {WON} stop", 4, "stop TILE"),
        (f"0 {WON} stop 24", 4, "25"),
        (f"0 {WON} stop 26", 4, "25"),
        (f"0 {WON} steal 25", 4, "none can be taken"),
        (f"0 {WON} stop 25 roll 1", 4, "nothing after the tile"),
        (f"0 {WON} bust", 4, "not bust"),
        (f"0 {LOST} bust returns 21", 4, "no tile"),
        (f"0 {LOST} bust flips 36", 4, "no tile"),
        (f"0 {WON} stop 25\n1 {LOST} bust returns 25", 5, "no tile"),
        ("0 roll 1123\n1 roll 11223344", 4, "4 dice rolled"),
        ("0 roll 11223344\n0 keep 4", 5, "an unfinished turn"),
        ("0 play 4", 4, "roll DICE"),
        ("round 0 first 0", 4, "round"),
        ("final 0 0", 4, "final"),
    ],
)
def test_what_does_not_follow_is_refused_by_line(turns, line, told):
    with pytest.raises(ReadError, match=told) as caught:
        read_record(HEAD + turns)
    assert caught.value.message.startswith(f"line {line}")


def lost_with_tiles(words):
    """Seat 0 wins 25, and is then bust."""
    return f"{HEAD}0 {WON} stop 25\n1 {LOST} bust\n0 {LOST} bust {words}"


def test_a_bust_may_name_its_tiles_and_no_others():
    for words in ("", "returns 25", "flips 36", "returns 25 flips 36"):
        state = read_record(lost_with_tiles(words)).state
        assert (state.centre, state.turned, state.stacks) == ([*range(21, 36)], [36], [[], []])
    for words in ("returns 24", "flips 35", "returns", "flips 36 flips 36", "25"):
        with pytest.raises(ReadError) as caught:
            read_record(lost_with_tiles(words))
        assert caught.value.message.startswith("line 6")


def test_a_wrong_end_is_refused():
    *lines, last = product_record(EGMONT, ("first-tile", "random"), 0, 155).splitlines()
    for wrong in ("final 0 99", f"{last} 0", "final", "final x y", f"{last}\n0 roll 11223344"):
        with pytest.raises(ReadError):
            read_record("\n".join([*lines, wrong]))


def test_of_players_with_equal_worms_the_highest_tile_wins_wherever_it_lies() -> None:
    table = SimpleNamespace(stacks=[[30, 22], [25, 26]])
    assert ranked(Record(None, 2, outcome=(3, 3), state=table)) == [(3, 30), (3, 26)]
