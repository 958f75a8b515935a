"""Why an action is best in Lama Dice: what follows it, and what would turn the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lama_odds.core.language import later, say
from lama_odds.games.interface.reasons import (
    LESS,
    Change,
    Changed,
    Contrast,
    Gap,
    Reasons,
)
from lama_odds.games.shared.in_words import word_of
from lama_odds.games.shared.reasons import (
    OF_QUITTING,
    OF_YOURS,
    all_quit,
    edited,
    without_scores,
)

USUAL_CARDS = "245"  # of another player, if you do not look
_LAST_CARDS = ("1", "3", "6")  # that another player may have left

REASONS = Reasons(
    (
        *OF_QUITTING,
        Contrast(
            "blow it",
            (Gap("blown", LESS, 0.03),),
            later("You blow it {best0} if you {best}, and {other0} if you {other}."),
        ),
    ),
    (
        *OF_YOURS,
        Change("others' last cards", lambda _, position: last_cards(position)),
        Change("others quit", lambda _, position: others_quit(position)),
        Change("a full row", lambda _, position: full_row(position)),
    ),
    ("quit",),
    ignored={
        later("the others' cards"): lambda _, position: usual_cards(position),
        later("the scores"): lambda _, position: without_scores(position),
    },
    by_games=True,
)


def last_cards(position: Any) -> Iterator[Changed]:
    """Yield positions in which each of the others has a single card left."""
    others = word_of(position, "opp").split(",")
    if all(other.startswith("q") for other in others):
        return
    for card in _LAST_CARDS:
        held = [other if other.startswith("q") else card for other in others]
        yield Changed(_only(card, len(others)), edited(position, opp=",".join(held)))


def _only(card: str, others: int) -> str:
    """That the others held a single card each, in words."""
    if others == 1:
        return say("the other player held only a {card}", card=card)
    return say("each of the others held only a {card}", card=card)


def others_quit(position: Any) -> Iterator[Changed]:
    """Yield the position in which all the others have quit."""
    others = word_of(position, "opp").split(",")
    if all(other.startswith("q") for other in others):
        return
    held = [other if other.startswith("q") else f"q{other.rstrip('?')}" for other in others]
    yield Changed(all_quit(len(others)), edited(position, opp=",".join(held)))


def full_row(position: Any) -> Iterator[Changed]:
    """Yield the position with a full llama row."""
    row = word_of(position, "row")
    if row and row.rstrip("?") != "123456L":
        yield Changed(say("the llama row were full"), edited(position, row="123456L"))


def usual_cards(position: Any) -> str | None:
    """Return the position as you see it if you do not look at the others' cards."""
    others = word_of(position, "opp").split(",")
    if all(other.startswith("q") for other in others):
        return None
    held = [other if other.startswith("q") else USUAL_CARDS for other in others]
    return edited(position, opp=",".join(held))
