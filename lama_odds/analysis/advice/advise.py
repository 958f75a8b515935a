"""What should I do now? Every legal action, solved or played out on common random numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import lama_odds
from lama_odds.analysis.advice import guesses
from lama_odds.analysis.advice.answer import (
    EQUAL,
    TOO_CLOSE,
    UNVALUED,
    ActionValue,
    Advice,
    assumptions_of,
    solved_losses,
    verdict_of,
)
from lama_odds.analysis.advice.guesses import (
    at_once,
    best_for,
    with_others,
    with_others_apart,
    with_usual,
    without_apart,
)
from lama_odds.analysis.advice.rollouts import Limits, Rollouts, StoppedEarlyError, roll_out
from lama_odds.core.errors import ImpossibleError, LamaOddsError, ReadError
from lama_odds.core.estimate import EXACT, SIMULATION, Estimate, exact
from lama_odds.core.language import later, say
from lama_odds.core.plain import plain
from lama_odds.core.policies import Policy
from lama_odds.core.progress import Progress, StageProgress, stage
from lama_odds.games.interface import match_equity
from lama_odds.games.interface.capabilities import Guessed
from lama_odds.games.interface.game import AnyGame, Game, P, R
from lama_odds.games.interface.jobs import Effort, RolloutJob
from lama_odds.games.interface.objectives import Objective, Solution
from lama_odds.games.shared.in_words import headed
from lama_odds.jit.deferred import Clock
from lama_odds.simulation.run import same_threads
from lama_odds.statistics.intervals import ALPHA, Z

# The advice on many positions of one rule set, one after the other, as if each were the only one.
#
# What does not depend on the position is there once: the rule set, the policies, the threads.


@dataclass(frozen=True)
class Answered:
    """A position as it was given, with its advice or the reason why there is none.

    handed: what was given beside the position. code: the exit code of the reason, 0 with advice.
    """

    position: str
    advice: Advice | None
    error: str = ""
    code: int = 0
    handed: Mapping[str, Any] = field(default_factory=dict)

    @property
    def second(self) -> Estimate | None:
        """What the second-best action costs; None without one."""
        actions = self.advice.actions if self.advice is not None else ()
        return actions[1].regret if len(actions) > 1 else None

    @property
    def games(self) -> int | None:
        """The games behind the value: 0 if it is exact, None without advice."""
        if self.advice is None:
            return None
        return 0 if self.advice.method == EXACT else self.advice.games

    def to_json(self) -> dict[str, Any]:
        """The keys of the advice, or the position with its error; then what was handed through."""
        if self.advice is not None:
            return {**self.advice.to_json(), **self.handed}
        return {"position": self.position, "error": self.error, **self.handed}


@dataclass(frozen=True)
class Batch:
    """The answers to many positions, in their order.

    file: where they were written, if they were; `answers` is empty then. positions: how many there
    are. errors: the number of positions without advice, by exit code.
    """

    rules: str
    answers: tuple[Answered, ...]
    positions: int
    errors: Mapping[int, int]
    file: str = ""
    version: str = field(default=lama_odds.__version__)

    @property
    def exit_code(self) -> int:
        """0 if all have advice; else 2 if any cannot be read, then 3 before 4."""
        return min((code for code, count in self.errors.items() if count), default=0)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "rules": self.rules,
            "positions": self.positions,
            "errors": {str(code): count for code, count in sorted(self.errors.items())},
            "answers": plain(self.answers),
            "version": self.version,
        }


@dataclass(frozen=True)
class GivenPosition:
    """A position as it is given. handed: what goes with it. fault: why it cannot be read at all."""

    position: str
    handed: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""


def advise_each(
    entries: Iterable[GivenPosition],
    answer: Callable[[str], Advice],
    threads: int | None,
    progress: StageProgress | None = None,
    first: int = 0,
    of: int | None = None,
) -> Iterator[Answered]:
    """Yield the answers; an error of one position is its answer.

    answer: the advice on a position. first, of: the number of positions before these, and of all.

    Raises KeyboardInterrupt where it is stopped: an answer that is stopped early is left out.
    """
    with same_threads(threads):
        for number, one in enumerate(entries, first + 1):
            yield _answered(one, answer)
            if progress is not None and of:
                progress(number / of, f"position {number:,} of {of:,}")


def _answered(entry: GivenPosition, answer: Callable[[str], Advice]) -> Answered:
    if entry.fault:
        return Answered(entry.position, None, entry.fault, ReadError.exit_code, entry.handed)
    try:
        advice = answer(entry.position)
    except StoppedEarlyError:
        raise KeyboardInterrupt from None
    except LamaOddsError as error:
        return Answered(entry.position, None, in_line(error), error.exit_code, entry.handed)
    if advice.interrupted:
        raise KeyboardInterrupt
    return Answered(entry.position, advice, handed=entry.handed)


def in_line(error: LamaOddsError) -> str:
    """An error in one line, without the caret under the place."""
    if isinstance(error, ImpossibleError):
        what, *defects = str(error).split("\n")
        return f"{what} {'; '.join(line.strip().removeprefix('- ') for line in defects)}"
    parts = [error.message, *error.hints] if isinstance(error, ReadError) else [str(error)]
    return "; ".join(line.strip() for part in parts for line in part.split("\n"))


STRONG = later("strong")  # opponents who play the strongest policy known


@dataclass(frozen=True)
class Question:
    """The question, and when the answer has to be there.

    policies: one for each seat, yours first. table: values the scores after this round, if given;
    solved_by: likewise where the round is solved. starting: the scores before this round, if they
    are not known.
    brief: whether the answer has values and costs alone, without what explains them.
    unvalued: whether it is about the round because nothing values what the round leaves.
    """

    game: AnyGame
    rules: Any
    position: Any
    objective: str
    seed: int
    clock: Clock
    policies: tuple[Policy, ...]
    table: match_equity.AnyEquity | None
    solved_by: match_equity.MatchEquity | None
    starting: match_equity.StartingScores | None
    limits: Limits
    brief: bool = False
    unvalued: bool = False

    def job(self, objective: str, effort: Effort) -> RolloutJob:
        """The job that plays the position out, in an objective."""
        whole = self.game.objectives[objective].whole_game
        job = self.game.rollouts(self.rules, self.position, self.policies, whole, objective, effort)
        return self.valued(job)

    def solved(self, objective: str, progress: Progress | None = None) -> Solution | None:
        """The exact values in an objective; None where the solver leaves it to sampling.

        Learned values do where no number of games is given: games have no such error. So do they
        where the limits say so.
        """
        table = self.solved_by if self.game.objectives[objective].whole_game else None
        solution = self.game.solve(
            self.rules, self.position, objective, self.limits.processors, progress, table
        )
        limits = self.limits
        sampled = limits.games is not None and not limits.learned
        if solution is None or (solution.apart is not None and sampled):
            return None
        return solution if all(objective in valued.values for valued in solution.actions) else None

    def valued(self, job: RolloutJob) -> RolloutJob:
        """A job with unknown scores drawn, and those after this round looked up, if they are."""
        if self.starting is not None:
            job = match_equity.drawn_from(job, self.starting)
        return job if self.table is None else match_equity.valued_by(job, self.table)

    @property
    def counts(self) -> Objective:
        """The objective of the answer."""
        return self.game.objectives[self.objective]

    def answer(
        self,
        actions: Sequence[ActionValue],
        method: str,
        assumptions: tuple[str, ...],
        games: int = 0,
        interrupted: bool = False,
    ) -> Advice:
        """The advice; actions best first."""
        loses = [action.regret for action in actions[1:]]
        why = ""
        if not self.brief:
            values = {action.action: action.value.value for action in actions}
            why = self.game.turning_point(self.rules, self.position, self.objective, values)
        return Advice(
            rules=self.rules.id,
            position=self.position.format(),
            objective=self.objective,
            verdict=verdict_of(actions[0].action, loses, self.counts.zone),
            best=actions[0].action,
            actions=tuple(actions),
            method=method,
            games=games,
            seed=self.seed,
            seconds=self.clock.seconds,
            assumptions=(*([say(UNVALUED)] if self.unvalued else []), *assumptions),
            why=why,
            counts=self.counts,
            interrupted=interrupted,
            about="" if self.brief else self.about,
            others=self.others if games else "",
            starting=self.starting,
            unvalued=self.unvalued,
        )

    @property
    def about(self) -> str:
        """The game and the position in words."""
        shown = self.game.in_words(self.rules, self.position)
        return headed(self.rules.id, self.position.players, shown)

    @property
    def others(self) -> str:
        """The policy assumed for the others."""
        theirs = self.policies[1]
        best = best_for(self.game, self.rules, self.position, self.objective)
        return STRONG if theirs == best else theirs.name


def advise(
    game: Game[R, P],
    rules: R,
    position: P,
    *,
    objective: str | None = None,
    opponents: Policy | None = None,
    everybody: bool = False,
    limits: Limits = Limits(),
    seed: int = 0,
    progress: StageProgress | None = None,
    look_up: bool = True,
    thorough: bool = True,
    brief: bool = False,
    interim: Callable[[Advice], None] | None = None,
) -> Advice:
    """Value every legal action of a position.

    opponents: policy of the others; with it the answer is sampled against that policy, without it
    solved where that can be done. everybody: you too continue with it. look_up: value the scores
    that a round leaves by the match equity table of these policies, if there is one, instead of
    playing the game on. thorough: play games besides those of the answer, for whether another guess
    would change it, and for other objectives where these need games of their own. brief: only the
    verdict, the values in the objective and the costs, with the same bits: nothing else is
    computed. interim: called with the brief answer so far at each checkpoint; its intervals are
    anytime-valid. Raises LimitError if the games allowed are too few for any statement.
    """
    question = question_of(
        game,
        rules,
        position,
        objective=objective,
        opponents=opponents,
        everybody=everybody,
        limits=limits,
        seed=seed,
        look_up=look_up,
        brief=brief,
    )
    objective, counts = question.objective, question.counts
    guessed = game.guessed(rules, position) if thorough else ()
    solution = None
    if opponents is None or counts.alone or position.others_in == 0:
        solution = question.solved(objective, stage(progress, "solving"))
        if solution is not None and (brief or solution.complete):
            advice = with_others(question, _exact(question, solution), None)
            return guesses.with_guesses(question, advice, guessed, None)
    advice = _by_games(question, solution, guessed, opponents is None, thorough, progress, interim)
    return replace(advice, seconds=question.clock.seconds)


def question_of(
    game: Game[R, P],
    rules: R,
    position: P,
    *,
    objective: str | None = None,
    opponents: Policy | None = None,
    everybody: bool = False,
    limits: Limits = Limits(),
    seed: int = 0,
    look_up: bool = True,
    brief: bool = False,
) -> Question:
    """Return the question of `advise`, with the policies and tables that follow from it."""
    unvalued = objective is None and game.unvalued(rules, position)
    objective = objective or game.default_objective(rules, position)
    counts = game.objectives[objective]
    best = best_for(game, rules, position, objective)
    others = opponents or best
    policies = (others if everybody else best, *[others] * (position.players - 1))
    starting = game.unknown_scores(rules, position) if counts.whole_game else None
    # Unknown scores occur in games of the best policy, which also says what they are worth.
    valuers = policies if starting is None else (best,) * position.players
    table, solved_by = _tables(
        rules.id, valuers if look_up and counts.whole_game else (), opponents
    )
    return Question(
        game, rules, position, objective, seed, Clock(), policies, table, solved_by, starting,
        limits, brief, unvalued,
    )  # fmt: skip


def _tables(
    rules_id: str, policies: Sequence[Policy], opponents: Policy | None
) -> tuple[match_equity.AnyEquity | None, match_equity.MatchEquity | None]:
    """The tables that value what rollouts leave, and what solved rounds leave.

    policies: of all seats; empty: nothing is valued by a table. opponents: None if everybody may be
    taken to play as well as possible.
    """
    table = match_equity.table_for(rules_id, policies) if policies else None
    if not isinstance(table, match_equity.MatchEquity):
        return table, None
    return table, (match_equity.best_play(rules_id) if opponents is None else None) or table


def _by_games(
    question: Question,
    solution: Solution | None,
    guessed: tuple[Guessed, ...],
    solved: bool,
    thorough: bool,
    progress: StageProgress | None,
    interim: Callable[[Advice], None] | None,
) -> Advice:
    """The advice of games, and of what is solved besides; the rest is as in `advise`.

    guessed: numbers that are a guess. solved: whether other objectives may be solved.
    """
    game, rules, position, brief = question.game, question.rules, question.position, question.brief
    objective, limits, seed = question.objective, question.limits, question.seed
    early = at_once(question) if thorough and solution is None and not brief else None
    if early is not None and interim is not None:
        interim(early)
    apart = game.asked_apart(rules, position, objective)
    limits = without_apart(limits, apart if thorough and not brief else None)
    effort = Effort(
        limits.planned, limits.seconds, limits.processors, seed, progress, limits.precision
    )
    job = question.job(objective, effort)
    hands = guesses.HANDS if thorough and solution is None and job.caution else 0
    others = hands + sum(len(guess.positions) - 1 for guess in guessed)
    limits = guesses.time_left(limits, others)
    callback = None
    if interim is not None and solution is None:
        doubtful = hands > 0 or not all(guess.assumed for guess in guessed)
        callback = _interim(question, interim, doubtful)
    played = roll_out(job, game.objectives, objective, limits, seed, progress, brief, callback)
    if brief:
        advice = _sampled(question, played, ())
        return guesses.with_guesses(question, advice, guessed, job if thorough else None)
    limit = game.too_large(rules, position, objective) if solved else ""
    assumptions = assumptions_of(question, played, limit, job.inferred)
    if solution is not None:
        advice = _exact(question, solution, played, assumptions)
    else:
        advice = replace(_sampled(question, played, assumptions), then=job.then)
    if apart is None:
        advice = with_others(question, advice, played)
    elif thorough and not advice.interrupted and advice.verdict != TOO_CLOSE:
        advice = with_others_apart(question, advice, apart, solved)
    if thorough and not advice.interrupted:
        sampled = job if solution is None else None
        advice = guesses.with_guesses(question, advice, guessed, sampled)
    return advice if early is None else with_usual(advice, early)


def _interim(
    question: Question, tell: Callable[[Advice], None], doubtful: bool
) -> Callable[[Rollouts], None]:
    """Return `tell` as what gets the games so far: it hears of the brief advice they lead to.

    doubtful: whether another guess, tried after the games of the answer, may change the verdict.
    """
    brief = replace(question, brief=True)

    def told(played: Rollouts) -> None:
        so_far = _sampled(brief, played, ())
        tell(replace(so_far, verdict=TOO_CLOSE) if doubtful else so_far)

    return told


def _exact(
    question: Question,
    solution: Solution,
    played: Rollouts | None = None,
    assumptions: tuple[str, ...] = (),
) -> Advice:
    """The advice of a solved position; played: rollouts for what the solution does not tell."""
    objective = question.objective
    by_name = {valued.action: valued for valued in solution.actions}
    values = {name: valued.values[objective] for name, valued in by_name.items()}
    best, loses = solved_losses(question.counts, values)
    actions = []
    for name, regret in {best: exact(0.0), **loses}.items():
        valued, value = by_name[name], values[name]
        if solution.apart is not None and name != best:
            regret = Estimate.from_half(regret.value, solution.apart / Z, solution.apart, value.n)
        if question.brief:
            actions.append(ActionValue(valued.action, value, regret, {objective: value}, {}))
            continue
        objectives, chances = dict(valued.values), dict(valued.chances)
        if played is not None:
            sampled, ways = played.of(valued.action)
            objectives, chances = {**sampled, **objectives}, {**ways, **chances}
        actions.append(ActionValue(valued.action, value, regret, objectives, chances))
    stated = solution.assumptions
    rests_on = stated + tuple(one for one in assumptions if one not in stated)
    if played is None:
        method = EXACT if solution.apart is None else SIMULATION
        advice = question.answer(actions, method, rests_on)
    else:
        games, interrupted = played.games, played.interrupted
        advice = question.answer(actions, EXACT, rests_on, games, interrupted)
    return replace(advice, then=solution.then) if solution.then else advice


def _sampled(question: Question, played: Rollouts, assumptions: tuple[str, ...]) -> Advice:
    """The advice of rollouts."""
    order = _best_first(question, played)
    best = order[0]
    odds = {} if question.brief else question.game.next_chances(question.rules, question.position)
    known = question.game.known(question.rules, question.position)
    alpha = ALPHA / max(1, len(order) - 1)
    actions = []
    for a in order:
        name = played.actions[a]
        regret = played.loses(question.objective, a, best, not question.counts.higher, alpha)
        sampled, ways = played.of(name, question.objective if question.brief else None)
        objectives = {**sampled, **_sure(question, known.get(name, {}), sampled)}
        chances = {**odds.get(name, {}), **ways}
        value = objectives[question.objective]
        actions.append(ActionValue(name, value, regret, objectives, chances))
    advice = question.answer(actions, SIMULATION, assumptions, played.games, played.interrupted)
    advice = replace(advice, tuned=played.moments[question.objective].tuned)
    if advice.verdict != TOO_CLOSE or question.brief:
        return advice
    return replace(advice, **_more_games(question, played, order, alpha))


def _more_games(
    question: Question, played: Rollouts, order: Sequence[int], alpha: float
) -> dict[str, Any]:
    """About how many games would settle the verdict, and how many seconds more that takes.

    Where any action may be dropped, all rivals have to be settled; otherwise only the closest.
    """
    counts, best = question.counts, order[0]
    rivals = [a for a in order[1:] if a not in played.worse_than] if counts.close else order[1:2]
    games = [played.games_needed(counts, rival, best, alpha) for rival in rivals]
    needed = max(games) if all(games) else 0
    if not needed or question.limits.planned is not None:
        return {"needed": needed}
    return {"needed": needed, "more": max(needed - played.games, 0) * played.each}


def _sure(
    question: Question, known: Mapping[str, Estimate], sampled: Mapping[str, Estimate]
) -> Mapping[str, Estimate]:
    """What is known of an action; if scores are drawn, only what was the same in all games."""
    if question.starting is None:
        return known
    return {
        name: value
        for name, value in known.items()
        if name in sampled and abs(sampled[name].value - value.value) < EQUAL
    }


def _best_first(question: Question, played: Rollouts) -> list[int]:
    """The actions by their values in the objective; equal ones by the margin, then the points."""
    named = [question.objective]
    named += [name for name in ("margin", "points") if name in played.moments]
    signs = [-1 if question.game.objectives[name].higher else 1 for name in named]
    sums = [
        [sign * total for total in played.moments[name].totals]
        for sign, name in zip(signs, named, strict=True)
    ]
    return sorted(range(len(played.actions)), key=lambda a: [total[a] for total in sums])
