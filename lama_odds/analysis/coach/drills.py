"""Positions to train with: what each action costs there, and why one is best.

The collection that is shipped (data/drills.json) is made by ``tools/publish drills``. A position of
your own record becomes a drill when you train with it.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.reasons import TURNED, reasons
from lama_odds.core.errors import LamaOddsError
from lama_odds.core.estimate import EXACT
from lama_odds.core.language import ENGLISH, language, say, say_count, speaking
from lama_odds.core.plain import Plain
from lama_odds.core.progress import StageProgress
from lama_odds.core.reading import data_json
from lama_odds.core.wording import count_of, decimal, in_percent
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.game import AnyGame
from lama_odds.games.interface.objectives import Objective
from lama_odds.games.interface.reasons import Change, Contrast, Gap, Reasons
from lama_odds.games.registry import game_of
from lama_odds.games.shared.decisions import read_record, recorded_of, rules_named
from lama_odds.games.shared.record import ME
from lama_odds.statistics.intervals import FEWEST, Z

DRILLS = "drills.json"
LEARNED = "learned"
GAMES = 32_768  # that value the actions of a drill
MORE = 4  # times as many where games are long, so that few are played
QUICK = 8_192  # that say why, while you wait
SURE = 2.576 / Z  # from intervals at 95 % to those at 99 %
ID_BYTES = 4
LEVELS = ("hard", "medium", "easy")  # by what the usual error costs


@dataclass(frozen=True)
class Choice(Plain):
    """An action of a drill, and what it costs against the best, with its 95 % interval.

    seen: what it seems to cost, in the objective, by what a player ignores (`Reasons.ignored`). It
    is negative if the action then seems to be better than the best.
    """

    KEYS = "action cost low high seen?"

    action: str
    cost: float
    low: float
    high: float
    seen: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Drill(Plain):
    """A position to decide, and the answer.

    choices: best first. made: how the costs were found: EXACT, LEARNED, or by this number of games.
    level: of LEVELS. why: in sentences; those of shipped drills are English, see `stored_why`.
    """

    KEYS = "rules position objective choices made level why?"

    rules: str
    position: str
    objective: str
    choices: tuple[Choice, ...]
    made: str | int
    level: str = ""
    why: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """A name for the position: of the rule set, the position and the objective."""
        words = f"{self.rules} {self.position} {self.objective}".encode()
        return hashlib.blake2b(words, digest_size=ID_BYTES).hexdigest()

    @property
    def best(self) -> str:
        """The best action."""
        return self.choices[0].action

    def choice(self, action: str) -> Choice:
        """Return what an action costs."""
        return next(choice for choice in self.choices if choice.action == action)


def drill_from(content: Mapping[str, Any]) -> Drill:
    """Return a drill from its JSON."""
    choices = tuple(Choice(**choice) for choice in content["choices"])
    return Drill(**{**content, "choices": choices, "why": tuple(content.get("why", ()))})


@cache
def collection(game: str) -> tuple[Drill, ...]:
    """Return the shipped drills of a game."""
    return tuple(drill_from(content) for content in data_json(DRILLS)["drills"].get(game, ()))


@cache
def usual_decisions(game: str) -> tuple[Drill, ...]:
    """Return decisions of whole games, not selected: on these a cost per decision is stated."""
    return tuple(drill_from(content) for content in data_json(DRILLS)["usual"].get(game, ()))


def is_right(choice: Choice, counts: Objective) -> bool:
    """Return whether an answer is as good as the best: it costs less than what matters."""
    return choice.cost < counts.zone


def drill_of(
    game: AnyGame,
    rules: Any,
    position: Any,
    objective: str,
    *,
    why: bool = True,
    seen: bool = True,
    only_clear: bool = True,
    threads: int | None = None,
) -> Drill | None:
    """Return the drill of a position; None if no action is clearly best at 99 %.

    why: whether to find out why. seen: whether to find out what the actions cost in other eyes.
    only_clear: otherwise any position with a choice makes one.
    """
    few = recorded_of(game).fewer
    limits = Limits(games=max(FEWEST, GAMES // few), threads=threads, learned=True)
    how: dict[str, Any] = {"objective": objective, "thorough": False}
    advice = advise(game, rules, position, limits=limits, **how)
    if only_clear and few > 1 and not clear_at_99(advice) and may_be_clear(advice):
        limits = replace(limits, games=MORE * GAMES // few)
        advice = advise(game, rules, position, limits=limits, **how)
    if len(advice.actions) < 2 or (only_clear and not clear_at_99(advice)):
        return None
    causes = reasons(game, rules, position, advice, threads=threads) if why else ()
    others = _seen(game, rules, position, advice, limits) if seen else {}
    choices = tuple(
        Choice(
            a.action,
            round(a.regret.value, 5),
            round(max(0.0, a.regret.low), 5),
            round(max(a.regret.value, a.regret.high), 5),
            {name: costs[a.action] for name, costs in others.items() if a.action in costs},
        )
        for a in advice.actions
    )
    return Drill(
        rules.id,
        position.format(),
        objective,
        choices,
        EXACT if advice.method == EXACT else advice.games or LEARNED,
        why=tuple(reason.text for reason in causes),
    )


def why_not(drill: Drill, chosen: str) -> tuple[str, ...]:
    """Return why the best action is better than the chosen one, in sentences.

    The sentences of a drill compare the best action with the next. For another choice games are
    played now; Ctrl-C breaks these off.
    """
    if not chosen or chosen in (choice.action for choice in drill.choices[:2]):
        return stored_why(drill)
    game = game_of(drill.rules)
    rules = game.rules(drill.rules)
    position = game.position(rules, drill.position)
    limits = Limits(games=max(FEWEST, QUICK // recorded_of(game).fewer), learned=True)
    how: dict[str, Any] = {"objective": drill.objective, "limits": limits, "thorough": False}
    try:
        advice = replace(advise(game, rules, position, **how), best=drill.best, verdict="")
        causes = reasons(game, rules, position, advice, against=chosen)
    except KeyboardInterrupt:
        return stored_why(drill)
    return tuple(reason.text for reason in causes) or stored_why(drill)


def stored_why(drill: Drill) -> tuple[str, ...]:
    """Return the sentences of a drill in the language in force."""
    game = game_of(drill.rules)
    rules = game.rules(drill.rules)
    position = game.position(rules, drill.position)
    actions = [choice.action for choice in drill.choices]
    return in_our_language(drill.why, game.reasons(rules), rules, position, actions)


def clear_at_99(advice: Advice) -> bool:
    """Return whether the best action is better at 99 %, and by more than what does not matter."""
    if advice.verdict != advice.best or advice.interrupted:
        return False
    return _is_ahead(advice, SURE)


def may_be_clear(advice: Advice) -> bool:
    """Return whether MORE times as many games, which halve the intervals, might make it clear."""
    return _is_ahead(advice, SURE / math.sqrt(MORE))


def _is_ahead(advice: Advice, times: float) -> bool:
    """Whether the best action is ahead of all by the zone, and by this many half intervals."""
    return all(
        action.regret.value - times * (action.regret.value - action.regret.low) > 0
        and action.regret.value >= advice.counts.zone
        for action in advice.actions[1:]
    )


def _seen(
    game: AnyGame, rules: Any, position: Any, advice: Advice, limits: Limits
) -> dict[str, dict[str, float]]:
    """What each action seems to cost against the best, by what a player ignores."""
    seen_costs: dict[str, dict[str, float]] = {}
    for name, as_seen in game.reasons(rules).ignored.items():
        text = as_seen(rules, position)
        if text is None:
            continue
        try:
            other = game.position(rules, text)
            answer = advise(
                game,
                rules,
                other,
                objective=advice.objective,
                limits=limits,
                thorough=False,
                brief=True,
            )
        except LamaOddsError:
            continue
        costs = {a.action: a.regret.value for a in answer.actions}
        if advice.best in costs:
            at_best = costs[advice.best]
            seen_costs[name] = {action: round(cost - at_best, 5) for action, cost in costs.items()}
    return seen_costs


def level_of(costs: Sequence[float], counts: Objective) -> str:
    """Return how hard a drill is, by what the usual errors there cost on average."""
    _, mistake, blunder = counts.grades
    mean = sum(costs) / len(costs)
    return LEVELS[(mean >= mistake) + (mean >= blunder)]


# The reasons of a shipped drill, which are stored in English, in the language in force.
#
# No games are played for them. The sentence of a contrast is read with the templates of the game. A
# change is found among those of the position, and its sentence is written again.

_FIELD = re.compile(r"\{([a-z]+)([0-9]?)\}")
# "never" and "always" stand before the verb in English, in templates after it.
_ADVERB = re.compile(r"\b(you|another player) (never|always) ([a-z ]+?) (if|and)\b", re.IGNORECASE)
_PERCENT = re.compile(r"([0-9.]+) %( of the time)?")


def in_our_language(
    sentences: Sequence[str], patterns: Reasons, rules: Any, position: Any, actions: Sequence[str]
) -> tuple[str, ...]:
    """Return sentences in the language in force; one of no pattern unchanged.

    actions: those that can be done at the position, the best one first.
    """
    if language() == ENGLISH:
        return tuple(sentences)
    return tuple(
        _contrast(sentence, patterns.contrasts, actions)
        or _change(sentence, patterns.changes, rules, position, actions)
        or sentence
        for sentence in sentences
    )


def _contrast(sentence: str, patterns: Iterable[Contrast], actions: Sequence[str]) -> str:
    """The sentence of what follows two actions; empty for any other."""
    plain = _ADVERB.sub(r"\1 \3 \2 \4", sentence)
    for pattern in patterns:
        for other in actions[1:]:
            named = {"best": actions[0], "other": other}
            match = re.fullmatch(_expression(pattern.text, named), plain)
            if match is None:
                continue
            values = dict(_values(pattern, match.groups()))
            if len(values) == len(match.groups()):
                words = {name: action_words(action) for name, action in named.items()}
                return say(pattern.text, **words, **values)
    return ""


def _expression(template: str, named: Mapping[str, str]) -> str:
    """A regular expression of a template; its groups are the values, in their order."""
    parts, end = [], 0
    for place in _FIELD.finditer(template):
        parts.append(re.escape(template[end : place.start()]))
        parts.append("(.+?)" if place[2] else re.escape(named[place[1]]))
        end = place.end()
    return "".join([*parts, re.escape(template[end:])])


def _values(pattern: Contrast, shown: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each value of a pattern; none for what is not a value."""
    places = [place for place in _FIELD.finditer(pattern.text) if place[2]]
    for place, value in zip(places, shown, strict=True):
        text = _value(pattern.gaps[int(place[2])], value)
        if text:
            yield place[1] + place[2], text


def _value(gap: Gap, shown: str) -> str:
    """A value, which is shown in English, in the language in force; empty for any other."""
    if shown == "never":
        return say("never")
    if shown == "always":
        return say("always")
    percent = _PERCENT.fullmatch(shown)
    if percent is not None:
        return say("{percent} of the time", percent=in_percent(decimal(percent[1])))
    for one, other in gap.words or ():
        for template in (one, other):
            before, _, after = template.partition("{n}")
            number = shown.removeprefix(before).removesuffix(after)
            if shown == f"{before}{number}{after}" and _is_number(number):
                return say_count(one, other, count_of(number), n=decimal(number))
    return decimal(shown) if gap.words is None and _is_number(shown) else ""


def _is_number(text: str) -> bool:
    return re.fullmatch(r"−?[0-9]+(\.[0-9]+)?", text) is not None


def _change(
    sentence: str, changes: Iterable[Change], rules: Any, position: Any, actions: Sequence[str]
) -> str:
    """The sentence of what would turn the verdict; empty for any other."""
    for change in changes:
        with speaking(ENGLISH):
            english = [changed.when for changed in change.others(rules, position)]
        for at, when in enumerate(english):
            for action in actions[1:]:
                if sentence == TURNED.format(when=when, action=action):
                    translated = [changed.when for changed in change.others(rules, position)]
                    return say(TURNED, when=translated[at], action=action_words(action))
    return ""


# Drills from your own games.


def drills_of_record(
    text: str, path: Path | None = None, progress: StageProgress | None = None
) -> list[Drill]:
    """Return the decisions of a record that are shown to have cost something, costly ones first.

    Only the seat `me` counts, if there is one. path: of the record, beside which its review is
    kept. Raises what `review` raises.
    """
    from lama_odds.analysis.coach.kept import KeptReviews
    from lama_odds.analysis.coach.review import review

    game = game_of(rules_named(text))
    rules = game.rules(rules_named(text))
    record = read_record(game, text)
    seat = record.policies.index(ME) if ME in record.policies else None
    kept = KeptReviews() if path is None else KeptReviews.beside(path)
    try:
        reviewed = review(game, rules, text, seat=seat, kept=kept, progress=progress)
    finally:
        kept.close()
    costly = [g for g in reviewed.decisions if g.shown]
    costly.sort(key=lambda g: -g.error.value)
    drills = []
    for number, graded in enumerate(costly):
        if progress is not None:
            progress(number / len(costly), "finding the reason")
        position = game.position(rules, graded.position)  # as it is shown, without the past
        drill = drill_of(game, rules, position, reviewed.objective)
        if drill is not None and not is_right(
            drill.choice(graded.decision.chosen), reviewed.counts
        ):
            drills.append(drill)
    return drills
