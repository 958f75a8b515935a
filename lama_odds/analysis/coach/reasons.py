"""Why an action is best: sentences whose claims were tested by games of their own.

Each verdict gets at most two: a difference between the best action and the next, and the smallest
change of the position that turns the verdict. The patterns are the game's (`Game.reasons`). A
sentence is kept only if its claim holds at 99 %. The seed of the games comes from the position, so
a position always gets the same sentences. Where nothing is confirmed there is no sentence.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lama_odds.analysis.advice import answer
from lama_odds.analysis.advice.advise import Question, question_of
from lama_odds.analysis.advice.rollouts import Limits, Rollouts, roll_out
from lama_odds.core.elementary import hypot, normal_quantile
from lama_odds.core.errors import LamaOddsError
from lama_odds.core.estimate import Estimate
from lama_odds.core.language import ENGLISH, language, later, say, say_count
from lama_odds.core.plain import Plain
from lama_odds.core.policies import Policy
from lama_odds.core.progress import StageProgress
from lama_odds.core.wording import count_of, in_percent, rounded
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.jobs import Effort
from lama_odds.games.interface.reasons import Change, Changed, Contrast, Gap
from lama_odds.games.shared.decisions import recorded_of
from lama_odds.statistics.intervals import FEWEST

SURE = 0.01  # how often a claim may be wrong
PARTS = (8, 1)  # of its games: a part comes first, which often is enough
GAMES = 16_384  # that test a claim
PROBE = 1_024  # that look whether a change may turn the verdict
SEED_BYTES = 6
OFTEN = " of the time"
TURNED = later("If {when}, you would {action}.")  # at a change
CERTAIN = 0.0005  # chances nearer to 0 or 1 are called never and always


@dataclass(frozen=True)
class Cited(Plain):
    """A number of a sentence: the measure and the action that it belongs to."""

    KEYS = "measure action value"

    measure: str
    action: str
    value: Estimate


@dataclass(frozen=True)
class Reason(Plain):
    """A sentence why an action is best.

    id: of the pattern. values: what the sentence cites; of a change, what the best action there
    gains. action, position: of a change, what would be best at which position.
    """

    KEYS = "id text action? position? values"

    id: str
    text: str
    values: tuple[Cited, ...]
    action: str = ""
    position: str = ""


@dataclass(frozen=True)
class Assumed:
    """What an advice assumes; see `analysis.advice.advise`."""

    opponents: Policy | None = None
    everybody: bool = False
    look_up: bool = True


@dataclass(frozen=True)
class Ground:
    """The question whose verdict is explained, with the numbers of games that test claims."""

    question: Question
    how: Mapping[str, Any]  # the options of `question_of`
    games: int
    probe: int
    progress: StageProgress | None = None

    @property
    def solvable(self) -> bool:
        """Whether exact values may be used: the others are taken to play as well as possible."""
        position, counts = self.question.position, self.question.counts
        return self.how["opponents"] is None or counts.alone or position.others_in == 0

    def at(self, position: Any) -> Question:
        """The same question at another position."""
        return question_of(self.question.game, self.question.rules, position, **self.how)


def reasons(
    game: AnyGame,
    rules: Any,
    position: Any,
    advice: answer.Advice,
    *,
    against: str | None = None,
    assumed: Assumed = Assumed(),
    threads: int | None = None,
    progress: StageProgress | None = None,
) -> tuple[Reason, ...]:
    """Return why the best action of an advice is best: up to two sentences, or none.

    against: the action that the best one is compared with (default: the second best). Another may
    be as good as the best then, and no change is looked for.
    """
    clear = advice.verdict == advice.best
    if not (clear or against) or len(advice.actions) < 2 or advice.interrupted:
        return ()
    other = against or advice.actions[1].action
    ground = ground_of(game, rules, position, advice.objective, assumed, threads)
    if progress is not None:
        ground = replace(ground, progress=_with_verdict(progress, advice.best if clear else ""))
    patterns = game.reasons(rules)
    candidates = [
        contrast_of(ground, patterns.contrasts, advice, other),
        change_of(ground, patterns.changes, advice) if clear else None,
    ]
    return tuple(reason for reason in candidates if reason is not None)


def _with_verdict(progress: StageProgress, best: str) -> StageProgress:
    """Progress that names the best action meanwhile, if there is one."""
    verdict = say("{action} is best; finding the reason", action=action_words(best)) if best else ""
    return lambda part, what: progress(part, verdict or what)


def with_reasons(
    game: AnyGame,
    rules: Any,
    position: Any,
    advice: answer.Advice,
    assumed: Assumed = Assumed(),
    threads: int | None = None,
    progress: StageProgress | None = None,
) -> answer.Advice:
    """Return an advice with its reasons; without them if Ctrl-C breaks their games off."""
    try:
        causes = reasons(
            game, rules, position, advice, assumed=assumed, threads=threads, progress=progress
        )
    except KeyboardInterrupt:
        return advice
    return replace(advice, reasons=causes)


def ground_of(
    game: AnyGame,
    rules: Any,
    position: Any,
    objective: str,
    assumed: Assumed = Assumed(),
    threads: int | None = None,
    seed: int = 0,
    times: int = 1,
) -> Ground:
    """Return what tests claims about a position, with `times` as many games as usual."""
    fewer = recorded_of(game).fewer if game.recorded() is not None else 1
    games = max(FEWEST, times * GAMES // fewer)
    how = {
        **vars(assumed),
        "objective": objective,
        "limits": Limits(games=games, threads=threads, learned=True),
        "seed": seed_of(rules, position, objective, seed),
        "brief": True,
    }
    question = question_of(game, rules, position, **how)
    return Ground(question, how, games, max(FEWEST, times * PROBE // fewer))


def seed_of(rules: Any, position: Any, objective: str, seed: int = 0) -> int:
    """Return the seed of the games that test claims about a position."""
    words = f"{rules.id} {position.format()} {objective} {seed}".encode()
    return int.from_bytes(hashlib.blake2b(words, digest_size=SEED_BYTES).digest(), "big")


# What follows the best action and another one.


def contrast_of(
    ground: Ground, patterns: Sequence[Contrast], advice: answer.Advice, other: str
) -> Reason | None:
    """Return the difference that games confirm and that stands out most, if there is one.

    The games of their own only test the claim: the sentence has the numbers of the advice.
    """
    best = advice.best
    suited = [c for c in patterns if suits(c, best, other)]
    if not suited:
        return None
    objective = ground.question.objective

    def kind(pattern: Contrast) -> tuple[bool, bool]:
        """Order: not what the table shows anyway, then patterns with verbs."""
        alone = all(gap.measure == objective for gap in pattern.gaps)
        return alone, not (pattern.of or pattern.against)

    values: Measures = {}
    shown: dict[Contrast, float] = {}
    for part in PARTS:
        values = measured(ground, (best, other), suited, part)
        strength = {
            pattern: min(confirmed(gap, values, best, other) for gap in pattern.gaps)
            for pattern in suited
        }
        shown = {pattern: most for pattern, most in strength.items() if most >= 1}
        hope = [
            c
            for c in suited
            if all(sum(_difference(gap, values, best, other)) >= gap.least for gap in c.gaps)
        ]
        if not hope or min(suited, key=kind) in shown:
            break  # more games would hardly show another one
    if not shown:
        return None
    # Of those without verbs the largest gap.
    pattern = min(shown, key=lambda c: (*kind(c), -shown[c] if kind(c)[1] else 0.0))
    wanted = {gap.measure for gap in pattern.gaps}
    answered = {c.action: {**c.objectives, **c.chances} for c in advice.actions}
    cited = {
        name: {**values[name], **_summed(answered[name], wanted, advice.games)}
        for name in (best, other)
    }
    return sentence(pattern, cited, best, other, ground.question)


def suits(pattern: Contrast, best: str, other: str) -> bool:
    """Return whether a pattern is about these two actions."""
    verbs = (pattern.of, best), (pattern.against, other)
    return all(not allowed or action.split()[0] in allowed for allowed, action in verbs)


Measures = Mapping[str, Mapping[str, Estimate]]  # by action and measure


def measured(
    ground: Ground, actions: Sequence[str], patterns: Sequence[Contrast], part: int = 1
) -> Measures:
    """Return what follows each action: exact where all of it is solved, else from games.

    part: one in this many of the games is played.
    """
    question = ground.question
    wanted = {gap.measure for pattern in patterns for gap in pattern.gaps}
    if ground.solvable:
        solution = question.solved(question.objective)
        if solution is not None and solution.complete:
            solved = {a.action: {**a.values, **a.chances} for a in solution.actions}
            return {action: _summed(solved[action], wanted, 0) for action in actions}
    played = play(question, max(FEWEST, ground.games // part), actions, ground.progress)
    if played is None:
        return {action: {} for action in actions}
    known = question.game.known(question.rules, question.position)
    odds = question.game.next_chances(question.rules, question.position)
    measures = {}
    for action in actions:
        values, ways = played.of(action)
        every = {**values, **known.get(action, {}), **odds.get(action, {}), **ways}
        measures[action] = _summed(every, wanted, played.games)
    return measures


def _summed(values: Mapping[str, Estimate], wanted: set[str], n: int) -> dict[str, Estimate]:
    """The wanted measures; several names with ``|`` between them are added."""
    sums = {}
    for measure in wanted:
        names = measure.split("|")
        if len(names) > 1 and any(name in values for name in names):
            share = min(1.0, sum(values[name].value for name in names if name in values))
            stderr = math.sqrt(share * (1 - share) / n) if n else 0.0
            sums[measure] = Estimate.from_half(share, stderr, 2 * stderr, n)
        elif measure in values:
            sums[measure] = values[measure]
    return sums


def play(
    question: Question,
    games: int,
    actions: Sequence[str],
    progress: StageProgress | None,
    brief: bool = False,
) -> Rollouts | None:
    """Return a fixed number of games after each action; None where they cannot be played.

    actions: empty: all. brief: leave out chances. If an answer looks for the best use of a card, so
    do these games.
    """
    effort = Effort(games, None, question.limits.processors, question.seed)
    limits = replace(question.limits, games=games)

    def tell(part: float, _what: str) -> None:
        if progress is not None:
            progress(part, "finding the reason")

    try:
        job = question.job(question.objective, effort)
        if actions and job.among is not None:
            job = job.restricted(actions)
        elif actions:
            job = question.job(question.objective, replace(effort, only=tuple(actions)))
        objectives = question.game.objectives
        played = roll_out(job, objectives, question.objective, limits, question.seed, tell, brief)
    except LamaOddsError:
        return None
    if played.interrupted:
        raise KeyboardInterrupt
    return played


def confirmed(gap: Gap, values: Measures, best: str, other: str) -> float:
    """Return a difference in units of the least one that is worth a sentence; 0: not confirmed."""
    apart, away = _difference(gap, values, best, other)
    return apart / gap.least if apart - away >= gap.least else 0.0


def _difference(gap: Gap, values: Measures, best: str, other: str) -> tuple[float, float]:
    """Return a difference, and how far it may be off; 0 where there is nothing to compare."""
    mine, theirs = values[best].get(gap.measure), values[other].get(gap.measure)
    if mine is None or theirs is None:
        return 0.0, 0.0
    away = normal_quantile(1 - SURE / len(PARTS) / 2) * hypot(mine.stderr, theirs.stderr)
    return gap.sign * (mine.value - theirs.value), away


def sentence(
    pattern: Contrast, values: Measures, best: str, other: str, question: Question
) -> Reason:
    """Return the sentence of a confirmed pattern, with the numbers that it cites."""
    words = {"best": action_words(best), "other": action_words(other)}
    cited = []
    for number, gap in enumerate(pattern.gaps):
        mine, theirs = values[best][gap.measure], values[other][gap.measure]
        counts = question.game.objectives.get(gap.measure)
        share = counts is None or counts.share
        words[f"best{number}"] = _shown(mine, share, gap)
        words[f"other{number}"] = _shown(theirs, share, gap)
        cited += [Cited(gap.measure, best, mine), Cited(gap.measure, other, theirs)]
    text = say(pattern.text, **words)
    worded = _with_adverbs(text) if language() == ENGLISH else text
    return Reason(pattern.id, worded, tuple(cited))


_ADVERB = re.compile(r"\b(you|another player) ([a-z ]+?) (never|always)\b", re.IGNORECASE)


def _with_adverbs(text: str) -> str:
    """A sentence with "never" and "always" before the verb, and "of the time" only once."""
    first, often, more = text.partition(OFTEN)
    return _ADVERB.sub(r"\1 \3 \2", first + often + more.replace(OFTEN, ""))


def _shown(value: Estimate, share: bool, gap: Gap) -> str:
    """A number of a sentence: chances with their preposition, others in the words of the gap."""
    if not share:
        size = abs(value.value)
        number = rounded(size, 0 if size >= 10 or f"{size:.1f}".endswith(".0") else 1)
        if gap.words is None:
            return f"−{number}" if value.value < 0 else number
        return say_count(*gap.words[value.value < 0], count_of(number), n=number)
    if value.value < CERTAIN:
        return say("never")
    if value.value > 1 - CERTAIN:
        return say("always")
    percent = 100 * value.value
    number = in_percent(rounded(percent, 1 if percent < 2 or percent > 98 else 0))
    return say("{percent} of the time", percent=number)


# What would turn the verdict.


def change_of(ground: Ground, changes: Sequence[Change], advice: answer.Advice) -> Reason | None:
    """Return the first change, in the order of the game, at which another action is best.

    That action can be done now too, and the best one there: else the change would say little.
    """
    best = advice.best
    now_possible = {action.action for action in advice.actions}
    game, rules = ground.question.game, ground.question.rules
    now = ground.question.position
    plain = game.position(rules, now.format())
    # A change has no past, as a record shows it: without it the verdict must be the same.
    if getattr(now, "past", None) is not None and best_at(ground, plain) != best:
        return None
    for change in changes:
        others = []
        for changed in change.others(rules, now):
            try:
                others.append((changed, game.position(rules, changed.position)))
            except LamaOddsError:
                continue  # no such position can occur
        farthest = best_at(ground, others[-1][1]) if others else best
        if farthest == best:
            continue  # not even that turns it
        for changed, position in others:
            there = farthest if position is others[-1][1] else best_at(ground, position)
            if there in ("", best):
                continue
            reason = _turned(ground, change, changed, position, best)
            if reason is not None and reason.action in now_possible:
                return reason
    return None


def best_at(ground: Ground, position: Any) -> str:
    """The action that looks best at a position after a few games; exact where it is solved."""
    outcome = values_at(ground, position, ground.probe, (1,))
    return "" if outcome is None else outcome[0]


def _turned(
    ground: Ground, change: Change, changed: Changed, position: Any, best: str
) -> Reason | None:
    """The sentence of a change, if games confirm that another action is best there."""
    outcome = values_at(ground, position, ground.games, PARTS, ground.question.seed + 1)
    if outcome is None:
        return None
    action, loses = outcome
    zone = ground.question.counts.zone
    if best not in loses or loses[best].value <= zone:
        return None  # still the best, no longer allowed, or as good
    if answer.verdict_of(action, loses.values(), zone) != action:
        return None
    gain = min(loses.items(), key=lambda pair: pair[1].value)
    return Reason(
        change.id,
        say(TURNED, when=changed.when, action=action_words(action)),
        (Cited(ground.question.objective, gain[0], gain[1]),),
        action,
        position.format(),
    )


def values_at(
    ground: Ground, position: Any, games: int, parts: Sequence[int], seed: int | None = None
) -> tuple[str, dict[str, Estimate]] | None:
    """The best action at a position, and what each other one costs with intervals at 99 %.

    parts: see PARTS; the first is enough where it shows what is best.
    """
    question = ground.at(position)
    if seed is not None:
        question = replace(question, seed=seed)
    counts = question.counts
    if ground.solvable and not question.game.reasons(question.rules).by_games:
        solution = question.solved(question.objective)
        if solution is not None:
            values = {valued.action: valued.values[counts.name] for valued in solution.actions}
            return answer.solved_losses(counts, values, solution.apart or 0.0)
    outcome = None
    for part in parts:
        enough = max(FEWEST, games // part)
        played = play(question, enough, (), ground.progress, brief=True)
        if played is None:
            return None
        outcome = answer.losses(counts.name, counts, played, SURE / len(parts), fixed=True)
        if answer.verdict_of(outcome[0], outcome[1].values(), counts.zone) != answer.TOO_CLOSE:
            break
    return outcome
