"""Advice that is computed while the player reads: begun at once, waited for, or dropped."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.coach.session import Session
from lama_odds.core.errors import LamaOddsError

SECONDS = 1.0  # of sampling at most, where somebody waits
MOST = 16_384  # games at most, where nobody does: nothing depends on the clock then


class Dropped(Exception):
    """Raised in the thread of an advice that nobody wants any more."""


def limits_of(games: int | None, waits: bool) -> Limits:
    """How long to sample. games: exactly this number; waits: whether somebody is at a terminal."""
    if games is not None:
        return Limits(games=games)
    return Limits(seconds=SECONDS, clear=True) if waits else Limits(clear=True, most=MOST)


class Ahead:
    """The advice for the decision at hand of a session, computed in a thread of its own.

    when_ready: called in that thread, once, with the advice if it was not dropped before.
    seconds: what it has taken.
    """

    def __init__(
        self,
        session: Session,
        objective: str | None,
        limits: Limits,
        when_ready: Callable[[Advice], None],
    ) -> None:
        self.session = Session(session.game, session.rules, session.text)
        self.objective = objective
        self.limits = limits
        self.when_ready = when_ready
        self.seconds = 0.0
        self._found: Advice | None = None
        self._error: LamaOddsError | None = None
        self._unwanted = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def drop(self) -> None:
        """Nobody wants it any more: it ends soon, without a word."""
        self._unwanted.set()

    @property
    def dropped(self) -> bool:
        """Whether it was dropped."""
        return self._unwanted.is_set()

    def wait(self) -> Advice:
        """The advice; raises what asking for it raises. Ctrl-C is heard meanwhile."""
        while self._thread.is_alive():
            self._thread.join(0.1)
        if self._error is not None:
            raise self._error
        assert self._found is not None
        return self._found

    def _run(self) -> None:
        began = time.perf_counter()
        try:
            self._found = self.session.advice(self.objective, self.limits, self._tell)
        except Dropped:
            return
        except LamaOddsError as error:
            self._error = error
            return
        self.seconds = time.perf_counter() - began
        if not self.dropped:
            self.when_ready(self._found)

    def _tell(self, _part: float, _what: str) -> None:
        """Called between the parts of the work: where it can be left."""
        if self.dropped:
            raise Dropped
