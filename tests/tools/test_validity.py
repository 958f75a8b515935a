"""The study of coverage: `python -m tools.study.validity`."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest

from lama_odds.core.errors import LimitError
from lama_odds.statistics.intervals import share_of
from tools.study import validity
from tools.study import validity_rates as v
from tools.study.validity_parts import Study
from tools.study.validity_rates import Rate, Truth


@pytest.mark.long
def test_a_part_of_the_study_is_made() -> None:
    """The others: `python -m tools.study.validity PART --quick`."""
    rates = validity.study_part("rankings", Study(seed=2, quick=True))
    assert rates
    assert not [rate for rate in rates if rate.verdict == v.MISSES]


def test_wilson_coverage_added_up() -> None:
    # n = 2: counts 0, 1, 2 by hand.
    intervals = [share_of(count, 2) for count in range(3)]
    p = 0.2
    chances = [0.64, 0.32, 0.04]
    held = sum(c for c, i in zip(chances, intervals, strict=True) if i.low <= p <= i.high)
    assert v.share_coverage(2, p) == pytest.approx(held, abs=1e-12)
    # Brown, Cai & DasGupta (2001, Statistical Science 16, 101-133): near 0 it dips far below.
    assert min(v.share_coverage(50, q) for q in np.linspace(0.001, 0.02, 200)) < 0.9
    assert v.share_coverage(1_000, 0.3) == pytest.approx(0.95, abs=0.003)


def test_sums_are_of_the_distribution() -> None:
    truth = Truth("a die less 2", np.arange(-1, 5), np.ones(6), 0.5)
    assert truth.mean == pytest.approx(0.75)
    eight = truth.added(8)
    assert eight.mean == pytest.approx(6)
    assert eight.chances.sum() == pytest.approx(1)
    assert (eight.values.min(), eight.values.max()) == (-8, 32)
    total, squares, differing, cubes = truth.sums(np.random.default_rng(1), 60_000, 1)[0]
    assert total / 60_000 == pytest.approx(1.5, abs=0.05)
    assert squares / 60_000 == pytest.approx(31 / 6, abs=0.1)
    assert differing / 60_000 == pytest.approx(5 / 6, abs=0.01)
    assert cubes / 60_000 == pytest.approx(16.5, abs=0.5)


@pytest.mark.parametrize(
    ("count", "aim", "verdict"),
    [
        (950, v.FIXED, v.HOLDS),
        (942, v.FIXED, v.UNCLEAR),
        (900, v.FIXED, v.MISSES),
        (900, v.ANY, v.SHOWN),
        (40, v.AT_MOST, v.HOLDS),
        (90, v.AT_MOST, v.MISSES),
    ],
)
def test_verdicts_of_rates(count: int, aim: tuple[float, float], verdict: str) -> None:
    assert Rate("", "", "", "", count, 1_000, aim).verdict == verdict


def test_finished_parts_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def study_part(name: str, study: Study) -> list[Rate]:
        made.append(name)
        if name == "races" and len(made) == 2:
            raise KeyboardInterrupt
        return [Rate("mean", "coverage", name, "8", np.int64(study.seed), 9, v.FIXED, None)]

    monkeypatch.setattr(validity, "study_part", study_part)
    folder = tmp_path / "run"
    with (
        contextlib.suppress(KeyboardInterrupt),
        validity.kept_parts(folder, Study(1, True)) as part,
    ):
        rates = part("means")
        part("races")
    with validity.kept_parts(folder, Study(1, True)) as part:
        assert part("means") == rates == [Rate("mean", "coverage", "means", "8", 1, 9, v.FIXED)]
        assert part("races")[0].case == "races"
    assert made == ["means", "races", "races"]
    with (
        pytest.raises(LimitError, match="seed: found 1, expected 2"),
        validity.kept_parts(folder, Study(2, True)),
    ):
        pass
