"""Games followed at a table: each is a file of the folder that `lama-odds play` uses too.

An entry is on disk before it is answered. A game is read again whenever its file has changed, so
that the page and `lama-odds play --resume` can take turns.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from lama_odds.api.asked import read_stored_rules
from lama_odds.api.positions import games_folder
from lama_odds.core.checks import check_players, check_text, check_whole
from lama_odds.core.errors import LamaOddsError, LimitError, NothingToDecideError, ReadError
from lama_odds.core.files import write_output
from lama_odds.core.language import language, later, say
from lama_odds.core.reading import read_json, read_text
from lama_odds.core.strict_json import to_json
from lama_odds.web.guard import RefusedError
from lama_odds.web.table_shown import by_players_of, by_seats, entry_text, shown, told

if TYPE_CHECKING:
    from lama_odds.analysis.coach.mending import Past
    from lama_odds.analysis.coach.session import Session, Start
    from lama_odds.core.progress import StageProgress


# The files of games followed at a table: in the folder of `lama-odds play`, named by their ids.

MOST_FILES = 500  # games begun by the page
MOST_LISTED = 50
MOST_TEXT = 100_000  # bytes of a record
MOST_PAST = 4_000_000  # bytes of what redo needs

_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)
_BEGUN = "# begun "


class NoGameError(RefusedError):
    """There is no such game."""

    def __init__(self) -> None:
        super().__init__(404, "there is no such game")


class TableFiles:
    """The files of a folder. An id is made here; no other text leads to a file."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = games_folder() if folder is None else folder

    def new(self, text: str) -> str:
        """Write a new file and return its id; LimitError if there are too many."""
        _written(lambda: self.folder.mkdir(parents=True, exist_ok=True))
        if sum(1 for _ in self._paths()) >= MOST_FILES:
            raise LimitError(
                say(
                    "there are {n} games already; delete old ones in the folder of games",
                    n=MOST_FILES,
                )
            )
        name = secrets.token_hex(8)
        while self.path(name).exists():
            name = secrets.token_hex(8)
        self.write(name, text)
        return name

    def write(self, name: str, text: str) -> None:
        """Write a game, whole; LimitError if it is too long or the disk refuses."""
        if len(text) > MOST_TEXT:
            raise LimitError(say("this game is too long to be followed here"))
        _written(lambda: write_output(self.path(name), text))

    def read(self, name: str) -> str:
        """Return the record of a game, without empty lines; NoGameError if there is none."""
        from lama_odds.games.shared.record import first_record

        try:
            text = first_record(read_text(self.path(name), MOST_TEXT, links=False))
        except (OSError, ValueError):
            raise NoGameError from None
        return "\n".join(line for line in text.splitlines() if line.strip()) + "\n"

    def past(self, name: str) -> Past:
        """Return what undo and redo know of a game; nothing if that cannot be read."""
        from lama_odds.analysis.coach.mending import Past

        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            return Past.from_json(read_json(self._past(name), MOST_PAST, links=False))
        return Past()

    def keep_past(self, name: str, past: Past) -> None:
        """Keep it in a file beside the game; LimitError if the disk refuses."""
        _written(lambda: write_output(self._past(name), to_json(past.to_json())))

    def forget_past(self, name: str) -> None:
        """Remove that file: there is nothing to know."""
        with contextlib.suppress(OSError):
            self._past(name).unlink()

    def listed(self) -> list[dict[str, Any]]:
        """Return what the newest games say of themselves, the one changed last first."""
        files = []
        for path in self._paths():
            with contextlib.suppress(OSError):
                files.append((path.stat().st_mtime_ns, path))
        files.sort(reverse=True)
        games = (_summary(path, changed / 1e9) for changed, path in files)
        return list(islice((game for game in games if game is not None), MOST_LISTED))

    def path(self, name: str) -> Path:
        """Return the file of a game; NoGameError for other names."""
        if not isinstance(name, str) or _ID.fullmatch(name) is None:
            raise NoGameError
        return self.folder / f"phone-{name}.txt"

    def _past(self, name: str) -> Path:
        return self.path(name).with_suffix(".past.json")

    def _paths(self) -> Iterator[Path]:
        return (p for p in self.folder.glob("phone-*.txt") if _ID.fullmatch(_name_of(p)))


def _name_of(path: Path) -> str:
    return path.stem.removeprefix("phone-")


def _written(write: Callable[[], object]) -> None:
    """Write a file; raise LimitError, which names no path, if that is impossible."""
    try:
        write()
    except OSError as error:
        raise LimitError(
            say("the game cannot be kept on disk: {why}", why=error.strerror)
        ) from None


def _summary(path: Path, changed: float) -> dict[str, Any] | None:
    """Return a game of the list, from the text of its record; None if it is not one."""
    from lama_odds.games.shared.decisions import is_turn, rules_named

    with contextlib.suppress(OSError, ValueError, LamaOddsError):
        lines = read_text(path, MOST_TEXT, links=False).splitlines()
        words = {line.split()[0]: line.split()[1:] for line in lines if line.strip()}
        begun = datetime.fromtimestamp(changed)
        for line in lines:
            if line.startswith(_BEGUN):
                with contextlib.suppress(ValueError):
                    begun = datetime.fromisoformat(line.removeprefix(_BEGUN))
        return {
            "id": _name_of(path),
            "rules": rules_named("\n".join(lines)),
            "players": len(words.get("policies", [])),
            "me": words.get("policies", []).index("me"),
            "over": "final" in words,
            "begun": begun.isoformat(timespec="seconds"),
            "turns": sum(is_turn(line) for line in lines),
        }
    return None


MOST_OPEN = 32  # games kept in memory
MOST_ENTRY = 1_000  # characters: a position of six grids fits
MOST_PARTS = 8  # entries in one, with `;` between
REVIEW_GAMES = 2_000  # for each decision


Changed = dict[str, Any]  # what the answer to a change says besides the game
NO_CHANGE: Changed = {"news": [], "dropped": []}


class OldVersionError(RefusedError):
    """The game has changed since the version that was named."""

    def __init__(self) -> None:
        super().__init__(409, "the game has changed meanwhile")


class _Open:
    """A game in memory, and its lock; `session` is None before it was read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.Lock()
        self.session: Session | None = None
        self.shown: dict[str, dict[str, Any]] = {}  # as it was answered last, by language


class Tables:
    """The games of a folder; any number of threads may use them.

    folder: default: the one that `lama-odds play` uses.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._files = TableFiles(folder)
        self._lock = threading.Lock()  # of the two below, and of new files
        self._by_name: WeakValueDictionary[str, _Open] = WeakValueDictionary()
        self._recent: OrderedDict[str, _Open] = OrderedDict()

    def begin(
        self,
        rules: str,
        players: int,
        me: int,
        names: Any = None,
        scores: Any = None,
        first: Any = None,
    ) -> dict[str, Any]:
        """Begin a game and return it. me: your seat; seat 0 starts the first round.

        names: of the players by seat, None for none. scores: by seat, of a game that is joined
        under way (No Prob-Lama: llamas). first: the seat that starts then. Raises LamaOddsError for
        what cannot be followed, and for too many games.
        """
        from lama_odds.analysis.coach.session import Session

        game, rule_set = read_stored_rules(rules)
        check_players(rule_set, players)
        check_whole(me, 0, players - 1, "me", needed=True)
        start = _start_of(players, me, names, scores, first)
        session = Session.begin(game, rule_set, players, me, None, 0, start)
        at = session.text.index("\n", session.text.index("\nluck ") + 1) + 1
        now = datetime.now().isoformat(timespec="seconds")
        session.text = f"{session.text[:at]}{_BEGUN}{now}\n{session.text[at:]}"
        news = session.advance()
        with self._lock:
            name = self._files.new(session.text)
        with self._open(name) as opened:
            return self._answer(opened, {"news": told(_session(opened), news)})

    def games(self) -> list[dict[str, Any]]:
        """Return the newest games, the one changed last first."""
        return self._files.listed()

    def game(self, name: str) -> dict[str, Any]:
        """Return a game. Raises NoGameError for an unknown id, as all that follow do."""
        with self._open(name) as opened:
            return self._answer(opened, {})

    def record(self, name: str) -> str:
        """Return the record of a game."""
        with self._open(name) as opened:
            return _session(opened).text

    def enter(self, name: str, entry: str, version: int) -> dict[str, Any]:
        """Carry out what is entered and return the game.

        Raises OldVersionError if the game has another version, and LamaOddsError with the reason
        if the entry cannot be carried out; the game then stays as it was.
        """
        _check_entry(entry)

        def change(session: Session, past: Past) -> Changed:
            past.entered()
            return {"news": told(session, [*session.enter(entry), *session.advance()])}

        return self._changed(name, version, change)

    def undo(self, name: str, version: int) -> dict[str, Any]:
        """Take the last entry, or a whole mend, back and return the game.

        Raises what `enter` raises.
        """
        return self._changed(name, version, lambda session, past: past.undo(session))

    def redo(self, name: str, version: int) -> dict[str, Any]:
        """Bring back what was undone last and return the game; raises what `enter` raises."""
        return self._changed(name, version, lambda session, past: past.redo(session))

    def mend(self, name: str, index: int, entry: str, version: int) -> dict[str, Any]:
        """Replace an entry and return the game, with what had to be dropped.

        Raises what `enter` raises.
        """
        _check_entry(entry)
        check_whole(index, 0, MOST_TEXT, "index", needed=True)

        def change(session: Session, past: Past) -> Changed:
            from lama_odds.analysis.coach.mending import mend

            before = session.text
            dropped, why = mend(session, index, entry)
            past.mended(before, session.text)
            why = by_players_of(session, why)
            lost = [{"text": entry_text(session, removed), "why": why} for removed in dropped]
            return {"dropped": lost}

        return self._changed(name, version, change)

    def before(self, name: str, index: int, begun: str = "") -> dict[str, Any]:
        """Return a game as it was before an entry; begun: carried out there, for what follows."""
        from lama_odds.analysis.coach.mending import before_entry

        if begun:
            _check_entry(begun)
        with self._open(name) as opened:
            kept = _session(opened)
            try:
                session = before_entry(kept, index)
                if begun:
                    session.enter(begun)
                    session.advance()
            except ReadError as error:
                raise by_seats(error, kept) from None
            return {**shown(name, session), **NO_CHANGE, "redo": False}

    def asked(self, name: str) -> Session:
        """Return a copy of a game at a decision of mine, for an advice.

        Raises NothingToDecideError if there is nothing to decide for me.
        """
        from lama_odds.analysis.coach.session import Session

        with self._open(name) as opened:
            kept = _session(opened)
            session = Session(kept.game, kept.rules, kept.text)
        if session.seat() != session.me or len(session.actions()) < 2:
            raise NothingToDecideError("this game", [say("it is not your turn to choose")])
        return session

    def review(
        self,
        name: str,
        progress: StageProgress | None = None,
        games: int = REVIEW_GAMES,
        threads: int | None = None,
    ) -> Any:
        """Return the review of a game as JSON, finished or not.

        games: for each decision that is sampled. progress: called with the share done. Finished
        decisions are kept beside the game, so that a review that was left resumes.
        """
        from lama_odds.api.reviewing import review_beside

        record, path = self.record(name), self._files.path(name)
        return review_beside(record, path, games, threads, progress).to_json()

    def _changed(
        self, name: str, version: int, change: Callable[[Session, Past], Changed | None]
    ) -> dict[str, Any]:
        from lama_odds.analysis.coach.mending import version_of

        with self._open(name) as opened:
            session, past = _session(opened), self._files.past(name)
            before, known = session.text, past.to_json()
            if isinstance(version, bool) or version != version_of(before):
                raise OldVersionError
            try:
                changed = change(session, past)
                keeps = past.to_json()
                if keeps != known and any(keeps.values()):
                    self._files.keep_past(name, past)
                self._files.write(name, session.text)
                if keeps != known and not any(keeps.values()):
                    self._files.forget_past(name)
            except BaseException as error:
                session.text = before
                if isinstance(error, ReadError):
                    raise by_seats(error, session) from None
                raise
            return self._answer(opened, changed or {})

    def _answer(self, opened: _Open, changed: Changed) -> dict[str, Any]:
        """Return a game, which is computed once for each of its versions."""
        from lama_odds.analysis.coach.mending import version_of

        session = _session(opened)
        known = opened.shown.get(language())
        if known is None or known["version"] != version_of(session.text):
            known = opened.shown[language()] = shown(opened.name, session)
        redo = self._files.past(opened.name).can_redo(session.text)
        return {**known, "redo": redo, **NO_CHANGE, **changed}

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


def _check_entry(entry: str) -> None:
    """Raise ReadError for an entry that is too long or not a text."""
    check_text(entry, "entry", needed=True)
    if len(entry) > MOST_ENTRY:
        raise ReadError(say("this entry has more than {n} characters", n=MOST_ENTRY))
    if entry.count(";") >= MOST_PARTS:
        raise ReadError(say("there are more than {n} entries in one", n=MOST_PARTS))


def _start_of(players: int, me: int, names: Any, scores: Any, first: Any) -> Start:
    """Return how a game begins; raise ReadError unless there is one value for each player."""
    from lama_odds.analysis.coach.session import Start

    for what, given, kind in (("names", names, str), ("scores", scores, int)):
        if given is None:
            continue
        values = [None] * players if not isinstance(given, list) else given
        if len(values) != players or not isinstance(given, list):
            raise ReadError(
                say(
                    "{what}: expected a list with one for each of {players} players",
                    what=what,
                    players=players,
                )
            )
        for value in values:
            if type(value) is not kind and not (value is None and kind is str):
                raise ReadError(
                    say(
                        "{what}: found {found}, expected {kind}",
                        what=what,
                        found=repr(value),
                        kind=say(_KINDS[kind]),
                    )
                )
    if first is not None:
        check_whole(first, 0, players - 1, "first", needed=True)
    seat_names = [name or "" for name in names or []]
    if seat_names:
        seat_names[me] = ""
    if any(" " in name or not name.isprintable() for name in seat_names):
        raise ReadError(say("names: expected names of 1 to 12 letters and digits"))
    return Start(seat_names if any(seat_names) else (), scores, first or 0)


_KINDS = {str: later("a text, or null for no name"), int: later("a whole number")}


def _session(opened: _Open) -> Session:
    assert opened.session is not None
    return opened.session


def _refresh(opened: _Open, text: str) -> None:
    """Read a game again if its file has changed; raise NoGameError if it is of no table."""
    from lama_odds.analysis.coach.session import Session
    from lama_odds.games.shared.decisions import rules_named

    if opened.session is not None and opened.session.text == text:
        return
    game, rule_set = read_stored_rules(rules_named(text))
    session = Session(game, rule_set, text)
    if not session.table:
        raise NoGameError
    session.advance()
    opened.session = session
