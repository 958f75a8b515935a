"""What the tab to train asks: the next position, and the answer to one.

The answers so far are in the file of `lama-odds train`. A page without a server keeps the text of
that file itself: it comes with each question, and the line of an answer goes back.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lama_odds.core.errors import LimitError, ReadError, near_names
from lama_odds.core.language import say, say_count

if TYPE_CHECKING:
    from lama_odds.analysis.coach.training import Log


def next_of(log: Log, name: str, today: date) -> dict[str, Any]:
    """Return the next position of a game to train with, and how many are due."""
    from lama_odds.analysis.coach.training import due_now, upcoming
    from lama_odds.report.text.train import choices_of, question_lines, shown_action

    drill = next(upcoming(log.answers, name, name, today), None)
    if drill is None:
        raise LimitError(say("there are no more positions of {name} today", name=name))
    return {
        "id": drill.id,
        "rules": drill.rules,
        "position": drill.position,
        "lines": question_lines(drill),
        "choices": [
            {"action": action, "text": shown_action(drill, action)} for action in choices_of(drill)
        ],
        "due": len(due_now(log.answers, name, today)),
        "notes": list(log.notes),
    }


def answer_in(log: Log, name: str, drill_id: str, action: str, today: date) -> dict[str, Any]:
    """Add an answer to a log, and return whether it was right, with the answer in words."""
    from lama_odds.analysis.coach.drills import why_not
    from lama_odds.analysis.coach.training import upcoming
    from lama_odds.report.text.train import verdict_lines

    every = upcoming(log.answers, name, name, today)
    drill = next((candidate for candidate in every if candidate.id == drill_id), None)
    if drill is None:
        raise ReadError(say("{position} is not a position to train with", position=repr(drill_id)))
    actions = [choice.action for choice in drill.choices]
    if action and action not in actions:
        message = say("{action} cannot be done here", action=repr(action))
        raise ReadError(message, action, 0, near_names(action, actions))
    right = log.note(drill, action, today)
    return {
        "right": right,
        "best": drill.best,
        "lines": verdict_lines(drill, action, why_not(drill, action)),
    }


def check_game(name: str) -> None:
    """Raise ReadError for the name of no game."""
    from lama_odds.games.registry import names

    if name not in names():
        message = say("unknown game {name}", name=repr(name))
        raise ReadError(message, name, 0, near_names(name, names()))


# The same for a page that keeps the answers itself.


def next_with(name: str, log: str, day: str) -> dict[str, Any]:
    """Return the same as `next_of`. log: the text of the answers; day: today, as 2026-11-29."""
    check_game(name)
    return next_of(_carried(log), name, date.fromisoformat(day))


def answer_with(name: str, log: str, day: str, drill_id: str, action: str) -> dict[str, Any]:
    """Return the same as `answer_in`, and the ``line`` that belongs at the end of the answers."""
    check_game(name)
    carried = _carried(log)
    reply = answer_in(carried, name, drill_id, action, date.fromisoformat(day))
    return {**reply, "line": carried.answers[-1].line()}


def _carried(text: str) -> Log:
    """The answers of a text, in a log that is written nowhere."""
    from lama_odds.analysis.coach.training import Answered, Log, answered_in

    class Carried(Log):
        def add(self, answer: Answered) -> None:
            self.answers.append(answer)

    answers, damaged = [], 0
    for line in text.splitlines()[1:]:
        try:
            answers.append(answered_in(line))
        except ValueError:
            damaged += bool(line.strip())
    left_out = say_count(
        "{n} line of your earlier answers cannot be read, and is left out",
        "{n} lines of your earlier answers cannot be read, and are left out",
        damaged,
    )
    return Carried(Path(), answers, (left_out,) if damaged else ())
