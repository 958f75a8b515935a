"""Defects of a position that all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lama_odds.core.errors import Defect, ImpossibleError, NothingToDecideError


def check_decision(defects: Sequence[str], endings: Sequence[str]) -> None:
    """Raise ImpossibleError with all defects, or NothingToDecideError if play has ended.

    defects: everything that makes the position impossible. endings: ways in which play has ended
    there, any of which is enough: what ends a turn or a round happens before the next decision.
    """
    if len(defects) == 1 and defects[0] in endings:
        raise NothingToDecideError("this position", defects)
    if defects:
        raise ImpossibleError("this position", defects)


def defects_of_players(rules: Any, position: Any, endless_scores: bool = False) -> list[str]:
    """Return too few or too many players, an unknown starter, and impossible scores.

    endless_scores: whether a score can pass the target before the end of a round.
    """
    found: list[str] = []
    players = position.players
    if players not in rules.players:
        found.append(
            Defect(
                f"{players} players; {rules.id} is for {rules.players[0]} to {rules.players[-1]}"
            )
        )
    if position.first is not None and not 0 <= position.first < players:
        said = f"first={position.first}, but the seats are 0 to {players - 1}"
        found.append(Defect(said, "first"))
    if position.scores is not None:
        if len(position.scores) != players:
            found.append(Defect(f"{len(position.scores)} scores for {players} players", "scores"))
        for score in position.scores:
            if score < 0:
                found.append(Defect(f"a negative score ({score})", "scores"))
            elif score >= rules.target and not endless_scores:
                said = f"a score of {score}: the game ends at {rules.target}"
                found.append(Defect(said, "scores"))
    return found
