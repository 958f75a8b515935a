"""No Prob-Lama behind the face that all games share (see `games.protocol`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.policies import Policy, read_policy
from lama_odds.core.progress import Progress
from lama_odds.games.interface.game import (
    MARGIN,
    ROUND,
    WIN,
    Objective,
    Solution,
    ThresholdTable,
)
from lama_odds.games.interface.jobs import Effort, ForkJob, RolloutJob, Scale
from lama_odds.games.interface.tally_layout import FORK_COLUMNS
from lama_odds.games.interface.tally_layout import WIN as WHOLE_WIN
from lama_odds.games.noprob.engine import kernels
from lama_odds.games.noprob.engine import paired_decisions as forks
from lama_odds.games.noprob.engine.policy_kernels import PLANNER
from lama_odds.games.noprob.jobs.rollouts import rollouts
from lama_odds.games.noprob.jobs.studies import (
    tables_beside,
)
from lama_odds.games.noprob.policies.catalogue import FAMILIES, policy_rows, tables_of
from lama_odds.games.noprob.records.record import (
    Deal,
    position_after,
    read_record,
    write_record,
)
from lama_odds.games.noprob.records.round import unpacked
from lama_odds.games.noprob.rules import odds, ruleset, transition
from lama_odds.games.noprob.rules.feasibility import parse_position
from lama_odds.games.noprob.rules.position import WORDS, Position
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.noprob.solvers import exact as last_turn
from lama_odds.games.shared.best import best_of
from lama_odds.games.shared.match_equity import MatchEquity
from lama_odds.games.shared.measures import DETAILS, logged_game
from lama_odds.jit.job import Job, Measure

POINTS = Objective("points", "points: expected total of my round; lower is better")
LOWEST = -100.0  # total of a round or a game that hardly any is below

LEAD = Scale(
    "lead",
    forks.STEP * forks.MIDDLE,
    -forks.STEP,
    forks.LEADS - 1,
    "points by which my expected total, with the card in the last cell, is below the lowest of the "
    f"others', in steps of {forks.STEP}",
)


class NoprobGame:
    """The game object that the registry hands out."""

    name = "noprob"
    title = "No Prob-Lama"
    editions = ruleset.ABOUT
    options = ruleset.OPTIONS
    defaults = ruleset.EDITIONS
    words = WORDS
    families = FAMILIES
    objectives: Mapping[str, Objective] = {
        "points": POINTS,
        "margin": MARGIN,
        "round": ROUND,
        "win": WIN,
    }
    models: Mapping[str, str] = {
        "cautious": "greedy",
        "usual": "best",
        "bold": "planner:chase=40,lead=-20,haste=40",
        "random": "random",
    }
    dial: tuple[str, Sequence[int]] = ("", ())
    example = "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK"
    notes = ("simulated players look at the first cards of their top row; a position may know any",)
    shared = "redrawn cards and the same draws"

    def rules(self, text: str) -> NoprobRules:
        """The rule set of an id."""
        return ruleset.parse_rules(text)

    def position(self, rules: NoprobRules, text: str) -> Position:
        """A position that can occur."""
        return parse_position(rules, text)

    def position_after(self, rules: NoprobRules, record: str) -> Position:
        """The position at the end of a record, which must be of the same rule set."""
        found = read_record(record)
        if found.rules != rules:
            raise ReadError(f"this record is of {found.rules.id}, not of {rules.id}")
        return position_after(found)

    def policy(self, text: str) -> Policy:
        """The policy of a name."""
        return read_policy(text, FAMILIES)

    def best_policy(self, rules: NoprobRules, players: int, objective: str = "win") -> Policy:
        """The strongest policy known for winning the game, or for points."""
        return best_of(self.name, rules.edition, players, objective, FAMILIES)

    def simulation(self, rules: NoprobRules, policies: Sequence[Policy], rounds: bool) -> Job:
        """First rounds or whole games of these policies, one a seat."""
        seats = range(len(policies))
        if rounds:
            measures = tuple(Measure("penalty", seat, least=LOWEST) for seat in seats)
            measures += (Measure("turns"), Measure("unfinished", share=True))
        else:
            measures = (
                *(Measure("win", seat, 1 / WHOLE_WIN, share=True) for seat in seats),
                *(Measure("outright", seat, share=True) for seat in seats),
                *(Measure("score", seat, least=LOWEST) for seat in seats),
                *(Measure("llamas", seat) for seat in seats),
                Measure("rounds"),
                Measure("unfinished", share=True),
            )
        return Job(
            kernels.play_first_rounds if rounds else kernels.play_games,
            rules.columns,
            policy_rows(policies),
            tables_of(rules, policies),
            (len(measures), 2),
            measures,
            () if rounds else DETAILS,
        )

    def record(
        self, rules: NoprobRules, policies: Sequence[Policy], seed: int, game: int, rounds: bool
    ) -> str:
        """A simulated round or game as text."""
        seats = len(policies)
        _, log = logged_game(self.simulation(rules, policies, rounds), seed, game, rounds)
        names = [policy.name for policy in policies]
        deal_of = partial(self.deal_of, rules, seats, seed, game)
        return write_record(rules, names, (seed, game), deal_of, log, not rounds)

    def deal_of(self, rules: NoprobRules, seats: int, seed: int, game: int, number: int) -> Deal:
        """The grids and the opening card of a round of a simulated game."""
        table = np.zeros(transition.TABLE_SIZE, dtype=np.int64)
        kernels.deal_round(rules.columns, table, seats, seed, game, number)
        grids = [unpacked(int(table[transition.GRID + seat])) for seat in range(seats)]
        return grids, int(table[transition.STACK])

    def odds(self, rules: NoprobRules, position: Position) -> dict[str, Estimate]:
        """Chances of the next card."""
        return odds.odds(rules, position)

    def odds_groups(self, rules: NoprobRules, position: Position) -> dict[str, dict[str, Estimate]]:
        """What the hidden cards of each grid may sum to."""
        return odds.hidden_sums(rules, position)

    def deal_odds(self, rules: NoprobRules) -> dict[str, Estimate]:
        """Chances of each kind for any one card, and what it counts on average."""
        mean = sum(n * p for n, p in zip(rules.deck, rules.points, strict=True)) / rules.cards
        shares = {
            name: exact(n / rules.cards) for name, n in zip(rules.names, rules.deck, strict=True)
        }
        return {"mean points of a card": exact(mean), **shares}

    def default_objective(self, rules: NoprobRules, position: Position) -> str:
        """What counts if nothing is said: the game if its standing is given, else the round.

        Only the lowest total of a round wins anything. Where the totals of four rounds are added
        up, every point counts.
        """
        if position.llamas is not None or position.totals is not None:
            return "win"
        return "points" if rules.four_rounds else "round"

    def solve(
        self,
        rules: NoprobRules,
        position: Position,
        objective: str,
        threads: int,
        progress: Progress | None = None,
        table: MatchEquity | None = None,
    ) -> Solution | None:
        """The total of the last turn of a round."""
        return last_turn.solve_last(rules, position) if objective == "points" else None

    def too_large(self, rules: NoprobRules, position: Position, objective: str) -> str:
        """Why the last turn of a round is not solved."""
        return last_turn.too_large(position) if objective == "points" else ""

    def asked_apart(
        self, rules: NoprobRules, position: Position, objective: str
    ) -> tuple[str, ...] | None:
        """The round and my total, where a card that comes is put to its best use."""
        if position.drawn is not None:
            return None
        worth = ("points",) if rules.four_rounds else ("round", "points")
        return tuple(name for name in worth if name != objective)

    def known(self, rules: NoprobRules, position: Position) -> dict[str, dict[str, Estimate]]:
        """None: what is exact is solved."""
        return {}

    def next_chances(
        self, rules: NoprobRules, position: Position
    ) -> dict[str, dict[str, Estimate]]:
        """Exact chances of the next draw, beside the action."""
        if position.drawn is not None or not position.pile_left(rules):
            return {}
        found = odds.odds(rules, position)
        shown = ("improves", "completes a line", "draw a special")
        return {"draw": {f"next {name}": found[name] for name in shown}}

    def turning_point(
        self, rules: NoprobRules, position: Position, objective: str, values: Mapping[str, float]
    ) -> str:
        """In a sentence, what would change the verdict; values: of the actions."""
        if objective not in ("points", "margin") or position.drawn is not None:
            return ""
        if "take" not in values or "draw" not in values:
            return ""
        gap = values["draw"] - values["take"]
        card = "" if position.top is None else rules.names[position.top]
        verb = "worth more" if gap < 0 else "worth less"
        return f"drawing would be as good as taking if the {card} were {abs(gap):.2f} points {verb}"

    def rollouts(
        self,
        rules: NoprobRules,
        position: Position,
        policies: Sequence[Policy],
        play_out: bool,
        objective: str = "",
        effort: Effort = Effort(),
    ) -> RolloutJob:
        """The job that plays a position out after each legal action."""
        aim = objective or self.default_objective(rules, position)
        return rollouts(rules, position, policies, play_out, aim, effort)

    def forks(
        self, rules: NoprobRules, policies: Sequence[Policy], chances: np.ndarray
    ) -> ForkJob | None:
        """With one card face down: to end the round or not, played out both ways."""
        if any(policy.family.code != PLANNER for policy in policies):
            raise ReadError(f"thresholds are for greedy and planner, not {policies[0].name}")
        keys = forks.cell_keys()
        job = Job(
            forks.fork_rounds,
            rules.columns,
            policy_rows(policies),
            (*tables_of(rules, policies), chances),
            (len(keys), FORK_COLUMNS),
        )
        return ForkJob(
            job,
            keys,
            ("end", "go on"),
            1.0,
            "with one own card face down and a card that fits best there",
            LEAD,
            ("points", "round lost"),
            most=forks.MOST_ROUNDS // len(policies),
            beside=tables_beside(rules, policies),
        )

    def game_forks(
        self, rules: NoprobRules, policies: Sequence[Policy], chances: np.ndarray | None, band: int
    ) -> ForkJob | None:
        """None: no game is decided by a sum of points."""
        return None

    def most_points(self, rules: NoprobRules) -> int:
        """The highest first key of `forks`."""
        return forks.LEADS - 1

    def exact_tables(self, rules: NoprobRules, players: int) -> list[ThresholdTable]:
        """None yet."""
        return []


GAME = NoprobGame()
