"""The card games behind the face that all games share (see `games.interface.game`).

Each method loads what is behind it, so that a question loads no more than it needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import ModuleType

from lama_odds.core.estimate import Estimate
from lama_odds.core.language import later, say
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.core.wording import decimal
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.capabilities import Guessed
from lama_odds.games.interface.jobs import Effort, HandStudies, RolloutJob
from lama_odds.games.interface.match_equity import (
    MatchEquity,
)
from lama_odds.games.interface.objectives import (
    OF_PENALTIES,
    ChanceWords,
    HeldByOthers,
    Solution,
)
from lama_odds.games.interface.reasons import Reasons
from lama_odds.games.interface.sheet import Sheet
from lama_odds.games.lama.policies.catalogue import FAMILIES
from lama_odds.games.lama.policies.trained import trained_for
from lama_odds.games.lama.rules import ruleset
from lama_odds.games.lama.rules.feasibility import parse_position
from lama_odds.games.lama.rules.position import WORDS, Position
from lama_odds.games.lama.rules.ruleset import LamaRules
from lama_odds.games.shared.faces import GameOfPenalties


class LamaGame(GameOfPenalties[LamaRules, Position]):
    """The face of the card games, as the registry returns it."""

    name = "lama"
    title = "L.A.M.A."
    editions = ruleset.ABOUT
    options = ruleset.OPTIONS
    defaults = ruleset.EDITIONS
    words = WORDS
    families = FAMILIES
    objectives = OF_PENALTIES
    models: Mapping[str, str] = {
        later("cautious"): "threshold:12",
        later("usual"): "best",
        later("bold"): "threshold:2",
        later("random"): "random",
    }
    chances = ChanceWords(
        {"out": later("go out"), "last": later("worst score")},
        next=("playable", "llama", "raises"),
        alike=(("new kind", "raises"),),
    )
    league = ("meanfield", "matching:5", "threshold:5", "threshold:8", "random")
    casual = "threshold:8"
    dial = ("threshold", (0, 2, 4, 6, 8, 10, 12, 15, 20))
    example = "hand=3356L top=4 opp=4,q2,6"
    typical = (
        example,
        "hand=3356L top=4 opp=4",
        "hand=3356L top=4 opp=4,4,5 scores=12,3,20,0",
        "hand=3356L top=4 opp=q2",
    )
    hidden_cards = True
    searched = True
    shared = later("the same hidden cards and later draws")
    sheet = Sheet(
        later("L.A.M.A. beside the table"),
        {
            "lama/amigo": later("L.A.M.A., 8 llamas"),
            "lama/egmont": later("L.A.M.A., 7 llamas"),
            "lama/party": later("Lama Party"),
        },
        later(
            "If a card fits, play it: when to quit is for when none does. Add up your cards: each "
            "number once, all llamas together 10."
        ),
        why={
            "fewest": later(
                "Somebody with few cards can end the round before you get rid of yours."
            ),
            "others": later("With few others in, you may be left alone and continue undisturbed."),
            "cards": later("Many cards take many turns to play."),
            "pile": later(
                "When the pile is empty nobody draws, and a player who is stuck must quit."
            ),
            "score": later(
                "A low score is worth protecting. With a higher one, only going out helps."
            ),
            "ahead": later(
                "Well ahead, a costly round leaves you ahead. Blowing the lead does not."
            ),
            "total": later("With that total you are likely to lose anyway, so continue."),
            "second": later("A card two above the top is one that you can soon play."),
        },
        drawn={"fewest": "card ?", "cards": "card ?"},
        printed={"pl": "lama/egmont"},
    )

    @property
    def jobs(self) -> ModuleType:
        """The module of its jobs."""
        from lama_odds.games.lama import jobs

        return jobs

    @property
    def record_room(self) -> ModuleType:
        """The module that reads and writes records."""
        from lama_odds.games.lama.records import record

        return record

    @property
    def live_room(self) -> ModuleType:
        """The module that follows a game."""
        from lama_odds.games.lama.records import live

        return live

    @property
    def words_room(self) -> ModuleType:
        """The module with the words of positions and odds."""
        from lama_odds.games.lama.records import words

        return words

    def rules(self, text: str) -> LamaRules:
        """Return the rule set of an id."""
        return ruleset.parse_rules(text)

    def position(self, rules: LamaRules, text: str) -> Position:
        """Return a position that can occur."""
        return parse_position(rules, text)

    def trained_suits(self, rules: LamaRules, players: int) -> bool:
        """Return whether `equilibrium` or `learned` was trained for it."""
        return trained_for(rules.id, players) is not None

    def odds(self, rules: LamaRules, position: Position) -> dict[str, Estimate]:
        """Return chances of the next draw, and that others can play on the top card."""
        from lama_odds.games.lama.rules import odds

        return odds.odds(rules, position)

    def deal_odds(self, rules: LamaRules) -> dict[str, Estimate]:
        """Return the chances of the deal."""
        from lama_odds.games.lama.rules import odds

        return odds.deal(rules)

    def solve(
        self,
        rules: LamaRules,
        position: Position,
        objective: str,
        threads: int,
        progress: Progress | None = None,
        table: MatchEquity | None = None,
    ) -> Solution | None:
        """Return exact values of the last player's actions."""
        from lama_odds.games.lama.solvers import hidden_hands

        return hidden_hands.solve_alone(rules, position, objective)

    def known(self, rules: LamaRules, position: Position) -> dict[str, dict[str, Estimate]]:
        """Return points of actions whose result is certain."""
        from lama_odds.games.lama.solvers import hidden_hands

        return hidden_hands.known(rules, position)

    def odds_rest_on(self, rules: LamaRules, position: Position) -> tuple[str, ...]:
        """Return what the chances of `odds` assume."""
        from lama_odds.games.lama.rules import odds

        return odds.rests_on(position)

    def held_by_others(
        self, rules: LamaRules, position: Position, policies: Sequence[Policy]
    ) -> HeldByOthers | None:
        """Return what the others probably hold, by what they did; None without a past."""
        from lama_odds.games.lama.solvers.beliefs import held_by_others

        return held_by_others(rules, position, policies)

    def guessed(self, rules: LamaRules, position: Position) -> tuple[Guessed, ...]:
        """Return the hand sizes and the pile, where they are a guess."""
        from lama_odds.games.lama.rules.feasibility import other_guesses

        return other_guesses(rules, position)

    def reasons(self, rules: LamaRules) -> Reasons:
        """Return the patterns of sentences that say why an action is best."""
        from lama_odds.games.lama.records.reasons import reasons

        return reasons(rules)

    def turning_point(
        self, rules: LamaRules, position: Position, objective: str, values: Mapping[str, float]
    ) -> str:
        """Return in a sentence what would change the verdict; values: of the actions."""
        others = {action: value for action, value in values.items() if action != "quit"}
        if objective == "win" or not others:
            return ""
        best = min(others, key=lambda action: others[action])
        penalty = rules.penalty(position.hand)
        even = penalty + others[best] - values["quit"]
        if even < 0:
            return say(
                "{best} is better even than quitting with a penalty of 0 (now {now})",
                best=action_words(best),
                now=penalty,
            )
        return say(
            "break-even: quitting would equal {best} at {points} points (now {now})",
            best=action_words(best),
            points=decimal(f"{even:.2f}"),
            now=penalty,
        )

    def rollouts(
        self,
        rules: LamaRules,
        position: Position,
        policies: Sequence[Policy],
        play_out: bool,
        objective: str = "",
        effort: Effort = Effort(),
    ) -> RolloutJob:
        """Return the job that plays a position out after each legal action."""
        from lama_odds.games.lama import jobs
        from lama_odds.games.lama.solvers import hidden_hands

        job = jobs.rollouts(
            rules, position, policies, play_out, only=effort.only, hands=effort.hidden
        )
        if position.others_in:
            return job
        return replace(job, beside=hidden_hands.ends_alone(rules, position))

    def hand_studies(self, rules: LamaRules, policies: Sequence[Policy]) -> HandStudies:
        """Return situations of first rounds that are continued with other hands."""
        from lama_odds.games.lama import jobs

        return jobs.studies_of(rules, policies)

    def most_points(self, rules: LamaRules) -> int:
        """Return the highest number of points that a hand can cost."""
        return rules.most_points


GAME = LamaGame()
