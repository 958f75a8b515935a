"""A rule by a number that is a guess: which action from which value on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from lama_odds.games.interface.guessed import Guessed


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
    steps = [Step(action, " or if ".join(said)) for action, said in cases.items()]
    return (*steps, Step(usual, ""))


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
