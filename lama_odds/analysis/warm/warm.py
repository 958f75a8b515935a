"""Ask typical questions in several processes at once, so that all that they need is compiled.

Processes, because one process compiles one function at a time. Two that need the same function take
turns: one compiles it, the other reads the result (see `jit.turns`). Each is given questions about
another game as long as there are any.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass, field
from queue import SimpleQueue
from typing import Any

from lama_odds.analysis.warm.questions import Question, typical_questions
from lama_odds.core.errors import LimitError
from lama_odds.core.progress import StageProgress
from lama_odds.core.strict_json import from_json, to_json
from lama_odds.simulation.engines import default_threads

MOST_PROCESSES = 8  # each takes some 300 MB
# The child finds modules where this process does, and nothing in the folder where it is started.
CHILD = (
    "import sys; path = sys.argv[1:]; sys.path[:] = path; "
    "from lama_odds.analysis.warm.child import main; main()"
)


@dataclass(frozen=True)
class Warmed:
    """What was compiled ahead.

    questions: how many there were. functions, tables: how many were compiled and solved for them.
    left_out: questions that have no answer under their rules, with the reason.
    """

    rules: tuple[str, ...]
    questions: int
    functions: int
    tables: int
    seconds: float
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def nothing(self) -> bool:
        """Whether everything was there already."""
        return not (self.functions or self.tables)

    def to_json(self) -> dict[str, Any]:
        """One object."""
        return {
            "rules": list(self.rules),
            "questions": self.questions,
            "functions": self.functions,
            "tables": self.tables,
            "seconds": self.seconds,
            "left_out": [{"question": what, "reason": why} for what, why in self.left_out],
        }


@dataclass
class _Waiting:
    """Questions that nobody works on yet, and how many work on each game."""

    questions: list[Question]
    busy: dict[str, int] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self) -> Question | None:
        """Return the next question, of the game on which the fewest work; None: no more."""
        with self.lock:
            if not self.questions:
                return None
            found = min(self.questions, key=lambda one: self.busy.get(_game(one), 0))
            self.questions.remove(found)
            self.busy[_game(found)] = self.busy.get(_game(found), 0) + 1
            return found

    def done(self, question: Question) -> None:
        """Nobody works on this one any more."""
        with self.lock:
            self.busy[_game(question)] -= 1

    def stop(self) -> None:
        """Give out no more questions."""
        with self.lock:
            self.questions.clear()


def warm(rules: Sequence[str], progress: StageProgress | None = None) -> Warmed:
    """Compile and solve what questions about these rule sets need.

    Raises ReadError for a rule set that there is not, LimitError if a process fails. What was made
    until then is kept; so it is after Ctrl-C.
    """
    began = time.perf_counter()
    questions = typical_questions(rules)
    waiting = _Waiting(list(questions))
    found: SimpleQueue[tuple[Question, list[Any]] | BaseException] = SimpleQueue()
    functions = tables = 0
    left_out = []
    with _children(min(default_threads(), MOST_PROCESSES, len(questions)), waiting, found):
        for done in range(len(questions)):
            answer = found.get()
            if isinstance(answer, BaseException):
                raise answer
            question, (compiled, solved, reason) = answer
            functions, tables = functions + compiled, tables + solved
            left_out += [(str(question), reason)] if reason else []
            if progress:
                of = f"{done + 1} of {len(questions)}"
                progress((done + 1) / len(questions), f"compiling for {question.rules}, {of}")
    seconds = time.perf_counter() - began
    return Warmed(tuple(rules), len(questions), functions, tables, seconds, tuple(left_out))


@contextlib.contextmanager
def _children(
    count: int,
    waiting: _Waiting,
    found: SimpleQueue[tuple[Question, list[Any]] | BaseException],
) -> Iterator[None]:
    """Run this many processes; on leaving they end, whatever they are doing."""
    with contextlib.ExitStack() as stack:
        # Left in the opposite order: no more questions, the processes end, then the threads do.
        pool = stack.enter_context(ThreadPoolExecutor(count))
        children = [_start() for _ in range(count)]
        for child in children:
            stack.callback(child.kill)
        stack.callback(waiting.stop)
        for child in children:
            pool.submit(_serve, child, waiting, found)
        yield


def _start() -> subprocess.Popen[str]:
    path = [os.path.abspath(folder) for folder in sys.path]
    return subprocess.Popen(
        [sys.executable, "-P", "-c", CHILD, *path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # A Ctrl-C in the terminal reaches this process alone, which ends the others.
        start_new_session=True,
    )


def _serve(
    child: subprocess.Popen[str],
    waiting: _Waiting,
    found: SimpleQueue[tuple[Question, list[Any]] | BaseException],
) -> None:
    """Pass questions to a process and its answers on; then let it end."""
    try:
        with child:
            assert child.stdin is not None
            assert child.stdout is not None
            while (question := waiting.take()) is not None:
                child.stdin.write(to_json(astuple(question)) + "\n")
                child.stdin.flush()
                line = child.stdout.readline()
                waiting.done(question)
                if not line:
                    raise LimitError(f"the process that compiles for {question} has ended")
                found.put((question, from_json(line)))
    except BaseException as error:
        found.put(error)


def _game(question: Question) -> str:
    return question.rules.partition("/")[0]
