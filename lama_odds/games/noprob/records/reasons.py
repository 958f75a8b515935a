"""Why an action is best in No Prob-Lama: what follows it, and what would turn the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lama_odds.core.language import later, later_count, say
from lama_odds.games.interface.reasons import (
    LESS,
    MORE,
    Change,
    Changed,
    Contrast,
    Gap,
    Reasons,
)
from lama_odds.games.shared.in_words import word_of
from lama_odds.games.shared.reasons import edited

# What your cards come to.
AGAINST = (
    later_count("{n} point above", "{n} points above"),
    later_count("{n} point below", "{n} points below"),
)
DISCARD = later("the discard were a {card}")
LOW_TO_HIGH = ("-5", "-2", "-1", "3", "4", "5", "6", "7", "8", "9", "10")

REASONS = Reasons(
    (
        Contrast(
            "end it",
            (Gap("ends", MORE, 0.05),),
            later("You end the round yourself {best0} if you {best}, and {other0} if you {other}."),
        ),
        Contrast(
            "another ends it",
            (Gap("other ends", LESS, 0.05),),
            later(
                "Another player ends the round {best0} if you {best}, and {other0} if you {other}."
            ),
        ),
        Contrast(
            "later end",
            (Gap("ends", LESS, 0.05), Gap("points", LESS, 0.5)),
            later(
                "The round lasts longer if you {best}, and brings you {best1} points on average, "
                "against {other1} if you {other}."
            ),
        ),
        Contrast(
            "points",
            (Gap("points", LESS, 0.5),),
            later(
                "Your cards come to {best0} points on average if you {best}, and to {other0} if "
                "you {other}."
            ),
        ),
        Contrast(
            "margin",
            (Gap("margin", LESS, 0.5, AGAINST),),
            later("You end {best0} the others' mean if you {best}, and {other0} if you {other}."),
        ),
    ),
    (
        Change("a lower discard", lambda _, position: other_discard(position, False)),
        Change("a higher discard", lambda _, position: other_discard(position, True)),
    ),
    ("take", "discard"),
    ignored={later("the others' cards"): lambda _, position: unknown_grids(position)},
)


def other_discard(position: Any, higher: bool) -> Iterator[Changed]:
    """Yield positions with another card on the discards, the nearest first."""
    top = word_of(position, "top")
    if word_of(position, "drawn") or word_of(position, "taken") or top not in LOW_TO_HIGH:
        return
    at = LOW_TO_HIGH.index(top)
    cards = LOW_TO_HIGH[at + 1 :] if higher else tuple(reversed(LOW_TO_HIGH[:at]))
    for card in cards:
        name = card.replace("-", "−")
        when = say("the discard were an 8") if card == "8" else say(DISCARD, card=name)
        yield Changed(when, edited(position, top=card))


def unknown_grids(position: Any) -> str | None:
    """Return the position as you see it if you do not look at the others' cards."""
    others = word_of(position, "opp")
    known = ";".join("?" for _ in others.split(";"))
    return None if others == known else edited(position, opp=known)
