"""Checks each request: host, origin, token, method. Adds headers to each reply.

The page is for one person and their table. A foreign page may have bound its name to this address,
so requests must name the server itself. What pages of another origin send is refused. From other
machines each request needs the token.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lama_odds.core.errors import (
    Defect,
    ImpossibleError,
    LamaOddsError,
    NothingToDecideError,
    ReadError,
)
from lama_odds.core.strict_json import to_json

# Errors as JSON, with their status: nothing else leaves the server when something goes wrong.

UNPROCESSABLE = 422
REFUSED = "refused"
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>lama-odds</title>
<h1>lama-odds</h1>
<p>{}</p>
<p><a href="/">To the start</a></p>
</html>
"""


class RefusedError(Exception):
    """A request that is not answered, with the status that says why."""

    def __init__(self, status: int, message: str, retry: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.retry = retry  # seconds after which it may be tried again

    def to_json(self) -> dict[str, Any]:
        """The error object."""
        return error_json(REFUSED, self.message)

    def shown(self, accept: str) -> tuple[str, str]:
        """Return what is answered and its media type: a page if a browser opens an address."""
        if "text/html" not in accept:
            return to_json(self.to_json()), "application/json"
        text = escape(f"{self.message[:1].upper()}{self.message[1:]}.")
        return PAGE.format(text), "text/html"

    @property
    def headers(self) -> dict[str, str]:
        """What the reply says besides."""
        return {} if self.retry is None else {"Retry-After": str(self.retry)}


def error_json(
    kind: str, message: str, start: int | None = None, defects: tuple[Defect, ...] = ()
) -> dict[str, Any]:
    """Return an error object.

    start: the place in the text that was read. fields: of each defect, in their order, the word of
    the notation that it speaks of (empty: none alone), and the player, 0 for you.
    """
    fields = [{"field": defect.field, "seat": defect.seat} for defect in defects]
    error: dict[str, Any] = {"kind": kind, "message": message, "start": start}
    return {"error": {**error, "defects": list(defects), "fields": fields}}


def error_of(error: LamaOddsError) -> dict[str, Any]:
    """Return the error object of a question that has no answer."""
    if isinstance(error, ReadError):
        message = "\n".join([error.message, *(hint.strip() for hint in error.hints)])
        place = None if error.text is None else error.at
        return error_json("cannot read", message, place)
    if isinstance(error, NothingToDecideError):
        message = f"{error.what} leaves nothing to decide"
        return error_json("nothing to decide", message, defects=error.defects)
    if isinstance(error, ImpossibleError):
        return error_json("cannot occur", f"{error.what} cannot occur", defects=error.defects)
    return error_json("limits", str(error))


# What the server allows: all its bounds in one place.

MOST_BODY = 1 << 16  # bytes of a request's body
BODY_SECONDS = 10.0  # in which it has to be there
MOST_TEXT = 4_000  # characters of a position
MOST_NAME = 300  # characters of any other text

MOST_GAMES = 200_000  # of a position
MOST_ROUNDS = 2_000_000  # of thresholds
MOST_SAMPLING = 30.0  # seconds that a question may ask for
MOST_SECONDS = 60.0  # in which a question is answered, once its turn has come
MOST_REVIEW = float("inf")  # a review ends when nobody waits for it; finished decisions are kept

RUNNING = 2  # questions at a time that may take seconds; each on one thread if others wait
RUNNING_BRIEF = 2  # that take moments
RUNNING_TABLES = 2  # that read or change a game at a table
BRIEF_GAMES = 20_000  # most games of a question that counts as brief
# Where "in all" is reached, the client that has most gives up its newest one.
CONNECTIONS = 512  # in all
CONNECTIONS_EACH = 128  # of a client
HEADER_SECONDS = 10.0  # in which a request has to begin and its headers to be complete
CLOSE_SECONDS = 1.0  # after an answer to a request whose rest is not read, to a connection's end
UNREAD_SECONDS = 30.0  # in which what was answered has to be read
MOST_HEADERS = 1 << 14  # bytes of a request's headers
WAITING = 64  # questions in all
WAITING_EACH = 24  # of a client
STREAMS = 128  # open streams in all
STREAMS_EACH = 64  # of a client
RETRY_AFTER = 2  # seconds, when there are too many


COOKIE = "lama-odds"
COOKIE_SECONDS = 12 * 3600  # for which a phone keeps the token
COOKIE_STAYS = 365 * 24 * 3600  # the same for a token that stays
TOKEN = "token"
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
METHODS = ("GET", "POST")
ONCE = (b"host", b"origin", b"content-type", b"authorization")  # headers given once at most
NO_TOKEN = "the token is missing: open the address that the server shows"


@dataclass(frozen=True)
class Door:
    """Whom the server answers.

    port: its own. names: its own besides those of loopback. token: what other machines need.
    stays: whether the token is the same at the next start.
    """

    port: int
    names: Collection[str] = ()
    token: str = field(default="", repr=False)
    stays: bool = False

    def check(self, scope: Scope) -> None:
        """Raise RefusedError for a request that nobody may send."""
        if sum(len(name) + len(text) for name, text in scope["headers"]) > MOST_HEADERS:
            raise RefusedError(400, "the headers are too long")
        names = [name for name, _ in scope["headers"]]
        if any(names.count(once) > 1 for once in ONCE):
            raise RefusedError(400, "a header is given twice")
        headers = dict(map(_text, scope["headers"]))
        if scope["method"] not in METHODS:
            raise RefusedError(405, "only GET and POST are answered")
        if scope["method"] == "GET" and _has_body(headers):
            raise RefusedError(400, "a GET has no body")
        host = headers.get("host", "").lower()
        if host not in self._hosts:
            raise RefusedError(400, "the request names another host")
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{host}":
            raise RefusedError(400, "the request comes from a page of another origin")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and (
            scope["method"] != "GET" or scope["path"].startswith("/api/")
        ):
            raise RefusedError(400, "the request comes from a page of another origin")

    def admits(self, scope: Scope) -> bool:
        """Whether a request comes from this machine, or has the token."""
        return _is_local(scope) or self._knows(dict(map(_text, scope["headers"])))

    def is_token(self, text: str) -> bool:
        """Whether a text is the token, compared in constant time."""
        return bool(self.token) and hmac.compare_digest(text.encode(), self.token.encode())

    @property
    def _hosts(self) -> set[str]:
        names = {*LOOPBACK, *(name.lower() for name in self.names)}
        return {f"{name}:{self.port}" for name in names} | (names if self.port == 80 else set())

    def _knows(self, headers: Mapping[str, str]) -> bool:
        """Whether a request has the token, in its cookie or its authorization."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.is_token(given.strip()):
            return True
        pairs = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
        return any(name == COOKIE and self.is_token(value) for name, _, value in pairs)


class Guard:
    """Lets only what `Door` allows pass, and adds the headers to every reply."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app = app
        self.door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        own = [(name.lower().encode(), text.encode()) for name, text in HEADERS.items()]

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message.get("headers", ())}
                more = [pair for pair in own if pair[0] not in given]
                message = {**message, "headers": [*message.get("headers", ()), *more]}
            await send(message)

        try:
            self.door.check(scope)
            entrance = self._entrance(scope)
            if entrance is not None:
                await _reply(with_headers, 303, b"", entrance)
                return
            if not self.door.admits(scope):
                raise RefusedError(401, NO_TOKEN)
        except RefusedError as error:
            accept = [text for name, text in scope["headers"] if name.lower() == b"accept"]
            content, kind = error.shown(b",".join(accept).decode("latin-1"))
            header = (b"content-type", f"{kind}; charset=utf-8".encode())
            await _reply(with_headers, error.status, content.encode(), [header])
            return
        await self.app(scope, receive, with_headers)

    def _entrance(self, scope: Scope) -> list[tuple[bytes, bytes]] | None:
        """The headers that let a phone in, if it opens the address with the token."""
        if scope["path"] != "/" or scope["method"] != "GET":
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        if not any(name == TOKEN and self.door.is_token(text) for name, text in query):
            return None
        rest = urlencode([pair for pair in query if pair[0] != TOKEN])
        cookie = f"{COOKIE}={self.door.token}; Path=/; HttpOnly; SameSite=Strict"
        cookie += f"; Max-Age={COOKIE_STAYS if self.door.stays else COOKIE_SECONDS}"
        place = f"/?{rest}" if rest else "/"
        return [(b"location", place.encode()), (b"set-cookie", cookie.encode())]


async def _reply(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


def _text(pair: tuple[bytes, bytes]) -> tuple[str, str]:
    return pair[0].decode("latin-1"), pair[1].decode("latin-1")


def _has_body(headers: Mapping[str, str]) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def _is_local(scope: Scope) -> bool:
    """Whether a request comes from this machine."""
    client = scope.get("client")
    try:
        return client is not None and ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False
