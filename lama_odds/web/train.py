"""The tab to train: the next position, and the answer to one; kept where `lama-odds train` does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from threading import Lock
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from lama_odds.api.positions import training_file
from lama_odds.core.checks import check_text
from lama_odds.web.questions import Question
from lama_odds.web.replies import answered, body_of, fields_of, reply
from lama_odds.web.training import answer_in, check_game, next_of
from lama_odds.web.work import BRIEF

_ONE = Lock()  # answers are added one after the other


def train_routes() -> list[BaseRoute]:
    """Return the routes."""
    one = "/api/train/{game}"
    return [Route(one, _next, methods=["GET"]), Route(one, _answer, methods=["POST"])]


async def _next(request: Request) -> Response:
    name = request.path_params["game"]
    return reply(await answered(request, _brief(partial(next_position, name))))


async def _answer(request: Request) -> Response:
    given = fields_of(await body_of(request), ("id", "action"))
    for name, value in given.items():
        check_text(value, name)
    work = partial(answer_to, request.path_params["game"], given["id"], given["action"])
    return reply(await answered(request, _brief(work)))


def _brief(work: Callable[[], Any]) -> Question:
    """A question that may play some games, for a reason or a position of your own."""
    return Question(lambda threads, tell: work(), BRIEF)


def next_position(name: str) -> dict[str, Any]:
    """Return the next position of a game to train with, and how many are due."""
    from lama_odds.analysis.coach.training import read_log

    check_game(name)
    log = read_log(training_file())
    return next_of(log, name, date.today())


def answer_to(name: str, drill_id: str, action: str) -> dict[str, Any]:
    """Keep an answer, and return whether it was right, with the answer in words."""
    from lama_odds.analysis.coach.training import read_log

    check_game(name)
    with _ONE:
        return answer_in(read_log(training_file()), name, drill_id, action, date.today())
