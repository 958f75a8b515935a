"""How sections put things: policies by what they are, numbers and their errors in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lama_odds.analysis.strategy_report.report import Ask
from lama_odds.analysis.thresholds.answer import Row, Thresholds
from lama_odds.core.estimate import Estimate
from lama_odds.core.policies import Policy

STRONG, TOSS_UP = "strong", "toss-up"
POINTS_OF_CHANCE = "percentage points"
SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def named(ask: Ask, policies: Sequence[Policy]) -> dict[str, str]:
    """What policies are called, by their exact names: the best for winning is the strong one."""
    best = ask.game.best_policy(ask.rules, ask.players).name
    found = {p.name: STRONG if p.name == best else p.brief for p in policies}
    twice = {brief for brief in found.values() if list(found.values()).count(brief) > 1}
    return {name: name if brief in twice else brief for name, brief in found.items()}


def who_is_who(names: Mapping[str, str]) -> str:
    """Which policy is which, in a sentence; empty if all go by their exact names."""
    known = [f"“{brief}” is {name}" for name, brief in names.items() if brief != name]
    return f"The exact names of the policies: {', '.join(known)}." if known else ""


def all_play(ask: Ask, objective: str = "win") -> str:
    """How all players play, with the exact name of the policy."""
    policy = ask.game.best_policy(ask.rules, ask.players, objective)
    aim = "" if objective == "win" else " for points"
    return f"all players play the strongest policy known{aim} ({policy.name})"


def shown(found: Estimate, share: bool = False) -> str:
    """An estimate in a sentence: with its half-width, in per cent if it is a share."""
    value, half = _digits(found, 100 if share else 1)
    sign = " %" if share else ""
    return f"{value}{sign}" if half is None else f"{value} ± {half}{sign}"


def size(found: Estimate, scale: float = 1.0) -> str:
    """How large an estimate is, whatever its sign, with its half-width."""
    value, half = _digits(found, scale)
    value = value.removeprefix("−")
    return value if half is None else f"{value} ± {half}"


def _digits(found: Estimate, scale: float) -> tuple[str, str | None]:
    """The value and the half-width with as many digits as that deserves; None: there is none."""
    half = scale * (found.high - found.low) / 2
    digits = 2 if half == 0 or half < 0.1 else 1
    digits = digits if half == 0 or half >= 0.005 else 3
    value = f"{scale * found.value:.{digits}f}".replace("-", "−")
    return value, None if half == 0 else f"{half:.{digits}f}"


def plain(value: float, digits: int) -> str:
    """A number with a minus sign, not a hyphen."""
    return f"{value:.{digits}f}".replace("-", "−")


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words one after another."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def capital(text: str) -> str:
    """A text that begins a sentence."""
    return text[:1].upper() + text[1:]


def going(action: str) -> str:
    """``rolling``, ``drawing``, ``quitting``, ``going on``."""
    verb, _, rest = action.partition(" ")
    doubled = verb + verb[-1] if verb.endswith("it") else verb
    return f"{doubled}ing" + (f" {rest}" if rest else "")


def better_said(found: Thresholds, row: Row, objective: str) -> str:
    """The better action, or that neither is known to be."""
    better = row.better(objective, found.actions)
    return better if better in found.actions else TOSS_UP
