"""The short version of what cards in hand are worth, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from lama_odds.analysis.strategy_report.by_game.lama.chains import chain_said
from lama_odds.analysis.strategy_report.by_game.lama.hand_values import Studied, tops_of
from lama_odds.analysis.strategy_report.words import shown, size
from lama_odds.core.estimate import Estimate, with_unit

NUMBERS = "123456"


def headlines(found: Studied) -> list[str]:
    """Which card to play first, and what a llama in hand costs."""
    return [line for line in (_first_said(found), _llama_said(found)) if line]


def findings(found: Studied, by_players: Mapping[int, Studied]) -> list[str]:
    """What a duplicate and a chain are worth."""
    return [line for line in (_copies_said(found), chain_said(found, by_players)) if line]


def _llama_said(found: Studied) -> str:
    """What a llama costs, beside a number."""
    llama = found.row({"card": "L"})
    if llama is None:
        return ""
    said = (
        f"One llama more in your hand costs you {with_unit(shown(llama))} by the end of the round"
    )
    first, second = (found.row({"card": "L", "copies": at}) for at in (0, 1))
    if first and second:
        said += f": {shown(first)} as your first llama, {shown(second)} as the second"
    six = found.row({"card": "6"})
    return f"{said}. A 6 costs you {shown(six)}." if six else f"{said}."


def _copies_said(found: Studied) -> str:
    """What another card of a number held costs, against a first one."""
    sides = []
    for counts, name in ((range(1, 3), "one or two cards"), (range(5, 7), "five or more cards")):
        means = []
        for first in (False, True):
            rows = [[{"card": c, "first": first, "cards": n} for n in counts] for c in NUMBERS]
            cells = [e for keys in rows if (e := found.row(*keys)) is not None]
            if len(cells) == len(NUMBERS):
                means.append(Estimate.mean(cells))
        if len(means) == 2:
            sides.append(
                f"With {name} in hand it costs {with_unit(shown(means[0]))}, a new number "
                f"{shown(means[1])}."
            )
    if not sides:
        return ""
    return (
        "A second card of a number adds nothing to your penalty, but you have to play it, too. "
        f"{' '.join(sides)}"
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
                told.append(
                    f"{place}, it makes no clear difference if {name} or {other} goes first"
                )
            else:
                first, then = (name, other) if more.value > 0 else (other, name)
                cost = f"the other order costs {with_unit(size(more))}"
                told.append(f"{place}, play {first} before {then}: {cost}")
    return f"{'. '.join(told)}." if told else ""
