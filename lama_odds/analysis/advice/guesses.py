"""Would another guess change the verdict?

A number of the position may be a guess (see `Guessed`). So are the hands of players who have quit,
where their policy would not have quit. The answer is then repeated with other guesses, each in
games of its own. Their number depends only on the games of the answer, so the `--games` that
repeats the answer repeats all of this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lama_odds.analysis.advice.answer import (
    TOO_CLOSE,
    Advice,
    Step,
    exact_choice,
    losses,
    other_choices,
    rule_of,
    sampled_choice,
    solved_losses,
    verdict_of,
)
from lama_odds.analysis.advice.rollouts import Limits, Rollouts, roll_out
from lama_odds.core.estimate import EXACT, SIMULATION, Estimate
from lama_odds.core.language import say
from lama_odds.core.policies import Policy
from lama_odds.core.wording import listed, thousands
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.capabilities import Expecting, Guessed, Situation
from lama_odds.games.interface.game import Game, P, R
from lama_odds.games.interface.jobs import Effort, RolloutJob
from lama_odds.games.interface.objectives import Solution
from lama_odds.luck.stream import MAX_SEED
from lama_odds.statistics.intervals import ALPHA, FEWEST

if TYPE_CHECKING:
    from lama_odds.analysis.advice.advise import Question


# What the policy that plays on would do at a position: an answer before any game is played.

MIDDLE = 1 << 63  # the random word that policies get which mix their actions


def at_once(question: Question) -> Advice | None:
    """What the policy would do, and what it expects of that; None where games answer as soon.

    Games answer soon unless the use of a card has to be found before them.
    """
    game, rules, position = question.game, question.rules, question.position
    query = game.policy_query()
    if query is None or not game.has("asked_apart"):
        return None
    policy = question.policies[0]
    player = query.player(rules, policy, position.players)
    situation = Situation(0, position)
    action = player.decides(situation, MIDDLE)
    if action not in query.legal_actions(rules, position):
        return None
    return Advice(
        rules=rules.id,
        position=position.format(),
        objective=question.objective,
        verdict=TOO_CLOSE,
        best=action,
        actions=(),
        method=SIMULATION,
        games=0,
        seed=question.seed,
        seconds=question.clock.seconds,
        assumptions=(),
        counts=question.counts,
        usual=(policy.name, action),
        expects=player.expects(situation, action) if isinstance(player, Expecting) else None,
    )


def with_usual(advice: Advice, early: Advice) -> Advice:
    """The advice with what the policy would do, if it tells no more and shows no better."""
    if advice.verdict != TOO_CLOSE or advice.caution:
        return advice
    worse = [action.action for action in advice.actions if action.regret.low > 0]
    return (
        advice if early.best in worse else replace(advice, usual=early.usual, expects=early.expects)
    )


PART = 3  # each other guess is played with one game for every three of the answer
BESIDE_EXACT = 4_096  # games of each other guess where the answer itself needs none
HANDS = 3  # the most guesses at the hands of players who have quit
OTHER_LUCK = 0x6B79_1D35  # added to the seed: games that stopped the answer decide nothing here


def seed_apart(seed: int) -> int:
    """The seed of games that the answer does not count."""
    return (seed + OTHER_LUCK) % MAX_SEED


def time_left(limits: Limits, others: int) -> Limits:
    """The limits of the answer itself, if this number of other guesses is tried after it."""
    return replace(limits, seconds=limits.seconds * PART / (PART + others))


@dataclass(frozen=True)
class Guess:
    """The answer with one guess.

    said: the guess, in words.
    best: the best action with it. loses: what each other one costs there.
    verdict: that alone (see `answer.verdict_of`). games: played with it; 0 if it was solved.
    """

    said: str
    best: str
    loses: Mapping[str, Estimate] = field(repr=False)
    verdict: str
    games: int

    def costs(self, action: str) -> float:
        """What an action costs there."""
        return 0.0 if action == self.best else self.loses[action].value

    def fitting(self, zone: float) -> list[str]:
        """The actions that are not shown to be worse than another; zone: what does not matter."""
        return [
            self.best,
            *(a for a, lost in self.loses.items() if lost.low <= 0 or lost.high < zone),
        ]

    def agrees(self, advised: str, zone: float) -> bool:
        """Whether an action is certain to be the best one there, or equivalent to it."""
        if self.best == advised:
            return all(lost.low > 0 or lost.high < zone for lost in self.loses.values())
        return self.loses[advised].high < zone

    def found(self, advised: str, zone: float) -> str:
        """What this guess would change, in words."""
        if advised not in self.fitting(zone):
            best = action_words(self.best)
            return say("{guess}, {best} is better", guess=self.said, best=best)
        return say("{guess}, it would be too close to call", guess=self.said)


@dataclass(frozen=True)
class Guesses:
    """A guess, the answer with each of the others that were tried, and the rule that follows.

    what: the guess, in words. tried: in order. guessed: the number that is a guess, if it is one.
    rule: empty if no action is shown to be better somewhere and worse elsewhere.
    """

    what: str
    tried: tuple[Guess, ...]
    guessed: Guessed | None = None
    rule: tuple[Step, ...] = ()

    @property
    def at(self) -> int | None:
        """The place of the guess behind the advice; None if it has none."""
        return None if self.guessed is None else self.guessed.at

    @property
    def labels(self) -> tuple[str, ...]:
        """The values in short; empty if the guess is not a number."""
        if self.guessed is None:
            return ()
        return tuple(self.guessed.label(place) for place in range(len(self.tried)))

    @property
    def others(self) -> list[Guess]:
        """All guesses but the one behind the advice."""
        return [guess for place, guess in enumerate(self.tried) if place != self.at]

    def changing(self, advised: str, zone: float) -> list[Guess]:
        """Those that may change the verdict, the certain ones first."""
        certain = [guess for guess in self.others if advised not in guess.fitting(zone)]
        if self.guessed is not None and self.guessed.assumed:
            return certain
        unsure = [guess for guess in self.others if not guess.agrees(advised, zone)]
        return certain + [guess for guess in unsure if guess not in certain]

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "what": self.what,
            **({} if self.guessed is None else {"counted": self.guessed.counted}),
            "assumed": self.guessed is not None and self.guessed.assumed,
            "tried": [
                {
                    "guess": guess.said,
                    **({"label": self.labels[place]} if self.labels else {}),
                    "given": place == self.at,
                    "best": guess.best,
                    "verdict": guess.verdict,
                    "ahead": min(guess.loses.values(), key=lambda lost: lost.value).to_json(),
                    "games": guess.games,
                }
                for place, guess in enumerate(self.tried)
            ],
            "rule": [{"action": step.action, "when": step.when} for step in self.rule],
        }


def with_guesses(
    question: Question, advice: Advice, axes: Sequence[Guessed], job: RolloutJob | None
) -> Advice:
    """The advice with what other guesses would change; without one the verdict is not an action.

    axes: the numbers that are a guess. job: of the answer, if it is sampled: hands may be one too.

    What is stated of a guess is wrong in at most ALPHA of all answers. The same is true of the
    statement that all guesses agree: it is wrong only if every one that disagrees was misjudged.
    """
    if len(advice.actions) == 1:
        return advice
    groups = []
    clear = advice.verdict == advice.best
    try:
        for guessed in axes:
            if clear or not guessed.assumed:
                groups.append(_along(question, advice, guessed))
        if job is not None and job.caution and clear:
            others = [(say("with {hands}", hands=hands), other) for hands, other in job.guesses()]
            tried = tuple(
                _sampled(question, label, question.valued(other), advice.games)
                for label, other in others
            )
            groups.append(Guesses(job.caution, tried))
    except _InterruptedError:
        caution = job.caution if job is not None and job.caution else axes[0].what
        return replace(advice, interrupted=True, caution=caution, verdict=TOO_CLOSE)
    return _cautious(advice, tuple(groups))


class _InterruptedError(Exception):
    """Raised where the user stops the games of another guess."""


def _along(question: Question, advice: Advice, guessed: Guessed) -> Guesses:
    """The answers with all values of a number that is a guess."""
    tried = []
    for place, position in enumerate(guessed.positions):
        label = say("if {when}", when=guessed.one(place))
        if place == guessed.at:
            loses = {action.action: action.regret for action in advice.actions[1:]}
            tried.append(Guess(label, advice.best, loses, advice.verdict, advice.games))
        else:
            tried.append(_answered(replace(question, position=position), label, advice))
    zone = advice.counts.zone
    actions = [action.action for action in advice.actions]
    rule = rule_of(
        guessed,
        [guess.fitting(zone) for guess in tried],
        [{action: guess.costs(action) for action in actions} for guess in tried],
    )
    return Guesses(guessed.what, tuple(tried), guessed, rule)


def _answered(question: Question, label: str, advice: Advice) -> Guess:
    """The answer with another value: solved where you alone are left, else sampled."""
    if advice.method == EXACT and not question.position.others_in:
        solution = question.solved(question.objective)
        if solution is not None:
            return _solved(question, label, solution)
    games = _games(advice.games)
    effort = Effort(games, None, question.limits.processors, seed_apart(question.seed))
    return _sampled(question, label, question.job(question.objective, effort), advice.games)


def _solved(question: Question, label: str, solution: Solution) -> Guess:
    """The exact answer with another value."""
    counts = question.counts
    values = {valued.action: valued.values[counts.name] for valued in solution.actions}
    best, loses = solved_losses(counts, values)
    return Guess(label, best, loses, verdict_of(best, loses.values(), counts.zone), 0)


def _sampled(question: Question, label: str, job: RolloutJob, games: int) -> Guess:
    """The answer of a job with another guess; games: of the answer itself."""
    counts, objectives = question.counts, question.game.objectives
    limits = Limits(games=_games(games), threads=question.limits.threads)
    played = roll_out(job, objectives, counts.name, limits, seed_apart(question.seed), None)
    if played.interrupted:
        raise _InterruptedError
    best, loses = losses(counts.name, counts, played, fixed=True)
    return Guess(label, best, loses, verdict_of(best, loses.values(), counts.zone), played.games)


def _games(games: int) -> int:
    """The games of each other guess, from those of the answer."""
    return max(FEWEST, games // PART) if games else BESIDE_EXACT


def _cautious(advice: Advice, groups: tuple[Guesses, ...]) -> Advice:
    """The advice with a caution and without a verdict, if another guess would change it.

    A rule by a guess is worth telling even if the advice itself is too close to call.
    """
    if not groups:
        return advice
    best, zone = advice.best, advice.counts.zone
    caution, notes = "", []
    for guesses in groups:
        changed = guesses.changing(best, zone)
        if changed and not caution and (advice.verdict == best or guesses.rule):
            found_there = changed[0].found(best, zone)
            caution = say("{guess}: {found}", guess=guesses.what, found=found_there)
        notes.append(_note_on(guesses, changed, advice))
    *before, last = advice.assumptions or ("",)
    return replace(
        advice,
        verdict=TOO_CLOSE if caution else advice.verdict,
        caution=caution,
        guesses=groups,
        assumptions=(*before, *notes, last) if last else tuple(notes),
    )


def _note_on(guesses: Guesses, changed: Sequence[Guess], advice: Advice) -> str:
    """What was tried, and what came out, in words."""
    best, zone = advice.best, advice.counts.zone
    games = guesses.others[0].games
    how = say("{games} games each", games=thousands(games)) if games else say("exact")
    fields = {"guess": guesses.what, "how": how}
    if advice.verdict != best and not guesses.rule:
        return say("{guess}; no rule follows from other guesses ({how})", **fields)
    if guesses.rule:
        *steps, usual = guesses.rule
        cases = [
            say("{action} if {when}", action=action_words(step.action), when=step.when)
            for step in steps
        ]
        fields |= {"cases": "; ".join(cases), "action": action_words(usual.action)}
        return say("{guess}: {cases}; otherwise {action} ({how})", **fields)
    fields["same"] = listed(
        [
            say("with {hands}", hands=guesses.labels[place]) if guesses.labels else guess.said
            for place, guess in enumerate(guesses.tried)
            if place != guesses.at and guess not in changed
        ]
    )
    if not changed:
        return say("{guess}; the verdict is the same {same} ({how})", **fields)
    fields["found"] = "; ".join(guess.found(best, zone) for guess in changed)
    if fields["same"]:
        return say("{guess}; {found}; it is the same {same} ({how})", **fields)
    return say("{guess}; {found} ({how})", **fields)


# What other objectives would choose: on the games of the answer, or in games of their own.

# Another objective may need games of its own: one for every APART games of the answer. The search
# for what follows an action plays PLANNED times as many of them.
APART = 16
PLANNED = 4
EACH_APART = 0.25  # of the time of the answer: what all this takes for each such objective


def without_apart(limits: Limits, apart: tuple[str, ...] | None) -> Limits:
    """The limits of the answer alone; apart: objectives with games of their own after it."""
    return replace(limits, seconds=limits.seconds / (1 + EACH_APART * len(apart or ())))


def best_for(game: Game[R, P], rules: R, position: P, objective: str) -> Policy:
    """The policy with which everybody continues, for an objective: points, or winning."""
    return game.best_policy(rules, position.players, game.objectives[objective].aim)


def with_others(question: Question, advice: Advice, played: Rollouts | None) -> Advice:
    """The advice with what other objectives would choose, as far as it is known.

    All are counted in games in which everybody continues for the objective of the answer.
    """
    if question.brief:
        return advice
    game, objective = question.game, advice.objective
    actions = [(action.action, action.objectives) for action in advice.actions]
    mine = best_for(game, question.rules, question.position, objective)
    choices = (
        choice
        if best_for(game, question.rules, question.position, choice.objective) == mine
        else replace(choice, goes_on_for=game.objectives[objective])
        for choice in other_choices(game.objectives, objective, actions, played)
    )
    return replace(advice, otherwise=tuple(choices))


def with_others_apart(
    question: Question, advice: Advice, names: tuple[str, ...], solved: bool
) -> Advice:
    """The same where each objective needs an answer of its own; solved: if it may be solved."""
    game, limits = question.game, question.limits
    luck = seed_apart(question.seed)
    games = max(FEWEST, advice.games // APART)
    effort = Effort(PLANNED * games, None, limits.processors, luck)
    choices = []
    for name in names:
        counts = game.objectives[name]
        solution = None
        if solved:
            solution = question.solved(name)
        if solution is not None:
            values = {valued.action: valued.values[name] for valued in solution.actions}
            choices.append(exact_choice(name, counts, advice.best, values))
            continue
        fixed = Limits(games=games, threads=limits.threads)
        job = question.job(name, effort)
        played = roll_out(job, game.objectives, name, fixed, luck, None)
        if played.interrupted:
            return replace(advice, interrupted=True)
        choice = sampled_choice(name, counts, advice.best, played, ALPHA / len(names), True)
        choices.append(choice)
    return replace(advice, otherwise=tuple(choice for choice in choices if choice is not None))
