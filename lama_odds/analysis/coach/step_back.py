"""Take one step of a turn back, where a turn is entered in several steps."""

from __future__ import annotations

from collections.abc import Sequence

from lama_odds.analysis.coach.session import Session
from lama_odds.games.shared.decisions import is_turn, recorded_of


def step_back(session: Session) -> None:
    """Take the last step at a table back, and all that followed by itself.

    `Session.undo` may take a whole turn back. Then its earlier steps are kept, unless the step
    taken back would follow from them by itself. Raises ReadError if nothing was entered.
    """
    before = session.text
    session.undo()
    kept, lines = session.text.splitlines(), before.splitlines()
    words = lines[len(kept)].split() if len(kept) < len(lines) else []
    verbs = recorded_of(session.game).verbs
    steps = [at for at, word in enumerate(words) if word in verbs]
    if len(steps) > 1 and is_turn(lines[len(kept)]):
        earlier = _settled(session, [*kept, " ".join(words[: steps[-1]])])
        if earlier != before:
            session.text = earlier
    session.advance()


def _settled(session: Session, lines: Sequence[str]) -> str:
    """Return a record with what follows by itself."""
    again = Session(session.game, session.rules, "\n".join(lines) + "\n")
    again.advance()
    return again.text
