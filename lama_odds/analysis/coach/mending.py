"""Mend a game followed at a table: its entries, one of them replaced, undo and redo."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from lama_odds.analysis.coach.session import Session, name_of, step_back
from lama_odds.core.errors import ReadError
from lama_odds.core.language import say
from lama_odds.games.shared.decisions import is_turn
from lama_odds.games.shared.record import PENALTIES, STANDS

MOST_UNDONE = 500  # steps that redo can bring back


@dataclass(frozen=True)
class Entry:
    """Something that was entered: a line of the record.

    line: its place, from 0. seat: whose turn it is, None for a deal and other statements. entry:
    what to type for it.
    """

    line: int
    seat: int | None
    entry: str


def entries_of(session: Session) -> list[Entry]:
    """Return all entries of a game at a table, in order."""
    prompts = {*session.live.on_screen.prompts, STANDS}
    if not session.sees_one:
        prompts.discard(PENALTIES)
    entries = []
    for at, line in enumerate(session.text.splitlines()):
        if is_turn(line):
            seat, *words = line.split()
            ends = (at for at, word in enumerate(words) if at and word in session.live.by_itself)
            words = words[: next(ends, None)]
            entries.append(Entry(at, int(seat), " ".join(words)))
        elif name_of(line) in prompts:
            entries.append(Entry(at, None, line))
    return entries


def before_entry(session: Session, index: int) -> Session:
    """Return the game as it was before an entry; raise ReadError if there is none of this index."""
    entries = entries_of(session)
    if not 0 <= index < len(entries):
        raise ReadError(
            say(
                "there is no entry {index}: they count from 0 to {last}",
                index=index,
                last=len(entries) - 1,
            )
        )
    return session.at(session.text.splitlines()[: entries[index].line])


def mend(session: Session, index: int, entry: str) -> tuple[list[Entry], str]:
    """Replace an entry and carry out again what followed, as far as that is possible.

    Returns the entries that are dropped, from the first that cannot stay, and why it cannot.
    Raises ReadError if the new entry is impossible, and leaves all as it was.
    """
    trial = before_entry(session, index)
    trial.enter(entry)
    trial.advance()
    later = entries_of(session)[index + 1 :]
    dropped: list[Entry] = []
    why = ""
    for at, next_entry in enumerate(later):
        try:
            _enter_again(trial, next_entry)
        except ReadError as error:
            dropped, why = later[at:], error.message
            break
    session.text = trial.text
    return dropped, why


def _enter_again(session: Session, entry: Entry) -> None:
    """Carry out an entry of the same seat as before; raise ReadError if that cannot be."""
    awaited, seat, name = session.awaited, session.seat(), name_of(entry.entry)
    if session.over:
        raise ReadError(say("the game is over"))
    if awaited != (None if entry.seat is not None or name == STANDS else name):
        first = say("{entry} comes first", entry=awaited)
        raise ReadError(first if awaited else say("the round is not over"))
    if seat != entry.seat and name != STANDS:
        raise ReadError(say("{player} is to act", player=say("seat {seat}", seat=seat)))
    session.enter(entry.entry)
    session.advance()


def version_of(text: str) -> int:
    """Return a number that differs for every record; JavaScript can hold it."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


@dataclass(frozen=True)
class Change:
    """How one text becomes another: what stays of its beginning, and the rest."""

    stays: int
    rest: str

    @classmethod
    def between(cls, text: str, other: str) -> Change:
        """Return the change from a text to another."""
        pairs = zip(text, other, strict=False)
        stays = next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(text), len(other)))
        return cls(stays, other[stays:])

    def of(self, text: str) -> str:
        """Return what a text becomes."""
        return text[: self.stays] + self.rest


@dataclass
class Past:
    """What undo and redo need to know of a game besides its record.

    mends: by the version that a mend made, the change back. undone: steps that were taken back, the
    last one last: the version that this left, the change back, and whether it was a mend.
    """

    mends: dict[int, Change] = field(default_factory=dict)
    undone: list[tuple[int, Change, bool]] = field(default_factory=list)

    def can_redo(self, text: str) -> bool:
        """Whether a step was taken back that led from here."""
        return bool(self.undone) and self.undone[-1][0] == version_of(text)

    def entered(self) -> None:
        """Note that something was entered: what was undone before cannot come back."""
        self.undone.clear()

    def mended(self, before: str, after: str) -> None:
        """Note a mend."""
        self.entered()
        if before != after:
            self.mends[version_of(after)] = Change.between(after, before)

    def undo(self, session: Session) -> None:
        """Take back the last entry, or a whole mend; raise ReadError if there is none."""
        before = session.text
        back = self.mends.pop(version_of(before), None)
        if back is None:
            step_back(session)
        else:
            session.text = _readable(session, back.of(before))
        again = Change.between(session.text, before)
        self.undone.append((version_of(session.text), again, back is not None))
        del self.undone[:-MOST_UNDONE]

    def redo(self, session: Session) -> None:
        """Bring back what was undone last; raise ReadError if there is nothing."""
        before = session.text
        if not self.can_redo(before):
            raise ReadError(say("nothing can be brought back: nothing was undone"))
        _, change, mend = self.undone.pop()
        session.text = _readable(session, change.of(before))
        if mend:
            self.mends[version_of(session.text)] = Change.between(session.text, before)

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "mends": [[v, change.stays, change.rest] for v, change in self.mends.items()],
            "undone": [[v, change.stays, change.rest, mend] for v, change, mend in self.undone],
        }

    @classmethod
    def from_json(cls, content: Any) -> Past:
        """Return what `to_json` gave; raise ValueError, TypeError or KeyError for anything else."""
        mends = {int(v): Change(int(stays), str(rest)) for v, stays, rest in content["mends"]}
        undone = [
            (int(v), Change(int(stays), str(rest)), mend is True)
            for v, stays, rest, mend in content["undone"]
        ]
        return cls(mends, undone)


def _readable(session: Session, text: str) -> str:
    """Return the text of a game, which can be read; raise ReadError otherwise."""
    return Session(session.game, session.rules, text).text
