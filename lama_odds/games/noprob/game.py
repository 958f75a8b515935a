"""No Prob-Lama behind the face that all games share (see `games.interface.game`).

Each method loads what is behind it, so that a question loads no more than it needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import ModuleType

import numpy as np

from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.language import later, say
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.core.wording import decimal
from lama_odds.games.interface.best import OTHERWISE
from lama_odds.games.interface.best import WIN as WINNING
from lama_odds.games.interface.capabilities import Guessed, Stepper
from lama_odds.games.interface.jobs import Effort, ForkJob, RolloutJob
from lama_odds.games.interface.match_equity import MatchEquity, RoundsToWin
from lama_odds.games.interface.objectives import (
    MARGIN,
    ChanceWords,
    HeldByOthers,
    Objective,
    Solution,
    named,
)
from lama_odds.games.interface.objectives import POINTS as POINTS_OF_SCORE
from lama_odds.games.interface.objectives import ROUND as ROUND_WON
from lama_odds.games.interface.objectives import WIN as GAME_WON
from lama_odds.games.interface.reasons import Reasons
from lama_odds.games.interface.sheet import Sheet
from lama_odds.games.noprob.policies import FAMILIES
from lama_odds.games.noprob.rules import ruleset
from lama_odds.games.noprob.rules.feasibility import parse_position
from lama_odds.games.noprob.rules.position import WORDS, Position
from lama_odds.games.noprob.rules.ruleset import NoprobRules
from lama_odds.games.shared.faces import GameInRooms

CLOSE = 0.02  # a mistake: rounds take long to play out, so that games are few
ROUND, WIN = replace(ROUND_WON, close=CLOSE), replace(GAME_WON, close=CLOSE)
POINTS = replace(
    POINTS_OF_SCORE, meaning=later("points: expected total of your round; lower is better")
)


class NoprobGame(GameInRooms[NoprobRules, Position]):
    """The face of No Prob-Lama, as the registry returns it."""

    name = "noprob"
    title = "No Prob-Lama"
    editions = ruleset.ABOUT
    options = ruleset.OPTIONS
    defaults = ruleset.EDITIONS
    words = WORDS
    families = FAMILIES
    objectives: Mapping[str, Objective] = named(POINTS, MARGIN, ROUND, WIN)
    models: Mapping[str, str] = {
        later("cautious"): "greedy",
        later("usual"): "best",
        later("bold"): "planner:chase=40,lead=-20,haste=40",
        later("random"): "random",
    }
    chances = ChanceWords(
        {"ends": later("you end it"), "other ends": later("another ends it")},
        next=("next improves", "next completes a line", "next draw a special"),
    )
    league = ("greedy", "random")
    casual = "greedy"
    pilot = 5_001
    example = "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK"
    typical = (
        example,
        "grid=3,?,5/?,(7),?/J,?,? mine=D top=4 opp=?,?,?/?,?,9/?,?,?:DK",
        "grid=3,?,5/?,(7),?/J,?,? top=4 opp=?,?,?/?,?,9/?,?,?:DK drawn=9",
    )
    notes = ("simulated players look at the first cards of their top row; a position may know any",)
    hidden_cards = True
    actions = "turns"
    shared = later("the same hidden cards and later draws")
    sheet = Sheet(
        later("No Prob-Lama beside the table"),
        {"noprob/starnberger": later("No Prob-Lama")},
        later("Your lead: how far your total will be below the lowest of the others'."),
        why={
            "down": later("Cards face down can still turn out low."),
            "fewest": later("A player with few cards face down may end the round soon."),
        },
        drawn={"down": "card ?", "fewest": "card ?"},
    )
    searched = True

    @property
    def jobs(self) -> ModuleType:
        """The module of its jobs."""
        from lama_odds.games.noprob import jobs

        return jobs

    @property
    def record_room(self) -> ModuleType:
        """The module that reads and writes records."""
        from lama_odds.games.noprob.records import record

        return record

    @property
    def live_room(self) -> ModuleType:
        """The module that follows a game."""
        from lama_odds.games.noprob.records import live

        return live

    @property
    def words_room(self) -> ModuleType:
        """The module with the words of positions and odds."""
        from lama_odds.games.noprob.records import words

        return words

    def rules(self, text: str) -> NoprobRules:
        """Return the rule set of an id."""
        return ruleset.parse_rules(text)

    def position(self, rules: NoprobRules, text: str) -> Position:
        """Return a position that can occur."""
        return parse_position(rules, text)

    def odds(self, rules: NoprobRules, position: Position) -> dict[str, Estimate]:
        """Return the chances of the next card."""
        from lama_odds.games.noprob.rules import odds

        return odds.odds(rules, position)

    def odds_groups(self, rules: NoprobRules, position: Position) -> dict[str, dict[str, Estimate]]:
        """Return the possible sums of the hidden cards of each grid."""
        from lama_odds.games.noprob.rules import odds

        return odds.hidden_sums(rules, position)

    def deal_odds(self, rules: NoprobRules) -> dict[str, Estimate]:
        """Return the chance of each kind for any one card, and the mean points."""
        shares = {
            name: exact(n / rules.cards) for name, n in zip(rules.names, rules.deck, strict=True)
        }
        return {"mean points of a card": exact(rules.mean_card), **shares}

    def searched_for(self, rules: NoprobRules) -> str:
        """Return the objective that `search` thinks for: the round, as the lowest total wins it."""
        return (POINTS if rules.four_rounds else ROUND).name

    def best_policy(self, rules: NoprobRules, players: int, objective: str = WINNING) -> Policy:
        """Return the strongest known policy: of both objectives `learned` where it suits."""
        aim = objective if self.trained_suits(rules, players) else OTHERWISE
        return super().best_policy(rules, players, aim)

    def trained_suits(self, rules: NoprobRules, players: int) -> bool:
        """Return whether `learned` plays well with the options."""
        from lama_odds.games.noprob.policies import suits

        return suits(rules)

    def default_objective(self, rules: NoprobRules, position: Position) -> str:
        """Return the default objective: the game if its standing is given, otherwise the round.

        Only the lowest total of a round wins anything. With the sum of four rounds every point
        counts.
        """
        if position.llamas is not None or position.totals is not None:
            return "win"
        return "points" if rules.four_rounds else "round"

    def held_by_others(
        self, rules: NoprobRules, position: Position, policies: Sequence[Policy]
    ) -> HeldByOthers | None:
        """Return what the others' known cards probably are, by what they did; None if nothing."""
        from lama_odds.games.noprob.solvers.beliefs import held_by_others

        return held_by_others(rules, position, policies)

    def solve(
        self,
        rules: NoprobRules,
        position: Position,
        objective: str,
        threads: int,
        progress: Progress | None = None,
        table: MatchEquity | None = None,
    ) -> Solution | None:
        """Return the expected total for the last turn of a round."""
        from lama_odds.games.noprob.solvers import exact as last_turn

        return last_turn.solve_last(rules, position) if objective == "points" else None

    def too_large(self, rules: NoprobRules, position: Position, objective: str) -> str:
        """Return why the last turn of a round is not solved."""
        from lama_odds.games.noprob.solvers import exact as last_turn

        return last_turn.too_large(position) if objective == "points" else ""

    def asked_apart(
        self, rules: NoprobRules, position: Position, objective: str
    ) -> tuple[str, ...] | None:
        """Return the round and your total, if a card may come that is put to its best use."""
        if position.drawn is not None:
            return None
        worth = ("points",) if rules.four_rounds else ("round", "points")
        return tuple(name for name in worth if name != objective)

    def next_chances(
        self, rules: NoprobRules, position: Position
    ) -> dict[str, dict[str, Estimate]]:
        """Return exact chances of the next draw, shown beside the action."""
        from lama_odds.games.noprob.rules import odds

        if position.drawn is not None or not position.pile_left(rules):
            return {}
        chances = odds.odds(rules, position)
        shown = ("improves", "completes a line", "draw a special")
        return {"draw": {f"next {name}": chances[name] for name in shown}}

    def guessed(self, rules: NoprobRules, position: Position) -> tuple[Guessed, ...]:
        """Return the others' grids and the pile, where they are a guess."""
        from lama_odds.games.noprob.rules.feasibility import other_guesses

        return other_guesses(rules, position)

    def reasons(self, rules: NoprobRules) -> Reasons:
        """Return the patterns of sentences that say why an action is best."""
        from lama_odds.games.noprob.records.reasons import REASONS

        return REASONS

    def turning_point(
        self, rules: NoprobRules, position: Position, objective: str, values: Mapping[str, float]
    ) -> str:
        """Return in a sentence what would change the verdict; values: of the actions."""
        if objective not in ("points", "margin") or position.drawn is not None:
            return ""
        if "take" not in values or "draw" not in values:
            return ""
        gap = values["draw"] - values["take"]
        card = "" if position.top is None else rules.names[position.top]
        fields = {"card": card, "points": decimal(f"{abs(gap):.2f}")}
        if gap < 0:
            return say(
                "break-even: drawing equals taking if the {card} were {points} points worth more",
                **fields,
            )
        return say(
            "break-even: drawing equals taking if the {card} were {points} points worth less",
            **fields,
        )

    def rollouts(
        self,
        rules: NoprobRules,
        position: Position,
        policies: Sequence[Policy],
        play_out: bool,
        objective: str = "",
        effort: Effort = Effort(),
    ) -> RolloutJob:
        """Return the job that plays a position out after each legal action."""
        from lama_odds.games.noprob.jobs import rollouts

        aim = objective or self.default_objective(rules, position)
        return rollouts(rules, position, policies, play_out, aim, effort)

    def forks(
        self,
        rules: NoprobRules,
        policies: Sequence[Policy],
        chances: np.ndarray,
        worth: RoundsToWin | None = None,
    ) -> ForkJob | None:
        """Return decisions with one card face down, to end the round or not, played out both
        ways.
        """
        from lama_odds.games.noprob import jobs

        return jobs.forks(rules, policies, chances)

    def most_points(self, rules: NoprobRules) -> int:
        """Return the highest first key of `forks`."""
        from lama_odds.games.noprob.engine import drivers

        return drivers.LEADS - 1

    def stepper(self) -> Stepper:
        """Return a function that begins a game and stops whenever one seat decides."""
        from lama_odds.games.noprob.records.live import GameLine

        return GameLine


GAME = NoprobGame()
