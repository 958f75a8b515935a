"""The advice on many positions of one rule set, one after the other, as if each were the only one.

What does not depend on the position is there once: the rule set, the policies, the threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import lama_odds
from lama_odds.analysis.advice.answer import Advice
from lama_odds.analysis.advice.rollouts import StoppedEarlyError
from lama_odds.core.errors import ImpossibleError, LamaOddsError, ReadError
from lama_odds.core.estimate import EXACT, Estimate
from lama_odds.core.progress import StageProgress
from lama_odds.simulation.engines import same_threads


@dataclass(frozen=True)
class Answered:
    """A position as it was given, with its advice or the reason why there is none.

    handed: what was given beside the position. code: the exit code of the reason, 0 with advice.
    """

    position: str
    advice: Advice | None
    error: str = ""
    code: int = 0
    handed: Mapping[str, Any] = field(default_factory=dict)

    @property
    def second(self) -> Estimate | None:
        """What the second-best action costs; None without one."""
        actions = self.advice.actions if self.advice is not None else ()
        return actions[1].regret if len(actions) > 1 else None

    @property
    def games(self) -> int | None:
        """The games behind the value: 0 if it is exact, None without advice."""
        if self.advice is None:
            return None
        return 0 if self.advice.method == EXACT else self.advice.games

    def to_json(self) -> dict[str, Any]:
        """The keys of the advice, or the position with its error; then what was handed through."""
        if self.advice is not None:
            return {**self.advice.to_json(), **self.handed}
        return {"position": self.position, "error": self.error, **self.handed}


@dataclass(frozen=True)
class Batch:
    """The answers to many positions, in their order.

    file: where they were written, if they were; `answers` is empty then. positions: how many there
    are. errors: the number of positions without advice, by exit code.
    """

    rules: str
    answers: tuple[Answered, ...]
    positions: int
    errors: Mapping[int, int]
    file: str = ""
    version: str = field(default=lama_odds.__version__)

    @property
    def exit_code(self) -> int:
        """0 if all have advice; else 2 if any cannot be read, then 3 before 4."""
        return min((code for code, count in self.errors.items() if count), default=0)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "rules": self.rules,
            "positions": self.positions,
            "errors": {str(code): count for code, count in sorted(self.errors.items())},
            "answers": [answered.to_json() for answered in self.answers],
            "version": self.version,
        }


@dataclass(frozen=True)
class Asked:
    """A position as it is given. handed: what goes with it. fault: why it cannot be read at all."""

    position: str
    handed: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""


def advise_each(
    asked: Iterable[Asked],
    answer: Callable[[str], Advice],
    threads: int | None,
    progress: StageProgress | None = None,
    first: int = 0,
    of: int | None = None,
) -> Iterator[Answered]:
    """Yield the answers; an error of one position is its answer.

    answer: the advice on a position. first, of: the number of positions before these, and of all.

    Raises KeyboardInterrupt where it is stopped: an answer that is stopped early is left out.
    """
    with same_threads(threads):
        for number, one in enumerate(asked, first + 1):
            yield _answered(one, answer)
            if progress is not None and of:
                progress(number / of, f"position {number:,} of {of:,}")


def _answered(asked: Asked, answer: Callable[[str], Advice]) -> Answered:
    if asked.fault:
        return Answered(asked.position, None, asked.fault, ReadError.exit_code, asked.handed)
    try:
        advice = answer(asked.position)
    except StoppedEarlyError:
        raise KeyboardInterrupt from None
    except LamaOddsError as error:
        return Answered(asked.position, None, in_line(error), error.exit_code, asked.handed)
    if advice.interrupted:
        raise KeyboardInterrupt
    return Answered(asked.position, advice, handed=asked.handed)


def in_line(error: LamaOddsError) -> str:
    """An error in one line, without the caret under the place."""
    if isinstance(error, ImpossibleError):
        what, *defects = str(error).split("\n")
        return f"{what} {'; '.join(line.strip().removeprefix('- ') for line in defects)}"
    parts = [error.message, *error.hints] if isinstance(error, ReadError) else [str(error)]
    return "; ".join(line.strip() for part in parts for line in part.split("\n"))
