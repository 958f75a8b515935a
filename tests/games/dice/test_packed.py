"""Rules on packed cards against the same rules on counts, also where a hand has many of a kind."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lama_odds.games.dice.rules import transition
from lama_odds.games.dice.rules.position import pack_hand, unpack_hand
from lama_odds.games.dice.rules.transition import FULL_ROW, KINDS, MAX_DICE, pack_roll

HANDS = st.tuples(*[st.integers(0, 15)] * KINDS)
ROLLS = st.lists(st.integers(0, KINDS - 1), min_size=1, max_size=MAX_DICE).map(tuple)


@given(HANDS, ROLLS)
def test_each_die_discards_a_card_of_its_kind_if_there_is_one(
    hand: tuple[int, ...], roll: tuple[int, ...]
) -> None:
    most = transition.most_discarded(pack_hand(hand), pack_roll(roll))
    expected = tuple(min(held, roll.count(kind)) for kind, held in enumerate(hand))
    assert unpack_hand(int(most)) == expected


@given(HANDS)
def test_kinds_held(hand: tuple[int, ...]) -> None:
    expected = sum(1 << kind for kind, held in enumerate(hand) if held)
    assert transition.kinds_of(pack_hand(hand)) == expected


def test_masks_of_kinds() -> None:
    for mask in range(1, FULL_ROW + 1):
        kinds = [kind for kind in range(KINDS) if mask >> kind & 1]
        assert transition.lowest_kind(mask) == kinds[0]
        assert transition.row_cards(mask) == pack_hand(tuple(mask >> k & 1 for k in range(KINDS)))
