"""Lama Dice behind the face that all games share (see `games.interface.game`).

Each method loads what is behind it, so that a question loads no more than it needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import ModuleType

from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.language import later, say
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.core.wording import decimal, thousands
from lama_odds.games.dice.engine import trained
from lama_odds.games.dice.policies import COPIED, FAMILIES, suits
from lama_odds.games.dice.rules import ruleset
from lama_odds.games.dice.rules.feasibility import parse_position
from lama_odds.games.dice.rules.position import WORDS, Position
from lama_odds.games.dice.rules.ruleset import DiceRules
from lama_odds.games.interface.best import WIN
from lama_odds.games.interface.capabilities import Guessed
from lama_odds.games.interface.jobs import Effort, RolloutJob
from lama_odds.games.interface.match_equity import (
    MatchEquity,
)
from lama_odds.games.interface.objectives import (
    OF_PENALTIES,
    ChanceWords,
    Solution,
    ThresholdTable,
)
from lama_odds.games.interface.reasons import Reasons
from lama_odds.games.interface.sheet import Sheet
from lama_odds.games.shared import shipped_weights
from lama_odds.games.shared.faces import GameOfPenalties


class DiceGame(GameOfPenalties[DiceRules, Position]):
    """The face of Lama Dice, as the registry returns it."""

    name = "dice"
    title = "Lama Dice"
    editions = ruleset.ABOUT
    options = ruleset.OPTIONS
    defaults = ruleset.EDITIONS
    words = WORDS
    families = FAMILIES
    objectives = OF_PENALTIES
    searched = True
    shared = later("the same dice")
    sheet = Sheet(
        later("Lama Dice beside the table"),
        {
            "dice/amigo": later("Lama Dice"),
            "dice/egmont": later("Lama Dice, Polish rules"),
        },
        later("Add up your cards: each number once, all llamas together 10."),
        why={
            "fewest": later("Somebody with few cards can go out before you do."),
            "others": later("With few others in, the round is sooner yours to end."),
            "kinds": later("The more kinds you hold, the more rolls match."),
            "row": later("A card in the row catches a roll that does not match."),
            "total": later(
                "At 40 points the game ends, and you must not be the one who loses it then."
            ),
        },
        drawn={
            **dict.fromkeys(("fewest", "cards", "kinds", "row"), "card ?"),
            **dict.fromkeys(("llama", "llama4", "llama5", "llama6"), "card L"),
        },
        printed={"pl": "dice/egmont"},
    )
    models: Mapping[str, str] = {
        later("cautious"): "threshold:12",
        later("usual"): "best",
        later("bold"): "threshold:2",
        later("random"): "random",
    }
    chances = ChanceWords(
        {"out": later("go out"), "blown": later("blow it"), "last": later("worst score")},
        next=("three llamas", "match", "miss", "next blown", "next out"),
    )
    league = ("meanfield", "threshold:5", "threshold:8", "random")
    casual = "threshold:8"
    dial = ("threshold", (0, 2, 4, 6, 8, 10, 12, 15, 20))
    example = "hand=25L row=1346L opp=13,6LL"
    typical = (
        example,
        "hand=25L row=1346L opp=13",
        "hand=25L opp=13,6LL,5 scores=12,3,20,0",
        "hand=125L opp=13 scores=12,3 rolled=25L",
    )
    notes = (
        "The rule books do not show the faces of the dice. Each die has two llama faces and four "
        "different numbers, and each number is on two of the three dice. Which numbers share a die "
        f"is an assumption ({ruleset.DEFAULT_FACES}); +faces=… sets another.",
    )

    @property
    def jobs(self) -> ModuleType:
        """The module of its jobs."""
        from lama_odds.games.dice import jobs

        return jobs

    @property
    def record_room(self) -> ModuleType:
        """The module that reads and writes records."""
        from lama_odds.games.dice.records import record

        return record

    @property
    def live_room(self) -> ModuleType:
        """The module that follows a game."""
        from lama_odds.games.dice.records import live

        return live

    @property
    def words_room(self) -> ModuleType:
        """The module with the words of positions and odds."""
        from lama_odds.games.dice.records import words

        return words

    def rules(self, text: str) -> DiceRules:
        """Return the rule set of an id."""
        return ruleset.parse_rules(text)

    def notes_of(self, rules: DiceRules) -> tuple[str, ...]:
        """Return the note on the faces; faces that cannot be those of the game have another."""
        if rules.faces in ruleset.pairings():
            return self.notes
        return (
            "These are not the dice of the game. Each of those has two llama faces and four "
            f"different numbers, for example {ruleset.DEFAULT_FACES}.",
        )

    def position(self, rules: DiceRules, text: str) -> Position:
        """Return a position that can occur."""
        return parse_position(rules, text)

    def odds(self, rules: DiceRules, position: Position) -> dict[str, Estimate]:
        """Return the chances of the next roll."""
        from lama_odds.games.dice.rules import odds

        return odds.odds(rules, position)

    def deal_odds(self, rules: DiceRules) -> dict[str, Estimate]:
        """Return the chances of the deal."""
        from lama_odds.games.dice.rules import odds

        return odds.deal(rules)

    def best_policy(self, rules: DiceRules, players: int, objective: str = WIN) -> Policy:
        """Return the strongest known policy: `copy` to win where it is fitted, else a tuned one."""
        if objective == WIN and suits(rules, players):
            return self.policy(COPIED.name)
        return super().best_policy(rules, players, objective)

    def card_suits(self, rules: DiceRules) -> bool:
        """Return whether no option is set but which numbers share a die: that hardly matters."""
        usual = rules.faces in ruleset.pairings()
        return super().card_suits(replace(rules, faces=ruleset.DEFAULT_FACES) if usual else rules)

    def trained_suits(self, rules: DiceRules, players: int) -> bool:
        """Return whether `copy` is fitted to it, or `learned` for more than two."""
        return suits(rules, players) or shipped_weights.suits(trained.MANIFEST, rules.id, players)

    def solve(
        self,
        rules: DiceRules,
        position: Position,
        objective: str,
        threads: int,
        progress: Progress | None = None,
        table: MatchEquity | None = None,
    ) -> Solution | None:
        """Return exact values; None if only sampling can answer."""
        if rules.unsolved:
            return None
        from lama_odds.games.dice.solvers import solve

        return solve.solve(rules, position, objective, threads, progress, table)

    def too_large(self, rules: DiceRules, position: Position, objective: str) -> str:
        """Return why a position is not solved although similar ones are; empty without a reason."""
        from lama_odds.games.dice.solvers import solve
        from lama_odds.games.dice.solvers.two_players import pair_situations

        if rules.unsolved and (position.players == 2 or not position.others_in):
            return say(
                "sampled, not solved: the solvers do not know {options}", options=rules.unsolved
            )
        other = position.opponents[0].cards
        most = {"margin": solve.MOST_STATES, "win": solve.MOST_WON}.get(objective)
        if position.players != 2 or not position.others_in or most is None or not other:
            return ""
        situations = pair_situations(position.hand, other, position.row)
        if situations <= most:
            return ""
        if not most:
            return say("sampled, not solved: rounds of two players are solved by the command alone")
        return say(
            "sampled, not solved: these hands lead to {situations} situations, but two-player "
            "rounds are solved only up to {most}",
            situations=thousands(situations),
            most=thousands(most),
        )

    def next_chances(self, rules: DiceRules, position: Position) -> dict[str, dict[str, Estimate]]:
        """Return exact chances that are shown beside an action, by action."""
        from lama_odds.games.dice.rules import odds

        if position.rolled is not None:
            return {}
        return {"roll": odds.next_chances(rules, position)}

    def known(self, rules: DiceRules, position: Position) -> dict[str, dict[str, Estimate]]:
        """Return the cost of quitting, which is visible on the table."""
        from lama_odds.games.dice.rules import odds

        if position.rolled is not None:
            return {}
        penalty = odds.penalty_of(rules, position.hand)
        return {"quit": {"points": exact(penalty + rules.quit_cost)}}

    def guessed(self, rules: DiceRules, position: Position) -> tuple[Guessed, ...]:
        """Return the row, hands and penalties, where they are a guess."""
        from lama_odds.games.dice.rules.feasibility import other_guesses

        return other_guesses(rules, position)

    def reasons(self, rules: DiceRules) -> Reasons:
        """Return the patterns of sentences that say why an action is best."""
        from lama_odds.games.dice.records.reasons import REASONS

        return REASONS

    def turning_point(
        self, rules: DiceRules, position: Position, objective: str, values: Mapping[str, float]
    ) -> str:
        """Return in a sentence what would change the verdict; values: of the actions."""
        from lama_odds.games.dice.rules import odds

        if "quit" not in values or objective == "win":
            return ""
        penalty = odds.penalty_of(rules, position.hand)
        even = penalty + values["roll"] - values["quit"]
        if even < 0:
            return say(
                "rolling is better even than quitting with a penalty of 0 (now {now})", now=penalty
            )
        return say(
            "break-even: quitting would equal rolling at {points} points (now {now})",
            points=decimal(f"{even:.2f}"),
            now=penalty,
        )

    def rollouts(
        self,
        rules: DiceRules,
        position: Position,
        policies: Sequence[Policy],
        play_out: bool,
        objective: str = "",
        effort: Effort = Effort(),
    ) -> RolloutJob:
        """Return the job that plays a position out after each legal action."""
        from lama_odds.games.dice import jobs

        return jobs.rollouts(rules, position, policies, play_out, effort.only)

    def most_points(self, rules: DiceRules) -> int:
        """Return the highest number of points that a round can cost."""
        return rules.most_points

    def exact_tables(self, rules: DiceRules, players: int) -> list[ThresholdTable]:
        """Return the table of the last player with one card each of some kinds."""
        from lama_odds.games.dice.solvers.choices import last_player_table

        return [] if rules.unsolved else [last_player_table(rules)]


GAME = DiceGame()
