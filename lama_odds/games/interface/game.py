"""The face of a game: what every game offers to the layers above, and what only some can.

The analysis layer chooses methods and knows statistics; a game knows its rules and hands out
positions, jobs and what it can solve exactly. Every game has what `Game` declares abstract. What a
game may lack has an answer of its own there: nothing to show (an empty mapping, an empty text) or
None, see `capabilities` for the larger ones.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Family, Policy, read_policy
from lama_odds.core.progress import Progress
from lama_odds.core.rulesets import Option
from lama_odds.games.interface.best import best_of
from lama_odds.games.interface.capabilities import LivePlay, PolicyQuery, Recorded, Stepper
from lama_odds.games.interface.jobs import Effort, ForkJob, HandStudies, RolloutJob, StandingsJob
from lama_odds.games.interface.objectives import Objective
from lama_odds.games.interface.solution import (
    OddsInWords,
    Solution,
    ThresholdTable,
)
from lama_odds.jit.job import Job

if TYPE_CHECKING:
    from lama_odds.games.interface.match_equity import MatchEquity


class Rules(Protocol):
    """A rule set: a frozen value with a canonical id."""

    @property
    def id(self) -> str:
        """Canonical id, which reads back as this rule set."""

    @property
    def edition(self) -> str:
        """Name of the edition."""

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


R = TypeVar("R", bound=Rules)
P = TypeVar("P", bound=Position)


class Game(ABC, Generic[R, P]):
    """A game: the rooms of its folder behind one face. R: its rule sets, P: its positions.

    editions: what each edition is. options, defaults: the fields of a rule set and
    their values by edition. words: the words of a position. families: its policies.
    objectives: what an answer can count. models: policies of others to try an answer against, by
    what they are like. dial: a family whose parameter goes from bold to cautious, and values of
    it to try ("" and none: there is no such). example: a position. notes: what every user of the
    game should know. shared: the luck that rollouts of all actions have in common, in words.
    hidden_cards: whether the others' cards are hidden. has_rounds: whether a game is made of rounds
    that can be played by themselves. actions: what the length of a game counts. no_deal: why there
    are no chances of a deal, if that is so.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    editions: Mapping[str, str]
    options: Mapping[str, Option]
    defaults: Mapping[str, Mapping[str, Any]]
    words: Mapping[str, str]
    families: Sequence[Family]
    objectives: Mapping[str, Objective]
    models: Mapping[str, str]
    dial: tuple[str, Sequence[int]] = ("", ())
    example: str
    notes: tuple[str, ...] = ()
    shared: str
    hidden_cards: bool = False
    no_deal: str = ""
    has_rounds: bool = True
    actions: str = "plays, draws, rolls, quits"

    # What every game can.

    @abstractmethod
    def rules(self, text: str) -> R:
        """The rule set of an id; ReadError if there is none."""

    @abstractmethod
    def position(self, rules: R, text: str) -> P:
        """A position with a decision.

        ReadError if it cannot be read, ImpossibleError if it cannot occur or leaves nothing to
        decide.
        """

    @abstractmethod
    def position_after(self, rules: R, record: str) -> P:
        """The position at the end of a record of this rule set."""

    @abstractmethod
    def simulation(self, rules: R, policies: Sequence[Policy], rounds: bool) -> Job:
        """First rounds or whole games of these policies, one a seat."""

    @abstractmethod
    def record(
        self, rules: R, policies: Sequence[Policy], seed: int, game: int, rounds: bool
    ) -> str:
        """A simulated round or game as text."""

    @abstractmethod
    def odds(self, rules: R, position: P) -> Mapping[str, Estimate]:
        """Exact chances of what can happen next."""

    @abstractmethod
    def default_objective(self, rules: R, position: P) -> str:
        """The objective if none is named: what counts in this game, by what is known of it."""

    @abstractmethod
    def rollouts(
        self,
        rules: R,
        position: P,
        policies: Sequence[Policy],
        play_out: bool,
        objective: str = "",
        effort: Effort = Effort(),
    ) -> RolloutJob:
        """The job that plays a position out after each action; play_out: the whole game.

        objective: what is asked for, where an action leaves something to choose after it; effort:
        for finding that choice.
        """

    def in_words(self, rules: R, position: P) -> str:
        """A position as one would say it at the table, in a line."""
        return position.format()

    def policy(self, text: str) -> Policy:
        """The policy of a name; ReadError if there is none."""
        return read_policy(text, self.families)

    def best_policy(self, rules: R, players: int, objective: str = "win") -> Policy:
        """The strongest policy known for winning the game, or for points."""
        return best_of(self.name, rules.edition, players, objective, self.families)

    # What a game may be able to do besides: records that it hands out, see `capabilities`.

    def recorded(self) -> Recorded | None:
        """How its records are taken apart, decision by decision; None if they are not."""
        return None

    def policy_query(self) -> PolicyQuery | None:
        """How single situations are put to its policies; None if they cannot be."""
        return None

    def stepper(self) -> Stepper | None:
        """What begins a game that stops wherever one seat decides; None if there is no such."""
        return None

    def live_play(self) -> LivePlay | None:
        """How it is played along; None if it cannot be."""
        return None

    def has(self, method: str) -> bool:
        """Whether the game has its own of a method that a game may lack."""
        return getattr(type(self), method) is not getattr(Game, method)

    # What a game may know besides; nothing where it does not.

    def odds_groups(self, rules: R, position: P) -> Mapping[str, Mapping[str, Estimate]]:
        """Exact chances that stand apart, by group and name."""
        return {}

    def odds_in_words(
        self, rules: R, position: P | None, chances: Mapping[str, Estimate]
    ) -> OddsInWords | None:
        """What `odds` find at a position (None: the deal) in a few lines; None: all of it."""
        return None

    def odds_rest_on(self, rules: R, position: P) -> tuple[str, ...]:
        """What `odds` takes for granted at a position, in words."""
        return ()

    def deal_odds(self, rules: R) -> Mapping[str, Estimate]:
        """Exact chances of the deal; none where nothing is dealt."""
        return {}

    def next_chances(self, rules: R, position: P) -> Mapping[str, Mapping[str, Estimate]]:
        """Exact chances that stand beside an action, by action."""
        return {}

    def known(self, rules: R, position: P) -> Mapping[str, Mapping[str, Estimate]]:
        """Values of single actions that are exact, by action and objective."""
        return {}

    def turning_point(
        self, rules: R, position: P, objective: str, values: Mapping[str, float]
    ) -> str:
        """In a sentence, what would change the verdict; values: of the actions."""
        return ""

    def solve(
        self,
        rules: R,
        position: P,
        objective: str,
        threads: int,
        progress: Progress | None = None,
        table: MatchEquity | None = None,
    ) -> Solution | None:
        """Exact values of all actions, or None where only sampling answers.

        table: of the chance to win by the scores that a round of two leaves, if it may be used.
        """
        return None

    def too_large(self, rules: R, position: P, objective: str) -> str:
        """Why a position is not solved though others like it are; empty if it is not so."""
        return ""

    def asked_apart(self, rules: R, position: P, objective: str) -> tuple[str, ...] | None:
        """Other objectives that need an answer of their own; None where the same games tell them.

        They do where what follows an action is chosen for the objective that is asked for: the
        same games then say of others no more than what that choice is worth in them.
        """
        return None

    def most_points(self, rules: R) -> int:
        """The most that a round can cost."""
        return 0

    def exact_tables(self, rules: R, players: int) -> list[ThresholdTable]:
        """Exact figures to show beside thresholds, if there are any."""
        return []

    def forks(self, rules: R, policies: Sequence[Policy], chances: np.ndarray) -> ForkJob | None:
        """The job of `thresholds`, None if it has exact tables only.

        chances: int64, by penalty, of `tally_layout.CERTAIN`.
        """
        return None

    def game_forks(
        self, rules: R, policies: Sequence[Policy], chances: np.ndarray | None, band: int
    ) -> ForkJob | None:
        """The job of `thresholds` for winning, by score; None if the game has none.

        chances: int64, by cell, of `tally_layout.CERTAIN` (None: all). band: points that are one
        class of scores. The row after the cells counts branches that did not end.
        """
        return None

    def rounds_from(self, rules: R, policy: Policy, score: int) -> Job | None:
        """Rounds of two of a policy from this score of who starts, for a match equity table.

        None: the game is not decided by a sum of points.
        """
        return None

    def standings(self, rules: R, policies: Sequence[Policy]) -> StandingsJob | None:
        """Whole games, counting how often who is to move wins by how the game stands."""
        return None

    def hand_studies(self, rules: R, policies: Sequence[Policy]) -> HandStudies | None:
        """Situations of first rounds, played on with other hands."""
        return None


AnyGame = Game[Any, Any]
