"""Pikomino behind the face that all games share (see `games.interface.game`).

Each method loads what is behind it, so that a question loads no more than it needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import ModuleType

from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.language import language, later, say
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress
from lama_odds.core.wording import decimal
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.jobs import Effort, RolloutJob, StandingsJob, ThinkingJob
from lama_odds.games.interface.match_equity import MatchEquity
from lama_odds.games.interface.objectives import (
    FOR_WINNING,
    GAME_SPAN,
    TURN,
    WIN,
    ChanceWords,
    Objective,
    Solution,
    ThresholdTable,
    named,
)
from lama_odds.games.interface.reasons import Reasons
from lama_odds.games.interface.sheet import Sheet
from lama_odds.games.pikomino.policies import FAMILIES, suits
from lama_odds.games.pikomino.rules import ruleset
from lama_odds.games.pikomino.rules.feasibility import parse_position
from lama_odds.games.pikomino.rules.position import WORDS, Position
from lama_odds.games.pikomino.rules.ruleset import PikominoRules
from lama_odds.games.shared.faces import GameInRooms

POINTS = Objective(
    "points",
    "worms",
    later(
        "points: expected change of your worms in this turn, minus the mean of the others'; "
        "higher is better"
    ),
    later("worms"),
    later("your worms this turn minus the mean of the others', who lose a stolen tile"),
    later("worms this turn"),
    higher=True,
    span=TURN,
    grades=(0.1, 0.3, 0.8),
    alone=True,
)
WORMS = Objective(
    "worms",
    "worms",
    later("worms: expected worms on your tiles at the end of the game; higher is better"),
    later("worms at the end"),
    later("worms at the end of the game"),
    later("worms at the end"),
    higher=True,
    span=GAME_SPAN,
    aim=FOR_WINNING,
    grades=(0.1, 0.3, 0.8),
)


class PikominoGame(GameInRooms[PikominoRules, Position]):
    """The face of Pikomino, as the registry returns it."""

    name = "pikomino"
    title = "Pikomino"
    editions = ruleset.ABOUT
    options = ruleset.OPTIONS
    defaults = ruleset.EDITIONS
    words = WORDS
    families = FAMILIES
    objectives: Mapping[str, Objective] = named(POINTS, WORMS, WIN)
    models: Mapping[str, str] = {
        later("cautious"): "first-tile",
        later("usual"): "best",
        later("bold"): "lead:100",
        later("random"): "random",
    }
    chances = ChanceWords({"bust": later("go bust")}, next=("next bust",))
    league = ("optimal-turn", "first-tile", "random")
    casual = "first-tile"
    pilot = 2_001
    dial: tuple[str, Sequence[int]] = ("", ())
    example = "kept=444W centre=21-23,25,30-36 own=24 tops=27"
    typical = (example, "", "kept=444W rolled=1245", "stacks=24.22/27.30/-")
    notes = ()
    shared = later("the same dice")
    sheet = Sheet(
        later("Pickomino beside the table"),
        {"pikomino/egmont": later("Pickomino")},
        later("Your total counts each worm as 5."),
        why={
            "dice": later("With few dice left, most rolls show only faces that you have kept."),
            "short": later("Each face that you have kept is lost for the rolls to come."),
            "steal": later("Stealing takes worms away from somebody, too."),
            "own": later("A bust costs you your top tile."),
        },
        drawn={"dice": "die ?", **dict.fromkeys(("worms", "steal", "own", "worm"), "die W")},
    )
    has_rounds = False
    no_deal = "nothing is dealt in pikomino: give a position ('' is the start of a turn)"

    @property
    def jobs(self) -> ModuleType:
        """The module of its jobs."""
        from lama_odds.games.pikomino import jobs

        return jobs

    @property
    def record_room(self) -> ModuleType:
        """The module that reads and writes records."""
        from lama_odds.games.pikomino.records import record

        return record

    @property
    def live_room(self) -> ModuleType:
        """The module that follows a game."""
        from lama_odds.games.pikomino.records import live

        return live

    @property
    def words_room(self) -> ModuleType:
        """The module with the words of positions and odds."""
        from lama_odds.games.pikomino.records import words

        return words

    def rules(self, text: str) -> PikominoRules:
        """Return the rule set of an id."""
        return ruleset.parse_rules(text)

    def position(self, rules: PikominoRules, text: str) -> Position:
        """Return a position that can occur."""
        return parse_position(rules, text)

    def odds(self, rules: PikominoRules, position: Position) -> dict[str, Estimate]:
        """Return chances of the next roll, and how the best turn ends."""
        from lama_odds.games.pikomino.solvers import exact as solvers_exact

        return solvers_exact.odds(rules, position)

    def odds_groups(
        self, rules: PikominoRules, position: Position
    ) -> dict[str, dict[str, Estimate]]:
        """Return chances of totals that a player aims at."""
        from lama_odds.games.pikomino.solvers import exact as solvers_exact

        return solvers_exact.totals(rules, position)

    def trained_suits(self, rules: PikominoRules, players: int) -> bool:
        """Return whether the values of `learned` are those of the rule set."""
        return suits(rules.id)

    def default_objective(self, rules: PikominoRules, position: Position) -> str:
        """Return the default objective: this turn."""
        return "points"

    def solve(
        self,
        rules: PikominoRules,
        position: Position,
        objective: str,
        threads: int,
        progress: Progress | None = None,
        table: MatchEquity | None = None,
    ) -> Solution | None:
        """Return exact values of a turn, or of a two-player game with few tiles."""
        from lama_odds.games.pikomino.solvers import solve

        if objective == "points":
            return solve.solve_points(rules, position)
        if objective != "win":
            return None
        return solve.solve_win(rules, position, threads, progress)

    def known(self, rules: PikominoRules, position: Position) -> dict[str, dict[str, Estimate]]:
        """Return points, which are exact whatever else is sampled."""
        from lama_odds.games.pikomino.solvers import solve

        solution = solve.solve_points(rules, position)
        return {valued.action: dict(valued.values) for valued in solution.actions}

    def next_chances(
        self, rules: PikominoRules, position: Position
    ) -> dict[str, dict[str, Estimate]]:
        """Return the exact chance that the next roll is bust; the rest depends on how you play."""
        from lama_odds.games.pikomino.rules import feasibility

        if position.rolled is not None or not feasibility.dice_left(rules, position.kept):
            return {}
        return {"roll": {"next bust": exact(feasibility.next_bust(rules, position))}}

    def reasons(self, rules: PikominoRules) -> Reasons:
        """Return the patterns of sentences that say why an action is best."""
        from lama_odds.games.pikomino.records.reasons import REASONS

        return REASONS

    def turning_point(
        self, rules: PikominoRules, position: Position, objective: str, values: Mapping[str, float]
    ) -> str:
        """Return in a sentence what would change the verdict; values: of the actions."""
        others = {name: value for name, value in values.items() if name != "roll"}
        if objective != "points" or "roll" not in values or not others:
            return ""
        best = max(others, key=lambda name: others[name])
        return say(
            "break-even: rolling on would equal {best} at {worms} worms",
            best=action_words(best),
            worms=decimal(f"{values['roll']:.3f}"),
        )

    def rollouts(
        self,
        rules: PikominoRules,
        position: Position,
        policies: Sequence[Policy],
        play_out: bool,
        objective: str = "",
        effort: Effort = Effort(),
    ) -> RolloutJob:
        """Return the job that plays the game out after each legal action."""
        from lama_odds.games.pikomino.jobs import rollouts

        if not position.whole:
            raise LimitError(
                say("the whole game needs all tiles: give stacks=… instead of own and tops")
            )
        return rollouts(rules, position, policies, effort.only)

    def exact_tables(self, rules: PikominoRules, players: int) -> list[ThresholdTable]:
        """Return tables: stop or roll; the first face; the value of a steal; two-player endings."""
        return list(exact_tables(rules, players, language()))

    def standings(self, rules: PikominoRules, policies: Sequence[Policy]) -> StandingsJob:
        """Return whole games, counted by tiles left and worms ahead."""
        from lama_odds.games.pikomino.jobs import standings_job

        return standings_job(rules, policies)

    def thinking(self, rules: PikominoRules, policies: Sequence[Policy], seat: int) -> ThinkingJob:
        """Return whole games in which a seat looks a turn further ahead."""
        from lama_odds.games.pikomino.jobs import thinking_job

        return thinking_job(rules, policies, seat)


@lru_cache(maxsize=4)
def exact_tables(rules: PikominoRules, players: int, spoken: str) -> tuple[ThresholdTable, ...]:
    """Return all exact tables; they are kept, because each section of a report reads them.

    spoken: the language in force, which their words are in.
    """
    del spoken
    from lama_odds.games.pikomino.jobs import solved_standings
    from lama_odds.games.pikomino.solvers import solve
    from lama_odds.games.pikomino.solvers.exact import first_tables

    tables = [*solve.exact_tables(rules, players)]
    tables[1:1] = first_tables(rules, players)
    solved = solved_standings(rules) if players == 2 else None
    listed = (*tables, *([solved] if solved else []))
    return tuple(table for table in listed if table.rows)  # with few dice a table may have no rows


GAME = PikominoGame()
