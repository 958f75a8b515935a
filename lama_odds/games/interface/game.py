"""What a game offers to the layers above: the same for every game.

The analysis layer chooses methods and knows statistics; a game knows its rules
and hands out kernels, positions and what it can solve exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Family, Policy
from lama_odds.core.progress import Progress
from lama_odds.core.rulesets import Option
from lama_odds.games.interface.jobs import Effort, ForkJob, HandStudies, RolloutJob, StandingsJob
from lama_odds.games.interface.objectives import Objective
from lama_odds.jit.job import Job

if TYPE_CHECKING:
    from lama_odds.games.interface.match_equity import MatchEquity

EXACT = "exact"


@dataclass(frozen=True)
class ThresholdTable:
    """Figures to show beside thresholds: rows of plain values and estimates, by column.

    made: how, in words. across: a column whose values become columns of a text (see `ForkTable`).
    rule: in sentences one can keep in mind, what it comes to. terms: what its words mean, a line
    each.
    """

    name: str
    title: str
    rows: tuple[Mapping[str, Any], ...]
    made: str = EXACT
    across: str = ""
    rule: str = ""
    terms: tuple[str, ...] = ()

    def to_json(self) -> list[dict[str, Any]]:
        """The rows."""
        return [
            {k: v.to_json() if isinstance(v, Estimate) else v for k, v in row.items()}
            for row in self.rows
        ]


@dataclass(frozen=True)
class Valued:
    """An action with its exact value in every objective known, and its chances."""

    action: str
    values: Mapping[str, Estimate]
    chances: Mapping[str, Estimate] = field(default_factory=dict)


@dataclass(frozen=True)
class Solution:
    """What could be solved: all actions, and what the values rest on.

    complete: whether other objectives and chances are solved too; if not, they are sampled.
    """

    actions: tuple[Valued, ...]
    assumptions: tuple[str, ...]
    complete: bool = True


# Objectives that are chances.
SHARES = ("win", "round")


class Rules(Protocol):
    """A rule set: a frozen value with a canonical id."""

    @property
    def id(self) -> str:
        """Canonical id, which reads back as this rule set."""

    @property
    def values(self) -> dict[str, Any]:
        """The options by name."""

    @property
    def players(self) -> range:
        """Numbers of players it is for."""


class Position(Protocol):
    """What one player knows of a round, seat 0 to decide."""

    @property
    def players(self) -> int:
        """Number of players."""

    @property
    def others_in(self) -> int:
        """Number of other players who have not quit."""

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Points before this round's penalties, mine first; None if not given."""

    def format(self) -> str:
        """The position as text that reads back as this position."""


class Game(Protocol):
    """A game: the rooms of its folder behind one face.

    editions: what each edition is. options, defaults: the fields of a rule set and
    their values by edition. words: the words of a position. families: its policies.
    objectives: what an answer can count. models: policies of others to try an answer against, by
    what they are like. dial: a family whose parameter goes from bold to cautious, and values of
    it to try ("" and none: there is no such). example: a position. notes: what every user of the
    game should know. shared: the luck that rollouts of all actions have in common, in words.
    """

    name: str
    title: str
    editions: Mapping[str, str]
    options: Mapping[str, Option]
    defaults: Mapping[str, Mapping[str, Any]]
    words: Mapping[str, str]
    families: Sequence[Family]
    objectives: Mapping[str, Objective]
    models: Mapping[str, str]
    dial: tuple[str, Sequence[int]]
    example: str
    notes: tuple[str, ...]
    shared: str

    def rules(self, text: str) -> Any:
        """The rule set of an id; ReadError if there is none."""

    def position(self, rules: Any, text: str) -> Any:
        """A position with a decision.

        ReadError if it cannot be read, ImpossibleError if it cannot occur or leaves nothing to
        decide.
        """

    def position_after(self, rules: Any, record: str) -> Any:
        """The position at the end of a record of this rule set."""

    def policy(self, text: str) -> Policy:
        """The policy of a name; ReadError if there is none."""

    def best_policy(self, rules: Any, players: int, objective: str = "win") -> Policy:
        """The strongest policy known for winning the game, or for points."""

    def simulation(self, rules: Any, policies: Sequence[Policy], rounds: bool) -> Job:
        """First rounds or whole games of these policies, one a seat."""

    def record(
        self, rules: Any, policies: Sequence[Policy], seed: int, game: int, rounds: bool
    ) -> str:
        """A simulated round or game as text."""

    def odds(self, rules: Any, position: Any) -> Mapping[str, Estimate]:
        """Exact chances of what can happen next."""

    def odds_groups(self, rules: Any, position: Any) -> Mapping[str, Mapping[str, Estimate]]:
        """Exact chances that stand apart, by group and name."""

    def deal_odds(self, rules: Any) -> Mapping[str, Estimate]:
        """Exact chances of the deal; ReadError if the game has none."""

    def default_objective(self, rules: Any, position: Any) -> str:
        """The objective if none is named: what counts in this game, by what is known of it."""

    def next_chances(self, rules: Any, position: Any) -> Mapping[str, Mapping[str, Estimate]]:
        """Exact chances that stand beside an action, by action."""

    def known(self, rules: Any, position: Any) -> Mapping[str, Mapping[str, Estimate]]:
        """Values of single actions that are exact, by action and objective."""

    def turning_point(
        self, rules: Any, position: Any, objective: str, values: Mapping[str, float]
    ) -> str:
        """In a sentence, what would change the verdict; values: of the actions."""

    def solve(
        self,
        rules: Any,
        position: Any,
        objective: str,
        threads: int,
        progress: Progress | None = None,
        table: MatchEquity | None = None,
    ) -> Solution | None:
        """Exact values of all actions, or None where only sampling answers.

        table: of the chance to win by the scores that a round of two leaves, if it may be used.
        """

    def rollouts(
        self,
        rules: Any,
        position: Any,
        policies: Sequence[Policy],
        play_out: bool,
        objective: str = "",
        effort: Effort = Effort(),
    ) -> RolloutJob:
        """The job that plays a position out after each action; play_out: the whole game.

        objective: what is asked for, where an action leaves something to choose after it; effort:
        for finding that choice.
        """

    def forks(self, rules: Any, policies: Sequence[Policy], chances: np.ndarray) -> ForkJob | None:
        """The job of `thresholds`, None if it has exact tables only.

        chances: int64, by penalty, of `tally_layout.CERTAIN`.
        """

    def game_forks(
        self, rules: Any, policies: Sequence[Policy], chances: np.ndarray | None, band: int
    ) -> ForkJob | None:
        """The job of `thresholds` for winning, by score; None if the game has none.

        chances: int64, by cell, of `CERTAIN` (None: all). band: points that are one class
        of scores. The row after the cells counts branches that did not end.
        """

    def most_points(self, rules: Any) -> int:
        """The most that a round can cost."""

    def exact_tables(self, rules: Any, players: int) -> list[ThresholdTable]:
        """Exact figures to show beside thresholds, if there are any."""


@runtime_checkable
class TellsLimits(Protocol):
    """A game with positions that are too much work to solve, where others like them are solved."""

    def too_large(self, rules: Any, position: Any, objective: str) -> str:
        """Why a position is not solved, in words with the limit; empty if it is not for that."""


@runtime_checkable
class PlansByObjective(Protocol):
    """A game in which what follows an action is chosen for the objective that is asked for.

    What the same games say of other objectives is then no more than what that choice is worth in
    them: each objective needs an answer of its own.
    """

    def asked_apart(self, rules: Any, position: Any, objective: str) -> tuple[str, ...] | None:
        """Other objectives worth asking for; None where no choice follows an action."""


@runtime_checkable
class AssumesForOdds(Protocol):
    """A game that can tell what the chances of a position take for granted."""

    def odds_rest_on(self, rules: Any, position: Any) -> tuple[str, ...]:
        """What `Game.odds` takes for granted at a position, in words; none where nothing is."""


@runtime_checkable
class CountsStandings(Protocol):
    """A game that can tell how often who is to move wins, by how the game stands."""

    def standings(self, rules: Any, policies: Sequence[Policy]) -> StandingsJob:
        """The job that counts it, these policies playing whole games."""


@runtime_checkable
class StudiesHands(Protocol):
    """A game that can tell what cards in hand are worth."""

    def hand_studies(self, rules: Any, policies: Sequence[Policy]) -> HandStudies:
        """The job that plays situations of first rounds on with other hands."""
