"""The face of a game: what every game offers to the layers above, and what only some offer.

The analysis layer chooses methods and knows statistics. A game knows its rules; it offers
positions, jobs and what it can solve exactly. Every game has what `Game` declares abstract. The
other methods have a default: an empty mapping or text, or None (see `capabilities` for the larger
ones).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np

from lama_odds.core.estimate import Estimate
from lama_odds.core.language import later
from lama_odds.core.policies import SEARCH, Family, Policy, read_policy
from lama_odds.core.progress import Progress
from lama_odds.core.rulesets import Option
from lama_odds.games.interface.best import OTHERWISE, best_of
from lama_odds.games.interface.best import WIN as WINNING
from lama_odds.games.interface.capabilities import Guessed, LivePlay, PolicyQuery, Recorded, Stepper
from lama_odds.games.interface.jobs import (
    Effort,
    ForkJob,
    HandStudies,
    RolloutJob,
    StandingsJob,
    ThinkingJob,
)
from lama_odds.games.interface.objectives import (
    ChanceWords,
    HeldByOthers,
    Objective,
    OddsInWords,
    Solution,
    ThresholdTable,
)
from lama_odds.games.interface.reasons import Reasons
from lama_odds.games.interface.sheet import Sheet
from lama_odds.jit.job import Job

if TYPE_CHECKING:
    from lama_odds.games.interface.match_equity import MatchEquity, RoundsToWin, StartingScores


class Rules(Protocol):
    """A rule set: a frozen value with a canonical id."""

    @property
    def id(self) -> str:
        """The canonical id, which reads back as this rule set."""

    @property
    def edition(self) -> str:
        """The name of the edition."""

    @property
    def values(self) -> dict[str, Any]:
        """The options by name."""

    @property
    def players(self) -> range:
        """The numbers of players that it allows."""


class Position(Protocol):
    """What one player knows of a round; seat 0 decides."""

    @property
    def players(self) -> int:
        """The number of players."""

    @property
    def others_in(self) -> int:
        """The number of other players who have not quit."""

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Points before this round's penalties, yours first; None if not given."""

    def format(self) -> str:
        """Return the position as text that reads back as this position."""


R = TypeVar("R", bound=Rules)
P = TypeVar("P", bound=Position)


class Game(ABC, Generic[R, P]):
    """A game: the rooms of its folder behind one face. R: its rule sets, P: its positions.

    editions: the meaning of each edition.
    options, defaults: the fields of a rule set, and their values by edition.
    words: the words of a position.
    families: its families of policies.
    objectives: what an answer can count.
    models: opponents' policies to test an answer against, by their style.
    chances: what chances in answers are called.
    league: policies that reports compare beside the best known.
    between: what moves a result between two decisions of a seat, besides its own luck: a template.
    casual: a policy like that of people who play now and then (empty: none).
    pilot: games that say how long one usually is; fewer where the best policy thinks long.
    dial: a family whose parameter goes from bold to cautious, and values to try (an empty text and
    none: no such family).
    example: a position.
    typical: positions that between them need all that `advise` and `odds` compile (none: `example`
    does).
    notes: what every user of the game should know.
    shared: what rollouts of all actions have in common, in words.
    hidden_cards: whether the others' cards are hidden.
    has_rounds: whether a game is made of rounds that can be played separately.
    actions: what the length of a game counts.
    searched: whether `search` can play it: whole games can be followed decision by decision.
    no_deal: why there are no chances of a deal, if there are none.
    sheet: what a sheet for the table says beside its published cards, if there are any.
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
    chances: ChanceWords = ChanceWords()
    league: Sequence[str] = ("random",)
    between: str = later("the others' luck and play")
    casual: str = ""
    pilot: int = 20_001
    dial: tuple[str, Sequence[int]] = ("", ())
    example: str
    typical: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    shared: str
    hidden_cards: bool = False
    no_deal: str = ""
    has_rounds: bool = True
    actions: str = "plays, draws, rolls, quits"
    searched: bool = False
    sheet: Sheet | None = None

    # What every game offers.

    @abstractmethod
    def rules(self, text: str) -> R:
        """Return the rule set of an id; raise ReadError if the id is wrong."""

    def notes_of(self, rules: R) -> tuple[str, ...]:
        """Return what every user of a rule set should know."""
        return self.notes

    @abstractmethod
    def position(self, rules: R, text: str) -> P:
        """Return a position with a decision.

        Raises ReadError if it cannot be read, ImpossibleError if it cannot occur or leaves nothing
        to decide.
        """

    @abstractmethod
    def position_after(self, rules: R, record: str) -> P:
        """Return the position at the end of a record of this rule set."""

    @abstractmethod
    def simulation(self, rules: R, policies: Sequence[Policy], rounds: bool) -> Job:
        """Return the job for first rounds or whole games of these policies, one for each seat."""

    @abstractmethod
    def record(
        self, rules: R, policies: Sequence[Policy], seed: int, game: int, rounds: bool
    ) -> str:
        """Return a simulated round or game as text."""

    @abstractmethod
    def odds(self, rules: R, position: P) -> Mapping[str, Estimate]:
        """Return exact chances of what can happen next."""

    @abstractmethod
    def default_objective(self, rules: R, position: P) -> str:
        """Return the default objective, which depends on what the position contains."""

    def recorded_objective(self, rules: R, position: P) -> str:
        """Return the default objective of a record that begins with a position."""
        return self.default_objective(rules, position)

    def unvalued(self, rules: R, position: P) -> bool:
        """Return whether the round is all that can be valued, though the game is what counts."""
        return False

    def unknown_scores(self, rules: R, position: P) -> StartingScores | None:
        """Return what scores are drawn from if they are not given; None if they are, or if there
        is nothing to draw from.

        Only for games whose kernels draw them.
        """
        return None

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
        """Return the job that plays a position out after each action; play_out: the whole game.

        objective: the one to optimize if an action leaves something to choose after it.
        effort: the limits for finding that choice.
        """

    def in_words(self, rules: R, position: P) -> str:
        """Return a position in one line, as you would say it at the table."""
        return position.format()

    def policy(self, text: str) -> Policy:
        """Return the policy of a name; raise ReadError if there is none."""
        return read_policy(text, (*self.families, SEARCH))

    def best_policy(self, rules: R, players: int, objective: str = "win") -> Policy:
        """Return the strongest known policy for winning the game, or for points.

        If that for winning is trained and cannot play there, it is the best of the others.
        """
        if objective == WINNING and not self.trained_suits(rules, players):
            objective = OTHERWISE
        return best_of(self.name, rules.edition, players, objective, self.families)

    def card_suits(self, rules: R) -> bool:
        """Return whether the published card of an edition is about a rule set: no option is set."""
        return rules.values == self.defaults[rules.edition]

    def trained_suits(self, rules: R, players: int) -> bool:
        """Return whether the policy trained for winning can play under a rule set."""
        return True

    def searched_for(self, rules: R) -> str:
        """Return the objective that `search` thinks for."""
        return WINNING

    def best_for_each(self, variants: Sequence[R], players: int) -> list[Policy]:
        """Return the strongest known policy for winning of each rule set, all of one kind.

        So a trained one plays nowhere unless it can play everywhere. Otherwise a difference
        between rule sets could come from training alone.
        """
        everywhere = all(self.trained_suits(rules, players) for rules in variants)
        aim = WINNING if everywhere else OTHERWISE
        return [self.best_policy(rules, players, aim) for rules in variants]

    def best_for_all(self, variants: Sequence[R], players: int) -> Policy:
        """Return the strongest known policy for winning under the first of several rule sets.

        It can play under all of them.
        """
        return self.best_for_each(variants, players)[0]

    # What a game may also offer: records of `capabilities`.

    def recorded(self) -> Recorded | None:
        """Return how its records are split into decisions; None if they cannot be."""
        return None

    def policy_query(self) -> PolicyQuery | None:
        """Return how its policies decide single situations; None if they cannot."""
        return None

    def stepper(self) -> Stepper | None:
        """Return a function that begins a game and stops whenever one seat decides.

        None without one.
        """
        return None

    def live_play(self) -> LivePlay | None:
        """Return how it is played along; None if it cannot be."""
        return None

    def has(self, method: str) -> bool:
        """Return whether the game has its own version of an optional method."""
        return getattr(type(self), method) is not getattr(Game, method)

    # What a game may also know; the defaults are empty.

    def odds_groups(self, rules: R, position: P) -> Mapping[str, Mapping[str, Estimate]]:
        """Return exact chances that are shown separately, by group and name."""
        return {}

    def odds_in_words(
        self, rules: R, position: P | None, chances: Mapping[str, Estimate]
    ) -> OddsInWords | None:
        """What `odds` find at a position (None: the deal) in a few lines; None: all of it."""
        return None

    def odds_rest_on(self, rules: R, position: P) -> tuple[str, ...]:
        """Return what `odds` assumes at a position, in words."""
        return ()

    def held_by_others(
        self, rules: R, position: P, policies: Sequence[Policy]
    ) -> HeldByOthers | None:
        """Return what the others' actions tell of their cards, at the end of a record.

        It is None if nothing is inferred. policies: assumed, one for each seat.
        """
        return None

    def deal_odds(self, rules: R) -> Mapping[str, Estimate]:
        """Return exact chances of the deal; empty if nothing is dealt."""
        return {}

    def next_chances(self, rules: R, position: P) -> Mapping[str, Mapping[str, Estimate]]:
        """Return exact chances that are shown beside an action, by action."""
        return {}

    def known(self, rules: R, position: P) -> Mapping[str, Mapping[str, Estimate]]:
        """Return values of single actions that are exact, by action and objective."""
        return {}

    def guessed(self, rules: R, position: P) -> tuple[Guessed, ...]:
        """Return the numbers of a position that are a guess, with other values of each."""
        return ()

    def turning_point(
        self, rules: R, position: P, objective: str, values: Mapping[str, float]
    ) -> str:
        """Return in a sentence what would change the verdict; values: of the actions."""
        return ""

    def reasons(self, rules: R) -> Reasons:
        """Return the patterns of sentences that say why an action is best."""
        return Reasons()

    def solve(
        self,
        rules: R,
        position: P,
        objective: str,
        threads: int,
        progress: Progress | None = None,
        table: MatchEquity | None = None,
    ) -> Solution | None:
        """Return exact values of all actions, or None if only sampling can answer.

        table: chances to win by the scores that a two-player round leaves, if it may be used.
        """
        return None

    def too_large(self, rules: R, position: P, objective: str) -> str:
        """Return why a position is not solved although similar ones are.

        Empty if there is no reason.
        """
        return ""

    def asked_apart(self, rules: R, position: P, objective: str) -> tuple[str, ...] | None:
        """Return other objectives that need a separate answer; None if the same games give them.

        The same games give all objectives unless an action is followed by a choice that depends on
        the objective. Then they say of the others only what that choice is worth in them.
        """
        return None

    def most_points(self, rules: R) -> int:
        """Return the highest number of points that a round can cost."""
        return 0

    def exact_tables(self, rules: R, players: int) -> list[ThresholdTable]:
        """Return exact figures to show beside thresholds, if there are any."""
        return []

    def forks(
        self,
        rules: R,
        policies: Sequence[Policy],
        chances: np.ndarray,
        worth: RoundsToWin | None = None,
    ) -> ForkJob | None:
        """Return the job of `thresholds`; None if it has exact tables only.

        chances: int64, by penalty, of `tally_layout.CERTAIN`. worth: what the rounds are played
        for, to win the game; None: for points.
        """
        return None

    def game_forks(
        self, rules: R, policies: Sequence[Policy], chances: np.ndarray | None, band: int
    ) -> ForkJob | None:
        """Return the job of `thresholds` for winning, by score; None if the game has none.

        chances: int64, by cell, of `tally_layout.CERTAIN` (None: all). band: width of a class of
        scores, in points. The row after the cells counts branches that did not end.
        """
        return None

    def rounds_from(
        self, rules: R, policies: Sequence[Policy], starts: np.ndarray, most: int
    ) -> Job | None:
        """Return rounds from given scores, for match equity tables; see `from_scores`.

        policies: one for each seat. starts: int64[rows, seats]; seat 0 starts the first round.
        most: rounds of a game. It is None if a sum of points does not decide the game.
        """
        return None

    def watched(
        self, rules: R, policies: Sequence[Policy], longer: int, looks: bool = True
    ) -> Job | None:
        """Return whole games with what is counted along them, see `watched.measures_of`.

        longer: games with more actions are long. looks: whether to look at chances to win, which
        takes most of the time. None if the game does not count that.
        """
        return None

    def standings(self, rules: R, policies: Sequence[Policy]) -> StandingsJob | None:
        """Return whole games that count how often the player to move wins, by the standing."""
        return None

    def thinking(self, rules: R, policies: Sequence[Policy], seat: int) -> ThinkingJob | None:
        """Return whole games in which a seat thinks one step ahead; None where rollouts do that."""
        return None

    def hand_studies(self, rules: R, policies: Sequence[Policy]) -> HandStudies | None:
        """Return situations of first rounds that are continued with other hands."""
        return None


AnyGame = Game[Any, Any]
