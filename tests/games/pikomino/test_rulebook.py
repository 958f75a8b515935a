"""The rule book of Egmont, section by section (seed 002): turns, tiles, busts, the end, records."""

import pytest

from lama_odds.core.errors import ImpossibleError, ReadError
from lama_odds.games.pikomino.records.record import read_record
from lama_odds.games.pikomino.rules.position import Table
from lama_odds.games.shared.record import Refused
from tests.games.cases import product_rules

FACES = "12345W"
EGMONT = "pikomino/egmont"


def dice(text):
    return tuple(text.count(face) for face in FACES)


def table(centre=None, stacks=((), ()), options=""):
    """A table with these tiles, seat 0 to roll."""
    found = Table(product_rules(EGMONT + options), len(stacks))
    found.stacks = [list(stack) for stack in stacks]
    held = {tile for stack in stacks for tile in stack}
    found.centre = [t for t in found.centre if t not in held] if centre is None else list(centre)
    return found


def keep(found, *steps):
    """Roll and keep: "1245W keep W" and so on."""
    for step in steps:
        rolled, _, face = step.partition(" ")
        found.roll(dice(rolled))
        if face:
            found.keep(FACES.index(face))


def total(found):
    return found.rules.total(tuple(found.kept))


def lose(found):
    """Go bust at once: eight ones."""
    keep(found, "1" * found.left + " 1")
    return found.bust()


# Elementy gry, przygotowanie


def test_sixteen_tiles_from_21_to_36_lie_in_the_centre_with_one_to_four_worms():
    found = table()
    assert found.centre == list(range(21, 37))
    assert found.stacks == [[], []]
    assert [found.rules.worms_on(tile) for tile in found.centre] == [1] * 4 + [2] * 4 + [3] * 4 + [
        4
    ] * 4
    assert (found.rules.dice, list(found.rules.players)) == (8, [2, 3, 4, 5, 6, 7])


# Przebieg gry


def test_the_first_roll_is_of_all_eight_dice():
    found = table()
    for rolled in ("1234512", "123451234", ""):
        with pytest.raises(Refused, match="but 8 left"):
            found.roll(dice(rolled))
    found.roll(dice("12345123"))
    assert found.rolled == dice("12345123")


def test_one_rolls_and_keeps_in_turn():
    found = table()
    with pytest.raises(Refused, match="nothing is rolled"):
        found.keep(0)
    keep(found, "1112345W")
    with pytest.raises(Refused, match="kept first"):
        found.roll(dice("11111111"))
    found.keep(0)
    with pytest.raises(Refused, match="nothing is rolled"):
        found.keep(1)
    with pytest.raises(Refused, match="but 5 left"):
        found.roll(dice("1112"))


def test_all_dice_of_a_face_are_kept_or_a_single_one():
    found = table()
    keep(found, "1112345W 1")
    assert (found.kept, found.left) == (list(dice("111")), 5)
    keep(found, "1112W W")
    assert (found.kept, found.left) == (list(dice("111W")), 4)


def test_a_face_that_was_not_rolled_cannot_be_kept():
    found = table()
    found.roll(dice("11123455"))
    with pytest.raises(Refused, match="W cannot be kept: it was not rolled"):
        found.keep(5)


def test_a_face_is_kept_once_in_a_turn():
    found = table()
    keep(found, "44412512 4", "12445")
    with pytest.raises(Refused, match="4 cannot be kept: it was kept before"):
        found.keep(3)
    found.keep(0)
    assert found.kept == list(dice("4441"))


def test_the_worm_is_five_but_another_face_than_five():
    found = table()
    keep(found, "W5551234 5", "WW112 W")
    assert total(found) == 25
    assert found.kept == list(dice("555WW"))


def test_example_of_the_rolls():
    # Maciek keeps fours (12), then not fours but the worm (17), then not the worm but fives (27).
    found = table()
    keep(found, "1224445W")
    found.keep(3)
    assert total(found) == 12
    keep(found, "1445W")
    with pytest.raises(Refused, match="kept before"):
        found.keep(3)
    found.keep(5)
    assert total(found) == 17
    keep(found, "455W")
    with pytest.raises(Refused, match="kept before"):
        found.keep(5)
    found.keep(4)
    assert (total(found), found.left) == (27, 2)
    assert found.stop_tile() == 27


# Zdobycie płytki


def test_a_tile_needs_a_worm():
    found = table(centre=[21, 24], stacks=((), (25,)))
    keep(found, "55555123 5")
    assert (total(found), found.stop_tile(), found.steal_tile()) == (25, None, None)
    with pytest.raises(Refused, match="no tile of the centre"):
        found.stop()
    with pytest.raises(Refused, match="no other stack"):
        found.steal()
    assert not found.must_bust


def test_example_of_a_tile_won():
    found = table(stacks=((22,), (30,)))
    keep(found, "44412512 4", "1445W W", "455W 5")
    assert found.stop() == 27
    assert found.stacks == [[22, 27], [30]]
    assert 27 not in found.centre
    assert (found.seat, found.kept, found.rolled) == (1, [0] * 6, None)


@pytest.mark.parametrize(
    ("centre", "tile"),
    [([21, 26, 27, 28], 27), ([21, 26, 28], 26), ([21, 30], 21), ([28, 36], None)],
)
def test_the_tile_of_the_total_or_the_next_lower_one(centre, tile):
    found = table(centre=centre)
    keep(found, "44412512 4", "1445W W", "455W 5")
    assert found.stop_tile() == tile
    if tile is None:
        with pytest.raises(Refused, match="no tile of the centre"):
            found.stop()
        assert not found.must_bust
    else:
        assert found.stop() == tile
        assert found.centre == [t for t in centre if t != tile]


def test_one_may_roll_on_though_a_tile_can_be_had():
    found = table()
    keep(found, "44412512 4", "1445W W", "455W 5", "33 3")
    assert (total(found), found.left, found.stop()) == (33, 0, 33)


def test_no_tile_can_be_had_before_a_face_is_kept():
    found = table(centre=[21, 30])
    keep(found, "WWWWWW11 W", "11")
    assert (found.stop_tile(), found.steal_tile(), found.must_bust) == (None, None, False)


# Podbieranie płytek


def test_example_of_a_steal():
    # 27 lies on Maciek's stack. Agnieszka may steal it, take a lower one, or roll on.
    for choice, mine, theirs in (("steal", [33, 27], [22]), ("stop", [33, 26], [22, 27])):
        found = table(stacks=((33,), (22, 27), (30,)))
        keep(found, "44412512 4", "1445W W", "455W 5")
        assert (found.steal_tile(), found.stop_tile(), found.left) == (27, 26, 2)
        assert getattr(found, choice)() == mine[-1]
        assert found.stacks == [mine, theirs, [30]]
        assert found.centre.count(26) == (choice == "steal")
        assert found.seat == 1


@pytest.mark.parametrize("stacks", [((), (27, 22)), ((27,), ()), ((), (28,)), ((), (26,))])
def test_only_the_top_of_another_stack_at_the_very_total_is_stolen(stacks):
    found = table(stacks=stacks)
    keep(found, "44412512 4", "1445W W", "455W 5")
    assert found.steal_tile() is None
    with pytest.raises(Refused, match="no other stack"):
        found.steal()


def test_by_a_house_rule_nothing_is_stolen():
    found = table(stacks=((33,), (22, 27), (30,)), options="+no_steal")
    keep(found, "44412512 4", "1445W W", "455W 5")
    assert (found.steal_tile(), found.stop_tile()) == (None, 26)
    with pytest.raises(Refused, match="no tile can be stolen by these rules"):
        found.steal()
    assert found.stop() == 26
    only = table(centre=[36], stacks=((), (), (27,)), options="+no_steal")
    keep(only, "44412512 4", "1445W W", "455W 5")
    assert only.stop_tile() is None
    assert not only.must_bust  # dice are left


def test_a_steal_is_possible_where_the_centre_has_nothing():
    found = table(centre=[36], stacks=((), (), (27,)))
    keep(found, "44412512 4", "1445W W", "455W 5")
    assert (found.stop_tile(), found.steal()) == (None, 27)
    assert found.stacks == [[27], [], []]


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
