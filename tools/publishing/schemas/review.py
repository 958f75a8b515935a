"""The schema of a review."""

from __future__ import annotations

from typing import Any

from lama_odds.analysis.coach.grades import GRADES, Graded, Where, Worth
from lama_odds.analysis.coach.history import (
    Block,
    Costly,
    GameOfPlayer,
    History,
    Kind,
    Player,
    Skipped,
    Trend,
)
from lama_odds.analysis.coach.luck import Account, Level, Swing
from lama_odds.analysis.coach.review import Review, SeatReview
from tools.publishing.schemas.parts import (
    NUMBER,
    WHOLE,
    Schema,
    answer,
    keys,
    listed,
    maybe,
    named,
    one_of,
)

GRADE = one_of(*GRADES)
PARTS = ("start", "own_rolls", "between", "skill", "result", "luck_adjusted")


def review_schema() -> Schema:
    """Seats with their accounts, decisions with their grades, lucky and unlucky events."""
    return keys(
        Review,
        *("rules", "players", "objective", "opponents", "games", "seed", "seconds"),
        *("assumptions", "version", "you", "worse_than", "unseen"),
        method=one_of("exact", "simulation"),
        borders=named(NUMBER),
        seats=listed(_seat()),
        decisions=listed(_decision()),
        luck=listed(answer(Swing)),
        course=listed(answer(Level)),
    )


def history_schema() -> Schema:
    """Games, totals of players, and files that were skipped."""
    costly = answer(Costly, where=answer(Where), grade=GRADE)
    trend = answer(Trend, blocks=listed(answer(Block)))
    grades = keys(**dict.fromkeys(GRADES, WHOLE))  # type: ignore[arg-type]
    player = answer(
        Player,
        grades=grades,
        worst=listed(costly),
        kinds=listed(answer(Kind)),
        trend=maybe(trend),
    )
    return answer(
        History,
        games=listed(answer(GameOfPlayer, grades=grades)),
        players=listed(player),
        skipped=listed(answer(Skipped)),
    )


def reviews_schema() -> Schema:
    """The review of one game, or that of several."""
    return {"anyOf": [review_schema(), history_schema()]}


def _seat() -> Schema:
    interval = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
    intervals: dict[str, Any] = dict.fromkeys(PARTS, interval)
    luck = keys(own_rolls=NUMBER, between=NUMBER)
    grades: dict[str, Any] = dict.fromkeys(GRADES, WHOLE)
    own: dict[str, Any] = answer(SeatReview, grades=keys(**grades))["properties"]
    account: dict[str, Any] = answer(Account, luck=luck)["properties"]
    return keys(**own, **account, intervals=keys(**intervals))


def _decision() -> Schema:
    own: dict[str, Any] = answer(Graded, grade=GRADE, where=answer(Where))["properties"]
    return keys(**own, continuation=answer(Worth))
