"""Where in a game a decision was: round 2, your 3rd turn, 2nd decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lama_odds.core.language import say
from lama_odds.core.plain import Plain
from lama_odds.core.wording import ordinal
from lama_odds.games.shared.decisions import Decision


@dataclass(frozen=True)
class Where(Plain):
    """A place in a game: the round, from 1, the player's turn in it, from 1, and both in words.

    round: None in a game without rounds; turns are counted in the whole game then.
    """

    KEYS = "round turn text"

    round: int | None
    turn: int
    text: str


NOWHERE = Where(None, 0, "")


def places_of(
    decisions: Sequence[Decision], free: Sequence[bool], rounds: bool, you: int | None
) -> Iterator[Where]:
    """Yield the place of each decision.

    decisions: all of some players, in order. free: whether each has a choice; of several in a turn
    only these are numbered. rounds: whether the game has rounds. you: your seat, if one is yours.
    """
    several = Counter(d.turn for d, one in zip(decisions, free, strict=True) if one)
    turns: dict[tuple[int, int], list[int]] = {}
    before: Counter[int] = Counter()
    for decision, one in zip(decisions, free, strict=True):
        round_ = decision.round if rounds else 0
        played = turns.setdefault((decision.seat, round_), [])
        if decision.turn not in played[-1:]:
            played.append(decision.turn)
        before[decision.turn] += one
        at = before[decision.turn] if one and several[decision.turn] > 1 else 0
        text = _in_words(decision.seat, len(played), decision.seat == you, at)
        if rounds:
            text = say("round {round}, {place}", round=round_ + 1, place=text)
        yield Where(round_ + 1 if rounds else None, len(played), text)


def _in_words(seat: int, turn: int, yours: bool, decision: int) -> str:
    """A turn of a player in words. decision: its number, if the turn has several."""
    if yours:
        text = say("your {nth} turn", nth=ordinal(turn))
    else:
        text = say("player {player}'s {nth} turn", player=seat + 1, nth=ordinal(turn))
    if not decision:
        return text
    return say("{turn}, {nth} decision", turn=text, nth=ordinal(decision))
