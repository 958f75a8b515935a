"""Games followed at a table: each is a file of the folder that `lama-odds play` uses too.

An entry is on disk before it is answered. A game is read again whenever its file has changed, so
that the page and `lama-odds play --resume` can take turns.
"""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from lama_odds.api.asked import stored_of
from lama_odds.core.checks import check_players, check_text, check_whole
from lama_odds.core.errors import NothingToDecideError, ReadError
from lama_odds.web.table_files import NoGameError, TableFiles, begun_now
from lama_odds.web.table_shown import by_seats, shown, told, version_of

if TYPE_CHECKING:
    from lama_odds.analysis.coach.session import Session
    from lama_odds.core.progress import StageProgress

MOST_OPEN = 32  # games kept in memory
MOST_ENTRY = 200  # characters
MOST_PARTS = 8  # entries in one, with `;` between
REVIEW_GAMES = 2_000  # for each decision


class OldVersionError(Exception):
    """The game has changed since the version that was named."""


class _Open:
    """A game in memory, and its lock; `session` is None before it was read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.Lock()
        self.session: Session | None = None
        self.shown: dict[str, Any] | None = None  # as it was answered last


class Tables:
    """The games of a folder; any number of threads may use them.

    folder: default: the one that `lama-odds play` uses.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._files = TableFiles(folder)
        self._lock = threading.Lock()  # of the two below, and of new files
        self._by_name: WeakValueDictionary[str, _Open] = WeakValueDictionary()
        self._recent: OrderedDict[str, _Open] = OrderedDict()

    def begin(self, rules: str, players: int, me: int) -> dict[str, Any]:
        """Begin a game and return it. me: your seat; seat 0 starts the first round.

        Raises LamaOddsError for what cannot be followed, and for too many games.
        """
        from lama_odds.analysis.coach.session import Session

        game, rule_set = stored_of(rules)
        check_players(rule_set, players)
        check_whole(me, 0, players - 1, "me", needed=True)
        session = Session.begin(game, rule_set, players, me, None, 0)
        session.text += begun_now()
        news = session.advance()
        with self._lock:
            name = self._files.new(session.text)
        with self._open(name) as opened:
            return self._answer(opened, news)

    def games(self) -> list[dict[str, Any]]:
        """Return the newest games, the one changed last first."""
        return self._files.listed()

    def game(self, name: str) -> dict[str, Any]:
        """Return a game. Raises NoGameError for an unknown id, as all that follow do."""
        with self._open(name) as opened:
            return self._answer(opened, [])

    def record(self, name: str) -> str:
        """Return the record of a game."""
        with self._open(name) as opened:
            return _session(opened).text

    def enter(self, name: str, entry: str, version: int) -> dict[str, Any]:
        """Carry out what is entered and return the game.

        Raises OldVersionError if the game has another version, and LamaOddsError with the reason
        if the entry cannot be carried out; the game then stays as it was.
        """
        check_text(entry, "entry", needed=True)
        if len(entry) > MOST_ENTRY:
            raise ReadError(f"this entry has more than {MOST_ENTRY} characters")
        if entry.count(";") >= MOST_PARTS:
            raise ReadError(f"there are more than {MOST_PARTS} entries in one")

        def change(session: Session) -> list[str]:
            return [*session.enter(entry), *session.advance()]

        return self._changed(name, version, change)

    def undo(self, name: str, version: int) -> dict[str, Any]:
        """Take the last entry back and return the game; raises what `enter` raises."""

        def change(session: Session) -> list[str]:
            from lama_odds.analysis.coach.step_back import step_back

            step_back(session)
            return []

        return self._changed(name, version, change)

    def asked(self, name: str) -> Session:
        """Return a copy of a game at a decision of mine, for an advice.

        Raises NothingToDecideError if there is nothing to decide for me.
        """
        from lama_odds.analysis.coach.session import Session

        with self._open(name) as opened:
            kept = _session(opened)
            session = Session(kept.game, kept.rules, kept.text)
        if session.seat() != session.me or len(session.actions()) < 2:
            raise NothingToDecideError("this game", ["it is not your turn to choose"])
        return session

    def review(
        self,
        name: str,
        progress: StageProgress | None = None,
        games: int = REVIEW_GAMES,
        threads: int | None = None,
    ) -> Any:
        """Return the review of a game as JSON, finished or not.

        games: for each decision that is sampled. progress: called with the share done.
        """
        from lama_odds.api.positions import review

        record = self.record(name)
        return review(record, games=games, threads=threads, progress=progress).to_json()

    def _changed(
        self, name: str, version: int, change: Callable[[Session], list[str]]
    ) -> dict[str, Any]:
        with self._open(name) as opened:
            session = _session(opened)
            before = session.text
            if isinstance(version, bool) or version != version_of(before):
                raise OldVersionError(name)
            try:
                news = change(session)
                self._files.write(name, session.text)
            except BaseException as error:
                session.text = before
                if isinstance(error, ReadError):
                    raise by_seats(error, session.me) from None
                raise
            return self._answer(opened, news)

    def _answer(self, opened: _Open, news: list[str]) -> dict[str, Any]:
        """Return a game, which is computed once for each of its versions."""
        session = _session(opened)
        if opened.shown is None or opened.shown["version"] != version_of(session.text):
            opened.shown = shown(opened.name, session)
        return {**opened.shown, "news": told(session, news)}

    @contextlib.contextmanager
    def _open(self, name: str) -> Iterator[_Open]:
        """Hold a game's lock, with the game as its file is now."""
        self._files.read(name)  # so that only ids of games are remembered
        with self._lock:
            opened = self._by_name.get(name)
            if opened is None:
                opened = self._by_name[name] = _Open(name)
        with opened.lock:
            _refresh(opened, self._files.read(name))
            with self._lock:
                self._recent[name] = opened
                self._recent.move_to_end(name)
                while len(self._recent) > MOST_OPEN:
                    self._recent.popitem(last=False)
            yield opened


def _session(opened: _Open) -> Session:
    assert opened.session is not None
    return opened.session


def _refresh(opened: _Open, text: str) -> None:
    """Read a game again if its file has changed; raise NoGameError if it is of no table."""
    from lama_odds.analysis.coach.session import Session
    from lama_odds.games.shared.decisions import rules_named

    if opened.session is not None and opened.session.text == text:
        return
    game, rule_set = stored_of(rules_named(text))
    session = Session(game, rule_set, text)
    if not session.table:
        raise NoGameError(opened.name)
    session.advance()
    opened.session = session
