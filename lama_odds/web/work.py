"""Questions take turns: bounded in threads and in number, fair to all clients, and cancelled.

There are three lanes. So an answer that takes moments does not wait for those that take seconds,
and a game at a table waits for neither.
In each lane, clients with waiting questions take turns, however many each has. Where too many wait,
the client that has most of them loses its newest one.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Protocol

from lama_odds.core.errors import LimitError
from lama_odds.core.language import language, speaking
from lama_odds.core.progress import stopped_by
from lama_odds.simulation.run import default_threads
from lama_odds.web import guard
from lama_odds.web.guard import RefusedError

LONG, BRIEF, TABLE = "long", "brief", "table"  # the lanes

# Answers a question: from the number of threads, and a function to call with interim answers.
Answerer = Callable[[int, Callable[[Any], None]], Any]


class CancelledError(Exception):
    """Raised in the thread of a question that nobody waits for any more."""


class Droppable(Protocol):
    """What a client may lose where others have less."""

    def drop(self) -> None:
        """End it: there are too many."""


def make_room(
    held: Mapping[str, Sequence[Droppable]], client: str, most: int, most_each: int
) -> bool:
    """Return whether a client may have one more, maybe because another one has lost its newest.

    held: what each client has, the newest last. most: in all; where that is reached, the client
    that has most loses one, unless the asking client would then have as many.
    """
    mine = len(held.get(client, ()))
    if mine >= most_each:
        return False
    if sum(map(len, held.values())) >= most:
        greediest = max(held.values(), key=len)
        if len(greediest) <= mine + 1:
            return False
        greediest[-1].drop()
    return True


def too_many(what: str) -> RefusedError:
    """Return the error that says so, and when to try again."""
    return RefusedError(429, f"too many {what}", guard.RETRY_AFTER)


class Task:
    """A question that waits for its turn, is worked on, or is answered.

    heard: called in the event loop with each interim answer. seconds: that it may take (None: as
    most questions).
    """

    def __init__(
        self,
        question: Answerer,
        client: str,
        heard: Callable[[Any], None] | None,
        seconds: float | None = None,
    ) -> None:
        self.asked = question
        self.client = client
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Any] = self.loop.create_future()
        self._heard = heard
        self._language = language()
        self._unwanted = threading.Event()
        self._seconds = guard.MOST_SECONDS if seconds is None else seconds
        self._until = float("inf")

    def cancel(self) -> None:
        """Nobody wants it any more: it is left out, or stops at once."""
        self._unwanted.set()
        self.answer.cancel()

    def drop(self) -> None:
        """Refuse it after all: others who have asked less wait, too."""
        self._unwanted.set()
        if not self.answer.done():
            self.answer.set_exception(too_many("questions are waiting"))

    @property
    def cancelled(self) -> bool:
        """Whether nobody wants it any more."""
        return self._unwanted.is_set()

    def work(self, threads: int) -> Any:
        """Answer it, in a thread of the pool.

        Raises CancelledError, LimitError if it takes too long, and what the question raises.
        """
        self._until = time.monotonic() + self._seconds
        with stopped_by(self._check), speaking(self._language):
            self._check()
            return self.asked(threads, self._tell)

    def _check(self) -> None:
        if self._unwanted.is_set():
            raise CancelledError
        if time.monotonic() > self._until:
            raise LimitError(f"no answer within {self._seconds:.0f} seconds")

    def _tell(self, interim: Any) -> None:
        if self._heard is not None and not self._unwanted.is_set():
            self.loop.call_soon_threadsafe(self._heard, interim)


class Lane:
    """Questions of one kind. running: how many are worked on at a time."""

    def __init__(self, running: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(running, thread_name_prefix=name)
        self._free = running
        self._busy = 0
        self._waiting: OrderedDict[str, deque[Task]] = OrderedDict()

    def ask(self, task: Task) -> None:
        """Let a question wait for its turn; RefusedError if too many do."""
        self._forget_cancelled()
        if not make_room(self._waiting, task.client, guard.WAITING, guard.WAITING_EACH):
            raise too_many("questions are waiting")
        self._waiting.setdefault(task.client, deque()).append(task)
        self._next()

    def _forget_cancelled(self) -> None:
        """Leave out what nobody waits for, so that it takes no place from what somebody does."""
        for client, tasks in list(self._waiting.items()):
            kept = deque(task for task in tasks if not task.cancelled)
            if kept:
                self._waiting[client] = kept
            else:
                del self._waiting[client]

    def close(self) -> None:
        """Take no more questions."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _next(self) -> None:
        while self._busy < self._free and self._waiting:
            client, tasks = self._waiting.popitem(last=False)
            task = tasks.popleft()
            if tasks:
                self._waiting[client] = tasks  # behind the other clients
            if task.cancelled:
                continue
            self._busy += 1
            threads = default_threads() if self._busy == 1 and not self._waiting else 1
            worked = task.loop.run_in_executor(self._pool, task.work, threads)
            worked.add_done_callback(partial(self._done, task))

    def _done(self, task: Task, worked: asyncio.Future[Any]) -> None:
        self._busy -= 1
        error = None if worked.cancelled() else worked.exception()
        if not task.answer.done():
            if worked.cancelled() or isinstance(error, CancelledError):
                task.answer.cancel()
            elif error is not None:
                task.answer.set_exception(error)
            else:
                task.answer.set_result(worked.result())
        self._next()


class Work:
    """All lanes, and the open streams."""

    def __init__(self) -> None:
        self._lanes = {
            LONG: Lane(guard.RUNNING, LONG),
            BRIEF: Lane(guard.RUNNING_BRIEF, BRIEF),
            TABLE: Lane(guard.RUNNING_TABLES, TABLE),
        }
        self._tasks: set[Task] = set()
        self.streams: dict[str, list[Droppable]] = {}

    def ask(
        self,
        question: Answerer,
        client: str,
        lane: str,
        heard: Callable[[Any], None] | None = None,
        seconds: float | None = None,
    ) -> Task:
        """Let a question wait for its turn; RefusedError if too many wait."""
        task = Task(question, client, heard, seconds)
        self._lanes[lane].ask(task)
        self._tasks.add(task)
        task.answer.add_done_callback(lambda _: self._tasks.discard(task))
        return task

    def open_stream(self, stream: Droppable, client: str) -> None:
        """Count a stream; RefusedError if there are too many."""
        if not make_room(self.streams, client, guard.STREAMS, guard.STREAMS_EACH):
            raise too_many("streams are open")
        self.streams.setdefault(client, []).append(stream)

    def close_stream(self, stream: Droppable, client: str) -> None:
        """Forget one open stream of a client."""
        if stream in self.streams.get(client, ()):
            self.streams[client].remove(stream)
            if not self.streams[client]:
                del self.streams[client]

    def close(self) -> None:
        """Stop all work."""
        for task in list(self._tasks):
            task.cancel()
        for lane in self._lanes.values():
            lane.close()
