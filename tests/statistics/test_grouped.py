"""Shares of values that come in groups: error, interval, what is 0 or less than δ."""

from __future__ import annotations

import numpy as np
import pytest

from lama_odds.statistics.equivalence import DIFFERS, SAME, UNDECIDED, judge
from lama_odds.statistics.grouped import grouped_share
from lama_odds.statistics.intervals import share_of


def test_values_of_a_group_that_are_alike_are_worth_one() -> None:
    rng = np.random.default_rng(1)
    alone = rng.binomial(1, 0.3, 400)
    one_each = grouped_share(alone, np.ones(400, dtype=int), 0.01)
    ten_alike = grouped_share(10 * alone, np.full(400, 10), 0.01)
    assert one_each.estimate.value == ten_alike.estimate.value == alone.mean()
    assert one_each.estimate.n == 400
    assert ten_alike.estimate.n == 4_000
    assert ten_alike.estimate.stderr == pytest.approx(one_each.estimate.stderr)
    assert ten_alike.worth == pytest.approx(one_each.worth)
    # About Wilson's interval of 400, a little wider for the groups that have none.
    wilson = share_of(int(alone.sum()), 400)
    width = one_each.estimate.high - one_each.estimate.low
    assert 1 < width / (wilson.high - wilson.low) < 1.05


def test_values_of_a_group_that_are_not_alike_are_worth_themselves() -> None:
    rng = np.random.default_rng(2)
    found = rng.binomial(20, 0.3, 400)
    share = grouped_share(found, np.full(400, 20), 0.01)
    assert 6_000 < share.worth < 10_500
    assert share.estimate.low < 0.3 < share.estimate.high


@pytest.mark.long
def test_a_single_value_refutes_0_but_may_be_less_than_delta() -> None:
    counts, found = np.full(30, 30), np.zeros(30, dtype=int)
    few = grouped_share(found, counts, 0.005)
    assert (few.p, few.worth, few.p_same) == (1.0, 300, pytest.approx(0.995**300))
    assert few.estimate.low == 0
    assert few.estimate.high == pytest.approx(share_of(0, 300).high, rel=0.1)
    counts, found = np.full(300, 30), np.zeros(300, dtype=int)
    nothing = grouped_share(found, counts, 0.005)
    found[7] = 1
    one = grouped_share(found, counts, 0.005)
    assert one.p == 0.0
    assert one.estimate.high < 0.005
    verdicts = [judge([each])[0].verdict for each in (few, nothing, one)]
    assert verdicts == [UNDECIDED, SAME, SAME]
    found[:200] = 3
    assert judge([grouped_share(found, counts, 0.005)])[0].verdict == DIFFERS


def test_a_share_of_delta_is_called_the_same_at_most_as_often_as_stated() -> None:
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(600):
        chances = rng.beta(0.1, 9.9, 150)
        counts = 20 + rng.poisson(10, 150)
        share = grouped_share(rng.binomial(counts, chances), counts, 0.01)
        wrong += share.p_same <= 0.05
    assert 0 < wrong <= 600 * 0.05 + 3 * np.sqrt(600 * 0.05)


def test_nothing_asked() -> None:
    with pytest.raises(ValueError, match="no decisions"):
        grouped_share(np.zeros(3, dtype=int), np.zeros(3, dtype=int), 0.01)
