"""Records: written, read back, cut anywhere, and refused where they do not follow."""

from textwrap import dedent

import pytest

from lama_odds.core.errors import ImpossibleError, NothingToDecideError, ReadError
from lama_odds.games.pikomino.game import GAME
from lama_odds.games.pikomino.records import record
from lama_odds.games.pikomino.records.record import position_after, read_record
from lama_odds.games.pikomino.rules.feasibility import parse_position
from tests.games.cases import product_record, product_rules
from tests.games.pikomino.cases import twin_rules
from tests.reference import pikomino as twin

EGMONT = "pikomino/egmont"
EXAMPLE = dedent(record.__doc__.split("::\n\n")[1].split("\n\nAfter")[0])
RECORDS = {
    "two": product_record(EGMONT, ("first-tile", "random"), 0, 155),
    "five": product_record(f"{EGMONT}+short", ("random",) * 5, 3, 4),
    "flips": product_record(f"{EGMONT}+flip_without_tile", ("optimal-turn",) * 3, 8, 1),
}
HEAD = f"lama-odds record 1\nrules {EGMONT}\nplayers 2\n"


def test_the_example_of_the_module_replays():
    found = read_record(EXAMPLE)
    assert (found.rules.id, found.players) == (EGMONT, 2)
    position = position_after(found)
    assert parse_position(found.rules, position.format()) == position


def test_a_record_of_the_twin_is_read():
    text = twin.game_record(twin_rules({}), EGMONT, ("random", "first-tile"), 6, 2)
    found = read_record(text)
    _, game = twin.played(twin_rules({}), ("random", "first-tile"), 6, 2)
    assert found.state.stacks == game.stacks
    assert found.state.turned == game.turned


@pytest.mark.parametrize("name", RECORDS)
def test_blank_lines_comments_and_tiles_left_out_of_a_bust_are_allowed(name):
    header, *lines = RECORDS[name].splitlines()
    short = [line.split(" returns")[0].split(" flips")[0] for line in lines]
    loose = "\n \n# a comment\n".join([header, *(f"  {x.replace(' ', '   ')}\t" for x in short)])
    assert vars(read_record(loose).state) == vars(read_record(RECORDS[name]).state)


# Cut


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_cut_after_a_line_asks_the_next_seat(name):
    lines = RECORDS[name].splitlines()
    for cut in range(5, len(lines)):
        begun = "\n".join(lines[:cut])
        if lines[cut].startswith("final"):
            with pytest.raises(ImpossibleError, match="the game is over"):
                position_after(read_record(begun))
            continue
        found = read_record(begun)
        assert found.state.seat == int(lines[cut].split()[0])
        assert not found.state.open_turn
        position = position_after(found)
        assert parse_position(found.rules, position.format()) == position
        assert (position.rolled, sum(position.kept)) == (None, 0)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ("", "centre=21-36 stacks=-/-"),
        ("0", "centre=21-36 stacks=-/-"),
        ("0 roll 1122444W", "rolled=1122444W centre=21-36 stacks=-/-"),
        ("0 roll 1122444W keep 4", "kept=444 centre=21-36 stacks=-/-"),
        ("0 roll WWWWW444 keep W stop 25", "centre=21-24,26-36 stacks=-/25"),
        (
            "0 roll WWWWW444 keep W stop 25\n1 roll 11112345 keep 1 roll 2345",
            "kept=1111 rolled=2345 centre=21-24,26-36 stacks=-/25",
        ),
        (
            "0 roll WWWWW444 keep W stop 25\n1 roll WWWWW444 keep W steal 25",
            "centre=21-24,26-36 stacks=-/25",
        ),
    ],
)
def test_the_position_is_seen_from_the_seat_to_act(turns, expected):
    assert GAME.position_after(product_rules(EGMONT), HEAD + turns).format() == expected


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        ("0 roll 11111111 keep 1", "the turn is over, bust"),
        ("0 roll 11223344 keep 4 roll 444444", "the turn is over, bust"),
    ],
)
def test_nothing_is_asked_where_only_a_bust_is_left(turns, told):
    with pytest.raises(NothingToDecideError, match=told):
        position_after(read_record(HEAD + turns))


# Refused


@pytest.mark.parametrize(
    ("turns", "line", "told"),
    [
        ("1 roll 11223344", 4, "0"),
        ("0 roll 1122334", 4, "7 dice rolled"),
        ("0 roll 112233447", 4, "roll"),
        ("0 roll 11223344 keep 5", 4, "not rolled"),
        ("0 roll 11223344 keep 44", 4, "one face"),
        ("0 roll 11223344 keep 4 roll 112244 keep 4", 4, "kept before"),
        ("0 keep 4", 4, "nothing is rolled"),
        ("0 roll 11223344 roll 112233", 4, "kept first"),
        ("0 roll 11223344 keep", 4, "keep FACE"),
        ("0 roll WWWWW123 keep W stop", 4, "stop TILE"),
        ("0 roll WWWWW123 keep W stop 24", 4, "25"),
        ("0 roll WWWWW123 keep W stop 26", 4, "25"),
        ("0 roll WWWWW123 keep W steal 25", 4, "none can be taken"),
        ("0 roll WWWWW123 keep W stop 25 roll 1", 4, "nothing after the tile"),
        ("0 roll WWWWW123 keep W bust", 4, "not bust"),
        ("0 roll 11111111 keep 1 bust returns 21", 4, "no tile"),
        ("0 roll 11111111 keep 1 bust flips 36", 4, "no tile"),
        ("0 roll WWWWW123 keep W stop 25\n1 roll 11111111 keep 1 bust returns 25", 5, "no tile"),
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
    turns = ["0 roll WWWWW123 keep W stop 25", "1 roll 11111111 keep 1 bust"]
    return HEAD + "\n".join([*turns, f"0 roll 11111111 keep 1 bust {words}"])


@pytest.mark.parametrize("words", ["", "returns 25", "flips 36", "returns 25 flips 36"])
def test_a_bust_may_name_its_tiles(words):
    state = read_record(lost_with_tiles(words)).state
    assert (state.centre, state.turned, state.stacks) == ([*range(21, 36)], [36], [[], []])


@pytest.mark.parametrize(
    "words", ["returns 24", "flips 35", "returns 25 flips 25", "returns", "flips 36 flips 36", "25"]
)
def test_wrong_tiles_of_a_bust_are_refused(words):
    with pytest.raises(ReadError) as caught:
        read_record(lost_with_tiles(words))
    assert caught.value.message.startswith("line 6")


def test_a_wrong_end_is_refused():
    *lines, last = RECORDS["two"].splitlines()
    assert last.startswith("final ")
    for wrong in ("final 0 99", f"{last} 0", "final", "final x y"):
        with pytest.raises(ReadError):
            read_record("\n".join([*lines, wrong]))
    with pytest.raises(ReadError):
        read_record("\n".join([*lines, last, "0 roll 11223344"]))
