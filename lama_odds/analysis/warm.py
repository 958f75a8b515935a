"""Ask typical questions in several processes at once, so that all that they need is compiled.

Processes, because one process compiles one function at a time. Two that need the same function take
turns: one compiles it, the other reads the result (see `jit.numba_files`). Each is given questions
about another game as long as there are any.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass, field
from queue import SimpleQueue
from typing import Any

from lama_odds import jit
from lama_odds.analysis.advice.advise import advise
from lama_odds.analysis.advice.rollouts import Limits
from lama_odds.analysis.odds import odds
from lama_odds.analysis.simulate import simulate
from lama_odds.analysis.thresholds.thresholds import game_thresholds, thresholds
from lama_odds.core.checks import default_players
from lama_odds.core.errors import LamaOddsError, LimitError
from lama_odds.core.plain import Plain
from lama_odds.core.progress import StageProgress
from lama_odds.core.strict_json import from_json, to_json
from lama_odds.games.registry import built_in, game_of, in_our_names
from lama_odds.games.shared.decisions import decisions
from lama_odds.jit.sources import made_so_far
from lama_odds.simulation.run import Play, default_threads
from lama_odds.statistics.intervals import FEWEST

# Typical questions about a rule set: between them they need what its commands compile.

ADVISE, ODDS, SIMULATE, THRESHOLDS = "advise", "odds", "simulate", "thresholds"
# Of simulate: rounds, or two-player games; of thresholds and advise: the whole game.
ROUNDS, TWO, WIN = "rounds", "two", "win"
PLAY_OUT = "win, played out"  # where advice would look scores up, without that
AFTER = "--after"  # of odds: a record
SOME_PLAYERS = 3  # of that record
FEW_GAMES = 64
SOME_GAMES, SOME_ROUNDS = 400, 4_000  # enough for thresholds


@dataclass(frozen=True)
class Question:
    """A command with its rule set; text: the position, or what else the command is about.

    aim: WIN or PLAY_OUT if advice is wanted for the whole game.
    """

    command: str
    rules: str
    text: str = ""
    aim: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.command, self.rules, self.text, self.aim)))


def built_in_rules() -> list[str]:
    """Return the ids of all built-in rule sets."""
    return [f"{game.name}/{edition}" for game in built_in() for edition in game.editions]


def typical_questions(rules: Sequence[str]) -> list[Question]:
    """Return the questions that these rule sets are warmed up with, those of a rule set together.

    Raises ReadError for a rule set that there is not.
    """
    questions: list[Question] = []
    for name in map(in_our_names, rules):
        game = game_of(name)
        positions = game.typical or (game.example,)
        game.rules(name)
        # What takes longest comes first, so that no process is left alone with it at the end.
        questions += [Question(SIMULATE, name)]
        questions += [Question(ADVISE, name, position) for position in positions]
        # Whole games have a kernel of their own, and so may the best policy for two.
        aims = (WIN, PLAY_OUT) if game.has_rounds else ()
        questions += [Question(ADVISE, name, positions[0], aim) for aim in aims]
        questions += [Question(SIMULATE, name, TWO)]
        questions += [Question(THRESHOLDS, name, WIN)] if game.has("game_forks") else []
        some = game.has("forks") or game.has("exact_tables")
        questions += [Question(THRESHOLDS, name)] if some else []
        questions += [Question(SIMULATE, name, ROUNDS)] if game.has_rounds else []
        questions += [Question(ODDS, name, position) for position in positions]
        questions += [Question(ODDS, name, AFTER)] if game.has("held_by_others") else []
    return questions


def ask(question: Question) -> None:
    """Answer a question in few games; raises LamaOddsError if these rules have no such answer."""
    game = game_of(question.rules)
    rules = game.rules(question.rules)
    if question.command == ADVISE:
        limits = Limits(games=FEWEST, threads=1)
        position = game.position(rules, question.text)
        objective = WIN if question.aim else None
        look_up = question.aim != PLAY_OUT
        advise(game, rules, position, objective=objective, limits=limits, look_up=look_up)
        return
    if question.command == ODDS and question.text == AFTER:
        policies = [game.best_policy(rules, SOME_PLAYERS)] * SOME_PLAYERS
        record = game.record(rules, policies, 0, 0, True)
        odds(game, rules, decisions(game, rules, record)[-1].position)
        return
    if question.command == ODDS:
        odds(game, rules, game.position(rules, question.text))
        return
    players = min(rules.players) if question.text == TWO else default_players(rules)
    if question.command == SIMULATE:
        policies = [game.best_policy(rules, players)] * players
        simulate(
            game, rules, policies, FEW_GAMES, rounds=question.text == ROUNDS, play=Play(threads=1)
        )
    elif question.text == WIN:
        game_thresholds(game, rules, players, games=SOME_GAMES, play=Play(threads=1))
    else:
        thresholds(game, rules, players, games=SOME_ROUNDS, play=Play(threads=1))


def compile_for() -> None:
    """Read questions from stdin, and write what each one compiled: a line of JSON each.

    It is what a process of `warm` does. It ends when nobody writes to it any more.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began this one decides
    jit.alone()
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        before, reason = made_so_far(), ""
        try:
            ask(Question(*from_json(line)))
        except LamaOddsError as error:
            reason = str(error)
        made = made_so_far()
        functions, tables = made.functions - before.functions, made.tables - before.tables
        print(to_json([functions, tables, reason]), file=answers, flush=True)


MOST_PROCESSES = 8  # each takes some 300 MB
# The child finds modules where this process does, and nothing in the folder where it is started.
CHILD = (
    "import sys; path = sys.argv[1:]; sys.path[:] = path; "
    "from lama_odds.analysis.warm import compile_for; compile_for()"
)


@dataclass(frozen=True)
class Warmed(Plain):
    """What was compiled ahead.

    questions: how many there were. functions, tables: how many were compiled and solved for them.
    left_out: questions that have no answer under their rules, with the reason.
    """

    KEYS = "rules questions functions tables seconds"

    rules: tuple[str, ...]
    questions: int
    functions: int
    tables: int
    seconds: float
    left_out: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        left_out = [{"question": what, "reason": why} for what, why in self.left_out]
        return {**super().to_json(), "left_out": left_out}

    @property
    def nothing(self) -> bool:
        """Whether everything was there already."""
        return not (self.functions or self.tables)


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
            question = min(self.questions, key=lambda one: self.busy.get(_game(one), 0))
            self.questions.remove(question)
            self.busy[_game(question)] = self.busy.get(_game(question), 0) + 1
            return question

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
    answers: SimpleQueue[tuple[Question, list[Any]] | BaseException] = SimpleQueue()
    functions = tables = 0
    left_out = []
    with _children(min(default_threads(), MOST_PROCESSES, len(questions)), waiting, answers):
        for done in range(len(questions)):
            answer = answers.get()
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
    answers: SimpleQueue[tuple[Question, list[Any]] | BaseException],
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
            pool.submit(_serve, child, waiting, answers)
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
    answers: SimpleQueue[tuple[Question, list[Any]] | BaseException],
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
                answers.put((question, from_json(line)))
    except BaseException as error:
        answers.put(error)


def _game(question: Question) -> str:
    return question.rules.partition("/")[0]
