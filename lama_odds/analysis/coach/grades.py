"""Grades of decisions: what an action lost against the best, how sure that is, and where it was."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

from lama_odds.analysis.advice.answer import EQUAL, ActionValue, Advice
from lama_odds.analysis.advice.rollouts import moments_of
from lama_odds.core.errors import LimitError
from lama_odds.core.estimate import EXACT, SIMULATION, Estimate, exact
from lama_odds.core.language import say
from lama_odds.core.plain import Plain
from lama_odds.core.policies import Policy
from lama_odds.core.reading import data_json
from lama_odds.core.wording import ordinal
from lama_odds.games.interface.capabilities import Player, Situation
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.jobs import Effort
from lama_odds.games.interface.match_equity import table_for, valued_by
from lama_odds.games.shared.decisions import Decision, query_of
from lama_odds.simulation.run import default_threads
from lama_odds.statistics.intervals import ALPHA, Moments, Z, at_fixed

# What a review says about strength: whose errors are most like those of a seat.
#
# data/ratings.json, written by `tools/publish ratings`, lists some policies and what a decision of
# each loses on average, reviewed like any other game. A game has few decisions, so its mean may be
# far from that average. The same reviews show how far, game by game, as decisions of one game are
# not independent.

RATINGS = "ratings.json"
SAME = 1e-9  # what adding up leaves of nothing


@dataclass(frozen=True)
class Rated(Plain):
    """A policy: what a decision of it loses on average, and how many were measured."""

    KEYS = "policy mean_error=mean stderr decisions games"

    policy: str
    mean: float
    stderr: float
    decisions: int
    games: int

    def spread(self, decisions: int) -> float:
        """Standard error of the mean of this many decisions around `mean`, as far as known."""
        return self.stderr * math.sqrt(1 + self.decisions / decisions)

    def fits(self, mean: float, decisions: int) -> bool:
        """Whether its decisions may well lose that much on average."""
        return abs(mean - self.mean) <= Z * self.spread(decisions) + SAME


@dataclass(frozen=True)
class Rating(Plain):
    """A seat among the policies: the one nearest by `mean`, and all that fit, strongest first."""

    KEYS = "nearest=nearest.policy fits=fits.policy policies=of"

    mean: float
    decisions: int
    nearest: Rated
    fits: tuple[Rated, ...]
    of: tuple[Rated, ...]


def objectives_measured(rules_id: str, players: int) -> tuple[str, ...]:
    """The objectives under which policies were measured for a rule set."""
    return tuple(data_json(RATINGS)["ratings"].get(rules_id, {}).get(str(players), {}))


def references(rules_id: str, players: int, objective: str) -> tuple[Rated, ...]:
    """The policies measured for a rule set, strongest first; none if it is not among them."""
    ratings = data_json(RATINGS)["ratings"]
    measured = ratings.get(rules_id, {}).get(str(players), {}).get(objective, [])
    return tuple(sorted((Rated(**entry) for entry in measured), key=lambda rated: rated.mean))


def rating(mean: float, decisions: int, of: Sequence[Rated]) -> Rating | None:
    """The rating of a mean error over `decisions`; None without decisions or policies."""
    if not decisions or not of:
        return None
    nearest = min(of, key=lambda rated: abs(mean - rated.mean))
    fits = tuple(rated for rated in of if rated.fits(mean, decisions))
    return Rating(mean, decisions, nearest, fits, tuple(of))


def measured(policy: str, errors: Sequence[Sequence[float]]) -> Rated:
    """A policy by what its decisions lost, game by game.

    The standard error is that of a ratio of sums over games.
    """
    games = [list(lost) for lost in errors if lost]
    decisions = sum(map(len, games))
    mean = sum(map(sum, games)) / decisions
    apart = sum((sum(lost) - mean * len(lost)) ** 2 for lost in games)
    few = len(games) / max(1, len(games) - 1)
    return Rated(policy, mean, math.sqrt(apart * few) / decisions, decisions, len(games))


# Where in a game a decision was: round 2, your 3rd turn, 2nd decision.


@dataclass(frozen=True)
class Where(Plain):
    """A place in a game: the round, from 1, the player's turn in it, from 1, and both in words.

    round: None in a game without rounds; turns are counted in the whole game then.
    """

    KEYS = "round turn text"

    round: int | None
    turn: int
    text: str


NOWHERE = Where(None, 0, "")


def places_of(
    decisions: Sequence[Decision], free: Sequence[bool], rounds: bool, you: int | None
) -> Iterator[Where]:
    """Yield the place of each decision.

    decisions: all of some players, in order. free: whether each has a choice; of several in a turn
    only these are numbered. rounds: whether the game has rounds. you: your seat, if one is yours.
    """
    several = Counter(d.turn for d, one in zip(decisions, free, strict=True) if one)
    turns: dict[tuple[int, int], list[int]] = {}
    before: Counter[int] = Counter()
    for decision, one in zip(decisions, free, strict=True):
        round_ = decision.round if rounds else 0
        played = turns.setdefault((decision.seat, round_), [])
        if decision.turn not in played[-1:]:
            played.append(decision.turn)
        before[decision.turn] += one
        at = before[decision.turn] if one and several[decision.turn] > 1 else 0
        text = _in_words(decision.seat, len(played), decision.seat == you, at)
        if rounds:
            text = say("round {round}, {place}", round=round_ + 1, place=text)
        yield Where(round_ + 1 if rounds else None, len(played), text)


def _in_words(seat: int, turn: int, yours: bool, decision: int) -> str:
    """A turn of a player in words. decision: its number, if the turn has several."""
    if yours:
        text = say("your {nth} turn", nth=ordinal(turn))
    else:
        text = say("player {player}'s {nth} turn", player=seat + 1, nth=ordinal(turn))
    if not decision:
        return text
    return say("{turn}, {nth} decision", turn=text, nth=ordinal(decision))


GRADES = ("fine", "inaccuracy", "mistake", "blunder")
LOOKS = 3  # numbers of games at which the grade of a decision may be settled


def grade_of(loss: float, borders: tuple[float, ...]) -> str:
    """The name of a loss."""
    return GRADES[sum(loss >= border for border in borders)]


@dataclass(frozen=True)
class Margin:
    """What a decision adds to the interval of a sum of losses; see `intervals`.

    floor: a loss that is not too high on average. It is taken against the worst action that may be
    the best, not against the one that looked best; 0 if the chosen action may be the best.
    below: half-width below the floor.
    above: half-width above the loss.
    """

    floor: float
    below: float
    above: float


@dataclass(frozen=True)
class Graded(Plain):
    """A decision with its grade.

    values: of each action, best first.
    error: what the chosen action cost, in the unit of the objective, never below 0.
    borders: of the grades.
    doubtful: whether the interval of the error has more than one grade in it.
    margin: of the error in a sum.
    behind: the cost with the interval of the advice; rivals: how many actions it was compared with.
    seed: of the games that it was played out in. tuned: of their intervals, see `Advice`.
    rests_on: assumptions of the advice.
    surely: the lower end of the cost in an interval that holds for all decisions of the player.
    shown: whether that is above 0; without it a decision counts as fine. where: in the game.
    by_turn: whether all decisions of the turn were valued on the same games (see `turns`).
    why: what would turn the verdict, by its values alone. reason: sentences that games confirmed.
    """

    KEYS = (
        "line=decision.line where round=decision.round seat=decision.seat position "
        "played=decision.chosen best error shown at_least=surely grade doubtful forced values "
        "why=why_text method games seed"
    )

    decision: Decision
    values: Mapping[str, Estimate]
    best: str
    error: Estimate
    grade: str
    doubtful: bool
    games: int
    method: str
    why: str
    borders: tuple[float, ...]
    margin: Margin
    behind: Estimate
    rivals: int
    seed: int
    tuned: int | None = None
    rests_on: tuple[str, ...] = ()
    surely: float = 0.0
    shown: bool = False
    where: Where = NOWHERE
    by_turn: bool = False
    reason: str = ""

    @property
    def why_text(self) -> str:
        """Why the best action is better; empty if nothing is known."""
        return self.reason or self.why

    def settled(self, decisions: int, where: Where) -> Graded:
        """The grade that counts among this number of decisions, and where the decision was."""
        surely = 0.0 if self.forced else self.least_cost(decisions)
        grade = grade_of(self.error.value, self.borders) if surely > 0 else GRADES[0]
        return replace(self, surely=surely, shown=surely > 0, grade=grade, where=where)

    def least_cost(self, decisions: int) -> float:
        """The least that the chosen action cost, with 97.5 % for all decisions together.

        All their comparisons, and the numbers of games at which each may have been settled, share
        the error rate (Bonferroni).
        """
        lost, behind = self.error.value, self.behind
        if self.method == EXACT:
            return self.margin.floor if self.margin.floor > EQUAL else 0.0
        if lost <= 0 or behind.high <= behind.value:
            return lost
        alpha = ALPHA / max(1, self.rivals)
        if self.learned or self.by_turn:
            z = NormalDist().inv_cdf(1 - alpha / decisions / 2)
            z /= Z if self.learned else NormalDist().inv_cdf(1 - alpha / 2)
            return max(0.0, lost - z * (behind.high - behind.value))
        return max(0.0, at_fixed(behind, LOOKS * decisions, alpha, self.tuned).low)

    @property
    def may_have_cost(self) -> bool:
        """Whether it would have a bad grade if its cost were shown."""
        bad = grade_of(self.error.value, self.borders) != GRADES[0]
        return bad and not self.shown and not self.forced

    @property
    def learned(self) -> bool:
        """Whether its values were learned: neither solved nor played out."""
        return is_learned(self.method, self.games)

    @property
    def forced(self) -> bool:
        """Whether nothing else was allowed."""
        return len(self.values) == 1

    @property
    def played(self) -> Estimate:
        """Value of the action chosen."""
        return self.values[self.decision.chosen]

    @property
    def position(self) -> str:
        """The position, in its canonical form."""
        return str(self.decision.position.format())


def is_learned(method: str, games: int) -> bool:
    """Whether the values of an answer with this method and number of games were learned."""
    return method == SIMULATION and not games


def graded(
    decision: Decision,
    advice: Advice,
    borders: tuple[float, ...],
    by_turn: bool = False,
) -> Graded:
    """Grade a decision by the advice for its position.

    Raises LimitError if the advice does not know the action.
    """
    actions = advice.actions
    by_name = {action.action: action for action in actions}
    if decision.chosen not in by_name:
        raise LimitError(
            say(
                "line {line}: {action} is not among the actions at {position}: {actions}",
                line=decision.line,
                action=decision.chosen,
                position=advice.position,
                actions=", ".join(by_name),
            )
        )
    best, chosen = actions[0], by_name[decision.chosen]
    sign = -1 if advice.counts.higher else 1
    loss = max(0.0, sign * (chosen.value.value - best.value.value)) + 0.0
    if chosen is best:
        # It may be worse than another by as much as the intervals allow.
        most = max([0.0, *(-other.regret.low for other in actions[1:])])
        least = 0.0
    else:
        most = max(loss, chosen.regret.high)
        least = max(0.0, min(loss, chosen.regret.low))
    if advice.method == "exact" and most - loss < EQUAL:
        least = most = loss
    n = advice.games
    if is_learned(advice.method, n):
        n = best.value.n
    elif advice.method == "exact":
        n = 0
    error = Estimate.from_interval(loss, chosen.regret.stderr, least, most, n)
    return Graded(
        decision=decision,
        values={action.action: action.value for action in actions},
        best=best.action,
        error=error,
        grade=grade_of(loss, borders),
        doubtful=grade_of(least, borders) != grade_of(most, borders),
        games=0 if advice.method == "exact" else advice.games,
        method=advice.method,
        why=advice.why,
        borders=borders,
        margin=_margin(advice, chosen, loss, most, by_turn),
        by_turn=by_turn,
        behind=chosen.regret,
        rivals=len(actions) - 1,
        seed=advice.seed,
        tuned=advice.tuned,
        rests_on=advice.assumptions,
    )


def _margin(advice: Advice, chosen: ActionValue, loss: float, most: float, by_turn: bool) -> Margin:
    """The margin of a loss. most: its upper bound, if it was solved."""
    if advice.method == "exact":
        return Margin(max(0.0, loss - (most - loss)), 0.0, most - loss)
    alpha = ALPHA / max(1, len(advice.actions) - 1)
    behind = {a.action: a.regret for a in advice.actions}
    if not is_learned(advice.method, advice.games) and not by_turn:
        behind = {
            name: at_fixed(regret, LOOKS, alpha, advice.tuned) for name, regret in behind.items()
        }
    mine = behind[chosen.action]
    half = mine.high - mine.value
    best, *others = advice.actions
    if chosen is best:
        # It may be worse than another by this much, and another sample might have shown that.
        half = max([0.0, *(-behind[other.action].low for other in others)])
        return Margin(0.0, half, half)
    if mine.low <= 0:
        return Margin(0.0, half, half)
    contenders = [regret.value for regret in behind.values() if regret.low <= 0]
    return Margin(loss - max(contenders), half, half)


# What a decision was worth before and after it, if a fixed policy follows: for luck and skill.
#
# The value Q of an action assumes that its player follows it with the continuation policy, the one
# that `advise` plays for the seat. So what the action leads to has to be valued by that policy too.
# V is the value of the action that the policy would take at the next decision, not of the best one.
# Then V minus the Q of the move before has mean 0, if the model of the others and of hidden cards
# is right. With the value of the best action that would be wrong: the mean would be what the policy
# itself loses at the next decision.
#
# Both values of a decision are played out on the same games, whose number does not depend on what
# they bring: nothing is chosen because it looked good. Where all of a stretch of a record is
# solved, the continuation policy is the solved play, and V the value of the best action. A solved
# decision that comes after sampled ones is played out too, because these were valued with the
# policy.
#
# Learned values are not played out. There the continuation policy is the plan that they make of the
# turn, and V is the value of its best action. For them V minus the Q of the move before has mean 0
# within a turn. From a turn to the next one it has mean 0 as far as they are right.

ANY_WORD = 0  # a random number for policies that do not play by chance


@dataclass(frozen=True)
class Worth(Plain):
    """A decision: what the continuation policy would do, and what that and the action are worth.

    before: value of what the policy would do. after: value of the action chosen. skill: after minus
    before, from the same games. All are in the unit of the objective, without points already won or
    lost. solved: whether the solved play follows, not the policy. inferred: whether what others did
    tells of their hidden cards. learned: whether the values were learned. by_turn: as of `Graded`.
    """

    KEYS = "action=usual before after skill"

    decision: Decision
    usual: str
    before: Estimate
    after: Estimate
    skill: Estimate
    solved: bool = False
    inferred: bool = False
    learned: bool = False
    by_turn: bool = False

    @property
    def games(self) -> int:
        """Games that the values are from; 0 if they are exact or learned."""
        return 0 if self.learned else max(self.before.n, self.after.n)


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
        moments = moments_of(job, self.counts, games, self.threads, seed)
        before, *rest = (self._value(decision, moments, a, name) for a, name in enumerate(actions))
        if not rest:
            return Worth(decision, usual, before, before, exact(0.0), inferred=job.inferred)
        after = rest[0]
        certain = not before.n and not after.n
        skill = exact(after.value - before.value) if certain else moments.difference(1, 0)
        return Worth(decision, usual, before, after, skill, inferred=job.inferred)

    def _value(self, decision: Decision, moments: Moments, action: int, name: str) -> Estimate:
        """The value of an action; exact where it is known and every game agrees."""
        mean = moments.mean(action)
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
