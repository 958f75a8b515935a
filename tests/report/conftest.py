"""A small report that several tests look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from lama_odds.analysis.strategy_report.by_game.dice import playing_to_win
from tests.cli.calls import inside

SMALL = ("dice/amigo", "--players", "2", "--precision", "2")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small report; what changes it puts back what was there."""
    folder = tmp_path_factory.mktemp("reports") / "out"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(playing_to_win, "BAND", 10)  # a quarter of its rounds are solved
        done = inside("report", *SMALL, "--out", str(folder))
    assert done.code == 0, done.err
    return folder
