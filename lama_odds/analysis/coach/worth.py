"""What a decision was worth before and after it, if a fixed policy follows: for luck and skill.

The value Q of an action assumes that its player follows it with the continuation policy, the one
that `advise` plays for the seat. So what the action leads to has to be valued by that policy too.
V is the value of the action that the policy would take at the next decision, not of the best one.
Then V minus the Q of the move before has mean 0, if the model of the others and of hidden cards is
right. With the value of the best action that would be wrong: the mean would be what the policy
itself loses at the next decision.

Both values of a decision are played out on the same games, whose number does not depend on what
they bring: nothing is chosen because it looked good. Where all of a stretch of a record is solved,
the continuation policy is the solved play, and V the value of the best action. A solved decision
that comes after sampled ones is played out too, because these were valued with the policy.

Learned values are not played out. There the continuation policy is the plan that they make of the
turn, and V is the value of its best action. For them V minus the Q of the move before has mean 0
within a turn. From a turn to the next one it has mean 0 as far as they are right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lama_odds.analysis.advice.answer import EQUAL
from lama_odds.analysis.advice.rollouts import played
from lama_odds.analysis.coach.grades import Graded
from lama_odds.core.estimate import Estimate, exact
from lama_odds.core.policies import Policy
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.jobs import Effort
from lama_odds.games.interface.match_equity import table_for, valued_by
from lama_odds.games.interface.records import Player, Situation
from lama_odds.games.shared.decisions import Decision
from lama_odds.games.shared.policy_query import query_of
from lama_odds.simulation.run import default_threads
from lama_odds.statistics.paired import Moments

ANY_WORD = 0  # a random number for policies that do not play by chance


@dataclass(frozen=True)
class Worth:
    """A decision: what the continuation policy would do, and what that and the action are worth.

    before: value of what the policy would do. after: value of the action chosen. skill: after minus
    before, from the same games. All are in the unit of the objective, without points already won or
    lost. solved: whether the solved play follows, not the policy. inferred: whether what others did
    tells of their hidden cards. learned: whether the values were learned.
    """

    decision: Decision
    usual: str
    before: Estimate
    after: Estimate
    skill: Estimate
    solved: bool = False
    inferred: bool = False
    learned: bool = False

    @property
    def games(self) -> int:
        """Games that the values are from; 0 if they are exact or learned."""
        return 0 if self.learned else max(self.before.n, self.after.n)

    def to_json(self) -> dict[str, Any]:
        """The action of the policy, and the values."""
        return {
            "action": self.usual,
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "skill": self.skill.to_json(),
        }


class Continuation:
    """The policies that play after the decisions of a record: those of `advise`.

    games: for each decision, fixed beforehand, even if they are few.
    fewer: the same for a decision at which the seat did what the policy would do. Its two values
    are equal and drop out of all sums, unless it is the first of a stretch. None: no fewer.
    """

    def __init__(
        self,
        game: Game[R, P],
        rules: R,
        first: Any,
        objective: str,
        opponents: Policy | None,
        games: int,
        threads: int | None,
        fewer: int | None = None,
    ) -> None:
        """first: a position of the record."""
        self.game, self.rules, self.objective = game, rules, objective
        self.counts = game.objectives[objective]
        mine = game.best_policy(rules, first.players, self.counts.aim)
        self.games, self.fewer = games, fewer or games
        self.threads = threads or default_threads()
        self.policies = [mine] + [opponents or mine] * (first.players - 1)
        self.player: Player = query_of(game).player(rules, mine, first.players)
        self.table = table_for(rules.id, self.policies) if self.counts.whole_game else None

    def usual(self, decision: Decision) -> str:
        """What the continuation policy would do."""
        return self.player.decides(Situation(0, decision.position), ANY_WORD)

    def worth(self, decision: Decision, seed: int, first: bool = True) -> Worth:
        """A decision played out: what the policy would do, and what was done.

        seed: of its games. first: whether it may be the first of a stretch.
        """
        usual = self.usual(decision)
        actions = tuple(dict.fromkeys((usual, decision.chosen)))
        games = self.games if first or len(actions) > 1 else self.fewer
        effort = Effort(games, None, self.threads, seed, only=actions)
        job = self.game.rollouts(
            self.rules,
            decision.position,
            self.policies,
            self.counts.whole_game,
            self.objective,
            effort,
        )
        if self.table is not None:
            job = valued_by(job, self.table)
        found = played(job, self.counts, games, self.threads, seed)
        before, *rest = (self._value(decision, found, a, name) for a, name in enumerate(actions))
        if not rest:
            return Worth(decision, usual, before, before, exact(0.0), inferred=job.inferred)
        after = rest[0]
        certain = not before.n and not after.n
        skill = exact(after.value - before.value) if certain else found.difference(1, 0)
        return Worth(decision, usual, before, after, skill, inferred=job.inferred)

    def _value(self, decision: Decision, found: Moments, action: int, name: str) -> Estimate:
        """The value of an action; exact where it is known and every game agrees."""
        mean = found.mean(action)
        if mean.stderr:
            return mean
        known = self.game.known(self.rules, decision.position).get(name, {}).get(self.objective)
        return known if known is not None and abs(known.value - mean.value) < EQUAL else mean


def learned_worth(graded: Graded) -> Worth:
    """A decision with learned values; its error says how far off their difference may be."""
    before, after = graded.values[graded.best], graded.played
    skill = exact(0.0)
    if after is not before:
        error, value = graded.error, after.value - before.value
        skill = Estimate.from_half(value, error.stderr, error.high - error.value, error.n)
    return Worth(graded.decision, graded.best, before, after, skill, learned=True)


def solved_worth(graded: Graded) -> Worth:
    """A decision solved together with all that follows it: the solved play follows."""
    before, after = graded.values[graded.best], graded.played
    # Both may be off by their bounds; an action is worth just what it is worth.
    bound = 0.0 if after is before else (before.high - before.low + after.high - after.low) / 2
    skill = exact(after.value - before.value, bound)
    return Worth(graded.decision, graded.best, before, after, skill, solved=True)
