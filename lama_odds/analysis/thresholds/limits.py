"""Up to where quitting is better, by the rows of thresholds, and the words for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lama_odds.analysis.thresholds.answer import Row, Thresholds

NEVER = "never"


def threshold(found: Thresholds, rows: Iterable[Row], objective: str) -> tuple[int, int]:
    """Penalties (certain, perhaps): quitting is better at all up to the first; not clearly worse
    up to the second. −1: at none."""
    certain = perhaps = -1
    sure = open_ = True
    for row in sorted(rows, key=lambda row: row.keys["penalty"] or 0):
        better = row.better(objective, found.actions)
        sure = sure and better == found.actions[0]
        open_ = open_ and better != found.actions[1]
        penalty = row.keys["penalty"] or 0
        certain = penalty if sure else certain
        perhaps = penalty if open_ else perhaps
    return certain, perhaps


def limit_text(found: Thresholds, rows: Iterable[Row], objective: str) -> str:
    """``6``; ``5 to 6`` where it is not settled; ``at most 5`` if it is nowhere certain; ``never``.

    ``less than 3``: below the first row, where such decisions were too rare to tell; ``more than``
    where rows go downwards.
    """
    rows = list(rows)
    certain, perhaps = threshold(found, rows, objective)
    scale = found.scale
    if perhaps < 0:
        first = min((row.keys["penalty"] or 0 for row in rows), default=0)
        beyond = "less" if scale.step > 0 else "more"
        return NEVER if first <= 1 else f"{beyond} than {scale.value(first)}"
    last = scale.value(perhaps)
    if certain == perhaps:
        return str(last)
    if certain < 0:
        return f"{'at most' if scale.step > 0 else 'at least'} {last}"
    low, high = sorted((scale.value(certain), last))
    return f"{low} to {high}"


def limit_in_table(found: Thresholds, rows: Iterable[Row], objective: str) -> str:
    """The limit under a head that says which way: ``perhaps 24`` if it is nowhere certain."""
    return re.sub("^at (least|most)", "perhaps", limit_text(found, rows, objective))


def by_what_it_is_worth(found: Thresholds, keys: Sequence[str], objective: str) -> list[str]:
    """Things that are seen, by what one limit for all of them costs: the costliest first."""
    return sorted(keys, key=lambda key: -_cost_of_ignoring(found, key, objective))


def _cost_of_ignoring(found: Thresholds, key: str, objective: str) -> float:
    """What the best single limit costs per round against the best limit at each value of a key."""
    costs: dict[int, dict[int, float]] = {}  # by value and penalty: continuing minus quitting
    for row in found.rows:
        seen = {name: value for name, value in row.keys.items() if value is not None}
        if set(seen) == {"penalty", key}:
            saved = row.met * row.values[objective][2].value
            costs.setdefault(seen[key], {})[seen["penalty"]] = saved
    if not costs:
        return 0.0
    last = max(max(each) for each in costs.values())
    limits = range(-1, last + 1)

    def saved_by(of_value: dict[int, float], limit: int) -> float:
        return sum(saved for penalty, saved in of_value.items() if penalty <= limit)

    single = max(sum(saved_by(each, limit) for each in costs.values()) for limit in limits)
    apart = sum(max(saved_by(each, limit) for limit in limits) for each in costs.values())
    return apart - single


def limits_of(found: Thresholds, rows: Iterable[Row], objective: str) -> tuple[int, int] | None:
    """Up to where quitting is better, as it is shown: for certain, and perhaps; None: nowhere."""
    rows = list(rows)
    certain, perhaps = threshold(found, rows, objective)
    if perhaps < 0:
        return None
    if certain < 0:  # somewhere below what occurred, or nowhere
        certain = max(0, min(row.keys["penalty"] or 0 for row in rows) - 1)
    return found.scale.value(certain), found.scale.value(perhaps)


def rule_text(found: Thresholds, rows: Iterable[Row], objective: str) -> str:
    """The limit as a rule: ``Quit at penalty 5 to 6 or less``."""
    rows = list(rows)
    first, second = (action.capitalize() for action in found.actions)
    limit = limit_text(found, rows, objective)
    if limit == NEVER:
        return f"Hardly ever {first.lower()}: {second.lower()} at every {found.label}"
    if limit.startswith(("less than", "more than")):
        return f"{second} at every {found.label} that occurred often enough"
    if limit.startswith("at "):  # nowhere is it certain
        return f"{first} at {found.label} {limit.split()[-1]} {found.scale.onward}, if at all"
    return f"{first} at {found.label} {limit} {found.scale.onward}"


def rule_sentence(found: Thresholds, rows: Iterable[Row], objective: str) -> str:
    """The limit as one would say it: what to do below, above, and between."""
    return f"With {found.players} players, {rule_part(found, rows, objective)}."


def rule_part(found: Thresholds, rows: Iterable[Row], objective: str) -> str:
    """The limit as a part of a sentence."""
    first, second = found.actions
    rows = list(rows)
    sure, perhaps = threshold(found, rows, objective)
    above = sorted(key for key in map(_key, rows) if key > perhaps)
    scale = found.scale
    if not above and sure < 0 <= perhaps:
        here = [key for key in sorted(map(_key, rows)) if key <= perhaps]
        told = _open(found, here).removeprefix("; ")
        rest = "other values did not occur often enough"
        return f"no {found.label} is settled ({told}, and {rest})"
    if not above or perhaps < 0:
        return small(rule_text(found, rows, objective))
    backward = "or more" if scale.step > 0 else "or less"
    end = f"{second} {_place(found, scale.value(above[0]), sure < 0)} {backward}"
    between = [key for key in sorted(map(_key, rows)) if sure < key <= perhaps]
    if sure < 0:
        return f"{end}{_open(found, between)}"
    begin = f"{first} {_place(found, scale.value(sure), True)} {scale.onward}"
    return f"{begin} and {end}{_open(found, between)}"


def _place(found: Thresholds, value: int, named: bool = False) -> str:
    """With which hand, or at which lead; named: say that a hand's value is points."""
    if found.label != "penalty":
        return f"at a {found.label} of {value}"
    return f"with {value}{' point' if named else ''}{'s' * (named and value != 1)}"


def _open(found: Thresholds, keys: list[int]) -> str:
    """What lies between the two, where neither is known to be better."""
    if len(keys) < 2:
        told = [found.scale.text(key).replace(" and ", " or ") for key in keys]
        return f"; {told[0]} is a toss-up" if told else ""
    low, high = sorted(found.scale.value(key) for key in (keys[0], keys[-1]))
    return f"; {low} to {high} are toss-ups"


def small(text: str) -> str:
    """A text as it is written inside a sentence."""
    return text[:1].lower() + text[1:]


def _key(row: Row) -> int:
    return row.keys["penalty"] or 0
