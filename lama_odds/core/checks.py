"""Check arguments in the same way for the command line and for Python.

Every function raises ReadError if a value cannot be used; `name` is what the message calls it. Most
accept None, for a value that was not given, unless it is `needed`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lama_odds.core.errors import ReadError, near_names
from lama_odds.core.language import say
from lama_odds.core.wording import thousands

# The smallest difference that matters in a comparison.


@dataclass(frozen=True)
class Delta:
    """The smallest difference that matters in a comparison (the equivalence margin).

    value: above 0, in the unit of the measure; with `relative`, as a share of the baseline's value.
    relative: whether the value is such a share.

    >>> import lama_odds as lo
    >>> lo.Delta(0.05, relative=True)
    Delta(value=0.05, relative=True)
    """

    value: float
    relative: bool = False


MAX_SECONDS = 100_000.0
MAX_PRECISION = 1000.0
DEFAULT_PLAYERS = 4


def expecting(name: str, value: object, expected: str) -> ReadError:
    """Return the error of an argument that cannot be used, with what was expected in words."""
    return ReadError(
        say("{name} {found}: expected {expected}", name=name, found=repr(value), expected=expected)
    )


def check_players(rules: Any, players: int, name: str = "players") -> None:
    """Raise ReadError unless a rule set allows this number of players."""
    if isinstance(players, bool) or not isinstance(players, int) or players not in rules.players:
        first, last = rules.players[0], rules.players[-1]
        raise ReadError(
            say(
                "{name} {found}: {rules} is for {first} to {last} players",
                name=name,
                found=repr(players),
                rules=rules.id,
                first=first,
                last=last,
            )
        )


def default_players(*rules: Any) -> int:
    """Return a default number of players: 4, or the nearest number that all these rule sets allow.

    Raises ReadError if they have no number of players in common.
    """
    shared = set(rules[0].players).intersection(*(rule_set.players for rule_set in rules[1:]))
    if not shared:
        names = say(" and ").join(rule_set.id for rule_set in rules)
        raise ReadError(say("{names} have no number of players in common", names=names))
    return int(min(shared, key=lambda count: (abs(count - DEFAULT_PLAYERS), count)))


def check_precision(precision: float, name: str = "precision") -> None:
    """Raise ReadError unless a half-width is a number above 0."""
    check_above_0(precision, MAX_PRECISION, name)


def check_above_0(value: float, most: float, name: str) -> None:
    """Raise ReadError unless a value is a finite number above 0, and at most `most`."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not (number and math.isfinite(value) and 0 < value <= most):
        expected = say("a number above 0")
        if not math.isinf(most):
            expected = say("a number above 0, at most {most}", most=f"{most:g}")
        raise expecting(name, value, expected)


def check_whole(value: int | None, least: int, most: int, name: str, needed: bool = False) -> None:
    """Raise ReadError unless a value is a whole number from `least` to `most`."""
    if value is None and not needed:
        return
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        expected = say(
            "a whole number, {least} to {most}", least=thousands(least), most=thousands(most)
        )
        raise expecting(name, value, expected)


def check_path(value: Any, name: str, needed: bool = False) -> None:
    """Raise ReadError unless a value names a file or folder."""
    if not (isinstance(value, (str, Path)) or (value is None and not needed)):
        raise expecting(name, value, say("a path"))


def check_text(value: str | None, name: str, needed: bool = False) -> None:
    """Raise ReadError unless a value is a text."""
    if not (isinstance(value, str) or (value is None and not needed)):
        raise expecting(name, value, say("text"))


def check_flag(value: bool, name: str) -> None:
    """Raise ReadError for a value other than True and False."""
    if not isinstance(value, bool):
        raise expecting(name, value, say("True or False"))


def check_choice(value: str, choices: Sequence[str], name: str) -> None:
    """Raise ReadError for a name that is not one of the few it can be; () are any."""
    if choices and value not in choices:
        expected = say(" or ").join(choices)
        message = say(
            "{name} {found}: expected {expected}", name=name, found=value, expected=expected
        )
        raise ReadError(message, hints=near_names(value, choices))


def check_function(value: Any, name: str) -> None:
    """Raise ReadError for a value that cannot be called."""
    if not callable(value):
        raise expecting(name, value, say("a function, or None"))


def check_one(given: Mapping[str, Any]) -> None:
    """Raise ReadError if more than one of several arguments is given, because one is enough.

    given: the arguments by name; None for one that is not given.
    """
    names = list(given)
    if sum(value is not None for value in given.values()) > 1:
        raise ReadError(
            say("expected one of {first} and {last}", first=", ".join(names[:-1]), last=names[-1])
        )


def check_name(name: str | None, known: Collection[str], what: str, needed: bool = False) -> None:
    """Raise ReadError, with similar names, for a name that is not known."""
    if name is None and not needed:
        return
    if not isinstance(name, str):
        raise ReadError(say("{what}: expected text", what=what), hints=near_names("", known))
    if name not in known:
        raise ReadError(say("unknown {what}", what=what), name, 0, near_names(name, known))
