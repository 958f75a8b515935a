"""Figures drawn in other processes: the same bytes, whatever becomes of those processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from lama_odds.analysis.strategy_report.document import EXACT, Bars, Section
from lama_odds.report.figures import drawing
from lama_odds.report.figures.draw import draw
from lama_odds.report.figures.drawing import Drawing

BARS = tuple(
    Bars(f"bars{n}", "title", "what it shows", "x", "y", ("1", "2"), (n / 4, 1 - n / 4))
    for n in range(3)
)
SECTION = Section("section", "title", EXACT, "basis", figures=BARS)


def contents(drawn: Drawing) -> list[bytes]:
    return [drawn.fetch(figure, image) for figure in BARS for image in ("svg", "png")]


def here() -> list[bytes]:
    return [draw(figure, image) for figure in BARS for image in ("svg", "png")]


def helpers() -> list[BaseProcess]:
    return multiprocessing.active_children()


@pytest.mark.long
@pytest.mark.parametrize("processors", [1, 2, 8])
def test_figures_are_the_same_wherever_they_are_drawn(processors: int) -> None:
    with Drawing(("svg", "png"), processors) as drawn:
        drawn.begin(SECTION)
        assert bool(helpers()) == (processors > 1)
        assert contents(drawn) == here()
    assert not helpers()


@pytest.mark.long
def test_what_was_not_begun_is_drawn_all_the_same() -> None:
    with Drawing(("svg",), 2) as drawn:
        drawn.begin(SECTION)
        assert contents(drawn) == here()


@pytest.mark.long
def test_a_killed_process_costs_no_figure() -> None:
    with Drawing(("svg", "png"), 2) as drawn:
        drawn.begin(SECTION)
        for process in helpers():
            process.kill()
        assert contents(drawn) == here()
        drawn.begin(SECTION)  # nobody is left to draw it
        assert contents(drawn) == here()


@pytest.mark.long
def test_without_processes_figures_are_drawn_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> None:
        raise NotImplementedError("no semaphores")

    monkeypatch.setattr(drawing, "ProcessPoolExecutor", none)
    with Drawing(("svg", "png"), 2) as drawn:
        drawn.begin(SECTION)
        assert contents(drawn) == here()


@pytest.mark.long
def test_an_error_ends_the_processes() -> None:
    def stopped() -> None:
        with Drawing(("svg", "png"), 2) as drawn:
            drawn.begin(SECTION)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert not helpers()


ASKS = """
import sys, time
from tests.report.test_drawing import SECTION, Drawing, contents, helpers
with Drawing(("svg",), 2) as drawn:
    drawn.begin(SECTION)
    contents(drawn)
    print(*(process.pid for process in helpers()), flush=True)
    time.sleep(600)
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="looks processes up by signals")
def test_processes_end_with_the_one_that_asked_even_if_it_is_killed() -> None:
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", ASKS],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as asking:
        assert asking.stdout is not None
        found = [int(word) for word in asking.stdout.readline().split()]
        asking.send_signal(signal.SIGKILL)
    assert found
    waited = time.monotonic() + 60
    while any(alive(process) for process in found) and time.monotonic() < waited:
        time.sleep(0.05)
    assert not any(alive(process) for process in found)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not (state.is_file() and state.read_text().rpartition(")")[2].split()[0] == "Z")
