"""The reasons of a shipped drill, which are stored in English, in the language in force.

No games are played for them. The sentence of a contrast is read with the templates of the game. A
change is found among those of the position, and its sentence is written again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lama_odds.analysis.coach.reasons import TURNED
from lama_odds.core.language import ENGLISH, language, say, say_count, speaking
from lama_odds.core.wording import count_of, decimal, in_percent
from lama_odds.games.interface.actions import action_words
from lama_odds.games.interface.reasons import Change, Contrast, Gap, Reasons

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
            found = re.fullmatch(_expression(pattern.text, named), plain)
            if found is None:
                continue
            values = dict(_values(pattern, found.groups()))
            if len(values) == len(found.groups()):
                told = {name: action_words(action) for name, action in named.items()}
                return say(pattern.text, **told, **values)
    return ""


def _expression(template: str, named: Mapping[str, str]) -> str:
    """A regular expression of a template; its groups are the values, in their order."""
    parts, end = [], 0
    for field in _FIELD.finditer(template):
        parts.append(re.escape(template[end : field.start()]))
        parts.append("(.+?)" if field[2] else re.escape(named[field[1]]))
        end = field.end()
    return "".join([*parts, re.escape(template[end:])])


def _values(pattern: Contrast, shown: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each value of a pattern; none for what is not a value."""
    fields = [field for field in _FIELD.finditer(pattern.text) if field[2]]
    for field, value in zip(fields, shown, strict=True):
        text = _value(pattern.gaps[int(field[2])], value)
        if text:
            yield field[1] + field[2], text


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
                    told = [changed.when for changed in change.others(rules, position)]
                    return say(TURNED, when=told[at], action=action_words(action))
    return ""
