"""The rule book of Egmont, section by section (seed 002): turns, tiles won and stolen."""

import pytest

from lama_odds.games.shared.record import Refused
from tests.games.pikomino.table import dice, keep, table, total

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
