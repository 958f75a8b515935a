"""Holm's correction against statsmodels, and what it promises."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from lama_odds.statistics.holm import holm


@pytest.mark.parametrize("tests", [1, 2, 3, 8, 40])
def test_corrected_values_are_those_of_statsmodels(
    tests: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # statsmodels collects garbage for every correction, which takes most of the time.
    monkeypatch.setattr("gc.collect", lambda: 0)
    rng = np.random.default_rng(tests)
    for _ in range(50):
        p = rng.random(tests) ** rng.integers(1, 9)
        p[rng.random(tests) < 0.3] = p[0]  # equal ones too
        rejected, corrected, *_ = multipletests(p, 0.05, "holm")
        assert holm(p.tolist()) == corrected.tolist()
        assert [found <= 0.05 for found in holm(p.tolist())] == rejected.tolist()


def test_the_ends() -> None:
    assert holm([]) == []
    assert holm([1.0, 0.0, 1.0]) == [1.0, 0.0, 1.0]
    assert holm([0.02]) == [0.02]


def test_one_that_is_certain_leaves_the_others_less_to_correct() -> None:
    assert holm([0.03, 0.03]) == [0.06, 0.06]
    assert holm([0.0, 0.03]) == [0.0, 0.03]


def test_false_rejections_are_as_rare_as_promised() -> None:
    rng = np.random.default_rng(5)
    runs = 4_000
    wrong = sum(min(holm(list(rng.random(5)))) <= 0.05 for _ in range(runs))
    assert 0.04 < wrong / runs < 0.06
