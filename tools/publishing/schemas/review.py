"""The schema of a review."""

from __future__ import annotations

from typing import Any

from lama_odds.analysis.coach.grades import GRADES, Graded, Rated, Worth
from lama_odds.analysis.coach.luck import Account, Level, Swing
from lama_odds.analysis.coach.review import Review, SeatReview
from tools.publishing.schemas.parts import (
    NUMBER,
    SWITCH,
    TEXT,
    WHOLE,
    Schema,
    keys,
    listed,
    maybe,
    named,
    one_of,
)

PARTS = ("start", "own_rolls", "between", "skill", "result", "luck_adjusted")


def review_schema() -> Schema:
    """Seats with their accounts, decisions with their grades, lucky and unlucky events."""
    return keys(
        Review,
        *("rules", "players", "objective", "opponents", "games", "seed", "seconds"),
        *("assumptions", "version"),
        method=one_of("exact", "simulation"),
        borders=named(NUMBER),
        seats=listed(_seat()),
        decisions=listed(_decision()),
        luck=listed(keys(Swing, "seat", "line", "what", "amount", "own")),
        course=listed(keys(Level, "seat", "before", "after", decision=WHOLE)),
    )


def _seat() -> Schema:
    policy = keys(Rated, "policy", "stderr", "decisions", "games", mean_error=NUMBER)
    rating = keys(nearest=TEXT, fits=listed(TEXT), policies=listed(policy))
    interval = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
    intervals: dict[str, Any] = dict.fromkeys(PARTS, interval)
    account: dict[str, Any] = keys(Account, "start", "skill", "result", "final")["properties"]
    return keys(
        SeatReview,
        *("seat", "policy", "decisions", "error", "error_low", "error_high", "worst"),
        mean_error=NUMBER,
        mean_error_low=NUMBER,
        mean_error_high=NUMBER,
        grades=keys(**_grades()),
        rating=maybe(rating),
        luck=keys(own_rolls=NUMBER, between=NUMBER),
        luck_adjusted=NUMBER,
        intervals=keys(**intervals),
        **account,
    )


def _grades() -> dict[str, Any]:
    return dict.fromkeys(GRADES, WHOLE)


def _decision() -> Schema:
    continuation = keys(Worth, "before", "after", "skill", action=TEXT)
    return keys(
        Graded,
        *("best", "error", "doubtful", "values", "why", "method", "games", "seed"),
        line=WHOLE,
        round=WHOLE,
        seat=WHOLE,
        position=TEXT,
        played=TEXT,
        grade=one_of(*GRADES),
        forced=SWITCH,
        continuation=continuation,
    )
