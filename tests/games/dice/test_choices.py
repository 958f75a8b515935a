"""What to discard and to take: values of situations added up, against loops over single rolls."""

from collections import defaultdict

import numpy as np
import pytest

from lama_odds.games.dice.rules.ruleset import parse_rules
from lama_odds.games.dice.solvers.choices import pair_discards, pair_takes
from lama_odds.games.dice.solvers.solve import SETS, OneEach
from tests.games.dice.table import KINDS
from tests.reference import dice as twin
from tests.reference.dice_solver import choices_of

RULES, BOOK = parse_rules("dice/amigo"), twin.edition("amigo")
FULL = SETS - 1
LUCK = np.random.default_rng(1)
# In some situations one rolls. What follows is worth few different values, so that many are equal.
ROLLING = [(int(LUCK.choice((3, 7, 56, 74, 126))), mine) for mine in range(1, FULL, 2)]
GAIN = np.ones((SETS, SETS, SETS))
GAIN[FULL][tuple(np.transpose(ROLLING))] = -1
ONE = OneEach(GAIN, LUCK.integers(0, 4, (SETS, SETS, SETS)).astype(float))


def mask_of(cards):
    return sum(1 << KINDS.index(card) for card in set(cards))


def rolls_of(case, least, most):
    """Give each roll that leaves a choice: hand, the other's cards, choices, their values."""
    for other, mine in ROLLING:
        hand = "".join(kind for at, kind in enumerate(KINDS) if mine >> at & 1)
        for roll in twin.all_rolls(BOOK.faces) if least <= len(hand) <= most else ():
            found, choices = choices_of(BOOK, hand, KINDS, roll, False)
            if found == case and len(choices) > 1:
                choices = sorted(choices, key=lambda choice: (len(choice[0]), choice[0]))
                worth = [ONE.moved[mask_of(row), other, mask_of(left)] for _, left, row in choices]
                yield hand, other.bit_count(), [left for _, left, _ in choices], worth


def test_discards_of_two_players_count_what_is_kept_back_and_what_that_saves():
    left, kinds = (defaultdict(lambda: np.zeros(3)) for _ in range(2))
    for hand, number, choices, worth in rolls_of("discard", 2, 5):
        rest, lost = choices[-1], worth[-1] - min(worth)
        best = max(at for at, value in enumerate(worth) if value == min(worth))
        left["L" in rest, len(set(rest) - {"L"}), number] += (1, lost > 0, lost)
        for kind in set(hand) - set(rest):
            kept = kind in choices[best]
            kinds[KINDS.index(kind), number] += (1, kept, lost * kept)
    found = pair_discards(RULES, ONE)
    for sums, expected in ((found.left, left), (found.kinds, kinds)):
        at = {key: sums[(slice(None), *map(int, key))].tolist() for key in expected}
        assert at == {key: pytest.approx(value) for key, value in expected.items()}
        assert sums[0].sum() == pytest.approx(sum(value[0] for value in expected.values()))


def test_takes_of_two_players_are_compared_wherever_one_rolls_and_could_take_either():
    found = pair_takes(RULES, ONE, others=3)
    lowest, saved = defaultdict(lambda: np.zeros(3)), defaultdict(list)
    for hand, number, _, worth in rolls_of("take", 1, 4):
        if number == 3:
            lost = worth[0] - min(worth)  # the lowest card is named first
            lowest[len(hand)] += (1, lost > 0, lost)
    for cards, sums in lowest.items():
        assert found.lowest[:, cards] == pytest.approx(sums)
    for other, mine in ROLLING:
        for first in range(7):
            for second in range(7):
                if first != second and not mine & (1 << first | 1 << second):
                    one, two = (
                        ONE.moved[FULL ^ 1 << kind, other, mine | 1 << kind]
                        for kind in (first, second)
                    )
                    key = first, second, mine.bit_count()
                    saved[key] += [two - one] * (other.bit_count() == 3)
    assert sum(map(bool, saved.values())) > 40
    for key, gains in saved.items():
        if gains and key[2] <= 4:
            assert found.gain[key] == pytest.approx(np.mean(gains))
            assert found.right[key] == pytest.approx(np.mean(np.array(gains) > 0))
