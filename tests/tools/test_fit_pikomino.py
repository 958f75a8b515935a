"""What teaches `learned` of Pikomino: same bytes after a stop, and with any number of threads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lama_odds.games.pikomino.engine.learned import FEATURES
from lama_odds.games.pikomino.engine.learning import ROW, learn
from lama_odds.games.pikomino.policies.learned import MANIFEST, TABLE
from tools.fit import fit_pikomino
from tools.publishing.target import Making

OPTIONS = {
    "watched": 4,
    "two_steps": 2,
    "two_games": 4,
    "more_steps": 1,
    "more_games": 3,
    "seed": 5,
}


class Stopped(Making):
    """Stops at the first thing to say: after the first step."""

    def tell(self, what: str) -> None:
        raise KeyboardInterrupt


def test_steps_go_towards_what_teaches() -> None:
    """Two boards, told apart by one switch, are worth 0.2 and 0.9."""
    rows = np.zeros((2, ROW), np.int16)
    rows[:, 0], rows[:, 1], rows[0, 2], rows[1, 2] = 2, 7, 3, 4
    targets = np.array([0.2, 0.9], np.float32)
    network = fit_pikomino.begin(1)
    assert network.weights.shape[0] == FEATURES
    order = np.arange(2)
    first = learn(rows, targets, order, *network, 0.1)
    for _ in range(500):
        last = learn(rows, targets, order, *network, 0.1)
    assert last < 1e-6 < first


@pytest.mark.long
def test_a_stopped_run_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit_pikomino, "PIECE", 2)
    monkeypatch.setattr(fit_pikomino, "PLAYERS", range(2, 4))
    making = Making("learned", tmp_path / "one", OPTIONS, tmp_path / "work", "", threads=1)
    fit_pikomino.make(making)
    again = {"out": tmp_path / "two", "work": tmp_path / "again", "threads": 2}
    with pytest.raises(KeyboardInterrupt):
        fit_pikomino.make(Stopped(**(vars(making) | again)))
    assert (tmp_path / "again" / "2.npz").is_file()
    fit_pikomino.make(replace(making, **again))
    for name in (TABLE, MANIFEST):
        one, two = (tmp_path / out / "data" / name for out in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
