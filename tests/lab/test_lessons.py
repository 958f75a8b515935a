"""Lessons of networks: a run that was stopped goes on where it was."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from lab.lessons import learned_in_steps
from lab.nets import ERRORS, SPREAD, begun
from tools.publishing.target import Making

SHAPES = ((3, 2), (2, 2), (1, 2), (3,))


class Net(NamedTuple):
    rows: np.ndarray
    second: np.ndarray
    results: np.ndarray
    constants: np.ndarray


class Seen(NamedTuple):
    numbers: np.ndarray
    worths: np.ndarray


def teach(net: Net, slopes: Net, seen: Seen, chosen: np.ndarray, learns: bool, stats: Any) -> None:
    """Each decision pulls all rows towards its worth."""
    for worth in seen.worths[chosen]:
        stats[ERRORS] += ((net.rows - worth) ** 2).sum()
        stats[SPREAD] += worth**2
        if learns:
            slopes.rows[:] += net.rows - worth


class StopError(Exception):
    pass


def nets_after(folder: Path, stop: int | None = None) -> Sequence[Net]:
    """Two networks after five steps; stop: the step in which the run is stopped."""
    making = Making("x", folder, {"steps": 5, "seed": 1}, folder, "")
    begin = [Net(*begun(np.random.default_rng(k), SHAPES)) for k in (1, 2)]

    def lesson(nets: Sequence[Net] | None, step: int) -> list[Seen]:
        if step == stop:
            raise StopError
        tops = [0.0, 0.0] if nets is None else [float(net.rows[0, 0]) for net in nets]
        return [Seen(np.arange(40), np.linspace(top + 1, top + step + 2, 40)) for top in tops]

    return learned_in_steps(making, 3, begin, lesson, teach, (2, 1))


@pytest.mark.parametrize("stop", [0, 1, 2, 4])
def test_a_stopped_run_goes_on_as_if_nothing_had_happened(tmp_path: Path, stop: int) -> None:
    whole = nets_after(tmp_path / "whole")
    with pytest.raises(StopError):
        nets_after(tmp_path / "stopped", stop)
    again = nets_after(tmp_path / "stopped")
    for net, same in zip(whole, again, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(net, same, strict=True))
    assert not np.array_equal(whole[0].rows, whole[1].rows)
