"""The short version of what cards in hand are worth, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from lama_odds.analysis.strategy_report.by_game.lama.chains import chain_said
from lama_odds.analysis.strategy_report.by_game.lama.hand_values import Studied, tops_of
from lama_odds.analysis.strategy_report.report import shown
from lama_odds.core.estimate import Estimate

NUMBERS = "123456"


def headlines(found: Studied) -> list[str]:
    """Which card to play first, and what a llama costs who keeps it."""
    return [line for line in (_first_said(found), _llama_said(found)) if line]


def findings(found: Studied, by_players: Mapping[int, Studied]) -> list[str]:
    """What a duplicate and a chain are worth."""
    return [line for line in (_copies_said(found), chain_said(found, by_players)) if line]


def _llama_said(found: Studied) -> str:
    """What a llama costs."""
    llama = found.row({"card": "L"})
    if llama is None:
        return ""
    copies = [found.row({"card": "L", "copies": at}) for at in (0, 1)]
    names = ("first", "second")
    each = [f"{shown(e)} as the {n}" for n, e in zip(names, copies, strict=True) if e]
    others = [(card, found.row({"card": card})) for card in ("6", "1")]
    beside = [f"a {card} costs {shown(e)}" for card, e in others if e]
    instead = found.row({"instead of": "6"})
    beside += [f"a llama instead of a 6 {shown(instead)} more"] if instead else []
    inside = f" ({', '.join(each)})" if each else ""
    parts = [f"One llama more in hand costs {shown(llama)} points to the end of the round{inside}"]
    return "; ".join([*parts, ", ".join(beside)] if beside else parts) + "."


def _copies_said(found: Studied) -> str:
    """What another card of a number held costs, against a first one."""
    sides = []
    for counts, name in ((range(1, 3), "one or two cards"), (range(5, 7), "five or more")):
        means = []
        for first in (False, True):
            rows = [[{"card": c, "first": first, "cards": n} for n in counts] for c in NUMBERS]
            cells = [e for keys in rows if (e := found.row(*keys)) is not None]
            if len(cells) == len(NUMBERS):
                means.append(Estimate.mean(cells))
        if len(means) == 2:
            sides.append(f"{shown(means[0])} with {name} in hand, a first one {shown(means[1])}")
    if not sides:
        return ""
    return (
        "Another card of a number held adds nothing to the penalty, but has to be played too: it "
        f"costs {'; '.join(sides)} (points, mean over 1–6)."
    )


def _first_said(found: Studied) -> str:
    """Whether llamas go first."""
    told = []
    for top, after in tops_of(found):
        more = found.row({"top": top, "next": after})
        if "L" in (top, after) and more is not None:
            name, other = (("the llama" if card == "L" else f"the {card}") for card in (top, after))
            place = "On a llama" if top == "L" else f"On a {top}"
            if more.low <= 0 <= more.high:
                told.append(f"{place}, {name} or {other} first makes no clear difference")
            else:
                first, then = (name, other) if more.value > 0 else (other, name)
                saved = f"{abs(more.value):.1f} ± {(more.high - more.low) / 2:.1f}"
                told.append(f"{place}, play {first} before {then} (saves {saved} points)")
    return f"{'. '.join(told)}." if told else ""
