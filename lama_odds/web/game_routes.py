"""The addresses of games that are followed at a table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from lama_odds.core.errors import ReadError
from lama_odds.web.questions import Question, adviser_of, advising, check_rules
from lama_odds.web.replies import answered, body_of, client_of, reply
from lama_odds.web.streams import Stream
from lama_odds.web.tables import Tables
from lama_odds.web.work import LONG, TABLE

PROGRESS = "progress"  # the event before the answer, of a review
CREATED = 201

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
        Route(f"{one}/advice", _advice),
        Route(f"{one}/review", _review),
    ]


def _tables(request: Request) -> Tables:
    found: Tables = request.app.state.tables
    return found


def _at_table(work: Callable[[], Any]) -> Question:
    """Reading or changing a game, as a question."""
    return Question(lambda threads, tell: work(), TABLE)


def _fields(body: Any, names: tuple[str, ...]) -> Fields:
    if not isinstance(body, dict) or set(body) != set(names):
        raise ReadError(f"expected a JSON object with {', '.join(names)}")
    return body


async def _games(request: Request) -> Response:
    found = await answered(request, _at_table(_tables(request).games))
    return reply({"games": found})


async def _begin(request: Request) -> Response:
    given = _fields(await body_of(request), ("rules", "players", "me"))
    if isinstance(given["rules"], str):
        check_rules(given["rules"])
    begin = partial(_tables(request).begin, given["rules"], given["players"], given["me"])
    return reply(await answered(request, _at_table(begin)), CREATED)


def _reads(read: Callable[[Tables, str], Any]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        game = request.path_params["game"]
        return reply(await answered(request, _at_table(partial(read, _tables(request), game))))

    return endpoint


def _changes(
    change: Callable[..., Any], names: tuple[str, ...]
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        given = _fields(await body_of(request), names)
        if type(given["version"]) is not int:
            raise ReadError("version: expected the whole number of the game that you saw")
        values = [given[name] for name in names]
        work = partial(change, _tables(request), request.path_params["game"], *values)
        return reply(await answered(request, _at_table(work)))

    return endpoint


async def _advice(request: Request) -> Any:
    """What I should do now, as for any position."""
    tables, game = _tables(request), request.path_params["game"]
    session = await answered(request, _at_table(partial(tables.asked, game)))
    how = adviser_of({"rules": session.rules.id, "seed": session.seed})
    question = advising(how, session.position())
    return Stream(request.app.state.work, question, client_of(request))


async def _review(request: Request) -> Any:
    """A review, with its progress on the way."""
    tables, game = _tables(request), request.path_params["game"]
    await answered(request, _at_table(partial(tables.record, game)))  # there is such a game

    def review(threads: int, tell: Callable[[Any], None]) -> Any:
        return tables.review(game, lambda done, _: tell({"done": done}), threads=threads)

    return Stream(request.app.state.work, Question(review, LONG), client_of(request), PROGRESS)
