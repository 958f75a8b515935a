"""Reasons of a verdict, as data: claims about what follows an action, which games can test.

A game lists patterns. `analysis.coach.reasons` plays games of its own and keeps what they confirm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lama_odds.core.language import Plural, later_count

MORE, LESS = 1, -1
# What a round does to a score.
SCORE = (
    later_count("costs {n} point", "costs {n} points"),
    later_count("gives back {n} point", "gives back {n} points"),
)


@dataclass(frozen=True)
class Gap:
    """A difference between the best action and another one: a part of a `Contrast`.

    measure: an objective or a chance of the advice, or several chances with ``|`` between them,
    which are added. sign: MORE if the best action has more of it, LESS if it has less. least: the
    smallest difference worth a sentence, in the unit of the measure; chances are 0 to 1.
    words: of a value that is not negative, and of one that is; None: the number alone.
    """

    measure: str
    sign: int
    least: float
    words: tuple[Plural, Plural] | None = None


@dataclass(frozen=True)
class Contrast:
    """What makes the best action better than another.

    gaps: all must be confirmed, in games or exactly. text: the template of a sentence; ``{best}``
    and ``{other}`` are the actions, and ``{best0}`` and ``{other0}`` the values of the first gap.
    of, against: the verbs of the best and of the other action; empty: any. Patterns with verbs come
    first, in the order of the game. Of the others the one with the largest gap is used.
    """

    id: str
    gaps: tuple[Gap, ...]
    text: str
    of: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


@dataclass(frozen=True)
class Changed:
    """A position like the one at hand. when: how it differs, as in "you held no llama"."""

    when: str
    position: str


@dataclass(frozen=True)
class Change:
    """A change of the position that may turn the verdict.

    others: positions with that change, the nearest first, from the rules and the position.
    """

    id: str
    others: Callable[[Any, Any], Iterable[Changed]]


@dataclass(frozen=True)
class Reasons:
    """The patterns of a game, and what tells players apart.

    contrasts: what makes an action better than another. changes: in the order in which they are
    tried. cautious: the verbs of actions that stop or take what is sure.
    by_games: whether games test changes even where they could be solved, which takes longer.
    ignored: what some players do not mind, in words, and the position as they see it: as text, or
    None if there is nothing to ignore.
    """

    contrasts: Sequence[Contrast] = ()
    changes: Sequence[Change] = ()
    cautious: Sequence[str] = ()
    by_games: bool = False
    ignored: Mapping[str, Callable[[Any, Any], str | None]] = field(default_factory=dict)
