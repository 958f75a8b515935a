"""A small report that several tests look at."""

from __future__ import annotations

import os
from pathlib import Path

import filelock
import pytest

from lama_odds.analysis.strategy_report.by_game.dice import playing_to_win
from lama_odds.analysis.strategy_report.document import Figure
from lama_odds.analysis.strategy_report.sections import rounds
from lama_odds.report.figures import draw as drawing
from lama_odds.report.figures.draw import draw
from tests.cli.calls import inside

SMALL = ("dice/amigo", "--players", "2", "--precision", "2")


def svg_only(figure: Figure, image: str) -> bytes:
    """Draw a figure, but no image of dots: that takes as long again."""
    return draw(figure, "svg") if image == "svg" else b"\x89PNG"


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
                patch.setattr(rounds, "CHANCE_PRECISION", 4 * rounds.CHANCE_PRECISION)
                patch.setattr(drawing, "draw", svg_only)
                patch.setattr(drawing, "_processes", lambda number: None)
                done = inside("report", *SMALL, "--out", str(base / "being_made"))
            assert done.code == 0, done.err
            (base / "being_made").rename(folder)
    return folder
