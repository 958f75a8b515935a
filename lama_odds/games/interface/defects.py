"""Defects of a position that all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lama_odds.core.errors import Defect, ImpossibleError, NothingToDecideError
from lama_odds.core.language import say


def check_decision(defects: Sequence[str], endings: Sequence[str]) -> None:
    """Raise ImpossibleError with all defects, or NothingToDecideError if play has ended.

    defects: everything that makes the position impossible. endings: ways in which play has ended
    there, any of which is enough: what ends a turn or a round happens before the next decision.
    """
    if len(defects) == 1 and defects[0] in endings:
        raise NothingToDecideError(say("this position"), defects)
    if defects:
        raise ImpossibleError(say("this position"), defects)


def too_many_in_sight(cards: int, card: str, there: int) -> str:
    """Return that more cards of a kind are in sight than there are."""
    return say(
        "{cards} cards {card} in sight, but the game has {there}",
        cards=cards,
        card=card,
        there=there,
    )


def defects_of_players(rules: Any, position: Any, endless_scores: bool = False) -> list[str]:
    """Return too few or too many players, an unknown starter, and impossible scores.

    endless_scores: whether a score can pass the target before the end of a round.
    """
    defects: list[str] = []
    players = position.players
    if players not in rules.players:
        defects.append(
            Defect(
                say(
                    "{players} players; {rules} is for {first} to {last}",
                    players=players,
                    rules=rules.id,
                    first=rules.players[0],
                    last=rules.players[-1],
                )
            )
        )
    if position.first is not None and not 0 <= position.first < players:
        sentence = say(
            "first={first}, but the seats are 0 to {last}", first=position.first, last=players - 1
        )
        defects.append(Defect(sentence, "first"))
    if position.scores is not None:
        if len(position.scores) != players:
            sentence = say(
                "{scores} scores for {players} players",
                scores=len(position.scores),
                players=players,
            )
            defects.append(Defect(sentence, "scores"))
        for score in position.scores:
            if score < 0:
                defects.append(Defect(say("a negative score ({score})", score=score), "scores"))
            elif score >= rules.target and not endless_scores:
                sentence = say(
                    "a score of {score}: the game ends at {target}",
                    score=score,
                    target=rules.target,
                )
                defects.append(Defect(sentence, "scores"))
    return defects
