"""Decisions to quit or not, played out both ways, as jobs for thresholds.

For games of rounds with penalties; see `drivers.fork_rounds`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from lama_odds.core.language import later
from lama_odds.games.interface.from_scores import AS_GIVEN
from lama_odds.games.interface.jobs import ForkJob, KeyWords, Scale
from lama_odds.games.interface.match_equity import PLAYED_ON, Equities, RoundsToWin
from lama_odds.games.interface.tally_layout import CERTAIN, EQUITY, FORK_COLUMNS, WIN
from lama_odds.games.shared.seating import OBJECTIVES, bands_of, cell_keys, with_scores
from lama_odds.jit import Compiled
from lama_odds.jit.job import Job


class ForkRoundTables(NamedTuple):
    """Tables for forks in rounds.

    play: those for rounds and games. chances: int64, by penalty, see `tally_layout.forks_here`.
    starts: the scores before a round, see `from_scores.draw_scores`. equities: what values those
    after it, if anything does. by_scores: the first cell by scores, 0 if there is none.
    """

    play: Any
    chances: np.ndarray
    starts: np.ndarray
    equities: Equities
    by_scores: int


class ForkGameTables(NamedTuple):
    """Tables for forks in games.

    play: those for rounds and games. chances: int64, by cell; band, bands: see
    `seating.score_cell`.
    """

    play: Any
    chances: np.ndarray
    band: int
    bands: int


class Forking(NamedTuple):
    """Whose decisions are played out.

    actions: of a fork, quitting first. met: when they occur. words: of the keys.
    """

    rules: Any
    policies: np.ndarray
    play: Any
    actions: tuple[str, str]
    met: str
    words: Mapping[str, KeyWords]


LEFT = KeyWords(later("others still in"), "others still in", "others still in: {}")
OF_A_HAND = Scale(meant="Your penalty is what the cards in your hand cost you if you quit now.")


def round_forks(
    kernel: Compiled,
    asked: Forking,
    cells: Sequence[Mapping[str, Any]],
    chances: np.ndarray,
    worth: RoundsToWin | None,
) -> ForkJob:
    """Return forks in first rounds for points, or with `worth` in rounds of games, for winning."""
    rules = asked.rules
    keys = cells if worth is None else with_scores(cells, rules.most_points, rules.target)
    tables = ForkRoundTables(
        asked.play,
        chances,
        AS_GIVEN if worth is None else worth.starting.rows,
        PLAYED_ON if worth is None else worth.table.counted,
        0 if worth is None else len(cells),
    )
    job = Job(kernel, rules.columns, asked.policies, tables, (len(keys), FORK_COLUMNS))
    about = (asked.met, OF_A_HAND)
    if worth is None:
        each = 1 / (len(asked.policies) - 1)
        return ForkJob(job, keys, asked.actions, each, *about, words=asked.words)
    return ForkJob(
        job, keys, asked.actions, 1.0, *about, OBJECTIVES, unit=1 / EQUITY, words=asked.words
    )


def game_forks(kernel: Compiled, asked: Forking, chances: np.ndarray | None, band: int) -> ForkJob:
    """Return the same decisions, played out to the end of the game."""
    rules = asked.rules
    keys = cell_keys(rules.most_points, rules.target, band)
    if chances is None:
        chances = np.full(len(keys), CERTAIN, dtype=np.int64)
    tables = ForkGameTables(asked.play, chances, band, bands_of(rules.target, band))
    job = Job(kernel, rules.columns, asked.policies, tables, (len(keys) + 1, FORK_COLUMNS))
    return ForkJob(job, keys, asked.actions, 1.0, asked.met, OF_A_HAND, OBJECTIVES, unit=1 / WIN)
