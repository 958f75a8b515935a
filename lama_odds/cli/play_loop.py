"""The loop of `play`: prompt, entry, answer; everything is on disk before the next prompt."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from lama_odds.cli.common import note, progress_bar, show, show_answer
from lama_odds.cli.kept import free_name, remember, text_in
from lama_odds.core.errors import LamaOddsError, LimitError, ReadError
from lama_odds.core.files import write_output
from lama_odds.core.language import later, say
from lama_odds.games.interface.capabilities import OnScreen
from lama_odds.games.shared.decisions import Decision, decisions
from lama_odds.report.text import moves
from lama_odds.report.text.advice import advice_line, chosen_line, reason_lines, rests_on

if TYPE_CHECKING:
    from lama_odds.analysis.advice.answer import Advice
    from lama_odds.analysis.coach.choices import Ahead
    from lama_odds.analysis.coach.session import Session


# The text of `help` in a game: the verbs of the game, each with an example.

ALWAYS = (
    ("Enter", later("play the advised action")),
    ("?", later("show the whole advice and its assumptions")),
    ("undo", later("take the last decision back")),
    ("save FILE", later("write a copy")),
    ("quit!", later("leave; lama-odds play --resume continues")),
)
NAMED_FIRST = later("you may name the player first, and put ; between turns")
_PLAYER = re.compile(r"(#|player )(\d)")


def help_text(shown: OnScreen, table: bool, players: int, seat: int) -> str:
    """The verbs of a game with an example each, then what can be typed in any game.

    seat: the player of the examples, whose cards go to another of these players.
    """
    more = [("#2 …; …", say(NAMED_FIRST))] if table else []
    always = ((typed, say(meaning)) for typed, meaning in ALWAYS)
    rows = [*_verbs(shown, table, players, seat), *more, *always]
    wide = max(len(typed) for typed, _ in rows)
    return "\n".join(f"  {typed:<{wide}}  {meaning}" for typed, meaning in rows)


def letters_of(shown: OnScreen, players: int, seat: int) -> str:
    """The examples of a game at a table in a line; players, seat: as in `help_text`."""
    return ", ".join(typed for typed, _ in _verbs(shown, True, players, seat))


def of_others(text: str, players: int, seat: int) -> str:
    """An example for a seat: a player who does not exist, or is that seat, becomes another."""
    other = 1 if seat else 2

    def named(match: re.Match[str]) -> str:
        number = int(match[2])
        return match[1] + str(number if number <= players and number != seat + 1 else other)

    return _PLAYER.sub(named, text)


def _verbs(shown: OnScreen, table: bool, players: int, seat: int) -> Sequence[tuple[str, str]]:
    rows = shown.table if table else shown.against
    return [
        (of_others(typed, players, seat), of_others(say(meaning), players, seat))
        for typed, meaning in rows
    ]


# The prompt of `play`: reads what you type, and shows an advice while you type.

WRITTEN = 0.5  # seconds within which a prompt is written
AGAIN = 0.1  # seconds after which a Ctrl-C that was not heard comes again
_CLEAR = "\r\x1b[K"


def _line_editor() -> ModuleType | None:
    """The module that edits lines typed at a terminal; None if there is none."""
    with contextlib.suppress(ImportError):
        import readline

        return readline
    return None


class Screen:
    """A terminal with a prompt, or lines of a file; `asks` is whether a person types."""

    def __init__(self) -> None:
        self.asks = sys.stdin is not None and sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # bytes that are not text: no entry has them
        self.editor = _line_editor() if self.asks else None
        self.ansi = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._lock = threading.Lock()
        self._prompt = ""
        self._left = threading.Event()  # from then on an interrupt is not for the prompt
        self._told: socket.socket | None = None
        # Held until the prompt is complete: it is written letter by letter. The editor releases it
        # without a line of Python, in which Ctrl-C could leave an Event locked for ever.
        self._writing = threading.Lock()
        if self.editor is not None:
            self.editor.set_pre_input_hook(self._writing.release)

    def read(self, prompt: str) -> str | None:
        """What is typed next; None at the end of the input, and for Ctrl-C and Ctrl-D."""
        sys.stdout.flush()
        if not self.asks:
            line = sys.stdin.readline() if sys.stdin is not None else ""
            return line if line else None
        try:
            self._writing.acquire(blocking=False)
            with self._lock:
                self._prompt = prompt
            if self.editor is None:
                self._writing.release()
            with self._ctrl_c_is_heard():
                return input(prompt)
        except (EOFError, KeyboardInterrupt):
            print()
            return None
        finally:
            with self._lock:
                self._prompt = ""

    @contextlib.contextmanager
    def _ctrl_c_is_heard(self) -> Iterator[None]:
        """Let Ctrl-C come again until a line is no longer being read.

        Between writing its prompt and waiting for keys the line editor waits for the interpreter,
        which an advice in another thread keeps busy. An interrupt that comes meanwhile is dropped,
        or not heard before the next key. So the system itself tells a thread of each.
        """
        if self.editor is None or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield
            return
        before = signal.set_wakeup_fd(self._signals(), warn_on_full_buffer=False)
        self._left.clear()
        signal.signal(signal.SIGINT, self._interrupted)
        try:
            yield
        finally:
            self._left.set()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.set_wakeup_fd(before)

    def _interrupted(self, *_: Any) -> None:
        if not self._left.is_set():
            raise KeyboardInterrupt

    def _signals(self) -> int:
        """Where the system writes signals, for a thread that sends them again."""
        if self._told is None:
            self._told, tells = socket.socketpair()
            self._told.setblocking(False)
            threading.Thread(target=self._repeat, args=(tells,), daemon=True).start()
        return self._told.fileno()

    def _repeat(self, signals: socket.socket) -> None:
        while number := signals.recv(1):
            if number[0] == signal.SIGINT and not self._left.wait(AGAIN):
                os.kill(os.getpid(), signal.SIGINT)

    def tell(self, text: str) -> None:
        """Show a line above the prompt, from another thread; the typed text stays."""
        if self._prompt and self._writing.acquire(timeout=WRITTEN):
            self._writing.release()
        with self._lock:
            if not self._prompt:
                print(text, flush=True)
                return
            typed = self.editor.get_line_buffer() if self.editor is not None else ""
            begin = _CLEAR if self.ansi else "\n"
            sys.stdout.write(f"{begin}{text}\n{self._prompt}{typed}")
            sys.stdout.flush()

    def ask_number(self, question: str, least: int, most: int, default: int) -> int | None:
        """A number typed at a terminal; repeats the question until it is one. None for Ctrl-C."""
        while True:
            typed = self.read(f"{question} [{default}] ")
            if typed is None:
                return None
            if not typed.strip():
                return default
            if typed.strip().isdecimal() and least <= int(typed) <= most:
                return int(typed)
            print(
                say(
                    "found {text}, expected a number from {least} to {most}",
                    text=repr(typed.strip()),
                    least=least,
                    most=most,
                )
            )


# How `play` teaches: the advice once you have chosen, a review after the game, or a warning.
GUESS, AFTER, WARN = "guess", "after", "warn"
TEACH = (GUESS, AFTER, WARN)


class Loop:
    """A session at a terminal, or one whose entries come from a file.

    told: whether advice is shown at every decision, without typing ``?``. before: what the file has
    at the beginning, None for a new one. teach: one of TEACH, or empty. worse_than: what a choice
    costs at least that is warned of, in the unit of the objective (chances: percentage points).
    """

    def __init__(
        self,
        session: Session,
        path: Path,
        objective: str | None,
        games: int | None,
        screen: Screen,
        show_advice: bool,
        before: str | None = None,
        teach: str = "",
        worse_than: float = 0.0,
    ) -> None:
        self.session = session
        self.path = path
        self.teach = teach
        self.worse_than = worse_than
        self.warned = ""  # the entry that was warned of
        self.files = {path.resolve(): before}  # of this game, and what it last had there
        self.objective = objective
        self.games = games
        self.screen = screen
        self.told = show_advice
        self.ahead: Ahead | None = None
        self.shown = False  # the advice for this decision
        self.explained = False  # what advice rests on: once a session
        self.doubts = {""}  # shown so far

    def run(self) -> None:
        """Play until the game ends, `quit!`, the end of the input, or Ctrl-C."""
        try:
            self._play()
        except KeyboardInterrupt:
            print()
            self._leave()
        finally:
            self._drop()

    def _play(self) -> None:
        session = self.session
        self._save(self.path)
        note(say("this game is kept in {path}; help lists what you can type", path=self.path))
        remember(self.path)
        if moves.begun(session.text):
            for line in moves.played_so_far(
                session.game, session.record(), session.text, session.me
            ):
                print(line)
        while True:
            self._news(session.advance())
            self._save(self.path)
            if session.over:
                self._after()
                return
            entry = self._entry()
            if entry is None or entry.strip().lower() == "quit!":
                self._leave()
                return
            try:
                self._carry_out(entry)
            except LamaOddsError as error:
                print(moves.by_players(str(error), session.me, session.now.names))

    def _after(self) -> None:
        """After the game: its review if that was wanted, else how to get it."""
        if self.teach != AFTER:
            note(say("lama-odds review {path} grades every decision", path=self.path))
            return
        from lama_odds.api.reviewing import review

        with progress_bar("review") as progress:
            answer = review(
                self.path, seat=self.session.me, objective=self.objective, progress=progress
            )
        show_answer(answer, as_json=False, verbose=False)

    def _leave(self) -> None:
        note(say("kept in {path}; continue with lama-odds play --resume {path}", path=self.path))

    def _news(self, lines: list[str]) -> None:
        session = self.session
        for line in moves.news_text(session.game, session.record(), lines, session.me):
            print(line)
        for doubt in {session.live.doubt(session.rules, line.split()) for line in lines}:
            if doubt not in self.doubts:
                note(doubt)
                self.doubts.add(doubt)

    def _entry(self) -> str | None:
        """What is typed next; None at the end of the input."""
        session = self.session
        seat = session.seat()
        if session.awaited is not None:
            prompt = session.live.on_screen.prompts[session.awaited]
            print(of_others(say(prompt), len(session.policies), session.me))
            return self.screen.read(f"{session.awaited}> ")
        assert seat is not None
        if seat == session.me:
            self._show_table()
        elif not self.screen.asks:
            acts = moves.player(seat, session.me, True, session.now.names)
            print(say("{player} to act ({examples})", player=acts, examples=self._letters(seat)))
        return self.screen.read(f"{moves.player(seat, session.me, names=session.now.names)}> ")

    def _letters(self, seat: int | None) -> str:
        """Examples of what a seat may do; before anybody acts, of yours."""
        session = self.session
        seat = session.me if seat is None else seat
        return letters_of(session.live.on_screen, len(session.policies), seat)

    def _show_table(self) -> None:
        """Two lines, and the advice: begun now at a terminal, awaited elsewhere."""
        session = self.session
        if self.ahead is not None and self.ahead.session.text == session.text:
            return  # shown before, and computed or computing
        position, actions = session.position(), session.actions()
        print(moves.table_text(session.game, position, session.me, session.now.names))
        print(moves.question_text(session.game, session.rules, position, actions, session.me))
        self._drop()
        if len(actions) < 2:
            return
        if self.screen.asks or self.told or self.teach in (GUESS, WARN):
            self._begin()
        if self.told and not self.screen.asks:
            self._wait()

    def _begin(self) -> Ahead:
        from lama_odds.analysis.coach.choices import Ahead, limits_of

        self._drop()
        self.shown = False
        limits = limits_of(self.games, self.screen.asks)
        shows = self.told and self.screen.asks  # else it is shown when ``?`` is typed
        tell = self._ready if shows else lambda advice: None
        self.ahead = Ahead(self.session, self.objective, limits, tell)
        return self.ahead

    def _drop(self) -> None:
        if self.ahead is not None:
            self.ahead.drop()
            self.ahead = None

    def _ready(self, advice: Advice) -> None:
        """Show the advice when it is ready, then its reasons; called in a thread of its own."""
        lines = reason_lines(advice) if self.shown else self._lines(advice)
        self.shown = True
        self.screen.tell("\n".join(lines))

    def _lines(self, advice: Advice) -> list[str]:
        session = self.session
        shown, me, players = session.live.on_screen, session.me, len(session.policies)
        lines = [advice_line(advice, lambda name: moves.action_text(shown, name, me, players))]
        lines += reason_lines(advice)
        if not self.explained:
            lines.append(rests_on(advice))
            self.explained = True
        return lines

    def _wait(self, reasons: bool = False) -> Advice:
        """The advice for this decision, shown if it was not yet; reasons: wait for them too."""
        ahead = self.ahead or self._begin()
        advice = ahead.wait(reasons or not self.screen.asks)
        if not self.shown:
            self.shown = True
            print("\n".join(self._lines(advice)))
        return advice

    def _carry_out(self, entry: str) -> None:
        """Carry out one entry; raises the reason if it is impossible."""
        session = self.session
        words = entry.split()
        verb = words[0].lower() if words else ""
        if verb in ("?", "advise", "advice") and len(words) == 1:
            self._advise()
        elif verb == "undo" and len(words) == 1:
            session.undo()
            self._drop()  # so that your turn is shown again
        elif self._asks_help(verb) and len(words) == 1:
            players, seat = len(session.policies), session.seat()
            seat = session.me if seat is None else seat
            print(help_text(session.live.on_screen, session.table, players, seat))
        elif verb == "save":
            if len(words) != 2:
                raise ReadError(say("save FILE: one name"), entry.rstrip("\n"), 0)
            self._copy(Path(words[1]))
            print(say("saved as {path}", path=words[1]))
        elif not words:
            if session.seat() != session.me:
                raise ReadError(
                    say(
                        "Enter alone plays the advised action at your turns. Type what happens, "
                        "for example {examples}; help shows more.",
                        examples=self._letters(session.seat()),
                    )
                )
            best = self._wait().best
            self._news(session.enter(best))
        elif self.teach in (GUESS, WARN) and (
            session.seat() == session.me and len(session.actions()) > 1
        ):
            self._choose(entry)
        else:
            self._news(session.enter(entry))

    def _choose(self, entry: str) -> None:
        """Carry out a choice of yours, and say what it cost; a costly one only when repeated."""
        session, before = self.session, self.session.text
        known = len(self._own_decisions())
        advice = (self.ahead or self._begin()).wait(reasons=self.teach == GUESS)
        news = session.enter(entry)
        chosen = self._own_decisions()[known].chosen
        lost = next((action.regret for action in advice.actions if action.action == chosen), None)
        costly = lost is not None and self._in_unit(lost.low) > self.worse_than
        if self.teach == WARN and lost is not None and costly and entry != self.warned:
            session.text, self.warned = before, entry
            shown = self._named(chosen)
            verdict = chosen_line(advice, chosen, self._named)
            raise ReadError(
                say(
                    "{verdict} Type it again to {action} all the same.",
                    verdict=verdict,
                    action=shown,
                )
            )
        self.warned = ""
        if self.teach == GUESS:
            print(chosen_line(advice, chosen, self._named))
            print("\n".join(reason_lines(advice)), end="\n" if advice.reasons else "")
        self._news(news)

    def _named(self, action: str) -> str:
        """An action as the screen names it."""
        session = self.session
        players = len(session.policies)
        return moves.action_text(session.live.on_screen, action, session.me, players)

    def _own_decisions(self) -> list[Decision]:
        session = self.session
        every = decisions(session.game, session.rules, session.text)
        return [decision for decision in every if decision.seat == session.me]

    def _in_unit(self, value: float) -> float:
        """A cost in the unit of the objective; of a chance in percentage points."""
        advice = self.ahead.wait() if self.ahead else None
        return 100 * value if advice is not None and advice.counts.share else value

    def _asks_help(self, verb: str) -> bool:
        """Whether a word asks for help: ``h`` may be the letter of a verb of the game."""
        return verb == "help" or (verb == "h" and verb not in self.session.live.entries.letters)

    def _advise(self) -> None:
        from lama_odds.analysis.odds import odds
        from lama_odds.report.text.advice import advice_text
        from lama_odds.report.text.odds import others_text

        if self.session.seat() is None or not self.session.seen:
            raise ReadError(say("it is not your turn: there is nothing to advise"))
        self.shown = True
        self.explained = True
        advice = self._wait(reasons=True)
        show(False, advice, lambda: advice_text(advice, verbose=True))
        session = self.session
        if session.game.has("held_by_others"):
            chances = odds(session.game, session.rules, session.position())
            if chances.others is not None:
                show(False, chances, lambda: others_text(chances))

    def _copy(self, path: Path) -> None:
        """Write the game to another file; ReadError if it belongs to another game."""
        if path.exists() and path.resolve() not in self.files:
            raise ReadError(say("{path} exists already, expected a new name", path=path))
        self._save(path)

    def _save(self, path: Path) -> None:
        """Write the game; where another process has changed the file, keep both and stop."""
        text, place = self.session.text, path.resolve()
        if text_in(place) not in (None, self.files.get(place), text):
            aside = free_name(place.with_suffix(""), place.suffix)
            self._write(aside)
            raise LimitError(
                say(
                    "another process has changed {path} meanwhile: that file is left alone. This "
                    "game, with your last entry, is kept in {aside}: continue one of them with "
                    "--resume",
                    path=path,
                    aside=aside,
                )
            )
        self._write(path)
        self.files[place] = text

    def _write(self, path: Path) -> None:
        try:
            write_output(path, self.session.text)
        except OSError as error:
            why = error.strerror
            raise LimitError(say("cannot write {path}: {why}", path=path, why=why)) from None
