"""Server-sent events: the answer so far, as often as it changes, then the answer."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.types import Receive, Scope, Send

from lama_odds.core.errors import LamaOddsError
from lama_odds.core.strict_json import to_json
from lama_odds.web.errors import RefusedError, error_json, error_of
from lama_odds.web.questions import Question
from lama_odds.web.work import Task, Work

ANSWER, INTERIM, FAILED = "answer", "interim", "failed"
ALIVE = 15.0  # seconds after which a line says that the stream is alive


class Stream:
    """The reply that streams a question's answers; it ends the question when nobody listens.

    interim: what its events before the answer are called.
    """

    def __init__(self, work: Work, question: Question, client: str, interim: str = INTERIM) -> None:
        """Open it; RefusedError if there are too many streams or questions."""
        self._work = work
        self._client = client
        self._name = interim
        self._early: Any = None  # the newest one that has not been sent
        self._news = asyncio.Event()
        work.open_stream(self, client)
        try:
            self._task: Task = work.ask(question.asked, client, question.lane, self._hear)
        except RefusedError:
            work.close_stream(self, client)
            raise
        self._task.answer.add_done_callback(lambda _: self._news.set())

    def drop(self) -> None:
        """End it, because others have fewer streams and need one."""
        self._work.close_stream(self, self._client)
        self._task.drop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        del scope
        gone = asyncio.create_task(until_gone(receive))
        gone.add_done_callback(lambda _: self._news.set())
        kind = (b"content-type", b"text/event-stream; charset=utf-8")
        try:
            await send({"type": "http.response.start", "status": 200, "headers": [kind]})
            while not gone.done():
                text = await self._next()
                last = self._task.answer.done() and self._early is None
                if not gone.done():
                    body = text.encode()
                    await send({"type": "http.response.body", "body": body, "more_body": not last})
                if last:
                    return
        finally:
            self._task.cancel()
            gone.cancel()
            self._work.close_stream(self, self._client)

    async def _next(self) -> str:
        """The next event, or a line without a meaning if there is none for a while."""
        try:
            await asyncio.wait_for(self._news.wait(), ALIVE)
        except TimeoutError:
            return ": still at it\n\n"
        self._news.clear()
        if self._task.answer.done():
            self._early = None
            return _last(self._task.answer)
        early, self._early = self._early, None
        return _event(self._name, early) if early is not None else ""

    def _hear(self, early: Any) -> None:
        if not self._task.answer.done():
            self._early = early
            self._news.set()


async def until_gone(receive: Receive) -> None:
    """Wait until the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _last(answer: asyncio.Future[Any]) -> str:
    if answer.cancelled():
        return ""
    error = answer.exception()
    if error is None:
        return _event(ANSWER, answer.result())
    if isinstance(error, RefusedError):
        return _event(FAILED, error.to_json())
    if isinstance(error, LamaOddsError):
        return _event(FAILED, error_of(error))
    return _event(FAILED, error_json("limits", "this question cannot be answered"))


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {to_json(data)}\n\n"
