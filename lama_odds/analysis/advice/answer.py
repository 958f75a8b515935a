"""The answer to "what should I do?": every action with what it is worth, and a verdict."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby
from typing import TYPE_CHECKING, Any

import lama_odds
from lama_odds.analysis.advice.rollouts import Rollouts
from lama_odds.core.estimate import EXACT, Estimate, exact
from lama_odds.core.language import later, say
from lama_odds.core.plain import Plain
from lama_odds.core.wording import size_with_error
from lama_odds.games.interface.best import response_to
from lama_odds.games.interface.capabilities import Guessed
from lama_odds.games.interface.match_equity import StartingScores
from lama_odds.games.interface.objectives import POINTS, FollowUps, Objective
from lama_odds.statistics.intervals import ALPHA, at_fixed

if TYPE_CHECKING:
    from lama_odds.analysis.advice.advise import Question

# A rule by a number that is a guess: which action from which value on.


@dataclass(frozen=True)
class Step:
    """What to do where something holds; when: that in words, empty for all other cases."""

    action: str
    when: str


def rule_of(
    guessed: Guessed, fits: Sequence[Collection[str]], costs: Sequence[Mapping[str, float]]
) -> tuple[Step, ...]:
    """Return the rule with the fewest changes along the values; empty if one action fits them all.

    fits: by value, the actions that are not shown to be worse than another. costs: by value, what
    each action costs against the best.
    """
    chosen = _fewest_changes(fits, costs)
    runs = []
    for action, places in groupby(range(len(chosen)), key=lambda place: chosen[place]):
        first, *more = places
        runs.append((action, first, more[-1] if more else first))
    if len(runs) < 2:
        return ()
    usual = runs[-1][0]
    cases: dict[str, list[str]] = {}
    for action, first, last in runs:
        if action != usual:
            cases.setdefault(action, []).append(guessed.said(first, last))
    steps = [Step(action, reduce(_or_if, conditions)) for action, conditions in cases.items()]
    return (*steps, Step(usual, ""))


def _or_if(first: str, second: str) -> str:
    return say("{first} or if {second}", first=first, second=second)


def _fewest_changes(
    fits: Sequence[Collection[str]], costs: Sequence[Mapping[str, float]]
) -> list[str]:
    """Return an action for each value that fits there: few changes first, then low costs."""
    ways = {action: (0, costs[0][action], [action]) for action in fits[0]}
    for allowed, cost in zip(fits[1:], costs[1:], strict=True):
        ways = {
            action: min(
                (changes + (before != action), total + cost[action], [*path, action])
                for before, (changes, total, path) in ways.items()
            )
            for action in allowed
        }
    return min(ways.values())[2]


# What another objective would choose: an answer may be right for points and wrong for winning.
#
# All objectives are counted on the same games, or solved together, so this costs nothing. Another
# choice is reported only if the advised action is clearly worse in that objective. In at most ALPHA
# of all answers is any of these statements wrong: the objectives and the other actions share ALPHA.

SAME = 1e-9  # exact values that are this close are equal
Values = Mapping[str, Estimate]  # of an action, by objective


@dataclass(frozen=True)
class Otherwise(Plain):
    """The choice of another objective than the one of the answer.

    regret: what the advised action costs there against `action`. alike: actions that are not known
    to be worse there than `action`. counts: what it counts. goes_on_for: what all play for
    afterwards, if not for this objective.
    """

    KEYS = "objective action regret alike?"

    objective: str
    action: str
    regret: Estimate
    alike: tuple[str, ...]
    counts: Objective
    goes_on_for: Objective | None = None


def other_choices(
    objectives: Mapping[str, Objective],
    aim: str,
    actions: Sequence[tuple[str, Values]],
    played: Rollouts | None,
) -> tuple[Otherwise, ...]:
    """Objectives that would clearly choose another action, in the order of the game.

    objectives: of the game. aim: the one that the answer is for. actions: their names and values
    in all objectives known, the advised one first. played: the games of what is not exact.
    """
    known = [
        name
        for name in objectives
        if name != aim
        and (_is_exact(name, actions) or (played is not None and name in played.moments))
    ]
    choices: dict[str, Otherwise] = {}
    for name in known:
        counts, alpha = objectives[name], ALPHA / len(known)
        if _is_exact(name, actions):
            by_action = {action: values[name] for action, values in actions}
            choice = exact_choice(name, counts, actions[0][0], by_action)
        else:
            assert played is not None
            choice = sampled_choice(name, counts, actions[0][0], played, alpha)
        if choice is not None:
            choices[name] = choice
    # The margin says something of its own only where it does not agree with the points.
    both = "points" in choices and "margin" in choices
    if both and choices["points"].action == choices["margin"].action:
        del choices["margin"]
    return tuple(choices.values())


def _is_exact(name: str, actions: Sequence[tuple[str, Values]]) -> bool:
    return all(name in values and values[name].method == EXACT for _, values in actions)


def exact_choice(
    name: str, counts: Objective, advised: str, values: Mapping[str, Estimate]
) -> Otherwise | None:
    """The choice of an objective that is solved; None if it may well be the advised action."""
    return _said(name, counts, advised, *solved_losses(counts, values))


def solved_losses(
    counts: Objective, values: Mapping[str, Estimate], apart: float = 0.0
) -> tuple[str, dict[str, Estimate]]:
    """The best action by exact values, and what each other one costs, cheapest first.

    apart: how far differences may be off; 0: as far as the bounds of both values allow.
    """
    sign = 1 if counts.higher else -1
    order = sorted(values, key=lambda action: -sign * values[action].value)
    best = values[order[0]]
    loses = {}
    for action in order[1:]:
        value = values[action]
        bound = apart or (value.high - value.low + best.high - best.low) / 2
        loses[action] = exact(sign * (best.value - value.value), bound)
    return order[0], loses


def sampled_choice(
    name: str,
    counts: Objective,
    advised: str,
    played: Rollouts,
    alpha: float = ALPHA,
    fixed: bool = False,
) -> Otherwise | None:
    """The choice of an objective that games were counted in; None if it may be the advised action.

    alpha: error rate of all that is stated here. fixed: see `losses`.
    """
    best, loses = losses(name, counts, played, alpha, fixed)
    return _said(name, counts, advised, best, loses)


def losses(
    name: str, counts: Objective, played: Rollouts, alpha: float = ALPHA, fixed: bool = False
) -> tuple[str, dict[str, Estimate]]:
    """The best action in an objective, and what each other one costs against it.

    alpha: how often the best action is wrongly found worse than another. fixed: whether the number
    of games depends on nothing that was counted in them; the intervals are narrower then.
    """
    sign = 1 if counts.higher else -1
    sums = [sign * total for total in played.moments[name].totals]
    order = sorted(range(len(sums)), key=lambda a: -sums[a])
    best = order[0]
    level = alpha / max(1, len(order) - 1)
    loses = {}
    for action in order[1:]:
        lost = played.loses(name, action, best, not counts.higher, level)
        if fixed:
            first, second = (best, action) if counts.higher else (action, best)
            moments = played.moments[name]
            apart = moments.difference(first, second, level)
            narrow = at_fixed(apart, alpha=level, tuned=moments.tuned)
            lost = played.with_short(narrow, name, action, best)
        loses[played.actions[action]] = lost
    return played.actions[best], loses


def _said(
    name: str, counts: Objective, advised: str, best: str, loses: Mapping[str, Estimate]
) -> Otherwise | None:
    """The choice, if the advised action is clearly worse, and by enough to matter."""
    if advised == best or loses[advised].low <= counts.zone:
        return None
    alike = tuple(action for action, lost in loses.items() if lost.low <= SAME)
    return Otherwise(name, best, loses[advised], alike, counts)


# Verdicts besides an action: the difference is shown not to matter, or nothing is shown.
TOSS_UP, TOO_CLOSE = "toss-up", "too close to call"
EQUAL = 1e-9  # exact values that are this close are equal


def verdict_of(best: str, loses: Iterable[Estimate], zone: float) -> str:
    """The best action if it is shown to be best, a toss-up if none that may be as good matters.

    loses: what the others cost against it. zone: the largest difference that does not matter.
    """
    rivals = [lost for lost in loses if lost.low <= EQUAL]
    if not rivals:
        return best
    return TOSS_UP if all(lost.high < zone for lost in rivals) else TOO_CLOSE


@dataclass(frozen=True)
class ActionValue(Plain):
    """An action: value in the objective, what it costs against the best, all objectives known."""

    KEYS = "action value regret *objectives chances"

    action: str
    value: Estimate
    regret: Estimate
    objectives: Mapping[str, Estimate]
    chances: Mapping[str, Estimate]


@dataclass(frozen=True)
class Advice(Plain):
    """The answer to "what should I do?"; actions best first.

    caution: the guess that the verdict depends on, in words; empty if there is no such guess. The
    verdict is then no action.
    guesses: what other guesses were tried, and what came out (see `guesses`).
    usual: where nothing is known yet, the best policy and what it would do; else empty. expects:
    what it expects of that: an objective, and a value without games behind it.
    otherwise: what other objectives would choose, where that is clearly another action.
    why: what would turn the verdict, by its values alone. reasons: sentences that games confirmed.
    about: the game and the position in words.
    others: the policy assumed for the others; empty where that does not matter.
    then: by action, what is best to do next.
    starting: the scores that were drawn because none were given; None if they are known, or if they
    do not matter.
    unvalued: whether it is about the round because nothing values what the round leaves.
    needed: if the verdict is not known yet, about how many games would settle it; 0: none would.
    more: about how many seconds more that takes; None if no time was measured.
    tuned: of the intervals of the costs, see `statistics.intervals.half_width`.
    """

    KEYS = (
        "caution? guesses? usual?=usual_action otherwise? assumed? sensitivity? then? "
        "within? at_most? seconds_more?=more "
        "rules position objective verdict best actions method games seed seconds "
        "assumptions why=why_text reasons? version"
    )

    rules: str
    position: str
    objective: str
    verdict: str
    best: str
    actions: tuple[ActionValue, ...]
    method: str
    games: int
    seed: int
    seconds: float
    assumptions: tuple[str, ...]
    why: str = ""
    counts: Objective = POINTS
    interrupted: bool = False
    caution: str = ""
    otherwise: tuple[Otherwise, ...] = ()
    about: str = ""
    others: str = ""
    then: FollowUps = field(default_factory=dict)
    starting: StartingScores | None = None
    unvalued: bool = False
    needed: int | None = None
    more: float | None = None
    tuned: int | None = None
    guesses: tuple[Any, ...] = ()
    usual: tuple[str, str] | None = None
    reasons: tuple[Any, ...] = ()  # of `analysis.coach.reasons`
    expects: tuple[str, float] | None = None
    sensitivity: Any = None  # see `analysis.advice.sensitivity`; None if not wanted
    version: str = field(default=lama_odds.__version__)
    variant: str = ""  # the name of the rule set in a file of variants

    @property
    def within(self) -> float | None:
        """By how much those that may be best differ at most, if that is known to be close."""
        highest = max((rival.regret.high for rival in self.rivals), default=math.inf)
        return highest if self.verdict == TOO_CLOSE and highest < self.counts.close else None

    @property
    def at_most(self) -> float | None:
        """What the first action costs at most, whichever is best, if that is known to be little."""
        costs = max((-rival.regret.low for rival in self.rivals), default=math.inf)
        return costs if self.verdict == TOO_CLOSE and costs < self.counts.close else None

    @property
    def rivals(self) -> list[ActionValue]:
        """Those others that may be best."""
        return [action for action in self.actions[1:] if action.regret.low <= EQUAL]

    @property
    def rule(self) -> tuple[Any, ...]:
        """What to do by the number that is a guess, if another guess changes that."""
        return next((guesses.rule for guesses in self.guesses if guesses.rule), ())

    @property
    def why_text(self) -> str:
        """Why the best action is best, in sentences; empty if nothing was confirmed."""
        return " ".join(reason.text for reason in self.reasons) or self.why

    @property
    def usual_action(self) -> dict[str, Any] | None:
        """What the best policy would do, where nothing is known yet, and what it expects of it."""
        if self.usual is None:
            return None
        usual = dict(zip(("policy", "action"), self.usual, strict=True))
        return usual | dict(zip(("objective", "expects"), self.expects or (), strict=False))

    @property
    def assumed(self) -> tuple[dict[str, str], ...]:
        """Assumptions that can be named, each with its text."""
        named = {} if self.starting is None else {"scores unknown": self.starting.averaged}
        if repeats(self.games) in self.assumptions:
            named["repeats"] = repeats(self.games)
        return tuple({"id": name, "text": text} for name, text in named.items())


# What sampled values of an advice rest on, in words.

# What intervals leave out where cards are hidden.
OPEN_CARDS = later("all actions share {shared}; the intervals are anytime-valid")
LUCK_ONLY = later(
    "all actions share {shared}; the intervals are anytime-valid; sampling error only: no "
    "inference from play about hidden cards"
)
UNVALUED = later(
    "scores unknown, and no table values those that a round of these rules leaves: only the round "
    "counts; give scores= to play for the game"
)
AS_INFERRED = later(
    "all actions share {shared}; the intervals are anytime-valid; sampling error only: what play "
    "shows of hidden cards depends on the model"
)


def assumptions_of(
    question: Question, played: Rollouts, limit: str, inferred: bool
) -> tuple[str, ...]:
    """What sampled values rest on.

    limit: why they are sampled, where like ones are solved. inferred: whether hidden cards are.
    """
    hidden = (AS_INFERRED if inferred else LUCK_ONLY) if question.game.hidden_cards else OPEN_CARDS
    return (
        _played_on(question),
        *_beaten_by(question),
        *([] if question.starting is None else [question.starting.averaged]),
        *([limit] if limit else []),
        *played.notes,
        say(hidden, shared=say(question.game.shared)),
        repeats(played.games)
        if played.repeated
        else say("stopped by the clock during preparations: no --games repeats this answer"),
    )


def _played_on(question: Question) -> str:
    """The policies that play on after an action, and how far."""
    mine, theirs = (policy.name for policy in question.policies[:2])
    if not question.counts.whole_game:
        return say(
            "after this action you play {mine}, the others {theirs}, to the end of the round",
            mine=mine,
            theirs=theirs,
        )
    if question.table is None:
        return say(
            "after this action you play {mine}, the others {theirs}, to the end of the game",
            mine=mine,
            theirs=theirs,
        )
    return say(
        "after this action you play {mine}, the others {theirs}, to the end of the round; the "
        "scores it leaves are valued by {table}",
        mine=mine,
        theirs=theirs,
        table=question.table.said,
    )


def _beaten_by(question: Question) -> list[str]:
    """How much better than the others somebody plays who thinks ahead, where that was measured."""
    others = {policy.name for policy in question.policies[1:]}
    if len(others) > 1:
        return []
    players = len(question.policies)
    gain = response_to(others.pop(), question.rules.id, players, question.objective)
    if gain is None or gain.low <= 0:
        return []
    return [
        say(
            "against such players, one who thinks one step ahead wins {gain} percentage points "
            "more often than one of them: they are strong, not perfect",
            gain=size_with_error(gain, 100),
        )
    ]


def repeats(games: int) -> str:
    """Return the note that names the games which repeat an answer."""
    return say("--games {games} repeats this answer", games=games)
