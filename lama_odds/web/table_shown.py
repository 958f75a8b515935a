"""A game followed at a table as JSON: what lies there, what can be tapped, what has happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lama_odds.core.errors import ReadError
from lama_odds.core.language import say

if TYPE_CHECKING:
    from lama_odds.analysis.coach.mending import Entry
    from lama_odds.analysis.coach.session import Session

MOST_MOVES = 200  # lines in words, the newest


def shown(name: str, session: Session) -> dict[str, Any]:
    """Return a game as the page gets it, without what the last change adds. name: its id."""
    from lama_odds.analysis.coach.choices import choices
    from lama_odds.analysis.coach.mending import version_of

    seat = session.seat()
    mine = seat == session.me
    actions = session.actions() if mine else []
    position = session.position() if mine and len(actions) > 1 else None
    return {
        "id": name,
        "rules": session.rules.id,
        "players": len(session.policies),
        "me": session.me,
        "names": _names(session),
        "version": version_of(session.text),
        "over": session.over,
        "awaits": session.awaited or (None if seat is None else "turn"),
        "seat": seat,
        "position": None if position is None else position.format(),
        "table": _table(session, seat),
        "lies": _lies(session, seat),
        "actions": actions,
        "choices": [choice.as_json() for choice in choices(session)],
        "scores": _scores(session),
        "moves": told(session, session.text.splitlines())[-MOST_MOVES:],
        "entries": _entries(session)[-MOST_MOVES:],
        "prompt": _prompt(session, seat, actions),
        "final": None if session.now.final is None else list(session.now.final),
    }


def told(session: Session, lines: Sequence[str]) -> list[str]:
    """Return the last lines of a record in words."""
    from lama_odds.report.text.moves import moves_text

    return [text for _, text in moves_text(session.game, session.now, lines, session.me)]


def by_seats(error: ReadError, session: Session) -> ReadError:
    """Return an error about a record with players as the page calls them."""
    return ReadError(
        by_players_of(session, error.message),
        error.text,
        error.at,
        [by_players_of(session, hint) for hint in error.hints],
    )


def by_players_of(session: Session, text: str) -> str:
    """Return a message about a record with players as the page calls them."""
    from lama_odds.report.text.moves import by_players

    return by_players(text, session.me, session.now.names)


def _names(session: Session) -> list[str | None]:
    """Return the names of the players, None without one."""
    from lama_odds.games.shared.record import NO_NAME

    names = session.now.names or (NO_NAME,) * len(session.policies)
    return [None if name == NO_NAME else name for name in names]


def _entries(session: Session) -> list[dict[str, Any]]:
    """Return what was entered, each with its place among all."""
    from lama_odds.analysis.coach.mending import entries_of

    return [
        {"index": at, "seat": entry.seat, "text": entry_text(session, entry), "entry": entry.entry}
        for at, entry in enumerate(entries_of(session))
    ]


def entry_text(session: Session, entry: Entry) -> str:
    """Return an entry in words."""
    line = entry.entry if entry.seat is None else f"{entry.seat} {entry.entry}"
    return entry.entry if entry.seat is None else told(session, [line])[0]


def _table(session: Session, seat: int | None) -> list[str]:
    """Return what lies on the table, as I know it, in lines."""
    from lama_odds.report.text.moves import table_lines

    if seat is None:
        return []
    names = session.now.names
    if session.seen:
        return table_lines(session.game, session.position(), session.me, seat, names)
    if session.live.seen_by is None:
        return []
    position = session.live.seen_by(session.record(), session.me)
    return table_lines(session.game, position, session.me, session.me, names)


def _lies(session: Session, seat: int | None) -> dict[str, Any] | None:
    """Return what lies on the table as I know it: a position, and the seat whose position it is."""
    if seat is None:
        return None
    if session.live.seen_by is not None:
        position = session.live.seen_by(session.record(), session.me)
        return {"position": position.format(), "seat": session.me}
    return {"position": session.position().format(), "seat": seat} if session.seen else None


def _prompt(session: Session, seat: int | None, actions: list[str]) -> str | None:
    """Return what is entered next, in words."""
    from lama_odds.report.text.moves import player, question_text

    if session.awaited is not None:
        return say(session.live.on_screen.prompts[session.awaited])
    if seat is None:
        return None
    if seat != session.me:
        return say("{player} to act", player=player(seat, session.me, True, session.now.names))
    return question_text(session.game, session.rules, session.position(), actions, session.me)


def _scores(session: Session) -> list[int] | None:
    """Return the points of each seat now; None before there are any."""
    from lama_odds.games.shared.decisions import recorded_of

    record, recorded = session.now, recorded_of(session.game)
    if record.final is not None:
        return list(record.final)
    if record.state is not None:
        return [*record.state.points]
    state = record.rounds[-1] if record.rounds else None
    if state is not None and state.ended is None and hasattr(state, "scores"):
        return list(state.scores)
    lines = [line.split() for line in session.text.splitlines()]
    standings = [words[1:] for words in lines if words and words[0] in recorded.standing]
    return [int(score) for score in standings[-1]] if standings else None
