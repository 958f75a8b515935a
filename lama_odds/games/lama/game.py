"""The card games behind the face that all games share (see `games.protocol`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy, read_policy
from lama_odds.core.progress import Progress
from lama_odds.games.interface.game import POINT_OBJECTIVES, Solution, ThresholdTable
from lama_odds.games.interface.jobs import Effort, ForkJob, HandStudies, RolloutJob
from lama_odds.games.interface.tally_layout import CERTAIN, FORK_COLUMNS, WIN
from lama_odds.games.lama.engine import kernels, round_loop
from lama_odds.games.lama.engine import (
    paired_decisions as forks,
)
from lama_odds.games.lama.engine import (
    paired_games as game_forks,
)
from lama_odds.games.lama.jobs import rollouts, studies
from lama_odds.games.lama.policies.catalogue import FAMILIES, policy_rows, tables_of
from lama_odds.games.lama.records.record import Deal, position_after, read_record, write_record
from lama_odds.games.lama.rules import odds, ruleset, transition
from lama_odds.games.lama.rules.feasibility import parse_position
from lama_odds.games.lama.rules.position import WORDS, Position
from lama_odds.games.lama.rules.ruleset import LamaRules
from lama_odds.games.lama.solvers import deterministic
from lama_odds.games.shared.best import best_of
from lama_odds.games.shared.match_equity import MatchEquity
from lama_odds.games.shared.measures import DETAILS, game_measures, logged_game, round_measures
from lama_odds.games.shared.score_bands import OBJECTIVES, bands_of, cell_keys
from lama_odds.jit.job import Job

FORKED = "with nothing to play and a card to draw"


class LamaGame:
    """The game object that the registry hands out."""

    name = "lama"
    title = "L.A.M.A."
    editions = ruleset.ABOUT
    options = ruleset.OPTIONS
    defaults = ruleset.EDITIONS
    words = WORDS
    families = FAMILIES
    objectives = POINT_OBJECTIVES
    models: Mapping[str, str] = {
        "cautious": "threshold:12",
        "usual": "best",
        "bold": "threshold:2",
        "random": "random",
    }
    dial = ("threshold", (0, 2, 4, 6, 8, 10, 12, 15, 20))
    example = "hand=3356L top=4 opp=4,q2,6"
    notes = ()
    shared = "redrawn cards and the same draws"

    def rules(self, text: str) -> LamaRules:
        """The rule set of an id."""
        return ruleset.parse_rules(text)

    def position(self, rules: LamaRules, text: str) -> Position:
        """A position that can occur."""
        return parse_position(rules, text)

    def position_after(self, rules: LamaRules, record: str) -> Position:
        """The position at the end of a record, which must be of the same rule set."""
        found = read_record(record)
        if found.rules != rules:
            raise ReadError(f"this record is of {found.rules.id}, not of {rules.id}")
        return position_after(found)

    def policy(self, text: str) -> Policy:
        """The policy of a name."""
        return read_policy(text, FAMILIES)

    def simulation(self, rules: LamaRules, policies: Sequence[Policy], rounds: bool) -> Job:
        """First rounds or whole games of these policies, one a seat."""
        seats = len(policies)
        most = self.most_points(rules)
        measures = (
            round_measures(seats, most) if rounds else game_measures(seats, rules.target + most)
        )
        return Job(
            kernels.play_first_rounds if rounds else kernels.play_games,
            rules.columns,
            policy_rows(policies),
            tables_of(rules, policies, tokens=not rounds),
            (len(measures), 2),
            measures,
            () if rounds else DETAILS,
        )

    def rounds_from(self, rules: LamaRules, policy: Policy, score: int) -> Job:
        """Rounds of two of a policy from this score of who starts, for a match equity table."""
        policies = [policy, policy]
        tables = (*tables_of(rules, policies, tokens=True), np.array([score], dtype=np.int64))
        highest = rules.target + rules.most_points
        shape = (rules.target, highest, highest, 2)
        return Job(kernels.play_from_scores, rules.columns, policy_rows(policies), tables, shape)

    def record(
        self, rules: LamaRules, policies: Sequence[Policy], seed: int, game: int, rounds: bool
    ) -> str:
        """A simulated round or game as text."""
        seats = len(policies)
        played, log = logged_game(self.simulation(rules, policies, rounds), seed, game, rounds)
        deals = [self.deal_of(rules, seats, seed, game, number) for number in range(played)]
        names = [policy.name for policy in policies]
        return write_record(rules, names, (seed, game), deals, log, not rounds)

    def deal_of(self, rules: LamaRules, seats: int, seed: int, game: int, number: int) -> Deal:
        """The hands and the opening card of a round of a simulated game."""
        table = np.zeros(round_loop.TABLE_SIZE, dtype=np.int64)
        kernels.deal_round(rules.columns, table, seats, seed, game, number)
        hands = [rules.unpack(int(table[round_loop.HAND + seat])) for seat in range(seats)]
        opened = int(table[round_loop.PLACE + round_loop.PLAYED])
        return hands, rules.shifts.index(int(transition.dearest(opened)))

    def best_policy(self, rules: LamaRules, players: int, objective: str = "win") -> Policy:
        """The strongest policy known for winning the game, or for points."""
        return best_of(self.name, rules.edition, players, objective, FAMILIES)

    def odds(self, rules: LamaRules, position: Position) -> dict[str, Estimate]:
        """Chances of the next draw, and that others can go on the top card."""
        return odds.odds(rules, position)

    def odds_groups(self, rules: LamaRules, position: Position) -> dict[str, dict[str, Estimate]]:
        """None: all chances are events."""
        return {}

    def deal_odds(self, rules: LamaRules) -> dict[str, Estimate]:
        """Chances of the deal."""
        return odds.deal(rules)

    def default_objective(self, rules: LamaRules, position: Position) -> str:
        """What counts if nothing is said: the game if scores are given, else my points."""
        return "points" if position.scores is None else "win"

    def solve(
        self,
        rules: LamaRules,
        position: Position,
        objective: str,
        threads: int,
        progress: Progress | None = None,
        table: MatchEquity | None = None,
    ) -> Solution | None:
        """Exact values of the last player's actions."""
        return deterministic.solve_alone(rules, position, objective)

    def known(self, rules: LamaRules, position: Position) -> dict[str, dict[str, Estimate]]:
        """Points of actions that leave nothing to luck."""
        return deterministic.known(rules, position)

    def next_chances(self, rules: LamaRules, position: Position) -> dict[str, dict[str, Estimate]]:
        """None: those of the next draw hang on who has quit and how that seat plays."""
        return {}

    def odds_rest_on(self, rules: LamaRules, position: Position) -> tuple[str, ...]:
        """What the chances of `odds` take for granted."""
        return odds.rests_on(position)

    def turning_point(
        self, rules: LamaRules, position: Position, objective: str, values: Mapping[str, float]
    ) -> str:
        """In a sentence, what would change the verdict; values: of the actions."""
        others = {action: value for action, value in values.items() if action != "quit"}
        if objective == "win" or not others:
            return ""
        best = min(others, key=lambda action: others[action])
        penalty = rules.penalty(position.hand)
        even = penalty + others[best] - values["quit"]
        if even < 0:
            return f"{best} is better even than quitting with a penalty of 0 (now {penalty})"
        return f"quitting would be as good as {best} if it cost {even:.2f} points (now {penalty})"

    def rollouts(
        self,
        rules: LamaRules,
        position: Position,
        policies: Sequence[Policy],
        play_out: bool,
        objective: str = "",
        effort: Effort = Effort(),
    ) -> RolloutJob:
        """The job that plays a position out after each legal action."""
        job = rollouts.rollouts(rules, position, policies, play_out, only=effort.only)
        if position.others_in:
            return job
        return replace(job, beside=deterministic.ends_alone(rules, position))

    def forks(self, rules: LamaRules, policies: Sequence[Policy], chances: np.ndarray) -> ForkJob:
        """Decisions to draw or to quit, played out both ways."""
        keys = forks.cell_keys(rules.most_points)
        tables = (*tables_of(rules, policies, tokens=rules.drama), chances)
        job = Job(
            forks.fork_rounds,
            rules.columns,
            policy_rows(policies),
            tables,
            (len(keys), FORK_COLUMNS),
        )
        return ForkJob(job, keys, ("quit", "draw"), 1 / (len(policies) - 1), FORKED)

    def game_forks(
        self, rules: LamaRules, policies: Sequence[Policy], chances: np.ndarray | None, band: int
    ) -> ForkJob:
        """The same, played out to the end of the game."""
        keys = cell_keys(rules.most_points, rules.target, band)
        if chances is None:
            chances = np.full(len(keys), CERTAIN, dtype=np.int64)
        bands = np.array([band, bands_of(rules.target, band)], dtype=np.int64)
        job = Job(
            game_forks.fork_games,
            rules.columns,
            policy_rows(policies),
            (*tables_of(rules, policies, tokens=True), chances, bands),
            (len(keys) + 1, FORK_COLUMNS),
        )
        return ForkJob(
            job, keys, ("quit", "draw"), 1.0, FORKED, objectives=OBJECTIVES, unit=1 / WIN
        )

    def hand_studies(self, rules: LamaRules, policies: Sequence[Policy]) -> HandStudies:
        """Situations of first rounds, played on with other hands."""
        return studies.studies_of(rules, policies)

    def most_points(self, rules: LamaRules) -> int:
        """The most that a hand can cost."""
        return rules.most_points

    def exact_tables(self, rules: LamaRules, players: int) -> list[ThresholdTable]:
        """None: alone one plays on as long as one can."""
        return []


GAME = LamaGame()
