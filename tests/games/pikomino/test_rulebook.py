"""The rule book of Egmont, section by section (seed 002); what it forbids: `test_record`."""

import pytest

from lama_odds.games.pikomino.rules.position import Table
from lama_odds.games.shared.record import Refused
from tests.games.cases import product_rules

FACES = "12345W"
TO_27 = ("44412512 4", "1445W W", "455W 5")


def dice(text):
    return tuple(text.count(face) for face in FACES)


def table(centre=None, stacks=((), ()), options=""):
    """A table with these tiles, seat 0 to roll."""
    found = Table(product_rules("pikomino/egmont" + options), len(stacks))
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
    worms = [found.rules.worms_on(tile) for tile in found.centre]
    assert worms == [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4
    assert (found.rules.dice, list(found.rules.players)) == (8, [2, 3, 4, 5, 6, 7])


# Przebieg gry


def test_example_of_the_rolls():
    # Maciek keeps fours (12), then not fours but the worm (17), then not the worm but fives (27).
    found = table()
    keep(found, "1224445W 4", "1445W")
    assert total(found) == 12
    with pytest.raises(Refused, match="kept before"):
        found.keep(3)
    found.keep(5)
    assert (total(found), found.kept) == (17, list(dice("444W")))
    keep(found, "455W 5")
    assert (total(found), found.left, found.stop_tile()) == (27, 2, 27)


# Zdobycie płytki


def test_a_tile_needs_a_worm_and_a_face_kept():
    found = table(centre=[21, 24], stacks=((), (25,)))
    keep(found, "55555123 5")
    assert (total(found), found.stop_tile(), found.steal_tile()) == (25, None, None)
    assert not found.must_bust
    found = table(centre=[21, 30])
    keep(found, "WWWWWW11 W", "11")
    assert (found.stop_tile(), found.steal_tile(), found.must_bust) == (None, None, False)


def test_example_of_a_tile_won():
    found = table(stacks=((22,), (30,)))
    keep(found, *TO_27)
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
    keep(found, *TO_27)
    assert found.stop_tile() == tile
    assert not found.must_bust
    if tile is None:
        with pytest.raises(Refused, match="no tile of the centre"):
            found.stop()
    else:
        assert found.stop() == tile
        assert found.centre == [t for t in centre if t != tile]


# Podbieranie płytek


def test_example_of_a_steal():
    # 27 lies on Maciek's stack. Agnieszka may steal it, take a lower one, or roll on.
    for choice, mine, theirs in (("steal", [33, 27], [22]), ("stop", [33, 26], [22, 27])):
        found = table(stacks=((33,), (22, 27), (30,)))
        keep(found, *TO_27)
        assert (found.steal_tile(), found.stop_tile(), found.left) == (27, 26, 2)
        assert getattr(found, choice)() == mine[-1]
        assert found.stacks == [mine, theirs, [30]]
        assert found.centre.count(26) == (choice == "steal")
        assert found.seat == 1


@pytest.mark.parametrize("stacks", [((), (27, 22)), ((27,), ()), ((), (28,)), ((), (26,))])
def test_only_the_top_of_another_stack_at_the_very_total_is_stolen(stacks):
    found = table(stacks=stacks)
    keep(found, *TO_27)
    assert found.steal_tile() is None
    with pytest.raises(Refused, match="no other stack"):
        found.steal()


def test_a_steal_is_possible_where_the_centre_has_nothing_but_not_by_a_house_rule():
    found = table(centre=[36], stacks=((), (), (27,)))
    keep(found, *TO_27)
    assert (found.stop_tile(), found.steal()) == (None, 27)
    assert found.stacks == [[27], [], []]
    found = table(stacks=((33,), (22, 27), (30,)), options="+no_steal")
    keep(found, *TO_27)
    with pytest.raises(Refused, match="no tile can be stolen by these rules"):
        found.steal()
    assert (found.steal_tile(), found.stop()) == (None, 26)


# Spalony rzut


@pytest.mark.parametrize(
    ("steps", "centre", "stacks", "lost"),
    [
        (("33124551 3", "555553 5", "3"), None, ((22,), ()), (22, 36)),  # nothing new was rolled
        (("WWWW1111 W", "1111 1"), [30, 36], ((29,), (28,)), (29, 36)),  # the total is too low
        (("55554444 5", "4444 4"), None, ((21,), ()), (21, 36)),  # no worm
        # Example: Magda keeps threes, fives and the worm (26); she rolls on and gets 3 and W.
        (
            ("33124551 3", "145552 5", "23W W", "3W"),
            [23, 26, 31, 35],
            ((24, 28), (36,)),
            (28, 35),
        ),
    ],
)
def test_who_cannot_go_on_is_bust(steps, centre, stacks, lost):
    found = table(centre, stacks)
    keep(found, steps[0])
    for step in steps[1:]:
        with pytest.raises(Refused, match="can continue"):
            found.bust()
        keep(found, step)
    assert found.must_bust
    before = found.centre
    assert found.bust() == lost
    assert found.centre == sorted({*before, lost[0]} - {lost[1]})
    assert found.turned == [lost[1]]
    assert found.stacks == [list(stacks[0][:-1]), list(stacks[1])]
    assert found.seat == 1


@pytest.mark.parametrize(
    ("options", "stack", "result", "centre"),
    [
        ("", (), (None, None), [22, 25]),
        ("", (30,), (30, None), [22, 25, 30]),
        ("", (21,), (21, 25), [21, 22]),
        ("", (30, 21, 23), (23, 25), [22, 23]),
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
    assert (found.stacks[0], found.seat) == (list(stack[:-1]), 1)


# Koniec ruchu, koniec gry


def test_turns_go_round_the_table():
    found, seats = table(stacks=((), (), ())), []
    for _ in range(4):
        seats.append(found.seat)
        lose(found)
    assert seats == [0, 1, 2, 0]


def test_the_game_ends_with_the_last_open_tile_taken_or_turned_over():
    found = table(centre=[25], stacks=((36,), (22, 33)))
    keep(found, "WWWWW123 W")
    assert found.stop() == 25
    assert (found.centre, found.worms) == ([], [6, 5])
    with pytest.raises(Refused, match="game is over"):
        found.roll(dice("12345123"))
    found = table(centre=[25], options="+flip_without_tile")
    assert lose(found) == (None, 25)
    assert (found.centre, found.turned) == ([], [25])
    with pytest.raises(Refused, match="game is over"):
        found.bust()
