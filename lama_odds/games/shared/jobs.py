"""Rounds and games of a game of rounds with penalties as jobs, see `shared.drivers`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from lama_odds.core.language import later
from lama_odds.core.policies import Policy
from lama_odds.games.interface.from_scores import AS_GIVEN, from_scores
from lama_odds.games.interface.jobs import ForkJob, KeyWords, Scale
from lama_odds.games.interface.match_equity import (
    PLAYED_ON,
    Equities,
    RoundsToWin,
    table_for,
)
from lama_odds.games.interface.tally_layout import CERTAIN, EQUITY, FORK_COLUMNS, WIN
from lama_odds.games.interface.watched import NO_STORY, WatchTables, measures_of
from lama_odds.games.shared.measures import DETAILS, game_measures, round_measures
from lama_odds.games.shared.seating import OBJECTIVES, bands_of, cell_keys, with_scores
from lama_odds.jit.job import Job

MOST_ACTIONS = 4_096  # of a round that is watched


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


LEFT = KeyWords(later("others still in"), "others still in", "others still in: {}")
OF_A_HAND = Scale(meant="Your penalty is what the cards in your hand cost you if you quit now.")


@dataclass(frozen=True)
class PenaltyJobs:
    """The jobs of a game.

    kernels: the module of its drivers. rows_of: int64[seats, 3], of the policies of the seats.
    tables_of: what the kernels read of rules and for policies; its `tokens` says whether anybody
    may hold tokens during play. tokens_in_rounds: whether that is so in rounds that begin without.
    blows: whether a round can be blown.

    Decisions are played out both ways for thresholds. actions: of these, quitting first. occasion:
    when they occur, in words. cells_of: the meaning of their cells, by the most points of a round.
    words: of the keys of these cells.
    """

    kernels: Any
    rows_of: Callable[[Sequence[Policy]], np.ndarray]
    tables_of: Callable[..., Any]
    tokens_in_rounds: Callable[[Any], bool]
    blows: bool
    actions: tuple[str, str]
    occasion: str
    cells_of: Callable[[int], list[dict[str, int | None]]]
    words: Mapping[str, KeyWords]

    def simulation(self, rules: Any, policies: Sequence[Policy], rounds: bool) -> Job:
        """Return first rounds or whole games of these policies, one for each seat."""
        seats, most = len(policies), rules.most_points
        measures = (
            round_measures(seats, most, self.blows)
            if rounds
            else game_measures(seats, rules.target + most)
        )
        return Job(
            self.kernels.play_first_rounds if rounds else self.kernels.play_games,
            rules.columns,
            self.rows_of(policies),
            self.tables_of(rules, policies, tokens=not rounds),
            (len(measures), 2),
            measures,
            () if rounds else DETAILS,
        )

    def watched(self, rules: Any, policies: Sequence[Policy], longer: int, looks: bool) -> Job:
        """Return whole games that are watched; longer, looks: see `watched.WatchTables`."""
        play = self.tables_of(rules, policies, tokens=True)
        table = table_for(rules.id, policies)
        equities = PLAYED_ON if table is None else table.counted
        measures = measures_of(len(policies), True)
        logged = play._replace(log=np.zeros(MOST_ACTIONS, dtype=np.int64))
        tables = WatchTables(play, logged, longer, equities, looks, NO_STORY)
        rows, shape = self.rows_of(policies), (len(measures), 2)
        return Job(self.kernels.watch_games, rules.columns, rows, tables, shape, measures)

    def rounds_from(
        self, rules: Any, policies: Sequence[Policy], starts: np.ndarray, most: int
    ) -> Job:
        """Return rounds from given scores, see `from_scores.from_scores`."""
        play, rows = self.tables_of(rules, policies, tokens=True), self.rows_of(policies)
        return from_scores(self.kernels.play_from_scores, rules.columns, rows, play, starts, most)

    def forks(
        self,
        rules: Any,
        policies: Sequence[Policy],
        chances: np.ndarray,
        worth: RoundsToWin | None = None,
    ) -> ForkJob:
        """Return decisions in first rounds, for points; with `worth` in rounds of games, to win.

        chances: by penalty, of each decision to be taken, see `tally_layout.forks_here`.
        """
        cells = self.cells_of(rules.most_points)
        keys = cells if worth is None else with_scores(cells, rules.most_points, rules.target)
        tokens = worth is not None or self.tokens_in_rounds(rules)
        tables = ForkRoundTables(
            self.tables_of(rules, policies, tokens=tokens),
            chances,
            AS_GIVEN if worth is None else worth.starting.rows,
            PLAYED_ON if worth is None else worth.table.counted,
            0 if worth is None else len(cells),
        )
        rows, shape = self.rows_of(policies), (len(keys), FORK_COLUMNS)
        job = Job(self.kernels.fork_rounds, rules.columns, rows, tables, shape)
        about = (self.occasion, OF_A_HAND)
        if worth is None:
            per_other = 1 / (len(policies) - 1)
            return ForkJob(job, keys, self.actions, per_other, *about, words=self.words)
        return ForkJob(
            job, keys, self.actions, 1.0, *about, OBJECTIVES, unit=1 / EQUITY, words=self.words
        )

    def game_forks(
        self, rules: Any, policies: Sequence[Policy], chances: np.ndarray | None, band: int
    ) -> ForkJob:
        """Return the same decisions, played out to the end of the game."""
        keys = cell_keys(rules.most_points, rules.target, band)
        if chances is None:
            chances = np.full(len(keys), CERTAIN, dtype=np.int64)
        play = self.tables_of(rules, policies, tokens=True)
        tables = ForkGameTables(play, chances, band, bands_of(rules.target, band))
        shape = (len(keys) + 1, FORK_COLUMNS)
        job = Job(self.kernels.fork_games, rules.columns, self.rows_of(policies), tables, shape)
        return ForkJob(
            job, keys, self.actions, 1.0, self.occasion, OF_A_HAND, OBJECTIVES, unit=1 / WIN
        )
