"""The addresses of the server: the page, its questions, and the games that it follows."""

from __future__ import annotations

import hashlib
import logging
import mimetypes
import re
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

import lama_odds
from lama_odds.core.errors import LamaOddsError, ReadError
from lama_odds.core.language import ENGLISH, language, say, speaking
from lama_odds.core.reading import read_bytes, read_text
from lama_odds.report.sheets import blocks, printed, sheets
from lama_odds.web import questions, replies
from lama_odds.web.guard import UNPROCESSABLE, Door, Guard, RefusedError, error_of
from lama_odds.web.questions import OPTIONS, options_in, question_of
from lama_odds.web.tables import Tables
from lama_odds.web.work import Work

# What can be looked up: the sheets for the table, and the strategy reports, which were made before.

PACKAGE = Path(__file__).resolve().parent.parent
MOST = 1 << 22  # characters of a file
# Where they are: in the wheel, or in a checkout.
REPORTS = (PACKAGE / "strategy", PACKAGE.parent / "reports" / "strategy")
NO_REPORT = "index"
TITLE = re.compile(r"<title>([^<]*)</title>")


@cache
def what_there_is(spoken: str) -> dict[str, Any]:
    """Return all sheets with their content in a language, and the names of the reports."""
    with speaking(spoken):
        entries = [
            {
                "name": name,
                "title": say(sheet.title),
                "blocks": list(blocks(sheet)),
                "address": f"/sheets/{name}?{LANGUAGE}={spoken}",
            }
            for name, sheet in sheets().items()
        ]
    reports = [
        {"title": _title(path), "address": f"/reports/{path.stem}"} for path in _report_pages()
    ]
    return {"sheets": entries, "reports": reports}


@cache
def report_files() -> dict[str, Path]:
    """Return all files of the strategy reports: pages by name, their figures by ``NAME/FILE``."""
    pages = _report_pages()
    figures = [path for page in pages for path in page.with_suffix("").glob("*.*")]
    named = {f"{path.parent.name}/{path.name}": path for path in figures}
    return {page.stem: page for page in pages} | named


def _report_pages() -> list[Path]:
    folder = next((folder for folder in REPORTS if folder.is_dir()), None)
    pages = [] if folder is None else sorted(folder.glob("*.html"))
    return [path for path in pages if path.stem != NO_REPORT]


def _title(path: Path) -> str:
    match = TITLE.search(read_text(path, MOST))
    return path.stem if match is None else match[1].strip()


OWN_LOOKS = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; sandbox allow-same-origin allow-downloads"
)  # of one origin, or the cookie with the token would not come along with its links
WAY_BACK = '<p><a href="/?lookup=">\u2039 Look up</a></p>'
KEPT = {"Cache-Control": "no-cache"}  # a browser may keep a copy, and asks whether it is the same
STATIC = Path(__file__).resolve().parent / "static"
LANGUAGE = "language"  # the name of a parameter of every address
LOG = logging.getLogger(__name__)
Endpoint = Callable[[Request], Awaitable[Response]]


def app_of(door: Door, work: Work) -> ASGIApp:
    """Return the application."""
    routes: list[BaseRoute] = [
        Route("/", _page),
        Route("/static/{name:path}", _asset),
        Route("/api/health", _json(lambda request: {"version": lama_odds.__version__})),
        Route("/api/rules", _json(lambda request: questions.games(language()))),
        Route("/api/rules/{rules:path}", _json(_rules)),
        Route("/api/lookup", _json(lambda request: what_there_is(language()))),
        Route("/sheets/{name}", _sheet),
        Route("/reports/{name:path}", _report),
        Route("/api/advise/stream", _stream),
        *(Route(f"/api/{command}", _answers(command), methods=["POST"]) for command in OPTIONS),
        *replies.game_routes(),
        *replies.train_routes(),
    ]
    errors = {
        LamaOddsError: _cannot,
        RefusedError: _refused,
        HTTPException: _not_there,
        ClientDisconnect: _gone,
        Exception: _fault,
    }
    app = Starlette(routes=routes, exception_handlers=errors)  # type: ignore[arg-type]
    app.router.redirect_slashes = False
    app.state.work = work
    app.state.tables = Tables()
    return Guard(Speaking(app), door)


class Speaking:
    """Answers each request in the language that its address names: ``?language=de``."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; one in an unknown language is refused."""
        query = QueryParams(scope.get("query_string", b""))
        try:
            spoken = speaking(query.get(LANGUAGE, ENGLISH))
            with spoken:
                await self._app(scope, receive, send)
        except ReadError as error:
            await replies.reply(error_of(error), UNPROCESSABLE)(scope, receive, send)


def _json(handler: Callable[[Request], Any]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        return replies.reply(handler(request))

    return endpoint


def _answers(command: str) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        return replies.reply(
            await replies.answered(request, question_of(command, await replies.body_of(request)))
        )

    return endpoint


def assets() -> dict[str, Path]:
    """Return the files of the page by their names below ``/static/``."""
    return {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*.*")}


def _same(request: Request, content: bytes, kind: str, headers: dict[str, str]) -> Response:
    """A file with its hash as ETag; 304 if the browser has the same one."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    all_headers = {**KEPT, "ETag": tag, **headers}
    known = [etag.strip() for etag in request.headers.get("if-none-match", "").split(",")]
    if tag in known:
        return Response(status_code=304, headers=all_headers)
    return Response(content, headers=all_headers, media_type=kind)


def _kind(path: Path) -> str:
    if path.suffix == ".webmanifest":
        return "application/manifest+json"
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return "text/javascript" if path.suffix == ".js" else kind


async def _asset(request: Request) -> Response:
    path = assets().get(request.path_params["name"])
    if path is None:
        raise HTTPException(404)
    return _same(request, read_bytes(path, MOST), _kind(path), {})


async def _page(request: Request) -> Response:
    return _same(request, read_bytes(STATIC / "index.html", MOST), "text/html", {})


def _rules(request: Request) -> Any:
    return questions.rule_set(request.path_params["rules"])


async def _sheet(request: Request) -> Response:
    """A sheet to print, in the language in force: with its own looks, and no script."""
    sheet = sheets().get(request.path_params["name"])
    if sheet is None:
        raise HTTPException(404)
    return _own_looks(request, printed(sheet).encode(), "text/html")


async def _report(request: Request) -> Response:
    """A strategy report or one of its figures: with its own looks and pictures, and no script."""
    name = request.path_params["name"].removesuffix(".html")
    if name == NO_REPORT:
        return RedirectResponse("/?lookup=")
    path = report_files().get(name)
    if path is None:
        raise HTTPException(404)
    content = read_bytes(path, MOST)
    if path.suffix == ".html":
        content = content.replace(b"<body>", b"<body>" + WAY_BACK.encode(), 1)
    return _own_looks(request, content, _kind(path))


def _own_looks(request: Request, content: bytes, kind: str) -> Response:
    return _same(request, content, kind, {"Content-Security-Policy": OWN_LOOKS})


async def _stream(request: Request) -> Any:
    query = {name: text for name, text in request.query_params.items() if name != LANGUAGE}
    question = question_of("advise", options_in(query))
    return replies.Stream(request.app.state.work, question, replies.client_of(request))


async def _cannot(request: Request, error: LamaOddsError) -> Response:
    del request
    return replies.reply(error_of(error), UNPROCESSABLE)


async def _refused(request: Request, error: RefusedError) -> Response:
    content, kind = error.shown(request.headers.get("accept", ""))
    return Response(content, error.status, error.headers, media_type=kind)


async def _not_there(request: Request, error: HTTPException) -> Response:
    messages = {404: "there is nothing here", 405: "this address takes another method"}
    message = messages.get(error.status_code, "the request cannot be answered")
    return await _refused(request, RefusedError(error.status_code, message))


async def _gone(request: Request, error: ClientDisconnect) -> Response:
    """A reply that nobody reads: the client has gone."""
    del request, error
    return Response(status_code=400)


async def _fault(request: Request, error: Exception) -> Response:
    LOG.error("a fault of ours, at %s", request.url.path, exc_info=error)
    refused = RefusedError(500, "a fault of lama-odds; the terminal it runs in says more")
    return await _refused(request, refused)
