"""What sampled values of an advice rest on, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lama_odds.analysis.advice.rollouts import Rollouts
from lama_odds.core.language import later, say
from lama_odds.core.wording import size_with_error
from lama_odds.games.interface.best import response_to

if TYPE_CHECKING:
    from lama_odds.analysis.advice.advise import Question

# What intervals leave out where cards are hidden.
OPEN_CARDS = later("all actions share {shared}; the intervals are anytime-valid")
LUCK_ONLY = later(
    "all actions share {shared}; the intervals are anytime-valid; sampling error only: no "
    "inference from play about hidden cards"
)
AS_INFERRED = later(
    "all actions share {shared}; the intervals are anytime-valid; sampling error only: what play "
    "shows of hidden cards depends on the model"
)


def assumptions_of(
    question: Question, played: Rollouts, limit: str, inferred: bool
) -> tuple[str, ...]:
    """What sampled values rest on.

    limit: why they are sampled, where like ones are solved. inferred: whether hidden cards are.
    """
    hidden = (AS_INFERRED if inferred else LUCK_ONLY) if question.game.hidden_cards else OPEN_CARDS
    return (
        _played_on(question),
        *_beaten_by(question),
        *([] if question.starting is None else [question.starting.averaged]),
        *([limit] if limit else []),
        *played.notes,
        say(hidden, shared=say(question.game.shared)),
        repeats(played.games)
        if played.repeated
        else say("stopped by the clock during preparations: no --games repeats this answer"),
    )


def _played_on(question: Question) -> str:
    """The policies that play on after an action, and how far."""
    mine, theirs = (policy.name for policy in question.policies[:2])
    if not question.counts.whole_game:
        return say(
            "after this action you play {mine}, the others {theirs}, to the end of the round",
            mine=mine,
            theirs=theirs,
        )
    if question.table is None:
        return say(
            "after this action you play {mine}, the others {theirs}, to the end of the game",
            mine=mine,
            theirs=theirs,
        )
    return say(
        "after this action you play {mine}, the others {theirs}, to the end of the round; the "
        "scores it leaves are valued by {table}",
        mine=mine,
        theirs=theirs,
        table=question.table.said,
    )


def _beaten_by(question: Question) -> list[str]:
    """How much better than the others somebody plays who thinks ahead, where that was measured."""
    others = {policy.name for policy in question.policies[1:]}
    if len(others) > 1:
        return []
    players = len(question.policies)
    found = response_to(others.pop(), question.rules.id, players, question.objective)
    if found is None or found.low <= 0:
        return []
    return [
        say(
            "against such players, one who thinks one step ahead wins {gain} percentage points "
            "more often than one of them: they are strong, not perfect",
            gain=size_with_error(found, 100),
        )
    ]


def repeats(games: int) -> str:
    """Return the note that names the games which repeat an answer."""
    return say("--games {games} repeats this answer", games=games)
