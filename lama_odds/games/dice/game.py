"""Lama Dice behind the face that all games share (see `games.protocol`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.policies import Policy, read_policy
from lama_odds.core.progress import Progress
from lama_odds.games.dice.engine import (
    kernels,
    round_loop,
)
from lama_odds.games.dice.engine import (
    paired_decisions as forks,
)
from lama_odds.games.dice.engine import (
    paired_games as game_forks,
)
from lama_odds.games.dice.jobs.rollouts import (
    _root_action,
    root_table,
)
from lama_odds.games.dice.policies.catalogue import FAMILIES, policy_rows, tables_of
from lama_odds.games.dice.records.record import position_after, read_record, write_record
from lama_odds.games.dice.rules import next_roll, odds, ruleset
from lama_odds.games.dice.rules.feasibility import parse_position
from lama_odds.games.dice.rules.position import WORDS, Counts, Position, unpack_hand
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.dice.solvers import solve
from lama_odds.games.dice.solvers.last_player_table import last_player_table
from lama_odds.games.dice.solvers.two_players import pair_situations
from lama_odds.games.interface.game import POINT_OBJECTIVES, Solution, ThresholdTable
from lama_odds.games.interface.jobs import Effort, ForkJob, RolloutJob
from lama_odds.games.interface.tally_layout import CERTAIN, FORK_COLUMNS, WIN
from lama_odds.games.shared.best import best_of
from lama_odds.games.shared.match_equity import PLAYED_ON, MatchEquity
from lama_odds.games.shared.measures import DETAILS, game_measures, logged_game, round_measures
from lama_odds.games.shared.score_bands import OBJECTIVES as GAME_OBJECTIVES
from lama_odds.games.shared.score_bands import bands_of, cell_keys
from lama_odds.jit.job import Job

OBJECTIVES = ("points", "margin", "win")

FORKED = "with others still in"


class DiceGame:
    """The game object that the registry hands out."""

    name = "dice"
    title = "Lama Dice"
    editions = ruleset.ABOUT
    options = ruleset.OPTIONS
    defaults = ruleset.EDITIONS
    words = WORDS
    families = FAMILIES
    objectives = POINT_OBJECTIVES
    shared = "dice"
    models: Mapping[str, str] = {
        "cautious": "threshold:12",
        "usual": "best",
        "bold": "threshold:2",
        "random": "random",
    }
    dial = ("threshold", (0, 2, 4, 6, 8, 10, 12, 15, 20))
    example = "hand=25L row=1346L opp=13,6LL"
    notes = (
        "The rule books do not show the faces of the dice. Known: each die has two llama faces "
        "and four different numbers, and each number is on two of the three dice. Which numbers "
        f"share a die is an assumption ({ruleset.DEFAULT_FACES}); +faces=… sets another.",
    )

    def rules(self, text: str) -> DiceRules:
        """The rule set of an id."""
        return ruleset.parse_rules(text)

    def position(self, rules: DiceRules, text: str) -> Position:
        """A position that can occur."""
        return parse_position(rules, text)

    def position_after(self, rules: DiceRules, record: str) -> Position:
        """The position at the end of a record, which must be of the same rule set."""
        found = read_record(record)
        if found.rules != rules:
            raise ReadError(f"this record is of {found.rules.id}, not of {rules.id}")
        return position_after(found)

    def policy(self, text: str) -> Policy:
        """The policy of a name."""
        return read_policy(text, FAMILIES)

    def best_policy(self, rules: DiceRules, players: int, objective: str = "win") -> Policy:
        """The strongest policy known for winning the game, or for points."""
        return best_of(self.name, rules.edition, players, objective, FAMILIES)

    def simulation(self, rules: DiceRules, policies: Sequence[Policy], rounds: bool) -> Job:
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

    def rounds_from(self, rules: DiceRules, policy: Policy, score: int) -> Job:
        """Rounds of two of a policy from this score of who starts, for a match equity table."""
        policies = [policy, policy]
        tables = (*tables_of(rules, policies), np.array([score], dtype=np.int64))
        highest = rules.target + self.most_points(rules)
        shape = (rules.target, highest, highest, 2)
        return Job(kernels.play_from_scores, rules.columns, policy_rows(policies), tables, shape)

    def record(
        self, rules: DiceRules, policies: Sequence[Policy], seed: int, game: int, rounds: bool
    ) -> str:
        """A simulated round or game as text."""
        played, log = logged_game(self.simulation(rules, policies, rounds), seed, game, rounds)
        deals = [self.deal_of(rules, len(policies), seed, game, number) for number in range(played)]
        names = [policy.name for policy in policies]
        return write_record(rules, names, (seed, game), deals, log, not rounds)

    def deal_of(
        self, rules: DiceRules, seats: int, seed: int, game: int, number: int
    ) -> list[Counts]:
        """The hands that are dealt in a round of a simulated game."""
        table = np.zeros(round_loop.TABLE_SIZE, dtype=np.int64)
        kernels.deal_round(rules.columns, rules.rolls, table, seats, seed, game, number)
        return [unpack_hand(int(table[round_loop.HAND + seat])) for seat in range(seats)]

    def odds(self, rules: DiceRules, position: Position) -> dict[str, Estimate]:
        """Chances of the next roll."""
        return odds.odds(rules, position)

    def odds_groups(self, rules: DiceRules, position: Position) -> dict[str, dict[str, Estimate]]:
        """None: all chances are events."""
        return {}

    def deal_odds(self, rules: DiceRules) -> dict[str, Estimate]:
        """Chances of the deal."""
        return odds.deal(rules)

    def default_objective(self, rules: DiceRules, position: Position) -> str:
        """What counts if nothing is said: the game if scores are given, else the round."""
        if position.scores is not None:
            return "win"
        return "margin" if position.players == 2 else "points"

    def solve(
        self,
        rules: DiceRules,
        position: Position,
        objective: str,
        threads: int,
        progress: Progress | None = None,
        table: MatchEquity | None = None,
    ) -> Solution | None:
        """Exact values, or None where only sampling answers."""
        return solve.solve(rules, position, objective, threads, progress, table)

    def too_large(self, rules: DiceRules, position: Position, objective: str) -> str:
        """Why two players' margin is not solved; empty if it is, or that is not the question."""
        other = position.opponents[0].cards
        if position.players != 2 or not position.others_in or objective != "margin" or not other:
            return ""
        situations = pair_situations(position.hand, other, position.row)
        if situations <= solve.MOST_STATES:
            return ""
        return (
            f"sampled, not solved: these hands lead to {situations:,} situations, "
            f"and two players are solved up to {solve.MOST_STATES:,}"
        )

    def next_chances(self, rules: DiceRules, position: Position) -> dict[str, dict[str, Estimate]]:
        """Exact chances that stand beside an action, by action."""
        if position.rolled is not None:
            return {}
        return {"roll": next_roll.next_chances(rules, position)}

    def known(self, rules: DiceRules, position: Position) -> dict[str, dict[str, Estimate]]:
        """What quitting costs is on the table."""
        if position.rolled is not None:
            return {}
        return {"quit": {"points": exact(next_roll.penalty_of(rules, position.hand))}}

    def turning_point(
        self, rules: DiceRules, position: Position, objective: str, values: Mapping[str, float]
    ) -> str:
        """In a sentence, what would change the verdict; values: of the actions."""
        if "quit" not in values or objective == "win":
            return ""
        penalty = next_roll.penalty_of(rules, position.hand)
        even = penalty + values["roll"] - values["quit"]
        if even < 0:
            return f"rolling is better even than quitting with a penalty of 0 (now {penalty})"
        return f"quitting would be as good as rolling if it cost {even:.2f} points (now {penalty})"

    def rollouts(
        self,
        rules: DiceRules,
        position: Position,
        policies: Sequence[Policy],
        play_out: bool,
        objective: str = "",
        effort: Effort = Effort(),
    ) -> RolloutJob:
        """The job that plays a position out after each legal action."""
        actions = effort.only or odds.legal_actions(rules, position)
        k, seats = len(actions), position.players
        tables = (
            *tables_of(rules, policies, tokens=play_out or any(position.scores or ())),
            root_table(rules, position),
            np.array([_root_action(action) for action in actions], dtype=np.int64),
            np.array([position.others_in, position.row, play_out], dtype=np.int64),
            PLAYED_ON,
        )
        results = int(rules.penalties[-1]) + 1
        shape = (kernels.OBJECTIVES * k * (k + 1) + k * (kernels.EVENTS + results) + 1,)
        job = Job(kernels.roll_out, rules.columns, policy_rows(policies), tables, shape)
        units = (1.0, 1 / (seats - 1), 1 / WIN)
        return RolloutJob(
            job,
            tuple(actions),
            OBJECTIVES[: 3 if play_out else 2],
            units,
            kernels.EVENT_NAMES,
            tuple(f"penalty {penalty}" for penalty in range(results)),
        )

    def forks(self, rules: DiceRules, policies: Sequence[Policy], chances: np.ndarray) -> ForkJob:
        """Decisions to roll or to quit, played out both ways."""
        keys = forks.cell_keys(self.most_points(rules))
        job = Job(
            forks.fork_rounds,
            rules.columns,
            policy_rows(policies),
            (*tables_of(rules, policies, tokens=False), chances),
            (len(keys), FORK_COLUMNS),
        )
        return ForkJob(job, keys, ("quit", "roll"), 1 / (len(policies) - 1), FORKED)

    def game_forks(
        self, rules: DiceRules, policies: Sequence[Policy], chances: np.ndarray | None, band: int
    ) -> ForkJob:
        """The same, played out to the end of the game."""
        keys = cell_keys(self.most_points(rules), rules.target, band)
        if chances is None:
            chances = np.full(len(keys), CERTAIN, dtype=np.int64)
        bands = np.array([band, bands_of(rules.target, band)], dtype=np.int64)
        job = Job(
            game_forks.fork_games,
            rules.columns,
            policy_rows(policies),
            (*tables_of(rules, policies), chances, bands),
            (len(keys) + 1, FORK_COLUMNS),
        )
        return ForkJob(
            job, keys, ("quit", "roll"), 1.0, FORKED, objectives=GAME_OBJECTIVES, unit=1 / WIN
        )

    def most_points(self, rules: DiceRules) -> int:
        """The most that a round can cost."""
        return int(rules.penalties.max())

    def exact_tables(self, rules: DiceRules, players: int) -> list[ThresholdTable]:
        """The last player with one card each of some kinds."""
        return [last_player_table(rules)]


GAME = DiceGame()
