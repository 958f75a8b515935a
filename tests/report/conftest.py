"""A small report that several tests look at."""

from __future__ import annotations

import os
from pathlib import Path

import filelock
import pytest

from lama_odds.analysis.strategy_report.by_game.dice import playing_to_win
from tests.cli.calls import inside

SMALL = ("dice/amigo", "--players", "2", "--precision", "2")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small report, made once for all workers; tests leave it as it is."""
    base = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        base = base.parent  # that of this run; each worker has a folder of its own in it
    folder = base / "small_report"
    with filelock.FileLock(base / "small_report.lock"):
        if not folder.is_dir():
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(playing_to_win, "BAND", 10)  # a quarter of its rounds are solved
                done = inside("report", *SMALL, "--out", str(base / "being_made"))
            assert done.code == 0, done.err
            (base / "being_made").rename(folder)
    return folder
