"""What the faces of games have in common whose folders are laid out alike.

A game names its rooms, and each is loaded when it is first needed: a question loads no more than
it needs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.core.language import later
from lama_odds.core.policies import Policy
from lama_odds.games.interface.capabilities import LivePlay, PolicyQuery, Recorded, Stepper
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.jobs import ForkJob
from lama_odds.games.interface.match_equity import RoundsToWin, StartingScores, starting_scores
from lama_odds.games.interface.objectives import OddsInWords
from lama_odds.games.shared.record import read_of_rules
from lama_odds.jit.job import Job


class GameInRooms(Game[R, P]):
    """The face of a game with the rooms `jobs` and `records.record`, `records.live`, `.words`."""

    between = later("the others' luck and play, hidden cards, new deals")

    @property
    @abstractmethod
    def jobs(self) -> Any:
        """The module of its jobs."""

    @property
    @abstractmethod
    def record_room(self) -> Any:
        """The module that reads and writes records."""

    @property
    @abstractmethod
    def live_room(self) -> Any:
        """The module that follows a game."""

    @property
    @abstractmethod
    def words_room(self) -> Any:
        """The module with the words of positions and odds."""

    def in_words(self, rules: R, position: P) -> str:
        """Return what you hold and what is on the table, in words."""
        text: str = self.words_room.in_words(rules, position)
        return text

    def odds_in_words(
        self, rules: R, position: P | None, chances: Mapping[str, Estimate]
    ) -> OddsInWords | None:
        """What can happen next, or at the deal, in a few lines."""
        odds: OddsInWords | None = self.words_room.odds_in_words(rules, position, chances)
        return odds

    def position_after(self, rules: R, record: str) -> P:
        """Return the position at the end of a record, which must have the same rule set."""
        replayed = read_of_rules(self.record_room.Reader(), rules, record)
        position: P = self.record_room.position_after(replayed)
        return position

    def record(
        self, rules: R, policies: Sequence[Policy], seed: int, game: int, rounds: bool
    ) -> str:
        """Return a simulated round or game as text."""
        text: str = self.record_room.simulated_record(rules, policies, seed, game, rounds)
        return text

    def simulation(self, rules: R, policies: Sequence[Policy], rounds: bool) -> Job:
        """Return first rounds or whole games of these policies, one for each seat."""
        job: Job = self.jobs.simulation(rules, policies, rounds)
        return job

    def watched(self, rules: R, policies: Sequence[Policy], longer: int, looks: bool = True) -> Job:
        """Return whole games with what is counted along them."""
        job: Job = self.jobs.watched(rules, policies, longer, looks)
        return job

    def recorded(self) -> Recorded:
        """Return how its records are split into decisions."""
        split: Recorded = self.record_room.RECORDED
        return split

    def policy_query(self) -> PolicyQuery:
        """Return how its policies decide single situations."""
        query: PolicyQuery = self.live_room.QUERY
        return query

    def live_play(self) -> LivePlay:
        """Return how it is played along."""
        play: LivePlay = self.live_room.LIVE_PLAY
        return play


class GameOfPenalties(GameInRooms[R, P]):
    """The face of a game of rounds in which the penalties of all rounds add up to a score."""

    def stepper(self) -> Stepper:
        """Return a function that begins a game and stops whenever one seat decides."""
        line: Stepper = self.live_room.GameLine
        return line

    def rounds_from(
        self, rules: R, policies: Sequence[Policy], starts: np.ndarray, most: int
    ) -> Job:
        """Return rounds from given scores, for match equity tables."""
        job: Job = self.jobs.rounds_from(rules, policies, starts, most)
        return job

    def default_objective(self, rules: R, position: P) -> str:
        """Return the default objective: the game, unless nothing values unknown scores."""
        if self.unknown_scores(rules, position) is not None:
            return "win"
        return self.recorded_objective(rules, position)

    def recorded_objective(self, rules: R, position: P) -> str:
        """Return the game if scores are given; otherwise the round, against the only other."""
        if position.scores is not None:
            return "win"
        return "margin" if position.players == 2 else "points"

    def unvalued(self, rules: R, position: P) -> bool:
        """Return whether scores are not given and no table values those that rounds begin with."""
        return position.scores is None and self.unknown_scores(rules, position) is None

    def unknown_scores(self, rules: R, position: P) -> StartingScores | None:
        """Return the scores at which rounds begin, if none are given and a table values them."""
        return None if position.scores is not None else starting_scores(rules.id, position.players)

    def forks(
        self,
        rules: R,
        policies: Sequence[Policy],
        chances: np.ndarray,
        worth: RoundsToWin | None = None,
    ) -> ForkJob:
        """Return decisions to quit or not, played out both ways."""
        job: ForkJob = self.jobs.forks(rules, policies, chances, worth)
        return job

    def game_forks(
        self, rules: R, policies: Sequence[Policy], chances: np.ndarray | None, band: int
    ) -> ForkJob:
        """Return the same decisions, played out to the end of the game."""
        job: ForkJob = self.jobs.game_forks(rules, policies, chances, band)
        return job
