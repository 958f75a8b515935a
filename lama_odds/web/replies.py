"""What requests bring and what is sent back; the addresses of games at a table and of training."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import date
from functools import partial
from threading import Lock
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from lama_odds.api.positions import training_file
from lama_odds.core.checks import check_text
from lama_odds.core.errors import LamaOddsError, LimitError, ReadError
from lama_odds.core.strict_json import from_json, to_json
from lama_odds.web import guard
from lama_odds.web.guard import RefusedError, error_json, error_of
from lama_odds.web.questions import Question, adviser_of, advising, check_rules
from lama_odds.web.tables import Tables
from lama_odds.web.training import answer_in, check_game, next_of
from lama_odds.web.work import BRIEF, LONG, TABLE, Task, Work

# Server-sent events: the answer so far, as often as it changes, then the answer.

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
            self._task: Task = work.ask(
                question.asked, client, question.lane, self._hear, question.seconds
            )
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
                text, last = await self._next()
                if not gone.done():
                    body = text.encode()
                    await send({"type": "http.response.body", "body": body, "more_body": not last})
                if last:
                    return
        finally:
            self._task.cancel()
            gone.cancel()
            self._work.close_stream(self, self._client)

    async def _next(self) -> tuple[str, bool]:
        """The next event, or a line without a meaning if there is none for a while; if it is last.

        An answer that comes just as the while is over is the event after that line.
        """
        try:
            await asyncio.wait_for(self._news.wait(), ALIVE)
        except TimeoutError:
            return ": still at it\n\n", False
        self._news.clear()
        if self._task.answer.done():
            self._early = None
            return _last(self._task.answer), True
        early, self._early = self._early, None
        return _event(self._name, early) if early is not None else "", False

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


def reply(answer: Any, status: int = 200) -> Response:
    """Return JSON as a reply."""
    return Response(to_json(answer), status, media_type="application/json")


async def body_of(request: Request) -> Any:
    """Return the JSON that was sent.

    Raises RefusedError if it is too long, takes too long, or is not JSON.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RefusedError(400, "expected JSON, with the content type application/json")
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and int(length) > guard.MOST_BODY:
        raise RefusedError(413, f"at most {guard.MOST_BODY:,} bytes are read")
    body = bytearray()
    try:
        async with asyncio.timeout(guard.BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > guard.MOST_BODY:
                    raise RefusedError(413, f"at most {guard.MOST_BODY:,} bytes are read")
        return from_json(body.decode())
    except TimeoutError:
        raise RefusedError(400, "the request took too long") from None
    except ValueError as error:
        raise RefusedError(400, f"no JSON: {error}"[:200]) from None


def client_of(request: Request) -> str:
    """Return who asks: clients share fairly."""
    return request.client.host if request.client else ""


async def answered(request: Request, question: Question) -> Any:
    """Return the answer to a question; it is stopped if nobody waits for it any more."""
    work: Work = request.app.state.work
    task = work.ask(question.asked, client_of(request), question.lane)
    gone = asyncio.create_task(until_gone(request.receive))
    try:
        await asyncio.wait({task.answer, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.answer.done():
            raise ClientDisconnect
        if task.answer.cancelled():
            raise RefusedError(503, "the server is ending")
        return task.answer.result()
    except MemoryError:
        raise LimitError("this question takes more memory than there is") from None
    finally:
        task.cancel()
        gone.cancel()


# The addresses of games that are followed at a table.

PROGRESS = "progress"  # the event before the answer, of a review
CREATED = 201
MEND = ("index", "entry", "version")
START = ("names", "scores", "first")

Fields = Mapping[str, Any]


def game_routes() -> list[BaseRoute]:
    """Return the routes; the application's state has the tables."""
    one = "/api/games/{game}"
    return [
        Route("/api/games", _games, methods=["GET"]),
        Route("/api/games", _begin, methods=["POST"]),
        Route(one, _reads(Tables.game)),
        Route(f"{one}/record", _reads(lambda tables, game: {"record": tables.record(game)})),
        Route(f"{one}/entry", _changes(Tables.enter, ("entry", "version")), methods=["POST"]),
        Route(f"{one}/undo", _changes(Tables.undo, ("version",)), methods=["POST"]),
        Route(f"{one}/redo", _changes(Tables.redo, ("version",)), methods=["POST"]),
        Route(f"{one}/mend", _changes(Tables.mend, MEND), methods=["POST"]),
        Route(f"{one}/entries/{{index:int}}", _before),
        Route(f"{one}/advice", _advice),
        Route(f"{one}/review", _review),
    ]


def _tables(request: Request) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


async def _at_table(request: Request, work: Callable[[], Any]) -> Any:
    """The answer where a game is read or changed."""
    return await answered(request, Question.to_do(work, TABLE))


def fields_of(body: Any, names: tuple[str, ...], more: tuple[str, ...] = ()) -> Fields:
    """Return the fields of a body; raise ReadError unless it has just these. more: may be there."""
    if not isinstance(body, dict) or set(body) - set(more) != set(names):
        also = f", and perhaps {', '.join(more)}" if more else ""
        raise ReadError(f"expected a JSON object with {', '.join(names)}{also}")
    return body


async def _games(request: Request) -> Response:
    return reply({"games": await _at_table(request, _tables(request).games)})


async def _begin(request: Request) -> Response:
    given = fields_of(await body_of(request), ("rules", "players", "me"), START)
    if isinstance(given["rules"], str):
        check_rules(given["rules"])
    begin = partial(_tables(request).begin, **given)
    return reply(await _at_table(request, begin), CREATED)


def _reads(read: Callable[[Tables, str], Any]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        game = request.path_params["game"]
        return reply(await _at_table(request, partial(read, _tables(request), game)))

    return endpoint


def _changes(
    change: Callable[..., Any], names: tuple[str, ...]
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        given = fields_of(await body_of(request), names)
        if type(given["version"]) is not int:
            raise ReadError("version: expected the whole number of the game that you saw")
        values = [given[name] for name in names]
        work = partial(change, _tables(request), request.path_params["game"], *values)
        return reply(await _at_table(request, work))

    return endpoint


async def _before(request: Request) -> Response:
    """The game as it was before an entry, and before what has been entered there since."""
    index, begun = request.path_params["index"], request.query_params.get("begun", "")
    work = partial(_tables(request).before, request.path_params["game"], index, begun)
    return reply(await _at_table(request, work))


async def _advice(request: Request) -> Any:
    """What I should do now, as for any position."""
    tables, game = _tables(request), request.path_params["game"]
    session = await _at_table(request, partial(tables.asked, game))
    how = adviser_of({"rules": session.rules.id, "seed": session.seed})
    question = advising(how, session.position())
    return Stream(request.app.state.work, question, client_of(request))


async def _review(request: Request) -> Any:
    """A review, with its progress on the way."""
    tables, game = _tables(request), request.path_params["game"]
    await _at_table(request, partial(tables.record, game))  # there is such a game

    def review(threads: int, tell: Callable[[Any], None]) -> Any:
        return tables.review(game, lambda done, _: tell({"done": done}), threads=threads)

    question = Question(review, LONG, guard.MOST_REVIEW)
    return Stream(request.app.state.work, question, client_of(request), PROGRESS)


# The addresses of the tab to train. Its answers are kept where `lama-odds train` keeps them.

_ONE_ANSWER = Lock()  # answers are added one after the other


def train_routes() -> list[BaseRoute]:
    """Return the routes."""
    one = "/api/train/{game}"
    return [Route(one, _next, methods=["GET"]), Route(one, _answer, methods=["POST"])]


async def _next(request: Request) -> Response:
    work = partial(next_position, request.path_params["game"])
    return reply(await answered(request, Question.to_do(work, BRIEF)))


async def _answer(request: Request) -> Response:
    given = fields_of(await body_of(request), ("id", "action"))
    for name, value in given.items():
        check_text(value, name)
    work = partial(answer_to, request.path_params["game"], given["id"], given["action"])
    return reply(await answered(request, Question.to_do(work, BRIEF)))


def next_position(name: str) -> dict[str, Any]:
    """Return the next position of a game to train with, and how many are due."""
    from lama_odds.analysis.coach.training import read_log

    check_game(name)
    return next_of(read_log(training_file()), name, date.today())


def answer_to(name: str, drill_id: str, action: str) -> dict[str, Any]:
    """Keep an answer, and return whether it was right, with the answer in words."""
    from lama_odds.analysis.coach.training import read_log

    check_game(name)
    with _ONE_ANSWER:
        return answer_in(read_log(training_file()), name, drill_id, action, date.today())
