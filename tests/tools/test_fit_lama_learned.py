"""What teaches `learned` of L.A.M.A.: worths of moves, slopes, and the same bytes after a stop."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lama_odds.games.lama.engine.equilibrium import MOVES
from lama_odds.games.lama.engine.learned.network import Learned
from lama_odds.games.lama.game import GAME
from lama_odds.games.lama.policies.learned import MANIFEST
from tools.fit import fit_lama_learned
from tools.fit.card_decisions import UNIT, Decisions
from tools.fit.card_net import ERRORS, STATS, Report, begun, taught, teach
from tools.fit.fit_lama_learned import RULES, Table
from tools.publishing.target import Making

OPTIONS = {
    **{"scores": 300, "rounds": 2, "first": 3_000, "decisions": 2_000},
    **{"steps": 3, "seed": 5},
}


class Stopped(Making):
    """Stops at the first thing to say: after the first step."""

    def tell(self, what: str) -> None:
        raise KeyboardInterrupt


def making_in(folder: Path) -> Making:
    return Making("learned-lama", folder / "one", OPTIONS, folder / "work", "", threads=1)


def some_decisions(folder: Path, net: Learned | None = None) -> Decisions:
    return Table(making_in(folder), GAME.rules(RULES), 3).lesson(net, 7, 400)


def test_decisions_have_worths_for_what_is_possible(tmp_path: Path) -> None:
    seen = some_decisions(tmp_path)
    again = some_decisions(tmp_path)
    assert all(np.array_equal(a, b) for a, b in zip(seen, again, strict=True))
    possible = (seen.possible[:, None] >> np.arange(MOVES) & 1).astype(bool)
    assert (possible.sum(axis=1) >= 2).all()
    assert (seen.worths[~possible] == 0).all()
    assert seen.worths.min() >= 0
    assert seen.worths.max() <= UNIT
    # Quitting, the last move, is always possible, and worth less than the best on average.
    assert possible[:, -1].all()
    assert seen.worths.max(axis=1).mean() > seen.worths[:, -1].mean()


def test_slopes_are_those_of_the_error(tmp_path: Path) -> None:
    """Of any decision: the error changes with a weight as the slope says."""
    seen = some_decisions(tmp_path)
    net = begun(np.random.default_rng(1))
    chosen = np.arange(40)
    slopes = Learned(*(np.zeros_like(part) for part in net))
    teach(net, slopes, seen, chosen, True, np.zeros(STATS))

    def error() -> float:
        stats = np.zeros(STATS)
        teach(net, slopes, seen, chosen, False, stats)
        return float(stats[ERRORS]) / 2

    step = 2e-3
    for part, slope in zip(net, slopes, strict=True):
        for at in np.argsort(-np.abs(slope.ravel()))[:4]:
            before = part.flat[at]
            part.flat[at] = before + step
            above = error()
            part.flat[at] = before - step
            below = error()
            part.flat[at] = before
            assert (above - below) / (2 * step) == pytest.approx(slope.flat[at], rel=0.05, abs=0.05)


def test_it_learns_what_it_is_shown(tmp_path: Path) -> None:
    seen = some_decisions(tmp_path)
    many = Decisions(*(np.concatenate([part[:397]] * 30) for part in seen))
    told: list[Report] = []
    taught(begun(np.random.default_rng(1)), many, 100, 5e-3, np.random.default_rng(2), told.append)
    assert told[-1].explained > 0.8
    assert told[-1].gain > told[0].gain


@pytest.mark.long
def test_a_stopped_run_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit_lama_learned, "PLAYERS", range(3, 5))
    making = making_in(tmp_path)
    fit_lama_learned.make(making)
    again = {"out": tmp_path / "two", "work": tmp_path / "again", "threads": 2}
    with pytest.raises(KeyboardInterrupt):
        fit_lama_learned.make(Stopped(**(vars(making) | again)))
    fit_lama_learned.make(replace(making, **again))
    for name in (MANIFEST, "lama/learned-3.npy", "lama/learned-4.npy"):
        one, two = (tmp_path / each / "data" / name for each in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
