"""A game followed at a table as JSON: what lies there, what can be tapped, what has happened."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lama_odds.core.errors import ReadError

if TYPE_CHECKING:
    from lama_odds.analysis.coach.session import Session

MOST_MOVES = 200  # lines in words, the newest


def version_of(text: str) -> int:
    """Return a number that differs for every record; JavaScript can hold it."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


def shown(name: str, session: Session) -> dict[str, Any]:
    """Return a game as the page gets it, without news. name: its id."""
    from lama_odds.analysis.coach.choices import choices

    seat = session.seat()
    mine = seat == session.me
    actions = session.actions() if mine else []
    position = session.position() if mine and len(actions) > 1 else None
    return {
        "id": name,
        "rules": session.rules.id,
        "players": len(session.policies),
        "me": session.me,
        "version": version_of(session.text),
        "over": session.over,
        "awaits": _awaits(session, seat),
        "seat": seat,
        "position": None if position is None else position.format(),
        "table": _table(session, seat),
        "actions": actions,
        "choices": [choice.as_json() for choice in choices(session)],
        "scores": _scores(session),
        "moves": told(session, session.text.splitlines())[-MOST_MOVES:],
        "news": [],
        "prompt": _prompt(session, seat, actions),
        "final": None if session.now.final is None else list(session.now.final),
    }


def told(session: Session, lines: Sequence[str]) -> list[str]:
    """Return the last lines of a record in words."""
    from lama_odds.report.text.played_along.moves import moves_text

    return [text for _, text in moves_text(session.game, session.now, lines, session.me)]


def by_seats(error: ReadError, me: int) -> ReadError:
    """Return an error about a record with players as the page calls them."""
    from lama_odds.report.text.played_along.moves import by_players

    hints = [by_players(hint, me) for hint in error.hints]
    return ReadError(by_players(error.message, me), error.text, error.at, hints)


def _awaits(session: Session, seat: int | None) -> str | None:
    return session.awaited or (None if seat is None else "turn")


def _table(session: Session, seat: int | None) -> list[str]:
    """Return what lies on the table, as I know it, in lines."""
    from lama_odds.report.text.played_along.table import table_lines

    if seat is None:
        return []
    if session.seen:
        return table_lines(session.game, session.position(), session.me, seat)
    if session.live.seen_by is None:
        return []
    position = session.live.seen_by(session.record(), session.me)
    return table_lines(session.game, position, session.me, session.me)


def _prompt(session: Session, seat: int | None, actions: list[str]) -> str | None:
    """Return what is entered next, in words."""
    from lama_odds.report.text.played_along.moves import player
    from lama_odds.report.text.played_along.table import question_text

    if session.awaited is not None:
        return session.live.on_screen.prompts[session.awaited]
    if seat is None:
        return None
    if seat != session.me:
        return f"{player(seat, session.me, True)} to act"
    return question_text(session.game, session.rules, session.position(), actions, session.me)


def _scores(session: Session) -> list[int] | None:
    """Return the points of each seat now; None before there are any."""
    from lama_odds.games.shared.decisions import recorded_of

    record, recorded = session.now, recorded_of(session.game)
    if record.final is not None:
        return list(record.final)
    if recorded.turn_points is not None:
        return recorded.turn_points(session.text)[-1]
    state = record.rounds[-1] if record.rounds else None
    if state is not None and state.ended is None and hasattr(state, "scores"):
        return list(state.scores)
    lines = [line.split() for line in session.text.splitlines()]
    found = [words[1:] for words in lines if words and words[0] in recorded.standing]
    return [int(score) for score in found[-1]] if found else None
