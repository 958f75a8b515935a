"""Pig behind the face that all games share: its policies, its jobs, what it can answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lama_odds.core.errors import ReadError
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.policies import Family, Policy
from lama_odds.core.rulesets import editions_of, options_of
from lama_odds.games.interface.capabilities import LivePlay, PolicyQuery, Recorded
from lama_odds.games.interface.game import Game
from lama_odds.games.interface.jobs import Effort, RolloutJob
from lama_odds.games.interface.objectives import (
    POINTS,
    TURN,
    WIN,
    ChanceWords,
    Solution,
    Valued,
    named,
)
from lama_odds.games.interface.reasons import LESS, Contrast, Gap, Reasons
from lama_odds.games.shared.measures import game_measures, logged_game
from lama_odds.games.shared.record import read_of_rules, unfinished_table
from lama_odds.jit.job import Job
from lama_odds_pig import engine, records, rules, solvers
from lama_odds_pig.rules import Position, Rules
from lama_odds_pig.solvers import arrays

Policies = Sequence[Policy]
BRIEF, MEANING = "points this turn", "points: points of this turn on average; higher is better"
TURN_POINTS = replace(POINTS, meaning=MEANING, brief=BRIEF, higher=True, span=TURN, alone=True)
OPTIMAL = "plays for the best chance to win against the best of the others, who does the same"
BOTH_BEST = "both players play as well as possible to the end of the game"

BUST = Contrast(
    "bust",
    (Gap("bust", LESS, 0.05),),
    "You go bust {best0} if you {best}, and {other0} if you {other}.",
)


class PigGame(Game[Rules, Position]):
    """The face of Pig, as the registry returns it."""

    name = "pig"
    title = "Pig"
    editions: Mapping[str, str] = {"classic": "one die; the first player with 100 points wins"}
    options = options_of(rules.Rules)
    defaults = editions_of(rules.Rules)
    words = rules.WORDS
    families = (
        Family("random", engine.RANDOM, "after each roll holds or rolls again, with equal chance"),
        Family("hold", engine.HOLD_AT, "holds at N points of the turn", "N", 1, 210, default=20),
        Family("optimal", engine.OPTIMAL, OPTIMAL),
    )
    objectives = named(TURN_POINTS, WIN)
    chances = ChanceWords({"bust": "go bust"})
    models: Mapping[str, str] = {"cautious": "hold:15", "usual": "best", "bold": "hold:30"}
    example = "turn=14 scores=30,50"
    shared = "the same dice"
    has_rounds = False
    no_deal = "nothing is dealt in pig: give a position ('' is the start of a game)"

    def reasons(self, rules: Rules) -> Reasons:
        """Return what a roll may cost, as a pattern of sentences that say why."""
        return Reasons((BUST,), cautious=("hold",))

    def rules(self, text: str) -> Rules:
        """Return the rule set of an id."""
        return rules.parse_rules(text)

    def position(self, rule_set: Rules, text: str) -> Position:
        """Return a position that can occur."""
        return rules.parse_position(rule_set, text)

    def position_after(self, rules: Rules, record: str) -> Position:
        """Return the position at the end of a record, which must have the same rule set."""
        game: records.Play = unfinished_table(read_of_rules(records.Reader(), rules, record))
        return game.position(game.turn)

    def recorded(self) -> Recorded:
        """Return how its records are split into decisions."""
        return records.RECORDED

    def policy_query(self) -> PolicyQuery:
        """Return how its policies decide single situations."""
        from lama_odds_pig.live import QUERY

        return QUERY

    def live_play(self) -> LivePlay:
        """Return how it is played along."""
        from lama_odds_pig.live import LIVE_PLAY

        return LIVE_PLAY

    def best_policy(self, rules: Rules, players: int, objective: str = "win") -> Policy:
        """Return the optimum of two players for winning.

        For points, hold when a roll gains nothing.
        """
        return self.policy("optimal" if objective == "win" else f"hold:{rules.columns[1:].sum()}")

    def default_objective(self, rules: Rules, position: Position) -> str:
        """Return the game: its scores are always known."""
        return "win"

    def simulation(self, rules: Rules, policies: Policies, rounds: bool) -> Job:
        """Return whole games of these policies, one for each seat."""
        if rounds:
            raise ReadError("pig has no rounds, only whole games")
        counted = game_measures(len(policies), rules.target + rules.sides)
        measures = tuple(replace(m, name="turns") if m.name == "rounds" else m for m in counted)
        return Job(engine.play_games, *arrays(rules, policies), (len(measures), 2), measures)

    def record(self, rules: Rules, policies: Policies, seed: int, game: int, rounds: bool) -> str:
        """Return a simulated game as text."""
        _, log = logged_game(self.simulation(rules, policies, rounds), seed, game, rounds=True)
        return records.write_record(rules, [policy.name for policy in policies], (seed, game), log)

    def rollouts(
        self,
        rules: Rules,
        position: Position,
        policies: Policies,
        play_out: bool,
        objective: str = "",
        effort: Effort = Effort(),
    ) -> RolloutJob:
        """Return each action, then the game to its end with these policies."""
        row, rows, logged = arrays(rules, policies)
        actions = effort.only or position.actions
        signed = np.array([position.turn * (1 if name == "roll" else -1) for name in actions])
        tables = (*logged, np.array(position.scores), signed)
        job = Job(engine.roll_out, row, rows, tables, (signed.size * (signed.size + 1) + 1,))
        return RolloutJob(job, actions, ("win",), (1.0,), (), ())

    def odds(self, rules: Rules, position: Position) -> Mapping[str, Estimate]:
        """Return chances that the next roll is a bust, and that a turn reaches N or the target."""
        turn, room = position.turn, rules.target - position.scores[0]
        aims = {f"hold at {n}": n for n in range(turn // 5 * 5 + 5, room, 5)} | {"win": room}
        safe = {name: solvers.safe_chances(rules, [True] * n)[turn] for name, n in aims.items()}
        return {name: exact(chance) for name, chance in {"bust": 1 / rules.sides, **safe}.items()}

    def solve(
        self, rules: Rules, position: Position, objective: str, *_: Any, **more: Any
    ) -> Solution | None:
        """Return exact values: points of the turn always, the chance to win with two players."""
        turn, (mine, *others) = position.turn, position.scores
        tables = {"points": solvers.turn_for_points(rules, rules.target - mine)}
        if len(others) == 1:
            tables["win"] = solvers.turn_to_win(rules, mine, others[0])
        if objective not in tables:
            return None
        rolling, holding = tables[objective]
        safe = solvers.safe_chances(rules, rolling > holding)[turn]
        found = []
        for at, action in enumerate(position.actions):
            values = {name: exact(table[at][turn]) for name, table in tables.items()}
            found.append(Valued(action, values, {"bust": exact(0.0 if at else 1 - safe)}))
        return Solution(tuple(found), (BOTH_BEST,) * (objective == "win"))


GAME = PigGame()
