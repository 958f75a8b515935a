"""Which compiled functions Python calls, and with which kinds of arguments.

Questions are answered, and every call from Python is noted as its function and kinds (see
`lama_odds.jit.native`), the games apart. Some calls are kept whole, to be made again in WebAssembly
and compared.
``python -m tools.browser.needed`` writes the list again, needed.json. It takes minutes.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

import lama_odds
from lama_odds.analysis.coach import drills
from lama_odds.core.errors import ImpossibleError, LamaOddsError, LimitError
from lama_odds.games.registry import GAMES, game_of
from lama_odds.jit import native, store
from lama_odds.jit.deferred import Deferred
from lama_odds.jit.job import mapped
from tools.browser.questions import questions

GAMES_OF_EACH = 1000  # that a question is answered with
SECONDS = 0.05  # likewise where values are learned
DRILLS = 16  # one in this many of the collection
KEPT = (1, 2, 5, 20, 100)  # these calls of a function are kept whole
MOST_BYTES = 40_000_000  # of the arguments of a call that is kept


class Call(NamedTuple):
    """One call: what was given, what came back, and what then was in the arrays given."""

    given: tuple[Any, ...]
    returned: Any
    after: tuple[Any, ...]


LIST = Path(__file__).with_name("needed.json")
# Functions with kinds, by game.
Pairs = dict[str, list[list[str]]]
# Calls by game, function ("module.name") and kinds.
Needed = dict[str, dict[tuple[str, str], list[Call]]]


def kind_of(value: Any) -> str:
    """Return the kind of an argument as `native.passed` does, also of what that leaves to numba.

    Integers above those of int64 are u, and an array is passed as if its elements lay in a row.
    """
    if isinstance(value, tuple):
        return f"{type(value).__name__}({','.join(map(kind_of, value))})"
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str}{value.ndim}"
    if isinstance(value, bool | np.bool_):
        return "b"
    if isinstance(value, np.uint64) or (isinstance(value, int) and value > native.MOST):
        return "u"
    if isinstance(value, int | np.integer):
        return "i"
    if isinstance(value, float | np.floating):
        return "f"
    if value is None:
        return "n"
    raise TypeError(f"{type(value).__name__} cannot be handed over")


def kinds_of(arguments: tuple[Any, ...]) -> str:
    """Return the kinds of all arguments, as one text."""
    return ",".join(map(kind_of, arguments))


class Copies:
    """Copies arrays, and holds each content once: most calls are given the same tables."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[int, ...], bytes], np.ndarray] = {}

    def of(self, value: Any) -> Any:
        """Return a value whose arrays nobody changes."""
        if not isinstance(value, np.ndarray):
            return mapped(value, self.of)
        content = value.tobytes()
        key = value.dtype.str, value.shape, sha256(content).digest()
        return self._known.setdefault(key, np.array(value, order="C"))


def _bytes(value: Any) -> int:
    if isinstance(value, tuple):
        return sum(map(_bytes, value))
    return value.nbytes if isinstance(value, np.ndarray) else 0


@contextmanager
def noting(calls: dict[tuple[str, str], list[Call]]) -> Iterator[None]:
    """Note the calls that Python makes meanwhile; what a function calls itself is not.

    Threads take turns: some share an array, and what one writes is not what another's call did.
    """
    plain = Deferred.__call__
    here, copies, one_at_a_time = threading.local(), Copies(), threading.Lock()
    seen: dict[tuple[str, str], int] = {}

    def call(self: Deferred, *arguments: Any) -> Any:
        if getattr(here, "inside", False):
            return plain(self, *arguments)
        with one_at_a_time:
            return noted(self, arguments)

    def noted(self: Deferred, arguments: tuple[Any, ...]) -> Any:
        key = f"{self.__module__}.{self.__qualname__}", kinds_of(arguments)
        seen[key] = seen.get(key, 0) + 1
        kept = seen[key] in KEPT and _bytes(arguments) <= MOST_BYTES
        given = copies.of(arguments) if kept else ()
        here.inside = True
        try:
            returned = plain(self, *arguments)
        finally:
            here.inside = False
        so_far = calls.setdefault(key, [])
        if kept:
            so_far.append(Call(given, copies.of(returned), copies.of(arguments)))
        return returned

    with (
        mock.patch.object(Deferred, "__call__", call),
        mock.patch.object(store, "_read", return_value=None),  # browsers keep no table on disk
    ):
        yield


def _ask(rules: str, position: str, **how: Any) -> None:
    """Ask what to do; some rule sets and objectives have no answer for some positions."""
    with suppress(ImpossibleError, LimitError):
        lama_odds.advise(rules, position, threads=1, **how)


def _answer(game: str) -> None:
    """Answer all questions about a game."""
    for rules, position, aims, opponents in questions(game, tuple(game_of(game).objectives)):
        with suppress(ImpossibleError):
            lama_odds.odds(rules, position)
        for aim in aims:
            for others in opponents or (None,):
                how: dict[str, Any] = {"objective": aim, "opponents": others}
                _ask(rules, position, games=GAMES_OF_EACH, **how)
                _ask(rules, position, games=GAMES_OF_EACH, play_out=True, **how)
                if others is None:  # values that are learned may do
                    _ask(rules, position, seconds=SECONDS, **how)
    for edition in sorted({drill.rules for drill in drills.collection(game)}):
        with suppress(LamaOddsError):  # nothing is dealt in Pikomino
            lama_odds.odds(edition, "deal")
    _train(game)


def _train(game: str) -> None:
    """Answer drills wrongly, and make drills of their positions."""
    with mock.patch.multiple(drills, GAMES=1024, QUICK=1024):
        for drill in drills.collection(game)[::DRILLS]:
            drills.why_not(drill, drill.choices[-1].action)
            face = game_of(drill.rules)
            rules = face.rules(drill.rules)
            position = face.position(rules, drill.position)
            drills.drill_of(face, rules, position, drill.objective, threads=1)
            lama_odds.odds(drill.rules, drill.position)
            for aim in face.objectives:
                _ask(drill.rules, drill.position, objective=aim, games=GAMES_OF_EACH)


def recorded(games: tuple[str, ...] = GAMES) -> Needed:
    """Answer all questions, and return the calls of every game, in order of their names."""
    by_game: Needed = {}
    for game in games:
        calls: dict[tuple[str, str], list[Call]] = {}
        with noting(calls):
            _answer(game)
        by_game[game] = dict(sorted(calls.items()))
    return by_game


def pairs_in(needed: Needed) -> Pairs:
    """Return the functions and kinds of each game, without the calls."""
    return {game: [list(pair) for pair in calls] for game, calls in needed.items()}


def listed() -> Pairs:
    """Return what the list says that is needed."""
    pairs: Pairs = json.loads(LIST.read_text(encoding="utf-8"))
    return pairs


def main() -> None:
    """Write the list again."""
    LIST.write_text(json.dumps(pairs_in(recorded()), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
