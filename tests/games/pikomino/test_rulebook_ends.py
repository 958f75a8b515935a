"""The rule book of Egmont, section by section (seed 002): busts, the end, and records of it."""

import pytest

from lama_odds.core.errors import ImpossibleError, ReadError
from lama_odds.games.pikomino.records.record import read_record
from lama_odds.games.shared.record import Refused
from tests.games.pikomino.table import EGMONT, FACES, dice, keep, lose, table, total

# Spalony rzut


def test_bust_as_nothing_new_was_rolled():
    found = table(stacks=((22,), ()))
    keep(found, "33124551 3", "555553")
    assert not found.must_bust
    found.keep(4)
    keep(found, "3")
    assert found.must_bust
    assert found.bust() == (22, 36)


def test_bust_as_all_dice_are_kept_and_the_total_is_too_low():
    found = table(centre=[30, 36], stacks=((29,), (28,)))
    keep(found, "WWWW1111 W", "1111 1")
    assert (total(found), found.must_bust) == (24, True)
    assert found.bust() == (29, 36)


def test_bust_as_all_dice_are_kept_without_a_worm():
    found = table(stacks=((21,), ()))
    keep(found, "55554444 5", "4444 4")
    assert (total(found), found.must_bust) == (36, True)
    assert found.bust() == (21, 36)


def test_nobody_is_bust_who_can_go_on():
    found = table(stacks=((21,), (24,)))
    with pytest.raises(Refused, match="can continue"):
        found.bust()
    for step in ("WWWW1112 W", "1124 4", "112 2"):
        keep(found, step.split()[0])
        with pytest.raises(Refused, match="can continue"):
            found.bust()
        found.keep(FACES.index(step[-1]))
        with pytest.raises(Refused, match="can continue"):
            found.bust()
    keep(found, "WW")
    assert found.must_bust


def test_example_of_a_bust():
    # Magda keeps threes (6), fives (21) and the worm (26); she rolls on and gets 3 and W.
    found = table(centre=[23, 26, 31, 35], stacks=((24, 28), (36,)))
    keep(found, "33124551 3")
    assert total(found) == 6
    keep(found, "145552 5")
    assert total(found) == 21
    keep(found, "23W W")
    assert (total(found), found.stop_tile()) == (26, 26)
    keep(found, "3W")
    assert found.must_bust
    assert found.bust() == (28, 35)
    assert (found.centre, found.turned) == ([23, 26, 28, 31], [35])
    assert found.stacks == [[24], [36]]
    assert found.seat == 1


def test_only_the_top_tile_goes_back_to_its_place():
    found = table(stacks=((30, 21, 25), ()))
    assert lose(found) == (25, 36)
    assert found.stacks[0] == [30, 21]
    assert found.centre == [22, 23, 24, 25, 26, 27, 28, 29, 31, 32, 33, 34, 35]


@pytest.mark.parametrize(
    ("options", "stack", "result", "centre"),
    [
        ("", (), (None, None), [22, 25]),
        ("", (30,), (30, None), [22, 25, 30]),
        ("", (21,), (21, 25), [21, 22]),
        ("+short", (30,), (30, 30), [22, 25]),
        ("+short", (21,), (21, 25), [21, 22]),
        ("+short", (), (None, None), [22, 25]),
        ("+flip_without_tile", (), (None, 25), [22]),
        ("+flip_without_tile", (30,), (30, None), [22, 25, 30]),
        ("+flip_without_tile+short", (30,), (30, 30), [22, 25]),
    ],
)
def test_exceptions_and_options_of_a_bust(options, stack, result, centre):
    found = table(centre=[22, 25], stacks=(stack, ()), options=options)
    assert lose(found) == result
    assert found.centre == centre
    assert found.turned == [tile for tile in result[1:] if tile]
    assert (found.stacks[0], found.seat) == ([], 1)


# Koniec ruchu, koniec gry


def test_turns_go_round_the_table():
    found = table(stacks=((), (), ()))
    seats = []
    for _ in range(4):
        seats.append(found.seat)
        lose(found)
    assert seats == [0, 1, 2, 0]


def test_the_game_ends_with_the_last_open_tile():
    found = table(centre=[25], stacks=((36,), (22, 33)))
    keep(found, "WWWWW123 W")
    assert found.stop() == 25
    assert found.centre == []
    assert found.worms == [6, 5]
    with pytest.raises(Refused, match="game is over"):
        found.roll(dice("12345123"))


def test_a_bust_may_turn_the_last_tile_over():
    found = table(centre=[25], options="+flip_without_tile")
    assert lose(found) == (None, 25)
    assert (found.centre, found.turned) == ([], [25])
    with pytest.raises(Refused, match="game is over"):
        found.bust()


# The same in records


def record(*lines, rules=EGMONT):
    head = ("lama-odds record 1", f"rules {rules}", "players 2")
    return read_record("\n".join([*head, *lines])).state


def test_the_examples_as_a_record():
    won = "0 roll 11224445 keep 4 roll 1445W keep W roll 455W keep 5 stop 27"
    stolen = won.replace("0 roll", "1 roll", 1).replace("stop", "steal")
    lost = "0 roll 11233455 keep 3 roll 124555 keep 5 roll 23W keep W roll 3W bust"
    state = record(won, stolen, lost, "1 roll 11111111 keep 1 bust returns 27 flips 36")
    assert (state.stacks, state.turned, state.seat) == ([[], []], [36], 0)
    assert state.centre == list(range(21, 36))


@pytest.mark.parametrize(
    "line",
    [
        "0 roll 11224445 keep 4 roll 1445W keep 4",
        "0 roll 11224445 keep 4 roll 1445W keep W stop 21",
        "0 roll 55555123 keep 5 stop 25",
        "0 roll WWWWW123 keep W stop 24",
        "0 roll WWWWW123 keep W bust",
        "1 roll WWWWW123 keep W stop 25",
        "0 roll 11111111 keep 1 bust flips 36",
    ],
)
def test_what_the_rules_forbid_is_refused_in_a_record(line):
    with pytest.raises((ReadError, ImpossibleError), match="line 4"):
        record(line)
