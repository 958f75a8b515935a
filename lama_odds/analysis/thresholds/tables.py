"""Tables beside thresholds: other decisions of self-play, on common random numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from lama_odds.core.progress import Progress
from lama_odds.games.interface.jobs import ForkTable, ForkTables
from lama_odds.games.interface.solution import ThresholdTable
from lama_odds.games.interface.tally_layout import (
    ForkCell,
)
from lama_odds.simulation.run import run
from lama_odds.statistics.intervals import ratio_of

FEWEST_FORKS = 200  # cells with fewer are left out


if TYPE_CHECKING:
    from lama_odds.simulation.run_folder import RunFolder


def tables_beside(
    beside: ForkTables,
    seed: int,
    games: int | None,
    threads: int | None,
    progress: Progress | None,
    folder: RunFolder | None,
) -> tuple[list[ThresholdTable], bool]:
    """Play the rounds; returns the tables, and whether that was interrupted.

    games: rounds, if fewer than the job's own number are to be played.
    """
    rounds = beside.rounds if games is None else min(games, beside.rounds)
    played = run(beside.job, seed, rounds, threads=threads, progress=progress, folder=folder)
    found = [_table(shown, played.tally, played.games) for shown in beside.tables]
    return [table for table in found if table.rows], played.interrupted


def _table(shown: ForkTable, tally: np.ndarray, rounds: int) -> ThresholdTable:
    rows = tuple(_rows(shown, tally))
    made = f"{shown.made}; {rounds:,} rounds, 95 % intervals"
    return ThresholdTable(shown.name, shown.title, rows, made, shown.across)


def _rows(shown: ForkTable, tally: np.ndarray) -> Iterator[dict[str, Any]]:
    """A row for each cell that occurred often enough."""
    for at, keys in enumerate(shown.keys):
        cell = ForkCell(tally[shown.first + at])
        if not keys or cell.decisions < FEWEST_FORKS:
            continue
        row: dict[str, Any] = {**keys, "n": cell.decisions}
        for objective, (name, unit) in enumerate(shown.objectives):
            row[name] = ratio_of(*cell.difference(objective), unit)
        yield row
