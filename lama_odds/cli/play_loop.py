"""The loop of `play`: prompt, entry, answer; everything is on disk before the next prompt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lama_odds.cli.common import note, show
from lama_odds.cli.kept import free_name, remember, text_in
from lama_odds.cli.play_help import help_text, letters_of, of_others
from lama_odds.cli.play_screen import Screen
from lama_odds.core.errors import LamaOddsError, LimitError, ReadError
from lama_odds.core.files import write_output
from lama_odds.report.text.played_along.advice_line import advice_line, rests_on
from lama_odds.report.text.played_along.moves import (
    action_text,
    begun,
    by_players,
    news_text,
    played_so_far,
    player,
)
from lama_odds.report.text.played_along.table import question_text, table_text

if TYPE_CHECKING:
    from lama_odds.analysis.advice.answer import Advice
    from lama_odds.analysis.coach.ahead import Ahead
    from lama_odds.analysis.coach.session import Session


class Loop:
    """A session at a terminal, or one whose entries come from a file.

    told: whether advice is shown at every decision, without typing ``?``. before: what the file has
    at the beginning, None for a new one.
    """

    def __init__(
        self,
        session: Session,
        path: Path,
        objective: str | None,
        games: int | None,
        screen: Screen,
        told: bool,
        before: str | None = None,
    ) -> None:
        self.session = session
        self.path = path
        self.files = {path.resolve(): before}  # of this game, and what it last had there
        self.objective = objective
        self.games = games
        self.screen = screen
        self.told = told
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
        note(f"this game is kept in {self.path}; help lists what you can type")
        remember(self.path)
        if begun(session.text):
            for line in played_so_far(session.game, session.record(), session.text, session.me):
                print(line)
        while True:
            self._news(session.advance())
            self._save(self.path)
            if session.over:
                note(f"lama-odds review {self.path} grades every decision")
                return
            entry = self._entry()
            if entry is None or entry.strip().lower() == "quit!":
                self._leave()
                return
            try:
                self._carry_out(entry)
            except LamaOddsError as error:
                print(by_players(str(error), session.me))

    def _leave(self) -> None:
        note(f"kept in {self.path}; continue with lama-odds play --resume {self.path}")

    def _news(self, lines: list[str]) -> None:
        session = self.session
        for line in news_text(session.game, session.record(), lines, session.me):
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
            asked = session.live.on_screen.prompts[session.awaited]
            print(of_others(asked, len(session.policies), session.me))
            return self.screen.read(f"{session.awaited}> ")
        assert seat is not None
        if seat == session.me:
            self._show_table()
        elif not self.screen.asks:
            print(f"{player(seat, session.me, True)} to act ({self._letters(seat)})")
        return self.screen.read(f"{player(seat, session.me)}> ")

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
        print(table_text(session.game, position, session.me))
        print(question_text(session.game, session.rules, position, actions, session.me))
        self._drop()
        if len(actions) < 2:
            return
        if self.screen.asks or self.told:
            self._begin()
        if self.told and not self.screen.asks:
            self._wait()

    def _begin(self) -> Ahead:
        from lama_odds.analysis.coach.ahead import Ahead, limits_of

        self._drop()
        self.shown = False
        limits = limits_of(self.games, self.screen.asks)
        tell = self._ready if self.told and self.screen.asks else _quiet
        self.ahead = Ahead(self.session, self.objective, limits, tell)
        return self.ahead

    def _drop(self) -> None:
        if self.ahead is not None:
            self.ahead.drop()
            self.ahead = None

    def _ready(self, advice: Advice) -> None:
        """Show the advice when it is ready; called in a thread of its own."""
        self.shown = True
        self.screen.tell("\n".join(self._lines(advice)))

    def _lines(self, advice: Advice) -> list[str]:
        session = self.session
        players = len(session.policies)
        lines = [advice_line(advice, lambda name: action_text(name, session.me, players))]
        if not self.explained:
            lines.append(rests_on(advice))
            self.explained = True
        return lines

    def _wait(self) -> Advice:
        """The advice for this decision, shown if it was not yet."""
        ahead = self.ahead or self._begin()
        advice = ahead.wait()
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
        elif verb in ("help", "h") and len(words) == 1:
            players, seat = len(session.policies), session.seat()
            seat = session.me if seat is None else seat
            print(help_text(session.live.on_screen, session.table, players, seat))
        elif verb == "save":
            if len(words) != 2:
                raise ReadError("save FILE: one name", entry.rstrip("\n"), 0)
            self._copy(Path(words[1]))
            print(f"saved as {words[1]}")
        elif not words:
            if session.seat() != session.me:
                raise ReadError(
                    "Enter alone plays the advised action at your turns. Type what happens, for "
                    f"example {self._letters(session.seat())}; help shows more."
                )
            best = self._wait().best
            self._news(session.enter(best))
        else:
            self._news(session.enter(entry))

    def _advise(self) -> None:
        from lama_odds.analysis.odds import odds
        from lama_odds.report.text.advice import advice_text
        from lama_odds.report.text.played_along.held import others_text

        if self.session.seat() is None or not self.session.seen:
            raise ReadError("it is not your turn: there is nothing to advise")
        self.shown = True
        self.explained = True
        advice = self._wait()
        show(False, advice, lambda: advice_text(advice, verbose=True))
        session = self.session
        if session.game.has("held_by_others"):
            found = odds(session.game, session.rules, session.position())
            if found.others is not None:
                show(False, found, lambda: others_text(found))

    def _copy(self, path: Path) -> None:
        """Write the game to another file; ReadError if it belongs to another game."""
        if path.exists() and path.resolve() not in self.files:
            raise ReadError(f"{path} exists already, expected a new name")
        self._save(path)

    def _save(self, path: Path) -> None:
        """Write the game; where another process has changed the file, keep both and stop."""
        text, place = self.session.text, path.resolve()
        if text_in(place) not in (None, self.files.get(place), text):
            aside = free_name(place.with_suffix(""), place.suffix)
            self._write(aside)
            raise LimitError(
                f"another process has changed {path} meanwhile: that file is left alone. This "
                f"game, with your last entry, is kept in {aside}: continue one of them with "
                "--resume"
            )
        self._write(path)
        self.files[place] = text

    def _write(self, path: Path) -> None:
        try:
            write_output(path, self.session.text)
        except OSError as error:
            raise ReadError(f"cannot write {path}: {error.strerror}") from None


def _quiet(advice: Advice) -> None:
    """Show nothing: the advice is shown when ``?`` is typed."""
